//! Vectors of four numbers, with AVX2: one for each of four children.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_loadu_si256, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_sll_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};

use super::list::{Births, CHILDREN, MOST_CHILDREN, ROOM};
use super::space::{MAX_VIEWS, slack_shift};

/// The number of numbers in a vector.
pub(crate) const WIDTH: usize = 4;

// The lists of children are whole vectors, and a vector at their end is filled.
const _: () = assert!(MOST_CHILDREN.is_multiple_of(WIDTH) && ROOM.is_multiple_of(WIDTH));
const _: () = assert!(WIDTH <= CHILDREN + 1);

/// By view, a number for each child.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Slots(pub [[[u64; WIDTH]; MOST_CHILDREN / WIDTH]; MAX_VIEWS]);

impl Slots {
    /// The number of a child.
    #[inline(always)]
    pub fn of(&self, view: usize, child: usize) -> u64 {
        self.0[view].as_flattened()[child]
    }
}

/// The number of vectors that this many children fill.
pub(crate) const fn vectors(children: usize) -> usize {
    children.div_ceil(WIDTH)
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

/// The bytes of tables at four addresses, each the one that holds a table bit.
///
/// # Safety
/// - Each address is one of a table's [`Bytes`](crate::pdb::Bytes) that live, with exposed provenance.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) unsafe fn gather_bits(addresses: &[u64; WIDTH]) -> __m256i {
    // Volatile reads of bytes that may change, as those of a mapped file may: unlike atomic ones, they
    // become parts of the instructions that fill a vector.
    // SAFETY: the caller's.
    vector(|slot| unsafe { (addresses[slot] as *const u8).read_volatile() }.into())
}

/// Lowers the slack of a view for the children of a vector whose h rose there: `rose` has 1 for these and
/// 0 for the others.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn lower(births: &mut Births, view: usize, i: usize, rose: __m256i) {
    let metas = &mut births.metas.as_chunks_mut::<WIDTH>().0[i];
    let rose = _mm256_sll_epi64(rose, _mm_cvtsi32_si128(slack_shift(view) as i32));
    store(metas, _mm256_sub_epi64(load(metas), rose));
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
