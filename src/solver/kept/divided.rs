//! Packets: the search for one board, divided among any number of programs and machines.
//!
//! 1. [`Solver::packets`] divides a threshold into [`Packet`]s. Each is some of its subtrees, and
//!    holds all that is needed to search them.
//! 2. [`Solver::run_packet`] searches one, anywhere. It changes nothing, and gives the same
//!    [`PacketResult`] each time.
//! 3. [`Solver::merge`] merges the results. Either there is a solution, or the threshold is exhausted, and
//!    [`Solver::packets`] continues with the next one from the [`State`] that is returned.
//!
//! The solution, the proof and the node counts are those of [`Solver::solve`].
//!
//! The results of one threshold show how many nodes its large subtrees have. The packets of the next
//! threshold are divided by these numbers, so that no packet takes much longer than the others.
//!
//! ```
//! use taquin::solver::{Division, Split};
//! use taquin::{Board, Limits, Solver, Store};
//!
//! let solver = Solver::builder().store(Store::memory()).build()?;
//! let board: Board = "9 5 2 7 / 1 3 6 4 / 8 10 0 11".parse()?;
//! let division = Division { count: 4, ..Division::default() };
//! let limits = Limits::default();
//! let mut state = None;
//! let solved = loop {
//!     let packets = match solver.packets(&board, state, division, &limits)? {
//!         Split::Packets(packets) => packets,
//!         Split::Solved(bracket) => break bracket,
//!     };
//!     let results = packets.iter().map(|packet| solver.run_packet(packet, &limits));
//!     let (bracket, next) = solver.merge(results.collect::<Result<_, _>>()?, &limits)?;
//!     if next.is_none() {
//!         break bracket;
//!     }
//!     state = next;
//! };
//! let alone = solver.solve(&board)?;
//! assert_eq!(solved.solution.as_ref().map(|solution| solution.moves()), Some(alone.moves()));
//! assert_eq!(solved.effort.generated, alone.effort().generated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::packet::{Division, Header, Packet, PacketResult};
use super::state::State;
use crate::board::Board;
use crate::search::{
    Clock, Count, Deepening, Engine, Limits, Outcome, PartResult, Record, SearchError, Searched,
    Stop,
};
use crate::solver::answer::{self, Best, Proving, Task};
use crate::solver::options::Method;
use crate::solver::results::{Bracket, Error, PacketError};
use crate::solver::searches::{Searcher, Shared};
use crate::solver::solve::Solver;

/// A divided search, or its end.
#[derive(Clone, Debug)]
pub enum Split {
    /// The packets of a threshold, in the order of the search. On boards of more than 16 cells, packets that
    /// are more likely to hold the solution come first.
    Packets(Vec<Packet>),
    /// The board is solved.
    Solved(Bracket),
}

/// The result of a search that goes on from the record of a packet or a state.
fn result<T>(searcher: &Searcher, result: Result<T, SearchError>) -> Result<T, Error> {
    match result {
        Err(SearchError::Record) => Err(PacketError::Damaged.into()),
        result => searcher.result(result),
    }
}

impl Solver {
    /// Divides a threshold of a board's search into packets, which cost about the same. `state` comes from an
    /// earlier part of the search, if there is one.
    ///
    /// Smaller thresholds are searched at once, on the solver's threads. The search is by
    /// [`Method::Ida`] whatever the solver's method.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Stopped`] if a limit stops it; [`Error::Packet`] if the state
    /// belongs to another search; [`Error::Checkpoint`] if the heuristic keeps no record.
    pub fn packets(
        &self,
        board: &Board,
        state: Option<State>,
        division: Division,
        limits: &Limits,
    ) -> Result<Split, Error> {
        let mut task = Task::recorded(&self.shared, board, Some(Method::Ida), "packets", limits)?;
        let Some(engine) = task.searcher.prover() else {
            return Ok(Split::Solved(answer::solve(&mut task, limits, Clock::start())?));
        };
        let mut own = State::new(&task);
        if let Some(state) = state {
            own = state.of_same_search(&own).map_err(PacketError::Other)?;
        }
        let limits = self.shared.listening(limits, Clock::start());
        self.shared.install(|| divide(&task, engine, own, division, &limits))?
    }

    /// Searches the subtrees of a packet, on the solver's threads.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Stopped`] if a limit stops it: nothing is kept then; [`Error::Packet`]
    /// if the packet is damaged, or this solver's goal, heuristic or databases differ from the packet's.
    pub fn run_packet(&self, packet: &Packet, limits: &Limits) -> Result<PacketResult, Error> {
        let task = of_threshold(&self.shared, &packet.header, limits)?;
        let searcher = &task.searcher;
        let engine = searcher.prover().ok_or(PacketError::Damaged)?;
        let roots = packet.roots();
        let limits = searcher.guard(&self.shared.listening(limits, Clock::start()));
        let threshold = &packet.header.state.record.threshold;
        let search = || engine.search_part(&task.position, threshold, &roots, &limits);
        let part = result(searcher, self.shared.install(search)?)?;
        searcher.check.wait()?;
        Ok(packet.result(part))
    }

