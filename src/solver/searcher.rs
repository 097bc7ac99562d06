//! The search for a goal, with the databases of all goals that are equivalent by symmetry: with the engine,
//! or plainly.

use std::sync::{Arc, OnceLock};

use super::{Error, Event, Limits, Method, lists};
use crate::board::{Canonical, Grid, Metric, Moves, Position};
use crate::pdb::{BrokenTable, MAX_SLIDE_CELLS, Partition};
#[cfg(feature = "serde")]
use crate::pdb::{Bytes, Pattern, PlainTable, SlideTable, Table, payload_hash};
#[cfg(feature = "serde")]
use crate::reference::PartitionTables;
use crate::reference::{ComposeError, Composed, Spec, Term, WalkingDistance, bfs};
use crate::search::{
    Deepening, Engine, Learned, Outcome, SearchError, SlideEngine, Solutions, Stop, Threshold,
    slide_search,
};
use crate::store::{self, Check, Set, Store, StoreError, TWO_PATTERN_CELLS};

/// A search, and the check of the files that its tables come from.
pub(super) struct Searcher {
    pub search: Search,
    /// The learned weights of beams, made when they are first wanted. Without them, the heuristic guides
    /// beams alone.
    pub learned: Option<OnceLock<Learned>>,
    pub metric: Metric,
    pub method: Method,
    /// The name of the heuristic that guides it.
    heuristic: Arc<str>,
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

pub(super) enum Search {
    Engine(Box<Engine>),
    Plain(Arc<Composed>),
    /// Breadth-first search without a heuristic.
    Blind,
    /// In the multi-tile metric: with tables, or plainly.
    Slides(Option<Box<SlideEngine>>),
}

/// The search that is wanted: the metric, heuristic and method of a solver, and a goal.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub metric: Metric,
    pub heuristic: &'a Spec,
    pub method: Method,
    pub canonical: &'a Canonical,
}

impl Kind<'_> {
    /// Returns whether learned weights guide the beams. Beams of slides have no other guide. Learned weights
    /// also guide all beams that accompany a search for a proof; the heuristic is then for the proof.
    fn is_learned(&self) -> bool {
        let asked = matches!(self.heuristic, Spec::Standard | Spec::Learned(_));
        self.metric == Metric::Multi || !self.method.is_by_beams() || asked
    }

    /// Returns whether the engine searches, which keeps a record.
    #[cfg(feature = "serde")]
    pub fn keeps_record(self) -> Result<bool, Error> {
        Ok(self.method == Method::Ida && matches!(Plan::new(self)?, Plan::Engine { .. }))
    }
}

/// The number of partitions of the portfolio.
const PORTFOLIO: usize = 3;

/// A plan of a search, before any table is loaded.
enum Plan {
    Engine {
        sets: Vec<Set>,
        combined: bool,
    },
    Plain(Vec<Term>),
    Blind,
    /// With tables that count slides, or with the Manhattan distance.
    Slides(Option<Set>),
}

impl Plan {
    fn new(kind: Kind<'_>) -> Result<Plan, Error> {
        let Kind { metric, heuristic, method, canonical } = kind;
        let (grid, goal_blank) = (canonical.grid(), canonical.goal_blank());
        if metric == Metric::Multi {
            // A heuristic that `Method::check_slides` has accepted.
            let has_tables = *heuristic == Spec::Standard && grid.cells() <= MAX_SLIDE_CELLS;
            return Ok(Plan::Slides(Set::slides(grid, goal_blank).ok().filter(|_| has_tables)));
        }
        let engine = |sets: Option<Vec<Set>>, combined| {
            Some(Plan::Engine { sets: sets.filter(|_| method.traits().uses_engine)?, combined })
        };
        let one = |set: Option<Set>| engine(set.map(|set| vec![set]), false);
        let whole = match heuristic {
            Spec::Portfolio => engine(Set::portfolio(grid, goal_blank, PORTFOLIO), false),
            Spec::Combined => engine(Set::portfolio(grid, goal_blank, 2), true),
            Spec::Catalogue(name) => one(Set::catalogue(name, grid, goal_blank).ok()),
            Spec::None => (method == Method::Bfs).then_some(Plan::Blind),
            Spec::Learned(spec) if method.is_by_beams() => match spec {
                Some(heuristic) => return Plan::new(Kind { heuristic, ..kind }),
                None => Some(Plan::Plain(standard_bounds(grid))),
            },
            Spec::Learned(_) => None,
            Spec::Standard => {
                let set = one(Set::standard(grid, goal_blank));
                Some(set.unwrap_or_else(|| Plan::Plain(standard_bounds(grid))))
            }
            Spec::Bound(bounds) => {
                let label = |partition: &str| lists::labelled(partition, canonical);
                let labelled = lists::replaced(bounds.clone(), label);
                let labelled = labelled.map_err(|error| ComposeError::Tables(error.into()))?;
                let set = Set::for_engine(&labelled, grid, goal_blank);
                Some(one(set).unwrap_or_else(|| Plan::Plain(bounds.clone())))
            }
        };
        whole.ok_or_else(|| Error::Unavailable { heuristic: heuristic.clone(), grid, method })
    }

