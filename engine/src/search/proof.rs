//! Proofs of lower bounds.

use crate::board::{Metric, Position};

/// A proof that no path from a position to its goal is shorter than a bound.
///
/// It names the position, the goal and the metric, so it proves nothing about any other path. Only the
/// searches make one, of a bound that
/// - an admissible heuristic gives the position, or
/// - they have raised after they had exhausted all shorter paths.
///
/// [`Search::proof`](super::Search::proof) takes the bound of an earlier run from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    position: Position,
    metric: Metric,
    bound: u32,
}

impl Proof {
    /// The proof of a bound that is an admissible value, or all shorter paths are exhausted.
    pub(super) fn new(position: &Position, metric: Metric, bound: u32) -> Proof {
        Proof { position: position.clone(), metric, bound }
    }

    /// Raises the bound, after all shorter paths were exhausted.
    pub(super) fn raise(&mut self, bound: u32) {
        debug_assert!(self.bound <= bound);
        self.bound = bound;
    }

    /// The bound.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Returns whether this is a proof for a position and its goal, in a metric.
    pub fn is_of(&self, position: &Position, metric: Metric) -> bool {
        (&self.position, self.metric) == (position, metric)
    }
}
