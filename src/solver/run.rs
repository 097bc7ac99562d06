//! From a board to its answer, by every method.

use std::sync::{Arc, Mutex};

use taquin_engine::SMALL;

use super::incumbent::{Best, Incumbent};
use super::searcher::Searcher;
use super::short::Short;
use super::task::{BEAM, Events, Task};
use super::{Bracket, Error, Limits};
use crate::board::Moves;
use crate::pdb::BrokenTable;
use crate::search::{Clock, Control, Journal, Outcome, Stop};

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

impl Task {
    /// Solves the board on the current rayon thread pool. The clock runs.
    pub fn run(
        &self,
        limits: &Limits,
        clock: Clock,
        journal: &dyn Journal,
        events: Events,
    ) -> Result<Bracket, Error> {
        let Some(searcher) = &self.searcher else {
            let solved = Outcome { path: Some(Moves::default()), ..Outcome::default() };
            return self.finish(Ok(solved), limits, clock);
        };
        let outcome = match searcher.method.steps() {
            Some(steps) if !SMALL => Short::new(self, searcher, limits, clock, events).run(steps),
            _ => self.by_search(searcher, limits, clock, journal),
        };
        let mut bracket = self.finish(outcome, limits, clock)?;
        let gap = limits.largest_gap();
        if gap > 0 && bracket.falls_short && bracket.gap().is_some_and(|found| found <= gap) {
            // A beam that followed the search came near enough.
            (bracket.stopped, bracket.falls_short) = (Some(Stop::Gap), false);
        }
        let aims = searcher.method.is_optimal() || (searcher.method.is_by_beams() && gap > 0);
        Ok(Bracket { falls_short: bracket.falls_short && aims, ..bracket })
    }

    fn by_search(
        &self,
        searcher: &Arc<Searcher>,
        limits: &Limits,
        clock: Clock,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        let long = searcher.is_long(&self.position);
        let proof = if long { limits.share_of_time(PROOF) } else { limits.clone() };
        let outcome =
            self.between(searcher, &proof, clock, Arc::default(), journal, |control, journal| {
                searcher.solve(&self.position, limits.most_moves(), control, journal)
            })?;
        if !long || outcome.stopped != Some(Stop::Time) {
            return Ok(outcome);
        }
        let rest = searcher.guard(limits.control(clock));
        let gap = limits.largest_gap();
        let enough = if gap > 0 { outcome.lower_bound().saturating_add(gap) as usize } else { 0 };
        let path = match outcome.path {
            Some(path) => path,
            None => searcher.first(&self.position, BEAM)?,
        };
        let path = searcher.near(&self.position, path, enough, 4 * BEAM, &rest, &rest)?;
        Ok(Outcome { path: Some(path), ..outcome })
    }

    /// Runs a search for lower bounds. If it may take long, beams look for a solution from above at the
    /// same time. They start from `best`, and store there what they find.
    pub fn between<E: From<BrokenTable>>(
        &self,
        searcher: &Arc<Searcher>,
        limits: &Limits,
        clock: Clock,
        best: Arc<Mutex<Best>>,
        journal: &dyn Journal,
        search: impl FnOnce(&Control, &dyn Journal) -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let control = searcher.guard(limits.control(clock));
        let gap = limits.largest_gap();
        let may_take_long = match searcher.engine() {
            Some(_) => searcher.is_long(&self.position),
            None => gap > 0,
        };
        if !may_take_long {
            return search(&control, journal);
        }
        let incumbent = Arc::new(Incumbent::new(searcher, &self.position, gap, control, best)?);
        let control = limits.reporting_also_to(incumbent.clone()).control(clock);
        let control = incumbent.guard(searcher.guard(control));
        Ok(incumbent.complete(search(&control, &(journal, &*incumbent))?)?)
    }
}
