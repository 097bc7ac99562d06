//! The plain forms of a board, which are read first.
//!
//! Numbers separated by white space, commas, semicolons, slashes, vertical bars or brackets; `0`,
//! `_` or `.` is the blank. If slashes, inner brackets or line ends separate rows, the rows must be
//! of equal length and determine the shape. Otherwise the board is square, or has the size that the
//! caller gives. A first line of its own may give the size, as `4`, `5x3` or `5 3`. Boards of few tiles
//! may also be written with one character a tile: see [`compact`].

use super::{Guess, Reading, compact};
use crate::board::{Board, BoardError, Grid, GridError, MAX_CELLS};

/// The reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// No number at all.
    #[error(
        "there is no board here: write its tiles row by row, as in `1 2 3 4 / 5 6 7 8 / …`, with 0 for the blank"
    )]
    Empty,
    /// Something that is neither a number nor a separator.
    #[error(
        "{text:?} is neither a tile nor a separator: write numbers separated by spaces, commas, slashes or brackets, with 0, _ or . for the blank ({})",
        place(*line, *column)
    )]
    Unexpected {
        /// The piece of text, shortened.
        text: String,
        /// Its line in the text, from 1.
        line: usize,
        /// The column where it begins in that line, in characters from 1.
        column: usize,
    },
    /// A number that is no tile of any board.
    #[error("there is no tile {text}: the largest board has 255")]
    NoSuchTile {
        /// The number, shortened.
        text: String,
    },
    /// One number, and nothing else.
    #[error(
        "{text} is one number: separate the tiles with spaces, or write one character for each, with 0 for the blank"
    )]
    OneNumber {
        /// The number, shortened.
        text: String,
    },
    /// More numbers than the largest board has cells.
    #[error("more than 256 numbers: no board is that large")]
    TooMany,
    /// Rows of different lengths.
    #[error("row {row} has {} but row 1 has {first}", if *found == 1 { "1 cell,".to_owned() } else { format!("{found} cells,") })]
    UnevenRows {
        /// The row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first row.
        first: usize,
    },
    /// The rows form no permitted shape.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The rows are not those of the size that was given.
    #[error("the rows form {} {rows} board, but the size given is {size}", rows.article())]
    OtherSize {
        /// The size of the rows, or of the board's own size line.
        rows: Grid,
        /// The size given.
        size: Grid,
    },
    /// A number before the rows that is no size of theirs.
    #[error("the line before the tiles says {side}, but the board is {rows}")]
    SizeLine {
        /// The number.
        side: u64,
        /// The size of the rows.
        rows: Grid,
    },
    /// More than one board.
    #[error("these are {found} boards, and one is expected here: give each by itself")]
    Several {
        /// The number of boards.
        found: usize,
    },
    /// A number of cells that is not square, and no rows.
    #[error(
        "{found} numbers in one row form no square board: separate the rows with slashes, or give the size"
    )]
    NoShape {
        /// The number of numbers given.
        found: usize,
    },
    /// The numbers are not those of a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

fn place(line: usize, column: usize) -> String {
    if line == 1 {
        format!("column {column}")
    } else {
        format!("line {line} of it, column {column}")
    }
}

