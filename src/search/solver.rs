//! Iterative deepening with the tables of two complementary patterns.

use std::sync::Arc;

use super::coordinates::{Coordinates, View};
use super::engine::{Engine, MAX_DEPTH, MAX_SLACK, Node};
use super::iteration::Iteration;
use super::lanes::Crew;
use super::moves::Moves;
use super::{Control, Outcome};
use crate::board::transposed;
use crate::pdb::{BrokenTable, Index, Partition, Pattern, Table};

/// An IDA* solver for partitions of two patterns that hold all tiles. The heuristic is the
/// maximum over a partition and, where there is one, its mirror.
///
/// Given several partitions, it is a *portfolio*: it begins with the first, and when an iteration
/// grows large, it tries the others at the same threshold, and goes on with the cheapest. Which
/// partition is best depends on the board, and on hard boards by factors of ten.
pub struct Solver<B> {
    partitions: Vec<[Table<B>; 2]>,
    coordinates: Coordinates,
    moves: Moves,
    /// The first two partitions are taken together.
    together: bool,
}

/// Why tables make no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// No tables at all.
    #[error("a solver needs a partition")]
    NoPartition,
    /// Two patterns that do not hold every tile exactly once.
    #[error("the patterns {0} and {1} do not hold every tile exactly once")]
    NotComplementary(Pattern, Pattern),
    /// Partitions of different goals or pattern sizes.
    #[error("the partition of {0} and {1} has other pattern sizes or another goal than the first")]
    NotAlike(Pattern, Pattern),
    /// A partition that does not hold every tile, has more than four patterns or one of more than
    /// seven tiles, or is not for the goal of the others.
    #[error(
        "the partition {0} does not hold every tile in at most four patterns of up to seven, for the goal of the others"
    )]
    NotAView(Partition),
    /// A pattern without a table, its images included.
    #[error("there is no table for the pattern {0}")]
    NoTable(Pattern),
    /// The board is too large for this search.
    #[error("a {0} board is too large for this search")]
    TooLarge(crate::board::Grid),
}

impl<B: AsRef<[u8]> + Sync> Solver<B> {
    /// A solver over the tables of one or more partitions.
    ///
    /// # Errors
    /// [`SolverError`] unless each pair of patterns holds all tiles between them, and all pairs
    /// are alike in goal and pattern sizes.
    pub fn new(partitions: Vec<[Table<B>; 2]>) -> Result<Solver<B>, SolverError> {
        let patterns = |tables: &[Table<B>; 2]| tables.each_ref().map(|t| t.pattern());
        let first = partitions.first().ok_or(SolverError::NoPartition)?;
        let goal = |[a, b]: [Pattern; 2]| (a.grid(), a.blank(), a.len(), b.len());
        for tables in &partitions {
            let [a, b] = patterns(tables);
            if a.grid() != b.grid()
                || a.blank() != b.blank()
                || a.mask() & b.mask() != 0
                || a.len() + b.len() + 1 != a.grid().cells()
            {
                return Err(SolverError::NotComplementary(a, b));
            }
            if goal([a, b]) != goal(patterns(first)) {
                return Err(SolverError::NotAlike(a, b));
            }
        }
        let grid = first[0].pattern().grid();
        let [a, b]: [Arc<Index>; 2] = first.each_ref().map(|t| t.index().clone());
        let coordinates = Coordinates::new(a, b).ok_or(SolverError::TooLarge(grid))?;
        Ok(Solver { partitions, coordinates, moves: Moves::new(grid), together: false })
    }

    /// Takes the maximum over the first two partitions and their mirrors at every node, instead of
    /// one at a time: fewer nodes, but each costs twice as much.
    ///
    /// Changes nothing where there is one partition, or no mirror.
    pub fn together(mut self) -> Solver<B> {
        self.together = self.has_mirror() && self.partitions.len() > 1;
        self
    }

    /// An optimal solution of the position `labels` (see
    /// [`Canonical`](crate::board::Canonical)), on the current rayon thread pool.
    ///
    /// Of all optimal solutions it is the one whose moves come first in the order of
    /// [`Move::ALL`](crate::board::Move::ALL), whatever the partitions and threads. The numbers of
    /// nodes do not depend on the threads either, as long as there is one partition.
    ///
    /// An unsolvable position is searched until its thresholds are used up, which takes for ever:
    /// see [`Goal::solvability`](crate::board::Goal::solvability).
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// Where `labels` is not a permutation of the numbers of the grid's cells.
    pub fn solve(&self, labels: &[u8], control: &Control) -> Result<Outcome, BrokenTable> {
        match self.views() {
            4 => self.deepen::<4>(labels, control),
            2 => self.deepen::<2>(labels, control),
            _ => self.deepen::<1>(labels, control),
        }
    }

