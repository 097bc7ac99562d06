//! Corner tiles, an addition to Manhattan distance.
//!
//! Korf & Taylor, *Finding optimal solutions to the twenty-four puzzle*, AAAI 1996: if a tile already stands
//! in its goal cell next to a corner, but the tile of the corner is not in the corner, the tile next to it
//! must step aside to let the other in.
//!
//! 1. A corner cell c has two neighbours, n and m. Suppose the tile in n never moves.
//! 2. Then the blank can come into c only from m, which takes the tile in c to m. It can leave c only to m,
//!    which takes the tile in m, the same one, back. So the tile in c never changes, other than by stepping
//!    to m and back.
//! 3. So if the tile of the corner is not in c, and not in m with the blank in c, the tile in n moves. It is
//!    at home, so Manhattan distance counts none of its moves, and there are at least 2: one away, one back.
//!
//! A corner that is the blank's goal cell has no goal tile, and the blank is not a tile next to a corner:
//! neither counts. A tile next to two corners (on a grid three wide) counts once, because one step may let
//! both tiles in. The tiles on both sides of a corner both count.
//!
//! This argument shows that the sum is **admissible**. It is **consistent** too: while the tile in
//! n stays, a move can only take a tile from c to m or back, and the argument holds before such a
//! move if and only if it holds after. So the only tile whose 2 moves can come or go with a move is
//! the one that moves into n or out of it, and then Manhattan distance goes the other way by 1.
//!
//! **Cost**: one bit for each of the at most eight tiles next to a corner, set while the tile is at home, and
//! one look at the corner for each bit set. The average over 4×4 boards is 37.69.

use taquin_engine::board::Grid;

/// The tiles that must step aside, without Manhattan distance.
#[derive(Clone, Debug)]
pub(super) struct CornerTiles {
    blank: u8,
    /// The tiles next to corners: at most [`MOST`].
    neighbours: Vec<CornerNeighbour>,
    /// The bit of a tile's place in `neighbours`, by label; 0 for others.
    bits: Box<[u8]>,
}

/// A tile next to a corner, or two.
#[derive(Clone, Debug)]
struct CornerNeighbour {
    tile: u8,
    /// Each corner with its other neighbour; twice the same if there is only one.
    corners: [(u8, u8); 2],
}

/// The largest number of tiles next to corners.
pub(super) const MOST: usize = 8;

impl CornerTiles {
    pub fn new(grid: Grid, blank: usize) -> CornerTiles {
        let (w, h) = (grid.width(), grid.height());
        let corners = [0, w - 1, w * (h - 1), w * h - 1];
        let mut neighbours = Vec::with_capacity(MOST);
        let mut bits = vec![0; grid.cells()].into_boxed_slice();
        for tile in (0..grid.cells()).filter(|&tile| tile != blank) {
            let mut held = grid.neighbours(tile).filter_map(|corner| {
                let other = grid.neighbours(corner).find(|&other| other != tile)?;
                (corner != blank && corners.contains(&corner))
                    .then_some((corner as u8, other as u8))
            });
            if let Some(first) = held.next() {
                bits[tile] = 1 << neighbours.len();
                let corners = [first, held.next().unwrap_or(first)];
                neighbours.push(CornerNeighbour { tile: tile as u8, corners });
            }
        }
        CornerTiles { blank: blank as u8, neighbours, bits }
    }

    /// The tiles next to corners that are at home, as bits.
    pub fn start(&self, labels: &[u8]) -> u8 {
        let home = |(cell, &label): (usize, &u8)| cell == usize::from(label);
        let tiles = labels.iter().enumerate().filter(|&tile| home(tile));
        tiles.map(|(_, &label)| self.bits[usize::from(label)]).sum()
    }

    #[inline]
    pub fn moved(&self, home: u8, labels: &[u8], from: usize, to: usize) -> u8 {
        let tile = usize::from(labels[to]);
        if tile == from || tile == to { home ^ self.bits[tile] } else { home }
    }

    /// The tiles that must step aside, of those at home.
    #[inline]
    pub fn tiles(&self, home: u8, labels: &[u8]) -> impl Iterator<Item = u8> {
        let mut left = home;
        std::iter::from_fn(move || {
            while left != 0 {
                let CornerNeighbour { tile, corners } =
                    &self.neighbours[left.trailing_zeros() as usize];
                left &= left - 1;
                let at = |cell: u8| labels[usize::from(cell)];
                let is_shut_out = |&(corner, other): &(u8, u8)| {
                    at(corner) != corner && (at(corner) != self.blank || at(other) != corner)
                };
                if corners.iter().any(is_shut_out) {
                    return Some(*tile);
                }
            }
            None
        })
    }
}
