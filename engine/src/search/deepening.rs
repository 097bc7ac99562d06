//! Iterative deepening (Korf 1985), shared by the searches that keep no record of their subtrees.

use super::{Control, Outcome, Stop, Threshold};
use crate::board::{Metric, Moves, Position};

/// Searches one threshold after the other, until one holds a solution or `control` stops the search.
/// The first threshold is `bound`.
///
/// `iterate` searches a threshold. It adds the nodes to the outcome, and the solution or the reason
/// to stop. It returns the next threshold, which is used if it added neither.
pub(super) fn deepen(
    position: &Position,
    metric: Metric,
    bound: u32,
    control: &Control,
    mut iterate: impl FnMut(&Threshold, &mut Outcome) -> u32,
) -> Outcome {
    let mut outcome = Outcome::new(position, metric, bound);
    if position.is_goal() {
        outcome.path = Some(Moves::default());
        return outcome;
    }
    let mut threshold = Threshold { bound, ..Threshold::default() };
    loop {
        control.journal().reached(&threshold);
        outcome.stopped = control.check(outcome.generated);
        if outcome.stopped.is_some() {
            return outcome;
        }
        control.journal().begins(&threshold, 1);
        let next = iterate(&threshold, &mut outcome);
        if outcome.path.is_some() || outcome.stopped.is_some() {
            return outcome;
        }
        threshold.advance(next, outcome.generated, outcome.expanded);
        outcome.raise(next);
    }
}

/// Expansions between two checks of the limits.
const POLL: u64 = 1024;

/// The node counts of a plain search. The control and its journal learn of them now and then.
pub(super) struct Meter<'a> {
    pub generated: u64,
    pub expanded: u64,
    /// The nodes that the journal knows of.
    reported: u64,
    control: &'a Control,
}

impl<'a> Meter<'a> {
    pub fn new(control: &'a Control) -> Meter<'a> {
        Meter { generated: 0, expanded: 0, reported: 0, control }
    }

    /// Counts an expansion. Returns the reason if the search must end. The nodes are compared with
    /// their limit each time, the other limits are checked every 1,024 expansions.
    #[inline]
    pub fn expand(&mut self) -> Option<Stop> {
        self.expanded += 1;
        let due = self.expanded.is_multiple_of(POLL) || self.generated >= self.control.nodes();
        if due { self.check() } else { None }
    }

    #[cold]
    fn check(&mut self) -> Option<Stop> {
        self.report();
        self.control.check(self.generated)
    }

    /// Tells the journal of the nodes generated since the last time.
    #[cold]
    pub fn report(&mut self) {
        self.control.journal().searched(self.generated - self.reported);
        self.reported = self.generated;
    }

    /// Ends an iteration: the journal and the outcome get the counts of all iterations so far.
    pub fn write_to(&mut self, outcome: &mut Outcome) {
        self.report();
        (outcome.generated, outcome.expanded) = (self.generated, self.expanded);
    }
}
