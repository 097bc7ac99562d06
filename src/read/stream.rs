//! The boards of a stream of lines: each has one answer or one error, in order.
//!
//! A line that is a board is answered at once. Other lines are a paragraph, which ends at an empty line; one that is a
//! heading goes with the next (`Boards::next`). A paragraph is read as a whole. If it has a fault, its parts are read,
//! so that the fault costs no other board. The first of these ways that applies is taken:
//!
//! 1. At empty lines, which stand below headings (`Boards::next`).
//! 2. At objects (`Boards::objects`).
//! 3. At lines that are not text, if all before them is sound (`Boards::around_faults`).
//! 4. By 300 lines, if there are more (`Boards::together`).
//! 5. By groups: lists, what stands between comments or below names; then by lines (`Boards::parts`). These parts are
//!    kept only if one of them shows that they are boards of their own.

use std::collections::VecDeque;

use super::lines::{LineFault, MAX_LINE};
use super::rows::{Kind, MIN_BOARD, Row};
use super::{Answer, Context, Expected, ReadError, Reading, is_object, kinds, marks, read};
use crate::board::{LabelledBoard, OpenGoal};

/// The most lines of a paragraph. A file may have no empty line.
const MAX_LINES: usize = 1 << 16;

/// The lines of a part of a paragraph with a fault: a multiple of 2 to 6, so that no board of 2 to 6 lines is cut.
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
    text: Result<String, ReadError>,
    /// The board that the line is by itself, in a plain form.
    board: Option<LabelledBoard>,
}

/// The boards of a stream.
pub struct Boards<L> {
    lines: L,
    number: usize,
    context: Context,
    ahead: Option<Ahead>,
    items: VecDeque<Item>,
}

impl<L: Lines> Boards<L> {
    /// The boards of these lines.
    pub fn new(lines: L, expected: impl Into<Expected>) -> Boards<L> {
        let mut expected = expected.into();
        expected.size = expected.size.or(expected.goal.as_ref().map(OpenGoal::grid));
        let context = Context { expected: expected.into(), ..Context::default() };
        Boards { lines, number: 0, context, ahead: None, items: VecDeque::new() }
    }

    fn peek(&mut self) -> Option<&Ahead> {
        if self.ahead.is_none() {
            let text = self.lines.next_line()?.map_err(ReadError::of);
            self.number += 1;
            let board = text.as_ref().ok().and_then(|text| self.context.expected.read_plain(text));
            self.ahead = Some(Ahead { number: self.number, text, board });
        }
        self.ahead.as_ref()
    }

    fn take(&mut self) -> Option<Ahead> {
        self.peek()?;
        self.ahead.take()
    }

    /// Returns whether a line is a board, and not a row of a larger one, as the next line is not a board.
    fn is_whole(&mut self, line: &Ahead) -> bool {
        let Some(board) = &line.board else {
            return false;
        };
        let is_row = |next: &Ahead| next.board.is_none() && !next.is_gap();
        let is_large = board.board().grid().cells() >= MIN_BOARD;
        let is_next_row = |all: &mut Self| all.is_ready() && all.peek().is_some_and(is_row);
        line.text().contains('/') || is_large && !is_next_row(self)
    }

    fn is_ready(&mut self) -> bool {
        self.ahead.is_some() || self.lines.is_ready()
    }

    /// Takes empty lines and rules, and returns the last one as an empty line.
    fn skip_gaps(&mut self, waits: bool) -> Option<Ahead> {
        let mut gap = None;
        while (waits || self.is_ready()) && self.peek().is_some_and(Ahead::is_gap) {
            gap = self.take().map(|line| Ahead { text: Ok(String::new()), ..line });
        }
        gap
    }

    /// Adds the lines up to an empty one, or up to one that has not arrived. An object begins a paragraph, except in a
    /// list.
    fn extend(&mut self, lines: &mut Vec<Ahead>) {
        let list = lines[0].bare().strip_prefix('[');
        let list = list.map(|list| list.trim_start_matches(['[', ' ']));
        let in_list = list.is_some_and(|list| list.is_empty() || list.starts_with('{'));
        let is_object = lines[0].is_object();
        while lines.len() < MAX_LINES && self.is_ready() && !is_object {
            // A rule between rows of a picture is a part of it.
            let in_picture = lines.last().is_some_and(|last| last.text().contains(marks::BARS));
            let Some(line) = self.peek() else { break };
            let is_gap = line.is_gap() && !(in_picture && line.text().contains('-'));
            if is_gap || line.begins_object() && !in_list {
                break;
            }
            lines.extend(self.take());
        }
    }

    /// The boards of lines that belong together, or else of their parts; or what is in their place. `before` boards
    /// precede them in their paragraph.
    fn read(&self, lines: &[Ahead], before: usize) -> Vec<Item> {
        if lines.is_empty() {
            return Vec::new();
        }
        #[cfg(feature = "serde")]
        if is_object(&text(lines)) {
            return self.objects(lines, before);
        }
        self.around_faults(lines, before, self.context.is_lined)
    }

