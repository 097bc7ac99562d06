//! Additive pattern databases (Korf & Felner 2002), zero-aware (Clausecker & Reinefeld 2019) or
//! plain.
//!
//! A table counts the moves of its own tiles alone, so no move is counted by two tables of
//! disjoint patterns, and the sum of their values never exceeds the moves to the goal:
//! admissible. A move changes the value of the moved tile's pattern, and no other: by one where
//! the tables are zero-aware, so their sum is consistent; by an odd number where they are plain
//! (see [`PlainTable`]), so theirs is not.
//!
//! This is the obvious way to carry the value along, for any partition of any board. The search
//! for two complementary patterns, [`Solver`](crate::search::Solver), finds the same values
//! faster.
//!
//! Cost of a move: a ranking of the set, one of the order, and one look-up in the table, which is
//! what takes longest where it is not cached.

use std::sync::Arc;

use super::{Heuristic, Max};
use crate::board::{Grid, transposed};
use crate::pdb::{MAX_PDB_CELLS, Pattern, PlainTable, State, Table};

/// The most patterns a partition may have here.
pub const MAX_PATTERNS: usize = 8;

/// A table whose values are summed up with those of others.
pub trait PatternTable: Sync {
    /// The pattern whose moves it counts.
    fn pattern(&self) -> Pattern;

    /// The pattern's state in a position given as labels.
    fn state(&self, labels: &[u8]) -> State;

    /// The state after the pattern's tile in cell `from` moved to `to`.
    fn after(&self, state: State, from: usize, to: usize) -> State;

    /// The value of a state.
    ///
    /// # Panics
    /// Where the table is damaged.
    fn value(&self, state: State) -> u32;

    /// The value of a state that is a move away from one of value `before`.
    fn next_value(&self, state: State, before: u32) -> u32;
}

impl<B: AsRef<[u8]> + Sync> PatternTable for Table<B> {
    fn pattern(&self) -> Pattern {
        self.pattern()
    }

    fn state(&self, labels: &[u8]) -> State {
        self.state(labels)
    }

    #[inline]
    fn after(&self, state: State, from: usize, to: usize) -> State {
        self.after(state, from, to)
    }

    /// # Panics
    /// Where a table is damaged; [`Table::value`] tells that without a panic.
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

    fn state(&self, labels: &[u8]) -> State {
        self.index().state(&self.pattern(), labels)
    }

    #[inline]
    fn after(&self, state: State, from: usize, to: usize) -> State {
        self.index().after(state, from, to)
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
}

/// What [`Additive`] carries: each pattern's state and value, and the sum. The blank's zone
/// matters only when a tile of the pattern moves, and then it is where that tile was.
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
    /// The sum of these tables.
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
        Additive { tables, table_of }
    }

    /// The state after `tile` moved from one cell to another.
    #[inline]
    fn step(&self, state: &AdditiveCarry, tile: u8, from: usize, to: usize) -> AdditiveCarry {
        let mut next = *state;
        let i = usize::from(self.table_of[usize::from(tile)]);
        if let Some(table) = self.tables.get(i) {
            // The blank is where the tile goes.
            let before = State { mask: state.masks[i], blank: to, rank: state.ranks[i].into() };
            let after = table.after(before, from, to);
            let value = table.next_value(after, state.values[i].into());
            next.masks[i] = after.mask;
            next.ranks[i] = after.rank as u16;
            next.values[i] = value as u8;
            next.sum = state.sum - u16::from(state.values[i]) + value as u16;
        }
        next
    }
}

impl<T: PatternTable + Send> Heuristic for Additive<T> {
    type Carry = AdditiveCarry;

    /// # Panics
    /// Where a table is damaged; [`Table::value`] tells that without a panic.
    fn start(&self, labels: &[u8]) -> AdditiveCarry {
        let mut start = AdditiveCarry {
            masks: [0; MAX_PATTERNS],
            ranks: [0; MAX_PATTERNS],
            values: [0; MAX_PATTERNS],
            sum: 0,
        };
        for (i, table) in self.tables.iter().enumerate() {
            let state = table.state(labels);
            let value = table.value(state);
            start.masks[i] = state.mask;
            start.ranks[i] = state.rank as u16;
            start.values[i] = value as u8;
            start.sum += value as u16;
        }
        start
    }

    #[inline]
    fn moved(&self, state: &AdditiveCarry, labels: &[u8], from: usize, to: usize) -> AdditiveCarry {
        self.step(state, labels[to], from, to)
    }

    #[inline]
    fn value(&self, state: &AdditiveCarry) -> u32 {
        state.sum()
    }
}

/// Additive tables looked up for the position mirrored along its main diagonal, tiles and cells
/// transposed: the distance is the same, the value often is not.
///
/// Only for square boards whose goal has the blank on that diagonal.
#[derive(Debug)]
pub struct Mirror<T> {
    additive: Additive<T>,
    grid: Grid,
    /// Each cell's mirror image.
    image: [u8; MAX_PDB_CELLS],
}

impl<T: PatternTable> Mirror<T> {
    /// The mirror of tables.
    ///
    /// # Panics
    /// Where the grid is not square, or the blank's goal cell is not on the diagonal.
    pub fn new(additive: Additive<T>) -> Self {
        let pattern = additive.tables[0].pattern();
        let grid = pattern.grid();
        assert!(grid.is_mirrored(pattern.blank()), "only goals that are their own image");
        let mut image = [0; MAX_PDB_CELLS];
        for (cell, image) in image.iter_mut().enumerate().take(grid.cells()) {
            *image = (grid.column(cell) * grid.width() + grid.row(cell)) as u8;
        }
        Mirror { additive, grid, image }
    }
}

impl<T: PatternTable + Send> Max<Additive<T>, Mirror<T>> {
    /// The maximum of additive tables and their mirror.
    ///
    /// # Panics
    /// Like [`Additive::new`] and [`Mirror::new`].
    pub fn mirrored(tables: impl Into<Arc<[T]>>) -> Self {
        let tables = tables.into();
        Max(Additive::new(tables.clone()), Mirror::new(Additive::new(tables)))
    }
}

impl<T: PatternTable + Send> Heuristic for Mirror<T> {
    type Carry = AdditiveCarry;

    fn start(&self, labels: &[u8]) -> AdditiveCarry {
        self.additive.start(&transposed(self.grid, labels))
    }

    #[inline]
    fn moved(&self, state: &AdditiveCarry, labels: &[u8], from: usize, to: usize) -> AdditiveCarry {
        let image = |cell: usize| self.image[cell];
        let tile = image(labels[to].into());
        self.additive.step(state, tile, image(from).into(), image(to).into())
    }

    #[inline]
    fn value(&self, state: &AdditiveCarry) -> u32 {
        self.additive.value(state)
    }
}
