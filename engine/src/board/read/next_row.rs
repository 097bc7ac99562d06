//! The rows of a grid with a fault.
//!
//! They are no board, or the first of them are one by themselves. Another line is a row of theirs if it
//! is about as long, has hardly a tile of theirs, and some tile needs more cells than there are.

use super::cells::{NUMBERS, is_bar, is_blank_word, is_rule, number};
use super::sizes::sole_size;
use super::strict::is_separator;
use crate::board::{Board, Grid, MAX_CELLS};

/// The cells of a row.
pub(super) fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| is_separator(c) || is_bar(c)).filter(|cell| !cell.is_empty())
}

/// The tiles behind a name in a line, as in `row 1: 1 2 3`.
pub(super) fn named(line: &str) -> Option<&str> {
    let (_, tiles) = line.split_once([':', '='])?;
    let is_row = tiles.contains(|c: char| c.is_ascii_digit())
        && !tiles.contains([':', '='])
        && !line.contains(['[', '{', '"'])
        && !is_rule(line);
    Some(tiles).filter(|tiles| is_row && sole_size(tiles).is_none())
}

/// The tiles of a row, `None` for a cell without a number; nothing for a line that is no row.
fn row(line: &str) -> Option<Vec<Option<u64>>> {
    let line = named(line).unwrap_or(line);
    let is_word = |cell: &str| {
        let is_sign = cell.chars().nth(1).is_none() || !cell.contains(char::is_alphabetic);
        !is_sign && !is_blank_word(cell) && !cell.contains(|c: char| c.is_ascii_digit())
    };
    // One may be in the place of a tile. The first one would be a name.
    let are_cells = match cells(line).filter(|cell| is_word(cell)).count() {
        0 => true,
        1 => !cells(line).next().is_some_and(is_word) && sole_size(line).is_none(),
        _ => false,
    };
    let row: Vec<_> = cells(line).map(number).collect();
    let tiles = cells(line).filter(|cell| number(cell).is_some() || is_blank_word(cell)).count();
    let is_row = row.iter().any(Option::is_some) && 2 * tiles >= row.len();
    (is_row && are_cells).then_some(row)
}

/// The cells of a line of several tiles, of which one may be misspelt; nothing for other lines.
fn width(line: &str) -> Option<usize> {
    let is_tile = |cell| is_blank_word(cell) || cell.contains(|c: char| c.is_ascii_digit());
    let width = cells(line).count();
    (width > 1 && cells(line).all(is_tile)).then_some(width)
}

/// Returns whether two of the lines have about the same number of tiles, as rows have and labels have not.
pub fn are_rows(lines: &[&str]) -> bool {
    let mut widths: Vec<usize> = lines.iter().filter_map(|line| width(line)).collect();
    widths.sort_unstable();
    widths.windows(2).any(|pair| pair[1] - pair[0] < 2)
}

/// Returns whether a line may be a row of a faulty grid, the rest of which is a board of this size.
pub(super) fn is_row_of(line: &str, grid: Grid) -> bool {
    let most = 2 * grid.cells() as u64;
    width(line).is_some() && cells(line).filter_map(number).all(|tile| tile < most)
}

/// Returns whether a line is a row with a cell more than those of a board of this size, and has its next tile.
pub(super) fn is_long_row(line: &str, grid: Grid) -> bool {
    cells(line).count() == grid.width() + 1 && is_row_behind(grid.cells(), grid.width(), line)
}

/// Returns whether a line is a row that lacks a cell, and no other tile is missing or there twice.
pub(super) fn is_short_row(line: &str, body: &[&str]) -> bool {
    let lines = || [line].into_iter().chain(body.iter().copied());
    let mut tiles: Vec<u64> =
        lines().flat_map(cells).map(|cell| number(cell).unwrap_or(0)).collect();
    let count = tiles.len();
    tiles.sort_unstable();
    tiles.dedup();
    cells(line).count() + 1 == cells(body[0]).count()
        && tiles.len() == count
        && tiles.last() == Some(&(count as u64))
}

