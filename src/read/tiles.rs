//! Cells as a board: the test that makes a form unnecessary to recognise.
//!
//! `n` cells that are 0 to `n` - 1, each once, are a board by chance once in `n`!/`n`^`n` times: on 3×3
//! once in 1,068 times, on 4×4 once in 882,000.

use super::Note;
use super::rows::{Cell, Row};
use crate::board::{Board, Grid, MAX_CELLS};

/// A board, and the guesses that it rests on.
pub type Found = (Board, Vec<Note>);

/// The board of these rows, of the given size if there is one.
pub fn board(rows: &[Row], size: Option<Grid>) -> Option<Found> {
    // The bars of a picture have one meaning.
    let has_bars = |separate: bool| rows.iter().any(|row| row.bars == Some(separate));
    let count: usize = rows.iter().map(|row| row.cells.len()).sum();
    if count > MAX_CELLS || has_bars(true) && has_bars(false) {
        return None;
    }
    let compact = characters(rows);
    even(rows, size)
        .or_else(|| even(compact.as_ref()?, size))
        .or_else(|| with_gap(rows, size))
        .or_else(|| with_gap(compact.as_ref()?, size))
}

/// The board of rows of one length, or of one row or column of a square or of the given size.
fn even(rows: &[Row], size: Option<Grid>) -> Option<Found> {
    let width = rows.iter().map(|row| row.cells.len()).max()?;
    let cells: Vec<Cell> = rows.iter().flat_map(|row| row.cells.clone()).collect();
    let is_even = cells.len() == width * rows.len();
    let is_flat = rows.len() == 1 || width == 1;
    let grid = match size {
        // After a size, any white space separates tiles.
        Some(size) if size.cells() == cells.len() && (is_flat || !is_even) => size,
        _ if is_flat => Grid::square(cells.len())?,
        _ if is_even => Grid::new(width, rows.len()).ok()?,
        _ => return None,
    };
    tiles(&cells, grid).filter(|_| size.is_none_or(|size| size == grid))
}

/// The board of cells row by row.
fn tiles(cells: &[Cell], grid: Grid) -> Option<Found> {
    let of = |value: &dyn Fn(&Cell) -> Option<u64>, note: Option<Note>| -> Option<Found> {
        let tile = |cell| value(cell)?.try_into().ok();
        let tiles: Option<Vec<u8>> = cells.iter().map(tile).collect();
        Some((Board::new(grid, &tiles?).ok()?, note.into_iter().collect()))
    };
    let count = cells.len() as u64;
    let is_large = count > 8;
    // Numbers of one digit show that a zero before another number is not padding.
    let is_padded = |cell: &Cell| cell.text.starts_with('0') && cell.digits() > 1;
    if cells.iter().any(is_padded) && cells.iter().any(|cell| cell.digits() == 1) {
        return None;
    }
    let blank = |cell: &Cell| cell.is_blank().then_some(0);
    let plain = |cell: &Cell| cell.number().or_else(|| blank(cell));
    // Digits and letters from 10; letters from 1, of which `x` is the blank if there are fewer.
    let has_digits = cells.iter().any(|cell| cell.number().is_some_and(|number| number > 0));
    let first = if has_digits { 10 } else { 1 };
    let letter = |cell: &Cell| match cell.text.as_bytes() {
        [c] if c.is_ascii_alphabetic() => Some(u64::from(c.to_ascii_lowercase() - b'a') + first),
        _ => None,
    };
    // A dash before letters is the mark of a list.
    let x = |cell: &Cell| blank(cell).filter(|_| count + first < 26 + 9 && cell.text != "-");
    let lettered = |cell: &Cell| cell.number().or_else(|| x(cell)).or_else(|| letter(cell));
    let has_letters = (is_large || has_digits) && cells.iter().any(|cell| letter(cell).is_some());
    // The numbers 1 to n, on a square of which nobody sees a part by chance.
    let last = |cell: &Cell| cell.number().map(|number| if number == count { 0 } else { number });
    let is_square = is_large && grid.width() == grid.height();
    // The numbers 0 to n - 2, and a sign.
    let sign = cells.iter().find(|cell| is_large && cell.is_blank() && !cell.text.is_empty());
    let from_zero = |cell: &Cell| blank(cell).or_else(|| cell.number()?.checked_add(1));
    of(&plain, None)
        .or_else(|| has_letters.then(|| of(&lettered, None))?)
        .or_else(|| is_square.then(|| of(&last, Some(Note::Blank(count.to_string()))))?)
        .or_else(|| of(&from_zero, Some(Note::FromZero(sign?.text.clone()))))
}

