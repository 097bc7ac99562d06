//! Why a board has no answer.

use std::sync::Arc;

use super::checkpoint::CheckpointError;
use super::engine::EngineError;
use super::exit::ExitCode;
use super::input::lines::Fault;
use crate::board::{GoalError, Grid, ParseError, Solvability};
use crate::pdb::{BrokenTable, OpenError};

/// Why a board has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Board(#[from] ParseError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    #[error(
        "there is no portfolio for {0} boards, only for 4x4: leave --heuristic out, or say standard"
    )]
    NoPortfolio(Grid),
    #[error("cannot reach the goal: {0}")]
    Unsolvable(Solvability),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Engine(Arc<EngineError>),
    #[error(transparent)]
    Damaged(#[from] OpenError),
    #[error(
        "{broken} ({origin}): check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`"
    )]
    Broken { broken: BrokenTable, origin: String },
    #[error(
        "internal error: {what}: the databases ({origin}) may be damaged: check with `pdb-gen verify`"
    )]
    Wrong { what: &'static str, origin: String },
}

impl Trouble {
    /// What to exit with.
    pub fn code(&self) -> ExitCode {
        match self {
            Trouble::Fault(_)
            | Trouble::Board(_)
            | Trouble::Goal(_)
            | Trouble::Checkpoint(_)
            | Trouble::NoPortfolio(_) => ExitCode::Usage,
            Trouble::Unsolvable(_) => ExitCode::Negative,
            Trouble::Engine(error) if error.is_usage() => ExitCode::Usage,
            Trouble::Engine(_)
            | Trouble::Damaged(_)
            | Trouble::Broken { .. }
            | Trouble::Wrong { .. } => ExitCode::Database,
        }
    }

    /// The same in a word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Trouble::Fault(_)
            | Trouble::Board(_)
            | Trouble::Goal(_)
            | Trouble::Checkpoint(_)
            | Trouble::NoPortfolio(_) => "input",
            Trouble::Unsolvable(_) => "unsolvable",
            Trouble::Engine(error) => match **error {
                _ if error.is_usage() => "input",
                EngineError::Database(_) | EngineError::Heuristic(_) => "database",
                EngineError::Solver(_) => "internal",
            },
            Trouble::Damaged(_) | Trouble::Broken { .. } => "database",
            Trouble::Wrong { .. } => "internal",
        }
    }
}
