//! Lines of tiles, and the lines before them: a size, a count or labels.

use super::cells::{LABEL, MANY, NUMBERS, is_compact, is_rule, keep, tiles};
use super::next_row::is_misspelt;
use super::strict::{is_separator, shortened};
use super::{Guess, ParseError, Reading};
use crate::board::{BoardError, Grid};

/// The most lines before the tiles.
const HEADS: usize = 6;

/// The names of a size.
const SIZES: [&str; 5] = ["n", "size", "side", "dimension", "dim"];

/// Reads the rows of a list, or lines of which some may come before the tiles.
pub(super) fn rows(
    lines: &[&str],
    size: Option<Grid>,
    is_list: bool,
) -> Result<Reading, ParseError> {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.trim_end())
        .filter(|line| !line.is_empty() && !is_rule(line))
        .collect();
    let mut best = ParseError::Empty;
    let is_number = |line: &&&str| !line.contains(char::is_alphabetic);
    for heads in 0..lines.len().min(HEADS + 1) {
        let (head, body) = lines.split_at(heads);
        if head.iter().filter(is_number).count() > NUMBERS {
            break;
        }
        for Heading { size: own, guesses, wrong } in headings(head, body) {
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
                // After a size, the blank must be there.
                (Ok(Reading { guesses, board }), _) if own.is_some() && left_out(&guesses) => {
                    let grid = board.grid();
                    keep(&mut best, BoardError::Count { grid, found: grid.cells() - 1 }.into());
                }
                (Ok(mut reading), None) => {
                    reading.guesses.splice(0..0, guesses);
                    return Ok(reading);
                }
                // The fault is in a row before these.
                (Err(_), _) if head.iter().any(|row| is_misspelt(row, body[0])) => {}
                (Err(error), _) => keep(&mut best, error),
            }
        }
    }
    Err(best)
}

pub(super) fn left_out(guesses: &[Guess]) -> bool {
    guesses.iter().any(|guess| matches!(guess, Guess::LeftOut(..)))
}

/// A meaning of the lines before the tiles.
struct Heading {
    size: Option<Grid>,
    guesses: Vec<Guess>,
    /// A side that no board of these lines has, if one is read as a label.
    wrong: Option<u64>,
}

/// The meanings of the lines before the tiles, and what has to be guessed for each.
fn headings(head: &[&str], body: &[&str]) -> Vec<Heading> {
    let Some((last, others)) = head.split_last() else {
        return vec![Heading { size: None, guesses: Vec::new(), wrong: None }];
    };
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
    let numbers: Option<Vec<u64>> = match &words[..] {
        [.., name, side] if SIZES.contains(&&**name) => side.parse().ok().map(|side| vec![side]),
        words => words.iter().map(|word| word.parse().ok()).collect(),
    };
    if !others.iter().all(|line| is_label(line)) {
        return Vec::new();
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
            let in_one_row = body.len() == 1 || columns == 1;
            let order = grid(a, b).filter(|_| in_one_row && a != b).map(Guess::Order);
            size(grid(a, b), order);
            size(grid(b, a).filter(|_| a != b), None);
            is_size = a == b && grid(a, a).is_some();
        }
        Some(_) => {}
        None => {
            let own = crossed(last);
            let is_gap = |c| is_separator(c) || matches!(c, ':' | '=');
            let mut crosses = own.split(is_gap).filter_map(|word| word.split_once('x'));
            let sides = crosses.find_map(|(width, height)| {
                Some((width.parse::<u64>().ok()?, height.parse::<u64>().ok()?))
            });
            let own = match sides {
                Some((width, height)) => grid(width, height),
                None => named_size(&words),
            };
            // A size that no board has is no label.
            is_size = own.is_some() || sides.is_some();
            size(own, None);
        }
    }
    // A line as long as the rows could be one of them.
    let cells = if body.len() > 1 { (columns * body.len()) as u64 } else { 0 };
    let like_a_row = words.len() == columns
        && numbers
            .is_some_and(|numbers| numbers.iter().all(|&number| number < cells.max(MANY as u64)));
    if !is_size && !like_a_row && is_label(last) {
        let guesses = before.into_iter().chain([label(last)]).collect();
        found.push(Heading { size: None, guesses, wrong });
    }
    found
}

/// The signs between the numbers of a size. The fourth one is Cyrillic.
const CROSSES: [char; 8] = ['x', 'X', '×', 'х', '✕', '✖', '⨯', '*'];

/// Returns whether a line may have a size with a sign or `by` between its numbers.
pub(super) fn has_cross(line: &str) -> bool {
    line.contains(|c| CROSSES.contains(&c) || matches!(c, 'y' | 'Y'))
}

/// A line with an `x` between the numbers of a size.
pub(super) fn crossed(line: &str) -> String {
    let line = line.to_lowercase().replace(CROSSES, "x");
    ["-by-", " by ", "by", " x "].iter().fold(line, |line, cross| line.replace(cross, "x"))
}

/// A size whose numbers have names, as in `rows: 2, columns: 3` and `2 rows 3 columns`.
fn named_size(words: &[String]) -> Option<Grid> {
    let [a, b, c, d] = words else { return None };
    let side = |names: &[&str]| {
        let is_name = |word: &String| names.iter().any(|name| word.starts_with(name));
        [(a, b), (b, a), (c, d), (d, c)]
            .into_iter()
            .find_map(|(name, number)| number.parse::<usize>().ok().filter(|_| is_name(name)))
    };
    Grid::new(side(&["col", "width"])?, side(&["row", "height"])?).ok()
}

pub(super) fn label(line: &str) -> Guess {
    let line = line.trim();
    // The point of `with_ordinal` is not in the text.
    let number = line.strip_suffix('.').filter(|word| word.parse::<u64>().is_ok());
    Guess::Label(shortened(number.unwrap_or(line)))
}

/// Returns whether a line can name a board: it has few numbers, and is no board.
pub(super) fn is_label(line: &str) -> bool {
    let words = line.split(is_separator).filter(|word| !word.is_empty()).count();
    let numbers = numbers(line);
    let is_board = || line.split(is_separator).any(is_compact);
    (numbers == words || numbers < 2) && (1..=LABEL).contains(&numbers.max(1)) && !is_board()
}

pub(super) fn numbers(line: &str) -> usize {
    line.split(is_separator).filter(|word| word.parse::<u64>().is_ok()).count()
}
