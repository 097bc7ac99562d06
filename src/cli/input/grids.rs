//! Boards of several lines among the lines of a stream.
//!
//! The lines of a [`Block`] are a board. If they are none, they are read with the lines that follow at
//! once, as an argument is. A text of several boards gives each of them.

use std::collections::VecDeque;
use std::time::Duration;

use super::lines::{COMMENT, Input, Lines};
use super::source::Source;
use crate::board::{
    Block, Board, BoardError, Grid, Guess, ParseError, Reading, Wait, are_rows, is_next_row,
    is_separator_line, with_ordinal,
};
use crate::cli::output::report::shortened;
use crate::cli::output::streams::say;
use crate::json::{self, JsonError};

/// The longest wait for lines behind those that are no board.
const PATIENCE: Duration = Duration::from_millis(50);

/// The most lines of a text that is read as a whole, if its first lines are no board.
const MAX_WHOLE: usize = 48;

/// The most readings of such texts in a stream: it may have no board at all.
const MAX_READINGS: usize = 10_000;

/// The most bytes of such texts without a board: a tenth of a second.
const MAX_FRUITLESS: usize = 1 << 18;

/// Joins the rows of grids, and drops empty lines.
pub struct Grids<R> {
    lines: Lines<R>,
    size: Option<Grid>,
    /// The wait for a line that may belong to a board. Who asks a question a line must not wait for
    /// the answer until the next question.
    patience: Duration,
    /// Boards of one text that are not yet given.
    ahead: VecDeque<Input>,
    has_boards: bool,
    readings: usize,
    /// The bytes of these readings since the last board.
    fruitless: usize,
    /// The tiles may have labels: words that are no heading.
    labels: bool,
    /// Words behind the last board get a note.
    tells: bool,
    /// The number next to the tiles of the last board in one row that had one.
    column: Option<Column>,
}

/// A column of numbers that are no tiles, next to boards in one row.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    /// The first one: its last number, and the words of that line.
    First(u64, usize),
    Last,
}

impl<R: Source> Grids<R> {
    pub fn new(lines: Lines<R>, size: Option<Grid>, patience: Duration) -> Grids<R> {
        Grids {
            lines,
            size,
            patience,
            ahead: VecDeque::new(),
            has_boards: false,
            readings: 0,
            fruitless: 0,
            labels: false,
            tells: false,
            column: None,
        }
    }

    /// Grids whose tiles may have labels.
    pub fn of_labels(self, labels: bool) -> Grids<R> {
        Grids { labels, ..self }
    }

    /// Grids that print a note on words behind the last board.
    pub fn telling(self, tells: bool) -> Grids<R> {
        Grids { tells, ..self }
    }

    /// Returns whether the next line may be looked at.
    fn may_go_on(&mut self, wait: Wait) -> bool {
        match wait {
            Wait::Done => false,
            Wait::No => self.lines.is_ready(Duration::ZERO),
            Wait::Brief => self.lines.is_ready(self.patience),
            Wait::Next => true,
        }
    }

    /// The block that begins with a line, and its other lines.
    fn block(&mut self, first: &Input) -> (Block, Vec<Input>) {
        let mut block = Block::new(&first.text, self.size);
        let mut others = Vec::new();
        while self.may_go_on(block.wait())
            && let Some(line) = self.lines.peek()
            && line.fault.is_none()
        {
            if line.text != COMMENT && block.takes(&line.text) {
                others.extend(self.lines.next());
            } else if is_empty(line) && block.is_head() {
                self.lines.next();
            } else {
                break;
            }
        }
        (block, others)
    }

