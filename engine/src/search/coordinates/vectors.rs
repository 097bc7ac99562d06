//! The children of many nodes generated together.

use std::ops::Range;

use super::geometry::{COLOUR_SHIFT, HALF_SHIFT, PLACE_SHIFT, ROW_UNIT, SECOND_SHIFT};
use super::{BIT, Coordinates, GEOMETRIES, GEOMETRY_SHIFT, HALF, HALVES, RANK, Side};
use super::{View, ViewTables};
use crate::prefetch::prefetch;
use crate::search::births::Births;
use crate::search::space::Batch;
use crate::search::vector::{Processor, Slots, Vector, WIDTH, gather_bits, lower, vectors};

/// Views of children.
#[derive(Default)]
pub(crate) struct Vectors {
    /// The parents' views, and later the children's.
    views: Slots,
    /// The entries of the moves. Later bit 31 is the new bit for which h falls.
    entries: Slots,
    /// The places of the new ranks among the transitions, and later the addresses of the table bits.
    places: Slots,
}

const FALLS_SHIFT: u32 = 31;

impl Batch<Coordinates> for Vectors {
    #[inline(always)]
    unsafe fn generate<P: Processor, const V: usize>(
        &mut self,
        processor: P,
        space: &Coordinates,
        tables: &[ViewTables<'_>; V],
        views: Range<usize>,
        births: &Births,
    ) {
        let geometry = tables[0].geometry.as_flattened();
        let count = vectors(births.len());
        for at in views.clone() {
            let lists =
                births.parents.as_chunks::<WIDTH>().0.iter().zip(births.moves.as_chunks().0);
            for (i, (parents, moves)) in lists.enumerate().take(count) {
                // SAFETY: the caller vouches for the parents' views.
                let view =
                    processor.vector(|slot| unsafe { *(parents[slot] as *const u64).add(at) });
                let m = processor.load(moves) & 3 ^ processor.all(tables[at].flip as u64);
                let place = (view >> GEOMETRY_SHIFT << 2 | m).numbers();
                // SAFETY: all geometries of views are below the number of sets and blanks that the table
                // was filled for, since its entries lead only to such; a move is 0 to 3. A transposed
                // view is of a transposed board, on which the transposed move stays.
                let entry = processor
                    .vector(|slot| unsafe { geometry.get_unchecked(place[slot] as usize) }.bits());
                let rank = view >> shift(entry) & RANK;
                let row = entry >> 48 << ROW_UNIT.ilog2();
                view.store(&mut self.views.0[at][i]);
                entry.store(&mut self.entries.0[at][i]);
                (row + (rank >> space.pairs)).store(&mut self.places.0[at][i]);
            }
        }

        // The transitions are not prefetched: a vector waits for its four at once.
        for at in views {
            let by_pattern = |number: fn(&Side) -> u64| {
                let [first, second] = tables[at].sides.each_ref().map(number);
                (processor.all(first), processor.all(first ^ second))
            };
            let tables_of = by_pattern(|side| side.table);
            let rows_of = by_pattern(|side| side.row_bytes.into());
            let colours_of = by_pattern(|side| side.colour.into());
            for i in 0..count {
                let view = processor.load(&self.views.0[at][i]);
                let entry = processor.load(&self.entries.0[at][i]);
                let place = &self.places.0[at][i];
                // SAFETY: the entry of a permitted move names a row of its pattern's transitions, and
                // the rank is one of its orders: transitions lead only to such.
                let changed = processor.vector(|slot| unsafe {
                    (*space.transitions.get_unchecked(place[slot] as usize)).into()
                });
                let shift = shift(entry);
                let half = view >> shift;
                let rank = changed ^ half & ((1 << space.pairs) - 1);
                // The new rank for the old one, and no table bit.
                let halves = view & HALVES ^ (half & HALF ^ rank) << shift;
                // All bits are set if the second pattern moves.
                let second = processor.all(0) - (entry >> SECOND_SHIFT & 1);
                let of_pattern = |(first, change)| first ^ second & change;
                let byte = rank.times(of_pattern(rows_of)) + (entry >> 32 & 0xffff);
                // From an even h, the bit changes where h falls; from an odd one, where it rises.
                let falls = half >> BIT ^ entry >> COLOUR_SHIFT ^ of_pattern(colours_of);
                let next = entry << GEOMETRY_SHIFT & GEOMETRIES;
                (halves | next).store(&mut self.views.0[at][i]);
                let entry = entry & ((1 << FALLS_SHIFT) - 1) | (falls & 1) << FALLS_SHIFT;
                entry.store(&mut self.entries.0[at][i]);
                (of_pattern(tables_of) + byte).store(&mut self.places.0[at][i]);
                self.places.0[at][i].iter().for_each(|&address| prefetch(address as *const u8));
            }
        }
    }

    #[inline(always)]
    unsafe fn resolve<P: Processor>(
        &mut self,
        processor: P,
        views: Range<usize>,
        births: &mut Births,
    ) {
        for at in views {
            for i in 0..vectors(births.len()) {
                // SAFETY: `generate` made these addresses of tables that the caller says are alive.
                let bytes = unsafe { gather_bits(processor, &self.places.0[at][i]) };
                let entry = processor.load(&self.entries.0[at][i]);
                let bit = bytes >> (entry >> PLACE_SHIFT & 7) & 1;
                let view = processor.load(&self.views.0[at][i]) | bit << BIT << shift(entry);
                view.store(&mut self.views.0[at][i]);
                lower(processor, births, at, i, bit ^ entry >> FALLS_SHIFT);
            }
        }
    }

    #[inline(always)]
    fn view(&self, view: usize, place: usize) -> View {
        View(self.views.of(view, place))
    }
}

/// The start of the half of the moved pattern, in a view.
#[inline(always)]
fn shift<V: Vector>(entries: V) -> V {
    entries >> HALF_SHIFT & 63
}
