//! The children of many nodes generated together, with AVX2.
//!
//! These are the steps of [`Coordinates::draft_move`], [`Coordinates::move_view`] and
//! [`Child::resolve`](super::Child::resolve) on vectors of four views: those of four children of one
//! view, of two children of two views, or of one child of three or four. The transitions are not
//! prefetched: a vector waits for its four at once.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_blendv_pd,
    _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cvtepu32_epi64, _mm256_i64gather_epi32,
    _mm256_i64gather_epi64, _mm256_loadu_si256, _mm256_mul_epu32, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srl_epi64,
    _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::geometry::{COLOUR_SHIFT, HALF_SHIFT, PLACE_SHIFT, ROW_UNIT, SECOND_SHIFT};
use super::{BIT, Coordinates, GEOMETRIES, GEOMETRY_SHIFT, HALF, HALVES, RANK, Side};
use super::{View, ViewTables};
use crate::prefetch::prefetch;
use crate::search::space::MOST_CHILDREN;

/// The views in a vector.
const WIDTH: usize = 4;

/// Numbers for each view of each child, a child's next to each other.
#[repr(align(64))]
struct Slots([u64; WIDTH * MOST_CHILDREN]);

/// The children of some nodes.
pub(crate) struct Batch {
    /// The parents' views, and later the children's.
    views: Slots,
    /// The entries of the moves. When the table bits are known, 1 where h rose, in the byte of the view.
    entries: Slots,
    /// The places of the new ranks among the transitions, and later the addresses of the table bits.
    places: Slots,
}

impl Default for Batch {
    fn default() -> Batch {
        let slots = || Slots([0; WIDTH * MOST_CHILDREN]);
        Batch { views: slots(), entries: slots(), places: slots() }
    }
}

/// The slots of a child of `views` views.
const fn slots(views: usize) -> usize {
    views.next_power_of_two()
}

/// The vectors that this many children fill.
const fn vectors(views: usize, children: usize) -> usize {
    (children * slots(views)).div_ceil(WIDTH)
}

