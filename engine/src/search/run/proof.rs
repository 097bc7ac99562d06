//! Proofs of lower bounds.

use crate::board::{Canonical, Metric, OpenPosition, Position};

/// A proof that no path from a position to its goal is shorter than a bound.
///
/// It names the position, the goal and the metric, so it proves nothing about any other path. Only the
/// searches make one, of a bound that
/// - an admissible heuristic gives the position, or
/// - they have raised after they had exhausted all shorter paths.
///
/// [`Search::proof`](crate::search::Search::proof) takes the bound of an earlier run from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<P = Position> {
    position: P,
    metric: Metric,
    bound: u32,
}

impl<P: Clone + PartialEq> Proof<P> {
    /// The proof of a bound that is an admissible value, or all shorter paths are exhausted.
    pub(crate) fn new(position: &P, metric: Metric, bound: u32) -> Proof<P> {
        Proof { position: position.clone(), metric, bound }
    }

    /// Raises the bound, after all shorter paths were exhausted.
    pub(crate) fn raise(&mut self, bound: u32) {
        debug_assert!(self.bound <= bound);
        self.bound = bound;
    }

    /// The bound.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Returns whether this is a proof for a position and its goal, in a metric.
    pub fn is_of(&self, position: &P, metric: Metric) -> bool {
        (&self.position, self.metric) == (position, metric)
    }
}

impl Proof<OpenPosition> {
    /// The proof that follows from the proofs of all solvable assignments, in the order of
    /// [`OpenPosition::goals`]. `None` if they are not the proofs of all of them.
    pub fn of_assignments(position: &OpenPosition, proofs: &[Proof]) -> Option<Self> {
        let goals = position.goals(2 * proofs.len() as u128)?;
        let are_proved = goals.len() == proofs.len()
            && goals.iter().zip(proofs).all(|(goal, proof)| {
                let start = Canonical::of(goal).position(position.board());
                start.is_ok_and(|start| proof.is_of(&start, Metric::Single))
            });
        let bound = proofs.iter().map(Proof::bound).min().filter(|_| are_proved)?;
        Some(Proof::new(position, Metric::Single, bound))
    }

    /// The proof of the number of steps that tiles are away from their goal cells.
    pub fn of_distance(position: &OpenPosition) -> Self {
        Proof::new(position, Metric::Single, position.distance())
    }
}
