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

/// A tile, a sign for the blank, or a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// Its first column in the line, from 0.
    pub begin: usize,
}

impl Cell {
    /// A blank that is not written.
    pub const EMPTY: Cell = Cell { text: String::new(), begin: 0 };

    pub fn end(&self) -> usize {
        self.begin + self.text.chars().count()
    }

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

/// What a row can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Tiles, or numbers before a board.
    #[default]
    Cells,
    /// Words, or a name.
    Name,
    /// A size, and whether its rows come first.
    Size(Vec<usize>, bool),
}

/// A row of cells.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub cells: Vec<Cell>,
    pub kind: Kind,
    /// It follows a name in its line.
    pub is_named: bool,
    /// It ends with a separator, after which a cell may be missing.
    pub is_open: bool,
    /// Bars are in its line: they separate cells, or end rows.
    pub bars: Option<bool>,
    /// White space alone separates the cells, from this column on.
    pub spaced: Option<usize>,
    /// The column where it ends, after white space.
    pub end: usize,
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
        self.texts().collect::<Vec<_>>().join(" ")
    }
}

/// The rows of lines with their numbers.
pub fn rows<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Row> {
    unsorted(lines).into_iter().flat_map(sorted).collect()
}

/// The rows of lines, in which words are cells.
pub fn unsorted<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, line) in lines {
        let line = unjoined(&without_comment(line));
        if !is_rule(&line) {
            scan(&line, number, &mut rows);
        }
    }
    rows.retain(|row: &Row| !row.cells.is_empty());
    rows
}

/// Returns whether a line is a part of the frame of a picture.
pub fn is_rule(line: &str) -> bool {
    let is_flat = |c: char| "-=_─━═".contains(c);
    let is_corner = |c: char| "+:┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬".contains(c) || BARS.contains(&c);
    let flat = line.chars().filter(|&c| is_flat(c)).count();
    let corners = line.chars().filter(|&c| is_corner(c)).count();
    let spaces = line.chars().filter(|c| c.is_whitespace()).count();
    flat > 0 && flat + corners > 2 && flat + corners + spaces == line.chars().count()
}

/// A line without its comment, and without the marks of lists, quotations and blocks of text.
fn without_comment(line: &str) -> String {
    let has_words = |text: &str| {
        text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
    };
    let line = line.trim_start_matches('\u{feff}').replace("```", "").replace("\"\"\"", "");
    let begins = |at: usize, mark: &str| {
        let (before, after) = (line[..at].trim(), &line[at + mark.len()..]);
        // The blank may be written as `#`, and a list begin with `#(`. A number follows `#` after a word.
        let is_list = after.trim_start_matches(char::is_alphanumeric).starts_with('(');
        before.is_empty() && !is_list || has_words(after) && !before.ends_with(':')
    };
    let is_comment =
        |mark: &str| line.match_indices(mark).map(|(at, _)| at).find(|&at| begins(at, mark));
    let end = ["//", "/*", "#"].into_iter().filter_map(is_comment).min().unwrap_or(line.len());
    let line = &line[..end];
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

/// A line without quotes: nothing in them is the blank, and several words in them are a row. A quote after brackets turns
/// a matrix, and one after a letter is an apostrophe.
fn unquoted(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, quoted) = rest.split_at(at);
        text += before;
        let is_apostrophe = before.ends_with(char::is_alphanumeric);
        let inner = quoted[1..].split_once(&quoted[..1]).filter(|_| !is_apostrophe);
        rest = inner.map_or(&quoted[1..], |(_, rest)| rest);
        text += &match inner.map(|(inner, _)| (inner, inner.split_whitespace().count())) {
            Some((_, 0)) => " _ ".to_owned(),
            Some((inner, 1)) => format!(" {inner} "),
            Some((inner, _)) => format!(" {inner} )"),
            None if before.ends_with([']', ')']) => " ' ".to_owned(),
            None => " ".to_owned(),
        };
    }
    text + rest
}

/// Cuts one line into rows.
fn scan(line: &str, number: usize, rows: &mut Vec<Row>) {
    let has_quotes = line.contains(['"', '\'']);
    let line = &*unquoted(line);
    let separates = |&mark: &char| {
        let inner = line.trim().trim_matches(|c: char| c == mark || c == '\\' || c == ' ');
        let mut parts = inner.split(mark).map(|part| part.split_whitespace().count());
        // The gap may be in a row of two.
        let is_framed = mark != ';' && line.matches(mark).count() > 2;
        (inner.contains(mark) || is_framed) && !inner.contains(',') && parts.all(|words| words < 2)
    };
    let bars: Vec<char> = BARS.into_iter().filter(separates).collect();
    let is_spaced = bars.is_empty() && !has_quotes && !line.contains([',', '&', '\t']);
    let row = Row {
        bars: line.contains(&BARS[..4]).then_some(bars.iter().any(|bar| *bar != ';')),
        spaced: is_spaced.then_some(0),
        line: number,
        ..Row::default()
    };
    // Tabs separate the cells.
    let has_tabs = line.matches('\t').count() > 1 && !line.trim().contains(' ');
    let mut open = Open { row, cell: Cell::EMPTY, last: ' ', at: 0, rows };
    for (at, c) in line.chars().chain(['\n']).enumerate() {
        open.at = at;
        match c {
            ',' | '&' | '\t' => open.separate(c, c != '\t' || has_tabs),
            _ if bars.contains(&c) => open.separate(c, false),
            '/' | '\\' | ')' | ']' | '}' | '\n' => {
                open.end_cell();
                // A bar may end a row of a picture.
                open.row.is_open = c == '\n' && ",;&\t".contains(open.last);
                open.end_row();
                open.last = if ")]}".contains(c) { 'x' } else { ' ' };
            }
            _ if BARS.contains(&c) => open.end_row(),
            // The name of a size is a part of it.
            '(' | '[' | '{' | ':' | '=' if open.is_size() => open.end_cell(),
            '(' | '[' | '{' => {
                open.end_cell();
                let is_name = open.row.cells.iter().any(Cell::is_word);
                open.end_name(is_name, is_name);
            }
            // A name has at most three numbers.
            ':' | '=' => {
                open.end_cell();
                open.end_name(open.row.numbers().count() < 4, true);
            }
            // Keycaps end with two marks.
            _ if c.is_whitespace() || "\u{fe0f}\u{20e3}".contains(c) => open.end_cell(),
            _ => {
                if open.cell.text.is_empty() {
                    open.cell.begin = at;
                }
                open.cell.text.push(c);
            }
        }
        if open.row.cells.is_empty() && open.cell.text.is_empty() && c != ' ' {
            let is_slash = c == '/' && line.chars().nth(at + 1) == Some(' ');
            open.row.spaced = open.row.spaced.map(|_| at + 1 + usize::from(is_slash));
        }
    }
}

