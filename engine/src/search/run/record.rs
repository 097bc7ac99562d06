//! The progress of a long search, and the record from which it can go on later.
//!
//! An iteration is split into subtrees. Which subtrees there are, and in what order, follows from
//! the [`Threshold`] alone. A search that was interrupted therefore goes on from the threshold and the
//! finished subtrees, and gives the same answer.

use crate::board::Moves;

/// A threshold about to be searched, and the record of the thresholds before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Threshold {
    /// The threshold: no solution is shorter.
    pub bound: u32,
    /// The numbers of the views that the iteration uses; empty for a plain search.
    pub views: Vec<usize>,
    /// The thresholds exhausted before, and the nodes generated for each.
    pub history: Vec<(u32, u64)>,
    /// The number of times that other views were tried.
    pub trials: u32,
    /// Nodes generated before this iteration, trials included.
    pub generated: u64,
    /// Nodes expanded before this iteration.
    pub expanded: u64,
    /// Subtrees finished before this iteration.
    pub subtrees: u64,
}

impl Threshold {
    /// The nodes of the iteration before; 0 if there is none.
    pub fn last(&self) -> u64 {
        self.history.last().map_or(0, |&(_, nodes)| nodes)
    }

    /// Turns to the next threshold. The counts include all iterations so far.
    pub(crate) fn advance(&mut self, bound: u32, generated: u64, expanded: u64) {
        self.history.push((self.bound, generated - self.generated));
        (self.bound, self.generated, self.expanded) = (bound, generated, expanded);
    }
}

/// A finished subtree of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finished {
    /// The place in the order of the iteration's subtrees.
    pub number: usize,
    /// The nodes generated in the subtree.
    pub generated: u64,
    /// The nodes expanded in the subtree.
    pub expanded: u64,
    /// The moves from the subtree's root to the goal, if it holds a solution.
    pub solution: Option<Moves>,
}

/// A threshold and its finished subtrees: the state of a search, small enough to be written often.
/// Subtrees are begun in order, so nearly all finished ones form a row from the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// The threshold.
    pub threshold: Threshold,
    /// This many subtrees, from the first, are finished and hold no solution.
    pub row: usize,
    /// The nodes generated in the row.
    pub generated: u64,
    /// The nodes expanded in the row.
    pub expanded: u64,
    /// Finished subtrees after the row.
    pub beyond: Vec<Finished>,
}

impl Record {
    /// The record of a threshold none of whose subtrees is finished.
    pub fn new(threshold: Threshold) -> Record {
        Record { threshold, ..Record::default() }
    }

    /// Returns whether a search can have these numbers: their sum is far below the limit of a counter.
    pub(crate) fn is_possible(&self) -> bool {
        let Record { threshold, row, .. } = self;
        let of_subtrees = |p: &Finished| [p.number as u64, p.generated, p.expanded];
        let counts = [self.generated, self.expanded, threshold.generated, threshold.expanded];
        let counts = counts.into_iter().chain([threshold.subtrees, *row as u64]);
        let counts = counts.chain(threshold.history.iter().map(|&(_, nodes)| nodes));
        let counts = counts.chain(self.beyond.iter().flat_map(of_subtrees));
        let small = |number: u32| number < 1 << 20;
        small(threshold.bound)
            && small(threshold.trials)
            && counts.fold(0, u64::saturating_add) < 1 << 60
    }

    /// Turns to the next threshold, after an iteration of this many subtrees. The counts include all
    /// iterations so far.
    pub(crate) fn advance(&mut self, generated: u64, expanded: u64, subtrees: usize) {
        let mut threshold = std::mem::take(&mut self.threshold);
        threshold.advance(threshold.bound + 2, generated, expanded);
        threshold.subtrees += subtrees as u64;
        *self = Record::new(threshold);
    }

    /// Adds finished subtrees.
    pub fn add(&mut self, subtrees: impl IntoIterator<Item = Finished>) {
        self.beyond.extend(subtrees);
        if self.beyond.iter().any(|subtree| subtree.number == self.row) {
            self.beyond.sort_unstable_by_key(|subtree| subtree.number);
            let in_row = |(subtree, number): &(&Finished, usize)| {
                subtree.number == *number && subtree.solution.is_none()
            };
            let row = self.beyond.iter().zip(self.row..).take_while(in_row).count();
            for Finished { generated, expanded, .. } in self.beyond.drain(..row) {
                self.row += 1;
                self.generated += generated;
                self.expanded += expanded;
            }
        }
    }

    /// The number of finished subtrees of this and all earlier iterations. Subtrees after the first solution
    /// do not count: whether they are finished is chance.
    pub fn subtrees(&self) -> u64 {
        let solved = self.beyond.iter().filter(|p| p.solution.is_some()).map(|p| p.number).min();
        let wanted = |number: usize| solved.is_none_or(|solved| number <= solved);
        let beyond = self.beyond.iter().filter(|p| wanted(p.number)).count();
        self.threshold.subtrees + (self.row + beyond) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    #[test]
    fn subtrees_form_a_row_up_to_the_first_solution() {
        let subtree = |number: usize, solution: Option<Moves>| Finished {
            number,
            generated: 10 + number as u64,
            expanded: number as u64,
            solution,
        };
        let mut record = Record::new(Threshold::default());
        record.add([subtree(1, None)]);
        assert_eq!((record.row, record.beyond.len(), record.subtrees()), (0, 1, 1));
        record.add([subtree(0, None)]);
        assert_eq!((record.row, record.generated, record.expanded), (2, 21, 1));
        record.add([subtree(3, None)]);
        record.add([subtree(2, Some(Moves(vec![Move::Right])))]);
        assert_eq!((record.row, record.beyond.len(), record.subtrees()), (2, 2, 3));
    }
}
