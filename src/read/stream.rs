//! The boards of a stream of lines: each has one answer or one error, in order.
//!
//! A line that is a board is answered at once. Other lines are a paragraph, which ends at an empty line. If
//! a paragraph is not boards as a whole, its lines are, or its grids.

use std::collections::VecDeque;
use std::slice;

#[cfg(feature = "serde")]
use super::Answer;
use super::lines::LineFault;
use super::rows::{self, Kind, Row};
use super::{Context, Note, ReadError, Reading, is_object, labelled, read};
use crate::board::{Board, Grid, LabelledBoard, OpenGoal};

/// The most lines of a paragraph: those of the largest board in one column, below headings.
const MAX_LINES: usize = 300;

/// The fewest cells of a row that is a board rather than a row of one.
const MANY: usize = 9;

/// Lines of text, some of which may not have arrived yet.
pub trait Lines {
    /// The next line, without its end.
    fn next_line(&mut self) -> Option<Result<String, LineFault>>;

    /// Returns whether the next line is there, or arrives soon.
    fn is_ready(&mut self) -> bool {
        true
    }
}

impl Lines for std::str::Lines<'_> {
    fn next_line(&mut self) -> Option<Result<String, LineFault>> {
        self.next().map(|line| Ok(line.to_owned()))
    }
}

/// A board of a stream, or what is in its place.
#[derive(Debug)]
pub struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The board, or why there is none.
    pub reading: Result<Reading<LabelledBoard>, ReadError>,
}

/// Boards, and the numbers of their first lines.
type Found = Vec<(usize, Reading<LabelledBoard>)>;

/// A line that was looked at.
struct Ahead {
    number: usize,
    text: Result<String, LineFault>,
    /// The board that the line is by itself, in a plain form.
    board: Option<Board>,
}

/// The boards of a stream.
pub struct Boards<L> {
    lines: L,
    number: usize,
    context: Context,
    goal: Option<OpenGoal>,
    ahead: VecDeque<Ahead>,
    items: VecDeque<Item>,
    /// The last board was one line, and no empty line has come since.
    is_lined: bool,
}

impl<L: Lines> Boards<L> {
    /// The boards of these lines, of the given size if there is one.
    pub fn new(lines: L, size: Option<Grid>) -> Boards<L> {
        let context = Context { size, ..Context::default() };
        Boards {
            lines,
            number: 0,
            context,
            goal: None,
            ahead: VecDeque::new(),
            items: VecDeque::new(),
            is_lined: false,
        }
    }

    /// The boards for a goal that leaves something open, whose tiles may be equal.
    pub fn labelled(lines: L, goal: OpenGoal) -> Boards<L> {
        Boards { goal: Some(goal), ..Boards::new(lines, None) }
    }

    fn peek(&mut self) -> Option<&Ahead> {
        if self.ahead.is_empty() {
            let text = self.lines.next_line()?;
            self.number += 1;
            let board = match &text {
                Ok(text) if self.goal.is_none() => Board::parse(text, self.context.size).ok(),
                _ => None,
            };
            self.ahead.push_back(Ahead { number: self.number, text, board });
        }
        self.ahead.front()
    }

    fn take(&mut self) -> Option<Ahead> {
        self.peek()?;
        self.ahead.pop_front()
    }

    /// Returns whether a line of one board may be a row of a larger one: the next line is not a board.
    fn may_be_row(&mut self, text: &str, board: &Board) -> bool {
        if text.contains('/') {
            return false;
        }
        let is_row = |next: &Ahead| {
            next.board.is_none() && next.text.as_ref().is_ok_and(|text| !is_gap(text))
        };
        board.grid().cells() < MANY || self.is_ready() && self.peek().is_some_and(is_row)
    }

    fn is_ready(&mut self) -> bool {
        !self.ahead.is_empty() || self.lines.is_ready()
    }

