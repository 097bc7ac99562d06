//! The lines of a stream that belong to one board.
//!
//! A line is taken into the block of the lines before it, or begins the next one:
//!
//! 1. A line that is a board by itself is a block, unless the next line is already there, is of the
//!    same length, and has none of its tiles.
//! 2. Brackets are closed. A picture goes on with its rows and borders, and a list whose lines have a
//!    mark goes on with those that have it.
//! 3. A size, a count or labels belong to the tiles that follow, even after an empty line. After a
//!    size, their number is known.
//! 4. Rows without a common tile are of one grid. Rows with one are, too, as long as the grid has
//!    fewer cells than its largest tile needs: a tile is there twice by mistake.

use super::cells::{LABEL, MANY, is_bar, is_blank_word, is_rule};
use super::comments::{self, MARKS};
use super::next_row::named;
use super::sizes::{SIZES, sole_size};
use super::strict::{self, is_separator};
use super::tables;
use super::{ParseError, loose};
use crate::board::{Grid, MAX_CELLS};

/// The most lines of a board in brackets: an object has a line for each field and each tile.
const MAX_OPEN: usize = 1000;

/// The longest row of which a tile may be there twice. Longer lines are boards of their own.
const MAX_WRONG_ROW: usize = 8;

/// A number that is no tile, and as long as a board with one character a tile.
const LONG: u64 = 10_000_000;

/// The wait for another line before a block is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Nothing: no line can follow.
    Done,
    /// The next line, if it is there already.
    No,
    /// The next line, if it comes at once.
    Brief,
    /// The next line, or the end.
    Next,
}

/// The lines of one board, as far as they are known.
#[derive(Debug)]
pub struct Block {
    size: Option<Grid>,
    kind: Kind,
    lines: usize,
    whole: usize,
}

#[derive(Debug)]
enum Kind {
    /// A line that nothing can follow, and whether it is a board by the strict reading.
    Whole(bool),
    /// A list with this many open brackets.
    Open(usize),
    /// A table of HTML or an environment of TeX, and whether it is closed.
    Markup(Markup, bool),
    /// A printed matrix of R.
    Matrix,
    /// A picture with bars, its rows and the borders between them. The last line may be a border.
    Picture {
        rows: usize,
        rules: usize,
        after_rule: bool,
    },
    /// Lines with this mark before them.
    Marked(&'static str),
    /// Words before a board, or its size.
    Title(Option<Grid>),
    Rows(Rows),
    /// A table with numbers above its columns and before its rows: the words of a row, and the number
    /// of the next one.
    Table {
        words: usize,
        next: u64,
    },
}

/// A language of tables that have an end.
#[derive(Clone, Copy, Debug)]
enum Markup {
    Html,
    Tex,
}

impl Markup {
    /// The language of a table that begins with this line.
    fn of(line: &str) -> Option<Markup> {
        if has_tag(line, &["table", "tr", "td"]) {
            return Some(Markup::Html);
        }
        line.contains("\\begin{").then_some(Markup::Tex)
    }

    /// Returns whether a table ends in this line.
    fn closes(self, line: &str) -> bool {
        match self {
            Markup::Html => has_tag(line, &["/table"]),
            Markup::Tex => line.contains("\\end{"),
        }
    }
}

impl Block {
    /// The block that begins with a line. The boards have the given size, if there is one.
    pub fn new(line: &str, size: Option<Grid>) -> Block {
        let kind = Kind::of(line, size);
        let whole = match &kind {
            Kind::Rows(rows) => rows.is_whole(size),
            kind => matches!(kind, Kind::Whole(true)),
        };
        let whole = usize::from(whole);
        Block { size, kind, lines: 1, whole }
    }

    /// The wait before the block is read.
    pub fn wait(&self) -> Wait {
        match &self.kind {
            Kind::Whole(_) | Kind::Markup(_, true) => Wait::Done,
            Kind::Title(None)
            | Kind::Matrix
            | Kind::Marked(_)
            | Kind::Table { .. }
            | Kind::Picture { after_rule: true, rows: 2.., .. } => Wait::Brief,
            Kind::Title(_) | Kind::Open(_) | Kind::Markup(..) | Kind::Picture { .. } => Wait::Next,
            Kind::Rows(rows) => rows.wait(self.lines, self.size),
        }
    }

