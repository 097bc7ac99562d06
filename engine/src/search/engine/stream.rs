//! Many boards: each lane searches its own board.
//!
//! A single board split into subtrees wastes the nodes that its lanes search beyond the solution. With one
//! board in each lane nothing is wasted, and no thread waits for another. The solutions and node counts equal
//! the results of [`Engine::search`].

use super::views::{Engine, Spaces, with_space, with_views};
use crate::board::{Metric, Position};
use crate::pdb::BrokenTable;
use crate::search::fast::{Crew, End, Expander, Node, Source, Space};
use crate::search::run::{Clock, Count, Limits, Outcome, Stop, Threshold};
use crate::search::threshold::{Endless, Order, ViewedPosition, moves};

/// The answer of a stream of boards to a thread that asks for one.
#[allow(clippy::large_enum_variant, reason = "nearly every answer is a board")]
pub enum Supply<'a> {
    /// A board to solve.
    Board {
        /// The position.
        position: Position,
        /// The most moves of a solution, as for [`Engine::within`]; an optimal one is wanted if this is `None`.
        within: Option<u32>,
        /// The limits of its search.
        limits: Limits,
        /// Takes the result, with the clock of the limits.
        deliver: Box<dyn FnOnce(LaneEnd, Clock) + 'a>,
    },
    /// No board at present.
    Later,
    /// No more boards.
    End,
}

/// The result of a board of a stream.
#[derive(Debug)]
pub enum LaneEnd {
    /// The board was solved, or has no solution `within` the moves asked for, or its search was stopped.
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
    /// returns [`Supply::End`] each time it is called. Call it on each thread that is to work.
    ///
    /// `supply` is called whenever a lane is free. Its argument says whether the thread has
    /// nothing else to do, so that the call may wait. If it returns [`Supply::Later`] then, it is
    /// called again at once: the thread spins. The results come in any order.
    ///
    /// The time between the calls is shared equally by the boards in work, and counts for their limits. The
    /// time within the calls counts for no board.
    ///
    /// # Panics
    /// If a position has a different goal.
    pub fn solve_stream<'b>(&self, supply: &mut dyn FnMut(bool) -> Supply<'b>) {
        with_space!(self, &self.initial_views[..], |space, views| {
            self.stream(views, space, supply);
        });
    }

    fn stream<'b, S: Space, const V: usize>(
        &self,
        views: [usize; V],
        space: &S,
        supply: &mut dyn FnMut(bool) -> Supply<'b>,
    ) {
        let expander: Expander<'_, S, V> = self.expander(space, views);
        let boards = std::iter::repeat_with(|| None).take(Crew::<S, V>::LANES).collect();
        let mut stream = Stream {
            engine: self,
            space,
            views,
            supply,
            boards,
            watch: Clock::start(),
            again: None,
        };
        // SAFETY: the stream supplies roots of this engine in these views.
        unsafe { Crew::new().run(&expander, &mut stream) };
    }
}

/// A board being searched.
struct InWork<'b, S: Space, const V: usize> {
    deliver: Box<dyn FnOnce(LaneEnd, Clock) + 'b>,
    /// A single threshold is asked for.
    once: bool,
    /// The limits, whose clock is stopped, and is charged.
    limits: Limits,
    position: Position,
    root: ViewedPosition<S, V>,
    /// The threshold of the current iteration, and the counts of earlier ones.
    threshold: Threshold,
    /// The counts of the current iteration too.
    outcome: Outcome,
}

struct Stream<'a, 'b, S: Space, const V: usize> {
    engine: &'a Engine,
    space: &'a S,
    views: [usize; V],
    supply: &'a mut dyn FnMut(bool) -> Supply<'b>,
    /// The boards being searched; their places are their names for the lanes.
    boards: Vec<Option<InWork<'b, S, V>>>,
    /// The time since the boards were charged last.
    watch: Clock,
    /// A board to be searched again with its next threshold.
    again: Option<usize>,
}

