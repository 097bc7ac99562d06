//! Boards as people write them.
//!
//! [`FORMS`] lists the forms that are read, each with an example. The plain ones are tried first:
//! see [`strict`]. Where they do not fit, [`loose`] looks for another reading, and reports its
//! guesses. [`Block`] finds the lines of a stream that belong to one board.

mod block;
mod cells;
mod columns;
mod comments;
mod compact;
mod forms;
mod labels;
mod lists;
mod loose;
mod next_row;
mod rewrite;
mod rows;
mod sizes;
mod strict;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use self::cells::keep;
use self::rewrite::rewritten;
use self::tables::{table, without_numbers};
use super::{Board, Grid};

pub use block::{Block, Wait, is_separator_line};
pub use comments::{before_comment, trimmed};
pub use forms::{FORMS, Form};
pub(super) use labels::{Label, labels};
pub use next_row::{are_rows, is_next_row};
pub use strict::ParseError;

/// A longer text is no board.
const MAX_TEXT: usize = 1 << 16;

/// A board, and what was guessed to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The board.
    pub board: Board,
    /// The guesses, none for a text that has one meaning.
    pub guesses: Vec<Guess>,
}

/// A choice between possible meanings of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guess {
    /// Two numbers before tiles in one row are the width and the height.
    Order(Grid),
    /// A line, or a text next to the tiles, is not part of the board.
    Label(String),
    /// A number before the tiles in one row is not part of the board.
    First(String),
    /// A text with a number behind the tiles in one row is not part of the board.
    Last(String),
    /// A sign or a number stands for the blank.
    Blank(String),
    /// This call of a program makes the lists of the text columns of the board.
    Columns(String),
    /// The blank is not written, and belongs to this row and column, from 1.
    LeftOut(usize, usize),
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guess::Order(grid) => write!(
                f,
                "the size is read as width and height: {} columns and {} rows",
                grid.width(),
                grid.height()
            ),
            Guess::Label(text) => write!(f, "{text:?} is read as a label or a count, not as tiles"),
            Guess::First(text) => {
                write!(f, "{text:?} before the tiles is read as a label or a count, not as a tile")
            }
            Guess::Last(text) => {
                write!(f, "{text:?} behind the tiles is read as a label or a count, not as a tile")
            }
            Guess::Blank(text) => write!(f, "{text:?} is read as the blank"),
            Guess::Columns(call) => {
                write!(f, "the numbers are read column by column, because of {call:?}")
            }
            Guess::LeftOut(row, column) => {
                write!(f, "the blank is not written, and is read in row {row}, column {column}")
            }
        }
    }
}

impl Reading {
    /// Returns whether the blank is not written.
    pub fn lacks_blank(&self) -> bool {
        self.guesses.iter().any(|guess| matches!(guess, Guess::LeftOut(..)))
    }

    /// The text next to the board that names it.
    pub fn label(&self) -> Option<&str> {
        self.guesses.iter().find_map(|guess| match guess {
            Guess::Label(text) | Guess::First(text) | Guess::Last(text) => Some(&**text),
            _ => None,
        })
    }
}

fn read(text: &str, size: Option<Grid>) -> Result<Reading, ParseError> {
    strict::read(text, size).or_else(|error| {
        let reading = not_plain(text, size, error)?;
        // Two boards have a tile in common, and are not parts of one.
        let is_board = |(part, _): &(String, bool)| part != text && read(part, size).is_ok();
        match block::blocks(text, size).iter().filter(|part| is_board(part)).count() {
            0 | 1 => Ok(reading),
            found => Err(ParseError::Several { found }),
        }
    })
}

/// Reads a text of which the plain reading failed with `error`.
fn not_plain(text: &str, size: Option<Grid>, error: ParseError) -> Result<Reading, ParseError> {
    if text.len() > MAX_TEXT {
        return Err(error);
    }
    if let Some(text) = with_colon(text) {
        return strict::read(&text, size).or_else(|error| loose::read(&text, size, error));
    }
    let Some(call) = columns::call(text) else { return in_rows(text, size, error) };
    let reading = in_rows(text, size.and_then(columns::transposed), error.clone())?;
    columns::by_columns(reading, call).ok_or(error)
}

/// Reads a text whose lists are rows.
fn in_rows(text: &str, size: Option<Grid>, error: ParseError) -> Result<Reading, ParseError> {
    let Some(table) = table(&comments::removed(text)) else { return plainly(text, size, error) };
    let reading = strict::read(&table, size).or_else(|error| loose::read(&table, size, error));
    // Words above tiles may be others than names of columns.
    reading.or_else(|fault| plainly(text, size, error).map_err(|_| loose::placed(fault, text)))
}

/// Reads a text that is not a table.
fn plainly(text: &str, size: Option<Grid>, error: ParseError) -> Result<Reading, ParseError> {
    loose::read(text, size, error).or_else(|mut error| {
        if let Some(text) = rewritten(text) {
            match strict::read(&text, size).or_else(|error| loose::read(&text, size, error)) {
                Ok(reading) => return Ok(reading),
                Err(other) => keep(&mut error, other),
            }
        }
        if let Some((text, number)) = without_numbers(text)
            && let Ok(mut reading) = strict::read(&text, size)
        {
            reading.guesses.extend(number.map(Guess::First));
            return Ok(reading);
        }
        joined(text, size).or_else(|| hashed(text, size, &error)).ok_or(error)
    })
}

