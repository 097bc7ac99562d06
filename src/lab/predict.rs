//! The nodes of an iteration of IDA*, predicted (Korf, Reid & Edelkamp, *Time complexity of
//! iterative-deepening-A\**, Artificial Intelligence 129 (2001)) and measured.
//!
//! An iteration with threshold d expands a node at depth i if its h is at most d − i. With N(i, c) walks of
//! the blank from the board to cell c in i moves, and the share P(x | c) of the boards with the blank in c
//! whose h is at most x, that is Σ N(i, c) · P(d − i | c) over all i and c. For a consistent heuristic this
//! is exactly the mean over all boards, if iterations go on beyond the goal: a walk of the blank takes a
//! uniform board to a uniform one. Searches that stop at the goal cannot show it. The boards of low h, which
//! take most of the nodes, are solved before the threshold is complete.
//!
//! Both sides are means over all boards, and the boards of low h dominate them. They are therefore taken
//! from the [`chains`](super::chains), with their weights:
//!
//! - Predicted: a board with value h and its blank in c stands for the nodes that are such boards, so it adds
//!   the walks between c and any cell of at most d − h moves.
//! - Measured: an iteration begins at the same board, and does not stop at the goal.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::branching;
use super::chains::End;
use super::statistics::{estimate, ratio};
use crate::board::{Board, Grid, Move};

/// The iterations with one threshold: nodes expanded for a board, on average over all boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prediction {
    /// The threshold.
    pub threshold: u32,
    /// The boards searched.
    pub boards: usize,
    /// The mean over these boards, with their weights.
    pub measured: f64,
    /// Its standard error.
    pub measured_error: f64,
    /// The prediction.
    pub predicted: f64,
    /// Its standard error.
    pub error: f64,
    /// The 95 % interval of the prediction divided by the measurement. The boards have both numbers, so it is
    /// narrower than the two errors.
    #[serde(default)]
    pub ratio_interval: Option<(f64, f64)>,
}

/// The thresholds reported: the largest ones that are feasible.
const REPORTED: usize = 6;

/// No board is that far from the goal, up to 5×5.
const MOST: u32 = 250;

/// Predicts and measures the nodes, with the boards at the ends of chains.
///
/// # Errors
/// The errors of `evaluate`, which returns the values of boards.
pub fn predictions<E: Send>(
    grid: Grid,
    ends: &[End],
    evaluate: impl Fn(&[Board]) -> Result<Vec<f64>, E> + Sync,
) -> Result<Vec<Prediction>, E> {
    let base = branching::factor(grid);
    // The weight estimates the mean of b^-h. Times b^h it is the weight of a board in a mean over all boards.
    let weights: Vec<f64> = ends.iter().map(|end| end.weight * base.powf(end.h)).collect();
    // A walk and its way back are two walks of one length, so that equally many begin and end in a cell.
    let walks = branching::walks(grid, MOST as usize);
    // The most nodes of all iterations with one threshold. They take some seconds. Small boards have fewer: their
    // spaces are small too.
    let most_nodes = if grid.cells() < 12 { 1e5 } else { 1e6 };
    let mut found = Vec::new();
    for threshold in 0..=MOST {
        let nodes = ends.par_iter().map(|end| expanded(end, threshold, &evaluate));
        let nodes = nodes.collect::<Result<Vec<u64>, E>>()?;
        let all = nodes.iter().sum::<u64>() as f64;
        if all > 0.0 {
            // The walks of at most as many moves as the threshold leaves.
            let walks = |end: &End| -> f64 {
                let depths = (f64::from(threshold) - end.h + 1.0).max(0.0) as usize;
                walks[..depths].iter().map(|ends| ends[end.board.blank()]).sum()
            };
            // Predicted and measured, for each board.
            let sums = ends.iter().zip(&nodes).zip(&weights);
            let pairs: Vec<(f64, f64)> = sums
                .map(|((end, nodes), weight)| (weight * walks(end), weight * *nodes as f64))
                .collect();
            let (predicted, measured): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let (predicted, error) = estimate(&predicted);
            let (measured, measured_error) = estimate(&measured);
            found.push(Prediction {
                threshold,
                boards: ends.len(),
                measured,
                measured_error,
                predicted,
                error,
                ratio_interval: ratio(&pairs).1,
            });
        }
        // Values of one parity let the nodes grow with every other threshold only.
        if all * base * base > most_nodes {
            break;
        }
    }
    Ok(found.split_off(found.len().saturating_sub(REPORTED)))
}

/// The nodes that an iteration expands, layer by layer.
fn expanded<E>(
    root: &End,
    threshold: u32,
    evaluate: &impl Fn(&[Board]) -> Result<Vec<f64>, E>,
) -> Result<u64, E> {
    let mut left = f64::from(threshold);
    let mut layer: Vec<(Board, Option<Move>)> = Vec::new();
    if root.h <= left {
        layer.push((root.board.clone(), None));
    }
    let mut count = 0;
    while !layer.is_empty() {
        count += layer.len() as u64;
        left -= 1.0;
        let children = layer.iter().flat_map(|(board, last)| {
            Move::ALL.into_iter().filter_map(move |m| {
                let mut child = board.clone();
                (*last != Some(m.opposite()) && child.apply(m)).then_some((child, Some(m)))
            })
        });
        let (boards, moves): (Vec<Board>, Vec<_>) = children.unzip();
        let values = if left < 0.0 { Vec::new() } else { evaluate(&boards)? };
        let children = boards.into_iter().zip(moves).zip(values);
        layer = children.filter(|(_, h)| *h <= left).map(|(child, _)| child).collect();
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::super::chains::tests::space;
    use super::*;
    use crate::classics::{Heuristic, LinearConflict};

    /// With every board of the space, the prediction is exact.
    #[test]
    fn the_prediction_is_the_mean_over_all_boards() {
        let grid = Grid::new(3, 2).unwrap();
        let boards = space(grid);
        assert_eq!(boards.len(), 360);
        let base = branching::factor(grid);
        let heuristic = LinearConflict::new(grid, 0);
        let h = |board: &Board| f64::from(heuristic.value(&heuristic.start(board.tiles())));
        // Drawn uniformly, a board has the weight b^-h.
        let end =
            |board: &Board| End { weight: base.powf(-h(board)), h: h(board), board: board.clone() };
        let ends: Vec<End> = boards.iter().map(end).collect();
        let values = |boards: &[Board]| Ok::<_, ()>(boards.iter().map(h).collect());
        let found = predictions(grid, &ends, values).unwrap();
        assert_eq!(found.len(), REPORTED);
        for p in &found {
            assert!((p.predicted / p.measured - 1.0).abs() < 1e-9, "{p:?}");
            assert!(p.ratio_interval.is_some_and(|(low, high)| low < 1.0 && high > 1.0), "{p:?}");
        }
        assert!(found[REPORTED - 1].measured > 5.0, "{found:?}");
    }
}
