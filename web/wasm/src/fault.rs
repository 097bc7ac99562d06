//! Requests that fail.

use std::fmt::Display;

use serde_json::Value;
use taquin::Error;

/// Why there is no reply.
pub type BoxError = Box<dyn std::error::Error>;

/// A reply, or why there is none.
pub type Result<T = Value> = std::result::Result<T, BoxError>;

/// A fault that is not one of the request: its kind, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{1}")]
struct Fault(&'static str, String);

/// A fault of a kind.
pub fn fault(kind: &'static str, error: impl Display) -> BoxError {
    Fault(kind, error.to_string()).into()
}

/// A database that cannot be built or used.
pub fn database(error: impl Display) -> BoxError {
    fault("database", error)
}

/// The kind of an error.
pub fn kind(error: &(dyn std::error::Error + 'static)) -> &'static str {
    match (error.downcast_ref::<Fault>(), error.downcast_ref::<Error>()) {
        (Some(Fault(kind, _)), _) => kind,
        (_, Some(Error::Unsolvable { .. })) => "unsolvable",
        (_, Some(Error::Store(_) | Error::Damaged(_) | Error::Broken { .. })) => "database",
        (_, Some(Error::Wrong { .. })) => "internal",
        _ => "input",
    }
}
