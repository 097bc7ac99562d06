//! Boards in JSON objects, as the programs and others write them.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Context, MovesError, ReadError, Reading, is_object, labelled, read, rows};
use crate::board::{Board, Convention, Goal, Grid, LabelledBoard, OpenGoal, ParseError};

/// The fields of a board. Others are ignored.
#[derive(Deserialize)]
struct Object {
    board: Option<Value>,
    error: Option<String>,
    goal: Option<Value>,
    width: Option<usize>,
    height: Option<usize>,
}

/// The boards of the objects of a text, or what is wrong with each; `None` if it has none.
pub fn objects(
    text: &str,
    size: Option<Grid>,
    goal: Option<&OpenGoal>,
) -> Option<Result<Vec<super::Answer>, ReadError>> {
    let several = |value| match value {
        Value::Array(list) => list,
        value => vec![value],
    };
    let reading = |value: Value| -> Result<Reading<LabelledBoard>, ReadError> {
        match goal {
            Some(goal) => Ok(labelled(&board_text(value)?, goal)?),
            None => Ok(of_value(value, size)?.into()),
        }
    };
    let values = serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'));
    let values = || values.into_iter().collect::<Result<Vec<Value>, _>>();
    is_object(text).then(|| Ok(values()?.into_iter().flat_map(several).map(reading).collect()))
}

/// The board of an object, without guesses, and its goal if the object names one.
///
/// # Errors
/// [`ReadError`] if the object has no board of the size, or a goal that is not a board.
pub fn object(text: &str, size: Option<Grid>) -> Result<Reading, ReadError> {
    of_value(serde_json::from_str(text)?, size)
}

/// The texts of a board and of a goal that leaves something open, and their size, from their object, which
/// has a word for each cell of the goal; `None` if the goal is of another kind.
pub fn open_goal(text: &str) -> Result<Option<(String, String, Grid)>, ReadError> {
    let words = |list: Option<Value>| serde_json::from_value::<Vec<String>>(list?).ok();
    let Object { board, goal, width, height, .. } = serde_json::from_str(text)?;
    let (Some(board), Some(goal), Some(width), Some(height)) = (board, words(goal), width, height)
    else {
        return Ok(None);
    };
    let size = Grid::new(width, height).map_err(ParseError::from)?;
    let board = words(Some(board.clone())).map_or_else(|| tiles(board), |words| words.join(" "));
    Ok(Some((board, goal.join(" "), size)))
}

/// The text of the board of an object; text that is not an object as it is.
///
/// # Errors
/// [`ReadError`] if the object has no board.
pub fn text_of(text: &str) -> Result<String, ReadError> {
    if !is_object(text) {
        return Ok(text.to_owned());
    }
    board_text(serde_json::from_str(text)?)
}

fn board_text(value: Value) -> Result<String, ReadError> {
    match serde_json::from_value(value)? {
        Object { board: Some(board), .. } => Ok(tiles(board)),
        Object { error: Some(error), .. } => Err(ReadError::NoAnswer(error)),
        _ => Err(ReadError::NoBoard),
    }
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        ReadError::Fields(error.to_string())
    }
}

impl From<serde_json::Error> for MovesError {
    fn from(error: serde_json::Error) -> MovesError {
        MovesError::Fields(error.to_string())
    }
}

fn of_value(value: Value, size: Option<Grid>) -> Result<Reading, ReadError> {
    let others = value.as_object().cloned().unwrap_or_default();
    let Object { board, error, goal, width, height } = serde_json::from_value(value)?;
    let (board, goal, [width, height]) = match (board, error) {
        (Some(board), _) => (board, goal, [width, height]),
        (None, Some(error)) => return Err(ReadError::NoAnswer(error)),
        (None, None) => {
            let (board, own, side) = foreign(others, size)?;
            (board, goal.or(own), [width.or(side), height.or(side)])
        }
    };
    let own = match (width, height) {
        (Some(width), Some(height)) => Some(Grid::new(width, height).map_err(ParseError::from)?),
        _ => None,
    };
    let size = match (own, size) {
        (Some(rows), Some(size)) if rows != size => {
            return Err(ParseError::OtherSize { rows, size }.into());
        }
        _ => own.or(size),
    };
    let mut reading = list(board, size)?;
    let grid = Some(reading.board.grid());
    reading.goal = match goal.map(|goal| list(goal, grid)).transpose() {
        Ok(goal) => goal.map(|goal| Goal::from(goal.board)),
        Err(error) => return Err(ReadError::Goal(error.to_string())),
    };
    Ok(reading)
}

/// The board of a list of tiles. A program leaves nothing to be guessed.
fn list(value: Value, size: Option<Grid>) -> Result<Reading, ReadError> {
    let text = tiles(value);
    if let Ok(board) = Board::parse(&text, size) {
        return Ok(board.into());
    }
    let lines = text.lines().map(|line| (1, line));
    let rows = rows::rows(lines);
    let mut found = read(&rows, Context { size, ..Context::default() })?;
    match found.len() {
        1 if found[0].1.notes.is_empty() => Ok(found.swap_remove(0).1),
        1 => Err(super::fault::fault(&rows, size)),
        found => Err(ReadError::Several(found)),
    }
}

/// The names that others give to a goal.
const GOALS: [&str; 4] = ["goal", "target", "end", "final"];

