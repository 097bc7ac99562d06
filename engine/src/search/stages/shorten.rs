//! Shortens a solution, window by window.
//!
//! 1. A *window* is a run of moves of the solution. The position at its end becomes the goal, by
//!    labelling each tile with its cell there, and iterative deepening looks for a shorter path.
//! 2. Windows of one length are tried along the whole solution, then longer ones, until most are
//!    given up because they exceed a number of nodes.
//! 3. Then windows may take more nodes, and so on, until the search is stopped or has exhausted all paths
//!    that are shorter than the whole solution. A window's [`Proof`] names the window's ends, so it proves
//!    nothing about a longer solution.

use std::collections::HashMap;

use crate::board::{Metric, Move, Moves, Position};
use crate::heuristic::{Heuristic, Manhattan};
use crate::search::ida::MoveSearch;
use crate::search::moves::{Rows, without_undoing};
use crate::search::run::{Event, Limits, Meter, Outcome, Proof, Stop};

/// The nodes that a window may take at first.
const FIRST_NODES: u64 = 2_000;

/// The length of the first windows, and the increase to the next ones.
const STEP: usize = 6;

/// A path at least as short as `path`, from the same position to the same end, and the proof if it has the
/// fewest moves. Without a limit in `limits` the search goes on until there is a proof. It keeps to the
/// limit of nodes in `limits`.
///
/// In the multi-tile metric, too, the search shortens windows in moves, which most often saves slides. The
/// result is the path with the fewest slides on the way.
///
/// # Panics
/// If `path` leaves the board.
pub fn shorten(
    position: &Position,
    path: Moves,
    metric: Metric,
    limits: &Limits,
) -> (Moves, Option<Proof>) {
    let grid = position.grid();
    Shortener {
        start: position.clone(),
        whole: position.toward(&after(position, &path.0)),
        best: path.clone(),
        path: path.0,
        metric,
        proof: None,
        rows: without_undoing(grid.width(), grid.height()),
        manhattans: HashMap::new(),
        nodes: Outcome::default(),
        limits,
    }
    .run()
}

struct Shortener<'a> {
    start: Position,
    /// The start with the end of the path as its goal.
    whole: Position,
    path: Vec<Move>,
    /// The shortest path so far, in the metric.
    best: Moves,
    metric: Metric,
    /// The proof that no path from the start to the end is shorter.
    proof: Option<Proof>,
    /// The moves that windows are searched with.
    rows: Rows,
    /// The distances to the ends of windows, by the cell of the blank.
    manhattans: HashMap<usize, Manhattan>,
    /// The nodes so far.
    nodes: Outcome,
    limits: &'a Limits,
}

impl Shortener<'_> {
    /// The path as short as it gets before the search is stopped, and the proof if there is one.
    fn run(mut self) -> (Moves, Option<Proof>) {
        let (mut allowed, mut length) = (FIRST_NODES, STEP);
        while self.proof.is_none() && !self.is_stopped() {
            let (tried, given_up) = self.sweep(length, allowed);
            if 2 * given_up > tried {
                (allowed, length) = (allowed * 4, STEP);
            } else {
                length += STEP;
            }
        }
        (self.best, self.proof)
    }

    fn is_stopped(&self) -> bool {
        self.limits.check(self.nodes.generated).is_some()
    }

    /// Tries all windows of a length. Returns their number, and how many were given up.
    fn sweep(&mut self, length: usize, allowed: u64) -> (usize, usize) {
        let mut position = self.start.clone();
        let (mut tried, mut given_up) = (0, 0);
        let mut at = 0;
        while !self.is_stopped() {
            let end = (at + length).min(self.path.len());
            tried += 1;
            let start = position.toward(&after(&position, &self.path[at..end]));
            match self.shorter(&start, end - at, allowed) {
                Ok(Some(moves)) => {
                    self.path.splice(at..end, moves);
                    self.compare();
                    continue;
                }
                Ok(None) if start == self.whole => {
                    // Moves before and after the window lead round in a circle.
                    self.path = self.path[at..end].to_vec();
                    self.compare();
                    self.proof = Some(Proof::new(&start, Metric::Single, (end - at) as u32));
                    break;
                }
                Ok(None) => {}
                Err(_) => given_up += 1,
            }
            if end == self.path.len() {
                break;
            }
            for &m in &self.path[at..(at + (length / 3).max(1)).min(end)] {
                position.make(m).expect("the path stays on the board");
                at += 1;
            }
        }
        (tried, given_up)
    }

    /// Looks for a path to the goal with fewer moves than `length`, and gives up after `allowed` nodes or when
    /// a limit ends it.
    fn shorter(
        &mut self,
        start: &Position,
        length: usize,
        allowed: u64,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let (grid, blank) = (start.grid(), start.goal_blank());
        let manhattan = self.manhattans.entry(blank).or_insert_with(|| Manhattan::new(grid, blank));
        let limit = self.nodes.generated.saturating_add(allowed).min(self.limits.most_nodes());
        let limits = self.limits.clone().nodes(limit);
        let value = manhattan.value(&manhattan.start(start.labels()));
        // All paths between two positions have one parity.
        for threshold in (value..length as u32).step_by(2) {
            let meter = Meter::after(&self.nodes, &limits);
            let mut search = MoveSearch::new(start, manhattan, &self.rows, meter);
            let end = search.within(threshold);
            search.meter.write_to(&mut self.nodes);
            if end? {
                return Ok(Some(search.path));
            }
        }
        Ok(None)
    }

    /// Keeps the path if it is the shortest so far.
    fn compare(&mut self) {
        let path = Moves(self.path.clone());
        let length = path.length(self.metric);
        if length <= self.best.length(self.metric) {
            self.limits.report(&Event::Shorter(length));
            self.best = path;
        }
    }
}

/// The position after some moves.
fn after(start: &Position, moves: &[Move]) -> Position {
    let mut end = start.clone();
    moves.iter().for_each(|&m| {
        end.make(m).expect("the path stays on the board");
    });
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn detours_are_found_and_the_end_stays() {
        let grid = Grid::new(5, 4).unwrap();
        let goal = Position::goal(grid, 0);
        let end = |path: &Moves| after(&goal, &path.0);
        // Three times round a square leads back, so that once is enough.
        let round: Moves = "ULDRULDRULDRULDR".parse().unwrap();
        for metric in Metric::ALL {
            let shorten = |path: &Moves, limits| shorten(&goal, path.clone(), metric, &limits);
            let (short, proof) = shorten(&round, Limits::default());
            let bound = proof.map(|proof| {
                (proof.is_of(&goal.toward(&end(&round)), Metric::Single), proof.bound())
            });
            assert_eq!((short.len(), bound), (4, Some((true, 4))), "{short}");
            assert_eq!(end(&short), end(&round));
            let none = Limits::default().nodes(0);
            assert_eq!(shorten(&round, none), (round.clone(), None));
            let nothing = Moves::default();
            let (short, proof) = shorten(&nothing, Limits::default());
            assert_eq!((short, proof.map(|proof| proof.bound())), (nothing, Some(0)));
        }
    }
}
