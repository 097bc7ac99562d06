//! Rows cut into boards.
//!
//! A cut is a list of pieces. A piece is a board: a few headings, each of which is explained; a body that is a board; and
//! names after it in its line. Or it is a fault: rows that are not a board. The best cut has the fewest rows in faults,
//! and then the fewest boards and the fewest guesses.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::rows::{Cell, Kind, Row};
use super::tiles::{self, Found};
use super::{Context, Note, Reading};
use crate::board::{Board, Grid, MAX_CELLS};

/// The most headings of a board.
const MAX_HEADINGS: usize = 6;

/// The most cuts of equal cost that are kept.
const MAX_CUTS: usize = 4;

/// The fewest cells of a row that is a board rather than a row of one.
pub const MANY: usize = 9;

/// The faults that a cut may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults {
    None,
    /// Boards are lines, and so are faults.
    Lines,
    /// Boards are of one size, with several rows between them.
    Grids,
}

/// The rows of a part of a cut, and their board; `None` for a fault.
pub type Piece<'a> = (&'a [Row], Option<Placed>);

/// A board of a cut.
#[derive(Clone, Debug)]
pub struct Placed {
    pub reading: Reading,
    /// It says its size.
    is_sized: bool,
    /// It is in one line, and has a name on a line above.
    is_headed: bool,
    /// It is a line, and needs no other one to tell that it is a board.
    is_whole: bool,
    /// It is a line.
    is_line: bool,
    /// The numbers of a heading that is not a size, and its text.
    numbers: Option<(Vec<usize>, String)>,
}

impl Placed {
    fn grid(&self) -> Grid {
        self.reading.board.grid()
    }
}

/// The pieces of rows from the first one on.
#[derive(Clone, Debug, Default)]
pub struct Cut<'a> {
    pub pieces: Vec<Rc<Piece<'a>>>,
    /// The rows in faults, the faults, the boards, and the guesses.
    cost: [usize; 4],
}

impl Cut<'_> {
    fn placed(&self) -> impl Iterator<Item = &Placed> {
        self.pieces.iter().filter_map(|piece| piece.1.as_ref())
    }

    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.placed().map(|placed| &placed.reading.board)
    }

    /// The cost with another piece.
    fn cost_with(&self, (part, board): &Piece) -> [usize; 4] {
        let [rows, errors, boards, guesses] = self.cost;
        match board {
            None => [rows + part.len(), errors + 1, boards, guesses],
            Some(board) => [rows, errors, boards + 1, guesses + board.reading.notes.len()],
        }
    }

    /// Returns whether a piece does not contradict those before it.
    fn may_have(&self, board: Option<&Placed>, context: Context, faults: Faults) -> bool {
        let Some(board) = board else { return true };
        // Boards without empty lines between them are of one size, unless each says its own. A word on a line of its
        // own names the board on the next line if the first board has such a name.
        let first = self.placed().next().unwrap_or(board);
        let is_headed = if context.before == 0 { first.is_headed } else { context.is_headed };
        let may_differ = faults == Faults::Lines || board.is_sized;
        let at = context.before + self.pieces.len();
        // Next to a fault, a number is the place of its board.
        let is_place = |(numbers, _): &(Vec<usize>, _)| numbers[0] == at || numbers[0] == at + 1;
        (may_differ || board.grid() == first.grid())
            && (is_headed || !board.is_headed)
            && (faults == Faults::None || board.numbers.as_ref().is_none_or(is_place))
    }

    /// Returns whether faults next to the boards are faults of their own, rather than of one board with them.
    fn may_fail(&self, faults: Faults, context: Context) -> bool {
        let lines: Vec<&Placed> = self.placed().filter(|board| board.is_line).collect();
        let are_alike = || {
            2 * lines.len() > self.pieces.len()
                && lines.len() > 1
                && lines.iter().all(|board| board.grid() == lines[0].grid())
        };
        match faults {
            Faults::None => true,
            Faults::Lines => {
                context.is_lined || lines.iter().any(|board| board.is_whole) || are_alike()
            }
            Faults::Grids => self.boards().count() > 1,
        }
    }
}

