//! The search for a proof: the solver's loop over the thresholds, accompanied by beams.
//!
//! Before each threshold a wider beam looks for a shorter solution, if the search has grown enough. A
//! solution as long as the bound spares the last threshold, the largest one. The widths follow from the
//! thresholds before, so the answer is the same for any number of threads, and for an interrupted search.

use std::sync::Arc;

use super::Limits;
use super::searcher::Searcher;
use super::task::Task;
use crate::board::{Moves, Position};
use crate::pdb::BrokenTable;
use crate::search::{Clock, Control, Deepening, Outcome, Searched, Stop, Threshold};

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
    /// Returns whether this can be the knowledge of a position.
    #[cfg(feature = "serde")]
    pub fn is_possible(&self, position: &Position) -> bool {
        let Some(path) = &self.path else { return true };
        let mut position = position.clone();
        path.iter().all(|m| position.make(m).is_some()) && position.is_goal()
    }
}

/// The search of a board for a proof, and the best solution known meanwhile.
pub(super) struct Proving<'a> {
    searcher: &'a Arc<Searcher>,
    position: &'a Position,
    /// The number of moves beyond the bound that is near enough.
    gap: u32,
    /// Beams look for shorter solutions: the search may take long, or a gap was asked for.
    has_beams: bool,
    control: Control,
    /// Beams that were stopped leave no trace here.
    pub best: Best,
}

impl<'a> Proving<'a> {
    /// Goes on from the best solution known. If there is none, finds a first one, unless a proof is asked
    /// for.
    pub fn new(
        task: &'a Task,
        searcher: &'a Arc<Searcher>,
        limits: &Limits,
        clock: Clock,
        mut best: Best,
    ) -> Result<Proving<'a>, BrokenTable> {
        let (position, gap) = (&task.position, limits.largest_gap());
        let has_beams = match searcher.engine() {
            Some(_) => searcher.is_long(position),
            None => gap > 0,
        };
        if has_beams && gap > 0 && best.path.is_none() {
            best.path = Some(searcher.first(position, FIRST)?);
            best.width = best.width.max(FIRST);
        }
        best.width = best.width.max(NARROWEST / WIDER);
        let control = searcher.guard(limits.control(clock));
        Ok(Proving { searcher, position, gap, has_beams, control, best })
    }

    /// The limits of the search.
    #[cfg(feature = "serde")]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Runs the whole search. Returns the last threshold, too.
    pub fn run(&mut self, moves: Option<u32>) -> Result<(Outcome, Threshold), BrokenTable> {
        let searcher = self.searcher;
        if !searcher.method.deepens() {
            let mut control = self.control.clone();
            if let Some(path) = &self.best.path {
                let near = (searcher.length(path) as u32).saturating_sub(self.gap);
                control = control.with_bound(near);
            }
            let outcome = searcher.solve(self.position, moves, &control)?;
            return Ok((self.complete(outcome), Threshold::default()));
        }
        searcher.deepening(self.position, |search| {
            loop {
                match self.next(search)? {
                    Searched::Exhausted => {}
                    end => {
                        let outcome = self.complete(search.outcome(end));
                        return Ok((outcome, search.threshold().clone()));
                    }
                }
            }
        })
    }

    /// Searches a threshold, unless the best solution is near enough to the bound.
    pub fn next(&mut self, search: &mut dyn Deepening) -> Result<Searched, BrokenTable> {
        if self.is_near(search.threshold())? {
            return Ok(Searched::Stopped(Stop::Gap));
        }
        search.next(&self.control)
    }

    /// Adds the best solution to the outcome of a search without one.
    pub fn complete(&self, outcome: Outcome) -> Outcome {
        let path = outcome.path.or_else(|| self.best.path.clone());
        Outcome { path, ..outcome }
    }

    /// Looks for a shorter solution, if beams do so and the search has grown enough since the last one.
    /// Returns whether the best one is near enough.
    pub fn is_near(&mut self, threshold: &Threshold) -> Result<bool, BrokenTable> {
        if !self.has_beams {
            return Ok(false);
        }
        let Threshold { history, bound, .. } = threshold;
        // A search that goes on from a record may have several thresholds to make up for.
        while self.best.thresholds < history.len() {
            let (before, since) = history.split_at(self.best.thresholds + 1);
            let bound = since.first().map_or(*bound, |&(bound, _)| bound);
            let nodes = before.iter().map(|&(_, nodes)| nodes).sum();
            if self.is_far(bound) && !self.improve(bound, nodes)? {
                break;
            }
            self.best.thresholds += 1;
        }
        Ok(!self.is_far(*bound))
    }

    /// Looks for a shorter solution by a beam with at most as many nodes as the search so far. Returns
    /// whether the beam ended without being stopped.
    fn improve(&mut self, bound: u32, nodes: u64) -> Result<bool, BrokenTable> {
        let Proving { searcher, position, best, .. } = self;
        let below = best.path.as_ref().map_or(usize::MAX, |path| searcher.length(path));
        let width = searcher.width(nodes, below.min(bound as usize));
        if width < best.width.saturating_mul(WIDER) {
            return Ok(true);
        }
        // The width follows from the nodes of the search, which are limited.
        let control = self.control.clone().with_nodes(u64::MAX);
        let found = searcher.beam(position, width.into(), below, &control)?;
        if found.is_none() && control.check(0).is_some() {
            return Ok(false);
        }
        best.width = width;
        if let Some(shorter) = found {
            control.journal().shortened(searcher.length(&shorter));
            best.path = Some(shorter);
        }
        Ok(true)
    }

    fn is_far(&self, bound: u32) -> bool {
        let far =
            |path: &Moves| self.searcher.length(path) > bound.saturating_add(self.gap) as usize;
        self.best.path.as_ref().is_none_or(far)
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
