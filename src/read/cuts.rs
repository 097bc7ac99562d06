//! Rows cut into boards.
//!
//! A board is a few headings, each of which is explained, and a body that is a board. No cut leaves a row out, but names
//! after the last board in its line.

use std::collections::BTreeSet;

use super::rows::{Cell, Kind, Row};
use super::tiles::{self, Found};
use super::{Context, Note};
use crate::board::{Board, Grid, MAX_CELLS};

/// The most headings of a board.
const MAX_HEADINGS: usize = 6;

/// The most cuts of equal rank that are kept.
const MAX_CUTS: usize = 4;

/// A board of a cut.
#[derive(Clone, Debug)]
pub struct Placed {
    pub board: Board,
    pub notes: BTreeSet<Note>,
    /// The heading that names it.
    pub label: Option<String>,
    /// The line of its first row.
    pub line: usize,
    /// It says its size.
    is_sized: bool,
    /// It is in one line, and has a name on a line above.
    is_headed: bool,
    /// The numbers of a heading that is not a size, and its text.
    numbers: Option<(Vec<usize>, String)>,
}

/// The best cuts of rows into boards: those with the fewest boards, and then with the fewest guesses.
pub fn cuts(rows: &[Row], context: Context) -> Vec<Vec<Placed>> {
    // The cuts of the rows from each one on.
    let mut cuts: Vec<Vec<Vec<Placed>>> = vec![Vec::new(); rows.len() + 1];
    cuts[rows.len()].push(Vec::new());
    for begin in (0..rows.len()).rev() {
        let mut found: Vec<Vec<Placed>> = Vec::new();
        for body in begin..rows.len().min(begin + MAX_HEADINGS + 1) {
            if body > begin && !may_head(&rows[body - 1]) {
                break;
            }
            for end in ends(&rows[body..]).map(|length| body + length) {
                let tail = &rows[end..];
                let may_end = tail.iter().all(|row| row.line == rows[end - 1].line);
                if cuts[end].is_empty() && !may_end {
                    continue;
                }
                let Some(placed) = headed(&rows[begin..body], &rows[body..end], context) else {
                    continue;
                };
                if may_end && !tail.is_empty() && is_tail(tail, placed.board.grid().cells()) {
                    let mut placed = placed.clone();
                    // Numbers without a name.
                    if !tail.iter().any(Row::is_name) {
                        let sizes = |row: &&Row| row.kind == Kind::Cells;
                        let numbers = tail.iter().filter(sizes);
                        placed.notes.extend(numbers.map(|row| Note::Label(row.text())));
                    }
                    found.push(vec![placed]);
                }
                for cut in &cuts[end] {
                    found.push([&[placed.clone()], &cut[..]].concat());
                }
            }
        }
        let guesses = |cut: &Vec<Placed>| cut.iter().map(|placed| placed.notes.len()).sum();
        let rank = |cut: &Vec<Placed>| (cut.len(), guesses(cut));
        let best: Option<(usize, usize)> = found.iter().map(rank).min();
        found.retain(|cut| Some(rank(cut)) == best);
        found.dedup_by(|a, b| a.iter().map(|p| &p.board).eq(b.iter().map(|p| &p.board)));
        found.truncate(MAX_CUTS);
        cuts[begin] = found;
    }
    let all = cuts.swap_remove(0).into_iter();
    all.filter(|cut| !cut.is_empty()).filter_map(|cut| explained(cut, context)).collect()
}

fn may_head(row: &Row) -> bool {
    row.kind != Kind::Cells || row.cells.len() < 4 || row.is_name()
}

/// Returns whether rows after the last board, in its last line, are not a part of it: names, their numbers, a size, and a
/// number that is not one of its tiles.
fn is_tail(rows: &[Row], cells: usize) -> bool {
    let is_named = |row: &Row| row.is_named && row.cells.len() < 4;
    let is_figure = |row: &Row| row.cells.len() == 1 && row.numbers().any(|n| n >= cells as u64);
    let is_size = |row: &Row| matches!(row.kind, Kind::Size(..));
    rows.iter().all(|row| row.is_name() || is_named(row) || is_size(row) || is_figure(row))
}

