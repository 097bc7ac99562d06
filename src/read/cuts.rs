//! Rows cut into boards.
//!
//! A cut is a list of boards. Each has a few headings, a body with the tiles of a board, and names after it. Every
//! heading must be explained. The best cuts have the fewest boards and the fewest guesses.

use std::collections::BTreeSet;
use std::iter::successors;

use super::headings::{Numbers, Placed, headed};
use super::rows::{Cell, Kind, MAX_SIDE, MIN_ROW, Row};
use super::{Context, Note, tiles};
use crate::board::MAX_CELLS;

/// The most headings of a board.
const MAX_HEADINGS: usize = 6;

/// The most cuts of equal cost that are kept.
const MAX_CUTS: usize = 4;

/// The boards of rows from the first one on.
pub type Cut = Vec<Placed>;

/// A cut of the first rows: its last board, and the cut before it.
struct Link {
    board: Placed,
    before: Option<usize>,
    /// The first board of the cut.
    first: usize,
    /// The boards of the cut, and the guesses.
    cost: (usize, usize),
}

/// The best cuts of rows into boards.
pub fn cuts(rows: &[Row], context: &Context) -> Vec<Cut> {
    // The cuts of the first rows, by how many these are.
    let mut best: Vec<Vec<Option<usize>>> = vec![Vec::new(); rows.len() + 1];
    let mut links: Vec<Link> = Vec::new();
    best[0].push(None);
    for begin in 0..rows.len() {
        let cuts = fewest(&best[begin], &links);
        let found = if cuts.is_empty() { Vec::new() } else { boards(rows, begin, context) };
        for (length, board) in found {
            for &before in &cuts {
                // Boards without empty lines between them are of one size, unless each says its own. A word on a line
                // of its own names the board on the next line if the first board has such a name.
                let first = before.map(|before| links[before].first);
                let may_follow = match first.map(|first| &links[first].board) {
                    Some(first) => {
                        (board.is_sized || board.grid() == first.grid())
                            && (first.is_headed || !board.is_headed)
                    }
                    None => !context.is_lined || !board.is_headed,
                };
                if may_follow {
                    let (count, guesses) = before.map_or((0, 0), |before| links[before].cost);
                    let cost = (count + 1, guesses + board.reading.notes.len());
                    best[begin + length].push(Some(links.len()));
                    let first = first.unwrap_or(links.len());
                    links.push(Link { board: board.clone(), before, first, cost });
                }
            }
        }
    }
    let cut = |last: Option<usize>| {
        let boards = from(last, &links).map(|link| links[link].board.clone());
        let mut boards: Cut = boards.collect();
        boards.reverse();
        boards
    };
    let all = fewest(&best[rows.len()], &links).into_iter().map(cut);
    all.filter(|cut| !cut.is_empty()).filter_map(|cut| explained(cut, context)).collect()
}

/// The boards of a cut, from the last one on.
fn from(last: Option<usize>, links: &[Link]) -> impl Iterator<Item = usize> {
    successors(last, |&link| links[link].before)
}

/// The cuts of the fewest boards, and of the fewest guesses.
fn fewest(cuts: &[Option<usize>], links: &[Link]) -> Vec<Option<usize>> {
    let cost = |cut: &Option<usize>| cut.map(|last| links[last].cost);
    let least = cuts.iter().map(cost).min();
    let mut kept: Vec<Option<usize>> = Vec::new();
    for &cut in cuts.iter().filter(|cut| Some(cost(cut)) == least) {
        // Cuts that share a link are the same from there back.
        let is_equal = |&other: &Option<usize>| {
            let mut pairs = from(other, links).zip(from(cut, links)).take_while(|(a, b)| a != b);
            let board = |link: usize| &links[link].board.reading.board;
            pairs.all(|(a, b)| board(a) == board(b))
        };
        if kept.len() < MAX_CUTS && !kept.iter().any(is_equal) {
            kept.push(cut);
        }
    }
    kept
}

/// The boards that begin at a row with their headings, and their numbers of rows.
fn boards(rows: &[Row], begin: usize, context: &Context) -> Vec<(usize, Placed)> {
    let all = &rows[begin..];
    let is_inner = begin > 0 && rows[begin - 1].line == all[0].line;
    let may_head =
        |row: &&Row| row.kind != Kind::Cells || row.cells.len() < MIN_ROW || row.may_be_name();
    let heads = all.iter().take(MAX_HEADINGS).take_while(may_head).count();
    let mut found = Vec::new();
    for head in 0..=heads.min(all.len() - 1) {
        // A heading is in the line of its board, or has lines of its own.
        if is_inner && all[head].line != all[0].line {
            break;
        }
        for end in head + 1..=head + longest(&all[head..], context) {
            let Some(placed) = headed(&all[..head], &all[head..end], context) else { continue };
            let tail = with_tail(&placed, &all[head..end], &all[end..]);
            found.extend(tail.map(|(tail, placed)| (end + tail, placed)));
            found.push((end, placed));
        }
    }
    found
}

