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
    /// It is a line, below its headings.
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

    /// The boards are lines, and so are the faults.
    pub fn is_lined(&self) -> bool {
        self.placed().all(|board| board.is_line)
    }

    /// Returns whether a board does not contradict the pieces before it.
    fn may_have(&self, board: &Placed, context: Context, with_faults: bool) -> bool {
        // Boards without empty lines between them are of one size, unless each says its own. A word on a line of its
        // own names the board on the next line if the first board has such a name.
        let first = self.placed().next().unwrap_or(board);
        let is_headed = if context.before == 0 { first.is_headed } else { context.is_headed };
        let may_differ = board.is_sized || with_faults && board.is_line;
        // Next to a fault, a number is the place of its board.
        let places = context.before + self.pieces.len()..=context.before + self.rows() + 1;
        let is_place = |(numbers, _): &(Vec<usize>, _)| places.contains(&numbers[0]);
        (may_differ || board.grid() == first.grid())
            && (is_headed || !board.is_headed)
            && (!with_faults
                || (board.is_sized || board.is_line == first.is_line)
                    && board.numbers.as_ref().is_none_or(is_place))
    }

    fn rows(&self) -> usize {
        self.pieces.iter().map(|piece| piece.0.len()).sum()
    }

    /// Returns whether faults next to the boards are faults of their own, rather than of one board with them.
    fn may_fail(&self, context: Context) -> bool {
        let boards: Vec<&Placed> = self.placed().collect();
        let are_alike = || boards.iter().all(|board| board.grid() == boards[0].grid());
        match self.is_lined() {
            false => {
                let is_part = |piece: &Rc<Piece>| piece.1.is_some() || piece.0.len() > 1;
                boards.len() > 1 && self.pieces.iter().all(is_part)
            }
            true => {
                context.is_lined
                    || boards.iter().any(|board| board.is_whole)
                    || boards.len() > self.cost[0].max(1) && are_alike()
            }
        }
    }
}

