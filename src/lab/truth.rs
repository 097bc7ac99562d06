//! Values compared with true distances, and with each other across a move.

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::error::Error;
use super::statistics::{average, correlation, mean};
use super::suite::Suite;
use super::trial::{Tried, number};
use crate::board::{Board, Move, Random};
use crate::search::Cancel;
use crate::solver::Limits;

/// A heuristic compared with true distances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Truth {
    /// The boards whose distance is known.
    pub boards: usize,
    /// The boards whose value is above the distance. A heuristic with one is not admissible.
    pub violations: usize,
    /// The board with the largest value above the distance: the board, its value and its distance.
    pub worst: Option<(String, f64, u32)>,
    /// The distance minus the value, on average; `None` if no distance is known.
    pub average_gap: Option<f64>,
    /// The mean absolute difference.
    pub average_error: Option<f64>,
    /// The value divided by the distance, on average over the boards that are not solved.
    pub h_over_distance: Option<f64>,
    /// Pearson's correlation of values and distances.
    pub correlation: Option<f64>,
    /// The number of boards at each distance, and the mean of distance minus value.
    pub by_distance: Vec<(u32, usize, f64)>,
    /// The moves along random walks that were checked; 0 if values exist for only some boards.
    pub edges: usize,
    /// The moves across which the value changes by more than 1. A heuristic with one is not consistent.
    pub inconsistent: usize,
    /// The largest change: the board before and after the move, and their values.
    pub worst_edge: Option<Edge>,
}

/// A move between two boards, with their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Edge {
    /// The board before the move.
    pub from: String,
    /// The board after it.
    pub to: String,
    /// The value before it.
    #[serde(serialize_with = "number")]
    pub h_from: f64,
    /// The value after it.
    #[serde(serialize_with = "number")]
    pub h_to: f64,
}

/// The walks, and the moves of each.
const WALKS: usize = 100;
const MOVES: usize = 50;

/// The seed of the walks.
pub const SEED: u64 = 1;

/// A value is above a distance, or changes by more than 1, if it does so by more than this.
const ROUNDING: f64 = 1e-6;

/// Compares the values of all entries with the lengths that are known, and looks at the moves of walks from
/// the boards tried. After a cancel there are no walks.
///
/// # Errors
/// A damaged table, or a fault of a program.
pub fn compare(
    entries: &[Entry],
    suite: &Suite,
    tried: &[Tried],
    cancel: &Cancel,
) -> Result<Vec<Truth>, Error> {
    let walks: Vec<Vec<Board>> = walks(suite, tried);
    let limits = Limits::default().cancel(cancel);
    let of = |(i, entry): (usize, &Entry)| {
        let truth = distance_errors(tried, i);
        if !entry.has_any_value() {
            return Ok(truth);
        }
        match entry.values(&walks.concat(), &limits) {
            Err(Error::Cancelled) => Ok(truth),
            values => Ok(edges(truth, &walks, &values?)),
        }
    };
    entries.iter().enumerate().map(of).collect()
}

/// Walks without turning back from some of the boards tried, with their first board.
fn walks(suite: &Suite, tried: &[Tried]) -> Vec<Vec<Board>> {
    let mut random = Random::new(SEED);
    let walk = |tried: &Tried| {
        let mut walk = vec![suite.cases[tried.number - 1].board.clone()];
        let mut last: Option<Move> = None;
        while walk.len() <= MOVES {
            let m = Move::ALL[random.below(4)];
            let mut next = walk[walk.len() - 1].clone();
            if last != Some(m.opposite()) && next.apply(m) {
                last = Some(m);
                walk.push(next);
            }
        }
        walk
    };
    tried.iter().take(WALKS).map(walk).collect()
}

