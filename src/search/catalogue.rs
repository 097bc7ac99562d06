//! Iterative deepening with the tables of several partitions of up to four patterns.
//!
//! Which views prune most differs from board to board, and each costs time at every node. So the
//! search begins with the first partition and its mirror, and now and then tries others:
//! [`super::choice`].

use super::choice;
use super::engine::{Engine, MAX_DEPTH, MAX_SLACK, Node};
use super::iteration::Iteration;
use super::lanes::Crew;
use super::masks::{
    MAX_CELLS, MAX_PATTERNS, MAX_TILES, Masks, Seen, Steps, View, ViewTables, carried,
};
use super::moves::Moves;
use super::solver::SolverError;
use super::{Control, Journal, Outcome, Saved, Stage};
use crate::board::{Grid, Path, Symmetry, transposed};
use crate::pdb::{BrokenTable, Partition, Pattern, Table};

/// Calls a method that is compiled for each number of views.
macro_rules! with_views {
    ($views:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match *$views {
            [a] => $self.$method([a], $($argument),*),
            [a, b] => $self.$method([a, b], $($argument),*),
            [a, b, c] => $self.$method([a, b, c], $($argument),*),
            [a, b, c, d] => $self.$method([a, b, c, d], $($argument),*),
            _ => panic!("a search has one to four views"),
        }
    };
}

/// An IDA* solver for partitions of up to four patterns of up to seven tiles, on boards of up to
/// 25 cells. Each partition gives a *view*, and its mirror image another one.
pub struct Catalogue<B> {
    tables: Vec<Table<B>>,
    views: Vec<Plan>,
    pub(super) masks: Masks,
    pub(super) moves: Moves,
}

/// How a partition's patterns are looked up.
struct Plan {
    partition: Partition,
    /// The number of the table of each pattern, and the symmetry it is seen through.
    patterns: Vec<(usize, Symmetry)>,
    steps: Steps,
    /// It is the first partition or its mirror image.
    first: bool,
}

/// Whether a search can have a view by this partition: it holds every tile, in patterns that are
/// few and small enough.
pub fn is_view(partition: &Partition) -> bool {
    let patterns = partition.patterns();
    let tiles: usize = patterns.iter().map(|pattern| pattern.len()).sum();
    tiles + 1 == partition.grid().cells()
        && partition.grid().cells() <= MAX_CELLS
        && patterns.len() <= MAX_PATTERNS
        && patterns.iter().all(|pattern| pattern.len() <= MAX_TILES)
}

impl<B: AsRef<[u8]> + Sync> Catalogue<B> {
    /// A solver for these partitions. `tables` holds, in any order, a table for each of their
    /// patterns and mirror images, or for one of its [images](Pattern::images).
    ///
    /// # Errors
    /// [`SolverError`] where a partition does not hold every tile exactly once, a table is
    /// missing, or the board or a pattern is too large for this search.
    pub fn new(
        partitions: &[Partition],
        tables: Vec<Table<B>>,
    ) -> Result<Catalogue<B>, SolverError> {
        let first = partitions.first().ok_or(SolverError::NoPartition)?;
        let (grid, blank) = (first.grid(), first.blank());
        let masks = Masks::new(grid, tables.iter().map(|table| table.index().clone()));
        let masks = masks.ok_or(SolverError::TooLarge(grid))?;
        let mut views: Vec<Plan> = Vec::new();
        for (number, partition) in partitions.iter().enumerate() {
            if (partition.grid(), partition.blank()) != (grid, blank) || !is_view(partition) {
                return Err(SolverError::NotAView(partition.clone()));
            }
            for partition in [Some(partition.clone()), mirrored(partition)].into_iter().flatten() {
                if views.iter().any(|view| view.partition == partition) {
                    continue;
                }
                let patterns = partition.patterns().iter().map(|pattern| seen(*pattern, &tables));
                let patterns: Vec<_> = patterns.collect::<Result<_, _>>()?;
                let symmetries: Vec<_> = patterns.iter().map(|(_, symmetry)| *symmetry).collect();
                let steps = masks.steps(&symmetries);
                views.push(Plan { partition, patterns, steps, first: number == 0 });
            }
        }
        Ok(Catalogue { tables, views, masks, moves: Moves::new(grid) })
    }

    /// Leaves out the move automaton: only moves that undo the last one are not searched. Node
    /// counts compare with published ones then.
    pub fn without_automaton(mut self) -> Catalogue<B> {
        self.moves = Moves::without_undoing(self.grid());
        self
    }

    pub(super) fn grid(&self) -> Grid {
        self.views[0].partition.grid()
    }

