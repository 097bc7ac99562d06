//! Additive pattern databases (Korf & Felner 2002), zone-aware (Clausecker & Reinefeld 2019) or
//! plain.
//!
//! **Admissible**: a table counts only the moves of its own tiles, so no move is counted by two
//! tables of disjoint patterns, and the sum of their values never exceeds the moves to the goal.
//!
//! **Consistent** if the tables are zone-aware: a move changes the value of the moved tile's
//! pattern by 1, and no other value. Sums of plain tables are not consistent, because a move may
//! change the value of a plain table by any odd number (see [`PlainTable`]).
//!
//! This is the obvious way to carry the value along, for any partition of any board. The engine of
//! [`search`](taquin_engine::search) finds the same values faster for the partitions that it can use.
//!
//! **Cost**: for each move, the set of cells is ranked, then the order of the tiles in them, and the table is
//! read once. The read takes longest, unless the entry is cached.

use std::sync::Arc;

use taquin_engine::board::Symmetry;
use taquin_engine::pdb::{BrokenTable, Index, MAX_PDB_CELLS, Pattern, PlainTable, State, Table};

use crate::{Heuristic, Max};

/// The largest number of patterns that are added up.
pub const MAX_PATTERNS: usize = 8;

/// The tables of a partition.
#[derive(Clone, Debug)]
pub enum PartitionTables {
    /// Zone-aware tables.
    ZoneAware(Arc<[Table]>),
    /// Tables that ignore the blank.
    Plain(Arc<[PlainTable]>),
}

/// A table that [`Additive`] adds up, zone-aware or plain.
pub trait PatternTable {
    /// The pattern, and the numbering of its states.
    fn states(&self) -> (Pattern, &Index);

    /// The value of a state.
    ///
    /// # Errors
    /// [`BrokenTable`] if the table does not lead to the goal from here.
    fn value(&self, state: State) -> Result<u32, BrokenTable>;

    /// The value of a state that is one move away from a state with the value `before`.
    fn next_value(&self, state: State, before: u32) -> u32;
}

impl PatternTable for Table {
    #[inline]
    fn states(&self) -> (Pattern, &Index) {
        (self.pattern(), self.index())
    }

    fn value(&self, state: State) -> Result<u32, BrokenTable> {
        self.value(state)
    }

    #[inline]
    fn next_value(&self, state: State, before: u32) -> u32 {
        let is_above = self.residue(state) == (before + 1) % 4;
        if is_above { before + 1 } else { before.saturating_sub(1) }
    }
}

impl PatternTable for PlainTable {
    #[inline]
    fn states(&self) -> (Pattern, &Index) {
        (self.pattern(), self.index())
    }

    fn value(&self, state: State) -> Result<u32, BrokenTable> {
        Ok(self.value(state))
    }

    #[inline]
    fn next_value(&self, state: State, _: u32) -> u32 {
        self.value(state)
    }
}

/// The sum of the tables of disjoint patterns.
#[derive(Clone, Debug)]
pub struct Additive<T = Table> {
    tables: Arc<[T]>,
    /// The table of each label, or [`MAX_PATTERNS`] for tiles of no pattern and the blank.
    table_of: [u8; MAX_PDB_CELLS],
    /// The cell at which the tables see each cell: its mirror image, or the cell itself.
    image: [u8; MAX_PDB_CELLS],
}

/// The value that a search carries for [`Additive`]: each pattern's state and value, and the sum.
/// The blank's zone matters only when a tile of the pattern moves, and then the blank is next to
/// the tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdditiveCarry {
    masks: [u64; MAX_PATTERNS],
    ranks: [u16; MAX_PATTERNS],
    values: [u8; MAX_PATTERNS],
    sum: u16,
}

