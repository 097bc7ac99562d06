//! Beam search: a short solution quickly, without a proof.
//!
//! 1. All positions of a level have the same distance from the start. Their children are the
//!    candidates for the next level. A position that is reached twice is one candidate.
//! 2. The candidates with the lowest ranks form the next level, up to the width of the
//!    beam. A rank is a lower bound, a sum of [learned weights](Learned), or both added. The choice
//!    among equal ones does not depend on chance, so the solution is always the same.
//! 3. The first level that holds the goal ends the search. The moves to it are read back through
//!    the levels.
//!
//! A wider beam takes longer, and its solution is shorter as a rule.
//!
//! The beams of boards also count slides: then each level is one slide further, and the weights are others.

mod board;
mod engine;
mod learned;
mod level;
mod ranking;
mod select;
mod width;

pub use board::{beam, slide_beam};
pub use learned::{Learned, STEP, Terms, Weights};
pub use width::Width;

use crate::board::Move;
use crate::parallel::map_chunks;

/// The positions or candidates that a thread takes at once.
const PART: usize = 1024;

/// The results of `work` for parts of a level, in their order. It gets the place of the first
/// position, too.
fn by_parts<N: Sync, T: Send>(level: &[N], work: impl Fn(usize, &[N]) -> Vec<T> + Sync) -> Vec<T> {
    let mut parts = map_chunks(level, PART, work).into_iter();
    let mut all = parts.next().unwrap_or_default();
    all.reserve_exact(parts.as_slice().iter().map(Vec::len).sum());
    parts.for_each(|mut part| all.append(&mut part));
    all
}

/// How the origins of a level's positions are written as numbers: a parent's place, and the move or slide.
///
/// From the lowest bit on, a number has the move in 2 bits, the tiles of a slide less one in `tile_bits`,
/// and the place.
#[derive(Clone, Copy)]
struct Origins {
    tile_bits: u32,
}

impl Origins {
    /// The origins of single moves.
    const MOVES: Origins = Origins { tile_bits: 0 };

    /// The origins of slides of up to this many tiles; of single moves for one.
    fn of_slides(longest: usize) -> Origins {
        Origins { tile_bits: (longest - 1).checked_ilog2().map_or(0, |log| log + 1) }
    }

    #[inline(always)]
    fn number(self, place: usize, m: usize, tiles: usize) -> u32 {
        (place << (2 + self.tile_bits) | (tiles - 1) << 2 | m) as u32
    }

    #[inline(always)]
    fn place(self, number: u32) -> usize {
        (number >> (2 + self.tile_bits)) as usize
    }

    #[inline(always)]
    fn tiles(self, number: u32) -> usize {
        1 + (number >> 2 & ((1 << self.tile_bits) - 1)) as usize
    }

    #[inline(always)]
    fn last(self, number: u32) -> Move {
        Move::ALL[(number & 3) as usize]
    }

    /// The moves to a place of the last level, of which each has the origins of its positions.
    fn read_back(self, came_from: &[Vec<u32>], mut place: usize) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::with_capacity(came_from.len());
        for level in came_from.iter().rev() {
            let from = level[place];
            place = self.place(from);
            moves.extend(std::iter::repeat_n(self.last(from), self.tiles(from)));
        }
        moves.reverse();
        moves
    }
}
