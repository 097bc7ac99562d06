//! Cells as a board: the test that makes a form unnecessary to recognise.
//!
//! `n` cells that are 0 to `n` - 1, each once, are a board by chance once in `n`!/`n`^`n` times: on 3×3
//! once in 1,068 times, on 4×4 once in 882,000.

use std::collections::BTreeSet;

use super::Note;
use super::rows::{Cell, Row};
use crate::board::{Board, Grid, MAX_CELLS};

/// A board, and the guesses that it rests on.
pub type Found = (Board, BTreeSet<Note>);

/// The board of these rows, of the given size if there is one.
pub fn board(rows: &[Row], size: Option<Grid>) -> Option<Found> {
    let width = rows.iter().map(|row| row.cells.len()).max()?;
    let count: usize = rows.iter().map(|row| row.cells.len()).sum();
    if count > MAX_CELLS {
        return None;
    }
    // The bars of a picture have one meaning.
    if rows.iter().any(|row| row.bars == Some(true))
        && rows.iter().any(|row| row.bars == Some(false))
    {
        return None;
    }
    let cells: Vec<Cell> = rows.iter().flat_map(|row| row.cells.clone()).collect();
    let is_even = count == width * rows.len();
    let is_flat = rows.len() == 1 || width == 1;
    let fits = |grid: &Grid| size.is_none_or(|size| size == *grid);
    let grid = match size {
        // After a size, any white space separates tiles.
        Some(size) if size.cells() == count && (is_flat || !is_even) => Some(size),
        _ if is_flat => Grid::square(count).filter(fits),
        _ if is_even => Grid::new(width, rows.len()).ok().filter(fits),
        _ => None,
    };
    grid.and_then(|grid| tiles(&cells, grid, size.is_some()))
        .or_else(|| compact(rows, size))
        .or_else(|| size.is_none().then(|| with_gap(rows, width))?)
}

/// The board of one row of cells.
fn tiles(cells: &[Cell], grid: Grid, is_sized: bool) -> Option<Found> {
    let of = |value: &dyn Fn(&Cell) -> Option<u64>, notes: BTreeSet<Note>| -> Option<Found> {
        let tiles: Option<Vec<u8>> =
            cells.iter().map(|cell| value(cell)?.try_into().ok()).collect();
        Some((Board::new(grid, &tiles?).ok()?, notes))
    };
    let count = cells.len() as u64;
    // Numbers of one digit show that a zero before another number is not padding.
    let is_padded = |cell: &Cell| cell.text.len() > 1 && cell.text.starts_with('0');
    let is_digit = |cell: &Cell| cell.text.len() == 1 && cell.number().is_some();
    if cells.iter().any(is_padded) && cells.iter().any(is_digit) {
        return None;
    }
    let letter = |cell: &Cell, first: u64| match cell.text.as_bytes() {
        [c @ (b'a'..=b'z' | b'A'..=b'Z')] => Some(u64::from(c.to_ascii_lowercase() - b'a') + first),
        _ => None,
    };
    let blank = |cell: &Cell| cell.is_blank().then_some(0);
    // Digits and letters from 10; letters from 1, of which `x` is the blank if there are fewer.
    let has_digits = cells.iter().any(|cell| cell.number().is_some_and(|number| number > 0));
    let first = if has_digits { 10 } else { 1 };
    let x = |cell: &Cell| blank(cell).filter(|_| count + first < 26 + 9);
    let plain = |cell: &Cell| cell.number().or_else(|| blank(cell));
    let lettered = |cell: &Cell| cell.number().or_else(|| x(cell)).or_else(|| letter(cell, first));
    let last = |cell: &Cell| cell.number().map(|number| if number == count { 0 } else { number });
    // `#` begins comments elsewhere.
    let hash = cells.iter().find(|cell| cell.text == "#");
    let notes = hash.map(|cell| Note::Blank(cell.text.clone())).into_iter().collect();
    if let Some(found) = of(&plain, notes) {
        return Some(found);
    }
    if cells.iter().any(|cell| letter(cell, 0).is_some())
        && (count > 8 || first == 10)
        && let Some(found) = of(&lettered, BTreeSet::new())
    {
        return Some(found);
    }
    // The numbers 1 to n, on a square of which nobody sees a part by chance.
    if (grid.width() == grid.height() || is_sized)
        && count > 8
        && let Some(found) = of(&last, BTreeSet::from([Note::Blank(count.to_string())]))
    {
        return Some(found);
    }
    // The numbers 0 to n - 2, and a sign.
    let sign = cells.iter().find(|cell| cell.is_blank() && !cell.text.is_empty())?;
    let from_zero = |cell: &Cell| blank(cell).or_else(|| Some(cell.number()? + 1));
    of(&from_zero, BTreeSet::from([Note::FromZero(sign.text.clone())])).filter(|_| count > 8)
}

