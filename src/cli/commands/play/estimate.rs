//! The distance of a position from the goal, as far as it is known.

use crate::board::{Board, Goal, Move, Moves};

/// Bounds on the optimal length, and the best solution known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// No solution is shorter.
    pub lower: u32,
    /// The best solution known.
    pub solution: Option<Moves>,
    pub work: Work,
}

/// The work on an estimate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Work {
    #[default]
    Searching,
    /// Nothing better will be found.
    Done,
    /// There is no answer, for this reason.
    Failed(String),
}

impl Estimate {
    /// The estimate before a search: nothing, except for the goal itself.
    pub fn of(board: &Board, goal: &Goal) -> Estimate {
        if board != goal.board() {
            return Estimate::default();
        }
        Estimate::answer_of(0, Some(Moves::default()), true)
    }

    /// The length of the best solution known.
    pub fn upper(&self) -> Option<u32> {
        self.solution.as_ref().map(|path| path.len() as u32)
    }

    /// Returns whether the solution is proved to be optimal.
    pub fn is_proved(&self) -> bool {
        self.upper() == Some(self.lower)
    }

    /// Returns whether a search may improve it.
    pub fn is_open(&self) -> bool {
        !self.is_proved() && self.work != Work::Done
    }

    /// The estimate of the position one move further: the rest of the solution, if the move is its first.
    pub fn after(&self, m: Move) -> Estimate {
        let lower = self.lower.saturating_sub(1);
        match self.solution.as_ref().map(|path| path.0.split_first()) {
            Some(Some((first, rest))) if *first == m => {
                Estimate::answer_of(lower, Some(Moves(rest.to_vec())), !self.is_open())
            }
            _ => Estimate { lower, ..Estimate::default() },
        }
    }

    /// An answer of a search. A better one may follow, unless it is the last.
    pub fn answer_of(lower: u32, solution: Option<Moves>, last: bool) -> Estimate {
        let work = if last { Work::Done } else { Work::Searching };
        Estimate { lower, solution, work }
    }

    /// Takes in what a search has found.
    pub fn learn(&mut self, found: Estimate) {
        self.lower = self.lower.max(found.lower);
        if found.upper().is_some_and(|length| self.upper().is_none_or(|known| length < known)) {
            self.solution = found.solution;
        }
        self.work = found.work;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Option<Moves> {
        Some(text.parse().unwrap())
    }

    fn answer(lower: u32, moves: &str, last: bool) -> Estimate {
        Estimate::answer_of(lower, path(moves), last)
    }

    #[test]
    fn a_solution_is_followed_without_another_search() {
        let mut estimate = Estimate::default();
        assert!(estimate.is_open() && estimate.solution.is_none());
        estimate.learn(answer(3, "LLU", true));
        assert!(!estimate.is_open());
        let next = estimate.after(Move::Left);
        assert_eq!((next.lower, next.solution.clone(), next.is_open()), (2, path("LU"), false));
    }

    #[test]
    fn a_move_elsewhere_leaves_a_bound() {
        let mut estimate = Estimate::default();
        estimate.learn(answer(3, "LLU", true));
        let mut off = estimate.after(Move::Down);
        assert_eq!((off.lower, &off.solution, off.is_open()), (2, &None, true));
        off.learn(answer(4, "RULD", true));
        assert_eq!(off.solution, path("RULD"));
    }

    #[test]
    fn the_better_of_two_results_stays() {
        let mut estimate = Estimate::default();
        estimate.learn(answer(2, "LLUR", false));
        estimate.learn(Estimate { lower: 1, ..Estimate::default() });
        assert_eq!((estimate.lower, estimate.upper()), (2, Some(4)));
        estimate.learn(answer(0, "LLURLR", false));
        assert_eq!(estimate.upper(), Some(4));
        assert!(estimate.is_open() && estimate.solution.is_some());
        estimate.learn(Estimate { work: Work::Failed("no file".into()), ..Estimate::default() });
        assert_eq!(estimate.work, Work::Failed("no file".into()));
    }
}