/// The values of an entry, given by its place, compared with the lengths that are known.
pub(super) fn distance_errors(tried: &[Tried], entry: usize) -> Truth {
    let known = tried
        .iter()
        .filter_map(|tried| Some((tried.board.as_str(), tried.trials[entry].h, tried.optimal?)));
    let known: Vec<(&str, f64, u32)> = known.collect();
    let gap = |&(_, h, d): &(&str, f64, u32)| f64::from(d) - h;
    let above = known.iter().filter(|of| gap(of) < -ROUNDING);
    let worst = above.clone().max_by(|a, b| gap(b).total_cmp(&gap(a)));
    let mut by_distance = known.clone();
    by_distance.sort_by_key(|&(_, _, d)| d);
    let by_distance = by_distance.chunk_by(|a, b| a.2 == b.2);
    let pairs: Vec<(f64, f64)> = known.iter().map(|&(_, h, d)| (h, f64::from(d))).collect();
    Truth {
        boards: known.len(),
        violations: above.count(),
        worst: worst.map(|&(board, h, d)| (board.to_owned(), h, d)),
        average_gap: average(known.iter().map(gap)),
        average_error: average(known.iter().map(|of| gap(of).abs())),
        h_over_distance: average(pairs.iter().filter(|(_, d)| *d > 0.0).map(|(h, d)| h / d)),
        correlation: correlation(&pairs),
        by_distance: by_distance
            .map(|same| (same[0].2, same.len(), mean(same.iter().map(gap))))
            .collect(),
        ..Truth::default()
    }
}

/// Adds the moves of walks to a comparison. All walks are of one length; `h` has the values of one after the other.
fn edges(truth: Truth, walks: &[Vec<Board>], h: &[f64]) -> Truth {
    let h = h.chunks(walks.first().map_or(1, Vec::len));
    let edges = walks.iter().zip(h).flat_map(|(walk, h)| walk.windows(2).zip(h.windows(2)));
    let change = |(_, h): &(&[Board], &[f64])| (h[0] - h[1]).abs();
    let jumps: Vec<_> = edges.clone().filter(|edge| change(edge) > 1.0 + ROUNDING).collect();
    // The first of the largest.
    let worst = jumps.iter().rev().max_by(|a, b| change(a).total_cmp(&change(b)));
    let worst_edge = worst.map(|&(boards, h)| {
        let [from, to] = [0, 1].map(|i| boards[i].to_string());
        Edge { from, to, h_from: h[0], h_to: h[1] }
    });
    Truth { edges: edges.count(), inconsistent: jumps.len(), worst_edge, ..truth }
}

#[cfg(test)]
mod tests {
    use super::super::trial::Trial;
    use super::*;

    #[test]
    fn violations_are_counted_and_the_worst_is_shown() {
        let boards: Vec<Board> =
            ["1 2 3 0", "1 0 3 2", "0 1 3 2"].map(|b| b.parse().unwrap()).into();
        let known = [("1 2 / 3 0", 0.0, 0), ("1 0 / 3 2", 3.5, 1), ("0 1 / 3 2", 1.0, 2)];
        let tried = known.map(|(board, h, distance)| Tried {
            number: 1,
            board: board.to_owned(),
            optimal: Some(distance),
            trials: vec![Trial::of_value(h)],
        });
        let truth = distance_errors(&tried, 0);
        assert_eq!((truth.boards, truth.violations), (3, 1));
        assert_eq!(truth.worst, Some(("1 0 / 3 2".to_owned(), 3.5, 1)));
        assert_eq!((truth.average_gap, truth.h_over_distance), (Some(-0.5), Some(2.0)));
        assert_eq!(truth.by_distance, [(0, 1, 0.0), (1, 1, -2.5), (2, 1, 1.0)]);
        let edges = edges(truth, &[boards.clone(), boards], &[0.0, 3.5, 1.0, 0.0, 1.0, 2.0]);
        assert_eq!((edges.edges, edges.inconsistent), (4, 2));
        let worst = edges.worst_edge.unwrap();
        assert_eq!((worst.from.as_str(), worst.h_to), ("1 2 / 3 0", 3.5));
    }
}
