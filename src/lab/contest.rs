//! The searches of a run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::Error;
use super::distances::Distances;
use super::entry::Entry;
use super::statistics::ratio_interval;
use super::suite::{Case, Suite};
use super::trial::{Kept, Trial};
use crate::board::Board;
use crate::search::Cancel;
use crate::solver::Limits;

/// The settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The boards that are tried at the same time. Each search uses one thread.
    pub threads: usize,
    /// The time for the search of a board.
    pub time_limit: Option<Duration>,
    /// The nodes for the search of a board.
    pub node_limit: Option<u64>,
    /// The time of the run. Boards without all their trials at its end do not count.
    pub budget: Option<Duration>,
    /// The run ends once the 95 % interval of each ratio of nodes is at most this share of the ratio to
    /// either side.
    pub until: Option<f64>,
    /// The positions that a program values at once in a search.
    pub batch: usize,
    /// The weight of the path in A* with a program: see
    /// [`batch_a_star`](crate::reference::batch_a_star()).
    pub weight: f64,
    /// The time for a batch of a program.
    pub answer_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            time_limit: None,
            node_limit: None,
            budget: None,
            until: None,
            batch: 1000,
            weight: 1.0,
            answer_time: Duration::from_secs(60),
        }
    }
}

impl Settings {
    fn limits(&self, cancel: &Cancel) -> Limits {
        let mut limits = Limits::default().cancel(cancel);
        if let Some(time) = self.time_limit {
            limits = limits.time(time);
        }
        if let Some(nodes) = self.node_limit {
            limits = limits.nodes(nodes);
        }
        limits
    }
}

/// The trials of a board, in the order of the entries.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tried {
    /// The board's place in its suite, from 0.
    pub place: usize,
    /// Its optimal length, if it is known.
    pub optimal: Option<u32>,
    /// The trials.
    pub trials: Vec<Trial>,
}

/// A step of a run, to be shown by the caller.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// A search with the entry of this name begins.
    Begins(&'a str),
    /// It has ended.
    Ends,
}

/// A run: all entries on all boards of a suite.
pub struct Contest<'a> {
    entries: &'a [Entry],
    suite: &'a Suite,
    settings: Settings,
    cancel: &'a Cancel,
    /// Of the boards in their order; empty without an earlier run.
    kept: &'a [Kept],
    distances: Option<&'a Distances>,
}

/// The result of a board.
struct Attempt {
    /// Its optimal length, if it is known without the trials.
    known: Option<u32>,
    trials: Vec<Trial>,
}

/// A place of the suite, and the result of its board, or the fault there.
type Sent = (usize, Result<Attempt, Error>);

/// The boards before the first look at the interval of `until`. The looks are a quarter apart, so that
/// they take a small part of the time.
const FIRST_LOOK: usize = 30;

