//! Short solutions, by beams, by stages or greedily, and a lower bound.
//!
//! 1. A first solution by stages, which no limit ends, or greedily.
//! 2. A search of limited nodes for a lower bound. If it finds a solution, that one is optimal.
//! 3. Beams that look for shorter solutions.
//! 4. The best solution is shortened.
//!
//! The limits of the board hold for all steps together. Only the stages of the first solution are
//! not counted.

use super::beams::{BEAM_NODES, HASTY, Series, Tally, Way};
use super::task::Task;
use crate::board::{Metric, Moves};
use crate::classics::greedy;
use crate::search::{
    BOTH_WAYS, LearnedNumbers, Limits, Outcome, Proof, Stage, Stop, shorten, staged,
};
use crate::solver::options::{Aim, Event};
use crate::solver::results::Error;

/// The nodes for which a solution is shortened if there is no limit.
const SHORTEN: u64 = 30_000_000;

/// The share of the limits in which beams look for a solution. In the rest it is shortened.
const BEAMS: f64 = 0.97;

/// The nodes of the search for a lower bound, and the share of the limits that it may take.
const BOUND: u64 = 300_000;
const BOUND_SHARE: f64 = 0.1;

/// The search of a board for a short solution.
pub struct Short<'a> {
    task: &'a Task,
    limits: Limits,
    /// Counts the nodes of all steps.
    tally: Tally,
}

impl<'a> Short<'a> {
    pub fn new(task: &'a Task, limits: &Limits) -> Short<'a> {
        let tally = Tally::default();
        let limits = tally.counting(&task.searcher.guard(limits));
        Short { task, limits, tally }
    }

    /// The best solution found, and the proof of the best bound.
    pub fn run(&self) -> Result<Outcome, Error> {
        let Task { shared, board, position, canonical, searcher, .. } = self.task;
        let beams = searcher.method.has_beams();
        let stage = |stage: &Stage| {
            let tiles = stage.tiles.iter().filter_map(|&label| canonical.tile(label));
            let mut tiles: Vec<u8> = tiles.collect();
            tiles.sort_unstable();
            if !beams {
                shared.report(&Event::Stage { board, tiles: &tiles, moves: stage.moves });
            }
        };
        let (mut path, shortens) = match searcher.method.aim() {
            Aim::Chained => (greedy(position, &self.limits(1.0 - BOUND_SHARE), stage), false),
            Aim::Shortened => (staged(position, stage), true),
            Aim::Thresholds | Aim::Memory => unreachable!("an optimal method has a proof"),
        };
        // The bound of a solution that is not shortened is the last step.
        let mut outcome = self.bound(if shortens { BOUND_SHARE } else { 1.0 })?;
        let gap = if beams { self.limits.gap } else { 0 };
        let enough = outcome.lower_bound().saturating_add(gap) as usize;
        let is_near = |path: &Moves| searcher.length(path) <= enough;
        if shortens {
            if let Some(optimal) = outcome.path.take() {
                path = optimal;
            }
            if beams && !is_near(&path) {
                path = self.by_beams(path, enough)?;
            }
            if !is_near(&path) {
                let (shorter, proof) = self.shortened(path);
                path = shorter;
                outcome.proof = proof.or(outcome.proof);
            }
        }
        outcome.stopped = if is_near(&path) && gap > 0 {
            Some(Stop::Gap)
        } else {
            let ended = self.limits(1.0).check(0);
            ended.or((gap > 0).then_some(Stop::Method))
        };
        outcome.path = Some(path);
        outcome.generated = self.tally.nodes();
        Ok(outcome)
    }

    /// The limits of a step that may take the rest of this share of all limits.
    fn limits(&self, share: f64) -> Limits {
        let limits = self.limits.clone().share_of_time(share);
        match limits.most_nodes() {
            u64::MAX => limits,
            most => {
                let most = if share < 1.0 { (most as f64 * share) as u64 } else { most };
                limits.nodes(most.saturating_sub(self.tally.nodes()))
            }
        }
    }

    /// The lower bound that a short search proves within a share of the limits.
    fn bound(&self, share: f64) -> Result<Outcome, Error> {
        let limits = self.limits(share).silent();
        let nodes = limits.most_nodes().min(BOUND);
        let limits = limits.nodes(nodes);
        let Task { position, searcher, .. } = self.task;
        let outcome =
            searcher.solve(position, &limits, |search| searcher.result(search.run(&limits)))?;
        self.tally.add(outcome.generated);
        Ok(outcome)
    }

    /// Beams from the board, and on sizes where that pays from the goal, too.
    fn by_beams(&self, known: Moves, enough: usize) -> Result<Moves, Error> {
        let Task { position, searcher, .. } = self.task;
        let has_both = searcher.metric == Metric::Single && LearnedNumbers::get().is_some();
        if !has_both || !BOTH_WAYS.contains(&position.grid().cells()) {
            let series = self.series(enough, BEAMS, BEAM_NODES);
            return self.task.shorter(&Way::FromBoard, known, &series);
        }
        let series = self.series(enough, BEAMS / 2.0, BEAM_NODES / 2);
        let known = self.task.shorter(&Way::FromBoard, known, &series)?;
        let from_goal = Way::from_goal(position, searcher.metric);
        self.task.shorter(&from_goal, known, &self.series(enough, BEAMS, BEAM_NODES / 2))
    }

    /// Beams that are planned for this share of all limits, or for these nodes if there is none.
    fn series(&self, enough: usize, share: f64, nodes: u64) -> Series {
        let plan = self.limits(share);
        let limits = self.limits(1.0).nodes(plan.most_nodes());
        let is_limited = plan.time_left().is_some() || plan.most_nodes() < u64::MAX;
        let plan = if is_limited { plan } else { plan.nodes(nodes) };
        Series { narrowest: HASTY, enough, plan, limits }
    }

    /// Shortens a solution. Returns the proof, too, if the result is optimal.
    fn shortened(&self, path: Moves) -> (Moves, Option<Proof>) {
        let Task { shared, board, position, searcher, .. } = self.task;
        let (metric, before) = (searcher.metric, searcher.length(&path));
        let limits = self.limits(1.0);
        let limits = if self.limits.is_limited() { limits } else { limits.nodes(SHORTEN) };
        let (path, proof) = shorten(position, path, metric, &limits);
        let proof = proof.filter(|_| metric == Metric::Single);
        let after = searcher.length(&path);
        shared.report(&Event::Shortened { board, before, after });
        (path, proof)
    }
}
