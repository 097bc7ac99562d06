//! Cells as a board: the test that makes detecting formats unnecessary.
//!
//! `n` numbers below `n` drawn at random are the tiles of a board with probability `n`!/`n`^`n`: one in 1,068 for 3×3,
//! one in 882,000 for 4×4.

use super::rows::{Cell, MIN_BOARD, Row};
use super::{Expected, Note};
use crate::board::{Board, Grid, LabelledBoard, MAX_CELLS, OpenError, ParseError};

/// A board and the guesses that it rests on, or its fault.
pub type Found = Result<(LabelledBoard, Vec<Note>), OpenError>;

/// The most bytes of a board's texts.
pub const MAX_LENGTH: usize = 16 << 10;

/// The board of these rows, of the given size if there is one.
pub fn board(rows: &[Row], size: Option<Grid>, expected: &Expected) -> Found {
    let count: usize = rows.iter().map(|row| row.cells.len()).sum();
    if count > MAX_CELLS || rows.iter().map(Row::length).sum::<usize>() > MAX_LENGTH {
        return Err(ParseError::TooMany.into());
    }
    let rectangular = |rows: &[Row], size| rectangular(rows, size, expected);
    let error = match rectangular(rows, size) {
        Err(error) => error,
        found => return found,
    };
    let in_words = characters(rows).map(|rows| rectangular(&rows, size));
    let is_named = |found: &Found| matches!(found, Ok(_) | Err(OpenError::Labels(_)));
    let found = in_words.filter(is_named).or_else(|| with_blank(rows, size, expected));
    found.unwrap_or(Err(error))
}

/// The board of rows of one length, or of one row or column of a square or of the given size.
fn rectangular(rows: &[Row], size: Option<Grid>, expected: &Expected) -> Found {
    let (cells, ends) = flat(rows, size);
    let is_line = rows.iter().all(|row| row.line == rows[0].line);
    let numbered = |size| numbered(&cells, &ends, size, is_line, expected);
    let Some(goal) = &expected.goal else { return numbered(size) };
    let named = || {
        let (blank, note) = blank(&cells, expected).ok_or(OpenError::Blanks(0))?;
        let names: Vec<_> = cells.iter().map(|cell| cell.tile()).collect();
        let board = |size| LabelledBoard::of_words(&names, &ends, size, blank);
        // The goal says which size it has, if the rows have another one.
        let has_rows = ends.len() > 1;
        let other = |error| if has_rows { board(None).or(Err(error)) } else { Err(error) };
        let board = board(Some(goal.grid())).or_else(other);
        Ok((goal.fit(board?)?, note.into_iter().collect()))
    };
    named().or_else(|error| {
        let numbered = numbered(Some(goal.grid()));
        let fit = |(board, notes)| Some((goal.fit(board).ok()?, notes));
        numbered.ok().and_then(fit).ok_or(error)
    })
}

/// `numbers in one row`, `one tile per line`: the cells of rows, and how many there are at the end of each row. After a
/// size, any white space separates tiles.
pub fn flat(rows: &[Row], size: Option<Grid>) -> (Vec<&Cell>, Vec<usize>) {
    let (mut cells, mut ends): (Vec<&Cell>, _) = (Vec::new(), Vec::new());
    for row in rows {
        cells.extend(&row.cells);
        ends.push(cells.len());
    }
    let count = cells.len();
    let is_even = ends.iter().zip(1..).all(|(&end, row)| end == row * ends[0]);
    if !is_even && size.is_some_and(|size| size.cells() == count) {
        ends = vec![count];
    }
    (cells, ends)
}

/// The text given for the blank, if a cell has it. Without such a cell, a sign or 0 may be the blank.
fn known<'a>(cells: &[&Cell], expected: &'a Expected) -> Option<&'a String> {
    let is_there =
        |blank: &&String| cells.iter().any(|cell| cell.tile().eq_ignore_ascii_case(blank));
    expected.blank.as_ref().filter(is_there)
}

