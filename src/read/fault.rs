//! The one fault of rows that are not a board.

use super::rows::{Cell, Kind, Row};
use super::tiles::{self, Found};
use super::{Context, Note, ReadError, cuts};
use crate::board::{Board, BoardError, Grid, ParseError, shortened};

/// The fault of the whole grid: a size that does not fit, the row of another length, the cell that is not a
/// tile, the tile that is there twice or that no such board has.
pub fn fault(rows: &[Row], context: Context) -> ReadError {
    let size = context.size;
    let has_lines = rows.iter().any(|row| row.line != rows[0].line);
    let line = |row: &Row| has_lines.then_some(row.line);
    let unexplained =
        |row: &Row| ReadError::Unexplained { text: shortened(&row.text()), line: line(row) };
    let Some((head, body)) = parts(rows) else {
        return rows.first().map_or(ParseError::Empty.into(), unexplained);
    };
    let is_written =
        |(_, notes): &Found| !notes.iter().any(|note| matches!(note, Note::LeftOut(..)));
    if let Some((board, _)) = tiles::board(body, None).filter(is_written) {
        let grid = board.grid();
        return match (size.filter(|&size| size != grid), head.last()) {
            (Some(size), _) => ParseError::OtherSize { rows: grid, size }.into(),
            (None, Some(row)) => ReadError::Size { stated: row.text(), grid },
            (None, None) => unexplained(rows.get(body.len()).unwrap_or(&rows[0])),
        };
    }
    if let [row] = body
        && (row.cells.len() == 1 && row.cells[0].text.len() < cuts::MANY || row.is_name())
    {
        return unexplained(row);
    }
    // One character is a tile.
    let is_compact = body.iter().all(|row| row.cells.len() == 1 && row.cells[0].text.len() > 2);
    let odd = |cell: &&Cell| cell.number().is_none() && !cell.is_blank() && !is_compact;
    let odd = |row: &Row| Some((line(row), row.cells.iter().find(odd)?.text.clone()));
    if let Some((line, text)) = body.iter().find_map(odd) {
        return ReadError::NotATile { text: shortened(&text), line };
    }
    let mut body = body.to_vec();
    let mut lengths: Vec<usize> = body.iter().map(|row| row.cells.len()).collect();
    lengths.sort_unstable();
    let most = lengths[lengths.len() / 2];
    // A gap is the blank, so that a tile is missing.
    if let Some(((row, place), _)) = tiles::gap_in(&body, most) {
        body[row].cells.insert(place, Cell { text: "0".to_owned(), begin: 0 });
    }
    // The engine names the fault of a plain text.
    let cell = |cell: &Cell| match cell.number() {
        Some(number) if !is_compact => number.to_string(),
        _ if cell.is_blank() => "0".to_owned(),
        _ => cell.text.clone(),
    };
    let text = |row: &Row| row.cells.iter().map(cell).collect::<Vec<_>>().join(" ");
    let is_even = body.iter().all(|row| row.cells.len() == most);
    let is_flat = is_even && (body.len() == 1 || most == 1);
    let said = size.or_else(|| head.iter().find_map(said));
    let said = said.filter(|said| is_flat || is_even && said.cells() != body.len() * most);
    let is_row = (is_flat || said.is_some()) && !is_compact;
    let plain = body.iter().map(text).collect::<Vec<_>>();
    match Board::parse(&plain.join(if is_row { " " } else { " / " }), said) {
        Ok(_) => unexplained(&rows[0]),
        Err(error) => {
            let has_it = |place: usize, row: &Row| match error {
                ParseError::Board(BoardError::NoSuchTile { tile, .. }) => {
                    row.numbers().any(|number| number == tile)
                }
                ParseError::UnevenRows { row, .. } => row == place,
                _ => false,
            };
            let row = (1..).zip(&body).find(|(place, row)| has_it(*place, row));
            ReadError::Board { line: row.and_then(|(_, row)| line(row)), error }
        }
    }
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
    Some((&rows[..begin], &rows[begin..end]))
}

/// The size that a heading says.
fn said(row: &Row) -> Option<Grid> {
    let Kind::Size(sides, _) = &row.kind else { return None };
    Grid::new(*sides.first()?, *sides.last()?).ok()
}