    /// The lines up to an empty one, or up to one that has not arrived.
    fn paragraph(&mut self, first: Vec<Ahead>) -> Vec<Ahead> {
        let mut lines = first;
        while lines.len() < MAX_LINES {
            if !lines.is_empty() && !self.is_ready() {
                break;
            }
            // A rule between rows of a picture is a part of it.
            let in_picture = lines.last().is_some_and(|line| is_framed(line.text()));
            let Some(line) = self.peek() else { break };
            let is_gap = is_gap(line.text()) && (line.text().trim().is_empty() || !in_picture);
            if is_gap || line.text.is_err() {
                break;
            }
            lines.extend(self.take());
        }
        lines
    }

    fn rows(lines: &[Ahead]) -> Vec<Row> {
        rows::rows(lines.iter().map(|line| (line.number, line.text())))
    }

    /// Reads lines that belong together.
    fn read(&self, lines: &[Ahead]) -> Result<Found, ReadError> {
        let number = lines.first().map_or(1, |line| line.number);
        #[cfg(feature = "serde")]
        if let Some(objects) = self.objects(lines) {
            let of_one = |reading: Result<_, _>| reading.map(|reading| (number, reading));
            return objects?.into_iter().map(of_one).collect();
        }
        if let Some(goal) = &self.goal {
            return Ok(vec![(number, labelled(&joined(lines), goal)?)]);
        }
        let found = read(&Self::rows(lines), self.context)?;
        Ok(found.into_iter().map(|(line, reading)| (line, reading.into())).collect())
    }

    /// The boards of objects, or what is wrong with each.
    #[cfg(feature = "serde")]
    fn objects(&self, lines: &[Ahead]) -> Option<Result<Vec<Answer>, ReadError>> {
        super::objects::objects(&joined(lines), self.context.size, self.goal.as_ref())
    }

    /// Answers lines that belong together.
    fn answer(&mut self, lines: &[Ahead]) {
        self.context.has_more = self.has_more();
        let error = match self.read(lines) {
            Ok(found) => return self.push(lines, found),
            Err(error) => error,
        };
        #[cfg(feature = "serde")]
        if let Some(Ok(objects)) = self.objects(lines) {
            let is_lined = objects.len() == lines.len();
            let item = |(place, reading)| match is_lined {
                true => item(&lines[place..=place], reading),
                false => item(lines, reading),
            };
            return self.items.extend(objects.into_iter().enumerate().map(item));
        }
        // A size that contradicts the given one is the error of all lines below it.
        let is_other = |row: &Row| match (&row.kind, self.context.size) {
            (Kind::Size(sides, _), Some(size)) => {
                sides.len() == 2 && *sides != [size.width(), size.height()]
            }
            _ => false,
        };
        let is_one = Self::rows(lines).iter().any(is_other);
        if !is_one && self.by_lines(lines) {
            return;
        }
        let is_one = is_one || is_object(&joined(lines));
        let grids = if is_one { None } else { self.by_grids(lines) };
        self.items.extend(grids.unwrap_or_else(|| vec![item(lines, Err(error))]));
    }

    fn push(&mut self, lines: &[Ahead], found: Found) {
        self.is_lined = found.len() == lines.len();
        self.context.is_headed |=
            self.context.before == 0 && found.iter().any(|(_, reading)| reading.label.is_some());
        self.context.before += found.len();
        let (text, several, is_lined) = (joined(lines), found.len() > 1, self.is_lined);
        let item = |(place, (line, reading)): (usize, (usize, Reading<LabelledBoard>))| {
            let (line, text) = match several {
                true if is_lined => (lines[place].number, lines[place].text().to_owned()),
                true => (line, reading.board.to_string()),
                false => (line, text.clone()),
            };
            Item { line, text, reading: Ok(reading) }
        };
        self.items.extend(found.into_iter().enumerate().map(item));
    }

