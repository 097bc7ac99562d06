//! Values from outside: a file of boards with their values, a program, or a function.

use std::collections::HashMap;
use std::path::Path;

use super::contender::Search;
use super::program::Program;
use super::refusal::refusal;
use super::{Error, Settings};
use crate::board::{Board, Goal, Grid, Position};
use crate::reference::{batch_a_star, batch_ida_star};
use crate::search::{Control, Outcome};

/// The origin of the values.
pub enum Foreign {
    File { path: String, values: HashMap<Board, f64> },
    Program(Program),
    Function { name: String, call: Box<Function> },
}

/// Returns the values of boards, in their order, or a message.
pub type Function = dyn Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync;

/// The positions that a search asks for at once.
pub struct Batches<'a> {
    pub foreign: &'a Foreign,
    pub goal: &'a Goal,
    pub settings: &'a Settings,
}

impl Foreign {
    /// Reads a file whose columns are separated by commas, semicolons or tabs. They are `board` and `value`
    /// or `h`; without this header, the first and the last column of each line.
    ///
    /// # Errors
    /// [`Error::Values`] with the first line that is not a board of this size and a number of at
    /// least 0, or that has another value for a board.
    pub fn read(path: &Path, grid: Grid) -> Result<Foreign, Error> {
        let name = path.display().to_string();
        let wrong = |reason| Error::Values { path: name.clone(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let values = read(&text, grid).map_err(wrong)?;
        Ok(Foreign::File { values, path: name })
    }

    /// The values of boards.
    ///
    /// # Errors
    /// A board that the file does not have, or a fault of the program; [`Error::Cancelled`].
    pub fn values(&self, boards: &[Board], control: &Control) -> Result<Vec<f64>, Error> {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match self {
            Foreign::Program(program) => program.values(boards, control)?.ok_or(Error::Cancelled),
            Foreign::Function { name, call } => {
                let wrong = |reason| Error::Function { name: name.clone(), reason };
                let values = call(boards).map_err(wrong)?;
                let n = boards.len();
                if values.len() != n {
                    return Err(wrong(format!("{} values for {n} boards", values.len())));
                }
                let refused = |value: &f64| Some(format!("{value:?} {}", refusal(Some(*value))?));
                match values.iter().find_map(refused) {
                    Some(reason) => Err(wrong(reason)),
                    None => Ok(values),
                }
            }
            Foreign::File { path, values } => {
                let value = |board| {
                    let reason = || format!("the board {board} has no value");
                    let missing = || Error::Values { path: path.clone(), reason: reason() };
                    values.get(board).copied().ok_or_else(missing)
                };
                boards.iter().map(value).collect()
            }
        }
    }
}

/// The values of a file's boards.
fn read(text: &str, grid: Grid) -> Result<HashMap<Board, f64>, String> {
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let separator =
        [b';', b'\t'].into_iter().find(|c| first.as_bytes().contains(c)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(separator);
    let mut columns: Option<(usize, usize)> = None;
    let mut width = None;
    let mut values = HashMap::new();
    for record in reader.from_reader(text.as_bytes()).records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |reason: String| format!("line {line}: {reason}");
        let columns_here = record.len();
        let before = *width.get_or_insert(columns_here);
        if columns_here != before {
            return Err(wrong(format!(
                "{columns_here} columns, but {before} before: a number has a decimal point, not a comma"
            )));
        }
        let column = |names: &[&str]| record.iter().position(|field| names.contains(&field.trim()));
        if columns.is_none() {
            columns = column(&["board"]).zip(column(&["value", "h"]));
            if columns.is_some() {
                continue;
            }
        }
        let (board, value) = columns.unwrap_or((0, columns_here - 1));
        let (board, text) = (&record[board], record[value].trim());
        let board = Board::parse(board, Some(grid)).map_err(|error| {
            let is_first = columns.is_none() && values.is_empty();
            let header = ": a header has the columns board and value, or board and h";
            wrong(format!("{error}{}", if is_first { header } else { "" }))
        })?;
        if text.replace(',', ".").parse::<f64>().is_ok() && text.contains(',') {
            return Err(wrong(format!("{text:?} has a decimal comma: write a decimal point")));
        }
        let value = text.parse().ok();
        if let Some(why) = refusal(value) {
            return Err(wrong(format!("{text:?} {why}")));
        }
        let value = value.unwrap_or_default();
        if let Some(other) = values.insert(board, value).filter(|other| *other != value) {
            return Err(wrong(format!("the board has two values: {other} before, {value} now")));
        }
    }
    Ok(values)
}

impl Batches<'_> {
    /// Searches a board that can reach the goal.
    ///
    /// # Errors
    /// A fault of the program.
    pub fn search(
        &self,
        search: Search,
        board: &Board,
        control: &Control,
    ) -> Result<Outcome, Error> {
        let Batches { foreign, goal, settings } = *self;
        let goal_tiles = goal.board().tiles();
        let mut label = vec![0; goal_tiles.len()];
        for (cell, &tile) in goal_tiles.iter().enumerate() {
            label[usize::from(tile)] = cell as u8;
        }
        let grid = goal.board().grid();
        let labels: Vec<u8> = board.tiles().iter().map(|&tile| label[usize::from(tile)]).collect();
        let position = Position::new(grid, goal.board().blank(), &labels);
        let position = position.expect("the boards of a suite can reach its goal");
        let mut evaluate = |positions: &[Box<[u8]>]| -> Result<Vec<f64>, Error> {
            let board = |labels: &[u8]| {
                let tiles: Vec<u8> =
                    labels.iter().map(|&label| goal_tiles[usize::from(label)]).collect();
                Board::new(grid, &tiles).expect("these are the tiles of the goal")
            };
            let boards: Vec<Board> = positions.iter().map(|labels| board(labels)).collect();
            foreign.values(&boards, control)
        };
        match search {
            Search::AStar(_) => {
                batch_a_star(&position, settings.batch, settings.weight, control, &mut evaluate)
            }
            _ => batch_ida_star(&position, settings.batch, control, &mut evaluate),
        }
    }
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
            ("1 2 3 0,-1\n", "line 1: \"-1\" is no finite number"),
            ("1 2 3 0,1\n1 2 3 0,2\n", "line 2: the board has two values: 1 before, 2 now"),
            ("1 2 2 0,1\n", "a header has the columns board and value"),
        ] {
            let error = read(text, grid).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
