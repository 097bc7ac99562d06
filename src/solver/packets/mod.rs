//! Packets: the search for one board, divided among any number of programs and machines.
//!
//! 1. [`Solver::packets`] divides a threshold into [`Packet`]s. Each is some of its subtrees, and
//!    holds all that is needed to search them.
//! 2. [`Solver::run_packet`] searches one, anywhere. It changes nothing, and gives the same
//!    [`PacketResult`] each time.
//! 3. [`Solver::merge`] joins the results. Either there is a solution, or the threshold is exhausted,
//!    and [`Solver::packets`] goes on with the next one from the [`State`] that is returned.
//!
//! Solution, proof and numbers of nodes equal the results of [`Solver::solve`].
//!
//! The results of one threshold tell how many nodes its large subtrees have. The packets of the next one are
//! made by these numbers, so that none takes much longer than others.
//!
//! ```
//! use taquin::solver::{Division, Merged, Split};
//! use taquin::{Board, Limits, Solver, Store};
//!
//! let solver = Solver::builder().store(Store::memory()).build()?;
//! let board: Board = "9 5 2 7 / 1 3 6 4 / 8 10 0 11".parse()?;
//! let limits = Limits::default();
//! let mut state = None;
//! let solved = loop {
//!     let packets = match solver.packets(&board, state, Division::into(4), &limits)? {
//!         Split::Packets(packets) => packets,
//!         Split::Solved(bracket) => break bracket,
//!     };
//!     let results = packets.iter().map(|packet| solver.run_packet(packet, &limits));
//!     match solver.merge(results.collect::<Result<_, _>>()?, &limits)? {
//!         Merged::Solved(bracket) => break bracket,
//!         Merged::Exhausted { state: next, .. } => state = Some(next),
//!     }
//! };
//! let alone = solver.solve(&board)?;
//! assert_eq!(solved.solution.as_ref().map(|solution| solution.moves()), Some(alone.moves()));
//! assert_eq!(solved.effort.generated, alone.effort().generated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod division;
mod error;
mod packet;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

pub use division::Division;
pub use error::PacketError;
use packet::Header;
pub use packet::{Packet, PacketResult};

use super::proof::{Best, Proving};
use super::searcher::Searcher;
use super::{Bracket, CheckpointError, Effort, Error, Limits, Method, Solver, State, Task, lists};
use crate::board::{Board, Moves};
use crate::search::{Clock, Deepening, Engine, Outcome, Record, SearchError, Searched, Stop};

/// A divided search, or its end.
#[derive(Clone, Debug)]
pub enum Split {
    /// The packets of a threshold, in the order of the search. On boards of more than 16 cells, packets that
    /// are more likely to hold the solution come first.
    Packets(Vec<Packet>),
    /// The board is solved.
    Solved(Bracket),
}

/// The results of a threshold, joined.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each threshold")]
pub enum Merged {
    /// There is a solution, and it is optimal.
    Solved(Bracket),
    /// There is none within the threshold.
    Exhausted {
        /// The bound proved, without a solution.
        bracket: Bracket,
        /// The state from which [`Solver::packets`] goes on.
        state: State,
    },
}

/// A board that an engine searches.
struct Divided {
    task: Task,
    searcher: Arc<Searcher>,
}

impl Divided {
    fn engine(&self) -> Result<&Engine, Error> {
        self.searcher.engine().ok_or_else(|| CheckpointError::NoRecord.into())
    }

    /// The heuristic as packets keep it.
    fn heuristic(&self) -> String {
        let name = self.searcher.heuristic();
        let label = |partition: &str| lists::labelled(partition, &self.task.canonical);
        let labelled = name.parse().ok().and_then(|spec| lists::renamed(spec, label).ok());
        labelled.map_or_else(|| name.to_string(), |spec| spec.to_string())
    }

