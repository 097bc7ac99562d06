//! Packets: the search for one board, divided among any number of programs and machines.
//!
//! 1. [`Solver::packets`] divides a threshold into [`Packet`]s. Each is some of its subtrees, and
//!    holds all that is needed to search them.
//! 2. [`Solver::run_packet`] searches one, anywhere. It changes nothing, and gives the same
//!    [`PacketResult`] each time.
//! 3. [`Solver::merge`] joins the results. Either there is a solution, or the threshold is exhausted,
//!    and [`Solver::packets`] goes on with the next one from the [`State`] that is returned.
//!
//! Solution, proof and numbers of nodes are those of [`Solver::solve`].
//!
//! Some subtrees have a thousand times the nodes of most: [`Solver::begin_packet`] searches a packet for
//! a number of nodes, and leaves the rest in further packets, to whoever has time.
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
mod rest;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use division::Division;
use division::shares;
pub use error::PacketError;
use packet::{Header, Span};
pub use packet::{Packet, PacketResult};
use rest::Rest;

use super::searcher::Searcher;
use super::{Bracket, CheckpointError, Effort, Error, Limits, Method, Solver, State, Task, lists};
use crate::board::Board;
use crate::memo::lock;
use crate::search::{
    Clock, Control, Engine, Found, Journal, Outcome, Prefix, Proof, Record, Roots, SearchError,
    Stop, Threshold,
};

/// A divided search, or its end.
#[derive(Clone, Debug)]
pub enum Split {
    /// The packets of a threshold, in the order of the search. On boards of more than 16 cells those
    /// that are more likely to hold the solution come first.
    Packets(Vec<Packet>),
    /// The board is solved.
    Solved(Bracket),
}

/// The results of a threshold, joined.
#[derive(Clone, Debug)]
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
}

