//! Analyses of lines.

use pyo3::prelude::*;
use taquin::{Analysis, Board};

use crate::board::PyBoard;
use crate::solution::to_frame;

/// The analysis of a line of moves: the distance of each position, and where moves were lost.
///
/// len(analysis) is the number of moves.
#[pyclass(name = "Analysis", module = "taquin", frozen)]
pub struct PyAnalysis {
    pub board: Board,
    pub analysis: Analysis,
}

/// Moves that led away from the goal: one, or several of one slide.
#[pyclass(name = "Loss", module = "taquin", frozen, get_all)]
pub struct PyLoss {
    /// The number of moves of the line before the first of them.
    at: usize,
    /// Their number.
    moves: usize,
    /// The moves lost: twice their number.
    lost: u32,
    /// An optimal solution from before the first of them, as letters; None if a limit ended its search.
    better: Option<String>,
}

#[pymethods]
impl PyLoss {
    fn __repr__(&self) -> String {
        let better = self.better.as_ref().map_or("None".to_owned(), |moves| format!("'{moves}'"));
        let PyLoss { at, moves, lost, .. } = self;
        format!("Loss(at={at}, moves={moves}, lost={lost}, better={better})")
    }
}

#[pymethods]
impl PyAnalysis {
    /// The board before the first move.
    #[getter]
    fn board(&self) -> PyBoard {
        self.board.clone().into()
    }

    /// The moves as letters.
    #[getter]
    fn moves(&self) -> String {
        self.analysis.moves().to_string()
    }

    /// For each position, the first one and that after each move: no solution is shorter.
    #[getter]
    fn lower_bounds(&self) -> Vec<u32> {
        self.analysis.distances().iter().map(|distance| distance.lower).collect()
    }

    /// For each position the length of the shortest solution known; None where none is known.
    #[getter]
    fn lengths(&self) -> Vec<Option<u32>> {
        self.analysis.distances().iter().map(|distance| distance.upper).collect()
    }

    /// Whether each length is optimal.
    #[getter]
    fn optimal(&self) -> bool {
        self.analysis.distances().iter().all(|distance| distance.exact().is_some())
    }

    /// The lost moves, in their order.
    #[getter]
    fn losses(&self) -> Vec<PyLoss> {
        let losses = self.analysis.losses().into_iter();
        let loss = |loss: taquin::solver::Loss| PyLoss {
            at: loss.at,
            moves: loss.moves,
            lost: loss.lost,
            better: loss.better.map(|better| better.to_string()),
        };
        losses.map(loss).collect()
    }

    /// The number of moves that are known to be lost.
    #[getter]
    fn lost(&self) -> u32 {
        self.analysis.lost()
    }

    /// The longest stretch of optimal moves, as (start, stop).
    #[getter]
    fn stretch(&self) -> (usize, usize) {
        let stretch = self.analysis.longest_stretch();
        (stretch.start, stretch.end)
    }

    /// The positions as a table: see taquin.to_frame.
    fn to_frame<'py>(slf: Bound<'py, PyAnalysis>) -> PyResult<Bound<'py, PyAny>> {
        to_frame(slf.into_any())
    }

    fn __len__(&self) -> usize {
        self.analysis.moves().len()
    }

    fn __repr__(&self) -> String {
        format!("Analysis({} moves, {} lost)", self.__len__(), self.lost())
    }
}
