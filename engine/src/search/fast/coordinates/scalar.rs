//! The look-ups, one child at a time.

#[cfg(target_arch = "x86_64")]
use super::avx2::Vectors;
use super::geometry::{
    BYTE_SHIFT, COLOUR_SHIFT, HALF_BITS, HALF_SHIFT, PLACE_SHIFT, ROW_SHIFT, ROW_UNIT, SECOND_SHIFT,
};
use super::tables::{Coordinates, Side, ViewTables};
use super::view::{BIT, BITS, GEOMETRIES, GEOMETRY_SHIFT, HALF, HALVES, RANK, View};
use crate::board::Symmetry;
use crate::pdb::read_byte;
use crate::prefetch::prefetch;
use crate::search::fast::space::{PatternView, Space, TRANSPOSE, mix};

/// A child's view, its table bit not yet known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pending {
    view: u64,
    /// The byte that holds the bit.
    byte: *const u8,
    /// The entry's word, whose bit 31 is the new bit for which h falls.
    word: u32,
}

impl Space for Coordinates {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Pending = Pending;

    #[cfg(target_arch = "x86_64")]
    type Vectors = Vectors;

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

/// The number of the mask's cells before `cell`.
fn place(mask: u64, cell: usize) -> usize {
    (mask & ((1 << cell) - 1)).count_ones() as usize
}
