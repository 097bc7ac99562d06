//! The plan of a search, before any database is loaded: which engine, with which tables or terms.
//!
//! | heuristic | `ida`, `beam` | `plain`, `astar`, `staged`, `greedy` | `bfs` |
//! |---|---|---|---|
//! | `standard` | the engine with the tables of the size, else the terms | the terms of the size | as before |
//! | names of tables | the engine, if they are for the size | | |
//! | terms, as in `4-4` | the engine where it covers them, else the terms | the terms | the terms |
//! | `learned`, perhaps with another heuristic | `beam` alone, with a plan for the other one | | |
//! | `none` | | | nothing |
//!
//! In the multi-tile metric `ida` and `beam` have the tables of slides up to [`MAX_SLIDE_CELLS`] cells with `standard`;
//! otherwise the Manhattan distance guides them, and `plain`.

use super::labels;
use crate::board::{Canonical, Grid, Metric};
use crate::classics::{ComposeError, Spec, Term, WalkingDistance};
use crate::pdb::{MAX_SLIDE_CELLS, Partition};
use crate::search::LearnedNumbers;
use crate::solver::options::{Guide, Method};
use crate::solver::results::Error;
use crate::store::{Set, SetError};

/// The search that is wanted: the metric, heuristic and method of a solver, and a goal.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub metric: Metric,
    pub heuristic: &'a Spec,
    pub method: Method,
    pub canonical: &'a Canonical,
}

/// The number of partitions of the portfolio.
const PORTFOLIO: usize = 3;

/// A plan of a search.
pub enum Plan {
    Engine {
        sets: Vec<Set>,
        combined: bool,
    },
    Plain(Vec<Term>),
    Blind,
    /// Tables that count slides, or the Manhattan distance.
    Slides(Option<Set>),
}

impl Plan {
    /// A plan, and the heuristic that answers name, which leads to the same plan whatever databases there are.
    pub fn new(request: Request<'_>) -> Result<(Plan, Spec), Error> {
        let Request { metric, heuristic, method, canonical } = request;
        let plan = match metric {
            Metric::Single => request.of_tiles()?,
            Metric::Multi => Some((request.of_slides(), heuristic.clone())),
        };
        let grid = canonical.grid();
        // The error names the guided heuristic.
        let heuristic = match heuristic {
            Spec::Learned(Some(guided)) if method.has_beams() => guided,
            heuristic => heuristic,
        };
        plan.ok_or_else(|| Error::Unavailable { heuristic: heuristic.clone(), grid, method })
    }
}

