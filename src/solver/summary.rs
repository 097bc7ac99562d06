//! Answers as data for programs. `taquin solve --json` writes them as JSON.

use std::borrow::Cow;

use serde::Serialize;

use super::{Bracket, Target};
use crate::board::{Board, Convention, Goal, LabelledBoard};
use crate::search::Stop;

/// The cells of a board in reading order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Cells<'a> {
    /// The tiles, 0 for the blank.
    Tiles(&'a [u8]),
    /// The labels, `_` for the blank and `*` for a cell that does not matter.
    Labels(Vec<Cow<'a, str>>),
}

impl<'a> Cells<'a> {
    /// The cells of a board: numbers, if its labels are those of its tiles.
    pub fn of(board: &'a LabelledBoard) -> Cells<'a> {
        let label = |&tile: &u8| if tile == 0 { "_".into() } else { board.label(tile) };
        match board.has_labels() {
            false => Cells::Tiles(board.board().tiles()),
            true => Cells::Labels(board.board().tiles().iter().map(label).collect()),
        }
    }
}

/// A board and its goal, as tiles in reading order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Posed<'a> {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The board.
    pub board: Cells<'a>,
    /// The goal.
    pub goal: Cells<'a>,
}

impl<'a> Posed<'a> {
    /// The fields of a board and its goal.
    pub fn new(board: &'a Board, goal: &'a Goal) -> Posed<'a> {
        Posed {
            width: board.grid().width(),
            height: board.grid().height(),
            board: Cells::Tiles(board.tiles()),
            goal: Cells::Tiles(goal.board().tiles()),
        }
    }

    /// The fields of a board whose tiles have labels, and its goal.
    pub fn labelled(board: &'a LabelledBoard, goal: &'a Target) -> Posed<'a> {
        let goal = match goal {
            Target::Board(goal) => Cells::Tiles(goal.board().tiles()),
            Target::Open(goal) => Cells::Labels(goal.words().into_iter().map(Cow::from).collect()),
        };
        let grid = board.board().grid();
        Posed { width: grid.width(), height: grid.height(), board: Cells::of(board), goal }
    }
}

/// The answer for a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary<'a> {
    /// The board and its goal.
    #[serde(flatten)]
    pub posed: Posed<'a>,
    /// True if there is a solution.
    pub solved: bool,
    /// True if it is proved that none is shorter.
    pub optimal: bool,
    /// The metric of `lower_bound`, `gap` and `optimal`: `single` or `multi`.
    pub metric: &'static str,
    /// The number of moves of single tiles.
    pub length: Option<usize>,
    /// The number of slides.
    pub slides: Option<usize>,
    /// The moves: `U`, `D`, `L` and `R`, the directions of the tiles or of the blank.
    pub moves: Option<String>,
    /// `blank`, if the moves have the directions of the blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<Convention>,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// The number of nodes generated.
    pub generated: u64,
    /// The number of nodes expanded.
    pub expanded: u64,
    /// The time that was spent on the board, in this run of the program.
    pub seconds: f64,
    /// The time of the search in all runs, if it went on from a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<f64>,
    /// The heuristic that guided the search: typed back, it leads to the same search.
    pub heuristic: &'a str,
    /// Why the search ended before it was done: `interrupt`, `time`, `nodes`, `memory`,
    /// `moves`, `gap` or `method`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<&'static str>,
    /// The length in the metric beyond the lower bound, if that is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<u32>,
}

impl<'a> Summary<'a> {
    /// The summary of an answer, with the moves written in a convention.
    pub fn new(
        board: &'a Board,
        goal: &'a Goal,
        bracket: &'a Bracket,
        convention: Convention,
    ) -> Summary<'a> {
        Summary::of(Posed::new(board, goal), bracket, convention)
    }

    /// The summary of an answer for a board and its goal.
    #[doc(hidden)]
    pub fn of(posed: Posed<'a>, bracket: &'a Bracket, convention: Convention) -> Summary<'a> {
        let solution = bracket.solution.as_ref();
        Summary {
            posed,
            solved: solution.is_some(),
            optimal: bracket.is_optimal(),
            metric: bracket.metric.name(),
            length: solution.map(|solution| solution.len()),
            slides: solution.map(|solution| solution.slides()),
            moves: solution.map(|solution| solution.moves().turned(convention).to_string()),
            directions: (convention == Convention::Blank).then_some(convention),
            lower_bound: bracket.lower_bound,
            generated: bracket.effort.generated,
            expanded: bracket.effort.expanded,
            seconds: bracket.effort.time.as_secs_f64(),
            total_seconds: (!bracket.effort.earlier.is_zero())
                .then(|| (bracket.effort.earlier + bracket.effort.time).as_secs_f64()),
            heuristic: &bracket.effort.heuristic,
            stopped: bracket.stopped.map(Stop::name),
            gap: bracket.gap().filter(|&gap| gap > 0),
        }
    }
}
