//! Iterative deepening over the lanes.
//!
//! An iteration splits the tree into subtrees, in depth-first order, and searches them in lanes
//! and threads. The first subtree in that order that has a solution decides: later ones are
//! dropped, earlier ones are finished. So the solution is the least of the optimal ones in the
//! order of [`Move::ALL`], and the node counts are those of one depth-first search that stops
//! there, whatever the number of lanes and threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::Outcome;
use super::coordinates::Coordinates;
use super::lanes::{self, Engine, Job, MAX_DEPTH, MAX_SLACK, Node, Report, Source};
use super::moves::Moves;
use crate::board::{Move, Path, transposed};
use crate::pdb::{BrokenTable, Index, Table};

/// The lanes of one thread: enough to hide the memory's latency, few enough for their frames to
/// stay in the first-level cache.
const LANES: usize = 6;

/// An IDA* solver for a partition of two patterns that hold all tiles, with the maximum over the
/// partition and, where there is one, its mirror.
pub struct Solver<B> {
    tables: [Table<B>; 2],
    coordinates: Coordinates,
    moves: Moves,
}

/// Why two tables make no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The patterns do not hold every tile exactly once.
    #[error("the patterns {0} and {1} do not hold every tile exactly once")]
    NotComplementary(crate::pdb::Pattern, crate::pdb::Pattern),
    /// The board is too large for this engine.
    #[error("a {0} board is too large for this search")]
    TooLarge(crate::board::Grid),
}

/// How a search is bounded.
#[derive(Debug, Default)]
pub struct Control {
    /// Set from outside to stop the search.
    pub stop: AtomicBool,
}

impl<B: AsRef<[u8]> + Sync> Solver<B> {
    /// A solver over two tables.
    ///
    /// # Errors
    /// [`SolverError`] unless the two patterns hold all tiles between them.
    pub fn new(tables: [Table<B>; 2]) -> Result<Solver<B>, SolverError> {
        let [a, b] = tables.each_ref().map(|t| t.pattern());
        let grid = a.grid();
        if grid != b.grid()
            || a.blank() != b.blank()
            || a.mask() & b.mask() != 0
            || a.len() + b.len() + 1 != grid.cells()
        {
            return Err(SolverError::NotComplementary(a, b));
        }
        let [first, second]: [Arc<Index>; 2] = tables.each_ref().map(|t| t.index().clone());
        let coordinates = Coordinates::new(first, second).ok_or(SolverError::TooLarge(grid))?;
        Ok(Solver { tables, coordinates, moves: Moves::new(grid) })
    }

    /// An optimal solution of the position `labels` (see
    /// [`Canonical`](crate::board::Canonical)), on the current rayon thread pool.
    ///
    /// Of all optimal solutions, the one whose moves come first in the order of [`Move::ALL`].
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    pub fn solve(&self, labels: &[u8], control: &Control) -> Result<Outcome, BrokenTable> {
        let pattern = self.tables[0].pattern();
        let grid = pattern.grid();
        let mirrored = (grid.width() == grid.height()
            && grid.row(pattern.blank()) == grid.column(pattern.blank()))
        .then(|| transposed(grid, labels));
        match mirrored {
            Some(mirror) => self.deepen([labels, &mirror], control),
            None => self.deepen([labels], control),
        }
    }

    fn deepen<const V: usize>(
        &self,
        labels: [&[u8]; V],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        let patterns = self.tables.each_ref().map(|t| t.pattern());
        let mut values = [0; V];
        let mut views = [Default::default(); V];
        for (view, labels) in labels.iter().enumerate() {
            let mut root_bits = [false; 2];
            for (i, table) in self.tables.iter().enumerate() {
                let state = table.state(labels);
                values[view] += table.value(state)?;
                root_bits[i] = table.residue(state) >= 2;
            }
            views[view] = self.coordinates.view([&patterns[0], &patterns[1]], labels, root_bits);
        }
        let identity: Vec<u8> = (0..labels[0].len() as u8).collect();
        let goal = self.coordinates.view([&patterns[0], &patterns[1]], &identity, [false; 2]);
        let engine = Engine {
            coordinates: &self.coordinates,
            moves: &self.moves,
            views: std::array::from_fn(|_| self.coordinates.tables(&self.tables)),
            goal,
        };
        let blank = patterns[0].blank();
        let empty = labels[0].iter().position(|&l| usize::from(l) == blank);
        let automaton = self.moves.start(empty.expect("the blank is on the board"));
        // A position that is its own mirror image: half of its moves will do. The least optimal
        // solution begins with the lesser of a move and its mirror image.
        let symmetric = V > 1 && labels[0] == labels[1];

        let mut outcome =
            Outcome { lower_bound: values.into_iter().max().unwrap_or(0), ..Outcome::default() };
        let mut last = 0;
        loop {
            let threshold = outcome.lower_bound;
            let slack = values.map(|value| (threshold - value) / 2);
            if threshold as usize > MAX_DEPTH || slack.iter().any(|&s| s > MAX_SLACK) {
                return Ok(outcome);
            }
            let root = Node::new(views, automaton, slack);
            let iteration = Iteration::split(&engine, root, symmetric, split_depth(last), control);
            let before = outcome.generated;
            let solved = iteration.search(&engine, last > PARALLEL, &mut outcome);
            last = outcome.generated - before;
            if solved || control.stop.load(Ordering::Relaxed) {
                return Ok(outcome);
            }
            outcome.lower_bound += 2;
        }
    }
}

