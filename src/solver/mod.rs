//! The solver: boards of any size, to any goal, with any heuristic and method.
//!
//! [`Solver::new`] solves to the goal with the blank last, with the standard heuristic.
//! [`Solver::builder`] sets everything else. The databases of a size are loaded or built when the
//! first board of that size comes, or by [`Solver::prepare`].
//!
//! ```
//! use taquin::{Board, Limits, Solver, Store};
//!
//! let solver = Solver::builder().goal("spiral").store(Store::memory()).build()?;
//! let board: Board = "1 2 3 / 0 8 4 / 7 6 5".parse()?;
//! assert_eq!(solver.solve(&board)?.moves().to_string(), "L");
//!
//! // A limit ends a search with a bracket: the bound proved, and the best solution known.
//! let board: Board = "8 7 6 / 5 4 3 / 1 2 0".parse()?;
//! let bracket = solver.solve_with(&board, &Limits::default().nodes(0))?;
//! assert!(!bracket.is_optimal() && bracket.lower_bound > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A goal has a [`Canonical`] form, which turns boards into positions and
//! solutions back into moves of the board. A heuristic and a size need a
//! [`Set`](crate::store::Set) of databases, which the store provides. From a board to its solution:
//!
//! ```text
//! Board ─▶ Position ─▶ Task ─▶ Proving ⇄ Searcher ─▶ Outcome ─▶ Solution
//!     Canonical                              ▲           replayed on the board
//!                            Set ─▶ Store ───┘
//! ```
//!
//! A `Searcher` has the tables, and begins the search of a method: with the engine, or a plain one. `Proving` asks
//! that search for one threshold after another, and runs beams between them. Methods that are not optimal have
//! `Short` in its place, which asks a `Searcher` for a lower bound.

mod analysis;
mod beams;
#[cfg(feature = "serde")]
mod checkpoint;
mod error;
mod event;
mod goal;
mod lists;
mod method;
mod open;
#[cfg(feature = "serde")]
mod packets;
mod proof;
#[cfg(feature = "serde")]
mod sealed;
mod searcher;
mod short;
mod solution;
#[cfg(feature = "serde")]
mod state;
mod stream;
#[cfg(feature = "serde")]
mod summary;
mod task;
mod threads;

use std::fmt;
use std::sync::Arc;

pub use analysis::{Analysis, Distance, Loss};
#[cfg(feature = "serde")]
pub use checkpoint::{Checkpoint, Subtrees};
pub use error::Error;
use error::{SLIDES, position};
pub use event::Event;
pub use goal::{GoalSpec, Target};
pub use method::{Method, MethodError};
#[cfg(feature = "serde")]
pub use packets::{Division, Packet, PacketError, PacketResult, Split};
#[cfg(feature = "serde")]
pub use sealed::MAX_LINE;
#[cfg(feature = "lab")]
pub(crate) use searcher::TableUse;
use searcher::{Kind, Searcher};
pub use solution::{Bracket, Effort, Solution, Solutions};
#[cfg(feature = "serde")]
pub use state::{CheckpointError, State};
pub use stream::Stream;
#[cfg(feature = "serde")]
pub use summary::{Cells, Posed, Summary};
use task::Task;
pub(crate) use threads::Threads;

use crate::board::{Board, Canonical, Goal, GoalError, Grid, Metric};
use crate::memo::{Memo, Once};
use crate::parallel::map_chunks;
use crate::reference::Spec;
pub use crate::search::Limits;
use crate::search::{self, Clock, OpenSearch, Stop, Threshold};
use crate::store::Store;

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
    shared: Arc<Shared>,
}

struct Shared {
    goal: GoalSpec,
    options: Builder,
    threads: Threads,
    canonicals: Memo<Grid, Arc<Canonical>>,
    /// By the goal's grid, the goal cell of the blank in its canonical form, and method.
    searchers: Memo<(Grid, usize, Method), Arc<Once<Loaded>>>,
    /// The searches for an open goal, by the number of tiles in each class.
    open: Memo<Box<[u8]>, Arc<OpenSearch>>,
}

/// The number of boards whose values a thread computes at once: some milliseconds of work.
const PART: usize = 512;

