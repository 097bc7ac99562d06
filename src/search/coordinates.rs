//! Coordinates instead of a board, for two patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. With two patterns A and B
//! that cover the board, that is
//!
//! - the *geometry*: which cells hold tiles of A, and where the blank is (B has the rest);
//! - for each pattern, the rank of its tiles' order, and its current table bit.
//!
//! All of it fits twelve bytes, and a move is a few look-ups:
//!
//! 1. `geometry[g][move]` tells the next geometry, which of the two patterns the moved tile is
//!    of, that pattern's new cohort, and a row of the order transitions;
//! 2. `transition[row][rank]` tells the new rank;
//! 3. cohort and rank are the address of the new bit;
//! 4. old bit, new bit and parity tell whether h rose or fell by one.
//!
//! The tables depend on the grid and on the patterns' sizes, not on their tiles: all 7-8
//! partitions share them, and so does the mirror of a partition, with the moves transposed.
//!
//! Fields are laid out so that few need a shift by a variable amount, which is slow in plain
//! x86-64 code: where it matters which pattern moves, both cases are computed and one selected.

use std::sync::Arc;

use rayon::prelude::*;

use super::space::{Space, TRANSPOSE};
use crate::board::{Grid, Move};
use crate::pdb::{Index, MAX_PDB_CELLS, Table, row_bytes};
use crate::prefetch::prefetch;

/// A view of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// The lower half is A's, the upper half B's: the rank in bits 0 to 15, the table bit in
    /// bit 16.
    pub halves: u64,
    pub geometry: u32,
}

const RANK: u32 = 0xffff;
const RANKS: u64 = 0xffff_0000_ffff;
const BIT_SHIFT: u32 = 16;

impl View {
    /// Whether two views are of the same position, their table bits aside.
    #[inline(always)]
    pub fn same_position(&self, other: &View) -> bool {
        self.geometry == other.geometry && (self.halves ^ other.halves) & RANKS == 0
    }
}

/// What a move does to a geometry.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
struct Entry {
    /// Bits 0 to 19: the next geometry. 20: the pattern moved. 21: the colour of its set before
    /// the move. 24 to 31: the bit, in its byte, of its new cohort.
    word: u32,
    /// The byte of the new cohort in a row of cohorts.
    byte: u16,
    /// The offset of the transition row, in units of [`ROW_UNIT`].
    row: u16,
}

const NEXT_BITS: u32 = 20;
const PATTERN_SHIFT: u32 = 20;
const COLOUR_SHIFT: u32 = 21;
const MASK_SHIFT: u32 = 24;
const ROW_UNIT: usize = 8;

/// The small tables for a grid and two pattern sizes.
pub(crate) struct Coordinates {
    grid: Grid,
    indexes: [Arc<Index>; 2],
    /// By geometry and move.
    geometry: Vec<[Entry; 4]>,
    /// The transitions of A, then those of B, each row padded to whole [`ROW_UNIT`]s.
    transitions: Vec<u16>,
    row_bytes: [u32; 2],
}

/// The tables of one view: what differs between its two patterns.
pub(crate) struct ViewTables<'a> {
    sides: [Side; 2],
    tables: std::marker::PhantomData<&'a [u8]>,
}

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Side {
    /// The first byte of the table.
    table: *const u8,
    /// The place of the table bit in [`View::halves`].
    bit: u64,
    row_bytes: u32,
    /// The low bits of a rank that a transition leaves to an exclusive or: how many, and a mask.
    pairs: u8,
    low: u8,
    /// 1 less the colour of the goal's set.
    colour: u8,
}

// SAFETY: the pointer is to bytes that are borrowed for `'a` and only read.
unsafe impl Sync for ViewTables<'_> {}

/// A child's view, its table bit not yet known.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    halves: u64,
    /// The byte that holds the bit.
    byte: *const u8,
    /// Where the bit goes in `halves`.
    place: u64,
    geometry: u32,
    /// The bit of the byte, as a mask.
    mask: u8,
    /// The new bit for which h falls.
    falls: u8,
}

impl Child {
    /// What a lane holds before its first node.
    pub const NONE: Child =
        Child { halves: 0, byte: std::ptr::null(), place: 0, geometry: 0, mask: 0, falls: 0 };

    /// The byte that [`Child::resolve`] reads, for a prefetch.
    #[inline(always)]
    pub fn byte(&self) -> *const u8 {
        self.byte
    }

    /// Reads the table. Returns the view, and 1 where h rose, 0 where it fell.
    ///
    /// # Safety
    /// - The child is from [`Coordinates::child`], and the tables of its view are still borrowed.
    #[inline(always)]
    pub unsafe fn resolve(&self) -> (View, u64) {
        // SAFETY: `Coordinates::child` made a pointer into a table that the caller says is alive.
        let byte = unsafe { *self.byte };
        let bit = u64::from(byte & self.mask != 0);
        let halves = self.halves | bit.wrapping_neg() & self.place;
        (View { halves, geometry: self.geometry }, bit ^ u64::from(self.falls))
    }
}

