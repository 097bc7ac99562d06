//! Errors of the laboratory.

use std::io;

use super::ProgramError;
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
    /// A program from outside.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A function from outside.
    #[error("the function {name}: {reason}")]
    Function {
        /// Its name.
        name: String,
        /// The fault.
        reason: String,
    },
    /// A file of values.
    #[error("{path}: {reason}")]
    Values {
        /// The file.
        path: String,
        /// The fault.
        reason: String,
    },
    /// Two answers differ: a table is damaged, or a heuristic that is called admissible is not.
    #[error("internal error: {0}")]
    Contradiction(String),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[source] io::Error),
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
