//! What boards are searched with: tables or other heuristics, and the search that reads them.

use std::fmt;
use std::sync::Arc;

use super::checkpoint::{CheckpointArgs, CheckpointError};
use super::databases::{self, DatabaseError, Databases, Loaded, TableBytes};
use super::exit::ExitCode;
use super::heuristics::{self, Heuristic, HeuristicError, Shelf};
use super::integrity::Check;
use super::limits::Limits;
use super::long;
use super::method::{Guided, Method, MethodArgs};
use super::sets::Set;
use crate::board::Canonical;
use crate::heuristic::{Spec, Term};
use crate::pdb::{BrokenTable, OpenError};
use crate::search::{Catalogue, Control, Outcome, Solver, SolverError};

/// What boards of one class of goals are searched with.
pub(super) enum Engine {
    Tables {
        solver: Box<Solver<TableBytes>>,
        /// Where the tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
        /// What all solutions are found with, where they are wanted.
        all: Option<Box<Heuristic>>,
    },
    Catalogue {
        catalogue: Box<Catalogue<TableBytes>>,
        /// Where the tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
    },
    Plain {
        guided: Guided,
        /// Where its tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
        /// What it is guided by, where it stands in for another one.
        instead: Option<String>,
    },
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub(super) enum EngineError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
}

impl EngineError {
    /// Whether another heuristic or board has to be given.
    pub fn is_usage(&self) -> bool {
        matches!(self, EngineError::Heuristic(error) if heuristics::code(error) == ExitCode::Usage)
    }
}

/// The fast search, where its tables come from, and their checks.
pub(super) type Fast = (Box<Solver<TableBytes>>, String, Vec<Arc<Check>>);

/// The fast search with these sets.
pub(super) fn solver(
    databases: &Databases,
    sets: &[Set],
    heuristic: &Spec,
    note: impl Fn(fmt::Arguments),
) -> Result<Fast, EngineError> {
    let mut partitions = Vec::new();
    let mut origins = Vec::new();
    let mut checks = Vec::new();
    for set in sets {
        let Loaded { tables, origin, check } = databases.load(set, &note)?;
        let tables: [_; 2] =
            tables.try_into().unwrap_or_else(|_| unreachable!("the set has two patterns"));
        partitions.push(tables);
        origins.push(origin);
        checks.push(check);
    }
    let solver = Solver::new(partitions)?;
    let together = *heuristic == Spec::Combined;
    let solver = Box::new(if together { solver.together() } else { solver });
    Ok((solver, origins.join(" or "), checks))
}

/// The fast search of boards of more than 16 cells, where its tables come from, and their check.
pub(super) type Large = (Box<Catalogue<TableBytes>>, String, Arc<Check>);

/// The fast search of boards of more than 16 cells with this set.
pub(super) fn catalogue(
    databases: &Databases,
    set: &Set,
    note: impl Fn(fmt::Arguments),
) -> Result<Large, EngineError> {
    let Loaded { tables, origin, check } = databases.load(set, note)?;
    let tables = tables.into_iter().map(databases::in_memory).collect();
    Ok((Box::new(Catalogue::new(&set.partitions(), tables)?), origin, check))
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.origin())
    }
}

impl Engine {
    /// A plain search with the largest of these bounds.
    pub fn compose(
        databases: &Databases,
        bounds: &[Term],
        canonical: &Canonical,
        method: Method,
        args: MethodArgs,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (grid, blank) = (canonical.grid(), canonical.blank());
        let mut shelf = Shelf::new(databases, grid, blank, note);
        let heuristic = Box::new(shelf.compose(bounds)?);
        let guided = Guided { grid, blank, method, args, heuristic };
        Ok(Engine::Plain { guided, origin: shelf.origin(), checks: shelf.checks(), instead: None })
    }

    /// The same, known to be guided by something else than what was asked for.
    pub fn instead(mut self, name: String) -> Engine {
        if let Engine::Plain { instead, .. } = &mut self {
            *instead = Some(name);
        }
        self
    }

    /// The fast search with the sets of two patterns each, and what finds all solutions if they are
    /// asked for.
    pub fn load(
        databases: &Databases,
        sets: &[Set],
        heuristic: &Spec,
        args: MethodArgs,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (solver, origin, checks) = solver(databases, sets, heuristic, &note)?;
        let all = match &sets[0] {
            set if args.count || args.all => {
                let (grid, blank) = (set.partition.grid(), set.partition.blank());
                let (partition, mirror) = (set.name.clone(), grid.is_mirrored(blank));
                let term = Term::Tables { partition, plain: false, mirror };
                let mut shelf = Shelf::new(databases, grid, blank, &note);
                Some(Box::new(shelf.compose(&[term])?))
            }
            _ => None,
        };
        Ok(Engine::Tables { solver, origin, checks, all })
    }

    /// The fast search of boards of more than 16 cells.
    pub fn catalogue(
        databases: &Databases,
        set: &Set,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (catalogue, origin, check) = catalogue(databases, set, note)?;
        Ok(Engine::Catalogue { catalogue, origin, checks: vec![check] })
    }

    /// Searches a position.
    pub fn search(
        &self,
        canonical: &Canonical,
        labels: &[u8],
        limits: &Limits,
        checkpoint: &CheckpointArgs,
        control: &Control,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Result<Outcome, BrokenTable>, CheckpointError> {
        Ok(match self {
            Engine::Tables { solver, .. } => solver.solve(labels, control),
            Engine::Catalogue { catalogue, .. } => {
                long::search(catalogue, labels, control, checkpoint)?
            }
            Engine::Plain { guided, .. } => guided.search(canonical, labels, limits, control, note),
        })
    }

    /// What all solutions are found with.
    pub fn all(&self) -> Option<&Heuristic> {
        match self {
            Engine::Tables { all, .. } => all.as_deref(),
            Engine::Catalogue { .. } => None,
            Engine::Plain { guided, .. } => Some(&*guided.heuristic),
        }
    }

    /// What it is guided by, where it stands in for another one.
    pub fn stands_in(&self) -> Option<&str> {
        match self {
            Engine::Tables { .. } | Engine::Catalogue { .. } => None,
            Engine::Plain { instead, .. } => instead.as_deref(),
        }
    }

    /// Whether its solutions are optimal.
    pub fn is_optimal(&self) -> bool {
        !matches!(self, Engine::Plain { guided, .. } if !guided.is_optimal())
    }

    /// Whether a search takes so much memory that it should be the only one.
    pub fn is_large(&self) -> bool {
        matches!(self, Engine::Plain { guided, .. } if guided.is_large())
    }

    /// Its solver, if it has databases.
    pub fn solver(&self) -> Option<&Solver<TableBytes>> {
        match self {
            Engine::Tables { solver, .. } => Some(solver),
            Engine::Catalogue { .. } | Engine::Plain { .. } => None,
        }
    }

    /// Where its values come from, for messages.
    pub fn origin(&self) -> String {
        match self {
            Engine::Tables { origin, .. }
            | Engine::Catalogue { origin, .. }
            | Engine::Plain { origin, .. } => origin.clone(),
        }
    }

    pub fn is_long(&self) -> bool {
        matches!(self, Engine::Catalogue { .. })
    }

    /// Waits until the files that its values come from are checked.
    pub fn check(&self) -> Result<(), OpenError> {
        let (Engine::Tables { checks, .. }
        | Engine::Catalogue { checks, .. }
        | Engine::Plain { checks, .. }) = self;
        checks.iter().try_for_each(|check| check.wait())
    }
}