    /// Returns whether the lines can only stand before the tiles of a board, which may follow after
    /// an empty line.
    pub fn is_head(&self) -> bool {
        match &self.kind {
            Kind::Title(_) => true,
            Kind::Rows(rows) => {
                rows.total == 1 || rows.rows == 1 && rows.first.is_word || rows.is_size_line()
            }
            _ => false,
        }
    }

    /// The number of lines at the last moment at which they were the rows of a board.
    pub fn whole(&self) -> usize {
        self.whole
    }

    /// Takes a line that belongs to the block.
    pub fn takes(&mut self, line: &str) -> bool {
        let (lines, size) = (self.lines + 1, self.size);
        let taken = match &mut self.kind {
            Kind::Whole(_) => false,
            Kind::Open(depth) => {
                let is_open = *depth > 0 && lines <= MAX_OPEN && !line.is_empty();
                *depth = depth.saturating_add_signed(depth_of(line));
                is_open
            }
            Kind::Markup(markup, is_closed) => {
                let is_open = !*is_closed && lines <= MAX_OPEN && !line.is_empty();
                *is_closed = markup.closes(line);
                is_open
            }
            Kind::Matrix => {
                lines <= MAX_CELLS && line.trim_start().starts_with('[') && line.contains(",]")
            }
            Kind::Marked(mark) => lines <= MAX_CELLS && line.trim_start().starts_with(*mark),
            Kind::Picture { rows, rules, after_rule } => {
                let is_rule = is_rule(line);
                let (had_rule, row) = (std::mem::replace(after_rule, is_rule), has_bars(line));
                *rules += usize::from(is_rule);
                *rows += usize::from(row && !is_rule);
                let is_border = is_rule && !had_rule && (!is_dashes(line) || *rules == *rows);
                (is_border || row && !is_rule) && *rows <= MAX_CELLS
            }
            Kind::Title(own) => {
                let next = Kind::of(line, own.or(size));
                let is_object = line.starts_with('{') && line.contains('"');
                let taken = lines <= MAX_OPEN && !is_object && !is_separator_line(line);
                if taken {
                    self.kind = next;
                }
                taken
            }
            Kind::Rows(rows) => match Line::read(line) {
                Some(line) if rows.is_head_of_table(&line) => {
                    let next = line.begin[0] + 1;
                    self.kind = Kind::Table { words: line.words, next };
                    true
                }
                Some(line) => rows.takes(line, size),
                None => match Kind::of(line, size) {
                    // With a name, it may be a board of its own.
                    Kind::Rows(next) => {
                        let is_other = next.is_whole(size) && next.first.overlaps(&rows.tiles);
                        !is_other && rows.takes(next.first, size)
                    }
                    kind if rows.rows == 1 && rows.total <= LABEL && kind.is_drawn() => {
                        self.kind = kind;
                        true
                    }
                    _ => false,
                },
            },
            Kind::Table { words, next } => {
                let place = *next;
                *next += 1;
                // A row may have a fault.
                Line::read(line)
                    .is_some_and(|line| line.words.abs_diff(*words) < 2 && line.begin[0] == place)
            }
        };
        if taken {
            self.lines = lines;
            if matches!(&self.kind, Kind::Rows(rows) if rows.is_whole(size)) {
                self.whole = lines;
            }
        }
        taken
    }
}

/// The text of each board among lines that are all there, and whether it is a head alone.
pub(super) fn blocks(text: &str, size: Option<Grid>) -> Vec<(String, bool)> {
    let mut blocks = Vec::new();
    let mut open: Option<(Block, String)> = None;
    for line in comments::removed(text).lines().map(comments::trimmed) {
        if let Some((block, text)) = &mut open
            && block.takes(line)
        {
            text.push('\n');
            text.push_str(line);
        } else if !is_separator_line(line) {
            blocks.extend(open.replace((Block::new(line, size), line.to_owned())));
        } else if !open.as_ref().is_some_and(|(block, _)| block.is_head()) {
            blocks.extend(open.take());
        }
    }
    blocks.extend(open);
    blocks.into_iter().map(|(block, text)| (text, block.is_head())).collect()
}

/// Returns whether a line separates boards: it is empty, or one mark many times.
pub fn is_separator_line(line: &str) -> bool {
    let line = line.trim_start();
    let Some(&mark) = line.as_bytes().first() else { return true };
    let is_many = mark == b'-' || line.len() > 2 && b"=*~`\"'".contains(&mark);
    is_many && line.bytes().all(|b| b == mark)
}

impl Kind {
    fn of(line: &str, size: Option<Grid>) -> Kind {
        // Most lines are such.
        if let Some(line) = Line::of_numbers(line) {
            return Kind::Rows(Rows::new(line, size));
        }
        if let Some(markup) = Markup::of(line) {
            return Kind::Markup(markup, markup.closes(line));
        }
        if line.contains("[,1]") {
            return Kind::Matrix;
        }
        if let Some(mark) = MARKS.into_iter().find(|mark| line.trim_start().starts_with(mark)) {
            return Kind::Marked(mark);
        }
        if let depth @ 1.. = depth_of(line)
            && line.trim_start().starts_with(|c: char| c.is_alphabetic() || "[({".contains(c))
        {
            return Kind::Open(depth.unsigned_abs());
        }
        // No word has so many different letters from the first on.
        let is_letters = line.len() >= 8 && line.bytes().all(|b| b.is_ascii_alphabetic());
        if is_letters && loose::read(line, size, ParseError::Empty).is_ok() {
            return Kind::Whole(true);
        }
        if let Some(size) = sole_size(line) {
            return Kind::Title(Some(size));
        }
        if line.ends_with([':', '=']) && !line.contains(['[', '{', '"', '/', ';']) {
            return Kind::Title(None);
        }
        if let Some(line) = Line::of_words(line) {
            return Kind::Rows(Rows::new(line, size));
        }
        // A name before the first row.
        if let Some(kind) = named(line).map(|tiles| Kind::of(tiles, size))
            && (kind.is_drawn() || matches!(&kind, Kind::Rows(rows) if rows.total > 1))
        {
            return kind;
        }
        let one_row = |part: &str| part.split_whitespace().count() > 1;
        let is_row = line.split(is_bar).filter(|part| !part.trim().is_empty()).nth(1).is_some();
        if is_row && line.split(is_bar).any(one_row) {
            return Kind::Whole(false);
        }
        // A row of letters is a board if it has more of them than words do.
        let is_letters = line.len() >= 8 && line.bytes().all(|b| b.is_ascii_alphabetic());
        let has_rows =
            line.contains(['/', ';']) && !line.contains(|c: char| c.is_ascii_digit()) || is_letters;
        if strict::read(line, size).is_ok()
            || has_rows && loose::read(line, size, ParseError::Empty).is_ok()
        {
            return Kind::Whole(true);
        }
        let is_rule = is_rule(line);
        if is_rule || has_bars(line) {
            return Kind::Picture {
                rows: usize::from(!is_rule),
                rules: usize::from(is_rule),
                after_rule: is_rule,
            };
        }
        let numbers = line.split(|c: char| !c.is_alphanumeric() && c != '.');
        let numbers: usize = numbers.map(numbers_of).sum();
        let is_list = line.contains(['[', '{', '"', '/', ';']);
        // A number with a name is no tile.
        let words = line.split(|c: char| !c.is_alphanumeric());
        let names = words.filter(|word| word.contains(char::is_alphabetic)).count();
        let mut words = line.split(|c: char| !c.is_alphabetic());
        let is_size = words.any(|word| SIZES.iter().any(|name| word.eq_ignore_ascii_case(name)));
        let most = if names >= numbers || is_size { LABEL } else { 1 };
        let is_title = numbers <= most && (!is_list || is_size)
            || !line.contains(|c: char| c.is_ascii_digit());
        if is_title { Kind::Title(None) } else { Kind::Whole(false) }
    }
}

impl Kind {
    /// Returns whether it is a list, a table or a picture, in lines of another kind than rows of tiles.
    fn is_drawn(&self) -> bool {
        matches!(self, Kind::Open(_) | Kind::Markup(..) | Kind::Marked(_) | Kind::Picture { .. })
    }
}

/// Returns whether a line is empty, or has nothing but dashes.
fn is_dashes(line: &str) -> bool {
    line.bytes().all(|b| b == b'-')
}

fn has_bars(line: &str) -> bool {
    line.contains(is_bar)
}

/// Returns whether a line has one of these tags of HTML.
fn has_tag(line: &str, names: &[&str]) -> bool {
    let is_named = |tag: &str| {
        let name = tag.split(|c: char| c == '>' || c.is_whitespace()).next().unwrap_or_default();
        names.iter().any(|other| name.eq_ignore_ascii_case(other))
    };
    line.split('<').skip(1).any(is_named)
}

/// The numbers of a word: a fraction is one.
fn numbers_of(word: &str) -> usize {
    match word.parse::<f64>() {
        Ok(_) => usize::from(word.starts_with(|c: char| c.is_ascii_digit())),
        Err(_) => word.split('.').filter(|word| word.parse::<u64>().is_ok()).count(),
    }
}

/// The brackets that a line leaves open, or closes.
fn depth_of(line: &str) -> isize {
    let change = |c| match c {
        b'{' | b'[' | b'(' => 1,
        b'}' | b']' | b')' => -1,
        _ => 0,
    };
    line.bytes().map(change).sum()
}

/// Tiles in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Line {
    words: usize,
    /// The first two numbers.
    begin: [u64; 2],
    max: u64,
    tiles: [u64; 4],
    /// A tile appears twice.
    twice: bool,
    /// One character for each tile.
    compact: bool,
    /// Letters alone, in one word.
    is_word: bool,
}

