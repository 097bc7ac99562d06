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
    let letter = |cell: &Cell, first: u64| {
        let c =
            cell.text.chars().next().filter(|c| c.is_ascii_alphabetic() && cell.text.len() == 1)?;
        Some(u64::from(c.to_ascii_lowercase() as u8 - b'a') + first)
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
    let split = |text: &str| -> Vec<Cell> {
        text.chars().map(|c| Cell { text: c.to_string(), begin: 0 }).collect()
    };
    let words: Vec<String> = match rows {
        // All rows in one, or the digits of a number in a program.
        [row] => {
            let hex =
                |text: &str| Some(text.strip_prefix("0x")?.to_owned()).filter(|t| t.len() > 3);
            row.cells.iter().map(|cell| hex(&cell.text).unwrap_or(cell.text.clone())).collect()
        }
        // A gap is the blank.
        _ => {
            let word = |row: &Row| match &row.cells[..] {
                [word] => word.text.clone(),
                [a, b] if a.end() + 1 == b.begin => format!("{}_{}", a.text, b.text),
                _ => String::new(),
            };
            rows.iter().map(word).collect()
        }
    };
    let mut words = words;
    let width = words[0].chars().count();
    // The blank is left out at the end.
    let is_short = words.len() > 2 && words[words.len() - 1].chars().count() + 1 == width;
    if is_short && rows.len() > 1 {
        words.last_mut()?.push('_');
    }
    if width < 2 || words.iter().any(|word| word.chars().count() != width) {
        return None;
    }
    let cells: Vec<Cell> = words.iter().flat_map(|word| split(word)).collect();
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
    if let [row] = rows {
        // In one row, the gap must be wider than all others.
        let grid = Grid::square(width + 1).filter(|_| width > 7)?;
        return fill(rows, (0, gap(row, None)?.0), grid, true);
    }
    let mut short = rows.iter().enumerate().filter(|(_, row)| row.cells.len() + 1 == width);
    let (row, _) = short.next()?;
    let is_end = row + 1 == rows.len() || rows[row].is_open;
    let end = (is_end && width > 2).then_some(((row, width - 1), !rows[row].is_open));
    let (place, is_guess) = gap_in(rows, width).or(end)?;
    fill(rows, place, Grid::new(width, rows.len()).ok()?, is_guess)
}

/// The row and the place of the one gap in rows of this width, and whether it is a guess.
pub fn gap_in(rows: &[Row], width: usize) -> Option<((usize, usize), bool)> {
    let mut short = (0..rows.len()).filter(|&row| rows[row].cells.len() != width);
    let is_short = |row: &usize| rows[*row].cells.len() + 1 == width;
    let row = short.next().filter(is_short).filter(|_| short.next().is_none())?;
    // A name shifts the columns of its row.
    let mut full = rows.iter().filter(|other| other.cells.len() == width);
    let full = full.clone().find(|row| !row.is_named).or(full.next());
    let (place, is_guess) = gap(&rows[row], full)?;
    Some(((row, place), is_guess))
}

/// The board of rows with the blank in this place.
fn fill(rows: &[Row], (row, place): (usize, usize), grid: Grid, is_guess: bool) -> Option<Found> {
    let mut rows = rows.to_vec();
    rows[row].cells.insert(place, Cell { text: String::new(), begin: 0 });
    let cells: Vec<Cell> = rows.into_iter().flat_map(|row| row.cells).collect();
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

/// The place of the gap in a row: where the cells are below those of a full row, or else, by a guess, the one gap that is
/// wider than all others.
fn gap(row: &Row, full: Option<&Row>) -> Option<(usize, bool)> {
    let full = full.filter(|full| full.spaced.is_some());
    // Columns count from the beginning of each row.
    let places = |row: &Row| -> Option<Vec<(usize, usize)>> {
        let start = row.spaced?;
        let cells = row.cells.iter();
        Some(
            cells
                .map(|cell| (cell.begin.saturating_sub(start), cell.end().saturating_sub(start)))
                .collect(),
        )
    };
    let cells = places(row)?;
    let gaps = |cells: &[(usize, usize)]| -> Vec<usize> {
        let ends = [0].into_iter().chain(cells.iter().map(|&(_, end)| end + 1));
        ends.zip(cells).map(|(end, &(begin, _))| begin.saturating_sub(end)).collect()
    };
    let own = gaps(&cells);
    if let Some(full) = full.and_then(places) {
        let is_below = |a: (usize, usize), b: (usize, usize)| a.0 < b.1 && b.0 < a.1;
        let fits = |&at: &usize| {
            (0..cells.len()).all(|i| is_below(cells[i], full[i + usize::from(i >= at)]))
        };
        let mut places = (0..=cells.len()).filter(fits);
        if let (Some(at), None) = (places.next(), places.next()) {
            let end = row.end.saturating_sub(row.spaced?);
            let is_gap = own.get(at).map_or(end >= full[at].1, |&gap| gap > 0);
            return is_gap.then_some((at, false));
        }
    }
    let usual = full.and_then(places).and_then(|cells| gaps(&cells).into_iter().max()).unwrap_or(0);
    let widest = *own.iter().max().filter(|&&gap| gap > usual)?;
    let mut places = (0..own.len()).filter(|&at| own[at] == widest);
    places.next().filter(|_| places.next().is_none()).map(|at| (at, true))
}
