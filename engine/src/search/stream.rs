//! Many boards: each lane searches a board of its own.
//!
//! A single board split into subtrees wastes what its lanes search beyond the solution. With a
//! board a lane nothing is wasted, and no thread waits for another. The solutions and node counts
//! are those of [`Engine::solve`].

use std::cell::RefCell;
use std::collections::HashMap;

use super::engine::{Engine, Prepared, Root, Spaces, with_space, with_views};
use super::expand::Expander;
use super::frontier::Order;
use super::iteration::Endless;
use super::lanes::{Crew, End, Job, Report, Source};
use super::space::Space;
use super::{Control, Outcome, Record, Threshold};
use crate::board::{Move, Path, Position};
use crate::pdb::BrokenTable;

/// The answer of a stream of boards to a thread that asks for one.
#[derive(Debug)]
pub enum Supply<T> {
    /// A position with a name, and with the limits of its search.
    Board(T, Position, Control),
    /// No board at present.
    Later,
    /// No more boards.
    End,
}

/// The result of a board of a stream.
#[derive(Debug)]
pub enum Verdict {
    /// The board was solved, or its search was stopped.
    Done(Outcome),
    /// The board is better solved alone by [`Engine::solve`], on all threads and with all views:
    /// it needs more nodes than a stream spends on a board, or it is its own mirror image, or its
    /// next iteration is best-first.
    Hard,
    /// A table is damaged.
    Broken(BrokenTable),
}

/// The number of nodes after which a board is hard.
const HARD: u64 = 1_000_000;

impl Engine {
    /// Solves the boards of a stream on the calling thread, several at a time, until `supply`
    /// returns [`Supply::End`]. Call it on as many threads as are to work.
    ///
    /// `supply` is called whenever a lane is free. Its argument says whether the thread has
    /// nothing else to do, so that the call may wait. If it returns [`Supply::Later`] then, it is
    /// called again at once: the thread spins. `deliver` receives the results in any order.
    ///
    /// # Panics
    /// If a position is one of another goal.
    pub fn solve_stream<T>(
        &self,
        mut supply: impl FnMut(bool) -> Supply<T>,
        mut deliver: impl FnMut(T, Verdict),
    ) {
        // The search knows boards by number, so it is compiled once, not for each type of names.
        let (names, mut numbers) = (RefCell::new(HashMap::new()), 0..);
        let mut supply = |idle| match supply(idle) {
            Supply::Board(name, position, control) => {
                let number = numbers.next().unwrap_or(u64::MAX);
                names.borrow_mut().insert(number, name);
                Supply::Board(number, position, control)
            }
            Supply::Later => Supply::Later,
            Supply::End => Supply::End,
        };
        let mut deliver = |number, verdict| {
            let name = names.borrow_mut().remove(&number);
            if let Some(name) = name {
                deliver(name, verdict);
            }
        };
        self.stream_numbered(&mut supply, &mut deliver);
    }

    fn stream_numbered(
        &self,
        supply: &mut dyn FnMut(bool) -> Supply<u64>,
        deliver: &mut dyn FnMut(u64, Verdict),
    ) {
        with_space!(self.stream_in(supply, deliver));
    }

    fn stream_in<S: Space>(
        &self,
        prepared: &Prepared<S>,
        supply: &mut dyn FnMut(bool) -> Supply<u64>,
        deliver: &mut dyn FnMut(u64, Verdict),
    ) {
        with_views!(self.first_views(), self.stream(prepared, supply, deliver));
    }

    fn stream<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        supply: &mut dyn FnMut(bool) -> Supply<u64>,
        deliver: &mut dyn FnMut(u64, Verdict),
    ) {
        let expander: Expander<'_, S, V> = self.expander(prepared, views);
        let boards = std::iter::repeat_with(|| None).take(Crew::<S, V>::LANES).collect();
        let (again, ended) = (None, false);
        let mut stream =
            Stream { engine: self, prepared, views, supply, deliver, boards, again, ended };
        // SAFETY: the stream supplies roots of this engine in these views.
        unsafe { Crew::new().run(&expander, &mut stream) };
    }
}

/// A board being searched.
struct InWork<S: Space> {
    name: u64,
    control: Control,
    position: Position,
    root: Root<S>,
    /// The threshold of the current iteration, and the counts of earlier ones.
    record: Record,
    /// The counts of the current iteration too.
    outcome: Outcome,
}

