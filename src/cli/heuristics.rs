//! From the name of a heuristic to what it takes: tables from files, or made in memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::{fmt, io};

use super::databases::{DatabaseError, Databases, Loaded, TableBytes, parts};
use super::engine::{self, EngineError};
use super::exit::ExitCode;
use super::integrity::Check;
use super::memory;
use super::sets::{self, Set, SetError};
use crate::board::Grid;
use crate::heuristic::{ComposeError, Composed, Spec, TableSource, Term};
use crate::pdb::{PlainTable, Table};
use crate::search::{Catalogue, Solver, is_view};

/// A heuristic that is not one of the fast search.
pub(super) type Heuristic = Composed<TableBytes>;

/// Why there is no heuristic.
pub(super) type HeuristicError = ComposeError<ShelfError>;

/// Why a partition has no tables.
#[derive(Debug, thiserror::Error)]
pub(super) enum ShelfError {
    #[error(transparent)]
    Set(#[from] SetError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// What to exit with.
pub(super) fn code(error: &HeuristicError) -> ExitCode {
    match error {
        ComposeError::Tables(ShelfError::Database(_)) => ExitCode::Database,
        _ => ExitCode::Usage,
    }
}

/// The tables of a class of goals, each loaded or made when it is first asked for.
pub(super) struct Shelf<'a, N> {
    databases: &'a Databases,
    grid: Grid,
    blank: usize,
    /// Told what the user should know of a build.
    note: N,
    zone_aware: HashMap<String, Arc<[Table<TableBytes>]>>,
    plain: HashMap<String, Arc<[PlainTable]>>,
    /// Where the zone-aware ones come from, for messages.
    origins: Vec<String>,
    checks: Vec<Arc<Check>>,
}

impl<'a, N: Fn(fmt::Arguments)> Shelf<'a, N> {
    /// For goals with the blank in cell `blank` of a canonical grid.
    pub fn new(databases: &'a Databases, grid: Grid, blank: usize, note: N) -> Self {
        let (zone_aware, plain) = (HashMap::new(), HashMap::new());
        Shelf {
            databases,
            grid,
            blank,
            note,
            zone_aware,
            plain,
            origins: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// The largest of these bounds.
    pub fn compose(&mut self, bounds: &[Term]) -> Result<Heuristic, HeuristicError> {
        Composed::new(bounds, self.grid, self.blank, self)
    }

    /// The checks of the tables handed out so far.
    pub fn checks(&self) -> Vec<Arc<Check>> {
        self.checks.clone()
    }

    /// The fast search of this name, where there is one for the board.
    pub fn solver(&mut self, spec: &Spec) -> Result<Option<Box<Solver<TableBytes>>>, EngineError> {
        let (grid, blank) = (self.grid, self.blank);
        let sets = match spec {
            // Those of larger boards are for a search of their own.
            Spec::Standard if grid.cells() > sets::MAX_CELLS => None,
            Spec::Standard => Set::standard(grid, blank).map(|set| vec![set]),
            Spec::Portfolio => Set::portfolio(grid, blank, 3),
            Spec::Combined => Set::portfolio(grid, blank, 2),
            // These are compared by what they prune, in one plain search.
            Spec::Bound(_) => None,
        };
        let Some(sets) = sets else { return Ok(None) };
        let (solver, origin, checks) = engine::solver(self.databases, &sets, spec, &self.note)?;
        self.origins.push(origin);
        self.checks.extend(checks);
        Ok(Some(solver))
    }

    /// The standard search of boards of more than 16 cells.
    pub fn catalogue(
        &mut self,
        spec: &Spec,
    ) -> Result<Option<Box<Catalogue<TableBytes>>>, EngineError> {
        let set = match spec {
            Spec::Standard if self.grid.cells() > sets::MAX_CELLS => {
                Set::standard(self.grid, self.blank)
            }
            _ => None,
        };
        let Some(set) = set else { return Ok(None) };
        let (catalogue, origin, check) = engine::catalogue(self.databases, &set, &self.note)?;
        self.origins.push(origin);
        self.checks.push(check);
        Ok(Some(catalogue))
    }

    /// Where the tables handed out so far come from, for messages.
    pub fn origin(&self) -> String {
        match &self.origins[..] {
            [] => "none were used".to_owned(),
            origins => origins.join(" or "),
        }
    }
}

impl<N: Fn(fmt::Arguments)> TableSource<TableBytes> for Shelf<'_, N> {
    type Error = ShelfError;

    fn zone_aware(&mut self, partition: &str) -> Result<Arc<[Table<TableBytes>]>, ShelfError> {
        if let Some(tables) = self.zone_aware.get(partition) {
            return Ok(tables.clone());
        }
        let set = Set::parse(Some(partition), self.grid, self.blank)?;
        let Loaded { tables, origin, check } = self.databases.load(&set, &self.note)?;
        self.checks.push(check);
        let tables: Arc<[_]> = tables.into();
        self.origins.push(origin);
        self.zone_aware.insert(partition.to_owned(), tables.clone());
        Ok(tables)
    }

    fn plain(&mut self, partition: &str) -> Result<Arc<[PlainTable]>, ShelfError> {
        if let Some(tables) = self.plain.get(partition) {
            return Ok(tables.clone());
        }
        let set = Set::parse(Some(partition), self.grid, self.blank)?;
        let parts = parts(&set, memory::index_to_build_plain).map_err(DatabaseError::TooLarge)?;
        let tables = parts.iter().map(|part| part.build_plain()).collect::<io::Result<Vec<_>>>();
        let tables: Arc<[_]> = tables.map_err(DatabaseError::Memory)?.into();
        self.plain.insert(partition.to_owned(), tables.clone());
        Ok(tables)
    }
}

/// The set of databases that the fast search serves these bounds with: all tiles in two patterns,
/// on boards of more than 16 cells in up to four, and their mirror where the goal has one.
pub(super) fn fast(bounds: &[Term], grid: Grid, blank: usize) -> Option<Set> {
    let [Term::Tables { partition, plain: false, mirror }] = bounds else { return None };
    let set = Set::parse(Some(partition), grid, blank).ok()?;
    let patterns = set.partition.patterns();
    let tiles: usize = patterns.iter().map(|pattern| pattern.len()).sum();
    let fits = if grid.cells() <= sets::MAX_CELLS {
        patterns.len() == 2 && tiles + 1 == grid.cells()
    } else {
        is_view(&set.partition)
    };
    (fits && *mirror == grid.is_mirrored(blank)).then_some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(text: &str) -> Vec<Term> {
        match text.parse() {
            Ok(Spec::Bound(bounds)) => bounds,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_fast_search_serves_two_patterns_and_their_mirror() {
        let is_fast = |text: &str, (w, h): (usize, usize), blank| {
            fast(&bounds(text), Grid::new(w, h).unwrap(), blank).is_some()
        };
        assert!(is_fast("7-8:mirror", (4, 4), 0));
        assert!(is_fast("7-8b:mirror", (4, 4), 5));
        assert!(is_fast("4-4:mirror", (3, 3), 0));
        assert!(is_fast("1,2,3,4/5,6,7,8:mirror", (3, 3), 0));
        // Without a mirror the fast search has one view.
        assert!(is_fast("7-8", (4, 4), 1));
        assert!(is_fast("5-6", (4, 3), 0));
        // Larger boards may have more patterns.
        assert!(is_fast("6-6-6-6:mirror", (5, 5), 0));
        assert!(is_fast("7-7-7-3:mirror", (5, 5), 0));
        for (text, size, blank) in [
            ("7-8", (4, 4), 0),
            ("7-8:mirror", (4, 4), 1),
            ("7-8:plain:mirror", (4, 4), 0),
            ("6-6-3:mirror", (4, 4), 0),
            ("1,2,3/4,5,6,7:mirror", (3, 3), 0),
            ("max(7-8:mirror,7-8b:mirror)", (4, 4), 0),
            ("7-9:mirror", (4, 4), 0),
            ("manhattan", (4, 4), 0),
            ("6-6-6-6", (5, 5), 0),
            ("1,2,3,4,5,6,7,8/9,10,11,12,13/14,15,16,17,18/19,20,21,22,23,24:mirror", (5, 5), 0),
        ] {
            assert!(!is_fast(text, size, blank), "{text}");
        }
    }

    #[test]
    fn tables_are_made_once() {
        let databases = Databases { folder: "there is no such folder".into(), build: false };
        let mut shelf =
            Shelf::new(&databases, Grid::new(3, 3).unwrap(), 0, |note| panic!("{note}"));
        assert_eq!(shelf.origin(), "none were used");
        let once = shelf.zone_aware("4-4").unwrap();
        assert!(Arc::ptr_eq(&once, &shelf.zone_aware("4-4").unwrap()));
        let plain = shelf.plain("4-4").unwrap();
        assert!(Arc::ptr_eq(&plain, &shelf.plain("4-4").unwrap()));
        assert_eq!(shelf.origin(), "tables made in memory");
        assert!(shelf.plain("4-5").is_err_and(|e| e.to_string().contains("no partition")));
        let compose = |text: &str| {
            let mut shelf = Shelf::new(&databases, Grid::new(4, 4).unwrap(), 1, |_| ());
            shelf.compose(&bounds(text)).err().unwrap()
        };
        let error = compose("5-5-5:mirror");
        assert_eq!(code(&error), ExitCode::Usage);
        assert!(error.to_string().contains("leave :mirror out"), "{error}");
        assert_eq!(code(&compose("5-5-5")), ExitCode::Database);
        assert_eq!(code(&compose("5-5-6")), ExitCode::Usage);
    }
}
