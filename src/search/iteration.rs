//! One iteration of the deepening, in lanes and threads.
//!
//! An iteration splits the tree into subtrees, and puts these in an [`Order`]. The first subtree in
//! that order that has a solution decides: later ones are dropped, earlier ones are finished. The
//! solution and the node counts are therefore those of a search of one subtree after the other,
//! whatever the number of lanes and threads.

use std::cmp::Reverse;
use std::ops::Add;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::expand::{Expander, Frame, Node};
use super::lanes::{Crew, End, Job, Report, Source};
use super::space::Space;
use super::{Control, Journal, Outcome, Packet, Record};
use crate::board::{Move, Path};

/// After an iteration larger than this, all threads search.
const PARALLEL: u64 = 20_000;

/// The order in which the subtrees of an iteration are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In the order of their paths. An iteration is then one depth-first search.
    DepthFirst,
    /// By h at their roots, the smallest first, and else in the order of their paths. The last
    /// iteration meets its solution early, as in the best-first searches of A*+IDA* (Bu and Korf
    /// 2019). The frontier takes memory: 350 MB at its largest, a million subtrees.
    BestFirst,
}

impl Order {
    /// Whether a tree is split deep enough, by the nodes of the iteration before.
    fn is_split(self, last: u64, depth: u32, subtrees: usize) -> bool {
        match self {
            // Some 16 to 4,000 subtrees, at about two children a node. Large iterations have up to
            // eight times as many: all lanes and threads stay busy to the end, and an interruption
            // loses little.
            Order::DepthFirst => {
                let wanted = (last / 16).clamp(16, 1 << 12).max((last / 256).min(1 << 15));
                depth >= wanted.ilog2()
            }
            // With fewer, h tells subtrees apart less well; with more, much is searched to split.
            Order::BestFirst => {
                depth >= MAX_SPLIT || subtrees as u64 >= (last / 64).clamp(16, 1 << 20)
            }
        }
    }
}

/// The most moves of a branch.
const MAX_SPLIT: u32 = u64::BITS / 2;

/// The nodes that a level is split by at a time: enough to hide the memory's latency.
const BATCH: usize = 8;

/// The subtrees of one iteration and their results.
pub(super) struct Iteration<'a, W, const V: usize> {
    subtrees: Vec<Subtree<W, V>>,
    /// Nodes generated and expanded above the subtrees.
    above: Count,
    /// The next subtree to search.
    next: AtomicUsize,
    /// The first subtree known to have a solution.
    winner: AtomicUsize,
    /// The moves of a path longer than any threshold: a table is damaged.
    endless: OnceLock<Vec<Move>>,
    /// Nodes that the subtrees may still generate.
    budget: AtomicU64,
    /// Nodes that an earlier run has generated in subtrees.
    restored: u64,
    control: &'a Control,
    journal: &'a dyn Journal,
    /// Receives all solutions, if they are wanted.
    all: Option<&'a Receive<'a>>,
}

/// Receives the moves of a solution. Returns whether the search is to go on.
pub(super) type Receive<'a> = dyn Fn(&[Move]) -> bool + Sync + 'a;

/// A path longer than any threshold, from the root of the iteration: a table is damaged.
pub(super) struct Endless(pub Vec<Move>);

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
    path: u64,
    depth: u32,
    /// The nodes that a search in the iteration's order has counted, at the levels above, before
    /// this node.
    above: Count,
}

struct Subtree<W, const V: usize> {
    branch: Branch<W, V>,
    generated: AtomicU64,
    expanded: AtomicU64,
    solution: OnceLock<Vec<u8>>,
    /// It was finished in an earlier run.
    restored: bool,
}

impl<W, const V: usize> Branch<W, V> {
    /// The moves from the iteration's root to a node below this branch, given those from here.
    fn moves<'m>(&self, below: impl IntoIterator<Item = &'m u8>) -> Vec<Move> {
        let above = (0..self.depth).map(|i| (self.path >> (2 * i) & 3) as usize);
        let below = below.into_iter().map(|&m| usize::from(m));
        above.chain(below).map(|m| Move::ALL[m % 4]).collect()
    }
}

