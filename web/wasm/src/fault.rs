//! Requests that fail.

use std::fmt::Display;

use serde::Serialize;
use taquin::{Error, SpecError};
use taquin_engine::board::{BlockedMove, BoardError, GoalError, GridError, ParseError, PathError};

/// The reply to a request that failed.
#[derive(Debug, Serialize)]
pub struct Fault {
    ok: bool,
    kind: &'static str,
    error: String,
}

impl Fault {
    /// A fault of the request.
    pub fn input(error: impl Display) -> Fault {
        Fault::new("input", error)
    }

    /// A database that cannot be built or used.
    pub fn database(error: impl Display) -> Fault {
        Fault::new("database", error)
    }

    /// A limit that ended a search without an answer.
    pub fn limit(error: impl Display) -> Fault {
        Fault::new("limit", error)
    }

    /// The reason alone.
    pub fn reason(self) -> String {
        self.error
    }

    fn new(kind: &'static str, error: impl Display) -> Fault {
        Fault { ok: false, kind, error: error.to_string() }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let kind = match &error {
            Error::Unsolvable { .. } => "unsolvable",
            Error::Store(_) | Error::Damaged(_) | Error::Broken { .. } => "database",
            Error::Wrong { .. } => "internal",
            _ => "input",
        };
        // With its causes.
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        Fault::new(kind, text)
    }
}

macro_rules! input {
    ($($error:ty),*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault::input(error)
            }
        })*
    };
}

input!(
    BlockedMove,
    BoardError,
    GoalError,
    GridError,
    ParseError,
    PathError,
    SpecError,
    taquin::read::MovesError,
    taquin::read::ReadError
);
