//! Open goals.

use std::borrow::Cow;
use std::fmt;

use super::{LabelledBoard, OpenError, OpenPosition};
use crate::board::read::{Label, labels, of_words};
use crate::board::tiles::rows;
use crate::board::{Board, Goal, Grid};

/// A goal of names: closed if all cells differ, and open if tiles are equal or cells do not matter.
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
        OpenGoal::of(labels(text, size)?)
    }

    /// The goal of words in rows that end before these. The word of one cell is the blank, or of none.
    ///
    /// # Errors
    /// As [`OpenGoal::parse`].
    pub fn of_words(
        words: &[impl AsRef<str>],
        ends: &[usize],
        size: Option<Grid>,
        blank: Option<usize>,
    ) -> Result<OpenGoal, OpenError> {
        OpenGoal::of(of_words(words, ends, size, blank)?)
    }

    fn of((grid, read): (Grid, Vec<Label>)) -> Result<OpenGoal, OpenError> {
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

    /// Returns whether some tiles are equal, or some cells do not matter.
    pub fn is_open(&self) -> bool {
        self.labels.len() + 1 < self.cells.len() || self.cells.contains(&Wish::Any)
    }

    /// Returns whether the labels are the numbers of the tiles of a board.
    pub fn is_plain(&self) -> bool {
        !self.is_open() && self.numbers().is_some()
    }

    /// The numbers that the labels are, if they are those of tiles.
    fn numbers(&self) -> Option<Vec<u8>> {
        let number = |label: &str| {
            let number = if label.starts_with('+') { None } else { label.parse::<u8>().ok() };
            number.filter(|&number| (1..self.cells.len()).contains(&number.into()))
        };
        self.labels.iter().map(|label| number(label)).collect()
    }

    /// The goal as one board, if all cells differ. Its tiles have the numbers that their labels are, or else the places
    /// of their labels in reading order.
    pub fn closed(&self) -> Option<Goal> {
        let places = || (1..=self.labels.len() as u8).collect();
        let numbers = self.numbers().unwrap_or_else(places);
        let tile = |cell: &Wish| match *cell {
            Wish::Label(label) => numbers[usize::from(label)],
            _ => 0,
        };
        let tiles: Vec<u8> = self.cells.iter().map(tile).collect();
        let board = if self.is_open() { None } else { Board::new(self.grid, &tiles).ok() };
        board.map(Goal::from)
    }

    /// A board whose labels fit the goal. If the goal is closed, its tiles have the numbers of the same labels there.
    ///
    /// # Errors
    /// [`OpenError::Size`] and [`OpenError::Labels`] if the board does not fit.
    pub fn fit(&self, board: LabelledBoard) -> Result<LabelledBoard, OpenError> {
        let position = OpenPosition::new(self, &board)?;
        if self.is_open() || self.is_plain() {
            return Ok(board);
        }
        let number = |&tile: &u8| if tile == 0 { 0 } else { position.class(tile) + 1 };
        let tiles: Vec<u8> = board.board().tiles().iter().map(number).collect();
        Ok(self.named(Board::from_permutation(self.grid, tiles.into())))
    }

    /// A board with the labels of the goal. If the goal is closed, the tiles have the numbers of
    /// [`OpenGoal::closed`]; if it is open, the labels are as often on the board as in the goal, and the other tiles
    /// are labelled with numbers.
    pub fn named(&self, board: Board) -> LabelledBoard {
        match self.is_open() {
            false if self.is_plain() => board.into(),
            false => LabelledBoard::named(board, self.labels.clone().into()),
            true => LabelledBoard::named(board, self.labels_of_tiles().into()),
        }
    }

    /// The labels of the tiles 1, 2, … of a board for an open goal.
    fn labels_of_tiles(&self) -> Vec<Box<str>> {
        let repeated = |(class, label)| std::iter::repeat_n(label, self.wanted(class));
        let labels: Vec<&Box<str>> = self.labels.iter().enumerate().flat_map(repeated).collect();
        let numbers = (1..self.cells.len()).map(|number| number.to_string());
        let numbers = numbers.filter(|number| !self.wants(number)).map(Box::from);
        let missing = self.cells.len() - 1 - labels.len();
        let mut labels: Vec<Box<str>> =
            labels.into_iter().cloned().chain(numbers.take(missing)).collect();
        // So that the numbers of the tiles are their labels where they can be.
        labels.sort_by_key(|label| label.parse::<usize>().ok());
        labels
    }

    /// Returns whether a cell wants this label.
    fn wants(&self, label: &str) -> bool {
        self.labels.iter().any(|known| **known == *label)
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
        LabelledBoard::parse(text, Some(self.grid)).and_then(|board| self.fit(board)).or_else(
            |error| {
                let board = Board::parse(text, Some(self.grid)).map(LabelledBoard::from);
                board.ok().and_then(|board| self.fit(board).ok()).ok_or(error)
            },
        )
    }
}

/// The labels are the numbers of the tiles.
impl From<&Goal> for OpenGoal {
    fn from(goal: &Goal) -> OpenGoal {
        let tiles = goal.board().tiles();
        let labels = (1..tiles.len()).map(|tile| tile.to_string().into()).collect();
        let wish = |&tile: &u8| tile.checked_sub(1).map_or(Wish::Blank, Wish::Label);
        OpenGoal { grid: goal.board().grid(), cells: tiles.iter().map(wish).collect(), labels }
    }
}

/// Rows separated by slashes. The alternate form (`{:#}`) is the right-aligned grid, one row per line.
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
            ("A B / C _", false),
            ("0 1 2 / 3 4 _", false),
            ("1 2 _ / 4 5 6", false),
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
            "the board does not fit the goal: label A: 1 tile, but 2 goal cells; label L: 2 tiles, but 1 goal cell"
        );
        let error = goal.read("A B / C _").unwrap_err().to_string();
        assert!(error.contains("the rows form a 2x2 board"), "{error}");
    }
}
