//! The tables of a class of goals, for composed heuristics.

use super::{Check, Event, Loaded, Set, SetError, Store, StoreError};
use crate::board::Grid;
use crate::pdb::PatternError;
use crate::reference::PartitionTables;

/// The tables of a [`Store`] for goals with the blank in one cell of a canonical grid, by the
/// names of their partitions. [`Composed`](crate::reference::Composed) takes them from here.
///
/// It remembers the files that the tables come from.
pub struct Tables<'a> {
    store: &'a Store,
    grid: Grid,
    goal_blank: usize,
    events: &'a dyn Fn(&Event<'_>),
    check: Check,
}

/// Why a partition has no tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesError {
    /// No such partition.
    #[error(transparent)]
    Set(#[from] SetError),
    /// Its tables can be neither opened nor built.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PatternError> for TablesError {
    fn from(error: PatternError) -> TablesError {
        SetError::from(error).into()
    }
}

impl Store {
    /// The tables for goals with the blank in cell `goal_blank` of a canonical grid (see
    /// [`Canonical`](crate::board::Canonical)).
    #[doc(hidden)]
    pub fn tables<'a>(
        &'a self,
        grid: Grid,
        goal_blank: usize,
        events: &'a dyn Fn(&Event<'_>),
    ) -> Tables<'a> {
        Tables { store: self, grid, goal_blank, events, check: Check::default() }
    }
}

impl Tables<'_> {
    /// The check of all tables handed out so far. [`Check::origin`] names their files.
    pub fn check(&self) -> &Check {
        &self.check
    }

    /// The tables of a partition, which is given by name or as lists of tiles: the tables that ignore the
    /// blank if `plain` is set.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn get(&mut self, partition: &str, plain: bool) -> Result<PartitionTables, TablesError> {
        let set = Set::parse(Some(partition), self.grid, self.goal_blank)?;
        if plain {
            return Ok(PartitionTables::Plain(self.store.load_plain(&set, self.events)?));
        }
        let Loaded { tables, check, .. } = self.store.load(&set, self.events)?;
        self.check.join(&check);
        Ok(PartitionTables::ZoneAware(tables.into()))
    }
}
