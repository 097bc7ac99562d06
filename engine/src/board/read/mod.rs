//! Boards in their plain forms.
//!
//! Numbers separated by white space, commas or opening brackets; `0`, `_`, `.` or `x` is the blank. Slashes,
//! line ends and closing brackets end rows, which must be of equal length. A board in one row or one column
//! is square, or has the size that the caller gives. Rows may also be words with a character for each tile:
//! digits, and letters from 10.

mod labels;

use std::str::FromStr;

use super::{Board, BoardError, Grid, GridError, MAX_CELLS};

pub(super) use labels::{Label, labels, of_words};

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// No tile at all.
    #[error(
        "there is no board here: write its tiles row by row, as in `1 2 3 4 / 5 6 7 8 / …`, with 0 for the blank"
    )]
    Empty,
    /// A text that is not a tile.
    #[error("{text:?} is not a tile: write numbers, with 0, _, . or x for the blank")]
    NotATile {
        /// The text, shortened.
        text: String,
    },
    /// More numbers than the largest board has cells.
    #[error("there are more than 256 cells: no board is that large")]
    TooMany,
    /// Rows of different lengths.
    #[error("row {row} has {found} {}, but {others}: all rows must have the same length", if *found == 1 { "cell" } else { "cells" })]
    UnevenRows {
        /// The first row, from 1, that is not as long as most rows.
        row: usize,
        /// Its length.
        found: usize,
        /// The lengths of the others, in words.
        others: String,
    },
    /// The rows form a shape that no board has.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The rows do not form the size that was given.
    #[error("the rows form {} {rows} board, but the size given is {size}", rows.article())]
    OtherSize {
        /// The size of the rows.
        rows: Grid,
        /// The size given.
        size: Grid,
    },
    /// A number of cells that is not square, and no rows.
    #[error(
        "{found} numbers in one row are not a square board: separate the rows with slashes, or give the size"
    )]
    NoShape {
        /// The number of cells.
        found: usize,
    },
    /// The numbers do not make a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        Board::parse(text, None)
    }
}

impl Board {
    /// Reads a board in a plain form, of the given size if there is one.
    ///
    /// # Errors
    /// [`ParseError`] if the text is not a board of that size.
    pub fn parse(text: &str, size: Option<Grid>) -> Result<Board, ParseError> {
        let (words, ends) = cells(text.trim_start_matches('\u{feff}'))?;
        Board::of_words(&words, &ends, size)
    }

    /// The board of words in rows that end before these: numbers, or words that have a character for each tile.
    ///
    /// # Errors
    /// [`ParseError`] if the words are not a board of the size.
    pub fn of_words(
        words: &[&str],
        ends: &[usize],
        size: Option<Grid>,
    ) -> Result<Board, ParseError> {
        let error = match board(words, ends, size, number) {
            Ok(board) => return Ok(board),
            Err(error) => error,
        };
        let Some((signs, ends)) = signs(words, ends) else { return Err(error) };
        match board(&signs, &ends, size, |sign| digit(sign, signs.len())) {
            // A word that is too long for a number.
            Err(_) if number(words[0]).is_some_and(|tile| tile <= 1000) => Err(error),
            Err(ParseError::NotATile { .. }) => Err(not_a_tile(words[0])),
            // The letter is as it is written.
            Err(ParseError::Board(BoardError::NoSuchTile { tile, .. })) if tile > 9 => {
                let sign = signs.iter().find(|sign| digit(sign, signs.len()) == Some(tile));
                Err(not_a_tile(sign.unwrap_or(&words[0])))
            }
            result => result,
        }
    }
}

/// The words of a text, and how many of them there are at the end of each row.
fn cells(text: &str) -> Result<(Vec<&str>, Vec<usize>), ParseError> {
    let (mut words, mut ends, mut begin) = (Vec::with_capacity(16), Vec::new(), 0);
    for (at, byte) in text.bytes().chain([b'\n']).enumerate() {
        if !is_separator(byte) {
            continue;
        }
        if begin < at {
            if words.len() == MAX_CELLS {
                return Err(ParseError::TooMany);
            }
            words.push(&text[begin..at]);
        }
        begin = at + 1;
        if is_row_end(byte) && ends.last().copied().unwrap_or(0) < words.len() {
            ends.push(words.len());
        }
    }
    if words.is_empty() { Err(ParseError::Empty) } else { Ok((words, ends)) }
}

