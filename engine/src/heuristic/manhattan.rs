//! Manhattan distance: the sum over the tiles of the steps from each to its goal cell.
//!
//! It has been the yardstick for other heuristics since Korf, *Depth-first iterative-deepening: an
//! optimal admissible tree search*, Artificial Intelligence 27 (1985).
//!
//! **Admissible and consistent**: a move takes one tile one step along its row or its column, so
//! the sum changes by exactly 1, and it is 0 at the goal. For the same reason it has the parity of
//! the number of moves.
//!
//! **Cost**: two look-ups per move in a table of `cells²` bytes. The average over all 4×4 boards is exactly
//! 37 for a goal with the blank in a corner (36.94 over the 1000 of Korf & Felner 2002). Korf's 100 boards
//! take 363,028,080 nodes on average.

use super::Heuristic;
use crate::board::Grid;

/// The sum of the tiles' distances from their goal cells. Consistent.
#[derive(Clone, Debug)]
pub struct Manhattan {
    cells: usize,
    /// Steps by (label, cell), row after row; all 0 for the blank. At most 128 on any grid.
    steps: Box<[u8]>,
}

impl Manhattan {
    /// The heuristic for a goal with the blank in cell `blank`.
    ///
    /// # Panics
    /// If the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> Manhattan {
        let cells = grid.cells();
        assert!(blank < cells, "a {grid} grid has no cell {blank} for the blank");
        let mut steps = vec![0; cells * cells].into_boxed_slice();
        for (label, row) in steps.chunks_exact_mut(cells).enumerate() {
            if label != blank {
                for (cell, steps) in row.iter_mut().enumerate() {
                    *steps = grid.distance(label, cell) as u8;
                }
            }
        }
        Manhattan { cells, steps }
    }

    /// The sum after a tile with this label moved.
    #[inline]
    pub(crate) fn after(&self, sum: &u16, label: u8, from: usize, to: usize) -> u16 {
        sum + self.steps(label, to) - self.steps(label, from)
    }

    fn steps(&self, label: u8, cell: usize) -> u16 {
        self.steps[usize::from(label) * self.cells + cell].into()
    }
}

impl Heuristic for Manhattan {
    /// The sum itself: at most 255 tiles 128 steps away.
    type Carry = u16;

    fn start(&self, labels: &[u8]) -> u16 {
        labels.iter().enumerate().map(|(cell, &label)| self.steps(label, cell)).sum()
    }

    #[inline]
    fn moved(&self, sum: &u16, labels: &[u8], from: usize, to: usize) -> u16 {
        self.after(sum, labels[to], from, to)
    }

    #[inline]
    fn value(&self, sum: &u16) -> u32 {
        (*sum).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_distances_fit() {
        for (w, h) in [(128, 2), (2, 128), (16, 16)] {
            let grid = Grid::new(w, h).unwrap();
            let labels: Vec<u8> = (0..=255).rev().collect();
            let sum: usize = (0..255).map(|cell| grid.distance(cell, 255 - cell)).sum();
            assert_eq!(usize::from(Manhattan::new(grid, 0).start(&labels)), sum);
        }
    }
}
