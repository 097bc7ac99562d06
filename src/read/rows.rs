//! Cells, rows of cells, and the lists around rows.

use std::borrow::Cow;

use super::ReadError;
use super::sizes::Size;

/// The fewest cells of a row, or characters of a word, that are a board rather than a row of one.
pub const MIN_BOARD: usize = 9;

/// The fewest cells of a row, or characters of a word, that are a row of a board rather than a part of a heading.
pub const MIN_ROW: usize = 4;

/// The longest side of a board that is looked for above its tiles, and the largest number alone there.
pub const MAX_SIDE: usize = 16;
const MAX_NUMBER: usize = 999;

/// `another blank`: the signs and words for the blank, in lower case.
pub const BLANKS: [&str; 18] = [
    "_", "__", "___", ".", "x", "#", "-", "--", "-1", "*", "•", "□", "none", "null", "nil", "na",
    "nan", "blank",
];

/// A tile, a sign for the blank, or a word. An empty one is a blank that is not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// The white space before it.
    pub space: usize,
}

impl Cell {
    /// How many digits it has, if it has nothing else.
    pub fn digits(&self) -> usize {
        if self.text.bytes().all(|b| b.is_ascii_digit()) { self.text.len() } else { 0 }
    }

    /// A whole number, which programs may write as `3.`, `3.0` or `3.0e+00`.
    pub fn number(&self) -> Option<u64> {
        let text = &*self.text;
        if self.digits() > 0 {
            return text.parse().ok();
        }
        // By its digits: the tables that read real numbers are a thirtieth of the page's module.
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, part) = mantissa.split_once('.').filter(|(whole, _)| !whole.is_empty())?;
        let point = whole.len().checked_add_signed(exponent.parse().ok()?)?;
        let digits = format!("{whole}{part:0<6}");
        let (whole, part) = digits.split_at_checked(point)?;
        let is_whole = part.bytes().all(|b| b == b'0') && whole.bytes().all(|b| b.is_ascii_digit());
        whole.parse().ok().filter(|&number| is_whole && number < 1_000_000)
    }

    /// The tile: its number, or its text.
    pub fn tile(&self) -> Cow<'_, str> {
        self.number().map_or(Cow::from(&self.text), |number| number.to_string().into())
    }

    pub fn is_blank(&self) -> bool {
        self.text.is_empty() || BLANKS.contains(&&*self.text.to_ascii_lowercase())
    }

    /// Returns whether this is a text that no tile has: two letters or more, and no digit. The first letters are tiles.
    pub fn is_word(&self) -> bool {
        let text = self.text.to_ascii_lowercase();
        let first = ('a'..='z').take_while(|&letter| text.contains(letter)).count();
        let are_first = first > 3 && text.chars().all(|c| ('a'..).take(first).any(|a| a == c));
        !are_first
            && self.text.chars().filter(|c| c.is_alphabetic()).count() > 1
            && !self.text.contains(|c: char| c.is_ascii_digit())
            && !self.is_blank()
    }
}

/// The kinds of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Tiles, or numbers before a board.
    #[default]
    Cells,
    /// Words, or a name.
    Name,
    Size(Size),
    /// No part of a board: a call that may turn it, or marks that belong to no list.
    Fault(ReadError),
}

/// A row of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub cells: Vec<Cell>,
    pub kind: Kind,
    /// It follows a name or a size in its line.
    pub is_named: bool,
    /// The white space at its end.
    pub space: usize,
    /// The line in the text, from 1.
    pub line: usize,
    /// The number of its list: `[[1, 2], [3, 0]], [[1, 2], [0, 3]]` has two. A name or a size on a line of its own below
    /// cells begins another one.
    pub group: usize,
    /// The innermost list around it, and how many lists there are.
    pub list: Option<usize>,
    pub depth: usize,
    /// A bracket around it begins or ends on another line.
    pub spans_lines: bool,
}

impl Row {
    /// Returns whether this is a name, or words alone, which are a name if they are not tiles.
    pub fn may_be_name(&self) -> bool {
        self.kind == Kind::Name || self.cells.iter().all(Cell::is_word)
    }

    /// Returns whether this is one text that begins with a letter.
    pub fn is_single_text(&self) -> bool {
        let is_word = |cell: &Cell| cell.text.starts_with(char::is_alphabetic) && !cell.is_blank();
        self.kind == Kind::Cells && self.cells.len() == 1 && is_word(&self.cells[0])
    }

    /// Returns whether this has the tiles of a board, or several of them: numbers, or a character for each tile.
    pub fn has_tiles(&self) -> bool {
        let is_compact = |cell: &Cell| cell.text.len() >= MIN_BOARD && !cell.is_word();
        self.numbers().count() >= MIN_ROW || self.cells.iter().any(is_compact)
    }

    /// Returns whether this may be a number above a board, a few that are its sides, or a row of one. Longer numbers are a
    /// board in one word, or meant to be.
    pub fn is_heading(&self) -> bool {
        let most = if self.cells.len() > 1 { MAX_SIDE } else { MAX_NUMBER };
        let is_short = |cell: &Cell| cell.number().is_some_and(|number| number <= most as u64);
        self.cells.len() < MIN_BOARD && self.cells.iter().all(is_short)
    }

    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.cells.iter().filter_map(Cell::number)
    }

    /// The row with other cells.
    pub fn with_cells(&self, cells: &[Cell]) -> Row {
        Row { cells: cells.to_vec(), kind: self.kind.clone(), ..*self }
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| &*cell.text)
    }

    /// The bytes of its texts.
    pub fn length(&self) -> usize {
        self.texts().map(str::len).sum()
    }

    /// The row as it is shown in messages.
    pub fn text(&self) -> String {
        let texts = self.texts().map(|text| if text.is_empty() { "_" } else { text });
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// A list: what is between two brackets.
pub struct List {
    /// The list around it.
    pub outer: Option<usize>,
    /// The text next to its bracket.
    pub name: String,
    /// The list that ended before it, if its name is that of a method.
    pub follows: Option<usize>,
    /// The text before it that may change what is in it (`calls.rs`).
    pub call: Option<String>,
    /// It has several rows in it.
    pub has_rows: bool,
}
