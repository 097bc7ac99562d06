//! A board with its search: from the board to its answer, by every method.

use std::sync::Arc;
use std::time::Duration;

use super::beams::{BEAM, BEAM_NODES, HASTY};
use super::proof::{Best, Proving};
use super::searcher::Searcher;
use super::short::Short;
use super::{Bracket, Effort, Error, Limits, Method, Solver};
use crate::board::{Board, Canonical, Moves, Position};
use crate::pdb::BrokenTable;
use crate::search::{Clock, Outcome, SearchError, Stop, Threshold};

/// A solvable board and its search. Tasks are independent of each other, and run on any thread.
pub(super) struct Task {
    pub solver: Solver,
    pub board: Board,
    pub position: Position,
    pub canonical: Arc<Canonical>,
    pub searcher: Arc<Searcher>,
}

/// The longest time in which beams look for a better solution after a cancel. They take a tenth of the
/// time of the search.
pub(super) const WAIT: Duration = Duration::from_millis(300);

/// The most nodes for which beams are planned after a search that a limit ended.
const AFTER_LIMIT: u64 = 300_000;

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

impl Task {
    /// Solves the board on the current rayon thread pool, within limits whose clock runs. Returns the last
    /// threshold of the search, too.
    pub fn run(&self, limits: &Limits) -> Result<(Bracket, Threshold), Error> {
        let found = if self.position.is_goal() {
            let solved = Outcome { path: Some(Moves::default()), ..Outcome::default() };
            Ok((solved, Threshold::default()))
        } else if self.searcher.method.is_optimal() {
            self.by_search(limits)
        } else {
            let outcome = Short::new(self, limits).run();
            outcome.map(|outcome| (outcome, Threshold::default()))
        };
        let (outcome, threshold) = found.map_err(|broken| self.searcher.error(broken))?;
        Ok((self.finish(outcome, limits)?, threshold))
    }

    fn by_search(&self, limits: &Limits) -> Result<(Outcome, Threshold), BrokenTable> {
        let Task { position, searcher, .. } = self;
        let long = searcher.is_long(position);
        let share = if long { PROOF } else { 1.0 };
        let proof = limits.clone().share_of_time(share);
        let (outcome, threshold) = Proving::new(self, &proof, Best::default())?.run()?;
        if !long || outcome.stopped != Some(Stop::Time) {
            return Ok((outcome, threshold));
        }
        let near = outcome.lower_bound().saturating_add(limits.gap) as usize;
        let enough = if limits.gap > 0 { near } else { 0 };
        let path = match outcome.path {
            Some(path) => path,
            None => searcher.first(position, BEAM)?,
        };
        let rest = searcher.guard(limits);
        let path = searcher.near(position, path, enough, 4 * BEAM, &rest, &rest)?;
        Ok((Outcome { path: Some(path), ..outcome }, threshold))
    }

    /// The bracket that a search gives, if its solution does solve the board and the databases are as they
    /// were built.
    pub fn finish(&self, mut outcome: Outcome, limits: &Limits) -> Result<Bracket, Error> {
        let searcher = &*self.searcher;
        let (metric, method) = (searcher.metric, searcher.method);
        searcher.check.wait()?;
        let (lower_bound, gap) = (outcome.lower_bound(), limits.gap);
        if method == Method::Ida
            && outcome.path.is_none()
            && let Some(stop) = outcome.stopped
        {
            let near = self.best_known(stop, limits, lower_bound);
            outcome.path = Some(near.map_err(|broken| searcher.error(broken))?);
        }
        let length = outcome.path.as_ref().map(|path| path.length(metric));
        let near = lower_bound.saturating_add(gap) as usize;
        if length == Some(lower_bound as usize) {
            // The bound proves it.
            outcome.stopped = None;
        } else if gap > 0 && length.is_some_and(|length| length <= near) {
            // A beam that followed the search came near enough.
            outcome.stopped = outcome.stopped.and(Some(Stop::Gap));
        }
        let wrong = |what| Error::Wrong { what, origin: searcher.files() };
        let moves = self.replayed(&outcome).map_err(wrong)?;
        let mut bracket = self.bracket(&outcome, moves, limits);
        bracket.falls_short &= method.is_optimal() || (method == Method::Beam && gap > 0);
        Ok(bracket)
    }