    /// Merges the results of a threshold's packets, in any order. Results after the first solution are not
    /// needed. If there is no solution within the threshold, the bracket has the bound proved, and
    /// [`Solver::packets`] continues from the state.
    ///
    /// # Errors
    /// As [`Solver::run_packet`]; [`PacketError::Missing`](crate::solver::PacketError::Missing),
    /// [`PacketError::Twice`](crate::solver::PacketError::Twice).
    pub fn merge(
        &self,
        results: Vec<PacketResult>,
        limits: &Limits,
    ) -> Result<(Bracket, Option<State>), Error> {
        let header =
            results.first().map(|result| result.header.clone()).ok_or(PacketError::None)?;
        let task = of_threshold(&self.shared, &header, limits)?;
        let searcher = &task.searcher;
        let engine = searcher.prover().ok_or(PacketError::Damaged)?;
        let limits = limits.clone().on(Clock::start());
        let PartResult { generated, expanded, solution, sizes } = merged(&header, results)?;
        let record = Record { beyond: Vec::new(), ..header.state.record.clone() };
        let mut search = result(searcher, engine.resume(&task.position, record))?;
        let ([generated_after, expanded_after], subtrees) = match solution {
            Some(_) => ([0; 2], 0),
            None => (header.rest, header.subtrees),
        };
        let proof = search.proof();
        let generated = generated.saturating_add(generated_after);
        let nodes = Count { generated, expanded: expanded.saturating_add(expanded_after) };
        result(searcher, search.exhausted(subtrees, nodes))?;
        let outcome = search.outcome(Searched::Exhausted);
        if let Some(path) = solution {
            if path.len() != proof.bound() as usize {
                return Err(PacketError::Damaged.into());
            }
            let outcome = Outcome { path: Some(path), proof: Some(proof), ..outcome };
            let answer = || answer::checked_answer(&task, outcome, &limits);
            return Ok((self.shared.install(answer)??, None));
        }
        searcher.check.wait()?;
        let state = header.state.with(search.record().clone(), sizes);
        Ok((searcher.bracket(&outcome, None, &limits), Some(state)))
    }
}

/// The search that a threshold belongs to.
fn of_threshold(shared: &Arc<Shared>, header: &Header, limits: &Limits) -> Result<Task, Error> {
    let Header { board, goal, .. } = header;
    let other = || Err(PacketError::Other("another goal or heuristic").into());
    if shared.canonical(board.grid())?.goal() != goal {
        return other();
    }
    let task = Task::recorded(shared, board, Some(Method::Ida), "packets", limits)?;
    if *task.searcher.heuristic != *header.heuristic.to_string() {
        return other();
    }
    let own = State::new(&task);
    header.state.clone().of_same_search(&own).map_err(PacketError::Other)?;
    Ok(task)
}

/// Searches thresholds up to one that follows one of enough nodes, and divides it.
fn divide(
    task: &Task,
    engine: &Engine,
    state: State,
    division: Division,
    limits: &Limits,
) -> Result<Split, Error> {
    let record = Record { beyond: Vec::new(), ..state.record.clone() };
    let searcher = &task.searcher;
    let mut search = result(searcher, engine.resume(&task.position, record))?;
    let mut proving = Proving::new(task, limits, Best::default())?;
    let mut sizes = state.sizes.clone();
    let end = loop {
        if search.threshold().last() >= division.after.max(1) {
            if proving.is_near(search.threshold())? {
                break Searched::Stopped(Stop::Gap);
            }
            let Division { count, nodes, .. } = division;
            let roots = search.divide(count, nodes, &sizes, &proving.limits);
            let roots = result(searcher, roots)?;
            if !roots.roots.is_empty() {
                searcher.check.wait()?;
                let state = state.with(search.record().clone(), Vec::new());
                let first = state.record.row;
                let header = Header {
                    board: task.board.clone(),
                    goal: task.canonical.goal().clone(),
                    heuristic: searcher.heuristic.parse().expect("the name of a heuristic is read"),
                    subtrees: first + roots.roots.len(),
                    state,
                    rest: [roots.rest.generated, roots.rest.expanded],
                };
                let rows = division.rows(&roots.roots).into_iter();
                let packets = rows
                    .map(|row| Packet::new(header.clone(), first + row.start, &roots.roots[row]));
                return Ok(Split::Packets(packets.collect()));
            }
        }
        sizes.clear();
        match proving.next(&mut search)? {
            Searched::Exhausted => {}
            Searched::Stopped(stop) if stop != Stop::Gap => {
                return Err(searcher.error(SearchError::Stopped(stop)));
            }
            end => break end,
        }
    };
    let outcome = proving.complete(search.outcome(end));
    answer::checked_answer(task, outcome, limits).map(Split::Solved)
}

/// Merges results, in the order of their subtrees, up to the first solution.
fn merged(header: &Header, mut results: Vec<PacketResult>) -> Result<PartResult, PacketError> {
    if results.iter().any(|result| result.header != *header) {
        return Err(PacketError::Other("a different threshold or search than the others"));
    }
    results.sort_by_key(|result| result.first);
    let (mut at, of) = (header.state.record.row, header.subtrees);
    let mut merged = PartResult::default();
    for PacketResult { first, count, part, .. } in results {
        // Each begins where the one before has ended, so nothing is skipped or counted twice.
        if first > at {
            return Err(PacketError::Missing { missing: at..first, of });
        }
        if first < at {
            return Err(PacketError::Twice(first));
        }
        at = first.checked_add(count).filter(|&end| end <= of).ok_or(PacketError::Damaged)?;
        merged.generated = merged.generated.saturating_add(part.generated);
        merged.expanded = merged.expanded.saturating_add(part.expanded);
        merged.sizes.extend(part.sizes);
        if part.solution.is_some() {
            return Ok(PartResult { solution: part.solution, ..merged });
        }
    }
    if at < of {
        return Err(PacketError::Missing { missing: at..of, of });
    }
    Ok(merged)
}
