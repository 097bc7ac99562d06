//! Values from outside: a file of boards with their values, a program, or a function.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use super::error::Error;
use super::program::{Process, checked};
use crate::board::{Board, Goal, Grid, Position};
use crate::memo::lock;
use crate::search::Limits;

/// Values from outside.
pub struct Foreign {
    /// The beginning of messages about it.
    name: String,
    /// Whether it has values for boards that it was not given before.
    pub has_any_value: bool,
    call: Box<Function>,
}

/// Returns the values of boards, in their order, or a message, which nobody reads after a cancel.
type Function = dyn Fn(&[Board], &Limits) -> Result<Vec<f64>, String> + Send + Sync;

impl Foreign {
    /// Reads a file whose columns are separated by commas, semicolons or tabs. They are `board` and `value`
    /// or `h`; without this header, the first and the last column of each line.
    ///
    /// # Errors
    /// The first line that is not a board of this size and a number of at least 0, or that has another value
    /// for a board.
    pub fn file(path: &Path, grid: Grid) -> Result<Foreign, Error> {
        let name = format!("{}: ", path.display());
        let unread = |error| Error::Refused(format!("cannot read {}: {error}", path.display()));
        let text = std::fs::read_to_string(path).map_err(unread)?;
        let values = read(&text, grid);
        let values = values.map_err(|fault| Error::Refused(format!("{name}{fault}")))?;
        let call = move |boards: &[Board], _: &Limits| {
            let missing = |board| format!("the board {board} has no value");
            let value = |board| values.get(board).copied().ok_or_else(|| missing(board));
            boards.iter().map(value).collect()
        };
        Ok(Foreign { name, has_any_value: false, call: Box::new(call) })
    }

    /// Starts a program, with a time limit for each batch of boards. Threads that ask at the same time get a
    /// process each.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn program(command: &str, goal: &Goal, time: Duration) -> Result<Foreign, Error> {
        let (command, goal) = (command.trim().to_owned(), goal.clone());
        let name = format!("the program {command:?} ");
        let start = move || Process::start(&command, &goal);
        let first = start().map_err(|fault| Error::Refused(format!("{name}{fault}")))?;
        let idle = Mutex::new(vec![first]);
        let call = move |boards: &[Board], limits: &Limits| {
            let process = lock(&idle).pop();
            let mut process = process.map_or_else(&start, Ok)?;
            let values = process.ask(boards, time, limits)?;
            lock(&idle).push(process);
            Ok(values)
        };
        Ok(Foreign { name, has_any_value: true, call: Box::new(call) })
    }

    /// Checks that it values the goal with 0.
    ///
    /// # Errors
    /// It was probably made for another goal.
    pub fn check_goal(&self, goal: &Goal) -> Result<(), Error> {
        // A fault of the program shows with the first board.
        let values = self.values(std::slice::from_ref(goal.board()), &Limits::default());
        if let Some(value) = values.ok().and_then(|values| values.first().copied())
            && value > 0.0
        {
            let fault = format!("values the goal with {value}: was it made for another goal?");
            return Err(Error::Refused(format!("{}{fault}", self.name)));
        }
        Ok(())
    }

    pub fn function(
        name: &str,
        call: impl Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync + 'static,
    ) -> Foreign {
        let call = move |boards: &[Board], _: &Limits| {
            let values = call(boards)?;
            if values.len() != boards.len() {
                return Err(format!("{} values for {} boards", values.len(), boards.len()));
            }
            let refused = |value| checked(Some(value)).map_err(|why| format!("{value:?} {why}"));
            values.into_iter().map(refused).collect()
        };
        let name = format!("the function {name}: ");
        Foreign { name, has_any_value: true, call: Box::new(call) }
    }

    /// The values of boards.
    ///
    /// # Errors
    /// A board that the file does not have, or a fault of the program; [`Error::Cancelled`].
    pub fn values(&self, boards: &[Board], limits: &Limits) -> Result<Vec<f64>, Error> {
        if limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if boards.is_empty() {
            return Ok(Vec::new());
        }
        (self.call)(boards, limits).map_err(|fault| match limits.is_cancelled() {
            true => Error::Cancelled,
            false => Error::Refused(format!("{}{fault}", self.name)),
        })
    }
}

/// The position of a board that can reach the goal: each tile is named by its goal cell.
pub fn position(goal: &Goal, board: &Board) -> Position {
    let goal = goal.board();
    let label = |tile| goal.tiles().iter().position(|other| other == tile).unwrap_or_default();
    let labels: Vec<u8> = board.tiles().iter().map(|tile| label(tile) as u8).collect();
    let position = Position::new(board.grid(), goal.blank(), &labels);
    position.expect("the boards of a suite can reach its goal")
}

