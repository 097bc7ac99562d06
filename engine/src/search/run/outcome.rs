//! The result of a search.

use std::ops::Add;

use super::limits::Stop;
use super::proof::Proof;
use crate::board::{Metric, Moves, Position};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<P = Position> {
    /// A solution, if one was found before the search was stopped. It is optimal if it is as long
    /// as the lower bound.
    pub path: Option<Moves>,
    /// The proof that no solution is shorter than its bound.
    pub proof: Option<Proof<P>>,
    /// The heuristic's value of the position, which was the first threshold; `None` without a heuristic.
    pub value: Option<u32>,
    /// Children generated, without those that undo the last move.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// The most positions that were remembered at once, by a search that remembers positions.
    pub positions: u64,
    /// Why the search ended before it was done.
    pub stopped: Option<Stop>,
}

impl<P> Default for Outcome<P> {
    fn default() -> Outcome<P> {
        let (generated, expanded, positions) = (0, 0, 0);
        let (path, proof, value, stopped) = (None, None, None, None);
        Outcome { path, proof, value, generated, expanded, positions, stopped }
    }
}

impl<P: Clone + PartialEq> Outcome<P> {
    /// The outcome of a search that has not begun, of a position with this value.
    pub fn new(position: &P, metric: Metric, value: u32) -> Outcome<P> {
        let proof = Some(Proof::new(position, metric, value));
        Outcome { proof, value: Some(value), ..Outcome::default() }
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
pub struct Count {
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
}

impl Count {
    /// The nodes since the count was `before`.
    pub(crate) fn since(self, before: Count) -> Count {
        let generated = self.generated - before.generated;
        Count { generated, expanded: self.expanded - before.expanded }
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        let generated = self.generated + other.generated;
        Count { generated, expanded: self.expanded + other.expanded }
    }
}
