//! Open goals.

use std::borrow::Cow;
use std::fmt;

use super::{LabelledBoard, OpenError, OpenPosition};
use crate::board::read::{Label, labels};
use crate::board::tiles::rows;
use crate::board::{Board, Grid};

/// A goal with equal tiles, or with cells that do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenGoal {
    grid: Grid,
    cells: Box<[Wish]>,
    labels: Box<[Box<str>]>,
}

/// The content that a goal wants in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wish {
    Any,
    Blank,
    /// A tile with the label of this number.
    Label(u8),
}

impl OpenGoal {
    /// Reads a goal of labels, as `A A B / B * _`, where `*` is a cell that does not matter. Where the goal
    /// has no blank, it may end in any such cell.
    ///
    /// # Errors
    /// [`OpenError`] if the text is not a grid of labels, of the given size if there is one, or has no cell
    /// for the blank.
    pub fn parse(text: &str, size: Option<Grid>) -> Result<OpenGoal, OpenError> {
        let (grid, read) = labels(text, size)?;
        let mut labels: Vec<Box<str>> = Vec::new();
        let mut cells = Vec::new();
        for label in read {
            cells.push(match label {
                Label::Any => Wish::Any,
                Label::Blank => Wish::Blank,
                Label::Tile(label) => {
                    let number = labels.iter().position(|known| *known == label);
                    Wish::Label(number.unwrap_or_else(|| {
                        labels.push(label);
                        labels.len() - 1
                    }) as u8)
                }
            });
        }
        let blanks = cells.iter().filter(|&&cell| cell == Wish::Blank).count();
        if blanks > 1 || blanks == 0 && !cells.contains(&Wish::Any) {
            return Err(OpenError::GoalBlanks(blanks));
        }
        Ok(OpenGoal { grid, cells: cells.into(), labels: labels.into() })
    }

    /// Returns whether some tiles are equal, some cells do not matter, or labels are not numbers.
    pub fn is_open(&self) -> bool {
        let labelled = self.cells.iter().filter(|cell| matches!(cell, Wish::Label(_))).count();
        let is_number = |label: &str| label.bytes().all(|b| b.is_ascii_digit());
        labelled != self.labels.len()
            || self.cells.contains(&Wish::Any)
            || !self.labels.iter().all(|label| is_number(label))
    }

    /// The shape.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    pub(crate) fn cells(&self) -> &[Wish] {
        &self.cells
    }

    /// The number of cells that want the label of this number.
    pub(super) fn wanted(&self, label: usize) -> usize {
        let wants = |cell: &&Wish| matches!(cell, Wish::Label(wish) if usize::from(*wish) == label);
        self.cells.iter().filter(wants).count()
    }

    pub(crate) fn labels(&self) -> &[Box<str>] {
        &self.labels
    }

    /// The words of the cells in reading order: a label, `_` or `*`.
    pub fn words(&self) -> Vec<&str> {
        let word = |cell: &Wish| match *cell {
            Wish::Any => "*",
            Wish::Blank => "_",
            Wish::Label(label) => &*self.labels[usize::from(label)],
        };
        self.cells.iter().map(word).collect()
    }

    /// Reads a board for this goal, in a plain form: by its labels, or by numbers that are the labels of the
    /// goal.
    ///
    /// # Errors
    /// [`OpenError`] if the text is not a board that fits the goal.
    pub fn read(&self, text: &str) -> Result<LabelledBoard, OpenError> {
        let fitting = |board: LabelledBoard| OpenPosition::new(self, &board).map(|_| board);
        LabelledBoard::parse(text, Some(self.grid)).and_then(fitting).or_else(|error| {
            let board = Board::parse(text, Some(self.grid)).map(LabelledBoard::from);
            board.ok().and_then(|board| fitting(board).ok()).ok_or(error)
        })
    }
}

/// Rows separated by slashes. The alternate form (`{:#}`) is the right-aligned grid, one row a line.
impl fmt::Display for OpenGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<Cow<'_, str>> = self.words().into_iter().map(Cow::from).collect();
        rows(f, self.grid, &words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_back() {
        for (text, open) in [
            ("1 2 3 / * * *", true),
            ("A A B / B C _", true),
            ("1 1 2 / 2 3 _", true),
            ("1 2 3 / 4 5 _", false),
        ] {
            let goal = OpenGoal::parse(text, None).unwrap();
            assert_eq!((goal.to_string(), goal.is_open()), (text.to_owned(), open));
            assert_eq!(OpenGoal::parse(&goal.to_string(), None), Ok(goal));
        }
        assert_eq!(OpenGoal::parse("A A / B C", None), Err(OpenError::GoalBlanks(0)));
        assert_eq!(OpenGoal::parse("A _ / * _", None), Err(OpenError::GoalBlanks(2)));
    }

    #[test]
    fn boards_are_read_by_their_labels_or_their_numbers() {
        let goal = OpenGoal::parse("1 2 3 4 / * * * * / * * * * / * * * *", None).unwrap();
        for text in
            ["517392b4d6f80aec", "5173/92b4/d6f8/0aec", "5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12"]
        {
            let board = goal.read(text).unwrap();
            assert_eq!(board.board().blank(), 12, "{text}");
        }
        let goal = OpenGoal::parse("RATE / YOUR / MIND / PLA_", None).unwrap();
        let read = goal.read("RATE\nYOUR\nMIND\nPAL_").unwrap();
        assert_eq!(read.to_string(), "R A T E / Y O U R / M I N D / P A L _");
        let error = goal.read("RATE / YOUR / MIND / PLL_").unwrap_err().to_string();
        assert_eq!(
            error,
            "the board does not fit the goal: it has 1 tile A, the goal 2 cells for A; it has 2 tiles L, the goal 1 cell for L"
        );
        let error = goal.read("A B / C _").unwrap_err().to_string();
        assert!(error.contains("the rows form a 2x2 board"), "{error}");
    }
}
