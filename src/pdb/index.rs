//! The numbering of a pattern's states.
//!
//! A state is the cells of the pattern's tiles and the zone of the blank, a *zone* being a
//! connected region of cells without tiles of the pattern (Clausecker and Reinefeld 2019):
//!
//! 1. The *set* of occupied cells is a mask. Sets are numbered by how many tiles each row holds,
//!    then in ascending order of the masks. A tile that moves sideways stays among the sets with
//!    the same counts, so its table bit is in the same few cache lines.
//! 2. Zones are numbered within the set by their first cell in reading order. A set and a zone make
//!    a *cohort*; cohorts are numbered through, set by set.
//! 3. The order of the tiles in the cells is ranked by [`Orders`].
//!
//! The numbering depends only on the number of the pattern's tiles, not on the tiles themselves, so
//! patterns of as many tiles share it.

use std::fmt;

use super::{MAX_PATTERN, MAX_PDB_CELLS, Orders, Pattern};
use crate::board::Grid;

/// The numbering of the states of `k` tiles on a grid.
///
/// For each set of cells it has 16 bytes and one more for each cell of the board: 0.4 MB for 8
/// tiles on 4×4, 7.3 MB for 6 tiles on 5×5.
pub struct Index {
    grid: Grid,
    sets: SetRank,
    masks: Vec<u64>,
    /// The first cohort of each set, and after these the number of cohorts.
    cohorts: Vec<u32>,
    /// The zone of each free cell, with `cells` entries for each set.
    zones: Vec<u8>,
    /// The cells whose row and column add up to an odd number.
    odd: u64,
    orders: Orders,
    flood: Flood,
}

/// The state of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The cells of the pattern's tiles.
    pub mask: u64,
    /// A cell of the blank's zone.
    pub blank: usize,
    /// The rank of the tiles' order.
    pub rank: usize,
}

impl Index {
    /// The numbering for `tiles` tiles.
    ///
    /// # Panics
    /// - When the grid has more than [`MAX_PDB_CELLS`] cells.
    /// - Unless `tiles` is 1 to [`MAX_PATTERN`] and leaves a cell for the blank.
    /// - When there are 2³² cohorts or more, as of 8 tiles on 8×8.
    pub fn new(grid: Grid, tiles: usize) -> Index {
        let cells = grid.cells();
        assert!(cells <= MAX_PDB_CELLS && tiles < cells && (1..=MAX_PATTERN).contains(&tiles));
        let mut masks: Vec<u64> = combinations(cells, tiles).collect();
        let row = below(grid.width());
        masks.sort_by_cached_key(|mask| {
            // The counts as the digits of a number, the first row's last.
            (0..grid.height()).rev().fold(0u64, |counts, i| {
                counts << 4 | u64::from((mask >> (i * grid.width()) & row).count_ones())
            })
        });
        let sets = SetRank::new(cells, &masks);
        let flood = Flood::new(grid);
        let mut cohorts = Vec::with_capacity(masks.len() + 1);
        let mut zones = vec![0; masks.len() * cells];
        let mut count = 0;
        for (&mask, zone_of) in masks.iter().zip(zones.chunks_exact_mut(cells)) {
            cohorts.push(count);
            let mut free = flood.all & !mask;
            let mut zone = 0;
            while free != 0 {
                let mut region = flood.region(free.trailing_zeros(), free);
                free &= !region;
                // The vector is filled with 0, for the first zone is nearly always the largest.
                while zone > 0 && region != 0 {
                    zone_of[region.trailing_zeros() as usize] = zone;
                    region &= region - 1;
                }
                zone += 1;
            }
            count = u32::checked_add(count, zone.into()).expect("fewer than 2^32 cohorts");
        }
        cohorts.push(count);
        let odd = (0..cells)
            .filter(|&c| (grid.row(c) + grid.column(c)) % 2 == 1)
            .fold(0, |odd, c| odd | 1 << c);
        let orders = Orders::new(tiles, grid.width());
        Index { grid, sets, masks, cohorts, zones, odd, orders, flood }
    }

