//! The table of a pattern, with one bit for each state.
//!
//! The bit of a state is bit 1 of its number of moves h. Bit 0, the parity, follows from the
//! colour of the set, so h is known modulo 4. As a move changes h by one, up or down, that shows
//! which of two neighbouring states is nearer to the goal. The value itself is found by walking
//! downhill to the goal: see [`super::walk`].
//!
//! The bits are *rank-major*: a row of cohorts for each rank, padded to whole 64-bit words. A move of a
//! pattern tile always changes the cohort, but only a vertical one can change the rank. So the look-ups of a
//! search stay on fewer pages than if the ranks of each cohort were together.

use std::sync::Arc;

use super::bytes::Bytes;
use super::index::Index;
use super::pattern::Pattern;
use super::states::State;

/// The number of bytes in a row of cohorts.
pub(crate) fn row_bytes(cohorts: u64) -> u64 {
    cohorts.div_ceil(64) * 8
}

/// A zone-aware pattern database. Clones share its bytes.
#[derive(Clone)]
pub struct Table {
    pattern: Pattern,
    index: Arc<Index>,
    bytes: Bytes,
    row_bytes: usize,
    goal: State,
    goal_colour: u32,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.pattern)
    }
}

/// The error of a table in which a walk downhill does not end at the goal, at 0: its bits are
/// damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table of tiles {pattern} is damaged: its values do not lead down to 0 at the goal")]
pub struct BrokenTable {
    /// The pattern.
    pub pattern: Pattern,
}

impl Table {
    /// The length of the table of a pattern numbered by `index`; `usize::MAX`, which no table has,
    /// if it does not fit an address.
    pub fn length(index: &Index) -> usize {
        let bytes = index.orders().len() as u64 * row_bytes(index.cohorts() as u64);
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// The table of a pattern over its bytes, which are not looked at: [`verify`](super::verify())
    /// proves them.
    ///
    /// # Panics
    /// When `index` is not the numbering for the pattern's grid and number of tiles, or the bytes have
    /// another length than the pattern's table.
    pub fn new(pattern: Pattern, index: Arc<Index>, bytes: impl Into<Bytes>) -> Table {
        assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
        let bytes = bytes.into();
        assert_eq!(bytes.len(), Self::length(&index), "the length of the table of tiles {pattern}");
        let goal = index.goal(&pattern);
        Table {
            pattern,
            row_bytes: row_bytes(index.cohorts() as u64) as usize,
            goal,
            goal_colour: index.colour(goal.mask),
            index,
            bytes,
        }
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The number of bytes in a row of cohorts.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// The bit of a state, which is bit 1 of its number of moves.
    #[inline]
    pub fn bit(&self, cohort: usize, rank: usize) -> bool {
        self.bytes.byte(self.byte(cohort, rank)) >> (cohort % 8) & 1 == 1
    }

    /// The place of the byte that has a state's bit.
    #[inline]
    pub(super) fn byte(&self, cohort: usize, rank: usize) -> usize {
        rank * self.row_bytes + cohort / 8
    }

    /// The number of moves of a state, modulo 4.
    #[inline]
    pub fn residue(&self, state: State) -> u32 {
        self.residue_in(self.cohort(state), state)
    }

    /// The cohort of a state.
    #[inline]
    pub(super) fn cohort(&self, state: State) -> usize {
        self.index.cohort(self.index.set(state.mask), state.blank)
    }

    /// The number of moves of a state of this cohort, modulo 4.
    #[inline]
    pub(super) fn residue_in(&self, cohort: usize, state: State) -> u32 {
        let odd = self.index.colour(state.mask) ^ self.goal_colour;
        u32::from(self.bit(cohort, state.rank)) << 1 | odd
    }

    /// Returns whether a state of this cohort is the goal.
    pub(super) fn is_goal(&self, cohort: usize, state: State) -> bool {
        (state.mask, state.rank) == (self.goal.mask, self.goal.rank)
            && cohort == self.cohort(self.goal)
    }

    /// The pattern's state in a position given as labels (see
    /// [`Canonical`](crate::board::Canonical)).
    pub fn state(&self, labels: &[u8]) -> State {
        self.index.state(&self.pattern, labels)
    }

    /// The state after the pattern's tile in cell `from` has moved to `to`.
    pub fn after(&self, state: State, from: usize, to: usize) -> State {
        self.index.after(state, from, to)
    }
}
