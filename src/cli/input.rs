//! Where boards come from: arguments, a file, the standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::exit::Failure;
use super::grids;
use crate::board::{Board, Grid};

/// The longest line that is read. The largest board takes about a kilobyte.
const MAX_LINE: usize = 64 << 10;

/// The text of one board, and where it was found.
#[derive(Debug)]
pub(super) struct Input {
    pub origin: Origin,
    /// The text, as far as it could be read.
    pub text: String,
    /// Why it is not all there.
    pub fault: Option<Fault>,
}

/// Where a board was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The only board.
    Alone,
    /// An argument, from 1.
    Argument(usize),
    /// A line, from 1, of a file or stream of this name.
    Line(Arc<str>, usize),
}

impl Origin {
    /// The line, or the place among the arguments.
    pub fn number(&self) -> usize {
        match *self {
            Origin::Alone => 1,
            Origin::Argument(number) | Origin::Line(_, number) => number,
        }
    }
}

/// What a message about the board begins with.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Alone => Ok(()),
            Origin::Argument(number) => write!(f, "board {number}: "),
            Origin::Line(name, number) => write!(f, "{name}, line {number}: "),
        }
    }
}

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("the line is longer than {} KiB: write one board a line", MAX_LINE >> 10)]
    TooLong,
    #[error("the line is not UTF-8 from byte {0} on: save the text as UTF-8")]
    NotUtf8(usize),
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// The boards that the arguments name, as they are asked for.
pub(super) fn boards(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
    // A missing file is found before the first board is solved.
    let mut sources: Vec<Box<dyn Iterator<Item = Input> + Send>> = Vec::new();
    // Not locked, for it may be named twice.
    let stdin = || {
        let lines = lines("standard input".into(), BufReader::new(io::stdin()));
        Box::new(grids::Grids::new(lines, size, is_file(&io::stdin())))
    };
    if let Some(board) = spread(arguments) {
        sources.push(Box::new([Input::sound(Origin::Alone, board)].into_iter()));
    } else {
        for (i, argument) in arguments.iter().enumerate() {
            if argument == "-" {
                sources.push(stdin());
                continue;
            }
            let alone = arguments.len() == 1 && file.is_none();
            let origin = if alone { Origin::Alone } else { Origin::Argument(i + 1) };
            sources.push(Box::new([Input::sound(origin, argument.clone())].into_iter()));
        }
    }
    match file {
        Some(path) if path == Path::new("-") => sources.push(stdin()),
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string());
            let reader = BufReader::new(file.map_err(Failure::usage)?);
            let whole = is_file(reader.get_ref());
            let lines = lines(path.display().to_string().into(), reader);
            sources.push(Box::new(grids::Grids::new(lines, size, whole)));
        }
        None => {}
    }
    if sources.is_empty() {
        if io::stdin().is_terminal() {
            return Err(Failure::usage(anyhow!(
                "no board: give one in quotes, or boards in a file with --file, or - for standard input"
            )));
        }
        sources.push(stdin());
    }
    Ok(Box::new(sources.into_iter().flatten()))
}

/// A board whose tiles are arguments of their own, because its quotes were forgotten.
fn spread(arguments: &[String]) -> Option<String> {
    let is_part = |argument: &String| {
        let tiles = argument.split(|c: char| !c.is_alphanumeric() && c != '_');
        argument != "-" && tiles.filter(|tile| !tile.is_empty()).count() <= 1
    };
    let is_board = |argument: &String| argument.parse::<Board>().is_ok();
    let spread =
        arguments.len() > 1 && arguments.iter().all(is_part) && !arguments.iter().all(is_board);
    spread.then(|| arguments.join(" "))
}

/// Whether to read ahead in a stream costs no waiting.
#[cfg(unix)]
fn is_file(stream: &impl std::os::fd::AsFd) -> bool {
    let copy = stream.as_fd().try_clone_to_owned().map(File::from);
    copy.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// Whether to read ahead in a stream costs no waiting.
#[cfg(not(unix))]
fn is_file<T>(_: &T) -> bool {
    false
}

impl Input {
    fn sound(origin: Origin, text: String) -> Input {
        Input { origin, text, fault: None }
    }
}

/// The lines of a stream, without comments. No more than a line is held in memory, and only the
/// beginning of one that is too long.
fn lines(name: Arc<str>, mut reader: impl BufRead) -> impl Iterator<Item = Input> {
    let mut number = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        number += 1;
        let (text, fault) = match line(&mut reader) {
            Ok(line) => line?,
            Err(error) => {
                done = true;
                (String::new(), Some(error.into()))
            }
        };
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let text = text.split_once('#').map_or(text, |(board, _)| board).trim();
        let origin = Origin::Line(name.clone(), number);
        Some(Input { origin, text: text.to_owned(), fault })
    })
    .fuse()
}

/// The next line; of one that is too long, the beginning.
fn line(reader: &mut impl BufRead) -> io::Result<Option<(String, Option<Fault>)>> {
    let mut bytes = Vec::new();
    io::Read::take(&mut *reader, MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > MAX_LINE && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        let start = String::from_utf8_lossy(&bytes).into_owned();
        return Ok(Some((start, Some(Fault::TooLong))));
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let fault = Fault::NotUtf8(error.utf8_error().valid_up_to() + 1);
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(fault))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are not empty, `number: text` or `number! text` for lines with a fault.
    fn read(bytes: &[u8]) -> Vec<String> {
        let show = |input: Input| {
            let mark = if input.fault.is_some() { "!" } else { ":" };
            format!("{}{mark} {}", input.origin.number(), input.text)
        };
        let sound = |input: &Input| !input.text.is_empty() || input.fault.is_some();
        lines("test".into(), bytes).filter(sound).map(show).collect()
    }

    #[test]
    fn comments_and_empty_lines_are_skipped_but_counted() {
        assert!(read(b"").is_empty());
        assert!(read(b"\n\n \t\n# 1 2 3 0\n").is_empty());
        assert_eq!(read(b"1 2\n# no\n\r\n 3 4 # yes\r\n5"), ["1: 1 2", "4: 3 4", "5: 5"]);
        assert_eq!(read("\u{feff}# no\n1".as_bytes()), ["2: 1"]);
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
        let reader = io::Read::chain(&b"1\n2"[..], Broken);
        let all: Vec<_> = lines("test".into(), BufReader::new(reader)).collect();
        assert_eq!(all.len(), 2);
        assert!(matches!(all[1].fault, Some(Fault::Read(_))));
        assert_eq!(all[1].origin.to_string(), "test, line 2: ");
    }

    #[test]
    fn a_board_may_be_spread_over_arguments() {
        let spread = |words: &str| {
            spread(&words.split(' ').map(str::to_owned).collect::<Vec<_>>()).is_some()
        };
        assert!(spread("1 2 3 4 _ 5"));
        assert!(spread("1 2 / 3 ."));
        assert!(spread("[1, 2] , [3, 0]"));
        assert!(spread("1 x 3"));
        assert!(!spread("1"));
        assert!(!spread("1,2,3,0 1,2,3,0"));
        assert!(!spread("1,2,3,0 -"));
        assert!(!spread("1 -"));
        assert!(spread("1234 5678 9abc def0"));
        assert!(!spread("123456780 867254301"));
    }
}
