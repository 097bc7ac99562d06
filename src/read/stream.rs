//! The boards of a stream of lines: each has one answer or one error, in order.
//!
//! A line that is a board is answered at once. Other lines are a paragraph, which ends at an empty line.

use std::collections::VecDeque;

use super::lines::{LineFault, MAX_LINE};
use super::rows::{self, Cell, Kind, Row};
use super::{Context, ReadError, Reading, cuts, is_object, labelled, read};
use crate::board::{Board, Grid, LabelledBoard, OpenGoal};

/// The most lines of a paragraph. A file may have no empty line.
const MAX_LINES: usize = 1 << 16;

/// The lines of a part of a paragraph with a fault. Boards of 2 to 6 lines end with it.
const PART: usize = 300;

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
        self.next().map(|line| match line.len() > MAX_LINE {
            true => Err(LineFault::TooLong(MAX_LINE)),
            false => Ok(line.to_owned()),
        })
    }
}

/// A board of a stream, or what is in its place.
#[derive(Debug)]
pub struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its text; an object of a list is written anew.
    pub text: String,
    /// The board, or why there is none.
    pub reading: Result<Reading, ReadError>,
}

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
    ahead: Option<Ahead>,
    items: VecDeque<Item>,
}

impl<L: Lines> Boards<L> {
    /// The boards of these lines, of the given size if there is one.
    pub fn new(lines: L, size: Option<Grid>) -> Boards<L> {
        let context = Context { size, ..Context::default() };
        Boards { lines, number: 0, context, goal: None, ahead: None, items: VecDeque::new() }
    }

    /// The boards for an open goal, whose tiles may be equal.
    pub fn labelled(lines: L, goal: OpenGoal) -> Boards<L> {
        Boards { goal: Some(goal), ..Boards::new(lines, None) }
    }

    fn peek(&mut self) -> Option<&Ahead> {
        if self.ahead.is_none() {
            let text = self.lines.next_line()?;
            self.number += 1;
            let plain = text.as_ref().ok().filter(|_| self.goal.is_none());
            let board = plain.and_then(|text| Board::parse(text, self.context.size).ok());
            self.ahead = Some(Ahead { number: self.number, text, board });
        }
        self.ahead.as_ref()
    }

    fn take(&mut self) -> Option<Ahead> {
        self.peek()?;
        self.ahead.take()
    }

    /// Returns whether a line is answered at once: it is a board, and not a row of a larger one, as the next line is
    /// not a board.
    fn is_whole(&mut self, line: &Ahead) -> bool {
        let Some(board) = &line.board else { return line.text.is_err() };
        let is_row = |next: &Ahead| next.board.is_none() && next.text.is_ok() && !next.is_gap();
        let is_large = board.grid().cells() >= cuts::MANY;
        let is_next_row = |all: &mut Self| all.is_ready() && all.peek().is_some_and(is_row);
        line.text().contains('/') || is_large && !is_next_row(self)
    }

    fn is_ready(&mut self) -> bool {
        self.ahead.is_some() || self.lines.is_ready()
    }

    /// Takes empty lines. Returns whether there are some.
    fn skip_gaps(&mut self, waits: bool) -> bool {
        let mut has_gap = false;
        while (waits || self.is_ready()) && self.peek().is_some_and(Ahead::is_gap) {
            has_gap = self.take().is_some();
        }
        has_gap
    }

    /// Adds the lines up to an empty one, or up to one that has not arrived. An object on one line is alone.
    fn extend(&mut self, lines: &mut Vec<Ahead>) {
        while lines.len() < MAX_LINES && self.is_ready() {
            // A rule between rows of a picture is a part of it.
            let in_picture = lines.last().is_some_and(|last| last.text().contains(['|', '│']));
            let is_list = lines[0].text().trim_start().starts_with(['[', '{']);
            let Some(line) = self.peek() else { break };
            let is_alone = lines[0].is_object() || line.is_object() && !is_list;
            let is_gap = line.is_gap() && !(in_picture && line.text().contains('-'));
            if is_gap || line.text.is_err() || is_alone {
                break;
            }
            lines.extend(self.take());
        }
    }

    /// The boards of lines that belong together, or else of each line; or what is in their place. There are so many
    /// before them in their paragraph.
    fn read(&self, lines: &[Ahead], before: usize) -> Vec<Item> {
        let whole = self.answers(lines, before);
        if whole.iter().all(|item| item.reading.is_ok()) || is_object(&text(lines)) {
            return whole;
        }
        if lines.len() > PART {
            return lines.chunks(PART).fold(Vec::new(), |mut all, part| {
                all.extend(self.read(part, before + all.len()));
                all
            });
        }
        let (mut each, mut sizes, mut is_sure) = (Vec::new(), Vec::new(), self.context.is_lined);
        for line in lines {
            let line = std::slice::from_ref(line);
            let items = self.answers(line, before + each.len());
            if let [Item { reading: Ok(reading), .. }] = &items[..] {
                let size = reading.board.board().grid();
                sizes.push(size);
                // A line that needs no other one to tell that it is a board.
                let is_large = size.cells() >= cuts::MANY;
                is_sure |= is_large || self.context.size.is_some() || rows_of(line).len() > 1;
            }
            each.extend(items);
        }
        // Most lines are boards of one size.
        let are_most = sizes.len() > (each.len() - sizes.len()).max(1);
        is_sure |= are_most && sizes.iter().all(|size| *size == sizes[0]);
        if is_sure { each } else { whole }
    }