impl Coordinates {
    /// The tables for two patterns of these sizes, which must add up to all tiles of the grid;
    /// `None` where a field would overflow its bits.
    ///
    /// Costs a few milliseconds for 7-8: 103,000 geometries.
    pub fn new(first: Arc<Index>, second: Arc<Index>) -> Option<Coordinates> {
        let grid = first.grid();
        let tiles = first.orders().tiles();
        assert!(second.grid() == grid && tiles + second.orders().tiles() + 1 == grid.cells());
        let indexes = [first, second];
        let mut transitions = Vec::new();
        let bases = indexes.each_ref().map(|index| {
            let base = transitions.len() / ROW_UNIT;
            let orders = index.orders();
            for row in orders.transitions().chunks(orders.len() >> orders.pairs()) {
                transitions.extend_from_slice(row);
                transitions.resize(transitions.len().next_multiple_of(ROW_UNIT), 0);
            }
            base
        });
        let bytes = |index: &Index| row_bytes(index.cohorts()) * index.orders().len();
        if indexes[0].sets() * (grid.cells() - tiles) > 1 << NEXT_BITS
            || transitions.len() / ROW_UNIT > 1 << 16
            || indexes.iter().any(|i| i.cohorts() / 8 > 0xffff || u32::try_from(bytes(i)).is_err())
        {
            return None;
        }
        let row_bytes = indexes.each_ref().map(|index| row_bytes(index.cohorts()) as u32);
        let geometry = geometry(grid, &indexes, bases);
        Some(Coordinates { grid, indexes, geometry, transitions, row_bytes })
    }

    /// The tables of two patterns, as a view reads them.
    ///
    /// # Panics
    /// Where a table is not numbered as these coordinates are.
    pub fn tables<'a, B: AsRef<[u8]>>(&self, tables: &'a [Table<B>; 2]) -> ViewTables<'a> {
        let side = |i: usize| {
            let (table, index) = (&tables[i], &self.indexes[i]);
            assert_eq!(table.pattern().grid(), self.grid);
            assert_eq!(table.pattern().len(), index.orders().tiles());
            // Asked for once: nothing says that the bytes are the same ones every time.
            let bits = table.bits();
            assert_eq!(bits.len(), Table::<B>::bytes(index), "the table has changed its length");
            Side {
                table: bits.as_ptr(),
                bit: 1 << (32 * i as u32 + BIT_SHIFT),
                row_bytes: self.row_bytes[i],
                pairs: index.orders().pairs() as u8,
                low: (1 << index.orders().pairs()) - 1,
                colour: 1 - index.colour(table.pattern().mask()) as u8,
            }
        };
        ViewTables { sides: [side(0), side(1)], tables: std::marker::PhantomData }
    }

    /// The view of a position given as labels; `bits` are its states' table bits.
    pub fn view<B: AsRef<[u8]>>(
        &self,
        tables: &[Table<B>; 2],
        labels: &[u8],
        bits: [bool; 2],
    ) -> View {
        let states = tables.each_ref().map(|table| table.state(labels));
        let free = self.grid.cells() - self.indexes[0].orders().tiles();
        let mask = states[0].mask;
        let geometry = self.indexes[0].set(mask) * free + place(!mask, states[0].blank);
        let half = |i: usize| states[i].rank as u64 | u64::from(bits[i]) << BIT_SHIFT;
        View { halves: half(0) | half(1) << 32, geometry: geometry as u32 }
    }

    /// The child of a view by move number `m`.
    ///
    /// # Safety
    /// - `view` is from [`Coordinates::view`] of these coordinates, or a child of such a one.
    /// - `m` does not leave the board.
    /// - `tables` is from [`Coordinates::tables`] of these coordinates.
    #[inline(always)]
    pub unsafe fn child(&self, view: &View, m: usize, tables: &ViewTables<'_>) -> Child {
        // SAFETY: all geometries of views are below the number of sets and blanks that the table
        // was filled for, since its entries lead only to such; `m` is 0 to 3.
        let entry = unsafe { self.geometry.get_unchecked(view.geometry as usize).get_unchecked(m) };
        let word = entry.word;
        let second = word >> PATTERN_SHIFT & 1;
        let side = &tables.sides[second as usize];
        let half = (if second == 1 { view.halves >> 32 } else { view.halves }) as u32;
        let place = usize::from(entry.row) * ROW_UNIT + ((half & RANK) >> side.pairs) as usize;
        debug_assert!(place < self.transitions.len());
        // SAFETY: the entry of a permitted move names a row of this pattern's transitions, and
        // the rank is one of its orders: transitions lead only to such.
        let changed = u32::from(unsafe { *self.transitions.get_unchecked(place) });
        let rank = changed ^ (half & u32::from(side.low));
        let halves = if second == 1 {
            view.halves & 0xffff_ffff | u64::from(rank) << 32
        } else {
            view.halves >> 32 << 32 | u64::from(rank)
        };
        let byte = rank * side.row_bytes + u32::from(entry.byte);
        // From an even h, the bit changes where h falls; from an odd one, where it rises.
        let falls = (half >> BIT_SHIFT) as u8 ^ (word >> COLOUR_SHIFT) as u8 ^ side.colour;
        Child {
            halves,
            byte: side.table.wrapping_add(byte as usize),
            place: side.bit,
            geometry: word & ((1 << NEXT_BITS) - 1),
            mask: (word >> MASK_SHIFT) as u8,
            falls: falls & 1,
        }
    }

    /// The address of what [`Coordinates::child`] reads first for a child, for a prefetch.
    #[inline(always)]
    pub fn line(&self, child: &Child) -> *const u8 {
        self.geometry.as_ptr().wrapping_add(child.geometry as usize).cast()
    }
}

