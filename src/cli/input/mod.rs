//! The sources of boards: arguments, a file, the standard input.

pub mod grids;
pub mod lines;
pub mod moves;
mod source;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use self::grids::Grids;
use self::lines::{Input, Lines, Origin};
use crate::board::{Board, Grid};
use crate::cli::exit::{Failure, wrong};

/// Returns whether the arguments are one board, and there is no file.
pub fn is_alone(arguments: &[String], file: Option<&Path>) -> bool {
    let one = arguments.len() == 1 && arguments[0] != "-";
    file.is_none() && (one || spread(arguments).is_some())
}

/// The boards of the arguments, the file and the standard input, in this order. Their tiles may have
/// labels. Words behind the last board of a file get a note on the standard error.
pub fn boards(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
    labels: bool,
) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
    sources(arguments, file, size, labels, true)
}

fn sources(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
    labels: bool,
    tells: bool,
) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
    let grids = |name: String, file: File, patience: Duration| {
        let lines = Lines::new(name.into(), BufReader::new(file));
        Box::new(Grids::new(lines, size, patience).of_labels(labels).telling(tells))
    };
    // A missing file is an error before the first board is solved.
    let mut sources: Vec<Box<dyn Iterator<Item = Input> + Send>> = Vec::new();
    let stdin = || -> Result<_, Failure> {
        let file = source::stdin().context("standard input").map_err(Failure::usage)?;
        // A person ends a board with an empty line.
        let patience = if file.is_terminal() { Duration::MAX } else { PATIENCE };
        Ok(grids("standard input".into(), file, patience))
    };
    check(arguments)?;
    if let Some(board) = spread(arguments) {
        sources.push(Box::new([Input::sound(Origin::Alone, board)].into_iter()));
    } else {
        for (i, argument) in arguments.iter().enumerate() {
            if argument == "-" {
                sources.push(stdin()?);
                continue;
            }
            let alone = is_alone(arguments, file);
            let origin = if alone { Origin::Alone } else { Origin::Argument(i + 1) };
            sources.push(Box::new([Input::sound(origin, argument.clone())].into_iter()));
        }
    }
    match file {
        Some(path) if path == Path::new("-") => sources.push(stdin()?),
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string());
            let (file, name) = (file.map_err(Failure::usage)?, path.display().to_string());
            sources.push(grids(name, file, PATIENCE));
        }
        None => {}
    }
    if sources.is_empty() {
        if io::stdin().is_terminal() {
            return Err(wrong!(
                "no board: give one in quotes, or boards in a file with --file, or - for standard input"
            ));
        }
        sources.push(stdin()?);
    }
    Ok(Box::new(sources.into_iter().flatten()))
}

/// The wait for the second row of a grid from another program.
const PATIENCE: Duration = Duration::from_millis(50);

/// Refuses arguments that are not what their author means.
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
            "{name} is no board, and there is no such file: files of boards are read with --file"
        ));
    }
    let rows = arguments.join(" / ");
    if arguments.len() > 1 && spread(arguments).is_none() && is_board(&rows) {
        return Err(wrong!("each argument is one board: write the rows together, as in '{rows}'"));
    }
    Ok(())
}

/// The longest file whose boards are counted beforehand.
const COUNTED: u64 = 64 << 20;

/// The number of boards that [`boards`] gives, unless some come from a stream or a large file.
pub fn total(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
    labels: bool,
) -> Option<u64> {
    let whole = |path: &Path| {
        let metadata = path.metadata();
        metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() <= COUNTED)
    };
    let streams = arguments.iter().any(|argument| argument == "-")
        || file.is_some_and(|path| path == Path::new("-") || !whole(path))
        || arguments.is_empty() && file.is_none();
    let boards = || sources(arguments, file, size, labels, false).ok();
    let count = || boards().map(|boards| boards.count() as u64);
    (!streams).then(count).flatten()
}

/// A board without quotes, whose tiles or rows are arguments of their own.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(spread("1230 4567 89ab cdef"));
        assert!(!spread("123456780 867254301"));
        assert!(!spread("517392b4d6f80aec zz"));
    }
}
