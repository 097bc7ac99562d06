//! The one fault of rows that are not a board.

use super::rows::{Cell, Kind, Row};
use super::tiles::{self, Found};
use super::{Note, ReadError};
use crate::board::{Board, BoardError, Grid, MAX_CELLS, ParseError};

/// The fault of the whole grid: a size that does not fit, the row of another length, the cell that is not a
/// tile, the tile that is there twice or that no such board has.
pub fn fault(rows: &[Row], size: Option<Grid>) -> ReadError {
    let has_lines = rows.iter().any(|row| row.line != rows[0].line);
    let line = |row: &Row| has_lines.then_some(row.line);
    let Some((head, body)) = parts(rows) else {
        return match rows.first() {
            Some(row) => ReadError::Unexplained { text: row.text(), line: line(row) },
            None => ParseError::Empty.into(),
        };
    };
    let is_written =
        |(_, notes): &Found| !notes.iter().any(|note| matches!(note, Note::LeftOut(..)));
    if let Some((board, _)) = tiles::board(body, None).filter(is_written) {
        let grid = board.grid();
        return match (size.filter(|&size| size != grid), head.last()) {
            (Some(size), _) => ParseError::OtherSize { rows: grid, size }.into(),
            (None, Some(row)) => ReadError::Size { stated: row.text(), grid },
            (None, None) => {
                let row = rows.get(body.len()).unwrap_or(&rows[0]);
                ReadError::Unexplained { text: row.text(), line: line(row) }
            }
        };
    }
    let at = |error: ParseError, row: &Row| ReadError::Board { error, line: line(row) };
    if let [row] = body
        && (row.cells.len() == 1 && row.cells[0].text.len() < 9 || row.is_name())
    {
        return ReadError::Unexplained { text: shortened(&row.text()), line: line(row) };
    }
    let is_letter =
        |cell: &Cell| cell.text.len() == 1 && cell.text.as_bytes()[0].is_ascii_alphabetic();
    // One character is a tile.
    let is_compact = body.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() > 2);
    let split = |row: &Row| {
        let cell = |c: char| Cell { text: c.to_string(), begin: 0 };
        row.of(&row.cells[0].text.chars().map(cell).collect::<Vec<_>>())
    };
    let mut body = if is_compact { body.iter().map(split).collect() } else { body.to_vec() };
    let odd = |cell: &&Cell| {
        cell.number().is_none() && !cell.is_blank() && !(is_compact && is_letter(cell))
    };
    if let Some((row, cell)) = body.iter().find_map(|row| Some((row, row.cells.iter().find(odd)?)))
    {
        return ReadError::NotATile { text: shortened(&cell.text), line: line(row) };
    }
    let mut lengths: Vec<usize> = body.iter().map(|row| row.cells.len()).collect();
    lengths.sort_unstable();
    let most = lengths[lengths.len() / 2];
    // A gap is the blank, so that a tile is missing.
    if let Some(((row, place), _)) = tiles::gap_in(&body, most) {
        body[row].cells.insert(place, Cell { text: "0".to_owned(), begin: 0 });
    }
    let said = size.or_else(|| head.iter().find_map(said));
    if body.len() > 1
        && most > 1
        && let Some(place) = body.iter().position(|row| row.cells.len() != most)
    {
        let found = body[place].cells.len();
        return at(ParseError::UnevenRows { row: place + 1, found, others: most }, &body[place]);
    }
    let cells: Vec<&Cell> = body.iter().flat_map(|row| &row.cells).collect();
    let count = cells.len();
    let is_flat = body.len() == 1 || most == 1;
    let grid = match said.filter(|size| is_flat || size.cells() != count) {
        Some(size) => size,
        None if is_flat => match Grid::square(count) {
            Some(grid) => grid,
            None => return at(ParseError::NoShape { found: count }, &body[0]),
        },
        None => match Grid::new(most, body.len()) {
            Ok(grid) => grid,
            Err(error) => return at(error.into(), &body[0]),
        },
    };
    if count != grid.cells() || count > MAX_CELLS {
        return at(BoardError::Count { grid, found: count }.into(), &body[0]);
    }
    let value = |cell: &Cell| match cell.text.chars().next() {
        Some(c) if is_compact => c.to_digit(36).map_or(0, u64::from),
        _ => cell.number().unwrap_or(0),
    };
    let of = |row: &Row| row.cells.iter().map(value).collect::<Vec<_>>();
    for row in &body {
        if let Some(tile) = of(row).into_iter().find(|&tile| tile >= count as u64) {
            return at(BoardError::NoSuchTile { grid, tile }.into(), row);
        }
    }
    let tiles: Vec<u8> = body.iter().flat_map(of).map(|tile| tile as u8).collect();
    match Board::new(grid, &tiles) {
        Err(error) => error.into(),
        Ok(_) => ReadError::Unexplained { text: shortened(&rows[0].text()), line: None },
    }
}

/// The headings of a grid, and its rows. `None` if there are none.
fn parts(rows: &[Row]) -> Option<(&[Row], &[Row])> {
    let is_tiles = |row: &&Row| row.kind == Kind::Cells;
    let most = rows.iter().filter(is_tiles).map(|row| row.cells.len()).max()?;
    let is_row =
        |row: &Row| row.kind == Kind::Cells && (row.cells.len() > 3 || row.cells.len() + 1 >= most);
    // Rows of one length below a few numbers show that these are a heading.
    let is_even = |begin: &usize| {
        let below = &rows[*begin..];
        below.len() > 1
            && most > 1
            && below.iter().all(|row| row.cells.len() == most && row.kind == Kind::Cells)
    };
    let heads = rows.iter().take_while(|row| row.cells.len() < most.min(4)).count();
    let begin = Some(heads)
        .filter(|begin| *begin < rows.len())
        .filter(is_even)
        .or(rows.iter().position(is_row))?;
    // A size on a line of its own, before a column.
    let begin =
        if most == 1 && rows.len() > begin + 4 {
            let side = rows[begin].numbers().next();
            begin
                + usize::from(side.is_some_and(|side| {
                    side < 17 && side * side == (rows.len() - begin - 1) as u64
                }))
        } else {
            begin
        };
    let end = rows.iter().rposition(|row| row.kind == Kind::Cells)? + 1;
    Some((&rows[..begin], &rows[begin..end]))
}

/// The size that a heading says.
fn said(row: &Row) -> Option<Grid> {
    let sides: Vec<usize> = match &row.kind {
        Kind::Size(sides, _) => sides.clone(),
        Kind::Cells => row.numbers().map(|n| n as usize).collect(),
        Kind::Name => return None,
    };
    match sides[..] {
        [side] => Grid::new(side, side).ok(),
        [width, height] => Grid::new(width, height).ok(),
        _ => None,
    }
}

/// The beginning of a text, for a message.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl From<BoardError> for ReadError {
    fn from(error: BoardError) -> ReadError {
        ParseError::from(error).into()
    }
}
