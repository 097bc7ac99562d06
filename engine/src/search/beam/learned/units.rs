//! The units of a patch in vectors of 16-bit numbers.
//!
//! Left to the compiler, chains of additions are transposed: a vector then holds one unit of several cells, which is
//! slower by a factor of three.

use super::network::Network;

/// The units of a patch, or what a cell adds to them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Row(pub [i16; Network::UNITS]);

/// Instructions for units. A value shows that the processor at hand has them. Sums have to fit, or saturate.
pub(super) trait Instructions: Copy {
    type Units: Copy;

    fn load(self, row: &Row) -> Self::Units;
    fn store(self, units: Self::Units) -> Row;
    fn add(self, a: Self::Units, b: Self::Units) -> Self::Units;
    fn subtract(self, a: Self::Units, b: Self::Units) -> Self::Units;
    /// The units, or 0 in place of negative ones.
    fn positive(self, units: Self::Units) -> Self::Units;
}

/// Instructions that every processor has.
#[derive(Clone, Copy)]
pub(super) struct Plain;

/// These instructions by functions on vectors of 128 bits, each for half of the units.
#[allow(unused_macros, reason = "not every processor has such vectors")]
macro_rules! plain {
    ($vector:ty, $zero:expr, $add:path, $subtract:path, $most:path) => {
        #[allow(unused_unsafe, reason = "on some kinds of processors they are safe")]
        impl Instructions for Plain {
            type Units = [$vector; 2];

            #[inline(always)]
            fn load(self, row: &Row) -> Self::Units {
                const { assert!(size_of::<Self::Units>() == size_of::<Row>()) };
                // SAFETY: both are as large, and any bits are numbers.
                unsafe { std::mem::transmute_copy(row) }
            }

            #[inline(always)]
            fn store(self, units: Self::Units) -> Row {
                // SAFETY: as above.
                Row(unsafe { std::mem::transmute::<Self::Units, [i16; Network::UNITS]>(units) })
            }

            #[inline(always)]
            fn add(self, [a, b]: Self::Units, [c, d]: Self::Units) -> Self::Units {
                // SAFETY: every processor of this kind has these instructions.
                unsafe { [$add(a, c), $add(b, d)] }
            }

            #[inline(always)]
            fn subtract(self, [a, b]: Self::Units, [c, d]: Self::Units) -> Self::Units {
                // SAFETY: every processor of this kind has these instructions.
                unsafe { [$subtract(a, c), $subtract(b, d)] }
            }

            #[inline(always)]
            fn positive(self, [a, b]: Self::Units) -> Self::Units {
                // SAFETY: every processor of this kind has these instructions.
                unsafe { [$most(a, $zero), $most(b, $zero)] }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Instructions, Network, Plain, Row};

    plain!(__m128i, _mm_setzero_si128(), _mm_adds_epi16, _mm_subs_epi16, _mm_max_epi16);

    /// Instructions of 2013 and later, for all units at a time.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        /// The instructions, if the processor has them.
        pub fn detect() -> Option<Avx2> {
            is_x86_feature_detected!("avx2").then_some(Avx2(()))
        }
    }

    // SAFETY of all functions: an `Avx2` exists only where the processor has these instructions, and rows are
    // aligned as vectors are.
    impl Instructions for Avx2 {
        type Units = __m256i;

        #[inline(always)]
        fn load(self, row: &Row) -> __m256i {
            // SAFETY: see above.
            unsafe { _mm256_load_si256((&raw const *row).cast()) }
        }

        #[inline(always)]
        fn store(self, units: __m256i) -> Row {
            // SAFETY: see above.
            Row(unsafe { std::mem::transmute::<__m256i, [i16; Network::UNITS]>(units) })
        }

        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: see above.
            unsafe { _mm256_adds_epi16(a, b) }
        }

        #[inline(always)]
        fn subtract(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: see above.
            unsafe { _mm256_subs_epi16(a, b) }
        }

        #[inline(always)]
        fn positive(self, units: __m256i) -> __m256i {
            // SAFETY: see above.
            unsafe { _mm256_max_epi16(units, _mm256_setzero_si256()) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Avx2;

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;

    use super::{Instructions, Network, Plain, Row};

    plain!(int16x8_t, vdupq_n_s16(0), vqaddq_s16, vqsubq_s16, vmaxq_s16);
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::*;

    use super::{Instructions, Network, Plain, Row};

    plain!(v128, i16x8_splat(0), i16x8_add_sat, i16x8_sub_sat, i16x8_max);
}

#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
impl Instructions for Plain {
    type Units = Row;

    fn load(self, row: &Row) -> Row {
        *row
    }

    fn store(self, units: Row) -> Row {
        units
    }

    fn add(self, Row(a): Row, Row(b): Row) -> Row {
        Row(std::array::from_fn(|unit| a[unit].saturating_add(b[unit])))
    }

    fn subtract(self, Row(a): Row, Row(b): Row) -> Row {
        Row(std::array::from_fn(|unit| a[unit].saturating_sub(b[unit])))
    }

    fn positive(self, Row(units): Row) -> Row {
        Row(units.map(|unit| unit.max(0)))
    }
}