    /// Reads lines that are no board as far as they go with those that follow at once: as a text of
    /// its own would be.
    fn extended(&mut self, lines: &mut Vec<Input>) -> bool {
        let begin = lines.len();
        if self.readings >= MAX_READINGS || self.fruitless >= MAX_FRUITLESS {
            return false;
        }
        while lines.len() < MAX_WHOLE && self.follows(|_| true) {
            lines.extend(self.lines.next());
        }
        let read = |end: usize| Board::read(&with_comments(&lines[..end]), self.size);
        let mut readings = 0;
        let mut is_board = |end: &usize| {
            readings += 1;
            matches!(read(*end), Ok(_) | Err(ParseError::SizeLine { .. }))
        };
        // With its comments, the text is another one.
        let has_comments = lines[..begin].iter().any(|line| line.whole.is_some());
        let first = begin + usize::from(!has_comments);
        // An empty line ends what is a board before it.
        let mut ends = (first..lines.len()).filter(|&end| is_separator_line(&lines[end].text));
        let rows: Vec<&str> = lines[..begin].iter().map(|line| &*line.text).collect();
        // Rows of a faulty grid are no labels of the next one.
        let last = match are_rows(&rows) {
            true => (begin..lines.len()).find(|&end| is_separator_line(&lines[end].text)),
            false => ends.find(&mut is_board),
        };
        let last = last.unwrap_or(lines.len());
        let bytes: usize = lines.iter().map(|line| line.text.len()).sum();
        let mut end = (first..=last).rev().find(is_board);
        self.readings += readings;
        self.fruitless = if end.is_some() { 0 } else { self.fruitless + readings * bytes / 2 };
        // What may stand before the next board is left to it.
        while let Some(last) = end.map(|end| end - 1)
            && last > begin
            && (is_empty(&lines[last]) || Block::new(&lines[last].text, self.size).is_head())
            && let Ok(reading) = read(last)
            && (!reading.lacks_blank()
                || read(last + 1)
                    .is_ok_and(|all| all.board == reading.board || all.label().is_some()))
        {
            end = Some(last);
        }
        self.lines.give_back(lines.split_off(end.unwrap_or(begin)));
        end.is_some()
    }

    /// Takes the lines that follow at once if they are more rows of a board of which these lack the blank.
    fn has_blank_below(&mut self, lines: &mut Vec<Input>, first: &Reading) -> bool {
        let begin = lines.len();
        let tiles = |reading: &Reading| -> Vec<u8> {
            reading.board.tiles().iter().copied().filter(|&tile| tile > 0).collect()
        };
        let is_label = |guess: &Guess| !matches!(guess, Guess::LeftOut(..));
        // Few rows, as each costs a reading.
        while lines.len() < begin + first.board.grid().width()
            && self.follows(|line| !is_empty(line))
        {
            lines.extend(self.lines.next());
            let is_whole = Board::read(&joined(lines), self.size).is_ok_and(|whole| {
                !whole.guesses.iter().any(is_label) && tiles(&whole).starts_with(&tiles(first))
            });
            if is_whole {
                return true;
            }
        }
        self.lines.give_back(lines.split_off(begin));
        false
    }

    /// The fault of a grid that goes on behind the first `whole` lines, which are a board by themselves, or
    /// have a fault.
    fn fault_of_grid(&mut self, lines: &mut Vec<Input>, whole: usize) -> Option<ParseError> {
        let (begin, size) = (lines.len(), self.size);
        // The last row of the board, again.
        let is_again = |lines: &[Input], line: &Input| {
            whole > 1 && lines.len() == whole && line.text == lines[whole - 1].text
        };
        let goes_on = |lines: &[Input], line: &Input| {
            let rows: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
            is_again(lines, line) || is_next_row(&rows, &line.text, size)
        };
        let is_next = |line: &Input| goes_on(&lines[..whole], line);
        match lines.get(whole) {
            Some(line) if !is_next(line) => return None,
            // Nobody waits for a row that may not come.
            None if !self.lines.is_ready(Duration::ZERO) || !self.follows(is_next) => return None,
            _ => {}
        }
        if self.readings >= MAX_READINGS {
            return None;
        }
        self.readings += 2;
        while lines.len() < MAX_WHOLE && self.follows(|line| goes_on(lines, line)) {
            lines.extend(self.lines.next());
        }
        let text = joined(lines);
        let fault = if lines.len() == whole + 1 && is_again(&lines[..whole], &lines[whole]) {
            // Such a row is no board, even if its tiles are one. With others behind it, it begins one.
            let begins = self.follows(|line| !is_empty(line));
            Board::parse(&text, size).err().filter(|_| !begins)
        } else {
            // Such rows may also be the first ones of another board.
            let others = Board::read(&joined(&lines[whole..]), size);
            let are_boards = matches!(others, Ok(_) | Err(ParseError::Several { .. }));
            Board::read(&text, size).err().filter(|_| !are_boards)
        };
        if fault.is_none() {
            self.lines.give_back(lines.split_off(begin));
        }
        fault
    }

    /// The fault of a grid that goes on behind all these lines.
    fn fault_behind(&mut self, lines: &mut Vec<Input>) -> Option<ParseError> {
        let whole = lines.len();
        self.fault_of_grid(lines, whole)
    }

