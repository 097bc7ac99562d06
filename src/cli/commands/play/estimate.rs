//! The distance of a position from the goal, as far as it is known.

use crate::board::{Board, Goal, Move, Moves};

/// Bounds on the optimal length, and the best solution known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// No solution is shorter.
    pub lower: u32,
    /// The best solution known.
    pub solution: Option<Moves>,
    /// True if the solution is an answer for this position, or leads through it. Otherwise it
    /// undoes a move first.
    pub answered: bool,
    pub work: Work,
}

/// The work on an estimate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Work {
    #[default]
    Searching,
    /// Databases are made ready.
    Preparing(String),
    /// Nothing better will be found.
    Done,
    /// There is no answer, for this reason.
    Failed(String),
}

/// A result of the search for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Preparing(String),
    /// No solution is shorter.
    Bound(u32),
    /// An answer. A better one may follow, unless it is the last.
    Answer {
        lower: u32,
        solution: Option<Moves>,
        last: bool,
    },
    Failed(String),
}

impl Estimate {
    /// The estimate before a search: nothing, except for the goal itself.
    pub fn of(board: &Board, goal: &Goal) -> Estimate {
        if board != goal.board() {
            return Estimate::default();
        }
        Estimate { lower: 0, solution: Some(Moves::default()), answered: true, work: Work::Done }
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

    /// A solution that is worth following.
    pub fn answer(&self) -> Option<&Moves> {
        self.solution.as_ref().filter(|_| self.answered || !self.is_open())
    }

    /// The estimate of the position one move further. Neighbours differ by exactly 1.
    pub fn after(&self, m: Move) -> Estimate {
        let lower = self.lower.saturating_sub(1);
        match &self.solution {
            Some(Moves(moves)) if moves.first() == Some(&m) => {
                let work = if self.is_open() { Work::Searching } else { Work::Done };
                let solution = Some(Moves(moves[1..].to_vec()));
                Estimate { lower, solution, answered: self.answered, work }
            }
            known => {
                let back = |path: &Moves| Moves([vec![m.opposite()], path.0.clone()].concat());
                let solution = known.as_ref().map(back);
                Estimate { lower, solution, answered: false, work: Work::Searching }
            }
        }
    }

    /// Takes in a result of the search.
    pub fn learn(&mut self, finding: Finding) {
        match finding {
            Finding::Preparing(note) => self.work = Work::Preparing(note),
            Finding::Bound(lower) => {
                self.lower = self.lower.max(lower);
                self.work = Work::Searching;
            }
            Finding::Answer { lower, solution, last } => {
                self.lower = self.lower.max(lower);
                let length = solution.as_ref().map(Moves::len);
                let known = self.solution.as_ref().map(Moves::len);
                // An answer is preferred to a solution of its length that turns back.
                if length.is_some_and(|length| {
                    known.is_none_or(|known| length < known || length == known && !self.answered)
                }) {
                    self.solution = solution;
                }
                self.answered = true;
                self.work = if last { Work::Done } else { Work::Searching };
            }
            Finding::Failed(reason) => self.work = Work::Failed(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Option<Moves> {
        Some(text.parse().unwrap())
    }

    fn answer(lower: u32, moves: &str, last: bool) -> Finding {
        Finding::Answer { lower, solution: path(moves), last }
    }

    #[test]
    fn a_solution_is_followed_without_another_search() {
        let mut estimate = Estimate::default();
        assert!(estimate.is_open() && estimate.answer().is_none());
        estimate.learn(answer(3, "LLU", true));
        assert!(!estimate.is_open());
        let next = estimate.after(Move::Left);
        assert_eq!((next.lower, next.solution.clone(), next.is_open()), (2, path("LU"), false));
        assert_eq!(next.answer(), path("LU").as_ref());
    }

    #[test]
    fn a_move_elsewhere_leaves_a_bracket() {
        let mut estimate = Estimate::default();
        estimate.learn(answer(3, "LLU", true));
        let mut off = estimate.after(Move::Down);
        assert_eq!((off.lower, off.upper()), (2, Some(4)));
        assert_eq!(off.solution, path("ULLU"));
        // It turns back, so it is not good advice while the search goes on.
        assert!(off.is_open() && off.answer().is_none());
        off.learn(answer(4, "RULD", true));
        assert_eq!(off.answer(), path("RULD").as_ref());
    }

    #[test]
    fn the_better_of_two_results_stays() {
        let mut estimate = Estimate::default();
        estimate.learn(Finding::Preparing("databases".into()));
        assert_eq!(estimate.work, Work::Preparing("databases".into()));
        estimate.learn(answer(2, "LLUR", false));
        estimate.learn(Finding::Bound(1));
        assert_eq!((estimate.lower, estimate.upper()), (2, Some(4)));
        estimate.learn(answer(0, "LLURLR", false));
        assert_eq!(estimate.upper(), Some(4));
        assert!(estimate.is_open() && estimate.answer().is_some());
        estimate.learn(Finding::Failed("no file".into()));
        assert_eq!(estimate.work, Work::Failed("no file".into()));
    }
}
