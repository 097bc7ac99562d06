//! Coordinates instead of a board, for two patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. With two patterns A and B
//! that cover the board, that is
//!
//! - the *geometry*: which cells hold tiles of A, and where the blank is (B has the rest);
//! - for each pattern, the rank of its tiles' order, and its current table bit.
//!
//! All of it fits one 64-bit word, and a move is a few look-ups:
//!
//! 1. `geometry[g][move]` gives the next geometry, the pattern of the moved tile, that pattern's
//!    new cohort, and a row of the order transitions;
//! 2. `transition[row][rank]` gives the new rank;
//! 3. cohort and rank are the address of the new bit;
//! 4. old bit, new bit and parity show whether h rose or fell by one.
//!
//! The tables depend on the grid and on the patterns' sizes, not on their tiles: all 7-8
//! partitions share them, and so does the mirror of a partition, with the moves transposed.
//!
//! Nothing here branches on a table bit or on the pattern moved: both are practically random, and
//! a mispredicted branch costs more than all the arithmetic. Instead of selecting, the half of a
//! view that a move concerns is shifted in and out by an amount that the entry holds.

mod geometry;
#[cfg(target_arch = "x86_64")]
mod vectors;

use std::borrow::Cow;
use std::sync::Arc;

use super::automaton::step;
use super::space::{PatternView, Space, TRANSPOSE, mix};
use crate::board::{Grid, Symmetry};
use crate::pdb::{Index, MAX_PATTERN, MAX_PDB_CELLS, Orders, read_byte, row_bytes};
use crate::prefetch::prefetch;
use geometry::{
    BYTE_SHIFT, COLOUR_SHIFT, Entry, HALF_BITS, HALF_SHIFT, NEXT_BITS, PLACE_SHIFT, ROW_SHIFT,
    ROW_UNIT, SECOND_SHIFT, row_units,
};

/// The geometry table of 7-8 on 4×4, made by the build script: to make it at every start would take
/// longer than most searches. WebAssembly is downloaded, and makes it itself.
#[cfg(all(not(target_family = "wasm"), target_endian = "little"))]
mod built {
    use super::Entry;

    /// Bytes where an [`Entry`] may begin.
    #[repr(C, align(8))]
    struct Aligned<T: ?Sized>(T);

    static BYTES: &Aligned<[u8]> =
        &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/geometry_4x4.bin")));

    pub fn geometry() -> &'static [[Entry; 4]] {
        bytemuck::cast_slice(&BYTES.0)
    }
}

/// A view of a position.
///
/// Bits 0 to 19 are A's, 20 to 39 B's: in each the rank in bits 0 to 15, moved up so that both
/// patterns' ranks have the same number of low bits that a transition leaves alone, and the table
/// bit in bit 16. From bit 40: the geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct View(u64);

const RANK: u32 = 0xffff;
/// A rank and its table bit.
const HALF: u32 = 0x1_ffff;
const BIT: u32 = 16;
const HALVES: u64 = (1 << GEOMETRY_SHIFT) - 1;
const GEOMETRY_SHIFT: u32 = 2 * HALF_BITS;
const GEOMETRIES: u64 = ((1 << NEXT_BITS) - 1) << GEOMETRY_SHIFT;
const BITS: u64 = 1 << BIT | 1 << (BIT + HALF_BITS);

impl View {
    #[inline(always)]
    fn geometry(self) -> usize {
        (self.0 >> GEOMETRY_SHIFT) as usize
    }
}

/// The small tables for a grid and two pattern sizes.
pub(crate) struct Coordinates {
    grid: Grid,
    indexes: [Arc<Index>; 2],
    /// By geometry and move.
    geometry: Cow<'static, [[Entry; 4]]>,
    /// The transitions of A, then those of B, each row padded to whole [`ROW_UNIT`]s.
    transitions: Vec<u16>,
    /// The low bits of a rank that a transition leaves to an exclusive or, the same for both.
    pairs: u32,
    /// By pattern: how far up its ranks are moved for that.
    up: [u32; 2],
    row_bytes: [u32; 2],
}

