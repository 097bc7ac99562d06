//! Moves in the forms that the programs write.

use serde::Deserialize;

use crate::board::{Board, Convention, LabelledBoard, Move, Moves, MovesError, OpenError};
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
    Other(Box<LabelledBoard>),
    #[error("board {place} of the list: {error}")]
    Board { place: usize, error: OpenError },
    #[error("no move leads to board {0} of the list")]
    Jump(usize),
    #[error(
        "{0:?} is no move: write directions, as in ULDR, or the labels of tiles, separated by spaces"
    )]
    NoMove(String),
    #[error("move {place} is of a tile {label}, but none is next to the blank")]
    NotBeside { place: usize, label: String },
    #[error("move {place} is {direction} of a tile {label}, which cannot go that way")]
    Direction { place: usize, label: String, direction: Move },
    #[error(
        "move {place} is of a tile {label}, but several are next to the blank: write directions"
    )]
    Several { place: usize, label: String },
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
    /// Moves, or their number.
    steps: Option<serde_json::Value>,
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
pub fn read(board: &LabelledBoard, text: &str, convention: Convention) -> Result<Moves, TextError> {
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
    written(board, &lines[begin.min(end)..end].join("\n"), convention)
}

/// Words next to labels that say nothing about the moves.
const FILLERS: [&str; 6] = ["move", "slide", "tile", "step", "and", "then"];

/// Reads moves in any notation. Where tiles have labels, these name them: only directions and cells are
/// read as on other boards.
fn written(board: &LabelledBoard, text: &str, convention: Convention) -> Result<Moves, TextError> {
    let are_directions = || text.parse::<Moves>().is_ok_and(|moves| !moves.is_empty());
    let are_cells = text.contains('(') && !text.contains(char::is_alphabetic);
    if !board.has_labels() || are_cells || are_directions() {
        return Ok(board.board().read_moves(text, convention)?);
    }
    let is_between = |c: char| c.is_whitespace() || ",;[](){}'\"".contains(c);
    let tiles = 1..board.board().tiles().len();
    let is_label = |label: &str| tiles.clone().any(|tile| board.label(tile as u8) == label);
    let is_filler = |word: &str| FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word));
    let words = text.split(is_between).map(|word| word.trim_end_matches([':', '.']));
    let words: Vec<&str> =
        words.filter(|word| !word.is_empty() && (is_label(word) || !is_filler(word))).collect();
    // The number of moves may come first.
    let behind = words.split_first().and_then(|(count, words)| Some((count.parse().ok()?, words)));
    let counted = |(count, words): (usize, &[&str])| {
        let all = labelled(board, words, &is_label, convention).ok()?;
        (all.len() == count).then_some(all)
    };
    labelled(board, &words, &is_label, convention)
        .or_else(|error| behind.and_then(counted).ok_or(error))
        .or_else(|error| match error {
            TextError::NoMove(_) if text.parse::<Moves>().is_ok() => Ok(Moves::default()),
            error => Err(error),
        })
}

/// The moves of labels, each of which may have a direction before or behind it.
fn labelled(
    board: &LabelledBoard,
    words: &[&str],
    is_label: &dyn Fn(&str) -> bool,
    convention: Convention,
) -> Result<Moves, TextError> {
    let (pairs, []) = words.as_chunks::<2>() else { return of_labels(board, words, is_label) };
    let paired = |[a, b]: &[&str; 2]| -> Option<(String, Move)> {
        let (label, direction) = if is_label(a) { (a, b) } else { (b, a) };
        Some((is_label(label).then(|| (*label).to_owned())?, direction.parse().ok()?))
    };
    let Some(pairs) = pairs.iter().map(paired).collect::<Option<Vec<_>>>() else {
        return of_labels(board, words, is_label);
    };
    let mut now = board.board().clone();
    let mut moves = Vec::new();
    for ((label, direction), place) in pairs.into_iter().zip(1..) {
        let m = convention.turned(direction);
        let cell = now.grid().source(now.blank(), m);
        if cell.is_none_or(|cell| board.label(now.tiles()[cell]) != label) {
            return Err(TextError::Direction { place, label, direction });
        }
        now.apply(m);
        moves.push(m);
    }
    Ok(Moves(moves))
}

/// The moves of labels alone.
fn of_labels(
    board: &LabelledBoard,
    labels: &[&str],
    is_label: &dyn Fn(&str) -> bool,
) -> Result<Moves, TextError> {
    if let Some(word) = labels.iter().find(|label| !is_label(label)) {
        return Err(TextError::NoMove((*word).to_owned()));
    }
    let mut now = board.board().clone();
    let mut moves = Vec::new();
    for (&label, place) in labels.iter().zip(1..) {
        let moves_tile = |&m: &Move| {
            let cell = now.grid().source(now.blank(), m);
            cell.is_some_and(|cell| board.label(now.tiles()[cell]) == label)
        };
        let mut fitting = Move::ALL.into_iter().filter(moves_tile);
        let m = match (fitting.next(), fitting.next()) {
            (Some(m), None) => m,
            (None, _) => return Err(TextError::NotBeside { place, label: label.to_owned() }),
            _ => return Err(TextError::Several { place, label: label.to_owned() }),
        };
        now.apply(m);
        moves.push(m);
    }
    Ok(Moves(moves))
}

