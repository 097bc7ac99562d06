//! Results of a search.

use std::sync::Arc;
use std::time::Duration;

use super::error::Error;
use crate::board::{Metric, Moves};
use crate::search::{Outcome, Stop};

/// Moves that lead from a board to the goal, replayed on the board, and the proof of their length.
///
/// A deserialised solution has the moves and the proof that its text claims.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solution {
    pub(crate) moves: Moves,
    pub(crate) metric: Metric,
    pub(crate) lower_bound: u32,
    pub(crate) effort: Effort,
}

impl Solution {
    /// The moves.
    pub fn moves(&self) -> &Moves {
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

    /// Returns whether it is proved that no solution is shorter in the solver's metric.
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
    pub(crate) falls_short: bool,
    /// The cost of the search.
    pub effort: Effort,
}

impl Bracket {
    /// A bound that was proved, and the moves of the best solution known.
    pub(crate) fn new(
        metric: Metric,
        lower_bound: u32,
        moves: Option<Moves>,
        stopped: Option<Stop>,
        effort: Effort,
    ) -> Bracket {
        let solution =
            moves.map(|moves| Solution { moves, metric, lower_bound, effort: effort.clone() });
        let falls_short = stopped.is_some_and(|stop| stop != Stop::Gap);
        Bracket { metric, lower_bound, solution, stopped, falls_short, effort }
    }

    /// The bracket of an outcome whose moves are these ones of the board.
    pub(crate) fn of<P: Clone + PartialEq>(
        outcome: &Outcome<P>,
        moves: Option<Moves>,
        metric: Metric,
        time: Duration,
        heuristic: Arc<str>,
    ) -> Bracket {
        let &Outcome { generated, expanded, positions, stopped, value: h, .. } = outcome;
        let earlier = Duration::ZERO;
        let effort = Effort { generated, expanded, positions, time, earlier, heuristic, h };
        Bracket::new(metric, outcome.lower_bound(), moves, stopped, effort)
    }

    /// Returns whether there is a solution, and it is proved that none is shorter.
    pub fn is_optimal(&self) -> bool {
        self.solution.as_ref().is_some_and(Solution::is_optimal)
    }

    /// Returns whether the search ended before it reached its aim: a proof, or the gap that was
    /// asked for. Without a gap, the methods that are not optimal have no such aim, and never fall
    /// short.
    pub fn falls_short(&self) -> bool {
        self.falls_short
    }

    /// The moves of an optimal solution.
    ///
    /// # Errors
    /// [`Error::Stopped`] if none is proved.
    pub(crate) fn optimal(&self) -> Result<&Moves, Error> {
        let optimal = self.solution.as_ref().filter(|solution| solution.is_optimal());
        optimal.map(Solution::moves).ok_or_else(|| self.unproved())
    }

    /// Returns whether there is a solution of at most so many moves.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the bounds leave it open.
    pub(crate) fn is_within(&self, moves: u32) -> Result<bool, Error> {
        match &self.solution {
            Some(solution) if solution.length() <= moves as usize => Ok(true),
            _ if self.lower_bound > moves => Ok(false),
            _ => Err(self.unproved()),
        }
    }

    fn unproved(&self) -> Error {
        Error::Stopped(self.stopped.unwrap_or(Stop::Method))
    }

    /// The length of the best solution beyond the lower bound, if there is a solution.
    pub fn gap(&self) -> Option<u32> {
        self.solution.as_ref().map(Solution::gap)
    }
}

/// The cost of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Effort {
    /// Children generated, without those that undo the last move. For a method that is not optimal, they
    /// include beams, the shortening and the search for the lower bound. For the others, they are the nodes
    /// of the proof.
    pub generated: u64,
    /// Positions whose children were generated by the search for the lower bound.
    pub expanded: u64,
    /// The most positions that A* or breadth-first search remembered at once; 0 for other methods.
    #[cfg_attr(feature = "serde", serde(default))]
    pub positions: u64,
    /// The time that was spent on the board: see [`Limits`](crate::solver::Limits). Zero on targets without a
    /// clock.
    pub time: Duration,
    /// The time of earlier runs of the same search, if it went on from a checkpoint.
    pub earlier: Duration,
    /// The heuristic that guided the search, as [`Builder::heuristic`](crate::solver::Builder::heuristic) takes
    /// it.
    pub heuristic: Arc<str>,
    /// The heuristic's value of the board, with which the search began; `None` without a heuristic, and for a board
    /// that is solved already.
    #[cfg_attr(feature = "serde", serde(default))]
    pub h: Option<u32>,
}

/// The optimal solutions of a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solutions {
    /// The number of optimal solutions; `Err` with the reason if the count was stopped, [`Stop::Method`] for a
    /// board of more than 25 cells.
    pub count: Result<u128, Stop>,
    /// The first of them, up to the number asked for, in the order in which moves are tried.
    pub paths: Vec<Moves>,
    /// The search for the first one. Unless it is optimal, nothing was counted.
    pub bracket: Bracket,
}

impl Solutions {
    /// Only the solution of a bracket, after a count that was `stopped`, or of a board that has no other.
    pub(crate) fn only(bracket: Bracket, stopped: Option<Stop>, most: usize) -> Solutions {
        // A beam that no limit stopped proves nothing.
        let stopped = stopped.or((!bracket.is_optimal()).then_some(Stop::Method));
        let listed = bracket.solution.iter().filter(|_| stopped.is_none()).take(most);
        let paths = listed.map(|solution| solution.moves.clone()).collect();
        Solutions { count: stopped.map_or(Ok(1), Err), paths, bracket }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    /// A beam that ends by itself proves nothing: there is no count.
    #[test]
    fn only_optimal_solutions_are_counted() {
        let count = |lower_bound, stopped| {
            let effort = Effort {
                generated: 7,
                expanded: 3,
                positions: 0,
                time: Duration::ZERO,
                earlier: Duration::ZERO,
                heuristic: "learned".into(),
                h: None,
            };
            let moves = Some("LU".parse().unwrap());
            let bracket = Bracket::new(Metric::Single, lower_bound, moves, stopped, effort);
            let found = Solutions::only(bracket, stopped, 1);
            (found.count, found.paths.len())
        };
        assert_eq!(count(0, None), (Err(Stop::Method), 0));
        assert_eq!(count(0, Some(Stop::Time)), (Err(Stop::Time), 0));
        assert_eq!(count(2, None), (Ok(1), 1));
    }

    #[test]
    fn a_solution_is_serialised() {
        let (time, earlier) = (Duration::from_millis(1500), Duration::ZERO);
        let heuristic = "7-8:mirror".into();
        let h = Some(2);
        let effort =
            Effort { generated: 7, expanded: 3, positions: 0, time, earlier, heuristic, h };
        let (moves, metric) = ("2LU".parse().unwrap(), Metric::Multi);
        let solution = Solution { moves, metric, lower_bound: 2, effort };
        let text = serde_json::to_string(&solution).unwrap();
        assert!(text.starts_with(r#"{"moves":"LLU","metric":"multi","lower_bound":2,"#), "{text}");
        assert_eq!(serde_json::from_str::<Solution>(&text).unwrap(), solution);
    }
}