    /// The board's shape.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ranking of the tiles' order.
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// The number of sets of cells.
    pub fn sets(&self) -> usize {
        self.masks.len()
    }

    /// The number of (set, zone) pairs.
    pub fn cohorts(&self) -> usize {
        self.cohorts[self.masks.len()] as usize
    }

    /// The number of states, which is that of cohorts times that of orders.
    pub fn states(&self) -> u64 {
        self.cohorts() as u64 * self.orders.len() as u64
    }

    /// The number of a set.
    pub fn set(&self, mask: u64) -> usize {
        self.sets.rank(mask)
    }

    /// The cells of a set.
    pub fn mask(&self, set: usize) -> u64 {
        self.masks[set]
    }

    /// The cohort of a set with the blank in a free cell.
    pub fn cohort(&self, set: usize, blank: usize) -> usize {
        self.cohorts[set] as usize + usize::from(self.zones[set * self.grid.cells() + blank])
    }

    /// The cohorts of a set.
    pub(crate) fn cohorts_of(&self, set: usize) -> std::ops::Range<usize> {
        self.cohorts[set] as usize..self.cohorts[set + 1] as usize
    }

    /// The colour of a set: the parity of the sum of its cells' rows and columns. Every move of a
    /// pattern tile changes it, so it gives the parity of the number of moves.
    pub fn colour(&self, mask: u64) -> u32 {
        (mask & self.odd).count_ones() & 1
    }

    /// The row of [`Orders::transitions`] for a tile that moves between two cells. `mask` is the
    /// set before the move.
    pub fn row(&self, mask: u64, from: usize, to: usize) -> usize {
        let place = (mask & below(from)).count_ones() as usize;
        let after = (mask & !(1 << from) & below(to)).count_ones() as usize;
        self.orders.row(place, after)
    }

    /// The state of a pattern in a position given as labels (see
    /// [`Canonical`](crate::board::Canonical)).
    pub fn state(&self, pattern: &Pattern, labels: &[u8]) -> State {
        let mut order = [0; MAX_PATTERN];
        let (mut mask, mut blank, mut place) = (0, 0, 0);
        for (cell, &label) in labels.iter().enumerate() {
            if usize::from(label) == pattern.blank() {
                blank = cell;
            } else if pattern.mask() & 1 << label != 0 {
                order[place] = (pattern.mask() & below(usize::from(label))).count_ones() as u8;
                place += 1;
                mask |= 1 << cell;
            }
        }
        State { mask, blank, rank: self.orders.rank(&order[..place]) }
    }

    /// The state after the pattern's tile in cell `from` has moved to `to`.
    pub fn after(&self, state: State, from: usize, to: usize) -> State {
        let row = self.row(state.mask, from, to);
        State {
            mask: state.mask & !(1 << from) | 1 << to,
            blank: from,
            rank: self.orders.after(row, state.rank),
        }
    }

    /// The goal of a pattern: every tile in its own cell.
    pub fn goal(&self, pattern: &Pattern) -> State {
        let order: [u8; MAX_PATTERN] = std::array::from_fn(|i| i as u8);
        State {
            mask: pattern.mask(),
            blank: pattern.blank(),
            rank: self.orders.rank(&order[..pattern.len()]),
        }
    }

    /// The free cells of a cohort that the blank can go to.
    pub(super) fn region(&self, set: usize, zone: usize) -> u64 {
        let cells = self.grid.cells();
        let zones = self.zones[set * cells..][..cells].iter().enumerate();
        let region = zones.filter(|&(_, &of)| usize::from(of) == zone);
        region.fold(0, |region, (cell, _)| region | 1 << cell) & !self.masks[set]
    }

    /// The moves of pattern tiles in a cohort.
    pub(crate) fn moves(&self, set: usize, zone: usize) -> Moves {
        self.flood.moves(self.masks[set], self.region(set, zone))
    }

