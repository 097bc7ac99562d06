//! The numbering of a pattern's states.
//!
//! A state is the cells of the pattern's tiles and the zone of the blank, a *zone* being a
//! connected region of cells without tiles of the pattern (Clausecker and Reinefeld 2019):
//!
//! - A *set* is a mask of cells. Sets are numbered by how many tiles each row holds, then in ascending order
//!   of the masks. A sideways move leads to a set with the same counts, so its table bit is in the same few
//!   cache lines.
//! - Zones are numbered within the set by their first cell in reading order. A set and a zone make a
//!   *cohort*; cohorts are numbered through, set by set.
//! - The order of the tiles in the cells is ranked by [`Orders`].
//!
//! The numbering depends only on the number of the pattern's tiles, not on the tiles themselves, so
//! patterns of the same number of tiles share it.
//!
//! The build script includes this file, so it uses the crate only through `super`. Functions that need a
//! pattern are in states.rs.

use super::orders::{MAX_PATTERN, Orders};

/// The most cells that a board with pattern databases may have: sets of cells are 64-bit masks.
pub const MAX_PDB_CELLS: usize = 64;

/// The numbering of the states of `k` tiles on a grid.
///
/// For each set it has 16 bytes and one more for each cell of the board: 0.4 MB for 8 tiles on 4×4,
/// 7.3 MB for 6 tiles on 5×5.
pub struct Index {
    cells: usize,
    orders: Orders,
    /// The number of each set, by its number in [`ascending`] order.
    numbers: Vec<u32>,
    masks: Vec<u64>,
    /// The first cohort of each set, and after these the number of cohorts.
    cohorts: Vec<u32>,
    /// The zone of each free cell, with `cells` entries for each set.
    zones: Vec<u8>,
    /// The cells whose row and column add up to an odd number.
    odd: u64,
    flood: Flood,
}

impl Index {
    /// The numbering for `tiles` tiles. Panics as [`Index::new`] does.
    pub fn of_size(width: usize, height: usize, tiles: usize) -> Index {
        let cells = width * height;
        assert!(cells <= MAX_PDB_CELLS && tiles < cells && (1..=MAX_PATTERN).contains(&tiles));
        let masks = masks(width, height, tiles);
        let mut numbers = vec![0; masks.len()];
        for (&mask, number) in masks.iter().zip(0..) {
            numbers[ascending(mask) as usize] = number;
        }
        let flood = Flood::new(width, height);
        let mut cohorts = Vec::with_capacity(masks.len() + 1);
        let mut zones = vec![0; masks.len() * cells];
        let mut count = 0;
        for (&mask, zone_of) in masks.iter().zip(zones.chunks_exact_mut(cells)) {
            cohorts.push(count);
            for (mut region, zone) in flood.regions(flood.all & !mask).zip(0..) {
                count = u32::checked_add(count, 1).expect("fewer than 2^32 cohorts");
                // The vector is filled with 0, for the first zone is nearly always the largest.
                while zone > 0 && region != 0 {
                    zone_of[region.trailing_zeros() as usize] = zone;
                    region &= region - 1;
                }
            }
        }
        cohorts.push(count);
        let odd = (0..cells)
            .filter(|cell| (cell / width + cell % width) % 2 == 1)
            .fold(0, |odd, cell| odd | 1 << cell);
        let orders = Orders::new(tiles, width);
        Index { cells, orders, numbers, masks, cohorts, zones, odd, flood }
    }

    /// The ranking of the tiles' order.
    #[inline]
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

    /// The number of states: cohorts times orders.
    pub fn states(&self) -> u64 {
        self.cohorts() as u64 * self.orders.len() as u64
    }

    /// The number of a set.
    #[inline]
    pub fn set(&self, mask: u64) -> usize {
        self.numbers[ascending(mask) as usize] as usize
    }

    /// The cells of a set.
    pub fn mask(&self, set: usize) -> u64 {
        self.masks[set]
    }

