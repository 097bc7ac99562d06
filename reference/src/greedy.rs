//! Solutions made greedily: bounded breadth-first searches stitched together.
//!
//! 1. Each position has a *weighted distance*: the sum of the tiles' distances from home, each
//!    times a weight that grows with the distance of its goal cell from the blank's. Tiles far
//!    from the blank's goal therefore come first, and are not given up for others.
//! 2. A breadth-first search from the current position, of a limited number of positions, looks
//!    for one of less weighted distance, or of the same with the blank nearer to the heaviest tile
//!    that is not at home. The best one found is the next position.
//! 3. If it finds none, the search is repeated with more positions. If even many do not help, or a
//!    limit is reached, the rest is solved by [stages](staged()).

use taquin_engine::board::{Grid, Move, Moves, Position};
use taquin_engine::search::{Event, Limits, Stage, staged};

use crate::graph::{Entered, Graph};

/// The number of positions of the first search, its growth, and its maximum.
const FIRST: usize = 2_000;
const GROWTH: usize = 8;
const MOST: usize = 128_000;

/// Expansions between two checks of the limits.
const POLL: u32 = 64;

/// A solution of a position. It is not optimal. `finished` is called for each stage, if the end of the
/// solution is made by stages.
pub fn greedy(position: &Position, limits: &Limits, mut finished: impl FnMut(&Stage)) -> Moves {
    let (grid, blank) = (position.grid(), position.goal_blank());
    let mut search = Greedy {
        grid,
        blank,
        weights: (0..grid.cells()).map(|cell| weight(grid, blank, cell)).collect(),
        graph: Graph::new(grid, &Limits::default()),
        generated: 0,
        limits,
    };
    let (mut position, mut path) = (position.clone(), Vec::new());
    let mut positions = FIRST;
    while !position.is_goal() {
        let better = search.improve(&position, positions);
        let stopped = limits.check(search.generated).is_some();
        let better = match better {
            Some(better) => {
                positions = FIRST;
                better
            }
            None if positions < MOST && !stopped => {
                positions *= GROWTH;
                continue;
            }
            None => staged(&position, &mut finished),
        };
        for m in better.iter() {
            position.make(m);
            path.push(m);
        }
    }
    Moves(path)
}

/// The weight of a tile by its goal cell: doubled with each ring of cells around the blank's goal.
fn weight(grid: Grid, blank: usize, cell: usize) -> u64 {
    let rows = grid.row(cell).abs_diff(grid.row(blank));
    let columns = grid.column(cell).abs_diff(grid.column(blank));
    1 << rows.max(columns).min(30)
}

struct Greedy<'a> {
    grid: Grid,
    blank: usize,
    weights: Vec<u64>,
    /// The positions of the current search.
    graph: Graph,
    /// The nodes of all searches.
    generated: u64,
    limits: &'a Limits,
}

impl Greedy<'_> {
    /// The path to a better position, if one is found.
    fn improve(&mut self, from: &Position, positions: usize) -> Option<Moves> {
        let start = self.distance(from.labels());
        let before = (start, self.approach(from));
        let mut best = (before, 0);
        self.graph.clear();
        self.graph.enter(from.labels(), None).ok()?;
        let generated = self.generated;
        let mut parent = from.clone();
        let mut next = 0;
        let mut child = from.clone();
        while next < self.graph.len() as u32 && self.graph.len() < positions {
            if next.is_multiple_of(POLL) && self.limits.check(self.generated).is_some() {
                break;
            }
            parent.overwrite(|labels| self.graph.labels(next, labels));
            let (last, here) = (self.graph.node(next).last, self.distance(parent.labels()));
            for m in Move::ALL {
                if last == Some(m.opposite()) {
                    continue;
                }
                child.clone_from(&parent);
                let Some((cell, to)) = child.make(m) else { continue };
                self.generated += 1;
                let tile = child.labels()[to];
                let distance = here + self.of_tile(tile, to) - self.of_tile(tile, cell);
                let entered = self.graph.enter(child.labels(), Some((next, m)));
                let Ok(Entered::New(number)) = entered else { continue };
                if distance <= best.0.0 {
                    let found = (distance, self.approach(&child));
                    if found < best.0 {
                        best = (found, number);
                    }
                }
            }
            next += 1;
        }
        self.limits.report(&Event::Nodes(self.generated - generated));
        (best.0 < before).then(|| self.graph.path(best.1))
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

    /// The distance of the blank from the heaviest tile that is not at home.
    fn approach(&self, position: &Position) -> usize {
        let labels = position.labels();
        let away = |&cell: &usize| {
            let home = usize::from(labels[cell]);
            home != cell && home != self.blank
        };
        let heaviest = (0..self.grid.cells())
            .filter(away)
            .max_by_key(|&cell| (self.weights[usize::from(labels[cell])], labels[cell]));
        heaviest.map_or(0, |cell| self.grid.distance(cell, position.blank()))
    }
}
