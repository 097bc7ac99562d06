//! An engine: its tables, the views of its partitions, and the trees of positions in these views.

use super::choice;
use crate::board::{Position, Symmetry};
use crate::pdb::{BrokenTable, Partition, Pattern, Table};
use crate::search::fast::{
    Coordinates, Expander, MAX_MASK_CELLS, MAX_PATTERNS, MAX_TILES, Masks, PatternView, Space,
};
use crate::search::moves::StepTable;
use crate::search::run::{Stop, Threshold};
use crate::search::threshold::{AnyTree, Endless, Order, Tree, ViewedPosition};

/// Evaluates a call that is compiled for each number of views; in WebAssembly for one and two, to keep the .wasm
/// small.
macro_rules! with_views {
    ($views:expr, |$array:ident| $call:expr) => {
        match *$views {
            [a] => with_views!(@ $array = [a], $call),
            [a, b] => with_views!(@ $array = [a, b], $call),
            #[cfg(not(target_family = "wasm"))]
            [a, b, c] => with_views!(@ $array = [a, b, c], $call),
            #[cfg(not(target_family = "wasm"))]
            [a, b, c, d] => with_views!(@ $array = [a, b, c, d], $call),
            _ => panic!("a search has one to four views"),
        }
    };
    (@ $array:ident = $views:expr, $call:expr) => {{
        let $array = $views;
        $call
    }};
}
pub(crate) use with_views;

/// Evaluates a call that is compiled for each way to store views, and if `views` are given for each
/// number of views.
macro_rules! with_space {
    ($engine:ident, |$space:ident| $call:expr) => {
        match &$engine.spaces {
            Spaces::Coordinates($space) => $call,
            Spaces::Masks($space) => $call,
        }
    };
    ($engine:ident, $views:expr, |$space:ident, $array:ident| $call:expr) => {
        with_space!($engine, |$space| with_views!($views, |$array| $call))
    };
}
pub(crate) use with_space;

/// An IDA* solver (Korf 1985) over the pattern databases of one or more partitions, each of which
/// holds every tile. It is shared by any number of threads.
///
/// The solution and the numbers of nodes do not depend on the number of threads. On boards of up to
/// 16 cells the solution does not depend on the tables either, unless there are several partitions of
/// more than two patterns: it is the first of all optimal ones in the order of
/// [`Move::ALL`](crate::board::Move::ALL). On larger boards large iterations are
/// searched best-first, and the solution is the one that such a search meets first.
pub struct Engine {
    tables: Vec<Table>,
    views: Vec<PartitionView>,
    /// The views that a search begins with.
    pub(crate) initial_views: Vec<usize>,
    /// Whether large iterations are searched best-first.
    best_first: bool,
    pub(crate) spaces: Spaces,
    pub(crate) steps: StepTable,
    goal: Position,
}

/// A partition, or its mirror image, as an engine looks it up: the number of the table of each pattern, and
/// the symmetry through which it is seen.
type PartitionView = Vec<(usize, Symmetry)>;

/// The two ways to store views.
pub(crate) enum Spaces {
    Coordinates(Coordinates),
    Masks(Masks),
}

/// Why a search of an engine has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The record is not one of a search with this engine.
    #[error("the record is from a search with other tables")]
    Record,
    /// A table is damaged.
    #[error(transparent)]
    Broken(#[from] BrokenTable),
    /// The search was stopped.
    #[error("there is no result {0}")]
    Stopped(Stop),
}

/// Returns whether an [`Engine`] can search with a partition: it holds every tile, in two patterns
/// on at most 16 cells, or in up to four patterns of up to seven tiles on at most 25 cells.
pub fn is_view(partition: &Partition) -> bool {
    let tiles: usize = partition.patterns().iter().map(|pattern| pattern.len()).sum();
    tiles + 1 == partition.grid().cells() && (is_pair(partition) || fits_masks(partition))
}

