//! The search for a goal, with the databases of all goals that are equivalent by symmetry: with the engine,
//! or plainly.

use std::ptr;
use std::sync::{Arc, OnceLock};

use super::labels;
use super::plan::{Plan, Request};
use crate::board::{Metric, Moves, Position};
#[cfg(feature = "serde")]
use crate::classics::PartitionTables;
use crate::classics::{Composed, bfs};
#[cfg(feature = "serde")]
use crate::pdb::{Bytes, Pattern, PlainTable, SlideTable, Table, payload_hash};
use crate::search::{
    Deepening, Engine, Learned, Limits, Outcome, SearchError, Searched, SlideEngine, Solutions,
    Stop, Threshold, slide_ida,
};
use crate::solver::options::{Event, Method};
use crate::solver::results::{Bracket, Error};
use crate::store::{self, Check, Set, SetError, Store, TWO_PATTERN_CELLS};

/// A search, and the check of the files that its tables come from.
pub struct Searcher {
    pub search: Backend,
    /// The learned weights of beams, made when they are first wanted. Without them, the heuristic guides
    /// beams alone.
    pub learned: Option<OnceLock<Learned>>,
    pub metric: Metric,
    pub method: Method,
    /// The name of the heuristic that guides it.
    pub heuristic: Arc<str>,
    /// The check of its files.
    pub check: Check,
    /// Its tables, once they were asked for: that takes a tenth of a second for the tables of 5×5.
    #[cfg(feature = "serde")]
    tables: OnceLock<Vec<TableUse>>,
}

/// A table that a search uses.
#[cfg(feature = "serde")]
#[derive(Clone)]
pub(crate) struct TableUse {
    /// The name of its file. It ends in `:plain` for one that ignores the blank and has no file.
    pub name: String,
    #[cfg_attr(not(feature = "lab"), allow(dead_code, reason = "the laboratory records it"))]
    pub bytes: usize,
    /// The hash of its bytes, as in `pdb/CHECKSUMS`.
    pub checksum: u64,
}

pub enum Backend {
    Engine(Box<Engine>),
    Plain(Arc<Composed>),
    /// Breadth-first search without a heuristic.
    Blind,
    /// A search in the multi-tile metric, with tables or plain.
    Slides(Option<Box<SlideEngine>>),
}

