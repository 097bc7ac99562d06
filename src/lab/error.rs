//! Errors of the laboratory.

use crate::search::Stop;
use crate::solver;

/// Why a measurement ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A search, or its databases.
    #[error(transparent)]
    Solver(solver::Error),
    /// A board without databases for the standard heuristic.
    #[error("standard is for boards of 6 to 25 cells")]
    NoStandard,
    /// Only the single-tile metric has this.
    #[error("the multi-tile metric does not have {0}")]
    Metric(String),
    /// A file, a program or a function from outside, and its fault.
    #[error("{0}")]
    Outside(String),
    /// Two answers differ: a table is damaged, or a heuristic that is called admissible is not.
    #[error("internal error: {0}")]
    Contradiction(String),
    /// A handle was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<solver::Error> for Error {
    fn from(error: solver::Error) -> Error {
        match error {
            solver::Error::Stopped(Stop::Cancelled) => Error::Cancelled,
            error => Error::Solver(error),
        }
    }
}