/// Returns whether [`Coordinates`] can store views of a partition that holds every tile.
fn is_pair(partition: &Partition) -> bool {
    partition.patterns().len() == 2 && partition.grid().cells() <= 16
}

/// Returns whether [`Masks`] can.
fn fits_masks(partition: &Partition) -> bool {
    let patterns = partition.patterns();
    partition.grid().cells() <= MAX_MASK_CELLS
        && patterns.len() <= MAX_PATTERNS
        && patterns.iter().all(|pattern| pattern.len() <= MAX_TILES)
}

/// The cells of the largest board whose iterations are all depth-first. On 4×4, best-first iterations save up
/// to a tenth of the nodes but no time, and the solution is then no longer the first of all.
const DEPTH_FIRST_CELLS: usize = 16;

/// The nodes of an iteration after which the next ones are best-first.
const BEST_FIRST: u64 = 100_000;

impl Engine {
    /// An engine for these partitions. `tables` holds, in any order, a table for each of their
    /// patterns. On boards of more than 16 cells, or with more than two patterns, a table that a
    /// symmetry of the board shows as the pattern's works too.
    ///
    /// Costs 0.2 ms for 7-8 on 4×4, 5 ms for other pairs of 7 and 8 tiles, 30 ms for the seven
    /// partitions of 5×5.
    ///
    /// # Panics
    /// If there is no partition or one that [`is_view`] refuses, partitions do not fit each other, or a table
    /// is missing.
    pub fn new(partitions: &[Partition], tables: Vec<Table>) -> Engine {
        let first = partitions.first().expect("a search needs a partition");
        let goal = Position::goal(first.grid(), first.blank());
        let pairs = is_pair(first);
        for partition in partitions {
            assert!(
                is_view(partition),
                "the partition {partition} is not for this search, which needs every tile in two \
                 patterns, or in at most four patterns of up to seven tiles"
            );
            let sizes = |p: &Partition| p.patterns().iter().map(|p| p.len()).collect::<Vec<_>>();
            let fits = if pairs { sizes(partition) == sizes(first) } else { fits_masks(partition) };
            assert!(
                (partition.grid(), partition.blank()) == (first.grid(), first.blank()) && fits,
                "the partition {partition} has another goal or other pattern sizes than the first"
            );
        }
        let view = |(partition, is_mirror_image): (Partition, bool)| {
            // Coordinates know no other symmetries.
            let own = if is_mirror_image { Symmetry::TRANSPOSE } else { Symmetry::IDENTITY };
            let only = pairs.then_some(own);
            partition.patterns().iter().map(|p| lookup(*p, &tables, only)).collect()
        };
        let views: Vec<PartitionView> = views_of(partitions).into_iter().map(view).collect();
        let initial_views = (0..views_of(&partitions[..1]).len()).collect();
        let index = |&(table, _): &(usize, Symmetry)| tables[table].index().clone();
        let spaces = match &views[0][..] {
            [a, b] if pairs => Spaces::Coordinates(Coordinates::new(index(a), index(b))),
            // Tables that no view looks up may be of any size.
            _ => Spaces::Masks(Masks::new(goal.grid(), views.iter().flatten().map(index))),
        };
        let steps = StepTable::new(goal.grid());
        let best_first = goal.grid().cells() > DEPTH_FIRST_CELLS;
        Engine { tables, views, initial_views, best_first, spaces, steps, goal }
    }

    /// Uses the first four views at every node, two partitions and their mirror images, instead of views
    /// chosen for the board. This generates the fewest nodes, at a higher cost each.
    #[must_use]
    pub fn combined(mut self) -> Engine {
        self.initial_views = (0..self.views.len().min(choice::MAX_VIEWS)).collect();
        self
    }

    /// Leaves out the move automaton: the search skips only moves that undo the last one. All iterations are
    /// depth-first. Node counts then compare with published ones.
    #[must_use]
    pub fn without_automaton(mut self) -> Engine {
        self.steps = StepTable::without_undoing(self.goal.grid());
        self.best_first = false;
        self
    }