/// The best cuts of rows into boards, and into faults of this kind.
pub fn cuts(rows: &[Row], context: Context, faults: Faults) -> Vec<Cut<'_>> {
    let mut best: Vec<Vec<Cut>> = vec![Vec::new(); rows.len() + 1];
    best[0].push(Cut::default());
    for begin in 0..rows.len() {
        let cuts = std::mem::take(&mut best[begin]);
        let Some(first) = cuts.first() else { continue };
        let before = context.before + first.pieces.len();
        for piece in pieces(rows, begin, Context { before, ..context }, faults) {
            let end = &mut best[begin + piece.0.len()];
            let piece = Rc::new(piece);
            for cut in cuts.iter().filter(|cut| cut.may_have(piece.1.as_ref(), context, faults)) {
                let cost = cut.cost_with(&piece);
                let least = end.first().map_or(cost, |cut| cut.cost);
                if cost > least || cost == least && piece.1.is_none() && !end.is_empty() {
                    continue;
                }
                let pieces = cut.pieces.iter().chain([&piece]).cloned().collect();
                let cut = Cut { pieces, cost };
                end.retain(|other| other.cost == cost);
                if end.len() < MAX_CUTS && end.iter().all(|other| !other.boards().eq(cut.boards()))
                {
                    end.push(cut);
                }
            }
        }
    }
    let all = best.pop().unwrap_or_default().into_iter();
    let all = all.filter(|cut| !cut.pieces.is_empty() && cut.may_fail(faults, context));
    all.filter_map(|cut| explained(cut, context)).collect()
}

/// The pieces that begin at a row.
fn pieces(rows: &[Row], begin: usize, context: Context, faults: Faults) -> Vec<Piece<'_>> {
    let are_lines = faults != Faults::None;
    let all = &rows[begin..];
    // Next to faults, pieces are whole lines.
    if are_lines && begin > 0 && rows[begin - 1].line == all[0].line {
        return Vec::new();
    }
    let line_end = |end: usize| {
        let line = all[end - 1].line;
        end + all[end..].iter().take_while(|row| row.line == line).count()
    };
    let mut found = Vec::new();
    let may_head = |row: &&Row| row.kind != Kind::Cells || row.cells.len() < 4 || row.is_name();
    let heads = all.iter().take(MAX_HEADINGS).take_while(may_head).count();
    for head in 0..=heads {
        for end in ends(&all[head..]).map(|length| head + length) {
            let tail = &all[end..line_end(end)];
            // One row of a grid may be a small board by chance.
            let is_row = faults == Faults::Grids && end == 1;
            if is_row || are_lines && !tail.is_empty() && !is_tail(tail, MAX_CELLS) {
                continue;
            }
            let Some(placed) = headed(&all[..head], &all[head..end], context) else { continue };
            if !tail.is_empty() && is_tail(tail, placed.grid().cells()) {
                let mut placed = placed.clone();
                // Numbers without a name.
                if !tail.iter().any(Row::is_name) {
                    let numbers = tail.iter().filter(|row| row.kind == Kind::Cells);
                    placed.reading.notes.extend(numbers.map(|row| Note::Label(row.text())));
                }
                found.push((&all[..end + tail.len()], Some(placed)));
            }
            if !are_lines || tail.is_empty() {
                found.push((&all[..end], Some(placed)));
            }
        }
    }
    if found.is_empty() && line_end(1) == 1 && (are_lines || rows.len() == 1) {
        let numbered = numbered(&all[0], context);
        if numbered.len() == 1 {
            found.extend(numbered.into_iter().map(|board| (&all[..1], Some(board))));
        }
    }
    let next = |end: &usize| (*end < all.len()).then(|| line_end(end + 1));
    let ends = std::iter::successors(Some(line_end(1)), next);
    let (most, fewest) = match faults {
        Faults::None => (0, 0),
        Faults::Lines => (1, 1),
        Faults::Grids => (usize::MAX, 2),
    };
    let faults = ends.take(most).filter(|end| *end >= fewest);
    found.extend(faults.map(|end| (&all[..end], None)));
    found
}

/// Returns whether rows after a board, in its line, are not a part of it: names, their numbers, a size, and a number that
/// is not one of its tiles.
fn is_tail(rows: &[Row], cells: usize) -> bool {
    let is_figure = |row: &Row| row.cells.len() == 1 && row.numbers().any(|n| n >= cells as u64);
    rows.iter().all(|row| {
        row.is_name()
            || row.is_named && row.cells.len() < 4
            || matches!(row.kind, Kind::Size(..))
            || is_figure(row)
    })
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
        are_numbers &= !are_words && row.numbers().count() == row.cells.len();
        !are_numbers || (most as usize).abs_diff(cells) < 3
    };
    let rows = rows.iter().take(MAX_CELLS).take_while(goes_on).zip(1..);
    rows.filter(is_board).map(|(_, length)| length)
}