/// A row that has begun.
struct Open<'a> {
    row: Row,
    cell: Cell,
    /// The separator of cells that has come since the last cell; `x` after a cell or a bracket, and a space before the
    /// first cell.
    last: char,
    at: usize,
    rows: &'a mut Vec<Row>,
}

impl Open<'_> {
    fn end_cell(&mut self) {
        if !self.cell.text.is_empty() {
            self.row.cells.push(std::mem::replace(&mut self.cell, Cell::EMPTY));
            self.last = 'x';
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
            self.row.cells.push(Cell::EMPTY);
        }
        self.last = separator;
    }

    fn end_row(&mut self) {
        self.end_cell();
        if !self.row.cells.is_empty() {
            self.row.end = self.at;
            let next =
                Row { kind: Kind::Cells, is_open: false, is_named: false, ..self.row.of(&[]) };
            self.rows.push(std::mem::replace(&mut self.row, next));
        }
        self.last = ' ';
    }

    /// Ends a row that may be a name.
    fn end_name(&mut self, is_name: bool, names: bool) {
        if is_name && !self.row.cells.is_empty() {
            self.row.kind = Kind::Name;
        }
        self.end_row();
        self.row.is_named |= names;
    }
}

/// A row with its kind. A size, the number of an item, and words at its ends are rows of their own.
fn sorted(mut row: Row) -> Vec<Row> {
    if let Some(size) = size(&row) {
        row.kind = size;
        return vec![row];
    }
    // As in `3x2 1 2 3 4 0 5` and in `3. 8 1 2`.
    let is_item = |cell: &Cell| cell.text.ends_with('.') && cell.number().is_some();
    let (first, others) = row.cells.split_at(1);
    let size = size(&row.of(first)).filter(|_| !first[0].is_word());
    let item = (is_item(&first[0]) && !others.iter().any(is_item)).then_some(Kind::Name);
    if let Some(kind) = size.or(item).filter(|_| !others.is_empty()) {
        return vec![Row { kind, ..row.of(first) }, Row { is_named: true, ..row.of(others) }];
    }
    let words = row.cells.iter().filter(|cell| cell.is_word()).count();
    if row.kind == Kind::Name || words == 0 || words == row.cells.len() {
        return vec![row];
    }
    let numbers = row.numbers().count();
    if numbers < 4 {
        // A misspelt row of tiles begins with a tile, or has more of them.
        let is_part = |cell: &Cell| cell.digits() > 0 || cell.text.chars().all(char::is_alphabetic);
        if row.cells[0].is_word() && numbers <= words && row.cells.iter().all(is_part) {
            row.kind = Kind::Name;
        }
        return vec![row];
    }
    let is_tile = |cell: &Cell| !cell.is_word();
    let begin = row.cells.iter().position(is_tile).unwrap_or(0);
    let end = row.cells.iter().rposition(is_tile).unwrap_or(0) + 1;
    let name = |cells: &[Cell]| Row { kind: Kind::Name, ..row.of(cells) };
    let tiles = Row { is_named: row.is_named || begin > 0, ..row.of(&row.cells[begin..end]) };
    let parts = [name(&row.cells[..begin]), tiles, name(&row.cells[end..])];
    parts.into_iter().filter(|part| !part.cells.is_empty()).collect()
}

/// The size that a row is, as in `4x3`, `3 by 3`, `rows 2 columns 3` or `size 4`.
fn size(row: &Row) -> Option<Kind> {
    let text = row.text().to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    let sides = text.split(|c| !is_digit(c)).filter(|word| !word.is_empty());
    let sides: Vec<usize> = sides.map(|side| side.parse().ok()).collect::<Option<_>>()?;
    let names = text.split(|c| is_digit(c) || " ,-".contains(c)).filter(|word| !word.is_empty());
    let names: Vec<&str> = names.collect();
    let place = |name: &&str| SIZES.iter().position(|size| size == name);
    let is_crossed = text.starts_with(is_digit) && text.ends_with(is_digit);
    let is_size = (1..3).contains(&sides.len())
        && names.iter().all(|name| place(name).is_some() || CROSSES.contains(name))
        && (names.iter().any(|name| place(name).is_some())
            || sides.len() == 2 && names.len() == 1 && is_crossed);
    let rows_first = names.first().and_then(place).is_some_and(|place| place < ROWS_FIRST);
    is_size.then_some(Kind::Size(sides, rows_first))
}
