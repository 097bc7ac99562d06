//! The answers for many boards, as columns.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use taquin::{Error, Limits, Solver};

use crate::arrays::room;
use crate::batch::Batch;

/// The answers for the boards of a batch.
pub struct Labels {
    lengths: Vec<i16>,
    /// The moves of all solutions, one after the other.
    moves: Vec<i8>,
    nodes: Vec<u64>,
    optimal: Vec<bool>,
}

impl Labels {
    /// Room for the answers of `n` boards.
    pub fn with_room(n: usize) -> PyResult<Labels> {
        Ok(Labels {
            lengths: room(n, 1)?,
            moves: Vec::new(),
            nodes: room(n, 1)?,
            optimal: room(n, 1)?,
        })
    }

    /// Solves the boards. After a cancel some answers are missing.
    pub fn fill(mut self, solver: &Solver, batch: Batch, limits: &Limits) -> Result<Labels, Error> {
        let items = batch.boards.into_iter().map(|board| ((), Some(board)));
        for ((), answer) in solver.stream(items, limits.clone()) {
            let Some(bracket) = answer.transpose()? else { continue };
            let solution = bracket.solution.as_ref();
            let length = solution.and_then(|solution| i16::try_from(solution.len()).ok());
            self.lengths.push(length.unwrap_or(-1));
            if let Some(solution) = solution.filter(|_| length.is_some()) {
                self.moves.extend(solution.moves().iter().map(|m| m as i8));
            }
            self.nodes.push(bracket.effort.generated);
            self.optimal.push(bracket.is_optimal());
        }
        Ok(self)
    }

    /// The answers as `taquin.Labels`.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let n = self.lengths.len();
        let longest =
            self.lengths.iter().copied().max().and_then(|most| usize::try_from(most).ok());
        let longest = longest.unwrap_or_default();
        let mut moves = room(n, longest)?;
        let mut rest = &self.moves[..];
        for (row, &length) in (1..).zip(&self.lengths) {
            let (path, after) = rest.split_at(usize::try_from(length).unwrap_or_default());
            moves.extend_from_slice(path);
            moves.resize(row * longest, -1);
            rest = after;
        }
        let columns = (
            PyArray1::from_vec(py, self.lengths),
            PyArray1::from_vec(py, moves).reshape([n, longest])?,
            PyArray1::from_vec(py, self.nodes),
            PyArray1::from_vec(py, self.optimal),
        );
        py.import("taquin._results")?.getattr("Labels")?.call1(columns)
    }
}
