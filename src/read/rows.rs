//! A text as rows of cells, in one pass.
//!
//! - White space, quotes and opening brackets separate cells.
//! - So do commas, tabs and `&`; between two of them is the blank.
//! - `/`, `\`, closing brackets and line ends end a row.
//! - Bars and semicolons separate cells where at most one word is between two of them, and end rows
//!   elsewhere.
//! - `:` and `=` end a name.
//!
//! Comments, the frames of pictures, and the marks of lists and quotations are left out.

use std::collections::BTreeSet;
use std::mem;

/// The bars of pictures and tables.
const BARS: [char; 5] = ['|', '│', '┃', '║', ';'];

/// The signs and words for the blank, in lower case.
pub const BLANKS: [&str; 17] = [
    "_", "__", "___", ".", "x", "#", "-", "-1", "*", "•", "□", "none", "null", "nil", "na", "nan",
    "blank",
];

/// The names of a size. Some put the rows first.
const SIZES: [&str; 18] = [
    "shape", "rows", "height", "h", "r", "size", "n", "side", "dim", "dims", "cols", "columns",
    "width", "wide", "high", "w", "c", "and",
];
const ROWS_FIRST: usize = 5;

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
        let is_real = text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
        let value = text.parse::<f64>().ok().filter(|_| is_real)?;
        (value.fract() == 0.0 && value < 1e6).then_some(value as u64)
    }

    pub fn is_blank(&self) -> bool {
        self.text.is_empty() || BLANKS.contains(&&*self.text.to_lowercase())
    }

    /// Returns whether this is a text that no tile has: two letters or more, and no digit. The first letters are tiles.
    pub fn is_word(&self) -> bool {
        let letters: BTreeSet<char> = self.text.to_lowercase().chars().collect();
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
}

/// A row of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub cells: Vec<Cell>,
    pub kind: Kind,
    /// It follows a name or a size in its line.
    pub is_named: bool,
    /// It ends with a separator, after which a cell may be missing.
    pub is_open: bool,
    /// Only white space separates the cells.
    pub is_spaced: bool,
    /// The white space at its end.
    pub space: usize,
    /// The line in the text, from 1.
    pub line: usize,
}

impl Row {
    /// Returns whether this is a name. Words may also be rows of letters.
    pub fn is_name(&self) -> bool {
        self.kind == Kind::Name || self.cells.iter().all(Cell::is_word)
    }

    /// Returns whether the first number has zeros before it, which no tile has next to others of one digit.
    pub fn is_padded(&self) -> bool {
        (2..9).contains(&self.cells[0].digits()) && self.cells[0].text.starts_with('0')
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

/// The rows of lines with their numbers. Words, a size and the number of an item are rows of their own.
pub fn rows<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Row> {
    let mut rows: Vec<Row> = unparted(lines).into_iter().flat_map(parts).collect();
    for at in 1..rows.len() {
        let before = &rows[at - 1];
        let is_heading = before.is_name() || before.kind != Kind::Cells;
        rows[at].is_named |= is_heading && before.line == rows[at].line;
    }
    rows
}

/// The rows of lines, in which words are cells.
pub fn unparted<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, line) in lines {
        let line = unjoined(&without_comment(line));
        if !is_rule(&line) {
            scan(&line, number, &mut rows);
        }
    }
    rows
}

/// Returns whether a line is a part of the frame of a picture.
pub fn is_rule(line: &str) -> bool {
    let signs: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let is_corner = |c| "+:┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬".contains(c) || BARS.contains(&c);
    let flat = signs.iter().filter(|&&c| "-=_─━═".contains(c)).count();
    flat > 0
        && signs.len() > 2
        && signs.iter().filter(|&&c| is_corner(c)).count() + flat == signs.len()
}