/// The characters of rows that are one word each, of one length, and their ends.
fn signs<'a>(words: &[&'a str], ends: &[usize]) -> Option<(Vec<&'a str>, Vec<usize>)> {
    let width = words.first()?.chars().count();
    let are_even = words.iter().all(|word| word.chars().count() == width);
    let each = |word: &&'a str| word.split_inclusive(|_| true);
    (width > 1 && are_even && words.len() == ends.len()).then(|| {
        (words.iter().flat_map(each).collect(), ends.iter().map(|row| row * width).collect())
    })
}

/// Returns whether a byte separates cells. The bytes of other characters never do.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || is_row_end(byte) || matches!(byte, b',' | b'(' | b'[' | b'{')
}

fn is_row_end(byte: u8) -> bool {
    matches!(byte, b'/' | b'\n' | b')' | b']' | b'}')
}

/// The number of a word.
fn number(word: &str) -> Option<u64> {
    let next = |number: u64, byte: u8| {
        let digit = byte.wrapping_sub(b'0');
        number.checked_mul(10)?.checked_add(digit.into()).filter(|_| digit < 10)
    };
    let number = word.bytes().try_fold(0, next);
    number.or_else(|| matches!(word, "_" | "." | "x" | "X").then_some(0))
}

/// The number of a character: digits, and letters from 10, of which `x` is the blank if the board does not need it.
fn digit(sign: &str, cells: usize) -> Option<u64> {
    match sign {
        "_" | "." => Some(0),
        "x" | "X" if cells < 34 => Some(0),
        sign => u64::from_str_radix(sign, 36).ok(),
    }
}

/// The shape of rows that end before these cells.
fn shape(ends: &[usize], size: Option<Grid>) -> Result<Grid, ParseError> {
    let (Some(&width), Some(&count)) = (ends.first(), ends.last()) else {
        return Err(ParseError::Empty);
    };
    if ends.iter().zip(1..).any(|(&end, row)| end != row * width) {
        return Err(uneven(ends));
    }
    let is_flat = ends.len() == 1 || width == 1;
    let rows = match (size, is_flat) {
        (Some(size), true) => size,
        (None, true) => Grid::square(count).ok_or(ParseError::NoShape { found: count })?,
        (_, false) => Grid::new(width, ends.len())?,
    };
    match size.filter(|size| *size != rows) {
        Some(size) => Err(ParseError::OtherSize { rows, size }),
        None if rows.cells() != count => Err(BoardError::Count { grid: rows, found: count }.into()),
        None => Ok(rows),
    }
}

/// The fault of rows of different lengths.
fn uneven(ends: &[usize]) -> ParseError {
    let begins = [0].iter().chain(ends);
    let mut lengths: Vec<usize> = begins.zip(ends).map(|(begin, end)| end - begin).collect();
    // The most frequent length, and of several the largest.
    let frequency =
        |length: &&usize| (lengths.iter().filter(|other| other == length).count(), **length);
    let usual = lengths.iter().max_by_key(frequency);
    let row = lengths.iter().position(|length| Some(length) != usual).unwrap_or(0);
    let found = lengths.remove(row);
    let who = match lengths.len() {
        1 => "the other has",
        _ if lengths.contains(&found) => "others have",
        _ => "the others have",
    };
    lengths.sort_unstable();
    lengths.dedup();
    lengths.retain(|&length| length != found);
    let others: Vec<String> = lengths.iter().map(usize::to_string).collect();
    let others = format!("{who} {}", others.join(" or "));
    ParseError::UnevenRows { row: row + 1, found, others }
}