fn object(board: &LabelledBoard, text: &str, convention: Convention) -> Result<Moves, TextError> {
    let Object { moves, solution, path, path_to_goal, actions, steps, directions } =
        serde_json::from_str(text).map_err(TextError::Fields)?;
    let steps = steps.and_then(|steps| serde_json::from_value(steps).ok());
    let moves = moves.or(solution).or(path).or(path_to_goal).or(actions).or(steps);
    // An object of another program may have no board.
    let other = match board.has_labels() {
        true => {
            let text = json::board_text(text).ok();
            text.and_then(|text| LabelledBoard::parse(&text, Some(board.board().grid())).ok())
        }
        false => json::board(text, None).ok().map(|(other, _)| other.into()),
    };
    if let Some(other) = other.filter(|other| other != board) {
        return Err(TextError::Other(other.into()));
    }
    let moves = match moves.ok_or(TextError::Unsolved)? {
        Listed::Text(text) => text,
        Listed::List(list) => list.join(" "),
    };
    written(board, &moves, directions.unwrap_or(convention))
}

/// The moves from each board of a list to the next one.
fn boards<'a>(
    start: &LabelledBoard,
    list: impl Iterator<Item = &'a [&'a str]>,
) -> Result<Moves, TextError> {
    let grid = Some(start.board().grid());
    let parsed = |text: &str| -> Result<LabelledBoard, OpenError> {
        match start.has_labels() {
            true => LabelledBoard::parse(text, grid),
            false => Ok(Board::parse(text, grid)?.into()),
        }
    };
    let mut board = start.clone();
    let mut moves = Vec::new();
    for (rows, place) in list.zip(1..) {
        let next = parsed(&rows.join("\n")).map_err(|error| TextError::Board { place, error })?;
        // Equal tiles have other numbers in the next board.
        let is_next = |board: &LabelledBoard| board.to_string() == next.to_string();
        if place == 1 {
            if !is_next(&board) {
                return Err(TextError::Other(next.into()));
            }
            continue;
        }
        let moved = |m: Move| {
            let mut moved = board.board().clone();
            let moved = moved.apply(m).then(|| board.with(moved));
            moved.filter(is_next).map(|moved| (m, moved))
        };
        let (m, moved) = Move::ALL.into_iter().find_map(moved).ok_or(TextError::Jump(place))?;
        moves.push(m);
        board = moved;
    }
    Ok(Moves(moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_is_written_is_read() {
        let board = "1 2 3 / 4 0 6 / 7 5 8".parse::<Board>().unwrap().into();
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
            r#"{"steps":2,"solution":"UL"}"#,
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
            (r#"{"board":[1,2,3,4,0,6,7,5,8],"steps":7}"#, "no solution"),
            ("1\n1 2 3\n4 . 6\n7 5 8\n---\n1 2 3\n4 5 6\n7 8 .\n", "leads to board 2"),
            ("1\n1 2 3\n4 5 6\n7 8 .\n---\n1 2 3", "another board"),
            ("1\n1 2 3\n4 . 6\n7 5 8\n---\n1 2 3", "board 2 of the list"),
        ] {
            let error = read(&board, text, Convention::Tile).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn labels_name_tiles() {
        let board = LabelledBoard::parse("1 1 2 / 3 4 5 / _ 6 7", None).unwrap();
        let moves = |board, text| read(board, text, Convention::Tile);
        for text in [
            "6 7",
            "[6, 7]",
            "LL",
            "2\nleft\nleft",
            "(3,2) (3,3)",
            r#"{"moves":["6","7"]}"#,
            "2\n6\n7",
            "6 left, 7 left",
            "Left 6; Left 7",
            "Move 6 Left\nMove 7 Left",
            "[('6', 'Left'), ('7', 'Left')]",
        ] {
            assert_eq!(moves(&board, text).unwrap().to_string(), "LL", "{text}");
        }
        let list = "1\n1 1 2\n3 4 5\n. 6 7\n---\n1 1 2\n3 4 5\n6 . 7\n";
        assert_eq!(moves(&board, list).unwrap().to_string(), "L");
        assert_eq!(moves(&board, "0 moves").unwrap().to_string(), "");
        for (text, part) in [
            ("7", "move 1 is of a tile 7, but none is next to the blank"),
            ("6 8", r#""8" is no move"#),
            ("UXL", r#""UXL" is no move"#),
            ("6 left 7 up", "move 2 is Up of a tile 7, which cannot go that way"),
            ("4\n6 7", "move 1 is of a tile 4, but none is next to the blank"),
            (r#"{"board":["1","1","2","3","4","5","6","_","7"],"moves":"L"}"#, "another board"),
        ] {
            let error = moves(&board, text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        // Directions come before labels.
        let board = LabelledBoard::parse("A U D / A _ U", None).unwrap();
        assert_eq!(moves(&board, "U").unwrap().to_string(), "U");
        assert_eq!(moves(&board, "A").unwrap().to_string(), "R");
        let board = LabelledBoard::parse("A A B / B _ A", None).unwrap();
        let error = moves(&board, "A").unwrap_err().to_string();
        assert!(error.contains("several are next to the blank"), "{error}");
    }
}