    /// The moves of pattern tiles from a state.
    pub(crate) fn moves_from(&self, state: State) -> Moves {
        let free = self.flood.all & !state.mask;
        self.flood.moves(state.mask, self.flood.region(state.blank as u32, free))
    }
}

/// Moves of pattern tiles into a region of free cells: the cells of the tile before and after.
#[derive(Clone, Default)]
pub(crate) struct Moves {
    /// The tiles that can go up, left, right and down.
    tiles: [u64; 4],
    width: usize,
}

impl Iterator for Moves {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let direction = self.tiles.iter().position(|&tiles| tiles != 0)?;
        let tiles = &mut self.tiles[direction];
        let from = tiles.trailing_zeros() as usize;
        *tiles &= *tiles - 1;
        let to = match direction {
            0 => from - self.width,
            1 => from - 1,
            2 => from + 1,
            _ => from + self.width,
        };
        Some((from, to))
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({}, {} tiles, {} cohorts)", self.grid, self.orders.tiles(), self.cohorts())
    }
}

/// The cells before `cell`.
pub(crate) fn below(cell: usize) -> u64 {
    (1 << cell) - 1
}

/// All masks of `tiles` among `cells` cells, ascending.
pub(super) fn combinations(cells: usize, tiles: usize) -> impl Iterator<Item = u64> {
    let first = below(tiles);
    let last = first << (cells - tiles);
    std::iter::successors(Some(first), move |&mask| {
        (mask != last).then(|| {
            // The next number with the same number of bits (HAKMEM 175).
            let carry = mask & mask.wrapping_neg();
            let ripple = mask + carry;
            ripple | (((mask ^ ripple) >> 2) / carry)
        })
    })
}

/// The number of a mask, in two steps: its number in the ascending (colexicographic) order of masks
/// with as many bits, by a table for each byte and each number of bits in the bytes below it; then
/// its number in the order of the sets.
struct SetRank {
    tiles: usize,
    table: Vec<u32>,
    number: Vec<u32>,
}

impl SetRank {
    fn new(cells: usize, masks: &[u64]) -> SetRank {
        let tiles = masks[0].count_ones() as usize;
        // binomial[n][k]. Numbers of more than 32 bits are never read.
        let mut binomial = [[0u32; MAX_PATTERN + 9]; MAX_PDB_CELLS + 8];
        for n in 0..binomial.len() {
            binomial[n][0] = 1;
            for k in 1..=n.min(MAX_PATTERN + 8) {
                binomial[n][k] = binomial[n - 1][k - 1].saturating_add(binomial[n - 1][k]);
            }
        }
        let mut table = vec![0; cells.div_ceil(8) * (tiles + 1) * 256];
        for (i, entry) in table.iter_mut().enumerate() {
            let (byte, before, bits) = (i / 256 / (tiles + 1), i / 256 % (tiles + 1), i % 256);
            let set = (0..8).filter(|b| bits & 1 << b != 0);
            let ranks = set.enumerate().map(|(j, b)| binomial[byte * 8 + b][before + j + 1]);
            // Entries with more bits than there are tiles are never read.
            *entry = ranks.fold(0, u32::saturating_add);
        }
        let mut ranking = SetRank { tiles, table, number: vec![0; masks.len()] };
        for (i, &mask) in masks.iter().enumerate() {
            let place = ranking.ascending(mask);
            ranking.number[place] = i as u32;
        }
        ranking
    }

    fn rank(&self, mask: u64) -> usize {
        self.number[self.ascending(mask)] as usize
    }

    fn ascending(&self, mask: u64) -> usize {
        let (mut rest, mut row, mut before, mut rank) = (mask, 0, 0, 0);
        while rest != 0 {
            let bits = (rest & 255) as usize;
            rank += self.table[(row + before) * 256 + bits] as usize;
            before += bits.count_ones() as usize;
            row += self.tiles + 1;
            rest >>= 8;
        }
        rank
    }
}

