//! A text as rows of cells, in one pass over lines of which frames, comments and quotes are gone (`marks.rs`).
//!
//! - White space, commas, `&` and opening brackets separate cells; between two commas is the blank, and so is it
//!   next to `&` at either end of a row.
//! - `/`, `\`, closing brackets and line ends end a row. A new end of rows is one more sign in `Scan::line`, or a bar of
//!   `marks.rs`, which becomes a slash; and a sign of `marks::is_mark`, if it may end lists too. The plain forms have
//!   their own list (`is_row_end` in engine/src/board/read/mod.rs).
//! - `:` and `=` end a name, and so does a bracket after it.
//!
//! Then a row is a size, a name, or cells: [`rows`] lists the rules.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem;

use super::calls;
use super::marks::{self, Line};
use crate::board::Grid;

/// The fewest cells of a row that is a board rather than a row of one.
pub const MANY: usize = 9;

/// A row of fewer cells may stand above a board, and a name has fewer numbers.
pub const SHORT: usize = 4;

/// The longest side of a board that is looked for above its tiles, and the largest number alone there.
pub const MAX_SIDE: usize = 16;
const MAX_NUMBER: usize = 999;

/// `another blank`: the signs and words for the blank, in lower case.
pub const BLANKS: [&str; 18] = [
    "_", "__", "___", ".", "x", "#", "-", "--", "-1", "*", "•", "□", "none", "null", "nil", "na",
    "nan", "blank",
];

/// The names of a size: of both sides, of the rows, and of the columns. A letter has another one for the other side.
const SIZES: [(&str, &str); 3] = [
    ("s", " shape size n side dim dims "),
    ("r", " rows height high h r "),
    ("c", " cols columns width wide w c "),
];

/// The signs and words between the numbers of a size. One of the crosses is Cyrillic.
const CROSSES: [&str; 9] = ["x", "×", "х", "✕", "✖", "⨯", "*", "by", "on"];

/// A tile, a sign for the blank, or a word. An empty one is a blank that is not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// The white space before it.
    pub space: usize,
}

impl Cell {
    /// How many digits it has, if it has nothing else.
    pub fn digits(&self) -> usize {
        if self.text.bytes().all(|b| b.is_ascii_digit()) { self.text.len() } else { 0 }
    }

    /// A whole number, which programs may write as `3.`, `3.0` or `3.0e+00`.
    pub fn number(&self) -> Option<u64> {
        let text = &*self.text;
        if self.digits() > 0 {
            return text.parse().ok();
        }
        // By its digits: the tables that read real numbers are a thirtieth of the page's module.
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, part) = mantissa.split_once('.').filter(|(whole, _)| !whole.is_empty())?;
        let point = whole.len().checked_add_signed(exponent.parse().ok()?)?;
        let digits = format!("{whole}{part:0<6}");
        let (whole, part) = digits.split_at_checked(point)?;
        let is_whole = part.bytes().all(|b| b == b'0') && whole.bytes().all(|b| b.is_ascii_digit());
        whole.parse().ok().filter(|&number| is_whole && number < 1_000_000)
    }

    /// The tile: its number, or its text.
    pub fn tile(&self) -> Cow<'_, str> {
        self.number().map_or(Cow::from(&self.text), |number| number.to_string().into())
    }

    pub fn is_blank(&self) -> bool {
        self.text.is_empty() || BLANKS.contains(&&*self.text.to_ascii_lowercase())
    }

    /// Returns whether this is a text that no tile has: two letters or more, and no digit. The first letters are tiles.
    pub fn is_word(&self) -> bool {
        let letters: BTreeSet<char> = self.text.to_ascii_lowercase().chars().collect();
        let are_first = letters.len() > 3 && letters.iter().zip('a'..).all(|(&a, b)| a == b);
        !are_first
            && self.text.chars().filter(|c| c.is_alphabetic()).count() > 1
            && !self.text.contains(|c: char| c.is_ascii_digit())
            && !self.is_blank()
    }
}

