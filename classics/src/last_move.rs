//! The last move, an addition to Manhattan distance.
//!
//! Korf & Taylor, *Finding optimal solutions to the twenty-four puzzle*, AAAI 1996: the last
//! move takes the blank to its goal cell z, so it takes some tile out of z, into the tile's goal
//! cell n next to z.
//!
//! Take a tile whose goal cell n lies next to z in the same row. If it now stands on z's side of
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
//! **Cost**: two look-ups per move in a table of `cells²` bytes, in addition to Manhattan distance. The
//! average over 4×4 boards with the blank's goal in a corner is 38.13.

use taquin_engine::board::Grid;

/// The places of the tiles that could make the last move, without Manhattan distance.
#[derive(Clone, Debug)]
pub(super) struct LastMove {
    cells: usize,
    /// The bits of [`Places`] by (label, cell); 0 for all but the tiles next to the blank's goal.
    places: Box<[u8]>,
}

/// The places of the at most four tiles that could make the last move, two bits per tile. The tiles are
/// numbered in the order in which [`Grid::neighbours`] gives their goal cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places(u8);

impl Places {
    /// The places of no tiles at all.
    pub const NONE: Places = Places(0);

    /// Returns whether none of them stands on the blank's side.
    #[inline]
    pub fn none_near(self) -> bool {
        self.0 & 0b1111 == 0
    }

    /// Returns whether the tile of this number stands in the line that crosses the one it shares
    /// with the blank in the goal.
    #[inline]
    pub fn in_line(self, number: usize) -> bool {
        self.0 >> (4 + number) & 1 == 1
    }
}

impl LastMove {
    pub fn new(grid: Grid, blank: usize) -> LastMove {
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
                let is_past_blank = if z < n { at <= z } else { at >= z };
                places[tile * cells + cell] =
                    u8::from(is_past_blank) << number | u8::from(at == n) << (4 + number);
            }
        }
        LastMove { cells, places }
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