/// The list of tiles, the goal and the side in an object of another program: the one field that is
/// a board, one with the name of a goal, and `size`.
fn foreign(
    fields: Map<String, Value>,
    size: Option<Grid>,
) -> Result<(Value, Option<Value>, Option<usize>), ReadError> {
    let side = fields.get("size").or(fields.get("n")).and_then(Value::as_u64);
    let side = side.and_then(|side| side.try_into().ok());
    let is_goal = |name: &str| GOALS.iter().any(|goal| name.to_lowercase().starts_with(goal));
    let is_board = |value: &Value| !value.is_number() && list(value.clone(), size).is_ok();
    let boards = fields.into_iter().filter(|(_, value)| is_board(value));
    let (mut goals, mut boards): (Vec<_>, Vec<_>) = boards.partition(|(name, _)| is_goal(name));
    match (boards.len(), goals.len()) {
        (1, 0 | 1) => Ok((boards.remove(0).1, goals.pop().map(|(_, goal)| goal), side)),
        (0 | 1, _) => Err(ReadError::NoBoard),
        (found, _) => Err(ReadError::Several(found)),
    }
}

/// The list of tiles as text.
fn tiles(list: Value) -> String {
    match list {
        Value::String(text) => text,
        list => list.to_string(),
    }
}

/// The text of the moves of an object, and their convention if it has one. Other programs have other names for them.
///
/// # Errors
/// [`MovesError`] if the object has no moves, or those of another board.
pub fn moves(
    board: &LabelledBoard,
    text: &str,
) -> Result<(String, Option<Convention>), MovesError> {
    const NAMES: [&str; 6] = ["moves", "solution", "path", "path_to_goal", "actions", "steps"];
    let object: Map<String, Value> = serde_json::from_str(text)?;
    let grid = board.board().grid();
    // An object of another program may have no board.
    let other = match board.has_labels() {
        true => text_of(text).ok().and_then(|text| LabelledBoard::parse(&text, Some(grid)).ok()),
        false => self::object(text, None).ok().map(|reading| reading.board.into()),
    };
    if let Some(other) = other.filter(|other| other != board) {
        return Err(MovesError::Other(other.into()));
    }
    let list = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let words = list.iter().map(|word| Some(word.as_str()?.to_owned()));
            Some(words.collect::<Option<Vec<_>>>()?.join(" "))
        }
        _ => None,
    };
    let found = NAMES.iter().filter_map(|name| object.get(*name)).filter(|value| !value.is_null());
    let Some(moves) = found.clone().find_map(list) else {
        let is_other = found.count() > 0 && object.contains_key("moves");
        let error = || MovesError::Fields("moves are a text, or a list of texts".to_owned());
        return Err(if is_other { error() } else { MovesError::Unsolved });
    };
    let convention = object.get("directions").map(|value| serde_json::from_value(value.clone()));
    Ok((moves, convention.transpose()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_boards() {
        let wide: Board = "1 2 3 / 4 0 5".parse().unwrap();
        for (text, goal) in [
            (r#"{"schema":1,"width":3,"height":2,"board":[1,2,3,4,0,5],"moves":"R"}"#, None),
            (r#"{"board":[[1,2,3],[4,0,5]],"goal":[[1,2,3],[4,5,0]]}"#, Some("1 2 3 / 4 5 0")),
            (r#"{"board":[[1,2,3],[4,null,5]]}"#, None),
            (r#"{"board":"1 2 3 / 4 x 5"}"#, None),
            (
                r#"{"initial":[[1,2,3],[4,0,5]],"goal_state":[[1,2,3],[4,5,0]]}"#,
                Some("1 2 3 / 4 5 0"),
            ),
            (r#"{"tiles":["1 2 3","4 0 5"],"target":"1 2 3 / 4 5 0"}"#, Some("1 2 3 / 4 5 0")),
            (
                r#"{"depth":7,"state":[[1,2,3],[4,null,5]],"end":[[1,2,3],[4,5,0]]}"#,
                Some("1 2 3 / 4 5 0"),
            ),
        ] {
            let reading = object(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(reading.board, wide, "{text}");
            assert_eq!(reading.goal.map(|goal| goal.to_string()).as_deref(), goal, "{text}");
            assert!(object(text, Grid::new(2, 3).ok()).is_err());
        }
        for (text, message) in [
            (r#"{"error":"no"}"#, "no board, but an error: no"),
            (r#"{"moves":"U"}"#, "this object has no \"board\""),
            (r#"{"board":[1,2,3,300]}"#, "no tile 300"),
            (r#"{"board":[1,2,3,3]}"#, "appears twice"),
            (r#"{"board":[1,2,3,4,0,5]}"#, "6 numbers"),
            (r#"{"board":[1,2,3,0],"goal":[1,2,3]}"#, "the goal is not a board"),
            (r#"{"board":[],"width":1,"height":0}"#, "1x0"),
            (r#"{"board":"1 2"}"#, "2 numbers in one row"),
            (r#"{"board":[[1,2],[0]]}"#, "row 2 has 1 cell, but"),
            (r#"{"board":[[1,2,3],[4,5,0]],"width":2,"height":3}"#, "but the size given is 2x3"),
            (r#"{"board":[[]]}"#, "no board"),
            // A program does not leave the blank out.
            (r#"{"board":[1,2,3,4,5,6,7,8]}"#, "8 numbers in one row"),
            (r#"{"board":7}"#, "not explained"),
            (r#"{"board":[1"#, "EOF"),
            (r#"{"a":[1,2,3,0],"b":[1,2,0,3]}"#, "2 boards"),
            (r#"{"goal":[1,2,3,0]}"#, "no \"board\""),
        ] {
            let error = object(text, None).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(!is_object("{1,2},{3,0}") && !is_object("{\"1\",\"2\"}"));
        assert!(objects("[1,2]", None, None).is_none());
        let several = objects(r#"[{"board":[1,2,3,0]},{"board":[1,2,0,3]}]"#, None, None);
        assert!(several.unwrap().unwrap().iter().all(Result::is_ok));
    }
}
