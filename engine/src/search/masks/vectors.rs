//! The children of many nodes generated together.
//!
//! A child needs six reads one after the other: owners, step and word, change, record and transition, zone,
//! table byte. A processor looks only a few hundred instructions ahead. So each of the first reads has a
//! separate pass over all vectors: the waits overlap.

use std::ops::Range;

use super::{
    BEFORE_SHIFT, BETWEEN, BITS_SHIFT, BLANK_SHIFT, CELL_SHIFT, CELLS, Change, EVEN_SHIFT,
    MAX_PATTERNS, MaskMove, MaskMoves, Masks, OFFSET_SHIFT, PLACES, RANK, RANK_LOW, RANK_SHIFT,
    ROW, ROW_BITS, ROW_UNIT, Record, SET, SET_SHIFT, SKIP_SHIFT, Side, View, ViewTables, WORD,
    ZoneMap,
};
use crate::prefetch::prefetch;
use crate::search::births::{Births, MOST_CHILDREN};
use crate::search::space::{Batch, MAX_VIEWS};
use crate::search::vector::{Processor, Slots, Vector, WIDTH, gather, gather_bits, lower, vectors};

/// Views of children. Each field has a number, or four, for each child in each view.
#[derive(Default)]
pub(crate) struct Vectors {
    /// The address of the parent's view, and later the address of the table bits.
    addresses: Slots,
    /// The parent's owners, and later the child's.
    owners: Slots,
    /// The address of the moved pattern's word, and later the word, before the move.
    words: Slots,
    /// The move: bits 0 to 25 as in a [`MaskMove`], and the fields from [`FOUND_CELL_SHIFT`] on.
    moves: Slots,
    /// The address that the next pass reads: of the step, the change, the record. Later bits 0 to 2 tell
    /// which bit of its byte the table bit is, and there are the fields from [`FALLS_SHIFT`] on.
    next: Slots,
    /// The address of the transition.
    transitions: Slots,
    /// The child's words.
    children: [[[[u64; MAX_PATTERNS]; WIDTH]; MOST_CHILDREN / WIDTH]; MAX_VIEWS],
}

/// Where fields of [`Vectors::moves`] begin: the tile's cell as the pattern's symmetry shows it, twice the
/// cell without symmetry, the pattern. The number of the new set begins at [`SET_SHIFT`], as in a word.
const FOUND_CELL_SHIFT: u32 = 26;
const FOUND_FROM_SHIFT: u32 = 32;
const PATTERN_SHIFT: u32 = 38;
const PATTERN: u64 = MAX_PATTERNS as u64 - 1;

/// Where fields of [`Vectors::next`] begin: the new bit for which h falls, the bit's place in the owners.
const FALLS_SHIFT: u32 = 7;
const BIT_SHIFT: u32 = 8;

/// The data that the patterns of a view read.
struct Sides<'a> {
    sides: &'a [Side; MAX_PATTERNS],
    /// Whether all patterns have the same number of tiles: then sides differ in their tables only.
    alike: bool,
}

impl<'a> Sides<'a> {
    fn new(space: &Masks, tables: &'a ViewTables<'_>) -> Sides<'a> {
        Sides { sides: &tables.sides, alike: space.numberings.len() == 1 }
    }

    /// A field of each pattern's side. Not for tables.
    #[inline(always)]
    fn field<P: Processor>(
        &self,
        processor: P,
        patterns: P::Vector,
        field: impl Fn(&Side) -> u64,
    ) -> P::Vector {
        if self.alike {
            return processor.all(field(&self.sides[0]));
        }
        let patterns = patterns.numbers();
        processor.vector(|slot| field(&self.sides[patterns[slot] as usize % MAX_PATTERNS]))
    }
}

