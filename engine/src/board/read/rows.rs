//! Lines of tiles, and the lines before them: a size, a count or labels.

use super::cells::{
    LABEL, MANY, NUMBERS, is_blank_word, is_compact, is_framed, is_rule, keep, tiles,
};
use super::next_row::{are_rows, is_long_row, is_misspelt, is_row_of, is_short_row};
use super::sizes::{SIZES, crossed, named_size};
use super::strict::{is_separator, shortened};
use super::{Guess, ParseError, Reading, trimmed};
use crate::board::{BoardError, Grid, GridError};

/// The most lines before the tiles.
const HEADS: usize = 6;

/// Reads the rows of a list, or lines of which some may come before the tiles.
pub(super) fn rows(
    lines: &[&str],
    size: Option<Grid>,
    is_list: bool,
) -> Result<Reading, ParseError> {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| trimmed(line))
        .filter(|line| !line.trim().is_empty() && !is_rule(line))
        .collect();
    let mut best = ParseError::Empty;
    let is_number = |line: &&&str| !line.contains(char::is_alphabetic);
    // Rows below a size in words are no labels.
    let mut is_sized = false;
    for heads in 0..lines.len().min(HEADS + 1) {
        let (head, body) = lines.split_at(heads);
        if head.iter().filter(is_number).count() > NUMBERS {
            break;
        }
        let headings = headings(head, body)?;
        let was_sized = is_sized;
        is_sized |= headings.iter().any(|heading| heading.size.is_some())
            && !head.last().iter().any(is_number);
        for Heading { size: own, guesses, wrong } in headings {
            let size = match (own, size) {
                (Some(rows), Some(size)) if rows != size => {
                    keep(&mut best, ParseError::OtherSize { rows, size });
                    continue;
                }
                _ => own.or(size),
            };
            match (tiles(body, size, is_list), wrong) {
                (Ok(reading), Some(side)) => {
                    return Err(ParseError::SizeLine { side, rows: reading.board.grid() });
                }
                // After a size, or another row, the blank must be there.
                (Ok(reading), _)
                    if reading.lacks_blank()
                        && (own.is_some()
                            || head.iter().any(|row| is_row_of(row, reading.board.grid()))) =>
                {
                    let grid = reading.board.grid();
                    keep(&mut best, BoardError::Count { grid, found: grid.cells() - 1 }.into());
                }
                // A row that is misspelt, too long or too short is no label.
                (Ok(Reading { board, .. }), None)
                    if own.is_none()
                        && head.iter().any(|row| {
                            is_row_of(row, board.grid())
                                && (is_list
                                    || is_misspelt(row, body[0])
                                    || is_short_row(row, body)
                                    || is_long_row(row, board.grid()))
                        }) => {}
                (Ok(mut reading), None) => {
                    reading.guesses.splice(0..0, guesses);
                    return Ok(reading);
                }
                // The fault is in a row before these.
                (Err(_), _)
                    if was_sized
                        || head.last().is_some_and(|row| is_short_row(row, body))
                        || head.iter().any(|row| is_framed(row) || is_misspelt(row, body[0])) => {}
                (Err(error), _) => keep(&mut best, error),
            }
        }
    }
    Err(best)
}

/// A meaning of the lines before the tiles.
struct Heading {
    size: Option<Grid>,
    guesses: Vec<Guess>,
    /// A side that no board of these lines has, if one is read as a label.
    wrong: Option<u64>,
}

