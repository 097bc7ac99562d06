//! Coordinates instead of a board, for two patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. With two patterns A and B
//! that cover the board, that is
//!
//! - the *geometry*: which cells hold tiles of A, and where the blank is (B has the rest);
//! - the rank of the order of A's tiles, and that of B's;
//! - the two states' current table bits.
//!
//! All of it fits one 64-bit word, and a move is four look-ups:
//!
//! 1. `geometry[g][move]` tells the next geometry, which of the two patterns the moved tile is
//!    of, that pattern's new cohort, and a row of the order transitions;
//! 2. `transition[row][rank]` tells the new rank;
//! 3. cohort and rank are the address of the new bit;
//! 4. old bit, new bit and parity tell whether h rose or fell by one.
//!
//! The tables depend on the grid and on the patterns' sizes, not on their tiles: all 7-8
//! partitions share them, and so does the mirror of a partition, with the moves transposed.

use std::sync::Arc;

use crate::board::{Grid, Move};
use crate::pdb::{Index, Pattern};

/// A view of a position: the ranks of A and B in bits 0 to 15 and 16 to 31, the geometry from
/// bit 32 on, the table bits of A and B in bits 62 and 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View(pub u64);

const GEOMETRY_SHIFT: u32 = 32;
const BIT_SHIFT: u32 = 62;
/// All but the table bits.
const STATE: u64 = (1 << BIT_SHIFT) - 1;

impl View {
    /// The view without its table bits: equal exactly for equal positions.
    pub fn state(self) -> u64 {
        self.0 & STATE
    }
}

/// One entry of the geometry table:
/// bits 0 to 21 the next geometry; 22 the pattern moved; 23 the colour of its set before the move;
/// 24 to 43 its new cohort; 44 to 63 the offset of the transition row.
#[derive(Clone, Copy, Default)]
struct Entry(u64);

const NEXT_BITS: u32 = 22;
const PATTERN_SHIFT: u32 = 22;
const COLOUR_SHIFT: u32 = 23;
const COHORT_SHIFT: u32 = 24;
const COHORT_BITS: u32 = 20;
const ROW_SHIFT: u32 = 44;

/// The small tables for a grid and two pattern sizes.
pub(crate) struct Coordinates {
    grid: Grid,
    indexes: [Arc<Index>; 2],
    /// Four entries a geometry, by move.
    geometry: Vec<[Entry; 4]>,
    /// The transitions of A, then those of B.
    transitions: Vec<u16>,
    sides: [Side; 2],
}

/// What differs between the two patterns.
#[derive(Clone, Copy)]
struct Side {
    /// The low bits of a rank that a transition leaves to an exclusive or.
    pairs: u32,
    low: u64,
    row_bytes: u64,
    /// What of a view stays when a tile of this pattern moves.
    keep: u64,
}

/// A child of a node, its table bit not yet known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child {
    /// The view, the moved pattern's bit 0.
    pub view: View,
    /// Where the bit is: pattern, byte, bit of the byte.
    pub pattern: u32,
    pub byte: u64,
    pub bit: u32,
    /// The new bit for which h falls.
    pub falls: u64,
}

impl Child {
    /// Takes in the byte that holds the new bit. Returns the view, and 1 where h rose, 0 where
    /// it fell.
    #[inline(always)]
    pub fn resolve(&self, byte: u8) -> (View, u64) {
        let bit = u64::from(byte >> self.bit & 1);
        (View(self.view.0 | bit << (BIT_SHIFT + self.pattern)), bit ^ self.falls)
    }
}

impl Coordinates {
    /// The tables for two patterns of these sizes, which must add up to all tiles of the grid;
    /// `None` where a field would overflow its bits.
    pub fn new(first: Arc<Index>, second: Arc<Index>) -> Option<Coordinates> {
        let grid = first.grid();
        let cells = grid.cells();
        let tiles = first.orders().tiles();
        assert!(second.grid() == grid && tiles + second.orders().tiles() + 1 == cells);
        let free = cells - tiles;
        let indexes = [first, second];
        let rows = |i: usize| indexes[i].orders().transitions().len();
        if indexes[0].sets() * free > 1 << NEXT_BITS
            || indexes.iter().any(|index| index.cohorts() > 1 << COHORT_BITS)
            || rows(0) + rows(1) > 1 << (64 - ROW_SHIFT)
        {
            return None;
        }
        let side = |i: usize| {
            let orders = indexes[i].orders();
            let (rank, bit) = (0xffff << (16 * i), 1 << (BIT_SHIFT + i as u32));
            Side {
                pairs: orders.pairs() as u32,
                low: (1 << orders.pairs()) - 1,
                row_bytes: crate::pdb::row_bytes(indexes[i].cohorts()) as u64,
                keep: !(rank | bit | STATE >> GEOMETRY_SHIFT << GEOMETRY_SHIFT),
            }
        };
        let sides = [side(0), side(1)];
        let transitions =
            [0, 1].iter().flat_map(|&i: &usize| indexes[i].orders().transitions()).copied();
        let mut coordinates = Coordinates {
            grid,
            geometry: Vec::with_capacity(indexes[0].sets() * free),
            transitions: transitions.collect(),
            sides,
            indexes,
        };
        coordinates.fill();
        Some(coordinates)
    }

