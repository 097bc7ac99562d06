//! Requests: one record for all functions, of which each reads some fields.

use serde::Deserialize;
use serde_json::value::RawValue;
use taquin::{Board, Goal, Grid, Limits, Metric};
use taquin_engine::SMALL;
use taquin_engine::board::BoardError;

use crate::fault::Fault;
use crate::now;

/// A request. With a record of its own for each function the code that reads them would be several times
/// as large.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    board: Option<Vec<u64>>,
    width: Option<usize>,
    height: Option<usize>,
    /// A name, or a board.
    goal: Option<String>,
    /// A name as `taquin --heuristic` takes it, or `best`.
    pub heuristic: Option<String>,
    /// The metric that counts the moves.
    #[serde(default)]
    pub metric: Metric,
    /// In milliseconds.
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    /// The solutions that are listed.
    pub most: Option<usize>,
    /// The number of random moves from the goal.
    pub moves: Option<Box<RawValue>>,
    /// Digits: a number of JavaScript holds no 64 bits.
    pub seed: Option<String>,
    pub text: Option<String>,
    pub size: Option<String>,
    /// A partition.
    pub tables: Option<String>,
    pub file: Option<String>,
}

/// The value of a field that a function cannot do without.
pub fn needed<T>(field: Option<T>, name: &str) -> Result<T, Fault> {
    field.ok_or_else(|| Fault::input(format!("missing field `{name}`")))
}

impl Request {
    /// The board.
    pub fn board(&self) -> Result<Board, Fault> {
        of_tiles(self.grid()?, needed(self.board.as_deref(), "board")?)
    }

    /// The board and the goal for its size.
    pub fn pose(&self) -> Result<(Board, Goal), Fault> {
        let board = self.board()?;
        Ok((board, self.goal()?))
    }

    /// The size.
    fn grid(&self) -> Result<Grid, Fault> {
        Ok(Grid::new(needed(self.width, "width")?, needed(self.height, "height")?)?)
    }

    /// The text of the goal.
    pub fn goal_text(&self) -> Result<&str, Fault> {
        needed(self.goal.as_deref(), "goal")
    }

    /// The goal for the size. Names and rows of numbers need none of the code for other notations.
    pub fn goal(&self) -> Result<Goal, Fault> {
        let (text, grid) = (self.goal_text()?, self.grid()?);
        if let Some(name) = Goal::name(text.trim()) {
            return Ok(Goal::named(name, grid)?);
        }
        let words = text.split([' ', '/']).filter(|word| !word.is_empty());
        match words.map(str::parse).collect::<Result<Vec<u64>, _>>() {
            Ok(tiles) if tiles.len() == grid.cells() => Ok(of_tiles(grid, &tiles)?.into()),
            _ if SMALL => Err(Fault::elsewhere()),
            _ => Ok(Goal::parse(text, grid)?),
        }
    }

    /// Limits that begin now.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if let Some(time) = self.time_limit {
            let end = now() + time;
            limits = limits.deadline(move || now() >= end);
        }
        if let Some(nodes) = self.node_limit {
            limits = limits.nodes(nodes);
        }
        limits
    }
}

/// The board of these tiles.
pub fn of_tiles(grid: Grid, tiles: &[u64]) -> Result<Board, Fault> {
    let tile = |&tile| u8::try_from(tile).map_err(|_| BoardError::NoSuchTile { grid, tile });
    let tiles: Vec<u8> = tiles.iter().map(tile).collect::<Result<_, _>>()?;
    Ok(Board::new(grid, &tiles)?)
}
