//! A threshold of a search in parts, which any number of programs search.
//!
//! A part is a contiguous range of the threshold's [`Roots`], and is always searched as a whole. Its result
//! is the same wherever it is searched. Joined in a [`Record`](crate::search::Record), the results of all parts equal
//! the results of an undivided search.
//!
//! A subtree may have thousands of times the nodes of another. Their number is known for the large subtrees
//! of the threshold before, and estimated for the subtrees below them: a few moves further down, the slacks
//! of the nodes tell how much the search will prune. Where more than half a part is expected, the subtree is
//! divided further, so that no part is long.

use super::search::Search;
use super::views::{Engine, SearchError};
use crate::board::{Metric, Moves, Position};
use crate::search::run::{Count, Limits, Proof, Record, Threshold};
use crate::search::threshold::{GROWTH, Prefix, Root, Roots, Sizes, SubtreeResults};

/// The result of a part: the nodes up to the first solution, or of all subtrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartResult {
    /// The nodes generated, including the nodes above the roots.
    pub generated: u64,
    /// The nodes expanded.
    pub expanded: u64,
    /// The moves of the first solution, if there is one: on the canonical board, from the position to the
    /// goal.
    pub solution: Option<Moves>,
    /// The nodes of the large subtrees.
    pub sizes: Vec<(Prefix, u64)>,
}

/// A subtree of a part is large if it has at least this part of its nodes.
const LARGE: u64 = 16;

/// A subtree is divided if more than this part of a packet's nodes is expected of it.
const MOST: f64 = 0.5;

impl Search<'_> {
    /// Divides the threshold for parts of this many nodes, or for `count` parts if they would be more, on
    /// the current rayon thread pool. `sizes` are the nodes of large subtrees of the threshold before.
    ///
    /// There are at most some million subtrees, which take 350 MB meanwhile. Of a threshold that was begun,
    /// the finished row is skipped, and the subtrees beyond it are searched again.
    ///
    /// # Errors
    /// [`SearchError::Broken`] if a table does not lead to the goal; [`SearchError::Stopped`] if the choice
    /// of views was stopped.
    pub fn divide(
        &mut self,
        count: usize,
        nodes: u64,
        sizes: &[(Prefix, u64)],
        limits: &Limits,
    ) -> Result<Roots, SearchError> {
        if let Some(stop) = self.choose(limits)? {
            return Err(SearchError::Stopped(stop));
        }
        let own: Sizes = if sizes.is_empty() { self.sizes.clone() } else { sizes.to_vec() };
        let record = self.record.clone();
        let order = self.engine.order(&record.threshold);
        let total = record.threshold.last() as f64 * GROWTH;
        let part = (total / count.max(1) as f64).max(nodes as f64);
        Ok(self.take_tree()?.divide(&record, order, part * MOST, &own))
    }

    /// The proof that an earlier run of a search left in its threshold. The run vouches for it: the
    /// thresholds below are not searched again.
    pub fn proof(&self) -> Proof {
        Proof::new(&self.position, Metric::Single, self.record.threshold.bound)
    }

    /// Turns to the next threshold, after all parts of this one were searched and hold no solution. `part`
    /// has their nodes, and the nodes after the last of them.
    ///
    /// # Errors
    /// [`SearchError::Record`] if there are more nodes than a counter holds.
    pub fn exhausted(&mut self, subtrees: usize, part: Count) -> Result<(), SearchError> {
        let Record { threshold, generated, expanded, .. } = &self.record;
        let generated = sum([threshold.generated, *generated, part.generated])?;
        let expanded = sum([threshold.expanded, *expanded, part.expanded])?;
        self.record.advance(generated, expanded, subtrees);
        (self.nodes, self.tree) = (Count { generated, expanded }, None);
        if self.record.is_possible() { Ok(()) } else { Err(SearchError::Record) }
    }
}

/// The sum of untrusted numbers of nodes.
fn sum(nodes: impl IntoIterator<Item = u64>) -> Result<u64, SearchError> {
    nodes.into_iter().try_fold(0, u64::checked_add).ok_or(SearchError::Record)
}

impl Engine {
    /// Searches subtrees of a threshold, in their order, on the current rayon thread pool.
    ///
    /// # Errors
    /// As [`Engine::resume`]; [`SearchError::Record`] if the search prunes one of the subtrees;
    /// [`SearchError::Stopped`] if a limit ends the search.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn search_part(
        &self,
        position: &Position,
        threshold: &Threshold,
        roots: &[Root],
        limits: &Limits,
    ) -> Result<PartResult, SearchError> {
        let mut search = self.resume(position, Record::new(threshold.clone()))?;
        let prefixes: Vec<Prefix> = roots.iter().map(|root| root.prefix).collect();
        let found = search.take_tree()?.search(threshold, &prefixes, limits);
        let found = found.map_err(|endless| self.blame(position, &threshold.views, &endless))?;
        let SubtreeResults { counts, outcome } = found.ok_or(SearchError::Record)?;
        if let Some(stop) = outcome.stopped {
            return Err(SearchError::Stopped(stop));
        }
        let nodes = roots.iter().zip(&counts);
        let nodes = nodes.flat_map(|(root, count)| [&root.above, count]);
        let generated = sum(nodes.clone().map(|count| count.generated))?;
        let expanded = sum(nodes.map(|count| count.expanded))?;
        let sizes = prefixes.into_iter().zip(counts.iter().map(|count| count.generated));
        let sizes = sizes.filter(|&(_, nodes)| nodes > generated / LARGE).collect();
        Ok(PartResult { generated, expanded, solution: outcome.path, sizes })
    }
}
