//! The look-ups of the children.

use std::marker::PhantomData;
use std::ops::Range;

use super::geometry::{Entry, HALF_BITS, ROW_UNIT};
use super::tables::{Coordinates, PairTables};
use super::view::PairView;
use crate::board::Symmetry;
use crate::prefetch::prefetch;
use crate::search::bits::Numbers;
use crate::search::fast::list::{List, PerChild};
use crate::search::fast::processor::Processor;
use crate::search::fast::space::{PatternView, Space, TRANSPOSE, mix};

/// Views of children.
#[derive(Default)]
pub(crate) struct Views {
    /// The parents' views, and later the children's.
    views: PerChild,
    /// The entries of the moves, and later with [`Entry::FALLS`].
    entries: PerChild,
    /// The places of the new ranks among the transitions, and later the addresses of the table bits.
    places: PerChild,
}

impl Space for Coordinates {
    type View = PairView;
    type Tables<'a> = PairTables<'a>;
    type Views = Views;

    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> PairTables<'a> {
        // The geometry depends on the grid alone, so it covers no other symmetries.
        let symmetry = patterns[0].symmetry;
        assert!(patterns.iter().all(|pattern| pattern.symmetry == symmetry));
        assert!([Symmetry::IDENTITY, Symmetry::TRANSPOSE].contains(&symmetry));
        let tables = [patterns[0].table, patterns[1].table];
        for (table, index) in tables.iter().zip(&self.indexes) {
            assert_eq!(table.pattern().grid(), self.grid);
            assert_eq!(table.pattern().len(), index.orders().tiles());
        }
        let colour = |i: usize| 1 - self.indexes[i].colour(tables[i].pattern().mask());
        PairTables {
            geometry: &self.geometry,
            tables: tables.map(|table| table.bytes().as_ptr().expose_provenance() as u64),
            colours: [0, 1].map(colour).map(u64::from),
            flip: if symmetry == Symmetry::TRANSPOSE { TRANSPOSE } else { 0 },
            bytes: PhantomData,
        }
    }

    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> PairView {
        let states = [0, 1].map(|i| patterns[i].state(labels));
        let free = self.grid.cells() - self.indexes[0].orders().tiles();
        let mask = states[0].mask;
        // The free cells before the blank.
        let place = (!mask & ((1 << states[0].blank) - 1)).count_ones() as usize;
        let geometry = self.indexes[0].set(mask) * free + place;
        let half = |i: usize| {
            let bit = u64::from(patterns[i].table.residue(states[i]) >> 1);
            PairView::RANK.word((states[i].rank as u64) << self.up[i]) | PairView::BIT.word(bit)
        };
        PairView(half(0) | half(1) << HALF_BITS | PairView::GEOMETRY.word(geometry as u64))
    }

    #[inline(always)]
    fn fetch(&self, &PairView(view): &PairView, tables: &PairTables<'_>) {
        let geometry = PairView::GEOMETRY.of(view) as usize;
        prefetch(tables.geometry.as_ptr().wrapping_add(geometry).cast());
    }

    #[inline(always)]
    unsafe fn generate<P: Processor, const V: usize>(
        &self,
        p: P,
        tables: &[PairTables<'_>; V],
        views: Range<usize>,
        list: &List,
        found: &mut Views,
    ) {
        let Views { views: words, entries, places } = found;
        let geometry = tables[0].geometry.as_flattened();
        for at in views.clone() {
            for i in 0..list.vectors::<P>() {
                let parents = list.parents::<P>(i);
                // SAFETY: the caller vouches for the parents' views.
                let view =
                    p.numbers(|slot| unsafe { *(parents[slot] as *const PairView).add(at) }.0);
                let m = list.moves(p, i) ^ p.all(tables[at].flip);
                let place = p.array(PairView::GEOMETRY.of(view).up(2) | m);
                // SAFETY: all geometries of views are below the number of sets and blanks that the table
                // was filled for, since its entries lead only to such; a move is 0 to 3. A transposed view
                // is of a transposed board, on which the transposed move stays.
                let entry =
                    p.numbers(|slot| unsafe { *geometry.get_unchecked(place[slot] as usize) });
                let half = view.down_by(Entry::HALF.of(entry));
                let row = Entry::ROW.of(entry).up(ROW_UNIT.ilog2());
                words.store(p, at, i, view);
                entries.store(p, at, i, entry);
                places.store(p, at, i, row.plus(PairView::RANK.of(half).down(self.low)));
            }
        }
        for at in views {
            let PairTables { tables, colours, .. } = &tables[at];
            let by_pattern = |[a, b]: [u64; 2]| p.four([a, b, a, b]);
            let (tables, colours) = (by_pattern(*tables), by_pattern(*colours));
            let strides = by_pattern(self.stride.map(u64::from));
            for i in 0..list.vectors::<P>() {
                let (view, entry) = (words.load(p, at, i), entries.load(p, at, i));
                let place = places.part::<P>(at, i);
                let changed = p.numbers(|slot| {
                    let place = place[slot] as usize;
                    debug_assert!(place < self.transitions.len());
                    // SAFETY: the entry of a permitted move names a row of this pattern's transitions, and
                    // the rank is one of its orders: transitions lead only to such.
                    unsafe { *self.transitions.get_unchecked(place) }.into()
                });
                let shift = Entry::HALF.of(entry);
                let half = view.down_by(shift);
                let rank = changed ^ half & p.all((1 << self.low) - 1);
                // The new rank for the old one, and no table bit.
                let halves =
                    PairView::HALVES.only(view) ^ (PairView::HALF.of(half) ^ rank).up_by(shift);
                let pattern = Entry::PATTERN.of(entry);
                let byte = rank.times(p.choose(strides, pattern)).plus(Entry::BYTE.of(entry));
                // From an even h, the bit changes where h falls; from an odd one, where it rises.
                let falls =
                    PairView::BIT.of(half) ^ Entry::COLOUR.of(entry) ^ p.choose(colours, pattern);
                words.store(p, at, i, halves | PairView::GEOMETRY.word(Entry::NEXT.of(entry)));
                entries.store(p, at, i, entry | Entry::FALLS.word(falls));
                places.store(p, at, i, p.choose(tables, pattern).plus(byte));
                places.part::<P>(at, i).iter().for_each(|&byte| prefetch(byte as *const u8));
            }
        }
    }

    #[inline(always)]
    unsafe fn resolve<P: Processor>(p: P, views: Range<usize>, list: &mut List, found: &mut Views) {
        for at in views {
            for i in 0..list.vectors::<P>() {
                // SAFETY: `generate` made these addresses of tables that the caller says are alive.
                let byte = unsafe { p.read_bytes(found.places.part::<P>(at, i)) };
                let entry = found.entries.load(p, at, i);
                let bit = byte.down_by(Entry::PLACE.of(entry)) & p.all(1);
                let in_view = PairView::BIT.word(bit).up_by(Entry::HALF.of(entry));
                found.views.store(p, at, i, found.views.load(p, at, i) | in_view);
                list.lower(p, at, i, bit ^ Entry::FALLS.of(entry));
            }
        }
    }

    #[inline(always)]
    fn found(found: &Views, view: usize, place: usize) -> PairView {
        PairView(found.views.of(view, place))
    }

    #[inline(always)]
    fn same_position(a: &PairView, b: &PairView) -> bool {
        a.position() == b.position()
    }

    fn hash(view: &PairView) -> u64 {
        mix(view.position())
    }
}