impl Batch<Masks> for Vectors {
    #[inline(always)]
    unsafe fn generate<P: Processor, const V: usize>(
        &mut self,
        processor: P,
        space: &Masks,
        tables: &[ViewTables<'_>; V],
        views: Range<usize>,
        births: &Births,
    ) {
        let count = vectors(births.len());
        // SAFETY: the caller's.
        unsafe {
            for view in views.clone() {
                self.begin(processor, space, &tables[view], view, births);
            }
            for view in views.clone() {
                self.read_steps(processor, &Sides::new(space, &tables[view]), view, count);
            }
            for view in views.clone() {
                self.read_changes(processor, &Sides::new(space, &tables[view]), view, count);
            }
            for view in views {
                self.read_records(processor, &Sides::new(space, &tables[view]), view, count);
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
        for view in views {
            for i in 0..vectors(births.len()) {
                // SAFETY: `generate` found these addresses in tables that the caller says are alive.
                let byte = unsafe { gather_bits(processor, &self.addresses.0[view][i]) };
                let place = processor.load(&self.next.0[view][i]);
                let bit = byte >> (place & 7) & 1;
                let rose = (bit ^ place >> FALLS_SHIFT) & 1;
                let owners = processor.load(&self.owners.0[view][i]) | bit << (place >> BIT_SHIFT);
                owners.store(&mut self.owners.0[view][i]);
                lower(processor, births, view, i, rose);
            }
        }
    }

    #[inline(always)]
    fn view(&self, view: usize, place: usize) -> View {
        View {
            words: self.children[view].as_flattened()[place],
            owners: self.owners.of(view, place),
        }
    }
}

impl Vectors {
    /// Finds the patterns moved, and their steps.
    ///
    /// # Safety
    /// - As for [`Batch::generate`].
    #[inline(always)]
    unsafe fn begin<P: Processor>(
        &mut self,
        processor: P,
        space: &Masks,
        tables: &ViewTables<'_>,
        view: usize,
        births: &Births,
    ) {
        // Twice the distance between the tile's cell and the blank's, in a byte for each move: below, left,
        // right and above, as the tile moves up, right, left and down.
        let row = 2 * space.grid.width() as u8;
        let distances = [row, 2u8.wrapping_neg(), 2, row.wrapping_neg(), 0, 0, 0, 0];
        let distances = processor.all(u64::from_le_bytes(distances));
        let steps = processor.all(tables.steps.as_ptr().expose_provenance() as u64);
        let place = processor.all((view * size_of::<View>()) as u64);
        let lists = births.parents.as_chunks::<WIDTH>().0.iter().zip(births.moves.as_chunks().0);
        for (i, (parents, moves)) in lists.enumerate().take(vectors(births.len())) {
            let m = processor.load(moves) & 3;
            let address = processor.load(parents) + place;
            // SAFETY: the caller vouches for the parents' views.
            let owners = processor
                .vector(|slot| unsafe { (*(parents[slot] as *const View).add(view)).owners });
            let to = owners >> BLANK_SHIFT;
            let from = (to + (distances >> (m << 3))) & 0x3f;
            let pattern = owners >> from & PATTERN;
            let step = ((to << 1) + m) << size_of::<MaskMoves>().ilog2();
            let step = steps + step + (pattern << size_of::<MaskMove>().ilog2());
            let word = address + (pattern << size_of::<u64>().ilog2());
            address.store(&mut self.addresses.0[view][i]);
            owners.store(&mut self.owners.0[view][i]);
            word.store(&mut self.words.0[view][i]);
            (from << FOUND_FROM_SHIFT | pattern << PATTERN_SHIFT).store(&mut self.moves.0[view][i]);
            step.store(&mut self.next.0[view][i]);
        }
    }

    /// Reads the steps and the words of the patterns moved, and finds the changes.
    ///
    /// # Safety
    /// - [`Vectors::begin`] has filled the same number of vectors, and the caller keeps the conditions of
    ///   [`Batch::generate`].
    #[inline(always)]
    unsafe fn read_steps<P: Processor>(
        &mut self,
        processor: P,
        sides: &Sides<'_>,
        view: usize,
        count: usize,
    ) {
        for i in 0..count {
            let steps = &self.next.0[view][i];
            // SAFETY: `begin` found these addresses of steps and words.
            let ([low, high], word) = unsafe {
                (processor.pairs(steps), gather::<P, u64>(processor, &self.words.0[view][i]))
            };
            let before = (word & low >> BEFORE_SHIFT).count_ones();
            let between = word >> (high >> SKIP_SHIFT & 0xff) & high & processor.all(BETWEEN);
            let change = (high >> OFFSET_SHIFT & 0xffff) + between;
            let change = (change << PLACES.ilog2()) + before;
            let moves = processor.load(&self.moves.0[view][i]);
            let changes = sides.field(processor, moves >> PATTERN_SHIFT, |side| side.changes);
            let cell = high >> CELL_SHIFT & 0xff;
            word.store(&mut self.words.0[view][i]);
            let moves = moves | low & CELLS | cell << FOUND_CELL_SHIFT;
            moves.store(&mut self.moves.0[view][i]);
            (changes + (change << size_of::<Change>().ilog2())).store(&mut self.next.0[view][i]);
        }
    }

    /// Reads the changes, and finds the new sets and the transitions.
    ///
    /// # Safety
    /// - As for [`Vectors::read_steps`], which has been called.
    #[inline(always)]
    unsafe fn read_changes<P: Processor>(
        &mut self,
        processor: P,
        sides: &Sides<'_>,
        view: usize,
        count: usize,
    ) {
        for i in 0..count {
            // SAFETY: `read_steps` found these addresses.
            let change = unsafe { gather::<P, Change>(processor, &self.next.0[view][i]) };
            let word = processor.load(&self.words.0[view][i]);
            let moves = processor.load(&self.moves.0[view][i]);
            let pattern = moves >> PATTERN_SHIFT;
            let set = ((word >> SET_SHIFT) + (change >> ROW_BITS)) & SET;
            let records = sides.field(processor, pattern, |side| side.records);
            let transitions = sides.field(processor, pattern, |side| side.transitions);
            let rank = word >> (RANK_SHIFT + RANK_LOW) & (RANK >> RANK_LOW);
            let transition = ((change & ROW) << ROW_UNIT.ilog2()) + rank;
            (moves | set << SET_SHIFT).store(&mut self.moves.0[view][i]);
            (records + (set << size_of::<Record>().ilog2())).store(&mut self.next.0[view][i]);
            let transition = transitions + (transition << size_of::<u16>().ilog2());
            transition.store(&mut self.transitions.0[view][i]);
            self.next.0[view][i].iter().for_each(|&record| prefetch(record as *const u8));
        }
    }

    /// Reads the records, the transitions and the zone maps, completes the children, and prefetches
    /// their table bits.
    ///
    /// # Safety
    /// - As for [`Vectors::read_changes`], which has been called.
    #[inline(always)]
    unsafe fn read_records<P: Processor>(
        &mut self,
        processor: P,
        sides: &Sides<'_>,
        view: usize,
        count: usize,
    ) {
        let tables = processor.vector(|pattern| sides.sides[pattern].table);
        for i in 0..count {
            let word = processor.load(&self.words.0[view][i]);
            let moves = processor.load(&self.moves.0[view][i]);
            let pattern = moves >> PATTERN_SHIFT & PATTERN;
            let patterns = pattern.numbers();
            // SAFETY: `read_changes` found these addresses.
            let (record, changed) = unsafe {
                (
                    gather::<P, Record>(processor, &self.next.0[view][i]),
                    gather::<P, u16>(processor, &self.transitions.0[view][i]),
                )
            };
            let bits = sides.field(processor, pattern, |side| side.cohort_bits);
            let mut zone_map = record >> bits;
            let first = record ^ zone_map << bits;
            let rare = processor.all(u32::MAX.into()) >> bits;
            if zone_map.any_equals(rare) {
                let (named, rare) = (zone_map.numbers(), rare.numbers());
                let sets = (moves >> SET_SHIFT).numbers();
                zone_map = processor.vector(|slot| match named[slot] == rare[slot] {
                    // SAFETY: there is a number for each set of the pattern.
                    true => unsafe {
                        let side = &sides.sides[patterns[slot] as usize % MAX_PATTERNS];
                        *(side.rare as *const u32).add(sets[slot] as usize)
                    }
                    .into(),
                    false => named[slot],
                });
            }
            let zone_maps = sides.field(processor, pattern, |side| side.zone_maps);
            let cell = moves >> FOUND_CELL_SHIFT & 0x1f;
            let zone = zone_maps + (zone_map << size_of::<ZoneMap>().ilog2()) + cell;
            // SAFETY: the record, or else the list of rare ones, names a zone map.
            let cohort = first + unsafe { gather::<P, u8>(processor, &zone.numbers()) };
            let rank = changed ^ word >> RANK_SHIFT & ((1 << RANK_LOW) - 1);
            let row_bytes = sides.field(processor, pattern, |side| side.row_bytes);
            let byte = rank.times(row_bytes) + (cohort >> 3);
            let table = tables.pick(pattern);

            let after = (word ^ moves) & CELLS | rank << RANK_SHIFT;
            let difference = (word ^ (after | moves & !0 << SET_SHIFT)).numbers();
            for (slot, child) in self.children[view][i].iter_mut().enumerate() {
                // SAFETY: the address of a view, which begins with its words.
                let words = unsafe { &*(self.addresses.0[view][i][slot] as *const _) };
                let in_word = processor.load(&WORD[patterns[slot] as usize % MAX_PATTERNS]);
                // All words are written, so that they are copied in the pieces in which they were written.
                let changed = processor.all(difference[slot]) & in_word;
                (processor.load(words) ^ changed).store(child);
            }

            let owners = processor.load(&self.owners.0[view][i]);
            let to = owners >> BLANK_SHIFT;
            let from = moves >> FOUND_FROM_SHIFT & 0x3f;
            let shift = pattern + processor.all(BITS_SHIFT.into());
            let bit = owners >> shift & 1;
            let owners = owners & ((1 << BLANK_SHIFT) - 1)
                ^ (pattern << from | pattern << to | bit << shift);
            // From an even h, the bit changes where h falls; from an odd one, where it rises.
            let falls = (bit ^ word >> EVEN_SHIFT) & 1;
            (owners | from << BLANK_SHIFT).store(&mut self.owners.0[view][i]);
            let place = cohort & 7 | falls << FALLS_SHIFT | shift << BIT_SHIFT;
            place.store(&mut self.next.0[view][i]);
            (table + byte).store(&mut self.addresses.0[view][i]);
            self.addresses.0[view][i].iter().for_each(|&byte| prefetch(byte as *const u8));
        }
    }
}
