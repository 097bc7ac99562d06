//! The arguments that name boards and their goal, and the loop over such boards.

use std::path::PathBuf;

use clap::Args;

use super::args::path;
use super::exit::Failure;
use super::input::{self, Input};
use super::session::Trouble;
use crate::board::{Board, BoardError, Goal, GoalError, Grid, ParseError};

/// Boards from arguments, a file or a stream.
#[derive(Debug, Args)]
pub(super) struct BoardArgs {
    /// Board, in quotes; - reads standard input
    ///
    /// Write its tiles row by row, parted by spaces, commas, slashes or brackets, with 0, _ or .
    /// for the blank; a line of its own before them may give the size. Or one character a tile:
    /// 123456789abcdef0 (hexadecimal, up to z for 35) or abcdefghijklmno0 (a is 1). Standard
    /// input is read also where no board is given at all, unless it is a terminal.
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,

    /// File of boards, one a line, or grids of several lines with an empty line between two
    ///
    /// Empty lines are skipped, and so is all from a # to the end of the line. From standard
    /// input a line that is a whole board by itself is taken for one; if it is but the first row
    /// of a grid, say --size.
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub kind: KindArgs,
}

/// What all boards have in common.
#[derive(Clone, Debug, Args)]
pub(super) struct KindArgs {
    /// Position to reach: a name or a board
    ///
    /// The names are blank-last, blank-first, blank-top-right, blank-bottom-left, spiral, snake
    /// and columns. All goals with the blank in a corner share their databases.
    #[arg(short, long, default_value = "blank-last")]
    pub goal: String,

    /// Size of boards that are written in one row
    ///
    /// Columns come first. Without it such boards are square.
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,
}

impl BoardArgs {
    /// The boards, as they are asked for.
    pub fn inputs(&self) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
        input::boards(&self.boards, self.file.as_deref(), self.kind.size)
    }
}

impl KindArgs {
    /// Reads a board, with the goal for its size.
    pub fn read(&self, text: &str) -> Result<(Board, Goal), Trouble> {
        let board = Board::parse(text, self.size)?;
        let goal = Goal::parse(&self.goal, board.grid())?;
        Ok((board, goal))
    }

    /// Whether there can be such a goal, before any board is read.
    ///
    /// # Errors
    /// [`GoalError`] where the goal is wrong for boards of any size, or of the one given.
    pub fn checked_goal(&self) -> Result<(), GoalError> {
        let tried = self.size.or_else(|| Grid::square(16));
        match tried.map(|grid| Goal::parse(&self.goal, grid)).transpose() {
            // A board of another size, which may be that of the boards to come.
            Err(
                GoalError::Size { .. }
                | GoalError::Board(ParseError::Board(BoardError::Count { .. })),
            ) if self.size.is_none() => Ok(()),
            goal => goal.map(drop),
        }
    }
}
