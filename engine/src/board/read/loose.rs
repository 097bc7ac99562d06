//! The forms of a board that are not plain: pictures, lists of programs, gaps, labels.
//!
//! 1. Comments go, and the marks of lists: see [`comments`].
//! 2. A list in brackets or quotes that is a board is the answer: see [`lists`].
//! 3. Otherwise the lines are. A name and slashes become lines of their own. Lines before the tiles
//!    are a size, a count or labels (see [`rows`]), and lines behind them are labels.
//! 4. The other lines are split into cells: see [`cells`](super::cells).
//! 5. The first way that gives a board is the answer. Otherwise the error that tells most about
//!    the tiles is.

use super::cells::{LABEL, NUMBERS, fields, is_bar, is_blank_word, is_rule, keep, number};
use super::next_row::{cells, is_row_behind};
use super::rows::{is_label, label, numbers, rows};
use super::sizes::{SIZES, sole_size};
use super::strict::{is_separator, unexpected};
use super::{MAX_TEXT, ParseError, Reading, comments, lists};
use crate::board::Grid;

/// The most lines behind the tiles.
const TAILS: usize = 6;

/// Reads a text of which the plain reading failed with `error`.
pub(super) fn read(
    text: &str,
    size: Option<Grid>,
    error: ParseError,
) -> Result<Reading, ParseError> {
    if text.len() > MAX_TEXT {
        return Err(error);
    }
    let whole = text;
    let text = with_hollow_blank(comments::removed(text));
    let mut best = error;
    if let Some(lists) = lists::find(&text, size) {
        return match lists {
            Ok(lists::Found { texts, .. }) if texts.len() > 1 => {
                Err(ParseError::Several { found: texts.len() })
            }
            Ok(lists::Found { reading, outside, .. }) => match super::read(&outside, size) {
                Ok(_) => Err(ParseError::Several { found: 2 }),
                Err(_) => Ok(reading),
            },
            Err(error @ ParseError::Grid(_)) => Err(error),
            // A word in a list tells more than one before it.
            Err(error @ ParseError::Unexpected { .. }) => Err(placed(error, whole)),
            Err(error) => {
                keep(&mut best, error);
                Err(best)
            }
        };
    }
    // An apostrophe is no quote.
    let has_quotes = |line: &str| ['"', '\''].iter().any(|&c| line.matches(c).count() > 1);
    let unquoted = |line: &str| match has_quotes(line) {
        true => lists::unquoted(line).join(" "),
        false => line.to_owned(),
    };
    let lines = lines(&text.lines().map(unquoted).collect::<Vec<_>>().join("\n"));
    let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
    // The lines with a character for each of so many cells.
    let alike = |cells: usize| {
        let is_row = |line: &&&str| {
            let word = line.trim();
            word.len() == cells
                && word.bytes().all(|b| b.is_ascii_alphanumeric())
                && word.bytes().any(|b| b.is_ascii_digit())
        };
        lines.iter().filter(is_row).count()
    };
    for tails in 0..=TAILS.min(lines.len()) {
        let (lines, tail) = lines.split_at(lines.len() - tails);
        let is_number = |line: &&&str| !line.contains(char::is_alphabetic);
        if !tail.iter().all(|line| is_label(line))
            || tail.iter().filter(is_number).count() > NUMBERS
        {
            break;
        }
        match rows(lines, size, false) {
            Ok(reading) if tails > 0 && reading.lacks_blank() => {}
            // The other lines are rows, too.
            Ok(reading) if alike(reading.board.grid().cells()) > 2 => {}
            Ok(reading) if tail.iter().any(|line| goes_on(lines, line, reading.board.grid())) => {}
            Ok(mut reading) => {
                reading.guesses.extend(tail.iter().map(|line| label(line)));
                return Ok(reading);
            }
            Err(error @ (ParseError::SizeLine { .. } | ParseError::Grid(_))) => return Err(error),
            // The fault of the whole text.
            Err(error) if tails == 0 => keep(&mut best, error),
            Err(_) => {}
        }
    }
    Err(placed(best, whole))
}

/// An error with the place of its cell in the text, which the readers of cells do not know.
pub(super) fn placed(error: ParseError, whole: &str) -> ParseError {
    let ParseError::Unexpected { text, .. } = &error else { return error };
    let is_gap = |c| is_separator(c) || is_bar(c) || matches!(c, '"' | '\'');
    match whole.split(is_gap).find(|cell| cell == text) {
        Some(cell) => unexpected(cell, whole),
        None => error,
    }
}

/// A text in which a pair of brackets around nothing is the blank, if there is one such cell.
fn with_hollow_blank(text: String) -> String {
    for cell in ["[ ]", "[]", "( )", "()"] {
        let Some((before, behind)) = text.split_once(cell).filter(|parts| !parts.1.contains(cell))
        else {
            continue;
        };
        let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_bar(c));
        if is_end(before.chars().next_back()) && is_end(behind.chars().next()) {
            return format!("{before}_{behind}");
        }
    }
    text
}

