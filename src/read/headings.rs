//! What stands above a board: sizes, labels and numbers. Each heading must be explained.

use super::rows::{Cell, Kind, MIN_BOARD, MIN_ROW, Row};
use super::{Context, Expected, Note, Reading, tiles};
use crate::board::{Grid, MAX_CELLS};

/// A board of a cut.
#[derive(Clone, Debug)]
pub struct Placed {
    pub reading: Reading,
    /// Its first line and its last one.
    pub lines: [usize; 2],
    /// It says its size.
    pub is_sized: bool,
    /// It is in one line, and has a name on a line above.
    pub is_headed: bool,
    /// The numbers of a heading that is not a size.
    pub numbers: Option<Numbers>,
    /// The number of boards that its heading announces, if there are not so many, and its line.
    pub announced: Option<(usize, usize)>,
}

/// The numbers of a heading, its text and its line.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub values: Vec<usize>,
    pub text: String,
    pub line: usize,
}

impl Placed {
    pub fn grid(&self) -> Grid {
        self.reading.board.board().grid()
    }
}

/// The rows below headings.
struct Body<'a> {
    expected: &'a Expected,
    /// The board of the rows without a heading.
    without_size: tiles::Found,
    /// Its size, if it has several rows.
    shape: Option<Grid>,
    cells: usize,
    width: usize,
    /// The rows are words.
    is_compact: bool,
    /// Tiles are letters.
    has_letters: bool,
    /// Exactly one heading is a single word; several may be the rows of a board.
    has_one_word: bool,
    /// The first line, and the brackets around it.
    line: usize,
    depth: usize,
}

/// What headings say.
#[derive(Default)]
struct Headings {
    /// Sides of the board, which must fit.
    sides: Vec<usize>,
    notes: Vec<Note>,
    label: Option<String>,
    numbers: Option<Numbers>,
}

impl<'a> Body<'a> {
    fn new(head: &[Row], rows: &[Row], expected: &'a Expected) -> Body<'a> {
        let without_size = tiles::board(rows, expected.size, expected);
        let grid = without_size.as_ref().ok().map(|(board, _)| board.board().grid());
        // Rows that are words are as long as their words.
        let is_compact =
            rows.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() >= MIN_ROW);
        let mut cells = rows.iter().flat_map(|row| &row.cells);
        let is_letter = |cell: &Cell| !cell.is_blank() && cell.text.contains(char::is_alphabetic);
        let length = |row: &Row| if is_compact { length(&row.cells[0]) } else { row.cells.len() };
        Body {
            expected,
            shape: grid.filter(|_| rows.len() > 1),
            cells: grid.map_or_else(|| rows.iter().map(length).sum(), Grid::cells),
            width: length(&rows[0]),
            is_compact,
            has_letters: cells.any(is_letter),
            has_one_word: head.iter().filter(|row| row.is_single_text()).count() == 1,
            line: rows[0].line,
            depth: rows[0].depth,
            without_size,
        }
    }

    /// Returns whether a row above is a part of a list, or contains a board, with or without words beside it.
    fn is_like(&self, row: &Row) -> bool {
        let is_board = |cells: &[Cell]| {
            let found = tiles::board(&[row.with_cells(cells)], None, self.expected);
            found.is_ok_and(|(board, _)| board.board().grid().cells() >= MIN_BOARD)
        };
        let numbers = || row.cells.iter().filter(|cell| cell.number().is_some()).cloned();
        let may_be = row.cells.len().max(row.length()) >= MIN_BOARD;
        let has_board = || {
            is_board(&row.cells)
                || is_board(&numbers().collect::<Vec<_>>())
                || row.cells.iter().any(|cell| is_board(std::slice::from_ref(cell)))
        };
        let in_list = row.depth > 1 && row.depth == self.depth && row.cells.len() > 1;
        row.spans_lines || in_list || may_be && has_board()
    }

