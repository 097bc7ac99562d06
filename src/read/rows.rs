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

/// The names of a size. `shape` and names of rows put the rows first.
const SIZES: [&str; 18] = [
    "size", "n", "side", "dim", "dims", "shape", "rows", "cols", "columns", "width", "height",
    "wide", "high", "w", "h", "r", "c", "and",
];

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
    pub fn end(&self) -> usize {
        self.begin + self.text.chars().count()
    }

    /// A whole number, which programs may write as `3.`, `3.0` or `3.0e+00`.
    pub fn number(&self) -> Option<u64> {
        let text = &*self.text;
        if text.bytes().all(|b| b.is_ascii_digit()) {
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
    /// It is read as a name by a guess.
    pub is_noted: bool,
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
            Scanner::new(&line, number).scan(&mut rows);
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
    flat > 0
        && flat + corners > 2
        && line.chars().all(|c| is_flat(c) || is_corner(c) || c.is_whitespace())
}

/// A line without its comment, and without the marks of lists, quotations and blocks of text.
fn without_comment(line: &str) -> String {
    let has_words = |text: &str| {
        text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
    };
    let line = line.trim_start_matches('\u{feff}').replace("```", "").replace("\"\"\"", "");
    let start = line.len() - line.trim_start().len();
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
    let bare = marks.iter().find_map(|mark| line.get(start..)?.strip_prefix(mark));
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
#[derive(Default)]
struct Scanner {
    chars: Vec<char>,
    /// The bars and semicolons that separate cells.
    bars: Vec<char>,
    row: Row,
    cell: String,
    begin: usize,
    /// Tabs separate the cells.
    has_tabs: bool,
    /// The separator of cells that has come since the last cell.
    open: Option<char>,
    /// A bracket or a quote has been closed since the last separator.
    is_closed: bool,
    /// The open quote, and where it is.
    quote: Option<(char, usize)>,
    at: usize,
}

impl Scanner {
    fn new(line: &str, number: usize) -> Scanner {
        let separates = |&mark: &char| {
            let inner = line.trim().trim_matches(|c: char| c == mark || c == '\\' || c == ' ');
            let mut parts = inner.split(mark).map(|part| part.split_whitespace().count());
            inner.contains(mark) && !inner.contains(',') && parts.all(|words| words < 2)
        };
        let bars: Vec<char> = BARS.into_iter().filter(separates).collect();
        let chars: Vec<char> = line.chars().chain(['\n']).collect();
        let is_spaced = bars.is_empty() && !line.contains([',', '&', '"', '\'', '\t']);
        let row = Row {
            bars: line.contains(&BARS[..4]).then_some(bars.iter().any(|bar| *bar != ';')),
            spaced: is_spaced.then_some(0),
            line: number,
            ..Row::default()
        };
        let has_tabs = line.matches('\t').count() > 1 && !line.trim().contains(' ');
        Scanner { chars, bars, row, has_tabs, ..Scanner::default() }
    }

    fn scan(mut self, rows: &mut Vec<Row>) {
        while let Some(&c) = self.chars.get(self.at) {
            let at = self.at;
            let [last, next] = [at.wrapping_sub(1), at + 1].map(|at| self.chars.get(at).copied());
            let is_tile = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            match c {
                '"' | '\'' if self.quote.is_some_and(|(quote, _)| quote == c) => self.unquote(rows),
                // A matrix is turned: its rows are not those of the text.
                '\'' if self.quote.is_none() && last.is_some_and(|c| "])".contains(c)) => {
                    self.cell.push(c);
                    self.end_row(rows);
                }
                '"' | '\'' if self.quote.is_none() && !is_tile(last) => {
                    self.end_cell();
                    self.quote = Some((c, at));
                }
                ',' | '&' | '\t' => self.separate(c, c != '\t' || self.has_tabs),
                _ if self.bars.contains(&c) => self.separate(c, false),
                '/' | '\\' | ')' | ']' | '}' | '\n' => {
                    self.end_cell();
                    // A bar may end a row of a picture.
                    self.row.is_open = c == '\n' && self.open.is_some_and(|c| ",;&\t".contains(c));
                    self.end_row(rows);
                    self.is_closed = ")]}".contains(c);
                }
                _ if BARS.contains(&c) => self.end_row(rows),
                // The name of a size is a part of it.
                '(' | '[' | '{' | ':' | '=' if self.is_size() => self.end_cell(),
                '(' | '[' | '{' => self.open(rows),
                ':' | '=' => self.end_name(rows),
                '"' | '\'' => self.end_cell(),
                _ if c.is_whitespace() => self.end_cell(),
                _ => {
                    if self.cell.is_empty() && self.quote.is_none() {
                        self.begin = at;
                    }
                    self.cell.push(c);
                }
            }
            self.at += 1;
            if self.row.cells.is_empty() && self.cell.is_empty() && c != ' ' {
                let start = self.at + usize::from(c == '/' && next == Some(' '));
                self.row.spaced = self.row.spaced.map(|_| start);
            }
        }
    }

    fn end_cell(&mut self) {
        if !self.cell.is_empty() {
            let begin = if self.quote.is_some() { 0 } else { self.begin };
            let text = std::mem::take(&mut self.cell);
            self.row.cells.push(Cell { text, begin });
            (self.open, self.is_closed) = (None, true);
        }
    }

    /// Returns whether the last word is the name of a size.
    fn is_size(&self) -> bool {
        let last = self.row.cells.last().map_or("", |cell| &cell.text);
        let word = if self.cell.is_empty() { last } else { &self.cell };
        SIZES.contains(&&*word.to_lowercase())
    }

    /// Ends a text in quotes: the blank if it is empty, a row if it has several words.
    fn unquote(&mut self, rows: &mut Vec<Row>) {
        let start = self.quote.map_or(0, |(_, start)| start + 1);
        let text = String::from_iter(&self.chars[start..self.at]);
        match text.split_whitespace().count() {
            0 => {
                self.row.cells.push(Cell { text: String::new(), begin: 0 });
                self.open = None;
            }
            1 => self.end_cell(),
            _ => self.end_row(rows),
        }
        (self.quote, self.is_closed) = (None, true);
    }

    /// Begins a row. The words before a bracket are its name.
    fn open(&mut self, rows: &mut Vec<Row>) {
        self.end_cell();
        let is_name = self.row.cells.iter().any(Cell::is_word);
        if is_name {
            self.row.kind = Kind::Name;
        }
        self.end_row(rows);
        self.row.is_named |= is_name;
    }

    /// Ends a cell by a separator of cells. `leads` tells that a first cell may be missing before it.
    fn separate(&mut self, separator: char, leads: bool) {
        self.end_cell();
        let is_first = self.row.cells.is_empty() && leads;
        if (self.open.is_some() || is_first) && !self.is_closed {
            self.row.cells.push(Cell { text: String::new(), begin: 0 });
        }
        (self.open, self.is_closed) = (Some(separator), false);
    }

    fn end_row(&mut self, rows: &mut Vec<Row>) {
        self.end_cell();
        if !self.row.cells.is_empty() {
            self.row.end = self.at;
            let next =
                Row { kind: Kind::Cells, is_open: false, is_named: false, ..self.row.of(&[]) };
            rows.push(std::mem::replace(&mut self.row, next));
            self.open = None;
        }
    }

    /// Ends a name, which has at most three numbers.
    fn end_name(&mut self, rows: &mut Vec<Row>) {
        self.end_cell();
        let is_name = self.row.numbers().count() < 4;
        if is_name && !self.row.cells.is_empty() {
            self.row.kind = Kind::Name;
        }
        self.end_row(rows);
        self.row.is_named = true;
    }
}

/// A row with its kind. Words at its ends are a name.
fn sorted(mut row: Row) -> Vec<Row> {
    if let Some(size) = size(&row) {
        row.kind = size;
        return vec![row];
    }
    // A size before tiles, as in `3x2 1 2 3 4 0 5`.
    if let Some(kind) = size(&row.of(&row.cells[..1]))
        && row.cells.len() > 1
        && !row.cells[0].is_word()
    {
        let size = Row { kind, ..row.of(&row.cells[..1]) };
        return vec![size, Row { is_named: true, ..row.of(&row.cells[1..]) }];
    }
    // The number of an item, as in `3. 8 1 2`.
    let is_item = |cell: &Cell| cell.text.ends_with('.') && cell.number().is_some();
    if row.cells.len() > 1 && is_item(&row.cells[0]) && !row.cells[1..].iter().any(is_item) {
        let item = Row { kind: Kind::Name, ..row.of(&row.cells[..1]) };
        return vec![item, Row { is_named: true, ..row.of(&row.cells[1..]) }];
    }
    let is_word = |cell: &Cell| cell.is_word();
    let words = row.cells.iter().filter(|cell| is_word(cell)).count();
    if row.kind == Kind::Name || words == 0 || words == row.cells.len() {
        return vec![row];
    }
    let numbers = row.numbers().count();
    if numbers < 4 {
        // A misspelt row of tiles begins with a tile, or has more of them.
        let is_part =
            |cell: &Cell| cell.number().is_some() || cell.text.chars().all(char::is_alphabetic);
        if row.cells[0].is_word() && numbers <= words && row.cells.iter().all(is_part) {
            row.kind = Kind::Name;
        }
        return vec![row];
    }
    let begin = row.cells.iter().position(|cell| !is_word(cell)).unwrap_or(0);
    let end = row.cells.iter().rposition(|cell| !is_word(cell)).unwrap_or(0) + 1;
    let name = |cells: &[Cell]| Row { kind: Kind::Name, ..row.of(cells) };
    let tiles = Row { is_named: row.is_named || begin > 0, ..row.of(&row.cells[begin..end]) };
    let parts = [name(&row.cells[..begin]), tiles, name(&row.cells[end..])];
    parts.into_iter().filter(|part| !part.cells.is_empty()).collect()
}

/// The size that a row is, as in `4x3`, `3 by 3`, `rows 2 columns 3` or `size 4`.
fn size(row: &Row) -> Option<Kind> {
    let text = row.text().to_lowercase();
    let class = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
    let chars: Vec<char> = text.chars().filter(|&c| c != ',').collect();
    let mut words: Vec<String> =
        chars.chunk_by(|&a, &b| class(a) == class(b)).map(String::from_iter).collect();
    words.iter_mut().for_each(|word| *word = word.trim().to_owned());
    words.retain(|word| !word.is_empty() && word != "-");
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    let is_cross = |word: &str| CROSSES.contains(&word);
    let is_crossed =
        words.windows(3).any(|w| is_number(&w[0]) && is_cross(&w[1]) && is_number(&w[2]));
    let (numbers, names): (Vec<String>, Vec<String>) = words.into_iter().partition(is_number);
    let sides: Vec<usize> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let are_sides = sides.iter().all(|&side| side < 1000) && sides.len() == numbers.len();
    let are_names = names.iter().all(|name| SIZES.contains(&&**name) || is_cross(name));
    let is_size = are_sides
        && match sides.len() {
            1 => are_names && !names.is_empty() && !is_cross(&names[0]),
            2 => is_crossed || are_names && names.iter().any(|name| !is_cross(name)),
            _ => false,
        };
    let rows_first = ["shape", "rows", "height", "h", "r"];
    let rows_first = names.first().is_some_and(|name| rows_first.contains(&&**name));
    is_size.then_some(Kind::Size(sides, rows_first))
}