    /// The heuristic that stands for this search, whatever databases there are.
    fn spec(&self, kind: Kind<'_>) -> Spec {
        let (grid, goal_blank) = (kind.canonical.grid(), kind.canonical.goal_blank());
        let of_set = |set: &Set| {
            let is_this = |name: &&str| set.is_catalogue() && *name == set.name();
            Partition::catalogues(grid).find(is_this).map(Spec::Catalogue).unwrap_or_else(|| {
                // The engine uses the mirror along the main diagonal where that keeps the goal.
                let mirror = grid.is_mirrored(goal_blank);
                let partition = lists::printed(set.name(), kind.canonical);
                Spec::Bound(vec![Term::Tables { partition, plain: false, mirror }])
            })
        };
        let spec = match self {
            _ if kind.method == Method::Bfs => return Spec::None,
            Plan::Blind => Spec::None,
            Plan::Plain(bounds) => Spec::Bound(bounds.clone()),
            // Its meaning depends on the size alone.
            Plan::Slides(_) => return kind.heuristic.clone(),
            Plan::Engine { combined: true, .. } => Spec::Combined,
            Plan::Engine { sets, .. } => match &sets[..] {
                [set] => of_set(set),
                _ => Spec::Portfolio,
            },
        };
        match (self, kind.heuristic) {
            _ if !kind.method.is_by_beams() || !kind.is_learned() => spec,
            (Plan::Plain(_), Spec::Standard | Spec::Learned(None)) => Spec::Learned(None),
            _ => Spec::Learned(Some(Box::new(spec))),
        }
    }
}

/// The bounds that guide a plain search by default.
fn standard_bounds(grid: Grid) -> Vec<Term> {
    let text = if grid.cells() < 6 {
        // A search of these takes no time.
        "manhattan"
    } else if WalkingDistance::fits(grid) {
        "max(walking-distance,linear-conflict)"
    } else {
        "manhattan+linear-conflict+corner-tiles+last-move"
    };
    match text.parse() {
        Ok(Spec::Bound(bounds)) => bounds,
        _ => unreachable!("these are bounds"),
    }
}

impl Searcher {
    /// Loads or builds the data that the search needs, on the current rayon thread pool.
    pub fn load(
        kind: Kind<'_>,
        store: &Store,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Searcher, Error> {
        let grid = kind.canonical.grid();
        let missing = match Searcher::build(&Plan::new(kind)?, kind, store, events) {
            // The tables of such goals are rarely built. Without them there is another search.
            Err(Error::Store(error))
                if kind.canonical.goal_blank() != 0
                    && grid.cells() <= TWO_PATTERN_CELLS
                    && kind.metric == Metric::Single
                    && *kind.heuristic == Spec::Standard =>
            {
                error
            }
            searcher => return searcher,
        };
        let StoreError::Missing { set, .. } = &*missing else { return Err(Error::Store(missing)) };
        let plan = Plan::Plain(standard_bounds(grid));
        let searcher = Searcher::build(&plan, kind, store, events)?;
        events(&Event::StandsIn { set, heuristic: &searcher.heuristic() });
        Ok(searcher)
    }

    fn build(
        plan: &Plan,
        kind: Kind<'_>,
        store: &Store,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Searcher, Error> {
        let Kind { metric, method, canonical, .. } = kind;
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
                for set in sets {
                    tables.extend(load(set)?.tables);
                }
                let partitions: Vec<_> = sets.iter().flat_map(Set::partitions).cloned().collect();
                let engine = Engine::new(&partitions, tables).expect("a plan's sets fit an engine");
                Search::Engine(Box::new(if *combined { engine.combined() } else { engine }))
            }
            Plan::Plain(bounds) => {
                let get = |partition: &str, plain| {
                    let labelled = lists::labelled(partition, canonical)?;
                    store.tables(&labelled, plain, (grid, goal_blank), &mut check, &events)
                };
                Search::Plain(Composed::new(bounds, grid, goal_blank, get)?.into())
            }
            Plan::Blind => Search::Blind,
            Plan::Slides(None) => Search::Slides(None),
            Plan::Slides(Some(set)) => {
                let engine = SlideEngine::new(grid, goal_blank, load(set)?.slide_tables);
                Search::Slides(Some(Box::new(engine.expect("a set's tables count its slides"))))
            }
        };
        Ok(Searcher {
            search,
            learned: kind.is_learned().then(OnceLock::new),
            metric,
            method,
            heuristic: plan.spec(kind).to_string().into(),
            check,
            #[cfg(feature = "serde")]
            tables: OnceLock::new(),
        })
    }

