//! The boards of a command: of its arguments, a file and the standard input.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use crate::board::{Board, Grid, LabelledBoard, OpenGoal};
use crate::cli::exit::{Failure, wrong};
use crate::read::{self, Boards, LineFault, Lines, LinesOf, ReadError, Reading};

/// The source of a board, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The only board.
    Alone,
    /// One of several arguments, counted from 1.
    Argument(usize),
    /// A line, counted from 1, of a file or stream with this name, and the board's label.
    Line(Arc<str>, usize, Option<String>),
}

impl Origin {
    /// The number of the line or argument.
    pub fn number(&self) -> usize {
        match *self {
            Origin::Alone => 1,
            Origin::Argument(number) | Origin::Line(_, number, _) => number,
        }
    }
}

/// The beginning of a message about the board.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Alone => Ok(()),
            Origin::Argument(number) => write!(f, "argument {number} (each is one board): "),
            Origin::Line(name, number, None) => write!(f, "{name}, line {number}: "),
            Origin::Line(name, number, Some(label)) => {
                write!(f, "{name}, line {number} ({label}): ")
            }
        }
    }
}

/// A board of the input, or why there is none in its place.
#[derive(Debug)]
pub struct Input {
    pub origin: Origin,
    pub text: String,
    pub reading: Result<Reading<LabelledBoard>, ReadError>,
}

/// Returns whether the arguments are one board, without a file.
pub fn is_alone(arguments: &[String], file: Option<&Path>) -> bool {
    let one = arguments.len() == 1 && arguments[0] != "-";
    file.is_none() && (one || spread(arguments).is_some())
}

/// The boards of the arguments, the file and the standard input, in this order: of a size if there is one, or
/// for a goal that leaves something open. An argument may have several boards if `several` says so.
pub fn boards(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
    goal: Option<&OpenGoal>,
    several: bool,
) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
    check(arguments)?;
    let mut sources: Vec<Box<dyn Iterator<Item = Input> + Send>> = Vec::new();
    let mut add = |name: &str, file: Box<dyn Read + Send>, waits: bool| {
        let name: Arc<str> = name.into();
        let lines = Arriving(LinesOf::new(Source::new(file, waits)));
        let boards = match goal {
            Some(goal) => Boards::labelled(lines, goal.clone()),
            None => Boards::new(lines, size),
        };
        sources.push(Box::new(boards.map(move |item| {
            let label = item.reading.as_ref().ok().and_then(|reading| reading.label.clone());
            let origin = Origin::Line(name.clone(), item.line, label);
            Input { origin, text: item.text, reading: item.reading }
        })));
    };
    // A person ends a board with an empty line.
    let waits = io::stdin().is_terminal();
    let mut stdin = || add("standard input", Box::new(io::stdin()), waits);
    let spread = spread(arguments);
    let texts = spread.as_ref().map_or(arguments, std::slice::from_ref);
    let alone = is_alone(arguments, file);
    let mut given = Vec::new();
    for (argument, number) in texts.iter().zip(1..) {
        if argument == "-" {
            stdin();
            continue;
        }
        let origin = if alone { Origin::Alone } else { Origin::Argument(number) };
        let readings = match goal {
            Some(goal) => vec![read::labelled(argument, goal)],
            None if several => read::boards(argument, size)
                .into_iter()
                .map(|reading| reading.map(Reading::from))
                .collect(),
            None => vec![read::board(argument, size).map(Reading::from)],
        };
        given.extend(readings.into_iter().map(|reading| Input {
            origin: origin.clone(),
            text: argument.clone(),
            reading,
        }));
    }
    match file {
        Some(path) if path == Path::new("-") => stdin(),
        Some(path) => {
            // A missing file is an error before the first board is solved.
            let file = File::open(path).with_context(|| path.display().to_string());
            add(&path.display().to_string(), Box::new(file.map_err(Failure::usage)?), false);
        }
        None if arguments.is_empty() && waits => {
            return Err(wrong!(
                "there is no board: give one in quotes, or boards in a file with --file, or - for standard input"
            ));
        }
        None if arguments.is_empty() => stdin(),
        None => {}
    }
    Ok(Box::new(given.into_iter().chain(sources.into_iter().flatten())))
}