    /// The boards of lines that are no objects: those before each line that is not text, its error, and what is after
    /// it, as long as all before it is sound.
    fn around_faults(&self, lines: &[Ahead], before: usize, is_lined: bool) -> Vec<Item> {
        let (mut items, mut left, mut is_lined) = (Vec::new(), lines, is_lined);
        let is_fault = |line: &Ahead| line.text.is_err();
        while let Some(at) = left.iter().position(is_fault).filter(|&at| at > 0) {
            let sound = self.together(&left[..at], before + items.len(), is_lined);
            if sound.iter().any(|item| item.reading.is_err()) {
                break;
            }
            is_lined = sound.len() == at;
            items.extend(sound);
            items.extend(self.together(&left[at..=at], before + items.len(), is_lined));
            left = &left[at + 1..];
        }
        if !left.is_empty() {
            items.extend(self.together(left, before + items.len(), is_lined));
        }
        items
    }

    /// The boards of lines that belong together, or of parts of many lines if there is a fault.
    fn together(&self, lines: &[Ahead], before: usize, is_lined: bool) -> Vec<Item> {
        let before_all = self.context.before + before;
        let context = Context { before: before_all, is_lined, ..self.context.clone() };
        let found = self.answers(lines, &context);
        if lines.len() > PART && found.iter().any(|(_, reading)| reading.is_err()) {
            return lines.chunks(PART).fold(Vec::new(), |mut all, part| {
                all.extend(self.around_faults(part, before + all.len(), is_lined));
                all
            });
        }
        let item = |([first, last], reading): Answer| {
            let begin = lines.partition_point(|line| line.number < first);
            let end = lines.partition_point(|line| line.number <= last);
            let of = |line: &Ahead| Some((line.number, line.text.as_ref().err()?.clone()));
            match lines[begin..end].iter().find_map(of) {
                Some((line, fault)) => Item { line, text: String::new(), reading: Err(fault) },
                None => Item { line: first, text: self::text(&lines[begin..end]), reading },
            }
        };
        found.into_iter().map(item).collect()
    }

    /// The boards of lines in which `#` begins a comment, unless they are all sure with `#` as a cell alone.
    fn answers(&self, lines: &[Ahead], context: &Context) -> Vec<Answer> {
        let answers = |has_hash| Self::parts(&self.rows(lines, has_hash), context, false);
        let is_sure = |(_, reading): &Answer| reading.as_ref().is_ok_and(|it| it.notes.is_empty());
        let found = answers(false);
        let may_be = lines.iter().any(|line| line.text().contains('#'));
        if !may_be || found.iter().all(is_sure) {
            return found;
        }
        Some(answers(true)).filter(|other| other.iter().all(is_sure)).unwrap_or(found)
    }

    fn rows(&self, lines: &[Ahead], has_hash: bool) -> Vec<Row> {
        // An empty line would begin a group. The only ones are those between a heading and its board, as in
        // `3⏎⏎1 2 3⏎4 0 6⏎7 5 8`.
        let lines = lines.iter().filter(|line| !line.text().is_empty());
        let lines = lines.map(|line| (line.number, line.text()));
        kinds::rows(lines, has_hash, self.context.expected.goal.is_some())
    }

    /// Returns whether lines say a size, a name or a number alone, which stand before their board.
    fn is_heading(&self, lines: &[Ahead]) -> bool {
        let rows = self.rows(lines, true);
        let is_head = |row: &Row| match row.kind {
            Kind::Size(_) | Kind::Name => true,
            Kind::Cells if row.may_be_name() => self.context.expected.goal.is_none(),
            Kind::Cells => rows.len() == 1 && row.is_heading(),
            _ => false,
        };
        let is_object = lines.iter().any(Ahead::begins_object);
        (1..3).contains(&rows.len()) && rows.iter().all(is_head) && !is_object
    }

    /// The boards of rows that belong together; or else of their groups if there are some, and of their lines, if one
    /// of them shows that they are boards of their own.
    fn parts(rows: &[Row], context: &Context, is_group: bool) -> Vec<Answer> {
        let whole = if rows.is_empty() { Vec::new() } else { read(rows, context) };
        if whole.iter().all(|(_, reading)| reading.is_ok()) {
            return whole;
        }
        let has_groups = rows[0].group < rows[rows.len() - 1].group && !is_group;
        let are_together = |a: &Row, b: &Row| match has_groups {
            true => a.group == b.group || a.line == b.line && b.depth == 0,
            false => a.line == b.line,
        };
        // After a board in one line, each line is taken as a board.
        let mut is_sure = context.is_lined && !has_groups;
        let (mut each, mut sizes, mut context) = (Vec::new(), Vec::new(), context.clone());
        for part in rows.chunk_by(are_together) {
            let found = match has_groups {
                true => Self::parts(part, &context, true),
                false => read(part, &context),
            };
            context.before += found.len();
            for ([first, last], reading) in &found {
                let Ok(reading) = reading else { continue };
                context.is_lined = first == last;
                sizes.push(reading.board.board().grid());
                // A part that needs no other one to tell that it is a board.
                let is_large = reading.board.board().grid().cells() >= MIN_BOARD;
                is_sure |= is_large || context.expected.size.is_some() || part.len() > 1;
            }
            each.extend(found);
        }
        // Most parts are boards of one size.
        let are_most = sizes.len() > (each.len() - sizes.len()).max(1);
        is_sure |= are_most && sizes.iter().all(|size| *size == sizes[0]);
        let boards = |all: &[Answer]| all.iter().filter(|(_, reading)| reading.is_ok()).count();
        if is_sure && boards(&each) > boards(&whole) { each } else { whole }
    }

