//! The numbering of the placements of a pattern's tiles.
//!
//! 1. The cells that the tiles occupy are a *set*. Sets are numbered in ascending order of their
//!    masks.
//! 2. The *order* of the tiles in these cells has a rank: the tiles, in ascending order, give the
//!    digits of a number in the factorial system (Lehmer 1960). The digit of a tile is the number
//!    of later tiles that are in earlier cells.
//! 3. The number of a placement is the number of its set, times the number of orders, plus the rank.
//!
//! The digits are counted eight cells at a time. With each cell in a byte of a word, one
//! subtraction compares a cell with all others, and one multiplication counts the results.

use super::super::index::combinations;
use crate::pdb::orders::MAX_PATTERN;

/// The numbering of the placements of `n` tiles on a board of a given number of cells.
#[derive(Debug)]
pub struct Placements {
    cells: usize,
    tiles: usize,
    /// The masks of the sets.
    masks: Vec<u16>,
    /// The number of each mask that is a set.
    number: Vec<u16>,
    orders: usize,
    digits: [Digit; MAX_PATTERN],
    /// The bytes of all tiles.
    all: u64,
}

/// The digit of a tile.
#[derive(Clone, Copy, Debug, Default)]
struct Digit {
    /// The bytes of later tiles.
    later: u64,
    /// The number of orders of the later tiles, by which the digit is multiplied.
    weight: u32,
    /// The mask of the tile in cell 0; 0 without a tile.
    bit: u32,
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte.
const HIGH: u64 = 0x80 * ONES;

impl Placements {
    /// The numbering for `tiles` tiles on boards of `cells` cells.
    ///
    /// # Panics
    /// Unless there are at most 16 cells, and 1 to [`MAX_PATTERN`] tiles, fewer than cells.
    pub fn new(cells: usize, tiles: usize) -> Placements {
        assert!(cells <= super::MAX_SLIDE_CELLS && tiles < cells);
        assert!((1..=MAX_PATTERN).contains(&tiles));
        let masks: Vec<u16> = combinations(cells, tiles).map(|mask| mask as u16).collect();
        let mut number = vec![0; 1 << cells];
        for (i, &mask) in masks.iter().enumerate() {
            number[usize::from(mask)] = i as u16;
        }
        let bytes = |range: std::ops::Range<usize>| range.fold(0, |all, i| all | 0x80 << (8 * i));
        let mut digits = [Digit::default(); MAX_PATTERN];
        for (i, digit) in digits.iter_mut().enumerate().take(tiles) {
            let weight = (1..tiles as u32 - i as u32).product();
            *digit = Digit { later: bytes(i + 1..tiles), weight, bit: 1 };
        }
        let orders = (1..=tiles).product();
        Placements { cells, tiles, masks, number, orders, digits, all: bytes(0..tiles) }
    }

    /// The number of cells of the boards.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The masks of the sets of cells, in the order of their numbers.
    pub fn sets(&self) -> &[u16] {
        &self.masks
    }

    /// The number of a set.
    pub(super) fn set(&self, mask: u16) -> usize {
        self.number[usize::from(mask)].into()
    }

    /// The number of orders of the tiles in a set: the factorial of their number.
    pub fn orders(&self) -> usize {
        self.orders
    }

    /// The number of placements.
    #[allow(clippy::len_without_is_empty, reason = "there is always a placement")]
    pub fn len(&self) -> usize {
        self.masks.len() * self.orders
    }

    /// The number of the placement in which `cell(i)` is the cell of the i-th tile, for eight tiles, and the
    /// number of free cells before the blank's. Tiles beyond the pattern's are ignored.
    #[inline(always)]
    pub(super) fn locate(&self, blank: u8, cell: impl Fn(usize) -> u8) -> (usize, u32) {
        let mut packed = 0u64;
        let mut mask = 0u32;
        for (i, digit) in self.digits.iter().enumerate() {
            packed |= u64::from(cell(i)) << (8 * i);
            mask |= digit.bit << cell(i);
        }
        let before = |cell: u64, of: u64| {
            // The highest bit of a byte stays where its cell is not before this one.
            let not_before = (packed | HIGH) - cell * ONES;
            (((!not_before & of) >> 7).wrapping_mul(ONES) >> 56) as u32
        };
        let mut rank = 0;
        for (i, digit) in self.digits.iter().enumerate() {
            rank += before(packed >> (8 * i) & 0xFF, digit.later) * digit.weight;
        }
        let set = usize::from(self.number[mask as usize & (self.number.len() - 1)]);
        (set * self.orders + rank as usize, u32::from(blank) - before(blank.into(), self.all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every placement has its own number, in the order that the definition gives.
    #[test]
    fn placements_are_numbered_by_set_and_order() {
        for (cells, tiles) in [(4, 1), (6, 3), (7, 5), (9, 3), (16, 2)] {
            let placements = Placements::new(cells, tiles);
            let mut seen = vec![false; placements.len()];
            for number in 0..cells.pow(tiles as u32) {
                let at: Vec<u8> =
                    (0..tiles as u32).map(|i| (number / cells.pow(i) % cells) as u8).collect();
                let mask = at.iter().fold(0, |mask, cell| mask | 1u16 << cell);
                if mask.count_ones() as usize != tiles {
                    continue;
                }
                // The slow reference, digit by digit.
                let mut rank = 0;
                for i in 0..tiles {
                    let later = at[i + 1..].iter().filter(|&&cell| cell < at[i]).count();
                    rank = rank * (tiles - i) + later;
                }
                let set = placements.sets().iter().position(|&set| set == mask).unwrap();
                let placement = set * placements.orders() + rank;
                for blank in (0..cells as u8).filter(|blank| mask & 1 << blank == 0) {
                    let located =
                        placements.locate(blank, |i| at.get(i).copied().unwrap_or_default());
                    let free = (0..blank).filter(|cell| mask & 1 << cell == 0).count() as u32;
                    assert_eq!(located, (placement, free));
                    seen[placement] = true;
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{cells} cells, {tiles} tiles");
        }
    }
}
