//! The ladder of the standard heuristic: the tables with which a search begins, and when it turns to larger ones.
//!
//! A search begins with the tables that cost less to make than it has cost so far. Tables that are there, in the
//! folder or in memory, cost nothing: where the standard ones are, boards of up to 16 cells are searched with them at
//! once. Where they are not, an easy board is answered before they could be built. The solution is the same, because
//! on these boards it does not depend on tables.
//!
//! On larger boards it does. There every search begins without tables, whatever there is, and turns to the standard
//! ones after the same number of nodes. It answers or leaves no trace, so that the searches that keep a record, which
//! do without it, have the same nodes.

use super::plan::Request;
use crate::board::{Canonical, Goal, Metric};
use crate::classics::Spec;
use crate::store::{MAX_OPTIMAL_CELLS, Set, Store, TWO_PATTERN_CELLS};

/// A search turns to tables after one node for this many of their placements of tiles; the second number is for tables
/// that count slides. To build them takes about 20 times as long as these nodes, so a hard board loses little time.
const PLACEMENTS: [u64; 2] = [1200, 32];

/// The nodes of the search without tables where it comes before small tables, or on boards of more than 16 cells: some
/// hundredths of a second.
const FIRST: u64 = 100_000;

/// The partition of the rung in between, which 4×4 has.
const SMALL: &str = "6-6-3";

/// The tables of a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableSet {
    /// None.
    None,
    /// Those of a smaller partition, which are always built in memory.
    Small,
    /// Those of the solver's heuristic.
    Whole,
}

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    pub tables: TableSet,
    /// The nodes that a search spends on a board before it turns to these tables.
    pub price: u64,
}

/// The rung with which a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The lowest rung that is worth it.
    Low,
    /// The highest one, as far as the solution does not depend on it: many boards will need its tables.
    High,
    /// The tables of the solver's heuristic alone.
    Whole,
}

/// The rungs of a search, upward from the one with which it begins.
pub fn ladder(request: Request<'_>, store: &Store, begin: Begin) -> Vec<Rung> {
    let rung = |tables, price| Rung { tables, price };
    let (grid, blank) = (request.canonical.grid(), request.canonical.goal_blank());
    let is_standard = *request.heuristic == Spec::Standard && request.method.deepens_by_engine();
    let (set, placements) = match request.metric {
        Metric::Single => (Set::standard(grid, blank), PLACEMENTS[0]),
        Metric::Multi => (Set::slides(grid, blank).ok(), PLACEMENTS[1]),
    };
    let has_rungs = is_standard && begin != Begin::Whole;
    let Some(set) = set.filter(|_| has_rungs) else { return vec![rung(TableSet::Whole, 0)] };
    if grid.cells() > TWO_PATTERN_CELLS {
        return vec![rung(TableSet::None, 0), rung(TableSet::Whole, FIRST)];
    }
    let price = store.missing(&set) / placements;
    let has_small = TableSet::Small.heuristic(request).is_some();
    let small = Set::parse(Some(SMALL), grid, blank).ok().filter(|_| has_small);
    let mut rungs = vec![rung(TableSet::None, 0)];
    if let Some(small) = &small {
        let in_memory = TableSet::Small.store(store.clone());
        rungs.push(rung(TableSet::Small, in_memory.missing(small).min(FIRST)));
    }
    // Where the standard tables may not be built, the small ones are the highest rung.
    if small.is_none() || price == 0 || store.may_build() {
        rungs.push(rung(TableSet::Whole, price));
    }
    let first = rungs.iter().rposition(|rung| begin == Begin::High || rung.price == 0);
    rungs.split_off(first.unwrap_or_default())
}

impl TableSet {
    /// The heuristic of tables other than the solver's own; `None` where the size has no such tables.
    pub fn heuristic(self, request: Request<'_>) -> Option<Spec> {
        let grid = request.canonical.grid();
        match (self, request.metric) {
            (TableSet::None, Metric::Single) => "linear-conflict".parse().ok(),
            (TableSet::None, Metric::Multi) => "manhattan".parse().ok(),
            (TableSet::Small, Metric::Single) => {
                ((grid.width(), grid.height()) == (4, 4)).then(|| tables(SMALL, request.canonical))
            }
            (TableSet::Small, Metric::Multi) | (TableSet::Whole, _) => None,
        }
    }

    /// The store of its tables.
    pub fn store(self, store: Store) -> Store {
        match self {
            TableSet::Small => store.in_memory(),
            TableSet::None | TableSet::Whole => store,
        }
    }
}

/// The heuristic by the tables of a partition.
fn tables(partition: &str, canonical: &Canonical) -> Spec {
    let is_mirrored = canonical.grid().is_mirrored(canonical.goal_blank());
    let mirror = if is_mirrored { ":mirror" } else { "" };
    format!("{partition}{mirror}").parse().expect("a partition is a heuristic")
}

/// The heuristic of tables that are built in a moment, for a host that keeps no files. It is the standard one where
/// its tables are as small, and where there are none.
///
/// The tiles stand in the order of their goal cells, column by column, in lists of at most six.
pub fn small_tables(goal: &Goal) -> Spec {
    let canonical = Canonical::of(goal);
    let grid = canonical.grid();
    let parts = match (grid.width(), grid.height(), grid.cells()) {
        (4, 4, _) => return tables(SMALL, &canonical),
        (5, 5, _) => return tables("6-6-6-6", &canonical),
        (_, _, 14..=TWO_PATTERN_CELLS) => 3,
        (_, _, 17..=MAX_OPTIMAL_CELLS) => 4,
        _ => return Spec::Standard,
    };
    let tiles =
        grid.by_columns().filter_map(|cell| canonical.tile(cell as u8)).filter(|&tile| tile != 0);
    let tiles: Vec<String> = tiles.map(|tile| tile.to_string()).collect();
    let lists = tiles.chunks(tiles.len().div_ceil(parts)).map(|list| list.join(","));
    tables(&lists.collect::<Vec<_>>().join("/"), &canonical)
}