struct Stream<'a, S: Space, const V: usize> {
    engine: &'a Engine,
    prepared: &'a Prepared<S>,
    views: [usize; V],
    supply: &'a mut dyn FnMut(bool) -> Supply<u64>,
    deliver: &'a mut dyn FnMut(u64, Verdict),
    /// The boards being searched; their places are the names of the jobs.
    boards: Vec<Option<InWork<S>>>,
    /// A board to be searched again with its next threshold.
    again: Option<usize>,
    ended: bool,
}

impl<S: Space, const V: usize> Stream<'_, S, V> {
    /// Begins a board. Returns its place, unless it is hard or its table is damaged.
    fn begin(&mut self, name: u64, position: Position, control: Control) -> Option<usize> {
        let opening = self.engine.opening(&self.views);
        let root = match self.engine.root(self.prepared, &position, &opening) {
            Ok(root) if root.symmetric => {
                (self.deliver)(name, Verdict::Hard);
                return None;
            }
            Ok(root) => root,
            Err(broken) => {
                (self.deliver)(name, Verdict::Broken(broken));
                return None;
            }
        };
        let bound = root.value();
        let views = self.views.to_vec();
        let record = Record::new(Threshold { bound, views, ..Threshold::default() });
        let outcome = Outcome { lower_bound: bound, ..Outcome::default() };
        let place = self.boards.iter().position(Option::is_none)?;
        self.boards[place] = Some(InWork { name, control, position, root, record, outcome });
        Some(place)
    }

    fn finish(&mut self, place: usize, verdict: impl FnOnce(InWork<S>) -> Verdict) {
        if let Some(board) = self.boards[place].take() {
            (self.deliver)(board.name, verdict(board));
        }
    }

    fn done(&mut self, place: usize) {
        self.finish(place, |board| Verdict::Done(board.outcome));
    }
}

impl<S: Space, const V: usize> Source<S::View, V> for Stream<'_, S, V> {
    fn next(&mut self, idle: bool) -> Option<Job<S::View, V>> {
        loop {
            let place = match self.again.take() {
                Some(place) => Some(place),
                None if self.ended => return None,
                None => match (self.supply)(idle) {
                    Supply::Board(name, position, control) => self.begin(name, position, control),
                    Supply::Later if idle => None,
                    Supply::Later => return None,
                    Supply::End => {
                        self.ended = true;
                        return None;
                    }
                },
            };
            let Some(place) = place else { continue };
            let board = self.boards[place].as_ref()?;
            match board.root.node(self.views, board.record.threshold.bound) {
                Some(root) => return Some(Job { root, name: place }),
                None => self.finish(place, |_| Verdict::Hard),
            }
        }
    }

    fn done(&mut self, report: Report<'_>) -> bool {
        let place = report.name;
        let Some(board) = &mut self.boards[place] else { return false };
        let outcome = &mut board.outcome;
        outcome.generated += report.generated;
        outcome.expanded += report.expanded;
        match report.end {
            End::Exhausted => {
                outcome.stopped = board.control.check(outcome.generated);
                board.record.advance(outcome.generated, outcome.expanded, 1);
                outcome.lower_bound = board.record.threshold.bound;
                if outcome.stopped.is_some() {
                    self.done(place);
                } else if self.engine.choice_is_due(&board.record.threshold)
                    || self.engine.order(&board.record.threshold) == Order::BestFirst
                {
                    self.finish(place, |_| Verdict::Hard);
                } else {
                    self.again = Some(place);
                }
            }
            End::Solved(path) => {
                let moves = path.iter().map(|&m| Move::ALL[usize::from(m)]);
                outcome.path = Some(Path(moves.collect()));
                self.done(place);
            }
            End::Endless(path) => {
                let path = Endless(path.iter().map(|&m| Move::ALL[usize::from(m)]).collect());
                let (engine, views) = (self.engine, self.views);
                self.finish(place, |board| {
                    Verdict::Broken(engine.blame(&board.position, &views, &path))
                });
            }
        }
        false
    }

    fn dropped(&mut self, place: usize, generated: u64) -> bool {
        let Some(board) = &mut self.boards[place] else { return true };
        let generated = board.outcome.generated + generated;
        board.outcome.stopped = board.control.check(generated);
        if board.outcome.stopped.is_some() {
            board.outcome.generated = generated;
            self.done(place);
        } else if generated > HARD {
            self.finish(place, |_| Verdict::Hard);
        }
        self.boards[place].is_none()
    }
}
