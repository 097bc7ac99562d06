//! Lower bounds on the number of moves to the goal.
//!
//! A search prunes a position if the moves made so far plus a lower bound on those still needed exceed its
//! threshold. The closer the bound is to the true distance, the fewer positions remain. The cheaper it is,
//! the less time each of them takes.
//!
//! # The trait
//!
//! A [`Heuristic`] assigns each position a value. It computes the value once, for the position at
//! the root, and from then on updates a small [carried value](Heuristic::Carry) after each move.
//! Positions are given as labels: each tile is named by its goal cell and the blank by its own, so
//! the goal is always 0, 1, 2, … (see [`Canonical`](crate::board::Canonical)).
//!
//! - A heuristic is *admissible* if it never exceeds the optimal number of moves. All heuristics here are,
//!   and the searches rely on it: it makes their solutions optimal.
//! - A heuristic is *consistent* if a move changes its value by at most 1. All heuristics here are, except
//!   sums of tables that ignore the blank. The searches do not rely on it.
//!
//! The head of each heuristic's source file proves these claims.
//!
//! ```
//! use taquin_engine::board::Grid;
//! use taquin_engine::heuristic::{Heuristic, Manhattan};
//!
//! // The goal has the blank in cell 0. Here it is in cell 4; tiles 1 and 4 are a step from home.
//! let manhattan = Manhattan::new(Grid::new(3, 2)?, 0);
//! let carry = manhattan.start(&[1, 4, 2, 3, 0, 5]);
//! assert_eq!(manhattan.value(&carry), 2);
//!
//! // Tile 4 moves down, from cell 1 to cell 4, and is home.
//! let carry = manhattan.moved(&carry, &[1, 0, 2, 3, 4, 5], 1, 4);
//! assert_eq!(manhattan.value(&carry), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod linear_conflict;
mod lines;
mod manhattan;

pub use linear_conflict::LinearConflict;
pub use lines::{Axis, Lines};
pub use manhattan::Manhattan;

/// A lower bound on the number of moves to the goal, updated move by move.
pub trait Heuristic: Sync {
    /// The value that a search carries from a position to its successors. It depends on the position
    /// alone, not on the moves that led there.
    type Carry: Clone + Send + Sync;

    /// The carried value of a position given as labels.
    fn start(&self, labels: &[u8]) -> Self::Carry;

    /// The carried value after the tile in cell `from` moved to cell `to`, and the blank the other
    /// way. `labels` is the position *after* the move.
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry;

    /// The bound itself.
    ///
    /// It never exceeds the optimal number of moves. It has the parity of that number, unless it
    /// ignores the moves of some tiles.
    fn value(&self, carry: &Self::Carry) -> u32;

    /// The rank of the position in a beam, which keeps positions with low ranks. It need not be a
    /// bound.
    #[inline]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        self.value(carry)
    }

    /// Calls `take` with the carried value after each of up to four moves of a tile to the blank in cell `to`, from
    /// these cells, and with its place among them. `labels` is the position before, and is left as it is.
    #[inline(always)]
    fn moved_each(
        &self,
        carry: &Self::Carry,
        labels: &mut [u8],
        sources: [Option<usize>; 4],
        to: usize,
        mut take: impl FnMut(usize, Self::Carry),
    ) {
        for (m, from) in sources.into_iter().enumerate() {
            if let Some(from) = from {
                labels.swap(from, to);
                let child = self.moved(carry, labels, from, to);
                labels.swap(from, to);
                take(m, child);
            }
        }
    }

    /// Does what [`moved`](Heuristic::moved) does, to a position whose rank is known: it may hold a part
    /// of the carried value that takes time to compute.
    #[inline]
    fn moved_to_rank(
        &self,
        carry: &Self::Carry,
        labels: &[u8],
        from: usize,
        to: usize,
        rank: u32,
    ) -> Self::Carry {
        let _ = rank;
        self.moved(carry, labels, from, to)
    }
}

/// A reference is the same bound.
impl<H: Heuristic> Heuristic for &H {
    type Carry = H::Carry;

    fn start(&self, labels: &[u8]) -> Self::Carry {
        (**self).start(labels)
    }

    #[inline(always)]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        (**self).moved(carry, labels, from, to)
    }

    #[inline(always)]
    fn moved_each(
        &self,
        carry: &Self::Carry,
        labels: &mut [u8],
        sources: [Option<usize>; 4],
        to: usize,
        take: impl FnMut(usize, Self::Carry),
    ) {
        (**self).moved_each(carry, labels, sources, to, take);
    }

    #[inline(always)]
    fn value(&self, carry: &Self::Carry) -> u32 {
        (**self).value(carry)
    }

    #[inline(always)]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        (**self).rank(carry)
    }

    #[inline(always)]
    fn moved_to_rank(
        &self,
        carry: &Self::Carry,
        labels: &[u8],
        from: usize,
        to: usize,
        rank: u32,
    ) -> Self::Carry {
        (**self).moved_to_rank(carry, labels, from, to, rank)
    }
}
