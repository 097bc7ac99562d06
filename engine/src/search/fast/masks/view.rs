//! The layout of a view.

/// The most patterns of a partition.
pub(crate) const MAX_PATTERNS: usize = 4;

/// The most cells of a board: a mask has that many bits.
pub(crate) const MAX_MASK_CELLS: usize = 25;

/// A view of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct View {
    /// A word for each pattern, as its symmetry shows it. Bits 0 to 24: the cells of its tiles.
    /// 25: whether h is even. From 26: the rank, moved up so that it has [`RANK_LOW`] low bits that
    /// do not tell a transition where to read. From 40: the number of the set.
    pub words: [u64; MAX_PATTERNS],
    /// Without symmetry: two bits a cell for the pattern that holds its tile, 0 for the blank;
    /// from bit 50 the table bits; from bit 56 twice the blank's cell.
    pub owners: u64,
}

pub(super) const EVEN_SHIFT: u32 = 25;
pub(super) const RANK_SHIFT: u32 = 26;
pub(super) const RANK: u32 = (1 << 13) - 1;
pub(super) const RANK_LOW: u32 = 3;
pub(super) const SET_SHIFT: u32 = 40;
/// The cells and the parity.
pub(super) const CELLS: u32 = (1 << RANK_SHIFT) - 1;
pub(super) const BITS_SHIFT: u32 = 2 * MAX_MASK_CELLS as u32;
pub(super) const BLANK_SHIFT: u32 = 56;

/// By pattern: all ones in its word.
pub(super) const WORD: [[u64; MAX_PATTERNS]; MAX_PATTERNS] = {
    let mut word = [[0; MAX_PATTERNS]; MAX_PATTERNS];
    let mut p = 0;
    while p < MAX_PATTERNS {
        word[p][p] = u64::MAX;
        p += 1;
    }
    word
};