/// The kinds of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Tiles, or numbers before a board.
    #[default]
    Cells,
    /// Words, or a name.
    Name,
    /// A size: a side, or the width and the height.
    Size(Vec<usize>),
    /// A name before brackets, or of an argument, that may turn the board.
    Call,
    /// A line of brackets and separators that belong to no list.
    Mark,
}

/// A row of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub cells: Vec<Cell>,
    pub kind: Kind,
    /// It follows a name or a size in its line.
    pub is_named: bool,
    /// The white space at its end.
    pub space: usize,
    /// The line in the text, from 1.
    pub line: usize,
    /// The number of its list: `[[1, 2], [3, 0]], [[1, 2], [0, 3]]` has two. A name or a size on a line of its own below
    /// cells begins another one.
    pub group: usize,
    /// The brackets around it.
    pub depth: usize,
    /// A bracket around it begins or ends on another line.
    pub is_cut: bool,
}

impl Row {
    /// Returns whether this is a name, or words alone, which are a name if they are not tiles.
    pub fn may_be_name(&self) -> bool {
        self.kind == Kind::Name || self.cells.iter().all(Cell::is_word)
    }

    /// Returns whether this is one word, which may have digits in it.
    pub fn is_word(&self) -> bool {
        let is_word = |cell: &Cell| cell.text.starts_with(char::is_alphabetic) && !cell.is_blank();
        self.kind == Kind::Cells && self.cells.len() == 1 && is_word(&self.cells[0])
    }

    /// Returns whether this may be a number above a board, or a few that are its sides. Longer numbers are a board in one
    /// word, or meant to be.
    pub fn is_heading(&self) -> bool {
        let most = if self.cells.len() > 1 { MAX_SIDE } else { MAX_NUMBER };
        let is_short = |cell: &Cell| cell.number().is_some_and(|number| number <= most as u64);
        self.cells.len() < SHORT && self.cells.iter().all(is_short)
    }

    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.cells.iter().filter_map(Cell::number)
    }

    /// The row with other cells.
    pub fn of(&self, cells: &[Cell]) -> Row {
        Row { cells: cells.to_vec(), ..self.clone() }
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| &*cell.text)
    }

    /// The row as it is shown in messages.
    pub fn text(&self) -> String {
        let texts = self.texts().map(|text| if text.is_empty() { "_" } else { text });
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// The rows of lines with their numbers. `#` may be a cell, not the beginning of a comment, and words may be tiles.
///
/// A row of cells is a size (`size`), or a name by one of these rules:
///
/// 1. It stands before `:`, `=` or a bracket (`Scan::name`, `Scan::open`): `start` in `start = 1 2 3 0`.
/// 2. Its line has such a name, and else words and single short numbers (`is_name`): `Puzzle 7: easy`.
/// 3. It has words of several lengths, or next to numbers, and words are not tiles (`parts`): `solvable in 2 moves`.
/// 4. It has the first numbers of most lines, after which there is a board (`without_numbers`): `7 55` in
///    `7 55 1 2 3 4 0 6 7 5 8`.
///
/// Words of one length, as `easy` alone, remain cells: they may have a letter for each tile. Who asks whether they are a
/// name knows more ([`Row::may_be_name`]).
pub fn rows<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    has_hash: bool,
    words_are_tiles: bool,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in unparted(lines, has_hash).chunk_by(|a, b| a.line == b.line) {
        match &declared(line)[..] {
            line if is_path(line) => {
                rows.push(Row { kind: Kind::Name, ..line[line.len() - 1].clone() })
            }
            line @ [first, ..] if is_name(line) => {
                let cells = line.iter().flat_map(|row| row.cells.clone()).collect();
                rows.push(Row { cells, kind: Kind::Name, ..first.clone() });
            }
            line => rows.extend(line.iter().flat_map(|row| parts(row, words_are_tiles))),
        }
    }
    let is_heading = |row: &Row| row.may_be_name() || matches!(row.kind, Kind::Size(_));
    let mut headings = 0;
    for at in 1..rows.len() {
        let (before, row) = (&rows[at - 1], &rows[at]);
        let is_name = matches!(before.kind, Kind::Name | Kind::Size(_));
        let is_named = is_name && before.line == row.line;
        // A heading on a line of its own ends what is above it.
        let is_alone = rows.get(at + 1).is_none_or(|next| next.line > row.line);
        let is_below = before.kind == Kind::Cells && before.line < row.line;
        headings += usize::from(is_below && is_alone && is_heading(row));
        rows[at].is_named |= is_named;
        rows[at].group += headings;
    }
    without_numbers(rows)
}