impl<W, const V: usize> Subtree<W, V> {
    fn new(branch: Branch<W, V>) -> Subtree<W, V> {
        let (generated, expanded) = (AtomicU64::new(0), AtomicU64::new(0));
        Subtree { branch, generated, expanded, solution: OnceLock::new(), restored: false }
    }
}

impl<'a, W: Copy + Default + Send + Sync, const V: usize> Iteration<'a, W, V> {
    /// Splits the tree below `root`. A `symmetric` root equals its mirror image: half of its moves
    /// are enough, as a solution or its mirror image begins with the lesser of a move and its
    /// mirror image. `last` is the number of nodes of the iteration before.
    ///
    /// # Safety
    /// - `root` is a node of `expander`.
    pub unsafe fn split<S: Space<View = W>>(
        expander: &Expander<'_, S, V>,
        root: Node<W, V>,
        symmetric: bool,
        last: u64,
        order: Order,
        control: &'a Control,
    ) -> Iteration<'a, W, V> {
        let mut level = vec![Branch { node: root, path: 0, depth: 0, above: Count::default() }];
        let mut total = Count::default();
        let mut frames: [Frame<S, V>; BATCH] = std::array::from_fn(|_| Frame::new());
        let mut depth = 0;
        while !order.is_split(last, depth, level.len()) {
            let half = symmetric && depth == 0;
            let mut next = Vec::with_capacity(3 * level.len());
            let mut sum = Count::default();
            for branches in level.chunks(BATCH) {
                // The whole batch is prefetched before the first frame is read.
                for (frame, branch) in frames.iter_mut().zip(branches) {
                    // SAFETY: the node is the root or descends from it.
                    unsafe { expander.frame(&branch.node, frame) };
                }
                for (frame, branch) in frames.iter().zip(branches) {
                    if expander.is_goal(&branch.node) {
                        next.push(Branch { above: branch.above + sum, ..*branch });
                        continue;
                    }
                    let wanted = |m: usize| !half || m < Move::ALL[m].transposed() as usize;
                    let generated = if half { frame.len().div_ceil(2) } else { frame.len() };
                    sum = sum + Count { generated: generated as u64, expanded: 1 };
                    // SAFETY: the frame was filled just above.
                    let survivors = unsafe { frame.survivors(expander) };
                    next.extend(survivors.filter(|node| wanted(node.last())).map(|node| Branch {
                        node,
                        path: branch.path | (node.last() as u64) << (2 * depth),
                        depth: depth + 1,
                        above: branch.above + sum,
                    }));
                }
            }
            total = total + sum;
            level = next;
            depth += 1;
        }
        if order == Order::BestFirst {
            // Roots, goals aside, are equally deep, so a smaller h leaves more slack.
            level.sort_by_key(|branch| Reverse(branch.node.least_slack()));
            level.iter_mut().for_each(|branch| branch.above = total);
        }
        Iteration {
            subtrees: level.into_iter().map(Subtree::new).collect(),
            above: total,
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            endless: OnceLock::new(),
            budget: AtomicU64::new(u64::MAX),
            restored: 0,
            control,
            journal: &(),
            all: None,
        }
    }

    /// Reports the progress to a journal.
    pub fn with_journal(mut self, journal: &'a dyn Journal) -> Self {
        self.journal = journal;
        self
    }

    /// Goes on after a solution, and has all of them received, in any order.
    pub fn with_all(mut self, receive: &'a Receive<'a>) -> Self {
        self.all = Some(receive);
        self
    }

    /// The number of subtrees.
    pub fn packets(&self) -> usize {
        self.subtrees.len()
    }

    /// Takes over the packets of the same iteration that an earlier run has finished.
    pub fn restore(&mut self, record: &Record) {
        for subtree in self.subtrees.iter_mut().take(record.row) {
            subtree.restored = true;
        }
        if let Some(first) = self.subtrees.first_mut().filter(|_| record.row > 0) {
            // The counts of the whole row.
            *first.generated.get_mut() = record.generated;
            *first.expanded.get_mut() = record.expanded;
            self.restored = record.generated;
        }
        for packet in &record.beyond {
            let Some(subtree) = self.subtrees.get_mut(packet.number) else { continue };
            subtree.restored = true;
            *subtree.generated.get_mut() = packet.generated;
            *subtree.expanded.get_mut() = packet.expanded;
            self.restored += packet.generated;
            if let Some(solution) = &packet.solution {
                subtree.solution = solution.clone().into();
                let winner = self.winner.get_mut();
                *winner = packet.number.min(*winner);
            }
        }
    }

    /// Searches all subtrees and adds the nodes to `outcome`. Returns the solution, if there is
    /// one. After about `budget` nodes, those of restored packets among them, the search gives up;
    /// that many nodes are counted then, and no solution is returned.
    ///
    /// # Errors
    /// [`Endless`] if a table is damaged.
    ///
    /// # Safety
    /// - `expander` is the one that the iteration was split with.
    pub unsafe fn search<S: Space<View = W>>(
        mut self,
        expander: &Expander<'_, S, V>,
        crew: &mut Crew<S, V>,
        last: u64,
        budget: u64,
        outcome: &mut Outcome,
    ) -> Result<Option<Path>, Endless> {
        *self.budget.get_mut() = budget.saturating_sub(self.restored);
        if last > PARALLEL && rayon::current_num_threads() > 1 {
            // SAFETY: the subtrees' roots descend from the root, which is a node of `expander`.
            rayon::broadcast(|_| unsafe { Crew::new().run(expander, &mut &self) });
        } else {
            // SAFETY: as above.
            unsafe { crew.run(expander, &mut &self) };
        }
        if let Some(moves) = self.endless.into_inner() {
            return Err(Endless(moves));
        }
        if self.budget.into_inner() == 0 {
            outcome.generated += budget.max(self.restored);
            return Ok(None);
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
        let Some(subtree) = solved else { return Ok(None) };
        let below = subtree.solution.get().into_iter().flatten();
        Ok(Some(Path(subtree.branch.moves(below))))
    }

    fn wanted(&self, name: usize) -> bool {
        name <= self.winner.load(Ordering::Relaxed)
            && self.budget.load(Ordering::Relaxed) > 0
            && self.endless.get().is_none()
            // The budget counts the nodes.
            && self.control.check(0).is_none()
    }

    /// Records how many nodes a subtree has generated so far.
    fn count(&self, subtree: &Subtree<W, V>, generated: u64) {
        let before = subtree.generated.swap(generated, Ordering::Relaxed);
        self.journal.searched(generated - before);
        let spend = |left: u64| Some(left.saturating_sub(generated - before));
        // Never fails: the closure always returns a value.
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

    fn done(&mut self, report: Report<'_>) -> bool {
        let subtree = &self.subtrees[report.name];
        if let (Some(receive), End::Solved(path)) = (self.all, &report.end) {
            if !receive(&subtree.branch.moves(*path)) {
                self.budget.store(0, Ordering::Relaxed);
            }
            return true;
        }
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
            End::Endless(path) => {
                // Ends the search of all subtrees.
                self.endless.get_or_init(|| subtree.branch.moves(path));
            }
        }
        false
    }

    fn dropped(&mut self, name: usize, generated: u64) -> bool {
        self.count(&self.subtrees[name], generated);
        !self.wanted(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_split_by_the_nodes_before() {
        let is_split = |order: Order, last, depth, subtrees| order.is_split(last, depth, subtrees);
        for (last, depth) in [(0, 4), (1_600, 6), (1 << 20, 12), (u64::MAX, 15)] {
            assert!(!is_split(Order::DepthFirst, last, depth - 1, usize::MAX), "{last}");
            assert!(is_split(Order::DepthFirst, last, depth, 0), "{last}");
        }
        for (last, subtrees) in [(0, 16), (6_400, 100), (u64::MAX, 1 << 20)] {
            assert!(!is_split(Order::BestFirst, last, 0, subtrees - 1), "{last}");
            assert!(is_split(Order::BestFirst, last, 0, subtrees), "{last}");
        }
        // A branch holds no more moves, however few subtrees there are.
        assert!(is_split(Order::BestFirst, u64::MAX, MAX_SPLIT, 1));
    }
}