/// The blank of cells: the one of the known text; else the only sign; else 0; else, as a guess, the largest of the
/// numbers from 1.
pub fn blank(cells: &[&Cell], expected: &Expected) -> Option<(usize, Option<Note>)> {
    let only = |is_blank: &dyn Fn(&Cell) -> bool| {
        let mut found = (0..cells.len()).filter(|&cell| is_blank(cells[cell]));
        found.next().filter(|_| found.next().is_none())
    };
    if let Some(blank) = known(cells, expected) {
        let is_blank = |cell: &Cell| cell.tile().eq_ignore_ascii_case(blank);
        return only(&is_blank).map(|cell| (cell, None));
    }
    // Next to letters, x is one of them.
    let is_x = |cell: &Cell| cell.text.eq_ignore_ascii_case("x");
    let is_known = |cell: &Cell| cell.number().is_some() || cell.text == "?" || cell.is_blank();
    let x_is_sign = cells.iter().all(|cell| is_known(cell));
    let is_sign = |cell: &Cell| cell.is_blank() && (x_is_sign || !is_x(cell));
    let last = cells.len() as u64;
    let mut numbers: Vec<u64> = cells.iter().filter_map(|cell| cell.number()).collect();
    numbers.sort_unstable();
    let are_all = numbers.into_iter().eq(1..=last);
    let may_guess = are_all && expected.blank.is_none();
    let largest = || only(&|cell: &Cell| may_guess && cell.number() == Some(last));
    let sure = only(&is_sign).or_else(|| only(&|cell: &Cell| cell.number() == Some(0)));
    let guess = || Some((largest()?, Some(Note::Blank(last.to_string()))));
    sure.map(|cell| (cell, None)).or_else(guess)
}

/// The board of cells whose tiles are numbers, or letters in their place. The ways to read them are tried in order.
/// The fault is that of the first one.
fn numbered(
    cells: &[&Cell],
    ends: &[usize],
    size: Option<Grid>,
    is_line: bool,
    expected: &Expected,
) -> Found {
    let count = cells.len();
    // `3.` before whole numbers is the number of an item.
    if let [first, next, ..] = cells
        && first.text.ends_with('.')
        && first.number().is_some()
        && next.digits() > 0
    {
        return Err(ParseError::NotATile { text: first.text.clone() }.into());
    }
    let known = known(cells, expected);
    let is_blank = |cell: &Cell| match known {
        Some(blank) => cell.tile().eq_ignore_ascii_case(blank),
        None => cell.is_blank(),
    };
    let blank = |cell: &Cell| is_blank(cell).then_some(0);
    // Digits stay as they are: zeros before a number may be a fault.
    let as_written = |cell: &Cell| blank(cell).or(cell.number().filter(|_| cell.digits() == 0));
    // `letters`: from 10 after digits, else from 1. `x` is a tile if there are so many.
    let has_digits = cells.iter().any(|cell| cell.number().is_some_and(|number| number > 0));
    let letter = |cell: &Cell| Some(letter(cell)? - if has_digits { 0 } else { 9 });
    let is_tile = |&tile: &u64| tile < count as u64;
    let lettered = |cell: &Cell| letter(cell).filter(is_tile).or(blank(cell)).or(letter(cell));
    let last = |cell: &Cell| (cell.number() == Some(count as u64)).then_some(0_u64);
    let may_be_last = expected.blank.is_none() && are_from_one(cells, is_line);
    // The numbers 0 to n - 2, and a sign.
    let sign =
        cells.iter().find(|cell| count >= MIN_BOARD && is_blank(cell) && !cell.text.is_empty());
    let from_zero = |cell: &Cell| blank(cell).or_else(|| cell.number()?.checked_add(1));
    let read = |value: Value, note: Option<Note>| -> Found {
        let word = |cell: &&Cell| match value(cell) {
            Some(0) => "_".to_owned(),
            value => value.map_or(cell.text.clone(), |tile| tile.to_string()),
        };
        let words: Vec<String> = cells.iter().map(word).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Ok((Board::of_words(&words, ends, size)?.into(), note.into_iter().collect()))
    };
    let others: [Option<(Value, Option<Note>)>; 3] = [
        Some((&lettered, None)),
        may_be_last.then(|| (&last as Value, Some(Note::Blank(count.to_string())))),
        sign.map(|sign| (&from_zero as Value, Some(Note::FromZero(sign.text.clone())))),
    ];
    read(&as_written, None).or_else(|error| {
        let mut others = others.into_iter().flatten();
        others.find_map(|(value, note)| read(value, note).ok()).ok_or(error)
    })
}

