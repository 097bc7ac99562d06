//! Rows cut into boards.
//!
//! A cut is a list of boards. Each has a few headings, a body with the tiles of a board, and names after it. Every
//! heading must be explained. The best cuts have the fewest boards and the fewest guesses.

use std::collections::BTreeSet;
use std::iter;
use std::rc::Rc;

use super::rows::{Cell, Kind, Row};
use super::{Context, Note, tiles};
use crate::board::{Board, Grid, MAX_CELLS};

/// The most headings of a board.
const MAX_HEADINGS: usize = 6;

/// The most cuts of equal cost that are kept.
const MAX_CUTS: usize = 4;

/// The fewest cells of a row that is a board rather than a row of one.
pub const MANY: usize = 9;

/// A board of a cut.
#[derive(Clone, Debug)]
pub struct Placed {
    pub board: Board,
    pub notes: Vec<Note>,
    /// The name or the numbers above it, or the name after it.
    pub label: Option<String>,
    /// Its first line and its last one.
    pub lines: [usize; 2],
    /// It says its size.
    is_sized: bool,
    /// It is in one line, and has a name on a line above.
    is_headed: bool,
    /// The lines of its headings.
    above: usize,
    /// It has a name above; it has one below.
    is_named: [bool; 2],
    /// The numbers of a heading that is not a size, and its text.
    numbers: Option<(Vec<usize>, String)>,
}

/// The boards of rows from the first one on.
pub type Cut = Vec<Rc<Placed>>;

/// The best cuts of rows into boards.
pub fn cuts(rows: &[Row], context: Context) -> Vec<Cut> {
    let mut best: Vec<Vec<Cut>> = vec![Vec::new(); rows.len() + 1];
    best[0].push(Cut::new());
    for begin in 0..rows.len() {
        let cuts = fewest(std::mem::take(&mut best[begin]));
        let boards = if cuts.is_empty() { Vec::new() } else { boards(rows, begin, context) };
        for (length, board) in boards {
            // Boards without empty lines between them are of one size, unless each says its own. A word on a line of
            // its own names the board on the next line if the first board has such a name, and a grid with a name
            // below it has one above only if the first board has one. A board has one line of headings, or as many as the
            // first.
            let may_follow = |cut: &&Cut| match cut.first() {
                Some(first) => {
                    (board.is_sized || board.board.grid() == first.board.grid())
                        && (first.is_headed || !board.is_headed)
                        && (first.is_named[0] || board.is_named != [true; 2])
                        && board.above <= first.above.max(1)
                }
                None => !context.is_lined || !board.is_headed,
            };
            let cuts = cuts.iter().filter(may_follow);
            let board = [Rc::new(board.clone())];
            best[begin + length].extend(cuts.map(|cut| [&cut[..], &board].concat()));
        }
    }
    let all = fewest(best.pop().unwrap_or_default()).into_iter().filter(|cut| !cut.is_empty());
    all.filter_map(|cut| explained(cut, context)).collect()
}

/// The cuts of the fewest boards, and of the fewest guesses.
fn fewest(cuts: Vec<Cut>) -> Vec<Cut> {
    let cost = |cut: &Cut| (cut.len(), cut.iter().map(|board| board.notes.len()).sum::<usize>());
    let least = cuts.iter().map(cost).min();
    let mut kept: Vec<Cut> = Vec::new();
    for cut in cuts.into_iter().filter(|cut| Some(cost(cut)) == least) {
        let is_equal = |other: &Cut| other.iter().zip(&cut).all(|(a, b)| a.board == b.board);
        if kept.len() < MAX_CUTS && !kept.iter().any(is_equal) {
            kept.push(cut);
        }
    }
    kept
}

/// The boards that begin at a row with their headings, and their numbers of rows.
fn boards(rows: &[Row], begin: usize, context: Context) -> Vec<(usize, Placed)> {
    let all = &rows[begin..];
    let is_inner = begin > 0 && rows[begin - 1].line == all[0].line;
    let may_head = |row: &&Row| row.kind != Kind::Cells || row.cells.len() < 4 || row.is_name();
    let heads = all.iter().take(MAX_HEADINGS).take_while(may_head).count();
    let mut found = Vec::new();
    for head in 0..=heads.min(all.len() - 1) {
        // A heading is in the line of its board, or has lines of its own.
        if is_inner && all[head].line != all[0].line {
            break;
        }
        for end in head + 1..=head + longest(&all[head..]) {
            let Some(placed) = headed(&all[..head], &all[head..end], context) else { continue };
            found.extend(
                tails(&placed, &all[head..end], &all[end..])
                    .map(|(tail, board)| (end + tail, board)),
            );
        }
    }
    found
}

