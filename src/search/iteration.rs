//! One iteration of the deepening, in lanes and threads.
//!
//! An iteration splits the tree into subtrees, in depth-first order. The first subtree in that
//! order that has a solution decides: later ones are dropped, earlier ones are finished. So the
//! solution is the least of those within the threshold in the order of [`Move::ALL`], and the node
//! counts are those of one depth-first search that stops there, whatever the number of lanes and
//! threads.

use std::ops::Add;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::engine::{Engine, Frame, Node};
use super::lanes::{Crew, End, Job, Report, Source};
use super::space::Space;
use super::{Control, Journal, Outcome, Packet, Saved};
use crate::board::{Move, Path};

/// After an iteration larger than this, all threads are put to work.
const PARALLEL: u64 = 20_000;

/// The depth of the subtrees' roots, by the nodes of the iteration before.
fn split_depth(last: u64) -> u32 {
    // Some 16 to 4,000 subtrees, at about two children a node. Large iterations have up to eight
    // times as many, for all lanes and threads to be busy to the end, and as little lost to a kill.
    (last / 16).clamp(16, 1 << 12).max((last / 256).min(1 << 15)).ilog2()
}

/// The nodes that a level is split by at a time: enough to hide the memory's latency.
const BATCH: usize = 8;

/// The subtrees of one iteration and what has come of them.
pub(super) struct Iteration<'a, W, const V: usize> {
    subtrees: Vec<Subtree<W, V>>,
    /// Nodes generated and expanded above the subtrees.
    above: Count,
    /// The next subtree to search.
    next: AtomicUsize,
    /// The first subtree known to have a solution.
    winner: AtomicUsize,
    /// Set where a table is found to be damaged.
    broken: AtomicBool,
    /// Nodes that the subtrees may still generate.
    budget: AtomicU64,
    control: &'a Control,
    journal: &'a dyn Journal,
}

#[derive(Clone, Copy, Default)]
struct Count {
    generated: u64,
    expanded: u64,
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        Count {
            generated: self.generated + other.generated,
            expanded: self.expanded + other.expanded,
        }
    }
}

/// A node above the subtrees, or a root of one.
#[derive(Clone, Copy)]
struct Branch<W, const V: usize> {
    node: Node<W, V>,
    /// The moves that lead to it, two bits each, the first lowest.
    path: u32,
    depth: u32,
    /// What a depth-first search has counted, at the levels above, when it comes to this node.
    above: Count,
}

struct Subtree<W, const V: usize> {
    branch: Branch<W, V>,
    generated: AtomicU64,
    expanded: AtomicU64,
    solution: OnceLock<Vec<u8>>,
    /// It was finished before this run began.
    restored: bool,
}

impl<W, const V: usize> Subtree<W, V> {
    fn new(branch: Branch<W, V>) -> Subtree<W, V> {
        let (generated, expanded) = (AtomicU64::new(0), AtomicU64::new(0));
        Subtree { branch, generated, expanded, solution: OnceLock::new(), restored: false }
    }
}

