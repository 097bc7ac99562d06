//! The lines of files and streams.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

use super::source::Source;
use crate::board::{ParseError, before_comment, trimmed};

/// The longest line of boards that is read. The largest board needs about a kilobyte.
const MAX_LINE: usize = 64 << 10;

/// A longer line ends the reading: a device such as `/dev/zero` has no line ends.
const MAX_SKIPPED: u64 = 1 << 30;

/// The text of a line that has nothing but a comment.
pub const COMMENT: &str = "#";

/// The text of one board, and where it comes from.
#[derive(Debug)]
pub struct Input {
    pub origin: Origin,
    /// The part of the text that could be read.
    pub text: String,
    /// The line as it is, if it has a comment: `#` may be the blank.
    pub whole: Option<String>,
    /// Why the text is not complete.
    pub fault: Option<Fault>,
    /// Why the text is no board, if it was read already.
    pub error: Option<ParseError>,
}

/// The source of a board, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The only board.
    Alone,
    /// One of several arguments, counted from 1.
    Argument(usize),
    /// A line, counted from 1, of a file or stream with this name.
    Line(Arc<str>, usize),
    /// A board with a label, of such a line.
    Labelled(Arc<str>, usize, Arc<str>),
}

impl Origin {
    /// The number of the line or argument.
    pub fn number(&self) -> usize {
        match *self {
            Origin::Alone => 1,
            Origin::Argument(number) | Origin::Line(_, number) | Origin::Labelled(_, number, _) => {
                number
            }
        }
    }

    /// The source of a board that has this label there.
    pub fn labelled(self, label: &str) -> Origin {
        match self {
            Origin::Line(name, number) => Origin::Labelled(name, number, label.into()),
            other => other,
        }
    }
}

/// The beginning of a message about the board.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Alone => Ok(()),
            Origin::Argument(number) => write!(f, "argument {number} (each is one board): "),
            Origin::Line(name, number) => write!(f, "{name}, line {number}: "),
            Origin::Labelled(name, number, label) => {
                write!(f, "{name}, line {number} ({label}): ")
            }
        }
    }
}

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("the line is longer than {} KiB", .0 >> 10)]
    TooLong(usize),
    #[error("no line ends for {} MiB: the rest is not read", MAX_SKIPPED >> 20)]
    Endless,
    #[error("the text is UTF-16: save it as UTF-8")]
    Utf16,
    #[error("the line is not UTF-8 from byte {0} on: save the text as UTF-8")]
    NotUtf8(usize),
    #[error("cannot be read: {0}")]
    // Not a source: the message has its text.
    Read(io::Error),
}

impl Input {
    /// A board whose text is complete.
    pub fn sound(origin: Origin, text: String) -> Input {
        Input { origin, text, whole: None, fault: None, error: None }
    }
}

/// The lines of a stream, without comments. Only the lines of one board are held in memory, and only
/// the beginning of a line that is too long.
pub struct Lines<R> {
    name: Arc<str>,
    reader: R,
    number: usize,
    /// The reader has ended, or failed.
    done: bool,
    /// Lines that were looked at, and are not yet taken.
    ahead: VecDeque<Input>,
}

impl<R: Source> Lines<R> {
    pub fn new(name: Arc<str>, reader: R) -> Lines<R> {
        Lines { name, reader, number: 0, done: false, ahead: VecDeque::new() }
    }

    /// Looks at the next line. Waits for it if necessary.
    pub fn peek(&mut self) -> Option<&Input> {
        if self.ahead.is_empty() {
            self.ahead = self.read().into_iter().collect();
        }
        self.ahead.front()
    }

    /// Gives lines back, which come again.
    pub fn give_back(&mut self, lines: Vec<Input>) {
        lines.into_iter().rev().for_each(|line| self.ahead.push_front(line));
    }

    /// Returns whether the end has been seen.
    pub fn is_at_end(&self) -> bool {
        self.done && self.ahead.is_empty()
    }

    /// Returns whether the next line or the end can be seen after waiting for at most this time.
    pub fn is_ready(&mut self, patience: Duration) -> bool {
        !self.ahead.is_empty() || self.done || self.reader.is_ready(patience)
    }

