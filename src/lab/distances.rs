//! True distances of boards.

use super::suite::Suite;
use super::{Error, Settings};
use crate::board::Board;
use crate::search::Cancel;
use crate::solver::{Event, Limits, Solver};
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
        let mut builder = Solver::builder().goal(suite.goal.clone()).metric(suite.metric);
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
        let distance = |((), answer): ((), Option<Result<_, crate::solver::Error>>)| {
            let bracket: Option<crate::solver::Bracket> = answer.transpose()?;
            Ok(bracket.filter(|found| found.is_optimal()).map(|found| found.lower_bound))
        };
        self.0.stream(items, limits.clone()).map(distance).collect()
    }
}

/// Solves the boards whose optimal length is unknown, with the standard search.
///
/// # Errors
/// As [`Solver::solve`]; [`Error::Cancelled`].
pub fn distances(suite: &mut Suite, store: &Store, cancel: &Cancel) -> Result<(), Error> {
    let search = Distances::load(suite, store, &Settings::default(), |_| ())?;
    let unknown = suite.cases.iter_mut().filter(|case| case.known.is_none());
    let (boards, places): (Vec<Board>, Vec<&mut Option<u32>>) =
        unknown.map(|case| (case.board.clone(), &mut case.known)).unzip();
    let found = search.of(&boards, &Limits::default().cancel(cancel))?;
    places.into_iter().zip(found).for_each(|(known, found)| *known = found);
    if cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}