/// The cells of `free` connected to `cell`.
pub(crate) fn region(grid: Grid, cell: usize, free: u64) -> u64 {
    let flood = Flood::new(grid);
    flood.region(cell as u32, free & flood.all)
}

/// Regions of connected cells.
struct Flood {
    all: u64,
    not_first_column: u64,
    not_last_column: u64,
    width: usize,
}

impl Flood {
    fn new(grid: Grid) -> Flood {
        let all = if grid.cells() == 64 { u64::MAX } else { below(grid.cells()) };
        let column = |column: usize| {
            (0..grid.height()).fold(0u64, |mask, row| mask | 1 << (row * grid.width() + column))
        };
        Flood {
            all,
            not_first_column: all & !column(0),
            not_last_column: all & !column(grid.width() - 1),
            width: grid.width(),
        }
    }

    /// The cells of `free` connected to `cell`.
    fn region(&self, cell: u32, free: u64) -> u64 {
        let mut region = 1u64 << cell;
        loop {
            let sideways =
                (region & self.not_last_column) << 1 | (region & self.not_first_column) >> 1;
            let grown = (region | sideways | region << self.width | region >> self.width) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// The moves of the tiles of a set into a region.
    fn moves(&self, set: u64, region: u64) -> Moves {
        let right = (region & self.not_last_column) << 1;
        let left = (region & self.not_first_column) >> 1;
        let tiles = [region << self.width, right, left, region >> self.width];
        Moves { tiles: tiles.map(|next| next & set), width: self.width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_order() {
        let cases = [(3, 2, 2), (4, 4, 1), (4, 4, 8), (5, 5, 6), (8, 8, 3)];
        for &(w, h, k) in if cfg!(miri) { &cases[..2] } else { &cases[..] } {
            let grid = Grid::new(w, h).unwrap();
            let index = Index::new(grid, k);
            for set in 0..index.sets() {
                assert_eq!(index.set(index.mask(set)), set);
                assert_eq!(index.mask(set).count_ones() as usize, k);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn sizes_are_the_published_ones() {
        let states = |w, h, k| Index::new(Grid::new(w, h).unwrap(), k).states();
        assert_eq!(states(4, 4, 7), 139_849_920);
        assert_eq!(states(4, 4, 8), 1_425_191_040);
        assert_eq!(states(5, 5, 6), 181_008_000);
    }

    #[test]
    fn zones_are_the_connected_regions() {
        let (width, tiles) = if cfg!(miri) { (2, 2) } else { (4, 4) };
        let grid = Grid::new(width, 3).unwrap();
        let index = Index::new(grid, tiles);
        for set in 0..index.sets() {
            let mask = index.mask(set);
            let free = |c: &usize| mask & 1 << c == 0;
            for a in (0..grid.cells()).filter(free) {
                // The slow reference: closure over neighbours.
                let mut region = vec![a];
                let mut next = 0;
                while let Some(&c) = region.get(next) {
                    next += 1;
                    for n in grid.neighbours(c).filter(free) {
                        if !region.contains(&n) {
                            region.push(n);
                        }
                    }
                }
                for b in (0..grid.cells()).filter(free) {
                    assert_eq!(index.cohort(set, a) == index.cohort(set, b), region.contains(&b));
                }
                assert!(index.cohorts_of(set).contains(&index.cohort(set, a)));
            }
        }
    }

    #[test]
    fn a_goal_is_the_state_of_the_solved_board() {
        let grid = Grid::new(4, 4).unwrap();
        let tiles: &[usize] = if cfg!(miri) { &[9, 15] } else { &[0, 1, 4, 9, 15] };
        let pattern = Pattern::new(grid, 5, tiles.iter().copied()).unwrap();
        let index = Index::new(grid, tiles.len());
        let labels: Vec<u8> = (0..16).collect();
        assert_eq!(index.state(&pattern, &labels), index.goal(&pattern));
    }
}
