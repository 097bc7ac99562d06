//! From a board to its answer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::incumbent::{Best, Incumbent};
use super::searcher::Searcher;
use super::{Bracket, Effort, Error, Event, Limits, Method, Solution};
use crate::board::{Board, Canonical, Metric, Path, Position};
use crate::pdb::BrokenTable;
use crate::search::{
    Clock, Control, Journal, Outcome, Stage, Stop, greedy, shorten, slide_shorten, staged,
};

/// A solvable board and its search. Tasks are independent of each other, and run on any thread.
#[derive(Clone)]
pub(super) struct Task {
    pub board: Board,
    pub position: Position,
    pub canonical: Arc<Canonical>,
    /// The metric of the bounds.
    pub metric: Metric,
    /// `None` if the board is solved already.
    pub searcher: Option<Arc<Searcher>>,
}

/// Receives the events of a task.
pub(super) type Events<'a> = &'a (dyn Fn(&Event<'_>) + Sync);

/// The nodes for which the widest beam is planned if neither time nor nodes are limited.
const BEAM_NODES: u64 = 10_000_000;

/// The nodes for which a solution is shortened if there is no limit.
const SHORTEN: u64 = 30_000_000;

/// The share of the time in which beams look for a solution. In the rest it is shortened.
const BEAMS: f64 = 0.95;

/// The width of the beam for a solution beside a bound: a few hundredths of a second on 5×5.
const BEAM: usize = 1_000;

/// The width of the first of several beams. It takes some milliseconds.
const HASTY: usize = 100;

/// After a cancel, beams look for a better solution for a tenth of the time that the search took, and
/// for this long at most.
const WAIT: Duration = Duration::from_millis(300);

/// The nodes for which beams are planned after a search that ran out of time.
const AFTER_TIME: u64 = 300_000;

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

/// The nodes of the search for a better lower bound of a solution that is not optimal.
const BOUND: u64 = 300_000;

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
            let solved = Outcome { path: Some(Path::default()), ..Outcome::default() };
            return self.finish(Ok(solved), clock);
        };
        let control = searcher.guard(limits.control(clock));
        let outcome = match searcher.method {
            Method::Beam => self.by_beams(searcher, limits, clock, &control, events),
            Method::Staged => {
                let path = staged(&self.position, |stage| self.report(stage, events));
                let (path, optimal) = self.shortened(path, limits, &control, events);
                self.beside_bound(path, optimal, || self.bound(searcher, limits))
            }
            Method::Greedy => {
                let finished = |stage: &Stage| self.report(stage, events);
                let path = greedy(&self.position, control.journal(), finished);
                self.bound(searcher, limits).map(|bound| Outcome { path: Some(path), ..bound })
            }
            _ => self.by_search(searcher, limits, clock, journal),
        };
        self.finish(outcome, clock)
    }

    fn report(&self, stage: &Stage, events: Events) {
        let mut tiles: Vec<u8> =
            stage.tiles.iter().map(|&label| self.canonical.tile(label)).collect();
        tiles.sort_unstable();
        events(&Event::Stage { board: &self.board, tiles: &tiles, moves: stage.moves });
    }

    fn by_beams(
        &self,
        searcher: &Arc<Searcher>,
        limits: &Limits,
        clock: Clock,
        control: &Control,
        events: Events,
    ) -> Result<Outcome, BrokenTable> {
        let path = staged(&self.position, |_| ());
        let mut plan = limits.share_of_time(BEAMS).control(clock);
        if plan.time_left().is_none() && plan.nodes() == u64::MAX {
            plan = plan.with_nodes(BEAM_NODES);
        }
        let gap = limits.largest_gap();
        if gap == 0 {
            let path = searcher.near(&self.position, path, 0, HASTY, &plan, control)?;
            let (path, optimal) = self.shortened(path, limits, control, events);
            return self.beside_bound(path, optimal, || self.bound(searcher, limits));
        }
        let bound = self.bound(searcher, limits)?;
        let enough = bound.lower_bound.saturating_add(gap) as usize;
        let path = searcher.near(&self.position, path, enough, HASTY, &plan, control)?;
        if path.length(self.metric) <= enough {
            return Ok(Outcome { path: Some(path), stopped: Some(Stop::Gap), ..bound });
        }
        let (path, optimal) = self.shortened(path, limits, control, events);
        let is_near = path.length(self.metric) <= enough;
        let missed = || control.check(0).unwrap_or(Stop::Nodes);
        let stopped = if is_near { Stop::Gap } else { missed() };
        let outcome = self.beside_bound(path, optimal, || Ok(bound))?;
        Ok(Outcome { stopped: Some(stopped), ..outcome })
    }

    /// Shortens a solution. Returns whether the result is proved to be optimal, too.
    fn shortened(
        &self,
        path: Path,
        limits: &Limits,
        control: &Control,
        events: Events,
    ) -> (Path, bool) {
        let before = path.length(self.metric);
        let until =
            if limits.is_limited() { control.clone() } else { control.clone().with_nodes(SHORTEN) };
        let shorten = match self.metric {
            Metric::Single => shorten,
            Metric::Multi => slide_shorten,
        };
        let (path, optimal) = shorten(&self.position, path, &until);
        let after = path.length(self.metric);
        let moves = self.canonical.path_back(&path);
        events(&Event::Shortened { board: &self.board, before, after, path: &moves });
        (path, optimal)
    }

    /// A solution as an outcome: beside a bound, unless it is proved to be optimal.
    fn beside_bound(
        &self,
        path: Path,
        optimal: bool,
        bound: impl FnOnce() -> Result<Outcome, BrokenTable>,
    ) -> Result<Outcome, BrokenTable> {
        if optimal {
            let lower_bound = path.length(self.metric) as u32;
            return Ok(Outcome { path: Some(path), lower_bound, ..Outcome::default() });
        }
        let bound = bound()?;
        Ok(Outcome { path: bound.path.or(Some(path)), ..bound })
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
        let path = match outcome.path {
            Some(path) => path,
            None => searcher.first(&self.position, BEAM)?,
        };
        let path = searcher.near(&self.position, path, 0, 4 * BEAM, &rest, &rest)?;
        Ok(Outcome { path: Some(path), ..outcome })
    }

    /// Runs a search for lower bounds; if it may take long, beside beams that look for a solution from
    /// above. They go on from `best`, and keep there what they find.
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

    /// The lower bound that a short search proves, for a solution that is not optimal.
    fn bound(&self, searcher: &Arc<Searcher>, limits: &Limits) -> Result<Outcome, BrokenTable> {
        // A bound is proved even if the time is over.
        let moment = searcher.guard(limits.until_cancelled().with_nodes(BOUND));
        let mut outcome = searcher.solve(&self.position, None, &moment, &())?;
        // That the limit of this search is reached is no reason to report; a cancel is one.
        outcome.stopped = limits.is_cancelled().then_some(Stop::Cancelled);
        Ok(outcome)
    }

    /// The bracket that a search gives, if its solution does solve the board and the databases are
    /// those that were built.
    pub fn finish(
        &self,
        outcome: Result<Outcome, BrokenTable>,
        clock: Clock,
    ) -> Result<Bracket, Error> {
        let searcher = self.searcher.as_deref();
        if let Some(searcher) = searcher {
            searcher.check.wait()?;
        }
        let origin = || searcher.map(|searcher| searcher.origin()).unwrap_or_default();
        let broken = |broken| Error::Broken { broken, origin: origin() };
        let mut outcome = outcome.map_err(broken)?;
        let method = searcher.map_or(Method::Ida, |searcher| searcher.method);
        if let Some(searcher) = searcher
            && method == Method::Ida
            && outcome.path.is_none()
            && let Some(stop) = outcome.stopped
        {
            let near = self.best_known(searcher, stop, clock.elapsed());
            outcome.path = Some(near.map_err(broken)?);
        }
        let length = outcome.path.as_ref().map(|path| path.length(self.metric));
        if length == Some(outcome.lower_bound as usize) {
            // The bound proves it.
            outcome.stopped = None;
        }
        let moves = self
            .replayed(&outcome, method.is_optimal())
            .map_err(|what| Error::Wrong { what, origin: searcher.and_then(Searcher::files) })?;
        let Outcome { lower_bound, generated, expanded, stopped, .. } = outcome;
        let heuristic = searcher.map_or("none".into(), |searcher| searcher.heuristic());
        let (time, earlier) = (clock.elapsed(), Duration::ZERO);
        let effort = Effort { generated, expanded, time, earlier, heuristic };
        let metric = self.metric;
        let solution =
            moves.map(|moves| Solution { moves, metric, lower_bound, effort: effort.clone() });
        Ok(Bracket { metric, lower_bound, solution, stopped, effort })
    }

    /// The best solution that can be found soon, after a search that was stopped without one.
    fn best_known(
        &self,
        searcher: &Searcher,
        stop: Stop,
        took: Duration,
    ) -> Result<Path, BrokenTable> {
        // Where there is no clock the nodes end it.
        let (time, nodes) = match stop {
            Stop::Cancelled => (WAIT.min(took / 10), BEAM_NODES),
            // It takes no longer than the search did.
            Stop::Time => (took, AFTER_TIME),
            _ => return searcher.first(&self.position, BEAM),
        };
        let path = searcher.first(&self.position, HASTY)?;
        let wait = Limits::default().time(time).nodes(nodes).control(Clock::start());
        searcher.near(&self.position, path, 0, BEAM, &wait, &wait)
    }

    /// The solution of a search as the board's own moves, if they solve it; `None` if the search
    /// was stopped before it found one.
    fn replayed(&self, outcome: &Outcome, optimal: bool) -> Result<Option<Path>, &'static str> {
        let Some(path) = &outcome.path else {
            return outcome.stopped.map(|_| None).ok_or("the search found no solution");
        };
        let length = path.length(self.metric);
        if length < outcome.lower_bound as usize {
            return Err("the solution is shorter than the bound proved");
        }
        if optimal && length > outcome.lower_bound as usize && outcome.stopped.is_none() {
            return Err("the solution is longer than the bound proved");
        }
        let moves = self.canonical.path_back(path);
        match self.board.after(&moves) {
            Ok(end) if end == *self.canonical.goal().board() => Ok(Some(moves)),
            _ => Err("the moves found do not lead to the goal"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Grid};

    #[test]
    fn every_answer_is_replayed() {
        let goal = Goal::named("blank-last", Grid::new(3, 2).unwrap()).unwrap();
        let canonical = Arc::new(Canonical::of(&goal));
        let board: Board = "1 2 3 / 0 4 5".parse().unwrap();
        let position = canonical.position(&board).unwrap();
        let metric = Metric::Single;
        let task = Task { board, position, canonical, metric, searcher: None };
        // On the canonical board, which is rotated by half a turn, left is right.
        let outcome = |path: &str, lower_bound| {
            let path = Some(path.parse().unwrap());
            Outcome { path, lower_bound, ..Outcome::default() }
        };
        let replayed = |outcome: &Outcome| task.replayed(outcome, true);
        assert_eq!(replayed(&outcome("RR", 2)), Ok(Some("LL".parse().unwrap())));
        assert!(replayed(&outcome("LL", 2)).is_err());
        assert!(replayed(&outcome("R", 1)).is_err());
        assert!(replayed(&outcome("RR", 0)).is_err());
        assert!(replayed(&outcome("RR", 4)).is_err());
        assert!(replayed(&Outcome::default()).is_err());
        let stopped = Outcome { stopped: Some(Stop::Time), ..Outcome::default() };
        assert_eq!(replayed(&stopped), Ok(None));
        // Not proved to be optimal, but a solution.
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("RR", 0) };
        assert_eq!(replayed(&stopped), Ok(Some("LL".parse().unwrap())));
        let wrong = task.finish(Ok(outcome("R", 1)), Clock::default());
        // Without tables no database is blamed.
        let message = wrong.unwrap_err().to_string();
        assert_eq!(message, "internal error: the moves found do not lead to the goal");
    }
}
