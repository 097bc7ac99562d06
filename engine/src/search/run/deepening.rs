//! Iterative deepening (Korf 1985): one threshold at a time.

use super::event::Event;
use super::limits::{Limits, Stop};
use super::outcome::Outcome;
use super::proof::Proof;
use super::record::Threshold;
use crate::board::{Metric, Moves, Position};
use crate::pdb::BrokenTable;

/// The end of the search of a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// A solution, which is optimal.
    Solved(Moves),
    /// There is no solution within the threshold. The search turns to the next one.
    Exhausted,
    /// A limit was reached. The search goes on where it stopped.
    Stopped(Stop),
}

/// A search that its caller takes from threshold to threshold.
pub trait Deepening {
    /// Searches a threshold.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    fn next(&mut self, limits: &Limits) -> Result<Searched, BrokenTable>;

    /// The threshold that is searched next. All lower ones are exhausted.
    fn threshold(&self) -> &Threshold;

    /// The outcome of a search that ends so.
    fn outcome(&self, end: Searched) -> Outcome;

    /// Leaves out the thresholds below a bound that another search of the position has proved.
    ///
    /// # Panics
    /// If the proof is of another position or metric.
    fn skip(&mut self, proof: &Proof);

    /// Searches one threshold after the other, up to a solution or until `limits` stop the search.
    ///
    /// # Errors
    /// As [`Deepening::next`].
    fn run(&mut self, limits: &Limits) -> Result<Outcome, BrokenTable> {
        loop {
            match self.next(limits)? {
                Searched::Exhausted => {}
                end => return Ok(self.outcome(end)),
            }
        }
    }
}

impl Outcome {
    /// This outcome with the end of a search.
    pub(crate) fn ended(self, end: Searched) -> Outcome {
        match end {
            Searched::Solved(path) => Outcome { path: Some(path), ..self },
            Searched::Exhausted => self,
            Searched::Stopped(stop) => Outcome { stopped: Some(stop), ..self },
        }
    }
}

/// The end of a threshold: a solution, none, or the reason to stop; and the threshold with which the search goes on.
type Iterated = (Result<Option<Moves>, Stop>, u32);

/// Searches one threshold, and adds its nodes to the outcome.
type Iterate<'a> = dyn FnMut(&Threshold, &Limits, &mut Outcome) -> Iterated + 'a;

/// A search that keeps no record of its subtrees.
pub struct Unrecorded<'a> {
    position: &'a Position,
    metric: Metric,
    threshold: Threshold,
    outcome: Outcome,
    iterate: Box<Iterate<'a>>,
}

impl<'a> Unrecorded<'a> {
    /// A search whose first threshold is `bound`.
    pub fn new(
        position: &'a Position,
        metric: Metric,
        bound: u32,
        iterate: impl FnMut(&Threshold, &Limits, &mut Outcome) -> Iterated + 'a,
    ) -> Unrecorded<'a> {
        let threshold = Threshold { bound, ..Threshold::default() };
        let (outcome, iterate) = (Outcome::new(position, metric, bound), Box::new(iterate));
        Unrecorded { position, metric, threshold, outcome, iterate }
    }
}

impl Deepening for Unrecorded<'_> {
    fn next(&mut self, limits: &Limits) -> Result<Searched, BrokenTable> {
        let Unrecorded { position, threshold, outcome, iterate, .. } = self;
        if position.is_goal() {
            return Ok(Searched::Solved(Moves::default()));
        }
        if let Some(stop) = limits.check(outcome.generated) {
            return Ok(Searched::Stopped(stop));
        }
        limits.report(&Event::Threshold(threshold));
        let (end, next) = iterate(threshold, limits, outcome);
        match end {
            Ok(Some(path)) => return Ok(Searched::Solved(path)),
            Ok(None) => {}
            Err(stop) => return Ok(Searched::Stopped(stop)),
        }
        threshold.advance(next, outcome.generated, outcome.expanded);
        outcome.raise(next);
        Ok(Searched::Exhausted)
    }

    fn skip(&mut self, proof: &Proof) {
        assert!(proof.is_of(self.position, self.metric), "the proof is of another question");
        self.threshold.bound = self.threshold.bound.max(proof.bound());
        self.outcome.raise(self.threshold.bound);
    }

    fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    fn outcome(&self, end: Searched) -> Outcome {
        self.outcome.clone().ended(end)
    }
}

/// Expansions between two checks of the limits.
const POLL: u64 = 1024;

/// The node counts of a plain search. The limits learn of them now and then.
pub struct Meter<'a> {
    /// Children generated.
    pub generated: u64,
    /// Positions expanded.
    pub expanded: u64,
    /// The nodes that were reported.
    reported: u64,
    limits: &'a Limits,
}

impl<'a> Meter<'a> {
    /// A meter of a search that has not begun.
    pub fn new(limits: &'a Limits) -> Meter<'a> {
        Meter::after(&Outcome::default(), limits)
    }

    /// A meter that goes on from the counts of an outcome.
    pub fn after(outcome: &Outcome, limits: &'a Limits) -> Meter<'a> {
        let &Outcome { generated, expanded, .. } = outcome;
        Meter { generated, expanded, reported: generated, limits }
    }

    /// Counts an expansion. The nodes are compared with their limit each time, the other limits are
    /// checked every 1,024 expansions.
    ///
    /// # Errors
    /// The reason if the search must end.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Stop> {
        self.expanded += 1;
        let due = self.expanded.is_multiple_of(POLL) || self.generated >= self.limits.most_nodes();
        if due { self.check() } else { Ok(()) }
    }

    /// Reports the nodes so far.
    ///
    /// # Errors
    /// The reason if the search must end.
    #[cold]
    pub fn check(&mut self) -> Result<(), Stop> {
        self.report();
        self.limits.check(self.generated).map_or(Ok(()), Err)
    }

    /// Reports the nodes generated since the last time.
    #[cold]
    pub fn report(&mut self) {
        self.limits.report(&Event::Nodes(self.generated - self.reported));
        self.reported = self.generated;
    }

    /// The limits and the outcome get the counts of all iterations so far.
    pub fn write_to(&mut self, outcome: &mut Outcome) {
        self.report();
        (outcome.generated, outcome.expanded) = (self.generated, self.expanded);
    }
}