impl Batch {
    /// Generates a child for each node's views and move that `parent` gives for the numbers below
    /// `count`, at most [`MOST_CHILDREN`], and prefetches their table bits.
    ///
    /// # Safety
    /// - The processor has AVX2.
    /// - Views and moves are as for [`Coordinates::draft_move`], and the same each time for a number.
    ///   Tables are as for [`Coordinates::move_view`].
    #[target_feature(enable = "avx2")]
    pub unsafe fn generate<'n, const V: usize>(
        &mut self,
        space: &Coordinates,
        tables: &[ViewTables<'_>; V],
        count: usize,
        parent: impl Fn(usize) -> (&'n [View; V], usize),
    ) {
        const { assert!(V >= 1 && V <= WIDTH) };
        let Some(last) = count.checked_sub(1) else { return };
        let (views, _) = self.views.0.as_chunks_mut::<WIDTH>();
        let (entries, _) = self.entries.0.as_chunks_mut::<WIDTH>();
        let (places, _) = self.places.0.as_chunks_mut::<WIDTH>();
        let batch = views.iter_mut().zip(entries).zip(places).take(vectors(V, count));

        // Which view a slot has. A slot too many repeats the last one.
        let view_of = |slot: usize| (slot % slots(V)).min(V - 1);
        let by_view = |number: &dyn Fn(&ViewTables<'_>) -> u64| {
            let number = |slot: usize| number(&tables[view_of(slot)]);
            vector([number(0), number(1), number(2), number(3)])
        };
        let flips = by_view(&|tables| tables.flip as u64);
        let geometry = tables[0].geometry.as_ptr().cast();
        let pairs = _mm_cvtsi32_si128(space.pairs as i32);
        let mut first = 0;
        for ((views, entries), places) in batch {
            let of = |slot: usize| parent((first + slot / slots(V)).min(last));
            let view = |slot: usize| of(slot).0[view_of(slot)].0;
            let view = vector([view(0), view(1), view(2), view(3)]);
            let m = |slot: usize| of(slot).1 as u64;
            let m = _mm256_xor_si256(vector([m(0), m(1), m(2), m(3)]), flips);
            let number = _mm256_srli_epi64::<{ GEOMETRY_SHIFT as i32 }>(view);
            let place = _mm256_or_si256(_mm256_slli_epi64::<2>(number), m);
            // SAFETY: as in `draft_move`; an entry is eight bytes, and little-endian.
            let entry = unsafe { _mm256_i64gather_epi64::<8>(geometry, place) };
            let half = _mm256_srlv_epi64(view, shift(entry));
            let rank = _mm256_and_si256(half, all(RANK.into()));
            let row = _mm256_srli_epi64::<48>(entry);
            let row = _mm256_slli_epi64::<{ ROW_UNIT.ilog2() as i32 }>(row);
            store(views, view);
            store(entries, entry);
            store(places, _mm256_add_epi64(row, _mm256_srl_epi64(rank, pairs)));
            first += WIDTH / slots(V);
        }

        let by_pattern = |number: &dyn Fn(&Side) -> u64| {
            [0, 1].map(|i| _mm256_castsi256_pd(by_view(&|tables| number(&tables.sides[i]))))
        };
        let tables_of = by_pattern(&|side| side.table as u64);
        let rows_of = by_pattern(&|side| side.row_bytes.into());
        let colours_of = by_pattern(&|side| side.colour.into());
        let transitions = space.transitions.as_ptr().cast();
        let batch = self.views.0.as_chunks_mut::<WIDTH>().0.iter_mut();
        let batch = batch.zip(self.entries.0.as_chunks_mut::<WIDTH>().0);
        let batch = batch.zip(self.places.0.as_chunks_mut::<WIDTH>().0);
        for ((views, entries), places) in batch.take(vectors(V, count)) {
            let (view, entry) = (load(views), load(entries));
            // SAFETY: as in `move_view`; one more transition follows the last one.
            let changed = unsafe { _mm256_i64gather_epi32::<2>(transitions, load(places)) };
            let changed = _mm256_and_si256(_mm256_cvtepu32_epi64(changed), all(0xffff));
            let shift = shift(entry);
            let half = _mm256_srlv_epi64(view, shift);
            let kept = _mm256_and_si256(half, all((1 << space.pairs) - 1));
            let rank = _mm256_xor_si256(changed, kept);
            let difference = _mm256_xor_si256(_mm256_and_si256(half, all(HALF.into())), rank);
            let halves = _mm256_xor_si256(
                _mm256_and_si256(view, all(HALVES)),
                _mm256_sllv_epi64(difference, shift),
            );
            // The pattern moved, as the sign that a blend goes by.
            let second = _mm256_slli_epi64::<{ 63 - SECOND_SHIFT as i32 }>(entry);
            let of_pattern = |[first, other]: [_; 2]| {
                _mm256_castpd_si256(_mm256_blendv_pd(first, other, _mm256_castsi256_pd(second)))
            };
            let byte = _mm256_and_si256(_mm256_srli_epi64::<32>(entry), all(0xffff));
            let byte = _mm256_add_epi64(_mm256_mul_epu32(rank, of_pattern(rows_of)), byte);
            let falls = _mm256_xor_si256(
                _mm256_srli_epi64::<{ BIT as i32 }>(half),
                _mm256_srli_epi64::<{ COLOUR_SHIFT as i32 }>(entry),
            );
            let falls = _mm256_xor_si256(falls, of_pattern(colours_of));
            let falls = _mm256_slli_epi64::<31>(_mm256_and_si256(falls, all(1)));
            let word = _mm256_and_si256(entry, all(0x7fff_ffff));
            let next = _mm256_slli_epi64::<{ GEOMETRY_SHIFT as i32 }>(entry);
            let next = _mm256_and_si256(next, all(GEOMETRIES));
            store(views, _mm256_or_si256(halves, next));
            store(entries, _mm256_or_si256(word, falls));
            store(places, _mm256_add_epi64(of_pattern(tables_of), byte));
            places.iter().for_each(|&address| prefetch(address as *const u8));
        }
    }

    /// Reads the table bits of `count` children.
    ///
    /// # Safety
    /// - The processor has AVX2.
    /// - [`Batch::generate`] has generated as many children, of as many views, and their tables are still
    ///   borrowed.
    #[target_feature(enable = "avx2")]
    pub unsafe fn resolve<const V: usize>(&mut self, count: usize) {
        let batch = self.views.0.as_chunks_mut::<WIDTH>().0.iter_mut();
        let batch = batch.zip(self.entries.0.as_chunks_mut::<WIDTH>().0);
        let batch = batch.zip(self.places.0.as_chunks::<WIDTH>().0);
        let slack = |slot: usize| 8 * (slot % slots(V)) as u64;
        let slacks = vector([slack(0), slack(1), slack(2), slack(3)]);
        for ((views, entries), addresses) in batch.take(vectors(V, count)) {
            // SAFETY: `generate` made these addresses of tables that the caller says are alive.
            let byte = |slot: usize| u64::from(unsafe { *(addresses[slot] as *const u8) });
            let bytes = vector([byte(0), byte(1), byte(2), byte(3)]);
            let word = load(entries);
            let place = _mm256_srli_epi64::<{ PLACE_SHIFT as i32 }>(word);
            let bit = _mm256_srlv_epi64(bytes, _mm256_and_si256(place, all(7)));
            let bit = _mm256_and_si256(bit, all(1));
            let in_view = _mm256_sllv_epi64(_mm256_slli_epi64::<{ BIT as i32 }>(bit), shift(word));
            let rose = _mm256_xor_si256(bit, _mm256_srli_epi64::<31>(word));
            store(views, _mm256_or_si256(load(views), in_view));
            store(entries, _mm256_sllv_epi64(rose, slacks));
        }
    }

    /// A child's views, and in a byte for each view 1 where h rose.
    #[inline(always)]
    pub fn child<const V: usize>(&self, child: usize) -> ([View; V], u64) {
        let at = slots(V) * child;
        let views = std::array::from_fn(|view| View(self.views.0[at + view]));
        (views, self.entries.0[at..at + V].iter().sum())
    }
}

/// Where the half of the pattern moved begins, in a view.
#[target_feature(enable = "avx2")]
#[inline]
fn shift(entries: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi64::<{ HALF_SHIFT as i32 }>(entries), all(63))
}

