//! Requests that fail.

use std::fmt::Display;

use serde_json::{Value, json};
use taquin::Error;

/// A reply, or why there is none.
pub type Result<T = Value> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A fault that is not one of the request: its kind, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{1}")]
struct Fault(&'static str, String);

/// A fault of a kind.
pub fn fault(kind: &'static str, error: impl Display) -> Box<dyn std::error::Error> {
    Fault(kind, error.to_string()).into()
}

/// A database that cannot be built or used.
pub fn database(error: impl Display) -> Box<dyn std::error::Error> {
    fault("database", error)
}

/// The reply to a request that failed.
pub fn reply(error: &(dyn std::error::Error + 'static)) -> Value {
    let kind = match (error.downcast_ref::<Fault>(), error.downcast_ref::<Error>()) {
        (Some(Fault(kind, _)), _) => kind,
        (_, Some(Error::Unsolvable { .. })) => "unsolvable",
        (_, Some(Error::Store(_) | Error::Damaged(_) | Error::Broken { .. })) => "database",
        (_, Some(Error::Wrong { .. })) => "internal",
        _ => "input",
    };
    // A solver's error does not name its causes.
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes = causes.take(if error.is::<Error>() { usize::MAX } else { 1 });
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    json!({ "kind": kind, "error": texts.join(": ") })
}