impl Line {
    fn read(text: &str) -> Option<Line> {
        Line::of_numbers(text).or_else(|| Line::of_words(text))
    }

    /// Several numbers with spaces or commas between them, in a third of the time of
    /// [`Line::of_words`].
    fn of_numbers(text: &str) -> Option<Line> {
        let mut line = Line::default();
        let mut number = None;
        for byte in text.bytes().chain([b' ']) {
            number = match (byte, number) {
                (b'0'..=b'9', _) => Some(with_digit(number.unwrap_or(0), byte)),
                (b' ' | b',', Some(tile)) => {
                    line.push(tile);
                    None
                }
                (b' ' | b',', None) => None,
                _ => return None,
            };
        }
        (line.words > 1).then_some(line)
    }

    fn of_words(text: &str) -> Option<Line> {
        // Brackets may close a row, but nothing may follow.
        let inner = text.trim_matches(|c: char| " ,;/()[]{}".contains(c));
        let mut line = Line::default();
        let is_gap = |c: char| c.is_whitespace() || c == ',';
        let are_cells = inner.contains(';') && tables::are_cells(inner);
        let is_gap = |c: char| is_gap(c) || c == ';' && are_cells;
        for word in inner.split(is_gap).filter(|word| !word.is_empty()) {
            let tile = if word.bytes().all(|b| b.is_ascii_digit()) {
                word.bytes().fold(0, with_digit)
            } else if is_blank_word(word) {
                0
            } else {
                // A letter is a tile, another sign is the blank.
                let mut signs = word.chars();
                let (Some(sign), None) = (signs.next(), signs.next()) else {
                    line.words = 0;
                    break;
                };
                if is_bar(sign) || is_separator(sign) || matches!(sign, '=' | ':') {
                    line.words = 0;
                    break;
                }
                sign.to_digit(36).unwrap_or(0).into()
            };
            line.push(tile);
        }
        let is_word = !inner.is_empty() && !inner.contains(is_gap);
        if is_word && inner.len() > 2 {
            let is_word = inner.bytes().all(|b| b.is_ascii_alphabetic());
            line = Line { compact: true, is_word, ..Line::default() };
            let has_blank = inner.contains(['0', '_', '.']);
            for c in inner.bytes() {
                match c.to_ascii_lowercase() {
                    b'_' | b'.' => line.push(0),
                    b'x' if !has_blank => line.push(0),
                    digit @ b'0'..=b'9' => line.push(u64::from(digit - b'0')),
                    letter @ b'a'..=b'z' => line.push(u64::from(letter - b'a') + 10),
                    _ => return None,
                }
            }
        }
        (line.words > 0).then_some(line)
    }

