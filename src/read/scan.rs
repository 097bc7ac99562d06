//! A text cut into rows of cells and nested lists, in one pass over lines of which frames, comments and quotes are gone
//! (`marks.rs`).
//!
//! - White space, commas, `&` and opening brackets separate cells; between two commas is the blank, and so is it
//!   next to `&` at either end of a row.
//! - `/`, `\`, closing brackets and line ends end a row. To add another sign, add it to the match in `Scan::line`; if it
//!   is longer than one character, turn it into a slash in `marks::separated`. If a line may have such signs alone, add
//!   it to `marks::is_mark`. The plain forms have their own list (`is_row_end` in engine/src/board/read/mod.rs).
//! - `:` and `=` end a name, and so does a bracket after it.
//!
//! The rows are as they are written: `calls.rs` looks at the lists around them, and `kinds.rs` at what they say.

use std::mem;

use super::ReadError;
use super::calls;
use super::marks::{self, Line};
use super::rows::{Cell, Kind, List, MIN_ROW, Row};
use super::sizes::Size;

/// Cuts the lines of a paragraph into rows.
#[derive(Default)]
pub struct Scan {
    row: Row,
    cell: Cell,
    /// The separator of cells that has come since the last cell; `x` after a cell or a closing bracket, and a space
    /// before the first cell.
    last: char,
    /// The white space since the last cell.
    space: usize,
    /// The lists that have not ended, from the outermost one.
    open: Vec<usize>,
    /// The list that has just ended, and the last one that has.
    ended: Option<usize>,
    last_ended: Option<usize>,
    /// How many lists were open at the beginning of the line.
    depth_before: usize,
    group: usize,
    pub lists: Vec<List>,
    pub rows: Vec<Row>,
}

