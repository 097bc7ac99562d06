//! Lists of programs: brackets and quotes, among names and other text.
//!
//! A text has lists in a row, and each may have others inside. A list of boards is several boards;
//! a list that is no board is one of rows, or the call of a function around a board.

use std::ops::Range;

use super::cells::{MANY, is_blank_word, is_compact, keep, widest, words};
use super::rows;
use super::rows::label;
use super::strict::{self, is_separator};
use super::{Guess, ParseError, Reading};
use crate::board::{Grid, GridError};

/// The fewest cells of a list that could be a board.
const FEWEST: usize = 4;

/// The most brackets within each other.
const DEEPEST: usize = 8;

/// The first board in lists.
pub(super) struct Found {
    pub reading: Reading,
    /// The text of each board, with what stands around its list.
    pub texts: Vec<String>,
    /// The lines before and behind the lists.
    pub outside: String,
}

/// The boards in the lists of a text; `None` if no list could be a board.
pub(super) fn find(text: &str, size: Option<Grid>) -> Option<Result<Found, ParseError>> {
    let mut found = within(text, size, 0);
    if let Some(Ok(Found { reading, texts, .. })) = &mut found
        && texts.len() == 1
    {
        reading.guesses.extend(remarks(text));
    }
    found
}

fn within(text: &str, size: Option<Grid>, depth: usize) -> Option<Result<Found, ParseError>> {
    let (lists, is_alone) = lists(text);
    let (first, last) = (lists.first()?, lists.last()?);
    let mut best = ParseError::Empty;
    // Rows in brackets of their own are a list without a name, or below one.
    let rows = if is_alone { text } else { &text[first.start..last.end] };
    let is_title = |title: &str| title.ends_with(':') && !title.contains('\n');
    let is_below = || is_title(text[..first.start].trim()) && text[last.end..].trim().is_empty();
    if is_alone || depth == 0 && lists.len() > 1 && is_below() && self::lists(rows).1 {
        match rows_of(rows, size) {
            Ok(reading) => {
                let (texts, outside) = (vec![text.to_owned()], String::new());
                return Some(Ok(Found { reading, texts, outside }));
            }
            Err(error) => keep(&mut best, error),
        }
    }
    let large = large(text, &lists);
    let mut readings = Vec::new();
    for &list in &large {
        // The size may come before the list.
        let name = text[..list.start].trim_end_matches(|c| is_separator(c) || "=:".contains(c));
        let is_size = list == first && name.contains(['x', 'X', '×']);
        let own = match name.parse::<Grid>() {
            Err(error @ GridError::OutOfRange { .. }) if is_size => return Some(Err(error.into())),
            own => own.ok().filter(|_| is_size),
        };
        match one(&text[list.clone()], size.or(own)) {
            Ok(reading) => readings.push(reading),
            Err(error) => keep(&mut best, error),
        }
    }
    // A row of four tiles or more among others is no board.
    let is_row = |reading: &Reading| reading.board.grid().cells() == FEWEST;
    let mut others = lists.iter().filter(|list| !large.contains(list));
    let has_number =
        |list: &Range<usize>| text[list.clone()].contains(|c: char| c.is_ascii_digit());
    let has_others = others.any(has_number);
    let is_flat = |list: &Range<usize>| !text[list.start + 1..list.end - 1].contains(is_bracket);
    let are_rows = match large[..] {
        [list] if readings.is_empty() => is_flat(list) && has_others,
        _ => readings.iter().any(is_row) && (readings.len() < large.len() || has_others),
    };
    if depth > 0 && are_rows {
        return Some(Err(ParseError::Empty));
    }
    if readings.len() == large.len() && !readings.is_empty() {
        let (reading, outside) = (readings.swap_remove(0), outside(text, &large));
        let texts = parts(text, &large);
        return Some(Ok(Found { reading, texts, outside }));
    }
    let [list] = large[..] else {
        return (is_alone || !large.is_empty()).then_some(Err(best));
    };
    let inner = &text[list.start + 1..list.end - 1];
    match (depth < DEEPEST).then(|| within(inner, size, depth + 1)).flatten() {
        Some(Ok(found)) => Some(Ok(Found { outside: outside(text, &large), ..found })),
        Some(Err(error)) => {
            keep(&mut best, error);
            Some(Err(best))
        }
        None => Some(Err(best)),
    }
}

/// The lists that have cells enough for a board.
fn large<'a>(text: &str, lists: &'a [Range<usize>]) -> Vec<&'a Range<usize>> {
    lists.iter().filter(|list| is_large(&text[(*list).clone()])).collect()
}

