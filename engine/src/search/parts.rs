//! A threshold of a search in parts, which any number of programs search.
//!
//! A part is a contiguous range of the threshold's subtrees, named by their [`Prefix`]es. Its result is the
//! same wherever it is searched. Joined in a [`Record`](super::Record), the results of all parts are
//! those of a search that was not divided: [`Engine::resume`] turns them into its answer.

use super::engine::{Engine, EngineSearch, Prepared, Spaces, with_space, with_views};
use super::frontier::{Frontier, Order, Prefix};
use super::iteration;
use super::lanes::Crew;
use super::race::Race;
use super::space::Space;
use super::{Control, Journal, Outcome, Record, SearchError, Threshold};
use crate::board::{Moves, Position};

/// The result of a part: the nodes up to the first solution, or of all subtrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The nodes generated.
    pub generated: u64,
    /// The nodes expanded.
    pub expanded: u64,
    /// The first solution, if there is one.
    pub solution: Option<Found>,
}

/// The solution that a part holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found {
    /// The nodes generated and expanded above the subtrees, up to this one: in a depth-first
    /// threshold fewer than all.
    pub above: Option<[u64; 2]>,
    /// The moves on the canonical board, from the root of the search.
    pub moves: Moves,
}

/// The roots of a threshold's subtrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// The moves to each, in the order of the search, and the slack there: half of the amount by
    /// which h may be too low. A subtree with one unit more has several times the nodes.
    pub prefixes: Vec<(Prefix, u32)>,
    /// The nodes generated and expanded above them.
    pub above: [u64; 2],
}

impl Engine {
    /// Splits a threshold into its subtrees, on the current rayon thread pool.
    ///
    /// There are at most about a million subtrees, which take 350 MB meanwhile.
    ///
    /// # Errors
    /// [`SearchError::Record`] if the threshold is not one of a search for this position with these
    /// tables; [`SearchError::Broken`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn split(&self, position: &Position, threshold: &Threshold) -> Result<Roots, SearchError> {
        self.check_threshold(position, threshold)?;
        with_space!(self, threshold.views.as_slice(), |prepared, views| {
            self.split_with(views, prepared, position, threshold)
        })
    }

    /// Searches some subtrees of a threshold in the order of their prefixes, on the current rayon
    /// thread pool. The result does not depend on the number of threads. `journal` receives the
    /// progress.
    ///
    /// # Errors
    /// As [`Engine::split`]; [`SearchError::Record`] if the search prunes one of the subtrees;
    /// [`SearchError::Stopped`].
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
    ) -> Result<Part, SearchError> {
        self.check_threshold(position, threshold)?;
        with_space!(self, threshold.views.as_slice(), |prepared, views| {
            self.part_with(views, prepared, position, threshold, prefixes, control, journal)
        })
    }

    /// The threshold that follows one whose subtrees hold no solution, with the views chosen for
    /// it. `record` has all of the `subtrees` in its row, and `above` is that of [`Roots`].
    ///
    /// # Errors
    /// As [`Engine::split`]; [`SearchError::Record`] if the record is not that of a whole threshold;
    /// [`SearchError::Stopped`] if the choice of views was stopped.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn exhausted(
        &self,
        position: &Position,
        mut record: Record,
        subtrees: usize,
        above: [u64; 2],
        control: &Control,
    ) -> Result<Threshold, SearchError> {
        self.check_record(position, &record)?;
        let Threshold { generated, expanded, .. } = record.threshold;
        let sum = |numbers: [u64; 3]| numbers.into_iter().try_fold(0, u64::checked_add);
        let generated = sum([generated, record.generated, above[0]]).ok_or(SearchError::Record)?;
        let expanded = sum([expanded, record.expanded, above[1]]).ok_or(SearchError::Record)?;
        if record.row != subtrees || !record.beyond.is_empty() {
            return Err(SearchError::Record);
        }
        record.advance(generated, expanded, subtrees);
        self.check_record(position, &record)?;
        let mut threshold = record.threshold;
        if self.choice_is_due(&threshold) {
            let stop = with_space!(self, |prepared| {
                let root = self.root(prepared, position, &threshold.views)?;
                let mut search = EngineSearch { prepared, position, root, control, journal: &() };
                self.choose(&mut search, &mut threshold)
            })?;
            if let Some(stop) = stop {
                return Err(SearchError::Stopped(stop));
            }
        }
        Ok(threshold)
    }

    pub(super) fn check_threshold(
        &self,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<(), SearchError> {
        self.check_record(position, &Record::new(threshold.clone()))
    }

    fn split_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<Roots, SearchError> {
        let root = self.root(prepared, position, &views)?;
        let node = root.node(views, threshold.bound).ok_or(SearchError::Record)?;
        let expander = self.expander(prepared, views);
        let (last, order) = (threshold.last(), self.order(threshold));
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
        Ok(Roots { prefixes: frontier.prefixes().collect(), above: frontier.above.into() })
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
    ) -> Result<Part, SearchError> {
        let root = self.root(prepared, position, &views)?;
        let node = root.node(views, threshold.bound).ok_or(SearchError::Record)?;
        let expander = self.expander(prepared, views);
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::of(&expander, node, prefixes) };
        let frontier = frontier.ok_or(SearchError::Record)?;
        let race = Race::new(frontier.branches, frontier.above, control, journal);
        let (last, order) = (threshold.last(), self.order(threshold));
        let (mut crew, mut outcome) = (Crew::new(), Outcome::default());
        let nodes = control.nodes();
        // SAFETY: the frontier is of this expander.
        let end = unsafe {
            iteration::search(race, &expander, &mut crew, last, nodes, None, &mut outcome)
        };
        let winner = end.map_err(|endless| self.blame(position, &views, &endless))?;
        if let Some(stop) = outcome.stopped {
            return Err(SearchError::Stopped(stop));
        }
        let Outcome { generated, expanded, path, .. } = outcome;
        let Some((path, winner)) = path.zip(winner) else {
            return Ok(Part { generated, expanded, solution: None });
        };
        let above = (order == Order::DepthFirst).then(|| {
            // SAFETY: as above.
            let whole = unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
            let found = whole.branches.iter().find(|branch| branch.prefix == prefixes[winner]);
            found.map_or(whole.above, |branch| branch.above).into()
        });
        let solution = Some(Found { above, moves: path });
        Ok(Part { generated, expanded, solution })
    }
}