/// The most numbers before a board in its line.
const MAX_NUMBERS: usize = 3;

/// `numbers before a board on each line`: the rows of a list of such lines, with the numbers as names.
fn without_numbers(rows: Vec<Row>) -> Vec<Row> {
    let is_numbered = |row: &Row, numbers: usize| {
        let cells = row.cells.len().saturating_sub(numbers);
        cells >= MANY && Grid::square(cells).is_some() && row.kind == Kind::Cells
    };
    let is_list = |numbers: &usize| {
        let all = rows.iter().filter(|row| is_numbered(row, *numbers)).count();
        all > 1 && 2 * all > rows.len()
    };
    let Some(numbers) = (1..=MAX_NUMBERS).find(is_list) else { return rows };
    let split = |row: Row| {
        if !is_numbered(&row, numbers) {
            return vec![row];
        }
        let (head, body) = row.cells.split_at(numbers);
        vec![Row { kind: Kind::Name, ..row.of(head) }, row.of(body)]
    };
    rows.into_iter().flat_map(split).collect()
}

/// `a line of words`: returns whether the rows of a line are one name.
fn is_name(line: &[Row]) -> bool {
    let is_short = |row: &Row| row.cells.len() == 1 && row.cells[0].text.len() < SHORT;
    let is_part = |row: &Row| match row.kind {
        Kind::Name => true,
        Kind::Cells => is_short(row) || row.cells.iter().any(Cell::is_word),
        _ => false,
    };
    line.len() > 1 && line.iter().any(|row| row.kind == Kind::Name) && line.iter().all(is_part)
}

/// Returns whether the rows of a line are the parts of the path of a file: `./puzzle04.txt`.
fn is_path(line: &[Row]) -> bool {
    let are_words = line.iter().all(|row| row.cells.len() == 1 && row.kind == Kind::Cells);
    let end = line.last().and_then(|row| row.cells[0].text.rsplit_once('.'));
    let is_kind = |end: &str| end.len() > 1 && end.chars().all(char::is_alphabetic);
    are_words && end.is_some_and(|(name, end)| !name.is_empty() && is_kind(end))
}

/// The rows of a line, with a size for what an array is declared to be, as in `int t[3][2] = {`: rows, then columns.
fn declared(line: &[Row]) -> Vec<Row> {
    let side = |row: &Row| {
        let is_side = row.kind == Kind::Cells && row.cells.len() == 1 && row.depth == 1;
        usize::try_from(row.cells.first()?.number().filter(|_| is_side)?).ok()
    };
    let sides: Vec<usize> = line.iter().skip(1).map_while(side).collect();
    match (line, &sides[..]) {
        ([name, row, ..], &[height, width]) if name.kind == Kind::Name && width < MANY => {
            let cells = line[1..3].iter().flat_map(|row| row.cells.clone());
            let kind = Kind::Size(vec![width, height]);
            let size = Row { kind, cells: cells.collect(), ..row.clone() };
            [&line[..1], &[size], &line[3..]].concat()
        }
        _ => line.to_vec(),
    }
}

/// The rows of lines, in which words are cells.
pub fn unparted<'a>(lines: impl Iterator<Item = (usize, &'a str)>, has_hash: bool) -> Vec<Row> {
    let mut scan = Scan::default();
    marks::lines(lines, has_hash).iter().for_each(|line| scan.line(line));
    scan.rows
}