/// Reads a board, of the given size if there is one.
pub(super) fn read(text: &str, size: Option<Grid>) -> Result<Reading, ParseError> {
    // Most boards are such.
    if let Some((tiles, breaks)) = numbers(text) {
        let grid = shape(&breaks, tiles.len(), size)?;
        return Ok(Reading { board: board(grid, &tiles)?, guesses: Vec::new() });
    }
    let (mut words, mut breaks) = words(text)?;
    let (mut size, mut guesses) = (size, Vec::new());
    if let Some(grid) = size_line(&words, &breaks) {
        let line = breaks.remove(0);
        if line == 2 && breaks.len() == 1 && grid.width() != grid.height() && size.is_none() {
            guesses.push(Guess::Order(grid));
        }
        words.drain(..line);
        breaks.iter_mut().for_each(|end| *end -= line);
        if let Some(size) = size.filter(|&size| size != grid) {
            return Err(ParseError::OtherSize { rows: grid, size });
        }
        size = Some(grid);
    }
    let tiles = match compact::read(&words) {
        Some(compact) => {
            if let Some(width) = compact.width {
                breaks = (1..=words.len()).map(|row| row * width).collect();
            } else if words.len() == 1 {
                breaks = vec![compact.tiles.len()];
            }
            compact.tiles
        }
        None => words.iter().map(|word| tile(word, text)).collect::<Result<_, _>>()?,
    };
    if tiles.len() == 1 {
        return Err(ParseError::OneNumber { text: shortened(words[0]) });
    }
    if tiles.len() > MAX_CELLS {
        return Err(ParseError::TooMany);
    }
    Ok(Reading { board: board(shape(&breaks, tiles.len(), size)?, &tiles)?, guesses })
}

/// Numbers of different lengths with spaces, commas and slashes between them, in rows of equal length, and
/// the ends of the rows: in a fifth of the time of [`words`]. Numbers of one length may be a board with one
/// character for each tile, and a first row may be a size.
fn numbers(text: &str) -> Option<(Vec<u64>, Vec<usize>)> {
    const DIGITS: usize = 3;
    let (mut tiles, mut breaks) = (Vec::with_capacity(16), Vec::new());
    let (mut number, mut length) = (0, 0);
    let (mut first, mut differ) = (0, false);
    for byte in text.bytes().chain([b'/']) {
        if byte.is_ascii_digit() {
            number = 10 * number + u64::from(byte - b'0');
            length += 1;
            if length > DIGITS {
                return None;
            }
            continue;
        }
        if length > 0 {
            first = if tiles.is_empty() { length } else { first };
            differ |= length != first;
            tiles.push(number);
            (number, length) = (0, 0);
        }
        match byte {
            b' ' | b',' => {}
            b'/' if breaks.last().is_none_or(|&end| end < tiles.len()) => breaks.push(tiles.len()),
            b'/' => {}
            _ => return None,
        }
    }
    let width = breaks[0];
    let are_even = breaks.iter().zip(1..).all(|(&end, row)| end == row * width);
    let may_be_size = width < 2 || width == 2 && tiles[0] == tiles[1];
    (differ && are_even && !may_be_size && tiles.len() <= MAX_CELLS).then_some((tiles, breaks))
}

/// The board of these tiles.
pub(super) fn board(grid: Grid, tiles: &[u64]) -> Result<Board, ParseError> {
    if tiles.len() != grid.cells() {
        return Err(BoardError::Count { grid, found: tiles.len() }.into());
    }
    let tile = |&tile: &u64| u8::try_from(tile).map_err(|_| BoardError::NoSuchTile { grid, tile });
    let tiles: Vec<u8> = tiles.iter().map(tile).collect::<Result<_, _>>()?;
    Ok(Board::new(grid, &tiles)?)
}