/// The numbers of first rows that may be a board: no board has a number twice, and its largest tile is near the number of
/// its cells.
fn ends(rows: &[Row]) -> impl Iterator<Item = usize> {
    let mut seen = BTreeSet::new();
    let width = rows.first().map_or(0, |row| row.cells.len());
    let goes_on = move |row: &&Row| {
        row.kind != Kind::Name
            && row.cells.len() <= width + 1
            && row.numbers().all(|number| seen.insert(number))
    };
    let (mut cells, mut most, mut are_numbers) = (0, 0, true);
    let is_board = move |&(row, _): &(&Row, usize)| {
        cells += row.cells.len();
        most = row.numbers().chain([most]).max().unwrap_or(0);
        // Words of one length may have a character for each tile.
        let length = row.cells[0].text.len();
        let are_words = length > 1 && row.cells.iter().all(|cell| cell.text.len() == length);
        let is_number = |cell: &Cell| cell.number().is_some() || cell.is_blank();
        are_numbers &= !are_words && row.cells.iter().all(is_number);
        !are_numbers || (most as usize).abs_diff(cells) < 3
    };
    let rows = rows.iter().take(MAX_CELLS).take_while(goes_on).zip(1..);
    rows.filter(is_board).map(|(_, length)| length)
}

/// A board below headings, if each of them is a size that fits, a name, or a few numbers that are not a row.
fn headed(head: &[Row], body: &[Row], context: Context) -> Option<Placed> {
    let plain = tiles::board(body, context.size);
    let is_grid = body.len() > 1 && body[0].cells.len() > 1;
    let shape = plain.as_ref().filter(|_| is_grid).map(|(board, _)| board.grid());
    let cells: usize = match &plain {
        Some((board, _)) => board.grid().cells(),
        None => body.iter().map(|row| row.cells.len()).sum(),
    };
    // Rows that are words are as long as their words.
    let is_compact = body.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() > 3);
    let width = if is_compact { body[0].cells[0].text.len() } else { body[0].cells.len() };
    let mut notes = BTreeSet::new();
    let (mut label, mut numbers): (Option<String>, Option<(Vec<usize>, String)>) = (None, None);
    let (mut sides, mut is_exact): (Vec<usize>, bool) = (Vec::new(), false);
    for row in head {
        let values: Option<Vec<usize>> =
            row.cells.iter().map(|cell| cell.number()?.try_into().ok()).collect();
        let is_word = |cell: &Cell| cell.end() - cell.begin + 2 >= width;
        let is_row = row.cells.len() >= width || is_compact && row.cells.iter().any(is_word);
        match (&row.kind, values.as_deref()) {
            (Kind::Size(own, rows_first), _) => {
                is_exact |= own.len() == 2;
                sides.extend(own);
                if *rows_first {
                    sides.reverse();
                }
            }
            _ if is_board(row) => return None,
            // Rows of letters are not names of one another.
            _ if row.is_name() && body.iter().all(Row::is_name) => return None,
            _ if row.is_name() => {
                if row.is_noted {
                    notes.insert(Note::Label(row.text()));
                }
                label = label.or(Some(row.text()));
            }
            (_, Some(&[n])) if is_side(n, shape, cells, head.len() > 1) => sides.push(n),
            (_, Some(&[a, b]))
                if a.checked_mul(b) == Some(cells)
                    && !row.is_named
                    && (!is_row || a == b || shape.is_some()) =>
            {
                sides.extend([a, b]);
                if shape.is_none() && a != b {
                    notes.insert(Note::Order(Grid::new(a, b).ok()?));
                }
            }
            _ if row.is_named && row.cells.len() < 4 && !is_row => {}
            // A number that no board has as a tile, or fewer cells than a row.
            (_, Some(values))
                if numbers.is_none()
                    && (!is_row || !is_compact && values.iter().any(|&n| n >= MAX_CELLS)) =>
            {
                numbers = Some((values.to_vec(), row.text()));
            }
            _ => return None,
        }
    }
    let size = match (&sides[..], shape) {
        ([], _) => context.size,
        (&[n], Some(grid)) => Some(grid).filter(|grid| grid.width() == n || grid.height() == n),
        (&[n], None) => Grid::new(n, n).ok().filter(|grid| grid.cells() == cells),
        (&[a, b], Some(grid)) => Some(grid).filter(|grid| {
            let given = (grid.width(), grid.height());
            given == (a, b) || given == (b, a) && !is_exact
        }),
        // Uneven rows show that the sides are others.
        (&[a, b], None) if a == b || !is_grid => Grid::new(a, b).ok(),
        _ => None,
    };
    if !sides.is_empty() && (size.is_none() || context.size.is_some_and(|own| Some(own) != size)) {
        return None;
    }
    let (board, more): Found =
        if size == context.size { plain? } else { tiles::board(body, size)? };
    notes.extend(more);
    let line = head.first().unwrap_or(&body[0]).line;
    let is_line = body.iter().all(|row| row.line == body[0].line);
    let is_headed = label.is_some() && line < body[0].line && is_line;
    Some(Placed { board, notes, label, line, is_sized: !sides.is_empty(), is_headed, numbers })
}

