//! Values from outside: a file of boards with their values, a program, or a function.

use std::collections::HashMap;
use std::path::Path;

use super::contender::Search;
use super::program::Program;
use super::{Error, Settings};
use crate::board::{Board, Goal, Grid, Position};
use crate::search::{Control, Outcome, batch_a_star, batch_ida_star};

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
    /// Reads a CSV file. The columns are `board` and `value` or `h`; without this header, the first
    /// and the last column of each line.
    ///
    /// # Errors
    /// [`Error::Values`] with the first line that is not a board of this size and a number of at least 0, or
    /// that has another value for a board.
    pub fn read(path: &Path, grid: Grid) -> Result<Foreign, Error> {
        let name = path.display().to_string();
        let wrong = |reason: String| Error::Values { path: name.clone(), reason };
        let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
        let mut reader = csv::ReaderBuilder::new();
        let mut reader =
            reader.has_headers(false).flexible(true).comment(Some(b'#')).from_reader(file);
        let mut columns: Option<(usize, usize)> = None;
        let mut values = HashMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| wrong(error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let column =
                |names: &[&str]| record.iter().position(|field| names.contains(&field.trim()));
            if columns.is_none() {
                columns = column(&["board"]).zip(column(&["value", "h"]));
                if columns.is_some() {
                    continue;
                }
            }
            let (board, value) = columns.unwrap_or((0, record.len().saturating_sub(1)));
            let (board, text) = (record.get(board).unwrap_or(""), record.get(value).unwrap_or(""));
            let board = Board::parse(board, Some(grid)).map_err(|error| {
                let first = columns.is_none() && values.is_empty();
                let header = ": a header has the columns board and value, or board and h";
                wrong(format!("line {line}: {error}{}", if first { header } else { "" }))
            })?;
            let value = text.trim().parse().ok();
            let value = value.filter(|value: &f64| value.is_finite() && *value >= 0.0);
            let value = value.ok_or_else(|| {
                wrong(format!("line {line}: {text:?} is no finite number of at least 0"))
            })?;
            if let Some(other) = values.insert(board, value).filter(|other| *other != value) {
                let values = format!("{other} before, {value} now");
                return Err(wrong(format!("line {line}: the board has two values: {values}")));
            }
        }
        Ok(Foreign::File { path: name, values })
    }

    /// The values of boards.
    ///
    /// # Errors
    /// A board that the file does not have, or a fault of the program.
    pub fn values(&self, boards: &[Board]) -> Result<Vec<f64>, Error> {
        match self {
            Foreign::Program(program) => Ok(program.values(boards)?),
            Foreign::Function { name, call } => {
                let wrong = |reason| Error::Function { name: name.clone(), reason };
                let values = call(boards).map_err(wrong)?;
                let n = boards.len();
                if values.len() != n {
                    return Err(wrong(format!("{} values for {n} boards", values.len())));
                }
                match values.iter().find(|value| !(value.is_finite() && **value >= 0.0)) {
                    Some(value) => Err(wrong(format!("{value} is no finite number of at least 0"))),
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
            foreign.values(&boards)
        };
        match search {
            Search::AStar(_) => {
                batch_a_star(&position, settings.batch, settings.weight, control, &mut evaluate)
            }
            _ => batch_ida_star(&position, settings.batch, control, &mut evaluate),
        }
    }
}
