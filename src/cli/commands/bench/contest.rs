//! The searches of a bench.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::bail;
use rayon::ThreadPoolBuilder;

use super::suite::{Case, Suite};
use crate::board::{Board, Metric};
use crate::cli::advice::failure;
use crate::cli::exit::{Failure, wrong};
use crate::cli::output::bar::Bar;
use crate::cli::output::progress::Progress;
use crate::heuristic::Spec;
use crate::search::Cancel;
use crate::solver::{Error, Limits, Method, Solver};
use crate::store::{Set, Store};

/// A heuristic, and the solver that it guides.
pub struct Contestant {
    /// As it was asked for.
    pub name: String,
    /// The name of what runs.
    pub ran: String,
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
        if suite.metric == Metric::Single && *spec == Spec::Standard {
            // A solver would use another heuristic in place of these databases.
            let set = Set::parse(None, goal.grid(), goal.blank()).map_err(|_| {
                wrong!("standard is not for these boards: standard is for boards of 6 to 25 cells")
            })?;
            let loaded = store.load(&set, &|event| progress.store(event));
            loaded.map_err(failure)?;
        }
        let builder = Solver::builder().goal(goal).metric(suite.metric);
        let mut builder = builder.heuristic(spec.clone());
        if matches!(spec, Spec::Bound(_)) {
            // These are compared by what they prune, in one plain search.
            builder = builder.method(Method::Plain);
        }
        let builder = builder.store(store.clone()).progress(progress.of_stores());
        let solver = builder.build().map_err(failure)?;
        // The value waits for the check of the files, which would slow down the first searches.
        solver.value(goal).map_err(failure)?;
        let ran = solver.heuristic(goal.grid()).map_err(failure)?.to_string();
        Ok(Contestant { name: spec.to_string(), ran, solver })
    }

    /// The name, and that of what runs where it is another one.
    pub fn label(&self) -> String {
        let Contestant { name, ran, .. } = self;
        if name == ran { name.clone() } else { format!("{name} ({ran})") }
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

/// The trials of a board, in the order of the heuristics.
pub struct Tried {
    /// The board's place in its set, from 0.
    pub place: usize,
    /// Its optimal length, if it is known.
    pub optimal: Option<u32>,
    pub trials: Vec<Trial>,
}

/// Tries all heuristics on all boards, `threads` boards at a time, until `cancel` is cancelled.
/// Passes the boards that all heuristics have tried to `each`, in order. An error of `each` ends
/// the bench.
pub fn run(
    contestants: &[Contestant],
    suite: &Suite,
    limits: &Limits,
    cancel: &Cancel,
    threads: usize,
    mut each: impl FnMut(Tried) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let bar = Bar::searching((suite.cases.len() * contestants.len()) as u64);
    let next = AtomicUsize::new(0);
    let next_board = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        suite.cases.get(place).filter(|_| !cancel.is_cancelled()).map(|case| (place, case))
    };
    let try_board = |case: &Case| -> Result<Vec<Trial>, Error> {
        let attempt = |contestant: &Contestant| {
            bar.on(&contestant.name);
            let trial = contestant.attempt(case, limits);
            bar.step();
            trial
        };
        contestants.iter().map(attempt).collect()
    };
    let work = |sender: Sender<(usize, Result<Vec<Trial>, Failure>)>| {
        // A search uses all threads of its pool.
        let pool = match ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool,
            // The receiver is only gone if the bench has ended.
            Err(error) => return drop(sender.send((0, Err(Failure::usage(error))))),
        };
        pool.install(|| {
            while let Some((place, case)) = next_board() {
                let trials = try_board(case).map_err(failure);
                // A search that was cancelled counts for nothing.
                if cancel.is_cancelled() || sender.send((place, trials)).is_err() {
                    return;
                }
            }
        });
    };
    let mut pass = |(place, trials): (usize, Vec<Trial>)| {
        let optimal =
            optimum(contestants, place, &suite.cases[place], &trials).map_err(Failure::database)?;
        each(Tried { place, optimal, trials })
    };
    let mut in_order = |results: Receiver<(usize, Result<Vec<Trial>, Failure>)>| {
        let mut waiting = BTreeMap::new();
        let mut passed = 0;
        for (place, trials) in results {
            waiting.insert(place, trials?);
            while let Some(trials) = waiting.remove(&passed) {
                pass((passed, trials))?;
                passed += 1;
            }
        }
        // Boards after one that was cancelled.
        waiting.into_iter().try_for_each(&mut pass)
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        let ended = in_order(receiver);
        if ended.is_err() {
            cancel.cancel();
        }
        ended
    })
}

/// The optimal length of a board, known before or found by a heuristic.
///
/// # Errors
/// Two answers that differ: a table is damaged, or a heuristic is not admissible.
fn optimum(
    contestants: &[Contestant],
    place: usize,
    case: &Case,
    trials: &[Trial],
) -> anyhow::Result<Option<u32>> {
    let mut known = case.known.map(|length| (length, "the set"));
    for (contestant, trial) in contestants.iter().zip(trials) {
        let name = contestant.name.as_str();
        match (trial.length, known) {
            (Some(length), Some((other, by))) if length != other => bail!(
                "internal error: board {} ({}) has length {length} by {name} and {other} by {by}: \
                 the databases may be damaged: check with `pdb-gen verify`",
                place + 1,
                case.board
            ),
            (Some(length), None) => known = Some((length, name)),
            _ => {}
        }
    }
    Ok(known.map(|(length, _)| length))
}