    /// The boards of lines that are read together.
    fn answers(&self, lines: &[Ahead], before: usize) -> Vec<Item> {
        let text = text(lines);
        let item = |reading| Item { line: lines[0].number, text: text.clone(), reading };
        #[cfg(feature = "serde")]
        if is_object(&text) {
            let objects = super::objects::objects(&text, self.context.size, self.goal.as_ref());
            let item = |(text, reading)| Item { line: lines[0].number, text, reading };
            return objects.into_iter().map(item).collect();
        }
        let rows = rows_of(lines);
        match &self.goal {
            _ if rows.is_empty() => return Vec::new(),
            Some(goal) => return vec![item(labelled(&text, goal))],
            None => {}
        }
        let before = self.context.before + before;
        let found = read(&rows, Context { before, ..self.context });
        let item = |([first, last], reading): ([usize; 2], Result<Reading, _>)| {
            let begin = lines.partition_point(|line| line.number < first);
            let end = lines.partition_point(|line| line.number <= last);
            Item { line: first, text: self::text(&lines[begin..end]), reading }
        };
        found.into_iter().map(item).collect()
    }
}

impl<L: Lines> Iterator for Boards<L> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        // With lines before them that only say a size, a name or a number.
        let mut lines = Vec::new();
        while self.items.is_empty() {
            self.context.is_lined &= !self.skip_gaps(true);
            let begin = lines.len();
            // An object, or a line that is not text, has no heading.
            let may_be_headed = |line: &Ahead| line.text.is_ok() && !line.is_object();
            if begin == 0 || self.peek().is_some_and(may_be_headed) {
                let line = self.take()?;
                if begin == 0 && self.is_whole(&line) {
                    let (text, reading) = match (line.text, line.board) {
                        (Ok(text), board) => (text, Ok(LabelledBoard::from(board?).into())),
                        (Err(fault), _) => (String::new(), Err(ReadError::of(fault))),
                    };
                    self.context.is_lined = true;
                    self.context.before += 1;
                    return Some(Item { line: line.number, text, reading });
                }
                lines.push(line);
                self.extend(&mut lines);
            }
            let has_gap = self.skip_gaps(false);
            self.context.has_more = self.is_ready() && self.peek().is_some();
            let items = self.read(&lines, 0);
            let has_boards = items.iter().any(|item| item.reading.is_ok());
            let may_head = begin < lines.len() && !has_boards && self.context.has_more;
            if may_head && self.goal.is_none() && is_heading(&lines[begin..], self.context.before) {
                continue;
            }
            self.context.before += items.len();
            self.context.is_lined = items.len() == lines.len() && !has_gap;
            self.items.extend(items);
            lines.clear();
        }
        self.items.pop_front()
    }
}

impl Ahead {
    /// The line, if it is text.
    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Returns whether the line ends a paragraph: it is empty, or a rule of one sign.
    fn is_gap(&self) -> bool {
        let line = self.text().trim();
        let is_rule = line.len() > 2 && line.starts_with(['-', '=', '*']);
        let is_first = |byte| byte == line.as_bytes()[0];
        self.text.is_ok() && (line.is_empty() || is_rule && line.bytes().all(is_first))
    }

    /// Returns whether the line is an object.
    fn is_object(&self) -> bool {
        let line = self.text().trim();
        line.starts_with('{') && line.ends_with('}') && is_object(line)
    }
}

fn text(lines: &[Ahead]) -> String {
    lines.iter().map(Ahead::text).collect::<Vec<_>>().join("\n")
}

fn rows_of(lines: &[Ahead]) -> Vec<Row> {
    rows::rows(lines.iter().map(|line| (line.number, line.text())))
}

/// Returns whether lines say a size, a name or a number alone, which stand before their board, or its name and its
/// place after so many other boards.
fn is_heading(lines: &[Ahead], before: usize) -> bool {
    let rows = rows_of(lines);
    let has_letters = |row: &Row| row.texts().any(|text| text.contains(char::is_alphabetic));
    // Longer numbers are a board in one word, or meant to be.
    let is_short = |cell: &Cell| cell.number().is_some_and(|number| number < 1000);
    let is_head = |row: &Row| match row.kind {
        Kind::Size(_) => true,
        _ if row.is_name() => has_letters(row),
        _ if row.is_named => row.numbers().eq([before as u64 + 1]),
        _ => rows.len() == 1 && row.cells.len() < 4 && row.cells.iter().all(is_short),
    };
    (1..3).contains(&rows.len()) && rows.iter().all(is_head) && !is_object(&text(lines))
}