    /// Returns whether the next line is there and without a fault, and `is_wanted`.
    fn follows(&mut self, is_wanted: impl Fn(&Input) -> bool) -> bool {
        self.lines.is_ready(PATIENCE.min(self.patience))
            && self.lines.peek().is_some_and(|line| line.fault.is_none() && is_wanted(line))
    }

    /// The fault of a line that lacks a tile, but is a board together with its number in the first column.
    fn fault_of_column(&mut self, line: &str) -> Option<ParseError> {
        let Some(Column::First(number, count)) = self.column else { return None };
        let next = words(line).next()?.parse().ok()?;
        if number.checked_add(1) != Some(next) {
            return None;
        }
        let tiles = line.split_once(is_gap).filter(|_| words(line).count() + 1 == count)?.1;
        self.column = Some(Column::First(next, count));
        Board::read(tiles, self.size).err()
    }

    /// The text of a board in one row, which was read with these guesses. Where both its first and its last
    /// number could be the one that is no tile, it is the one that was none before.
    fn by_column(&mut self, text: String, guesses: &[Guess]) -> String {
        // The names of the columns may stand above the first line.
        let row = text.lines().next_back().unwrap_or_default().trim();
        match guesses {
            [.., Guess::First(first)] => match row.rsplit_once(is_gap) {
                Some((tiles, last)) if last == first => {
                    if self.column == Some(Column::Last) && guesses.len() == 1 {
                        return format!("{last}: {tiles}");
                    }
                }
                _ => {
                    let number = first.trim_end_matches('.').parse().ok();
                    let count = words(row).count();
                    self.column = number.map(|number| Column::First(number, count));
                }
            },
            [.., Guess::Last(_)] => self.column = Some(Column::Last),
            _ => {}
        }
        text
    }

    /// Returns whether another line that is no comment follows.
    fn goes_on(&mut self) -> bool {
        while self.lines.peek().is_some_and(is_empty) {
            self.lines.next();
        }
        self.lines.peek().is_some()
    }
}

impl<R: Source> Iterator for Grids<R> {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        if let Some(board) = self.ahead.pop_front() {
            return Some(board);
        }
        let first = self.lines.find(|line| !is_empty(line))?;
        if first.fault.is_some() {
            return Some(first);
        }
        // Slashes are between all rows of a board.
        if self.labels && first.text.contains('/') {
            return Some(trimmed(first));
        }
        let (block, mut lines) = self.block(&first);
        // Most boards are such. Four tiles may also be a row.
        if lines.is_empty() && block.whole() == 1 && block.wait() != Wait::Brief {
            self.has_boards = true;
            let error = self.fault_of_column(&first.text);
            return Some(trimmed(Input { error, ..first }));
        }
        lines.insert(0, first);
        let whole = block.whole();
        let mut text = joined(&lines);
        if self.labels {
            return Some(trimmed(Input::sound(lines.swap_remove(0).origin, text)));
        }
        // Words and numbers behind the boards are none. A size is a board that is cut short.
        let is_size = text.parse::<u64>().is_err() && text.parse::<Grid>().is_ok();
        if block.is_head() && self.has_boards && self.lines.is_at_end() && !is_size {
            if self.tells {
                let (origin, words) = (&lines[0].origin, shortened(&text));
                let note =
                    format_args!("note: {origin}{words:?} behind the last board is no part of it");
                say("taquin", note);
            }
            return None;
        }
        let mut error = if whole > 0 { self.fault_of_grid(&mut lines, whole) } else { None };
        // A number before rows is read again, unless it is their width.
        let has_count = lines.get(1).is_some_and(|row| {
            let width = row.text.split_whitespace().count();
            lines[0].text.parse::<usize>().is_ok_and(|count| count != width)
        });
        let is_plain = whole == lines.len() && !has_count;
        if error.is_none() && !is_plain && !json::is_object(&text) {
            match json::read(&text, self.size).map_err(|error| match error {
                JsonError::Board(error) => error,
                _ => ParseError::Empty,
            }) {
                Ok((reading, _))
                    if reading.lacks_blank() && self.has_blank_below(&mut lines, &reading) =>
                {
                    text = joined(&lines);
                }
                Ok((reading, _)) => {
                    error = self.fault_behind(&mut lines);
                    text = self.by_column(text, &reading.guesses);
                }
                Err(ParseError::Several { .. }) => {
                    let boards = json::several(&text, self.size);
                    let origin = &lines[0].origin;
                    self.ahead =
                        boards.into_iter().map(|text| Input::sound(origin.clone(), text)).collect();
                    self.has_boards = true;
                    return self.ahead.pop_front();
                }
                // Among other boards it is a count, or the number of the board.
                Err(ParseError::SizeLine { .. }) if self.has_boards || self.goes_on() => {
                    text = with_ordinal(&text).unwrap_or(text);
                }
                // What follows the board is not part of it.
                Err(_) if (1..lines.len()).contains(&whole) => {
                    self.lines.give_back(lines.split_off(whole));
                    text = joined(&lines);
                }
                Err(fault @ ParseError::Board(BoardError::Repeated { .. }))
                    if lines.len() > 1 || !text.contains('[') =>
                {
                    error = self.fault_behind(&mut lines).or(Some(fault));
                }
                Err(fault) => match self.extended(&mut lines) {
                    true => {
                        text = with_comments(&lines);
                        // A count before boards of one line each.
                        text = match Board::read(&text, self.size) {
                            Ok(reading) => self.by_column(text, &reading.guesses),
                            Err(ParseError::SizeLine { .. })
                                if self.has_boards || self.goes_on() =>
                            {
                                with_ordinal(&text).unwrap_or(text)
                            }
                            Err(_) => text,
                        };
                    }
                    false => error = self.fault_behind(&mut lines).or(Some(fault)),
                },
            }
        }
        self.has_boards = true;
        if error.is_some() {
            text = joined(&lines);
        }
        let input = Input::sound(lines.swap_remove(0).origin, text);
        Some(trimmed(Input { error, ..input }))
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == ','
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_gap).filter(|word| !word.is_empty())
}

