//! The children of many nodes generated together, with AVX2.
//!
//! These are the steps of [`Space::child`](crate::search::fast::space::Space::child) and
//! [`Space::resolve`](crate::search::fast::space::Space::resolve) on vectors of four children.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_blendv_pd,
    _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_mul_epu32, _mm256_or_si256, _mm256_slli_epi64,
    _mm256_srl_epi64, _mm256_srli_epi64, _mm256_xor_si256,
};
use std::ops::Range;

use super::geometry::{
    BYTE_SHIFT, COLOUR_SHIFT, HALF_SHIFT, PLACE_SHIFT, ROW_SHIFT, ROW_UNIT, SECOND_SHIFT,
};
use super::tables::{Coordinates, Side, ViewTables};
use super::view::{BIT, GEOMETRIES, GEOMETRY_SHIFT, HALF, HALVES, RANK, View};
use crate::prefetch::prefetch;
use crate::search::fast::avx2::{
    Slots, WIDTH, all, gather_bits, load, lower, numbers, shl, shr, store, vector, vectors,
};
use crate::search::fast::list::{Births, LANES};
use crate::search::fast::space::Batch;

/// Views of children.
#[derive(Default)]
pub(crate) struct Vectors {
    /// The parents' views, and later the children's.
    views: Slots,
    /// The entries of the moves.
    entries: Slots,
    /// The places of the new ranks among the transitions, and later the addresses of the table bits.
    places: Slots,
}

impl Batch<Coordinates> for Vectors {
    const LANES: usize = LANES;

    #[target_feature(enable = "avx2")]
    unsafe fn generate<const V: usize>(
        &mut self,
        space: &Coordinates,
        tables: &[ViewTables<'_>; V],
        views: Range<usize>,
        births: &Births,
    ) {
        let geometry = tables[0].geometry.as_ptr().cast::<u64>();
        let pairs = _mm_cvtsi32_si128(space.pairs as i32);
        let count = vectors(births.len());
        for at in views.clone() {
            let lists =
                births.parents.as_chunks::<WIDTH>().0.iter().zip(births.moves.as_chunks().0);
            for (i, (parents, moves)) in lists.enumerate().take(count) {
                let m = _mm256_and_si256(load(moves), all(3));
                // SAFETY: the caller vouches for the parents' views.
                let view = vector(|slot| unsafe { *(parents[slot] as *const u64).add(at) });
                let m = _mm256_xor_si256(m, all(tables[at].flip as u64));
                let number = _mm256_srli_epi64::<{ GEOMETRY_SHIFT as i32 }>(view);
                let place = numbers(_mm256_or_si256(_mm256_slli_epi64::<2>(number), m));
                // SAFETY: as in `child`; an entry is eight aligned bytes, and little-endian.
                let entry = vector(|slot| unsafe { *geometry.add(place[slot] as usize) });
                let half = shr(view, shift(entry));
                let rank = _mm256_and_si256(half, all(RANK.into()));
                let row = _mm256_srli_epi64::<{ ROW_SHIFT as i32 }>(entry);
                let row = _mm256_slli_epi64::<{ ROW_UNIT.ilog2() as i32 }>(row);
                store(&mut self.views.0[at][i], view);
                store(&mut self.entries.0[at][i], entry);
                let place = _mm256_add_epi64(row, _mm256_srl_epi64(rank, pairs));
                store(&mut self.places.0[at][i], place);
            }
        }

        for at in views {
            let by_pattern = |number: &dyn Fn(&Side) -> u64| {
                tables[at].sides.each_ref().map(|side| _mm256_castsi256_pd(all(number(side))))
            };
            let tables_of = by_pattern(&|side| side.table as u64);
            let rows_of = by_pattern(&|side| side.row_bytes.into());
            let colours_of = by_pattern(&|side| side.colour.into());
            for i in 0..count {
                let (view, entry) = (load(&self.views.0[at][i]), load(&self.entries.0[at][i]));
                let place = &self.places.0[at][i];
                let transition = |slot: usize| place[slot] as usize;
                // SAFETY: as in `child`.
                let changed = vector(|slot| unsafe {
                    (*space.transitions.get_unchecked(transition(slot))).into()
                });
                let shift = shift(entry);
                let half = shr(view, shift);
                let kept = _mm256_and_si256(half, all((1 << space.pairs) - 1));
                let rank = _mm256_xor_si256(changed, kept);
                let difference = _mm256_xor_si256(_mm256_and_si256(half, all(HALF.into())), rank);
                let halves =
                    _mm256_xor_si256(_mm256_and_si256(view, all(HALVES)), shl(difference, shift));
                // The pattern moved, as the sign that a blend goes by.
                let second = _mm256_slli_epi64::<{ 63 - SECOND_SHIFT as i32 }>(entry);
                let of_pattern = |[first, other]: [_; 2]| {
                    _mm256_castpd_si256(_mm256_blendv_pd(first, other, _mm256_castsi256_pd(second)))
                };
                let byte = _mm256_and_si256(
                    _mm256_srli_epi64::<{ BYTE_SHIFT as i32 }>(entry),
                    all(0xffff),
                );
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
                store(&mut self.views.0[at][i], _mm256_or_si256(halves, next));
                store(&mut self.entries.0[at][i], _mm256_or_si256(word, falls));
                store(&mut self.places.0[at][i], _mm256_add_epi64(of_pattern(tables_of), byte));
                self.places.0[at][i].iter().for_each(|&address| prefetch(address as *const u8));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    unsafe fn resolve(&mut self, views: Range<usize>, births: &mut Births) {
        for at in views {
            for i in 0..vectors(births.len()) {
                // SAFETY: `generate` made these addresses of tables that the caller says are alive.
                let bytes = unsafe { gather_bits(&self.places.0[at][i]) };
                let word = load(&self.entries.0[at][i]);
                let place = _mm256_srli_epi64::<{ PLACE_SHIFT as i32 }>(word);
                let bit = shr(bytes, _mm256_and_si256(place, all(7)));
                let bit = _mm256_and_si256(bit, all(1));
                let in_view = shl(_mm256_slli_epi64::<{ BIT as i32 }>(bit), shift(word));
                let rose = _mm256_xor_si256(bit, _mm256_srli_epi64::<31>(word));
                let view = _mm256_or_si256(load(&self.views.0[at][i]), in_view);
                store(&mut self.views.0[at][i], view);
                lower(births, at, i, rose);
            }
        }
    }

    #[inline(always)]
    unsafe fn view(&self, view: usize, place: usize) -> View {
        View(self.views.of(view, place))
    }
}

/// The start of the half of the moved pattern, in a view.
#[target_feature(enable = "avx2")]
#[inline]
fn shift(entries: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi64::<{ HALF_SHIFT as i32 }>(entries), all(63))
}
