//! The lower bound of a search for an open goal: which tables there are, and their values.
//!
//! 1. If one table can hold the whole space, it does: its values are the distances. The class with the most
//!    tiles needs no place in it, because its tiles are in the remaining cells.
//! 2. Otherwise the classes are divided into groups in the order of the goal's cells, each as large as a
//!    table can hold. Each group has a table of the moves of its own tiles, and the values are added.
//! 3. Tables of the moves of all tiles are compared with that sum, for the first classes and the last ones
//!    that such a table can hold. The largest value is the bound.
//!
//! Large tables take longer to build than most searches need with small ones.

use super::numbering::SizedClass;
use super::table::{ClassTable, Cost};
use crate::board::{OpenGoal, OpenPosition};
use crate::search::run::{Limits, Stop};
use crate::search::solutions::Masks;

/// The most entries of tables.
#[derive(Clone, Copy, Debug)]
pub struct TableSizes {
    /// The limit for a table of the whole space.
    pub whole: u64,
    /// The limit for a table of several classes.
    pub part: u64,
}

impl TableSizes {
    /// The tables with which a search begins: some tenths of a second on two cores.
    pub const SMALL: TableSizes = TableSizes { whole: 4_000_000, part: 1_000_000 };

    /// The tables of searches that turn out to be long: some seconds.
    pub const LARGE: TableSizes = TableSizes { whole: 40_000_000, part: 16_000_000 };
}

/// The most entries of a table that is added for one class. Without a table, the class adds nothing to the
/// bound.
const SINGLE: u64 = 16_000_000;

/// The tables of a goal, for boards with the same numbers of tiles in each class.
pub(super) struct ClassTables {
    added: Vec<ClassTable>,
    compared: Vec<ClassTable>,
}

/// The numbers of a placement in all tables.
pub(super) type Ranks = Vec<usize>;

type Classes = Vec<SizedClass>;

/// The tables that a goal needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TablePlan {
    added: Vec<Classes>,
    compared: Vec<Classes>,
    /// One table holds the whole space.
    pub is_whole: bool,
}

impl TablePlan {
    /// The tables for boards with this many tiles in each class.
    fn new(cells: usize, counts: &[u8], sizes: TableSizes) -> TablePlan {
        let classes: Classes =
            (0..).zip(counts.iter().copied()).filter(|&(_, tiles)| tiles > 0).collect();
        let largest = classes.iter().map(|&(_, tiles)| tiles).max();
        let implied = classes.iter().rposition(|&(_, tiles)| Some(tiles) == largest);
        let mut placed = classes.clone();
        placed.remove(implied.expect("a board has a tile"));
        if ClassTable::entries(cells, &placed) <= sizes.whole {
            return TablePlan { added: Vec::new(), compared: vec![placed], is_whole: true };
        }
        let fits = |classes: &[SizedClass]| ClassTable::entries(cells, classes) <= sizes.part;
        let has_table = |&class: &SizedClass| ClassTable::entries(cells, &[class]) <= SINGLE;
        let mut added: Vec<Classes> = Vec::new();
        for class in classes.iter().copied().filter(has_table) {
            match added.last_mut() {
                Some(group) if fits(&[&group[..], &[class]].concat()) => group.push(class),
                _ => added.push(vec![class]),
            }
        }
        // The first of the longest ones and the last of them.
        let of_length =
            |len| classes.windows(len).filter(|window| fits(window)).collect::<Vec<_>>();
        let mut lengths = (1..=classes.len()).rev().map(of_length);
        let longest = lengths.find(|windows| !windows.is_empty()).unwrap_or_default();
        let ends = [longest.first(), longest.last()].into_iter().flatten();
        let mut compared: Vec<Classes> = ends.map(|window| window.to_vec()).collect();
        compared.dedup();
        TablePlan { added, compared, is_whole: false }
    }

    /// The tables for a position.
    pub fn of(position: &OpenPosition, sizes: TableSizes) -> TablePlan {
        TablePlan::new(position.grid().cells(), position.counts(), sizes)
    }
}

impl ClassTables {
    /// Builds the tables of a plan.
    ///
    /// # Errors
    /// The reason if `limits` stop it, or [`Stop::Memory`].
    pub fn build(plan: &TablePlan, goal: &OpenGoal, limits: &Limits) -> Result<ClassTables, Stop> {
        let build = |all: &[Classes], cost| -> Result<Vec<_>, Stop> {
            all.iter().map(|classes| ClassTable::build(goal, classes, cost, limits)).collect()
        };
        Ok(ClassTables {
            added: build(&plan.added, Cost::Own)?,
            compared: build(&plan.compared, Cost::All)?,
        })
    }

    fn tables(&self) -> impl Iterator<Item = &ClassTable> {
        self.added.iter().chain(&self.compared)
    }

    pub fn ranks(&self, masks: &Masks) -> Ranks {
        self.tables().map(|table| table.numbering.rank(masks)).collect()
    }

    /// The value after a tile of `class` has moved to the blank's cell. `before` is the placement before
    /// the move, `masks` and `blank` are of the position after it.
    pub fn value_after(&self, before: &Ranks, class: u8, masks: &Masks, blank: usize) -> u32 {
        let value = |(table, &rank): (&ClassTable, &usize)| {
            let ClassTable { numbering, .. } = table;
            let rank = if numbering.holds(class) { numbering.rank(masks) } else { rank };
            table.value(rank, blank)
        };
        let (added, compared) = before.split_at(self.added.len());
        let sum: u32 = self.added.iter().zip(added).map(value).sum();
        self.compared.iter().zip(compared).map(value).fold(sum, u32::max)
    }

    pub fn value(&self, masks: &Masks, blank: usize) -> u32 {
        let ranks = self.ranks(masks);
        // No table holds this class.
        self.value_after(&ranks, u8::MAX, masks, blank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_hold_what_fits() {
        let plan = |cells, counts: &[u8]| TablePlan::new(cells, counts, TableSizes::LARGE);
        // The first row of 4×4: four tiles and the blank.
        let row = plan(16, &[1, 1, 1, 1, 11]);
        assert!(row.is_whole);
        assert_eq!(row.compared, [vec![(0, 1), (1, 1), (2, 1), (3, 1)]]);
        let kinds = plan(16, &[4, 4, 4, 3, 0]);
        assert_eq!(kinds.added, [vec![(0, 4), (1, 4)], vec![(2, 4), (3, 3)]]);
        assert_eq!(kinds.compared, [vec![(0, 4), (1, 4)], vec![(2, 4), (3, 3)]]);
        let row = plan(25, &[1, 1, 1, 1, 1, 19]);
        assert_eq!((row.added.len(), row.compared.len()), (3, 2));
        // Half of the cells of 5×5 have no table.
        let halves = plan(25, &[12, 12, 0]);
        assert!(!halves.is_whole && halves.added.is_empty() && halves.compared.is_empty());
    }
}
