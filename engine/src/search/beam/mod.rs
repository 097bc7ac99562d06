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
//! The beams of boards also count slides: then each level is one slide further.

mod board;
mod engine;
mod far;
mod learned;
mod level;
mod ranking;
mod select;

pub use board::{beam, slide_beam};
pub use learned::{Learned, STEP, Terms, Weights};

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

/// The origin of a position of a level, as a number: its parent's place, and the move or slide.
///
/// From the lowest bit on, it has the move in 2 bits, the tiles of a slide less one in `TILE_BITS`,
/// and the place. Single moves have no bits for tiles, so that levels may be wider.
#[derive(Clone, Copy)]
struct Origin<const TILE_BITS: u32>(u32);

/// The bits that hold the tiles of the longest slide, which has 127.
const SLIDE: u32 = 7;

impl<const TILE_BITS: u32> Origin<TILE_BITS> {
    #[inline(always)]
    fn new(place: usize, m: usize, tiles: usize) -> Self {
        Origin((place << (2 + TILE_BITS) | (tiles - 1) << 2 | m) as u32)
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.0 >> (2 + TILE_BITS)) as usize
    }

    #[inline(always)]
    fn tiles(self) -> usize {
        1 + (self.0 >> 2 & ((1 << TILE_BITS) - 1)) as usize
    }

    #[inline(always)]
    fn last(self) -> Move {
        Move::ALL[(self.0 & 3) as usize]
    }
}

/// The moves to a place of the last level, of which each has the origins of its positions.
fn read_back<const TILE_BITS: u32>(
    came_from: &[Vec<Origin<TILE_BITS>>],
    mut place: usize,
) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::with_capacity(came_from.len());
    for level in came_from.iter().rev() {
        let from = level[place];
        place = from.place();
        moves.extend(std::iter::repeat_n(from.last(), from.tiles()));
    }
    moves.reverse();
    moves
}