/// The board of words with these values.
fn board(
    words: &[&str],
    ends: &[usize],
    size: Option<Grid>,
    value: impl Fn(&str) -> Option<u64>,
) -> Result<Board, ParseError> {
    let (mut tiles, mut large) = ([0; MAX_CELLS], None);
    let (mut padded, mut has_digit) = (None, false);
    for (tile, word) in tiles.iter_mut().zip(words) {
        let value = value(word).ok_or_else(|| not_a_tile(word))?;
        *tile = u8::try_from(value).unwrap_or_else(|_| *large.get_or_insert(value) as u8);
        match word.len() {
            1 => has_digit |= word.as_bytes()[0].is_ascii_digit(),
            _ if word.starts_with('0') => padded = padded.or(Some(word)),
            _ => {}
        }
    }
    // Numbers of one digit show that a zero before another number is not padding.
    if let Some(word) = padded.filter(|_| has_digit) {
        return Err(not_a_tile(word));
    }
    let grid = shape(ends, size)?;
    match large {
        Some(tile) => Err(BoardError::NoSuchTile { grid, tile }.into()),
        None => Ok(Board::new(grid, &tiles[..words.len()])?),
    }
}

fn not_a_tile(word: &str) -> ParseError {
    ParseError::NotATile { text: shortened(word) }
}

/// The beginning of a text, for a message.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plain_form_reads_alike() {
        let board: Board = "5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12".parse().unwrap();
        for text in [
            "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
            "([5,1,7,3],[9,2,11,4],[13,6,15,8],[0,10,14,12])",
            "[[5, 1, 7, 3], [9, 2, 11, 4], [13, 6, 15, 8], [0, 10, 14, 12]]",
            "5 1 7 3\r\n9 2 11 4\r\n13 6 15 8\r\n_ 10 14 12\r\n",
            "\u{feff}5,1,7,3,9,2,11,4,13,6,15,8,.,10,14,12",
            "\n\n  5  1 7 3\n 9 2 11 4\n\n13 6 15 8\n x 10 14 12 \n",
            "5\n1\n7\n3\n9\n2\n11\n4\n13\n6\n15\n8\n0\n10\n14\n12\n",
            "517392b4d6f80aec",
            "5173/92B4/D6F8/xAEC",
        ] {
            assert_eq!(text.parse::<Board>().as_ref(), Ok(&board), "{text}");
        }
        let wide: Board = "1 2 3 / 4 0 5".parse().unwrap();
        let size = Some(wide.grid());
        for text in ["1 2 3 / 4 0 5", "1 2 3 4 0 5", "1\n2\n3\n4\n0\n5", "123405", "123\n405"] {
            assert_eq!(Board::parse(text, size).as_ref(), Ok(&wide), "{text}");
        }
        let (rows, size) = (wide.grid(), Grid::new(2, 3).unwrap());
        let refused = Err(ParseError::OtherSize { rows, size });
        assert_eq!(Board::parse("1 2 3 / 4 0 5", Some(size)), refused);
    }

    #[test]
    fn errors_name_the_fault() {
        for (text, size, part) in [
            ("", None, "no board"),
            (" / ", None, "no board"),
            ("1 2 q 0", None, "\"q\" is not a tile"),
            ("1 2 -3 0", None, "\"-3\" is not a tile"),
            ("[[1, 2], [3]]", None, "row 2 has 1 cell, but the other has 2"),
            ("1 2 / 3 0 / 4", None, "row 3 has 1 cell, but the others have 2"),
            ("1 2 / 3 / 0 4 / 5", None, "row 2 has 1 cell, but others have 2"),
            ("1 2 3 4 0", None, "5 numbers"),
            ("1 2 2 0", None, "tile 2 appears twice, and tile 3 is missing"),
            ("1 2 99999999999999999999 0", None, "\"99999999999999999999\" is not a tile"),
            ("12345678", None, "8 numbers in one row"),
            ("1\n2\n2\n0", None, "twice"),
            ("1 2 3 0", Grid::new(3, 3).ok(), "9 cells, but 4"),
        ] {
            let error = Board::parse(text, size).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        for cells in [257, 300] {
            assert_eq!("1 ".repeat(cells).parse::<Board>(), Err(ParseError::TooMany));
        }
    }
}
