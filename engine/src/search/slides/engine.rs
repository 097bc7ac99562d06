//! The engine: its tables, and its thresholds.

use super::dfs::{self, DirectedRoots};
use super::iteration;
use super::node::SlideLayout;
use crate::board::{Grid, Metric, Position, Symmetry};
use crate::pdb::{MAX_SLIDE_CELLS, SlideTable};
use crate::search::run::{Deepening, Limits, Outcome, Unrecorded};

/// A search for solutions with the fewest slides, for all positions of one goal. Any number of
/// threads share one engine.
///
/// In its [`Outcome`]s the lower bound is a number of slides, and each run of equal moves of the
/// path is one slide.
pub struct SlideEngine {
    layout: SlideLayout,
    /// The tables for nodes whose next slide is along a row, and along a column, the strongest first. If the
    /// goal is its own mirror image, the second list is empty and the first serves both.
    tables: [Vec<SlideTable>; 2],
}

impl SlideEngine {
    /// The tables.
    pub fn tables(&self) -> impl Iterator<Item = &SlideTable> {
        self.tables.iter().flatten()
    }

    /// An engine for the goal with the blank in cell `goal_blank`. The tables are of the goal and of its
    /// mirror image along the main diagonal, the strongest first. If the goal is its own mirror image, every
    /// table serves both.
    ///
    /// # Panics
    /// If the board has more than [`MAX_SLIDE_CELLS`] cells, a table has a different goal, or there is none for
    /// slides along rows or along columns.
    pub fn new(grid: Grid, goal_blank: usize, tables: Vec<SlideTable>) -> SlideEngine {
        let mirror = Symmetry::TRANSPOSE;
        let goals = [(grid, goal_blank), (mirror.grid(grid), mirror.cell(grid, goal_blank))];
        let mut sides = [Vec::new(), Vec::new()];
        for table in tables {
            let goal = (table.pattern().grid(), table.pattern().blank());
            let side = goals.iter().position(|other| *other == goal);
            sides[side.expect("the table is for another goal")].push(table);
        }
        let [rows, columns] = &sides;
        let serves_both = columns.is_empty() && goals[0] == goals[1];
        assert!(
            !rows.is_empty() && (serves_both || !columns.is_empty()),
            "a direction has no table"
        );
        SlideEngine { layout: SlideLayout::new(grid, goal_blank), tables: sides }
    }

    /// The tables for slides along rows and along columns.
    fn views(&self) -> [&[SlideTable]; 2] {
        let [rows, columns] = &self.tables;
        [rows, if columns.is_empty() { rows } else { columns }]
    }

    /// A lower bound on the number of slides from a position to the goal.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn value(&self, position: &Position) -> u32 {
        self.roots(position).map(|(_, value)| value).into_iter().min().unwrap_or_default()
    }

    /// Both roots, with a lower bound each.
    fn roots(&self, position: &Position) -> DirectedRoots {
        self.layout.check(position);
        let views = self.views();
        let node = self.layout.node(position);
        [0, 1].map(|direction| {
            let values =
                views[direction].iter().map(|table| table.value(node.probe(table, direction)));
            ((node, direction), values.max().unwrap_or_default())
        })
    }

    /// Searches for a solution with the fewest slides. Large iterations run on all threads of the
    /// current rayon pool. The solution and the node counts are the same for any number of threads.
    ///
    /// A random 4×4 board takes some milliseconds.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn solve(&self, position: &Position, limits: &Limits) -> Outcome {
        self.search(position).run(limits).expect("the tables are sound")
    }

    /// [`SlideEngine::solve`], one threshold at a time.
    ///
    /// # Panics
    /// As [`SlideEngine::solve`].
    pub fn search<'a>(&'a self, position: &'a Position) -> Box<dyn Deepening + 'a> {
        // Children of a line: on 4×4 there are three, and the frames of the search are half as
        // large.
        match self.layout.grid.width().max(self.layout.grid.height()) {
            ..=4 => Box::new(self.search_lines::<3>(position)),
            _ => Box::new(self.search_lines::<{ MAX_SLIDE_CELLS / 2 - 1 }>(position)),
        }
    }

    fn search_lines<'a, const N: usize>(
        &'a self,
        position: &'a Position,
    ) -> impl Deepening + use<'a, N> {
        let roots = self.roots(position);
        // A table may have the value 0 for other positions than the goal.
        let bound = self.value(position).max(u32::from(!position.is_goal()));
        let tree = dfs::Tree { layout: &self.layout, views: self.views() };
        Unrecorded::new(position, Metric::Multi, bound, move |threshold, limits, outcome| {
            let end = iteration::search::<N>(&tree, &roots, threshold, limits, outcome);
            (end, threshold.bound + 1)
        })
    }
}
