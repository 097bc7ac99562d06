//! Rows cut into boards.
//!
//! A cut is a list of boards. Each has a few headings, a body with the tiles of a board, and names after it. Every
//! heading must be explained. The best cuts have the fewest boards and the fewest guesses.

use std::collections::BTreeSet;
use std::iter::successors;

use super::rows::{Cell, Kind, MANY, MAX_SIDE, Row, SHORT};
use super::{Context, Expected, Note, Reading, tiles};
use crate::board::{Grid, MAX_CELLS};

/// The most headings of a board.
const MAX_HEADINGS: usize = 6;

/// The most cuts of equal cost that are kept.
const MAX_CUTS: usize = 4;

/// A board of a cut.
#[derive(Clone, Debug)]
pub struct Placed {
    pub reading: Reading,
    /// Its first line and its last one.
    pub lines: [usize; 2],
    /// It says its size.
    is_sized: bool,
    /// It is in one line, and has a name on a line above.
    is_headed: bool,
    /// The numbers of a heading that is not a size.
    numbers: Option<Numbers>,
    /// The number of boards that its heading announces, if there are not so many, and its line.
    pub announced: Option<(usize, usize)>,
}

/// The numbers of a heading, its text and its line.
#[derive(Clone, Debug)]
struct Numbers {
    values: Vec<usize>,
    text: String,
    line: usize,
}