    /// The lower bound on the number of moves that a search begins with.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// Where `labels` is not a permutation of the numbers of the grid's cells.
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        Ok(match self.views() {
            4 => self.root::<4>(0, labels)?.value(),
            2 => self.root::<2>(0, labels)?.value(),
            _ => self.root::<1>(0, labels)?.value(),
        })
    }

    /// The number of views that a node has.
    pub(super) fn views(&self) -> usize {
        match (self.has_mirror(), self.together) {
            (true, true) => 4,
            (true, false) => 2,
            (false, _) => 1,
        }
    }

    /// Whether the goal is its own mirror image along the diagonal.
    fn has_mirror(&self) -> bool {
        let pattern = self.partitions[0][0].pattern();
        pattern.grid().is_mirrored(pattern.blank())
    }

    /// The search of a partition, and of the next one where `V` is more than 2.
    pub(super) fn engine<const V: usize>(&self, partition: usize) -> Engine<'_, Coordinates, V> {
        let tables = |view: usize| &self.partitions[partition + view / 2];
        let cells = tables(0)[0].pattern().grid().cells();
        let goal: Vec<u8> = (0..cells as u8).collect();
        Engine {
            space: &self.coordinates,
            moves: &self.moves,
            views: std::array::from_fn(|view| self.coordinates.tables(tables(view))),
            goal: self.coordinates.view(tables(0), &goal, [false; 2]),
        }
    }

    /// A position as [`Solver::engine`] sees it.
    pub(super) fn root<const V: usize>(
        &self,
        partition: usize,
        labels: &[u8],
    ) -> Result<Root<V>, BrokenTable> {
        let pattern = self.partitions[partition][0].pattern();
        // What the unchecked look-ups of the search rest on.
        let mut seen = vec![false; pattern.grid().cells()];
        let fresh = |&label: &u8| {
            seen.get_mut(usize::from(label)).is_some_and(|seen| !std::mem::replace(seen, true))
        };
        let cells = pattern.grid().cells();
        assert!(
            labels.len() == cells && labels.iter().all(fresh),
            "labels are a permutation of the cells"
        );
        let mirror = if V > 1 { transposed(pattern.grid(), labels) } else { labels.into() };
        let mut root = Root {
            views: [View::default(); V],
            values: [0; V],
            automaton: 0,
            symmetric: V > 1 && *mirror == *labels,
        };
        for view in 0..V {
            let labels = if view % 2 == 0 { labels } else { &mirror };
            let tables = &self.partitions[partition + view / 2];
            let mut bits = [false; 2];
            for (table, bit) in tables.iter().zip(&mut bits) {
                let state = table.state(labels);
                root.values[view] += table.value(state)?;
                *bit = table.residue(state) >= 2;
            }
            root.views[view] = self.coordinates.view(tables, labels, bits);
        }
        let blank = labels.iter().position(|&label| usize::from(label) == pattern.blank());
        root.automaton = self.moves.start(blank.expect("the blank is on the board"));
        Ok(root)
    }

    /// What to say where the tables of a partition make no sense.
    pub(super) fn broken(&self, partition: usize) -> BrokenTable {
        BrokenTable { pattern: self.partitions[partition][0].pattern() }
    }

    fn deepen<const V: usize>(
        &self,
        labels: &[u8],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        let mut partition = 0;
        let mut root = self.root::<V>(partition, labels)?;
        let mut engine = self.engine::<V>(partition);
        let mut outcome = Outcome { lower_bound: root.value(), ..Outcome::default() };
        let mut crew = Crew::new();
        let mut last = 0;
        let mut tried = false;
        while let Some(node) = root.node(outcome.lower_bound) {
            let before = outcome.generated;
            let left = control.nodes().saturating_sub(before);
            let iteration = Iteration::split(&engine, node, root.symmetric, last, control);
            outcome.path = iteration
                .search(&engine, &mut crew, last, left, &mut outcome)
                .ok_or_else(|| self.broken(partition))?;
            last = outcome.generated - before;
            if outcome.path.is_some() {
                return Ok(outcome);
            }
            // The iteration may have come to its end all the same; then its bound is forgone.
            outcome.stopped = control.check(outcome.generated);
            if outcome.stopped.is_some() {
                return Ok(outcome);
            }
            outcome.lower_bound += 2;
            if last < TRY_OTHERS || tried || self.together {
                continue;
            }
            // Large enough to try the others, at the threshold just exhausted: one that needs half
            // of the nodes is worth a change, and no trial costs more than that.
            tried = true;
            for other in 1..self.partitions.len() {
                let candidate = self.root::<V>(other, labels)?;
                let Some(node) = candidate.node(outcome.lower_bound - 2) else { continue };
                let trial_engine = self.engine::<V>(other);
                let iteration =
                    Iteration::split(&trial_engine, node, candidate.symmetric, last, control);
                let before = outcome.generated;
                let budget = (last / 2).min(control.nodes().saturating_sub(before));
                iteration
                    .search(&trial_engine, &mut crew, last, budget, &mut outcome)
                    .ok_or_else(|| self.broken(other))?;
                let generated = outcome.generated - before;
                outcome.stopped = control.check(outcome.generated);
                if outcome.stopped.is_some() {
                    return Ok(outcome);
                }
                if generated < last / 2 {
                    outcome.lower_bound = outcome.lower_bound.max(candidate.value());
                    (partition, root, engine, last) = (other, candidate, trial_engine, generated);
                }
            }
        }
        Ok(outcome)
    }
}

/// After an iteration larger than this, a portfolio tries its other partitions.
const TRY_OTHERS: u64 = 200_000;

/// The root of a search, as one partition sees it.
pub(super) struct Root<const V: usize> {
    views: [View; V],
    values: [u32; V],
    automaton: u16,
    /// The position is its own mirror image.
    pub symmetric: bool,
}

impl<const V: usize> Root<V> {
    /// The heuristic's value.
    pub fn value(&self) -> u32 {
        self.values.into_iter().max().unwrap_or(0)
    }

    /// The root of an iteration; `None` where the threshold is beyond what a lane can hold.
    pub fn node(&self, threshold: u32) -> Option<Node<View, V>> {
        let slack = self.values.map(|value| threshold.saturating_sub(value) / 2);
        (threshold as usize <= MAX_DEPTH && slack.iter().all(|&s| s <= MAX_SLACK))
            .then(|| Node::new(self.views, self.automaton, slack))
    }
}
