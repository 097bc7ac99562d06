//! The answers for many boards, as columns.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use taquin::{Error, Limits, Solver};

use crate::arrays::room;
use crate::batch::Batch;
use crate::errors::argument;

/// The answers for the boards of a batch.
pub struct Labels {
    lengths: Vec<i16>,
    /// The moves of all solutions, one after the other.
    moves: Vec<i8>,
    nodes: Vec<u64>,
    optimal: Vec<bool>,
    bounds: Vec<i16>,
    slides: Vec<i16>,
    expanded: Vec<u64>,
    /// The first board with a number that its array does not hold, and this number.
    beyond: Option<(usize, usize)>,
}

impl Labels {
    /// Room for the answers of `n` boards.
    pub fn with_room(n: usize) -> PyResult<Labels> {
        Ok(Labels {
            lengths: room(n, 1)?,
            moves: Vec::new(),
            nodes: room(n, 1)?,
            optimal: room(n, 1)?,
            bounds: room(n, 1)?,
            slides: room(n, 1)?,
            expanded: room(n, 1)?,
            beyond: None,
        })
    }

    /// Solves the boards. After a cancel some answers are missing.
    pub fn fill(mut self, solver: &Solver, batch: Batch, limits: &Limits) -> Result<Labels, Error> {
        let items = batch.boards.into_iter().map(|board| ((), Some(board)));
        for ((), answer) in solver.stream(items, limits.clone()) {
            let Some(bracket) = answer.transpose()? else { continue };
            let solution = bracket.solution.as_ref();
            let length = self.checked(solution.map(|solution| solution.len()));
            let slides = self.checked(solution.map(|solution| solution.slides()));
            let bound = self.checked(usize::try_from(bracket.lower_bound).ok());
            self.lengths.push(length);
            self.slides.push(slides);
            self.bounds.push(bound);
            if let Some(solution) = solution {
                self.moves.extend(solution.moves().iter().map(|m| m as i8));
            }
            self.nodes.push(bracket.effort.generated);
            self.expanded.push(bracket.effort.expanded);
            self.optimal.push(bracket.is_optimal());
        }
        Ok(self)
    }

    /// A number of the next board as its array holds it; -1 if there is none.
    fn checked(&mut self, number: Option<usize>) -> i16 {
        let Some(number) = number else { return -1 };
        i16::try_from(number).unwrap_or_else(|_| {
            self.beyond.get_or_insert((self.lengths.len(), number));
            -1
        })
    }

    /// The answers as `taquin.Labels`.
    ///
    /// # Errors
    /// `ValueError` if a solution is too long for the arrays; `MemoryError` if there is no room.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        if let Some((row, number)) = self.beyond {
            let long = format!("board {row} takes {number} moves, and an array holds up to 32767");
            return Err(argument("boards", format!("{long}: use solve_each")));
        }
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
            PyArray1::from_vec(py, self.bounds),
            PyArray1::from_vec(py, self.slides),
            PyArray1::from_vec(py, self.expanded),
        );
        py.import("taquin._results")?.getattr("Labels")?.call1(columns)
    }
}
