//! Many boards: each lane searches its own board.
//!
//! A single board split into subtrees wastes the nodes that its lanes search beyond the solution. With one
//! board in each lane nothing is wasted, and no thread waits for another. The solutions and node counts equal
//! the results of [`Engine::search`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use super::engine::{Engine, Prepared, Spaces, with_space, with_views};
use super::expand::Expander;
use super::frontier::Order;
use super::lanes::{Crew, End, Job, Report, Source};
use super::space::Space;
use super::tree::{Endless, Root, moves};
use super::{Clock, Control, Outcome, Record, Stop, Threshold};
use crate::board::{Metric, Position};
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
    /// The board is better solved alone by [`Engine::search`], on all threads and with all views:
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
    /// returns [`Supply::End`]. Call it on each thread that is to work.
    ///
    /// `supply` is called whenever a lane is free. Its argument says whether the thread has
    /// nothing else to do, so that the call may wait. If it returns [`Supply::Later`] then, it is
    /// called again at once: the thread spins. `deliver` receives the results in any order, each with
    /// the clock of its control.
    ///
    /// The time between the calls is shared equally by the boards in work, and counts for their limits. The
    /// time within the calls counts for no board.
    ///
    /// # Panics
    /// If a position is one of another goal.
    pub fn solve_stream<T>(
        &self,
        mut supply: impl FnMut(bool) -> Supply<T>,
        mut deliver: impl FnMut(T, Verdict, Clock),
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
        let mut deliver = |number, verdict, clock| {
            let name = names.borrow_mut().remove(&number);
            if let Some(name) = name {
                deliver(name, verdict, clock);
            }
        };
        self.stream_numbered(&mut supply, &mut deliver);
    }

    fn stream_numbered(
        &self,
        supply: &mut dyn FnMut(bool) -> Supply<u64>,
        deliver: &mut dyn FnMut(u64, Verdict, Clock),
    ) {
        with_space!(self, self.first_views(), |prepared, views| {
            self.stream(views, prepared, supply, deliver);
        });
    }

    fn stream<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        supply: &mut dyn FnMut(bool) -> Supply<u64>,
        deliver: &mut dyn FnMut(u64, Verdict, Clock),
    ) {
        let expander: Expander<'_, S, V> = self.expander(prepared, views);
        let boards = std::iter::repeat_with(|| None).take(Crew::<S, V>::LANES).collect();
        let mut stream = Stream {
            engine: self,
            prepared,
            views,
            supply,
            deliver,
            boards,
            in_work: 0,
            watch: Clock::start(),
            share: Duration::ZERO,
            again: None,
            ended: false,
        };
        // SAFETY: the stream supplies roots of this engine in these views.
        unsafe { Crew::new().run(&expander, &mut stream) };
    }
}

/// A board being searched.
struct InWork<S: Space, const V: usize> {
    name: u64,
    control: Control,
    /// The time of its control's clock, and [`Stream::share`], when it began.
    begun: (Duration, Duration),
    position: Position,
    root: Root<S, V>,
    /// The threshold of the current iteration, and the counts of earlier ones.
    record: Record,
    /// The counts of the current iteration too.
    outcome: Outcome,
}

impl<S: Space, const V: usize> InWork<S, V> {
    /// Its clock, where the stream's share is this.
    fn clock(&self, share: Duration) -> Clock {
        let (spent, before) = self.begun;
        Clock::after(spent + share.saturating_sub(before))
    }
}

struct Stream<'a, S: Space, const V: usize> {
    engine: &'a Engine,
    prepared: &'a Prepared<S>,
    views: [usize; V],
    supply: &'a mut dyn FnMut(bool) -> Supply<u64>,
    deliver: &'a mut dyn FnMut(u64, Verdict, Clock),
    /// The boards being searched; their places are the names of the jobs.
    boards: Vec<Option<InWork<S, V>>>,
    /// The number of boards being searched.
    in_work: u32,
    /// The time since the boards were charged last.
    watch: Clock,
    /// The time charged so far to a board that is searched all along.
    share: Duration,
    /// A board to be searched again with its next threshold.
    again: Option<usize>,
    ended: bool,
}

