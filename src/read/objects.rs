//! Boards in JSON objects, as the programs and others write them.

use serde_json::{Deserializer, Value};

use super::{Expected, MovesError, ReadError, Reading, calls, goal, is_object};
use crate::board::{Convention, Grid, LabelledBoard, ParseError};

/// The fields of a board in objects of other programs, of a goal, and of moves.
const BOARDS: [&str; 5] = ["start", "state", "initial", "puzzle", "tiles"];
const GOALS: [&str; 5] = ["goal", "goal_state", "target", "end", "final"];
const MOVES: [&str; 6] = ["moves", "solution", "path", "path_to_goal", "actions", "steps"];

/// The parts of an object that are read, as text.
struct Object {
    board: String,
    goal: Option<String>,
    size: Option<Grid>,
}

impl Object {
    fn of(value: &Value) -> Result<Object, ReadError> {
        if !value.is_object() {
            let message = "a list holds something else than objects: write objects one per line, or in one list, as in [{\"board\":[1,2,3,0]}]";
            return Err(ReadError::Text(message.to_owned()));
        }
        let side = |name: &str| usize::try_from(value.get(name)?.as_u64()?).ok();
        let width = side("width").or_else(|| side("columns")).or_else(|| side("cols"));
        let height = side("height").or_else(|| side("rows"));
        // One side is enough for a list.
        let cells = |row: &Value| row.as_array().map_or(1, Vec::len);
        let list = value.get("board").and_then(Value::as_array);
        let other = |side: usize| list?.iter().map(cells).sum::<usize>().checked_div(side);
        let size = width.or_else(|| other(height?)).zip(height.or_else(|| other(width?)));
        let size = size.map(|(width, height)| Grid::new(width, height)).transpose();
        let error = value.get("error").and_then(Value::as_str);
        // The board of another program is the only other list, or the only field with the name of a board.
        let only = |is: &dyn Fn(&str, &Value) -> bool| {
            let fields = value.as_object().into_iter().flatten();
            let mut found = fields.filter(|(name, value)| is(name, value)).map(|(name, _)| &**name);
            found.next().filter(|_| error.is_none() && found.next().is_none())
        };
        let is_list = |name: &str, value: &Value| {
            value.is_array() && !GOALS.iter().chain(&MOVES).any(|other| *other == name)
        };
        let other = only(&is_list).or_else(|| only(&|name, _| BOARDS.contains(&name)));
        let board = text(value, &["board"]);
        if let (None, Some(name)) = (&board, other.filter(|name| calls::is_turned(name))) {
            return Err(ReadError::turned(name));
        }
        let board = board.or_else(|| text(value, &[other?]));
        let board = board.ok_or_else(|| {
            ReadError::Text(match error {
                Some(error) => format!("this object has no board, but an error: {error}"),
                None => "this object has no \"board\", which is a list of tiles as in {\"board\":[1,2,3,0]}".to_owned(),
            })
        })?;
        Ok(Object { board, goal: text(value, &GOALS), size: size.map_err(ReadError::of)? })
    }

    /// The board and its goal. A program leaves nothing to be guessed.
    fn reading(&self, expected: &Expected) -> Result<Reading, ReadError> {
        let size = self.size.or(expected.size);
        let mut expected = Expected { size, ..expected.clone() };
        let own = self.goal.as_ref().map(|text| goal(text, &expected)).transpose();
        let own = own.map_err(|error| ReadError::Text(format!("the goal is not a board: {error}")));
        if let (Ok(Some((own, _))), None) = (&own, &expected.goal) {
            expected = Expected { blank: expected.blank, ..Expected::for_goal(own) };
        }
        let reading = super::board(&self.board, expected)?;
        if let Some(note) = reading.notes.first() {
            return Err(ReadError::Text(format!(
                "the board of this object is a guess: {note}: write 0 for the blank, or give the goal"
            )));
        }
        let rows = reading.board.board().grid();
        if let Some(size) = size.filter(|&size| size != rows) {
            return Err(ReadError::of(ParseError::OtherSize { rows, size }));
        }
        Ok(Reading { goal: own?.map(|(goal, _)| goal), ..reading })
    }
}