/// A line without its comment, and without the marks of lists, quotations and blocks of text.
fn without_comment(line: &str) -> String {
    let has_words = |text: &str| {
        text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
    };
    let line = line.trim_start_matches('\u{feff}').replace("```", "").replace(r#"""""#, "");
    let begins = |&(at, mark): &(usize, &str)| {
        let (before, after) = (line[..at].trim(), &line[at + mark.len()..]);
        // The blank may be written as `#`, and a list begin with `#(`. A number follows `#` after a word.
        let is_list = after.trim_start_matches(char::is_alphanumeric).starts_with('(');
        before.is_empty() && !is_list || has_words(after) && !before.ends_with(':')
    };
    let marks = ["//", "/*", "#"].into_iter().flat_map(|mark| line.match_indices(mark));
    let line = &line[..marks.filter(begins).map(|(at, _)| at).min().unwrap_or(line.len())];
    let marks = ["> ", "- ", "* ", ">>> "];
    let bare = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
    // Continued lines, and line ends in strings.
    bare.unwrap_or(line).replace("...", "   ").replace("\\n", " / ")
}

/// A line with white space for the dashes or underscores between its tiles. With both, dashes end rows.
fn unjoined(line: &str) -> String {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "-_/,;:.".contains(c);
    let joins = |mark: u8| {
        let is_tile = |b: u8| b.is_ascii_alphanumeric();
        line.as_bytes().windows(3).any(|b| b[1] == mark && is_tile(b[0]) && is_tile(b[2]))
    };
    let may_join = line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(is_plain);
    match may_join.then(|| [joins(b'-'), joins(b'_')]) {
        Some([_, true]) => line.replace('-', "/").replace('_', " "),
        Some([true, false]) => line.replace('-', " "),
        _ => line.to_owned(),
    }
}

/// Cuts one line into rows.
fn scan(line: &str, number: usize, rows: &mut Vec<Row>) {
    let separates = |&mark: &char| {
        let inner = line.trim().trim_matches(|c: char| c == mark || c == '\\' || c == ' ');
        let mut parts = inner.split(mark).map(|part| part.split_whitespace().count());
        // The gap may be in a row of two.
        let is_framed = mark != ';' && line.matches(mark).count() > 2;
        // No row is empty, but a cell may be.
        let is_gap = |part: &str| !part.is_empty() && part.trim().is_empty();
        (inner.contains(mark) || is_framed)
            && !inner.contains(',')
            && (parts.all(|words| words < 2) || line.trim().split(mark).any(is_gap))
    };
    let bars: Vec<char> = BARS.into_iter().filter(separates).collect();
    // Several numbers in a cell are no tile.
    let cell = |part: &str| match part.split_whitespace().collect::<Vec<_>>() {
        words if words.len() < 2 => part.to_owned(),
        words => words.join("_"),
    };
    let joined = |line: String, mark: &char| {
        line.split(*mark).map(cell).collect::<Vec<_>>().join(&mark.to_string())
    };
    let line = &bars.iter().fold(line.to_owned(), joined);
    let row = Row {
        is_spaced: bars.is_empty() && !line.contains([',', '&', '\t', '"', '\'']),
        line: number,
        ..Row::default()
    };
    // Tabs separate the cells.
    let has_tabs = line.matches('\t').count() > 1 && !line.trim().contains(' ');
    let mut open = Open { row, cell: Cell::default(), last: ' ', space: 0, quoted: 0, rows };
    let (mut quote, mut before) = (None, ' ');
    for c in line.chars().chain(['\n']) {
        match c {
            // Nothing in quotes is the blank, and several words in them are a row.
            _ if quote == Some(c) => {
                open.end_cell();
                match open.quoted {
                    0 => open.row.cells.push(Cell::default()),
                    1 => {}
                    _ => open.end_row(),
                }
                (open.last, quote) = ('x', None);
            }
            // A quote after a letter is an apostrophe, and one after brackets transposes a matrix.
            '"' | '\'' => {
                open.end_cell();
                match before {
                    ']' | ')' => open.row.cells.push(Cell { text: c.to_string(), space: 0 }),
                    _ if quote.is_none() && !before.is_alphanumeric() => {
                        (quote, open.quoted) = (Some(c), 0);
                    }
                    _ => {}
                }
            }
            ',' | '&' | '\t' => open.separate(c, c != '\t' || has_tabs),
            _ if bars.contains(&c) => open.separate(c, false),
            // The name of a size is a part of it.
            '(' | '[' | '{' | ':' | '=' if open.is_size() => open.end_cell(),
            // A name has at most three numbers.
            ':' | '=' => {
                open.end_cell();
                open.end_row_as(open.row.numbers().count() < 4);
            }
            '/' | '\\' | ')' | ']' | '}' | '\n' => {
                open.end_cell();
                // A bar may end a row of a picture.
                open.row.is_open = c == '\n' && ",;&\t".contains(open.last);
                open.end_row();
                open.last = if ")]}".contains(c) { 'x' } else { ' ' };
            }
            '(' | '[' | '{' => {
                open.end_cell();
                open.end_row_as(open.row.cells.iter().any(Cell::is_word));
            }
            _ if BARS.contains(&c) => open.end_row(),
            // Keycaps end with two marks.
            _ if c.is_whitespace() || "\u{fe0f}\u{20e3}".contains(c) => {
                open.end_cell();
                open.space += 1;
            }
            _ => open.cell.text.push(c),
        }
        before = c;
    }
}

/// A row that has begun.
struct Open<'a> {
    row: Row,
    cell: Cell,
    /// The separator of cells that has come since the last cell; `x` after a cell or a bracket, and a space before the
    /// first cell.
    last: char,
    /// The white space since the last cell.
    space: usize,
    /// The cells since the last quote.
    quoted: usize,
    rows: &'a mut Vec<Row>,
}