/// Returns whether a row as long as another one has a cell without a number.
pub(super) fn is_misspelt(line: &str, other: &str) -> bool {
    let is_wrong = |cell| number(cell).is_none() && !is_blank_word(cell);
    let cells_of = |line| cells(named(line).unwrap_or(line));
    row(line).is_some_and(|row| row.len() == cells_of(other).count())
        && cells_of(line).any(is_wrong)
}

/// Returns whether a line looks like another row behind those of a board, so that all of them are a faulty
/// one: about as long, with a tile that would follow, and hardly one of the board, which has `count` cells in
/// rows of `width`.
pub(super) fn is_row_behind(count: usize, width: usize, line: &str) -> bool {
    let Some(row) = row(line) else { return false };
    let (first, end) = (count as u64, (count + width) as u64);
    let mut tiles = row.iter().copied().flatten();
    row.len().abs_diff(width) < 2
        && tiles.clone().filter(|&tile| tile < first).count() < 2
        && tiles.any(|tile| (first..end).contains(&tile))
}

/// Returns whether a line goes on with the grid of the lines before it, which then has a fault. The grid has
/// the given size, if there is one.
pub fn is_next_row(lines: &[&str], line: &str, size: Option<Grid>) -> bool {
    let width = lines.last().and_then(|line| row(line)).map_or(0, |row| row.len());
    may_follow(lines, line, size)
        && match Board::read(&lines.join("\n"), size) {
            // The blank may be in this row.
            Ok(reading) => {
                reading.lacks_blank() || is_row_behind(reading.board.grid().cells(), width, line)
            }
            Err(_) => true,
        }
}

