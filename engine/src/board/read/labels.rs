//! Grids of labels: boards with equal tiles, and goals that leave something open.
//!
//! Each word is a cell. Where every row is one word, each character is. A label is a number or any other word
//! without a separator, in upper or lower case as it is written.

use super::{ParseError, is_row_end, is_separator, shape, shortened};
use crate::board::{BoardError, Grid, MAX_CELLS};

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
    let separates = |end: fn(u8) -> bool| move |c: char| u8::try_from(c).is_ok_and(end) || c == '"';
    let words = |row: &str| -> Vec<String> {
        let words = row.split(separates(is_separator)).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    // Empty texts of a list are blanks.
    let text = text.trim_start_matches('\u{feff}').replace("\"\"", "_");
    let mut rows: Vec<Vec<String>> = text.split(separates(is_row_end)).map(words).collect();
    rows.retain(|row| !row.is_empty());
    let width = rows.first().ok_or(ParseError::Empty)?[0].chars().count();
    let is_word = |row: &Vec<String>| row.len() == 1 && row[0].chars().count() == width;
    let are_words = width > 1
        && rows.iter().all(is_word)
        && match size {
            Some(size) => size.cells() == width * rows.len(),
            None => rows.len() > 1,
        };
    if are_words {
        rows.iter_mut().for_each(|row| *row = row[0].chars().map(String::from).collect());
    }
    let ends = rows.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let cells: Vec<String> = rows.concat();
    if cells.len() > MAX_CELLS {
        return Err(ParseError::TooMany);
    }
    let grid = shape(&ends, size)?;
    if grid.cells() != cells.len() {
        return Err(BoardError::Count { grid, found: cells.len() }.into());
    }
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    let is_zero = |word: &String| word.bytes().all(|b| b == b'0');
    let is_blank = |word: &String| is_zero(word) || word == "_" || word == ".";
    let is_any = |word: &String| word == "*" || word == "?";
    // Next to numbers alone, x is the blank.
    let is_x = |word: &&String| word.eq_ignore_ascii_case("x");
    let x_is_blank = !cells.iter().any(is_blank)
        && cells.iter().all(|word| is_x(&word) || is_number(word) || is_any(word))
        && cells.iter().filter(is_x).count() == 1;
    let label = |word: &String| {
        if is_blank(word) || x_is_blank && is_x(&word) {
            Ok(Label::Blank)
        } else if is_any(word) {
            Ok(Label::Any)
        } else if word.chars().count() > MAX_LABEL || word.contains([':', '=', '#', '\'']) {
            Err(ParseError::NotATile { text: shortened(word) })
        } else {
            let number = if is_number(word) { word.parse::<u64>().ok() } else { None };
            Ok(Label::Tile(number.map_or(word.clone(), |number| number.to_string()).into()))
        }
    };
    Ok((grid, cells.iter().map(label).collect::<Result<_, _>>()?))
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
