//! True distances of boards.

use super::suite::Suite;
use super::{Error, Settings};
use crate::solver::{Event, Solver};
use crate::store::Store;

/// The standard search, which finds the distances of boards. Its databases are loaded or built, unless the
/// lengths of all boards of the suite are known.
///
/// # Errors
/// The databases cannot be loaded.
pub fn distances(
    suite: &Suite,
    store: &Store,
    settings: &Settings,
    events: impl Fn(&Event<'_>) + Send + Sync + 'static,
) -> Result<Solver, Error> {
    let mut builder = Solver::builder().goal(suite.goal.clone()).metric(suite.metric);
    if settings.threads > 1 {
        // The searches of other boards run at the same time.
        builder = builder.threads(1);
    }
    let solver = builder.store(store.clone()).progress(events).build()?;
    if suite.cases.iter().any(|case| case.known.is_none()) {
        solver.value(suite.goal.board())?;
    }
    Ok(solver)
}
