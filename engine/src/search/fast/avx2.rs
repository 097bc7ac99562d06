//! Vectors of four numbers, with AVX2.
//!
//! The functions here are compiled as parts of functions that are compiled for AVX2: they are always inlined.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm256_add_epi8, _mm256_add_epi64,
    _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_mul_epu32, _mm256_or_si256,
    _mm256_permutevar8x32_epi32, _mm256_sad_epu8, _mm256_set_epi64x, _mm256_set_m128i,
    _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_sll_epi64, _mm256_sllv_epi64,
    _mm256_sra_epi32, _mm256_srl_epi64, _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_sub_epi64,
    _mm256_testz_si256, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use std::ops::{BitAnd, BitOr, BitXor};

use super::processor::Processor;
use crate::search::bits::Numbers;

/// AVX2, BMI1, BMI2 and POPCNT, the instructions of 2013 and later: shifts by any register, counting bits, 32
/// bytes at a time.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The instructions, if the processor has them.
    pub fn detect() -> Option<Avx2> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        is_there.then_some(Avx2(()))
    }
}

/// Four numbers. They exist only where the processor has AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Four(__m256i);

/// Evaluates an expression of intrinsics.
macro_rules! avx2 {
    ($value:expr) => {
        // SAFETY: the processor has AVX2: four numbers, or the `Avx2` that makes them, exist only where it has.
        Four(unsafe { $value })
    };
}

impl BitAnd for Four {
    type Output = Four;

    #[inline(always)]
    fn bitand(self, other: Four) -> Four {
        avx2!(_mm256_and_si256(self.0, other.0))
    }
}

impl BitOr for Four {
    type Output = Four;

    #[inline(always)]
    fn bitor(self, other: Four) -> Four {
        avx2!(_mm256_or_si256(self.0, other.0))
    }
}

impl BitXor for Four {
    type Output = Four;

    #[inline(always)]
    fn bitxor(self, other: Four) -> Four {
        avx2!(_mm256_xor_si256(self.0, other.0))
    }
}

impl Numbers for Four {
    #[inline(always)]
    fn all(self, number: u64) -> Four {
        avx2!(_mm256_set1_epi64x(number as i64))
    }

    #[inline(always)]
    fn plus(self, other: Four) -> Four {
        avx2!(_mm256_add_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn minus(self, other: Four) -> Four {
        avx2!(_mm256_sub_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn times(self, other: Four) -> Four {
        avx2!(_mm256_mul_epu32(self.0, other.0))
    }

    #[inline(always)]
    fn up(self, bits: u32) -> Four {
        avx2!(_mm256_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)))
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Four {
        avx2!(_mm256_srl_epi64(self.0, _mm_cvtsi32_si128(bits as i32)))
    }

    #[inline(always)]
    fn up_by(self, bits: Four) -> Four {
        // Without the mask the compiler adds code for shifts of 64 and more, which it defines.
        let bits = bits & bits.all(63);
        avx2!(_mm256_sllv_epi64(self.0, bits.0))
    }

    #[inline(always)]
    fn down_by(self, bits: Four) -> Four {
        let bits = bits & bits.all(63);
        avx2!(_mm256_srlv_epi64(self.0, bits.0))
    }

    #[inline(always)]
    fn down_signed(self, bits: u32) -> Four {
        avx2!(_mm256_sra_epi32(self.0, _mm_cvtsi32_si128(bits as i32)))
    }

    #[inline(always)]
    fn count_ones(self) -> Four {
        avx2!({
            let counts = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let low = _mm256_set1_epi8(0xf);
            let lows = _mm256_shuffle_epi8(counts, _mm256_and_si256(self.0, low));
            let highs = _mm256_and_si256(self.down(4).0, low);
            let highs = _mm256_shuffle_epi8(counts, highs);
            _mm256_sad_epu8(_mm256_add_epi8(lows, highs), _mm256_setzero_si256())
        })
    }

    #[inline(always)]
    fn equal(self, other: Four) -> Four {
        avx2!(_mm256_cmpeq_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: four numbers exist only where the processor has AVX2.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }
}

impl Processor for Avx2 {
    type Numbers = Four;
    type Four = Four;

    const WIDTH: usize = 4;
    const LANES: usize = super::list::LANES;

    #[inline(always)]
    fn numbers(self, number: impl Fn(usize) -> u64) -> Four {
        // One by one: the compiler does not always inline the `map` of an array.
        let [a, b, c, d] = [number(0), number(1), number(2), number(3)];
        avx2!(_mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64))
    }

    #[inline(always)]
    fn load(self, from: &[u64]) -> Four {
        // The slice has 32 bytes.
        let from = &from[..4];
        avx2!(_mm256_loadu_si256(from.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, numbers: Four, to: &mut [u64]) {
        let to = &mut to[..4];
        // SAFETY: the slice has 32 bytes, and the processor has AVX2.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), numbers.0) }
    }

    #[inline(always)]
    fn four(self, numbers: [u64; 4]) -> Four {
        self.load(&numbers)
    }

    #[inline(always)]
    fn choose(self, four: Four, places: Four) -> Four {
        // A number is two of 32 bits, and so is its place: the first one twice, less the bit that tells them apart.
        avx2!({
            let first = _mm256_shuffle_epi32::<0b10_10_00_00>(places.up(1).0);
            _mm256_permutevar8x32_epi32(four.0, _mm256_or_si256(first, places.all(1 << 32).0))
        })
    }

    #[inline(always)]
    unsafe fn read_pairs(self, addresses: &[u64]) -> [Four; 2] {
        let addresses = &addresses[..4];
        // SAFETY: the caller vouches for the addresses, and the processor has AVX2.
        unsafe {
            let pair = |place: usize| _mm_loadu_si128(addresses[place] as *const _);
            let even = _mm256_set_m128i(pair(2), pair(0));
            let odd = _mm256_set_m128i(pair(3), pair(1));
            [Four(_mm256_unpacklo_epi64(even, odd)), Four(_mm256_unpackhi_epi64(even, odd))]
        }
    }

    #[inline(always)]
    unsafe fn read_bytes(self, addresses: &[u64]) -> Four {
        let addresses = &addresses[..4];
        // Volatile reads of bytes that may change, as those of a mapped file may: unlike atomic ones, they
        // become parts of the instructions that fill a vector.
        // SAFETY: the caller's.
        self.numbers(|place| unsafe { (addresses[place] as *const u8).read_volatile() }.into())
    }
}
