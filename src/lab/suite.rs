//! The boards of a run.

use std::ops::RangeInclusive;

use crate::board::{Board, Goal, Grid, Metric, Random};
use crate::search::{Cancel, Limits};
use crate::solver::{self, Solver};
use crate::text::plural;

/// A set of the library: its name, the side of its boards, the goal, the metric of its lengths, and lines of
/// numbers, with the optimal length second and the tiles last.
type Named = (&'static str, usize, &'static str, Metric, &'static str);

static NAMED: [Named; 5] = [
    ("korf100", 4, "blank-first", Metric::Single, include_str!("sets/korf100.txt")),
    ("antipodes80", 4, "blank-last", Metric::Single, include_str!("sets/antipodes80.txt")),
    ("hard15", 4, "blank-last", Metric::Single, include_str!("sets/hard15.txt")),
    ("multi43", 4, "blank-last", Metric::Multi, include_str!("sets/multi43.txt")),
    ("korf24", 5, "blank-first", Metric::Single, include_str!("sets/korf24.txt")),
];

/// Boards of one size for one goal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suite {
    /// The name, as in `korf100` or `random:1000:1`.
    pub name: String,
    /// The boards. All can reach the goal.
    pub cases: Vec<Case>,
    /// The goal.
    pub goal: Goal,
    /// The metric that counts the moves.
    pub metric: Metric,
    /// The number of boards of its file that were skipped because they cannot reach the goal.
    pub left_out: usize,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Case {
    /// The board.
    pub board: Board,
    /// The optimal length, if it is known.
    pub known: Option<u32>,
}

impl Suite {
    /// Makes a suite of boards.
    ///
    /// # Panics
    /// If a board has another size than the goal, or cannot reach it.
    pub fn new(name: &str, goal: Goal, metric: Metric, cases: Vec<Case>) -> Suite {
        for Case { board, .. } in &cases {
            let fits = board.grid() == goal.board().grid() && goal.solvability(board).is_solvable();
            assert!(fits, "the board {board} cannot reach the goal {goal}");
        }
        Suite { name: name.to_owned(), cases, goal, metric, left_out: 0 }
    }

    /// The set of the library with this name, one of [`Suite::names`].
    pub fn named(name: &str, metric: Metric) -> Option<Suite> {
        let &(_, side, goal, of_lengths, text) = NAMED.iter().find(|named| named.0 == name)?;
        let grid = Grid::new(side, side).expect("sets have grids");
        let cases = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let tiles = words[words.len() - grid.cells()..].join(" ");
            let board = Board::parse(&tiles, Some(grid)).expect("sets are boards");
            let length = words[1].parse().expect("sets have lengths");
            Case { board, known: (of_lengths == metric).then_some(length) }
        });
        let goal = Goal::named(goal, grid).expect("sets have goals");
        Some(Suite::new(name, goal, metric, cases.collect()))
    }

    /// The names of the sets of the library.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|named| named.0)
    }

    /// Boards drawn uniformly, as by `taquin shuffle --count COUNT --seed SEED`.
    pub fn random(goal: Goal, metric: Metric, count: usize, seed: u64) -> Suite {
        let mut random = Random::new(seed);
        let case = |_| Case { board: goal.random_board(&mut random), known: None };
        let cases = (0..count).map(case).collect();
        Suite::new(&format!("random:{count}:{seed}"), goal, metric, cases)
    }

    /// Boards at distances from the goal, as by `taquin shuffle --distance D --count COUNT --seed SEED`. The solver has
    /// the goal and the metric.
    ///
    /// # Errors
    /// As [`Solver::boards_at`].
    pub fn at_distance(
        solver: &Solver,
        goal: Goal,
        distances: RangeInclusive<u32>,
        count: usize,
        seed: u64,
        cancel: &Cancel,
    ) -> Result<Suite, solver::Error> {
        let (first, last) = (distances.start(), distances.end());
        let span = if first == last { first.to_string() } else { format!("{first}..{last}") };
        let limits = Limits::default().cancel(cancel);
        let grid = goal.board().grid();
        let drawn = solver.boards_at(grid, distances, count as u64, seed, &limits)?;
        let case = |(board, distance)| Case { board, known: Some(distance) };
        let cases = drawn.map(|drawn| Ok(case(drawn?))).collect::<Result<_, solver::Error>>()?;
        Ok(Suite::new(&format!("distance:{span}:{count}:{seed}"), goal, solver.metric(), cases))
    }

    /// A description for people.
    pub(crate) fn title(&self) -> String {
        let boards = plural(self.cases.len() as u64, &format!("{} board", self.grid()));
        let metric = if self.metric == Metric::Multi { ", in slides" } else { "" };
        let left_out = match self.left_out {
            0 => String::new(),
            n => format!(", without {n} that cannot reach the goal"),
        };
        let is_own = NAMED.iter().any(|named| named.0 == self.name && named.2 == "blank-first");
        let goal = if is_own { ", whose goal has the blank first" } else { "" };
        format!("{}: {boards}{metric}{goal}{left_out}", self.name)
    }

    /// The size of the boards.
    pub fn grid(&self) -> Grid {
        self.goal.board().grid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_whole() {
        for (named, count) in NAMED.iter().zip([100, 9, 7, 8, 50]) {
            let suite = Suite::named(named.0, named.3).unwrap();
            assert_eq!(suite.cases.len(), count, "{}", named.0);
            assert!(suite.cases.iter().all(|case| case.known.is_some_and(|n| n > 40)));
        }
        assert!(Suite::named("korf1000", Metric::Single).is_none());
    }

    #[test]
    fn random_suites_follow_from_their_seed() {
        let goal = Goal::named("blank-last", Grid::new(4, 4).unwrap()).unwrap();
        let boards = |count, seed| {
            let suite = Suite::random(goal.clone(), Metric::Single, count, seed);
            suite.cases.into_iter().map(|case| case.board).collect::<Vec<_>>()
        };
        assert_eq!(boards(20, 1)[..10], boards(10, 1)[..]);
        assert_ne!(boards(20, 2), boards(20, 1));
    }
}