impl<'b, S: Space, const V: usize> Stream<'_, 'b, S, V> {
    /// Charges the boards in work for the time since the last call, each the same.
    fn charge(&mut self) {
        let boards = self.boards.iter().flatten().count() as u32;
        let share = self.watch.lap().checked_div(boards).unwrap_or_default();
        self.boards.iter_mut().flatten().for_each(|board| board.limits.clock.charge(share));
    }

    /// Begins the next board of the supply, and returns its place; `None` if there is none now. No board is
    /// charged for the time that the supply takes.
    fn ask(&mut self, idle: bool) -> Option<usize> {
        loop {
            self.charge();
            let answer = (self.supply)(idle);
            self.watch = Clock::start();
            match answer {
                Supply::Board { position, within, limits, deliver } => {
                    let place = self.begin(position, within, limits, deliver);
                    if place.is_some() {
                        return place;
                    }
                }
                Supply::Later if idle => {}
                Supply::Later | Supply::End => return None,
            }
        }
    }

    /// Begins a board. Returns its place, unless it is hard or its table is damaged.
    fn begin(
        &mut self,
        position: Position,
        within: Option<u32>,
        limits: Limits,
        deliver: Box<dyn FnOnce(LaneEnd, Clock) + 'b>,
    ) -> Option<usize> {
        let (clock, engine) = (Clock::after(limits.clock.elapsed()), self.engine);
        let root = engine.root(self.space, &position, self.views).and_then(|root| {
            let bound = if engine.is_large() { engine.value(&position)? } else { root.value() };
            Ok((root, bound))
        });
        let end = match root {
            Ok((_, bound)) if within.is_some_and(|moves| moves < bound) => {
                LaneEnd::Done(Outcome::new(&position, Metric::Single, bound))
            }
            Ok((root, bound)) if !root.symmetric => {
                let outcome = Outcome::new(&position, Metric::Single, bound);
                let bound = within.map_or(bound, |moves| moves - (moves - bound) % 2);
                let views = self.views.to_vec();
                let threshold = Threshold { bound, views, ..Threshold::default() };
                let place = self.boards.iter().position(Option::is_none)?;
                let limits = limits.on(clock);
                let board = InWork {
                    deliver,
                    once: within.is_some(),
                    limits,
                    position,
                    root,
                    threshold,
                    outcome,
                };
                self.boards[place] = Some(board);
                return Some(place);
            }
            Ok(_) => LaneEnd::Hard,
            Err(broken) => LaneEnd::Broken(broken),
        };
        deliver(end, clock);
        self.watch = Clock::start();
        None
    }

    /// Returns whether a board that has generated this many nodes has reached a limit.
    fn is_stopped(&mut self, place: usize, generated: u64) -> bool {
        self.charge();
        let Some(board) = &mut self.boards[place] else { return false };
        let stopped = board.limits.check(generated);
        if stopped.is_some() {
            (board.outcome.stopped, board.outcome.generated) = (stopped, generated);
        }
        stopped.is_some()
    }

    /// Hands a result over: the outcome, unless there is another end. No board is charged for the time
    /// that this takes.
    fn finish(&mut self, place: usize, other: Option<LaneEnd>) {
        self.charge();
        if let Some(board) = self.boards[place].take() {
            let end = other.unwrap_or(LaneEnd::Done(board.outcome));
            (board.deliver)(end, board.limits.clock);
            self.watch = Clock::start();
        }
    }
}

impl<S: Space, const V: usize> Source<S::View, V> for Stream<'_, '_, S, V> {
    fn next(&mut self, idle: bool) -> Option<(usize, Node<S::View, V>)> {
        loop {
            let place = self.again.take().or_else(|| self.ask(idle))?;
            let board = self.boards[place].as_ref()?;
            match board.root.node(board.threshold.bound) {
                Some(root) => return Some((place, root)),
                None => self.finish(place, Some(LaneEnd::Hard)),
            }
        }
    }

    fn done(&mut self, place: usize, count: Count, end: End<'_>) -> bool {
        let Some(board) = &mut self.boards[place] else { return false };
        let outcome = &mut board.outcome;
        outcome.generated += count.generated;
        outcome.expanded += count.expanded;
        let generated = outcome.generated;
        match end {
            // As alone, an iteration counts only if it is completed within the limit.
            End::Exhausted | End::Solved(_) if generated >= board.limits.most_nodes() => {
                outcome.stopped = Some(Stop::Nodes);
                self.finish(place, None);
            }
            End::Exhausted => {
                let threshold = &mut board.threshold;
                threshold.advance(threshold.bound + 2, outcome.generated, outcome.expanded);
                outcome.raise(threshold.bound);
                let is_hard = self.engine.choice_is_due(threshold)
                    || self.engine.order(threshold) == Order::BestFirst;
                if board.once || self.is_stopped(place, generated) {
                    self.finish(place, None);
                } else if is_hard {
                    self.finish(place, Some(LaneEnd::Hard));
                } else {
                    self.again = Some(place);
                }
            }
            End::Solved(path) => {
                outcome.path = Some(moves(path).collect());
                self.finish(place, None);
            }
            End::Endless(path) => {
                let path = Endless(moves(path).collect());
                let broken = self.engine.blame(&board.position, &self.views, &path);
                self.finish(place, Some(LaneEnd::Broken(broken)));
            }
        }
        false
    }

    fn dropped(&mut self, place: usize, generated: u64) -> bool {
        let Some(board) = &mut self.boards[place] else { return true };
        let generated = board.outcome.generated + generated;
        if self.is_stopped(place, generated) {
            self.finish(place, None);
        } else if generated > HARD {
            self.finish(place, Some(LaneEnd::Hard));
        }
        self.boards[place].is_none()
    }
}