/// A searcher, or the reason why there is none.
type Loaded = Result<Arc<Searcher>, Error>;

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("goal", &self.shared.goal).finish_non_exhaustive()
    }
}

/// Receives events, from all threads.
type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;

/// Options of a [`Solver`].
///
/// ```
/// use taquin::{Solver, Store};
///
/// let solver = Solver::builder()
///     .goal("blank-first")
///     .heuristic("manhattan+linear-conflict".parse()?)
///     .store(Store::memory())
///     .build()?;
/// assert_eq!(solver.solve(&"1 0 2 / 3 4 5".parse()?)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Builder {
    goal: Result<GoalSpec, GoalError>,
    metric: Metric,
    heuristic: Spec,
    method: Option<Method>,
    store: Store,
    threads: Option<usize>,
    progress: Option<Listener>,
}

impl Builder {
    /// Sets the goal: a [`Goal`] or a [`Board`], or as text one of [`Goal::NAMES`], for boards of any
    /// size, or a board. By default `blank-last`.
    pub fn goal<G>(self, goal: G) -> Builder
    where
        G: TryInto<GoalSpec>,
        G::Error: Into<GoalError>,
    {
        Builder { goal: goal.try_into().map_err(Into::into), ..self }
    }

    /// Sets the unit that counts as one move. By default [`Metric::Single`].
    ///
    /// With [`Metric::Multi`] boards of up to 16 cells are solved in the fewest slides by
    /// [`Method::Ida`]; larger ones in few slides by [`Method::Beam`]. The heuristics are
    /// [`Spec::Standard`] and `manhattan`. Solutions are not counted, and searches are not kept in
    /// checkpoints or divided into packets.
    pub fn metric(self, metric: Metric) -> Builder {
        Builder { metric, ..self }
    }

    /// Sets the heuristic. By default [`Spec::Standard`].
    pub fn heuristic(self, heuristic: Spec) -> Builder {
        Builder { heuristic, ..self }
    }

    /// Sets the method. By default [`Method::Ida`], but [`Method::Beam`] for boards of more than
    /// 25 cells with the standard heuristic and with [`Spec::Learned`], and [`Method::Bfs`] with
    /// [`Spec::None`].
    pub fn method(self, method: Method) -> Builder {
        Builder { method: Some(method), ..self }
    }

    /// Sets the source of the databases. By default [`Store::default`], which builds missing ones:
    /// see [`Store::build_missing`] and [`Store::memory_limit`].
    pub fn store(self, store: Store) -> Builder {
        Builder { store, ..self }
    }

    /// Gives the solver this many separate threads; 0 counts as 1. By default it uses the rayon thread pool
    /// that it is called on: see *Panics* of [`Solver`].
    pub fn threads(self, threads: usize) -> Builder {
        Builder { threads: Some(threads), ..self }
    }