/// The board whose tiles have these labels.
pub fn named(goal: &Goal, labels: &[u8]) -> Board {
    let (grid, tiles) = (goal.board().grid(), goal.board().tiles());
    let tiles: Vec<u8> = labels.iter().map(|&label| tiles[usize::from(label)]).collect();
    Board::new(grid, &tiles).expect("these are the tiles of the goal")
}

/// The values of a file's boards.
fn read(text: &str, grid: Grid) -> Result<HashMap<Board, f64>, String> {
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let separator =
        [b';', b'\t'].into_iter().find(|c| first.as_bytes().contains(c)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(separator);
    let (mut columns, mut width) = (None, None);
    let mut values = HashMap::new();
    for record in reader.from_reader(text.as_bytes()).records() {
        let record = record.map_err(|error| error.to_string())?;
        let begin = record.position().map_or(0, csv::Position::byte) as usize;
        let wrong = |reason: String| format!("line {}: {reason}", line(text, begin));
        let (now, before) = (record.len(), *width.get_or_insert(record.len()));
        if now != before {
            return Err(wrong(format!(
                "{now} columns, but {before} before: a number has a decimal point, not a comma"
            )));
        }
        let column = |names: &[&str]| record.iter().position(|field| names.contains(&field.trim()));
        if columns.is_none() {
            columns = column(&["board"]).zip(column(&["value", "h"]));
            if columns.is_some() {
                continue;
            }
        }
        let (board, value) = columns.unwrap_or((0, now - 1));
        let (board, written) = (&record[board], record[value].trim());
        let board = Board::parse(board, Some(grid)).map_err(|error| {
            let is_first = columns.is_none() && values.is_empty();
            let header = ": a header has the columns board and value, or board and h";
            wrong(format!("{error}{}", if is_first { header } else { "" }))
        })?;
        if written.contains(',') && written.replace(',', ".").parse::<f64>().is_ok() {
            return Err(wrong(format!("{written:?} has a decimal comma: write a decimal point")));
        }
        let value = checked(written.parse().ok());
        let value = value.map_err(|why| wrong(format!("{written:?} {why}")))?;
        if let Some(other) = values.insert(board, value).filter(|other| *other != value) {
            return Err(wrong(format!("the board has two values: {other} before, {value} now")));
        }
    }
    Ok(values)
}

/// The number of the line with the record that was read from a place on. The reader leaves the second half of a
/// line's end, empty lines and comments to the record after them.
fn line(text: &str, begin: usize) -> usize {
    let mut rest = text[begin..].trim_start_matches(['\r', '\n']);
    while rest.starts_with('#') {
        rest = rest.trim_start_matches(|c| c != '\n').trim_start_matches(['\r', '\n']);
    }
    text[..text.len() - rest.len()].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_separated_by_commas_semicolons_or_tabs() {
        let grid = Grid::new(2, 2).unwrap();
        let solved = Board::parse("1 2 3 0", Some(grid)).unwrap();
        for text in [
            "board,value\n1 2 3 0,1.5\n",
            "# a comment\n1 2 3 0;1.5\n",
            "n\tboard\th\n7\t1 2 3 0\t1.5\n",
            "\"1,2,3,0\",1.5\n",
        ] {
            assert_eq!(read(text, grid).as_ref().map(|values| values[&solved]), Ok(1.5), "{text}");
        }
        for (text, part) in [
            ("board;value\n1 2 3 0;1,5\n", "line 2: \"1,5\" has a decimal comma"),
            (
                "board,value\n1 2 3 0,1,5\n",
                "line 2: 3 columns, but 2 before: a number has a decimal point",
            ),
            ("1 2 3 0,-1\n", "line 1: \"-1\" is not a finite number"),
            ("1 2 3 0,1\n1 2 3 0,2\n", "line 2: the board has two values: 1 before, 2 now"),
            ("1 2 2 0,1\n", "a header has the columns board and value"),
            ("board,value\r\n1 2 3 0,0\r\n1 2 0 3,x\r\n", "line 3: \"x\""),
            ("board,value\r\n\r\n# two\r\n\r\n1 2 0 3,x\r\n", "line 5: \"x\""),
            ("\n\n1 2 3 0,0\n\n\n1 2 0 3,x", "line 6: \"x\""),
        ] {
            let error = read(text, grid).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