/// A bracket that is open.
struct Bracket {
    /// The name next to it.
    name: String,
    /// The text before it, if that may turn a board.
    call: Option<String>,
    /// It has brackets in it.
    is_outer: bool,
    /// It has several rows in it.
    has_rows: bool,
}

/// Cuts the lines of a paragraph into rows.
#[derive(Default)]
struct Scan {
    row: Row,
    cell: Cell,
    /// The separator of cells that has come since the last cell; `x` after a cell or a bracket, and a space before the
    /// first cell.
    last: char,
    /// The white space since the last cell.
    space: usize,
    brackets: Vec<Bracket>,
    /// The call of the last bracket that ended.
    call: Option<String>,
    /// The first row of the last list.
    list: usize,
    /// How many brackets were open at the beginning of the line.
    depth: usize,
    group: usize,
    rows: Vec<Row>,
}

impl Scan {
    /// Cuts a line into rows.
    fn line(&mut self, line: &Line) {
        let Line { number, text, begins, ends, stray, call } = line;
        self.group += usize::from(*begins);
        self.row = Row { line: *number, ..Row::default() };
        (self.last, self.space, self.depth) = (' ', 0, self.brackets.len());
        call.iter().for_each(|call| self.special(Kind::Call, call.clone()));
        // Signs after the names of a size say nothing.
        let bare = text.replace([':', '=', '(', ')', '[', ']', '{', '}'], " ");
        let is_size = size(&bare).is_some() && text.starts_with(|c| !"[({".contains(c));
        for c in text.chars().chain(['\n']) {
            match c {
                // `commas, brackets`, `an empty cell`, `a matrix of TeX`.
                ',' | '&' => self.separate(c),
                '(' | '[' | '{' | ':' | '=' if is_size && self.depth == 0 => self.end_cell(),
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
        stray.iter().for_each(|marks| self.special(Kind::Mark, marks.clone()));
        self.group += usize::from(*ends);
    }

    /// Ends a name, or an argument in brackets.
    fn name(&mut self, sign: char) {
        let is_first = self.row.cells.is_empty() && self.cell.text.is_empty();
        let begins = is_first && self.rows.last().is_none_or(|row| row.line < self.row.line);
        let in_list = is_first && sign == '=' && !self.brackets.is_empty();
        if begins || in_list || self.row.numbers().count() >= SHORT && sign == '=' {
            return self.cell.text.push(sign);
        }
        self.end_cell();
        let name = self.row.cells.last().map(|cell| cell.text.clone()).unwrap_or_default();
        let is_argument = sign == '=' && self.brackets.last().is_some_and(|it| !it.name.is_empty());
        self.end_row_as(self.row.numbers().count() < SHORT);
        if is_argument && !calls::is_argument(&name) {
            self.special(Kind::Call, name);
        }
    }

    /// Ends a row at a slash, a closing bracket or the end of the line.
    fn end_row_at(&mut self, end: char) {
        self.end_cell();
        // Lists may end with a comma, but rows of TeX do not end with `&`.
        if self.last == '&' {
            self.row.cells.push(Cell::default());
        }
        let (closes, depth) = (")]}".contains(end), self.brackets.len());
        self.brackets.last_mut().into_iter().for_each(|list| list.has_rows |= end == '/');
        self.row.is_cut = closes && depth <= self.depth || end == '\n' && depth > self.depth;
        self.end_row_as(false);
        self.last = if closes { 'x' } else { ' ' };
        let closed = if closes { self.brackets.pop() } else { None };
        // A list of lists ends.
        self.group += usize::from(closed.as_ref().is_some_and(|closed| closed.is_outer));
        self.call = closed.and_then(|closed| closed.call);
    }

    /// Begins a row at a bracket, which may have a name, or follow a bracket that has one.
    fn open(&mut self) {
        let name = self.cell.text.clone();
        self.end_cell();
        let follows = self.last == 'x';
        let call = if follows { call(&self.row.cells, !name.is_empty()) } else { None };
        let outer = self.call.take().filter(|_| follows && self.row.cells.is_empty());
        self.end_row_as(name.contains(char::is_alphabetic));
        if call.is_some() && name.starts_with('.') {
            self.special(Kind::Call, name.clone());
        }
        if self.brackets.is_empty() && !name.starts_with('.') {
            self.list = self.rows.len();
        }
        let call = call.or(outer);
        let within = self.brackets.last_mut().into_iter();
        within.for_each(|outer| (outer.is_outer, outer.has_rows) = (true, true));
        self.brackets.push(Bracket { name, call, is_outer: false, has_rows: false });
    }

    /// `an array`: `.reshape` has the numbers of rows and of cells in a row, for the cells of the list before it.
    fn reshape(&mut self) {
        let sides: Vec<_> =
            self.row.cells.iter().map(|it| it.number().unwrap_or(0) as usize).collect();
        let (list, others): (Vec<Row>, Vec<Row>) =
            self.rows.drain(self.list..).partition(|row| row.kind == Kind::Cells);
        let cells: Vec<Cell> = list.iter().flat_map(|row| row.cells.clone()).collect();
        // One side may be -1.
        let width = if sides[1] > 0 { sides[1] } else { cells.len() / sides[0].max(1) };
        let product = width.checked_mul(sides[0]);
        let fits = width > 0 && [Some(cells.len()), Some(0)].contains(&product);
        if let (Some(last), true) = (list.last(), fits) {
            self.rows.extend(cells.chunks(width).map(|cells| last.of(cells)));
        } else {
            self.special(Kind::Call, ".reshape".to_owned());
        }
        self.rows.extend(others);
    }

    fn special(&mut self, kind: Kind, text: String) {
        let cells = vec![Cell { text, space: 0 }];
        self.rows.push(Row { kind, cells, group: self.group, ..self.row.of(&[]) });
    }

    fn end_cell(&mut self) {
        if !self.cell.text.is_empty() {
            self.cell.space = mem::take(&mut self.space);
            self.row.cells.push(mem::take(&mut self.cell));
            self.last = 'x';
        }
    }

    /// Ends a cell. Before a comma the first cell may be missing.
    fn separate(&mut self, separator: char) {
        self.end_cell();
        if self.last != 'x' {
            self.row.cells.push(Cell::default());
        }
        self.last = separator;
    }

    /// Ends a row that may be a name.
    fn end_row_as(&mut self, is_name: bool) {
        self.end_cell();
        let space = mem::take(&mut self.space);
        let kind = if is_name { Kind::Name } else { Kind::Cells };
        // The head of a table may be empty.
        let is_empty = self.row.cells.iter().all(|cell| cell.text.is_empty());
        let numbers = self.row.numbers().count();
        let is_word = |cell: &Cell| cell.text.len() >= MANY && !cell.is_word();
        let is_word = self.row.cells.iter().any(is_word);
        // A few numbers after words alone may belong to a label: `Blank at (1, 2)`.
        let is_row = |it: &&Bracket| numbers > 1 && (it.has_rows || !it.name.is_empty());
        let is_list = |it: &&Bracket| is_row(it) || numbers >= SHORT || is_word;
        let call = self.brackets.iter().filter(is_list).find_map(|bracket| bracket.call.clone());
        call.into_iter().for_each(|call| self.special(Kind::Call, call));
        if self.brackets.iter().any(|it| it.name == ".reshape") && self.row.cells.len() == 2 {
            self.reshape();
        } else if !is_empty || self.row.cells.len() == 1 {
            let (group, depth) = (self.group, self.brackets.len());
            self.rows.push(Row { space, kind, group, depth, ..self.row.clone() });
        }
        self.row.cells.clear();
        (self.row.is_cut, self.last) = (false, ' ');
    }
}

/// The call that cells before a bracket are, which may change what is in it: another name, or a sign of arithmetic, as
/// in `9 - np.array(`. With words, a dash is one of a label, and so is the name of a board that is not next to it.
fn call(cells: &[Cell], is_next: bool) -> Option<String> {
    let texts: Vec<&str> = cells.iter().map(|cell| &*cell.text).collect();
    let (name, before) = texts.split_last()?;
    let is_sign = |text: &&str| ["+", "-", "*", "%", "^", "@"].contains(text);
    let has_words = cells[..before.len()].iter().any(Cell::is_word);
    let is_label = !is_next && calls::is_argument(name);
    let is_unknown = name.contains(char::is_alphabetic) && !calls::holds_rows(name) && !is_label;
    let is_computed = texts.len() > 1 && texts.iter().rev().take(2).any(is_sign) && !has_words;
    (is_unknown || is_computed || *name == "@").then(|| texts.join(" "))
}

/// The rows that a row is cut into: a size, and what follows it.
fn parts(row: &Row, words_are_tiles: bool) -> Vec<Row> {
    if let Some(sides) = size(&row.text()) {
        return vec![Row { kind: Kind::Size(sides), ..row.clone() }];
    }
    // `a size before the tiles`, as in `3x2 1 2 3 4 0 5`.
    let (first, others) = row.cells.split_at(1);
    if let Some(sides) = size(&first[0].text) {
        return vec![Row { kind: Kind::Size(sides), ..row.of(first) }, row.of(others)];
    }
    // Several words with digits, or words of one length, may have a character for each tile.
    let tiles: Vec<&Cell> = row.cells.iter().filter(|cell| !cell.is_word()).collect();
    let is_compact = tiles.len() > 1 && tiles.iter().all(|cell| cell.text.len() > 2)
        || row.cells.iter().all(|cell| cell.text.len() == first[0].text.len());
    let is_name = row.kind == Kind::Cells && !is_compact && !words_are_tiles;
    let kind = if is_name && tiles.len() < row.cells.len() { Kind::Name } else { row.kind.clone() };
    vec![Row { kind, ..row.clone() }]
}

/// `names of rows and columns`: the sides that a text says, as `4x3`, `3 by 3`, `rows 2 columns 3` or `size 4`.
fn size(text: &str) -> Option<Vec<usize>> {
    let text = text.to_ascii_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    let words = || text.split([' ', ',', ';', '/', '-']).filter(|word| !word.is_empty());
    let sides = text.split(|c| !is_digit(c)).filter(|word| !word.is_empty());
    let mut sides: Vec<usize> = sides.map(|side| side.parse().ok()).collect::<Option<_>>()?;
    let class = |word: &str| match word {
        _ if CROSSES.contains(&word) => Some("x"),
        "and" => Some(""),
        _ if word.starts_with(is_digit) => {
            let names = word.split(is_digit).filter(|part| !part.is_empty());
            let names: Vec<&str> = names.collect();
            match names[..] {
                [] => Some("1"),
                // A number next to letters is a name, unless numbers are at both ends: `3x3`.
                [cross] if word.ends_with(is_digit) => CROSSES.contains(&cross).then_some("1x1"),
                _ => None,
            }
        }
        _ => Some(SIZES.iter().find(|(_, names)| names.contains(&format!(" {word} ")))?.0),
    };
    let form = words().map(class).collect::<Option<String>>()?;
    let has_letter = words().any(|word| ["h", "r", "w", "c"].contains(&word));
    let rows_first = match &*form {
        "1x1" | "sx1" | "s1x1" | "s11" => text.trim_start().starts_with("shape"),
        "c1r1" | "1c1r" | "1cx1r" | "c1xr1" => false,
        "r1c1" | "1r1c" | "1rx1c" | "r1xc1" => true,
        "s1" | "r1" | "c1" | "1s" | "1r" | "1c" if !has_letter => false,
        _ => return None,
    };
    if rows_first {
        sides.reverse();
    }
    Some(sides)
}
