//! True distances of boards.

use super::suite::Suite;
use super::{Error, Settings};
use crate::board::Board;
use crate::solver::{Bracket, Event, Limits, Solver};
use crate::store::Store;

/// The standard search, which finds the distances of boards.
pub struct Distances(Solver);

impl Distances {
    /// Loads or builds the databases, unless the lengths of all boards of the suite are known.
    ///
    /// # Errors
    /// The databases cannot be loaded.
    pub fn load(
        suite: &Suite,
        store: &Store,
        settings: &Settings,
        events: impl Fn(&Event<'_>) + Send + Sync + 'static,
    ) -> Result<Distances, Error> {
        let mut builder = Solver::builder().goal(&suite.goal).metric(suite.metric);
        if settings.threads > 1 {
            // The searches of other boards run at the same time.
            builder = builder.threads(1);
        }
        let solver = builder.store(store.clone()).progress(events).build()?;
        if suite.cases.iter().any(|case| case.known.is_none()) {
            solver.value(suite.goal.board())?;
        }
        Ok(Distances(solver))
    }

    /// The distances of boards, in their order; `None` where a limit ended the search.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(super) fn of(&self, boards: &[Board], limits: &Limits) -> Result<Vec<Option<u32>>, Error> {
        let items: Vec<_> = boards.iter().map(|board| ((), Some(board.clone()))).collect();
        let answers = self.0.stream(items, limits.clone());
        let distances = answers.map(|((), answer)| {
            let found = answer.transpose()?.filter(Bracket::is_optimal);
            Ok(found.map(|found| found.lower_bound))
        });
        distances.collect()
    }
}