/// The number of a cell's tile, and 0 for the blank. A cell without one keeps its text.
type Value<'a> = &'a dyn Fn(&Cell) -> Option<u64>;

/// The number of a letter, from 10.
fn letter(cell: &Cell) -> Option<u64> {
    let is_letter = cell.text.len() == 1 && cell.digits() == 0;
    u64::from_str_radix(&cell.text, 36).ok().filter(|_| is_letter)
}

/// `the largest number for the blank`: returns whether cells may be the numbers from 1. Not in a square, they are rather a
/// part of a board if they are in several lines and in order.
fn are_from_one(cells: &[&Cell], is_line: bool) -> bool {
    let are_sorted = || cells.iter().zip(1..).all(|(cell, n)| cell.number() == Some(n));
    cells.len() > 4 && (is_line || !are_sorted() || Grid::square(cells.len()).is_some())
}

/// `hexadecimal`: the rows of words that have a character for each tile, the words of one row, or one word per row.
pub fn characters(rows: &[Row]) -> Option<Vec<Row>> {
    let words: Vec<&Cell> = rows.iter().flat_map(|row| &row.cells).collect();
    let is_compact = (rows.len() == 1 || rows.len() == words.len())
        && words.iter().all(|word| word.text.chars().nth(1).is_some());
    let row = |word: &&Cell| {
        // The digits of a number in a program.
        let word = word.text.strip_prefix("0x").unwrap_or(&word.text);
        let cells: Vec<Cell> = word.chars().map(|c| Cell { text: c.into(), space: 0 }).collect();
        rows[0].with_cells(&cells)
    };
    is_compact.then(|| words.iter().map(row).collect())
}

/// `a gap for the blank`, `no blank at the end`, `letters in order, no blank`: the board of rows of which one lacks a
/// cell, in the widest gap or at the end. After a size, the blank is written.
fn with_blank(rows: &[Row], size: Option<Grid>, expected: &Expected) -> Option<Found> {
    let width = rows.iter().map(|row| row.cells.len()).max()?;
    let mut short = (0..rows.len()).filter(|&row| rows[row].cells.len() < width);
    let (Some(at), None) = (short.next(), short.next()) else { return None };
    if size.is_some() || width < 3 || rows[at].cells.len() + 1 < width {
        return None;
    }
    // A gap is wider than the white space of the other rows: at their beginning, between their cells, or at their end.
    let excess = |place: usize| {
        let spaces = |row: &Row| match place {
            0 => row.cells[0].space,
            place if place + 1 == width => row.space,
            _ => row.cells[1..].iter().map(|cell| cell.space).max().unwrap_or(0),
        };
        let others = rows.iter().filter(|row| row.cells.len() == width);
        let usual = others.map(spaces).max().unwrap_or(usize::from(place > 0 && place + 1 < width));
        let own = rows[at].cells.get(place).map_or(rows[at].space, |cell| cell.space);
        own.saturating_sub(usual)
    };
    let most = (0..width).map(excess).max().filter(|&most| most > 0);
    let mut gaps = (0..width).filter(|&place| Some(excess(place)) == most);
    let gap = gaps.next().filter(|_| gaps.next().is_none());
    let may_end = at + 1 == rows.len();
    let place = gap.or(may_end.then_some(width - 1))?;
    let mut filled = rows.to_vec();
    filled[at].cells.insert(place, Cell::default());
    let found = rectangular(&filled, None, expected).map(|(board, mut notes)| {
        // A space more may be a slip of the hand.
        let is_slight = gap.is_none_or(|place| excess(place) < 2 || place + 1 == width);
        if is_slight {
            let (grid, blank) = (board.board().grid(), board.board().blank());
            notes.push(Note::LeftOut(grid.row(blank) + 1, grid.column(blank) + 1));
        }
        (board, notes)
    });
    // Without a gap, the fault is the missing cell.
    Some(found).filter(|found| gap.is_some() || found.is_ok())
}