    /// The tables, in the order given.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The number of views: at most two a partition. A partition's mirror image is a separate view unless it
    /// is the partition itself, or the goal has no mirror image.
    pub fn views(&self) -> usize {
        self.views.len()
    }

    pub(crate) fn is_large(&self) -> bool {
        self.goal.grid().cells() > DEPTH_FIRST_CELLS
    }

    /// The order of the subtrees of a threshold's iteration.
    pub(crate) fn order(&self, threshold: &Threshold) -> Order {
        if self.best_first && threshold.last() >= BEST_FIRST {
            Order::BestFirst
        } else {
            Order::DepthFirst
        }
    }

    /// The heuristic's value of a position, with which a search begins: the largest of all views, on boards
    /// of up to 16 cells the largest of the views that the search begins with.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn value(&self, position: &Position) -> Result<u32, BrokenTable> {
        Ok(self.values(std::slice::from_ref(position))?[0])
    }

    /// The heuristic's values of positions, in their order, in half the time that
    /// [`Engine::value`] needs.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If a position has a different goal.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<u32>, BrokenTable> {
        positions.iter().for_each(|position| self.check(position));
        // On small boards a value costs as much as a part of the search.
        let views = if self.is_large() { 0..self.views.len() } else { 0..self.initial_views.len() };
        let mut largest = vec![0; positions.len()];
        for view in views {
            let mut sums = vec![0; positions.len()];
            for pattern in self.patterns(view) {
                let states = positions.iter().map(|position| pattern.state(position.labels()));
                let values = pattern.table.values(&states.collect::<Vec<_>>())?;
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            largest.iter_mut().zip(sums).for_each(|(largest, sum)| *largest = sum.max(*largest));
        }
        Ok(largest)
    }

    /// The value of labels of the same goal, from which moves need not reach it: the largest of the views that a
    /// search begins with.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    pub fn value_of(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        self.largest_value(self.initial_views.iter().copied(), labels)
    }

    /// The largest value of labels in some views.
    pub(crate) fn largest_value(
        &self,
        views: impl IntoIterator<Item = usize>,
        labels: &[u8],
    ) -> Result<u32, BrokenTable> {
        views.into_iter().try_fold(0, |largest, view| {
            let values = self.patterns(view).into_iter().map(|pattern| pattern.value(labels));
            Ok(values.sum::<Result<u32, _>>()?.max(largest))
        })
    }

    /// Returns whether an iteration can use these views.
    pub(crate) fn has(&self, views: &[usize]) -> bool {
        (1..=choice::MAX_VIEWS).contains(&views.len())
            && views.iter().all(|&view| view < self.views.len())
    }

    /// Checks the goal of a position.
    fn check(&self, position: &Position) {
        assert!(
            (position.grid(), position.goal_blank()) == (self.goal.grid(), self.goal.goal_blank()),
            "the position has a different goal than the tables"
        );
    }

    fn patterns(&self, view: usize) -> Vec<PatternView<'_>> {
        let patterns = self.views[view].iter();
        let blank = self.goal.goal_blank();
        let shown =
            |&(table, symmetry)| PatternView { table: &self.tables[table], symmetry, blank };
        patterns.map(shown).collect()
    }

    /// All data that an iteration with these views reads.
    pub(crate) fn expander<'a, S: Space, const V: usize>(
        &'a self,
        space: &'a S,
        views: [usize; V],
    ) -> Expander<'a, S, V> {
        Expander {
            space,
            steps: &self.steps,
            views: views.map(|view| space.tables(&self.patterns(view))),
            goal: space.view(&self.patterns(views[0]), self.goal.labels()),
        }
    }

    /// A position in these views. Checks what the unchecked look-ups demand of it.
    pub(crate) fn root<S: Space, const V: usize>(
        &self,
        space: &S,
        position: &Position,
        views: [usize; V],
    ) -> Result<ViewedPosition<S, V>, BrokenTable> {
        self.check(position);
        let labels = Position::new(position.grid(), position.goal_blank(), position.labels());
        assert!(labels.is_ok(), "the labels of the position were overwritten by wrong ones");
        let mut values = [0; V];
        for (value, &view) in values.iter_mut().zip(&views) {
            *value = self.largest_value([view], position.labels())?;
        }
        Ok(ViewedPosition {
            views: views.map(|view| space.view(&self.patterns(view), position.labels())),
            values,
            automaton: self.steps.start(position.blank()),
            symmetric: position.is_symmetric(),
        })
    }

    /// The tree of a position in one to four views.
    pub(crate) fn tree<'a>(
        &'a self,
        position: &Position,
        views: &[usize],
    ) -> Result<Box<dyn AnyTree + 'a>, BrokenTable> {
        with_space!(self, views, |space, views| {
            let root = self.root(space, position, views)?;
            // SAFETY: the root is a solvable position of this engine's goal, which was checked, in views of its own
            // tables.
            Ok(Box::new(unsafe { Tree::new(self.expander(space, views), root) }))
        })
    }

    /// The damaged table that led a search along an endless path: the first one whose values along the path
    /// change by more than one with a move.
    pub(crate) fn blame(
        &self,
        position: &Position,
        views: &[usize],
        Endless(path): &Endless,
    ) -> BrokenTable {
        let patterns: Vec<_> = views.iter().flat_map(|&view| self.patterns(view)).collect();
        let suspect = |pattern: &PatternView<'_>| {
            let mut position = position.clone();
            let mut value = pattern.value(position.labels())?;
            for &m in path {
                position.make(m);
                let before = std::mem::replace(&mut value, pattern.value(position.labels())?);
                if value.abs_diff(before) > 1 {
                    return Err(BrokenTable { pattern: pattern.table.pattern() });
                }
            }
            Ok(())
        };
        let found = patterns.iter().find_map(|pattern| suspect(pattern).err());
        found.unwrap_or(BrokenTable { pattern: patterns[0].table.pattern() })
    }
}

