//! Answers.

use std::hash::Hash;

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyType};
use taquin::format::{self, Format};
use taquin::picture::Sheet;
use taquin::solver::{Posed, Summary, Target};
use taquin::{Bracket, Goal, LabelledBoard, Moves, Stop};
use taquin_engine::board::OpenPosition;

use crate::board::{PyBoard, convention, hash};
use crate::errors::{argument, value};
use crate::html;

/// The answer for a board: a solution, and the lower bound that was proved.
///
/// len(solution) is the number of moves, str(solution) their letters, and iteration gives them one
/// by one. Answers are equal if everything except their times is.
///
/// Solution(text) reads an answer that json() or `taquin solve --json` wrote.
#[pyclass(name = "Solution", module = "taquin", frozen)]
pub struct PySolution {
    board: LabelledBoard,
    /// The goal that was asked for, and the one that was reached.
    target: Target,
    goal: Goal,
    bracket: Bracket,
}

#[pymethods]
impl PySolution {
    #[new]
    fn new(text: &str) -> PyResult<PySolution> {
        let read = Bracket::from_json(text).map_err(|error| argument("text", error));
        read.and_then(|(board, target, bracket)| PySolution::of(board, target, bracket))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        Ok((py.get_type::<PySolution>(), (self.json("tile")?,)))
    }

    fn __eq__(&self, other: &PySolution) -> bool {
        self.key() == other.key()
    }

    fn __hash__(&self) -> u64 {
        hash(&self.key())
    }

    /// The board that was solved.
    #[getter]
    fn board(&self) -> PyBoard {
        self.board.board().clone().into()
    }

    /// The board of the goal; for an open goal, the board at the end.
    #[getter]
    fn goal(&self) -> PyBoard {
        self.goal.board().clone().into()
    }

    /// The moves as letters, "DDRU"; None if a limit ended the search before a solution was known.
    #[getter]
    fn moves(&self) -> Option<String> {
        Some(self.bracket.solution.as_ref()?.moves().to_string())
    }

