//! A board with its search: from the board to its answer, by every method.

use std::sync::Arc;
use std::time::Duration;

use super::beams::{BEAM_NODES, HASTY};
use super::event::Events;
use super::proof::{Best, Proving};
use super::searcher::Searcher;
use super::short::Short;
use super::{Bracket, Effort, Error, Event, Limits, Method};
use crate::board::{Board, Canonical, Metric, Moves, Position};
use crate::pdb::BrokenTable;
use crate::search::{Clock, Engine, Outcome, SearchError, Stage, Stop, Threshold};

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

/// The width of the beam for a solution that accompanies a bound: a few hundredths of a second on 5×5.
pub(super) const BEAM: usize = 1_000;

/// The longest time in which beams look for a better solution after a cancel. They take a tenth of the
/// time of the search.
const WAIT: Duration = Duration::from_millis(300);

/// The most nodes for which beams are planned after a search that a limit ended.
const AFTER_LIMIT: u64 = 300_000;

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

impl Task {
    /// The engine, if it searches the board, with its searcher.
    pub fn engine(&self) -> Option<(&Arc<Searcher>, &Engine)> {
        let searcher = self.searcher.as_ref()?;
        Some((searcher, searcher.engine()?))
    }

    /// Solves the board on the current rayon thread pool, within limits whose clock runs. Returns the last
    /// threshold of the search, too.
    pub fn run(&self, limits: &Limits, events: Events) -> Result<(Bracket, Threshold), Error> {
        let Some(searcher) = &self.searcher else {
            let solved = Outcome { path: Some(Moves::default()), ..Outcome::default() };
            return Ok((self.finish(solved, limits)?, Threshold::default()));
        };
        let found = match searcher.method.traits().steps {
            Some(steps) => Short::new(self, searcher, limits, events)
                .run(steps)
                .map(|outcome| (outcome, Threshold::default())),
            None => self.by_search(searcher, limits),
        };
        let (outcome, threshold) = found.map_err(|broken| searcher.error(broken))?;
        let mut bracket = self.finish(outcome, limits)?;
        let gap = limits.largest_gap();
        if gap > 0 && bracket.falls_short && bracket.gap().is_some_and(|found| found <= gap) {
            // A beam that followed the search came near enough.
            (bracket.stopped, bracket.falls_short) = (Some(Stop::Gap), false);
        }
        bracket.falls_short &=
            searcher.method.is_optimal() || (searcher.method.is_by_beams() && gap > 0);
        Ok((bracket, threshold))
    }

    fn by_search(
        &self,
        searcher: &Arc<Searcher>,
        limits: &Limits,
    ) -> Result<(Outcome, Threshold), BrokenTable> {
        let long = searcher.is_long(&self.position);
        let share = if long { PROOF } else { 1.0 };
        let proof = limits.clone().share_of_time(share);
        let (outcome, threshold) = Proving::new(self, searcher, &proof, Best::default())?.run()?;
        if !long || outcome.stopped != Some(Stop::Time) {
            return Ok((outcome, threshold));
        }
        let gap = limits.largest_gap();
        let enough = if gap > 0 { outcome.lower_bound().saturating_add(gap) as usize } else { 0 };
        let path = match outcome.path {
            Some(path) => path,
            None => searcher.first(&self.position, BEAM)?,
        };
        let rest = searcher.guard(limits);
        let path = searcher.near(&self.position, path, enough, 4 * BEAM, &rest, &rest)?;
        Ok((Outcome { path: Some(path), ..outcome }, threshold))
    }

    /// Reports a stage of a solution.
    pub fn report(&self, stage: &Stage, events: Events) {
        let mut tiles: Vec<u8> =
            stage.tiles.iter().filter_map(|&label| self.canonical.tile(label)).collect();
        tiles.sort_unstable();
        events(&Event::Stage { board: &self.board, tiles: &tiles, moves: stage.moves });
    }

    /// The bracket that a search gives, if its solution does solve the board and the databases are as they
    /// were built.
    pub fn finish(&self, mut outcome: Outcome, limits: &Limits) -> Result<Bracket, Error> {
        let searcher = self.searcher.as_deref();
        let method = searcher.map_or(Method::Ida, |searcher| searcher.method);
        if let Some(searcher) = searcher {
            searcher.check.wait()?;
            if method.traits().falls_back_on_beams
                && outcome.path.is_none()
                && let Some(stop) = outcome.stopped
            {
                let near = self.best_known(searcher, stop, limits, outcome.lower_bound());
                outcome.path = Some(near.map_err(|broken| searcher.error(broken))?);
            }
        }
        let length = outcome.path.as_ref().map(|path| path.length(self.metric));
        let lower_bound = outcome.lower_bound();
        if length == Some(lower_bound as usize) {
            // The bound proves it.
            outcome.stopped = None;
        }
        let moves = self
            .replayed(&outcome, method.is_optimal())
            .map_err(|what| Error::Wrong { what, origin: searcher.and_then(Searcher::files) })?;
        let heuristic = searcher.map_or("none".into(), |searcher| searcher.heuristic());
        let nodes = [outcome.generated, outcome.expanded];
        let effort = Effort::new(nodes, limits.clock().elapsed(), heuristic);
        Ok(Bracket::new(self.metric, lower_bound, moves, outcome.stopped, effort))
    }

