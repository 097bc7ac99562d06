//! Finds short solutions by wider and wider beams, for any kind of search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::task::Task;
use crate::board::{Metric, Moves, Position};
use crate::search::{Clock, Event, Learned, Limits, Width, beam, staged};
use crate::solver::results::Error;
use crate::solver::searches::Backend;

/// The widest beam of the engine's nodes, or that learned weights guide alone. All widths are positions of a level. On
/// 5×5 a search with such beams takes some 0.9 GB, tables included.
const WIDEST: usize = 1_000_000;

/// The widest beam that the heuristic of a plain search guides.
const WIDEST_PLAIN: usize = 256_000;

/// The most nodes of the beam for a first solution.
const FIRST: u64 = 300_000;

/// The most positions of all levels of a beam, at 4 bytes each.
const LEVELS: usize = 100_000_000;

/// Each beam but the last one is this many times as wide as the one before.
const WIDER: f64 = 8.0;

/// The last beam is the one whose budget of nodes is at most `LAST` times its width. It uses `PART` of that
/// budget.
const LAST: f64 = 12.0;
const PART: f64 = 0.85;

/// Limits of the last beam under a budget of time. It is planned too wide, since wide levels take less time
/// for each position, and then follows the time.
const LAST_IN_TIME: f64 = 40.0;
const PART_OF_TIME: f64 = 1.2;

/// The part by which a beam in time is expected to shorten the solution.
const SHORTENED: f64 = 0.025;

/// The least increase that is worth another beam.
const WORTH: f64 = 1.2;

/// The children of a position, on average at most.
const CHILDREN: usize = 3;

/// The width of the beam for a solution that accompanies a bound, in positions of a level. It takes a few hundredths of
/// a second on 5×5.
pub const BEAM: usize = 1_000;

/// The nodes for which the widest beam is planned if neither time nor nodes are limited.
pub const BEAM_NODES: u64 = 10_000_000;

/// The width of the first of several beams, in positions of a level. It takes some milliseconds.
pub const HASTY: usize = 100;

/// Counts the nodes of searches.
#[derive(Clone, Default)]
pub struct Tally(Arc<AtomicU64>);

impl Tally {
    /// The nodes so far.
    pub fn nodes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn add(&self, nodes: u64) {
        self.0.fetch_add(nodes, Ordering::Relaxed);
    }

    /// These limits for searches whose nodes it counts.
    pub fn counting(&self, limits: &Limits) -> Limits {
        let tally = self.clone();
        limits.clone().listener(move |event| {
            if let Event::Nodes(nodes) = event {
                tally.add(*nodes);
            }
        })
    }
}

/// The start of beams.
pub enum Way {
    FromBoard,
    /// The goal as a position, with the weights that guide from it to the board.
    FromGoal(Position, Box<Learned>),
}

impl Way {
    /// Beams from the goal to a position, in this metric.
    pub fn from_goal(position: &Position, metric: Metric) -> Way {
        let goal = position.inverse();
        let learned = Learned::new(goal.grid(), goal.goal_blank(), metric);
        Way::FromGoal(goal, learned.into())
    }
}

/// A series of ever wider beams that look for a shorter solution.
pub struct Series {
    /// The width of the first one in positions of a level, unless the plan affords less.
    pub narrowest: usize,
    /// A solution of this length ends the series.
    pub enough: usize,
    /// The limits within which the last beam is to end: the widths follow from them.
    pub plan: Limits,
    /// The limits that do end the series, whose nodes include all beams.
    pub limits: Limits,
}

impl Task {
    /// The largest width of a [`Task::beam`] towards a solution of this many moves.
    fn widest(&self, moves: usize) -> usize {
        let widest = match (&self.searcher.search, &self.searcher.learned) {
            (Backend::Engine(_), _) | (_, Some(_)) => WIDEST,
            (Backend::Plain(_) | Backend::Blind | Backend::Slides(_), None) => WIDEST_PLAIN,
        };
        widest.min(LEVELS / moves.max(1))
    }

    /// The width of a [`Task::beam`] that generates this many nodes on its way to a solution of this
    /// many moves.
    pub fn width(&self, nodes: u64, moves: usize) -> usize {
        let width = usize::try_from(nodes).unwrap_or(usize::MAX) / (CHILDREN * moves.max(1));
        width.min(self.widest(moves))
    }