/// The partitions and their mirror images without repetitions, and which of them are mirror images.
fn views_of(partitions: &[Partition]) -> Vec<(Partition, bool)> {
    let mut views: Vec<(Partition, bool)> = Vec::new();
    for partition in partitions {
        for (image, is_mirror_image) in
            [(Some(partition.clone()), false), (mirrored(partition), true)]
        {
            let fresh = image.filter(|image| views.iter().all(|(view, _)| view != image));
            views.extend(fresh.map(|image| (image, is_mirror_image)));
        }
    }
    views
}

/// The mirror image of a partition along the main diagonal, if the goal has one.
fn mirrored(partition: &Partition) -> Option<Partition> {
    let (grid, blank) = (partition.grid(), partition.blank());
    if !grid.is_mirrored(blank) {
        return None;
    }
    let image = |pattern: &Pattern| {
        let tiles = pattern.tiles().map(|tile| Symmetry::TRANSPOSE.cell(grid, tile));
        Pattern::new(grid, blank, tiles).ok()
    };
    Partition::new(partition.patterns().iter().map(image).collect::<Option<_>>()?).ok()
}

/// The number of a pattern's table, and the symmetry through which it is seen: any, or `only` one.
fn lookup(pattern: Pattern, tables: &[Table], only: Option<Symmetry>) -> (usize, Symmetry) {
    // Coordinates know no other goals.
    let fits = |table: &Table| only.is_none() || table.pattern().blank() == pattern.blank();
    let seen = |symmetry| {
        let shares = |table: &Table| pattern.shares_table(table.pattern(), symmetry) && fits(table);
        Some((tables.iter().position(shares)?, symmetry))
    };
    let mut symmetries = Symmetry::ALL.into_iter().filter(|s| only.is_none_or(|only| only == *s));
    let found = symmetries.find_map(seen);
    found.unwrap_or_else(|| panic!("there is no table for the pattern {pattern}"))
}