    fn push(&mut self, tile: u64) {
        if let Some(place) = self.begin.get_mut(self.words) {
            *place = tile;
        }
        self.words += 1;
        self.max = self.max.max(tile);
        let (word, bit) = ((tile / 64 % 4) as usize, 1 << (tile % 64));
        self.twice |= tile < MAX_CELLS as u64 && self.tiles[word] & bit != 0;
        if tile < MAX_CELLS as u64 {
            self.tiles[word] |= bit;
        }
    }

    fn overlaps(&self, tiles: &[u64; 4]) -> bool {
        self.tiles.iter().zip(tiles).any(|(a, b)| a & b != 0)
    }
}

fn with_digit(number: u64, digit: u8) -> u64 {
    number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
}

/// Lines of tiles, and what is known of those that are missing.
#[derive(Debug)]
struct Rows {
    first: Line,
    last: Line,
    /// The lines of tiles, without those before them.
    rows: usize,
    total: usize,
    max: u64,
    tiles: [u64; 4],
    twice: bool,
    /// The cells that are known from a size.
    due: Option<Grid>,
}

impl Rows {
    fn new(line: Line, due: Option<Grid>) -> Rows {
        let due = due.filter(|due| [1, due.width(), due.cells()].contains(&line.words));
        let Line { words, max, tiles, twice, .. } = line;
        Rows { first: line, last: line, rows: 1, total: words, max, tiles, twice, due }
    }