/// Refuses arguments that look like a mistake.
fn check(arguments: &[String]) -> Result<(), Failure> {
    let is_board = |argument: &String| argument.parse::<Board>().is_ok();
    if arguments.iter().any(is_board) {
        return Ok(());
    }
    if let Some(path) = arguments.iter().find(|argument| Path::new(argument).is_file()) {
        return Err(wrong!("{path} is a file: read it with --file {path}"));
    }
    let is_file_name = |argument: &&String| {
        let end = Path::new(argument).extension().and_then(OsStr::to_str);
        !argument.contains(char::is_whitespace)
            && end.is_some_and(|end| end.len() > 1 && end.bytes().all(|b| b.is_ascii_alphabetic()))
    };
    if let Some(name) = arguments.iter().find(is_file_name) {
        return Err(wrong!(
            "{name} is not a board, and there is no such file: files of boards are read with --file"
        ));
    }
    let rows = arguments.join(" / ");
    if arguments.len() > 1 && spread(arguments).is_none() && is_board(&rows) {
        return Err(wrong!("each argument is one board: write the rows together, as in '{rows}'"));
    }
    Ok(())
}

/// A board without quotes, whose tiles or rows are separate arguments.
fn spread(arguments: &[String]) -> Option<String> {
    let is_part = |argument: &String| {
        let tiles = argument.split(|c: char| !c.is_alphanumeric() && c != '_');
        argument != "-" && tiles.filter(|tile| !tile.is_empty()).count() <= 1
    };
    let is_board = |argument: &String| argument.parse::<Board>().is_ok();
    if arguments.len() < 2 || !arguments.iter().all(is_part) || arguments.iter().all(is_board) {
        return None;
    }
    let joined = arguments.join(" ");
    (is_board(&joined) || !arguments.iter().any(is_board)).then_some(joined)
}

/// The longest file whose boards are counted beforehand.
const COUNTED: u64 = 64 << 20;

/// The number of boards that [`boards`] gives, unless some come from a stream or a large file.
pub fn total(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
    goal: Option<&OpenGoal>,
) -> Option<u64> {
    let whole = |path: &Path| {
        let metadata = path.metadata();
        metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() <= COUNTED)
    };
    let streams = arguments.iter().any(|argument| argument == "-")
        || file.is_some_and(|path| path == Path::new("-") || !whole(path))
        || arguments.is_empty() && file.is_none();
    let count =
        || boards(arguments, file, size, goal, false).ok().map(|boards| boards.count() as u64);
    (!streams).then(count).flatten()
}

/// The wait for the next row of a grid from another program.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes that a thread reads, so that the consumer can see whether more arrive soon.
struct Source {
    arriving: Receiver<io::Result<Vec<u8>>>,
    bytes: Vec<u8>,
    begin: usize,
    /// A part that has arrived but was not looked at.
    next: Option<io::Result<Vec<u8>>>,
    /// The reader waits for as long as it takes.
    waits: bool,
}

impl Source {
    fn new(mut reader: Box<dyn Read + Send>, waits: bool) -> Source {
        let (sender, arriving) = sync_channel(2);
        thread::spawn(move || {
            loop {
                let mut bytes = vec![0; 64 << 10];
                let part = match reader.read(&mut bytes) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    part => part,
                };
                let is_end = !matches!(part, Ok(1..));
                let part = part.map(|length| {
                    bytes.truncate(length);
                    bytes
                });
                // Nobody listens any more, or no more input comes.
                if sender.send(part).is_err() || is_end {
                    return;
                }
            }
        });
        Source { arriving, bytes: Vec::new(), begin: 0, next: None, waits }
    }

    /// Returns whether bytes or the end can be read soon.
    fn is_ready(&mut self) -> bool {
        if !self.waits && self.begin == self.bytes.len() && self.next.is_none() {
            match self.arriving.recv_timeout(PATIENCE) {
                Ok(part) => self.next = Some(part),
                Err(RecvTimeoutError::Disconnected) => {}
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
        true
    }
}

impl Read for Source {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(bytes)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Source {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.begin == self.bytes.len() {
            let next = self.next.take().or_else(|| self.arriving.recv().ok());
            self.bytes = next.unwrap_or(Ok(Vec::new()))?;
            self.begin = 0;
        }
        Ok(&self.bytes[self.begin..])
    }

    fn consume(&mut self, length: usize) {
        self.begin += length;
    }
}

/// Lines that may not have arrived.
struct Arriving(LinesOf<Source>);

impl Lines for Arriving {
    fn next_line(&mut self) -> Option<Result<String, LineFault>> {
        self.0.next_line()
    }

    fn is_ready(&mut self) -> bool {
        self.0.reader().is_ready()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_may_be_spread_over_arguments() {
        for (words, expected) in [
            ("1 2 3 4 _ 5", true),
            ("1 2 / 3 .", true),
            ("[1, 2] , [3, 0]", true),
            ("1 x 3", true),
            ("1", false),
            ("1,2,3,0 1,2,3,0", false),
            ("1,2,3,0 -", false),
            ("1 -", false),
            ("1234 5678 9abc def0", true),
            ("123456780 867254301", false),
            ("517392b4d6f80aec zz", false),
        ] {
            let arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(spread(&arguments).is_some(), expected, "{words}");
        }
    }
}