/// Returns whether a line behind the rows of a board looks like one more row, so that all of them are a
/// faulty board.
fn goes_on(rows: &[&str], line: &str, grid: Grid) -> bool {
    let (count, is_flat) = (grid.cells(), rows.len() == 1);
    let width = if is_flat { cells(rows[0]).count() } else { grid.width() };
    let tiles: Vec<u64> = cells(line).filter_map(number).collect();
    let next = tiles.iter().filter(|&&tile| tile >= count as u64).count();
    // A few numbers behind short rows may be others than tiles.
    let is_long = width > 3 || next > 1 || cells(line).count() == width;
    !rows.is_empty()
        && (!is_flat || width > 2)
        && tiles.iter().all(|&tile| tile < 2 * count as u64)
        && (tiles.len() == width || is_long && is_row_behind(count, width, line))
}

/// One row a line: slashes and semicolons end a row, and a name before tiles has a line of its own.
fn lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_cell = |cell: &&str| cell.is_empty() || number(cell).is_some() || is_blank_word(cell);
    // The columns of a table, in a spreadsheet and in TeX.
    for (mark, is_mark) in [(';', (|c| c == ';') as fn(char) -> bool), ('&', |c| c == '&')] {
        let rows: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(['\\', ' '])).collect();
        // A size or names of columns may come before them.
        let is_row = |row: &&str| {
            fields(&[*row], is_mark).is_some_and(|cells| cells.iter().flatten().all(is_cell))
        };
        let heads = rows.iter().position(is_row).unwrap_or(rows.len());
        let (head, body) = rows.split_at(heads);
        let has_heads = !head.is_empty() && body.len() > 1;
        if !body.is_empty() && (head.is_empty() || has_heads) && body.iter().all(is_row) {
            let head = head.iter().map(|row| row.replace(mark, " "));
            return head.chain(body.iter().map(|row| row.replace(mark, ","))).collect();
        }
    }
    let named: Vec<Option<(&str, &str)>> = lines.iter().map(|line| named(line)).collect();
    // A name before each row is one label.
    let first = named.iter().position(Option::is_some).unwrap_or(0);
    let all = lines.len() > first + 1 && named[first..].iter().all(Option::is_some);
    let mut rows = Vec::new();
    let mut is_first = true;
    for (line, named) in lines.iter().zip(named) {
        let tiles = match named {
            Some((name, tiles)) if is_first || all => {
                if is_first {
                    rows.push(name.to_owned());
                }
                is_first = false;
                // A row in line with those below keeps its column.
                let column = line.len() - tiles.len();
                let aligned = lines.get(1).is_some_and(|next| {
                    !all && next.len() > column && next[..].starts_with(&" ".repeat(column))
                });
                if aligned { " ".repeat(column) + tiles } else { tiles.trim_start().to_owned() }
            }
            _ => (*line).to_owned(),
        };
        let mut parts = tiles.split(['/', ';']);
        rows.extend(parts.next().map(str::to_owned));
        rows.extend(parts.map(|row| row.strip_prefix(' ').unwrap_or(row).to_owned()));
    }
    rows
}

/// The number of a board before its rows, as in `1. 8 1 3 / 4 0 2 / 7 6 5`, and the rows.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let (name, rows) = line.trim_start().split_once(' ')?;
    let is_number = name.strip_suffix('.').is_some_and(|digits| digits.parse::<u64>().is_ok())
        || sole_size(name).is_some();
    // Where tiles have points, the number is one of them.
    let are_tiles = cells(rows).any(|cell| cell.len() > 1 && cell.ends_with('.'));
    (is_number && rows.contains(['/', ';']) && !are_tiles).then_some((name, rows))
}

/// The name before the tiles in a line, and the tiles, or nothing where those follow.
fn named(line: &str) -> Option<(&str, &str)> {
    if let Some(found) = numbered(line) {
        return Some(found);
    }
    let at = line.find([':', '='])?;
    let (name, tiles) = (line[..at].trim_end(), &line[at + 1..]);
    let words: Vec<&str> = tiles.split(is_separator).filter(|word| !word.is_empty()).collect();
    let is_tiles = match words[..] {
        [] => !name.is_empty(),
        [word] => word.len() >= 4,
        [_, _] if SIZES.iter().any(|size| name.eq_ignore_ascii_case(size)) => false,
        // Another name follows.
        _ if tiles.contains([':', '=']) => false,
        _ => {
            let is_tile = |word: &&&str| number(word).is_some() || is_blank_word(word);
            words.iter().any(|word| number(word).is_some())
                && words.iter().filter(is_tile).count() * 2 > words.len()
        }
    };
    let is_name = !is_rule(line) && numbers(name) <= LABEL && sole_size(tiles).is_none();
    (is_name && is_tiles).then_some((name, tiles))
}