/// The tables of one view, and whether its moves are transposed.
pub(crate) struct ViewTables<'a> {
    geometry: &'a [[Entry; 4]],
    sides: [Side; 2],
    /// Changes the number of a move: 0, or [`TRANSPOSE`] in a mirrored view.
    flip: usize,
}

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Side {
    /// The first byte of the table.
    table: *const u8,
    /// The bytes in a row of cohorts, less those that the ranks are moved up by.
    row_bytes: u32,
    /// 1 less the colour of the goal's set.
    colour: u32,
}

// SAFETY: the pointer is to bytes that are borrowed for `'a` and only read.
unsafe impl Sync for ViewTables<'_> {}

/// A child's view, its table bit not yet known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pending {
    view: u64,
    /// The byte that holds the bit.
    byte: *const u8,
    /// The entry's word, whose bit 31 is the new bit for which h falls.
    word: u32,
}

impl Coordinates {
    /// The tables for two patterns of these sizes, which must add up to all tiles of a grid of at most 16
    /// cells.
    ///
    /// Costs 0.1 ms for 7-8 on 4×4, whose geometry table the build script makes, and up to 5 ms for
    /// others.
    pub fn new(first: Arc<Index>, second: Arc<Index>) -> Coordinates {
        let grid = first.grid();
        let tiles = first.orders().tiles();
        assert!(second.grid() == grid && tiles + second.orders().tiles() + 1 == grid.cells());
        let indexes = [first, second];
        let pairs = indexes.each_ref().map(|index| index.orders().pairs() as u32);
        let low = pairs[0].max(pairs[1]);
        let up = pairs.map(|pairs| low - pairs);
        let mut transitions = Vec::new();
        for (index, up) in indexes.iter().zip(up) {
            let orders = index.orders();
            let units = row_units(orders);
            for row in orders.transitions().chunks(orders.len() >> orders.pairs()) {
                let end = transitions.len() + units * ROW_UNIT;
                transitions.extend(row.iter().map(|&rank| rank << up));
                transitions.resize(end, 0);
            }
        }
        // No field overflows its bits: such patterns have at most eight tiles.
        let geometries = indexes[0].sets() * (grid.cells() - tiles);
        assert!(geometries <= 1 << NEXT_BITS && transitions.len() / ROW_UNIT <= 1 << 16);
        for (index, up) in indexes.iter().zip(up) {
            let bytes = row_bytes(index.cohorts()) * index.orders().len();
            assert!(index.cohorts() / 8 <= 0xffff && u32::try_from(bytes).is_ok());
            // Rows of cohorts are whole words, so three bits of their length are free.
            assert!((index.orders().len() - 1) << up <= RANK as usize && up <= 3);
        }
        let row_bytes = [0, 1].map(|i| row_bytes(indexes[i].cohorts()) as u32 >> up[i]);
        let geometry = geometry_table(&indexes);
        // The look-ups are not checked.
        assert_eq!(geometry.len(), geometries);
        Coordinates { grid, indexes, geometry, transitions, pairs: low, up, row_bytes }
    }
}

impl Space for Coordinates {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Pending = Pending;

