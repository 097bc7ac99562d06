//! The layout of a record, and the patterns that fit it.

use crate::pdb::pattern::Pattern;

/// The most cells of a board whose slides tables count: sets of cells are 16-bit masks.
pub const MAX_SLIDE_CELLS: usize = 16;

/// The bits of a record that hold the least value.
pub(super) const LEAST_BITS: usize = 6;

/// The largest value that a record can hold as its least one.
pub(super) const MAX_LEAST: u16 = (1 << LEAST_BITS) - 1;

/// The most cells without a tile of the pattern, each of which has its own bit in a record.
pub(super) const MAX_FREE: usize = 16 - LEAST_BITS;

/// Returns whether there can be a table of a pattern that counts slides: the board has at most
/// [`MAX_SLIDE_CELLS`] cells, at most ten of them without a tile of the pattern.
pub fn counts_slides(pattern: Pattern) -> bool {
    let cells = pattern.grid().cells();
    cells <= MAX_SLIDE_CELLS && cells - pattern.len() <= MAX_FREE
}
