//! The layout of a view.

use crate::search::bits::Field;

/// The most patterns of a partition.
pub(crate) const MAX_PATTERNS: usize = 4;

/// The most cells of a board: a mask has that many bits.
pub(crate) const MAX_MASK_CELLS: usize = 25;

/// A view of a position: a [`Word`] for each pattern, and the [`Owners`] of all cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct MaskView {
    pub words: [u64; MAX_PATTERNS],
    pub owners: u64,
}

/// The fields of a pattern's word, as the pattern's symmetry shows it.
pub(super) struct Word;

impl Word {
    /// The cells of its tiles.
    pub const CELLS: Field = Field::new(0, MAX_MASK_CELLS as u32);
    /// Whether h is even.
    pub const EVEN: Field = Self::CELLS.then(1);
    /// The rank of its tiles' order, moved up so that [`Word::LOW`] has all bits that do not tell a transition
    /// where to read.
    pub const RANK: Field = Self::EVEN.then(13);
    /// The low bits of the rank.
    pub const LOW: Field = Self::EVEN.then(3);
    /// The other bits of the rank.
    pub const HIGH: Field = Self::LOW.then(10);
    /// The number of the set of its cells.
    pub const SET: Field = Field::new(40, 24);
    /// Rank and set.
    pub const UPPER: Field = Self::EVEN.then(38);
}

/// The fields of the word of all cells, without symmetry. From bit 0 on, each cell has two bits for the pattern
/// that holds its tile, 0 for the blank.
pub(super) struct Owners;

impl Owners {
    /// The table bit of a pattern: the first one's.
    pub const BIT: Field = Field::new(2 * MAX_MASK_CELLS as u32, 1);
    /// Twice the blank's cell.
    pub const BLANK: Field = Field::new(56, 8);
}

/// By pattern: all ones in its word.
pub(super) const IN_WORD: [[u64; MAX_PATTERNS]; MAX_PATTERNS] = {
    let mut masks = [[0; MAX_PATTERNS]; MAX_PATTERNS];
    let mut p = 0;
    while p < MAX_PATTERNS {
        masks[p][p] = u64::MAX;
        p += 1;
    }
    masks
};
