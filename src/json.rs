//! Boards as text or in JSON objects, as the programs write them.

use serde::Deserialize;
use serde_json::Value;

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
    Ok((Board::read(text, size)?, None))
}

/// Reads a board from its object, of the given size if there is one, and its goal if the object
/// names one.
///
/// # Errors
/// [`JsonError`] if the object has no board of that size, or a goal that is none.
pub fn board(text: &str, size: Option<Grid>) -> Result<(Board, Option<Goal>), JsonError> {
    let (board, Object { goal, width, height, .. }) = object(text)?;
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
    let board = Board::parse(&board, size)?;
    let goal = goal.map(|goal| Board::parse(&tiles(goal), Some(board.grid())));
    let goal = goal.transpose().map_err(GoalError::from)?.map(Goal::from);
    Ok((board, goal))
}

/// The text of the board of an object; text that is no object as it is.
///
/// # Errors
/// [`JsonError`] if the object has no board.
pub fn board_text(text: &str) -> Result<String, JsonError> {
    if is_object(text) { Ok(object(text)?.0) } else { Ok(text.to_owned()) }
}

/// The text of the board of an object, and its other fields.
fn object(text: &str) -> Result<(String, Object), JsonError> {
    let object =
        serde_json::from_str(text).map_err(|error| JsonError::Fields(error.to_string()))?;
    match object {
        Object { board: Some(board), .. } => Ok((tiles(board), Object { board: None, ..object })),
        Object { error: Some(error), .. } => Err(JsonError::NoAnswer(error)),
        _ => Err(JsonError::NoBoard),
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
        ] {
            let error = board(text, None).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(!is_object("{1,2},{3,0}"));
    }
}