    /// The metric of lower_bound and optimal: "single" or "multi".
    #[getter]
    fn metric(&self) -> &'static str {
        self.bracket.metric.name()
    }

    /// The number of moves of single tiles, in either metric; None without a solution.
    #[getter]
    fn length(&self) -> Option<usize> {
        self.bracket.solution.as_ref().map(|solution| solution.len())
    }

    /// The number of slides, in either metric; None without a solution.
    #[getter]
    fn slides(&self) -> Option<usize> {
        self.bracket.solution.as_ref().map(|solution| solution.slides())
    }

    /// Whether it is proved that no solution is shorter in the solver's metric.
    #[getter]
    fn optimal(&self) -> bool {
        self.bracket.is_optimal()
    }

    /// The lower bound that was proved: no solution is shorter.
    #[getter]
    fn lower_bound(&self) -> u32 {
        self.bracket.lower_bound
    }

    /// The number of nodes generated.
    #[getter]
    fn nodes(&self) -> u64 {
        self.bracket.effort.generated
    }

    /// The number of nodes expanded.
    #[getter]
    fn expanded(&self) -> u64 {
        self.bracket.effort.expanded
    }

    /// The time that was spent on the board.
    #[getter]
    fn seconds(&self) -> f64 {
        self.bracket.effort.time.as_secs_f64()
    }

    /// The name of the heuristic that guided the search.
    #[getter]
    fn heuristic(&self) -> &str {
        &self.bracket.effort.heuristic
    }

    /// The heuristic's value of the board, with which the search began; None without a heuristic, and for a
    /// board that is solved already.
    #[getter]
    fn h(&self) -> Option<u32> {
        self.bracket.effort.h
    }

    /// Why the search ended early: "time", "nodes", "memory" or "moves"; else None.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.bracket.stopped.map(Stop::name)
    }

    /// The answer as `taquin solve --json` prints it, without `line` and `index`. directions are the
    /// directions of the "tile" or of the "blank".
    #[pyo3(signature = (*, directions="tile"))]
    fn json(&self, directions: &str) -> PyResult<String> {
        let convention = convention(directions)?;
        let posed = Posed::new(&self.board, &self.target);
        let summary = Summary::new(posed, &self.bracket, convention);
        serde_json::to_string(&summary).map_err(value)
    }

    /// The boards from the first one to the goal.
    fn boards(&self) -> PyResult<Vec<PyBoard>> {
        let mut boards = vec![self.board.board().clone()];
        for m in &self.path() {
            let mut board = boards[boards.len() - 1].clone();
            board.apply(m);
            boards.push(board);
        }
        Ok(boards.into_iter().map(PyBoard::from).collect())
    }

    /// The moves in another notation: "letters", "words", "runs", "counts", "arrows", or "tiles", which are the
    /// numbers of the tiles. directions are the directions of the "tile" or of the "blank".
    #[pyo3(signature = (notation="letters", *, directions="tile"))]
    fn format(&self, notation: &str, directions: &str) -> PyResult<String> {
        let convention = convention(directions)?;
        let Some(solution) = &self.bracket.solution else { return Ok(String::new()) };
        let format: Format = serde_json::from_value(notation.into()).map_err(|_| {
            let known = "letters, words, runs, counts, arrows or tiles";
            argument("notation", format!("no notation {notation:?}: {known}"))
        })?;
        let mut text = Vec::new();
        format::moves(&mut text, format, &self.board, solution.moves(), convention)?;
        Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
    }

    /// The answer as a table of one row: see taquin.to_frame.
    fn to_frame<'py>(slf: Bound<'py, PySolution>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("taquin._results")?.getattr("to_frame")?.call1((slf,))
    }

    /// All boards of the solution as a picture.
    fn svg(&self) -> String {
        let mut sheet = Sheet::default();
        sheet.add(&self.title(), self.board.board(), &self.path());
        sheet.finish("solution")
    }

    /// The solution with a slider, for notebooks.
    fn _repr_html_(&self) -> String {
        html::player(self.board.board(), &self.path(), &self.title())
    }

    fn __len__(&self) -> usize {
        self.length().unwrap_or_default()
    }

    /// A solution is true even if it has no moves; an answer without a solution is false.
    fn __bool__(&self) -> bool {
        self.bracket.solution.is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyString::new(py, &self.__str__()).try_iter()
    }

    fn __str__(&self) -> String {
        self.moves().unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<Solution: {}>", self.title())
    }
}

impl PySolution {
    /// The answer for a board and its goal.
    pub fn of(board: LabelledBoard, target: Target, bracket: Bracket) -> PyResult<PySolution> {
        let goal = match &target {
            Target::Board(goal) => goal.clone(),
            Target::Open(open) => {
                let position = OpenPosition::new(open, &board).map_err(value)?;
                let path = bracket.solution.as_ref().map(|solution| solution.moves());
                let end = path.and_then(|path| board.board().after(path).ok());
                end.map_or_else(|| position.near_goal(), Goal::from)
            }
        };
        Ok(PySolution { board, target, goal, bracket })
    }

    /// The parts that equal answers share.
    fn key(&self) -> impl PartialEq + Hash {
        let Bracket { metric, lower_bound, solution, stopped, effort, .. } = &self.bracket;
        let moves = solution.as_ref().map(|solution| solution.moves());
        let effort = (effort.generated, effort.expanded, &effort.heuristic);
        let posed = (&self.board, self.goal.board(), &self.target);
        (posed, moves, metric, lower_bound, stopped, effort)
    }

    fn path(&self) -> Moves {
        let solution = self.bracket.solution.as_ref();
        solution.map_or_else(Moves::default, |solution| solution.moves().clone())
    }

    fn title(&self) -> String {
        let bound = self.bracket.metric.in_words(self.bracket.lower_bound as usize);
        match (&self.bracket.solution, self.bracket.is_optimal()) {
            (Some(solution), true) => format!("{}, optimal", solution.length_in_words()),
            (Some(solution), false) => {
                format!("{}, at least {bound} needed", solution.length_in_words())
            }
            (None, _) => format!("none found, at least {bound} needed"),
        }
    }
}
