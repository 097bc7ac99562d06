//! The one fault of rows that are not a board.

use super::rows::{Cell, Kind, MIN_BOARD, MIN_ROW, Row};
use super::{Context, ReadError, tiles};
use crate::board::{BoardError, Grid, MAX_CELLS, OpenError, ParseError, shortened};

/// The fault of the nearest reading: a size that does not fit, the row of another length, the cell that is not a tile,
/// the tile that is there twice or that no such board has.
pub fn fault(rows: &[Row], context: &Context) -> ReadError {
    let unexplained = |row: &Row| {
        let line = rows.iter().filter(|other| other.line == row.line).map(Row::text);
        unexplained(&line.collect::<Vec<_>>().join(" "), &place(row, rows))
    };
    let Some(last) = rows.iter().rposition(|row| row.kind == Kind::Cells) else {
        return rows.first().map_or_else(|| ReadError::of(ParseError::Empty), unexplained);
    };
    let (expected, size) = (&*context.expected, context.expected.size);
    let board = |body: &[Row], size| tiles::board(body, size, expected);
    let most = rows.iter().filter(|row| row.kind == Kind::Cells).map(|row| row.cells.len()).max();
    let most = most.unwrap_or(0);
    // Rows that have the tiles of a board show that a few numbers above them are a heading.
    let near = Some(below(&rows[..=last], most)).filter(|(_, body)| match board(body, size) {
        Err(OpenError::Text(ParseError::Board(BoardError::Repeated { .. }))) | Ok(_) => true,
        Err(_) => false,
    });
    let (head, body) = near.unwrap_or_else(|| below(&rows[..=last], most - 1));
    // A size does not leave the blank to be guessed.
    let found = board(body, size).and_then(|(it, _)| board(body, Some(it.board().grid())));
    let error = match found {
        Ok((board, _)) => {
            let grid = board.board().grid();
            let stated = head.last().filter(|row| !row.spans_lines || row.kind != Kind::Cells);
            let stated = stated.filter(|row| row.text().replace(' ', "x") != grid.to_string());
            let Some(row) = stated else {
                return unexplained(rows.get(head.len() + body.len()).unwrap_or(&rows[0]));
            };
            let said = row.text();
            let is_size = matches!(row.kind, Kind::Size(_)) || row.numbers().count() > 0;
            return ReadError::Text(match is_size {
                true => format!("the text before the tiles says {said}, but the board is {grid}"),
                false => format!(
                    "{:?} before the tiles is neither a size nor a name: write it on a line of its own, or leave it out",
                    shortened(&said)
                ),
            });
        }
        Err(_) if is_one(body) => return unexplained(&body[0]),
        Err(error) => error,
    };
    worded(error, body, rows)
}

/// The line of a row, in words, if there are several.
fn place(row: &Row, rows: &[Row]) -> String {
    match rows.iter().any(|other| other.line != rows[0].line) {
        true => format!(" (line {})", row.line),
        false => String::new(),
    }
}

/// The headings, whose rows are shorter than this, and the rows below them.
fn below(rows: &[Row], shortest: usize) -> (&[Row], &[Row]) {
    let last = &rows[rows.len() - 1];
    let is_head = |row: &&Row| {
        let is_above = row.line < last.line || row.cells.len() == 1;
        row.kind != Kind::Cells || row.cells.len() < shortest.min(MIN_ROW) && is_above
    };
    let begin = rows[..rows.len() - 1].iter().take_while(is_head).count();
    rows.split_at(begin)
}

/// Returns whether rows are one word, or words, rather than a board.
fn is_one(rows: &[Row]) -> bool {
    matches!(rows, [row] if row.cells.len() == 1 && row.cells[0].text.len() < MIN_BOARD || row.may_be_name())
}

/// The error of rows that are not a board, with the line of the row at fault.
fn worded(error: OpenError, body: &[Row], rows: &[Row]) -> ReadError {
    let OpenError::Text(error) = error else { return ReadError::of(error) };
    let is_wrong = |(number, row): &(usize, &Row)| match &error {
        ParseError::Board(BoardError::NoSuchTile { tile, .. }) => row.numbers().any(|n| n == *tile),
        ParseError::UnevenRows { row, .. } => row == number,
        ParseError::NotATile { text } => row.texts().any(|cell| shortened(cell) == *text),
        _ => false,
    };
    let wrong = (1..).zip(body).find(is_wrong);
    let place = wrong.map_or(String::new(), |(_, row)| place(row, rows));
    match error {
        ParseError::NotATile { text } => ReadError::NotATile { text, place },
        error => {
            let cause = joined(body).or_else(|| lost(&error, body)).unwrap_or_default();
            ReadError::Text(format!("{error}{cause}{place}"))
        }
    }
}

/// The cell that may be several tiles, if there is one: `8.1.3`, or 1512 next to 13.
fn joined(rows: &[Row]) -> Option<String> {
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let is_tile = |cell: &Cell| cell.number().is_some_and(|number| number < MAX_CELLS as u64);
    let has_tiles = cells().any(is_tile);
    let is_joined = |cell: &&Cell| {
        let has_dots =
            cell.text.matches('.').count() > 1 && cell.text.starts_with(char::is_numeric);
        has_dots || has_tiles && cell.digits() > 0 && !is_tile(cell)
    };
    let Cell { text, .. } = cells().find(is_joined)?;
    Some(format!("; {:?} may be several tiles: write spaces between them", shortened(text)))
}

/// The missing cell of a square board in one row, if one is missing.
fn lost(error: &ParseError, rows: &[Row]) -> Option<String> {
    let ParseError::NoShape { found } = error else { return None };
    let grid = Grid::square(found + 1)?;
    let has = |tile: &u64| rows.iter().flat_map(Row::numbers).any(|number| number == *tile);
    let lost: Vec<u64> = (0..=*found as u64).filter(|tile| !has(tile)).collect();
    let a = grid.article();
    match lost[..] {
        [0] => Some(format!("; the blank of {a} {grid} board is missing")),
        [tile] => Some(format!("; tile {tile} of {a} {grid} board is missing")),
        _ => None,
    }
}

/// The error of a number of boards, of which there are not so many.
pub fn miscounted(announced: usize, found: usize) -> ReadError {
    let are = if found == 1 { "is" } else { "are" };
    ReadError::Text(format!(
        "{announced} boards are announced, and {found} {are} here: correct the number, or leave it out"
    ))
}

/// The error of a text that nothing explains.
pub fn unexplained(text: &str, place: &str) -> ReadError {
    let are_numbers = text.split(' ').all(|cell| cell.parse::<u64>().is_ok());
    let text = shortened(text);
    let way_out = match (are_numbers && text.contains(' '), place) {
        (true, _) => "write spaces between its tiles",
        (false, "") => "write its tiles row by row, with 0 for the blank",
        (false, _) => {
            "write its tiles row by row, with 0 for the blank; a name may stand on the line above"
        }
    };
    ReadError::Text(format!("{text:?} is not a board{place}: {way_out}"))
}
