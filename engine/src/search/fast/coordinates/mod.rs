//! Coordinates instead of a board, for two patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. With two patterns A and B
//! that cover the board, that is
//!
//! - the *geometry*: which cells hold tiles of A, and where the blank is (B has the rest);
//! - for each pattern, the rank of its tiles' order, and its current table bit.
//!
//! All of it fits one 64-bit word, and a move is a few look-ups:
//!
//! 1. `geometry[g][move]` gives the next geometry, the pattern of the moved tile, that pattern's
//!    new cohort, and a row of the order transitions;
//! 2. `transition[row][rank]` gives the new rank;
//! 3. cohort and rank are the address of the new bit;
//! 4. old bit, new bit and parity show whether h rose or fell by one.
//!
//! The tables depend on the grid and on the patterns' sizes, not on their tiles: all 7-8
//! partitions share them, and so does the mirror of a partition, with the moves transposed.
//!
//! Nothing here branches on a table bit or on the pattern moved: both are practically random, and
//! a mispredicted branch costs more than all the arithmetic. Instead of selecting, the half of a
//! view that a move concerns is shifted in and out by an amount that the entry holds.

mod geometry;
mod lookups;
mod tables;
mod view;

pub(crate) use tables::Coordinates;