impl Open<'_> {
    fn end_cell(&mut self) {
        if !self.cell.text.is_empty() {
            self.cell.space = mem::take(&mut self.space);
            self.row.cells.push(mem::take(&mut self.cell));
            self.last = 'x';
            self.quoted += 1;
        }
    }

    /// Returns whether the last word is the name of a size.
    fn is_size(&self) -> bool {
        let last = self.row.cells.last().filter(|_| self.cell.text.is_empty());
        SIZES.contains(&&*last.unwrap_or(&self.cell).text.to_lowercase())
    }

    /// Ends a cell by a separator of cells. `leads` tells that a first cell may be missing before it.
    fn separate(&mut self, separator: char, leads: bool) {
        self.end_cell();
        if self.last != 'x' && (leads || self.last != ' ') {
            self.row.cells.push(Cell::default());
        }
        self.last = separator;
    }

    fn end_row(&mut self) {
        self.end_row_as(false);
    }

    /// Ends a row that may be a name.
    fn end_row_as(&mut self, is_name: bool) {
        self.end_cell();
        let space = mem::take(&mut self.space);
        let kind = if is_name { Kind::Name } else { Kind::Cells };
        if !self.row.cells.is_empty() {
            self.rows.push(Row { space, kind, ..self.row.clone() });
        }
        self.row.cells.clear();
        (self.row.is_open, self.last) = (false, ' ');
    }
}

/// The rows that a row is cut into: a size, the number of an item, words, and what is between them.
fn parts(row: Row) -> Vec<Row> {
    if let Some(kind) = size(&row) {
        return vec![Row { kind, ..row }];
    }
    if row.kind == Kind::Name {
        return vec![row];
    }
    // As in `3x2 1 2 3 4 0 5` and in `3. 8 1 2`.
    let is_item = |cell: &Cell| cell.text.ends_with('.') && cell.number().is_some();
    let (first, others) = row.cells.split_at(1);
    let size = size(&row.of(first)).filter(|_| !first[0].is_word());
    let item = (is_item(&first[0]) && !others.iter().any(is_item)).then_some(Kind::Name);
    let kind = size.or(item).filter(|_| !others.is_empty());
    let (head, body) = row.cells.split_at(usize::from(kind.is_some()));
    // Several words with digits, or words of one length, may have a character for each tile.
    let tiles: Vec<&Cell> = body.iter().filter(|cell| !cell.is_word()).collect();
    let is_compact = tiles.len() > 1 && tiles.iter().all(|cell| cell.text.len() > 2)
        || body.iter().all(|cell| cell.text.len() == body[0].text.len());
    let is_mixed = !is_compact && !tiles.is_empty();
    let of = |cells: &[Cell]| match is_mixed && cells[0].is_word() {
        true => Row { kind: Kind::Name, ..row.of(cells) },
        false => row.of(cells),
    };
    let parts = body.chunk_by(|a, b| !is_mixed || a.is_word() == b.is_word()).map(of);
    kind.map(|kind| Row { kind, ..row.of(head) }).into_iter().chain(parts).collect()
}

/// The size that a row is, as in `4x3`, `3 by 3`, `rows 2 columns 3` or `size 4`.
fn size(row: &Row) -> Option<Kind> {
    let text = row.text().to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    let sides = text.split(|c| !is_digit(c)).filter(|word| !word.is_empty());
    let mut sides: Vec<usize> = sides.map(|side| side.parse().ok()).collect::<Option<_>>()?;
    let names = text.split(|c| is_digit(c) || " ,-".contains(c)).filter(|word| !word.is_empty());
    let names: Vec<&str> = names.collect();
    let place = |name: &&str| SIZES.iter().position(|size| size == name);
    let is_crossed = text.starts_with(is_digit) && text.ends_with(is_digit);
    let is_size = (1..3).contains(&sides.len())
        && names.iter().all(|name| place(name).is_some() || CROSSES.contains(name))
        && (names.iter().any(|name| place(name).is_some())
            || sides.len() == 2 && names.len() == 1 && is_crossed);
    if names.first().and_then(place).is_some_and(|place| place < ROWS_FIRST) {
        sides.reverse();
    }
    is_size.then_some(Kind::Size(sides))
}
