//! Lists of programs: brackets and quotes, among names and other text.
//!
//! A text has lists in a row, and each may have others inside. A list of boards is several boards;
//! a list that is no board is one of rows, or the call of a function around a board.

use std::ops::Range;

use super::cells::{MANY, is_blank_word, is_compact, keep, widest, words};
use super::rows;
use super::strict::{self, is_separator};
use super::{ParseError, Reading};
use crate::board::Grid;

/// The fewest cells of a list that could be a board.
const FEWEST: usize = 4;

/// The most brackets within each other.
const DEEPEST: usize = 8;

/// The first board in lists.
pub(super) struct Found {
    pub reading: Reading,
    /// The number of the other boards.
    pub others: usize,
    /// The text of each board.
    pub texts: Vec<String>,
    /// The lines before and behind the lists.
    pub outside: String,
}

/// The boards in the lists of a text; `None` if no list could be a board.
pub(super) fn find(text: &str, size: Option<Grid>) -> Option<Result<Found, ParseError>> {
    within(text, size, 0)
}

fn within(text: &str, size: Option<Grid>, depth: usize) -> Option<Result<Found, ParseError>> {
    let (lists, is_alone) = lists(text);
    let first = lists.first()?;
    let mut best = ParseError::Empty;
    // Rows in brackets of their own are a list without a name.
    if is_alone {
        match rows_of(text, size) {
            Ok(reading) => {
                let (texts, outside) = (vec![text.to_owned()], String::new());
                return Some(Ok(Found { reading, others: 0, texts, outside }));
            }
            Err(error) => keep(&mut best, error),
        }
    }
    let large: Vec<&Range<usize>> =
        lists.iter().filter(|list| is_large(&text[(*list).clone()])).collect();
    let mut boards = Vec::new();
    for &list in &large {
        // The size may come before the list.
        let name = text[..list.start].trim_end_matches(|c| is_separator(c) || "=:".contains(c));
        let own = name.parse().ok().filter(|_| list == first && name.contains(['x', 'X', '×']));
        match one(&text[list.clone()], own.or(size)) {
            Ok(reading) => boards.push((reading, text[list.clone()].to_owned())),
            Err(error) => keep(&mut best, error),
        }
    }
    if boards.len() == large.len() && !boards.is_empty() {
        let others = boards.len() - 1;
        let (mut readings, texts): (Vec<Reading>, Vec<String>) = boards.into_iter().unzip();
        let reading = readings.swap_remove(0);
        return Some(Ok(Found { reading, others, texts, outside: outside(text, &large) }));
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

/// The lines of a text before and behind those of its lists.
fn outside(text: &str, lists: &[&Range<usize>]) -> String {
    let (Some(first), Some(last)) = (lists.first(), lists.last()) else { return String::new() };
    let begin = text[..first.start].rfind('\n').unwrap_or(0);
    let end = text[last.end..].find('\n').map_or(text.len(), |end| last.end + end);
    format!("{}{}", &text[..begin], &text[end..])
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
    rows::rows(&rows.iter().map(|row| &**row).collect::<Vec<_>>(), size, true)
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
    let mut rows = vec![String::new()];
    let mut word = String::new();
    let mut named = false;
    let mut last = ' ';
    let mut chars = list.chars();
    while let Some(c) = chars.next() {
        if !is_separator(c) && !matches!(c, '"' | '\'' | '=') {
            word.push(c);
            last = c;
            continue;
        }
        let opens = matches!(c, '[' | '(' | '{');
        let closes = matches!(c, ']' | ')' | '}');
        // The name of a constructor, or a keyword and its value.
        let is_name = named || c == '=' || opens && word.contains(char::is_alphabetic);
        named = c == '=';
        let row = rows.last_mut().expect("there is a first row");
        if !is_name {
            row.push_str(&word);
        }
        let is_empty = match c {
            ',' => matches!(last, ',' | '[' | '(' | '{'),
            _ => closes && matches!(last, '[' | '(' | '{'),
        };
        if is_empty && !is_name {
            row.push_str(" _");
        }
        word.clear();
        match c {
            '"' | '\'' => {
                let string: String = chars.by_ref().take_while(|&end| end != c).collect();
                let words = string.split_whitespace().count();
                let text = if words == 0 { "_" } else { string.trim() };
                row.push(' ');
                row.push_str(text);
                row.push(' ');
                if words > 1 {
                    rows.push(String::new());
                }
            }
            _ if closes || matches!(c, '/' | ';') => rows.push(String::new()),
            // What stands before a bracket is no gap.
            _ if opens && row.trim().is_empty() => row.clear(),
            _ => row.push(' '),
        }
        if !c.is_whitespace() {
            last = if is_name { 'n' } else { c };
        }
    }
    if !named {
        rows.last_mut().expect("there is a first row").push_str(&word);
    }
    rows.retain(|row| !row.trim().is_empty());
    let width = rows.iter().map(|row| words(row).len()).max().unwrap_or(0);
    let spaced = !list.contains(',');
    rows.iter()
        .map(|row| {
            let words = words(row);
            let mut cells: Vec<&str> = words.iter().map(|word| word.text).collect();
            if spaced
                && cells.len() + 1 == width
                && let Some(column) = widest(&words, false)
            {
                cells.insert(column, "_");
            }
            cells.join(" ")
        })
        .collect()
}
