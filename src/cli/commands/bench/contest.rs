//! The searches of a bench.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use rayon::ThreadPoolBuilder;

use super::suite::{Case, Suite};
use crate::cli::args::limits::Limits;
use crate::cli::databases::TableBytes;
use crate::cli::engine::EngineError;
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::heuristics::{self, Heuristic, HeuristicError, Shelf};
use crate::cli::output::progress::Bar;
use crate::heuristic::Spec;
use crate::pdb::BrokenTable;
use crate::search::{Catalogue, Control, Outcome, Solver, ida_star_guided};

/// A heuristic, and the search that it guides.
pub struct Contestant {
    pub name: String,
    search: Search,
}

enum Search {
    Fast(Box<Solver<TableBytes>>),
    Catalogue(Box<Catalogue<TableBytes>>),
    Plain(Box<Heuristic>),
}

/// Why a heuristic cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{spec} is not for boards of this size or goal: {spec} is for {}", sizes(.spec))]
    NoSuchSearch { spec: Spec },
}

impl ContestError {
    pub fn code(&self) -> ExitCode {
        match self {
            ContestError::Heuristic(error) => heuristics::code(error),
            ContestError::Engine(_) => ExitCode::Database,
            ContestError::NoSuchSearch { .. } => ExitCode::Usage,
        }
    }
}

/// The boards that have such a search.
fn sizes(spec: &Spec) -> &'static str {
    if *spec == Spec::Standard { "boards of 6 to 25 cells" } else { "4x4" }
}

/// One search.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The value of the position.
    pub h: u32,
    /// The length of the solution, unless a limit came first.
    pub length: Option<u32>,
    pub generated: u64,
    pub expanded: u64,
    pub time: Duration,
}

impl Contestant {
    pub fn new<N: Fn(fmt::Arguments)>(
        spec: &Spec,
        shelf: &mut Shelf<'_, N>,
    ) -> Result<Contestant, ContestError> {
        let search = match spec {
            Spec::Bound(bounds) => Search::Plain(Box::new(shelf.compose(bounds)?)),
            spec => match shelf.solver(spec)? {
                Some(solver) => Search::Fast(solver),
                None => match shelf.catalogue(spec)? {
                    Some(catalogue) => Search::Catalogue(catalogue),
                    None => return Err(ContestError::NoSuchSearch { spec: spec.clone() }),
                },
            },
        };
        Ok(Contestant { name: spec.to_string(), search })
    }

    /// The value of a position.
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        match &self.search {
            Search::Fast(solver) => solver.value(labels),
            Search::Catalogue(catalogue) => catalogue.value(labels),
            Search::Plain(heuristic) => heuristic.value(labels),
        }
    }

    fn solve(
        &self,
        suite: &Suite,
        labels: &[u8],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        match &self.search {
            Search::Fast(solver) => solver.solve(labels, control),
            Search::Catalogue(catalogue) => catalogue.solve(labels, control, &()),
            Search::Plain(heuristic) => {
                ida_star_guided(suite.grid, suite.blank, labels, heuristic, control)
            }
        }
    }

    fn attempt(&self, suite: &Suite, case: &Case, limits: Limits) -> Result<Trial, BrokenTable> {
        let h = self.value(&case.labels)?;
        let start = Instant::now();
        let outcome = if case.board == *suite.goal.board() {
            Outcome { path: Some(Default::default()), ..Outcome::default() }
        } else {
            self.solve(suite, &case.labels, &limits.control(&Control::default()))?
        };
        let time = start.elapsed();
        let Outcome { path, generated, expanded, .. } = outcome;
        Ok(Trial { h, length: path.map(|path| path.len() as u32), generated, expanded, time })
    }
}

/// The failure of a search with a damaged table.
pub fn broken(error: BrokenTable) -> Failure {
    Failure::database(anyhow::anyhow!("{error}"))
}

/// Tries all heuristics on all boards, `threads` boards at a time. The trials are in the order of
/// the boards, those of a board in the order of the heuristics.
pub fn run(
    contestants: &[Contestant],
    suite: &Suite,
    limits: Limits,
    threads: usize,
) -> Result<Vec<Vec<Trial>>, Failure> {
    let bar = Bar::searching((suite.cases.len() * contestants.len()) as u64);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(suite.cases.len()));
    let work = || -> Result<(), Failure> {
        // The fast search takes all threads of the pool it runs in.
        let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(Failure::usage)?;
        pool.install(|| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = suite.cases.get(number) else { return Ok(()) };
                let attempt = |contestant: &Contestant| {
                    bar.on(&contestant.name);
                    let trial = contestant.attempt(suite, case, limits);
                    bar.step();
                    trial
                };
                let trials = contestants.iter().map(attempt).collect::<Result<Vec<_>, _>>();
                let trials = trials.map_err(broken)?;
                let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                done.push((number, trials));
            }
        })
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no search panics"))
    })?;
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, trials)| trials).collect())
}
