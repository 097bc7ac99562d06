//! [`Solver`]: a board in, its answer out. The rooms above add the questions that they answer: searches that are kept,
//! distances, streams.

use std::fmt;
use std::sync::Arc;

use crate::board::{Board, Goal, GoalError, Grid, LabelledBoard, Metric};
use crate::parallel::map_chunks;
use crate::search::{self, Clock, Limits, Stop};
use crate::solver::answer::{self, Task, position};
use crate::solver::options::{Builder, Method};
use crate::solver::results::{Bracket, Error, Solution, Solutions};
#[cfg(feature = "lab")]
use crate::solver::searches::TableUse;
use crate::solver::searches::{Begin, Shared, TableSet};

/// The number of boards whose values a thread computes at once: some milliseconds of work.
const PART: usize = 512;

/// A solver for one goal, heuristic, method and store.
///
/// It is shared by any number of threads, and clones are cheap: they are the same solver. A search
/// uses the solver's own threads if [`Builder::threads`] was given, otherwise the current rayon thread
/// pool.
///
/// The databases of a size are loaded once. If that fails, the solver returns the same error for all boards
/// of that size; a new solver tries again. A cancelled build is not a failure: the next board begins it
/// again.
///
/// A process that was forked may use the solvers of its parent, and make new ones. There they have separate
/// threads, as many as given to [`Builder::threads`]; without it, all share one pool of rayon's default size.
///
/// # Panics
/// Without [`Builder::threads`], outside a rayon pool, the first work starts rayon's global pool.
/// Rayon panics if the system refuses its threads. With [`Builder::threads`] that is an
/// [`Error::Threads`].
#[derive(Clone)]
pub struct Solver {
    pub(super) shared: Arc<Shared>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("goal", &self.shared.goal).finish_non_exhaustive()
    }
}

impl Builder {
    /// Builds the solver. No database is looked at yet: see [`Solver::prepare`].
    ///
    /// # Errors
    /// - [`Error::Goal`] if the goal is neither a name nor a board of some size;
    /// - [`Error::NotForSlides`] if [`Metric::Multi`] does not support the heuristic or the method;
    /// - [`Error::TooManyThreads`] for more than [`MAX_THREADS`](crate::solver::MAX_THREADS);
    /// - [`Error::Threads`] if the threads cannot be started.
    pub fn build(self) -> Result<Solver, Error> {
        Ok(Solver { shared: Shared::new(self)?.into() })
    }
}