/// A board in one line without the white space around it.
fn trimmed(mut input: Input) -> Input {
    if input.text.starts_with(char::is_whitespace) && !input.text.contains('\n') {
        input.text = input.text.trim().to_owned();
    }
    input
}

/// The text of lines without those of comments.
fn joined(lines: &[Input]) -> String {
    let lines = lines.iter().filter(|line| line.text != COMMENT).map(|line| &*line.text);
    lines.collect::<Vec<_>>().join("\n")
}

/// The text of lines with the comments behind tiles.
fn with_comments(lines: &[Input]) -> String {
    let lines = lines.iter().filter(|line| line.text != COMMENT);
    let lines = lines.map(|line| &**line.whole.as_ref().unwrap_or(&line.text));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_empty(line: &Input) -> bool {
    line.fault.is_none() && (line.text == COMMENT || is_separator_line(&line.text))
}

#[cfg(test)]
mod tests {
    use super::super::source::Waiting;
    use super::*;

    /// The number of the first line and the text of each board.
    fn read(text: &str, size: Option<&str>, whole: bool) -> Vec<(usize, String)> {
        let size = size.map(|size| size.parse().unwrap());
        let found = |input: Input| (input.origin.number(), input.text.replace('\n', "|"));
        let (text, name) = (text.as_bytes(), "test".into());
        if whole {
            Grids::new(Lines::new(name, text), size, Duration::ZERO).map(found).collect()
        } else {
            Grids::new(Lines::new(name, Waiting(text)), size, Duration::ZERO).map(found).collect()
        }
    }

    #[track_caller]
    fn assert_read(found: Vec<(usize, String)>, expected: &[(usize, &str)]) {
        let found: Vec<_> = found.iter().map(|(number, text)| (*number, &**text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn grids_and_lines_may_be_mixed() {
        let text = "1 2 3\n4 5 6\n7 8 0\n\n\n1 2 3 0\n1 0 3 2\n\n1 2\n3 0\n1 2 3 4 5 6 7 0 8\n----\n[1, 2]\n[0, 3]";
        for whole in [false, true] {
            assert_read(
                read(text, None, whole),
                &[
                    (1, "1 2 3|4 5 6|7 8 0"),
                    (6, "1 2 3 0"),
                    (7, "1 0 3 2"),
                    (9, "1 2|3 0"),
                    (11, "1 2 3 4 5 6 7 0 8"),
                    (13, "[1, 2]|[0, 3]"),
                ],
            );
        }
    }

    #[test]
    fn rows_may_have_numbers_and_a_gap_may_end_one() {
        for (text, board) in [
            ("ABC\nDE\nGHF", "ABC|DE|GHF"),
            ("123;406;758", "123;406;758"),
            ("  1 1 2 3\n  2 4 0 6\n  3 7 5 8", "  1 1 2 3|  2 4 0 6|  3 7 5 8"),
            (
                "0,1,2,3\n5,1,7,3\n9,2,11,4\n13,6,15,8\n0,10,14,12",
                "0,1,2,3|5,1,7,3|9,2,11,4|13,6,15,8|0,10,14,12",
            ),
            (
                "     [,1] [,2]\n[1,]    1    2\n[2,]    2    0",
                "     [,1] [,2]|[1,]    1    2|[2,]    2    0",
            ),
        ] {
            assert_read(read(text, None, true), &[(1, board)]);
        }
        // Two boards without a blank, and two in rows of several digits.
        for (text, boards) in [
            ("123\n456\n78\n123\n456\n87", [(1, "123|456|78"), (4, "123|456|87")]),
            ("ABC\nDEF\nGH\nABC\nDEF\nHG", [(1, "ABC|DEF|GH"), (4, "ABC|DEF|HG")]),
            ("ABC\nDE\nGHF\nABC\nDEF\nHG", [(1, "ABC|DE|GHF"), (4, "ABC|DEF|HG")]),
            ("123;406;758\n123;456;708", [(1, "123;406;758"), (2, "123;456;708")]),
        ] {
            assert_read(read(text, None, true), &boards);
        }
        // Nor is a board a row below a faulty one.
        assert_read(read("1 2 2 0\n2 1 3 0", None, true), &[(1, "1 2 2 0"), (2, "2 1 3 0")]);
        let wide = read("1 2 2 3 4 0\n2 1 0 3 4 5", Some("3x2"), true);
        assert_read(wide, &[(1, "1 2 2 3 4 0"), (2, "2 1 0 3 4 5")]);
        // A short line is no row of the board below it.
        let lines = "8 1 3 4 0 2 7 6 5\n1 2 3 4 0 8 7 5\n1 2 3 4 5 0 7 8 6";
        let boards: Vec<_> = (1..).zip(lines.split('\n')).collect();
        assert_read(read(lines, None, true), &boards);
    }

    #[test]
    fn a_row_that_could_be_a_board_is_one_only_in_a_pipe() {
        let text = "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15";
        let grid = "0 1 2 3|4 5 6 7|8 9 10 11|12 13 14 15";
        assert_read(read(text, None, true), &[(1, grid)]);
        assert_read(read(text, Some("4x4"), false), &[(1, grid)]);
        assert_read(read(text, None, false), &[(1, "0 1 2 3"), (2, &grid[8..])]);
        // No more rows than the size has.
        let twice = format!("{text}\n{text}");
        assert_read(read(&twice, Some("4x4"), false), &[(1, grid), (5, grid)]);
        assert_read(
            read("1 2 3 0\n1 0 3 2", Some("2x2"), false),
            &[(1, "1 2 3 0"), (2, "1 0 3 2")],
        );
    }

    #[test]
    fn a_size_announces_its_rows() {
        let text = "2\n1 0\n3 2\n2\n1 2\n3 0\n3\n123\n456\n780\n2x2\n1 2 3 0\n123\n456\n708\n\n\
                    3 2\n1 2 3\n4 5 0\n3 2\n1 2 3 4 5 0\n3 2\n1 0";
        assert_read(
            read(text, None, false),
            &[
                (1, "2|1 0|3 2"),
                (4, "2|1 2|3 0"),
                (7, "3|123|456|780"),
                (11, "2x2|1 2 3 0"),
                (13, "123|456|708"),
                (17, "3 2|1 2 3|4 5 0"),
                (20, "3 2|1 2 3 4 5 0"),
                (22, "3 2|1 0"),
            ],
        );
        // A row of a board has no tile twice, so that this is a size in any case.
        assert_read(
            read("2 2\n1 0\n3 2\n3 3\n1 2 3\n4 5 6\n7 8 0", None, false),
            &[(1, "2 2|1 0|3 2"), (4, "3 3|1 2 3|4 5 6|7 8 0")],
        );
    }

    #[test]
    fn brackets_are_closed() {
        let text = "{\n\"board\": [\n1,\n2,\n3,\n0\n]\n}\n[[1, 2],\n[3, 0]]\n[\n[1, 2],\n[3, 0]\n]\n[1 2\n\n1 2 3 0";
        assert_read(
            read(text, None, false),
            &[
                (1, "{|\"board\": [|1,|2,|3,|0|]|}"),
                (9, "[[1, 2],|[3, 0]]"),
                (11, "[|[1, 2],|[3, 0]|]"),
                (15, "[1 2"),
                (17, "1 2 3 0"),
            ],
        );
    }

    #[test]
    fn a_grid_that_lacks_a_tile_is_one_board() {
        let text = "1 2 3 4\n5 6 7 8\n9 10 11\n13 14 15 0\n1 2 3 0\n1 2 3\n4 5 6\n7 8\n\n1 0 2 3";
        assert_read(
            read(text, None, true),
            &[
                (1, "1 2 3 4|5 6 7 8|9 10 11|13 14 15 0"),
                (5, "1 2 3 0"),
                (6, "1 2 3|4 5 6|7 8"),
                (10, "1 0 2 3"),
            ],
        );
    }

    #[test]
    fn a_row_that_is_there_twice_is_a_fault() {
        let text = "4 5 6 7\n8 9 10 11\n12 13 14 15\n0 1 2 3\n0 1 2 3\n\n1 2 3 0";
        let grid = "4 5 6 7|8 9 10 11|12 13 14 15|0 1 2 3|0 1 2 3";
        assert_read(read(text, None, true), &[(1, grid), (7, "1 2 3 0")]);
        let fault = Grids::new(Lines::new("test".into(), text.as_bytes()), None, Duration::ZERO)
            .find_map(|input| input.error);
        assert!(fault.unwrap().to_string().contains("the blank appears twice"));
        // The next board.
        for (text, boards) in [
            ("1 2 3\n4 5 0\n4 5 0\n1 2 3", [(1, "1 2 3|4 5 0"), (3, "4 5 0|1 2 3")]),
            ("1 2\n3 0\n3 0\n2 1", [(1, "1 2|3 0"), (3, "3 0|2 1")]),
            (
                "8 1 3\n4 0 2\n7 6 5\n7 6 5\n8 1 3\n4 0 2",
                [(1, "8 1 3|4 0 2|7 6 5"), (4, "7 6 5|8 1 3|4 0 2")],
            ),
        ] {
            assert_read(read(text, None, true), &boards);
        }
    }

    #[test]
    fn numbers_next_to_boards_are_in_one_column() {
        // The number of moves is behind the tiles.
        let text = "board,moves\n8 1 3 4 0 2 7 6 5,14\n1 2 3 4 5 6 7 0 8,1\n8 1 3 4 0 2 7 6 5 8";
        assert_read(
            read(text, None, true),
            &[
                (1, "board,moves|8 1 3 4 0 2 7 6 5,14"),
                (3, "1: 1 2 3 4 5 6 7 0 8"),
                (4, "8: 8 1 3 4 0 2 7 6 5"),
            ],
        );
        let most = format!("{} 8 1 3 4 0 2 7 6 5\n1 2 3 4 0 6 7 5 8", u64::MAX);
        assert_eq!(read(&most, None, true).len(), 2);
        // The number of the board is before them, and one lacks a tile.
        let text = "n,a,b,c,d,e,f,g,h,i\n1,8,1,3,4,0,2,7,6,5\n2,1,3,4,5,6,7,0,8\n3,1,2,4,5,6,7,0,8\n1,0,2,3,4,5,6,7,8";
        let lines = Lines::new("test".into(), text.as_bytes());
        let faults = Grids::new(lines, None, Duration::ZERO).map(|input| input.error.is_some());
        assert_eq!(faults.collect::<Vec<_>>(), [false, true, true, false]);
    }

    #[test]
    fn bad_lines_are_boards_of_their_own_or_one_bad_grid() {
        let text = "1 2 2 0\n1 2 x 0\n9\n1 2 3 4\n1 2 3\n4 4 4\n300 1\n2 0\n";
        assert_read(
            read(text, None, true),
            &[(1, "1 2 2 0"), (2, "1 2 x 0"), (3, "9|1 2 3 4|1 2 3"), (6, "4 4 4|300 1|2 0")],
        );
        let many = "1 2 3 4\n5 6 7 8\n".repeat(100_000);
        // A grid without a blank takes a third row.
        assert_eq!(read(&many, None, true).len(), 66_667);
    }
}