/// A board with each number of rows after its body that may belong to it, none first: names and their numbers, as in
/// `Moves: 14` and `(14 moves)`, in its line or below a grid; in its line also a size, and a number that is not one of
/// its tiles.
fn tails<'a>(
    placed: &'a Placed,
    body: &[Row],
    after: &'a [Row],
) -> impl Iterator<Item = (usize, Placed)> + use<'a> {
    let (line, cells) = (body[body.len() - 1].line, placed.board.grid().cells() as u64);
    let is_grid = body[0].line < line && body[0].cells.len() > 1;
    // A word as long as those of the board may be a row.
    let word = body[0].cells[0].text.len();
    let belongs = |&at: &usize| {
        let (row, next) = (&after[at], after.get(at + 1));
        let is_row = word > 2 && row.texts().any(|text| text.len() == word);
        let is_counted = next.is_some_and(|next| next.is_name() && next.line == row.line);
        let number = if let [cell] = &row.cells[..] { cell.number() } else { None };
        let is_label =
            row.is_name() || row.is_named && row.cells.len() < 4 || number.is_some() && is_counted;
        let is_figure = !row.is_open && number.is_some_and(|number| number >= cells);
        let is_other = is_figure || row.kind != Kind::Cells;
        !is_row && (is_label && is_grid || row.line == line && (is_label || is_other))
    };
    let most = (0..after.len()).take_while(belongs).count();
    let ends_line = |&end: &usize| after.get(end).is_none_or(|row| row.line > after[end - 1].line);
    // A longer text is below the last board.
    let is_near = |&end: &usize| end <= MAX_HEADINGS || end == after.len();
    let ends = (1..=most).filter(move |end| is_near(end) && ends_line(end));
    iter::once(0).chain(ends).map(move |end| {
        let (mut placed, tail) = (placed.clone(), &after[..end]);
        let name = tail.iter().find(|row| row.is_name()).map(Row::text);
        // A name on a line of its own, or numbers without a name.
        let is_guess = |row: &&Row| match &name {
            Some(_) => row.is_name() && row.line > line,
            None => row.kind == Kind::Cells,
        };
        let guesses = tail.iter().filter(is_guess).map(Row::text);
        placed.notes.extend(guesses.map(Note::Label));
        placed.is_named[1] = tail.last().is_some_and(|last| last.line > line);
        placed.label = placed.label.or(name);
        (end, placed)
    })
}

/// How many of the first rows may be a board: no board has a cell twice, and a cell that is no tile is a row of
/// tiles in one word.
fn longest(rows: &[Row]) -> usize {
    let (mut seen, mut in_words) = (BTreeSet::new(), 0);
    let mut may_be = |cell: &Cell| {
        let is_tile = cell.number().is_some_and(|number| number < MAX_CELLS as u64);
        in_words += if is_tile { 0 } else { cell.text.len() };
        in_words <= MAX_CELLS && seen.insert(cell.text.clone())
    };
    let may_go_on = rows.iter().take(MAX_CELLS).take_while(|row| {
        let is_long = row.cells.len() > rows[0].cells.len() + 1;
        !is_long && row.kind != Kind::Name && row.cells.iter().all(&mut may_be)
    });
    may_go_on.count()
}

