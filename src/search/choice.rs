//! Which views a board is searched with.
//!
//! Views are tried on the board itself, at a threshold that was exhausted long ago and takes a
//! small part of the time of what is to come:
//!
//! 1. Take each view in turn, put each other one in its place, and keep the best of all that.
//!    Repeat until nothing is better.
//! 2. Add each view to those, as long as that pays, up to four.
//! 3. What is best on so little need not be best on more: at a later threshold, it races those it would
//!    replace, and the views that the search began with.
//!
//! What is compared is not the time, but the number of nodes times what a node with so many views
//! costs: so the choice, and all that follows from it, is the same on any machine. No trial goes on after it
//! has cost more than the best so far.

use rayon::prelude::*;

use super::catalogue::{Catalogue, Position};
use super::{Control, Stage};

/// The most views that a search has at a time.
pub(super) const MAX_VIEWS: usize = super::engine::MAX_VIEWS;

/// What a generated node costs with one to four views, in hundredths of what it costs with two.
const COST: [u64; MAX_VIEWS] = [70, 100, 150, 200];

/// How much larger the iteration to come must be, at least, than one of the trials: as long as
/// the trials together cost little of it. An iteration has about 8 times the nodes of the one before.
const SAMPLE: u64 = 60;

/// The same for the race.
const RACE: u64 = 6;

/// The nodes of the last iteration from which views are tried for the first, the second and the
/// third time.
const DUE: [u64; 3] = [8_000_000, 200_000_000, 5_000_000_000];

/// Whether it is time to try other views.
pub(super) fn is_due(stage: &Stage) -> bool {
    let due = DUE.get(stage.trials as usize);
    due.is_some_and(|&due| stage.history.last().is_some_and(|&(_, nodes)| nodes >= due))
}

impl<B: AsRef<[u8]> + Sync> Catalogue<B> {
    /// Chooses the views of the next stage; `None` where a table is damaged.
    pub(super) fn choose(
        &self,
        position: &Position,
        stage: &mut Stage,
        control: &Control,
    ) -> Option<()> {
        stage.trials += 1;
        let last = stage.history.last()?.1;
        let bound = |factor: u64| {
            let small = |&&(_, nodes): &&(u32, u64)| nodes <= last / factor;
            stage.history.iter().rev().find(small).map(|&(bound, _)| bound)
        };
        let (Some(sample), Some(race)) = (bound(SAMPLE), bound(RACE)) else { return Some(()) };
        let mut trials = Trials { catalogue: self, position, bound: sample, control, generated: 0 };
        let mut best = Choice { views: stage.views.clone(), cost: u64::MAX };
        best = trials.best_of(vec![best.views.clone()], best)?;
        loop {
            let before = best.cost;
            for place in 0..best.views.len() {
                let with = |view| {
                    let mut views = best.views.clone();
                    views[place] = view;
                    views
                };
                let candidates = trials.others(&best).map(with).collect();
                best = trials.best_of(candidates, best)?;
            }
            if best.cost == before {
                break;
            }
        }
        while best.views.len() < MAX_VIEWS {
            let before = best.cost;
            let candidates =
                trials.others(&best).map(|view| [&best.views[..], &[view]].concat()).collect();
            best = trials.best_of(candidates, best)?;
            if best.cost == before {
                break;
            }
        }
        trials.bound = race;
        let mut field = vec![stage.views.clone(), self.first_views(), best.views];
        field.dedup();
        if field.len() > 1 {
            let none = Choice { views: stage.views.clone(), cost: u64::MAX };
            stage.views = trials.best_of(field, none)?.views;
        }
        stage.generated += trials.generated;
        Some(())
    }
}

/// Views and what they cost.
struct Choice {
    views: Vec<usize>,
    cost: u64,
}

struct Trials<'a, B> {
    catalogue: &'a Catalogue<B>,
    position: &'a Position,
    bound: u32,
    control: &'a Control,
    generated: u64,
}

impl<B: AsRef<[u8]> + Sync> Trials<'_, B> {
    /// The views that are not chosen.
    fn others<'c>(&self, chosen: &'c Choice) -> impl Iterator<Item = usize> + use<'c, B> {
        (0..self.catalogue.views()).filter(|view| !chosen.views.contains(view))
    }

    /// The cheapest of these and the best so far; the first of equals. They are tried side by
    /// side, each up to the cost of the best before.
    fn best_of(&mut self, candidates: Vec<Vec<usize>>, best: Choice) -> Option<Choice> {
        let tried: Vec<(Vec<usize>, u64, u64)> = candidates
            .into_par_iter()
            .map(|views| {
                let each = COST[views.len() - 1];
                let cap = best.cost / each;
                let nodes =
                    self.catalogue.measure(self.position, &views, self.bound, cap, self.control)?;
                // One that reached the cap is no better.
                Some((views, nodes, if nodes < cap { nodes * each } else { u64::MAX }))
            })
            .collect::<Option<_>>()?;
        self.generated += tried.iter().map(|(_, nodes, _)| nodes).sum::<u64>();
        let found = tried.into_iter().min_by_key(|(.., cost)| *cost);
        Some(match found {
            Some((views, _, cost)) if cost < best.cost => Choice { views, cost },
            _ => best,
        })
    }
}
