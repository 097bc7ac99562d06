//! Solutions made greedily: bounded breadth-first searches stitched together.
//!
//! 1. Each position has a *weighted distance*: the sum of the tiles' distances from home, each
//!    times a weight that grows with the distance of its goal cell from the blank's. So tiles far
//!    from there come first, and are not given up for others.
//! 2. A breadth-first search from the position at hand, of so many positions, looks for one of
//!    less weighted distance, or of the same where the blank is nearer to the heaviest tile not
//!    at home. The best one found is the next.
//! 3. Where there is none, the search is repeated with more positions. When even many do not
//!    help, the rest is done by [stages](super::staged).

use super::graph::{Entered, Graph, Hand};
use super::{Control, Phase, staged};
use crate::board::{Grid, Move, Path};

/// The positions of the first search, by how much they grow, and the most of them.
const FIRST: usize = 2_000;
const GROWTH: usize = 8;
const MOST: usize = 128_000;

/// A solution of the position `labels` (see [`Canonical`](crate::board::Canonical)) on `grid`,
/// whose goal has the blank in cell `blank`. It is not optimal. `finished` is told of the stages
/// that the end of it was left to, if it was.
///
/// # Panics
/// Where the position cannot reach the goal.
pub fn greedy(grid: Grid, blank: usize, labels: &[u8], finished: impl FnMut(&Phase)) -> Path {
    let mut search = Greedy {
        grid,
        blank,
        weights: (0..grid.cells()).map(|cell| weight(grid, blank, cell)).collect(),
    };
    let mut hand = Hand::new(grid, blank, labels);
    let mut moves = Vec::new();
    let mut positions = FIRST;
    while !hand.is_goal() {
        match search.improve(&hand, positions) {
            Some(path) => {
                for m in path.iter() {
                    hand.make(m).expect("the path was found on the board");
                    moves.push(m);
                }
                positions = FIRST;
            }
            None if positions < MOST => positions *= GROWTH,
            None => {
                moves.extend(staged(grid, blank, &hand.labels, finished).0);
                break;
            }
        }
    }
    let mut path = Path::default();
    // A move that takes the last one back takes both away.
    for m in moves {
        if path.0.last().is_some_and(|last: &Move| last.opposite() == m) {
            path.0.pop();
        } else {
            path.0.push(m);
        }
    }
    path
}

/// Doubled with each ring of cells around the blank's goal.
fn weight(grid: Grid, blank: usize, cell: usize) -> u64 {
    let rows = grid.row(cell).abs_diff(grid.row(blank));
    let columns = grid.column(cell).abs_diff(grid.column(blank));
    1 << rows.max(columns).min(30)
}

struct Greedy {
    grid: Grid,
    blank: usize,
    weights: Vec<u64>,
}

impl Greedy {
    /// The way to a better position, if one is found.
    fn improve(&mut self, from: &Hand, positions: usize) -> Option<Path> {
        let mut graph: Graph<u64> = Graph::new(self.grid, &Control::default());
        let start = self.distance(&from.labels);
        let before = (start, self.way(from));
        let mut best = (before, 0);
        graph.start(&from.labels, start).ok()?;
        let mut hand = from.clone();
        let mut next = 0;
        let mut child = from.clone();
        while next < graph.len() as u32 && graph.len() < positions {
            hand.take(&graph, next, self.blank);
            for m in Move::ALL {
                if graph.last(next) == Some(m.opposite()) {
                    continue;
                }
                child.clone_from(&hand);
                let Some((cell, to)) = child.make(m) else { continue };
                let tile = child.labels[to];
                let distance =
                    *graph.state(next) + self.of_tile(tile, to) - self.of_tile(tile, cell);
                let entered = graph.enter(&child.labels, Some((next, m)), || distance);
                let Ok(Entered::New(number)) = entered else { continue };
                if distance <= best.0.0 {
                    let found = (distance, self.way(&child));
                    if found < best.0 {
                        best = (found, number);
                    }
                }
            }
            next += 1;
        }
        (best.0 < before).then(|| graph.path(best.1))
    }

    fn distance(&self, labels: &[u8]) -> u64 {
        labels.iter().enumerate().map(|(cell, &label)| self.of_tile(label, cell)).sum()
    }

    /// The weighted distance of a tile.
    fn of_tile(&self, label: u8, cell: usize) -> u64 {
        let home = usize::from(label);
        if home == self.blank {
            0
        } else {
            self.weights[home] * self.grid.distance(home, cell) as u64
        }
    }

    /// How far the blank is from the heaviest tile not at home.
    fn way(&self, hand: &Hand) -> usize {
        let away = |&cell: &usize| {
            let home = usize::from(hand.labels[cell]);
            home != cell && home != self.blank
        };
        let heaviest = (0..self.grid.cells())
            .filter(away)
            .max_by_key(|&cell| (self.weights[usize::from(hand.labels[cell])], hand.labels[cell]));
        heaviest.map_or(0, |cell| self.grid.distance(cell, hand.empty))
    }
}