impl<T: PatternTable> Additive<T> {
    /// Adds up the values of these tables.
    ///
    /// # Panics
    /// Unless there are 1 to [`MAX_PATTERNS`] tables, of disjoint patterns for one goal.
    pub fn new(tables: impl Into<Arc<[T]>>) -> Additive<T> {
        let tables = tables.into();
        assert!((1..=MAX_PATTERNS).contains(&tables.len()));
        let mut table_of = [MAX_PATTERNS as u8; MAX_PDB_CELLS];
        for (i, table) in tables.iter().enumerate() {
            let [first, pattern] = [&tables[0], table].map(|table| table.states().0);
            assert!((pattern.grid(), pattern.blank()) == (first.grid(), first.blank()));
            for tile in pattern.tiles() {
                assert_eq!(table_of[tile], MAX_PATTERNS as u8, "tile {tile} is in two patterns");
                table_of[tile] = i as u8;
            }
        }
        Additive { tables, table_of, image: std::array::from_fn(|cell| cell as u8) }
    }

    /// These tables looked up for the position's mirror image along the main diagonal, with tiles
    /// and cells transposed. The image has the same distance, but often another value.
    ///
    /// # Panics
    /// Unless the board is square and the blank's goal cell on that diagonal.
    #[must_use]
    pub fn mirrored(mut self) -> Additive<T> {
        let (pattern, _) = self.tables[0].states();
        let grid = pattern.grid();
        assert!(grid.is_mirrored(pattern.blank()), "the goal is not its own mirror image");
        for (cell, image) in self.image.iter_mut().enumerate().take(grid.cells()) {
            *image = Symmetry::TRANSPOSE.cell(grid, cell) as u8;
        }
        self
    }

    /// The carried value of a position.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal from here.
    pub(crate) fn checked_start(&self, labels: &[u8]) -> Result<AdditiveCarry, BrokenTable> {
        let mut image = [0; MAX_PDB_CELLS];
        for (cell, &label) in labels.iter().enumerate() {
            image[usize::from(self.image[cell])] = self.image[usize::from(label)];
        }
        let mut start = AdditiveCarry::default();
        for (i, table) in self.tables.iter().enumerate() {
            let (pattern, index) = table.states();
            let state = index.state(&pattern, &image[..labels.len()]);
            let value = table.value(state)?;
            start.masks[i] = state.mask;
            start.ranks[i] = state.rank as u16;
            start.values[i] = value as u8;
            start.sum += value as u16;
        }
        Ok(start)
    }
}

impl<T: PatternTable + Send + Sync> Heuristic for Additive<T> {
    type Carry = AdditiveCarry;

    /// # Panics
    /// If a table is damaged. [`Table::value`] reports this without a panic.
    fn start(&self, labels: &[u8]) -> AdditiveCarry {
        self.checked_start(labels).expect("the tables are whole")
    }

    #[inline]
    fn moved(&self, carry: &AdditiveCarry, labels: &[u8], from: usize, to: usize) -> AdditiveCarry {
        let [tile, from, to] =
            [labels[to].into(), from, to].map(|cell: usize| usize::from(self.image[cell]));
        let mut next = *carry;
        let i = usize::from(self.table_of[tile]);
        if let Some(&before) = carry.values.get(i) {
            // Before the move the blank is in the cell that the tile goes to.
            let state = State { mask: carry.masks[i], blank: to, rank: carry.ranks[i].into() };
            let table = &self.tables[i];
            let after = table.states().1.after(state, from, to);
            let value = table.next_value(after, before.into());
            next.masks[i] = after.mask;
            next.ranks[i] = after.rank as u16;
            next.values[i] = value as u8;
            next.sum = carry.sum - u16::from(before) + value as u16;
        }
        next
    }

    #[inline]
    fn value(&self, carry: &AdditiveCarry) -> u32 {
        carry.sum.into()
    }
}

impl<T: PatternTable> Max<Additive<T>, Additive<T>> {
    /// The maximum of additive tables and their mirror.
    ///
    /// # Panics
    /// Like [`Additive::new`] and [`Additive::mirrored`].
    pub fn mirrored(tables: impl Into<Arc<[T]>>) -> Self {
        let tables = tables.into();
        Max(Additive::new(tables.clone()), Additive::new(tables).mirrored())
    }
}
