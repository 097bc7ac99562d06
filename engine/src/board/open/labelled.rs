//! Boards whose tiles have labels.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::OpenError;
use crate::board::read::{Label, labels, of_words};
use crate::board::tiles::rows;
use crate::board::{Board, Grid};

/// A board whose tiles have labels, of which some may be equal. Numbers tell its tiles apart, as in the
/// [`Board`] that is made of it: the labels, or where these are not the numbers of a board, the places of the
/// tiles in reading order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LabelledBoard {
    board: Board,
    /// The labels of the tiles 1, 2, …; `None` if each is the tile's number.
    labels: Option<Arc<[Box<str>]>>,
}

impl LabelledBoard {
    /// Reads a board of labels.
    ///
    /// # Errors
    /// [`OpenError`] if the text is not a grid of labels, of the given size if there is one, or does not have
    /// exactly one blank.
    pub fn parse(text: &str, size: Option<Grid>) -> Result<LabelledBoard, OpenError> {
        LabelledBoard::of(labels(text, size)?)
    }

    /// The board of words in rows that end before these; the word of one cell is the blank.
    ///
    /// # Errors
    /// As [`LabelledBoard::parse`].
    pub fn of_words(
        words: &[impl AsRef<str>],
        ends: &[usize],
        size: Option<Grid>,
        blank: usize,
    ) -> Result<LabelledBoard, OpenError> {
        LabelledBoard::of(of_words(words, ends, size, Some(blank))?)
    }

    fn of((grid, cells): (Grid, Vec<Label>)) -> Result<LabelledBoard, OpenError> {
        let blanks = cells.iter().filter(|&cell| *cell == Label::Blank).count();
        if cells.contains(&Label::Any) {
            return Err(OpenError::Any);
        }
        if blanks != 1 {
            return Err(OpenError::Blanks(blanks));
        }
        let number = |cell: &Label| match cell {
            Label::Tile(label) if label.starts_with('+') => None,
            Label::Tile(label) => label.parse().ok(),
            _ => Some(0),
        };
        let numbers: Option<Vec<u8>> = cells.iter().map(number).collect();
        if let Some(board) = numbers.and_then(|numbers| Board::new(grid, &numbers).ok()) {
            return Ok(board.into());
        }
        let (mut tiles, mut names) = (Vec::new(), Vec::new());
        for cell in cells {
            if let Label::Tile(label) = cell {
                names.push(label);
                tiles.push(names.len() as u8);
            } else {
                tiles.push(0);
            }
        }
        let board = Board::from_permutation(grid, tiles.into());
        Ok(LabelledBoard { board, labels: Some(names.into()) })
    }

    /// The board with its tiles told apart by numbers.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The label of a tile of [`LabelledBoard::board`], from 1.
    ///
    /// # Panics
    /// If there is no such tile.
    pub fn label(&self, tile: u8) -> Cow<'_, str> {
        match &self.labels {
            None => tile.to_string().into(),
            Some(labels) => (&*labels[usize::from(tile) - 1]).into(),
        }
    }

    /// The board with the label of each tile, from 1.
    pub(super) fn named(board: Board, labels: Arc<[Box<str>]>) -> LabelledBoard {
        let are_numbers = labels.iter().zip(1..).all(|(label, tile)| **label == *tile.to_string());
        LabelledBoard { board, labels: (!are_numbers).then_some(labels) }
    }

    /// Returns whether the labels differ from the numbers of the tiles.
    pub fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    /// Another board of the same tiles.
    #[must_use]
    pub fn with(&self, board: Board) -> LabelledBoard {
        LabelledBoard { board, ..self.clone() }
    }
}

/// Reads a board of labels: numbers, letters or words, as `A A B / B C _`; or `AAB / BC_`, where each
/// character is a cell. The blank is `0`, `_` or `.`. Upper and lower case are different labels.
impl FromStr for LabelledBoard {
    type Err = OpenError;

    fn from_str(text: &str) -> Result<LabelledBoard, OpenError> {
        LabelledBoard::parse(text, None)
    }
}

/// The labels are the numbers of the tiles.
impl From<Board> for LabelledBoard {
    fn from(board: Board) -> LabelledBoard {
        LabelledBoard { board, labels: None }
    }
}

impl<T: Clone + Into<LabelledBoard>> From<&T> for LabelledBoard {
    fn from(board: &T) -> LabelledBoard {
        board.clone().into()
    }
}

/// Rows separated by slashes. The alternate form (`{:#}`) is the right-aligned grid, one row per line, the
/// blank a dot.
impl fmt::Display for LabelledBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |&tile: &u8| match tile {
            0 if f.alternate() => ".".into(),
            0 if self.has_labels() => "_".into(),
            0 => "0".into(),
            tile => self.label(tile),
        };
        let words: Vec<_> = self.board.tiles().iter().map(word).collect();
        rows(f, self.board.grid(), &words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_kept_and_tiles_told_apart() {
        let board = LabelledBoard::parse("A A b / B _ A", None).unwrap();
        assert_eq!(board.board().to_string(), "1 2 3 / 4 0 5");
        assert_eq!((board.to_string(), board.label(3)), ("A A b / B _ A".into(), "b".into()));
        assert_eq!(format!("{board:#}"), "A A b\nB . A");
        assert_eq!(LabelledBoard::parse(&board.to_string(), None).as_ref(), Ok(&board));
        let numbers = LabelledBoard::parse("1 2 3 / 5 4 x", None).unwrap();
        assert_eq!((numbers.to_string(), numbers.has_labels()), ("1 2 3 / 5 4 0".into(), false));
        let twice = LabelledBoard::parse("1 1 12 / 2 2 0", None).unwrap();
        assert_eq!((twice.to_string(), twice.has_labels()), ("1 1 12 / 2 2 _".into(), true));
        assert_eq!(format!("{twice:#}"), " 1  1 12\n 2  2  .");
        let plus = LabelledBoard::parse("+1 2 / 3 _", None).unwrap();
        assert_eq!(plus.to_string(), "+1 2 / 3 _");
        assert_eq!(LabelledBoard::parse("A * / B _", None), Err(OpenError::Any));
        assert_eq!(LabelledBoard::parse("A A / B C", None), Err(OpenError::Blanks(0)));
        assert_eq!(LabelledBoard::parse("A _ / B _", None), Err(OpenError::Blanks(2)));
    }
}