    #[cfg(target_arch = "x86_64")]
    type Vectors = vectors::Vectors;

    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> ViewTables<'a> {
        // The geometry depends on the grid alone, so it covers no other symmetries.
        let symmetry = patterns[0].symmetry;
        assert!(patterns.iter().all(|pattern| pattern.symmetry == symmetry));
        assert!([Symmetry::IDENTITY, Symmetry::TRANSPOSE].contains(&symmetry));
        let flip = if symmetry == Symmetry::TRANSPOSE { TRANSPOSE } else { 0 };
        let side = |i: usize| {
            let (table, index) = (patterns[i].table, &self.indexes[i]);
            assert_eq!(table.pattern().grid(), self.grid);
            assert_eq!(table.pattern().len(), index.orders().tiles());
            Side {
                table: table.bytes().as_ptr(),
                row_bytes: self.row_bytes[i],
                colour: 1 - index.colour(table.pattern().mask()),
            }
        };
        ViewTables { geometry: &self.geometry, sides: [side(0), side(1)], flip }
    }

    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> View {
        let states = [0, 1].map(|i| patterns[i].state(labels));
        let free = self.grid.cells() - self.indexes[0].orders().tiles();
        let mask = states[0].mask;
        let geometry = self.indexes[0].set(mask) * free + place(!mask, states[0].blank);
        let half = |i: usize| {
            let bit = u64::from(patterns[i].table.residue(states[i]) >> 1);
            (states[i].rank as u64) << self.up[i] | bit << BIT
        };
        View(half(0) | half(1) << HALF_BITS | (geometry as u64) << GEOMETRY_SHIFT)
    }

    #[inline(always)]
    unsafe fn child(&self, view: &View, m: usize, tables: &ViewTables<'_>) -> Pending {
        let m = m ^ tables.flip;
        // SAFETY: all geometries of views are below the number of sets and blanks that the table
        // was filled for, since its entries lead only to such; `m` is 0 to 3. A transposed view is of a
        // transposed board, on which the transposed move stays.
        let entry = unsafe { tables.geometry.get_unchecked(view.geometry()).get_unchecked(m) };
        let word = *entry as u32;
        let shift = word >> HALF_SHIFT & 63;
        let side = &tables.sides[(word >> SECOND_SHIFT & 1) as usize];
        let half = (view.0 >> shift) as u32;
        let place =
            (entry >> ROW_SHIFT) as usize * ROW_UNIT + ((half & RANK) >> self.pairs) as usize;
        debug_assert!(place < self.transitions.len());
        // SAFETY: the entry of a permitted move names a row of this pattern's transitions, and
        // the rank is one of its orders: transitions lead only to such.
        let changed = u32::from(unsafe { *self.transitions.get_unchecked(place) });
        let rank = changed ^ half & ((1 << self.pairs) - 1);
        // The new rank for the old one, and no table bit.
        let halves = view.0 & HALVES ^ u64::from(half & HALF ^ rank) << shift;
        let byte = rank * side.row_bytes + (entry >> BYTE_SHIFT & 0xffff) as u32;
        // From an even h, the bit changes where h falls; from an odd one, where it rises.
        let falls = half >> BIT ^ word >> COLOUR_SHIFT ^ side.colour;
        Pending {
            view: halves | u64::from(word) << GEOMETRY_SHIFT & GEOMETRIES,
            byte: side.table.wrapping_add(byte as usize),
            word: word | falls << 31,
        }
    }

    #[inline(always)]
    fn fetch_child(&self, child: &Pending) {
        prefetch(child.byte);
    }

    #[inline(always)]
    fn fetch_view(&self, view: &View, tables: &ViewTables<'_>) {
        prefetch(tables.geometry.as_ptr().wrapping_add(view.geometry()).cast());
    }

    #[inline(always)]
    unsafe fn resolve(child: &Pending) -> (View, u64) {
        // SAFETY: `child` made a pointer into a table that the caller says is alive.
        let byte = u32::from(unsafe { read_byte(child.byte) });
        let bit = u64::from(byte >> (child.word >> PLACE_SHIFT & 7) & 1);
        let view = child.view | (bit << BIT).wrapping_shl(child.word >> HALF_SHIFT & 63);
        (View(view), bit ^ u64::from(child.word >> 31))
    }

    #[inline(always)]
    fn same_position(a: &View, b: &View) -> bool {
        (a.0 ^ b.0) & !BITS == 0
    }

    fn hash(view: &View) -> u64 {
        mix(view.0 & !BITS)
    }
}

/// The geometry table of two patterns, by geometry and move.
fn geometry_table(indexes: &[Arc<Index>; 2]) -> Cow<'static, [[Entry; 4]]> {
    let grid = indexes[0].grid();
    #[cfg(all(not(target_family = "wasm"), target_endian = "little"))]
    if (grid.width(), grid.height(), indexes[0].orders().tiles()) == (4, 4, 7) {
        return Cow::Borrowed(built::geometry());
    }
    let indexes = indexes.each_ref().map(|index| &**index);
    Cow::Owned(geometry::geometry(grid.width(), grid.height(), indexes))
}

/// The number of the mask's cells before `cell`.
fn place(mask: u64, cell: usize) -> usize {
    (mask & ((1 << cell) - 1)).count_ones() as usize
}

#[cfg(test)]
#[cfg(not(miri))]
#[cfg(target_endian = "little")]
#[test]
fn the_build_script_makes_the_same_table() {
    let indexes = [7, 8].map(|tiles| Index::of_size(4, 4, tiles));
    assert!(geometry::geometry(4, 4, indexes.each_ref()) == built::geometry());
}
