//! A race of subtrees.
//!
//! The first subtree in their order that has a solution decides: later ones are dropped, earlier ones are
//! finished. So whatever the number of lanes and threads, the solution and the node counts equal the results
//! of a search of one subtree after the other.

use std::ops::Add;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::board::{Move, Moves};
use crate::parallel::threads;
use crate::search::run::{Count, Event, Finished, Limits, Outcome, Record, Stop};

/// After an iteration larger than this, all threads of the pool search.
const PARALLEL: u64 = 20_000;

/// Returns whether all threads search an iteration, by the nodes of the one before.
pub(crate) fn is_parallel(last: u64) -> bool {
    last > PARALLEL && threads() > 1
}

/// The subtrees of an iteration and their results.
pub(crate) struct Race<'a, R> {
    subtrees: Vec<Subtree<R>>,
    /// The nodes above all subtrees.
    above: Count,
    /// The next subtree to search.
    next: AtomicUsize,
    /// The first subtree known to have a solution.
    winner: AtomicUsize,
    /// The nodes generated in subtrees, and before the race.
    generated: AtomicU64,
    given_up: AtomicBool,
    limits: &'a Limits,
    /// Receives all solutions, in any order. Then none ends the race.
    pub all: Option<&'a Receive<'a>>,
    /// A path longer than any threshold: a table is damaged.
    pub endless: OnceLock<Vec<Move>>,
}

/// Receives the moves of a solution. Returns whether the search continues.
pub(crate) type Receive<'a> = dyn Fn(&[Move]) -> bool + Sync + 'a;

struct Subtree<R> {
    root: R,
    /// The nodes that a search in order has counted above this subtree and those before it.
    above: Count,
    /// The nodes that this run has generated in it so far.
    generated: AtomicU64,
    /// Its result, once it is finished.
    end: OnceLock<Finished>,
}

impl<'a, R> Race<'a, R> {
    /// A race of the subtrees with these roots. For each, `before` gives the nodes that a search in order has
    /// counted above it and above those before it; `above` are all nodes above subtrees.
    pub fn new(
        roots: Vec<R>,
        before: impl Fn(&R) -> Count,
        above: Count,
        limits: &'a Limits,
    ) -> Race<'a, R> {
        let subtree = |root| {
            let (generated, end) = (AtomicU64::new(0), OnceLock::new());
            Subtree { above: before(&root), root, generated, end }
        };
        Race {
            subtrees: roots.into_iter().map(subtree).collect(),
            above,
            next: AtomicUsize::new(0),
            winner: AtomicUsize::new(usize::MAX),
            generated: AtomicU64::new(0),
            given_up: AtomicBool::new(false),
            limits,
            all: None,
            endless: OnceLock::new(),
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

    /// The nodes of a subtree; of one that is not finished, the generated ones so far.
    pub fn nodes(&self, number: usize) -> Count {
        let Subtree { generated, end, .. } = &self.subtrees[number];
        match end.get() {
            Some(&Finished { generated, expanded, .. }) => Count { generated, expanded },
            None => Count { generated: generated.load(Ordering::Relaxed), expanded: 0 },
        }
    }

    /// Takes over the subtrees of the same iteration that an earlier run has finished. Those after the row
    /// are no longer in the record.
    pub fn restore(&mut self, record: &mut Record) {
        let Record { row, generated, expanded, .. } = *record;
        // The first one has the counts of the whole row.
        let mut whole = Finished { generated, expanded, ..Finished::default() };
        for subtree in self.subtrees.iter_mut().take(row) {
            subtree.end = std::mem::take(&mut whole).into();
        }
        for finished in record.beyond.drain(..) {
            let Some(subtree) = self.subtrees.get_mut(finished.number) else { continue };
            if finished.solution.is_some() {
                let winner = self.winner.get_mut();
                *winner = finished.number.min(*winner);
            }
            subtree.end = finished.into();
        }
    }

    /// The finished subtrees from a number on.
    pub fn finished(&self, from: usize) -> impl Iterator<Item = Finished> {
        self.subtrees.iter().skip(from).filter_map(|subtree| subtree.end.get().cloned())
    }

    /// Runs the race: `work` searches subtrees until none is [next](Race::next). It adds the nodes to
    /// `outcome`, and the reason to stop. Returns the number of the first subtree that holds a solution, and
    /// the moves of the solution from its root on.
    ///
    /// At about the limit of nodes the race ends. Then that many nodes are counted, and no solution is
    /// returned.
    pub fn run(
        &mut self,
        outcome: &mut Outcome,
        work: impl FnOnce(&Self),
    ) -> Option<(usize, Moves)> {
        let restored = self.subtrees.iter().filter_map(|subtree| subtree.end.get());
        let restored = restored.fold(outcome.generated, |sum, end| sum + end.generated);
        *self.generated.get_mut() = restored;
        work(self);
        let most = self.limits.most_nodes();
        if *self.generated.get_mut() >= most {
            outcome.generated = most.max(restored);
            outcome.stopped = self.limits.check(outcome.generated);
            return None;
        }
        let winner = *self.winner.get_mut();
        let solved = self.subtrees.get(winner);
        let counted = (0..self.len().min(winner.saturating_add(1))).map(|i| self.nodes(i));
        let sum = counted.fold(solved.map_or(self.above, |subtree| subtree.above), Count::add);
        outcome.generated += sum.generated;
        outcome.expanded += sum.expanded;
        if solved.is_none() && self.subtrees.iter().any(|subtree| subtree.end.get().is_none()) {
            // A deadline may have passed for a moment only.
            outcome.stopped = self.limits.check(outcome.generated).or(Some(Stop::Time));
        }
        Some((winner, solved?.end.get()?.solution.clone()?))
    }

    /// The next subtree to search.
    pub fn next(&self) -> Option<(usize, &R)> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let subtree = self.subtrees.get(number).filter(|_| self.is_wanted(number))?;
            if subtree.end.get().is_none() {
                return Some((number, &subtree.root));
            }
        }
    }

    /// Returns whether a subtree is to be searched: no earlier one has a solution, and no limit is
    /// reached.
    fn is_wanted(&self, number: usize) -> bool {
        number <= self.winner.load(Ordering::Relaxed)
            && !self.given_up.load(Ordering::Relaxed)
            && self.limits.check(self.generated.load(Ordering::Relaxed)).is_none()
    }

    /// Records how many nodes a subtree has generated so far.
    fn count(&self, number: usize, generated: u64) {
        let before = self.subtrees[number].generated.swap(generated, Ordering::Relaxed);
        self.limits.report(&Event::Nodes(generated - before));
        self.generated.fetch_add(generated - before, Ordering::Relaxed);
    }

    /// Records the nodes of a subtree so far. Returns whether its search is to go on.
    pub fn goes_on(&self, number: usize, generated: u64) -> bool {
        self.count(number, generated);
        self.is_wanted(number)
    }

    /// Records the result of a subtree: its nodes, and the moves from its root to the goal if there
    /// is a solution.
    pub fn finish(&self, number: usize, count: Count, solution: Option<Moves>) {
        let Count { generated, expanded } = count;
        self.count(number, generated);
        let finished = Finished { number, generated, expanded, solution };
        let finished = self.subtrees[number].end.get_or_init(|| finished);
        if finished.solution.is_some() {
            self.winner.fetch_min(number, Ordering::Relaxed);
        }
        self.limits.report(&Event::Finished(finished));
    }

    /// Ends the race.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }
}