/// Returns whether a row is a board by itself, which no other one may have as a heading.
fn is_board(row: &Row) -> bool {
    let found = tiles::board(std::slice::from_ref(row), None);
    found.is_some_and(|(board, _)| board.grid().cells() > 8)
}

/// Returns whether a number before a board is its side.
fn is_side(n: usize, shape: Option<Grid>, cells: usize, has_more: bool) -> bool {
    match shape {
        Some(grid) if grid.width() == grid.height() => n == grid.width(),
        Some(grid) => has_more && (n == grid.width() || n == grid.height()),
        None => n < 17 && n * n == cells,
    }
}

/// A cut whose headings of numbers are explained: the number of the boards, the place of this board, or, with a
/// note, numbers that every board has.
fn explained(mut cut: Vec<Placed>, context: Context) -> Option<Vec<Placed>> {
    let total = cut.len();
    // Boards without empty lines between them are of one size, unless each says its own. A word on a line of its own names
    // the board on the next line if the first board has such a name.
    let first = &cut[0];
    let is_headed = if context.before == 0 { first.is_headed } else { context.is_headed };
    let is_other = |p: &Placed| !p.is_sized && p.board.grid() != first.board.grid();
    if cut.iter().any(|p| is_other(p) || p.is_headed && !is_headed) {
        return None;
    }
    let all = cut.iter().all(|placed| placed.numbers.is_some());
    for (place, placed) in cut.iter_mut().enumerate() {
        let Some((numbers, text)) = placed.numbers.take() else { continue };
        let at = context.before + place;
        let is_alone = numbers.len() == 1;
        let is_count = is_alone && at == 0 && numbers[0] == total;
        let is_place = numbers[0] == at || numbers[0] == at + 1;
        if is_count || is_place && is_alone && total + context.before > 1 {
            continue;
        }
        // Small numbers are the sides of another board, or tiles.
        let cells = placed.board.grid().cells();
        let are_sides = numbers.iter().all(|&n| n < 17) && (!is_alone || numbers[0] < cells);
        let may_count = context.has_more && at == 0 && is_alone;
        if !is_place && are_sides && !may_count || !all && !may_count {
            return None;
        }
        placed.notes.insert(Note::Label(text.clone()));
        placed.label = placed.label.take().or(Some(text));
    }
    Some(cut)
}