/// Iterations larger than this are searched on all threads.
const PARALLEL: u64 = 5_000;

/// The depth of the subtrees' roots, by the nodes of the last iteration.
fn split_depth(last: u64) -> usize {
    // Some 12 to 4,000 subtrees, at about two children a node.
    (last / 500).clamp(12, 4_000).ilog2() as usize
}

/// The subtrees of one iteration and what has come of them.
struct Iteration<'a, const V: usize> {
    subtrees: Vec<Subtree<V>>,
    /// Nodes generated and expanded above the subtrees.
    above: Count,
    /// The next subtree to search.
    next: AtomicUsize,
    /// The first subtree known to have a solution.
    winner: AtomicUsize,
    control: &'a Control,
}

#[derive(Clone, Copy, Default)]
struct Count {
    generated: u64,
    expanded: u64,
}

struct Subtree<const V: usize> {
    root: Node<V>,
    path: Vec<u8>,
    /// What a depth-first search has counted above the subtrees when it comes to this one.
    above: Count,
    generated: AtomicU64,
    expanded: AtomicU64,
    solution: std::sync::OnceLock<Vec<u8>>,
}

impl<'a, const V: usize> Iteration<'a, V> {
    fn split(
        engine: &Engine<'_, V>,
        root: Node<V>,
        symmetric: bool,
        depth: usize,
        control: &'a Control,
    ) -> Iteration<'a, V> {
        let mut iteration = Iteration {
            subtrees: Vec::new(),
            above: Count::default(),
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            control,
        };
        iteration.descend(engine, root, &mut Vec::new(), depth, symmetric);
        iteration
    }

    fn descend(
        &mut self,
        engine: &Engine<'_, V>,
        node: Node<V>,
        path: &mut Vec<u8>,
        depth: usize,
        symmetric: bool,
    ) {
        if depth == 0 || engine.is_goal(&node) {
            self.subtrees.push(Subtree {
                root: node.as_root(),
                path: path.clone(),
                above: self.above,
                generated: AtomicU64::new(0),
                expanded: AtomicU64::new(0),
                solution: std::sync::OnceLock::new(),
            });
            return;
        }
        // SAFETY: the node is the root or descends from it.
        let (mut children, generated) = unsafe { engine.children(&node) };
        let mut generated = generated as u64;
        if symmetric {
            let lesser = |m: usize| m < Move::ALL[m].transposed() as usize;
            generated = generated.div_ceil(2);
            children.retain(|child| lesser(child.last()));
        }
        self.above.generated += generated;
        self.above.expanded += 1;
        for child in children {
            path.push(child.last() as u8);
            self.descend(engine, child, path, depth - 1, false);
            path.pop();
        }
    }

    /// Searches all subtrees and adds what was found to `outcome`. Returns whether that is a
    /// solution.
    fn search(self, engine: &Engine<'_, V>, parallel: bool, outcome: &mut Outcome) -> bool {
        if parallel && rayon::current_num_threads() > 1 {
            rayon::broadcast(|_| lanes::run(engine, &mut &self, LANES));
        } else {
            lanes::run(engine, &mut &self, LANES);
        }
        let winner = self.winner.into_inner();
        let solved = self.subtrees.get(winner);
        let above = solved.map_or(self.above, |subtree| subtree.above);
        outcome.generated += above.generated;
        outcome.expanded += above.expanded;
        for subtree in self.subtrees.iter().take(winner.saturating_add(1)) {
            outcome.generated += subtree.generated.load(Ordering::Relaxed);
            outcome.expanded += subtree.expanded.load(Ordering::Relaxed);
        }
        let Some(subtree) = solved else { return false };
        let rest = subtree.solution.get().expect("the winner has a solution");
        let moves = subtree.path.iter().chain(rest).map(|&m| Move::ALL[usize::from(m)]);
        outcome.path = Some(Path(moves.collect()));
        true
    }

    fn wanted(&self, name: usize) -> bool {
        name <= self.winner.load(Ordering::Relaxed) && !self.control.stop.load(Ordering::Relaxed)
    }
}

impl<const V: usize> Source<V> for &Iteration<'_, V> {
    fn next(&mut self) -> Option<Job<V>> {
        let name = self.next.fetch_add(1, Ordering::Relaxed);
        let subtree = self.subtrees.get(name).filter(|_| self.wanted(name))?;
        Some(Job { root: subtree.root, name })
    }

    fn done(&mut self, report: Report<'_>) {
        let subtree = &self.subtrees[report.name];
        subtree.generated.store(report.generated, Ordering::Relaxed);
        subtree.expanded.store(report.expanded, Ordering::Relaxed);
        if let Some(solution) = report.solution {
            // A subtree is searched once, so nothing was set before.
            let _ = subtree.solution.set(solution.to_vec());
            self.winner.fetch_min(report.name, Ordering::Relaxed);
        }
    }

    fn dropped(&mut self, name: usize, _generated: u64) -> bool {
        !self.wanted(name)
    }
}
