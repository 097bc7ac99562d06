//! Additive pattern databases (Korf & Felner 2002), zone-aware (Clausecker & Reinefeld 2019) or
//! plain.
//!
//! **Admissible**: a table counts the moves of its own tiles alone, so no move is counted by two
//! tables of disjoint patterns, and the sum of their values never exceeds the moves to the goal.
//!
//! **Consistent** if the tables are zone-aware: a move changes the value of the moved tile's
//! pattern by 1, and no other value. Sums of plain tables are not consistent, because a move may
//! change the value of a plain table by any odd number (see [`PlainTable`]).
//!
//! This is the obvious way to carry the value along, for any partition of any board. The engine of
//! [`search`](taquin_engine::search) finds the same values faster for the partitions that it can use.
//!
//! **Cost** of a move: the set of cells is ranked, then the order of the tiles in them, and the
//! table is read once. Reading takes longest if the entry is not cached.

use std::sync::Arc;

use taquin_engine::board::{Symmetry, transposed};
use taquin_engine::pdb::{Index, MAX_PDB_CELLS, Pattern, PlainTable, State, Table};

use crate::{Heuristic, Max};

/// The largest number of patterns that are added up.
pub const MAX_PATTERNS: usize = 8;

/// A table whose values are added to the values of others.
pub trait PatternTable: Sync {
    /// The pattern whose moves the table counts.
    fn pattern(&self) -> Pattern;

    /// The numbering of the pattern's states.
    fn index(&self) -> &Index;

    /// The value of a state.
    ///
    /// # Panics
    /// If the table is damaged.
    fn value(&self, state: State) -> u32;

    /// The value of a state that is one move away from a state with the value `before`.
    fn next_value(&self, state: State, before: u32) -> u32;
}

impl PatternTable for Table {
    fn pattern(&self) -> Pattern {
        self.pattern()
    }

    #[inline]
    fn index(&self) -> &Index {
        self.index()
    }

    /// # Panics
    /// If a table is damaged. [`Table::value`] reports this without a panic.
    fn value(&self, state: State) -> u32 {
        self.value(state).expect("the table is whole")
    }

    #[inline]
    fn next_value(&self, state: State, before: u32) -> u32 {
        if self.residue(state) == (before + 1) % 4 { before + 1 } else { before.saturating_sub(1) }
    }
}

impl PatternTable for PlainTable {
    fn pattern(&self) -> Pattern {
        self.pattern()
    }

    #[inline]
    fn index(&self) -> &Index {
        self.index()
    }

    fn value(&self, state: State) -> u32 {
        self.value(state)
    }

    #[inline]
    fn next_value(&self, state: State, _before: u32) -> u32 {
        self.value(state)
    }
}

/// The sum of the tables of disjoint patterns.
#[derive(Debug)]
pub struct Additive<T> {
    tables: Arc<[T]>,
    /// The table of each label, or `tables.len()` for tiles of no pattern and the blank.
    table_of: [u8; MAX_PDB_CELLS],
    /// Each cell's mirror image, if the tables are looked up for the mirror image of the position.
    image: Option<[u8; MAX_PDB_CELLS]>,
}

/// The value that a search carries for [`Additive`]: each pattern's state and value, and the sum.
/// The blank's zone matters only when a tile of the pattern moves, and then the blank is next to
/// the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdditiveCarry {
    masks: [u64; MAX_PATTERNS],
    ranks: [u16; MAX_PATTERNS],
    values: [u8; MAX_PATTERNS],
    sum: u16,
}

impl AdditiveCarry {
    /// The sum of the values.
    #[inline]
    pub fn sum(&self) -> u32 {
        self.sum.into()
    }
}

