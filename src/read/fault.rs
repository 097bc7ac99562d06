//! The one fault of rows that are not a board.

use super::cuts::MANY;
use super::rows::{Kind, Row};
use super::{Context, ReadError, tiles};
use crate::board::{BoardError, Grid, ParseError, shortened};

/// The fault of the whole grid: a size that does not fit, the row of another length, the cell that is not a
/// tile, the tile that is there twice or that no such board has. `all` has the names of rows, too.
pub fn fault(all: &[Row], rows: &[Row], context: Context) -> ReadError {
    let has_lines = rows.iter().any(|row| row.line != rows[0].line);
    let place = |row: &Row| match has_lines {
        true => format!(" (line {})", row.line),
        false => String::new(),
    };
    let unexplained = |row: &Row| {
        let line = all.iter().filter(|other| other.line == row.line).map(Row::text);
        unexplained(&line.collect::<Vec<_>>().join(" "), &place(row))
    };
    let Some((head, body)) = parts(rows) else {
        return rows.first().map_or_else(|| ReadError::of(ParseError::Empty), unexplained);
    };
    // A size does not leave the blank to be guessed.
    let plain = tiles::board(body, context.size)
        .and_then(|(board, _)| tiles::board(body, Some(board.grid())));
    if let Ok((board, _)) = plain {
        let (grid, after) = (board.grid(), rows.get(body.len()).unwrap_or(&rows[0]));
        let stated = head.last().map(Row::text);
        let stated = stated.filter(|stated| stated.replace(' ', "x") != grid.to_string());
        return stated.map_or_else(
            || unexplained(after),
            |stated| {
                ReadError::Text(format!(
                    "the text before the tiles says {stated}, but the board is {grid}"
                ))
            },
        );
    }
    if let [row] = body
        && (row.cells.len() == 1 && row.cells[0].text.len() < MANY || row.is_name())
    {
        return unexplained(row);
    }
    // A word among tiles.
    if let Some(row) = body.iter().find(|row| row.kind == Kind::Name) {
        return ReadError::NotATile { text: shortened(&row.text()), place: place(row) };
    }
    let said = head.iter().find_map(said).filter(|_| context.size.is_none());
    let error = match (said.map(|said| tiles::board(body, Some(said))), plain) {
        (Some(Err(error)), _) | (_, Err(error)) => error,
        _ => return unexplained(&rows[0]),
    };
    let is_wrong = |(number, row): &(usize, &Row)| match &error {
        ParseError::Board(BoardError::NoSuchTile { tile, .. }) => row.numbers().any(|n| n == *tile),
        ParseError::UnevenRows { row, .. } => row == number,
        ParseError::NotATile { text } => row.texts().any(|cell| shortened(cell) == *text),
        _ => false,
    };
    let wrong = (1..).zip(body).find(is_wrong);
    let place = wrong.map_or(String::new(), |(_, row)| place(row));
    match error {
        ParseError::NotATile { text } => ReadError::NotATile { text, place },
        error => ReadError::Text(format!("{error}{place}")),
    }
}

/// The error of a text that nothing explains.
pub fn unexplained(text: &str, place: &str) -> ReadError {
    let text = shortened(text);
    ReadError::Text(format!(
        "{text:?} cannot be read{place}: write the rows of one board, and a name on a line of its own"
    ))
}

/// The headings of a grid, and its rows. `None` if there are none.
fn parts(rows: &[Row]) -> Option<(&[Row], &[Row])> {
    let is_tiles = |row: &Row| row.kind == Kind::Cells;
    let most = rows.iter().filter(|row| is_tiles(row)).map(|row| row.cells.len()).max()?;
    let end = rows.iter().rposition(is_tiles)? + 1;
    // Rows that have the tiles of a board show that a few numbers above are a heading.
    let heads = rows.iter().take_while(|row| row.cells.len() < most.min(4)).count();
    let below = &rows[heads..end.max(heads)];
    let count = below.len() * most;
    let is_row = |row: &Row| {
        is_tiles(row)
            && row.cells.len() == most
            && row.numbers().all(|number| number < count as u64)
    };
    let is_first = |row: &Row| {
        let is_long = row.cells.len() > 3 || row.cells.len() + 1 >= most;
        is_tiles(row) && (is_long || row.cells.len() > 1 && row.line == rows[end - 1].line)
    };
    let begin = match below.len() > 1 && most > 1 && below.iter().all(is_row) {
        true => heads,
        false => rows.iter().position(is_first)?,
    };
    // Up to a name on a line of its own.
    let goes_on = |pair: &&[Row]| pair[1].kind != Kind::Name || pair[0].line == pair[1].line;
    let end = begin + 1 + rows[begin..end].windows(2).take_while(goes_on).count();
    Some((&rows[..begin], &rows[begin..end]))
}

/// The size that a heading says.
fn said(row: &Row) -> Option<Grid> {
    let Kind::Size(sides, _) = &row.kind else { return None };
    Grid::new(*sides.first()?, *sides.last()?).ok()
}
