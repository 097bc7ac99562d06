//! Boards as text or in JSON objects, as the programs write them.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::board::{Board, Goal, GoalError, Grid, ParseError, Reading};

/// The fields of a board. Others are ignored.
#[derive(Deserialize)]
struct Object {
    board: Option<Value>,
    error: Option<String>,
    goal: Option<Value>,
    width: Option<usize>,
    height: Option<usize>,
}

/// Why an object has no board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is no JSON, or has no list of tiles.
    #[error("this JSON has no board, which is a list of tiles as in {{\"board\":[1,2,3,0]}}: {0}")]
    Fields(String),
    /// The object has no list of tiles.
    #[error("this object has no \"board\", which is a list of tiles as in {{\"board\":[1,2,3,0]}}")]
    NoBoard,
    /// The object is of a board without an answer.
    #[error("this object has no board, but an error: {0}")]
    NoAnswer(String),
    /// The list is no board of that size.
    #[error(transparent)]
    Board(#[from] ParseError),
    /// The list of the goal is no board of that size.
    #[error(transparent)]
    Goal(#[from] GoalError),
}

/// Returns whether a text is an object. Braces are brackets of rows too.
pub fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains('"')
}

/// Reads a board from text or from its object, of the given size if there is one, and its goal if
/// an object names one. An object is read without guesses.
///
/// # Errors
/// [`JsonError`] if the text has no board of that size, or a goal that is none.
pub fn read(text: &str, size: Option<Grid>) -> Result<(Reading, Option<Goal>), JsonError> {
    if is_object(text) {
        let (board, goal) = board(text, size)?;
        return Ok((Reading { board, guesses: Vec::new() }, goal));
    }
    let reading = Board::read(text, size).map_err(|error| match objects(text).len() {
        0 => error,
        found => ParseError::Several { found },
    });
    Ok((reading?, None))
}

/// Reads a board from its object, of the given size if there is one, and its goal if the object
/// names one.
///
/// # Errors
/// [`JsonError`] if the object has no board of that size, or a goal that is none.
pub fn board(text: &str, size: Option<Grid>) -> Result<(Board, Option<Goal>), JsonError> {
    let Object { board, error, goal, width, height } = object(text)?;
    let (board, goal, width, height) = match (board, error) {
        (Some(board), _) => (board, goal, width, height),
        (None, Some(error)) => return Err(JsonError::NoAnswer(error)),
        (None, None) => {
            let (board, own, size) = foreign(text, size)?;
            (board, goal.or(own), width.or(size), height.or(size))
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
    let board = Board::parse(&tiles(board), size)?;
    let goal = goal.map(|goal| Board::parse(&tiles(goal), Some(board.grid())));
    let goal = goal.transpose().map_err(GoalError::from)?.map(Goal::from);
    Ok((board, goal))
}

/// The texts of a board and of a goal that leaves something open, and their size, from their object, which
/// has a word for each cell of the goal; `None` if the goal is of another kind.
///
/// # Errors
/// [`JsonError`] if the text is no such object, or no board has the size.
pub fn labelled(text: &str) -> Result<Option<(String, String, Grid)>, JsonError> {
    let words = |list: Option<Value>| serde_json::from_value::<Vec<String>>(list?).ok();
    let Object { board: Some(board), goal, width: Some(width), height: Some(height), .. } =
        object(text)?
    else {
        return Ok(None);
    };
    let Some(goal) = words(goal) else { return Ok(None) };
    let size = Grid::new(width, height).map_err(ParseError::from)?;
    let board = words(Some(board.clone())).map_or_else(|| tiles(board), |words| words.join(" "));
    Ok(Some((board, goal.join(" "), size)))
}

/// The text of the board of an object; text that is no object as it is.
///
/// # Errors
/// [`JsonError`] if the object has no board.
pub fn board_text(text: &str) -> Result<String, JsonError> {
    if !is_object(text) {
        return Ok(text.to_owned());
    }
    match object(text)? {
        Object { board: Some(board), .. } => Ok(tiles(board)),
        Object { error: Some(error), .. } => Err(JsonError::NoAnswer(error)),
        _ => Err(JsonError::NoBoard),
    }
}

fn object(text: &str) -> Result<Object, JsonError> {
    serde_json::from_str(text).map_err(|error| JsonError::Fields(error.to_string()))
}

/// The names that others give to a goal.
const GOALS: [&str; 4] = ["goal", "target", "end", "final"];

/// The list of tiles, the goal and the side in an object of another program: the one field that is
/// a board, one with the name of a goal, and `size`.
fn foreign(
    text: &str,
    size: Option<Grid>,
) -> Result<(Value, Option<Value>, Option<usize>), JsonError> {
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| JsonError::Fields(error.to_string()))?;
    let side = fields.get("size").or(fields.get("n")).and_then(Value::as_u64);
    let side = side.and_then(|side| side.try_into().ok());
    let is_goal = |name: &str| {
        let name = name.to_lowercase();
        GOALS.iter().any(|goal| name.starts_with(goal))
    };
    let is_board =
        |value: &Value| !value.is_number() && Board::parse(&tiles(value.clone()), size).is_ok();
    let boards = fields.into_iter().filter(|(_, value)| is_board(value));
    let (mut goals, mut boards): (Vec<_>, Vec<_>) = boards.partition(|(name, _)| is_goal(name));
    match (boards.len(), goals.len()) {
        (1, 0 | 1) => Ok((boards.remove(0).1, goals.pop().map(|(_, goal)| goal), side)),
        (0 | 1, _) => Err(JsonError::NoBoard),
        (found, _) => Err(ParseError::Several { found }.into()),
    }
}

/// The texts of several boards: the objects of a list, or what [`Board::several`] finds.
pub fn several(text: &str, size: Option<Grid>) -> Vec<String> {
    match objects(text) {
        objects if objects.is_empty() => Board::several(text, size),
        objects => objects.into_iter().map(|object| Value::from(object).to_string()).collect(),
    }
}

/// The objects of a list.
fn objects(text: &str) -> Vec<Map<String, Value>> {
    match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text).unwrap_or_default(),
        false => Vec::new(),
    }
}

