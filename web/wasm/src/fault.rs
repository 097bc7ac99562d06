//! Requests that fail.

use std::fmt::Display;

use serde::Serialize;
use taquin::Error;
use taquin_engine::SMALL;
use taquin_engine::board::{BoardError, GoalError, GridError, ParseError};
use taquin_engine::heuristic::SpecError;

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

    /// A request that the other module answers.
    pub fn elsewhere() -> Fault {
        Fault::new("elsewhere", "this is a request for the whole module")
    }

    fn new(kind: &'static str, error: impl Display) -> Fault {
        Fault { ok: false, kind, error: error.to_string() }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let kind = match &error {
            Error::Unavailable { .. } if SMALL => "elsewhere",
            Error::Unsolvable { .. } => "unsolvable",
            Error::Store(_) | Error::Damaged(_) | Error::Broken { .. } => "database",
            Error::Engine(_) | Error::Wrong { .. } => "internal",
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

input!(BoardError, GoalError, GridError, ParseError, SpecError, taquin::read::ReadError);
