//! A race of subtrees.
//!
//! The first subtree in their order that has a solution decides: later ones are dropped, earlier ones are
//! finished. So whatever the number of lanes and threads, the solution and the node counts equal the results
//! of a search of one subtree after the other.

use std::ops::{Add, Sub};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{Event, Finished, Limits, Outcome, Record, Stop};
use crate::board::Moves;

/// Numbers of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub generated: u64,
    pub expanded: u64,
}

impl From<Count> for [u64; 2] {
    fn from(count: Count) -> [u64; 2] {
        [count.generated, count.expanded]
    }
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

impl Sub for Count {
    type Output = Count;

    fn sub(self, other: Count) -> Count {
        Count {
            generated: self.generated - other.generated,
            expanded: self.expanded - other.expanded,
        }
    }
}

/// After an iteration larger than this, all threads of the pool search.
const PARALLEL: u64 = 20_000;

/// Returns whether all threads search an iteration, by the nodes of the one before.
pub(super) fn is_parallel(last: u64) -> bool {
    last > PARALLEL && rayon::current_num_threads() > 1
}

/// The subtrees of an iteration and their results.
pub(super) struct Race<'a, R> {
    subtrees: Vec<Subtree<R>>,
    /// The nodes above all subtrees.
    above: Count,
    /// The next subtree to search.
    next: AtomicUsize,
    /// The first subtree known to have a solution.
    winner: AtomicUsize,
    /// The number of subtrees that are finished.
    finished: AtomicUsize,
    /// Nodes that the subtrees may still generate.
    budget: AtomicU64,
    /// Nodes that an earlier run has generated in subtrees.
    restored: u64,
    limits: &'a Limits,
}

struct Subtree<R> {
    root: R,
    /// The nodes that a search in order has counted above this subtree and those before it.
    above: Count,
    generated: AtomicU64,
    expanded: AtomicU64,
    solution: OnceLock<Moves>,
    /// It was finished in an earlier run.
    restored: bool,
}

impl<'a, R> Race<'a, R> {
    /// A race of the subtrees with these roots. With each come the nodes that a search in order has counted
    /// above it and above those before it; `above` are all nodes above subtrees.
    pub fn new(
        roots: impl IntoIterator<Item = (R, Count)>,
        above: Count,
        limits: &'a Limits,
    ) -> Race<'a, R> {
        let subtree = |(root, above)| Subtree {
            root,
            above,
            generated: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            solution: OnceLock::new(),
            restored: false,
        };
        Race {
            subtrees: roots.into_iter().map(subtree).collect(),
            above,
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            finished: AtomicUsize::new(0),
            budget: AtomicU64::new(u64::MAX),
            restored: 0,
            limits,
        }
    }

    /// The number of subtrees.
    pub fn len(&self) -> usize {
        self.subtrees.len()
    }

    /// The root of a subtree.
    pub fn root(&self, number: usize) -> &R {
        &self.subtrees[number].root
    }

    /// The nodes of a subtree so far.
    pub fn nodes(&self, number: usize) -> Count {
        let Subtree { generated, expanded, .. } = &self.subtrees[number];
        let [generated, expanded] = [generated, expanded].map(|n| n.load(Ordering::Relaxed));
        Count { generated, expanded }
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

    /// The subtrees that this run has finished. A subtree that is not a goal has at least one node
    /// expanded, which is counted at its end.
    pub fn finished(&self) -> impl Iterator<Item = Finished> {
        let subtree = |(number, subtree): (usize, &Subtree<R>)| {
            let Count { generated, expanded } = self.nodes(number);
            let solution = subtree.solution.get().cloned();
            let is_finished = !subtree.restored && (expanded > 0 || solution.is_some());
            is_finished.then_some(Finished { number, generated, expanded, solution })
        };
        self.subtrees.iter().enumerate().filter_map(subtree)
    }

    /// Runs the race: `work` searches subtrees until none is [next](Race::next). It adds the nodes to
    /// `outcome`, and the reason to stop. Returns the number of the first subtree that holds a solution, and
    /// the moves of the solution from its root on.
    ///
    /// After about `budget` nodes, including the nodes of restored subtrees, the race ends. Then that many
    /// nodes are counted, and no solution is returned.
    pub fn run(
        &mut self,
        budget: u64,
        outcome: &mut Outcome,
        work: impl FnOnce(&Self),
    ) -> Option<(usize, Moves)> {
        *self.budget.get_mut() = budget.saturating_sub(self.restored);
        *self.finished.get_mut() = self.subtrees.iter().filter(|subtree| subtree.restored).count();
        work(self);
        if *self.budget.get_mut() == 0 {
            outcome.generated += budget.max(self.restored);
            outcome.stopped = self.limits.check(outcome.generated).or(Some(Stop::Nodes));
            return None;
        }
        let winner = *self.winner.get_mut();
        let solved = self.subtrees.get(winner);
        let above = solved.map_or(self.above, |subtree| subtree.above);
        outcome.generated += above.generated;
        outcome.expanded += above.expanded;
        for number in 0..self.len().min(winner.saturating_add(1)) {
            let Count { generated, expanded } = self.nodes(number);
            outcome.generated += generated;
            outcome.expanded += expanded;
        }
        if solved.is_none() && self.finished.load(Ordering::Relaxed) < self.len() {
            // A deadline may have passed for a moment only.
            outcome.stopped = self.limits.check(outcome.generated).or(Some(Stop::Time));
        }
        Some((winner, solved?.solution.get()?.clone()))
    }

    /// The next subtree to search.
    pub fn next(&self) -> Option<(usize, &R)> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let subtree = self.subtrees.get(number).filter(|_| self.is_wanted(number))?;
            if !subtree.restored {
                return Some((number, &subtree.root));
            }
        }
    }

    /// Returns whether a subtree is to be searched: no earlier one has a solution, and no limit is
    /// reached.
    fn is_wanted(&self, number: usize) -> bool {
        number <= self.winner.load(Ordering::Relaxed)
            && self.budget.load(Ordering::Relaxed) > 0
            // The budget counts the nodes.
            && self.limits.check(0).is_none()
    }

    /// Records how many nodes a subtree has generated so far.
    fn count(&self, subtree: &Subtree<R>, generated: u64) {
        let before = subtree.generated.swap(generated, Ordering::Relaxed);
        self.limits.report(&Event::Nodes(generated - before));
        let spend = |left: u64| Some(left.saturating_sub(generated - before));
        // Never fails: the closure always returns a value.
        let _ = self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
    }

    /// Records the nodes of a subtree so far. Returns whether its search is to go on.
    pub fn goes_on(&self, number: usize, generated: u64) -> bool {
        self.count(&self.subtrees[number], generated);
        self.is_wanted(number)
    }

    /// Records the result of a subtree: its nodes, and the moves from its root to the goal if there
    /// is a solution.
    pub fn finish(&self, number: usize, count: Count, solution: Option<Moves>) {
        let subtree = &self.subtrees[number];
        let Count { generated, expanded } = count;
        self.count(subtree, generated);
        subtree.expanded.store(expanded, Ordering::Relaxed);
        self.finished.fetch_add(1, Ordering::Relaxed);
        if let Some(solution) = &solution {
            subtree.solution.get_or_init(|| solution.clone());
            self.winner.fetch_min(number, Ordering::Relaxed);
        }
        let finished = Finished { number, generated, expanded, solution };
        self.limits.report(&Event::Finished(&finished));
    }

    /// Ends the race.
    pub fn give_up(&self) {
        self.budget.store(0, Ordering::Relaxed);
    }
}