impl<S: Space, const V: usize> Stream<'_, S, V> {
    /// Charges the boards in work for the time since the last call.
    fn charge(&mut self) {
        let time = self.watch.lap();
        self.share += time.checked_div(self.in_work).unwrap_or_default();
    }

    /// The next answer of the supply. No board is charged for the time that this takes.
    fn ask(&mut self, idle: bool) -> Supply<u64> {
        self.charge();
        let answer = (self.supply)(idle);
        self.watch = Clock::start();
        answer
    }

    /// Hands a result over. No board is charged for the time that this takes.
    fn hand_over(&mut self, name: u64, verdict: Verdict, clock: Clock) {
        (self.deliver)(name, verdict, clock);
        self.watch = Clock::start();
    }

    /// Begins a board. Returns its place, unless it is hard or its table is damaged.
    fn begin(&mut self, name: u64, position: Position, control: Control) -> Option<usize> {
        let clock = control.clock();
        let engine = self.engine;
        let root = engine.root(self.prepared, &position, self.views).and_then(|root| {
            let bound = if engine.is_large() { engine.value(&position)? } else { root.value() };
            Ok((root, bound))
        });
        let (root, bound) = match root {
            Ok((root, _)) if root.symmetric => {
                self.hand_over(name, Verdict::Hard, clock);
                return None;
            }
            Ok(root) => root,
            Err(broken) => {
                self.hand_over(name, Verdict::Broken(broken), clock);
                return None;
            }
        };
        let views = self.views.to_vec();
        let record = Record::new(Threshold { bound, views, ..Threshold::default() });
        let outcome = Outcome::new(&position, Metric::Single, bound);
        let place = self.boards.iter().position(Option::is_none)?;
        let begun = (clock.elapsed(), self.share);
        let board = InWork { name, control, begun, position, root, record, outcome };
        self.boards[place] = Some(board);
        self.in_work += 1;
        Some(place)
    }

    /// Returns whether a board that has generated this many nodes has reached a limit.
    fn is_stopped(&mut self, place: usize, generated: u64) -> bool {
        self.charge();
        let Some(board) = &mut self.boards[place] else { return false };
        board.control.set_clock(board.clock(self.share));
        let stopped = board.control.check(generated);
        if stopped.is_some() {
            (board.outcome.stopped, board.outcome.generated) = (stopped, generated);
        }
        stopped.is_some()
    }

    fn finish(&mut self, place: usize, verdict: impl FnOnce(InWork<S, V>) -> Verdict) {
        self.charge();
        if let Some(board) = self.boards[place].take() {
            self.in_work -= 1;
            let (name, clock) = (board.name, board.clock(self.share));
            self.hand_over(name, verdict(board), clock);
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
                None => match self.ask(idle) {
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
            match board.root.node(board.record.threshold.bound) {
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
        let generated = outcome.generated;
        match report.end {
            // As alone, an iteration counts only if it is completed within the limit.
            End::Exhausted | End::Solved(_) if generated >= board.control.most_nodes() => {
                outcome.stopped = Some(Stop::Nodes);
                self.done(place);
            }
            End::Exhausted => {
                board.record.advance(outcome.generated, outcome.expanded, 1);
                outcome.raise(board.record.threshold.bound);
                let is_hard = self.engine.choice_is_due(&board.record.threshold)
                    || self.engine.order(&board.record.threshold) == Order::BestFirst;
                if self.is_stopped(place, generated) {
                    self.done(place);
                } else if is_hard {
                    self.finish(place, |_| Verdict::Hard);
                } else {
                    self.again = Some(place);
                }
            }
            End::Solved(path) => {
                outcome.path = Some(moves(path).collect());
                self.done(place);
            }
            End::Endless(path) => {
                let path = Endless(moves(path).collect());
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
        if self.is_stopped(place, generated) {
            self.done(place);
        } else if generated > HARD {
            self.finish(place, |_| Verdict::Hard);
        }
        self.boards[place].is_none()
    }
}
