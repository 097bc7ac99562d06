//! The searches of a run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::contender::Search;
use super::entry::Entry;
use super::error::Error;
use super::record::Record;
use super::settings::Settings;
use super::suite::{Case, Suite};
use super::summary::{rows, widest};
use super::trial::{Step, Trial, Tried};
use crate::board::Board;
use crate::memo::lock;
use crate::search::Cancel;
use crate::solver::{Event, Limits, Solver, Threads};
use crate::store::Store;

/// A run: all entries on all boards of a suite.
pub struct Contest<'a> {
    /// The entries.
    pub entries: &'a [Entry],
    /// The boards.
    pub suite: &'a Suite,
    /// The settings.
    pub settings: Settings,
    /// Ends the run when it is cancelled.
    pub cancel: &'a Cancel,
    /// Finds the true distance of each board before its trials, within the same limits except the limit of
    /// nodes: the solver of [`distances`].
    pub distances: Option<&'a Solver>,
    /// A record of the same suite and heuristics. Trials that cannot be repeated are taken from it; their
    /// values are computed again.
    pub record: Option<&'a Record>,
}

/// The boards of a run, and its end.
struct State {
    /// The place of the first board that no thread has taken.
    next: usize,
    /// The boards to be tried.
    end: usize,
    /// The boards tried, by their places.
    tried: BTreeMap<usize, Tried>,
    /// The boards before the next look at the intervals of `until`.
    look: usize,
    fault: Option<Error>,
}

/// The boards before the first look at the interval of `until`. The looks are a quarter apart, so that
/// they take a small part of the time.
const FIRST_LOOK: usize = 30;