impl Space for Coordinates {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Child = Child;

    const NONE: Child = Child::NONE;

    /// Every second view is the mirror of the one before.
    #[inline(always)]
    fn turn(view: usize, _tables: &ViewTables<'_>) -> usize {
        if view % 2 == 1 { TRANSPOSE } else { 0 }
    }

    #[inline(always)]
    unsafe fn child(&self, view: &View, m: usize, tables: &ViewTables<'_>) -> Child {
        // SAFETY: the caller's.
        unsafe { self.child(view, m, tables) }
    }

    #[inline(always)]
    fn fetch(&self, child: &Child) {
        prefetch(child.byte());
        prefetch(self.line(child));
    }

    #[inline(always)]
    unsafe fn resolve(child: &Child) -> (View, u64) {
        // SAFETY: the caller's.
        unsafe { child.resolve() }
    }

    #[inline(always)]
    fn same_position(a: &View, b: &View) -> bool {
        a.same_position(b)
    }
}

/// The geometry table, by number: set of A × free cells + place of the blank among them.
fn geometry(grid: Grid, indexes: &[Arc<Index>; 2], bases: [usize; 2]) -> Vec<[Entry; 4]> {
    let all = u64::MAX >> (64 - grid.cells());
    let free = grid.cells() - indexes[0].orders().tiles();
    let units = indexes
        .each_ref()
        .map(|index| (index.orders().len() >> index.orders().pairs()).div_ceil(ROW_UNIT));
    let odd_cells = indexes[0].colour(all);
    // The entry of a move of the tile in `from`; `before` counts the tiles of A before each cell.
    let entry = |set: usize, mask: u64, before: &[usize], blank: usize, from: usize| {
        let second = mask & 1 << from == 0;
        let (index, own, colour, places) = if second {
            // B's tiles before a cell are those cells that are neither A's nor the blank's.
            let place = |cell: usize| cell - before[cell] - usize::from(blank < cell);
            let colour = odd_cells ^ indexes[0].colour(mask) ^ indexes[0].colour(1 << blank);
            (&indexes[1], all & !mask & !(1 << blank), colour, [place(from), place(blank)])
        } else {
            (&indexes[0], mask, indexes[0].colour(mask), [before[from], before[blank]])
        };
        let [place, to] = places;
        let after = own & !(1 << from) | 1 << blank;
        let set_after = index.set(after);
        let cohort = index.cohort(set_after, from);
        // A tile that moves on is not among those before its new place.
        let row = index.orders().row(place, to - usize::from(from < blank));
        let pattern = usize::from(second);
        let next = if second {
            set * free + from - before[from]
        } else {
            // The blank leaves A a tile at its old cell, and comes to where A had one.
            set_after * free + from - before[from] - usize::from(blank < from)
        };
        Entry {
            word: next as u32
                | (pattern as u32) << PATTERN_SHIFT
                | colour << COLOUR_SHIFT
                | 1 << (cohort % 8) << MASK_SHIFT,
            byte: (cohort / 8) as u16,
            row: (bases[pattern] + row * units[pattern]) as u16,
        }
    };
    let mut geometry = vec![[Entry::default(); 4]; indexes[0].sets() * free];
    geometry.par_chunks_exact_mut(free).with_min_len(512).enumerate().for_each(|(set, blanks)| {
        let mask = indexes[0].mask(set);
        let mut before = [0; MAX_PDB_CELLS];
        for cell in 1..grid.cells() {
            before[cell] = before[cell - 1] + (mask >> (cell - 1) & 1) as usize;
        }
        let cells = (0..grid.cells()).filter(|&cell| mask & 1 << cell == 0);
        for (entries, blank) in blanks.iter_mut().zip(cells) {
            *entries = Move::ALL.map(|m| match grid.source(blank, m) {
                Some(from) => entry(set, mask, &before, blank, from),
                None => Entry::default(),
            });
        }
    });
    geometry
}

/// How many of the mask's cells come before `cell`.
fn place(mask: u64, cell: usize) -> usize {
    (mask & ((1 << cell) - 1)).count_ones() as usize
}
