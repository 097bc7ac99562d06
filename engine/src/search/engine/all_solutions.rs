//! The search for all optimal solutions of a position, which repeats the last iteration of a search in full.
//!
//! It uses the move automaton, so it finds a part of the [`Solutions`], from which the others follow.

use std::sync::{Mutex, PoisonError};

use super::views::{Engine, SearchError};
use crate::board::{Move, Position};
use crate::memo::lock;
use crate::search::run::{Limits, Record, Threshold};
use crate::search::solutions::{Found, Solutions};
use crate::search::threshold::{Order, Sizes};

impl Engine {
    /// All optimal solutions of a position, on the current rayon thread pool. `threshold` belongs to the
    /// iteration in which a [`Search`](super::search::Search) found one.
    ///
    /// Unless `limits` limit the memory, the positions on solutions take up to 2 GiB.
    ///
    /// # Errors
    /// [`SearchError`]; [`SearchError::Record`] if the threshold has views that this
    /// engine does not have.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn solutions(
        &self,
        position: &Position,
        threshold: &Threshold,
        limits: &Limits,
    ) -> Result<Solutions, SearchError> {
        let Threshold { views, bound, generated, .. } = threshold;
        if !self.has(views) {
            return Err(SearchError::Record);
        }
        let found = Mutex::new(Found::new(position, *bound, limits));
        let receive = |moves: &[Move]| lock(&found).add(moves).is_ok();
        let (mut record, mut sizes) = (Record::new(threshold.clone()), Sizes::new());
        let (order, mut tree) = (Order::DepthFirst, self.tree(position, views)?);
        // The nodes before the threshold do not count.
        let most = limits.most_nodes().saturating_add(*generated);
        let search_limits = limits.clone().nodes(most);
        let end = tree.iterate(&mut record, order, &search_limits, &mut sizes, Some(&receive));
        let outcome = end.map_err(|endless| self.blame(position, views, &endless))?;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.complete(outcome.stopped, limits).map_err(SearchError::Stopped)
    }
}
