//! Beams of boards of any size, with any heuristic.
//!
//! On large boards a beam may end before the goal, because no level comes closer any more: for
//! example, two lines have some of each other's tiles, and everything around them is at home. Then
//! the next line is brought home as [`staged`](crate::search::staged()) does, and another beam solves
//! the rest of the board.

use super::Width;
use super::level::Level;
use crate::board::{Metric, Move, Moves, Position};
use crate::heuristic::Heuristic;
use crate::search::Control;
use crate::search::staged::Work;

/// The levels of moves without a lower rank after which a beam ends.
const PATIENCE: usize = 50;

/// The levels of slides without a lower rank after which a beam ends.
const SLIDE_PATIENCE: usize = 25;

/// Finds a solution by beams of `width` positions a level, on the current rayon thread pool; `None` if it
/// finds none of less than `below` moves, or `control` stops the search. If the width is fixed, the number
/// of threads changes nothing. It looks at its limits once a level.
///
/// Takes some 0.5 KB for each position of a level on 10×10, and 4 bytes for each position of all
/// levels.
///
/// # Panics
/// If the heuristic is one for another goal, or the width is 0 or more than 2²⁸.
pub fn beam<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    width: impl Into<Width>,
    below: usize,
    control: &Control,
) -> Option<Moves> {
    let width = width.into();
    assert!((1..=1 << 28).contains(&width.most()));
    let metric = Metric::Single;
    Beam { guide: heuristic, metric, width, below, control, generated: 0 }.solve(position)
}

/// Does what [`beam`] does with slides instead of moves: a level is one slide further than the one
/// before, and `below` is a number of slides. The heuristic counts moves, as for `beam`.
///
/// # Panics
/// If the heuristic is one for another goal, or the width is 0 or more than 2²².
pub fn slide_beam<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    width: impl Into<Width>,
    below: usize,
    control: &Control,
) -> Option<Moves> {
    let width = width.into();
    assert!((1..=1 << 22).contains(&width.most()));
    let metric = Metric::Multi;
    Beam { guide: heuristic, metric, width, below, control, generated: 0 }.solve(position)
}

struct Beam<'a, G> {
    guide: &'a G,
    metric: Metric,
    width: Width,
    below: usize,
    control: &'a Control,
    generated: u64,
}

impl<G: Heuristic> Beam<'_, G> {
    fn solve(&mut self, position: &Position) -> Option<Moves> {
        let mut work = Work::new(position);
        loop {
            let made = work.length(self.metric);
            self.approach(&work, made)?.into_iter().for_each(|m| work.make(m));
            if !work.is_solved() {
                work.stage();
            }
            if work.length(self.metric) >= self.below {
                return None;
            }
            if work.is_solved() {
                return Some(work.into_path());
            }
        }
    }

    /// Finds the moves to the goal, or to the first position with the lowest rank that the beam meets;
    /// `None` if `below` leaves no position of a level, or the search is stopped. `made` moves or slides
    /// are made before.
    fn approach(&mut self, work: &Work, made: usize) -> Option<Vec<Move>> {
        let mut level = Level::new(self.guide, work.position(), self.metric);
        let origins = level.origins();
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let patience = match self.metric {
            Metric::Single => PATIENCE,
            Metric::Multi => SLIDE_PATIENCE,
        };
        let (mut lowest, mut depth, mut place) = (u32::MAX, 0, 0);
        loop {
            if let Some(place) = level.goal() {
                return Some(origins.read_back(&came_from, place));
            }
            let (rank, first) = level.lowest()?;
            if rank < lowest {
                (lowest, depth, place) = (rank, came_from.len(), first);
            }
            if came_from.len() == depth + patience {
                break;
            }
            if self.control.check(self.generated).is_some() {
                return None;
            }
            let length = made + came_from.len();
            let candidates = level.candidates(self.guide, work.free(), self.below, length + 1);
            let generated = candidates.iter().map(|part| part.len() as u64).sum();
            self.control.journal().searched(generated);
            self.generated += generated;
            let from;
            let width = self.width.behind(level.len(), length);
            (level, from) = level.next(self.guide, &candidates, width);
            came_from.push(from);
        }
        came_from.truncate(depth);
        Some(origins.read_back(&came_from, place))
    }
}
