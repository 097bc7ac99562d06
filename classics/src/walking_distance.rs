//! Walking distance.
//!
//! Ken'ichiro Takahashi (takaken), *How to write a 15-puzzle solver*, a web page in Japanese.
//! Manhattan distance lets tiles pass through each other. In walking distance a tile moves only into
//! the blank's row or column. In return it does not matter where in its row a tile stands, or which
//! of the tiles with the same goal row it is:
//!
//! 1. For vertical moves, a position is a matrix: the number of tiles in row r that belong in row
//!    g, for each r and g. The blank is in the row with one tile less.
//! 2. A move swaps the blank with any tile of the row above or below. Breadth-first search from the goal's
//!    matrix gives the minimum number of such moves for every matrix.
//! 3. Horizontal moves are counted in the same way, with columns.
//!
//! The sum of both is walking distance.
//!
//! **Admissible**: the vertical moves of a solution lead the first matrix to its goal, the
//! horizontal ones the second, and no move is both. **Consistent**, with the parity of the number
//! of moves: each move steps from one matrix to a neighbouring one. The blank's row changes with
//! every step, so the distances of neighbours differ by exactly 1.
//!
//! **Cost**: two look-ups per move, one for the next matrix and one for its distance. The average over 4×4
//! boards is 39.29, and Korf's 100 boards take 63,001,934 nodes on average. For n lines of m cells there are
//! n·N matrices, where N is the number of matrices with the blank in a given line:
//!
//! | grid | matrices by rows + by columns | built in |
//! |---|---|---|
//! | 3×3 | 105 | 0.02 ms |
//! | 4×4 | 24,964 | 4 ms |
//! | 5×3 | 525 + 352,560 | 85 ms |
//! | 6×2 | 12 + 367,560 | 100 ms |
//!
//! A square grid with the blank's goal on the diagonal needs one table for both directions. The
//! next larger sizes, 5×4 (5,977,015 by columns) and 6×3 (50,388,240), and all beyond are refused.

use std::sync::Arc;

use hashbrown::HashMap;
use taquin_engine::board::Grid;

use crate::Heuristic;

/// The error for a grid on which walking distance would need too large a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "walking-distance needs too large a table for {} {} board: it exists for boards up to 4x4, 5x3 and 6x2", .0.article(), .0
)]
pub struct GridTooLarge(pub Grid);

/// The moves needed to bring every tile to its goal row, and the moves to its goal column, where only the
/// blank lets tiles pass. Consistent.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    grid: Grid,
    blank: usize,
    vertical: Arc<Table>,
    horizontal: Arc<Table>,
}

impl WalkingDistance {
    /// Builds the tables for a goal with the blank in cell `blank`.
    ///
    /// # Errors
    /// [`GridTooLarge`] unless the grid is at most 4×4, 5×3, 3×5, 6×2 or 2×6. Nothing is built
    /// then.
    ///
    /// # Panics
    /// If the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> Result<WalkingDistance, GridTooLarge> {
        assert!(blank < grid.cells(), "a {grid} grid has no cell {blank} for the blank");
        let (w, h) = (grid.width(), grid.height());
        let (row, column) = (grid.row(blank), grid.column(blank));
        if !WalkingDistance::fits(grid) {
            return Err(GridTooLarge(grid));
        }
        let vertical = Arc::new(Table::build(h, w, row));
        let horizontal = match (w, column) == (h, row) {
            true => vertical.clone(),
            false => Table::build(w, h, column).into(),
        };
        Ok(WalkingDistance { grid, blank, vertical, horizontal })
    }

    /// Returns whether the heuristic exists for a grid.
    pub fn fits(grid: Grid) -> bool {
        let (w, h) = (grid.width(), grid.height());
        matches!((w.max(h), w.min(h)), (..=4, _) | (5, ..=3) | (6, ..=2))
    }
}

/// The value that a search carries for [`WalkingDistance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkingCarry {
    vertical: u32,
    horizontal: u32,
}

impl Heuristic for WalkingDistance {
    type Carry = WalkingCarry;

    /// # Panics
    /// If `labels` is not a permutation.
    fn start(&self, labels: &[u8]) -> WalkingCarry {
        let matrix = |table: &Table, line: fn(Grid, usize) -> usize| {
            let tiles = labels.iter().enumerate();
            let tiles = tiles.filter(|&(_, &label)| usize::from(label) != self.blank);
            let unit = |(cell, &label): (usize, &u8)| {
                table.unit(line(self.grid, cell), line(self.grid, label.into()))
            };
            // Swapping two tiles of a row does not change the matrix, so the matrices of unsolvable positions
            // are there too.
            table.numbers[&tiles.map(unit).sum::<u128>()]
        };
        WalkingCarry {
            vertical: matrix(&self.vertical, Grid::row),
            horizontal: matrix(&self.horizontal, Grid::column),
        }
    }

