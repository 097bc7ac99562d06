//! Text of programs that gives the columns of a board one after the other, as `matrix` of R does, or
//! transposes a list of its rows.

use super::{Guess, Reading};
use crate::board::{Board, Grid};

/// Returns the call in a text that makes its lists columns; `None` if they are rows.
pub(super) fn call(text: &str) -> Option<&'static str> {
    let text = dense(text);
    let calls: Vec<&str> = fills(&text).into_iter().chain(transposes(&text)).collect();
    // A transposed matrix whose columns are given has them as rows.
    calls.first().copied().filter(|_| calls.len() % 2 == 1)
}

/// A text with white space only between words.
fn dense(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut dense = String::with_capacity(text.len());
    let mut is_gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            is_gap = true;
            continue;
        }
        if is_gap && is_word(c) && dense.ends_with(is_word) {
            dense.push(' ');
        }
        dense.push(c);
        is_gap = false;
    }
    dense
}

/// The texts behind each call of a function, and the text before it.
fn calls<'a>(text: &'a str, call: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let parts =
        text.match_indices(call).map(move |(at, _)| (&text[..at], &text[at + call.len()..]));
    parts.filter(|(before, _)| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Returns the calls that fill a matrix by columns.
fn fills(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let is_by_row = ["byrow=T", ",TRUE)", ",T)"].iter().any(|argument| text.contains(argument));
    for (call, needed) in [("matrix(", "c("), ("array(c(", "dim"), ("structure(c(", "im=c(")] {
        let is_filled = |(before, behind): (&str, &str)| {
            !before.ends_with('.') && behind.contains(needed) && !is_by_row
        };
        found.extend(calls(text, call).filter(|&parts| is_filled(parts)).map(|_| call));
    }
    for (before, behind) in calls(text, "reshape(") {
        let has_order = ["order='F'", "order=\"F\""].iter().any(|order| behind.contains(order));
        // NumPy fills by rows. Its shape is a tuple, and that of Fortran begins with a slash.
        let is_tuple = behind.match_indices(",(").any(|(at, _)| !behind[at + 2..].starts_with('/'));
        let is_numpy = before.ends_with('.') || before.contains("numpy") || is_tuple;
        if has_order || !is_numpy {
            found.push("reshape(");
        }
    }
    found
}

/// Returns the calls and the operators that transpose a list.
fn transposes(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let is_list = |text: &str| {
        let lists = ["np.array(", "numpy.array(", "array(", "matrix("];
        text.starts_with(['[', '{', '(']) || lists.iter().any(|list| text.starts_with(list))
    };
    for call in ["transpose(", "Transpose[", "zip(*", "t("] {
        found.extend(calls(text, call).filter(|(_, list)| is_list(list)).map(|_| call));
    }
    found
        .extend(calls(text, "cbind(").filter(|(_, list)| list.starts_with("c(")).map(|_| "cbind("));
    for method in [".T", ".t()", ".transpose()"] {
        let is_method = |(at, _): &(usize, &str)| {
            let next = text[at + method.len()..].chars().next();
            let is_name = next.is_some_and(|c| c.is_alphanumeric() || "_=:(".contains(c));
            text[..*at].ends_with([')', ']']) && !is_name
        };
        found.extend(text.match_indices(method).filter(is_method).map(|_| method));
    }
    // The operator of MATLAB, behind rows. An apostrophe within a text in quotes ends that.
    let has_rows = |at: usize| text.find(';').is_some_and(|end| end < at);
    let is_operator = |&(place, (at, _)): &(usize, (usize, &str))| {
        let before = &text[..at];
        place.is_multiple_of(2)
            && before.strip_suffix('.').unwrap_or(before).ends_with([')', ']'])
            && !text[at + 1..].starts_with(char::is_alphanumeric)
            && has_rows(at)
    };
    let quotes = text.match_indices('\'').enumerate();
    found.extend(quotes.filter(is_operator).map(|_| "'"));
    found
}

/// The size of a board whose rows are the columns of one of this size.
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
        for (code, found) in [
            ("b <- matrix(c(L), nrow = 3)", Some("matrix(")),
            ("return matrix( c(L), 3, byrow=FALSE)", Some("matrix(")),
            ("matrix(nrow = 3, data = c(L))", Some("matrix(")),
            ("print(matrix(c(L), nrow=3))", Some("matrix(")),
            ("array(c(L), dim = c(3, 3))", Some("array(c(")),
            ("structure(c(L), dim = c(3L, 3L))", Some("structure(c(")),
            ("cbind(c(1,4,6), c(2,0,7), c(3,5,8))", Some("cbind(")),
            ("A = reshape([L], 3, 3);", Some("reshape(")),
            ("reshape((/L/), (/3,3/))", Some("reshape(")),
            ("np.reshape([L], (3,3), order='F')", Some("reshape(")),
            ("np.array([[1,2],[3,0]]).T", Some(".T")),
            ("np.transpose([[1,2],[3,0]])", Some("transpose(")),
            ("A = [1 2; 3 0]'", Some("'")),
            ("A = [1 2; 3 0].'; % it's transposed", Some("'")),
            ("list(zip(*[[1,2],[3,0]]))", Some("zip(*")),
            ("matrix(c(L), nrow=3, byrow=TRUE)", None),
            ("print(matrix(c(L), nrow=3, byrow=TRUE))", None),
            ("matrix(c(L), 3, 3, TRUE)", None),
            ("t(matrix(c(L), nrow=3))", None),
            ("t(array(c(L), dim=c(3,3)))", None),
            ("A = reshape([1 2 3; 4 0 5], 3, [])'", None),
            ("np.reshape([L], (3, 3))", None),
            ("from numpy import *\nreshape([L], [3,3])", None),
            ("np.array([L]).reshape(3, 3)", None),
            ("np.array([[1,2],[3,0]], order='F')", None),
            ("np.matrix([[1,2],[3,0]])", None),
            ("board = '[[1,2],[3,0]]'", None),
            ("a.Tiles = [[1,2],[3,0]]", None),
            ("self.T = [[1,2],[3,0]]", None),
            ("Mr. T: 1 2 / 3 0", None),
            ("(Tom)'s board: 1 2 / 3 0", None),
            ("Note: transpose(a) of [[1,2],[3,0]]", None),
            ("b = np.array([[1,2],[3,0]])\nprint(b.T)", None),
            ("[L]'", None),
        ] {
            let code = code.replace('L', "1,2,3,4,0,5,6,7,8");
            assert_eq!(call(&code), found, "{code}");
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