/// The board of words that have a character for each tile.
fn compact(rows: &[Row], size: Option<Grid>) -> Option<Found> {
    // All rows in one, or the digits of a number in a program.
    let hex = |cell: &Cell| cell.text.strip_prefix("0x").unwrap_or(&cell.text).to_owned();
    // A gap is the blank.
    let word = |row: &Row| match &row.cells[..] {
        [word] => word.text.clone(),
        [a, b] if a.end() + 1 == b.begin => format!("{}_{}", a.text, b.text),
        _ => String::new(),
    };
    let mut words: Vec<String> = match rows {
        [row] => row.cells.iter().map(hex).collect(),
        _ => rows.iter().map(word).collect(),
    };
    let width = words[0].chars().count();
    // The blank is left out at the end.
    let last = words.last_mut()?;
    let is_short = rows.len() > 2 && last.chars().count() + 1 == width;
    if is_short {
        last.push('_');
    }
    if width < 2 || words.iter().any(|word| word.chars().count() != width) {
        return None;
    }
    let cell = |c: char| Cell { text: c.to_string(), begin: 0 };
    let cells: Vec<Cell> = words.concat().chars().map(cell).collect();
    let grid = match words.len() {
        1 => size.filter(|size| size.cells() == cells.len()).or(Grid::square(width))?,
        height => Grid::new(width, height).ok()?,
    };
    // A word with a few digits after a name is a number of the name.
    let is_number = words.len() == 1 && rows[0].is_named && width < 9;
    let fits = size.is_none_or(|size| size == grid) && !is_number && cells.len() <= MAX_CELLS;
    let (board, mut notes) = fits.then(|| tiles(&cells, grid, false))??;
    if is_short || rows.len() > 1 && rows.iter().any(|row| row.cells.len() > 1) {
        notes.insert(left_out(&board));
    }
    Some((board, notes))
}

/// The board of rows in which a gap is the blank, or which lack the blank at the end of a row.
fn with_gap(rows: &[Row], width: usize) -> Option<Found> {
    // The cells of a picture are between its bars.
    if rows.iter().any(|row| row.bars == Some(true)) {
        return None;
    }
    let grid = match rows {
        [_] => Grid::square(width + 1).filter(|_| width > 7)?,
        _ => Grid::new(width, rows.len()).ok()?,
    };
    let is_short = |row: &Row| row.cells.len() + 1 == width && width > 2;
    let end = || {
        let row = rows.iter().position(is_short)?;
        let is_end = rows[row].is_open || row + 1 == rows.len();
        is_end.then_some((row, width - 1))
    };
    let gap = gap_in(rows, grid.width().max(grid.cells() / rows.len()));
    // A space more may be a slip of the hand.
    let is_slight = rows.len() == 1 || gap.is_none_or(|(_, excess)| excess < 2);
    let (row, place) = gap.map(|(place, _)| place).or_else(end)?;
    let is_guess = is_slight && !rows[row].is_open;
    let mut cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.cells.clone()).collect();
    cells[row].insert(place, Cell { text: String::new(), begin: 0 });
    let cells = cells.concat();
    // A lost separator leaves such a tile.
    if cells.iter().any(|cell| cell.text.len() > 1 && cell.text.starts_with('0')) {
        return None;
    }
    let (board, mut notes) = tiles(&cells, grid, false)?;
    if is_guess {
        notes.insert(left_out(&board));
    }
    Some((board, notes))
}

fn left_out(board: &Board) -> Note {
    let (grid, blank) = (board.grid(), board.blank());
    Note::LeftOut(grid.row(blank) + 1, grid.column(blank) + 1)
}

/// The row and the place of a missing cell in rows of this width: the one row that is short by a cell has white space
/// there that is wider than in the others, by so many columns, and the widest of its own.
pub fn gap_in(rows: &[Row], width: usize) -> Option<((usize, usize), usize)> {
    let is_full = |row: &&Row| row.cells.len() == width;
    let mut short = (0..rows.len()).filter(|&row| width > 2 && !is_full(&&rows[row]));
    let (Some(row), None) = (short.next(), short.next()) else { return None };
    let own = gaps(&rows[row]).filter(|gaps| gaps.len() == width)?;
    // The white space at the beginning, between cells, and at the end.
    let mut usual = [0, 0, 1];
    let part = |at: usize, last: usize| 1 + usize::from(at == last) - usize::from(at == 0);
    for gaps in rows.iter().filter(is_full).filter_map(gaps) {
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