/// The list of tiles as text.
fn tiles(list: Value) -> String {
    match list {
        Value::String(text) => text,
        list => list.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_boards() {
        let wide: Board = "1 2 3 / 4 0 5".parse().unwrap();
        for text in [
            r#"{"schema":1,"width":3,"height":2,"board":[1,2,3,4,0,5],"moves":"R"}"#,
            r#"{"board": [1,2,3,4,0,5], "height": 2, "width": 3}"#,
        ] {
            assert!(is_object(text));
            assert_eq!(board(text, None).unwrap(), (wide.clone(), None));
            assert!(board(text, Grid::new(2, 3).ok()).is_err());
        }
        let text = r#"{"board":[1,2,3,4,0,5]}"#;
        assert_eq!(board(text, Some(wide.grid())).unwrap().0, wide);
        assert!(board(text, None).unwrap_err().to_string().contains("6 numbers"));
        let text = r#"{"board":[[1,2,3],[4,0,5]],"goal":[[1,2,3],[4,5,0]]}"#;
        assert_eq!(
            board(text, None).unwrap(),
            (wide.clone(), Some(Goal::named("blank-last", wide.grid()).unwrap()))
        );
        assert_eq!(board(r#"{"board":[[1,2,3],[4,null,5]]}"#, None).unwrap().0, wide);
        assert_eq!(board(r#"{"board":"1 2 3 / 4 x 5"}"#, None).unwrap().0, wide);
        let text = r#"{"board":[1,2,3,0],"goal":[0,1,2,3]}"#;
        let goal = Goal::named("blank-first", Grid::new(2, 2).unwrap()).unwrap();
        assert_eq!(board(text, None).unwrap().1, Some(goal));
        for (text, message) in [
            (r#"{"error":"no"}"#, "no board, but an error: no"),
            (r#"{"moves":"U"}"#, "this object has no \"board\""),
            (r#"{"board":[1,2,3,300]}"#, "no tile 300"),
            (r#"{"board":[1,2,3,3]}"#, "appears twice"),
            (r#"{"board":[1,2,3,0],"goal":[1,2,3]}"#, "the goal is not a board"),
            (r#"{"board":[],"width":1,"height":0}"#, "1x0"),
            (r#"{"board":"1 2"}"#, "2 numbers in one row"),
            (r#"{"board":[[1,2],[0]]}"#, "row 2 has 1 cell, but row 1 has 2"),
            (r#"{"board":[[1,2,3],[4,5,0]],"width":2,"height":3}"#, "but the size given is 2x3"),
            (r#"{"board":[[]]}"#, "no board"),
            // A program does not leave the blank out.
            (r#"{"board":[1,2,3,4,5,6,7,8]}"#, "8 numbers in one row"),
            (r#"{"board":7}"#, "one number"),
            (r#"{"board":[1"#, "EOF"),
            (r#"{"a":[1,2,3,0],"b":[1,2,0,3]}"#, "2 boards"),
            (r#"{"size":2,"a":[1,2,3,4,0,5,6,7,8]}"#, "a 2x2 board has 4 cells, but 9"),
            (r#"{"goal":[1,2,3,0]}"#, "no \"board\""),
        ] {
            let error = board(text, None).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(!is_object("{1,2},{3,0}"));
        for text in [
            r#"{"initial":[[1,2,3],[4,0,5]],"goal_state":[[1,2,3],[4,5,0]]}"#,
            r#"{"tiles":["1 2 3","4 0 5"],"target":"1 2 3 / 4 5 0"}"#,
            r#"{"depth":7,"state":[[1,2,3],[4,null,5]],"end":[[1,2,3],[4,5,0]]}"#,
        ] {
            let goal = Goal::named("blank-last", wide.grid()).unwrap();
            assert_eq!(board(text, None).unwrap(), (wide.clone(), Some(goal)), "{text}");
        }
        assert_eq!(several(r#"[{"board":[1,2,3,0]},{"a":7}]"#, None).len(), 2);
    }
}