    /// Answers lines, some of which are boards by themselves. Returns whether that is so.
    fn by_lines(&mut self, lines: &[Ahead]) -> bool {
        let read =
            |line: &Ahead| self.read(slice::from_ref(line)).ok().filter(|found| found.len() == 1);
        let boards: Vec<Option<Found>> = lines.iter().map(read).collect();
        // A row of few cells is a board next to others of its size.
        let grid = |found: &Found| found[0].1.board.board().grid();
        let grids: Vec<Grid> = boards.iter().flatten().map(grid).collect();
        let are_alike = grids.len() > 1
            && 2 * grids.len() > lines.len()
            && grids.iter().all(|grid| *grid == grids[0]);
        let is_long = |line: &Ahead| Self::rows(slice::from_ref(line)).len() > 1;
        let is_whole = |(line, found): (&Ahead, &Option<Found>)| {
            found.as_ref().is_some_and(|found| grid(found).cells() >= MANY || is_long(line))
        };
        let are_boards = are_alike
            || !grids.is_empty() && self.context.size.is_some()
            || lines.iter().zip(&boards).any(is_whole);
        if !are_boards && !self.is_lined || lines.len() < 2 {
            return false;
        }
        let mut open = 0;
        for (at, found) in boards.into_iter().enumerate() {
            let Some(found) = found else { continue };
            match self.read(&lines[open..=at]) {
                Ok(joined) if open < at && !has_guess(&joined) && grid(&joined) == grid(&found) => {
                    self.push(&lines[open..=at], joined);
                }
                _ => {
                    self.push_errors(&lines[open..at]);
                    self.push(&lines[at..=at], found);
                }
            }
            open = at + 1;
        }
        self.push_errors(&lines[open..]);
        true
    }

    /// One error for each line with cells, or the boards of the lines.
    fn push_errors(&mut self, lines: &[Ahead]) {
        if let Ok(found) = self.read(lines) {
            return self.push(lines, found);
        }
        for line in lines.chunks(1) {
            if !Self::rows(line).is_empty()
                && let Err(error) = self.read(line)
            {
                self.items.push_back(item(line, Err(error)));
            }
        }
    }

    /// The boards and errors of grids of one size without empty lines between them.
    fn by_grids(&mut self, lines: &[Ahead]) -> Option<Vec<Item>> {
        let rows = Self::rows(lines);
        let context = Context { has_more: true, ..self.context };
        let board_at = |at: usize, before: usize| {
            let context = Context { before, ..context };
            (at + 2..=rows.len().min(at + 24)).find_map(|end| {
                let mut found = read(&rows[at..end], context).ok()?;
                (found.len() == 1).then(|| Some((end, found.pop()?)))?
            })
        };
        let (mut items, mut grid): (Vec<Item>, Option<Grid>) = (Vec::new(), None);
        let (mut at, mut boards) = (0, 0);
        while at < rows.len() {
            if let Some((end, (line, reading))) = board_at(at, context.before + boards) {
                if *grid.get_or_insert(reading.board.grid()) != reading.board.grid() {
                    return None;
                }
                let text = reading.board.to_string();
                items.push(Item { line, text, reading: Ok(reading.into()) });
                (at, boards) = (end, boards + 1);
                continue;
            }
            // A faulty grid is as high as the others, give or take a row.
            let height = grid.map_or(2, Grid::height);
            let is_end =
                |&end: &usize| end == rows.len() || board_at(end, context.before).is_some();
            let ends = [height, height + 1].into_iter().chain(2..).map(|height| at + height);
            let end = ends.take_while(|&end| end <= rows.len() + 1).find(is_end)?;
            let error = super::fault::fault(&rows[at..end], context.size);
            let (first, last) = (rows[at].line, rows[end - 1].line);
            let lines = lines.iter().filter(|line| (first..=last).contains(&line.number));
            let text = lines.map(Ahead::text).collect::<Vec<_>>().join("\n");
            items.push(Item { line: first, text, reading: Err(error) });
            at = end;
        }
        self.context.before += boards;
        (boards > 1).then_some(items)
    }