    #[inline]
    fn moved(&self, carry: &WalkingCarry, labels: &[u8], from: usize, to: usize) -> WalkingCarry {
        let tile = usize::from(labels[to]);
        let width = self.grid.width();
        if from.abs_diff(to) == 1 {
            let horizontal = self.horizontal.next(carry.horizontal, from > to, tile % width);
            WalkingCarry { horizontal, ..*carry }
        } else {
            let vertical = self.vertical.next(carry.vertical, from > to, tile / width);
            WalkingCarry { vertical, ..*carry }
        }
    }

    #[inline]
    fn value(&self, carry: &WalkingCarry) -> u32 {
        let distance = |table: &Table, index: u32| u32::from(table.distance[index as usize]);
        distance(&self.vertical, carry.vertical) + distance(&self.horizontal, carry.horizontal)
    }
}

/// Bits of an entry in a packed matrix. They are enough for the largest tables, with 16 entries of
/// up to 4 or 36 of up to 2.
const BITS: usize = 3;
const ENTRY: u128 = (1 << BITS) - 1;

/// The matrices of one direction.
#[derive(Debug, Default)]
struct Table {
    lines: usize,
    /// The numbers of the packed matrices, in the order in which breadth-first search finds them.
    numbers: HashMap<u128, u32>,
    /// The fewest moves to the goal.
    distance: Vec<u8>,
    /// The matrix after a move, by (matrix, whether the tile came from the later line, the tile's
    /// goal line); itself where there is no such tile.
    next: Vec<u32>,
}

impl Table {
    /// The packed matrix of one tile in line `at` that belongs in line `goal`.
    fn unit(&self, at: usize, goal: usize) -> u128 {
        1 << ((at * self.lines + goal) * BITS)
    }

    fn build(lines: usize, cells: usize, blank: usize) -> Table {
        let mut table = Table { lines, ..Table::default() };
        let goal = (0..lines)
            .map(|line| table.unit(line, line) * (cells - usize::from(line == blank)) as u128)
            .sum();
        // The matrices, each with the blank's line.
        let mut matrices = vec![(goal, blank)];
        table.numbers.insert(goal, 0);
        table.distance.push(0);
        let mut done = 0;
        while let Some(&(matrix, blank)) = matrices.get(done) {
            // As `next` looks them up: from the earlier line, then from the later one.
            for from in [blank.checked_sub(1), Some(blank + 1)] {
                for goal in 0..lines {
                    let mut next = done as u32;
                    if let Some(from) = from.filter(|&from| from < lines)
                        && matrix & (table.unit(from, goal) * ENTRY) != 0
                    {
                        let matrix = matrix - table.unit(from, goal) + table.unit(blank, goal);
                        next = *table.numbers.entry(matrix).or_insert_with(|| {
                            matrices.push((matrix, from));
                            table.distance.push(table.distance[done] + 1);
                            matrices.len() as u32 - 1
                        });
                    }
                    table.next.push(next);
                }
            }
            done += 1;
        }
        table
    }

    #[inline]
    fn next(&self, index: u32, later: bool, goal: usize) -> u32 {
        self.next[(index as usize * 2 + usize::from(later)) * self.lines + goal]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_known_sizes() {
        for (w, h, states) in [
            (2, 2, (4, 4)),
            (3, 3, (105, 105)),
            (4, 3, (255, 4_324)),
            (3, 4, (4_324, 255)),
            (4, 4, (24_964, 24_964)),
            (5, 3, (525, 352_560)),
            (2, 6, (367_560, 12)),
        ] {
            let walking = WalkingDistance::new(Grid::new(w, h).unwrap(), 1).unwrap();
            let found = [walking.vertical, walking.horizontal].map(|table| table.distance.len());
            assert_eq!(found, [states.0, states.1], "{w}x{h}");
        }
    }

    #[test]
    fn every_matrix_is_numbered_once_and_neighbours_differ_by_one() {
        for (lines, cells) in [(2, 6), (3, 4), (4, 3), (4, 4), (5, 2)] {
            for blank in 0..lines {
                let table = Table::build(lines, cells, blank);
                let states = table.distance.len();
                assert_eq!((table.numbers.len(), table.next.len()), (states, states * 2 * lines));
                assert_eq!(table.distance.iter().filter(|&&d| d == 0).count(), 1);
                for state in 0..states {
                    let steps = table.next[state * 2 * lines..][..2 * lines].iter();
                    let (here, mut downhill) = (table.distance[state], state == 0);
                    for &next in steps.filter(|&&next| next as usize != state) {
                        let there = table.distance[next as usize];
                        assert_eq!(there.abs_diff(here), 1);
                        downhill |= there < here;
                    }
                    assert!(downhill);
                }
            }
        }
    }

    #[test]
    fn grids_that_are_too_large_are_refused_at_once() {
        for (w, h) in (2..=128).flat_map(|w| (2..=256 / w).map(move |h| (w, h))) {
            let small = w.max(h) <= 4 || matches!((w.max(h), w.min(h)), (5, 2 | 3) | (6, 2));
            let walking = WalkingDistance::new(Grid::new(w, h).unwrap(), 0);
            let refusal = walking.err().map_or(String::new(), |error| error.to_string());
            assert_eq!(!small, refusal.contains("for boards up to 4x4, 5x3 and 6x2"), "{w}x{h}");
        }
    }
}
