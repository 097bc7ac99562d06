//! One iteration of the deepening, in lanes and threads.
//!
//! An iteration searches the subtrees of a [`Frontier`]. The first subtree in its order that has a
//! solution decides: later ones are dropped, earlier ones are finished. The solution and the node
//! counts are therefore those of a search of one subtree after the other, whatever the number of
//! lanes and threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::expand::Expander;
use super::frontier::{Branch, Count, Frontier};
use super::lanes::{self, Crew, Job, Report, Source};
use super::space::Space;
use super::{Control, Finished, Journal, Outcome, Record, Stop};
use crate::board::{Move, Moves};

/// After an iteration larger than this, all threads search.
const PARALLEL: u64 = 20_000;

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
    /// The number of subtrees that are finished.
    finished: AtomicUsize,
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

/// The end of an iteration.
pub(super) enum End {
    /// The first solution.
    Found(Moves),
    /// Every subtree is finished, and none holds a solution.
    Exhausted,
    /// A limit ended the search of a subtree.
    Stopped(Stop),
}

/// A path longer than any threshold, from the root of the iteration: a table is damaged.
pub(super) struct Endless(pub Vec<Move>);

struct Subtree<W, const V: usize> {
    branch: Branch<W, V>,
    generated: AtomicU64,
    expanded: AtomicU64,
    solution: OnceLock<Vec<u8>>,
    /// It was finished in an earlier run.
    restored: bool,
}

impl<W, const V: usize> Subtree<W, V> {
    fn new(branch: Branch<W, V>) -> Subtree<W, V> {
        let (generated, expanded) = (AtomicU64::new(0), AtomicU64::new(0));
        Subtree { branch, generated, expanded, solution: OnceLock::new(), restored: false }
    }
}

impl<'a, W: Copy + Default + Send + Sync, const V: usize> Iteration<'a, W, V> {
    /// An iteration over these subtrees.
    pub fn new(frontier: Frontier<W, V>, control: &'a Control) -> Iteration<'a, W, V> {
        Iteration {
            subtrees: frontier.branches.into_iter().map(Subtree::new).collect(),
            above: frontier.above,
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            endless: OnceLock::new(),
            finished: AtomicUsize::new(0),
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
    pub fn len(&self) -> usize {
        self.subtrees.len()
    }

    /// Takes over the subtrees of the same iteration that an earlier run has finished.
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
        for finished in &record.beyond {
            let Some(subtree) = self.subtrees.get_mut(finished.number) else { continue };
            subtree.restored = true;
            *subtree.generated.get_mut() = finished.generated;
            *subtree.expanded.get_mut() = finished.expanded;
            self.restored += finished.generated;
            if let Some(solution) = &finished.solution {
                subtree.solution = solution.clone().into();
                let winner = self.winner.get_mut();
                *winner = finished.number.min(*winner);
            }
        }
    }

    /// Searches all subtrees and adds the nodes to `outcome`. After about `budget` nodes, those of
    /// restored subtrees among them, the search gives up; that many nodes are counted then, and no
    /// solution is returned.
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
    ) -> Result<End, Endless> {
        *self.budget.get_mut() = budget.saturating_sub(self.restored);
        *self.finished.get_mut() = self.subtrees.iter().filter(|subtree| subtree.restored).count();
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
            return Ok(End::Stopped(self.control.check(outcome.generated).unwrap_or(Stop::Nodes)));
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
        if let Some(subtree) = solved {
            let below = subtree.solution.get().into_iter().flatten();
            return Ok(End::Found(Moves(subtree.branch.moves(below))));
        }
        if self.finished.into_inner() == self.subtrees.len() {
            return Ok(End::Exhausted);
        }
        // A deadline may have passed for a moment only.
        Ok(End::Stopped(self.control.check(outcome.generated).unwrap_or(Stop::Time)))
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
        if let (Some(receive), lanes::End::Solved(path)) = (self.all, &report.end) {
            if !receive(&subtree.branch.moves(*path)) {
                self.budget.store(0, Ordering::Relaxed);
            }
            return true;
        }
        self.count(subtree, report.generated);
        subtree.expanded.store(report.expanded, Ordering::Relaxed);
        self.finished.fetch_add(1, Ordering::Relaxed);
        let finished = |solution: Option<Vec<u8>>| {
            self.journal.finished(Finished {
                number: report.name,
                generated: report.generated,
                expanded: report.expanded,
                solution,
            });
        };
        match report.end {
            lanes::End::Exhausted => finished(None),
            lanes::End::Solved(path) => {
                subtree.solution.get_or_init(|| path.to_vec());
                finished(Some(path.to_vec()));
                self.winner.fetch_min(report.name, Ordering::Relaxed);
            }
            lanes::End::Endless(path) => {
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
