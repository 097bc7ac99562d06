//! A board with the search that solves it, and the checks of what that search finds.

use std::sync::Arc;
use std::vec;

use crate::board::{Board, Canonical, Goal, GoalError, Metric, Moves, Position, PositionError};
use crate::classics::Spec;
use crate::search::{Limits, Outcome, Stop, Threshold};
use crate::solver::options::Method;
#[cfg(feature = "serde")]
use crate::solver::results::CheckpointError;
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::{Begin, Request, Rung, Searcher, Shared, TableSet};
use crate::store::{StoreError, TWO_PATTERN_CELLS};

/// A solvable board and its search. Tasks are independent of each other, and run on any thread.
pub struct Task {
    pub shared: Arc<Shared>,
    pub board: Board,
    pub position: Position,
    pub canonical: Arc<Canonical>,
    pub searcher: Arc<Searcher>,
    /// The most moves of the solution that is looked for. Without them it is the shortest one.
    pub within: Option<u32>,
    /// The rungs of the ladder above this search.
    above: vec::IntoIter<Rung>,
    /// The bound that the rungs below have proved, and the nodes that they took.
    pub before: Outcome,
    /// The threshold at which the search ended, from which its solutions are counted.
    pub last: Threshold,
}

impl Task {
    /// A board with the search that solves it, by the solver's method unless another one is given.
    pub fn new(
        shared: &Arc<Shared>,
        board: &Board,
        method: Option<Method>,
        begin: Begin,
        limits: &Limits,
    ) -> Result<Task, Error> {
        Task::for_goal(shared.canonical(board.grid())?, shared, board, method, begin, limits)
    }

    /// [`Task::new`] for another goal than the solver's.
    pub fn for_goal(
        canonical: Arc<Canonical>,
        shared: &Arc<Shared>,
        board: &Board,
        method: Option<Method>,
        begin: Begin,
        limits: &Limits,
    ) -> Result<Task, Error> {
        let position = position(&canonical, board)?;
        let request = shared.request(&canonical, method);
        let mut above = shared.ladder(request, begin).into_iter();
        let tables = above.next().map_or(TableSet::Whole, |rung| rung.tables);
        let searcher = match position.is_goal() {
            // It needs no data.
            true => {
                let blind = Request { heuristic: &Spec::None, method: Method::Bfs, ..request };
                Searcher::load(blind, &shared.options.store, &|_| ())?.into()
            }
            false => shared.searcher(request, tables, limits)?,
        };
        let (shared, board) = (shared.clone(), board.clone());
        let (before, last) = (Outcome::default(), Threshold::default());
        Ok(Task { shared, board, position, canonical, searcher, within: None, above, before, last })
    }

    /// The nodes after which the search turns to the next rung.
    pub fn price(&self) -> Option<u64> {
        self.above.as_slice().first().map(|rung| rung.price)
    }

    /// The price of the next rung, if the search turns to it within these nodes. A trial takes at most a tenth of them.
    pub fn price_within(&self, nodes: u64) -> Option<u64> {
        match self.is_trial() {
            true => self.price().map(|price| price.min(nodes / 10)),
            false => self.price().filter(|&price| price < nodes),
        }
    }

    /// Returns whether the search is a trial: the first one of a large board answers, or leaves no trace in the
    /// search with tables.
    pub fn is_trial(&self) -> bool {
        self.price().is_some() && self.position.grid().cells() > TWO_PATTERN_CELLS
    }