    fn read(&mut self) -> Option<Input> {
        if self.done {
            return None;
        }
        let line = line(&mut self.reader, MAX_LINE);
        self.done =
            matches!(line, Err(_) | Ok(None | Some((_, Some(Fault::Endless | Fault::Utf16)))));
        let (text, fault) = match line {
            Ok(line) => line?,
            Err(error) => (String::new(), Some(Fault::Read(error))),
        };
        self.number += 1;
        let text = if self.number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let (line, board) = (text, trimmed(before_comment(text)));
        let whole = line.contains('#').then(|| line.trim_end().to_owned());
        let text = if board.is_empty() && text.contains('#') { COMMENT } else { board };
        let origin = Origin::Line(self.name.clone(), self.number);
        Some(Input { whole, fault, ..Input::sound(origin, text.to_owned()) })
    }
}

impl<R: Source> Iterator for Lines<R> {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        self.ahead.pop_front().or_else(|| self.read())
    }
}

/// Reads the next line of at most `most` bytes, or the beginning of a longer one.
pub fn line(reader: &mut impl BufRead, most: usize) -> io::Result<Option<(String, Option<Fault>)>> {
    let mut bytes = Vec::new();
    io::Read::take(&mut *reader, most as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > most && !bytes.ends_with(b"\n") {
        let start = String::from_utf8_lossy(&bytes).into_owned();
        let skipped = io::Read::take(&mut *reader, MAX_SKIPPED).skip_until(b'\n')?;
        let is_endless = skipped as u64 == MAX_SKIPPED;
        let fault = if is_endless { Fault::Endless } else { Fault::TooLong(most) };
        return Ok(Some((start, Some(fault))));
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error)
            if [&[0xff, 0xfe][..], &[0xfe, 0xff]]
                .iter()
                .any(|mark| error.as_bytes().starts_with(mark)) =>
        {
            (String::new(), Some(Fault::Utf16))
        }
        Err(error) => {
            let fault = Fault::NotUtf8(error.utf8_error().valid_up_to() + 1);
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(fault))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::super::source::Waiting;
    use super::*;

    /// The lines that are not empty, `number: text` or `number! text` for lines with a fault.
    fn read(bytes: &[u8]) -> Vec<String> {
        let show = |input: Input| {
            let mark = if input.fault.is_some() { "!" } else { ":" };
            format!("{}{mark} {}", input.origin.number(), input.text)
        };
        let sound = |input: &Input| !input.text.is_empty() || input.fault.is_some();
        Lines::new("test".into(), bytes).filter(sound).map(show).collect()
    }

    #[test]
    fn comments_and_empty_lines_are_skipped_but_counted() {
        assert!(read(b"").is_empty());
        assert_eq!(read(b"\n\n \t\n# 1 2 3 0\n"), ["4: #"]);
        assert_eq!(read(b"1 2\n# no\n\r\n 3 4 # yes\r\n5"), ["1: 1 2", "2: #", "4:  3 4", "5: 5"]);
        assert_eq!(read("\u{feff}# no\n1".as_bytes()), ["1: #", "2: 1"]);
        assert_eq!(read("\u{feff}1".as_bytes()), ["1: 1"]);
    }

    #[test]
    fn a_bad_line_spoils_no_other() {
        assert_eq!(read(b"1\n2 \xff\n3\0\n"), ["1: 1", "2! 2 \u{fffd}", "3: 3\0"]);
        let long = [&b"1\n"[..], &vec![b'7'; 10 * MAX_LINE], b"\n3\n"].concat();
        let lines = read(&long);
        assert_eq!((lines.len(), &*lines[0], &*lines[2]), (3, "1: 1", "3: 3"));
        assert_eq!(lines[1].len(), MAX_LINE + 1 + "2! ".len());
        for (length, mark) in [(MAX_LINE - 1, ':'), (MAX_LINE, ':'), (MAX_LINE + 1, '!')] {
            for end in ["", "\n"] {
                let lines = read(&[&vec![b'7'; length], end.as_bytes()].concat());
                assert_eq!((lines.len(), lines[0].chars().nth(1)), (1, Some(mark)), "{length}");
            }
        }
    }

    #[test]
    fn a_read_error_is_the_last_line() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("no luck"))
            }
        }
        let reader = io::BufReader::new(io::Read::chain(&b"1\n2"[..], Broken));
        let all: Vec<_> = Lines::new("test".into(), Waiting(reader)).collect();
        assert_eq!(all.len(), 2);
        assert!(matches!(all[1].fault, Some(Fault::Read(_))));
        assert_eq!(all[1].origin.to_string(), "test, line 2: ");
    }
}