impl Searcher {
    /// Loads or builds the data that the search needs, on the current rayon thread pool.
    pub fn load(
        request: Request<'_>,
        store: &Store,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Searcher, Error> {
        let (plan, spec) = Plan::new(request)?;
        let Request { metric, method, canonical, .. } = request;
        let (grid, goal_blank) = (canonical.grid(), canonical.goal_blank());
        let events = |event: &store::Event<'_>| events(&Event::Store(*event));
        let mut check = Check::default();
        let mut load = |set: &Set| -> Result<store::Loaded, Error> {
            let loaded = store.load(set, &events)?;
            check.join(&loaded.check);
            Ok(loaded)
        };
        let search = match plan {
            Plan::Engine { sets, combined } => {
                let mut tables = Vec::new();
                for set in &sets {
                    tables.extend(load(set)?.tables);
                }
                let partitions: Vec<_> = sets.iter().flat_map(Set::partitions).cloned().collect();
                let engine = Engine::new(&partitions, tables);
                Backend::Engine(Box::new(if combined { engine.combined() } else { engine }))
            }
            Plan::Plain(bounds) => {
                let get = |partition: &str, plain| {
                    let labelled =
                        labels::labelled(partition, canonical).map_err(SetError::from)?;
                    store.tables(&labelled, plain, (grid, goal_blank), &mut check, &events)
                };
                Backend::Plain(Composed::new(&bounds, grid, goal_blank, get)?.into())
            }
            Plan::Blind => Backend::Blind,
            Plan::Slides(set) => {
                let tables = set.map(|set| load(&set)).transpose()?;
                let engine =
                    |set: store::Loaded| SlideEngine::new(grid, goal_blank, set.slide_tables);
                Backend::Slides(tables.map(engine).map(Box::new))
            }
        };
        Ok(Searcher {
            search,
            learned: request.is_learned().then(OnceLock::new),
            metric,
            method,
            heuristic: spec.to_string().into(),
            check,
            #[cfg(feature = "serde")]
            tables: OnceLock::new(),
        })
    }

    /// The error of a search. That a file is damaged comes first.
    pub fn error(&self, error: impl Into<SearchError>) -> Error {
        if let Err(damaged) = self.check.wait() {
            return damaged.into();
        }
        match error.into() {
            SearchError::Broken(broken) => Error::Broken { broken, origin: self.check.origin() },
            SearchError::Stopped(stop) => Error::Stopped(stop),
            _ => {
                let what = "a search does not go on from its own threshold";
                Error::Wrong { what, origin: self.files() }
            }
        }
    }

    /// The result of a search, with the solver's error.
    pub fn result<T>(&self, result: Result<T, impl Into<SearchError>>) -> Result<T, Error> {
        result.map_err(|error| self.error(error))
    }

    /// The tables that the search may use, once [`Searcher::check`] is done.
    #[cfg(feature = "serde")]
    pub fn tables(&self) -> &[TableUse] {
        let of = |pattern: Pattern, metric, bytes: &Bytes| TableUse {
            name: pattern.file_name(metric),
            bytes: bytes.len(),
            checksum: bytes.hash(),
        };
        let single = |table: &Table| of(table.pattern(), Metric::Single, table.bytes());
        let slides = |table: &SlideTable| of(table.pattern(), Metric::Multi, table.bytes());
        let plain = |table: &PlainTable| TableUse {
            name: format!("{}:plain", table.pattern().file_name(Metric::Single)),
            bytes: table.payload().len(),
            checksum: payload_hash(table.payload()),
        };
        self.tables.get_or_init(|| match &self.search {
            Backend::Engine(engine) => engine.tables().iter().map(single).collect(),
            Backend::Plain(composed) => {
                let of = |tables: &PartitionTables| match tables {
                    PartitionTables::ZoneAware(tables) => tables.iter().map(single).collect(),
                    PartitionTables::Plain(tables) => tables.iter().map(plain).collect::<Vec<_>>(),
                };
                composed.tables().iter().flat_map(of).collect()
            }
            Backend::Slides(Some(engine)) => engine.tables().map(slides).collect(),
            Backend::Slides(None) | Backend::Blind => Vec::new(),
        })
    }

    /// The files that the tables come from, for messages; `None` if there are none.
    pub fn files(&self) -> Option<String> {
        self.check.files().next().map(|_| self.check.origin())
    }

    /// These limits for a search that also ends once a file is found to be damaged: no answer can be
    /// given then.
    pub fn guard(self: &Arc<Self>, limits: &Limits) -> Limits {
        let searcher = self.clone();
        limits.clone().reason(Stop::Cancelled, move || searcher.check.failed())
    }

    /// The heuristic's values of positions, in their order.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<u32>, Error> {
        match &self.search {
            Backend::Engine(engine) => self.result(engine.values(positions)),
            Backend::Plain(composed) => {
                let value = |position: &Position| composed.value(position.labels());
                self.result(positions.iter().map(value).collect())
            }
            Backend::Blind => Ok(vec![0; positions.len()]),
            Backend::Slides(engine) => {
                let value = |position| match engine {
                    Some(engine) => engine.value(position),
                    None => slide_ida(position).threshold().bound,
                };
                Ok(positions.iter().map(value).collect())
            }
        }
    }