    fn error(&self, error: SearchError) -> Error {
        match error {
            SearchError::Broken(broken) => Error::Broken { broken, origin: self.searcher.origin() },
            SearchError::Stopped(stop) => Error::Stopped(stop),
            _ => PacketError::Damaged.into(),
        }
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
    /// is one of another search; [`Error::Checkpoint`] if the heuristic keeps no record.
    pub fn packets(
        &self,
        board: &Board,
        state: Option<State>,
        division: Division,
        limits: &Limits,
    ) -> Result<Split, Error> {
        let Some(divided) = self.divided(board, limits)? else {
            return Ok(Split::Solved(self.solve_with(board, limits)?));
        };
        let mut own = State::new(&divided.task.position, &divided.searcher);
        if let Some(state) = state {
            own = state.of_same_search(&own).map_err(PacketError::Other)?;
        }
        let limits = limits.reporting_to(self.journal());
        self.install(|| divided.packets(board, own, division, &limits))?
    }

    /// Searches the subtrees of a packet, on the solver's threads.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Stopped`] if a limit stops it: nothing is kept then; [`Error::Packet`]
    /// if the packet is damaged, or this solver's goal, heuristic or databases differ from the packet's.
    pub fn run_packet(&self, packet: &Packet, limits: &Limits) -> Result<PacketResult, Error> {
        let divided = self.of_threshold(&packet.header, limits)?;
        let roots = packet.roots()?;
        let limits = limits.reporting_to(self.journal());
        let control = divided.searcher.guard(limits.control(Clock::start()));
        let (engine, position) = (divided.engine()?, &divided.task.position);
        let threshold = packet.header.threshold();
        let part = self.install(|| engine.search_part(position, threshold, &roots, &control))?;
        let part = part.map_err(|error| divided.error(error))?;
        divided.searcher.wait_for_check()?;
        Ok(packet.result(part))
    }

    /// Joins the results of a threshold's packets, in any order. Results after the first solution
    /// are not needed.
    ///
    /// # Errors
    /// As [`Solver::run_packet`]; [`PacketError::Missing`], [`PacketError::Twice`].
    pub fn merge(&self, results: Vec<PacketResult>, limits: &Limits) -> Result<Merged, Error> {
        let header =
            results.first().map(|result| result.header.clone()).ok_or(PacketError::None)?;
        let divided = self.of_threshold(&header, limits)?;
        let clock = Clock::start();
        let Joined { nodes, solution, sizes } = joined(&header, results)?;
        let (task, engine) = (&divided.task, divided.engine()?);
        let record = Record { beyond: Vec::new(), ..header.state.record.clone() };
        let search = engine.resume(&task.position, record);
        let mut search = search.map_err(|error| divided.error(error))?;
        let (rest, subtrees) = match solution {
            Some(_) => ([0; 2], 0),
            None => (header.rest, header.subtrees),
        };
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or(PacketError::Damaged);
        let nodes = [sum(nodes[0], rest[0])?, sum(nodes[1], rest[1])?];
        let proof = search.proof();
        let advanced = search.exhausted(subtrees, nodes);
        advanced.map_err(|error| divided.error(error))?;
        let outcome = search.outcome(Searched::Exhausted);
        if let Some(path) = solution {
            if path.len() != proof.bound() as usize {
                return Err(PacketError::Damaged.into());
            }
            let outcome = Outcome { path: Some(path), proof: Some(proof), ..outcome };
            let finish = || task.finish(Ok(outcome), limits, clock);
            return self.install(finish)?.map(Merged::Solved);
        }
        divided.searcher.wait_for_check()?;
        let heuristic = divided.searcher.heuristic();
        let (lower_bound, metric) = (outcome.lower_bound(), task.metric);
        let Outcome { generated, expanded, .. } = outcome;
        let (time, earlier) = (clock.elapsed(), Duration::ZERO);
        let effort = Effort { generated, expanded, time, earlier, heuristic };
        let (solution, stopped, falls_short) = (None, None, false);
        let bracket = Bracket { metric, lower_bound, solution, stopped, falls_short, effort };
        let state = header.state.with(search.record().clone(), sizes);
        Ok(Merged::Exhausted { bracket, state })
    }

    /// The search of a board; `None` if it is solved already.
    fn divided(&self, board: &Board, limits: &Limits) -> Result<Option<Divided>, Error> {
        self.needs_single_tiles("packets")?;
        let task = self.recorded(board, Method::Ida, limits)?;
        let Some(searcher) = task.searcher.clone() else { return Ok(None) };
        // A damaged table must not be taken for another database.
        searcher.wait_for_check()?;
        Ok(Some(Divided { task, searcher }))
    }

    /// The search that a threshold belongs to.
    fn of_threshold(&self, header: &Header, limits: &Limits) -> Result<Divided, Error> {
        let board = header.board()?;
        let own = self.canonical(board.grid())?;
        let other = || Err(PacketError::Other("another goal or heuristic").into());
        if own.goal().board().tiles() != header.goal {
            return other();
        }
        let divided = self.divided(&board, limits)?.ok_or(PacketError::Damaged)?;
        if divided.heuristic() != header.heuristic {
            return other();
        }
        let own = State::new(&divided.task.position, &divided.searcher);
        header.state.clone().of_same_search(&own).map_err(PacketError::Other)?;
        Ok(divided)
    }
}

impl Divided {
    /// Searches thresholds up to one that follows one of enough nodes, and divides it.
    fn packets(
        &self,
        board: &Board,
        state: State,
        division: Division,
        limits: &Limits,
    ) -> Result<Split, Error> {
        let (Divided { task, searcher }, clock) = (self, Clock::start());
        let broken = |broken| self.error(SearchError::Broken(broken));
        let mut search = self
            .engine()?
            .resume(&task.position, Record { beyond: Vec::new(), ..state.record.clone() })
            .map_err(|error| self.error(error))?;
        let proving = Proving::new(task, searcher, limits, clock, Best::default());
        let mut proving = proving.map_err(broken)?;
        let mut sizes = state.sizes.clone();
        loop {
            if search.threshold().last() >= division.after.max(1) {
                if proving.is_near(search.threshold()).map_err(broken)? {
                    break self.solved(
                        &proving,
                        &search,
                        Searched::Stopped(Stop::Gap),
                        limits,
                        clock,
                    );
                }
                let Division { count, nodes, .. } = division;
                let roots = search.divide(count, nodes, &sizes, proving.control());
                let roots = roots.map_err(|error| self.error(error))?;
                if !roots.roots.is_empty() {
                    searcher.wait_for_check()?;
                    let record = search.record().clone();
                    let header = self.header(board, state.with(record, Vec::new()), &roots);
                    let expected: Vec<f64> = roots.roots.iter().map(|(_, nodes)| *nodes).collect();
                    let first = header.state.record.row;
                    let packet = |row: Range<usize>| {
                        Packet::new(header.clone(), first + row.start, &roots.roots[row])
                    };
                    let packets = division.rows(&expected).into_iter().map(packet);
                    return Ok(Split::Packets(packets.collect()));
                }
            }
            sizes.clear();
            match proving.next(&mut search).map_err(broken)? {
                Searched::Exhausted => {}
                end => break self.solved(&proving, &search, end, limits, clock),
            }
        }
    }

