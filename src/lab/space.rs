//! The boards at each distance from a goal, by a breadth-first search of the whole space.

use crate::board::{Goal, Grid, Metric, Move};
use crate::search::Cancel;

/// The largest number of cells. Half of the 479,001,600 arrangements of 12 cells can reach the goal. The
/// search takes 60 MB for the arrangements that it has seen, and up to 0.4 GB for two layers.
pub const MAX_SPACE_CELLS: usize = 12;

/// An arrangement: four bits for the tile in each cell, named by its goal cell, and the blank's cell above
/// them.
#[derive(Clone, Copy)]
struct Arrangement(u64);

const BLANK: usize = 60;

impl Arrangement {
    fn at(self, cell: usize) -> u64 {
        self.0 >> (4 * cell) & 15
    }

    fn blank(self) -> usize {
        (self.0 >> BLANK) as usize
    }

    /// The arrangement after the tile in cell `from` has moved to the blank.
    fn moved(self, from: usize) -> Arrangement {
        let (tile, label) = (self.at(from), self.at(self.blank()));
        let exchange = (tile ^ label) << (4 * from) | (tile ^ label) << (4 * self.blank());
        let tiles = (self.0 ^ exchange) & ((1 << BLANK) - 1);
        Arrangement(tiles | (from as u64) << BLANK)
    }

    /// Its number among all permutations.
    fn rank(self, cells: usize) -> usize {
        let (mut rank, mut used) = (0, 0_u32);
        for cell in 0..cells {
            let label = self.at(cell);
            let before = (used & ((1 << label) - 1)).count_ones();
            rank = rank * (cells - cell) + label as usize - before as usize;
            used |= 1 << label;
        }
        rank
    }
}

/// The number of boards at each distance from a goal, from 0 to the greatest; `None` after a cancel. `layer`
/// is called with each.
///
/// # Panics
/// For more than [`MAX_SPACE_CELLS`] cells.
pub fn depth_counts(
    goal: &Goal,
    metric: Metric,
    cancel: &Cancel,
    mut layer: impl FnMut(usize, u64),
) -> Option<Vec<u64>> {
    let grid = goal.board().grid();
    let cells = grid.cells();
    assert!(cells <= MAX_SPACE_CELLS, "a {grid} board has too many cells");
    let tiles = (0..cells).fold(0, |tiles, cell| tiles | (cell as u64) << (4 * cell));
    let start = Arrangement(tiles | (goal.board().blank() as u64) << BLANK);
    let mut seen = vec![0_u64; (1..=cells).product::<usize>().div_ceil(64)];
    let mut is_new = |arrangement: Arrangement| {
        let rank = arrangement.rank(cells);
        let (word, bit) = (&mut seen[rank / 64], 1 << (rank % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    };
    is_new(start);
    let (mut frontier, mut counts) = (vec![start], Vec::new());
    while !frontier.is_empty() {
        layer(counts.len(), frontier.len() as u64);
        counts.push(frontier.len() as u64);
        let mut next = Vec::new();
        for part in frontier.chunks(1 << 16) {
            if cancel.is_cancelled() {
                return None;
            }
            for &arrangement in part {
                children(grid, metric, arrangement, |child| {
                    if is_new(child) {
                        next.push(child);
                    }
                });
            }
        }
        frontier = next;
    }
    Some(counts)
}

fn children(grid: Grid, metric: Metric, parent: Arrangement, mut each: impl FnMut(Arrangement)) {
    for m in Move::ALL {
        let mut child = parent;
        while let Some(from) = grid.source(child.blank(), m) {
            child = child.moved(from);
            each(child);
            if metric == Metric::Single {
                break;
            }
        }
    }
}
