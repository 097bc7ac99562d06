//! Text of programs that gives the columns of a board one after the other, as `matrix` of R does, or
//! transposes it.

use super::{Guess, Reading};
use crate::board::{Board, Grid};

/// The call in a text that makes its lists columns; `None` if they are rows.
pub(super) fn call(text: &str) -> Option<&'static str> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let calls: Vec<&str> = fills(&text).into_iter().chain(transposes(&text)).collect();
    // A transposed matrix whose columns are given has them as rows.
    calls.first().copied().filter(|_| calls.len() % 2 == 1)
}

/// The calls that fill a matrix by columns.
fn fills(text: &str) -> Vec<&'static str> {
    let mut calls = Vec::new();
    let is_by_row = text.contains("byrow=T");
    for (call, arguments) in
        [("matrix(", "matrix(c("), ("matrix(", "matrix(data=c("), ("array(", "array(c(")]
    {
        if text.contains(arguments) && !is_by_row {
            calls.push(call);
        }
    }
    for (at, call) in text.match_indices("reshape(") {
        let arguments = &text[at + call.len()..];
        let has_order = ["order='F'", "order=\"F\""].iter().any(|order| arguments.contains(order));
        // NumPy has a tuple for the shape, and fills by rows.
        let is_method = text[..at].ends_with('.');
        let is_tuple =
            arguments.match_indices(",(").any(|(at, _)| !arguments[at + 2..].starts_with('/'));
        if has_order || !is_method && !is_tuple {
            calls.push("reshape(");
        }
    }
    calls
}

fn transposes(text: &str) -> Vec<&'static str> {
    let mut calls = Vec::new();
    for call in ["transpose(", "Transpose[", "zip(*", ".t()"] {
        calls.extend(text.matches(call).map(|_| call));
    }
    if text.contains("t(matrix(") {
        calls.push("t(");
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let attributes =
        text.match_indices(".T").filter(|(at, _)| !text[at + 2..].starts_with(is_name));
    calls.extend(attributes.map(|_| ".T"));
    // An operator of MATLAB, not the end of a text in quotes.
    let is_operator = [")'", "]'"].iter().any(|end| text.contains(end));
    if is_operator && text.matches('\'').count() == 1 {
        calls.push("'");
    }
    calls
}

pub(super) fn transposed(grid: Grid) -> Option<Grid> {
    Grid::new(grid.height(), grid.width()).ok()
}

/// A reading whose rows are columns of the board.
pub(super) fn by_columns(reading: Reading, call: &str) -> Option<Reading> {
    let Reading { board, mut guesses } = reading;
    let (grid, tiles) = (board.grid(), board.tiles());
    let cells = (0..grid.cells()).map(|cell| {
        let (row, column) = (cell / grid.height(), cell % grid.height());
        tiles[column * grid.width() + row]
    });
    let board = Board::new(transposed(grid)?, &cells.collect::<Vec<_>>()).ok()?;
    for guess in &mut guesses {
        if let Guess::LeftOut(row, column) = guess {
            std::mem::swap(row, column);
        }
    }
    guesses.push(Guess::Columns(call.to_owned()));
    Some(Reading { board, guesses })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_fill_by_columns_are_known() {
        let flat = "1,2,3,4,0,5,6,7,8";
        for (code, call_found) in [
            (format!("b <- matrix(c({flat}), nrow = 3)"), Some("matrix(")),
            (format!("matrix( c({flat}), 3, byrow=FALSE)"), Some("matrix(")),
            (format!("array(c({flat}), dim = c(3, 3))"), Some("array(")),
            (format!("A = reshape([{flat}], 3, 3);"), Some("reshape(")),
            (format!("reshape((/{flat}/), (/3,3/))"), Some("reshape(")),
            (format!("np.reshape([{flat}], (3,3), order='F')"), Some("reshape(")),
            ("np.array([[1,2],[3,0]]).T".to_owned(), Some(".T")),
            ("A = [1 2; 3 0]'".to_owned(), Some("'")),
            ("list(zip(*[[1,2],[3,0]]))".to_owned(), Some("zip(*")),
            (format!("matrix(c({flat}), nrow=3, byrow=TRUE)"), None),
            (format!("t(matrix(c({flat}), nrow=3))"), None),
            (format!("A = reshape([{flat}], 3, [])'"), None),
            (format!("np.reshape([{flat}], (3, 3))"), None),
            (format!("np.array([{flat}]).reshape(3, 3)"), None),
            ("np.array([[1,2],[3,0]], order='F')".to_owned(), None),
            ("board = '[[1,2],[3,0]]'".to_owned(), None),
            ("a.Tiles = [[1,2],[3,0]]".to_owned(), None),
        ] {
            assert_eq!(call(&code), call_found, "{code}");
        }
    }

    #[test]
    fn columns_become_rows() {
        for (text, size, board) in [
            ("matrix(c(1,2,3,4,0,5,6,7,8), nrow=3)", None, "1 4 6 / 2 0 7 / 3 5 8"),
            ("np.array([[1,2,3],[4,0,5]]).T", None, "1 4 / 2 0 / 3 5"),
            (
                "c <- matrix(c(1,2,3,4,0,5), nrow=2)",
                Some(Grid::new(3, 2).unwrap()),
                "1 3 0 / 2 4 5",
            ),
        ] {
            let reading = Board::read(text, size).unwrap();
            assert_eq!(reading.board.to_string(), board, "{text}");
            assert!(reading.guesses.iter().any(|guess| matches!(guess, Guess::Columns(_))));
        }
    }
}