/// A board below headings, if each of them is a size that fits, a name, or a few numbers that are not a row.
fn headed(head: &[Row], body: &[Row], context: Context) -> Option<Placed> {
    let plain = tiles::board(body, context.size).ok();
    let is_grid = body.len() > 1 && body[0].cells.len() > 1;
    let grid = plain.as_ref().map(|(board, _)| board.grid());
    let shape = grid.filter(|_| is_grid);
    let cells = grid.map_or_else(|| body.iter().map(|row| row.cells.len()).sum(), Grid::cells);
    // Rows that are words are as long as their words.
    let length = |cell: &Cell| cell.text.chars().count();
    let is_compact = body.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() > 3);
    let width = if is_compact { length(&body[0].cells[0]) } else { body[0].cells.len() };
    let (mut notes, mut label, mut numbers) = (Vec::new(), None, None);
    let mut sides: Vec<usize> = Vec::new();
    for row in head {
        let values = row.cells.iter().map(|cell| cell.number()?.try_into().ok());
        let values: Option<Vec<usize>> = values.collect();
        let is_row = row.cells.len() >= width
            || is_compact && row.cells.iter().any(|cell| length(cell) + 2 >= width);
        match (&row.kind, values.as_deref()) {
            (Kind::Size(own), _) => sides.extend(own),
            // A row that is a board by itself is not the heading of another.
            _ if tiles::board(std::slice::from_ref(row), None)
                .is_ok_and(|(board, _)| board.grid().cells() >= MANY) =>
            {
                return None;
            }
            // Rows of letters are not names of one another.
            _ if row.is_name() && body.iter().all(Row::is_name) => return None,
            _ if row.is_name() || row.is_padded() && row.cells.len() == 1 => {
                label = label.or(Some(row.text()));
            }
            // A number before a board is its side.
            (_, Some(&[n]))
                if shape
                    .or(Grid::square(cells))
                    .is_some_and(|it| n == it.width() || n == it.height()) =>
            {
                sides.push(n);
            }
            (_, Some(&[a, b]))
                if a.checked_mul(b) == Some(cells)
                    && !row.is_named
                    && (!is_row || a == b || shape.is_some()) =>
            {
                sides.extend([a, b]);
                if shape.is_none() && a != b {
                    notes.push(Note::Order(Grid::new(a, b).ok()?));
                }
            }
            _ if row.is_named && row.cells.len() < 4 && !is_row => {}
            // A number that no board has as a tile, or fewer cells than a row.
            (_, Some(values))
                if numbers.is_none()
                    && (values.len() == 1 || row.line != body[0].line)
                    && (!is_row || !is_compact && values.iter().any(|&n| n >= MAX_CELLS)) =>
            {
                numbers = Some((values.to_vec(), row.text()));
            }
            _ => return None,
        }
    }
    let size = match (&sides[..], shape) {
        ([], _) => context.size,
        (&[a, b], None) => Some(Grid::new(a, b).ok()?),
        (_, shape) => Some(shape.or(Grid::square(cells))?),
    };
    let (board, more) =
        if size == context.size { plain? } else { tiles::board(body, size).ok()? };
    let (grid, product) = (board.grid(), sides.iter().product::<usize>());
    let is_side = |side: &usize| [grid.width(), grid.height()].contains(side);
    let fits = sides.len() < 2 || product == cells;
    if !fits || !sides.iter().all(is_side) || context.size.is_some_and(|own| own != grid) {
        return None;
    }
    notes.extend(more);
    let lines = [head.first().unwrap_or(&body[0]), &body[body.len() - 1]].map(|row| row.line);
    let is_line = body[0].line == lines[1];
    Some(Placed {
        lines,
        is_named: [label.is_some(), false],
        above: head.last().map_or(0, |last| last.line + 1 - lines[0]),
        is_sized: !sides.is_empty(),
        is_headed: label.is_some() && is_line && lines[0] < lines[1],
        numbers,
        board,
        notes,
        label,
    })
}

/// A cut whose headings of numbers are explained: the number of the boards, the place of this board, or, with a
/// note, numbers that every board has.
fn explained(mut cut: Cut, context: Context) -> Option<Cut> {
    let total = cut.len();
    let all = cut.iter().all(|board| board.numbers.is_some());
    for (place, board) in cut.iter_mut().enumerate() {
        let Some((numbers, text)) = board.numbers.clone() else { continue };
        let at = context.before + place;
        let is_alone = numbers.len() == 1;
        let is_count =
            is_alone && at == 0 && numbers[0] == total && board.lines[0] < board.lines[1];
        let is_place = numbers[0] == at || numbers[0] == at + 1;
        if is_count || is_place && is_alone && total + context.before > 1 {
            continue;
        }
        // Small numbers are the sides of another board, or tiles.
        let cells = board.board.grid().cells();
        let are_sides = numbers.iter().all(|&n| n < 17) && (!is_alone || numbers[0] < cells);
        let may_count = context.has_more && at == 0 && is_alone;
        if !may_count && (!is_place && are_sides || !all) {
            return None;
        }
        let board = Rc::make_mut(board);
        board.notes.push(Note::Label(text.clone()));
        board.label.get_or_insert(text);
    }
    Some(cut)
}
