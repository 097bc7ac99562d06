//! Masks instead of a board, for up to four patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. For each pattern there is a
//! word: the mask of its tiles' cells, the number of that set, the rank of the tiles' order. One
//! more word holds the pattern of each cell's tile and the current table bits. A view is 40 bytes,
//! and a move changes two of the five words. Each pattern may be seen through a symmetry of the
//! board. This covers both the mirror of a partition and patterns that share a table.
//!
//! A move of the tile in a cell to the blank's cell:
//!
//! 1. The cell's entry gives the pattern that moves.
//! 2. The number of its tiles before both cells, and the set of those between them, determine how
//!    the number of the set changes, and how the order is permuted:
//!    `changes[cells][between][before]`.
//! 3. `transition[row][rank]` gives the new rank.
//! 4. The record of the new set gives the cohort. Cohort and rank are the address of the new bit.
//! 5. Old bit, new bit and parity show whether h rose or fell by one.
//!
//! Unlike the [coordinates](super::Coordinates) of two patterns, no table has an entry for each
//! placement of all tiles: four patterns have too many. As there, nothing branches on a table bit
//! or on the pattern moved.

mod lookups;
mod tables;
mod view;

#[cfg(test)]
pub(crate) use lookups::tests;
pub(crate) use tables::{MAX_TILES, Masks};
pub(crate) use view::{MAX_MASK_CELLS, MAX_PATTERNS};
