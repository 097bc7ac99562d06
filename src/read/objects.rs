//! Boards in JSON objects, as the programs and others write them.

use serde::Deserialize;
use serde_json::{Deserializer, Map, Value};

use super::{
    Context, MovesError, ReadError, Reading, fault::fault, is_object, labelled, read, rows,
};
use crate::board::{Board, Convention, Goal, Grid, LabelledBoard, OpenGoal, ParseError};

/// The form of a board in an object, for messages.
const FORM: &str = r#", which is a list of tiles as in {"board":[1,2,3,0]}"#;

/// The fields of a board.
#[derive(Deserialize)]
struct Object {
    board: Option<Value>,
    error: Option<String>,
    goal: Option<Value>,
    width: Option<usize>,
    height: Option<usize>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The boards of the objects of a text, or what is wrong with each.
pub fn objects(
    text: &str,
    size: Option<Grid>,
    goal: Option<&OpenGoal>,
) -> Result<Vec<Result<Reading<LabelledBoard>, ReadError>>, ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    let values: Vec<Value> = Deserializer::from_str(text).into_iter().collect::<Result<_, _>>()?;
    let several = |value| match value {
        Value::Array(list) => list,
        value => vec![value],
    };
    let reading = |value: Value| match goal {
        Some(goal) => labelled(&board_text(value)?, goal),
        None => Ok(of_value(value, size)?.into()),
    };
    Ok(values.into_iter().flat_map(several).map(reading).collect())
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
    let words = |list: &Value| serde_json::from_value::<Vec<String>>(list.clone()).ok();
    let Object { board, goal, width, height, .. } = serde_json::from_str(text)?;
    let (Some(board), Some(goal), Some(width), Some(height)) =
        (board, goal.as_ref().and_then(words), width, height)
    else {
        return Ok(None);
    };
    let size = Grid::new(width, height).map_err(ParseError::from)?;
    let board = words(&board).map_or_else(|| tiles(board), |words| words.join(" "));
    Ok(Some((board, goal.join(" "), size)))
}

/// The text of the board of an object; text that is not an object as it is.
///
/// # Errors
/// [`ReadError`] if the object has no board.
pub fn text_of(text: &str) -> Result<String, ReadError> {
    match is_object(text) {
        true => board_text(serde_json::from_str(text)?),
        false => Ok(text.to_owned()),
    }
}

fn board_text(value: Value) -> Result<String, ReadError> {
    let Object { board, error, .. } = serde_json::from_value(value)?;
    board.map(tiles).ok_or_else(|| no_board(error))
}

fn no_board(error: Option<String>) -> ReadError {
    ReadError::Source(match error {
        Some(error) => format!("this object has no board, but an error: {error}"),
        None => format!("this object has no \"board\"{FORM}"),
    })
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        ReadError::Source(format!("this JSON has no board{FORM}: {error}"))
    }
}

impl From<serde_json::Error> for MovesError {
    fn from(error: serde_json::Error) -> MovesError {
        MovesError::Object(error.to_string())
    }
}

fn of_value(value: Value, size: Option<Grid>) -> Result<Reading, ReadError> {
    let Object { board, error, goal, width, height, others } = serde_json::from_value(value)?;
    let (board, goal, side) = match (board, error) {
        (Some(board), _) => (board, goal, None),
        (None, Some(error)) => return Err(no_board(Some(error))),
        (None, None) => {
            let side = others.get("size").or(others.get("n")).and_then(Value::as_u64);
            let (board, own) = foreign(others, size)?;
            (board, goal.or(own), side.map(|side| side as usize))
        }
    };
    let own = match (width.or(side), height.or(side)) {
        (Some(width), Some(height)) => Some(Grid::new(width, height).map_err(ParseError::from)?),
        _ => None,
    };
    if let (Some(rows), Some(size)) = (own, size)
        && rows != size
    {
        return Err(ParseError::OtherSize { rows, size }.into());
    }
    let mut reading = list(board, own.or(size))?;
    let grid = Some(reading.board.grid());
    let goal = goal.map(|goal| list(goal, grid)).transpose();
    let goal =
        goal.map_err(|error| ReadError::Source(format!("the goal is not a board: {error}")))?;
    reading.goal = goal.map(|goal| Goal::from(goal.board));
    Ok(reading)
}

/// The board of a list of tiles. A program leaves nothing to be guessed.
fn list(value: Value, size: Option<Grid>) -> Result<Reading, ReadError> {
    let text = tiles(value);
    if let Ok(board) = Board::parse(&text, size) {
        return Ok(board.into());
    }
    let rows = rows::rows(text.lines().map(|line| (1, line)));
    let context = Context { size, ..Context::default() };
    let mut found = read(&rows, context);
    match (found.len(), found.pop()) {
        (1, Some((_, Ok(reading)))) if !reading.notes.is_empty() => Err(fault(&rows, context)),
        (1, Some((_, answer))) => answer,
        (found, _) => Err(ReadError::Several(found)),
    }
}

/// The list of tiles and the goal in an object of another program: the one field that is a board, and one with the name of
/// a goal.
fn foreign(
    fields: Map<String, Value>,
    size: Option<Grid>,
) -> Result<(Value, Option<Value>), ReadError> {
    let is_goal = |name: &str| {
        let name = name.to_lowercase();
        ["goal", "target", "end", "final"].iter().any(|goal| name.starts_with(goal))
    };
    let is_board = |value: &Value| !value.is_number() && list(value.clone(), size).is_ok();
    let boards = fields.into_iter().filter(|(_, value)| is_board(value));
    let (mut goals, mut boards): (Vec<_>, Vec<_>) = boards.partition(|(name, _)| is_goal(name));
    match (boards.len(), goals.len()) {
        (1, 0 | 1) => Ok((boards.remove(0).1, goals.pop().map(|(_, goal)| goal))),
        (0 | 1, _) => Err(no_board(None)),
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
        list => Some(serde_json::from_value::<Vec<String>>(list.clone()).ok()?.join(" ")),
    };
    let found = NAMES.iter().filter_map(|name| object.get(*name)).filter(|value| !value.is_null());
    let moves = found.clone().find_map(list).ok_or_else(|| {
        match found.count() > 0 && object.contains_key("moves") {
            true => MovesError::Object("moves are a text, or a list of texts".to_owned()),
            false => MovesError::Object("no solution was found, or none was looked for".to_owned()),
        }
    })?;
    let convention = object.get("directions").cloned().map(serde_json::from_value);
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
        assert!(!is_object("{1,2},{3,0}") && !is_object("{\"1\",\"2\"}") && !is_object("[1,2]"));
        let several = objects(r#"[{"board":[1,2,3,0]},{"board":[1,2,0,3]}]"#, None, None);
        assert!(several.unwrap().iter().all(Result::is_ok));
    }
}
