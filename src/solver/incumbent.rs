//! The best solution known while a search proves lower bounds.

use std::sync::{Arc, Mutex};

use super::searcher::Searcher;
use crate::board::{Moves, Position};
use crate::memo::lock;
use crate::pdb::BrokenTable;
use crate::search::{Cancel, Control, Journal, Outcome, Stop, Threshold};

/// The width of the beam for a first solution.
const FIRST: usize = 1_000;

/// The least width of the other beams.
const NARROWEST: usize = 500;

/// Each beam is at least this many times as wide as the one before.
const WIDER: usize = 2;

/// The best solution known, and the beams that looked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Best {
    path: Option<Moves>,
    /// The width of the last beam.
    width: usize,
    /// The number of thresholds exhausted before it.
    thresholds: usize,
}

impl Best {
    /// Returns whether this can be what is known of a position.
    #[cfg(feature = "serde")]
    pub fn is_possible(&self, position: &Position) -> bool {
        let Some(path) = &self.path else { return true };
        let mut position = position.clone();
        path.iter().all(|m| position.make(m).is_some()) && position.is_goal()
    }
}

/// Ends the search once the bound proved is near enough to the best solution known.
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
    /// Beams that were stopped leave no trace here.
    best: Arc<Mutex<Best>>,
    broken: Mutex<Option<BrokenTable>>,
    /// The search has nothing more to do.
    closed: Cancel,
    /// Ends the beams.
    control: Control,
}

impl Incumbent {
    /// Goes on from the best solution known. If there is none, finds a first one, unless a proof is asked
    /// for. `control` ends the beams that look for better ones.
    pub fn new(
        searcher: &Arc<Searcher>,
        position: &Position,
        gap: u32,
        control: Control,
        best: Arc<Mutex<Best>>,
    ) -> Result<Incumbent, BrokenTable> {
        // The beam uses the thread pool, so it runs outside the lock.
        let mut known = lock(&best).clone();
        if gap > 0 && known.path.is_none() {
            known.path = Some(searcher.first(position, FIRST)?);
            known.width = known.width.max(FIRST);
        }
        known.width = known.width.max(NARROWEST / WIDER);
        *lock(&best) = known;
        Ok(Incumbent {
            searcher: searcher.clone(),
            position: position.clone(),
            gap,
            best,
            broken: Mutex::new(None),
            closed: Cancel::new(),
            // The widths follow from the nodes of the search, which are limited.
            control: control.with_nodes(u64::MAX),
        })
    }

    /// The control of a search that also ends once the solution is near enough to the bound.
    pub fn guard(&self, control: Control) -> Control {
        let closed = self.closed.clone();
        control.with_reason(Stop::Gap, move || closed.is_cancelled())
    }

    /// Adds the best solution to the outcome of a search without one.
    pub fn complete(&self, mut outcome: Outcome) -> Result<Outcome, BrokenTable> {
        if outcome.path.is_none() {
            if let Some(broken) = lock(&self.broken).take() {
                return Err(broken);
            }
            outcome.path = lock(&self.best).path.clone();
        }
        Ok(outcome)
    }

    /// Looks for a shorter solution by a beam whose nodes are at most those of the search so far.
    /// Returns whether the beam ended without being stopped.
    fn improve(&self, best: &mut Best, bound: u32, nodes: u64) -> Result<bool, BrokenTable> {
        let below = best.path.as_ref().map_or(usize::MAX, |path| self.searcher.length(path));
        let width = self.searcher.width(nodes, below.min(bound as usize));
        if width < best.width.saturating_mul(WIDER) {
            return Ok(true);
        }
        let found = self.searcher.beam(&self.position, width.into(), below, &self.control)?;
        if found.is_none() && self.control.check(0).is_some() {
            return Ok(false);
        }
        best.width = width;
        if let Some(shorter) = found {
            self.control.journal().shortened(self.searcher.length(&shorter));
            best.path = Some(shorter);
        }
        Ok(true)
    }

    fn is_far(&self, best: &Best, bound: u32) -> bool {
        let far =
            |path: &Moves| self.searcher.length(path) > bound.saturating_add(self.gap) as usize;
        best.path.as_ref().is_none_or(far)
    }
}

impl Journal for Incumbent {
    fn reached(&self, threshold: &Threshold) {
        let Threshold { history, bound, .. } = threshold;
        let mut best = lock(&self.best).clone();
        // A search that goes on from a record may have several thresholds to make up for.
        while best.thresholds < history.len() {
            best.thresholds += 1;
            let (before, since) = history.split_at(best.thresholds);
            let bound = since.first().map_or(*bound, |&(bound, _)| bound);
            if self.is_far(&best, bound) {
                let nodes = before.iter().map(|&(_, nodes)| nodes).sum();
                match self.improve(&mut best, bound, nodes) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(broken) => {
                        *lock(&self.broken) = Some(broken);
                        return self.closed.cancel();
                    }
                }
            }
            lock(&self.best).clone_from(&best);
        }
        self.proved(*bound);
    }

    fn proved(&self, bound: u32) {
        if !self.is_far(&lock(&self.best), bound) {
            self.closed.cancel();
        }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn a_known_solution_leads_to_the_goal() {
        let mut position = Position::goal(Grid::new(3, 3).unwrap(), 0);
        let best = |path: &str| {
            let path = Some(path.parse().unwrap());
            Best { path, ..Best::default() }
        };
        position.make(crate::board::Move::Up);
        assert!(Best::default().is_possible(&position));
        assert!(best("D").is_possible(&position));
        // Not to the goal, beyond it, and out of the board.
        for path in ["", "L", "DU", "UUU"] {
            assert!(!best(path).is_possible(&position), "{path}");
        }
    }
}
