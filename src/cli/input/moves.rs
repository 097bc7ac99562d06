//! Moves in the forms that the programs write.

use serde::Deserialize;

use crate::board::{Board, Convention, Move, Moves, MovesError, ParseError};
use crate::json;

/// Why a text is not a sequence of moves of a board.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    #[error(transparent)]
    Moves(#[from] MovesError),
    #[error("this JSON has no moves: {0}")]
    Fields(serde_json::Error),
    #[error("this object has no moves: no solution was found, or none was looked for")]
    Unsolved,
    #[error("these are moves of another board, {0}")]
    Other(Box<Board>),
    #[error("board {place} of the list: {error}")]
    Board { place: usize, error: ParseError },
    #[error("no move leads to board {0} of the list")]
    Jump(usize),
}

/// The fields of a solution. Others are ignored.
#[derive(Deserialize)]
struct Object {
    moves: Option<Listed>,
    // The names of other programs.
    solution: Option<Listed>,
    path: Option<Listed>,
    path_to_goal: Option<Listed>,
    actions: Option<Listed>,
    directions: Option<Convention>,
}

/// Moves in one text, or a text for each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "moves are a text, or a list of texts")]
enum Listed {
    Text(String),
    List(Vec<String>),
}

/// Reads moves in any notation, or from what `taquin solve` writes. An object may have a convention
/// of its own.
pub fn read(board: &Board, text: &str, convention: Convention) -> Result<Moves, TextError> {
    let text = text.trim();
    if json::is_object(text) {
        return object(board, text, convention);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_rule = |line: &&str| line.len() > 1 && line.bytes().all(|b| b == b'-');
    if lines.len() > 1 && (lines[0] == "0" || lines.iter().any(is_rule)) {
        return boards(board, lines[1..].split(is_rule));
    }
    // A copy of the terminal has the board before the moves, and the summary behind them.
    let grid = format!("{board:#}");
    let rows = grid.lines().map(str::trim);
    let begin = if lines.iter().copied().take(rows.clone().count()).eq(rows.clone()) {
        rows.count()
    } else {
        0
    };
    let is_summary = |line: &&str| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && (rest.starts_with(" moves, ") || rest.starts_with(" move, "))
    };
    let end = lines.len() - usize::from(lines.last().is_some_and(is_summary));
    Ok(board.read_moves(&lines[begin.min(end)..end].join("\n"), convention)?)
}

fn object(board: &Board, text: &str, convention: Convention) -> Result<Moves, TextError> {
    let Object { moves, solution, path, path_to_goal, actions, directions } =
        serde_json::from_str(text).map_err(TextError::Fields)?;
    let moves = moves.or(solution).or(path).or(path_to_goal).or(actions);
    // An object of another program may have no board.
    if let Ok((other, _)) = json::board(text, None)
        && other != *board
    {
        return Err(TextError::Other(other.into()));
    }
    let moves = match moves.ok_or(TextError::Unsolved)? {
        Listed::Text(text) => text,
        Listed::List(list) => list.join(" "),
    };
    Ok(board.read_moves(&moves, directions.unwrap_or(convention))?)
}

/// The moves from each board of a list to the next one.
fn boards<'a>(
    start: &Board,
    list: impl Iterator<Item = &'a [&'a str]>,
) -> Result<Moves, TextError> {
    let mut board = start.clone();
    let mut moves = Vec::new();
    for (rows, place) in list.zip(1..) {
        let next = Board::parse(&rows.join("\n"), Some(start.grid()))
            .map_err(|error| TextError::Board { place, error })?;
        if place == 1 {
            if next != board {
                return Err(TextError::Other(next.into()));
            }
            continue;
        }
        let leads = |&m: &Move| {
            let mut moved = board.clone();
            moved.apply(m) && moved == next
        };
        moves.push(Move::ALL.into_iter().find(leads).ok_or(TextError::Jump(place))?);
        board = next;
    }
    Ok(Moves(moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_is_written_is_read() {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        let path: Moves = "UL".parse().unwrap();
        for text in [
            "1: Up    Left",
            "1 2 3\n4 . 6\n7 5 8\n1: Up    Left\n2 moves, optimal; 6 nodes in 1.00 us\n",
            "1 2 3\n4 . 6\n7 5 8\n5 8\n2 moves, optimal; 6 nodes in 1.00 us",
            r#"{"board":[1,2,3,4,0,6,7,5,8],"length":2,"moves":"UL"}"#,
            r#"{"moves":"5 8"}"#,
            r#"{"moves":["Up","left"]}"#,
            r#"{"solution":["Up","left"]}"#,
            r#"{"path":"UL","cost":2}"#,
            r#"{"moves":"DR","directions":"blank"}"#,
            "2\n1 2 3\n4 . 6\n7 5 8\n----------\n1 2 3\n4 5 6\n7 . 8\n----------\n1 2 3\n4 5 6\n7 8 .\n",
        ] {
            assert_eq!(read(&board, text, Convention::Tile).unwrap(), path, "{text}");
        }
        for text in ["0\n1 2 3\n4 . 6\n7 5 8\n", "1 2 3\n4 . 6\n7 5 8\n0 moves, optimal"] {
            let read = read(&board, text, Convention::Tile);
            assert_eq!(read.unwrap(), Moves::default(), "{text}");
        }
        for (text, message) in [
            (r#"{"board":[1,2,3,0],"moves":"UL"}"#, "another board, 1 2 / 3 0"),
            (r#"{"board":[1,2,3,4,0,6,7,5,8],"moves":null}"#, "no solution"),
            (r#"{"board":[1,2,3,4,0,6,7,5,8],"moves":7}"#, "no moves"),
            ("1\n1 2 3\n4 . 6\n7 5 8\n---\n1 2 3\n4 5 6\n7 8 .\n", "leads to board 2"),
            ("1\n1 2 3\n4 5 6\n7 8 .\n---\n1 2 3", "another board"),
            ("1\n1 2 3\n4 . 6\n7 5 8\n---\n1 2 3", "board 2 of the list"),
        ] {
            let error = read(&board, text, Convention::Tile).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
