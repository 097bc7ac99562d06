//! The search for a proof: the solver's loop over the thresholds, accompanied by beams.
//!
//! Before each threshold a wider beam looks for a shorter solution, if the search has grown enough. A
//! solution as long as the bound spares the last threshold, the largest one. The widths follow from the
//! thresholds before, so the answer is the same for any number of threads, and for an interrupted search.

use super::beams::BEAM;
use super::task::Task;
use crate::board::Moves;
use crate::search::{Deepening, Event, Limits, Outcome, Proof, Searched, Stop, Threshold};
use crate::solver::results::Error;

/// The least width of the other beams.
const NARROWEST: usize = 500;

/// Each beam is at least this many times as wide as the one before.
const WIDER: usize = 2;

/// The best solution known, and the beams that looked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Best {
    path: Option<Moves>,
    /// The width of the last beam, in positions of a level.
    width: usize,
    /// The number of thresholds exhausted before it.
    thresholds: usize,
}

/// The search of a board for a proof, and the best solution known meanwhile.
pub struct Proving<'a> {
    task: &'a Task,
    /// Beams look for shorter solutions: the search may take long, or a gap was asked for.
    has_beams: bool,
    /// The limits of the search.
    pub limits: Limits,
    /// Beams that were stopped leave no trace here.
    pub best: Best,
    /// The threshold at which it ended.
    pub last: Threshold,
}

impl<'a> Proving<'a> {
    /// Goes on from the best solution known. If there is none, finds a first one, unless a proof is asked
    /// for.
    pub fn new(task: &'a Task, limits: &Limits, mut best: Best) -> Result<Proving<'a>, Error> {
        let searcher = &task.searcher;
        let has_beams = match searcher.prover() {
            Some(_) => searcher.is_long(&task.position),
            None => limits.gap > 0,
        };
        if has_beams && limits.gap > 0 && best.path.is_none() {
            best.path = Some(task.some_solution(BEAM, limits)?);
            best.width = best.width.max(BEAM);
        }
        best.width = best.width.max(NARROWEST / WIDER);
        Ok(Proving {
            task,
            has_beams,
            limits: searcher.guard(limits),
            best,
            last: Threshold::default(),
        })
    }

    /// Runs the whole search, without the thresholds that another one has exhausted.
    pub fn run(&mut self, proved: Option<&Proof>) -> Result<Outcome, Error> {
        let Task { position, searcher, .. } = self.task;
        let mut limits = self.limits.clone();
        if let Some(path) = &self.best.path {
            let near = (searcher.length(path) as u32).saturating_sub(limits.gap);
            limits = limits.bound(near);
        }
        let outcome = searcher.solve(position, &limits, |search| {
            proved.into_iter().for_each(|proof| search.skip(proof));
            let end = self.deepen(search, |_, _| ())?;
            self.last.clone_from(search.threshold());
            Ok(search.outcome(end))
        })?;
        Ok(self.complete(outcome))
    }

    /// Searches one threshold after the other, to the end. `keep` receives the state between them and at
    /// the end.
    pub fn deepen<S: Deepening + ?Sized>(
        &mut self,
        search: &mut S,
        keep: impl Fn(&S, &Best),
    ) -> Result<Searched, Error> {
        loop {
            // Before the beams of a threshold, which may take long.
            keep(search, &self.best);
            let end = self.next(search)?;
            if end != Searched::Exhausted {
                keep(search, &self.best);
                return Ok(end);
            }
        }
    }

    /// Searches a threshold, unless the best solution is near enough to the bound.
    pub fn next<S: Deepening + ?Sized>(&mut self, search: &mut S) -> Result<Searched, Error> {
        if self.is_near(search.threshold())? {
            return Ok(Searched::Stopped(Stop::Gap));
        }
        self.task.searcher.result(search.next(&self.limits))
    }

    /// Adds the best solution to the outcome of a search without one.
    pub fn complete(&self, outcome: Outcome) -> Outcome {
        let path = outcome.path.or_else(|| self.best.path.clone());
        Outcome { path, ..outcome }
    }

    /// Looks for a shorter solution, if beams do so and the search has grown enough since the last one.
    /// Returns whether the best one is near enough.
    pub fn is_near(&mut self, threshold: &Threshold) -> Result<bool, Error> {
        if !self.has_beams {
            return Ok(false);
        }
        let Threshold { history, bound, .. } = threshold;
        // A search that goes on from a record may have several thresholds to make up for.
        while self.best.thresholds < history.len() {
            let (before, since) = history.split_at(self.best.thresholds + 1);
            let bound = since.first().map_or(*bound, |&(bound, _)| bound);
            let nodes = before.iter().map(|&(_, nodes)| nodes).sum();
            if self.is_far(bound) && !self.improve(bound, nodes)? {
                break;
            }
            self.best.thresholds += 1;
        }
        Ok(!self.is_far(*bound))
    }

    /// Looks for a shorter solution by a beam with at most as many nodes as the search so far. Returns
    /// whether the beam ended without being stopped.
    fn improve(&mut self, bound: u32, nodes: u64) -> Result<bool, Error> {
        let Proving { task, best, .. } = self;
        let length = |path: &Moves| task.searcher.length(path);
        let below = best.path.as_ref().map_or(usize::MAX, length);
        let width = task.width(nodes, below.min(bound as usize));
        if width < best.width.saturating_mul(WIDER) {
            return Ok(true);
        }
        // The width follows from the nodes of the search, which are limited.
        let limits = self.limits.clone().nodes(u64::MAX);
        let found = task.beam(width.into(), below, &limits)?;
        if found.is_none() && limits.check(0).is_some() {
            return Ok(false);
        }
        best.width = width;
        if let Some(shorter) = found {
            limits.report(&Event::Shorter(length(&shorter)));
            best.path = Some(shorter);
        }
        Ok(true)
    }

    fn is_far(&self, bound: u32) -> bool {
        let near = bound.saturating_add(self.limits.gap) as usize;
        self.best.path.as_ref().is_none_or(|path| self.task.searcher.length(path) > near)
    }
}
