//! A threshold of a search in parts, which any number of programs search.
//!
//! A part is a contiguous range of the threshold's subtrees, named by their [`Prefix`]es. Its result is the
//! same wherever it is searched. Joined in a [`Record`](super::Record), the results of all parts are
//! those of a search that was not divided: [`Engine::resume`] turns them into its answer.

use std::sync::{Mutex, PoisonError};

use super::engine::{Engine, Prepared, Spaces, with_space, with_views};
use super::frontier::{Frontier, Prefix};
use super::iteration::Iteration;
use super::lanes::Crew;
use super::space::Space;
use super::{Control, Finished, Journal, Outcome, Record, ResumeError, Stop, Threshold};
use crate::board::Position;
use crate::memo::lock;

/// The result of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The nodes generated in the subtrees before the first solution, or in all.
    pub generated: u64,
    /// The nodes expanded there.
    pub expanded: u64,
    /// The first subtree that holds a solution, by its number in the part.
    pub solution: Option<Finished>,
}

impl Engine {
    /// The prefixes of a threshold's subtrees in their order, and the slack at the root of each:
    /// half of the amount by which h may be too low. A subtree with one unit more has several
    /// times the nodes.
    ///
    /// There are at most about a million subtrees, which take 350 MB meanwhile.
    ///
    /// # Errors
    /// [`ResumeError::Record`] if the threshold is not one of a search for this position with these
    /// tables; [`ResumeError::Broken`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn prefixes(
        &self,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<Vec<(Prefix, u32)>, ResumeError> {
        self.check_threshold(position, threshold)?;
        with_space!(self.prefixes_in(position, threshold))
    }

    /// Searches some subtrees of a threshold in the order of their prefixes, on the current rayon
    /// thread pool. The result does not depend on the number of threads. `journal` receives the
    /// progress.
    ///
    /// # Errors
    /// As [`Engine::prefixes`]; [`ResumeError::Record`] if the search prunes one of the subtrees.
    /// Within: the reason if the search was stopped before it was done.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn search_part(
        &self,
        position: &Position,
        threshold: &Threshold,
        prefixes: &[Prefix],
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Result<Part, Stop>, ResumeError> {
        self.check_threshold(position, threshold)?;
        with_space!(self.part_in(position, threshold, prefixes, control, journal))
    }

    fn check_threshold(
        &self,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<(), ResumeError> {
        self.check_record(position, &Record::new(threshold.clone()))
    }

    fn prefixes_in<S: Space>(
        &self,
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<Vec<(Prefix, u32)>, ResumeError> {
        let views = threshold.views.as_slice();
        with_views!(views, self.prefixes_with(prepared, position, threshold))
    }

    fn prefixes_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<Vec<(Prefix, u32)>, ResumeError> {
        let root = self.root(prepared, position)?;
        let node = root.node(views, threshold.bound).ok_or(ResumeError::Record)?;
        let expander = self.expander(prepared, views);
        let (last, order) = (threshold.last(), self.order(threshold));
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
        Ok(frontier.prefixes().collect())
    }

    fn part_in<S: Space>(
        &self,
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
        prefixes: &[Prefix],
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Result<Part, Stop>, ResumeError> {
        let views = threshold.views.as_slice();
        with_views!(
            views,
            self.part_with(prepared, position, threshold, prefixes, control, journal)
        )
    }

    #[allow(clippy::too_many_arguments, reason = "the macros choose the first two")]
    fn part_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
        prefixes: &[Prefix],
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Result<Part, Stop>, ResumeError> {
        let root = self.root(prepared, position)?;
        let node = root.node(views, threshold.bound).ok_or(ResumeError::Record)?;
        let expander = self.expander(prepared, views);
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::of(&expander, node, prefixes) };
        let frontier = frontier.ok_or(ResumeError::Record)?;
        let kept = Kept { record: Mutex::default(), journal };
        let iteration = Iteration::new(frontier, control).with_journal(&kept);
        let (last, nodes) = (threshold.last(), control.nodes());
        let (mut crew, mut outcome) = (Crew::new(), Outcome::default());
        // SAFETY: the frontier is of this expander.
        let end = unsafe { iteration.search(&expander, &mut crew, last, nodes, &mut outcome) };
        end.map_err(|endless| self.blame(position, &views, &endless))?;
        let record = kept.record.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Record { row, generated, expanded, beyond, .. } = record;
        // All that comes before the first solution is finished, unless the search was stopped.
        let solution = beyond.into_iter().find(|finished| finished.number == row);
        if solution.is_none() && row < prefixes.len() {
            return Ok(Err(control.check(0).unwrap_or(Stop::Nodes)));
        }
        Ok(Ok(Part { generated, expanded, solution }))
    }
}

/// Keeps the record of a part.
struct Kept<'a> {
    record: Mutex<Record>,
    journal: &'a dyn Journal,
}

impl Journal for Kept<'_> {
    fn finished(&self, subtree: Finished) {
        lock(&self.record).add(subtree);
    }

    fn searched(&self, nodes: u64) {
        self.journal.searched(nodes);
    }
}
