//! From a board to its answer, by every method.

use std::sync::Arc;

use super::proof::{Best, Proving};
use super::searcher::Searcher;
use super::short::Short;
use super::task::{BEAM, Events, Task};
use super::{Bracket, Error, Limits};
use crate::board::Moves;
use crate::pdb::BrokenTable;
use crate::search::{Clock, Outcome, Stop, Threshold};

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

impl Task {
    /// Solves the board on the current rayon thread pool. The clock runs. Returns the last threshold of
    /// the search, too.
    pub fn run(
        &self,
        limits: &Limits,
        clock: Clock,
        events: Events,
    ) -> Result<(Bracket, Threshold), Error> {
        let Some(searcher) = &self.searcher else {
            let solved = Outcome { path: Some(Moves::default()), ..Outcome::default() };
            return Ok((self.finish(Ok(solved), limits, clock)?, Threshold::default()));
        };
        let found = match searcher.method.steps() {
            Some(steps) => {
                let short = Short::new(self, searcher, limits, clock, events);
                short.run(steps).map(|outcome| (outcome, Threshold::default()))
            }
            None => self.by_search(searcher, limits, clock),
        };
        let (outcome, threshold) = match found {
            Ok((outcome, threshold)) => (Ok(outcome), threshold),
            Err(broken) => (Err(broken), Threshold::default()),
        };
        let mut bracket = self.finish(outcome, limits, clock)?;
        let gap = limits.largest_gap();
        if gap > 0 && bracket.falls_short && bracket.gap().is_some_and(|found| found <= gap) {
            // A beam that followed the search came near enough.
            (bracket.stopped, bracket.falls_short) = (Some(Stop::Gap), false);
        }
        let aims = searcher.method.is_optimal() || (searcher.method.is_by_beams() && gap > 0);
        Ok((Bracket { falls_short: bracket.falls_short && aims, ..bracket }, threshold))
    }

    fn by_search(
        &self,
        searcher: &Arc<Searcher>,
        limits: &Limits,
        clock: Clock,
    ) -> Result<(Outcome, Threshold), BrokenTable> {
        let long = searcher.is_long(&self.position);
        let proof = if long { limits.share_of_time(PROOF) } else { limits.clone() };
        let mut proving = Proving::new(self, searcher, &proof, clock, Best::default())?;
        let (outcome, threshold) = proving.run(limits.most_moves())?;
        if !long || outcome.stopped != Some(Stop::Time) {
            return Ok((outcome, threshold));
        }
        let rest = searcher.guard(limits.control(clock));
        let gap = limits.largest_gap();
        let enough = if gap > 0 { outcome.lower_bound().saturating_add(gap) as usize } else { 0 };
        let path = match outcome.path {
            Some(path) => path,
            None => searcher.first(&self.position, BEAM)?,
        };
        let path = searcher.near(&self.position, path, enough, 4 * BEAM, &rest, &rest)?;
        Ok((Outcome { path: Some(path), ..outcome }, threshold))
    }
}