    fn seen(&self, view: usize) -> Vec<Seen<'_, B>> {
        let patterns = &self.views[view].patterns;
        patterns
            .iter()
            .map(|&(table, symmetry)| Seen { table: &self.tables[table], symmetry })
            .collect()
    }

    /// The heuristic's value of a position: the largest of all views. A search begins with it.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// As [`Catalogue::solve`].
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        Ok(self.position(labels)?.value())
    }

    /// What a view reads.
    pub(super) fn view_tables(&self, view: usize) -> ViewTables<'_> {
        self.masks.tables(&self.seen(view), &self.views[view].steps)
    }

    /// The tables, in the order given.
    pub fn tables(&self) -> &[Table<B>] {
        &self.tables
    }

    /// The value of a position in a view.
    fn value_in(&self, view: usize, labels: &[u8]) -> Result<u32, BrokenTable> {
        let values = self.seen(view).into_iter().map(|Seen { table, symmetry }| {
            table.value(table.state(&carried(table.pattern(), symmetry, labels)))
        });
        values.sum()
    }

    pub(super) fn engine<const V: usize>(&self, views: [usize; V]) -> Engine<'_, Masks, V> {
        let goal: Vec<u8> = (0..self.grid().cells() as u8).collect();
        Engine {
            space: &self.masks,
            moves: &self.moves,
            views: views.map(|view| self.view_tables(view)),
            goal: self.masks.view(&self.seen(views[0]), &goal),
        }
    }

    /// A position as all views see it.
    pub(super) fn position(&self, labels: &[u8]) -> Result<Position, BrokenTable> {
        let blank = self.views[0].partition.blank();
        let mut sorted = labels.to_vec();
        sorted.sort_unstable();
        // What the unchecked look-ups of the search rest on.
        assert!(
            sorted.len() == self.grid().cells()
                && sorted.iter().enumerate().all(|(i, &l)| i == usize::from(l)),
            "labels are a permutation of the cells"
        );
        let empty = labels.iter().position(|&label| usize::from(label) == blank);
        let views = 0..self.views.len();
        Ok(Position {
            views: views.clone().map(|view| self.masks.view(&self.seen(view), labels)).collect(),
            values: views.map(|view| self.value_in(view, labels)).collect::<Result<_, _>>()?,
            automaton: self.moves.start(empty.expect("the blank is on the board")),
            symmetric: self.grid().is_mirrored(blank)
                && *transposed(self.grid(), labels) == *labels,
        })
    }

    /// The number of views: at most two a partition.
    pub fn views(&self) -> usize {
        self.views.len()
    }

    /// The views that a search begins with: the first partition and its mirror image.
    pub(super) fn first_views(&self) -> Vec<usize> {
        (0..self.views.len()).filter(|&view| self.views[view].first).collect()
    }

    /// An optimal solution of the position `labels` (see
    /// [`Canonical`](crate::board::Canonical)), on the current rayon thread pool. The solution and
    /// the numbers of nodes do not depend on the threads. `journal` is told of the progress.
    ///
    /// An unsolvable position is searched until its thresholds are used up, which takes for ever:
    /// see [`Goal::solvability`](crate::board::Goal::solvability).
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// Where `labels` is not a permutation of the numbers of the grid's cells.
    pub fn solve(
        &self,
        labels: &[u8],
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        let position = self.position(labels)?;
        let stage =
            Stage { bound: position.value(), views: self.first_views(), ..Stage::default() };
        self.deepen(&position, Saved::new(stage), true, control, journal)
    }

    /// The same with these views all along, by their numbers: those of the first partition and its
    /// mirror image, those of the second, and so on.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// As [`Catalogue::solve`]; also unless there are one to four views, each among this solver's.
    pub fn solve_with(
        &self,
        labels: &[u8],
        views: &[usize],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        assert!(views.iter().all(|&view| view < self.views.len()), "there are no such views");
        let position = self.position(labels)?;
        let stage = Stage { bound: position.value(), views: views.to_vec(), ..Stage::default() };
        self.deepen(&position, Saved::new(stage), false, control, &())
    }

    /// Goes on with a search of this position that [`Catalogue::solve`] began and something cut short. The
    /// answer and the numbers of nodes are those that it would have had.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal, or `saved` is of no search with
    /// these tables.
    ///
    /// # Panics
    /// As [`Catalogue::solve`].
    pub fn resume(
        &self,
        labels: &[u8],
        saved: Saved,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        let position = self.position(labels)?;
        let views = &saved.stage.views;
        if !saved.is_possible()
            || !(1..=choice::MAX_VIEWS).contains(&views.len())
            || views.iter().any(|&view| view >= self.views.len())
        {
            return Err(self.broken());
        }
        self.deepen(&position, saved, true, control, journal)
    }

    fn broken(&self) -> BrokenTable {
        BrokenTable { pattern: self.tables[0].pattern() }
    }

    fn deepen(
        &self,
        position: &Position,
        mut saved: Saved,
        choose: bool,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        loop {
            let stage = &saved.stage;
            let mut outcome = Outcome {
                lower_bound: stage.bound,
                generated: stage.generated,
                expanded: stage.expanded,
                ..Outcome::default()
            };
            let Some((path, packets)) =
                self.iterate(position, &saved, control, journal, &mut outcome)
            else {
                return Err(self.broken());
            };
            outcome.path = path;
            if outcome.path.is_none() {
                // The iteration may have come to its end all the same; then its bound is forgone.
                outcome.stopped = control.check(outcome.generated);
            }
            if outcome.path.is_some() || outcome.stopped.is_some() {
                return Ok(outcome);
            }
            let mut stage = saved.stage;
            stage.history.push((stage.bound, outcome.generated - stage.generated));
            stage.bound += 2;
            stage.packets += packets as u64;
            (stage.generated, stage.expanded) = (outcome.generated, outcome.expanded);
            if choose {
                self.choose(position, &mut stage, control).ok_or_else(|| self.broken())?;
                outcome.stopped = control.check(stage.generated);
                if outcome.stopped.is_some() {
                    (outcome.lower_bound, outcome.generated) = (stage.bound, stage.generated);
                    return Ok(outcome);
                }
            }
            saved = Saved::new(stage);
        }
    }

    /// One iteration: the solution, if there is one, and the number of packets; `None` where a
    /// table is damaged.
    fn iterate(
        &self,
        position: &Position,
        saved: &Saved,
        control: &Control,
        journal: &dyn Journal,
        outcome: &mut Outcome,
    ) -> Option<(Option<Path>, usize)> {
        with_views!(
            saved.stage.views.as_slice(),
            self.iterate_with(position, saved, control, journal, outcome)
        )
    }

    fn iterate_with<const V: usize>(
        &self,
        views: [usize; V],
        position: &Position,
        saved: &Saved,
        control: &Control,
        journal: &dyn Journal,
        outcome: &mut Outcome,
    ) -> Option<(Option<Path>, usize)> {
        let engine = self.engine(views);
        let last = saved.stage.history.last().map_or(0, |&(_, nodes)| nodes);
        let root = position.node(views, saved.stage.bound)?;
        let mut iteration = Iteration::split(&engine, root, position.symmetric, last, control)
            .with_journal(journal);
        iteration.restore(saved);
        let packets = iteration.packets();
        journal.begins(&saved.stage, packets);
        let left = control.nodes().saturating_sub(outcome.generated);
        let path = iteration.search(&engine, &mut Crew::new(), last, left, outcome)?;
        Some((path, packets))
    }

    /// The nodes that an iteration with these views generates, on the calling thread alone; no more than
    /// `cap`. `None` where a table is damaged.
    pub(super) fn measure(
        &self,
        position: &Position,
        views: &[usize],
        bound: u32,
        cap: u64,
        control: &Control,
    ) -> Option<u64> {
        with_views!(views, self.measure_with(position, bound, cap, control))
    }

    fn measure_with<const V: usize>(
        &self,
        views: [usize; V],
        position: &Position,
        bound: u32,
        cap: u64,
        control: &Control,
    ) -> Option<u64> {
        let engine = self.engine(views);
        let root = position.node(views, bound)?;
        let mut outcome = Outcome::default();
        Iteration::split(&engine, root, position.symmetric, 0, control).search(
            &engine,
            &mut Crew::new(),
            0,
            cap,
            &mut outcome,
        )?;
        Some(outcome.generated.min(cap))
    }
}