/// The rows of words that have a character for each tile: the words of one row, or a word a row.
fn characters(rows: &[Row]) -> Option<Vec<Row>> {
    let words: Vec<&Cell> = rows.iter().flat_map(|row| &row.cells).collect();
    let is_compact = (rows.len() == 1 || rows.len() == words.len())
        && words.iter().all(|word| word.text.chars().nth(1).is_some());
    let cell = |c: char| Cell { text: c.to_string(), begin: 0 };
    let row = |word: &&Cell| {
        // The digits of a number in a program.
        let word = word.text.strip_prefix("0x").unwrap_or(&word.text);
        Row { spaced: None, ..rows[0].of(&word.chars().map(cell).collect::<Vec<_>>()) }
    };
    is_compact.then(|| words.iter().map(row).collect())
}

/// The board of rows in which a gap is the blank, or which lack the blank at the end of a row. After a size it is
/// written.
fn with_gap(rows: &[Row], size: Option<Grid>) -> Option<Found> {
    let width = rows.iter().map(|row| row.cells.len()).max()?;
    // The cells of a picture are between its bars.
    if size.is_some() || rows.iter().any(|row| row.bars == Some(true)) {
        return None;
    }
    let grid = match rows {
        [_] => Grid::square(width + 1).filter(|_| width > 7)?,
        _ => Grid::new(width, rows.len()).ok()?,
    };
    let end = || {
        let is_short = |row: &Row| row.cells.len() + 1 == width && width > 2;
        let row = rows.iter().position(is_short)?;
        (rows[row].is_open || row + 1 == rows.len()).then_some((row, width - 1))
    };
    let gap = gap_in(rows, grid.width().max(grid.cells() / rows.len()));
    // A space more may be a slip of the hand.
    let is_slight = rows.len() == 1 || gap.is_none_or(|(_, excess)| excess < 2);
    let (row, place) = gap.map(|(place, _)| place).or_else(end)?;
    let mut cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.cells.clone()).collect();
    cells[row].insert(place, Cell::EMPTY);
    let (board, mut notes) = tiles(&cells.concat(), grid)?;
    if is_slight && !rows[row].is_open {
        let blank = board.blank();
        notes.push(Note::LeftOut(grid.row(blank) + 1, grid.column(blank) + 1));
    }
    Some((board, notes))
}

/// The row and the place of a missing cell in rows of this width: the one row that is short by a cell has white space
/// there that is wider than in the others, by so many columns, and the widest of its own.
pub fn gap_in(rows: &[Row], width: usize) -> Option<((usize, usize), usize)> {
    let mut short = (0..rows.len()).filter(|&row| width > 2 && rows[row].cells.len() != width);
    let (Some(row), None) = (short.next(), short.next()) else { return None };
    let own = gaps(&rows[row]).filter(|gaps| gaps.len() == width)?;
    // The white space at the beginning, between cells, and at the end.
    let mut usual = [0, 0, 1];
    let part = |at: usize, last: usize| 1 + usize::from(at == last) - usize::from(at == 0);
    for gaps in rows.iter().filter(|row| row.cells.len() == width).filter_map(gaps) {
        for (at, gap) in gaps.iter().enumerate() {
            let usual = &mut usual[part(at, width)];
            *usual = *gap.max(usual);
        }
    }
    let excess = |&at: &usize| own[at].saturating_sub(usual[part(at, width - 1)]);
    let widest = (0..width).max_by_key(excess).filter(|at| excess(at) > 0)?;
    let is_alone = (0..width).all(|at| at == widest || excess(&at) < excess(&widest));
    is_alone.then(|| ((row, widest), excess(&widest)))
}

/// The widths of the white space before each cell of a row, and after the last one.
fn gaps(row: &Row) -> Option<Vec<usize>> {
    let start = row.spaced?;
    let ends = [start].into_iter().chain(row.cells.iter().map(Cell::end));
    let begins = row.cells.iter().map(|cell| cell.begin).chain([row.end]);
    Some(ends.zip(begins).map(|(end, begin)| begin.saturating_sub(end)).collect())
}
