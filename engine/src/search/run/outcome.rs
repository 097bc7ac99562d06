//! The result of a search.

use std::ops::Add;

use super::limits::Stop;
use super::proof::Proof;
use crate::board::{Metric, Moves, Position};

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A solution, if one was found before the search was stopped. It is optimal if it is as long
    /// as the lower bound.
    pub path: Option<Moves>,
    /// The proof that no solution is shorter than its bound.
    pub proof: Option<Proof>,
    /// Children generated, without those that undo the last move.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// The most positions that were remembered at once, by a search that remembers positions.
    pub positions: u64,
    /// Why the search ended before it was done.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// The outcome of a search that has proved a bound and not begun.
    pub fn new(position: &Position, metric: Metric, bound: u32) -> Outcome {
        Outcome { proof: Some(Proof::new(position, metric, bound)), ..Outcome::default() }
    }

    /// Raises the lower bound, after all shorter paths were exhausted.
    pub fn raise(&mut self, bound: u32) {
        self.proof.as_mut().expect("a search begins with a bound").raise(bound);
    }

    /// No solution is shorter than this: every lower threshold was exhausted.
    pub fn lower_bound(&self) -> u32 {
        self.proof.as_ref().map_or(0, Proof::bound)
    }
}

/// Numbers of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub generated: u64,
    pub expanded: u64,
}

impl Count {
    /// The nodes generated and expanded since the count was `before`.
    pub fn since(self, before: Count) -> [u64; 2] {
        [self.generated - before.generated, self.expanded - before.expanded]
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        let generated = self.generated + other.generated;
        Count { generated, expanded: self.expanded + other.expanded }
    }
}