/// The best cuts of rows into boards, and into faults next to them.
pub fn cuts(rows: &[Row], context: Context, with_faults: bool) -> Vec<Cut<'_>> {
    let mut best: Vec<Vec<Cut>> = vec![Vec::new(); rows.len() + 1];
    best[0].push(Cut::default());
    for begin in 0..rows.len() {
        let cuts = std::mem::take(&mut best[begin]);
        let Some(first) = cuts.first() else { continue };
        let before = context.before + first.pieces.len();
        for piece in pieces(rows, begin, Context { before, ..context }, with_faults) {
            let end = &mut best[begin + piece.0.len()];
            let piece = Rc::new(piece);
            let may_have = |cut: &&Cut| match &piece.1 {
                Some(board) => cut.may_have(board, context, with_faults),
                None => true,
            };
            for cut in cuts.iter().filter(may_have) {
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
    let all = all.filter(|cut| !cut.pieces.is_empty() && (!with_faults || cut.may_fail(context)));
    all.filter_map(|cut| explained(cut, context)).collect()
}

/// The pieces that begin at a row.
fn pieces(rows: &[Row], begin: usize, context: Context, with_faults: bool) -> Vec<Piece<'_>> {
    let all = &rows[begin..];
    let is_inner = begin > 0 && rows[begin - 1].line == all[0].line;
    // Next to faults, pieces are whole lines.
    if with_faults && is_inner {
        return Vec::new();
    }
    let line_end = |end: usize| {
        let line = all[end - 1].line;
        end + all[end..].iter().take_while(|row| row.line == line).count()
    };
    let mut found = Vec::new();
    let may_head = |row: &&Row| row.kind != Kind::Cells || row.cells.len() < 4 || row.is_name();
    let heads = all.iter().take(MAX_HEADINGS).take_while(may_head).count();
    // A heading is in the line of its board, or has lines of its own.
    for head in (0..=heads)
        .filter(|&head| !is_inner || all.get(head).is_some_and(|row| row.line == all[0].line))
    {
        for end in ends(&all[head..]).map(|length| head + length) {
            let Some(placed) = headed(&all[..head], &all[head..end], context) else { continue };
            let tail = &all[end..line_end(end)];
            if !tail.is_empty() && !with_faults {
                found.push((&all[..end], Some(placed.clone())));
            }
            if is_tail(tail, placed.grid().cells()) {
                let mut placed = placed;
                let name = tail.iter().find(|row| row.is_name()).map(Row::text);
                // Numbers without a name.
                if name.is_none() {
                    let numbers = tail.iter().filter(|row| row.kind == Kind::Cells);
                    placed.reading.notes.extend(numbers.map(|row| Note::Label(row.text())));
                }
                placed.reading.label = placed.reading.label.or(name);
                found.push((&all[..end + tail.len()], Some(placed)));
            }
        }
    }
    if with_faults {
        let next = |end: &usize| (*end < all.len()).then(|| line_end(end + 1));
        let ends = std::iter::successors(Some(line_end(1)), next);
        found.extend(ends.map(|end| (&all[..end], None)));
    }
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
    let mut sides: Vec<usize> = Vec::new();
    for row in head {
        let values: Option<Vec<usize>> =
            row.cells.iter().map(|cell| cell.number()?.try_into().ok()).collect();
        let is_word = |cell: &Cell| cell.end() - cell.begin + 2 >= width;
        let is_row = row.cells.len() >= width || is_compact && row.cells.iter().any(is_word);
        match (&row.kind, values.as_deref()) {
            (Kind::Size(own, rows_first), _) => {
                sides.extend(own);
                if *rows_first {
                    sides.reverse();
                }
            }
            _ if is_board(row) => return None,
            // Rows of letters are not names of one another.
            _ if row.is_name() && body.iter().all(Row::is_name) => return None,
            _ if row.is_name() || row.is_padded() && row.cells.len() == 1 => {
                label = label.or(Some(row.text()))
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
                    && (values.len() == 1 || row.line != body[0].line)
                    && (!is_row || !is_compact && values.iter().any(|&n| n >= MAX_CELLS)) =>
            {
                numbers = Some((values.to_vec(), row.text()));
            }
            _ => return None,
        }
    }
    let fits = |grid: &Grid| {
        let is_side = |&side: &usize| side == grid.width() || side == grid.height();
        sides.iter().all(is_side) && (sides.len() == 1 || sides.iter().product::<usize>() == cells)
    };
    let size = match (&sides[..], shape) {
        ([], _) => context.size,
        (_, Some(grid)) => Some(grid).filter(fits),
        (&[_], None) => Grid::square(cells).filter(fits),
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
    let is_line = body.iter().all(|row| row.line == body[0].line);
    let is_whole = is_line && line == body[0].line;
    Some(Placed {
        is_sized: !sides.is_empty(),
        is_headed: label.is_some() && is_line && !is_whole,
        is_whole: is_whole
            && (head.len() + body.len() > 1 || cells >= MANY || context.size.is_some()),
        is_line,
        numbers,
        reading: Reading { board, notes, label, goal: None },
    })
}

/// Returns whether a row is a board by itself, which no other one may have as a heading.
fn is_board(row: &Row) -> bool {
    let found = tiles::board(std::slice::from_ref(row), None);
    found.is_some_and(|(board, _)| board.grid().cells() >= MANY)
}

/// Returns whether a number before a board is its side.
fn is_side(n: usize, shape: Option<Grid>, cells: usize) -> bool {
    let grid = shape.or(Grid::square(cells));
    grid.is_some_and(|grid| n == grid.width() || n == grid.height())
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
        let has_lines = rows.iter().any(|row| row.line != rows[0].line);
        let is_count = is_alone && at == 0 && numbers[0] == total && has_lines;
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
