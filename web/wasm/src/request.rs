//! Requests: one record for all of them, of which each reads some fields.

use serde::Deserialize;
use taquin::format::Format;
use taquin::read::Expected;
use taquin::solver::{GoalSpec, Target};
use taquin::{Board, Convention, Goal, Grid, LabelledBoard, Limits, Metric};

use crate::fault::Result;
use crate::now;

/// A request. A field that is left out is empty. With a record of its own for each request the code that reads them
/// would be several times as large.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Request {
    #[serde(rename = "type")]
    pub kind: String,
    board: Vec<u8>,
    width: usize,
    height: usize,
    /// The board in rows of labels, if some of them are equal.
    labels: String,
    /// A name, or a board, which may have equal tiles and `*`.
    pub goal: String,
    /// A name as `taquin --heuristic` takes it.
    pub heuristic: Option<String>,
    /// Several such names.
    pub heuristics: Vec<String>,
    /// The metric that counts the moves.
    pub metric: Metric,
    /// The time limit, in milliseconds.
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    /// The solutions that are listed.
    pub most: usize,
    /// The number of random moves from the goal.
    pub moves: Option<u64>,
    /// Digits: a number of JavaScript holds no 64 bits.
    pub seed: String,
    pub text: String,
    /// The text of the blank.
    blank: Option<String>,
    /// Moves as letters.
    pub line: String,
    pub format: Option<Format>,
    /// The piece that the directions of a text are of.
    pub directions: Convention,
    /// Whether the directions may be of either piece.
    pub either: bool,
    /// The moves of a solution that is known to be optimal.
    pub solution: Option<String>,
    pub size: Option<String>,
    /// Whether the large tables are there.
    pub large: bool,
    pub file: String,
}

impl Request {
    /// The board.
    pub fn board(&self) -> Result<Board> {
        Ok(Board::new(Grid::new(self.width, self.height)?, &self.board)?)
    }

    /// The board, with its labels if it has some.
    pub fn labelled(&self) -> Result<LabelledBoard> {
        match self.labels.is_empty() {
            true => Ok(self.board()?.into()),
            false => Ok(self.labels.parse()?),
        }
    }

    /// The goal for the size, which is one board.
    pub fn goal(&self) -> Result<Goal> {
        Ok(Goal::parse(&self.goal, Grid::new(self.width, self.height)?)?)
    }

    /// The goal for the size, which may be open.
    pub fn target(&self) -> Result<Target> {
        let grid = Grid::new(self.width, self.height)?;
        Ok(self.goal.parse::<GoalSpec>()?.target(grid)?)
    }

    /// The knowledge of boards before they are read: their size, and the names of the goal's tiles.
    pub fn expected(&self) -> Result<Expected> {
        let size = self.size.as_deref().map(str::parse).transpose()?;
        let blank = self.blank.as_deref();
        let goal = match self.goal.is_empty() {
            true => GoalSpec::default(),
            false => GoalSpec::read(&self.goal, blank)?,
        };
        Ok(goal.expected(size, blank))
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
