//! The layout of a view.

use super::geometry::{Entry, HALF_BITS};
use crate::search::bits::Field;

/// A view of a position: a half for each of the patterns A and B, and the geometry.
///
/// Both halves have the same fields. The fields of a half are those of the view shifted down to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct PairView(pub u64);

impl PairView {
    /// The rank of the order of a half's tiles, moved up so that both patterns' ranks have the same number of
    /// low bits that a transition leaves to an exclusive or.
    pub const RANK: Field = Field::new(0, 16);
    /// The table bit of a half.
    pub const BIT: Field = Self::RANK.then(1);
    /// Both of a half.
    pub const HALF: Field = Field::new(0, 17);
    /// Both halves.
    pub const HALVES: Field = Field::new(0, 2 * HALF_BITS);
    /// The number of the geometry.
    pub const GEOMETRY: Field = Self::HALVES.then(20);

    /// The view of a position in which no table bit is set.
    #[inline(always)]
    pub fn position(self) -> u64 {
        self.0 & !(Self::BIT.mask() | Self::BIT.mask() << HALF_BITS)
    }
}

const _: () = assert!(Entry::NEXT.most() == PairView::GEOMETRY.most());