/// A board below headings, if each of them is a size that fits, a name, or a few numbers that are not a row.
fn headed(head: &[Row], body: &[Row], context: Context) -> Option<Placed> {
    let plain = tiles::board(body, context.size);
    let is_grid = body.len() > 1 && body[0].cells.len() > 1;
    let grid = plain.as_ref().map(|(board, _)| board.grid());
    let shape = grid.filter(|_| is_grid);
    let cells = grid.map_or_else(|| body.iter().map(|row| row.cells.len()).sum(), Grid::cells);
    // Rows that are words are as long as their words.
    let is_compact = body.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() > 3);
    let width = if is_compact { body[0].cells[0].text.len() } else { body[0].cells.len() };
    let (mut notes, mut label, mut numbers) = (Vec::new(), None, None);
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
                notes.extend(row.is_noted.then(|| Note::Label(row.text())));
                label = label.or(Some(row.text()));
            }
            (_, Some(&[n])) if is_side(n, shape, cells) => sides.push(n),
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
        (&[a, b], None) => Grid::new(a, b).ok(),
        _ => None,
    };
    if !sides.is_empty() && (size.is_none() || context.size.is_some_and(|own| Some(own) != size)) {
        return None;
    }
    let (board, more): Found =
        if size == context.size { plain? } else { tiles::board(body, size)? };
    notes.extend(more);
    let line = head.first().unwrap_or(&body[0]).line;
    let is_one = body.iter().all(|row| row.line == body[0].line);
    let is_line = is_one && line == body[0].line;
    Some(Placed {
        is_sized: !sides.is_empty(),
        is_headed: label.is_some() && is_one && !is_line,
        is_whole: is_line
            && (head.len() + body.len() > 1 || cells >= MANY || context.size.is_some()),
        is_line,
        numbers,
        reading: Reading { board, notes, label, goal: None },
    })
}

/// The boards of one row without a number at one of its ends.
pub fn numbered(row: &Row, context: Context) -> Vec<Placed> {
    let [first, .., last] = &row.cells[..] else { return Vec::new() };
    let length = |cell: &Cell| cell.text.chars().count();
    let count = row.cells.len() - 1;
    let tiles = if count > 1 { count } else { length(first).max(length(last)) };
    // The number of the board is before its tiles. Any other number may be a tile too many.
    let is_zeroed = first.text.len() > 1 && first.text.starts_with('0');
    let is_next = |number: u64| number.abs_diff(context.before as u64) < 2;
    let is_no_tile = |cell: &Cell| cell.number().is_some_and(|number| number >= tiles as u64);
    let is_first =
        first.number().is_some_and(|number| is_zeroed || is_next(number)) || is_no_tile(first);
    let is_last = is_no_tile(last);
    if row.is_named || tiles < MANY || !is_first && !is_last {
        return Vec::new();
    }
    let board = |number: &Cell, cells: &[Cell], is_noted| {
        let label = row.of(std::slice::from_ref(number));
        headed(&[Row { kind: Kind::Name, is_noted, ..label }], &[row.of(cells)], context)
    };
    let before = board(first, &row.cells[1..], !is_zeroed);
    let after = board(last, &row.cells[..count], true);
    let are_both = before.is_some() && after.is_some();
    let all = [(before, is_first), (after, is_last)].into_iter();
    all.filter(|(_, is_label)| *is_label || are_both).filter_map(|(board, _)| board).collect()
}

/// Returns whether a row is a board by itself, which no other one may have as a heading.
fn is_board(row: &Row) -> bool {
    let found = tiles::board(std::slice::from_ref(row), None);
    found.is_some_and(|(board, _)| board.grid().cells() >= MANY)
}

/// Returns whether a number before a board is its side.
fn is_side(n: usize, shape: Option<Grid>, cells: usize) -> bool {
    shape.map_or(n < 17 && n * n == cells, |grid| n == grid.width() || n == grid.height())
}

/// A cut whose headings of numbers are explained: the number of the boards, the place of this board, or, with a
/// note, numbers that every board has.
fn explained<'a>(mut cut: Cut<'a>, context: Context) -> Option<Cut<'a>> {
    let total = cut.pieces.len();
    let has_faults = cut.boards().count() < total;
    let all = has_faults || cut.placed().all(|board| board.numbers.is_some());
    for (place, piece) in cut.pieces.iter_mut().enumerate() {
        let (rows, Some(board)) = &**piece else { continue };
        let Some((numbers, text)) = &board.numbers else { continue };
        let at = context.before + place;
        let is_alone = numbers.len() == 1;
        let is_count = is_alone && at == 0 && numbers[0] == total;
        let is_place = numbers[0] == at || numbers[0] == at + 1;
        if is_count || is_place && is_alone && total + context.before > 1 {
            continue;
        }
        // Small numbers are the sides of another board, or tiles.
        let are_sides =
            numbers.iter().all(|&n| n < 17) && (!is_alone || numbers[0] < board.grid().cells());
        let may_count = context.has_more && at == 0 && is_alone;
        if !may_count && (!is_place && are_sides || !all) {
            return None;
        }
        let mut board = board.clone();
        board.reading.notes.push(Note::Label(text.clone()));
        board.reading.label = board.reading.label.or(Some(text.clone()));
        *piece = Rc::new((*rows, Some(board)));
    }
    Some(cut)
}