    fn fill(&mut self) {
        let cells = self.grid.cells();
        let all = u64::MAX >> (64 - cells);
        let free = cells - self.indexes[0].orders().tiles();
        let row_length = [0, 1]
            .map(|i: usize| self.indexes[i].orders().len() >> self.indexes[i].orders().pairs());
        let row_base = [0, self.indexes[0].orders().transitions().len()];
        for set in 0..self.indexes[0].sets() {
            let mask = self.indexes[0].mask(set);
            let mut blanks = all & !mask;
            while blanks != 0 {
                let blank = blanks.trailing_zeros() as usize;
                blanks &= blanks - 1;
                let mut entries = [Entry::default(); 4];
                for m in Move::ALL {
                    let Some(from) = self.grid.source(blank, m) else { continue };
                    let pattern = usize::from(mask & 1 << from == 0);
                    let index = &self.indexes[pattern];
                    let before = if pattern == 0 { mask } else { all & !mask & !(1 << blank) };
                    let after = before & !(1 << from) | 1 << blank;
                    let first = if pattern == 0 { after } else { mask };
                    let set = if pattern == 0 { self.indexes[0].set(after) } else { set };
                    let next = set * free + place(!first, from);
                    let cohort = index.cohort(index.set(after), from);
                    let row =
                        row_base[pattern] + index.row(before, from, blank) * row_length[pattern];
                    entries[m as usize] = Entry(
                        next as u64
                            | (pattern as u64) << PATTERN_SHIFT
                            | u64::from(index.colour(before)) << COLOUR_SHIFT
                            | (cohort as u64) << COHORT_SHIFT
                            | (row as u64) << ROW_SHIFT,
                    );
                }
                self.geometry.push(entries);
            }
        }
    }

    /// The view of a position given as labels, for two patterns of the right sizes; `bits` are
    /// the states' table bits.
    pub fn view(&self, patterns: [&Pattern; 2], labels: &[u8], bits: [bool; 2]) -> View {
        let states = [0, 1].map(|i: usize| self.indexes[i].state(patterns[i], labels));
        let free = self.grid.cells() - self.indexes[0].orders().tiles();
        let mask = states[0].mask;
        let geometry = self.indexes[0].set(mask) * free + place(!mask, states[0].blank);
        View(
            states[0].rank as u64
                | (states[1].rank as u64) << 16
                | (geometry as u64) << GEOMETRY_SHIFT
                | u64::from(bits[0]) << BIT_SHIFT
                | u64::from(bits[1]) << (BIT_SHIFT + 1),
        )
    }

    /// The child of a view by move number `m`, which must not leave the board. `colours` holds,
    /// by pattern, the colour of its goal's set.
    #[inline(always)]
    pub fn child(&self, view: View, m: usize, colours: [u64; 2]) -> Child {
        let entry = self.geometry[self.geometry_of(view)][m].0;
        let pattern = (entry >> PATTERN_SHIFT & 1) as usize;
        let side = &self.sides[pattern];
        let rank = view.0 >> (16 * pattern) & 0xffff;
        let row = (entry >> ROW_SHIFT) as usize;
        let rank =
            u64::from(self.transitions[row + (rank >> side.pairs) as usize]) ^ (rank & side.low);
        let cohort = entry >> COHORT_SHIFT & ((1 << COHORT_BITS) - 1);
        let next = entry & ((1 << NEXT_BITS) - 1);
        let old = view.0 >> (BIT_SHIFT + pattern as u32) & 1;
        // From an even h, the bit changes where h falls; from an odd one, where it rises.
        let parity = (entry >> COLOUR_SHIFT & 1) ^ colours[pattern];
        Child {
            view: View(view.0 & side.keep | rank << (16 * pattern) | next << GEOMETRY_SHIFT),
            pattern: pattern as u32,
            byte: rank * side.row_bytes + cohort / 8,
            bit: (cohort % 8) as u32,
            falls: old ^ parity ^ 1,
        }
    }

    #[inline(always)]
    fn geometry_of(&self, view: View) -> usize {
        (view.state() >> GEOMETRY_SHIFT) as usize
    }

    /// The address of what [`Coordinates::child`] reads first, for a prefetch.
    #[inline(always)]
    pub fn line(&self, view: View) -> *const u8 {
        self.geometry.as_ptr().wrapping_add(self.geometry_of(view)).cast()
    }
}

/// How many of the mask's cells come before `cell`.
fn place(mask: u64, cell: usize) -> usize {
    (mask & ((1 << cell) - 1)).count_ones() as usize
}