/// The meanings of the lines before the tiles, and what has to be guessed for each. A size that no board
/// has is an error.
fn headings(head: &[&str], body: &[&str]) -> Result<Vec<Heading>, GridError> {
    let Some((last, others)) = head.split_last() else {
        return Ok(vec![Heading { size: None, guesses: Vec::new(), wrong: None }]);
    };
    if !others.iter().all(|line| is_label(line)) || are_rows(others) {
        return Ok(Vec::new());
    }
    let split = |line: &str| -> Vec<String> {
        let is_gap = |c| is_separator(c) || matches!(c, ':' | '=');
        line.split(is_gap).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let words = split(last);
    let columns = match &split(body[0])[..] {
        // One character for each cell.
        [word] if word.len() >= 4 => word.chars().count(),
        row => row.len(),
    };
    // Not a function of a node.
    let is_function = last.contains("(n)");
    let is_name = |word: &String| SIZES.contains(&&**word) && !is_function;
    let named = words.iter().rposition(is_name).filter(|name| name + 1 < words.len());
    let sides = &words[named.map_or(0, |name| name + 1)..];
    let mut numbers: Option<Vec<u64>> = sides.iter().map(|word| word.parse().ok()).collect();
    let is_shape = named.is_some_and(|name| words[name] == SIZES[0]);
    if is_shape && let Some(sides) = &mut numbers {
        sides.reverse();
    }
    let before: Vec<Guess> = others.iter().map(|line| label(line)).collect();
    let grid =
        |width: u64, height: u64| Grid::new(width.try_into().ok()?, height.try_into().ok()?).ok();
    let mut found = Vec::new();
    let mut size = |size: Option<Grid>, guess: Option<Guess>| {
        if size.is_some() {
            let guesses = before.iter().cloned().chain(guess).collect();
            found.push(Heading { size, guesses, wrong: None });
        }
    };
    let mut is_size = false;
    let mut wrong = None;
    match numbers.as_deref() {
        Some(&[side]) => {
            size(grid(side, side), None);
            // Rows and columns, or columns and rows, a line each.
            if let Some(before) = others.last().and_then(|line| line.trim().parse().ok()) {
                size(grid(side, before), None);
                size(grid(before, side), None);
            }
            let cells = (columns * body.len()) as u64;
            is_size =
                columns as u64 == side && body.len() > 1 || Some(cells) == side.checked_mul(side);
            let is_grid = body.len() > 1 && columns > 1;
            wrong = (is_grid && (2..=16).contains(&side)).then_some(side);
        }
        Some(&[a, b]) => {
            if named.is_some() && grid(a, b).is_none() {
                return Err(GridError::OutOfRange { width: a as usize, height: b as usize });
            }
            let in_one_row = body.len() == 1 || columns == 1;
            let order = grid(a, b).filter(|_| in_one_row && a != b).map(Guess::Order);
            size(grid(a, b), order.filter(|_| !is_shape));
            size(grid(b, a).filter(|_| a != b), None);
            is_size = named.is_some() || a == b && grid(a, a).is_some();
        }
        Some(_) => {}
        None => {
            let own = crossed(last);
            let is_gap = |c| is_separator(c) || matches!(c, ':' | '=');
            let mut crosses = own.split(is_gap).filter_map(|word| word.split_once('x'));
            let sides = crosses.find_map(|(width, height)| {
                Some((width.parse::<usize>().ok()?, height.parse::<usize>().ok()?))
            });
            let own = match sides {
                Some((width, height)) => {
                    let (width, height) = if is_shape { (height, width) } else { (width, height) };
                    match Grid::new(width, height) {
                        // A row with an x for the blank.
                        Err(_) if words.len() == columns => None,
                        own => Some(own?),
                    }
                }
                None => named_size(&words),
            };
            is_size = own.is_some();
            size(own, None);
        }
    }
    // A line as long as the rows could be one of them.
    let cells = if body.len() > 1 { (columns * body.len()) as u64 } else { 0 };
    let like_a_row = words.len() == columns
        && numbers
            .as_ref()
            .is_some_and(|numbers| numbers.iter().all(|&number| number < cells.max(MANY as u64)));
    // The numbers of the columns of a square table, from 0.
    let counts =
        numbers.as_ref().is_some_and(|numbers| numbers.iter().copied().eq(0..columns as u64));
    let is_heading = counts && columns > 2 && body.len() == columns && others.is_empty();
    if is_heading || !is_size && !like_a_row && is_label(last) && !are_rows(head) {
        let guesses = before.into_iter().chain([label(last)]).collect();
        found.push(Heading { size: None, guesses, wrong });
    }
    Ok(found)
}

pub(super) fn label(line: &str) -> Guess {
    let line = line.trim();
    // The point of `with_ordinal` is not in the text.
    let number = line.strip_suffix('.').filter(|word| word.parse::<u64>().is_ok());
    Guess::Label(shortened(number.unwrap_or(line)))
}

/// Returns whether a line can name a board: it has few numbers, and is no board.
pub(super) fn is_label(line: &str) -> bool {
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    let numbers = numbers(line);
    let is_board = || line.split(is_separator).any(is_compact);
    // A number with a name is no tile.
    let is_name = |word: &&&str| {
        let word = word.trim_end_matches([':', '=']);
        word.len() > 1 && !is_blank_word(word) && word.bytes().all(|b| b.is_ascii_alphabetic())
    };
    let are_named = || words.iter().filter(is_name).count() >= numbers;
    (numbers == words.len() || numbers < 2 || are_named())
        && (1..=LABEL).contains(&numbers.max(1))
        && !is_board()
}

pub(super) fn numbers(line: &str) -> usize {
    line.split(is_separator).filter(|word| word.parse::<u64>().is_ok()).count()
}
