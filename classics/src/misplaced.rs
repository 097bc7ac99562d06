//! Misplaced tiles: the tiles that are not in their goal cells.
//!
//! This is the first heuristic in most courses, from Nilsson, *Problem-solving methods in artificial
//! intelligence* (1971). It is also called the Hamming distance.
//!
//! **Admissible**: each misplaced tile makes at least one move, and a move is of one tile. With every move
//! the blank changes the colour of its cell, as on a chessboard, so the blank's cell gives the parity of the
//! number of moves. The count is therefore rounded *up* to that parity, and the searches find the parity that
//! they expect of every bound.
//!
//! **Consistent**: a move changes the count by at most 1, so the rounded count changes by at most 2; its
//! parity changes, so it changes by exactly 1.
//!
//! **Cost**: two comparisons per move, and no table. A tile of a random 4×4 board is at home once in 16, so
//! the average is 15·15/16, and half a move more for the rounding: 14.56.

use taquin_engine::board::Grid;

use crate::Heuristic;

/// The tiles that are not in their goal cells, rounded up to the parity of the distance. Consistent.
#[derive(Clone, Debug)]
pub struct Misplaced {
    grid: Grid,
    blank: usize,
}

impl Misplaced {
    /// The heuristic for a goal with the blank in cell `blank`.
    ///
    /// # Panics
    /// If the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> Misplaced {
        assert!(blank < grid.cells(), "a {grid} grid has no cell {blank} for the blank");
        Misplaced { grid, blank }
    }
}

impl Heuristic for Misplaced {
    /// The misplaced tiles, and whether the number of moves to the goal is odd.
    type Carry = (u8, bool);

    fn start(&self, labels: &[u8]) -> (u8, bool) {
        let away = |(cell, &label): (usize, &u8)| cell != usize::from(label);
        let blank = labels.iter().position(|&label| usize::from(label) == self.blank);
        let moves = self.grid.distance(blank.expect("a position has a blank"), self.blank);
        let cells = labels.iter().enumerate().filter(|&cell| away(cell)).count();
        // If the blank is misplaced, it is not a tile.
        ((cells - usize::from(moves > 0)) as u8, moves % 2 == 1)
    }

    #[inline]
    fn moved(&self, carry: &(u8, bool), labels: &[u8], from: usize, to: usize) -> (u8, bool) {
        let tile = usize::from(labels[to]);
        (carry.0 + u8::from(tile == from) - u8::from(tile == to), !carry.1)
    }

    #[inline]
    fn value(&self, &(tiles, is_odd): &(u8, bool)) -> u32 {
        u32::from(tiles) + u32::from((tiles % 2 == 1) != is_odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More cells than a byte holds.
    #[test]
    fn all_cells_of_the_largest_board_may_be_misplaced() {
        let misplaced = Misplaced::new(Grid::new(16, 16).unwrap(), 0);
        let labels: Vec<u8> = (1..=255).chain([0]).collect();
        assert_eq!(misplaced.value(&misplaced.start(&labels)), 256);
    }
}
