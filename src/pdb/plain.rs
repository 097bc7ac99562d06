//! Tables that ignore the blank: what Korf & Felner, *Disjoint pattern database heuristics*,
//! Artificial Intelligence 134 (2002), used.
//!
//! The value of a set of cells and an order of the tiles in them is the *least* number of moves
//! over the zones the blank may be in. It is never above that of a zone-aware table, so it is
//! admissible and additive too, but it is not consistent: the zone in which the minimum lies may
//! be another one after a move, so a move of a pattern's tile may change the value by 1, 3, …,
//! and one bit a state does not tell it. A table takes a byte a state.
//!
//! It is built by the search of [`generate`](super::generate()), level by level: an order of a
//! set has the number of the first level at which one of the set's zones has it.

use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use super::generate::{Progress, explore};
use super::index::{Index, State};
use super::{Buffer, Pattern};

/// A pattern database that ignores the blank, a byte a state.
pub struct PlainTable {
    pattern: Pattern,
    index: Arc<Index>,
    /// The number of moves, by set and by rank of the order within it.
    moves: Buffer,
}

impl std::fmt::Debug for PlainTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PlainTable({})", self.pattern)
    }
}

impl PlainTable {
    /// Builds the table of a pattern on the current rayon thread pool; `progress` is called after
    /// each level.
    ///
    /// The 4×4 `7-8` takes 2.5 s on two threads, and 577 MB; while the table of 8 tiles is built,
    /// 0.42 GB more.
    ///
    /// # Errors
    /// Where the system has not enough memory to give.
    ///
    /// # Panics
    /// Where `index` is not that of the pattern's grid and number of tiles.
    pub fn generate(
        pattern: Pattern,
        index: Arc<Index>,
        progress: impl FnMut(Progress),
    ) -> io::Result<PlainTable> {
        assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
        let orders = index.orders();
        let (words, word_bits) = (orders.classes(), orders.word_bits());
        let mut moves = Buffer::zeroed(Self::bytes(&index))?;
        let mut seen = Buffer::words(index.sets() * words)?;
        explore(&index, &pattern, progress, |reached| {
            let level = u8::try_from(reached.level).expect("no walk has more than 255 moves");
            moves
                .as_bytes_mut()
                .par_chunks_exact_mut(orders.len())
                .zip(seen.as_words_mut().par_chunks_exact_mut(words))
                .enumerate()
                .for_each(|(set, (moves, seen))| {
                    for zone in reached.zones(set) {
                        let places = moves.chunks_exact_mut(word_bits);
                        for ((seen, &zone), places) in seen.iter_mut().zip(zone).zip(places) {
                            let mut fresh = zone & !*seen;
                            *seen |= zone;
                            while fresh != 0 {
                                places[fresh.trailing_zeros() as usize] = level;
                                fresh &= fresh - 1;
                            }
                        }
                    }
                });
        })?;
        Ok(PlainTable { pattern, index, moves })
    }

    /// The bytes of the table of a pattern numbered by `index`.
    pub fn bytes(index: &Index) -> usize {
        index.sets() * index.orders().len()
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The least number of moves of the pattern's tiles, wherever the blank is.
    #[inline]
    pub fn value(&self, state: State) -> u32 {
        let set = self.index.set(state.mask);
        self.moves.as_ref()[set * self.index.orders().len() + state.rank].into()
    }
}
