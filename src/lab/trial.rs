//! One search, and the steps of a run of many.

use serde::{Deserialize, Serialize, Serializer};

use crate::search::{Outcome, Stop};

/// A step of a run, to be shown by the caller.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// A search, or a chain, with the entry of this name begins.
    Begins(&'a str),
    /// That search or chain has ended.
    Ends,
}

/// The trial of a heuristic on a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trial {
    /// The value of the board.
    #[serde(serialize_with = "number")]
    pub h: f64,
    /// The length of the solution, unless the search was stopped.
    pub length: Option<u32>,
    /// The lower bound proved; `None` where values come from outside, which prove nothing.
    pub bound: Option<u32>,
    /// Why the search ended without a solution: a word of [`Stop::name`](crate::Stop::name), or
    /// `values` where there was no search.
    pub stopped: Option<String>,
    /// Children generated, without those that undo the last move.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// The most positions that the search remembered at once; 0 for a search that remembers none.
    #[serde(default)]
    pub positions: u64,
    /// The time, in seconds.
    pub seconds: f64,
}

impl Trial {
    /// The value of a board, without a search.
    pub(super) fn of_value(h: f64) -> Trial {
        Trial { h, stopped: Some("values".to_owned()), ..Trial::default() }
    }

    /// A search that has ended for a reason, or with a solution.
    pub(super) fn stopped(stop: Option<Stop>) -> Trial {
        Trial { stopped: stop.map(|stop| stop.name().to_owned()), ..Trial::default() }
    }

    /// Returns whether another run has the same nodes.
    pub(super) fn is_repeatable(&self) -> bool {
        let differs = ["time", "interrupt", "memory", "gap"];
        !self.stopped.as_deref().is_some_and(|stop| differs.contains(&stop))
    }

    /// Returns whether there was a search.
    pub(crate) fn is_search(&self) -> bool {
        self.stopped.as_deref() != Some("values")
    }
}

/// The end of a search, whose values may prove nothing.
impl From<&Outcome> for Trial {
    fn from(found: &Outcome) -> Trial {
        Trial {
            length: found.path.as_ref().map(|path| path.len() as u32),
            bound: found.proof.as_ref().map(|_| found.lower_bound()),
            generated: found.generated,
            expanded: found.expanded,
            positions: found.positions,
            ..Trial::stopped(found.stopped)
        }
    }
}

/// Writes a whole number as one.
pub(super) fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        whole if whole.fract() == 0.0 && whole.abs() < 1e15 => {
            serializer.serialize_i64(whole as i64)
        }
        real => serializer.serialize_f64(real),
    }
}

/// Writes a number as [`number`], and `None` as null.
pub(super) fn optional<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// A board with its trials, in the order of the entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tried {
    /// Its number in the suite, from 1.
    pub number: usize,
    /// The board.
    pub board: String,
    /// Its optimal length, if it is known.
    pub optimal: Option<u32>,
    /// The trials.
    pub trials: Vec<Trial>,
}