    /// Returns whether the tiles are those of a board that nothing but rows can follow.
    fn is_whole(&self, size: Option<Grid>) -> bool {
        let is_due = self.due.is_none_or(|due| due.cells() == self.total);
        let is_board = is_due && !self.twice && self.max.saturating_add(1) == self.total as u64;
        let shaped = match self.rows {
            1 => size.map_or(Grid::square(self.total).is_some(), |size| size.cells() == self.total),
            rows => {
                Grid::new(self.first.words, rows).is_ok() && self.total == self.first.words * rows
            }
        };
        is_board && shaped
    }

    fn is_full(&self) -> bool {
        self.due.is_some_and(|due| {
            let by_rows = self.first.words == due.width() && self.rows >= due.height();
            self.total > due.cells()
                || by_rows
                || self.total == due.cells() && (self.first.words > 1 || !self.twice)
        })
    }

    fn wait(&self, lines: usize, size: Option<Grid>) -> Wait {
        let words = self.first.words;
        if self.is_full() {
            return Wait::Done;
        }
        let alone = self.is_whole(size)
            || words > MAX_WRONG_ROW
            || words >= 4 && self.max < words as u64
            || self.first.compact
                && words >= 4
                && !self.twice
                && self.tiles[0] & 1 == 1
                && self.max < words as u64 + 20
                && Grid::square(words).is_some();
        match () {
            // Not a row of a board. A caller that asks one question a line waits for the error.
            () if lines == 1 && self.first.twice && !self.is_size_line() => Wait::Brief,
            () if lines > 1 || !alone || size.is_some_and(|size| size.width() == words) => {
                Wait::Next
            }
            () if words == 4 => Wait::Brief,
            () => Wait::No,
        }
    }

    /// Returns whether the only line is a side twice.
    fn is_size_line(&self) -> bool {
        let [a, b] = self.first.begin;
        self.total == 2 && a == b && (2..=16).contains(&a)
    }

    /// Returns whether the only line has the numbers of the columns of a table, of which another line is the
    /// first row.
    fn is_head_of_table(&self, row: &Line) -> bool {
        let Line { words, begin: [first, second], max, tiles, twice, .. } = self.first;
        self.rows == 1
            && self.total == words
            && words > 1
            && row.words == words + 1
            && row.begin[0] == first
            && (first < 2 && second == first + 1 && max == first + words as u64 - 1 && !twice)
            && (first == 0) == (tiles[0] & 1 == 1)
    }

    /// Returns whether the only line counts the columns from 0, of which another line is a row without a number
    /// before it.
    fn counts_columns(&self, row: &Line) -> bool {
        let Line { words, begin, max, twice, .. } = self.first;
        let counts = begin == [0, 1] && max == words as u64 - 1 && !twice && !self.first.compact;
        let is_other = row.overlaps(&self.tiles) && row.max >= words as u64;
        self.rows == 1 && words > 3 && counts && row.words == words && is_other
    }

    fn restart(&mut self, line: Line, due: Option<Grid>) -> bool {
        *self = Rows::new(line, due);
        true
    }

