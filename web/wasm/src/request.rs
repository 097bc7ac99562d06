//! Requests: one record for all functions, of which each reads some fields.

use serde::Deserialize;
use serde_json::Value;
use taquin::format::Format;
use taquin::{Board, Convention, Goal, Grid, Limits, Metric, Moves};
use taquin_engine::board::BoardError;

use crate::fault::Result;
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
    pub moves: Option<Value>,
    /// Digits: a number of JavaScript holds no 64 bits.
    pub seed: Option<String>,
    pub text: Option<String>,
    /// Moves as letters.
    line: Option<String>,
    pub format: Option<Format>,
    /// The piece that the directions of a text are of.
    #[serde(default)]
    pub directions: Convention,
    /// Whether the directions may be of either piece.
    #[serde(default)]
    pub either: bool,
    /// The moves of a solution that is known to be optimal.
    pub solution: Option<String>,
    pub size: Option<String>,
    /// A partition.
    pub tables: Option<String>,
    pub file: Option<String>,
}

/// The value of a field that a function cannot do without.
pub fn needed<T>(field: Option<T>, name: &str) -> Result<T> {
    field.ok_or_else(|| format!("missing field `{name}`").into())
}

impl Request {
    /// The board.
    pub fn board(&self) -> Result<Board> {
        let grid = self.grid()?;
        let tile = |&tile| u8::try_from(tile).map_err(|_| BoardError::NoSuchTile { grid, tile });
        let tiles = needed(self.board.as_deref(), "board")?.iter().map(tile);
        Ok(Board::new(grid, &tiles.collect::<std::result::Result<Vec<u8>, _>>()?)?)
    }

    /// The board and the goal for its size.
    pub fn pose(&self) -> Result<(Board, Goal)> {
        let board = self.board()?;
        Ok((board, self.goal()?))
    }

    /// The size.
    fn grid(&self) -> Result<Grid> {
        Ok(Grid::new(needed(self.width, "width")?, needed(self.height, "height")?)?)
    }

    /// The goal for the size.
    pub fn goal(&self) -> Result<Goal> {
        Ok(Goal::parse(needed(self.goal.as_deref(), "goal")?, self.grid()?)?)
    }

    /// The moves of the line.
    pub fn line(&self) -> Result<Moves> {
        Ok(needed(self.line.as_deref(), "line")?.parse()?)
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
