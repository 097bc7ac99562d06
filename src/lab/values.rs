//! Values of a heuristic over the whole space, by sampling.
//!
//! The average and the histogram are over boards drawn uniformly. The *heuristic quality* η (Clausecker, *The
//! quality of heuristic functions for IDA**, ZIB report, 2020) is the mean of b^−h over all positions, where
//! b is the branching factor. By the formula of Korf, Reid & Edelkamp IDA* needs about η·b^d nodes for an
//! iteration with threshold d: η is the share of the tree that remains, whatever the board.
//!
//! Rare positions dominate that mean, so it is sampled by [`chains`](super::chains).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::branching;
use super::chains::{End, SEED, anneal};
use super::entry::Entry;
use super::error::Error;
use super::predict::{Prediction, predictions};
use super::statistics::estimate;
use super::suite::Suite;
use super::trial::Step;
use crate::board::{Board, Random};
use crate::picture::Sample;
use crate::search::Cancel;
use crate::solver::Limits;

/// A heuristic's values.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Values {
    /// The boards drawn.
    pub boards: u32,
    /// The mean of h.
    pub average_h: f64,
    /// The standard error of the average.
    pub error: f64,
    /// (h, how many of the boards have it), in ascending order. Values are rounded.
    pub histogram: Vec<(u32, u64)>,
    /// (h, the share of the nodes of a deep tree that have it): the equilibrium distribution, in which the
    /// cells of the blank are as frequent as in the tree.
    pub equilibrium: Vec<(u32, f64)>,
    /// The mean of b^−h.
    pub quality: f64,
    /// Its standard error.
    pub quality_error: f64,
    /// b.
    pub branching_factor: f64,
    /// The nodes expanded in complete iterations of plain IDA*, predicted and measured: some thresholds, in
    /// ascending order.
    pub predictions: Vec<Prediction>,
}

/// The independent chains of an estimate of η.
pub const CHAINS: usize = 200;

/// The least steps of a chain.
const LEAST_STEPS: u32 = 1000;

/// The boards that are valued at once.
const PART: usize = 4096;

/// Measures the values of all entries over `count` random boards, on the threads of the machine. Returns
/// `None` for an entry that has values for only some boards, and for entries not measured before a cancel.
/// The steps are the [`CHAINS`] of each entry.
///
/// # Errors
/// A damaged table, or a fault of a program.
pub fn measure(
    entries: &[Entry],
    suite: &Suite,
    count: u32,
    cancel: &Cancel,
    watch: &(dyn Fn(Step<'_>) + Sync),
) -> Result<Vec<Option<Values>>, Error> {
    // All heuristics have the same boards.
    let mut random = Random::new(SEED);
    let draws = (0..count).take_while(|_| !cancel.is_cancelled());
    let boards: Vec<Board> = draws.map(|_| suite.goal.random_board(&mut random)).collect();
    let steps = (count / 10).max(LEAST_STEPS);
    let base = branching::factor(suite.grid());
    let shares = branching::shares(suite.grid());
    let limits = Limits::default().cancel(cancel);
    let of = |entry: &Entry| -> Result<Option<Values>, Error> {
        if !entry.has_any_value() || cancel.is_cancelled() {
            return Ok(None);
        }
        watch(Step::Begins(&entry.about.heuristic));
        let evaluate = |boards: &[Board]| entry.values(boards, &limits);
        let parts = boards.chunks(PART).map(evaluate).collect::<Result<Vec<_>, _>>()?;
        let h = parts.concat();
        // A program values the boards of all chains at once.
        let group = if entry.is_own() { 1 } else { CHAINS };
        let ends = (0..CHAINS).into_par_iter().step_by(group).map(|first| {
            let start = |chain: usize| boards[chain % boards.len()].clone();
            let starts = (first..first + group).map(start).collect();
            anneal(starts, base, steps, first, evaluate, || watch(Step::Ends))
        });
        let ends = ends.collect::<Result<Vec<_>, _>>()?;
        let ends: Vec<End> = ends.into_iter().flatten().collect();
        let weights: Vec<f64> = ends.iter().map(|end| end.weight).collect();
        let ((average_h, error), (quality, quality_error)) = (estimate(&h), estimate(&weights));
        let cells = suite.grid().cells() as f64;
        let mut equilibrium = std::collections::BTreeMap::new();
        for (board, h) in boards.iter().zip(&h) {
            let share = shares[board.blank()] * cells / f64::from(count);
            *equilibrium.entry(h.round() as u32).or_insert(0.0) += share;
        }
        Ok(Some(Values {
            boards: count,
            average_h,
            error,
            histogram: Sample::of(h.iter().map(|h| h.round() as u32)).histogram,
            equilibrium: equilibrium.into_iter().collect(),
            quality,
            quality_error,
            branching_factor: base,
            predictions: match entry.is_own() {
                true => predictions(suite.grid(), &ends, evaluate)?,
                // They would ask a program for many small batches.
                false => Vec::new(),
            },
        }))
    };
    let unless_cancelled = |measured| match measured {
        Err(Error::Cancelled) => Ok(None),
        measured => measured,
    };
    entries.iter().map(|entry| unless_cancelled(of(entry))).collect()
}