/// The lines of a text before and behind those of its lists.
fn outside(text: &str, lists: &[&Range<usize>]) -> String {
    let (Some(first), Some(last)) = (lists.first(), lists.last()) else { return String::new() };
    let begin = text[..first.start].rfind('\n').unwrap_or(0);
    let end = text[last.end..].find('\n').map_or(text.len(), |end| last.end + end);
    format!("{}{}", &text[..begin], &text[end..])
}

/// The text of each list, with what stands around it if that is no name of the list.
fn parts(text: &str, lists: &[&Range<usize>]) -> Vec<String> {
    let mut begin = 0;
    let mut texts = Vec::new();
    for (place, &list) in lists.iter().enumerate() {
        // The end of the line belongs to the list.
        let end = lists.get(place + 1).map_or(text.len(), |next| {
            text[list.end..next.start].find('\n').map_or(list.end, |end| list.end + end)
        });
        let part = text[begin..end].trim_matches(|c: char| is_separator(c) && !is_bracket(c));
        let is_plain = lists.len() > 1 && remarks(part).is_empty();
        texts.push(if is_plain { text[list.clone()].to_owned() } else { part.to_owned() });
        begin = end;
    }
    texts
}

/// The text around the only list that is not its name: lines, and numbers in the lines of the list.
fn remarks(text: &str) -> Vec<Guess> {
    let (lists, _) = lists(text);
    let large = large(text, &lists);
    let (Some(first), Some(last)) = (large.first(), large.last()) else { return Vec::new() };
    let (before, behind) = (&text[..first.start], &text[last.end..]);
    let assigns = before.trim_end().ends_with(['=', '(', '>']);
    let before = if assigns { before.trim_end() } else { before };
    let (above, name) = before.rsplit_once('\n').unwrap_or(("", before));
    let (end, below) = behind.split_once('\n').unwrap_or((behind, ""));
    let has_number = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word.parse::<u64>().is_ok())
    };
    let is_size = |name: &str| name.contains(['x', 'X', '×']) && name.parse::<Grid>().is_ok();
    let is_name = assigns || is_size(name.trim_end_matches([':', ' ']));
    let lines = [above, below].into_iter().filter(|lines| lines.contains(char::is_alphanumeric));
    let name = Some(name).filter(|name| !is_name && has_number(name));
    // A call, as in `.reshape(3, 3)`, or an index is code.
    let end = Some(end).filter(|end| !end.starts_with(['.', '[']) && has_number(end));
    let others = name.into_iter().chain(lines).chain(end);
    others.map(|text| label(text.trim_matches(is_separator))).collect()
}

/// Reads one list, or one text in quotes.
fn one(list: &str, size: Option<Grid>) -> Result<Reading, ParseError> {
    let inner = list[1..list.len() - 1].trim();
    if list.starts_with(['"', '\'']) {
        return strict::read(inner, size)
            .or_else(|_| rows::rows(&inner.split(['/', ';']).collect::<Vec<_>>(), size, true));
    }
    strict::read(list, size).or_else(|error| {
        let mut best = error;
        rows_of(list, size).map_err(|error| {
            keep(&mut best, error);
            best
        })
    })
}

fn rows_of(list: &str, size: Option<Grid>) -> Result<Reading, ParseError> {
    let rows = unquoted(list);
    let rows = rows::rows(&rows.iter().map(|row| &**row).collect::<Vec<_>>(), size, true);
    // Strings with one character for each cell, of which one is a space.
    rows.or_else(|error| {
        let rows: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        let is_even = rows.len() > 1 && rows.iter().all(|row| row.len() == rows[0].len());
        if is_even { rows::rows(&rows, size, false).or(Err(error)) } else { Err(error) }
    })
}

/// The outermost lists of a text, and whether nothing but separators is outside of them.
fn lists(text: &str) -> (Vec<Range<usize>>, bool) {
    let mut lists = Vec::new();
    let (mut depth, mut start, mut is_alone) = (0_usize, 0, true);
    let mut quoted = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if at < quoted {
            continue;
        }
        match c {
            '"' | '\'' => {
                let line = text[at + 1..].lines().next().unwrap_or_default();
                match line.find(c) {
                    Some(end) => {
                        quoted = at + 1 + end + 1;
                        if depth == 0 {
                            lists.push(at..quoted);
                        }
                    }
                    None => is_alone &= depth > 0,
                }
            }
            '[' | '(' | '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ']' | ')' | '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    lists.push(start..at + 1);
                }
            }
            _ => is_alone &= depth > 0 || is_separator(c),
        }
    }
    (lists, is_alone)
}

