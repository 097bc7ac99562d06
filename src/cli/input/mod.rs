//! The sources of boards: arguments, a file, the standard input.

pub mod grids;
pub mod lines;

use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::path::Path;

use anyhow::{Context, anyhow};

use self::grids::Grids;
use self::lines::{Input, Origin, lines};
use crate::board::{Board, Grid};
use crate::cli::exit::Failure;

/// Whether the arguments are one board, and there is no file.
pub fn is_alone(arguments: &[String], file: Option<&Path>) -> bool {
    let one = arguments.len() == 1 && arguments[0] != "-";
    file.is_none() && (one || spread(arguments).is_some())
}

/// The boards of the arguments, the file and the standard input, in this order.
pub fn boards(
    arguments: &[String],
    file: Option<&Path>,
    size: Option<Grid>,
) -> Result<Box<dyn Iterator<Item = Input> + Send>, Failure> {
    // A missing file is an error before the first board is solved.
    let mut sources: Vec<Box<dyn Iterator<Item = Input> + Send>> = Vec::new();
    // Not locked, because it may be named twice.
    let stdin = || {
        let lines = lines("standard input".into(), BufReader::new(io::stdin()));
        Box::new(Grids::new(lines, size, is_file(&io::stdin())))
    };
    if let Some(board) = spread(arguments) {
        sources.push(Box::new([Input::sound(Origin::Alone, board)].into_iter()));
    } else {
        for (i, argument) in arguments.iter().enumerate() {
            if argument == "-" {
                sources.push(stdin());
                continue;
            }
            let alone = is_alone(arguments, file);
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
            sources.push(Box::new(Grids::new(lines, size, whole)));
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

/// A board without quotes, whose tiles are arguments of their own.
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

/// Whether a stream can be read ahead without waiting.
#[cfg(unix)]
fn is_file(stream: &impl std::os::fd::AsFd) -> bool {
    let copy = stream.as_fd().try_clone_to_owned().map(File::from);
    copy.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// Whether a stream can be read ahead without waiting.
#[cfg(not(unix))]
fn is_file<T>(_: &T) -> bool {
    false
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
        assert!(!spread("123456780 867254301"));
    }
}
