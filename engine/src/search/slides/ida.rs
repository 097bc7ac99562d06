//! Iterative deepening in the multi-tile metric on boards of any size, without tables.

use super::borders::{Borderline, DIRECTIONS};
use super::node::WAYS;
use crate::board::{Metric, Move, Moves, Position};
use crate::search::run::{Meter, Stop, Unrecorded};

/// A search for a solution with the fewest slides, on boards of any size. In its outcome the lower
/// bound is a number of slides, and each run of equal moves of the path is one slide. Limits are
/// checked every 1,024 expansions, their nodes at every one; if they stop the search, the outcome holds the
/// bound proved.
///
/// The bound that guides the search is weak: about half of the slides on random boards. 3×3 boards
/// take less than a millisecond. [`SlideEngine`](super::engine::SlideEngine) is faster, up to 16 cells.
pub fn slide_ida(position: &Position) -> Unrecorded<'_> {
    let board = Borderline::of(position);
    let bound = DIRECTIONS.map(|direction| board.bound(direction)).into_iter().min().unwrap_or(0);
    Unrecorded::new(position, Metric::Multi, bound, move |threshold, limits, outcome| {
        let meter = Meter::after(outcome, limits);
        let (board, path, stopped) = (board.clone(), Vec::new(), None);
        let mut search = SlideSearch { board, path, stopped, meter };
        let path = search.within(threshold.bound).then_some(Moves(search.path));
        search.meter.write_to(outcome);
        (search.stopped.map_or(Ok(path), Err), threshold.bound + 1)
    })
}

/// A depth-first search for the goal of a board.
struct SlideSearch<'a> {
    board: Borderline,
    path: Vec<Move>,
    /// Why `limits` stopped the search.
    stopped: Option<Stop>,
    meter: Meter<'a>,
}

impl SlideSearch<'_> {
    /// Returns whether the goal is reached in at most `most` slides, or false if a limit ends the
    /// search.
    fn within(&mut self, most: u32) -> bool {
        DIRECTIONS.into_iter().any(|direction| {
            let bound = self.board.bound(direction);
            bound == 0 || (bound <= most && self.visit(direction, most))
        })
    }

    /// Searches below a board other than the goal, whose next slide has this direction, with `left` slides
    /// remaining.
    fn visit(&mut self, direction: usize, left: u32) -> bool {
        self.stopped = self.stopped.or(self.meter.expand().err());
        if self.stopped.is_some() {
            return false;
        }
        let next = 1 - direction;
        for way in WAYS[direction] {
            // The blank goes right or down.
            let forward = matches!(way, Move::Left | Move::Up);
            let before = self.path.len();
            while self.board.step(direction, forward) {
                self.path.push(way);
                self.meter.generated += 1;
                let bound = self.board.bound(next);
                if bound < left && (bound == 0 || self.visit(next, left - 1)) {
                    return true;
                }
            }
            for _ in self.path.drain(before..) {
                self.board.step(direction, !forward);
            }
        }
        false
    }
}
