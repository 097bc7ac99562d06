//! The children of many nodes generated together, with AVX2.
//!
//! These are the steps of [`Space::child`](crate::search::fast::space::Space::child) and
//! [`Space::resolve`](crate::search::fast::space::Space::resolve) on vectors of four children.
//!
//! A child needs six reads one after the other: owners, step and word, change, record and transition,
//! zone, table byte. A processor looks only a few hundred instructions ahead. So each of the first
//! reads has a pass of its own over all vectors: the waits for them overlap.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256,
    _mm256_blendv_epi8, _mm256_cmpeq_epi64, _mm256_mul_epu32, _mm256_or_si256,
    _mm256_permutevar8x32_epi32, _mm256_sad_epu8, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64,
    _mm256_srai_epi32, _mm256_srli_epi64, _mm256_testz_si256, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use std::mem::offset_of;
use std::ops::Range;

use super::tables::{
    Change, MaskMove, MaskMoves, Masks, PLACES, ROW, ROW_BITS, ROW_UNIT, Record, Side, ViewTables,
    ZoneMap,
};
use super::view::{
    BITS_SHIFT, BLANK_SHIFT, CELLS, EVEN_SHIFT, MAX_PATTERNS, RANK, RANK_LOW, RANK_SHIFT,
    SET_SHIFT, View, WORD,
};
use crate::prefetch::prefetch;
use crate::search::fast::avx2::{
    Slots, WIDTH, all, gather, gather_bits, load, lower, numbers, shl, shr, store, vector, vectors,
};
use crate::search::fast::list::{Births, LANES, MOST_CHILDREN};
use crate::search::fast::space::{Batch, MAX_VIEWS};

/// Views of children. Each field has a number, or four, for each child in each view.
#[derive(Default)]
pub(crate) struct Vectors {
    /// The address of the parent's view, and later that of the table bits.
    addresses: Slots,
    /// The parent's owners, and later the child's.
    owners: Slots,
    /// The address of the moved pattern's word, and later the word, before the move.
    words: Slots,
    /// The move: bits 0 to 25 as [`MaskMove::flip`], and the fields from [`CELL_SHIFT`] on.
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
const CELL_SHIFT: u32 = 26;
const FROM_SHIFT: u32 = 32;
const PATTERN_SHIFT: u32 = 38;

/// Where fields of [`Vectors::next`] begin: the new bit for which h falls, the bit's place in the owners.
const FALLS_SHIFT: u32 = 7;
const BIT_SHIFT: u32 = 8;

/// All that the patterns of a view read.
struct Sides<'a> {
    sides: &'a [Side; MAX_PATTERNS],
    /// Whether all patterns have the same number of tiles: then sides differ in their tables only.
    alike: bool,
}

impl<'a> Sides<'a> {
    fn new(space: &Masks, tables: &'a ViewTables<'_>) -> Sides<'a> {
        Sides { sides: &tables.sides, alike: space.numberings.len() == 1 }
    }

    /// The field at `offset` of each pattern's side. Not for tables.
    ///
    /// # Safety
    /// - A field begins there.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn field(&self, patterns: __m256i, offset: usize) -> __m256i {
        let field = |side: *const Side| side.wrapping_byte_add(offset).cast::<u64>();
        if self.alike {
            // SAFETY: the caller's; all fields are aligned words.
            return all(unsafe { field(&self.sides[0]).read() });
        }
        let patterns = numbers(patterns);
        // SAFETY: as above.
        vector(|slot| unsafe { field(&self.sides[patterns[slot] as usize % MAX_PATTERNS]).read() })
    }
}

impl Batch<Masks> for Vectors {
    const LANES: usize = LANES;