    /// The best solution that can be found soon, after a search that was stopped without one.
    fn best_known(
        &self,
        searcher: &Searcher,
        stop: Stop,
        limits: &Limits,
        lower_bound: u32,
    ) -> Result<Moves, BrokenTable> {
        let took = limits.clock().elapsed();
        // Without a clock the nodes end it.
        let wait = Limits::default();
        let wait = match stop {
            Stop::Cancelled => wait.time(WAIT.min(took / 10)).nodes(BEAM_NODES),
            // They take no longer than the search did.
            Stop::Time => wait.time(took).nodes(AFTER_LIMIT),
            Stop::Nodes => wait.nodes(limits.most_nodes().min(AFTER_LIMIT)),
            _ => return searcher.first(&self.position, BEAM),
        };
        let path = searcher.first(&self.position, HASTY)?;
        let wait = wait.on(Clock::start());
        searcher.near(&self.position, path, lower_bound as usize, BEAM, &wait, &wait)
    }

    /// The solution of a search as the board's own moves, if they solve it; `None` if the search
    /// was stopped before it found one.
    fn replayed(&self, outcome: &Outcome, optimal: bool) -> Result<Option<Moves>, &'static str> {
        let is_own =
            outcome.proof.as_ref().is_none_or(|proof| proof.is_of(&self.position, self.metric));
        let moves = outcome.path.as_ref().map(|path| self.canonical.path_back(path));
        let path = moves.as_ref().zip(outcome.path.as_ref()).map(|(moves, path)| {
            let end = self.board.after(moves);
            let leads = end.is_ok_and(|end| end == *self.canonical.goal().board());
            (path.length(self.metric), leads)
        });
        check(is_own, outcome.lower_bound(), path, outcome.stopped.is_none(), optimal)?;
        Ok(moves)
    }

    /// Counts the optimal solutions and lists some of them, as the board's own moves. `threshold` belongs to
    /// the search that found one.
    pub fn count(
        &self,
        searcher: &Searcher,
        threshold: &Threshold,
        limits: &Limits,
        most: usize,
    ) -> Result<Result<(u128, Vec<Moves>), Stop>, Error> {
        match searcher.solutions(&self.position, threshold, limits) {
            Ok(found) => {
                let paths = found.list(most);
                let paths = paths.iter().map(|path| self.canonical.path_back(path));
                Ok(Ok((found.count(), paths.collect())))
            }
            Err(SearchError::Stopped(stop)) => Ok(Err(stop)),
            Err(error) => Err(searcher.error(error)),
        }
    }
}

/// Checks an answer: the proof is the board's own, and the length of the path, which leads to the goal, is
/// not below the bound. A search that has ended has a path, and its length is the bound if it is to be
/// optimal.
pub(super) fn check(
    is_own: bool,
    lower_bound: u32,
    path: Option<(usize, bool)>,
    ended: bool,
    optimal: bool,
) -> Result<(), &'static str> {
    let bound = lower_bound as usize;
    match path {
        _ if !is_own => Err("the proof is one of another board"),
        None if ended => Err("the search found no solution"),
        Some((_, false)) => Err("the moves found do not lead to the goal"),
        Some((length, _)) if length < bound => Err("the solution is shorter than the bound proved"),
        Some((length, _)) if length > bound && ended && optimal => {
            Err("the solution is longer than the bound proved")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Grid, Move};
    use crate::reference::Manhattan;
    use crate::search::{Limits, ida_star};

    #[test]
    fn every_answer_is_replayed() {
        let goal = Goal::named("blank-last", Grid::new(3, 2).unwrap()).unwrap();
        let canonical = Arc::new(Canonical::of(&goal));
        let board: Board = "1 2 3 / 0 4 5".parse().unwrap();
        let position = canonical.position(&board).unwrap();
        let metric = Metric::Single;
        let task = Task { board, position, canonical, metric, searcher: None };
        let manhattan = Manhattan::new(task.position.grid(), task.position.goal_blank());
        let proof = |position| ida_star(position, &manhattan, &Limits::default()).proof;
        let proof_of_two = proof(&task.position);
        let outcome = |path: &str, proof| {
            let path = Some(path.parse().unwrap());
            Outcome { path, proof, ..Outcome::default() }
        };
        let replayed = |outcome: &Outcome| task.replayed(outcome, true);
        // On the canonical board, which is rotated by half a turn, left is right.
        assert_eq!(replayed(&outcome("RR", proof_of_two.clone())), Ok(Some("LL".parse().unwrap())));
        assert!(replayed(&outcome("LL", proof_of_two.clone())).is_err());
        assert!(replayed(&outcome("R", proof_of_two)).is_err());
        assert!(replayed(&outcome("RR", None)).is_err());
        let mut other = task.position.clone();
        let _ = other.make(Move::Up).or_else(|| other.make(Move::Down));
        let other = replayed(&outcome("RR", proof(&other)));
        assert_eq!(other, Err("the proof is one of another board"));
        assert!(replayed(&Outcome::default()).is_err());
        let stopped = Outcome { stopped: Some(Stop::Time), ..Outcome::default() };
        assert_eq!(replayed(&stopped), Ok(None));
        // Not proved to be optimal, but a solution.
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("RR", None) };
        assert_eq!(replayed(&stopped), Ok(Some("LL".parse().unwrap())));
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("R", None) };
        let wrong = task.finish(stopped, &Limits::default());
        // Without tables no database is blamed.
        let message = wrong.unwrap_err().to_string();
        assert_eq!(message, "internal error: the moves found do not lead to the goal");
    }
}
