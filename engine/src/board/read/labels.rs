//! Grids of labels: boards with equal tiles, and open goals.
//!
//! Each word is a cell. Where every row is one word, each character is. A label is a number or any other word
//! without a separator, in upper or lower case as it is written.

use super::{ParseError, cells, not_a_tile, shape, signs};
use crate::board::Grid;

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
    // Empty texts of a list are blanks.
    let text = text.trim_start_matches('\u{feff}').replace("\"\"", "_").replace('"', " ");
    let (mut cells, mut ends) = cells(&text)?;
    let fits = |count| size.map_or(ends.len() > 1, |size| size.cells() == count);
    if let Some((signs, rows)) = signs(&cells, &ends).filter(|(signs, _)| fits(signs.len())) {
        (cells, ends) = (signs, rows);
    }
    let grid = shape(&ends, size)?;
    let is_sign = |word: &str| word == "_" || word == ".";
    // Next to numbers alone, x is a sign.
    let is_x = |word: &str| word.eq_ignore_ascii_case("x");
    let x_is_sign = cells.iter().all(|word| is_x(word) || is_number(word) || is_any(word));
    let is_sign = |word: &str| is_sign(word) || x_is_sign && is_x(word);
    // A sign is the blank, and 0 is a tile next to it.
    let has_sign = cells.iter().filter(|word| is_sign(word)).count() == 1;
    let is_blank = |word: &str| is_sign(word) || !has_sign && word.bytes().all(|byte| byte == b'0');
    let cells = cells.iter().map(|word| Label::of(word, is_blank(word)));
    Ok((grid, cells.collect::<Result<_, _>>()?))
}

/// The labels of words in rows that end before these, of the given size if there is one. One of them is the blank, or
/// none.
pub(in crate::board) fn of_words(
    words: &[impl AsRef<str>],
    ends: &[usize],
    size: Option<Grid>,
    blank: Option<usize>,
) -> Result<(Grid, Vec<Label>), ParseError> {
    let cells =
        words.iter().enumerate().map(|(cell, word)| Label::of(word.as_ref(), blank == Some(cell)));
    Ok((shape(ends, size)?, cells.collect::<Result<_, _>>()?))
}

impl Label {
    fn of(word: &str, is_blank: bool) -> Result<Label, ParseError> {
        let number = if is_number(word) { word.parse::<u64>().ok() } else { None };
        match word {
            _ if is_blank => Ok(Label::Blank),
            word if is_any(word) => Ok(Label::Any),
            word if word.chars().count() > MAX_LABEL || word.contains([':', '=', '#', '\'']) => {
                Err(not_a_tile(word))
            }
            word => Ok(Label::Tile(number.map_or(word.into(), |number| number.to_string().into()))),
        }
    }
}

fn is_any(word: &str) -> bool {
    word == "*" || word == "?"
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_of_labels_are_read() {
        for (text, grid, expected) in [
            ("1 2 3 / * * * / * * *", "3x3", "1 2 3 * * * * * *"),
            ("A a / B 0", "2x2", "A a B _"),
            ("RATE / YOUR / MIND / PAL_", "4x4", "R A T E Y O U R M I N D P A L _"),
            ("ab*\n_**", "3x2", "a b * _ * *"),
            ("[[\"A\", \"A\"], [\"B\", \"\"]]", "2x2", "A A B _"),
            ("1 1 1 01 2 2 2 0 *", "3x3", "1 1 1 1 2 2 2 _ *"),
            ("01 01 / 02 00", "2x2", "1 1 2 _"),
            ("2 2 / 1 0", "2x2", "2 2 1 _"),
            ("1 1 / x *", "2x2", "1 1 _ *"),
            ("12?\n??0", "3x2", "1 2 * * * _"),
            ("a x / x _", "2x2", "a x x _"),
            ("0 1 / 2 x", "2x2", "0 1 2 _"),
        ] {
            let (found, labels) = labels(text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
            let word = |label: &Label| match label {
                Label::Blank => "_".to_owned(),
                Label::Any => "*".to_owned(),
                Label::Tile(text) => text.to_string(),
            };
            let labels = labels.iter().map(word).collect::<Vec<_>>().join(" ");
            assert_eq!((found.to_string(), &*labels), (grid.to_owned(), expected), "{text}");
        }
        for (text, part) in [
            ("corner", "1 numbers in one row"),
            ("A B / C", "row 2 has 1 cell"),
            ("A B C 0 0", "5 numbers in one row"),
            ("", "no board"),
            ("A a:b / C _", "a:b"),
            (&"* ".repeat(300), "256"),
        ] {
            let error = labels(text, None).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
