//! The best solution known while a search proves lower bounds.

use std::sync::{Arc, Mutex};

use super::searcher::Searcher;
use crate::board::{Path, Position};
use crate::memo::lock;
use crate::pdb::BrokenTable;
use crate::search::{Cancel, Control, Journal, Outcome, Stop, Threshold};

/// The width of the beam for a first solution.
const FIRST: usize = 1_000;

/// The least width of the other beams.
const NARROWEST: usize = 500;

/// Each beam is at least this many times as wide as the one before.
const WIDER: usize = 2;

/// The best solution known. It ends the search once the bound proved is near enough.
///
/// Before each threshold a wider beam looks for a shorter solution, if the search has grown enough. A
/// solution as long as the bound spares the last threshold, the largest one. The widths follow from
/// the thresholds before, so the answer is the same for any number of threads, and for a search that
/// was interrupted.
pub(super) struct Incumbent {
    searcher: Arc<Searcher>,
    position: Position,
    /// The number of moves beyond the bound that is near enough.
    gap: u32,
    best: Mutex<Best>,
    /// The search has nothing more to do.
    closed: Cancel,
    /// Ends the beams.
    control: Control,
}

struct Best {
    path: Result<Option<Path>, BrokenTable>,
    /// The width of the last beam.
    width: usize,
    /// The number of thresholds exhausted before it.
    thresholds: usize,
}

impl Incumbent {
    /// A first solution, unless a proof is asked for. `control` ends the beams that look for better
    /// ones.
    pub fn new(
        searcher: &Arc<Searcher>,
        position: &Position,
        gap: u32,
        control: Control,
    ) -> Result<Incumbent, BrokenTable> {
        let first = (gap > 0).then(|| searcher.first(position, FIRST)).transpose()?;
        let width = first.as_ref().map_or(NARROWEST / WIDER, |_| FIRST);
        Ok(Incumbent {
            searcher: searcher.clone(),
            position: position.clone(),
            gap,
            best: Mutex::new(Best { path: Ok(first), width, thresholds: 0 }),
            closed: Cancel::new(),
            control,
        })
    }

    /// The control of a search that also ends once the solution is near enough to the bound.
    pub fn guard(&self, control: Control) -> Control {
        let closed = self.closed.clone();
        control.with_deadline(move || closed.is_cancelled())
    }

    /// Whether the search has nothing more to do.
    pub fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// Adds the best solution to the outcome of a search without one.
    pub fn complete(&self, mut outcome: Outcome) -> Result<Outcome, BrokenTable> {
        if outcome.path.is_none() {
            outcome.path = lock(&self.best).path.clone()?;
            if self.is_closed() {
                outcome.stopped = Some(Stop::Gap);
            }
        }
        Ok(outcome)
    }

    /// Looks for a shorter solution by a beam of up to as many nodes as the search has generated so far.
    fn improve(&self, Best { path, width, .. }: &mut Best, bound: u32, nodes: u64) {
        let Ok(known) = path else { return };
        let below = known.as_ref().map_or(usize::MAX, |path| self.searcher.length(path));
        let wider = self.searcher.width(nodes, below.min(bound as usize));
        if wider < WIDER * *width {
            return;
        }
        *width = wider;
        match self.searcher.beam(&self.position, wider, below, &self.control) {
            Ok(None) => {}
            Ok(Some(shorter)) => {
                self.control.journal().shortened(self.searcher.length(&shorter));
                *known = Some(shorter);
            }
            Err(broken) => *path = Err(broken),
        }
    }

    fn is_far(&self, best: &Best, bound: u32) -> bool {
        let far =
            |path: &Path| self.searcher.length(path) > bound.saturating_add(self.gap) as usize;
        // After an error there is nothing more to do.
        best.path.as_ref().is_ok_and(|known| known.as_ref().is_none_or(far))
    }
}

impl Journal for Incumbent {
    fn reached(&self, threshold: &Threshold) {
        let Threshold { history, bound, .. } = threshold;
        let mut best = lock(&self.best);
        // A search that goes on from a record has several thresholds to make up for.
        while best.thresholds < history.len() {
            best.thresholds += 1;
            let (before, since) = history.split_at(best.thresholds);
            let bound = since.first().map_or(*bound, |&(bound, _)| bound);
            if self.is_far(&best, bound) {
                self.improve(&mut best, bound, before.iter().map(|&(_, nodes)| nodes).sum());
            }
        }
        drop(best);
        self.proved(*bound);
    }

    fn proved(&self, bound: u32) {
        if !self.is_far(&lock(&self.best), bound) {
            self.closed.cancel();
        }
    }
}