impl<'a, W: Copy + Default + Send + Sync, const V: usize> Iteration<'a, W, V> {
    /// Splits the tree below `root`, a board equal to its mirror image if `symmetric`: half of its
    /// moves will do, as the least optimal solution begins with the lesser of a move and its
    /// mirror image. `last` is the number of nodes of the iteration before.
    pub fn split<S: Space<View = W>>(
        engine: &Engine<'_, S, V>,
        root: Node<W, V>,
        symmetric: bool,
        last: u64,
        control: &'a Control,
    ) -> Iteration<'a, W, V> {
        let mut level = vec![Branch { node: root, path: 0, depth: 0, above: Count::default() }];
        let mut total = Count::default();
        let mut frames: [Frame<S, V>; BATCH] = std::array::from_fn(|_| Frame::new());
        for depth in 0..split_depth(last) {
            let half = symmetric && depth == 0;
            let mut next = Vec::with_capacity(3 * level.len());
            let mut sum = Count::default();
            for branches in level.chunks(BATCH) {
                // All of a batch is under way before the first is looked at.
                for (frame, branch) in frames.iter_mut().zip(branches) {
                    // SAFETY: the node is the root or descends from it.
                    unsafe { engine.frame(&branch.node, frame) };
                }
                for (frame, branch) in frames.iter().zip(branches) {
                    if engine.is_goal(&branch.node) {
                        next.push(Branch { above: branch.above + sum, ..*branch });
                        continue;
                    }
                    let wanted = |m: usize| !half || m < Move::ALL[m].transposed() as usize;
                    let generated = if half { frame.len().div_ceil(2) } else { frame.len() };
                    sum = sum + Count { generated: generated as u64, expanded: 1 };
                    next.extend(frame.survivors(engine).filter(|node| wanted(node.last())).map(
                        |node| Branch {
                            node,
                            path: branch.path | (node.last() as u32) << (2 * depth),
                            depth: depth + 1,
                            above: branch.above + sum,
                        },
                    ));
                }
            }
            total = total + sum;
            level = next;
        }
        Iteration {
            subtrees: level.into_iter().map(Subtree::new).collect(),
            above: total,
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            broken: AtomicBool::new(false),
            budget: AtomicU64::new(u64::MAX),
            control,
            journal: &(),
        }
    }

    /// The same with a journal kept.
    pub fn with_journal(mut self, journal: &'a dyn Journal) -> Self {
        self.journal = journal;
        self
    }

    /// The number of subtrees.
    pub fn packets(&self) -> usize {
        self.subtrees.len()
    }

    /// Takes over what an earlier run has finished of the same iteration.
    pub fn restore(&mut self, saved: &Saved) {
        for subtree in self.subtrees.iter_mut().take(saved.row) {
            subtree.restored = true;
        }
        if let Some(first) = self.subtrees.first_mut().filter(|_| saved.row > 0) {
            // All of the row's.
            *first.generated.get_mut() = saved.generated;
            *first.expanded.get_mut() = saved.expanded;
        }
        for packet in &saved.beyond {
            let Some(subtree) = self.subtrees.get_mut(packet.number) else { continue };
            subtree.restored = true;
            *subtree.generated.get_mut() = packet.generated;
            *subtree.expanded.get_mut() = packet.expanded;
            if let Some(solution) = &packet.solution {
                subtree.solution = solution.clone().into();
                let winner = self.winner.get_mut();
                *winner = packet.number.min(*winner);
            }
        }
    }

    /// Searches all subtrees and adds the nodes to `outcome`. Returns the solution, if there is
    /// one, or `None` where a table is damaged. After about `budget` nodes the search gives up;
    /// that many nodes are counted then, and no solution is returned.
    pub fn search<S: Space<View = W>>(
        mut self,
        engine: &Engine<'_, S, V>,
        crew: &mut Crew<S, V>,
        last: u64,
        budget: u64,
        outcome: &mut Outcome,
    ) -> Option<Option<Path>> {
        *self.budget.get_mut() = budget;
        if last > PARALLEL && rayon::current_num_threads() > 1 {
            rayon::broadcast(|_| Crew::new().run(engine, &mut &self));
        } else {
            crew.run(engine, &mut &self);
        }
        if self.broken.into_inner() {
            return None;
        }
        if self.budget.into_inner() == 0 {
            outcome.generated += budget;
            return Some(None);
        }
        let winner = self.winner.into_inner();
        let solved = self.subtrees.get(winner);
        let above = solved.map_or(self.above, |subtree| subtree.branch.above);
        outcome.generated += above.generated;
        outcome.expanded += above.expanded;
        for subtree in self.subtrees.iter().take(winner.saturating_add(1)) {
            outcome.generated += subtree.generated.load(Ordering::Relaxed);
            outcome.expanded += subtree.expanded.load(Ordering::Relaxed);
        }
        let Some(subtree) = solved else { return Some(None) };
        let Branch { path, depth, .. } = subtree.branch;
        let above = (0..depth).map(|i| (path >> (2 * i) & 3) as usize);
        let below = subtree.solution.get().into_iter().flatten().map(|&m| usize::from(m));
        Some(Some(Path(above.chain(below).map(|m| Move::ALL[m % 4]).collect())))
    }

    fn wanted(&self, name: usize) -> bool {
        name <= self.winner.load(Ordering::Relaxed)
            && self.budget.load(Ordering::Relaxed) > 0
            // The nodes are the budget's.
            && self.control.check(0).is_none()
    }

    /// Notes how many nodes a subtree has generated so far.
    fn count(&self, subtree: &Subtree<W, V>, generated: u64) {
        let before = subtree.generated.swap(generated, Ordering::Relaxed);
        self.journal.searched(generated - before);
        let spend = |left: u64| Some(left.saturating_sub(generated - before));
        // Never fails: the closure always gives a value.
        let _ = self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
    }
}

impl<W: Copy + Default + Send + Sync, const V: usize> Source<W, V> for &Iteration<'_, W, V> {
    fn next(&mut self, _idle: bool) -> Option<Job<W, V>> {
        loop {
            let name = self.next.fetch_add(1, Ordering::Relaxed);
            let subtree = self.subtrees.get(name).filter(|_| self.wanted(name))?;
            if !subtree.restored {
                return Some(Job { root: subtree.branch.node.as_root(), name });
            }
        }
    }

    fn done(&mut self, report: Report<'_>) {
        let subtree = &self.subtrees[report.name];
        self.count(subtree, report.generated);
        subtree.expanded.store(report.expanded, Ordering::Relaxed);
        let finished = |solution: Option<Vec<u8>>| {
            self.journal.finished(Packet {
                number: report.name,
                generated: report.generated,
                expanded: report.expanded,
                solution,
            });
        };
        match report.end {
            End::Exhausted => finished(None),
            End::Solved(path) => {
                subtree.solution.get_or_init(|| path.to_vec());
                finished(Some(path.to_vec()));
                self.winner.fetch_min(report.name, Ordering::Relaxed);
            }
            End::Endless => {
                self.broken.store(true, Ordering::Relaxed);
                // Nothing is wanted any more.
                self.winner.store(0, Ordering::Relaxed);
            }
        }
    }

    fn dropped(&mut self, name: usize, generated: u64) -> bool {
        self.count(&self.subtrees[name], generated);
        !self.wanted(name)
    }
}