    /// The bracket of an outcome, with the board's own moves.
    pub fn bracket(&self, outcome: &Outcome, moves: Option<Moves>, limits: &Limits) -> Bracket {
        let &Outcome { generated, expanded, stopped, .. } = outcome;
        let Searcher { metric, heuristic, .. } = &*self.searcher;
        let (time, heuristic) = (limits.clock.elapsed(), heuristic.clone());
        let effort = Effort { generated, expanded, time, earlier: Duration::ZERO, heuristic };
        Bracket::new(*metric, outcome.lower_bound(), moves, stopped, effort)
    }

    /// The best solution that can be found soon, after a search that was stopped without one.
    fn best_known(&self, stop: Stop, limits: &Limits, bound: u32) -> Result<Moves, BrokenTable> {
        let Task { position, searcher, .. } = self;
        let took = limits.clock.elapsed();
        // Without a clock the nodes end it.
        let wait = Limits::default();
        let wait = match stop {
            Stop::Cancelled => wait.time(WAIT.min(took / 10)).nodes(BEAM_NODES),
            // They take no longer than the search did.
            Stop::Time => wait.time(took).nodes(AFTER_LIMIT),
            Stop::Nodes => wait.nodes(limits.most_nodes().min(AFTER_LIMIT)),
            _ => return searcher.first(position, BEAM),
        };
        let path = searcher.first(position, HASTY)?;
        let wait = wait.on(Clock::start());
        searcher.near(position, path, bound as usize, BEAM, &wait, &wait)
    }

    /// The solution of a search as the board's own moves, if they solve it; `None` if the search
    /// was stopped before it found one.
    fn replayed(&self, outcome: &Outcome) -> Result<Option<Moves>, &'static str> {
        let Searcher { metric, method, .. } = *self.searcher;
        let is_own = outcome.proof.as_ref().is_none_or(|proof| proof.is_of(&self.position, metric));
        let moves = outcome.path.as_ref().map(|path| self.canonical.path_back(path));
        let path = moves.as_ref().zip(outcome.path.as_ref()).map(|(moves, path)| {
            let end = self.board.after(moves);
            let leads = end.is_ok_and(|end| end == *self.canonical.goal().board());
            (path.length(metric), leads)
        });
        let (ended, optimal) = (outcome.stopped.is_none(), method.is_optimal());
        check(is_own, outcome.lower_bound(), path, ended, optimal)?;
        Ok(moves)
    }

    /// Counts the optimal solutions and lists some of them, as the board's own moves. `threshold` belongs to
    /// the search that found one.
    pub fn count(
        &self,
        threshold: &Threshold,
        limits: &Limits,
        most: usize,
    ) -> Result<Result<(u128, Vec<Moves>), Stop>, Error> {
        match self.searcher.solutions(&self.position, threshold, limits) {
            Ok(found) => {
                let paths = found.list(most);
                let paths = paths.iter().map(|path| self.canonical.path_back(path));
                Ok(Ok((found.count(), paths.collect())))
            }
            Err(SearchError::Stopped(stop)) => Ok(Err(stop)),
            Err(error) => Err(self.searcher.error(error)),
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
        _ if !is_own => Err("the proof belongs to another board"),
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
    use crate::board::Move;
    use crate::reference::Manhattan;
    use crate::search::{Limits, ida_star};
    use crate::store::Store;

    #[test]
    fn every_answer_is_replayed() {
        let builder = Solver::builder().heuristic("manhattan".parse().unwrap());
        let solver = builder.store(Store::memory()).build().unwrap();
        let board: Board = "1 2 3 / 0 4 5".parse().unwrap();
        let canonical = solver.canonical(board.grid()).unwrap();
        let task = solver.task(&board, canonical, None, &Limits::default()).unwrap();
        let manhattan = Manhattan::new(task.position.grid(), task.position.goal_blank());
        let proof = |position| ida_star(position, &manhattan, &Limits::default()).proof;
        let proof_of_two = proof(&task.position);
        let outcome = |path: &str, proof| {
            let path = Some(path.parse().unwrap());
            Outcome { path, proof, ..Outcome::default() }
        };
        let replayed = |outcome: &Outcome| task.replayed(outcome);
        // On the canonical board, which is rotated by half a turn, left is right.
        assert_eq!(replayed(&outcome("RR", proof_of_two.clone())), Ok(Some("LL".parse().unwrap())));
        assert!(replayed(&outcome("LL", proof_of_two.clone())).is_err());
        assert!(replayed(&outcome("R", proof_of_two)).is_err());
        assert!(replayed(&outcome("RR", None)).is_err());
        let mut other = task.position.clone();
        let _ = other.make(Move::Up).or_else(|| other.make(Move::Down));
        let other = replayed(&outcome("RR", proof(&other)));
        assert_eq!(other, Err("the proof belongs to another board"));
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