impl<T: PatternTable> Additive<T> {
    /// Adds up the values of these tables.
    ///
    /// # Panics
    /// Unless there are 1 to [`MAX_PATTERNS`] tables, of disjoint patterns for one goal.
    pub fn new(tables: impl Into<Arc<[T]>>) -> Self {
        let tables = tables.into();
        assert!((1..=MAX_PATTERNS).contains(&tables.len()));
        let none = tables.len() as u8;
        let mut table_of = [none; MAX_PDB_CELLS];
        for (i, table) in tables.iter().enumerate() {
            let (pattern, first) = (table.pattern(), tables[0].pattern());
            assert!((pattern.grid(), pattern.blank()) == (first.grid(), first.blank()));
            for tile in pattern.tiles() {
                assert_eq!(table_of[tile], none, "tile {tile} is in two patterns");
                table_of[tile] = i as u8;
            }
        }
        Additive { tables, table_of, image: None }
    }

    /// These tables looked up for the position's mirror image along the main diagonal, with tiles
    /// and cells transposed. The image has the same distance, but often another value.
    ///
    /// # Panics
    /// Unless the board is square and the blank's goal cell on that diagonal.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let pattern = self.tables[0].pattern();
        let grid = pattern.grid();
        assert!(grid.is_mirrored(pattern.blank()), "the goal is not its own mirror image");
        let image =
            |cell| if cell < grid.cells() { Symmetry::TRANSPOSE.cell(grid, cell) } else { 0 };
        Additive { image: Some(std::array::from_fn(|cell| image(cell) as u8)), ..self }
    }

    /// The carried value after `tile` moved from one cell to another.
    #[inline]
    fn step(&self, carry: &AdditiveCarry, tile: u8, from: usize, to: usize) -> AdditiveCarry {
        let mut next = *carry;
        let i = usize::from(self.table_of[usize::from(tile)]);
        if let Some(table) = self.tables.get(i) {
            // Before the move the blank is in the cell that the tile goes to.
            let before = State { mask: carry.masks[i], blank: to, rank: carry.ranks[i].into() };
            let after = table.index().after(before, from, to);
            let value = table.next_value(after, carry.values[i].into());
            next.masks[i] = after.mask;
            next.ranks[i] = after.rank as u16;
            next.values[i] = value as u8;
            next.sum = carry.sum - u16::from(carry.values[i]) + value as u16;
        }
        next
    }
}

impl<T: PatternTable + Send> Heuristic for Additive<T> {
    type Carry = AdditiveCarry;

    /// # Panics
    /// If a table is damaged. [`Table::value`] reports this without a panic.
    fn start(&self, labels: &[u8]) -> AdditiveCarry {
        let labels = match self.image {
            Some(_) => transposed(self.tables[0].pattern().grid(), labels),
            None => labels.into(),
        };
        let mut start = AdditiveCarry {
            masks: [0; MAX_PATTERNS],
            ranks: [0; MAX_PATTERNS],
            values: [0; MAX_PATTERNS],
            sum: 0,
        };
        for (i, table) in self.tables.iter().enumerate() {
            let state = table.index().state(&table.pattern(), &labels);
            let value = table.value(state);
            start.masks[i] = state.mask;
            start.ranks[i] = state.rank as u16;
            start.values[i] = value as u8;
            start.sum += value as u16;
        }
        start
    }

    #[inline]
    fn moved(&self, carry: &AdditiveCarry, labels: &[u8], from: usize, to: usize) -> AdditiveCarry {
        match &self.image {
            None => self.step(carry, labels[to], from, to),
            Some(image) => {
                let tile = image[usize::from(labels[to])];
                self.step(carry, tile, image[from].into(), image[to].into())
            }
        }
    }

    #[inline]
    fn value(&self, carry: &AdditiveCarry) -> u32 {
        carry.sum()
    }
}

impl<T: PatternTable + Send> Max<Additive<T>, Additive<T>> {
    /// The maximum of additive tables and their mirror.
    ///
    /// # Panics
    /// Like [`Additive::new`] and [`Additive::mirrored`].
    pub fn mirrored(tables: impl Into<Arc<[T]>>) -> Self {
        let tables = tables.into();
        Max(Additive::new(tables.clone()), Additive::new(tables).mirrored())
    }
}