impl Placed {
    fn grid(&self) -> Grid {
        self.reading.board.board().grid()
    }
}

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
        let boards = if cuts.is_empty() { Vec::new() } else { boards(rows, begin, context) };
        for (length, board) in boards {
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
                    let (boards, guesses) = before.map_or((0, 0), |before| links[before].cost);
                    let cost = (boards + 1, guesses + board.reading.notes.len());
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
        // Cuts of as many boards that meet are equal from there on.
        let is_equal = |&other: &Option<usize>| {
            let pairs = from(other, links).zip(from(cut, links)).take_while(|(a, b)| a != b);
            let board = |link: usize| &links[link].board.reading.board;
            pairs.into_iter().all(|(a, b)| board(a) == board(b))
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
        |row: &&Row| row.kind != Kind::Cells || row.cells.len() < SHORT || row.may_be_name();
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

/// `a list with moves`: a board with the rows after it in its last line, if they belong to it, which are the other
/// arguments and methods of a call, and numbers in fewer brackets.
fn with_tail(placed: &Placed, body: &[Row], after: &[Row]) -> Option<(usize, Placed)> {
    let last = &body[body.len() - 1];
    let tail = after.iter().take_while(|row| row.line == last.line).count();
    let are_numbers = |row: &Row| row.numbers().count() == row.cells.len();
    let is_list = |row: &Row| row.depth < last.depth && are_numbers(row);
    let belongs = |row: &Row| match row.kind {
        Kind::Name => row.depth > 0 || row.cells[0].text.starts_with('.'),
        Kind::Cells => row.is_named && row.cells.len() < SHORT || is_list(row),
        _ => false,
    };
    let tail = Some(&after[..tail]).filter(|tail| !tail.is_empty() && tail.iter().all(belongs))?;
    let mut placed = placed.clone();
    let guesses = tail.iter().filter(|row| row.kind == Kind::Cells && !row.is_named);
    placed.reading.notes.extend(guesses.map(|row| Note::Label(row.text())));
    Some((tail.len(), placed))
}

/// How many of the first rows may be a board: no board has a cell twice.
fn longest(rows: &[Row], context: &Context) -> usize {
    let mut seen = BTreeSet::new();
    // Tiles with names may be equal.
    let has_names = context.expected.goal.is_some();
    let mut may_be = |cell: &Cell| seen.insert(cell.text.clone()) || has_names;
    let may_go_on = |row: &&Row| {
        matches!(row.kind, Kind::Cells | Kind::Size(_)) && row.cells.iter().all(&mut may_be)
    };
    rows.iter().take(MAX_CELLS).take_while(may_go_on).count()
}

/// Rows below headings, and what the headings say.
struct Body<'a> {
    expected: &'a Expected,
    /// The board of the rows without a heading.
    plain: tiles::Found,
    /// Its size, if it has several rows.
    shape: Option<Grid>,
    cells: usize,
    width: usize,
    /// The rows are words.
    is_compact: bool,
    /// Tiles are letters.
    has_letters: bool,
    /// One of the headings is a word: several may be the rows of a board.
    has_one_word: bool,
    /// The first line, and the brackets around it.
    line: usize,
    depth: usize,
    /// Sides of the board, which must fit.
    sides: Vec<usize>,
    notes: Vec<Note>,
    label: Option<String>,
    numbers: Option<Numbers>,
}

impl<'a> Body<'a> {
    fn new(head: &[Row], rows: &[Row], expected: &'a Expected) -> Body<'a> {
        let plain = tiles::board(rows, expected.size, expected);
        let grid = plain.as_ref().ok().map(|(board, _)| board.board().grid());
        let sum = || rows.iter().map(|row| row.cells.len()).sum();
        // Rows that are words are as long as their words.
        let is_compact =
            rows.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() >= SHORT);
        let mut cells = rows.iter().flat_map(|row| &row.cells);
        let is_letter = |cell: &Cell| !cell.is_blank() && cell.text.contains(char::is_alphabetic);
        let width = if is_compact { length(&rows[0].cells[0]) } else { rows[0].cells.len() };
        Body {
            expected,
            shape: grid.filter(|_| rows.len() > 1),
            cells: grid.map_or_else(sum, Grid::cells),
            width,
            is_compact,
            has_letters: cells.any(is_letter),
            has_one_word: head.iter().filter(|row| row.is_word()).count() == 1,
            line: rows[0].line,
            depth: rows[0].depth,
            plain,
            sides: Vec::new(),
            notes: Vec::new(),
            label: None,
            numbers: None,
        }
    }

    /// Returns whether a row above is a part of a list, or a board by itself.
    fn is_like(&self, row: &Row) -> bool {
        let alone = tiles::board(std::slice::from_ref(row), None, self.expected);
        let in_list = row.depth > 1 && row.depth == self.depth && row.cells.len() > 1;
        row.is_cut || in_list || alone.is_ok_and(|(board, _)| board.board().grid().cells() >= MANY)
    }

    /// Adds a row as a heading, by the first of these rules that fits:
    ///
    /// 1. A size, as `3x3`, has sides.
    /// 2. A part of a list, or a board by itself, is none.
    /// 3. A name, or words, are the label; and so is one word on a line above numbers, digits in it or not: `easy1`.
    /// 4. A number is a side if the board has such a side. It is none above two numbers or a size: the first 2 in
    ///    `2⏎2 3⏎1 2 3⏎4 0 5⏎2 2⏎1 2⏎3 0` is the number of boards.
    /// 5. Two numbers are the sides if their product is the number of cells: `2 3`.
    /// 6. A few numbers after a name in its line say nothing: the 4 in `f(n) = 4`.
    /// 7. One row of other numbers is a question for [`explained`]: `1 55 15300442`.
    fn add(&mut self, row: &Row, is_before_size: bool) -> Option<()> {
        let is_row = row.cells.len() >= self.width
            || self.is_compact && row.cells.iter().any(|cell| length(cell) + 2 >= self.width);
        let values = row.cells.iter().map(|cell| cell.number()?.try_into().ok());
        let values: Option<Vec<usize>> = values.collect();
        let is_side = |n: usize| {
            let grid = self.shape.or(Grid::square(self.cells));
            grid.is_some_and(|grid| n == grid.width() || n == grid.height())
        };
        let is_label = || {
            row.is_word()
                && self.has_one_word
                && !is_row
                && !self.has_letters
                && row.line < self.line
        };
        // A row with a number that no board has as a tile.
        let is_large =
            |values: &[usize]| !self.is_compact && values.iter().any(|&value| value >= MAX_CELLS);
        match (&row.kind, values.as_deref()) {
            (Kind::Size(size), _) => size.add_to(&mut self.sides),
            _ if self.is_like(row) => return None,
            _ if row.may_be_name() || is_label() => {
                self.label = self.label.take().or(Some(row.text()))
            }
            // `the side on a line`.
            (_, Some(&[n])) if !is_before_size && is_side(n) => self.sides.push(n),
            // `width and height on a line`, `rows and columns on a line`.
            (_, Some(&[a, b])) if a.checked_mul(b) == Some(self.cells) => {
                if self.shape.is_none() && a != b {
                    self.notes.push(Note::Order(Grid::new(a, b).ok()?));
                }
                self.sides.extend([a, b]);
            }
            _ if row.is_named && row.cells.len() < SHORT && !is_row => {}
            // `a label of numbers`.
            (_, Some(values)) if self.numbers.is_none() && (!is_row || is_large(values)) => {
                let values = values.to_vec();
                self.numbers = Some(Numbers { values, text: row.text(), line: row.line });
            }
            _ => return None,
        }
        Some(())
    }
}

fn length(cell: &Cell) -> usize {
    cell.text.chars().count()
}

/// A board below headings, if each of them is explained and the sizes fit.
fn headed(head: &[Row], rows: &[Row], context: &Context) -> Option<Placed> {
    // No row is left of a list, or of its end.
    if rows.iter().any(|row| row.depth != rows[0].depth) {
        return None;
    }
    let (expected, own) = (&*context.expected, context.expected.size);
    let mut body = Body::new(head, rows, expected);
    let is_pair = |row: &Row| matches!(row.kind, Kind::Size(_)) || row.cells.len() == 2;
    let is_before_size = head.last().is_some_and(is_pair);
    head.iter().try_for_each(|row| body.add(row, is_before_size))?;
    let Body { plain, shape, cells, sides, mut notes, label, numbers, .. } = body;
    let size = match (&sides[..], shape) {
        ([], _) => own,
        (&[a, b], None) => Some(Grid::new(a, b).ok()?),
        (_, shape) => Some(shape.or(Grid::square(cells))?),
    };
    let found = if size == own { plain } else { tiles::board(rows, size, expected) };
    let (board, more) = found.ok()?;
    let grid = board.board().grid();
    let is_side = |side: &usize| [grid.width(), grid.height()].contains(side);
    let product = sides.iter().try_fold(1_usize, |all, &side| all.checked_mul(side));
    let fits = sides.len() < 2 || product == Some(cells);
    if !fits || !sides.iter().all(is_side) || own.is_some_and(|own| own != grid) {
        return None;
    }
    // A label of numbers and the blank are not guessed together.
    if numbers.is_some() && more.iter().any(|note| matches!(note, Note::Blank(_))) {
        return None;
    }
    notes.extend(more);
    let lines = [head.first().unwrap_or(&rows[0]), &rows[rows.len() - 1]].map(|row| row.line);
    let is_line = rows[0].line == lines[1];
    Some(Placed {
        lines,
        is_sized: !sides.is_empty(),
        is_headed: label.is_some() && is_line && lines[0] < lines[1],
        numbers,
        announced: None,
        reading: Reading { notes, label, ..board.into() },
    })
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