    /// The objects of lines: all in JSON; else each on its line, or up to the line where the next one begins.
    #[cfg(feature = "serde")]
    fn objects(&self, lines: &[Ahead], before: usize) -> Vec<Item> {
        let read = |part: &[Ahead]| {
            let item = |(text, reading)| Item { line: part[0].number, text, reading };
            let objects = super::objects::objects(&text(part), &self.context.expected);
            objects.map_or_else(
                |error| Err(vec![item((text(&part[..1]), Err(error)))]),
                |objects| Ok(objects.into_iter().map(item).collect()),
            )
        };
        let mut items = Vec::new();
        match read(lines) {
            Ok(found) => return found,
            Err(found) if lines.len() == 1 => return found,
            Err(_) => {}
        }
        for part in lines.chunk_by(|_, next| !next.begins_object()) {
            if !part[0].begins_object() {
                items.extend(self.around_faults(part, before + items.len(), false));
                continue;
            }
            let length = if part[0].is_object() { 1 } else { part.len() };
            let found = read(&part[..length]);
            let end = if found.is_ok() { length } else { 1 };
            let (Ok(found) | Err(found)) = found;
            items.extend(found);
            items.extend(self.read(&part[end..], before + items.len()));
        }
        items
    }
}

impl<L: Lines> Iterator for Boards<L> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.items.is_empty() {
            self.context.is_lined &= self.skip_gaps(true).is_none();
            let first = self.take()?;
            if self.is_whole(&first) {
                self.context.is_lined = true;
                self.context.before += 1;
                let Ahead { number: line, text, board } = first;
                let text = text.unwrap_or_default();
                return Some(Item { line, text, reading: Ok(board?.into()) });
            }
            let mut lines = vec![first];
            self.extend(&mut lines);
            // Lines that only say a size, a name or a number stand before their board, unless they do not fit.
            let mut begin = 0;
            let mut gap = self.skip_gaps(false);
            while gap.is_some()
                && lines.len() < MAX_LINES
                && self.is_heading(&lines[begin..])
                && self.is_ready()
            {
                begin = lines.len() + 1;
                lines.extend(gap.into_iter().chain(self.take()));
                self.extend(&mut lines);
                gap = self.skip_gaps(false);
            }
            self.context.has_more = self.is_ready() && self.peek().is_some();
            let mut items = self.read(&lines, 0);
            if items.iter().any(|item| item.reading.is_err()) {
                let parts = lines.split(|line| line.text().is_empty());
                items = parts.fold(Vec::new(), |mut all, part| {
                    all.extend(self.read(part, all.len()));
                    all
                });
            }
            self.context.before += items.len();
            let is_line = |item: &Item| lines.last().is_some_and(|last| last.number == item.line);
            self.context.is_lined = gap.is_none() && items.last().is_some_and(is_line);
            self.items.extend(items);
        }
        self.items.pop_front()
    }
}

impl Ahead {
    /// The line. One that is not text has a sign that is no tile.
    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("\u{fffd}")
    }

    /// The line without white space and marks around it.
    fn bare(&self) -> &str {
        let line = self.text().trim_start_matches('\u{feff}').trim();
        line.strip_suffix(',').unwrap_or(line)
    }

    /// Returns whether the line ends a paragraph: it is empty, or a rule of one sign.
    fn is_gap(&self) -> bool {
        let line = self.text().trim();
        let is_rule = |mark: char| line.trim_start_matches(mark).is_empty();
        line.is_empty() || line.len() > 2 && ['-', '=', '*'].into_iter().any(is_rule)
    }

    /// Returns whether the line is an object.
    fn is_object(&self) -> bool {
        self.begins_object() && self.bare().ends_with('}')
    }

    /// Returns whether the line begins an object.
    fn begins_object(&self) -> bool {
        self.bare().starts_with('{') && is_object(self.bare())
    }
}

fn text(lines: &[Ahead]) -> String {
    lines.iter().map(Ahead::text).collect::<Vec<_>>().join("\n")
}
