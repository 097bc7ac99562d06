//! The heart of a solver, which its clones share: the goal and the options, the threads, and each search that
//! was loaded. It makes no search itself: see [`Task`](crate::solver::answer::Task).

use std::sync::Arc;

use super::ladder::{Begin, Rung, TableSet, ladder};
use super::plan::{Request, check_slides};
use super::searcher::Searcher;
use super::threads::Threads;
use crate::board::{Board, Canonical, GoalError, Grid, Metric};
use crate::memo::{Memo, Once};
use crate::search::{Clock, Limits, OpenSearch};
use crate::solver::layers::{DistanceTable, TableOfMany};
use crate::solver::options::{Builder, Event, GoalSpec, MAX_THREADS, Method, SearchEvent};
use crate::solver::results::{Error, SLIDES};
use crate::store::TWO_PATTERN_CELLS;

pub struct Shared {
    pub goal: GoalSpec,
    pub options: Builder,
    pub threads: Threads,
    canonicals: Memo<Grid, Arc<Canonical>>,
    /// The searchers by the goal's grid, the goal cell of the blank in its canonical form, method and tables.
    searchers: Memo<(Grid, usize, Method, TableSet), Arc<Once<Loaded>>>,
    /// The searches for an open goal, by the number of tiles in each class.
    pub open: Memo<Box<[u8]>, Arc<OpenSearch>>,
    /// The distances of all boards of a small size.
    tables: Memo<Grid, Arc<TableOfMany>>,
}

/// A searcher, or the reason why there is none.
type Loaded = Result<Arc<Searcher>, Error>;

/// Returns whether this thread may wait for work on the threads: a worker of a rayon pool may not.
fn may_wait() -> bool {
    rayon::current_thread_index().is_none()
}

impl Shared {
    /// Checks the options, and starts the threads.
    pub fn new(options: Builder) -> Result<Shared, Error> {
        let goal = options.goal.clone()?;
        match options.metric {
            Metric::Single => {}
            Metric::Multi => check_slides(options.method, &options.heuristic)?,
        }
        if let Some(threads) = options.threads.filter(|&threads| threads > MAX_THREADS) {
            return Err(Error::TooManyThreads(threads));
        }
        Ok(Shared {
            goal,
            threads: Threads::new(options.threads)?,
            options,
            canonicals: Memo::default(),
            searchers: Memo::default(),
            open: Memo::default(),
            tables: Memo::default(),
        })
    }

    /// The table of all distances of boards of one size, if they are small and many.
    pub fn table(&self, boards: &[Board]) -> Option<Arc<DistanceTable>> {
        let grid = boards.first()?.grid();
        let canonical = self.canonical(grid).ok()?;
        let new = || self.tables.keep(grid, Arc::default());
        let of_many = self.tables.get(&grid).unwrap_or_else(new);
        if !of_many.pays(boards.len(), grid) {
            return None;
        }
        let table = || DistanceTable::new(canonical.goal(), self.options.metric).into();
        // Without threads the searches have the error.
        of_many.table.get_or_make(|| Ok(may_wait()), || self.install(table)).ok()
    }

    /// Refuses features that only the single-tile metric has.
    pub fn needs_single_tiles(&self, what: &'static str) -> Result<(), Error> {
        match self.options.metric {
            Metric::Single => Ok(()),
            Metric::Multi => Err(Error::Without { search: SLIDES, what, option: "metric" }),
        }
    }

    pub fn report(&self, event: &Event<'_>) {
        if let Some(progress) = &self.options.progress {
            progress(event);
        }
    }

    /// Runs work on the solver's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        self.threads.run(work)
    }

    pub fn canonical(&self, grid: Grid) -> Result<Arc<Canonical>, GoalError> {
        let Shared { canonicals, goal, .. } = self;
        if let Some(canonical) = canonicals.get(&grid) {
            return Ok(canonical);
        }
        Ok(canonicals.keep(grid, Arc::new(Canonical::of(&goal.goal(grid)?))))
    }

    /// The search for boards of a size.
    pub fn searcher_for(&self, grid: Grid, limits: &Limits) -> Result<Arc<Searcher>, Error> {
        self.searcher(self.request(&*self.canonical(grid)?, None), TableSet::Whole, limits)
    }

    /// The search that is wanted for a goal, by the solver's method unless another one is given.
    pub fn request<'a>(&'a self, canonical: &'a Canonical, method: Option<Method>) -> Request<'a> {
        let Builder { metric, ref heuristic, method: own, .. } = self.options;
        let default = || Method::default_for(canonical.grid(), metric, heuristic);
        Request { metric, heuristic, method: method.or(own).unwrap_or_else(default), canonical }
    }

    /// The search for a goal with some tables, loaded by one thread while others wait for it. The limits end
    /// the building of databases, too, except the limit of nodes.
    pub fn searcher(
        &self,
        request: Request<'_>,
        tables: TableSet,
        limits: &Limits,
    ) -> Result<Arc<Searcher>, Error> {
        let limits = limits.clone().nodes(u64::MAX);
        let wait = || match limits.check(0) {
            Some(stop) => Err(Error::Stopped(stop)),
            None => Ok(may_wait()),
        };
        let load = || {
            let cancel = limits.cancel.child();
            let events = |event: &Event<'_>| {
                if limits.check(0).is_some() {
                    cancel.cancel();
                }
                self.report(event);
            };
            let store = tables.store(self.options.store.clone().cancel(&cancel));
            let heuristic = tables.heuristic(request);
            let request =
                Request { heuristic: heuristic.as_ref().unwrap_or(request.heuristic), ..request };
            match self.install(|| Searcher::load(request, &store, &events))? {
                // The next board begins again.
                Err(Error::Stopped(stop)) => Err(Error::Stopped(stop)),
                loaded => Ok(loaded.map(Arc::new)),
            }
        };
        self.slot(request, tables).get_or_make(wait, load)?
    }

    /// The place of a search, which may not be loaded yet.
    fn slot(
        &self,
        Request { canonical, method, .. }: Request<'_>,
        tables: TableSet,
    ) -> Arc<Once<Loaded>> {
        let key = (canonical.goal().board().grid(), canonical.goal_blank(), method, tables);
        self.searchers.get(&key).unwrap_or_else(|| self.searchers.keep(key, Arc::default()))
    }

    /// The rungs of a search, upward from the one with which it begins. Nothing of it is worked out for
    /// each board of a stream.
    pub fn ladder(&self, request: Request<'_>, begin: Begin) -> Vec<Rung> {
        let is_loaded =
            || self.slot(request, TableSet::Whole).get().is_some_and(|loaded| loaded.is_ok());
        match request.canonical.grid().cells() <= TWO_PATTERN_CELLS && is_loaded() {
            true => vec![Rung { tables: TableSet::Whole, price: 0 }],
            false => ladder(request, &self.options.store, begin),
        }
    }

    /// These limits on a clock, for searches whose events the solver reports.
    pub fn listening(self: &Arc<Shared>, limits: &Limits, clock: Clock) -> Limits {
        let (limits, shared) = (limits.clone().on(clock), self.clone());
        limits.listener(move |event| {
            // Records alone need the finished subtrees.
            if !matches!(event, SearchEvent::Finished(_)) {
                shared.report(&Event::Search(*event));
            }
        })
    }
}