impl<'a> Contest<'a> {
    /// A run that ends when `cancel` is cancelled.
    pub fn new(
        entries: &'a [Entry],
        suite: &'a Suite,
        settings: Settings,
        cancel: &'a Cancel,
    ) -> Contest<'a> {
        Contest { entries, suite, settings, cancel, kept: &[], distances: None }
    }

    /// Finds the true distance of each board before its trials, within the same limits except the limit of
    /// nodes.
    #[must_use]
    pub fn against(self, distances: &'a Distances) -> Contest<'a> {
        Contest { distances: Some(distances), ..self }
    }

    /// Takes trials from an earlier run of the same suite and heuristics. Their values are computed again.
    #[must_use]
    #[doc(hidden)]
    pub fn again(self, kept: &'a [Kept]) -> Contest<'a> {
        Contest { kept, ..self }
    }

    /// Tries the boards, and passes those that all entries have tried to `each`, in order. An error of
    /// `each` ends the run. So does a fault of an entry; the boards tried before it have been passed.
    ///
    /// Without a search, boards are valued in batches. They grow with the number of boards done up to
    /// [`Settings::batch`], so that a fault or the end of the budget costs at most half of the boards.
    ///
    /// # Errors
    /// [`Error`], and the errors of `each`.
    pub fn run<E: From<Error> + Send>(
        &self,
        watch: &(dyn Fn(Step<'_>) + Sync),
        mut each: impl FnMut(Tried) -> Result<(), E>,
    ) -> Result<(), E> {
        let limits = self.settings.limits(self.cancel);
        let begin = Instant::now();
        // Once it is set, boards that are not yet passed do not count.
        let ended = AtomicBool::new(false);
        let is_over = || {
            let over = self.settings.budget.is_some_and(|budget| begin.elapsed() >= budget);
            over || ended.load(Ordering::Relaxed) || self.cancel.is_cancelled()
        };
        let limits = match self.settings.budget.and_then(|budget| begin.checked_add(budget)) {
            Some(end) => limits.deadline(move || Instant::now() >= end),
            None => limits,
        };
        let next = AtomicUsize::new(0);
        let most = match self.entries.iter().any(Entry::searches) {
            true => 1,
            false => self.settings.batch.max(1),
        };
        let next_boards = || {
            let batch = |first: usize| first.clamp(1, most);
            let take = |first| Some(first + batch(first));
            let first = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
            let first = first.unwrap_or_else(|first| first);
            let rest =
                self.suite.cases.get(first..).filter(|rest| !rest.is_empty() && !is_over())?;
            Some((first, &rest[..batch(first).min(rest.len())]))
        };
        let work = |sender: Sender<Sent>| {
            // Fails only if the run has ended.
            let send = |place, attempt: Result<_, _>| {
                // Set here, not where it is received, so that no board after a fault is tried.
                ended.fetch_or(attempt.is_err(), Ordering::Relaxed);
                sender.send((place, attempt))
            };
            // A search uses all threads of its pool.
            let pool = match ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => pool,
                Err(error) => {
                    let error = Error::Threads(std::io::Error::other(error));
                    return drop(send(0, Err(error)));
                }
            };
            pool.install(|| {
                while let Some((first, cases)) = next_boards() {
                    let sent = match self.try_boards(first, cases, &limits, watch) {
                        // A search that was cut short counts for nothing, but a fault does.
                        Ok(_) | Err(Error::Cancelled) if is_over() => return,
                        Ok(attempts) => (first..)
                            .zip(attempts)
                            .try_for_each(|(place, attempt)| send(place, Ok(attempt))),
                        Err(error) => send(first, Err(error)),
                    };
                    if sent.is_err() {
                        return;
                    }
                }
            });
        };
        let mut shares = Shares::default();
        let mut pass = |(place, Attempt { known, trials }): (usize, Attempt)| -> Result<bool, E> {
            let case = &self.suite.cases[place];
            let optimal = optimum(self.entries, place, case, known, &trials)?;
            let optimal = optimal.or_else(|| self.kept.get(place)?.optimal);
            shares.add(&trials);
            each(Tried { place, optimal, trials })?;
            Ok(self.settings.until.is_some_and(|share| shares.are_narrow(share)))
        };
        let mut in_order = |results: Receiver<Sent>| {
            let mut waiting = BTreeMap::new();
            let mut passed = 0;
            let mut fault = None;
            for (place, attempt) in results {
                match attempt {
                    Ok(attempt) => drop(waiting.insert(place, attempt)),
                    Err(error) => fault = fault.or(Some(error)),
                }
                while let Some(attempt) = waiting.remove(&passed) {
                    if pass((passed, attempt))? && fault.is_none() {
                        return Ok(());
                    }
                    passed += 1;
                }
            }
            // Boards after one that was cancelled.
            for board in waiting {
                pass(board)?;
            }
            fault.map_or(Ok(()), |fault| Err(fault.into()))
        };
        let ran = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.settings.threads.max(1) {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            let ran = in_order(receiver);
            if ran.is_err() {
                self.cancel.cancel();
            }
            ended.store(true, Ordering::Relaxed);
            ran
        });
        let finished = self.entries.iter().try_for_each(Entry::finish);
        ran.and(finished.map_err(E::from))
    }

    /// Tries all entries in turn on boards.
    fn try_boards(
        &self,
        first: usize,
        cases: &[Case],
        limits: &Limits,
        watch: &(dyn Fn(Step<'_>) + Sync),
    ) -> Result<Vec<Attempt>, Error> {
        let boards: Vec<Board> = cases.iter().map(|case| case.board.clone()).collect();
        let mut known: Vec<Option<u32>> = cases.iter().map(|case| case.known).collect();
        if let Some(distances) = self.distances {
            watch(Step::Begins("distances"));
            let unknown: Vec<usize> = (0..cases.len()).filter(|&i| known[i].is_none()).collect();
            let of: Vec<Board> = unknown.iter().map(|&i| boards[i].clone()).collect();
            for (i, found) in
                unknown.into_iter().zip(distances.of(&of, &limits.clone().nodes(u64::MAX))?)
            {
                known[i] = found;
            }
            cases.iter().for_each(|_| watch(Step::Ends));
        }
        let known = known.into_iter().map(|known| Attempt { known, trials: Vec::new() });
        let mut attempts: Vec<Attempt> = known.collect();
        for (i, entry) in self.entries.iter().enumerate() {
            watch(Step::Begins(&entry.name));
            for (attempt, trial) in
                attempts.iter_mut().zip(self.attempt(first, i, &boards, limits)?)
            {
                attempt.trials.push(trial);
                watch(Step::Ends);
            }
        }
        Ok(attempts)
    }

    /// Tries an entry, given by its place, on boards.
    fn attempt(
        &self,
        first: usize,
        place: usize,
        boards: &[Board],
        limits: &Limits,
    ) -> Result<Vec<Trial>, Error> {
        let entry = &self.entries[place];
        if !entry.searches() {
            let values = entry.values(boards, limits)?;
            return Ok(values.into_iter().map(Trial::of_value).collect());
        }
        let kept = |board: usize| self.kept.get(board)?.trials.get(place)?.as_ref();
        let trial = |(i, board)| match kept(i) {
            Some(kept) => Ok(Trial { h: entry.value(board, limits)?, ..kept.clone() }),
            None => entry.attempt(board, limits),
        };
        (first..).zip(boards).map(trial).collect()
    }
}

/// The nodes of the boards passed, by entry, for the intervals of the ratios.
#[derive(Default)]
struct Shares {
    /// Of boards that were solved by the entry and by the first one: nodes of both.
    pairs: Vec<Vec<(f64, f64)>>,
    boards: usize,
    next_look: usize,
}

impl Shares {
    fn add(&mut self, trials: &[Trial]) {
        self.pairs.resize(trials.len(), Vec::new());
        self.boards += 1;
        let Some(first) = trials.first().filter(|trial| trial.length.is_some()) else { return };
        for (trial, pairs) in trials.iter().zip(&mut self.pairs) {
            if trial.length.is_some() {
                pairs.push((trial.generated as f64, first.generated as f64));
            }
        }
    }

    fn are_narrow(&mut self, share: f64) -> bool {
        if self.boards < self.next_look.max(FIRST_LOOK) {
            return false;
        }
        self.next_look = self.boards + self.boards / 4;
        let narrow = |pairs: &Vec<(f64, f64)>| {
            ratio_interval(pairs)
                .is_some_and(|(ratio, low, high)| (high - ratio).max(ratio - low) <= share * ratio)
        };
        let others: Vec<_> = self.pairs.iter().skip(1).filter(|pairs| !pairs.is_empty()).collect();
        !others.is_empty() && others.into_iter().all(narrow)
    }
}

/// The optimal length of a board, known without the trials or found with a heuristic of the library.
///
/// # Errors
/// Two answers that differ: a table is damaged, or a heuristic is not admissible.
fn optimum(
    entries: &[Entry],
    place: usize,
    case: &Case,
    known: Option<u32>,
    trials: &[Trial],
) -> Result<Option<u32>, Error> {
    let origin = if case.known.is_some() { "the set" } else { "the standard search" };
    let mut known = known.map(|length| (length, origin));
    let answers =
        entries.iter().zip(trials).filter_map(|(entry, trial)| Some((entry, trial.length?)));
    let differs = |length, name: &str, (other, by): (u32, &str)| {
        let (number, board) = (place + 1, &case.board);
        let has = format!("board {number} ({board}) has length {length} by {name}");
        Err(Error::Contradiction(format!("{has} and {other} by {by}")))
    };
    for (entry, length) in answers.clone().filter(|(entry, _)| entry.is_own()) {
        match known {
            Some(known) if length != known.0 => return differs(length, &entry.name, known),
            Some(_) => {}
            None => known = Some((length, &entry.name)),
        }
    }
    // Solutions by values from outside may be longer, but not shorter.
    for (entry, length) in answers.filter(|(entry, _)| !entry.is_own()) {
        if let Some(known) = known.filter(|known| length < known.0) {
            return differs(length, &entry.name, known);
        }
    }
    Ok(known.map(|(length, _)| length))
}
