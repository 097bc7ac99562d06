//! Beam search: a short solution quickly, without a proof.
//!
//! 1. All positions of a level are as many moves away from the start. Their children are the
//!    candidates for the next level. A position that is reached twice is one candidate.
//! 2. The candidates with the lowest bounds form the next level, at most as many as the beam is
//!    wide. The choice among equal ones does not depend on chance, so the solution is always the
//!    same.
//! 3. The first level that holds the goal ends the search. The moves to it are read back through
//!    the levels.
//!
//! A wider beam takes longer, and its solution is shorter as a rule. One as wide as the largest
//! level is breadth-first search, and its solution is optimal.

mod board;
mod engine;
mod level;
mod select;

pub use board::beam;

use crate::board::Move;

/// The moves to a place of the last level. A level has for each position where it comes from:
/// `place << 2 | move`.
fn read_back(came_from: &[Vec<u32>], mut place: usize) -> Vec<Move> {
    let mut moves: Vec<Move> = came_from
        .iter()
        .rev()
        .map(|level| {
            let from = level[place];
            place = (from >> 2) as usize;
            Move::ALL[(from & 3) as usize]
        })
        .collect();
    moves.reverse();
    moves
}