    /// The end of a search whose thresholds were all searched here.
    fn solved(
        &self,
        proving: &Proving<'_>,
        search: &dyn Deepening,
        end: Searched,
        limits: &Limits,
        clock: Clock,
    ) -> Result<Split, Error> {
        match end {
            Searched::Stopped(stop) if stop != Stop::Gap => {
                self.searcher.wait_for_check()?;
                Err(Error::Stopped(stop))
            }
            end => {
                let outcome = proving.complete(search.outcome(end));
                self.task.finish(Ok(outcome), limits, clock).map(Split::Solved)
            }
        }
    }

    fn header(&self, board: &Board, state: State, roots: &crate::search::Roots) -> Header {
        Header {
            width: board.grid().width(),
            height: board.grid().height(),
            board: board.tiles().to_vec(),
            goal: self.task.canonical.goal().board().tiles().to_vec(),
            heuristic: self.heuristic(),
            subtrees: state.record.row + roots.roots.len(),
            state,
            rest: roots.rest,
        }
    }
}

/// The results of a threshold, up to the first solution.
struct Joined {
    /// The nodes generated and expanded in subtrees and above them.
    nodes: [u64; 2],
    solution: Option<Moves>,
    sizes: Vec<(crate::search::Prefix, u64)>,
}

/// Joins results, in the order of their subtrees.
fn joined(header: &Header, mut results: Vec<PacketResult>) -> Result<Joined, PacketError> {
    if results.iter().any(|result| result.header != *header) {
        return Err(PacketError::Other("another threshold or search than others"));
    }
    results.sort_by_key(|result| result.first);
    let (mut at, of) = (header.state.record.row, header.subtrees);
    let mut joined = Joined { nodes: [0; 2], solution: None, sizes: Vec::new() };
    for PacketResult { first, count, part, .. } in results {
        // Each begins where the one before has ended, so nothing is skipped or counted twice.
        if first > at {
            return Err(PacketError::Missing { missing: at..first, of });
        }
        if first < at {
            return Err(PacketError::Twice(first));
        }
        at = first.checked_add(count).filter(|&end| end <= of).ok_or(PacketError::Damaged)?;
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or(PacketError::Damaged);
        let [generated, expanded] = joined.nodes;
        joined.nodes = [sum(generated, part.generated)?, sum(expanded, part.expanded)?];
        joined.sizes.extend(part.sizes);
        if part.solution.is_some() {
            return Ok(Joined { solution: part.solution, ..joined });
        }
    }
    if at < of {
        return Err(PacketError::Missing { missing: at..of, of });
    }
    Ok(joined)
}