impl Contest<'_> {
    /// Tries the boards. Returns those that all entries have tried, in order, also after a fault of an entry.
    ///
    /// Without a search, boards are valued in batches. They grow with the number of boards done up to
    /// [`Settings::batch`], so that a fault or the end of the budget costs at most half of the boards.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(&self, watch: &(dyn Fn(Step<'_>) + Sync)) -> (Vec<Tried>, Result<(), Error>) {
        let Settings { time_limit, node_limit, budget, threads, batch, .. } = self.settings;
        let begin = Instant::now();
        let limits = Limits::default().cancel(self.cancel);
        let limits = time_limit.into_iter().fold(limits, Limits::time);
        let limits = node_limit.into_iter().fold(limits, Limits::nodes);
        let is_late = move || budget.is_some_and(|budget| begin.elapsed() >= budget);
        let limits = budget.iter().fold(limits, |limits, _| limits.deadline(is_late));
        let is_over = || is_late() || self.cancel.is_cancelled();
        let (end, tried) = (self.suite.cases.len(), BTreeMap::new());
        let state = Mutex::new(State { next: 0, end, tried, look: FIRST_LOOK, fault: None });
        let searches = |entry: &Entry| entry.search != Search::Values;
        let most = if self.entries.iter().any(searches) { 1 } else { batch.max(1) };
        let next = || {
            let mut state = lock(&state);
            let first = state.next;
            state.next = state.end.min(first + first.clamp(1, most));
            (first < state.next && !is_over())
                .then(|| (first, &self.suite.cases[first..state.next]))
        };
        let work = || {
            while let Some((first, cases)) = next() {
                let tried = self.try_boards(first, cases, &limits, watch);
                let mut state = lock(&state);
                match tried {
                    // A search that was cut short counts for nothing, but a fault does.
                    Ok(_) | Err(Error::Cancelled) if is_over() => break,
                    tried => state.tried.extend((first..).zip(tried?)),
                }
                self.look(&mut state);
            }
            Ok(())
        };
        // A search uses all threads of its pool.
        let alone = || {
            let worked = Threads::new(Some(1)).and_then(|pool| pool.run(work));
            if let Err(fault) = worked.map_err(Error::from).flatten() {
                self.cancel.cancel();
                lock(&state).fault.get_or_insert(fault);
            }
        };
        thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(alone))));
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let tried = state.tried.into_values().take_while(|tried| tried.number <= state.end);
        (tried.collect(), state.fault.map_or(Ok(()), Err))
    }

    /// Ends the run once the interval of each ratio of nodes is narrow.
    fn look(&self, state: &mut State) {
        let Some(share) = self.settings.until else { return };
        let whole = |state: &State| state.tried.keys().copied().take(state.look).eq(0..state.look);
        while state.tried.len() >= state.look && whole(state) {
            let tried: Vec<Tried> = state.tried.values().take(state.look).cloned().collect();
            if widest(&rows(self.entries, &tried)).is_some_and(|width| width <= share) {
                state.end = state.end.min(state.look);
                return;
            }
            state.look += state.look / 4;
        }
    }

    /// Tries all entries in turn on boards.
    fn try_boards(
        &self,
        first: usize,
        cases: &[Case],
        limits: &Limits,
        watch: &(dyn Fn(Step<'_>) + Sync),
    ) -> Result<Vec<Tried>, Error> {
        let boards: Vec<Board> = cases.iter().map(|case| case.board.clone()).collect();
        let untried = |(number, case): (usize, &Case)| {
            let (board, optimal) = (case.board.to_string(), case.known);
            Tried { number, board, optimal, trials: Vec::new() }
        };
        let mut tried: Vec<Tried> = (first + 1..).zip(cases).map(untried).collect();
        if let Some(distances) = self.distances {
            watch(Step::Begins("distances"));
            let limits = limits.clone().nodes(u64::MAX);
            for (tried, board) in tried.iter_mut().zip(&boards) {
                if tried.optimal.is_none() && !self.cancel.is_cancelled() {
                    let found = distances.solve_with(board, &limits)?;
                    tried.optimal = found.is_optimal().then_some(found.lower_bound);
                }
                watch(Step::Ends);
            }
        }
        for (i, entry) in self.entries.iter().enumerate() {
            watch(Step::Begins(&entry.about.heuristic));
            for (tried, trial) in tried.iter_mut().zip(self.attempt(first, i, &boards, limits)?) {
                tried.trials.push(trial);
                watch(Step::Ends);
            }
        }
        for (tried, case) in tried.iter_mut().zip(cases) {
            let recorded = || self.record?.boards.get(tried.number - 1)?.optimal;
            tried.optimal = self.optimum(case, tried)?.or_else(recorded);
        }
        Ok(tried)
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
        if entry.search == Search::Values {
            let values = entry.values(boards, limits)?;
            return Ok(values.into_iter().map(Trial::of_value).collect());
        }
        let kept = |board: usize| {
            let trial = self.record?.boards.get(board)?.trials.get(place)?;
            (!trial.is_repeatable()).then_some(trial)
        };
        let trial = |(i, board)| match kept(i) {
            Some(kept) => Ok(Trial { h: entry.value(board, limits)?, ..kept.clone() }),
            None => Ok(entry.search(board, limits)?.0),
        };
        (first..).zip(boards).map(trial).collect()
    }

    /// The optimal length of a board, known without the trials or found with a heuristic of the library.
    ///
    /// # Errors
    /// Two answers that differ: a table is damaged, or a heuristic is not admissible.
    fn optimum(&self, case: &Case, tried: &Tried) -> Result<Option<u32>, Error> {
        let Tried { number, board, optimal, trials } = tried;
        let origin = if case.known.is_some() { "the set" } else { "the standard search" };
        let solved = self.entries.iter().zip(trials).filter_map(|(entry, trial)| {
            Some((trial.length?, entry.about.heuristic.as_str(), entry.is_own()))
        });
        let mut lengths = optimal.map(|length| (length, origin, true)).into_iter().chain(solved);
        let Some((optimal, by, _)) = lengths.clone().find(|(.., is_own)| *is_own) else {
            return Ok(None);
        };
        // Solutions by values from outside may be longer, but not shorter.
        match lengths.find(|&(n, _, is_own)| n < optimal || is_own && n != optimal) {
            None => Ok(Some(optimal)),
            Some((length, name, _)) => Err(Error::Contradiction(format!(
                "board {number} ({board}) has length {length} by {name} and {optimal} by {by}"
            ))),
        }
    }
}

/// The standard search, which finds the distances of boards. Its databases are loaded or built, unless the
/// lengths of all boards of the suite are known.
///
/// # Errors
/// The databases cannot be loaded.
pub fn distances(
    suite: &Suite,
    store: &Store,
    events: impl Fn(&Event<'_>) + Send + Sync + 'static,
) -> Result<Solver, Error> {
    let builder = Solver::builder().goal(suite.goal.clone()).metric(suite.metric);
    let solver = builder.store(store.clone()).progress(events).build()?;
    if suite.cases.iter().any(|case| case.known.is_none()) {
        solver.value(suite.goal.board())?;
    }
    Ok(solver)
}
