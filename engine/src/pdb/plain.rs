//! Tables that ignore the blank.
//!
//! Korf and Felner (2002) introduced such tables. The value of a set of cells and an order of the tiles in
//! them is the *least* number of moves over the zones the blank may be in. It never exceeds the value of a
//! zone-aware table, so it is admissible and additive too. But it is not consistent: after a move, a
//! different zone may have the least value, so a move of a pattern's tile may change the value by 1, 3, 5 and
//! so on. One bit is not enough for that, so the table has a byte for each set and order.
//!
//! The search of [`generate`](super::generate()) builds it: an order of a set has the number of the
//! first level at which one of the set's zones has it.

use std::io;
use std::sync::Arc;

use super::buffer::Buffer;
use super::generate::{Progress, search};
use super::index::Index;
use super::pattern::Pattern;
use super::states::State;
use crate::Cancel;
use crate::parallel::for_each;

/// A pattern database that ignores the blank, with a byte for each state.
pub struct PlainTable {
    pattern: Pattern,
    index: Arc<Index>,
    /// The number of moves, by set and by the rank of the order within it.
    moves: Buffer,
}

impl std::fmt::Debug for PlainTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PlainTable({})", self.pattern)
    }
}

impl PlainTable {
    /// Builds the table of a pattern on the current rayon thread pool. `progress` is called after each level,
    /// and `cancel` is checked every few milliseconds.
    ///
    /// The two tables of the 4×4 partition `7-8` take 2.5 s on two threads and 577 MB, and 0.42 GB more while
    /// the table of 8 tiles is built.
    ///
    /// # Errors
    /// As [`generate`](super::generate()).
    ///
    /// # Panics
    /// When `index` is not the numbering for the pattern's grid and number of tiles.
    pub fn generate(
        pattern: Pattern,
        index: Arc<Index>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(Progress),
    ) -> io::Result<PlainTable> {
        assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
        let orders = index.orders();
        let (words, word_bits) = (orders.cosets(), orders.word_bits());
        let mut moves = Buffer::zeroed(Self::bytes(&index))?;
        let mut seen = Buffer::zeroed(index.sets().saturating_mul(8 * words))?;
        let seen: &mut [u64] = bytemuck::cast_slice_mut(seen.as_bytes_mut());
        search(&index, &pattern, cancel, progress, &mut |reached| {
            let level = u8::try_from(reached.level).expect("no walk has more than 255 moves");
            let moves = moves.as_bytes_mut().chunks_exact_mut(orders.len());
            for_each(moves.zip(seen.chunks_exact_mut(words)), |set, (moves, seen)| {
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

    /// The bytes of the table of a pattern numbered by `index`; `usize::MAX`, which no table has,
    /// when they are more than fit an address.
    pub fn bytes(index: &Index) -> usize {
        index.sets().saturating_mul(index.orders().len())
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The number of moves of each state, a byte each.
    pub fn payload(&self) -> &[u8] {
        self.moves.as_ref()
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
