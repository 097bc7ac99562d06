//! Boards, their goal and their size.

use std::path::PathBuf;

use clap::Args;

use super::parsers::path;
use crate::board::{Board, Goal, Grid};
use crate::cli::advice::Trouble;
use crate::cli::exit::Failure;
use crate::cli::input::{self, lines::Input};
use crate::json;
use crate::solver::GoalSpec;

/// Boards from arguments, a file or a stream.
#[derive(Debug, Args)]
pub struct BoardArgs {
    /// Board, in quotes; - reads standard input
    ///
    /// Write the tiles row by row, separated by spaces, commas, slashes or brackets, with 0, _ or
    /// . for the blank. A line before them may give the size. Or write one character for each
    /// tile: 123456789abcdef0 (hexadecimal, up to z for 35) or abcdefghijklmno0 (a is 1). Or give a
    /// JSON object with a board, as the programs write them. Without a board, standard input is
    /// read unless it is a terminal.
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,

    /// File of boards, one a line, or grids of several lines separated by empty lines
    ///
    /// Empty lines are skipped, and so is everything from a # to the end of the line.
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub kind: KindArgs,
}

/// The goal and the size of all boards.
#[derive(Clone, Debug, Args)]
pub struct KindArgs {
    /// Position to reach: a name or a board [default: blank-last]
    ///
    /// The names are blank-last, blank-first, blank-top-right, blank-bottom-left, spiral (or snail),
    /// snake and columns, or unique beginnings of these. All goals with the blank in a corner share
    /// their databases.
    #[arg(short, long)]
    pub goal: Option<GoalSpec>,

    /// Size of boards that are written in one row
    ///
    /// Columns come first; 4 is 4x4. Without it such boards are square.
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,
}

impl BoardArgs {
    /// Returns whether there is one board, given as an argument.
    pub fn is_alone(&self) -> bool {
        input::is_alone(&self.boards, self.file.as_deref())
    }

    /// The number of boards, where it can be known without waiting.
    pub fn total(&self) -> Option<u64> {
        input::total(&self.boards, self.file.as_deref(), self.kind.size)
    }

    /// The boards, in the order of the arguments.
    pub fn inputs(&self) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
        input::boards(&self.boards, self.file.as_deref(), self.kind.size)
    }
}

impl KindArgs {
    /// Reads a board, and the goal for its size.
    pub fn read(&self, text: &str) -> Result<(Board, Goal), Trouble> {
        let (board, own) = if json::is_object(text) {
            json::board(text, self.size)?
        } else {
            (Board::parse(text, self.size)?, None)
        };
        let goal = self.goal().goal(board.grid())?;
        match own {
            // All boards of a command have one goal.
            Some(own) if own != goal && self.goal.is_none() => Err(Trouble::OtherGoal(own)),
            _ => Ok((board, goal)),
        }
    }

    /// The goal, by name or as a board.
    pub fn goal(&self) -> GoalSpec {
        self.goal.clone().unwrap_or_default()
    }

    /// Refuses a goal of another size than the given one, before any board is read.
    pub fn checked_goal(&self) -> Result<(), Failure> {
        let goal = self.size.map(|size| self.goal().goal(size)).transpose();
        goal.map(drop).map_err(Failure::usage)
    }
}