impl Solver {
    /// A solver for the goal with the blank last, with the standard heuristic, and the databases
    /// in the default folder, where missing ones are built.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn new() -> Result<Solver, Error> {
        Solver::builder().build()
    }

    /// The options of a solver.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The goal for boards of a size.
    ///
    /// # Errors
    /// [`GoalError`] if the goal is a board of another size.
    pub fn goal(&self, grid: Grid) -> Result<Goal, GoalError> {
        Ok(self.shared.canonical(grid)?.goal().clone())
    }

    /// The unit that counts as one move.
    pub fn metric(&self) -> Metric {
        self.shared.options.metric
    }

    /// Loads or builds the databases for boards of a size now, not when the first board comes. It does not
    /// wait until the files are checked: a damaged one is reported with the first answer.
    ///
    /// # Errors
    /// As [`Solver::solve`] for a board of that size, but never [`Error::Damaged`].
    pub fn prepare(&self, grid: Grid) -> Result<(), Error> {
        self.prepare_with(grid, &Limits::default())
    }

    /// [`Solver::prepare`], unless the handle of the limits cancels it. A caller that waits for
    /// another's build returns at once, and that build goes on.
    ///
    /// # Errors
    /// As [`Solver::prepare`]; [`Error::Stopped`] if a build was cancelled.
    pub fn prepare_with(&self, grid: Grid, limits: &Limits) -> Result<(), Error> {
        self.shared.searcher_for(grid, limits).map(drop)
    }

    /// The heuristic that the answers for boards of a size name. Given to [`Builder::heuristic`] by its text,
    /// it leads to the same searches, whatever databases there are.
    ///
    /// # Errors
    /// As [`Solver::prepare`].
    pub fn heuristic(&self, grid: Grid) -> Result<Arc<str>, Error> {
        Ok(self.shared.searcher_for(grid, &Limits::default())?.heuristic.clone())
    }

    /// Solves a board.
    ///
    /// The solution is optimal unless the method is not. If a board has several optimal solutions,
    /// the answer is always the same one, whatever the number of threads.
    ///
    /// A random 4×4 board takes a fraction of a millisecond, a board 80 moves from the goal about 0.1 s.
    ///
    /// # Errors
    /// - [`Error::Goal`] if the goal is a board of another size;
    /// - [`Error::Unsolvable`] if moves cannot reach the goal;
    /// - [`Error::Unavailable`], [`Error::Heuristic`] if there is no such heuristic for the size;
    /// - [`Error::Store`] if databases are missing, unusable or too large;
    /// - [`Error::Damaged`], [`Error::Broken`], [`Error::Wrong`] if databases are damaged;
    /// - [`Error::Stopped`] if the search fills its memory without a solution.
    pub fn solve(&self, board: &Board) -> Result<Solution, Error> {
        let bracket = self.solve_with(board, &Limits::default())?;
        match (bracket.solution, bracket.stopped) {
            (Some(solution), None) => Ok(solution),
            (_, stopped) => Err(Error::Stopped(stopped.expect("a search ends or is stopped"))),
        }
    }

    /// Solves a board within limits. If a limit ends the search, the bracket has the lower bound proved, and,
    /// with [`Method::Ida`], a solution that may be longer than necessary. Even if it is optimal, it may
    /// differ from the solution of [`Solver::solve`].
    ///
    /// The goal may be open: it has equal tiles, or cells that do not matter. Boards of up to 25 cells are then solved
    /// optimally, if the limits and 2 GiB suffice; otherwise the bracket has a solution that may be longer.
    /// Larger boards are solved to one of the assignments of tiles to cells.
    ///
    /// ```
    /// use taquin::{LabelledBoard, Limits, Solver, Store};
    ///
    /// let solver = Solver::builder().goal("A A A / B * B / C C _").store(Store::memory()).build()?;
    /// let board: LabelledBoard = "C A B / A C _ / D B A".parse()?;
    /// let bracket = solver.solve_with(&board, &Limits::default())?;
    /// assert!(bracket.is_optimal());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solver::solve`]; a limit is not an error. [`Error::Stopped`] if the building of databases was
    /// cancelled; [`Error::Goal`] if the labels do not match the goal; [`Error::Without`] for a metric, a heuristic or a
    /// method that open goals do not support.
    pub fn solve_with(
        &self,
        board: impl Into<LabelledBoard>,
        limits: &Limits,
    ) -> Result<Bracket, Error> {
        let board = board.into();
        if self.is_by_labels(&board) {
            return Ok(answer::solve_open(&self.shared, &board, limits, None)?.bracket);
        }
        let mut task = Task::new(&self.shared, board.board(), None, Begin::Low, limits)?;
        answer::solve(&mut task, limits, Clock::start())
    }

    /// Returns whether a board is solved by the labels of its tiles, not by their numbers.
    fn is_by_labels(&self, board: &LabelledBoard) -> bool {
        self.shared.goal.open().is_some() || board.has_labels()
    }

    /// The tables that a search for boards of a size may use. They are hashed.
    #[cfg(feature = "lab")]
    pub(crate) fn tables(&self, grid: Grid) -> Result<Vec<TableUse>, Error> {
        Ok(self.shared.searcher_for(grid, &Limits::default())?.tables().to_vec())
    }

    /// Counts the optimal solutions of a board, and lists the first `most` of them, by
    /// [`Method::Ida`] whatever the solver's method. A board of more than 25 cells has a solution by
    /// [`Method::Beam`], and no count: [`Solutions::count`] is [`Stop::Method`].
    ///
    /// The node limit applies to the search for the first solution and to the count separately. The count
    /// repeats the last iteration of that search in full, which can take about ten times as long, and keeps
    /// the positions on solutions in memory.
    ///
    /// # Errors
    /// As [`Solver::solve_with`].
    pub fn solutions(
        &self,
        board: impl Into<LabelledBoard>,
        limits: &Limits,
        most: usize,
    ) -> Result<Solutions, Error> {
        self.shared.needs_single_tiles("the number of solutions")?;
        let board = board.into();
        if self.is_by_labels(&board) {
            return answer::solve_open(&self.shared, &board, limits, Some(most));
        }
        let board = board.board();
        // Larger boards have no proof that ends, and no count.
        let is_large = board.grid().cells() > search::Solutions::MAX_CELLS;
        let method = if is_large { Method::Beam } else { Method::Ida };
        let mut task = Task::new(&self.shared, board, Some(method), Begin::Low, limits)?;
        answer::count(&mut task, limits, Some(most))
    }

    /// The heuristic's value of a board: a lower bound on the length of its solutions. A board that cannot reach the
    /// goal has one too, except in the multi-tile metric.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn value(&self, board: &Board) -> Result<u32, Error> {
        let unsolvable = match self.values(std::slice::from_ref(board), &Limits::default()) {
            Err(error @ Error::Unsolvable { .. }) => error,
            values => return Ok(values?[0]),
        };
        let canonical = self.shared.canonical(board.grid())?;
        let searcher = self.shared.searcher_for(board.grid(), &Limits::default())?;
        let value = searcher.value_of(&canonical.labels(board));
        searcher.check.wait()?;
        value?.ok_or(unsolvable)
    }

    /// The heuristic's values of boards, in their order, computed on all threads. Of the limits
    /// only the handle to cancel applies.
    ///
    /// # Errors
    /// As [`Solver::solve`], for the first board that has an error; [`Error::Stopped`] after a
    /// cancel.
    pub fn values(&self, boards: &[Board], limits: &Limits) -> Result<Vec<u32>, Error> {
        let mut values = Vec::with_capacity(boards.len());
        // Boards of one size come one after the other.
        for boards in boards.chunk_by(|a, b| a.grid() == b.grid()) {
            let canonical = self.shared.canonical(boards[0].grid())?;
            let position = |board: &Board| position(&canonical, board);
            // An unsolvable board is an error before any database is built.
            position(&boards[0])?;
            let request = self.shared.request(&canonical, None);
            let searcher = self.shared.searcher(request, TableSet::Whole, limits)?;
            let part = |_, boards: &[Board]| {
                if limits.is_cancelled() {
                    return Err(Error::Stopped(Stop::Cancelled));
                }
                let positions: Vec<_> = boards.iter().map(position).collect::<Result<_, _>>()?;
                searcher.values(&positions)
            };
            // Other threads are woken only for a second part.
            let parts = self.shared.install(|| map_chunks(boards, PART, part))?;
            searcher.check.wait()?;
            for part in parts {
                values.extend(part?);
            }
        }
        Ok(values)
    }

    /// The number of threads that search.
    pub fn threads(&self) -> usize {
        self.shared.threads.count()
    }
}
