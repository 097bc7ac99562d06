//! The layout of a view.

use super::geometry::{HALF_BITS, NEXT_BITS};

/// A view of a position.
///
/// Bits 0 to 19 are A's, 20 to 39 B's: in each the rank in bits 0 to 15, moved up so that both
/// patterns' ranks have the same number of low bits that a transition leaves alone, and the table
/// bit in bit 16. From bit 40: the geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct View(pub u64);

pub(super) const RANK: u32 = 0xffff;
/// A rank and its table bit.
pub(super) const HALF: u32 = 0x1_ffff;
pub(super) const BIT: u32 = 16;
pub(super) const HALVES: u64 = (1 << GEOMETRY_SHIFT) - 1;
pub(super) const GEOMETRY_SHIFT: u32 = 2 * HALF_BITS;
pub(super) const GEOMETRIES: u64 = ((1 << NEXT_BITS) - 1) << GEOMETRY_SHIFT;
pub(super) const BITS: u64 = 1 << BIT | 1 << (BIT + HALF_BITS);

impl View {
    #[inline(always)]
    pub fn geometry(self) -> usize {
        (self.0 >> GEOMETRY_SHIFT) as usize
    }
}