impl Solver {
    /// Divides a threshold of a board's search into packets, which cost about the same. `state` is
    /// that of an earlier part of the search, if there is one.
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
        let engine = divided.engine()?;
        let mut own = State::new(&divided.task.position, &divided.searcher);
        if let Some(state) = state {
            own = state.of_same_search(&own).map_err(PacketError::Other)?;
        }
        let mut record = own.record.clone();
        let split = |record: &Record| {
            let split = || engine.split(&divided.task.position, &record.threshold);
            self.install(split)?.map_err(|error| divided.error(error))
        };
        // The state that merge returns needs no search.
        let is_new = record == Record::new(record.threshold.clone());
        let is_large = record.threshold.last() >= division.after.max(1);
        let mut roots = Roots::default();
        if is_new && is_large {
            if let Some(bracket) = self.solved_by_beams(&divided, &record.threshold, limits)? {
                return Ok(Split::Solved(bracket));
            }
            roots = split(&record)?;
        }
        if roots.prefixes.is_empty() {
            record = match self.advance(&divided, record, division.after, limits)? {
                ControlFlow::Break(bracket) => return Ok(Split::Solved(bracket)),
                ControlFlow::Continue(record) => record,
            };
            roots = split(&record)?;
        }
        let Roots { prefixes, above } = roots;
        let goal = divided.task.canonical.goal().board().tiles().to_vec();
        let (first, subtrees) = (record.row, prefixes.len());
        let count = division.packets(record.threshold.last());
        let header = Header {
            width: board.grid().width(),
            height: board.grid().height(),
            board: board.tiles().to_vec(),
            goal,
            heuristic: divided.heuristic(),
            state: own.with(record),
            subtrees,
            above,
        };
        let packet = |range: Range<usize>| {
            let (first, prefixes) = (range.start, words(&prefixes[range]));
            Packet::new(header.clone(), vec![Span { first, inner: 0, end: None, prefixes }])
        };
        let slacks = prefixes.get(first..).unwrap_or_default().iter().map(|&(_, slack)| slack);
        let ranges = shares(slacks, count).into_iter();
        let packets = ranges.filter_map(|r| packet(r.start + first..r.end + first));
        Ok(Split::Packets(packets.collect()))
    }

    /// Searches the subtrees of a packet, on the solver's threads.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Stopped`] if a limit stops it: nothing is kept then;
    /// [`Error::Packet`] if the packet is damaged, or this solver's goal, heuristic or databases are
    /// not those of the packet.
    pub fn run_packet(&self, packet: &Packet, limits: &Limits) -> Result<PacketResult, Error> {
        let (result, _) = self.search_packet(packet, None, limits)?;
        Ok(result)
    }

    /// Searches a packet as [`Solver::run_packet`] does, but only for about `nodes` nodes. Returns the
    /// result so far, and the rest as at most `count` packets, which cost about the same. There is no
    /// rest if the packet has fewer nodes or holds a solution.
    ///
    /// The result and those of the rest, which may be left in the same way, take the place of the
    /// result of the packet. On one thread the same packet always leaves the same rest.
    ///
    /// # Errors
    /// As [`Solver::run_packet`].
    pub fn begin_packet(
        &self,
        packet: &Packet,
        nodes: u64,
        count: usize,
        limits: &Limits,
    ) -> Result<(PacketResult, Vec<Packet>), Error> {
        let (result, rest) = self.search_packet(packet, Some(nodes), limits)?;
        Ok((result, rest.packets(&packet.header, count)))
    }

    /// Searches a packet, up to its end or to a pause.
    fn search_packet(
        &self,
        packet: &Packet,
        pause: Option<u64>,
        limits: &Limits,
    ) -> Result<(PacketResult, Rest), Error> {
        let divided = self.of_threshold(&packet.header, limits)?;
        let row = |span: &Span| span.prefixes.split(' ').map(str::parse).collect();
        let rows: Result<Vec<Vec<Prefix>>, _> = packet.spans().map(row).collect();
        let rows = rows.map_err(|_| PacketError::Damaged)?;
        let control = self.control(&divided, limits, Clock::start());
        let (journal, threshold) = (self.journal(), packet.header.threshold());
        let (engine, position) = (divided.engine()?, &divided.task.position);
        let rows = self
            .install(|| engine.search_part(position, threshold, &rows, pause, &control, &*journal))?
            .map_err(|error| divided.error(error))?;
        divided.searcher.wait_for_check()?;
        Ok(rest::divided(packet, rows).ok_or(PacketError::Damaged)?)
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
        let (record, found) = joined(&header, results)?;
        let (task, engine) = (&divided.task, divided.engine()?);
        if let Some(found) = found {
            let proof = engine.proof(&task.position, &record.threshold);
            let proof = proof.map_err(|error| divided.error(error))?;
            let outcome = solved(&header, &record, &found, proof).ok_or(PacketError::Damaged)?;
            let finish = || task.finish(Ok(outcome), limits, clock);
            return self.install(finish)?.map(Merged::Solved);
        }
        let control = self.control(&divided, limits, clock);
        let next = self.install(|| {
            let Header { subtrees, above, .. } = header;
            engine.exhausted(&task.position, record, subtrees, above, &control)
        })?;
        let threshold = next.map_err(|error| divided.error(error))?;
        divided.searcher.wait_for_check()?;
        let heuristic = divided.searcher.heuristic();
        let Threshold { bound, generated, expanded, .. } = threshold;
        let (time, earlier) = (clock.elapsed(), Duration::ZERO);
        let effort = Effort { generated, expanded, time, earlier, heuristic };
        let metric = divided.task.metric;
        let (solution, stopped, falls_short) = (None, None, false);
        let bracket =
            Bracket { metric, lower_bound: bound, solution, stopped, falls_short, effort };
        Ok(Merged::Exhausted { bracket, state: header.state.with(Record::new(threshold)) })
    }

    /// The limits of a search, whose events are reported.
    fn control(&self, divided: &Divided, limits: &Limits, clock: Clock) -> Control {
        divided.searcher.guard(limits.reporting_also_to(self.journal()).control(clock))
    }

    /// The search of a board; `None` if it is solved already.
    fn divided(&self, board: &Board, limits: &Limits) -> Result<Option<Divided>, Error> {
        self.needs_single_tiles("packets")?;
        let task = self.recorded(board, Method::Ida, limits)?;
        let Some(searcher) = task.searcher.clone() else { return Ok(None) };
        // A damaged table must not be taken for another database.
        searcher.settle()?;
        Ok(Some(Divided { task, searcher }))
    }

    /// The search that a threshold is of.
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

    /// The solution that beams find before a threshold, if it is as short as the bound.
    fn solved_by_beams(
        &self,
        divided: &Divided,
        threshold: &Threshold,
        limits: &Limits,
    ) -> Result<Option<Bracket>, Error> {
        let (Divided { task, searcher }, engine) = (divided, divided.engine()?);
        let clock = Clock::start();
        let limits = limits.reporting_to(self.journal());
        let found = self.install(|| {
            task.between(searcher, &limits, clock, Arc::default(), &(), |control, journal| {
                journal.reached(threshold);
                let proof = Some(engine.proof(&task.position, threshold)?);
                let &Threshold { generated, expanded, .. } = threshold;
                let stopped = control.check(0);
                Ok::<_, SearchError>(Outcome { path: None, proof, generated, expanded, stopped })
            })
        })?;
        let found = found.map_err(|error| divided.error(error))?;
        let found = Some(found).filter(|found| found.stopped == Some(Stop::Gap));
        let finish = |found| self.install(|| task.finish(Ok(found), &limits, clock))?;
        found.map(finish).transpose()
    }

    /// Goes on with a search up to a threshold that follows one of `after` nodes, or to its end.
    fn advance(
        &self,
        divided: &Divided,
        mut record: Record,
        after: u64,
        limits: &Limits,
    ) -> Result<ControlFlow<Bracket, Record>, Error> {
        // Single subtrees beyond a row without a solution are searched again.
        let row = record.row;
        record.beyond.retain(|finished| finished.number == row && finished.solution.is_some());
        let (task, engine) = (&divided.task, divided.engine()?);
        let turn = Arc::new(Turn {
            after,
            reached: AtomicBool::new(false),
            record: Mutex::new(record.clone()),
        });
        let clock = Clock::start();
        let reports = self.journal();
        let limits = limits.reporting_to(reports.clone());
        let outcome = self.install(|| {
            let journal = (&*reports as &dyn Journal, &*turn as &dyn Journal);
            task.between(
                &divided.searcher,
                &limits,
                clock,
                Arc::default(),
                &journal,
                |control, journal| {
                    let reached = turn.clone();
                    let control = control.clone().with_deadline(move || reached.is_reached());
                    engine.resume(&task.position, record, &control, journal)
                },
            )
        })?;
        let outcome: Outcome = outcome.map_err(|error| divided.error(error))?;
        if is_solved(&outcome) {
            return self
                .install(|| task.finish(Ok(outcome), &limits, clock))?
                .map(ControlFlow::Break);
        }
        divided.searcher.wait_for_check()?;
        if !turn.is_reached() {
            return Err(Error::Stopped(outcome.stopped.unwrap_or(Stop::Cancelled)));
        }
        let record = lock(&turn.record).clone();
        Ok(ControlFlow::Continue(record))
    }
}