    /// Turns to the next rung. Where a limit comes before its tables are built, the search has ended; where they
    /// are larger than the store may hold, it goes on with those that it has.
    pub fn climb(&mut self, limits: &Limits) -> Result<(), Error> {
        let was_trial = self.is_trial();
        let Some(rung) = self.above.next() else { return Ok(()) };
        let request = self.shared.request(&self.canonical, Some(self.searcher.method));
        match self.shared.searcher(request, rung.tables, limits) {
            Ok(searcher) => {
                self.searcher = searcher;
                if was_trial {
                    self.before = Outcome::default();
                }
            }
            Err(Error::Stopped(stop)) => {
                let stop = limits.clone().nodes(u64::MAX).check(0).unwrap_or(stop);
                self.before.stopped = Some(stop);
            }
            Err(Error::Store(error))
                if matches!(*error, StoreError::TooLarge(_))
                    && self.searcher.prover().is_some() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Returns whether the board is searched alone.
    pub fn runs_alone(&self) -> bool {
        self.price().is_some() || self.searcher.runs_alone(&self.position)
    }

    /// A board with a search that keeps a record, unless it is solved already. Another one is refused
    /// before any database is built.
    #[cfg(feature = "serde")]
    pub fn recorded(
        shared: &Arc<Shared>,
        board: &Board,
        method: Option<Method>,
        what: &'static str,
        limits: &Limits,
    ) -> Result<Task, Error> {
        shared.needs_single_tiles(what)?;
        let canonical = shared.canonical(board.grid())?;
        let keeps_record = || shared.request(&canonical, method).keeps_record();
        if !position(&canonical, board)?.is_goal() && !keeps_record()? {
            return Err(CheckpointError::NoRecord.into());
        }
        let task = Task::new(shared, board, method, Begin::Whole, limits)?;
        // A damaged table must not be taken for another database, nor leave a file.
        task.searcher.check.wait()?;
        Ok(task)
    }

    /// The bracket of an outcome, whose solution is replayed on the board.
    pub fn bracket(&self, outcome: &Outcome, limits: &Limits) -> Result<Bracket, Error> {
        let wrong = |what| Error::Wrong { what, origin: self.searcher.files() };
        let moves = self.replayed(outcome).map_err(wrong)?;
        Ok(self.searcher.bracket(outcome, moves, limits))
    }

    /// The solution of a search as the board's own moves, if they solve it; `None` if the search
    /// was stopped before it found one.
    pub fn replayed(&self, outcome: &Outcome) -> Result<Option<Moves>, &'static str> {
        let Searcher { metric, method, .. } = *self.searcher;
        let moves = outcome.path.as_ref().map(|path| self.canonical.path_back(path));
        let path = moves.as_ref().zip(outcome.path.as_ref()).map(|(moves, path)| {
            let end = self.board.after(moves);
            let leads = end.is_ok_and(|end| end == *self.canonical.goal().board());
            (path.length(metric), leads)
        });
        check(outcome, &self.position, metric, path, method.is_optimal())?;
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
        let found = self.searcher.solutions(&self.position, threshold, limits)?;
        Ok(found.map(|found| {
            let paths = found.list(most);
            let paths = paths.iter().map(|path| self.canonical.path_back(path));
            (found.count(), paths.collect())
        }))
    }
}

/// A board as a position of its canonical goal.
pub fn position(canonical: &Canonical, board: &Board) -> Result<Position, Error> {
    canonical.position(board).map_err(|error| match error {
        PositionError::Unsolvable(solvability) => {
            Error::Unsolvable { solvability, reachable: Goal::reachable(board) }
        }
        PositionError::Size { goal, board } => Error::Goal(GoalError::Size { goal, board }),
        PositionError::NotAPermutation { .. } => unreachable!("a board is a permutation"),
    })
}

/// Checks an answer: the proof is the board's own, and the length of the path, which leads to the goal, is
/// not below the bound. A search that has ended has a path, and its length is the bound if it is to be
/// optimal.
pub fn check<P: Clone + PartialEq>(
    outcome: &Outcome<P>,
    position: &P,
    metric: Metric,
    path: Option<(usize, bool)>,
    is_optimal: bool,
) -> Result<(), &'static str> {
    let (bound, has_ended) = (outcome.lower_bound() as usize, outcome.stopped.is_none());
    let is_own = outcome.proof.as_ref().is_none_or(|proof| proof.is_of(position, metric));
    match path {
        _ if !is_own => Err("the proof belongs to another board"),
        None if has_ended => Err("the search found no solution"),
        Some((_, false)) => Err("the moves found do not lead to the goal"),
        Some((length, _)) if length < bound => Err("the solution is shorter than the bound proved"),
        Some((length, _)) if length > bound && has_ended && is_optimal => {
            Err("the solution is longer than the bound proved")
        }
        _ => Ok(()),
    }
}
