//! Errors of the laboratory.

use crate::search::Stop;
use crate::solver;

/// Why there is no measurement, or why it ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A search, or its databases.
    #[error(transparent)]
    Solver(solver::Error),
    /// A board without databases for the standard heuristic.
    #[error("the heuristic standard needs a board of 6 to 25 cells")]
    NoStandard,
    /// A name, a record or a search that is not possible, or the fault of a file, a program or a function.
    #[error("{0}")]
    Refused(String),
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
