//! Manhattan distance and the last move.
//!
//! Korf & Taylor, *Finding optimal solutions to the twenty-four puzzle*, AAAI 1996: the last
//! move takes the blank to its goal cell z, so it takes some tile out of z, into the tile's goal
//! cell n next to z.
//!
//! Take a tile whose goal cell n lies beside z in the same row. If it now stands on z's side of
//! n, in any row, its shortest ways home may lead through z. If not, it stands in n's column or
//! beyond it, and every way through z has two horizontal moves more than Manhattan distance
//! counts. The same holds above and below z. So if *no* tile that belongs next to z stands on z's
//! side, the tile that makes the last move makes two more, whichever it is. There is a last move
//! unless the position is the goal.
//!
//! This holds for any cell z. If z is a corner, two tiles can make the last move, at an edge three,
//! and in the middle four. The more there are, the more rarely none of them is on z's side.
//!
//! This argument shows that the sum is **admissible**. It is **consistent** too: the 2 moves come
//! when the last of those tiles leaves z's side by a step towards its home, and go when one returns
//! by a step away from it, so Manhattan distance goes the other way by 1. The goal, which is
//! exempt, is next only to positions with such a tile in z.
//!
//! **Cost**: two look-ups a move in a table of `cells²` bytes, besides Manhattan distance. The
//! average over 4×4 boards with the blank's goal in a corner is 38.13.

use super::{Heuristic, Manhattan};
use crate::board::Grid;

/// Manhattan distance, and two moves if every tile that could make the last move would have to
/// come back for it. Consistent.
#[derive(Clone, Debug)]
pub struct LastMove {
    manhattan: Manhattan,
    component: Component,
}

/// The places of the tiles that could make the last move, without Manhattan distance.
#[derive(Clone, Debug)]
pub(super) struct Component {
    cells: usize,
    /// The bits of [`Places`] by (label, cell); 0 for all but the tiles next to the blank's goal.
    places: Box<[u8]>,
}

/// The places of the at most four tiles that could make the last move, two bits a tile. The tiles
/// are numbered in the order in which [`Grid::neighbours`] gives their goal cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places(u8);

impl Places {
    /// The places of no tiles at all.
    pub const NONE: Places = Places(0);

    /// Whether none of them stands on the blank's side.
    #[inline]
    pub fn none_near(self) -> bool {
        self.0 & 0b1111 == 0
    }

    /// Whether the tile of this number stands in the line that crosses the one it shares with the
    /// blank in the goal.
    #[inline]
    pub fn in_line(self, number: usize) -> bool {
        self.0 >> (4 + number) & 1 == 1
    }
}

impl Component {
    pub fn new(grid: Grid, blank: usize) -> Component {
        let cells = grid.cells();
        let mut places = vec![0; cells * cells].into_boxed_slice();
        for (number, tile) in grid.neighbours(blank).enumerate() {
            for cell in 0..cells {
                // The places of z, n and the cell along the line that z shares with n.
                let along = |cell: usize| {
                    if grid.row(tile) == grid.row(blank) {
                        grid.column(cell)
                    } else {
                        grid.row(cell)
                    }
                };
                let (z, n, at) = (along(blank), along(tile), along(cell));
                let near = if z < n { at <= z } else { at >= z };
                places[tile * cells + cell] =
                    u8::from(near) << number | u8::from(at == n) << (4 + number);
            }
        }
        Component { cells, places }
    }

    #[inline]
    fn bits(&self, label: u8, cell: usize) -> u8 {
        self.places[usize::from(label) * self.cells + cell]
    }

    pub fn start(&self, labels: &[u8]) -> Places {
        let bits = labels.iter().enumerate().map(|(cell, &label)| self.bits(label, cell));
        Places(bits.fold(0, |all, bits| all | bits))
    }

    #[inline]
    pub fn moved(&self, places: Places, labels: &[u8], from: usize, to: usize) -> Places {
        let tile = labels[to];
        Places(places.0 ^ self.bits(tile, from) ^ self.bits(tile, to))
    }
}

impl LastMove {
    /// The heuristic for a goal with the blank in cell `blank`.
    ///
    /// # Panics
    /// If the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> LastMove {
        LastMove { manhattan: Manhattan::new(grid, blank), component: Component::new(grid, blank) }
    }
}

/// The value that a search carries for [`LastMove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carry {
    manhattan: u16,
    places: Places,
}

impl Heuristic for LastMove {
    type Carry = Carry;

    fn start(&self, labels: &[u8]) -> Carry {
        Carry { manhattan: self.manhattan.start(labels), places: self.component.start(labels) }
    }

    #[inline]
    fn moved(&self, carry: &Carry, labels: &[u8], from: usize, to: usize) -> Carry {
        Carry {
            manhattan: self.manhattan.moved(&carry.manhattan, labels, from, to),
            places: self.component.moved(carry.places, labels, from, to),
        }
    }

    #[inline]
    fn value(&self, carry: &Carry) -> u32 {
        // Only the goal has a distance of 0.
        let back = carry.places.none_near() && carry.manhattan > 0;
        u32::from(carry.manhattan) + if back { 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_and_its_neighbours_are_exempt() {
        for (w, h) in [(2, 2), (3, 3), (4, 3), (2, 5)] {
            let grid = Grid::new(w, h).unwrap();
            for blank in 0..grid.cells() {
                let heuristic = LastMove::new(grid, blank);
                let mut labels: Vec<u8> = (0..grid.cells() as u8).collect();
                let goal = heuristic.start(&labels);
                assert_eq!((goal.places.none_near(), heuristic.value(&goal)), (true, 0));
                for from in grid.neighbours(blank) {
                    labels.swap(from, blank);
                    let carry = heuristic.moved(&goal, &labels, from, blank);
                    assert_eq!((carry.places.none_near(), heuristic.value(&carry)), (false, 1));
                    labels.swap(from, blank);
                }
            }
        }
    }

    #[test]
    fn tiles_that_would_have_to_come_back() {
        let heuristic = LastMove::new(Grid::new(3, 3).unwrap(), 0);
        let value = |labels: [u8; 9]| {
            let carry = heuristic.start(&labels);
            (carry.manhattan, heuristic.value(&carry))
        };
        // Tile 1 in its goal column and tile 3 in its goal row: one must come back to cell 0.
        assert_eq!(value([4, 1, 2, 3, 0, 5, 6, 7, 8]), (2, 4));
        // Tile 3 in row 0 may still go through cell 0.
        assert_eq!(value([4, 1, 3, 2, 0, 5, 6, 7, 8]), (8, 8));
        // Tile 1 beyond its column, tile 3 in its row.
        assert_eq!(value([2, 4, 1, 3, 0, 5, 6, 7, 8]), (4, 6));
    }
}