    /// The cohort of a set with the blank in a free cell.
    #[inline]
    pub fn cohort(&self, set: usize, blank: usize) -> usize {
        self.cohorts[set] as usize + usize::from(self.zones[set * self.cells + blank])
    }

    /// The cohorts of a set.
    pub fn cohorts_of(&self, set: usize) -> std::ops::Range<usize> {
        self.cohorts[set] as usize..self.cohorts[set + 1] as usize
    }

    /// The colour of a set: the parity of the sum of its cells' rows and columns. Every move of a
    /// pattern tile changes it, so it gives the parity of the number of moves.
    #[inline]
    pub fn colour(&self, mask: u64) -> u32 {
        (mask & self.odd).count_ones() & 1
    }

    /// The regions of the board.
    pub fn flood(&self) -> &Flood {
        &self.flood
    }
}

/// The binomial coefficients C(n, k). Coefficients of more than 32 bits are the largest number; nobody reads
/// them.
pub const BINOMIAL: [[u32; 26]; MAX_PDB_CELLS + 8] = {
    let mut table = [[0u32; 26]; MAX_PDB_CELLS + 8];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n && k < table[n].len() {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of a mask among masks of equal size, in ascending order (combinatorial number system).
#[inline]
pub fn ascending(mut mask: u64) -> u32 {
    let (mut number, mut place) = (0, 0);
    while mask != 0 {
        place += 1;
        number += BINOMIAL[mask.trailing_zeros() as usize][place];
        mask &= mask - 1;
    }
    number
}

/// The cells before `cell`.
pub fn below(cell: usize) -> u64 {
    (1 << cell) - 1
}

/// All masks of `tiles` cells, by how many of them each row holds, the last row first; then
/// ascending.
fn masks(width: usize, height: usize, tiles: usize) -> Vec<u64> {
    /// Appends the masks that have these cells below the first `rows` rows, and `tiles` in them.
    fn extend(masks: &mut Vec<u64>, width: usize, rows: usize, tiles: usize, lower: &[u64]) {
        let Some(above) = rows.checked_sub(1) else { return masks.extend(lower) };
        for count in tiles.saturating_sub(above * width)..=tiles.min(width) {
            let with =
                |lower| combinations(width, count).map(move |row| lower | row << (above * width));
            let lower: Vec<u64> = lower.iter().flat_map(with).collect();
            extend(masks, width, above, tiles - count, &lower);
        }
    }

    let mut masks = Vec::new();
    extend(&mut masks, width, height, tiles, &[0]);
    masks
}

/// All masks of `tiles` among `cells` cells, ascending.
pub fn combinations(cells: usize, tiles: usize) -> impl Iterator<Item = u64> {
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

/// Regions of connected cells.
pub struct Flood {
    /// All cells.
    pub all: u64,
    not_first_column: u64,
    not_last_column: u64,
    pub width: usize,
}

impl Flood {
    /// The regions of a board of at most 64 cells.
    pub fn new(width: usize, height: usize) -> Flood {
        let all = u64::MAX >> (64 - width * height);
        let column =
            |column: usize| (0..height).fold(0u64, |mask, row| mask | 1 << (row * width + column));
        let (not_first_column, not_last_column) = (all & !column(0), all & !column(width - 1));
        Flood { all, not_first_column, not_last_column, width }
    }

    /// The cells of `free` connected to `cell`, which is one of them.
    pub fn region(&self, cell: u32, free: u64) -> u64 {
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

    /// The regions of free cells, by their first cells.
    pub fn regions(&self, mut free: u64) -> impl Iterator<Item = u64> {
        std::iter::from_fn(move || {
            let region = (free != 0).then(|| self.region(free.trailing_zeros(), free))?;
            free &= !region;
            Some(region)
        })
    }

    /// The tiles of a set that can go into a region: up, left, right and down.
    pub fn moves(&self, set: u64, region: u64) -> [u64; 4] {
        let right = (region & self.not_last_column) << 1;
        let left = (region & self.not_first_column) >> 1;
        [region << self.width, right, left, region >> self.width].map(|next| next & set)
    }
}