#[target_feature(enable = "avx2")]
#[inline]
fn all(number: u64) -> __m256i {
    _mm256_set1_epi64x(number as i64)
}

#[target_feature(enable = "avx2")]
#[inline]
fn vector([a, b, c, d]: [u64; WIDTH]) -> __m256i {
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(slots: &[u64; WIDTH]) -> __m256i {
    // SAFETY: the reference is to 32 bytes.
    unsafe { _mm256_loadu_si256(slots.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(slots: &mut [u64; WIDTH], numbers: __m256i) {
    // SAFETY: as above.
    unsafe { _mm256_storeu_si256(slots.as_mut_ptr().cast(), numbers) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::{Grid, Symmetry};
    use crate::pdb::{AnyBytes, Index, Partition, Pattern, Table, generate};
    use crate::search::space::{PatternView, Space};

    /// For random boards with `count` moves each, as many children as a batch holds, the views and
    /// the slacks are those of children one by one.
    fn compare<const V: usize>(count: usize) {
        let grid = Grid::new(3, 3).unwrap();
        let partition = Partition::parse("1,2,3/4,5,6,7,8", grid, 0).unwrap();
        let table = |pattern: &Pattern| -> Table<AnyBytes> {
            let index = Arc::new(Index::new(grid, pattern.len()));
            let bits = generate(&index, pattern, |_| ()).unwrap().bits;
            Table::new(*pattern, index, bits).unwrap().into_any()
        };
        let tables: Vec<_> = partition.patterns().iter().map(table).collect();
        let indexes: [_; 2] = std::array::from_fn(|i| tables[i].index().clone());
        let [first, second] = indexes;
        let space = Coordinates::new(first, second).unwrap();
        // Views and mirrored views in turn.
        let patterns: [Vec<PatternView<'_>>; V] = std::array::from_fn(|view| {
            let symmetry = [Symmetry::IDENTITY, Symmetry::TRANSPOSE][view % 2];
            tables.iter().map(|table| PatternView { table, symmetry }).collect()
        });
        let layouts = patterns.each_ref().map(|patterns| {
            space.layout(&patterns.iter().map(|pattern| pattern.symmetry).collect::<Vec<_>>())
        });
        let views_of: [_; V] =
            std::array::from_fn(|view| space.tables(&patterns[view], &layouts[view]));

        let mut labels: Vec<u8> = (0..9).collect();
        let mut random = 1u64;
        let mut parents = Vec::new();
        while parents.len() < count {
            let blank = labels.iter().position(|&label| label == 0).unwrap();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = (random >> 60) as usize % 4;
            let Some(from) = grid.source(blank, crate::board::Move::ALL[m]) else { continue };
            let views = patterns.each_ref().map(|patterns| space.view(patterns, &labels));
            parents.push((views, m));
            labels.swap(blank, from);
        }
        let mut batch = Batch::default();
        // SAFETY: the test has looked for AVX2; views and moves are of boards, and the tables live.
        unsafe {
            batch.generate(&space, &views_of, count, |child| (&parents[child].0, parents[child].1));
            batch.resolve::<V>(count);
        }
        for (child, (views, m)) in parents.iter().enumerate() {
            let mut rises = 0;
            let expected: [View; V] = std::array::from_fn(|view| {
                let tables = &views_of[view];
                // SAFETY: as above.
                let (resolved, rose) = unsafe {
                    let draft = space.draft(&views[view], *m, tables);
                    Coordinates::resolve(&space.child(&views[view], &draft, tables))
                };
                rises |= rose << (8 * view);
                resolved
            });
            assert_eq!(batch.child::<V>(child), (expected, rises), "{V} views, child {child}");
        }
    }

    #[test]
    fn children_together_are_children_one_by_one() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        for count in [0, 1, 2, 3, 5, MOST_CHILDREN - 1, MOST_CHILDREN] {
            compare::<1>(count);
            compare::<2>(count);
            compare::<3>(count);
            compare::<4>(count);
        }
    }
}