    /// Returns whether another line follows soon that is not empty.
    fn has_more(&mut self) -> bool {
        while self.is_ready() {
            match self.peek() {
                Some(line) if line.text.is_ok() && is_gap(line.text()) => drop(self.take()),
                next => return next.is_some(),
            }
        }
        false
    }
}

impl<L: Lines> Iterator for Boards<L> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        // Lines that only say a size, a name or a number.
        let mut head = Vec::new();
        while self.items.is_empty() {
            let Some(line) = self.take() else {
                if head.is_empty() {
                    return None;
                }
                self.answer(&std::mem::take(&mut head));
                continue;
            };
            if line.text.is_ok() && is_gap(line.text()) {
                self.is_lined = false;
                continue;
            }
            if let Err(fault) = line.text {
                if !head.is_empty() {
                    self.ahead.push_front(Ahead { text: Err(fault), ..line });
                    self.answer(&std::mem::take(&mut head));
                    continue;
                }
                let reading = Err(ReadError::Line(fault.to_string()));
                return Some(Item { line: line.number, text: fault.text().to_owned(), reading });
            }
            if head.is_empty()
                && let Some(board) = line.board.clone()
                && !self.may_be_row(line.text(), &board)
            {
                (self.is_lined, self.context.before) = (true, self.context.before + 1);
                let text = line.text().to_owned();
                return Some(Item {
                    line: line.number,
                    text,
                    reading: Ok(LabelledBoard::from(board).into()),
                });
            }
            head.push(line);
            let begin = head.len() - 1;
            let lines = self.paragraph(std::mem::take(&mut head));
            let rows = Self::rows(&lines);
            if rows.is_empty() {
                continue;
            }
            let is_heading = self.goal.is_none()
                && is_heading(&Self::rows(&lines[begin..]))
                && !lines.iter().any(|line| line.text().trim_start().starts_with('{'));
            if is_heading && self.read(&lines).is_err() && self.has_more() {
                head = lines;
                continue;
            }
            self.answer(&lines);
        }
        self.items.pop_front()
    }
}

impl Ahead {
    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// Returns whether a text next to the tiles is taken for a label by a guess.
fn has_guess(found: &Found) -> bool {
    found.iter().any(|(_, reading)| reading.notes.iter().any(|note| matches!(note, Note::Label(_))))
}

fn item(lines: &[Ahead], reading: Result<Reading<LabelledBoard>, ReadError>) -> Item {
    Item { line: lines[0].number, text: joined(lines), reading }
}

fn joined(lines: &[Ahead]) -> String {
    lines.iter().map(Ahead::text).collect::<Vec<_>>().join("\n")
}

/// Returns whether a paragraph says a size, a name or a number alone, which stand before its board.
fn is_heading(rows: &[Row]) -> bool {
    let is_name = |row: &Row| {
        let has_letters = row.texts().any(|text| text.contains(char::is_alphabetic));
        matches!(row.kind, Kind::Size(..)) || row.is_name() && has_letters
    };
    // Longer numbers are a board in one word, or meant to be. Several numbers a row are rows.
    let is_number =
        |row: &Row| row.numbers().filter(|&number| number < 1000).count() == row.cells.len();
    let are_numbers = || {
        rows.iter().all(is_number)
            && (rows.len() == 1 || rows.iter().all(|row| row.cells.len() == 1))
    };
    let cells: usize = rows.iter().map(|row| row.cells.len()).sum();
    rows.len() < 3 && (rows.iter().all(is_name) || cells < 4 && are_numbers())
}

/// Returns whether a line ends a paragraph: it is empty, or a rule of one sign.
fn is_gap(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || line.len() > 2 && ["-", "=", "*"].iter().any(|sign| line.replace(sign, "").is_empty())
}

fn is_framed(line: &str) -> bool {
    line.contains(['|', '+', '│', '_', '┃', '║'])
}
