//! The instructions that look-ups are made of: those of every processor, for one child, or vectors.

use crate::pdb::read_byte;
use crate::search::bits::Numbers;

/// The most numbers of a vector.
pub(crate) const MAX_WIDTH: usize = 4;

/// The instructions of a processor. A value shows that the processor at hand has them.
pub(crate) trait Processor: Copy {
    /// A number for each of [`Processor::WIDTH`] children.
    type Numbers: Numbers;

    /// Four numbers to choose from.
    type Four: Copy;

    /// The children at a time: up to [`MAX_WIDTH`].
    const WIDTH: usize;

    /// The lanes of a group that searches with these instructions, at most [`LANES`](super::list::LANES).
    const LANES: usize;

    /// The numbers by their places in the vector.
    fn numbers(self, number: impl Fn(usize) -> u64) -> Self::Numbers;

    /// One number in each place.
    #[inline(always)]
    fn all(self, number: u64) -> Self::Numbers {
        self.numbers(|_| number)
    }

    /// Reads the first numbers of a slice.
    fn load(self, from: &[u64]) -> Self::Numbers;

    /// Writes the first numbers of a slice.
    fn store(self, numbers: Self::Numbers, to: &mut [u64]);

    /// The numbers, by their places.
    #[inline(always)]
    fn array(self, numbers: Self::Numbers) -> [u64; MAX_WIDTH] {
        let mut array = [0; MAX_WIDTH];
        self.store(numbers, &mut array);
        array
    }

    /// Four numbers, for [`Processor::choose`].
    fn four(self, numbers: [u64; 4]) -> Self::Four;

    /// One of four numbers for each place, which is below four.
    fn choose(self, four: Self::Four, places: Self::Numbers) -> Self::Numbers;

    /// The numbers at addresses. Instructions that gather are no faster, and on some processors slower.
    ///
    /// # Safety
    /// - Each address is that of a `T`, in memory whose provenance was exposed.
    #[inline(always)]
    unsafe fn read<T: Copy + Into<u64>>(self, addresses: &[u64]) -> Self::Numbers {
        // SAFETY: the caller's.
        self.numbers(|place| unsafe { *(addresses[place] as *const T) }.into())
    }

    /// The pairs of numbers at addresses: the first ones, and the second ones.
    ///
    /// # Safety
    /// - Each address is that of a `[u64; 2]`, in memory whose provenance was exposed.
    unsafe fn read_pairs(self, addresses: &[u64]) -> [Self::Numbers; 2];

    /// The bytes of tables at addresses, each the one that holds a table bit.
    ///
    /// # Safety
    /// - Each address is one of a table's [`Bytes`](crate::pdb::Bytes) that live, with exposed provenance.
    unsafe fn read_bytes(self, addresses: &[u64]) -> Self::Numbers;
}

/// The instructions that every processor has.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Processor for Scalar {
    type Numbers = u64;
    type Four = [u64; 4];

    const WIDTH: usize = 1;
    const LANES: usize = 4;

    #[inline(always)]
    fn numbers(self, number: impl Fn(usize) -> u64) -> u64 {
        number(0)
    }

    #[inline(always)]
    fn load(self, from: &[u64]) -> u64 {
        from[0]
    }

    #[inline(always)]
    fn store(self, number: u64, to: &mut [u64]) {
        to[0] = number;
    }

    #[inline(always)]
    fn four(self, numbers: [u64; 4]) -> [u64; 4] {
        numbers
    }

    #[inline(always)]
    fn choose(self, four: [u64; 4], place: u64) -> u64 {
        four[place as usize % 4]
    }

    #[inline(always)]
    unsafe fn read_pairs(self, addresses: &[u64]) -> [u64; 2] {
        // SAFETY: the caller's.
        unsafe { *(addresses[0] as *const [u64; 2]) }
    }

    #[inline(always)]
    unsafe fn read_bytes(self, addresses: &[u64]) -> u64 {
        // SAFETY: the caller's.
        unsafe { read_byte(addresses[0] as *const u8) }.into()
    }
}