/// Returns whether an outcome is the answer, and not one that a limit ended.
fn is_solved(outcome: &Outcome) -> bool {
    outcome.path.is_some() && matches!(outcome.stopped, None | Some(Stop::Gap))
}

impl Divided {
    fn error(&self, error: SearchError) -> Error {
        match error {
            SearchError::Broken(broken) => Error::Broken { broken, origin: self.searcher.origin() },
            SearchError::Stopped(stop) => Error::Stopped(stop),
            _ => PacketError::Damaged.into(),
        }
    }
}

/// Keeps the record of a search, up to a threshold that is to be divided.
struct Turn {
    after: u64,
    reached: AtomicBool,
    record: Mutex<Record>,
}

impl Turn {
    fn is_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }
}

impl Journal for Turn {
    fn begins(&self, threshold: &Threshold, subtrees: usize) {
        let mut record = lock(&self.record);
        record.begin(threshold);
        let done = record.row >= subtrees || !record.beyond.is_empty();
        if !done && threshold.last() >= self.after {
            self.reached.store(true, Ordering::Relaxed);
        }
    }
}

fn words(prefixes: &[(Prefix, u32)]) -> String {
    let mut text = String::with_capacity(32 * prefixes.len());
    for (i, (prefix, _)) in prefixes.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        text.extend(prefix.letters());
    }
    text
}

/// The record of a threshold with these results, up to the first solution, and that solution.
fn joined(
    header: &Header,
    results: Vec<PacketResult>,
) -> Result<(Record, Option<Found>), PacketError> {
    if results.iter().any(|result| result.header != *header) {
        return Err(PacketError::Other("another threshold or search than others"));
    }
    let mut by_begin = BTreeMap::new();
    for searched in results.iter().flat_map(PacketResult::searched) {
        if by_begin.insert(searched.begin(), searched).is_some() {
            return Err(PacketError::Twice(searched.begin().0));
        }
    }
    let mut record = header.state.record.clone();
    let of = header.subtrees;
    // Each begins where the one before has ended, so nothing is left out or counted twice.
    let mut at = (record.row, None);
    while let Some(searched) = by_begin.remove(&at) {
        at = searched.end().filter(|end| *end <= (of, None)).ok_or(PacketError::Damaged)?;
        let part = &searched.part;
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or(PacketError::Damaged);
        record.generated = sum(record.generated, part.generated)?;
        record.expanded = sum(record.expanded, part.expanded)?;
        if part.solution.is_some() {
            return Ok((record, part.solution.clone()));
        }
    }
    record.row = at.0;
    match by_begin.into_keys().next() {
        Some((next, _)) if next < at.0 || at.0 == of => Err(PacketError::Twice(next)),
        next if at.0 < of => {
            let missing = at.0..next.map_or(of, |(next, _)| next.max(at.0 + 1));
            Err(PacketError::Missing { missing, of })
        }
        _ => Ok((record, None)),
    }
}

/// The outcome of a search that ends with this solution; `None` if the results contradict
/// themselves.
fn solved(header: &Header, record: &Record, found: &Found, proof: Proof) -> Option<Outcome> {
    let Threshold { generated, expanded, .. } = record.threshold;
    let [above_generated, above_expanded] = found.above.unwrap_or(header.above);
    let sum = |numbers: [u64; 3]| numbers.into_iter().try_fold(0, u64::checked_add);
    let path = found.moves.clone();
    (path.len() == proof.bound() as usize).then_some(())?;
    Some(Outcome {
        proof: Some(proof),
        generated: sum([generated, record.generated, above_generated])?,
        expanded: sum([expanded, record.expanded, above_expanded])?,
        path: Some(path),
        stopped: None,
    })
}