    /// The error of a search. That a file is damaged comes first.
    pub fn error(&self, error: impl Into<SearchError>) -> Error {
        match (self.check.wait(), error.into()) {
            (Err(damaged), _) => damaged.into(),
            (Ok(()), SearchError::Broken(broken)) => {
                Error::Broken { broken, origin: self.check.origin() }
            }
            (Ok(()), SearchError::Stopped(stop)) => Error::Stopped(stop),
            (Ok(()), _) => {
                let what = "a search does not go on from its own threshold";
                Error::Wrong { what, origin: self.files() }
            }
        }
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
            Search::Engine(engine) => engine.tables().iter().map(single).collect(),
            Search::Plain(composed) => {
                let of = |tables: &PartitionTables| match tables {
                    PartitionTables::ZoneAware(tables) => tables.iter().map(single).collect(),
                    PartitionTables::Plain(tables) => tables.iter().map(plain).collect::<Vec<_>>(),
                };
                composed.tables().flat_map(of).collect()
            }
            Search::Slides(Some(engine)) => engine.tables().map(slides).collect(),
            Search::Slides(None) | Search::Blind => Vec::new(),
        })
    }

    /// The name of the heuristic.
    pub fn heuristic(&self) -> Arc<str> {
        self.heuristic.clone()
    }

    /// The files that the tables come from, for messages; `None` if there are none.
    pub fn files(&self) -> Option<String> {
        self.check.files().next().map(|_| self.check.origin())
    }

    /// These limits for a search that also ends once a file is found to be damaged: no answer can be
    /// given then.
    pub fn guard(self: &Arc<Self>, limits: &Limits) -> Limits {
        if self.check.files().next().is_none() {
            return limits.clone();
        }
        let searcher = self.clone();
        limits.clone().reason(Stop::Cancelled, move || searcher.check.failed())
    }

    /// The heuristic's values of positions, in their order.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<u32>, BrokenTable> {
        match &self.search {
            Search::Engine(engine) => engine.values(positions),
            Search::Plain(composed) => {
                positions.iter().map(|position| composed.value(position.labels())).collect()
            }
            Search::Blind => Ok(vec![0; positions.len()]),
            Search::Slides(engine) => {
                let value = |position| match engine {
                    Some(engine) => engine.value(position),
                    None => slide_search(position).threshold().bound,
                };
                Ok(positions.iter().map(value).collect())
            }
        }
    }

    /// Searches a position for an optimal solution.
    pub fn solve(&self, position: &Position, limits: &Limits) -> Result<Outcome, BrokenTable> {
        match (self.method, &self.search) {
            (Method::Bfs, _) => Ok(bfs(position, limits.most_moves(), limits)),
            (Method::AStar(ties), Search::Plain(composed)) => {
                composed.a_star(position, ties, limits.most_moves(), limits)
            }
            (
                Method::AStar(_)
                | Method::Ida
                | Method::Plain
                | Method::Beam
                | Method::Staged
                | Method::Greedy,
                _,
            ) => self.deepening(position, |search| search.run(limits)),
        }
    }

    /// Calls `then` with the search of a position that deepens.
    pub fn deepening<T>(
        &self,
        position: &Position,
        then: impl FnOnce(&mut dyn Deepening) -> Result<T, BrokenTable>,
    ) -> Result<T, BrokenTable> {
        match &self.search {
            Search::Engine(engine) => then(&mut engine.search(position)?),
            Search::Slides(Some(engine)) => then(&mut *engine.search(position)),
            Search::Slides(None) => then(&mut slide_search(position)),
            Search::Plain(composed) => composed.ida(position, then)?,
            Search::Blind => unreachable!("breadth-first search has no thresholds"),
        }
    }

    /// The length of a solution in the searcher's metric.
    pub fn length(&self, path: &Moves) -> usize {
        path.length(self.metric)
    }

    /// The engine, if the method is its search.
    pub fn engine(&self) -> Option<&Engine> {
        match &self.search {
            Search::Engine(engine) if self.method == Method::Ida => Some(engine),
            _ => None,
        }
    }

    /// Returns whether a search may take hours.
    pub fn is_long(&self, position: &Position) -> bool {
        self.engine().is_some() && position.grid().cells() > TWO_PATTERN_CELLS
    }

    /// All optimal solutions. `threshold` belongs to the iteration that found one.
    pub fn solutions(
        &self,
        position: &Position,
        threshold: &Threshold,
        limits: &Limits,
    ) -> Result<Solutions, SearchError> {
        match &self.search {
            Search::Engine(engine) => engine.solutions(position, threshold, limits),
            Search::Blind | Search::Slides(_) => {
                unreachable!("slides have no count of solutions")
            }
            Search::Plain(_) if position.grid().cells() > Solutions::MAX_CELLS => {
                Err(SearchError::Stopped(Stop::Method))
            }
            Search::Plain(composed) => composed.solutions(position, threshold.bound, limits),
        }
    }
}
