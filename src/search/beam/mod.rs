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
//! A wider beam takes longer, and its solution is shorter as a rule.

mod board;
mod engine;
mod level;
mod select;

pub use board::beam;
use rayon::prelude::*;

use crate::board::Move;

/// The positions that a thread takes at once.
const PART: usize = 1024;

/// The results of `work` for parts of a level, in their order. It gets the place of the first
/// position, too. A level of one part needs no thread pool.
fn by_parts<N: Sync, T: Send>(level: &[N], work: impl Fn(usize, &[N]) -> Vec<T> + Sync) -> Vec<T> {
    if level.len() <= PART {
        return work(0, level);
    }
    let parts = level.par_chunks(PART).enumerate();
    let parts: Vec<Vec<T>> = parts.map(|(i, part)| work(i * PART, part)).collect();
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|mut part| all.append(&mut part));
    all
}

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
