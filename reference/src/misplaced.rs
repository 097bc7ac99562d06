//! Misplaced tiles: the tiles that are not in their goal cells.
//!
//! The first heuristic of most courses: the one of Nilsson, *Problem-solving methods in artificial
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
//! **Cost**: two comparisons a move, and no table. A tile of a random 4×4 board is at home once in 16, so the
//! average is 15·15/16, and half a move more for the rounding: 14.56.

use taquin_engine::board::Grid;

use crate::Heuristic;

/// The tiles that are not in their goal cells, rounded up to the parity of the distance. Consistent.
#[derive(Clone, Debug)]
pub struct Misplaced {
    grid: Grid,
    blank: usize,
}

/// The value that a search carries for [`Misplaced`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisplacedCarry {
    tiles: u8,
    /// The parity of the number of moves to the goal.
    odd: bool,
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
    type Carry = MisplacedCarry;

    fn start(&self, labels: &[u8]) -> MisplacedCarry {
        let mut carry = MisplacedCarry { tiles: 0, odd: false };
        for (cell, label) in labels.iter().map(|&label| usize::from(label)).enumerate() {
            if label == self.blank {
                carry.odd = self.grid.distance(cell, label) % 2 == 1;
            } else {
                carry.tiles += u8::from(cell != label);
            }
        }
        carry
    }

    #[inline]
    fn moved(
        &self,
        carry: &MisplacedCarry,
        labels: &[u8],
        from: usize,
        to: usize,
    ) -> MisplacedCarry {
        let tile = usize::from(labels[to]);
        let tiles = carry.tiles + u8::from(tile == from) - u8::from(tile == to);
        MisplacedCarry { tiles, odd: !carry.odd }
    }

    #[inline]
    fn value(&self, carry: &MisplacedCarry) -> u32 {
        let is_odd = carry.tiles % 2 == 1;
        u32::from(carry.tiles) + u32::from(is_odd != carry.odd)
    }
}