fn is_bracket(c: char) -> bool {
    "()[]{}".contains(c)
}

/// Returns whether a list has cells enough for a board.
fn is_large(list: &str) -> bool {
    let is_gap = |c: char| is_separator(c) || matches!(c, '"' | '\'');
    let is_cell = |word: &&str| {
        word.parse::<f64>().is_ok() || is_blank_word(word) || word.chars().count() == 1
    };
    let words = || list.split(is_gap).filter(|word| !word.is_empty());
    words().filter(is_cell).count() >= FEWEST || words().any(is_compact) || {
        let words: Vec<&str> = words().collect();
        words.len() > 1
            && words.concat().len() >= MANY
            && words.iter().all(|word| word.len() == words.len())
    }
}

/// The rows of a list: one for each inner bracket, and for each string of several words. An empty
/// place between two commas, or in brackets, is a blank.
pub(super) fn unquoted(list: &str) -> Vec<String> {
    let mut cells = Cells::default();
    let mut chars = list.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => {
                let string: String = chars.by_ref().take_while(|&end| end != c).collect();
                cells.string(c, &string);
            }
            '=' => cells.separator(c),
            _ if is_separator(c) => cells.separator(c),
            _ => cells.letter(c),
        }
    }
    with_gaps(cells.into_rows(), !list.contains(','))
}

/// The cells of a list, as far as they are read.
#[derive(Default)]
struct Cells {
    rows: Vec<String>,
    /// The row that is not yet complete.
    row: String,
    /// The word that is not yet complete.
    word: String,
    /// The word is the value of a keyword.
    is_value: bool,
    /// The last character that is no white space; nothing behind a name.
    last: Option<char>,
}

impl Cells {
    fn letter(&mut self, c: char) {
        self.word.push(c);
        self.last = Some(c);
    }

    fn separator(&mut self, c: char) {
        let opens = matches!(c, '[' | '(' | '{');
        let closes = matches!(c, ']' | ')' | '}');
        let is_name = self.end_word(c);
        let is_first = matches!(self.last, Some('[' | '(' | '{'));
        if !is_name && (closes && is_first || c == ',' && (is_first || self.last == Some(','))) {
            self.row.push_str(" _");
        }
        match c {
            _ if closes || matches!(c, '/' | ';') => self.end_row(),
            // White space before a bracket is no gap.
            _ if opens && self.row.trim().is_empty() => self.row.clear(),
            _ => self.row.push(' '),
        }
        if !c.is_whitespace() {
            self.last = (!is_name).then_some(c);
        }
    }

    /// A text in quotes: a cell, or the cells of a row.
    fn string(&mut self, quote: char, text: &str) {
        let is_name = self.end_word(quote);
        let words = text.split_whitespace().count();
        let cells = if words == 0 { "_" } else { text.trim() };
        self.row.push_str(&format!(" {cells} "));
        if words > 1 {
            self.end_row();
        }
        self.last = (!is_name).then_some(quote);
    }

    /// Takes the word before a separator, unless it is the name of a constructor, or a keyword and its
    /// value. Returns whether it is.
    fn end_word(&mut self, separator: char) -> bool {
        let word = std::mem::take(&mut self.word);
        let is_keyword = separator == '=';
        let is_constructor =
            matches!(separator, '[' | '(' | '{') && word.contains(char::is_alphabetic);
        let is_name = self.is_value || is_keyword || is_constructor;
        self.is_value = is_keyword;
        if !is_name {
            self.row.push_str(&word);
        }
        is_name
    }

    fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    fn into_rows(mut self) -> Vec<String> {
        if !self.is_value {
            self.row.push_str(&self.word);
        }
        self.end_row();
        self.rows.retain(|row| !row.trim().is_empty());
        self.rows
    }
}

/// The rows, with a blank in the gap of each that lacks a cell, if white space separates the cells.
fn with_gaps(rows: Vec<String>, are_spaced: bool) -> Vec<String> {
    let width = rows.iter().map(|row| words(row).len()).max().unwrap_or(0);
    let with_gap = |row: &String| {
        let words = words(row);
        let mut cells: Vec<&str> = words.iter().map(|word| word.text).collect();
        if are_spaced
            && cells.len() + 1 == width
            && let Some(column) = widest(&words, false)
        {
            cells.insert(column, "_");
        }
        cells.join(" ")
    };
    rows.iter().map(with_gap).collect()
}