impl Scan {
    /// Cuts lines with their numbers. `#` may be a cell.
    pub fn of<'a>(lines: impl Iterator<Item = (usize, &'a str)>, has_hash: bool) -> Scan {
        let mut scan = Scan::default();
        marks::lines(lines, has_hash).iter().for_each(|line| scan.line(line));
        scan
    }

    /// Cuts a line into rows.
    fn line(&mut self, line: &Line) {
        let Line { number, text, begins, ends, stray, call } = line;
        self.group += usize::from(*begins);
        self.row = Row { line: *number, ..Row::default() };
        (self.last, self.space, self.depth_before) = (' ', 0, self.open.len());
        call.iter().for_each(|call| self.fault(ReadError::turned(call)));
        // Signs after the names of a size say nothing.
        let bare = text.replace([':', '=', '(', ')', '[', ']', '{', '}'], " ");
        let is_size = Size::of(&bare).is_some() && text.starts_with(|c| !"[({".contains(c));
        let text = if is_size && self.open.is_empty() { &bare } else { text };
        for c in text.chars().chain(['\n']) {
            match c {
                // `commas, brackets`, `an empty cell`, `a TeX matrix`.
                ',' | '&' => self.separate(c),
                // `a name before the board`, `a label and one word`.
                ':' | '=' => self.name(c),
                // `rows with slashes, semicolons or bars`, `one row per line`.
                '/' | '\\' | ')' | ']' | '}' | '\n' => self.end_row_at(c),
                // `an array`, `a list among other text`.
                '(' | '[' | '{' => self.open(),
                _ if c.is_whitespace() => {
                    self.end_cell();
                    self.space += 1;
                }
                _ => self.cell.text.push(c),
            }
        }
        // Stray marks are a part of no board.
        stray.iter().for_each(|marks| self.fault(ReadError::stray(marks)));
        self.group += usize::from(*ends);
    }

    fn fault(&mut self, error: ReadError) {
        let row = self.row.with_cells(&[Cell::default()]);
        self.rows.push(Row { kind: Kind::Fault(error), group: self.group, ..row });
    }

    fn list(&mut self) -> Option<&mut List> {
        self.open.last().map(|&list| &mut self.lists[list])
    }

    fn end_cell(&mut self) {
        if !self.cell.text.is_empty() {
            self.cell.space = mem::take(&mut self.space);
            self.row.cells.push(mem::take(&mut self.cell));
            self.last = 'x';
        }
    }

    /// Ends a cell. Before a comma it may be missing.
    fn separate(&mut self, separator: char) {
        self.end_cell();
        if self.last != 'x' {
            self.row.cells.push(Cell::default());
        }
        self.last = separator;
    }

    /// Ends a name, or an argument in brackets.
    fn name(&mut self, sign: char) {
        let is_first = self.row.cells.is_empty() && self.cell.text.is_empty();
        let begins = is_first && self.rows.last().is_none_or(|row| row.line < self.row.line);
        let in_list = is_first && sign == '=' && !self.open.is_empty();
        if begins || in_list || sign == '=' && self.row.numbers().count() >= MIN_ROW {
            return self.cell.text.push(sign);
        }
        self.end_cell();
        let last = self.row.cells.pop();
        let name = last.as_ref().map(|cell| cell.text.clone()).unwrap_or_default();
        // A board may stand before the name: `start: 123406758, goal: 123456780`.
        if self.row.has_tiles() && !name.starts_with(|c: char| c.is_ascii_digit()) {
            self.end_row(false);
        }
        self.row.cells.extend(last);
        let is_argument = sign == '=' && self.list().is_some_and(|list| !list.name.is_empty());
        self.end_row(self.row.numbers().count() < MIN_ROW);
        if is_argument && !calls::is_argument(&name) {
            self.fault(ReadError::turned(&name));
        }
    }

    /// Begins a list, which may have a name, or follow another list.
    fn open(&mut self) {
        let is_named = !self.cell.text.is_empty();
        self.end_cell();
        let name = self.row.texts().last().filter(|_| is_named).unwrap_or_default().to_owned();
        // What is before the list, or before the one that has just ended: `f(x)` before `[1, 2]`.
        let ended = self.ended.take().filter(|_| self.row.cells.is_empty());
        let ended = ended.and_then(|list| self.lists[list].call.clone());
        let call = calls::call(&self.row, is_named).or(ended).filter(|_| self.last == 'x');
        // Rows of a list may each have the name of their type.
        if is_named && !self.open.is_empty() && self.row.texts().all(calls::is_type) {
            self.row.cells.clear();
        }
        self.end_row(name.contains(char::is_alphabetic));
        // A method may turn the list before it.
        if call.is_some() && name.starts_with('.') {
            self.fault(ReadError::turned(&name));
        }
        self.list().into_iter().for_each(|outer| outer.has_rows = true);
        let outer = self.open.last().copied();
        self.open.push(self.lists.len());
        let follows = self.last_ended.filter(|_| name.starts_with('.'));
        self.lists.push(List { outer, name, follows, call, has_rows: false });
    }

    /// Ends a row at a slash, a closing bracket or the end of the line.
    fn end_row_at(&mut self, end: char) {
        self.end_cell();
        // Rows of TeX do not end with `&`. Rows of a list may end with a comma; where the others do not, the blank follows
        // the comma, which is as good as a gap.
        match self.last {
            '&' => self.row.cells.push(Cell::default()),
            ',' if self.row.cells.iter().all(|cell| cell.space < 2) => self.space += 2,
            _ => {}
        }
        let (closes, depth) = (")]}".contains(end), self.open.len());
        self.list().into_iter().for_each(|list| list.has_rows |= matches!(end, '/' | '\\'));
        self.row.spans_lines =
            closes && depth <= self.depth_before || end == '\n' && depth > self.depth_before;
        self.end_row(false);
        self.last = if closes { 'x' } else { ' ' };
        self.ended = if closes { self.open.pop() } else { None };
        self.last_ended = self.ended.or(self.last_ended);
        // A list of lists ends.
        self.group += usize::from(self.ended.is_some_and(|list| self.lists.len() > list + 1));
    }

    /// Ends a row that may be a name.
    fn end_row(&mut self, is_name: bool) {
        self.end_cell();
        let space = mem::take(&mut self.space);
        let kind = if is_name { Kind::Name } else { Kind::Cells };
        // The head of a table may be empty.
        let is_empty = self.row.cells.iter().all(|cell| cell.text.is_empty());
        if !is_empty || self.row.cells.len() == 1 {
            let (group, list, depth) = (self.group, self.open.last().copied(), self.open.len());
            let cells = mem::take(&mut self.row.cells);
            self.rows.push(Row { cells, space, kind, group, list, depth, ..self.row });
        }
        self.row.cells.clear();
        (self.row.spans_lines, self.last) = (false, ' ');
    }
}
