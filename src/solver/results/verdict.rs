//! Whether a board can reach a goal, and why: by the permutation, and as textbooks state it.

use std::fmt;

use crate::board::{Board, Goal, LabelledBoard, OpenError, OpenPosition, Solvability};
use crate::solver::options::Target;

/// Whether moves lead from a board to a goal, and what decides it. `taquin check --json` writes it as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Verdict {
    /// Whether moves lead to the goal.
    pub solvable: bool,
    /// The counts of textbooks; `None` for a goal whose tiles are not in reading order, and for an open one.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub inversions: Option<Inversions>,
    /// The value of [`Solvability::transpositions`].
    pub transpositions: usize,
    /// `even` or `odd`.
    pub permutation_parity: &'static str,
    /// The value of [`Solvability::blank_distance`].
    pub blank_distance: usize,
    /// `even` or `odd`.
    pub blank_parity: &'static str,
    /// The number of assignments of tiles to cells of an open goal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub assignments: Option<u128>,
    /// The number of arrangements of the labels of an open goal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub states: Option<u128>,
    /// The named goals that moves can reach, for a board of numbers that cannot reach a goal of one board.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reachable: Option<Vec<&'static str>>,
}

impl Verdict {
    /// The verdict on a board and a goal.
    ///
    /// # Errors
    /// [`OpenError`] if the board does not fit the goal.
    pub fn new(board: &LabelledBoard, goal: &Target) -> Result<Verdict, OpenError> {
        let (counts, inversions, open) = match goal {
            Target::Board(goal) => {
                let board = board.board();
                (goal.solvability(board), Inversions::of(goal, board), None)
            }
            Target::Open(goal) => {
                let position = OpenPosition::new(goal, board)?;
                (position.solvability(), None, Some(position))
            }
        };
        let Solvability { transpositions, blank_distance, .. } = counts;
        let (solvable, others) = (counts.is_solvable(), || Goal::reachable(board.board()));
        Ok(Verdict {
            solvable,
            inversions,
            transpositions,
            permutation_parity: Solvability::parity(transpositions),
            blank_distance,
            blank_parity: Solvability::parity(blank_distance),
            assignments: open.as_ref().map(OpenPosition::assignments),
            states: open.as_ref().map(OpenPosition::states),
            reachable: (!solvable && open.is_none() && !board.has_labels()).then(others),
        })
    }
}

/// The inversions of a board, and the row of its blank, which decide whether moves can reach a goal whose tiles are in
/// reading order, wherever its blank is.
///
/// A tile that moves sideways changes no pair of tiles. One that moves up or down passes as many tiles as the board is
/// wide, less one. So at odd widths the parity of the inversions never changes, and at even widths it changes with the
/// row of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Inversions {
    /// The pairs of tiles of which the larger one comes first in reading order.
    pub inversions: usize,
    /// The row of the blank, counted from 1 at the bottom; `None` at odd widths, where it does not matter.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub blank_row: Option<usize>,
    /// Whether the sum has to be even.
    #[cfg_attr(feature = "serde", serde(skip))]
    even: bool,
}

impl Inversions {
    /// The counts of a board; `None` for a goal whose tiles are not in reading order.
    ///
    /// # Panics
    /// If the board has another size than the goal.
    ///
    /// ```
    /// use taquin::Goal;
    /// use taquin::solver::Inversions;
    ///
    /// let goal = Goal::named("blank-last", "4x4".parse()?)?;
    /// let board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0".parse()?;
    /// let counts = Inversions::of(&goal, &board).unwrap();
    /// assert_eq!((counts.inversions, counts.blank_row), (1, Some(1)));
    /// assert_eq!(
    ///     counts.to_string(),
    ///     "unsolvable: there is 1 inversion, and the blank is in row 1 from the bottom. The sum, 2, is even. For \
    ///      this goal it must be odd"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(goal: &Goal, board: &Board) -> Option<Inversions> {
        let grid = goal.board().grid();
        assert_eq!(board.grid(), grid, "board and goal differ in size");
        let row = |board: &Board| {
            grid.width().is_multiple_of(2).then(|| grid.height() - grid.row(board.blank()))
        };
        let even = row(goal.board()).unwrap_or(0).is_multiple_of(2);
        let counts = Inversions { inversions: count(board), blank_row: row(board), even };
        (count(goal.board()) == 0).then_some(counts)
    }

    fn sum(&self) -> usize {
        self.inversions + self.blank_row.unwrap_or(0)
    }
}

/// The pairs of tiles of which the larger one comes first.
fn count(board: &Board) -> usize {
    let tiles: Vec<u8> = board.tiles().iter().copied().filter(|&tile| tile != 0).collect();
    let smaller_after = |(i, tile)| tiles[i..].iter().filter(|&other| other < tile).count();
    tiles.iter().enumerate().map(smaller_after).sum()
}

/// The verdict, and the rule with these numbers in three sentences, of which the last one has no full stop.
impl fmt::Display for Inversions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [is, wanted] = [self.sum().is_multiple_of(2), self.even]
            .map(|even| ["odd", "even"][usize::from(even)]);
        let verdict = if is == wanted { "solvable" } else { "unsolvable" };
        match self.inversions {
            1 => write!(f, "{verdict}: there is 1 inversion")?,
            count => write!(f, "{verdict}: there are {count} inversions")?,
        }
        match self.blank_row {
            Some(row) => write!(
                f,
                ", and the blank is in row {row} from the bottom. The sum, {}, is {is}. For this goal it must be \
                 {wanted}",
                self.sum()
            ),
            None => write!(
                f,
                ", an {is} number. The width is odd, so the row of the blank does not matter. For this goal the \
                 number must be {wanted}",
            ),
        }
    }
}

/// Why moves can or cannot reach a goal: by the inversions where its tiles are in reading order, else by the
/// permutation.
pub fn reason(goal: &Goal, board: &Board) -> String {
    let by_permutation = || goal.solvability(board).to_string();
    Inversions::of(goal, board).map_or_else(by_permutation, |counts| counts.to_string())
}

#[cfg(all(test, feature = "random"))]
mod tests {
    use super::*;
    use crate::board::{Grid, Random};

    #[test]
    fn inversions_decide_as_the_permutation_does() {
        let mut random = Random::new(1);
        for (width, height) in [(2, 2), (3, 3), (4, 4), (4, 3), (3, 4), (5, 2), (2, 5), (6, 6)] {
            let grid = Grid::new(width, height).unwrap();
            for name in ["blank-last", "blank-first", "blank-top-right", "blank-bottom-left"] {
                let goal = Goal::named(name, grid).unwrap();
                for round in 0..20 {
                    let mut tiles = goal.random_board(&mut random).tiles().to_vec();
                    let [one, two] =
                        [1, 2].map(|tile| tiles.iter().position(|&t| t == tile).unwrap());
                    if round % 2 == 0 {
                        tiles.swap(one, two);
                    }
                    let board = Board::new(grid, &tiles).unwrap();
                    let counts = Inversions::of(&goal, &board).unwrap();
                    let verdict = ["unsolvable: ", "solvable: "][usize::from(round % 2 == 1)];
                    assert!(
                        counts.to_string().starts_with(verdict),
                        "{grid} {name} {board}: {counts}"
                    );
                    assert_eq!(goal.solvability(&board).is_solvable(), round % 2 == 1);
                }
            }
            // The snake of 2×2 has its tiles in reading order.
            let snake = Goal::named("snake", grid).unwrap();
            assert_eq!(Inversions::of(&snake, snake.board()).is_none(), grid.cells() > 4);
        }
    }
}
