//! Boards whose tiles have labels, for an open goal.

use super::rows::{self, Kind, Row};
use super::{Note, ReadError, Reading};
use crate::board::OpenGoal;

/// Reads the board of a text for an open goal: by its labels, or by numbers that are the
/// labels of the goal.
///
/// # Errors
/// [`ReadError`] if the text is not a board that fits the goal.
pub fn labelled(text: &str, goal: &OpenGoal) -> Result<Reading, ReadError> {
    let error = match goal.read(text) {
        Ok(board) => return Ok(board.into()),
        Err(error) => ReadError::of(error),
    };
    // The last rows of the goal's width are the board, and those before them are its headings.
    let rows = rows::unparted(text.lines().map(|line| (1, line)));
    let grid = goal.grid();
    let (head, body) = rows.split_at(rows.len().saturating_sub(grid.height()));
    let is_heading = |row: &Row| row.kind == Kind::Name || row.numbers().count() == row.cells.len();
    let text_of = |rows: &[Row]| rows.iter().map(Row::text).collect::<Vec<_>>().join(" / ");
    if head.iter().all(is_heading)
        && let Ok(board) = goal.read(&text_of(body))
    {
        let names = head.iter().filter(|row| row.kind == Kind::Name).map(Row::text);
        let label = Some(names.collect::<Vec<_>>().join(" ")).filter(|label| !label.is_empty());
        let notes = label.iter().cloned().map(Note::Label).collect();
        return Ok(Reading { board, notes, label, goal: None });
    }
    // Numbers in any form.
    let reading = super::board(text, Some(grid)).map_err(|_| error)?;
    let board = goal.read(&reading.board.to_string()).map_err(ReadError::of)?;
    Ok(Reading { board, ..reading })
}