impl Request<'_> {
    /// The plan of a heuristic that [`check_slides`] has accepted.
    fn of_slides(self) -> Plan {
        let (grid, goal_blank) = (self.canonical.grid(), self.canonical.goal_blank());
        let has_tables = *self.heuristic == Spec::Standard && grid.cells() <= MAX_SLIDE_CELLS;
        Plan::Slides(Set::slides(grid, goal_blank).ok().filter(|_| has_tables))
    }

    /// The plan in the single-tile metric, if the method has the heuristic on this size.
    fn of_tiles(self) -> Result<Option<(Plan, Spec)>, Error> {
        let Request { heuristic, method, canonical, .. } = self;
        let (grid, goal_blank) = (canonical.grid(), canonical.goal_blank());
        let guide = method.guide();
        let engine_may = matches!(guide, Guide::Engine | Guide::Beams);
        let engine = |sets, combined, name| Some((Plan::Engine { sets, combined }, name));
        let several = |count, combined| {
            let sets = Set::portfolio(grid, goal_blank, count)?;
            engine(sets, combined, heuristic.clone())
        };
        let one = |set: Option<Set>| {
            let set = set?;
            let name = heuristic_of(&set, canonical);
            engine(vec![set], false, name)
        };
        let plain = |bounds: &[Term]| {
            let name =
                if guide == Guide::Nothing { Spec::None } else { Spec::Bound(bounds.to_vec()) };
            Some((Plan::Plain(bounds.to_vec()), name))
        };
        let learned = |guided| Spec::Learned(Some(Box::new(guided)));
        Ok(match (heuristic, guide) {
            (Spec::Portfolio, Guide::Engine | Guide::Beams) => several(PORTFOLIO, false),
            (Spec::Combined, Guide::Engine | Guide::Beams) => several(2, true),
            (Spec::Catalogue(name), Guide::Engine | Guide::Beams) => {
                one(Set::catalogue(name, grid, goal_blank).ok())
            }
            (Spec::Standard, Guide::Engine) => {
                one(Set::standard(grid, goal_blank)).or_else(|| plain(&standard_bounds(grid)))
            }
            // Learned weights rank the positions, too.
            (Spec::Standard, Guide::Beams) => match one(Set::standard(grid, goal_blank)) {
                Some((plan, name)) => Some((plan, learned(name))),
                None => Request { heuristic: &Spec::Learned(None), ..self }.of_tiles()?,
            },
            (Spec::Standard, Guide::Terms | Guide::Nothing) => plain(&standard_bounds(grid)),
            (Spec::Bound(bounds), _) => {
                let labelled = with_labels(bounds, canonical)?;
                let set = Set::for_engine(&labelled, grid, goal_blank);
                one(set.filter(|_| engine_may)).or_else(|| plain(bounds))
            }
            (Spec::Learned(None), Guide::Beams) => {
                Some((Plan::Plain(standard_bounds(grid)), Spec::Learned(None)))
            }
            (Spec::Learned(Some(guided)), Guide::Beams) => {
                let plan = Request { heuristic: guided, ..self }.of_tiles()?;
                plan.map(|(plan, name)| (plan, learned(name)))
            }
            (Spec::None, Guide::Nothing) => Some((Plan::Blind, Spec::None)),
            (Spec::Portfolio | Spec::Combined | Spec::Catalogue(_), _) => None,
            (Spec::Learned(_) | Spec::None, _) => None,
        })
    }

    /// Returns whether learned weights guide the beams. Beams of slides have no other guide. Learned weights
    /// also guide all beams that accompany a search for a proof; the heuristic is then for the proof. Where the host of a
    /// WebAssembly module has not given them yet, nothing is learned.
    pub fn is_learned(&self) -> bool {
        let asked = matches!(self.heuristic, Spec::Standard | Spec::Learned(_));
        let is_guided = match (self.metric, self.method.guide()) {
            (Metric::Single, Guide::Beams) => asked,
            (Metric::Single, Guide::Engine | Guide::Terms | Guide::Nothing)
            | (Metric::Multi, _) => true,
        };
        is_guided && LearnedNumbers::get().is_some()
    }

    /// Returns whether the engine searches, which keeps a record.
    #[cfg(feature = "serde")]
    pub fn keeps_record(self) -> Result<bool, Error> {
        Ok(self.method.is_optimal() && matches!(Plan::new(self)?.0, Plan::Engine { .. }))
    }
}

/// Refuses methods and heuristics that the multi-tile metric does not have, whatever the size.
pub fn check_slides(method: Option<Method>, heuristic: &Spec) -> Result<(), Error> {
    let method = method.unwrap_or(Method::Ida);
    match method.has_slides(heuristic) {
        true => Ok(()),
        false => Err(Error::NotForSlides { heuristic: heuristic.clone(), method }),
    }
}

/// Bounds with the tiles of their partitions as labels.
fn with_labels(bounds: &[Term], canonical: &Canonical) -> Result<Vec<Term>, Error> {
    let mut bounds = bounds.to_vec();
    for bound in &mut bounds {
        if let Term::Tables { partition, .. } = bound {
            let labels = labels::labelled(partition, canonical);
            *partition =
                labels.map_err(|error| ComposeError::Tables(SetError::from(error).into()))?;
        }
    }
    Ok(bounds)
}

/// The heuristic by the databases of a set.
pub fn heuristic_of(set: &Set, canonical: &Canonical) -> Spec {
    let grid = canonical.grid();
    let is_this = |name: &&str| set.is_catalogue() && *name == set.name();
    if let Some(name) = Partition::catalogues(grid).find(is_this) {
        return Spec::Catalogue(name);
    }
    // The engine uses the mirror along the main diagonal where that keeps the goal.
    let mirror = grid.is_mirrored(canonical.goal_blank());
    let partition = labels::printed(set.name(), canonical);
    Spec::Bound(vec![Term::Tables { partition, plain: false, mirror }])
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