    /// Adds what a row says as a heading, by the first of these rules that fits:
    ///
    /// 1. A size, as `3x3`, has sides.
    /// 2. A part of a list, or a board by itself, is none.
    /// 3. A name or words are the label; so is a single word on a line above numbers, with or without digits in it: `easy1`.
    /// 4. A number is a side if the board has such a side. It is none above two numbers or a size: the first 2 in
    ///    `2⏎2 3⏎1 2 3⏎4 0 5⏎2 2⏎1 2⏎3 0` is a question for `explained`.
    /// 5. Two numbers are the sides if their product is the number of cells: `2 3`.
    /// 6. A few numbers after a name in its line say nothing: the 4 in `f(n) = 4`.
    /// 7. One row of other numbers is a question for [`explained`]: `1 55 15300442`.
    fn add(&self, row: &Row, is_before_size: bool, said: &mut Headings) -> Option<()> {
        let is_row = row.cells.len() >= self.width
            || self.is_compact && row.cells.iter().any(|cell| length(cell) + 2 >= self.width);
        let values = row.cells.iter().map(|cell| cell.number()?.try_into().ok());
        let values: Option<Vec<usize>> = values.collect();
        let is_side = |n: usize| {
            let grid = self.shape.or(Grid::square(self.cells));
            grid.is_some_and(|grid| n == grid.width() || n == grid.height())
        };
        let is_label = || {
            row.is_single_text()
                && self.has_one_word
                && !is_row
                && !self.has_letters
                && row.line < self.line
        };
        // A row with a number that no board has as a tile.
        let is_large =
            |values: &[usize]| !self.is_compact && values.iter().any(|&value| value >= MAX_CELLS);
        match (&row.kind, values.as_deref()) {
            (Kind::Size(size), _) => size.add_to(&mut said.sides),
            _ if self.is_like(row) => return None,
            _ if row.may_be_name() || is_label() => {
                said.label = said.label.take().or(Some(row.text()))
            }
            // `the side on a line`.
            (_, Some(&[n])) if !is_before_size && is_side(n) => said.sides.push(n),
            // `width and height on a line`, `rows and columns on a line`.
            (_, Some(&[a, b])) if a.checked_mul(b) == Some(self.cells) => {
                if self.shape.is_none() && a != b {
                    said.notes.push(Note::Order(Grid::new(a, b).ok()?));
                }
                said.sides.extend([a, b]);
            }
            _ if row.is_named && row.cells.len() < MIN_ROW && !is_row => {}
            // `a label of numbers`.
            (_, Some(values)) if said.numbers.is_none() && (!is_row || is_large(values)) => {
                let values = values.to_vec();
                said.numbers = Some(Numbers { values, text: row.text(), line: row.line });
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
pub fn headed(head: &[Row], rows: &[Row], context: &Context) -> Option<Placed> {
    // Every row is as deep in brackets as the first one.
    if rows.iter().any(|row| row.depth != rows[0].depth) {
        return None;
    }
    let (expected, expected_size) = (&*context.expected, context.expected.size);
    let (body, mut said) = (Body::new(head, rows, expected), Headings::default());
    let is_pair = |row: &Row| matches!(row.kind, Kind::Size(_)) || row.numbers().count() == 2;
    let is_before_size = head.last().is_some_and(is_pair);
    head.iter().try_for_each(|row| body.add(row, is_before_size, &mut said))?;
    let Body { without_size, shape, cells, .. } = body;
    let Headings { sides, mut notes, label, numbers } = said;
    let size = match (&sides[..], shape) {
        ([], _) => expected_size,
        (&[a, b], None) => Some(Grid::new(a, b).ok()?),
        (_, shape) => Some(shape.or(Grid::square(cells))?),
    };
    let found =
        if size == expected_size { without_size } else { tiles::board(rows, size, expected) };
    let (board, more) = found.ok()?;
    let grid = board.board().grid();
    let is_side = |side: &usize| [grid.width(), grid.height()].contains(side);
    let product = sides.iter().try_fold(1_usize, |all, &side| all.checked_mul(side));
    let fits = sides.len() < 2 || product == Some(cells);
    if !fits || !sides.iter().all(is_side) || expected_size.is_some_and(|size| size != grid) {
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