    /// Searches a position for an optimal solution: at once, or by `deepen` if its search deepens.
    pub fn solve(
        &self,
        position: &Position,
        limits: &Limits,
        deepen: impl FnOnce(&mut dyn Deepening) -> Result<Outcome, Error>,
    ) -> Result<Outcome, Error> {
        match self.method {
            Method::Bfs => Ok(bfs(position, limits)),
            Method::AStar(ties) => {
                let Backend::Plain(composed) = &self.search else {
                    unreachable!("A* has a sum of terms")
                };
                self.result(composed.a_star(position, ties, limits))
            }
            Method::Ida | Method::Plain | Method::Beam | Method::Staged | Method::Greedy => {
                match &self.search {
                    Backend::Engine(engine) => deepen(&mut self.result(engine.search(position))?),
                    Backend::Slides(Some(engine)) => deepen(&mut *engine.search(position)),
                    Backend::Slides(None) => deepen(&mut slide_ida(position)),
                    Backend::Plain(composed) => deepen(&mut self.result(composed.ida(position))?),
                    Backend::Blind => unreachable!("breadth-first search has no thresholds"),
                }
            }
        }
    }

    /// The heuristic's value of labels from which moves cannot reach the goal; `None` if it has none.
    pub fn value_of(&self, labels: &[u8]) -> Result<Option<u32>, Error> {
        match &self.search {
            Backend::Engine(engine) => self.result(engine.value_of(labels)).map(Some),
            Backend::Plain(composed) => self.result(composed.value(labels)).map(Some),
            Backend::Blind => Ok(Some(0)),
            Backend::Slides(_) => Ok(None),
        }
    }

    /// Searches a position for a solution of at most so many moves.
    pub fn within(
        &self,
        position: &Position,
        moves: u32,
        limits: &Limits,
    ) -> Result<Outcome, Error> {
        if let Backend::Engine(engine) = &self.search {
            return self.result(engine.within(position, moves, limits));
        }
        let limits = limits.clone().moves(moves);
        self.solve(position, &limits, |search| {
            let mut end = Searched::Exhausted;
            while end == Searched::Exhausted && search.threshold().bound <= moves {
                end = self.result(search.next(&limits))?;
            }
            Ok(search.outcome(end))
        })
    }

    /// The bracket of an outcome, with the board's own moves.
    pub fn bracket(&self, outcome: &Outcome, moves: Option<Moves>, limits: &Limits) -> Bracket {
        let time = limits.clock.elapsed();
        Bracket::of(outcome, moves, self.metric, time, self.heuristic.clone())
    }

    /// The length of a solution in the searcher's metric.
    pub fn length(&self, path: &Moves) -> usize {
        path.length(self.metric)
    }

    /// The engine, if it searches for a proof.
    pub fn prover(&self) -> Option<&Engine> {
        match &self.search {
            Backend::Engine(engine) if self.method.is_optimal() => Some(engine),
            _ => None,
        }
    }

    /// Returns whether its search is by this engine.
    pub fn is_by(&self, engine: &Engine) -> bool {
        self.prover().is_some_and(|own| ptr::eq(own, engine))
    }

    /// Returns whether a board is searched alone: its search takes long, remembers many positions, or uses all
    /// threads.
    pub fn runs_alone(&self, position: &Position) -> bool {
        self.method.remembers() || self.method.has_beams() || self.is_long(position)
    }

    /// Returns whether a search may take hours.
    pub fn is_long(&self, position: &Position) -> bool {
        self.prover().is_some() && position.grid().cells() > TWO_PATTERN_CELLS
    }

    /// All optimal solutions. `threshold` belongs to the iteration that found one.
    pub fn solutions(
        &self,
        position: &Position,
        threshold: &Threshold,
        limits: &Limits,
    ) -> Result<Result<Solutions, Stop>, Error> {
        let found = match &self.search {
            Backend::Engine(engine) => engine.solutions(position, threshold, limits),
            Backend::Blind | Backend::Slides(_) => unreachable!("IDA* alone lists solutions"),
            Backend::Plain(_) if position.grid().cells() > Solutions::MAX_CELLS => {
                Err(SearchError::Stopped(Stop::Method))
            }
            Backend::Plain(composed) => composed.solutions(position, threshold.bound, limits),
        };
        match found {
            Err(SearchError::Stopped(stop)) => Ok(Err(stop)),
            found => self.result(found).map(Ok),
        }
    }
}