/// A position as all views see it.
pub(super) struct Position {
    pub views: Vec<View>,
    pub values: Vec<u32>,
    pub automaton: u16,
    /// It is its own mirror image.
    symmetric: bool,
}

impl Position {
    /// The heuristic's value, of all views.
    pub fn value(&self) -> u32 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// The root of an iteration with these views; `None` where the threshold is beyond what a lane can hold.
    fn node<const V: usize>(&self, views: [usize; V], threshold: u32) -> Option<Node<View, V>> {
        let slack = views.map(|view| threshold.saturating_sub(self.values[view]) / 2);
        (threshold as usize <= MAX_DEPTH && slack.iter().all(|&s| s <= MAX_SLACK))
            .then(|| Node::new(views.map(|view| self.views[view]), self.automaton, slack))
    }
}

/// The mirror image of a partition along the main diagonal, where the goal has one.
fn mirrored(partition: &Partition) -> Option<Partition> {
    const TRANSPOSE: Symmetry = Symmetry::ALL[4];
    let (grid, blank) = (partition.grid(), partition.blank());
    if TRANSPOSE.grid(grid) != grid || TRANSPOSE.cell(grid, blank) != blank {
        return None;
    }
    let image = |pattern: &Pattern| {
        Pattern::new(grid, blank, pattern.tiles().map(|tile| TRANSPOSE.cell(grid, tile))).ok()
    };
    Partition::new(partition.patterns().iter().map(image).collect::<Option<_>>()?).ok()
}

/// The number of the table that serves a pattern, and the symmetry it is seen through.
fn seen<B: AsRef<[u8]>>(
    pattern: Pattern,
    tables: &[Table<B>],
) -> Result<(usize, Symmetry), SolverError> {
    let number = |image| tables.iter().position(|table| table.pattern() == image);
    let mut images = pattern.images();
    let found = images.find_map(|(image, symmetry)| Some((number(image)?, symmetry)));
    found.ok_or(SolverError::NoTable(pattern))
}