    fn takes(&mut self, next: Line, size: Option<Grid>) -> bool {
        let (width, words) = (self.first.words, next.words);
        // Two words of digits, next to labels, are two boards.
        let are_boards = self.max.min(next.max) >= LONG && !self.first.compact;
        if self.is_full() || self.total + words > MAX_CELLS + 1 || are_boards {
            return false;
        }
        let [a, b] = self.first.begin;
        let grid = |a: u64, b: u64| Grid::new(a.try_into().ok()?, b.try_into().ok()?).ok();
        // All tiles in one row are those of a board of that size.
        let fits = |size: &Grid| {
            words == size.width()
                || words == size.cells() && (next.compact || next.max < size.cells() as u64)
        };
        if self.rows == 1 && self.first.compact {
            // A number of three digits, or a name.
            let is_name = self.first.is_word && words != width;
            if (width == 3 || self.first.is_word) && !next.compact || is_name {
                return self.restart(next, size);
            }
        } else if self.rows == 1 {
            match width {
                1 if words > 1 => {
                    return self.restart(next, grid(a, a).filter(fits).or(size));
                }
                // No row has a tile twice.
                2 if words != 2 || a == b => {
                    let sizes = [grid(a, b), grid(b, a)].into_iter().flatten();
                    let due = sizes.into_iter().find(|size| words == 1 || fits(size));
                    if due.is_some() || words > 2 {
                        return self.restart(next, due.or(size));
                    }
                }
                2 | 3 if words > width + 1 || self.max >= MAX_CELLS as u64 => {
                    return self.restart(next, size);
                }
                _ => {}
            }
        }
        if self.counts_columns(&next) {
            return self.restart(next, size);
        }
        // A board by itself below a shorter or longer line.
        let is_board = next.words >= MANY && Rows::new(next, None).is_whole(size);
        if self.rows == 1 && width > LABEL && words != width && is_board {
            return false;
        }
        // A count, then a size.
        if width == 1
            && self.rows == 2
            && words > 1
            && self.due.is_none_or(|due| due.width() != words)
        {
            let last = self.last;
            self.restart(last, None);
            return self.takes(next, size);
        }
        // The label of the next board.
        if words > width.max(1) && next.max >= MAX_CELLS as u64 && self.max < MAX_CELLS as u64 {
            return false;
        }
        let disjoint = !next.twice && !next.overlaps(&self.tiles);
        let belongs = match self.due {
            Some(due) if width == due.width() => words > 1 || self.rows + 1 == due.height(),
            Some(due) if width > 1 => self.total + words <= due.cells(),
            _ if width == 1 => {
                let side = self.due.map_or(a, |due| due.width() as u64);
                let cells = if side <= 16 { (side * side) as usize } else { 0 };
                words == 1 && (disjoint || self.total <= cells)
            }
            _ if self.is_two_columns(&next) || self.numbers_rows(&next, size) => true,
            _ => {
                let lacks = ((self.rows * width) as u64 <= self.max || self.rows == 1 && width < 4)
                    && self.max < 2 * (width * width) as u64
                    && width <= MAX_WRONG_ROW;
                let alike = words == width && disjoint;
                let short = words < width && disjoint && self.rows > 1;
                alike
                    || short && !self.is_whole(None)
                    || lacks && words <= width + 1 && words + 2 > width
            }
        };
        if belongs {
            self.last = next;
            self.rows += 1;
            self.total += words;
            self.max = self.max.max(next.max);
            self.twice |= !disjoint;
            for (tiles, next) in self.tiles.iter_mut().zip(next.tiles) {
                *tiles |= next;
            }
        }
        belongs
    }

    /// Returns whether each row begins with its number.
    fn numbers_rows(&self, next: &Line, size: Option<Grid>) -> bool {
        let first = self.first.begin[0];
        let is_number = first < 2 && next.begin[0] == first + self.rows as u64;
        let is_faulty = self.twice || self.first.overlaps(&next.tiles);
        let width = self.first.words;
        let is_row = next.words == width && (3..=MAX_WRONG_ROW).contains(&width);
        let are_boards = self.is_whole(size) || Rows::new(*next, None).is_whole(size);
        is_number && is_faulty && is_row && !are_boards
    }

    /// Returns whether two numbers in the first line are the rows and columns of rows of two, one
    /// of which has one of them.
    fn is_two_columns(&self, next: &Line) -> bool {
        let [a, b] = self.first.begin;
        self.first.words == 2
            && next.words == 2
            && (a == 2 || b == 2)
            && a.max(b) <= 128
            && (self.total as u64) < a * b + if self.twice { 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readers_of_a_line_agree() {
        for text in [
            "1 2 3 0",
            " 5,1,7  3, ",
            "0 0",
            "12 3 3 255 256 999 99999999999999999999999",
            "007 1",
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0",
        ] {
            assert!(Line::of_numbers(text).is_some(), "{text}");
            assert_eq!(Line::of_numbers(text), Line::of_words(text), "{text}");
        }
        for text in ["", " ", "1230", "12", "1 2 x", "1 2\t3", "1 2 / 3 0", "[1, 2]", "1 -2"] {
            assert_eq!(Line::of_numbers(text), None, "{text}");
        }
    }
}
