//! The searches of a bench.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use rayon::ThreadPoolBuilder;

use super::suite::{Case, Suite};
use crate::board::Board;
use crate::cli::advice::failure;
use crate::cli::exit::Failure;
use crate::cli::output::bar::Bar;
use crate::cli::output::progress::Progress;
use crate::heuristic::Spec;
use crate::solver::{Error, Event, Limits, Method, Solver};
use crate::store::{Set, Store};

/// A heuristic, and the solver that it guides.
pub struct Contestant {
    pub name: String,
    solver: Solver,
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
    /// Loads or builds the databases of a heuristic, and checks them.
    pub fn new(spec: &Spec, suite: &Suite, store: &Store) -> Result<Contestant, Failure> {
        let goal = suite.goal.board();
        let progress = Arc::new(Progress::new(store, false));
        if *spec == Spec::Standard {
            // A solver would use another heuristic in place of these databases.
            let set = Set::parse(None, goal.grid(), goal.blank()).map_err(|_| {
                Failure::usage(anyhow!(
                    "standard is not for these boards: standard is for boards of 6 to 25 cells"
                ))
            })?;
            let loaded = store.load(&set, &|event| progress.store(event));
            loaded.map_err(|error| failure(error.into()))?;
        }
        let mut builder = Solver::builder().goal(goal).heuristic(spec.clone());
        if matches!(spec, Spec::Bound(_)) {
            // These are compared by what they prune, in one plain search.
            builder = builder.method(Method::Plain);
        }
        let events = move |event: &Event<'_>| {
            if let Event::Store(event) = event {
                progress.store(event);
            }
        };
        let solver = builder.store(store.clone()).progress(events).build().map_err(failure)?;
        // The value waits for the check of the files, which would slow down the first searches.
        solver.value(goal).map_err(failure)?;
        Ok(Contestant { name: spec.to_string(), solver })
    }

    /// The value of a board.
    pub fn value(&self, board: &Board) -> Result<u32, Error> {
        self.solver.value(board)
    }

    fn attempt(&self, case: &Case, limits: &Limits) -> Result<Trial, Error> {
        let h = self.value(&case.board)?;
        let bracket = self.solver.solve_with(&case.board, limits)?;
        let length = bracket.is_optimal().then_some(bracket.lower_bound);
        let effort = bracket.effort;
        let (generated, expanded, time) = (effort.generated, effort.expanded, effort.time);
        Ok(Trial { h, length, generated, expanded, time })
    }
}

/// Tries all heuristics on all boards, `threads` boards at a time. The trials are in the order of
/// the boards, those of a board in the order of the heuristics.
pub fn run(
    contestants: &[Contestant],
    suite: &Suite,
    limits: &Limits,
    threads: usize,
) -> Result<Vec<Vec<Trial>>, Failure> {
    let bar = Bar::searching((suite.cases.len() * contestants.len()) as u64);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(suite.cases.len()));
    let work = || -> Result<(), Failure> {
        // A search uses all threads of its pool.
        let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(Failure::usage)?;
        pool.install(|| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = suite.cases.get(number) else { return Ok(()) };
                let attempt = |contestant: &Contestant| {
                    bar.on(&contestant.name);
                    let trial = contestant.attempt(case, limits);
                    bar.step();
                    trial
                };
                let trials = contestants.iter().map(attempt).collect::<Result<Vec<_>, _>>();
                let trials = trials.map_err(failure)?;
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
