//! Boards whose tiles have labels, for a goal that leaves something open.

use super::rows::{self, Kind, Row};
use super::{Note, ReadError, Reading};
use crate::board::{LabelledBoard, OpenError, OpenGoal};

/// Reads the board of a text for a goal that leaves something open: by its labels, or by numbers that are the
/// labels of the goal.
///
/// # Errors
/// [`ReadError`] if the text is not a board that fits the goal.
pub fn labelled(text: &str, goal: &OpenGoal) -> Result<Reading<LabelledBoard>, ReadError> {
    let error = match goal.read(text) {
        Ok(board) => return Ok(board.into()),
        Err(error) => error,
    };
    // The last rows of the goal's width are the board, and those before them are its headings.
    let rows = rows::unsorted(text.lines().map(|line| (1, line)));
    let grid = goal.grid();
    let begin = rows.len().saturating_sub(grid.height());
    let (head, body) = rows.split_at(begin);
    let is_heading = |row: &Row| row.kind == Kind::Name || row.numbers().count() == row.cells.len();
    if body.iter().all(|row| row.cells.len() == grid.width()) && head.iter().all(is_heading) {
        let cells = body.iter().flat_map(|row| &row.cells);
        let words: Vec<&str> =
            cells.map(|cell| if cell.text.is_empty() { "_" } else { &*cell.text }).collect();
        if let Ok(board) = goal.read(&words.join(" ")) {
            let names = head.iter().filter(|row| row.kind == Kind::Name).map(Row::text);
            let label = Some(names.collect::<Vec<_>>().join(" ")).filter(|label| !label.is_empty());
            let notes = label.iter().cloned().map(Note::Label).collect();
            return Ok(Reading { board, notes, label, goal: None });
        }
    }
    // Numbers in any form.
    if let Ok(reading) = super::board(text, Some(grid))
        && let Ok(board) = goal.read(&reading.board.to_string())
    {
        return Ok(reading.map(|_| board));
    }
    Err(match error {
        OpenError::Text(error) => error.into(),
        error => ReadError::Open(error),
    })
}
