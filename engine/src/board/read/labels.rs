//! Grids of labels: boards with equal tiles, and goals that leave something open.
//!
//! The text is brought into lines as in [`loose`](super::loose). Each word is a cell; where every row is
//! one word, each character is. A label is a number or any other word without a separator, in upper or
//! lower case as it is written. It has no colon, `=`, `#` or quote, which have
//! other meanings in a text.

use super::cells::{is_bar, is_blank_word, is_framed, is_rule};
use super::strict::{shape, shortened, size_line, words};
use super::{MAX_TEXT, ParseError, before_comment, lists};
use crate::board::{Grid, MAX_CELLS};

/// The longest label, in characters.
const MAX_LABEL: usize = 24;

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::board) enum Label {
    Blank,
    /// `*` or `?`: a cell of a goal that does not matter.
    Any,
    Tile(Box<str>),
}

/// Reads the labels of a grid, of the given size if there is one.
pub(in crate::board) fn labels(
    text: &str,
    size: Option<Grid>,
) -> Result<(Grid, Vec<Label>), ParseError> {
    if text.len() > MAX_TEXT {
        return Err(ParseError::TooMany);
    }
    let text = plain(text);
    let is_row = |line: &&str| !line.trim().is_empty() && !is_rule(line);
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    // The bars of a picture lie between cells, not between rows.
    let is_picture = rows.len() > 1 && rows.iter().all(|row| is_framed(row));
    let rows = match is_picture {
        true => rows.iter().map(|row| row_of_picture(row)).collect::<Vec<_>>().join("\n"),
        false => rows.join("\n"),
    };
    let (mut words, mut breaks) = words(&rows)?;
    // Rows of two labels are no sizes.
    let uneven = breaks.windows(2).any(|rows| rows[1] - rows[0] != breaks[0]);
    let own = size_line(&words, &breaks).filter(|_| uneven);
    if own.is_some() {
        let line = breaks.remove(0);
        words.drain(..line);
        breaks.iter_mut().for_each(|end| *end -= line);
    }
    let size = match (own, size) {
        (Some(rows), Some(size)) if rows != size => {
            return Err(ParseError::OtherSize { rows, size });
        }
        _ => own.or(size),
    };
    let characters = |word: &str| word.chars().count();
    let width = characters(words[0]);
    let are_rows = words.len() == breaks.len()
        && words.len() > 1
        && size.is_none_or(|size| size.cells() != words.len())
        || words.len() == 1 && size.is_some_and(|size| size.cells() == width);
    let mut cells: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    if are_rows && width > 1 && words.iter().all(|word| characters(word) == width) {
        cells = words.iter().flat_map(|word| word.chars()).map(String::from).collect();
        breaks = (1..=words.len()).map(|row| row * width).collect();
    }
    if cells.len() > MAX_CELLS {
        return Err(ParseError::TooMany);
    }
    if cells.len() == 1 {
        return Err(ParseError::OneNumber { text: shortened(words[0]) });
    }
    let grid = shape(&breaks, cells.len(), size)?;
    if grid.cells() != cells.len() {
        let found = cells.len();
        return Err(crate::board::BoardError::Count { grid, found }.into());
    }
    let is_x = |word: &String| word.eq_ignore_ascii_case("x");
    let is_any = |word: &String| word == "*" || word == "?";
    let is_number = |word: &String| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    // They belong to a name or a picture, also where this board is written.
    let is_mark =
        |word: &String| word.contains([':', '=', '#', '"', '\'', '\u{feff}']) || is_rule(word);
    let is_zero = |word: &String| word.starts_with('0') && word.bytes().all(|b| b == b'0');
    let is_blank = |word: &String| is_zero(word) || !is_x(word) && is_blank_word(word);
    // Next to numbers alone, x is the blank.
    let x_is_blank = !cells.iter().any(is_blank)
        && cells.iter().all(|word| is_x(word) || is_number(word) || is_any(word))
        && cells.iter().filter(|word| is_x(word)).count() == 1;
    let label = |word: &String| {
        if is_blank(word) || x_is_blank && is_x(word) {
            Ok(Label::Blank)
        } else if is_any(word) {
            Ok(Label::Any)
        } else if characters(word) > MAX_LABEL || is_mark(word) {
            Err(ParseError::Unexpected { text: shortened(word), line: 1, column: 1 })
        } else {
            let number = if is_number(word) { word.parse::<u64>().ok() } else { None };
            let text = number.map_or_else(|| word.clone(), |number| number.to_string());
            Ok(Label::Tile(text.into()))
        }
    };
    Ok((grid, cells.iter().map(label).collect::<Result<_, _>>()?))
}

