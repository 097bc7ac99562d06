//! Vectors of four numbers, with AVX2, and the places that the views of some children have in them.
//!
//! A vector holds four children of one view, two children of two views, or one child of three or four.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_loadu_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_storeu_si256,
};

use super::space::MOST_CHILDREN;

/// How many numbers a vector has.
pub(crate) const WIDTH: usize = 4;

/// A number for each view of each child, those of a child side by side.
#[repr(align(64))]
pub(crate) struct Slots(pub [[u64; WIDTH]; MOST_CHILDREN]);

impl Default for Slots {
    fn default() -> Slots {
        Slots([[0; WIDTH]; MOST_CHILDREN])
    }
}

/// The number of slots of a child: as that of its views, but four for three.
pub(crate) const fn slots(views: usize) -> usize {
    assert!(views >= 1 && views <= WIDTH);
    views.next_power_of_two()
}

/// The number of vectors that this many children fill.
pub(crate) const fn vectors(views: usize, children: usize) -> usize {
    (children * slots(views)).div_ceil(WIDTH)
}

/// The view that a slot of a vector is for. A slot too many repeats the last view.
pub(crate) fn view_of<const V: usize>(slot: usize) -> usize {
    (slot % slots(V)).min(V - 1)
}

/// A vector of a number for each view.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn by_view<const V: usize>(number: impl Fn(usize) -> u64) -> __m256i {
    vector(|slot| number(view_of::<V>(slot)))
}

/// A vector of a number for each slot.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn vector(number: impl Fn(usize) -> u64) -> __m256i {
    let [a, b, c, d] = [0, 1, 2, 3].map(|slot| number(slot) as i64);
    _mm256_set_epi64x(d, c, b, a)
}

/// A vector of one number, four times.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn all(number: u64) -> __m256i {
    _mm256_set1_epi64x(number as i64)
}

/// The vector of these numbers.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn load(slots: &[u64; WIDTH]) -> __m256i {
    // SAFETY: the reference is to 32 bytes.
    unsafe { _mm256_loadu_si256(slots.as_ptr().cast()) }
}

/// Writes the numbers of a vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn store(slots: &mut [u64; WIDTH], numbers: __m256i) {
    // SAFETY: as above.
    unsafe { _mm256_storeu_si256(slots.as_mut_ptr().cast(), numbers) }
}

/// The numbers of a vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn numbers(vector: __m256i) -> [u64; WIDTH] {
    let mut numbers = [0; WIDTH];
    store(&mut numbers, vector);
    numbers
}

/// The numbers at four addresses. The instructions that gather are no faster, and on some processors
/// slower.
///
/// # Safety
/// - Each address is that of a `T`, in memory whose provenance was exposed.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) unsafe fn gather<T: Copy + Into<u64>>(addresses: &[u64; WIDTH]) -> __m256i {
    // SAFETY: the caller's.
    vector(|slot| unsafe { *(addresses[slot] as *const T) }.into())
}

/// Shifts numbers up, each by a number below 64.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn shl(numbers: __m256i, by: __m256i) -> __m256i {
    // Without the mask the compiler adds code for shifts of 64 and more, which it defines.
    _mm256_sllv_epi64(numbers, _mm256_and_si256(by, all(63)))
}

/// Shifts numbers down, each by a number below 64, as [`shl`] does up.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn shr(numbers: __m256i, by: __m256i) -> __m256i {
    _mm256_srlv_epi64(numbers, _mm256_and_si256(by, all(63)))
}