    /// Quickly finds some solution, without a proof: by a beam of this width, by one a tenth as wide if
    /// that takes too many nodes, or by stages. Limits of time and cancels end the beams.
    pub fn some_solution(&self, width: usize, limits: &Limits) -> Result<Moves, Error> {
        let limits = limits.clone().silent().nodes(FIRST);
        for width in [width, width.div_ceil(10)] {
            if let Some(path) = self.beam(width.into(), usize::MAX, &limits)? {
                return Ok(path);
            }
        }
        Ok(staged(&self.position, |_| ()))
    }

    /// A solution that is at most as long as the one known, by a series of beams.
    pub fn shorter(&self, way: &Way, known: Moves, series: &Series) -> Result<Moves, Error> {
        let Series { narrowest, enough, plan, limits } = series;
        let length = |path: &Moves| self.searcher.length(path);
        let tally = Tally::default();
        let counted = tally.counting(limits);
        let left = || limits.most_nodes().saturating_sub(tally.nodes());
        let affordable = self.width(plan.most_nodes().min(left()), length(&known));
        let (mut best, first) = (known, affordable.min(*narrowest));
        let mut next = (first > 0).then(|| (first, first.into()));
        while let Some((width, positions)) = next
            && length(&best) > *enough
        {
            let watch = Clock::start();
            let limits = counted.clone().nodes(left());
            let below = length(&best);
            let found = match way {
                Way::FromBoard => self.beam(positions, below, &limits)?,
                Way::FromGoal(goal, learned) => {
                    let metric = self.searcher.metric;
                    let path = beam(goal, &**learned, metric, positions, below, &limits);
                    path.map(|path| path.reversed())
                }
            };
            match found {
                Some(path) => {
                    best = path;
                    limits.report(&Event::Shorter(length(&best)));
                }
                None if limits.check(0).is_some() => break,
                None => {}
            }
            next = self.next_width(width, watch.elapsed(), length(&best), plan, left());
        }
        Ok(best)
    }

    /// The width of the beam after one that `took` some time, on the way to a solution of this many moves, with this
    /// many nodes left; `None` if that is not worth it.
    fn next_width(
        &self,
        width: usize,
        took: Duration,
        moves: usize,
        plan: &Limits,
        left: u64,
    ) -> Option<(usize, Width)> {
        let moves = moves.max(1);
        let nodes = plan.most_nodes().min(left) as f64 / (CHILDREN * width * moves) as f64;
        let time = plan.time_left().map(|left| left.div_duration_f64(took));
        let time = time.filter(|&time| time < nodes && time <= LAST_IN_TIME);
        let factor = match time {
            Some(time) => time * PART_OF_TIME,
            None if nodes <= LAST => nodes * PART,
            None => WIDER,
        };
        // A beam that exceeds the nodes is lost.
        let widest = self.widest(moves).min((width as f64 * nodes * PART) as usize);
        let wider = ((width as f64 * factor) as usize).min(widest);
        // A beam may have generated nothing, so each has to be wider than the one before.
        if (wider as f64) < width as f64 * WORTH {
            return None;
        }
        let end = (moves as f64 * (1.0 - SHORTENED)) as usize;
        let in_time = |_| Width::in_time(wider, widest, end, plan);
        Some((wider, time.map_or_else(|| wider.into(), in_time)))
    }

    /// Finds a solution of a length below `below` by a beam.
    pub fn beam(
        &self,
        width: Width,
        below: usize,
        limits: &Limits,
    ) -> Result<Option<Moves>, Error> {
        let Task { position, searcher, .. } = self;
        let new = || Learned::new(position.grid(), position.goal_blank(), searcher.metric);
        let learned = searcher.learned.as_ref().map(|learned| learned.get_or_init(new));
        match (&searcher.search, learned) {
            (Backend::Engine(engine), _) => {
                searcher.result(engine.beam(position, width, below, learned, limits))
            }
            (_, Some(learned)) => {
                Ok(beam(position, learned, searcher.metric, width, below, limits))
            }
            (Backend::Plain(composed), None) => {
                searcher.result(composed.beam(position, width, below, limits))
            }
            _ => Ok(None),
        }
    }
}
