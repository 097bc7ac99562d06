//! Answers as data for programs. `taquin solve --json` writes them as JSON.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::solution::{Bracket, Effort};
use crate::board::{Board, Convention, LabelledBoard, Metric, Moves};
use crate::read::{self, Reading};
use crate::search::Stop;
use crate::solver::options::Target;

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
    /// The cells of a board: numbers, if its labels are the numbers of its tiles.
    pub fn of(board: &'a LabelledBoard) -> Cells<'a> {
        Cells::labelled(board.board(), board)
    }

    /// The cells of a board with the labels of another one.
    fn labelled(board: &'a Board, labels: &'a LabelledBoard) -> Cells<'a> {
        let label = |&tile: &u8| if tile == 0 { "_".into() } else { labels.label(tile) };
        match labels.has_labels() {
            false => Cells::Tiles(board.tiles()),
            true => Cells::Labels(board.tiles().iter().map(label).collect()),
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
    pub fn new(board: &'a LabelledBoard, goal: &'a Target) -> Posed<'a> {
        let goal = match goal {
            Target::Board(goal) => Cells::labelled(goal.board(), board),
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
    #[serde(skip_serializing_if = "Convention::is_tile")]
    pub directions: Convention,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// The number of nodes generated.
    pub generated: u64,
    /// The number of nodes expanded.
    pub expanded: u64,
    /// The time that was spent on the board, in this run of the program.
    pub seconds: f64,
    /// The time of the search in all runs, if it was continued from a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<f64>,
    /// The heuristic that guided the search. Given to `--heuristic`, it leads to the same search.
    pub heuristic: &'a str,
    /// The heuristic's value of the board, with which the search began.
    pub h: Option<u32>,
    /// Why the search ended before it was done: `interrupt`, `time`, `nodes`, `memory`,
    /// `moves`, `gap` or `method`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// The length in the metric beyond the lower bound, if that is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<u32>,
}

impl<'a> Summary<'a> {
    /// The summary of an answer for a board and its goal, with the moves written in a convention.
    pub fn new(posed: Posed<'a>, bracket: &'a Bracket, convention: Convention) -> Summary<'a> {
        let solution = bracket.solution.as_ref();
        Summary {
            posed,
            solved: solution.is_some(),
            optimal: bracket.is_optimal(),
            metric: bracket.metric.name(),
            length: solution.map(|solution| solution.len()),
            slides: solution.map(|solution| solution.slides()),
            moves: solution.map(|solution| solution.moves().turned(convention).to_string()),
            directions: convention,
            lower_bound: bracket.lower_bound,
            generated: bracket.effort.generated,
            expanded: bracket.effort.expanded,
            seconds: bracket.effort.time.as_secs_f64(),
            total_seconds: (!bracket.effort.earlier.is_zero())
                .then(|| (bracket.effort.earlier + bracket.effort.time).as_secs_f64()),
            heuristic: &bracket.effort.heuristic,
            h: bracket.effort.h,
            stopped: bracket.stopped,
            gap: bracket.gap().filter(|&gap| gap > 0),
        }
    }
}

/// The fields from which an answer is read. Others are ignored, since they follow from these.
#[derive(Deserialize)]
struct Claim {
    metric: Metric,
    moves: Option<Moves>,
    #[serde(default)]
    directions: Convention,
    lower_bound: u32,
    generated: u64,
    expanded: u64,
    seconds: f64,
    total_seconds: Option<f64>,
    heuristic: Arc<str>,
    h: Option<u32>,
    stopped: Option<Stop>,
}

impl Bracket {
    /// Reads the JSON of a [`Summary`], such as a line of `taquin solve --json`: the board, the goal,
    /// and the answer. The moves are replayed; the lower bound is the one that the text claims.
    ///
    /// # Errors
    /// The text has no answer, or the moves do not solve the board.
    pub fn from_json(
        text: &str,
    ) -> Result<(LabelledBoard, Target, Bracket), Box<dyn Error + Send + Sync>> {
        let fields =
            |error: &dyn Display| format!("this JSON is not an answer of the solver: {error}");
        let Reading { board, goal, .. } = read::object(text, None)?;
        let goal = Target::from(goal.ok_or_else(|| fields(&"the goal is missing"))?);
        let claim: Claim = serde_json::from_str(text).map_err(|error| fields(&error))?;
        let Claim { metric, lower_bound, generated, expanded, heuristic, h, stopped, .. } = claim;
        let duration =
            |seconds| Duration::try_from_secs_f64(seconds).map_err(|error| fields(&error));
        let time = duration(claim.seconds)?;
        let total = claim.total_seconds.map_or(Ok(time), duration)?;
        let earlier = total.saturating_sub(time);
        let effort = Effort { generated, expanded, positions: 0, time, earlier, heuristic, h };
        let moves = claim.moves.map(|moves| moves.turned(claim.directions));
        if let Some(moves) = &moves {
            let is_goal = |end| goal.is_reached(&board, &end).unwrap_or_default();
            let is_solved = board.board().after(moves).is_ok_and(is_goal);
            if !is_solved || moves.length(metric) < lower_bound as usize {
                Err(
                    "the moves of this answer do not lead to the goal, or are fewer than its lower bound",
                )?;
            }
        }
        Ok((board, goal, Bracket::new(metric, lower_bound, moves, stopped, effort)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::OpenGoal;
    use crate::solver::{Limits, Solver};
    use crate::store::Store;

    #[test]
    fn an_answer_is_read_back() {
        let solver = |metric| {
            let builder =
                Solver::builder().metric(metric).goal("blank-first").store(Store::memory());
            builder.build().unwrap()
        };
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        for (metric, nodes) in [(Metric::Single, u64::MAX), (Metric::Multi, 1), (Metric::Single, 0)]
        {
            let solver = solver(metric);
            let goal = solver.goal(board.grid()).unwrap();
            let bracket = solver.solve_with(&board, &Limits::default().nodes(nodes)).unwrap();
            for convention in [Convention::Tile, Convention::Blank] {
                let posed = (LabelledBoard::from(board.clone()), Target::Board(goal.clone()));
                let summary = Summary::new(Posed::new(&posed.0, &posed.1), &bracket, convention);
                let text = serde_json::to_string(&summary).unwrap();
                let (board, goal, read) = Bracket::from_json(&text).unwrap();
                assert_eq!(((board, goal), &read), (posed, &bracket), "{text}");
            }
        }
    }

    #[test]
    fn an_answer_for_an_open_goal_is_read_back() {
        for (text, board) in [
            ("1 2 3 / * * * / * * *", "8 6 7 / 2 5 4 / 3 0 1"),
            ("A A B / B C C / D D _", "A B C / D A B / C _ D"),
            ("A B C / D E F / G H _", "A B C / D E F / G _ H"),
            ("1 1 2 / 2 3 3 / 4 4 0", "1 2 3 / 4 1 2 / 3 0 4"),
        ] {
            let goal = OpenGoal::parse(text, None).unwrap();
            let board = goal.read(board).unwrap();
            let solver = Solver::builder().goal(text).store(Store::memory()).build().unwrap();
            let bracket = solver.solve_with(&board, &Limits::default()).unwrap();
            let target = Target::from(goal);
            let posed = Posed::new(&board, &target);
            let summary = Summary::new(posed, &bracket, Convention::Blank);
            let text = serde_json::to_string(&summary).unwrap();
            assert_eq!(Bracket::from_json(&text).unwrap(), (board, target, bracket), "{text}");
            // Other moves, another board, one without its blank.
            for (old, new) in
                [("\"moves\":\"", "\"moves\":\"D"), ("[", "[7,"), ("0,", ""), ("\"_\",", "")]
            {
                let wrong = text.replacen(old, new, 1);
                assert!(wrong == text || Bracket::from_json(&wrong).is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn wrong_answers_are_refused() {
        let text = r#"{"width":2,"height":2,"board":[1,2,0,3],"goal":[1,2,3,0],"metric":"single",
            "moves":"L","lower_bound":1,"generated":1,"expanded":1,"seconds":0.5,"heuristic":"manhattan"}"#;
        let (_, _, bracket) = Bracket::from_json(text).unwrap();
        assert!(bracket.is_optimal() && bracket.effort.time == Duration::from_millis(500));
        for (old, new) in [
            (r#""L""#, r#""R""#),
            (r#""L""#, r#""X""#),
            (r#""lower_bound":1"#, r#""lower_bound":2"#),
            (r#""lower_bound":1,"#, ""),
            (r#""goal":[1,2,3,0],"#, ""),
            ("[1,2,0,3]", "[1,2,0,0]"),
            ("single", "double"),
            ("0.5", "-0.5"),
            ("0.5", "1e300"),
            (r#""lower"#, r#""stopped":"boredom","lower"#),
            ("{", ""),
        ] {
            let wrong = text.replacen(old, new, 1);
            assert!(wrong != text && Bracket::from_json(&wrong).is_err(), "{wrong}");
        }
    }
}