/// The words between the separators, and the number of words before each end of a row.
pub(super) fn words(text: &str) -> Result<(Vec<&str>, Vec<usize>), ParseError> {
    let mut words = Vec::new();
    let mut breaks = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(c) = rest.chars().next() {
        let word = rest.find(is_separator).unwrap_or(rest.len());
        if word == 0 {
            if is_row_end(c) && breaks.last() != Some(&words.len()) && !words.is_empty() {
                breaks.push(words.len());
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        // A board's tiles, and its size before them.
        if words.len() > MAX_CELLS {
            return Err(ParseError::TooMany);
        }
        words.push(&rest[..word]);
        rest = &rest[word..];
    }
    if words.is_empty() {
        return Err(ParseError::Empty);
    }
    breaks.push(words.len());
    breaks.dedup();
    Ok((words, breaks))
}

/// The size in a first row of its own: a number or a size, which no row of a board is, or two
/// numbers before rows that have not two, or twice the same.
pub(super) fn size_line(words: &[&str], breaks: &[usize]) -> Option<Grid> {
    let &[line, next, ..] = breaks else { return None };
    let wider = breaks.windows(2).any(|rows| rows[1] - rows[0] > line);
    // No row has a tile twice.
    let twice = line == 2 && words[0] == words[1];
    let compact = next - line == 1 && words[line].len() > words[..line].concat().len();
    if !wider && !compact && !twice {
        return None;
    }
    size(&words[..line])
}

/// The size that a line of these words announces.
fn size(words: &[&str]) -> Option<Grid> {
    match words {
        [size] => size.parse().ok(),
        [width, height] => Grid::new(width.parse().ok()?, height.parse().ok()?).ok(),
        _ => None,
    }
}

fn is_row_end(c: char) -> bool {
    matches!(c, '/' | '|' | ';' | '\n' | ')' | ']' | '}')
}

pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || is_row_end(c) || matches!(c, ',' | '(' | '[' | '{')
}

/// Reads a word of a text.
fn tile(word: &str, text: &str) -> Result<u64, ParseError> {
    match word {
        "_" | "." => Ok(0),
        _ if word.bytes().all(|b| b.is_ascii_digit()) => {
            word.parse().map_err(|_| ParseError::NoSuchTile { text: shortened(word) })
        }
        _ => Err(unexpected(word, text)),
    }
}

/// The error of a word that is a part of a text.
pub(super) fn unexpected(word: &str, text: &str) -> ParseError {
    let before = &text[..word.as_ptr() as usize - text.as_ptr() as usize];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    ParseError::Unexpected {
        text: shortened(word),
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
    }
}

/// The beginning of a word, for a message.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

pub(super) fn shape(
    breaks: &[usize],
    cells: usize,
    size: Option<Grid>,
) -> Result<Grid, ParseError> {
    let first = breaks[0];
    if breaks.len() > 1 {
        let mut before = 0;
        for (row, &end) in breaks.iter().enumerate() {
            if end - before != first {
                return Err(ParseError::UnevenRows { row: row + 1, found: end - before, first });
            }
            before = end;
        }
    }
    match size {
        // A wrong number of cells is reported as such.
        Some(size) if breaks.len() > 1 && cells == size.cells() => {
            match Grid::new(first, breaks.len())? {
                rows if rows == size => Ok(size),
                rows => Err(ParseError::OtherSize { rows, size }),
            }
        }
        Some(size) => Ok(size),
        None if breaks.len() > 1 => Ok(Grid::new(first, breaks.len())?),
        None => Grid::square(cells).ok_or(ParseError::NoShape { found: cells }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_words_are() {
        for text in [
            "1 2 3 4 5 6 7 8 9 10 11 0",
            "10,1 2 3 , 0",
            "1 22 333 0",
            "07 1 2 0",
            "1 2 3 / 4 5 6 / 7 8 9 / 10 11 0",
            "1 2/10 0//",
            "1 2 3 10 / ",
        ] {
            let (words, breaks) = words(text).unwrap();
            let tiles: Vec<u64> = words.iter().map(|word| tile(word, text).unwrap()).collect();
            assert_eq!(numbers(text), Some((tiles, breaks)), "{text}");
        }
        for text in [
            "1 2 3 0",
            "12 30",
            "1230",
            "1 2222 3 0",
            "1 10 x",
            "1 10\t0",
            "",
            " ",
            "/ 1 10",
            "/",
            "1 / 10 / 0",
            "3 / 1 2 10",
            "3 2 / 1 2 3 / 4 10 0",
            "2 2 / 1 10",
            "10 1 / 2",
        ] {
            assert_eq!(numbers(text), None, "{text}");
        }
        assert_eq!(numbers(&"1 10 ".repeat(129)), None);
    }

    #[test]
    fn every_spelling_reads_alike() {
        let board: Board = "5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12".parse().unwrap();
        for text in [
            "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
            "([5,1,7,3],[9,2,11,4],[13,6,15,8],[0,10,14,12])",
            "[[5, 1, 7, 3], [9, 2, 11, 4], [13, 6, 15, 8], [0, 10, 14, 12]]",
            "5 1 7 3\r\n9 2 11 4\r\n13 6 15 8\r\n_ 10 14 12\r\n",
            "\u{feff}5,1,7,3,9,2,11,4,13,6,15,8,.,10,14,12",
            "\n\n  5  1 7 3\n 9 2 11 4\n\n13 6 15 8\n . 10 14 12 \n",
            "4\n5 1 7 3\n9 2 11 4\n13 6 15 8\n0 10 14 12\n",
            "4x4\n5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12\n",
            "4\n517392b4d6f80aec",
            "4 4\n5 1 7 3\n9 2 11 4\n13 6 15 8\n0 10 14 12\n",
            "4 4 / 5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12",
            "4 4\n517392b4d6f80aec",
        ] {
            assert_eq!(text.parse::<Board>().as_ref(), Ok(&board), "{text}");
        }
        let wide: Board = "1 2 3 / 4 0 5".parse().unwrap();
        assert_eq!(wide.grid(), Grid::new(3, 2).unwrap());
        assert_eq!(Board::parse("1 2 3 / 4 0 5", Some(wide.grid())).as_ref(), Ok(&wide));
        let (rows, size) = (wide.grid(), Grid::new(2, 3).unwrap());
        for text in ["1 2 3 / 4 0 5", "[1,2,3],[4,0,5]", "3x2\n1 2 3 4 0 5"] {
            let refused = Err(ParseError::OtherSize { rows, size });
            assert_eq!(Board::parse(text, Some(size)), refused, "{text}");
        }
        assert_eq!(Board::parse("1 2 3 4 0 5", Some(wide.grid())).as_ref(), Ok(&wide));
        assert_eq!("3 2\n1 2 3\n4 0 5".parse().as_ref(), Ok(&wide));
        assert_eq!("3 2\n1 2 3 4 0 5".parse(), Ok(wide));
        assert_eq!("2 2\n1 2\n3 0".parse(), Board::parse("1 2 3 0", None));
        // Without longer rows two numbers are a row.
        assert_eq!(
            "4 3\n1 2\n0 5".parse(),
            Board::new(Grid::new(2, 3).unwrap(), &[4, 3, 1, 2, 0, 5]).map_err(Into::into)
        );
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert!(error("1 2\n 3 q 0").contains("(line 2 of it, column 4)"));
        assert!(error(" / ").contains("no board"));
        assert!(error("1 2 x 0").contains("\"x\""));
        assert!(error("1 2 -3 0").contains("\"-3\""));
        assert!(error("[[1, 2], [3]]").contains("row 2 has 1 cell, but row 1 has 2"));
        assert!(error("1 2 / 3").contains("row 2 has 1 cell, but row 1 has 2"));
        assert!(error("1 2 3 4 0").contains("5 numbers"));

        assert!(error("1 2 2 0").contains("tile 2 appears twice, tile 3 is missing"));
        assert!(error("1 2 99999999999999999999 0").contains("no tile 99999999999999999999:"));
        assert!(
            error(&format!("1 2 {} 0", "9".repeat(99)))
                .contains("no tile 999999999999999999999999…:")
        );
        assert!(error("12345678").contains("12345678 is one number"));
        assert!(error("1\n2\n2\n0").contains("twice"));
        assert!(error(&"1 ".repeat(257)).contains("256"));
        assert!(error(&"1 ".repeat(300)).contains("256"));
        assert!(error("4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0").contains("row 4 has 3 cells"));
        assert!(error("3\n1 2 3\n4 5 6").contains("9 cells, but 6"));
        let sized = Board::parse("1 2 3 0", Grid::new(3, 3).ok()).unwrap_err().to_string();
        assert!(sized.contains("9 cells, but 4"), "{sized}");
    }
}
