//! Results of a search.

use std::sync::Arc;
use std::time::Duration;

use crate::board::{Metric, Path};
use crate::search::Stop;

/// Moves that lead from a board to the goal, replayed on the board, and the proof of their length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub(super) moves: Path,
    pub(super) metric: Metric,
    pub(super) lower_bound: u32,
    pub(super) effort: Effort,
}

impl Solution {
    /// The moves.
    pub fn moves(&self) -> &Path {
        &self.moves
    }

    /// The number of moves of single tiles, in either metric.
    #[allow(clippy::len_without_is_empty, reason = "the solution of a solved board is no error")]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The number of slides, in either metric: see [`Metric::Multi`].
    pub fn slides(&self) -> usize {
        self.moves.length(Metric::Multi)
    }

    /// The metric that the solver counts in: the one of the lower bound and the gap.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The length in the solver's metric.
    pub fn length(&self) -> usize {
        self.moves.length(self.metric)
    }

    /// The length in words: `80 moves`, or `32 slides (58 moves of single tiles)`.
    pub fn length_in_words(&self) -> String {
        let moves = Metric::Single.in_words(self.len());
        match self.metric {
            Metric::Single => moves,
            Metric::Multi => {
                format!("{} ({moves} of single tiles)", Metric::Multi.in_words(self.slides()))
            }
        }
    }

    /// Whether it is proved that no solution is shorter in the solver's metric.
    pub fn is_optimal(&self) -> bool {
        self.gap() == 0
    }

    /// The lower bound proved: no solution is shorter in the solver's metric.
    pub fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    /// The length beyond the lower bound; 0 if the solution is optimal.
    pub fn gap(&self) -> u32 {
        (self.length() as u32).saturating_sub(self.lower_bound)
    }

    /// The cost of the search.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }
}

/// Bounds on the optimal length of a board: the lower bound proved, and the best solution known.
/// The bracket is closed if they agree; then the solution is optimal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bracket {
    /// The metric of the bounds.
    pub metric: Metric,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// The best solution known, if there is one.
    pub solution: Option<Solution>,
    /// Why the search ended before it was done.
    pub stopped: Option<Stop>,
    /// The cost of the search.
    pub effort: Effort,
}

impl Bracket {
    /// Whether there is a solution, and it is proved that none is shorter.
    pub fn is_optimal(&self) -> bool {
        self.solution.as_ref().is_some_and(Solution::is_optimal)
    }

    /// The length of the best solution beyond the lower bound, if there is a solution.
    pub fn gap(&self) -> Option<u32> {
        self.solution.as_ref().map(Solution::gap)
    }
}

/// The cost of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Children generated, without those that undo the last move. For a method that is not optimal,
    /// both counts are those of the search for the lower bound.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// The time that was spent on the board: see [`Limits`](super::Limits). Zero on targets without a
    /// clock.
    pub time: Duration,
    /// The time of earlier runs of the same search, if it went on from a checkpoint.
    pub earlier: Duration,
    /// The heuristic that guided the search, as [`Builder::heuristic`](super::Builder::heuristic) takes
    /// it.
    pub heuristic: Arc<str>,
}

/// The optimal solutions of a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solutions {
    /// The number of optimal solutions; `Err` with the reason if the count was stopped.
    pub count: Result<u128, Stop>,
    /// The first of them, up to the number asked for, in the order in which moves are tried.
    pub paths: Vec<Path>,
    /// The search for the first one. Unless it is optimal, nothing was counted.
    pub bracket: Bracket,
}