/// `a list with moves`: a board with the rows after it that belong to it. These are numbers in its last line that are in
/// fewer brackets, and the other arguments and methods of a call, which may stand on the next lines.
fn with_tail(placed: &Placed, body: &[Row], after: &[Row]) -> Option<(usize, Placed)> {
    let last = &body[body.len() - 1];
    let follows = |row: &&Row| row.line == last.line || (1..last.depth).contains(&row.depth);
    let tail = after.iter().take_while(follows).count();
    let are_numbers = |row: &Row| row.numbers().count() == row.cells.len();
    let is_list = |row: &Row| row.depth < last.depth && are_numbers(row);
    let belongs = |row: &Row| match row.kind {
        Kind::Name => row.depth > 0 || row.cells[0].text.starts_with('.'),
        Kind::Cells if row.is_named => row.cells.len() < MIN_ROW && !row.has_tiles(),
        Kind::Cells => is_list(row) && row.line == last.line,
        _ => false,
    };
    let tail = Some(&after[..tail]).filter(|tail| !tail.is_empty() && tail.iter().all(belongs))?;
    let mut placed = placed.clone();
    let guesses = tail.iter().filter(|row| row.kind == Kind::Cells && !row.is_named);
    placed.reading.notes.extend(guesses.map(|row| Note::Label(row.text())));
    placed.lines[1] = tail[tail.len() - 1].line;
    Some((tail.len(), placed))
}

/// How many of the first rows may be a board: no board has a cell twice, or too many.
fn longest(rows: &[Row], context: &Context) -> usize {
    let (mut seen, mut cells, mut length) = (BTreeSet::new(), 0, 0);
    // Tiles with names may be equal.
    let has_names = context.expected.goal.is_some();
    let mut may_be = |cell: &Cell| seen.insert(cell.text.clone()) || has_names;
    let may_go_on = |row: &&Row| {
        cells += row.cells.len();
        length += row.length();
        let is_small = cells <= MAX_CELLS && length <= tiles::MAX_LENGTH;
        let may_be_tiles = matches!(row.kind, Kind::Cells | Kind::Size(_)) && is_small;
        may_be_tiles && row.cells.iter().all(&mut may_be)
    };
    rows.iter().take(MAX_CELLS).take_while(may_go_on).count()
}

/// A cut whose headings of other numbers are all explained, by the first of these rules that fits:
///
/// 1. A number above the first board, on a line of its own, is the number of boards. If there are not so many and the
///    board says its size, the error is in the number.
/// 2. The numbers 1, 2, … above all boards are their places.
/// 3. Other numbers are a label, with a note, if all boards have some: `1 55 15300442`. They may not look like sides of
///    another board, unless they begin with the board's place.
/// 4. A number above the first board of a stream is a label, with a note: it may count boards that have not arrived.
fn explained(mut cut: Cut, context: &Context) -> Option<Cut> {
    let total = cut.len();
    let all = cut.iter().all(|board| board.numbers.is_some());
    for (place, board) in cut.iter_mut().enumerate() {
        let Some(Numbers { values, text, line }) = board.numbers.clone() else { continue };
        let at = context.before + place;
        let is_alone = values.len() == 1;
        let may_count = is_alone && at == 0 && board.lines[0] < board.lines[1];
        // `a number of boards, then sizes`.
        let is_count = may_count && values[0] == total;
        let is_place = values[0] == at + 1;
        if may_count && !is_count && board.is_sized && !context.has_more {
            board.announced = Some((values[0], line));
            continue;
        }
        if is_count || is_place && is_alone && all && total + context.before > 1 {
            continue;
        }
        // Small numbers are the sides of another board, or tiles.
        let cells = board.grid().cells();
        let are_sides = values.iter().all(|&n| n <= MAX_SIDE) && (!is_alone || values[0] < cells);
        let may_count_later = context.has_more && at == 0 && is_alone;
        if !may_count_later && (!is_place && are_sides || !all) {
            return None;
        }
        let reading = &mut board.reading;
        reading.notes.push(Note::Label(text.clone()));
        reading.label.get_or_insert(text);
    }
    Some(cut)
}
