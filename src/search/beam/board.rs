//! Beams of boards of any size, with any heuristic.
//!
//! On large boards a beam may end before the goal, because no level comes closer any more: for
//! example, two lines have some of each other's tiles, and everything around them is at home. Then
//! the next line is brought home as [`staged`](crate::search::staged()) does, and another beam solves
//! the rest of the board.

use super::level::Level;
use super::read_back;
use crate::board::{Move, Path, Position};
use crate::heuristic::Heuristic;
use crate::search::Control;
use crate::search::staged::Work;

/// The levels without a lower bound after which a beam ends.
const PATIENCE: usize = 50;

/// Finds a solution by beams of `width` positions a level, on the current rayon thread pool, the same
/// for any number of threads; `None` if it finds none of less than `below` moves, or `control` stops
/// the search. It looks at its limits once a level.
///
/// Takes some 0.5 KB for each position of a level on 10×10, and 4 bytes for each position of all
/// levels.
///
/// # Panics
/// If the heuristic is one for another goal, or the width is 0 or more than 2²⁸.
pub fn beam<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    width: usize,
    below: usize,
    control: &Control,
) -> Option<Path> {
    assert!((1..=1 << 28).contains(&width));
    let mut beam = Beam { heuristic, width, below, control, generated: 0 };
    let mut work = Work::new(position);
    loop {
        beam.approach(&work)?.into_iter().for_each(|m| work.make(m));
        if !work.is_solved() {
            work.stage();
        }
        if work.moves() >= below {
            return None;
        }
        if work.is_solved() {
            return Some(work.into_path());
        }
    }
}

struct Beam<'a, H> {
    heuristic: &'a H,
    width: usize,
    below: usize,
    control: &'a Control,
    generated: u64,
}

impl<H: Heuristic> Beam<'_, H> {
    /// Finds the moves to the goal, or to the first position with the lowest bound that the beam meets;
    /// `None` if `below` leaves no position of a level, or the search is stopped.
    fn approach(&mut self, work: &Work) -> Option<Vec<Move>> {
        let mut level = Level::new(self.heuristic, work.position());
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let (mut lowest, mut depth) = (u32::MAX, 0);
        loop {
            if let Some(place) = level.goal(self.heuristic) {
                return Some(read_back(&came_from, place));
            }
            let bound = level.lowest(self.heuristic)?;
            if bound < lowest {
                (lowest, depth) = (bound, came_from.len());
            }
            if came_from.len() == depth + PATIENCE {
                break;
            }
            if self.control.check(self.generated).is_some() {
                return None;
            }
            let made = work.moves() + came_from.len() + 1;
            let candidates = level.candidates(self.heuristic, work.free(), self.below, made);
            self.control.journal().searched(candidates.len() as u64);
            self.generated += candidates.len() as u64;
            let from;
            (level, from) = level.next(&candidates, self.width);
            came_from.push(from);
        }
        came_from.truncate(depth);
        // The lowest bound comes first in its level.
        Some(read_back(&came_from, 0))
    }
}
