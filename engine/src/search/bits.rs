//! Words of 64 bits: their fields, and the arithmetic that is the same for one word and for a vector of words.
//!
//! The layout of every packed word is declared as [`Field`]s. Shifts and masks are here alone.
//!
//! The build script includes this file, so it uses nothing of the crate.

use std::ops::{BitAnd, BitOr, BitXor};

/// A number of 64 bits, or a vector of them. Operations act on each number.
pub trait Numbers:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// This number in each place.
    fn all(self, number: u64) -> Self;

    /// The sum, modulo 2⁶⁴.
    fn plus(self, other: Self) -> Self;

    /// The difference, modulo 2⁶⁴.
    fn minus(self, other: Self) -> Self;

    /// The product of the low 32 bits.
    fn times(self, other: Self) -> Self;

    /// Shifted up by a number below 64.
    fn up(self, bits: u32) -> Self;

    /// Shifted down by a number below 64.
    fn down(self, bits: u32) -> Self;

    /// Shifted up, each by the low 6 bits of another number.
    fn up_by(self, bits: Self) -> Self;

    /// Shifted down, each by the low 6 bits of another number.
    fn down_by(self, bits: Self) -> Self;

    /// The low 32 bits as a signed number, shifted down, modulo 2³². The other bits must be 0.
    fn down_signed(self, bits: u32) -> Self;

    /// The number of bits that are set.
    fn count_ones(self) -> Self;

    /// All ones where the numbers are equal, else 0.
    fn equal(self, other: Self) -> Self;

    /// Returns whether all numbers are 0.
    fn is_zero(self) -> bool;
}

impl Numbers for u64 {
    #[inline(always)]
    fn all(self, number: u64) -> u64 {
        number
    }

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn times(self, other: u64) -> u64 {
        u64::from(self as u32) * u64::from(other as u32)
    }

    #[inline(always)]
    fn up(self, bits: u32) -> u64 {
        self << bits
    }

    #[inline(always)]
    fn down(self, bits: u32) -> u64 {
        self >> bits
    }

    #[inline(always)]
    fn up_by(self, bits: u64) -> u64 {
        self << (bits & 63)
    }

    #[inline(always)]
    fn down_by(self, bits: u64) -> u64 {
        self >> (bits & 63)
    }

    #[inline(always)]
    fn down_signed(self, bits: u32) -> u64 {
        (self as i32 >> bits) as u32 as u64
    }

    #[inline(always)]
    fn count_ones(self) -> u64 {
        u64::count_ones(self).into()
    }

    #[inline(always)]
    fn equal(self, other: u64) -> u64 {
        if self == other { u64::MAX } else { 0 }
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }
}

/// Some bits of a word.
#[derive(Clone, Copy)]
pub struct Field {
    start: u32,
    bits: u32,
}

impl Field {
    /// The field of this many bits, less than 64, from bit `start` on.
    pub const fn new(start: u32, bits: u32) -> Field {
        assert!(bits < u64::BITS && start + bits <= u64::BITS);
        Field { start, bits }
    }

    /// The field of this many bits after this one.
    pub const fn then(self, bits: u32) -> Field {
        Field::new(self.start + self.bits, bits)
    }

    /// The largest number that it holds.
    pub const fn most(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The word in which all its bits are set.
    pub const fn mask(self) -> u64 {
        self.most() << self.start
    }

    /// The field's number in a word.
    #[inline(always)]
    pub fn of<N: Numbers>(self, word: N) -> N {
        word.down(self.start) & word.all(self.most())
    }

    /// The word of a number, which must fit, in the field.
    #[inline(always)]
    pub fn word<N: Numbers>(self, number: N) -> N {
        number.up(self.start)
    }

    /// A word without the other fields.
    #[inline(always)]
    pub fn only<N: Numbers>(self, word: N) -> N {
        word & word.all(self.mask())
    }

    /// A word without this field.
    #[inline(always)]
    pub fn clear<N: Numbers>(self, word: N) -> N {
        word & word.all(!self.mask())
    }
}