/// The cells between the bars of a row. An empty one is the blank.
fn row_of_picture(row: &str) -> String {
    let cells: Vec<&str> = row.trim().split(is_bar).map(str::trim).collect();
    let cells = cells[1..cells.len() - 1].iter();
    cells.map(|cell| if cell.is_empty() { "_" } else { cell }).collect::<Vec<_>>().join(" ")
}

/// One row a line: without comments, brackets, quotes and a name. The name may be the size.
fn plain(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let text = text.lines().map(before_comment).collect::<Vec<_>>().join("\n");
    let (name, tiles) = match text.split_once([':', '=']) {
        Some((name, tiles)) if !is_rule(name.lines().next_back().unwrap_or_default()) => {
            (name, tiles)
        }
        _ => ("", &*text),
    };
    let size = if name.trim().parse::<Grid>().is_ok() { name } else { "" };
    let rows = match tiles.contains(['[', '(', '{', '"', '\'']) {
        true => lists::unquoted(tiles).join("\n"),
        false => tiles.replace(['/', ';'], "\n"),
    };
    format!("{size}\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, String), String> {
        let (grid, labels) = labels(text, None).map_err(|error| error.to_string())?;
        let text = |label: &Label| match label {
            Label::Blank => "_".to_owned(),
            Label::Any => "*".to_owned(),
            Label::Tile(text) => text.to_string(),
        };
        Ok((grid.to_string(), labels.iter().map(text).collect::<Vec<_>>().join(" ")))
    }

    #[test]
    fn grids_of_labels_are_read() {
        for (text, grid, labels) in [
            ("1 2 3 / * * * / * * *", "3x3", "1 2 3 * * * * * *"),
            ("A a / B 0", "2x2", "A a B _"),
            ("RATE / YOUR / MIND / PAL_", "4x4", "R A T E Y O U R M I N D P A L _"),
            ("ab*\n_**", "3x2", "a b * _ * *"),
            ("[[\"A\", \"A\"], [\"B\", \"\"]]", "2x2", "A A B _"),
            ("1 1 1 01 2 2 2 0 *", "3x3", "1 1 1 1 2 2 2 _ *"),
            ("3 2\nA A B\nB C .", "3x2", "A A B B C _"),
            ("01 01 / 02 00", "2x2", "1 1 2 _"),
            ("2 2 / 1 0", "2x2", "2 2 1 _"),
            ("1 1 / x *", "2x2", "1 1 _ *"),
            ("1 2 3 / ? ? ? / ? ? x", "3x3", "1 2 3 * * * * * _"),
            ("12?\n??0", "3x2", "1 2 * * * _"),
            ("a x / x _", "2x2", "a x x _"),
            ("red red / blue _ # the end", "2x2", "red red blue _"),
            ("+-+-+\n|A|B|\n+-+-+\n|A|.|\n+-+-+", "2x2", "A B A _"),
            ("+-+-+\n|1|2|\n+-+-+\n|1| |\n+-+-+", "2x2", "1 2 1 _"),
        ] {
            assert_eq!(read(text), Ok((grid.to_owned(), labels.to_owned())), "{text}");
        }
        for (text, part) in [
            ("corner", "one number"),
            ("A B / C", "row 2 has 1 cell"),
            ("A B C 0 0", "5 numbers in one row"),
            ("", "no board"),
            ("board: A a:b / C _", "a:b"),
            ("x:\nA - / B _", "\"-\""),
            (&"* ".repeat(300), "256"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