/// Returns whether a line may be a row behind others that are no board. Behind headings alone, every row of
/// tiles may.
fn may_follow(lines: &[&str], line: &str, size: Option<Grid>) -> bool {
    let Some(next) = row(line).filter(|next| next.len() <= MAX_CELLS) else { return false };
    // A longer line with a number that is no tile is the label of the next board.
    let last = lines.last().and_then(|line| row(line)).map_or(0, |row| row.len());
    if last > 1 && next.len() > last && next.iter().flatten().any(|&tile| tile >= MAX_CELLS as u64)
    {
        return false;
    }
    // One row may have a cell more, or lack one.
    let (mut least, mut most) = (next.len(), next.len());
    let mut is_alike = |row: &Vec<_>| {
        (least, most) = (least.min(row.len()), most.max(row.len()));
        most - least < 2
    };
    let rows = lines.iter().map(|line| row(line));
    let mut rows: Vec<_> = rows.rev().map_while(|row| row.filter(&mut is_alike)).collect();
    rows.reverse();
    // If two lengths are equally frequent, it is that of the first row.
    let lengths = || [&next].into_iter().chain(rows.iter().rev()).map(Vec::len);
    let width = lengths().max_by_key(|&length| lengths().filter(|&other| other == length).count());
    let width = width.unwrap_or(0);
    let heads = lines[..lines.len() - rows.len()]
        .iter()
        .filter_map(|head| row(head))
        .map(|head| head.len());
    if width < 2 || heads.clone().count() > NUMBERS || heads.max() > Some(width) {
        return false;
    }
    // The tiles of a grid that lacks rows.
    let largest = |count: usize| (count + 2 * width * width) as u64;
    // The first line may be a label or a size. A size may be a row, too.
    let is_label = |first: &Vec<Option<u64>>| {
        let limit = largest(width * rows.len());
        first.len() < width || first.iter().flatten().any(|&tile| tile >= limit)
    };
    let is_size = |first: &Vec<_>| width == 2 && first.contains(&Some(2));
    let label = usize::from(rows.first().is_some_and(is_label));
    let size_line = usize::from(label == 0 && rows.first().is_some_and(is_size));
    let count = width * (rows.len() - label - size_line);
    if count == 0 {
        return next.iter().flatten().all(|&tile| tile < largest(width));
    }
    if count > MAX_CELLS || size.is_some_and(|size| count >= size.cells()) {
        return false;
    }
    let tiles = || rows[label..].iter().flatten().copied().flatten();
    let twice = next.iter().flatten().filter(|&&next| tiles().any(|tile| tile == next)).count();
    let is_beyond = |tile: u64| (count as u64..largest(count)).contains(&tile);
    twice < 2 && tiles().chain(next.iter().copied().flatten()).any(is_beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_go_on_as_long_as_tiles_need_cells() {
        for (lines, line) in [
            // The first rows are a board.
            ("0 1 2/3 4 5", "6 7 7"),
            ("7 22/0 1 2/3 4 5", "6 7 7"),
            ("0 1 2 3", "4 8 6 7"),
            // A row is too long, or too short.
            ("5 1 3 11/10 6 9", "7 2 4"),
            ("1 2 3 4/5 6 7", "9 10 11 12"),
            ("0 3 3 2", "5 4 1"),
            ("3 6/5 4 1", "7 2"),
            // A cell is misspelt.
            ("0 3/1 1o", "6 2"),
            ("4 4/0 1 2 3/12 5 8 7/6 9 10 11", "4 13 14 7.5"),
            ("Start:/l 9 4", "5 2 7"),
            // A heading is no row.
            ("1 33/9 6/5 7", "1 3"),
            ("1/0 3/7 1/7.5 5", "6 2"),
            ("1 33/0 1", "5 5"),
            ("1 33/0 6/2 3", "1 a"),
            ("1 33/0 2/5 4", "3 4 1"),
            ("1 33", "6"),
            ("0 1 18446744073709551615", "0 1 2"),
            ("2x4/4 1", "3"),
            ("5 9 224/7 9 0 3", "7 4 8 5"),
            // The blank is in this row, not behind the others.
            ("3/1 7 2 3/4 5 6", "7 0 8"),
            ("2 4/0 1/2 7.5", "5 3"),
            ("3 2", "3 7.5 2"),
            ("1", "10 5 1o"),
            ("Start:", "-3 3 1"),
            ("1 2 3", "4 wurst 6"),
            ("1 2 3/4 wurst 6", "7 5 8"),
        ] {
            let lines: Vec<&str> = lines.split('/').collect();
            assert!(is_next_row(&lines, line, None), "{lines:?} {line}");
        }
        for (lines, line) in [
            // The next board.
            ("1 8 2/7 1o 5/6 3 0", "1 2 3"),
            ("1 8 2/7 12 5/6 3 0", "1 2 3"),
            ("2 1/3 3", "2 1"),
            ("2 3/0 1", "3 24"),
            ("1 2 2 0", "1 2 x 0"),
            // Other numbers, and words.
            ("1 2 3/4 0 6/7 5 8", "31 12345 0"),
            ("1 2 3/4 0 6/7 5 8", "8 20"),
            ("1 16/2 4 5/3 1 0", "2 36"),
            ("3 16 487/0 5/6 4/1/7 3", "4 37 930"),
            ("9 9 9 9", "1 2"),
            ("1 37/1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", "2 24"),
            ("1 2 3/4 0 6/7 5 8", "17"),
            ("1 2 3/4 4 6/7 5 8", "Puzzle 12"),
            ("1 2 3/4 4 6", "Puzzle 7 8"),
            ("1 2 3/4 4 6", "7 hard ones"),
            ("31 12345 0", "32 5000 1"),
            ("", "1"),
        ] {
            let lines: Vec<&str> = lines.split('/').collect();
            assert!(!is_next_row(&lines, line, None), "{lines:?} {line}");
        }
        let size = Grid::new(3, 2).ok();
        assert!(!is_next_row(&["0 1 2", "3 4 5"], "6 7 7", size));
    }
}
