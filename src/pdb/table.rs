//! A table: one bit a state, and what it tells.
//!
//! The bit of a state is bit 1 of its number of moves h. Bit 0, the parity, follows from the
//! colour of the set, so h is known modulo 4; as a move changes h by one, either way, the bits
//! tell which of two states is nearer the goal. The value itself is found by walking downhill.
//!
//! The bits are *rank-major*: a row of cohorts for each rank, padded to whole 64-bit words. A
//! search changes the cohort with every move, but the rank only with vertical ones, so its
//! lookups stay on fewer pages than if each cohort's ranks were together.

use std::sync::Arc;

use super::Pattern;
use super::index::{Index, State};

/// The bytes in a row of cohorts.
pub(crate) fn row_bytes(cohorts: usize) -> usize {
    cohorts.div_ceil(64) * 8
}

/// A pattern database, over any bytes that hold it.
pub struct Table<B> {
    pattern: Pattern,
    index: Arc<Index>,
    bits: B,
    row_bytes: usize,
    goal: State,
    goal_colour: u32,
}

impl<B> std::fmt::Debug for Table<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.pattern)
    }
}

/// Why bytes are not the table of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} bytes where the table of {pattern} has {expected}")]
pub struct TableSizeError {
    /// The pattern.
    pub pattern: Pattern,
    /// The bytes its table has.
    pub expected: usize,
    /// The bytes there were.
    pub found: usize,
}

/// A table whose bits lead nowhere: the file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table of {pattern} is damaged: a state that is not the goal has no move towards it")]
pub struct BrokenTable {
    /// The pattern.
    pub pattern: Pattern,
}

impl<B: AsRef<[u8]>> Table<B> {
    /// The bytes of the table of `pattern` numbered by `index`.
    pub fn bytes(index: &Index) -> usize {
        index.orders().len() * row_bytes(index.cohorts())
    }

    /// A table over its bytes.
    ///
    /// # Errors
    /// [`TableSizeError`] unless there are exactly as many as the pattern's table has.
    ///
    /// # Panics
    /// Where `index` is not that of the pattern's grid and number of tiles.
    pub fn new(pattern: Pattern, index: Arc<Index>, bits: B) -> Result<Table<B>, TableSizeError> {
        assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
        let (expected, found) = (Self::bytes(&index), bits.as_ref().len());
        if expected != found {
            return Err(TableSizeError { pattern, expected, found });
        }
        let goal = index.goal(&pattern);
        Ok(Table {
            pattern,
            row_bytes: row_bytes(index.cohorts()),
            goal,
            goal_colour: index.colour(goal.mask),
            index,
            bits,
        })
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The bytes.
    pub fn bits(&self) -> &[u8] {
        self.bits.as_ref()
    }

    /// The bytes in a row of cohorts.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// The bit of a state: bit 1 of its number of moves.
    pub fn bit(&self, cohort: usize, rank: usize) -> bool {
        self.bits.as_ref()[rank * self.row_bytes + cohort / 8] >> (cohort % 8) & 1 == 1
    }

    /// The number of moves modulo 4.
    pub fn residue(&self, state: State) -> u32 {
        let cohort = self.index.cohort(self.index.set(state.mask), state.blank);
        let odd = self.index.colour(state.mask) ^ self.goal_colour;
        u32::from(self.bit(cohort, state.rank)) << 1 | odd
    }

    /// The pattern's state in a position given as labels (see
    /// [`Canonical`](crate::board::Canonical)).
    pub fn state(&self, labels: &[u8]) -> State {
        self.index.state(&self.pattern, labels)
    }

    /// The state after the pattern tile in cell `from` moved to `to`.
    pub fn after(&self, state: State, from: usize, to: usize) -> State {
        self.index.after(state, from, to)
    }

    /// The number of moves of the pattern's tiles from a state to the goal, found by walking
    /// downhill: some 30 steps of a few lookups each.
    ///
    /// # Errors
    /// [`BrokenTable`] where the walk has no way down, or has one past the goal.
    pub fn value(&self, mut state: State) -> Result<u32, BrokenTable> {
        let broken = BrokenTable { pattern: self.pattern };
        let index = &self.index;
        let mut steps = 0;
        // No walk is longer than there are levels in a header.
        while steps < 256 {
            let residue = self.residue(state);
            let set = index.set(state.mask);
            let zone = index.cohort(set, state.blank) - index.cohorts_of(set).start;
            if state.mask == self.goal.mask
                && state.rank == self.goal.rank
                && index.cohort(set, state.blank) == index.cohort(set, self.goal.blank)
            {
                return if residue == 0 { Ok(steps) } else { Err(broken) };
            }
            state = index
                .moves(set, zone)
                .map(|(from, to)| self.after(state, from, to))
                .find(|&next| self.residue(next) == (residue + 3) % 4)
                .ok_or_else(|| broken.clone())?;
            steps += 1;
        }
        Err(broken)
    }
}
