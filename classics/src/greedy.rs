//! Solutions made greedily: bounded breadth-first searches stitched together.
//!
//! 1. Each position has a *weighted distance*: the sum of the tiles' distances from home, each
//!    times a weight that grows with the distance of its goal cell from the blank's. Tiles far
//!    from the blank's goal therefore come first, and are not given up for others.
//! 2. A breadth-first search from the current position, over a limited number of positions, looks for a
//!    position with a smaller weighted distance, or with an equal one and the blank closer to the heaviest
//!    tile that is not at home. The best one found is the next position.
//! 3. If it finds none, the search is repeated with more positions. If even many do not help, or a
//!    limit is reached, the rest is solved by [stages](staged()).

use taquin_engine::board::{Grid, Move, Moves, Position};
use taquin_engine::search::{Event, Limits, Stage, staged};

use crate::graph::Graph;

/// The number of positions of the first search, its growth, and its maximum.
const FIRST: usize = 2_000;
const GROWTH: usize = 8;
const MOST: usize = 128_000;

/// Expansions between two checks of the limits.
const POLL: u32 = 64;

/// Finds a solution of a position, which need not be optimal. `finished` is called for each stage if stages
/// make the end of the solution.
pub fn greedy(position: &Position, limits: &Limits, mut finished: impl FnMut(&Stage)) -> Moves {
    let away = Away::new(position.grid(), position.goal_blank());
    let (mut position, mut path) = (position.clone(), Vec::new());
    let (mut positions, mut generated) = (FIRST, 0);
    let mut graph = Graph::new(position.grid(), &Limits::default());
    while !position.is_goal() {
        let before = generated;
        let better = improve(&position, &away, &mut graph, positions, &mut generated, limits);
        limits.report(&Event::Nodes(generated - before));
        let is_stopped = limits.check(generated).is_some();
        if better.is_none() && positions < MOST && !is_stopped {
            positions *= GROWTH;
            continue;
        }
        if better.is_some() {
            positions = FIRST;
        }
        for m in better.unwrap_or_else(|| staged(&position, &mut finished)).iter() {
            position.make(m);
            path.push(m);
        }
    }
    Moves(path)
}

/// The path to a better position, if one is found among so many positions.
fn improve(
    from: &Position,
    away: &Away,
    graph: &mut Graph,
    positions: usize,
    generated: &mut u64,
    limits: &Limits,
) -> Option<Moves> {
    let before = (away.distance(from.labels()), away.approach(from));
    let mut best = (before, 0);
    graph.clear();
    graph.enter(from.labels(), None).ok()?;
    let (mut parent, mut child, mut next) = (from.clone(), from.clone(), 0);
    while next < graph.len() as u32 && graph.len() < positions {
        if next.is_multiple_of(POLL) && limits.check(*generated).is_some() {
            break;
        }
        parent.overwrite(|labels| labels.copy_from_slice(graph.labels(next)));
        let (last, here) = (graph.node(next).last, away.distance(parent.labels()));
        for m in Move::ALL {
            child.clone_from(&parent);
            if last == Some(m.opposite()) {
                continue;
            }
            let Some((cell, to)) = child.make(m) else { continue };
            *generated += 1;
            let tile = child.labels()[to];
            let distance = here + away.of_tile(tile, to) - away.of_tile(tile, cell);
            let Ok(Some(number)) = graph.enter(child.labels(), Some((next, m))) else { continue };
            if distance <= best.0.0 {
                best = best.min(((distance, away.approach(&child)), number));
            }
        }
        next += 1;
    }
    (best.0 < before).then(|| graph.path(best.1))
}

/// The distances of tiles from home, each times its weight.
struct Away {
    grid: Grid,
    /// By goal cell: doubled with each ring of cells around the blank's goal, whose own is 0.
    weights: Vec<u64>,
}

impl Away {
    fn new(grid: Grid, blank: usize) -> Away {
        let weight = |cell: usize| {
            let rows = grid.row(cell).abs_diff(grid.row(blank));
            let columns = grid.column(cell).abs_diff(grid.column(blank));
            if cell == blank { 0 } else { 1 << rows.max(columns).min(30) }
        };
        Away { grid, weights: (0..grid.cells()).map(weight).collect() }
    }

    fn distance(&self, labels: &[u8]) -> u64 {
        labels.iter().enumerate().map(|(cell, &label)| self.of_tile(label, cell)).sum()
    }

    /// The weighted distance of a tile; 0 for the blank.
    fn of_tile(&self, label: u8, cell: usize) -> u64 {
        let home = usize::from(label);
        self.weights[home] * self.grid.distance(home, cell) as u64
    }

    /// The distance of the blank from the heaviest tile that is not at home.
    fn approach(&self, position: &Position) -> usize {
        let labels = position.labels();
        let tiles = (0..labels.len()).filter(|&cell| self.of_tile(labels[cell], cell) > 0);
        let heaviest =
            tiles.max_by_key(|&cell| (self.weights[usize::from(labels[cell])], labels[cell]));
        heaviest.map_or(0, |cell| self.grid.distance(cell, position.blank()))
    }
}