/// Reads tiles with one of these signs between them, as in `8-1-3`. In a few numbers all but dashes have
/// another meaning.
fn joined(text: &str, size: Option<Grid>) -> Option<Reading> {
    let bytes = text.as_bytes();
    // Rows as in the links of the page.
    if text.contains('_') && text.bytes().all(|b| b.is_ascii_digit() || b"_-".contains(&b)) {
        return strict::read(&text.replace('-', "/").replace('_', " "), size).ok();
    }
    let is_cell = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    for sign in "-:._\\".chars() {
        let joins = |at: usize| at > 0 && is_cell(at - 1) && is_cell(at + 1);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == sign || strict::is_separator(c);
        if !text.match_indices(sign).any(|(at, _)| joins(at)) || !text.chars().all(is_plain) {
            continue;
        }
        let between = if sign == '\\' { '/' } else { ' ' };
        let parted = |(at, c): (usize, char)| if c == sign && joins(at) { between } else { c };
        let reading = strict::read(&text.char_indices().map(parted).collect::<String>(), size).ok();
        let is_sure =
            |reading: &Reading| sign == '-' || reading.board.grid().cells() >= cells::MANY;
        if let Some(reading) = reading.filter(is_sure) {
            return Some(reading);
        }
    }
    None
}

/// Reads a text whose only `#` is the blank, as no comment can begin there.
fn hashed(text: &str, size: Option<Grid>, error: &ParseError) -> Option<Reading> {
    let (before, behind) = text.split_once('#').filter(|(_, behind)| !behind.contains('#'))?;
    // It is a cell of its own, or one of a row with a character for each.
    let is_cell = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (last, next) = (before.chars().next_back(), behind.chars().next());
    if next.is_some_and(|c| "[({".contains(c)) || is_cell(next) && !is_cell(last) {
        return None;
    }
    let text = format!("{before}_{behind}");
    let reading = strict::read(&text, size).or_else(|_| loose::read(&text, size, error.clone()));
    let mut reading = reading.ok()?;
    reading.guesses.push(Guess::Blank("#".to_owned()));
    Some(reading)
}

/// A line of tiles behind a size, as in `3x2 1 2 3 4 0 5`, with a colon behind the size.
fn with_colon(text: &str) -> Option<String> {
    let (size, tiles) = text.trim().split_once(char::is_whitespace)?;
    sizes::sole_size(size).filter(|_| !size.ends_with([':', '=']) && !tiles.contains('\n'))?;
    let words: Vec<&str> =
        tiles.split(strict::is_separator).filter(|word| !word.is_empty()).collect();
    let are_tiles = words.len() >= 4 && words.iter().all(|word| word.parse::<u8>().is_ok());
    (are_tiles || matches!(words[..], [word] if cells::is_compact(word)))
        .then(|| format!("{size}: {tiles}"))
}

/// Returns whether a text has several words, each of which is a board.
fn are_compact(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.clone().nth(1).is_some() && words.all(cells::is_compact)
}

/// The text of one of several boards, whose first line is a number, but not its side: with a point behind
/// the number, which is then a label.
pub fn with_ordinal(text: &str) -> Option<String> {
    let (count, rows) = text.split_once('\n')?;
    count.trim().parse::<u64>().is_ok().then(|| format!("{}.\n{rows}", count.trim()))
}

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        Board::parse(text, None)
    }
}

impl Board {
    /// Reads a board, of the given size if there is one, from a text that has one meaning.
    ///
    /// # Errors
    /// [`ParseError`] if the text is not a board of that size, or only by a guess.
    pub fn parse(text: &str, size: Option<Grid>) -> Result<Board, ParseError> {
        let reading = strict::read(text, size).or_else(|error| {
            let reading = not_plain(text, size, error.clone())?;
            if reading.guesses.is_empty() { Ok(reading) } else { Err(error) }
        });
        reading.map(|reading| reading.board)
    }

    /// Reads a board, of the given size if there is one, by guesses if necessary. The caller shows
    /// them to the author of the text.
    ///
    /// # Errors
    /// [`ParseError`] if the text is not a board of that size.
    pub fn read(text: &str, size: Option<Grid>) -> Result<Reading, ParseError> {
        read(text, size).map_err(|error| match error {
            ParseError::Several { .. } => error,
            // Several lists in a line are such an error already.
            _ if !text.trim().contains('\n') && !are_compact(text) => error,
            error => match Board::several(text, size).len() {
                0 => error,
                found => ParseError::Several { found },
            },
        })
    }

    /// The texts of the boards in a text of two or more; empty for other texts.
    pub fn several(text: &str, size: Option<Grid>) -> Vec<String> {
        if text.len() > MAX_TEXT || strict::read(text, size).is_ok() {
            return Vec::new();
        }
        if are_compact(text) {
            return text.split_whitespace().map(str::to_owned).collect();
        }
        let list = lists::find(&comments::removed(text), size).and_then(Result::ok);
        if let Some(list) = list.filter(|list| list.texts.len() > 1) {
            return list.texts;
        }
        let mut blocks = block::blocks(text, size);
        // A head without tiles behind all boards.
        let tail = blocks.pop_if(|(_, is_head)| *is_head);
        if blocks.len() < 2 {
            return Vec::new();
        }
        if let (Some((tail, _)), Some((last, _))) = (tail, blocks.last_mut()) {
            last.push('\n');
            last.push_str(&tail);
        }
        let board = |(text, _): (String, bool)| match read(&text, size) {
            Ok(_) => Some(text),
            Err(ParseError::SizeLine { .. }) => with_ordinal(&text),
            Err(_) => None,
        };
        blocks.into_iter().map(board).collect::<Option<_>>().unwrap_or_default()
    }
}