    #[target_feature(enable = "avx2")]
    unsafe fn generate<const V: usize>(
        &mut self,
        space: &Masks,
        tables: &[ViewTables<'_>; V],
        views: Range<usize>,
        births: &Births,
    ) {
        let count = vectors(births.len());
        // SAFETY: the caller's.
        unsafe {
            for view in views.clone() {
                self.begin(space, &tables[view], view, births);
            }
            for view in views.clone() {
                self.read_steps(&Sides::new(space, &tables[view]), view, count);
            }
            for view in views.clone() {
                self.read_changes(&Sides::new(space, &tables[view]), view, count);
            }
            for view in views {
                self.read_records(&Sides::new(space, &tables[view]), view, count);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    unsafe fn resolve(&mut self, views: Range<usize>, births: &mut Births) {
        for view in views {
            for i in 0..vectors(births.len()) {
                // SAFETY: `generate` found these addresses in tables that the caller says are alive.
                let byte = unsafe { gather_bits(&self.addresses.0[view][i]) };
                let place = load(&self.next.0[view][i]);
                let bit = _mm256_and_si256(shr(byte, _mm256_and_si256(place, all(7))), all(1));
                let falls = _mm256_srli_epi64::<{ FALLS_SHIFT as i32 }>(place);
                let rose = _mm256_and_si256(_mm256_xor_si256(bit, falls), all(1));
                let bit = shl(bit, _mm256_srli_epi64::<{ BIT_SHIFT as i32 }>(place));
                let owners = _mm256_or_si256(load(&self.owners.0[view][i]), bit);
                store(&mut self.owners.0[view][i], owners);
                lower(births, view, i, rose);
            }
        }
    }

    #[inline(always)]
    unsafe fn view(&self, view: usize, place: usize) -> View {
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
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn begin(
        &mut self,
        space: &Masks,
        tables: &ViewTables<'_>,
        view: usize,
        births: &Births,
    ) {
        // Twice the distance of the tile's cell from the blank's: below, left, right and above, as the
        // tile moves up, right, left and down.
        let row = 2 * space.grid.width() as i8;
        let distances = _mm256_setr_epi8(
            row, -2, 2, -row, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
            row, -2, 2, -row, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        );
        let steps = all(tables.steps.as_ptr().expose_provenance() as u64);
        let place = all((view * size_of::<View>()) as u64);
        let lists = births.parents.as_chunks::<WIDTH>().0.iter().zip(births.moves.as_chunks().0);
        for (i, (parents, moves)) in lists.enumerate().take(vectors(births.len())) {
            let m = _mm256_and_si256(load(moves), all(3));
            let address = _mm256_add_epi64(load(parents), place);
            // SAFETY: the caller vouches for the parents' views.
            let owners =
                vector(|slot| unsafe { (*(parents[slot] as *const View).add(view)).owners });
            let distance = _mm256_shuffle_epi8(distances, _mm256_or_si256(m, all(!0xff)));
            let to = _mm256_srli_epi64::<{ BLANK_SHIFT as i32 }>(owners);
            let from = _mm256_add_epi8(to, distance);
            let pattern = _mm256_and_si256(shr(owners, from), all(MAX_PATTERNS as u64 - 1));
            let step = _mm256_add_epi64(_mm256_slli_epi64::<1>(to), m);
            let step = _mm256_slli_epi64::<{ size_of::<MaskMoves>().ilog2() as i32 }>(step);
            let step = _mm256_add_epi64(_mm256_add_epi64(steps, step), {
                _mm256_slli_epi64::<{ size_of::<MaskMove>().ilog2() as i32 }>(pattern)
            });
            let word = _mm256_add_epi64(address, _mm256_slli_epi64::<3>(pattern));
            let from = _mm256_slli_epi64::<{ FROM_SHIFT as i32 }>(from);
            let pattern = _mm256_slli_epi64::<{ PATTERN_SHIFT as i32 }>(pattern);
            store(&mut self.addresses.0[view][i], address);
            store(&mut self.owners.0[view][i], owners);
            store(&mut self.words.0[view][i], word);
            store(&mut self.moves.0[view][i], _mm256_or_si256(from, pattern));
            store(&mut self.next.0[view][i], step);
        }
    }

    /// Reads the steps and the words of the patterns moved, and finds the changes.
    ///
    /// # Safety
    /// - [`Vectors::begin`] has filled the same number of vectors, and the caller keeps the conditions of [`Batch::generate`].
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn read_steps(&mut self, sides: &Sides<'_>, view: usize, count: usize) {
        const { assert!(size_of::<MaskMove>() == 16 && offset_of!(MaskMove, flip) == 0) };
        const { assert!(offset_of!(MaskMove, between) == 8) };
        for i in 0..count {
            let steps = &self.next.0[view][i];
            // SAFETY: `begin` found these addresses of steps.
            let step = |slot: usize| unsafe { _mm_loadu_si128(steps[slot] as *const _) };
            let even = _mm256_set_m128i(step(2), step(0));
            let odd = _mm256_set_m128i(step(3), step(1));
            let (low, high) = (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd));
            let flip = _mm256_and_si256(low, all(CELLS.into()));
            let before = _mm256_srli_epi64::<{ 8 * offset_of!(MaskMove, before) as i32 }>(low);
            let between = _mm256_and_si256(high, all(0xffff));
            let high = |offset: usize, mask: u64| {
                _mm256_and_si256(shr(high, all(8 * (offset as u64 - 8))), all(mask))
            };
            let skip = high(offset_of!(MaskMove, skip), 0xff);
            let cell = high(offset_of!(MaskMove, cell), 0xff);
            let offset = high(offset_of!(MaskMove, offset), 0xffff);

            // SAFETY: `begin` found these addresses of words.
            let word = unsafe { gather::<u64>(&self.words.0[view][i]) };
            let before = count_ones(_mm256_and_si256(word, before));
            let between = _mm256_and_si256(shr(word, skip), between);
            let change = _mm256_add_epi64(offset, between);
            let change = _mm256_slli_epi64::<{ PLACES.ilog2() as i32 }>(change);
            let change = _mm256_add_epi64(change, before);
            let change = _mm256_slli_epi64::<{ size_of::<Change>().ilog2() as i32 }>(change);
            let moves = load(&self.moves.0[view][i]);
            let pattern = _mm256_srli_epi64::<{ PATTERN_SHIFT as i32 }>(moves);
            // SAFETY: the field is an address.
            let changes = unsafe { sides.field(pattern, offset_of!(Side, changes)) };
            let cell = _mm256_slli_epi64::<{ CELL_SHIFT as i32 }>(cell);
            store(&mut self.words.0[view][i], word);
            store(&mut self.moves.0[view][i], _mm256_or_si256(moves, _mm256_or_si256(flip, cell)));
            store(&mut self.next.0[view][i], _mm256_add_epi64(changes, change));
        }
    }

    /// Reads the changes, and finds the new sets and the transitions.
    ///
    /// # Safety
    /// - As for [`Vectors::read_steps`], which has been called.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn read_changes(&mut self, sides: &Sides<'_>, view: usize, count: usize) {
        for i in 0..count {
            // SAFETY: `read_steps` found these addresses. A change is read as bits, without its sign.
            let change = unsafe { gather::<u32>(&self.next.0[view][i]) };
            let (word, moves) = (load(&self.words.0[view][i]), load(&self.moves.0[view][i]));
            let pattern = _mm256_srli_epi64::<{ PATTERN_SHIFT as i32 }>(moves);
            let set = _mm256_srli_epi64::<{ SET_SHIFT as i32 }>(word);
            let set = _mm256_add_epi64(set, _mm256_srai_epi32::<{ ROW_BITS as i32 }>(change));
            let set = _mm256_and_si256(set, all(u32::MAX.into()));
            let record = _mm256_slli_epi64::<{ size_of::<Record>().ilog2() as i32 }>(set);
            // SAFETY: these fields are addresses.
            let (records, transitions) = unsafe {
                let records = sides.field(pattern, offset_of!(Side, records));
                (records, sides.field(pattern, offset_of!(Side, transitions)))
            };
            let row = _mm256_and_si256(change, all(ROW as u64));
            let row = _mm256_slli_epi64::<{ ROW_UNIT.ilog2() as i32 }>(row);
            let rank = _mm256_srli_epi64::<{ (RANK_SHIFT + RANK_LOW) as i32 }>(word);
            let rank = _mm256_and_si256(rank, all((RANK >> RANK_LOW).into()));
            let transition = _mm256_slli_epi64::<1>(_mm256_add_epi64(row, rank));
            let set = _mm256_slli_epi64::<{ SET_SHIFT as i32 }>(set);
            store(&mut self.moves.0[view][i], _mm256_or_si256(moves, set));
            store(&mut self.next.0[view][i], _mm256_add_epi64(records, record));
            store(&mut self.transitions.0[view][i], _mm256_add_epi64(transitions, transition));
            self.next.0[view][i].iter().for_each(|&record| prefetch(record as *const u8));
        }
    }

    /// Reads the records, the transitions and the zone maps, completes the children, and prefetches
    /// their table bits.
    ///
    /// # Safety
    /// - As for [`Vectors::read_changes`], which has been called.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn read_records(&mut self, sides: &Sides<'_>, view: usize, count: usize) {
        let tables = vector(|pattern| sides.sides[pattern].table.expose_provenance() as u64);
        for i in 0..count {
            let (word, moves) = (load(&self.words.0[view][i]), load(&self.moves.0[view][i]));
            let pattern = _mm256_srli_epi64::<{ PATTERN_SHIFT as i32 }>(moves);
            let pattern = _mm256_and_si256(pattern, all(MAX_PATTERNS as u64 - 1));
            let cell = _mm256_srli_epi64::<{ CELL_SHIFT as i32 }>(moves);
            let cell = _mm256_and_si256(cell, all(0x1f));
            // SAFETY: `read_changes` found these addresses; the fields are addresses and numbers.
            let (record, changed, bits, row_bytes, zone_maps) = unsafe {
                (
                    gather::<Record>(&self.next.0[view][i]),
                    gather::<u16>(&self.transitions.0[view][i]),
                    sides.field(pattern, offset_of!(Side, cohort_bits)),
                    sides.field(pattern, offset_of!(Side, row_bytes)),
                    sides.field(pattern, offset_of!(Side, zone_maps)),
                )
            };
            // A table's address is two numbers of 32 bits.
            let halves = _mm256_or_si256(_mm256_slli_epi64::<33>(pattern), all(1 << 32));
            let halves = _mm256_or_si256(_mm256_slli_epi64::<1>(pattern), halves);
            let table = _mm256_permutevar8x32_epi32(tables, halves);
            let bits = _mm256_and_si256(bits, all(31));
            let mut zone_map = shr(record, bits);
            let first = _mm256_xor_si256(record, shl(zone_map, bits));
            let rare = _mm256_cmpeq_epi64(zone_map, shr(all(u32::MAX.into()), bits));
            if _mm256_testz_si256(rare, rare) == 0 {
                let set = _mm256_srli_epi64::<{ SET_SHIFT as i32 }>(moves);
                let number = _mm256_slli_epi64::<2>(set);
                // SAFETY: the field is an address, and there is a number for each set.
                let number = unsafe {
                    let rare = sides.field(pattern, offset_of!(Side, rare));
                    gather::<u32>(&numbers(_mm256_add_epi64(rare, number)))
                };
                zone_map = _mm256_blendv_epi8(zone_map, number, rare);
            }
            let zone_map = _mm256_slli_epi64::<{ size_of::<ZoneMap>().ilog2() as i32 }>(zone_map);
            let zone = _mm256_add_epi64(_mm256_add_epi64(zone_maps, zone_map), cell);
            // SAFETY: the record, or else the list of rare ones, names a zone map.
            let zone = unsafe { gather::<u8>(&numbers(zone)) };
            let cohort = _mm256_add_epi64(first, zone);
            let kept = _mm256_srli_epi64::<{ RANK_SHIFT as i32 }>(word);
            let kept = _mm256_and_si256(kept, all((1 << RANK_LOW) - 1));
            let rank = _mm256_xor_si256(changed, kept);
            let byte = _mm256_mul_epu32(rank, row_bytes);
            let byte = _mm256_add_epi64(byte, _mm256_srli_epi64::<3>(cohort));

            let cells = _mm256_and_si256(_mm256_xor_si256(word, moves), all(CELLS.into()));
            let rank = _mm256_slli_epi64::<{ RANK_SHIFT as i32 }>(rank);
            let set = _mm256_and_si256(moves, all(!0 << SET_SHIFT));
            let after = _mm256_or_si256(_mm256_or_si256(cells, rank), set);
            let difference = numbers(_mm256_xor_si256(word, after));
            let children = &mut self.children[view][i];
            let patterns = numbers(pattern);
            for (slot, child) in children.iter_mut().enumerate() {
                // SAFETY: the address of a view, which begins with its words.
                let words = load(unsafe { &*(self.addresses.0[view][i][slot] as *const _) });
                let in_word = load(&WORD[patterns[slot] as usize % MAX_PATTERNS]);
                let difference = _mm256_and_si256(all(difference[slot]), in_word);
                store(child, _mm256_xor_si256(words, difference));
            }

            let owners = load(&self.owners.0[view][i]);
            let to = _mm256_srli_epi64::<{ BLANK_SHIFT as i32 }>(owners);
            let from = _mm256_srli_epi64::<{ FROM_SHIFT as i32 }>(moves);
            let from = _mm256_and_si256(from, all(63));
            let shift = _mm256_add_epi64(pattern, all(BITS_SHIFT.into()));
            let bit = _mm256_and_si256(shr(owners, shift), all(1));
            let owners = _mm256_and_si256(owners, all((1 << BLANK_SHIFT) - 1));
            let owner = _mm256_or_si256(shl(pattern, from), shl(pattern, to));
            let owners = _mm256_xor_si256(owners, _mm256_or_si256(owner, shl(bit, shift)));
            let blank = _mm256_slli_epi64::<{ BLANK_SHIFT as i32 }>(from);
            let falls = _mm256_srli_epi64::<{ EVEN_SHIFT as i32 }>(word);
            let falls = _mm256_and_si256(_mm256_xor_si256(bit, falls), all(1));
            let falls = _mm256_slli_epi64::<{ FALLS_SHIFT as i32 }>(falls);
            let place = _mm256_or_si256(_mm256_and_si256(cohort, all(7)), falls);
            let shift = _mm256_slli_epi64::<{ BIT_SHIFT as i32 }>(shift);
            store(&mut self.owners.0[view][i], _mm256_or_si256(owners, blank));
            store(&mut self.next.0[view][i], _mm256_or_si256(place, shift));
            store(&mut self.addresses.0[view][i], _mm256_add_epi64(table, byte));
            self.addresses.0[view][i].iter().for_each(|&byte| prefetch(byte as *const u8));
        }
    }
}

/// The number of bits set in each number.
#[target_feature(enable = "avx2")]
#[inline]
fn count_ones(numbers: __m256i) -> __m256i {
    let counts = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let low = _mm256_set1_epi8(0xf);
    let lows = _mm256_shuffle_epi8(counts, _mm256_and_si256(numbers, low));
    let highs = _mm256_and_si256(_mm256_srli_epi64::<4>(numbers), low);
    let highs = _mm256_shuffle_epi8(counts, highs);
    _mm256_sad_epu8(_mm256_add_epi8(lows, highs), _mm256_setzero_si256())
}