    /// Sets a function that receives the progress, from all threads. It must not use the solver.
    ///
    /// Of the boards that a stream solves at the same time, only the events that name their board are
    /// reported.
    pub fn progress(self, progress: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Builder {
        Builder { progress: Some(Box::new(progress)), ..self }
    }

    /// Builds the solver. No database is looked at yet: see [`Solver::prepare`].
    ///
    /// # Errors
    /// - [`Error::Goal`] if the goal is neither a name nor a board of some size;
    /// - [`Error::NotForSlides`] if [`Metric::Multi`] does not have the heuristic or the method;
    /// - [`Error::TooManyThreads`] for more than [`MAX_THREADS`];
    /// - [`Error::Threads`] if the threads cannot be started.
    pub fn build(self) -> Result<Solver, Error> {
        let goal = self.goal.clone()?;
        if self.metric == Metric::Multi {
            Method::check_slides(self.method, &self.heuristic)?;
        }
        if let Some(threads) = self.threads.filter(|&threads| threads > MAX_THREADS) {
            return Err(Error::TooManyThreads(threads));
        }
        let shared = Shared {
            goal,
            threads: Threads::new(self.threads)?,
            options: self,
            canonicals: Memo::default(),
            searchers: Memo::default(),
            open: Memo::default(),
        };
        Ok(Solver { shared: Arc::new(shared) })
    }
}

/// The most threads of a solver.
pub const MAX_THREADS: usize = 1024;

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
        Builder {
            goal: Ok(GoalSpec::default()),
            metric: Metric::Single,
            heuristic: Spec::Standard,
            method: None,
            store: Store::default(),
            threads: None,
            progress: None,
        }
    }

    /// The goal for boards of a size.
    ///
    /// # Errors
    /// [`GoalError`] if the goal is a board of another size.
    pub fn goal(&self, grid: Grid) -> Result<Goal, GoalError> {
        Ok(self.canonical(grid)?.goal().clone())
    }

    /// The unit that counts as one move.
    pub fn metric(&self) -> Metric {
        self.shared.options.metric
    }

    /// Loads or builds the databases for boards of a size, instead of when the first board comes.
    /// It does not wait until files are checked: a damaged one shows with the first answer.
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
        self.searcher_for(grid, limits).map(drop)
    }

    /// The heuristic that the answers for boards of a size name. Given to [`Builder::heuristic`] by its text,
    /// it leads to the same searches, whatever databases there are.
    ///
    /// # Errors
    /// As [`Solver::prepare`].
    pub fn heuristic(&self, grid: Grid) -> Result<Arc<str>, Error> {
        Ok(self.searcher_for(grid, &Limits::default())?.heuristic.clone())
    }

    /// Solves a board.
    ///
    /// The solution is optimal unless the method is not. If a board has several optimal solutions,
    /// the answer is always the same one, whatever the number of threads.
    ///
    /// A random 4×4 board takes a fraction of a millisecond, a board at 80 moves some 0.1 s.
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

    /// Solves a board within limits. A search that a limit ends gives the lower bound proved, and, with
    /// [`Method::Ida`], a solution that may be longer than necessary. Even if it is optimal, it may differ
    /// from the solution of [`Solver::solve`].
    ///
    /// # Errors
    /// As [`Solver::solve`]; a limit is not an error. [`Error::Stopped`] if the building of databases was
    /// cancelled.
    pub fn solve_with(&self, board: &Board, limits: &Limits) -> Result<Bracket, Error> {
        if self.shared.goal.open().is_some() {
            return self.solve_labelled(&board.clone().into(), limits);
        }
        let task = self.task(board, self.canonical(board.grid())?, None, limits)?;
        Ok(self.run(&task, limits, Clock::start(), None)?.bracket)
    }

    /// The tables that a search for boards of a size may use. They are hashed.
    #[cfg(feature = "lab")]
    pub(crate) fn tables(&self, grid: Grid) -> Result<Vec<TableUse>, Error> {
        Ok(self.searcher_for(grid, &Limits::default())?.tables().to_vec())
    }

    /// Solves boards on all threads, and returns the results in the order of the boards, as they
    /// come. Called by a thread of a rayon pool, it solves them one after the other.
    ///
    /// It reads a limited number of boards ahead of the results, so that any number of boards can
    /// be streamed.
    ///
    /// # Panics
    /// The iterator panics if a thread of the stream does, for example in `boards`, and in a child
    /// that was forked from the process of the stream's threads.
    pub fn solve_all<I>(&self, boards: I) -> impl Iterator<Item = Result<Bracket, Error>> + use<I>
    where
        I: IntoIterator<Item = Board>,
        I::IntoIter: Send + 'static,
    {
        let items = boards.into_iter().map(|board| ((), Some(board)));
        let results = self.stream(items, Limits::default());
        results.map(|((), result)| result.expect("every item is a board"))
    }

    /// [`Solver::solve_all`] within limits, for boards that come with extra data. An item without a board
    /// keeps its place in the order.
    ///
    /// After a cancel the stream ends without the items whose search has not begun.
    ///
    /// # Panics
    /// As [`Solver::solve_all`].
    pub fn stream<T, I>(&self, items: I, limits: Limits) -> Stream<T, I::IntoIter>
    where
        I: IntoIterator<Item = (T, Option<Board>)>,
        I::IntoIter: Send + 'static,
        T: Send + 'static,
    {
        Stream::new(self.clone(), items.into_iter(), limits)
    }

    /// Counts the optimal solutions of a board, and lists the first `most` of them, by
    /// [`Method::Ida`] whatever the solver's method. A board of more than 25 cells has a solution by
    /// [`Method::Beam`], and no count.
    ///
    /// The node limit applies to the search for the first solution and to the count separately. The
    /// count goes through the last iteration of that search to its end, which takes up to some ten
    /// times as long, and remembers the positions that are on solutions.
    ///
    /// # Errors
    /// As [`Solver::solve`]; a limit is not an error.
    pub fn solutions(
        &self,
        board: &Board,
        limits: &Limits,
        most: usize,
    ) -> Result<Solutions, Error> {
        self.needs_single_tiles("the number of solutions")?;
        if self.shared.goal.open().is_some() {
            return self.solutions_labelled(&board.clone().into(), limits, most);
        }
        // Larger boards have no proof that ends, and no count.
        let is_large = board.grid().cells() > crate::search::Solutions::MAX_CELLS;
        let method = if is_large { Method::Beam } else { Method::Ida };
        let task = self.task(board, self.canonical(board.grid())?, Some(method), limits)?;
        self.run(&task, limits, Clock::start(), Some(most))
    }

    /// Solves a board, whose clock runs. If they are asked for, it counts the optimal solutions and lists some.
    fn run(
        &self,
        task: &Task,
        limits: &Limits,
        clock: Clock,
        most: Option<usize>,
    ) -> Result<Solutions, Error> {
        let limits = self.listening(limits, clock);
        let (bracket, last) = self.install(|| task.run(&limits))??;
        let is_counted = bracket.is_optimal() && !task.position.is_goal();
        let Some(most) = most.filter(|_| is_counted) else {
            let stopped = bracket.stopped;
            return Ok(Solutions::only(bracket, stopped, most.unwrap_or_default()));
        };
        let limits = limits.on(Clock::after(bracket.effort.time).run());
        let threshold = Threshold { bound: bracket.lower_bound, ..last };
        match self.install(|| task.count(&threshold, &limits, most))?? {
            Err(stop) => Ok(Solutions::only(bracket, Some(stop), 0)),
            Ok((0, _)) => {
                let what = "the solution found is not among all solutions";
                Err(Error::Wrong { what, origin: task.searcher.files() })
            }
            Ok((count, paths)) => Ok(Solutions { count: Ok(count), paths, bracket }),
        }
    }

    /// The heuristic's value of a board: a lower bound on the length of its solutions.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn value(&self, board: &Board) -> Result<u32, Error> {
        Ok(self.values(std::slice::from_ref(board), &Limits::default())?[0])
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
            let canonical = self.canonical(boards[0].grid())?;
            let position = |board: &Board| position(&canonical, board);
            // An unsolvable board is an error before any database is built.
            position(&boards[0])?;
            let searcher = self.searcher(self.kind(&canonical, None), limits)?;
            let part = |boards: &[Board]| {
                if limits.is_cancelled() {
                    return Err(Error::Stopped(Stop::Cancelled));
                }
                let positions: Vec<_> = boards.iter().map(position).collect::<Result<_, _>>()?;
                searcher.values(&positions).map_err(|broken| searcher.error(broken))
            };
            // Other threads are woken only for a second part.
            let parts = || map_chunks(boards, PART, |_, boards| part(boards));
            let parts = self.install(parts)?;
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

    /// Refuses features that only the single-tile metric has.
    fn needs_single_tiles(&self, what: &'static str) -> Result<(), Error> {
        match self.metric() {
            Metric::Single => Ok(()),
            Metric::Multi => Err(Error::Without { search: SLIDES, what, option: "metric" }),
        }
    }

    fn report(&self, event: &Event<'_>) {
        if let Some(progress) = &self.shared.options.progress {
            progress(event);
        }
    }

    /// Runs work on the solver's threads.
    fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        self.shared.threads.run(work)
    }

    fn canonical(&self, grid: Grid) -> Result<Arc<Canonical>, GoalError> {
        let Shared { canonicals, goal, .. } = &*self.shared;
        if let Some(canonical) = canonicals.get(&grid) {
            return Ok(canonical);
        }
        Ok(canonicals.keep(grid, Arc::new(Canonical::of(&goal.goal(grid)?))))
    }

    /// The search for boards of a size.
    fn searcher_for(&self, grid: Grid, limits: &Limits) -> Result<Arc<Searcher>, Error> {
        self.searcher(self.kind(&*self.canonical(grid)?, None), limits)
    }

    /// The search that is wanted for a goal, by the solver's method unless another one is given.
    fn kind<'a>(&'a self, canonical: &'a Canonical, method: Option<Method>) -> Kind<'a> {
        let Builder { metric, ref heuristic, method: own, .. } = self.shared.options;
        let default = || Method::default_for(canonical.grid(), metric, heuristic);
        Kind { metric, heuristic, method: method.or(own).unwrap_or_else(default), canonical }
    }

    /// The search for a goal, loaded by one thread while others wait for it.
    fn searcher(&self, kind: Kind<'_>, limits: &Limits) -> Result<Arc<Searcher>, Error> {
        let Shared { searchers, options, .. } = &*self.shared;
        let canonical = kind.canonical;
        let key = (canonical.goal().board().grid(), canonical.goal_blank(), kind.method);
        let slot = searchers.get(&key).unwrap_or_else(|| searchers.keep(key, Arc::default()));
        let wait = || match limits.is_cancelled() {
            true => Err(Error::Stopped(Stop::Cancelled)),
            false => Ok(rayon::current_thread_index().is_none()),
        };
        let load = || {
            let events = |event: &Event<'_>| self.report(event);
            let store = options.store.clone().cancel(&limits.cancel);
            match self.install(|| Searcher::load(kind, &store, &events))? {
                // The next board begins again.
                Err(Error::Stopped(stop)) => Err(Error::Stopped(stop)),
                loaded => Ok(loaded.map(Arc::new)),
            }
        };
        slot.get_or_make(wait, load)?
    }

    /// A board with the search that solves it.
    fn task(
        &self,
        board: &Board,
        canonical: Arc<Canonical>,
        method: Option<Method>,
        limits: &Limits,
    ) -> Result<Task, Error> {
        let position = position(&canonical, board)?;
        let kind = self.kind(&canonical, method);
        let searcher = match position.is_goal() {
            // It needs no data.
            true => {
                let blind = Kind { heuristic: &Spec::None, method: Method::Bfs, ..kind };
                Searcher::load(blind, &self.shared.options.store, &|_| ())?.into()
            }
            false => self.searcher(kind, limits)?,
        };
        Ok(Task { solver: self.clone(), board: board.clone(), position, canonical, searcher })
    }

    /// A board with a search that keeps a record, unless it is solved already. Another one is refused
    /// before any database is built.
    #[cfg(feature = "serde")]
    fn recorded(
        &self,
        board: &Board,
        method: Option<Method>,
        what: &'static str,
        limits: &Limits,
    ) -> Result<Task, Error> {
        self.needs_single_tiles(what)?;
        let canonical = self.canonical(board.grid())?;
        let position = position(&canonical, board)?;
        if !position.is_goal() && !self.kind(&canonical, method).keeps_record()? {
            return Err(CheckpointError::NoRecord.into());
        }
        let task = self.task(board, canonical, method, limits)?;
        if !position.is_goal() {
            // Another heuristic may stand in.
            task.searcher.engine().ok_or(CheckpointError::NoRecord)?;
        }
        // A damaged table must not be taken for another database, nor leave a file.
        task.searcher.check.wait()?;
        Ok(task)
    }

    /// These limits on a clock, for searches whose events the solver reports.
    fn listening(&self, limits: &Limits, clock: Clock) -> Limits {
        let (limits, solver) = (limits.clone().on(clock), self.clone());
        limits.listener(move |event| {
            solver.report(&match *event {
                search::Event::Threshold(threshold) => Event::Threshold(threshold),
                search::Event::Nodes(nodes) => Event::Nodes(nodes),
                search::Event::Bound(bound) => Event::Bound(bound),
                search::Event::Shorter(moves) => Event::Shorter(moves),
                _ => return,
            });
        })
    }
}