/// The text of the first of these fields that is a text or a list.
fn text(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match value.get(name)? {
        Value::String(text) => Some(text.clone()),
        list @ Value::Array(_) => Some(list.to_string()),
        _ => None,
    })
}

/// The text of an object, with its board or what is wrong with it.
type ReadObject = (String, Result<Reading, ReadError>);

/// The objects of a text.
///
/// # Errors
/// [`ReadError`] if the text is not JSON.
pub fn objects(text: &str, expected: &Expected) -> Result<Vec<ReadObject>, ReadError> {
    let reading = |value: &Value| Object::of(value)?.reading(expected);
    let bare = text.trim_start_matches('\u{feff}').trim_end();
    let mut all: Vec<Value> = Vec::new();
    for value in Deserializer::from_str(bare.strip_suffix(',').unwrap_or(bare)).into_iter() {
        match value? {
            Value::Array(list) => all.extend(list),
            value => all.push(value),
        }
    }
    let text = |value: &Value| if all.len() == 1 { text.to_owned() } else { value.to_string() };
    Ok(all.iter().map(|value| (text(value), reading(value))).collect())
}

/// The board of an object, without guesses, and its goal if the object names one.
///
/// # Errors
/// [`ReadError`] if the object has no board of the size, or a goal that is not a board.
pub fn object(text: &str, size: Option<Grid>) -> Result<Reading, ReadError> {
    Object::of(&serde_json::from_str(text)?)?.reading(&size.into())
}

/// The text of the board of an object; text that is not an object as it is.
///
/// # Errors
/// [`ReadError`] if the object has no board.
pub fn text_of(text: &str) -> Result<String, ReadError> {
    match is_object(text) {
        true => Ok(Object::of(&serde_json::from_str(text)?)?.board),
        false => Ok(text.to_owned()),
    }
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        ReadError::Text(format!("this JSON has no board: {error}"))
    }
}

/// The text of the moves of an object, and their convention and number if it has them.
type ObjectMoves = (String, Option<Convention>, Option<u64>);

/// The moves of an object.
///
/// # Errors
/// [`MovesError`] if the object has no moves, or those of another board.
pub fn moves(board: &LabelledBoard, text: &str) -> Result<ObjectMoves, MovesError> {
    let no_moves = |reason: &str| MovesError(format!("this object has no moves: {reason}"));
    let value: Value = serde_json::from_str(text).map_err(|error| no_moves(&error.to_string()))?;
    // An object of another program may have no board.
    let other = Object::of(&value).ok();
    let other = other.and_then(|other| LabelledBoard::parse(&other.board, other.size).ok());
    if let Some(other) = other.filter(|other| other.to_string() != board.to_string()) {
        return Err(MovesError(format!("these are moves of another board, {other}")));
    }
    let found = self::text(&value, &MOVES);
    let moves = found.ok_or_else(|| match value.get("moves").is_none_or(Value::is_null) {
        true => no_moves("no solution was found, or none was looked for"),
        false => no_moves("moves are a text, or a list of texts"),
    })?;
    let convention = value.get("directions").cloned().map(serde_json::from_value);
    let convention = convention.transpose().map_err(|error| no_moves(&error.to_string()))?;
    Ok((moves, convention, value.get("length").and_then(Value::as_u64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn objects_are_boards() {
        let wide: Board = "1 2 3 / 4 0 5".parse().unwrap();
        for text in [
            r#"{"board":[[1,2,3],[4,0,5]],"goal":[[1,2,3],[4,5,0]]}"#,
            r#"{"initial":[[1,2,3],[4,0,5]],"goal_state":[[1,2,3],[4,5,0]]}"#,
            r#"{"depth":7,"state":[[1,2,3],[4,null,5]],"end":[[1,2,3],[4,5,0]]}"#,
        ] {
            let reading = object(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(*reading.board.board(), wide, "{text}");
            assert_eq!(reading.goal.unwrap().to_string(), "1 2 3 / 4 5 _", "{text}");
            assert!(object(text, Grid::new(2, 3).ok()).is_err());
        }
        assert!(object(r#"{"error":"no","reachable":[1,2,3,0]}"#, None).is_err());
        assert!(!is_object("{1,2},{3,0}") && !is_object("{\"1\",\"2\"}") && !is_object("[1,2]"));
    }
}
