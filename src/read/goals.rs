//! Goals as people write them: a goal is a board, and its tiles are names.

use super::rows::{Cell, Kind, Row};
use super::{Expected, Note, kinds, tiles};
use crate::board::{Board, Goal, OpenError, OpenGoal};

/// Reads a goal: a board whose tiles have any names, of which some may be equal, or `*` for cells that do not matter;
/// and the guesses that the reading rests on.
///
/// # Errors
/// [`OpenError`] if the text is not a grid of names with a cell for the blank.
pub fn goal(text: &str, expected: &Expected) -> Result<(OpenGoal, Vec<Note>), OpenError> {
    let closed = |board: &Board| OpenGoal::from(&Goal::from(board.clone()));
    names(text, expected).or_else(|error| {
        let reading = super::board(text, expected.clone());
        // The tiles of other goals have the names that they are written with.
        let is_own = |note: &Note| !matches!(note, Note::FromZero(_));
        let reading = reading.ok().filter(|reading| reading.notes.iter().all(is_own));
        reading.map(|it| (closed(it.board.board()), it.notes)).ok_or(error)
    })
}

/// The goal of names in rows. Names and a size above the rows are left out.
fn names(text: &str, expected: &Expected) -> Result<(OpenGoal, Vec<Note>), OpenError> {
    // A star at the beginning of a line is a cell.
    let text = text.replace('*', "?");
    let mut rows = kinds::unparted(text.lines().map(|line| (1, line)), false);
    rows.retain(|row| row.kind == Kind::Cells);
    // A number of boards may stand above a size. Neither has more than two numbers.
    let width = rows.last().map_or(0, |row| row.cells.len());
    let has_head = width > 2 && rows.len() > 2;
    let cells = width * rows.iter().filter(|row| row.cells.len() == width).count();
    let is_head = |row: &&Row| {
        let numbers: Option<Vec<u64>> = row.cells.iter().map(Cell::number).collect();
        match numbers.as_deref() {
            Some([_]) => has_head,
            Some([columns, rows]) => has_head && columns.checked_mul(*rows) == Some(cells as u64),
            _ => false,
        }
    };
    let body = &rows[rows.iter().take(2).take_while(is_head).count()..];
    let read = |rows: &[Row]| {
        let (cells, ends) = tiles::flat(rows, expected.size);
        let names: Vec<_> = cells.iter().map(|cell| cell.tile()).collect();
        let (blank, note) = tiles::blank(&cells, expected).unzip();
        let blanks = names.iter().filter(|name| ["0", "_", "."].contains(&&***name)).count();
        if blank.is_none() && blanks > 1 {
            return Err(OpenError::GoalBlanks(blanks));
        }
        let goal = OpenGoal::of_words(&names, &ends, expected.size, blank)?;
        Ok((goal, note.flatten().into_iter().collect()))
    };
    let compact = tiles::characters(body).filter(|_| body.len() > 1);
    match compact.map(|compact| read(&compact)) {
        Some(Err(OpenError::Text(_))) | None => read(body),
        Some(found) => found,
    }
}
