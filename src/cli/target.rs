//! A goal, and how boards are brought to it.

use super::heuristics;
use super::method::{self, Method, MethodArgs};
use super::sets::{self, Set};
use crate::board::{Canonical, Goal};
use crate::heuristic::{Named, Spec, Term};

/// A goal for boards of one size.
#[derive(Debug)]
pub(super) struct Target {
    pub goal: Goal,
    /// What its boards are searched with.
    pub heuristic: String,
    pub canonical: Canonical,
    pub plan: Plan,
}

/// How boards of one size are solved.
#[derive(Debug)]
pub(super) enum Plan {
    /// With databases, of several partitions for a portfolio.
    Tables(Vec<Set>),
    /// With databases of more than two patterns to a partition.
    Catalogue(Set),
    /// Not with the heuristic that was asked for.
    NoPortfolio,
    /// By a plain search, with the largest of these bounds.
    Bounds(Method, Vec<Term>),
}

impl Target {
    pub fn new(goal: Goal, heuristic: &Spec, args: &MethodArgs) -> Target {
        let canonical = Canonical::of(&goal);
        let (grid, blank) = (canonical.grid(), canonical.blank());
        let method = args.method(grid, heuristic);
        let portfolio =
            |count| Set::portfolio(grid, blank, count).map_or(Plan::NoPortfolio, Plan::Tables);
        let plan = match heuristic {
            Spec::Bound(bounds) => match heuristics::fast(bounds, grid, blank) {
                Some(set) if method == Method::Ida && grid.cells() <= sets::MAX_CELLS => {
                    Plan::Tables(vec![set])
                }
                Some(set) if method == Method::Ida && !args.count && !args.all => {
                    Plan::Catalogue(set)
                }
                _ => Plan::Bounds(method, bounds.clone()),
            },
            Spec::Portfolio => portfolio(3),
            Spec::Combined => portfolio(2),
            Spec::Standard => match Set::standard(grid, blank) {
                Some(set) if method == Method::Ida && grid.cells() <= sets::MAX_CELLS => {
                    Plan::Tables(vec![set])
                }
                Some(set) if method == Method::Ida && !args.count && !args.all => {
                    Plan::Catalogue(set)
                }
                // 2x2 boards are too small for two patterns.
                None if grid.cells() < sets::MAX_CELLS => {
                    Plan::Bounds(method, vec![Term::Named(Named::Manhattan)])
                }
                _ => Plan::Bounds(method, method::standard_bounds(grid)),
            },
        };
        // The solver takes the mirror along the main diagonal where that keeps the goal.
        let mirror = if grid.is_mirrored(blank) { ":mirror" } else { "" };
        let heuristic = match &plan {
            Plan::Tables(sets) => {
                let names: Vec<_> = sets.iter().map(|set| set.name.clone() + mirror).collect();
                match heuristic {
                    Spec::Portfolio => format!("portfolio({})", names.join(",")),
                    Spec::Combined => format!("max({})", names.join(",")),
                    Spec::Standard | Spec::Bound(_) => names.join(","),
                }
            }
            Plan::Catalogue(set) if set.catalogue.is_some() => format!("catalogue({})", set.name),
            Plan::Catalogue(set) => set.name.clone() + mirror,
            Plan::Bounds(Method::Bfs, _) | Plan::NoPortfolio => "none".to_owned(),
            Plan::Bounds(_, bounds) => Spec::Bound(bounds.clone()).to_string(),
        };
        Target { goal, heuristic, canonical, plan }
    }
}
