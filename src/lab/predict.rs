//! The nodes of an iteration of IDA*, predicted (Korf, Reid & Edelkamp, *Time complexity of
//! iterative-deepening-A\**, Artificial Intelligence 129 (2001)).
//!
//! An iteration with threshold d expands a node at depth i if its h is at most d − i. With N(i, c) walks of
//! the blank from the board to cell c in i moves, and the share P(x | c) of the boards with the blank in c
//! whose h is at most x, that is Σ N(i, c) · P(d − i | c) over all i and c. The walks are counted exactly.
//! The boards of low h that dominate the sum come from [`chains`](super::chains), with their
//! weights: a board with value h and its blank in c adds the walks to c of at most d − h moves, times the
//! number of cells.

use serde::{Deserialize, Serialize};

use super::branching;
use super::chains::End;
use super::statistics::deviation;
use super::trial::Trial;
use crate::board::Grid;

/// The iterations with one threshold: the nodes expanded for all boards together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prediction {
    /// The threshold.
    pub threshold: u32,
    /// The boards whose iteration is complete. Those whose h is above the threshold count, with no node.
    pub boards: usize,
    /// The nodes expanded.
    pub measured: u64,
    /// Their standard error, if the boards were drawn at random.
    pub measured_error: f64,
    /// The prediction.
    pub predicted: f64,
    /// The standard error of the prediction.
    pub error: f64,
}

/// The share of the boards that may be solved, or stopped by a limit, before a threshold is complete. They
/// are not average boards, so that more of them would distort the comparison.
const LEFT_OUT: f64 = 0.02;

/// The predictions for the iterations of trials, each with the cell of its board's blank.
pub fn predictions<'a>(
    grid: Grid,
    ends: &[End],
    trials: impl Iterator<Item = (usize, &'a Trial)>,
) -> Vec<Prediction> {
    // The threshold that is not complete.
    let last = |trial: &Trial| trial.bound.or(trial.length);
    let trials: Vec<(usize, &Trial, u32)> =
        trials.filter_map(|(blank, trial)| Some((blank, trial, last(trial)?))).collect();
    let mut ends_of_trials: Vec<u32> = trials.iter().map(|(.., last)| *last).collect();
    ends_of_trials.sort_unstable();
    let may_miss = (trials.len() as f64 * LEFT_OUT) as usize;
    let first = trials.iter().filter_map(|(_, trial, _)| trial.thresholds.first()).min();
    let (Some(&(first, ..)), Some(&end)) = (first, ends_of_trials.get(may_miss)) else {
        return Vec::new();
    };
    let base = branching::factor(grid);
    let sums: Vec<Vec<Vec<f64>>> =
        (0..grid.cells()).map(|blank| sums_of_walks(grid, blank, end as usize)).collect();
    let of = |threshold: u32| {
        let complete = || trials.iter().filter(|(.., last)| *last > threshold);
        let nodes = |trial: &Trial| {
            let own = trial.thresholds.iter().rfind(|(bound, ..)| *bound <= threshold);
            own.map_or(0, |(.., expanded)| *expanded)
        };
        let mut boards = vec![0.0; grid.cells()];
        complete().for_each(|&(blank, ..)| boards[blank] += 1.0);
        let estimate = |end: &End| {
            let Some(depth) = threshold.checked_sub(end.h.ceil() as u32) else { return 0.0 };
            let walks = boards.iter().zip(&sums).map(|(n, of)| n * of[depth as usize][end.blank]);
            // The weight estimates the mean of b^-h; this is the mean of the walks.
            end.weight * base.powf(end.h) * grid.cells() as f64 * walks.sum::<f64>()
        };
        let estimates: Vec<f64> = ends.iter().map(estimate).collect();
        let measured: Vec<f64> = complete().map(|(_, trial, _)| nodes(trial) as f64).collect();
        let spread = deviation(measured.iter().copied()).unwrap_or(0.0);
        let n = estimates.len() as f64;
        Prediction {
            threshold,
            boards: complete().count(),
            measured: complete().map(|(_, trial, _)| nodes(trial)).sum(),
            measured_error: spread * (measured.len() as f64).sqrt(),
            predicted: estimates.iter().sum::<f64>() / n,
            error: deviation(estimates.iter().copied()).unwrap_or(0.0) / n.sqrt(),
        }
    };
    (first..end).map(of).collect()
}

/// The walks from a cell to each cell of at most as many moves as the place says.
fn sums_of_walks(grid: Grid, from: usize, depth: usize) -> Vec<Vec<f64>> {
    let mut sums = branching::walks(grid, from, depth);
    for i in 1..sums.len() {
        let (before, after) = sums.split_at_mut(i);
        after[0].iter_mut().zip(&before[i - 1]).for_each(|(own, before)| *own += before);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Goal, Move, Random};
    use crate::heuristic::{Heuristic, Manhattan};

    /// The nodes of 3×3 whose f is at most a threshold, in a search that does not stop at the goal.
    fn expanded(board: &Board, manhattan: &Manhattan, last: Option<Move>, left: u32) -> u64 {
        let h = manhattan.value(&manhattan.start(board.tiles()));
        if h > left {
            return 0;
        }
        let children = Move::ALL.into_iter().filter(|m| last != Some(m.opposite()));
        let nodes = children.map(|m| {
            let mut child = board.clone();
            if child.apply(m) && left > 0 {
                expanded(&child, manhattan, Some(m), left - 1)
            } else {
                0
            }
        });
        1 + nodes.sum::<u64>()
    }

    #[test]
    fn the_prediction_is_the_mean_of_random_boards() {
        let goal = Goal::named("blank-first", Grid::new(3, 3).unwrap()).unwrap();
        let grid = goal.board().grid();
        let manhattan = Manhattan::new(grid, 0);
        let mut random = Random::new(3);
        let boards: Vec<Board> = (0..3000).map(|_| goal.random_board(&mut random)).collect();
        // With plain sampling every board is an end of weight b^-h.
        let base = branching::factor(grid);
        let value = |board: &Board| f64::from(manhattan.value(&manhattan.start(board.tiles())));
        let end = |board: &Board| {
            let h = value(board);
            End { weight: base.powf(-h), h, blank: board.blank() }
        };
        let ends: Vec<End> = boards.iter().map(end).collect();
        let others: Vec<Board> = (0..3000).map(|_| goal.random_board(&mut random)).collect();
        let trials: Vec<(usize, Trial)> = others
            .iter()
            .map(|board| {
                let nodes =
                    |threshold| (threshold, 0, expanded(board, &manhattan, None, threshold));
                let thresholds = (10..=18).map(nodes).collect();
                (board.blank(), Trial { bound: Some(19), thresholds, ..Trial::default() })
            })
            .collect();
        let found = predictions(grid, &ends, trials.iter().map(|(blank, trial)| (*blank, trial)));
        assert_eq!(found.len(), 9);
        for p in &found[4..] {
            let off = (p.predicted / p.measured as f64 - 1.0).abs();
            assert!(off < 0.1 && p.boards == 3000, "{p:?}");
        }
    }
}
