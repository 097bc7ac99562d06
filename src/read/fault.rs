//! The one fault of rows that are not a board.

use super::rows::MANY;
use super::rows::{Kind, Row};
use super::{Context, ReadError, tiles};
use crate::board::{BoardError, Grid, OpenError, ParseError, shortened};

/// The fault of the whole grid: a size that does not fit, the row of another length, the cell that is not a tile, the
/// tile that is there twice or that no such board has. `all` has the names of rows, too.
pub fn fault(all: &[Row], rows: &[Row], context: &Context) -> ReadError {
    let has_lines = rows.iter().any(|row| row.line != rows[0].line);
    let place = |row: &Row| match has_lines {
        true => format!(" (line {})", row.line),
        false => String::new(),
    };
    let unexplained = |row: &Row| {
        let line = all.iter().filter(|other| other.line == row.line).map(Row::text);
        unexplained(&line.collect::<Vec<_>>().join(" "), &place(row))
    };
    let is_tiles = |row: &Row| row.kind == Kind::Cells;
    let is_word = |row: &Row| row.kind == Kind::Name;
    let Some(last) = rows.iter().rposition(is_tiles) else {
        return rows.first().map_or_else(|| ReadError::of(ParseError::Empty), unexplained);
    };
    let (whole, rows) = (rows, &rows[..=last]);
    let most =
        rows.iter().filter(|row| is_tiles(row)).map(|row| row.cells.len()).max().unwrap_or(0);
    // A word in a row of a grid.
    let is_mixed =
        |row: &&Row| is_word(row) && row.cells.len() == most && row.numbers().count() > 0;
    if let Some(row) = rows.iter().find(is_mixed) {
        let word = row.cells.iter().find(|cell| cell.is_word()).unwrap_or(&row.cells[0]);
        return ReadError::NotATile { text: shortened(&word.text), place: place(row) };
    }
    // The rows below headings, up to a name on a line of its own.
    let below = |shortest: usize| {
        let is_head = |row: &&Row| {
            let is_above = row.line < rows[last].line || row.cells.len() == 1;
            !is_tiles(row) || row.cells.len() < shortest.min(4) && is_above
        };
        let begin = rows[..last].iter().take_while(is_head).count();
        let is_body = |at: &usize| !is_word(&rows[*at]) || rows[at - 1].line == rows[*at].line;
        let end = (begin + 1..rows.len()).find(|at| !is_body(at)).unwrap_or(rows.len());
        (&rows[..begin], &rows[begin..end])
    };
    // Rows that have the tiles of a board show that a few numbers above them are a heading.
    let (mut head, mut body) = below(most);
    let (expected, own) = (&*context.expected, context.expected.size);
    let board = |body: &[Row], size| tiles::board(body, size, expected);
    let mut found = board(body, own);
    let repeated = |error: &OpenError| {
        matches!(error, OpenError::Text(ParseError::Board(BoardError::Repeated { .. })))
    };
    if !found.as_ref().map_or_else(repeated, |_| true) {
        (head, body) = below(most - 1);
        found = board(body, own);
    }
    // A word among tiles.
    if let Some(row) = body.iter().find(|row| is_word(row)) {
        let word = row.cells.iter().find(|cell| cell.is_word()).unwrap_or(&row.cells[0]);
        return ReadError::NotATile { text: shortened(&word.text), place: place(row) };
    }
    // A size does not leave the blank to be guessed.
    let found = found.and_then(|(found, _)| board(body, Some(found.board().grid())));
    let said = |row: &Row| match &row.kind {
        Kind::Size(sides) => Grid::new(sides[0], sides[sides.len() - 1]).ok(),
        _ => None,
    };
    let said = head.iter().find_map(said).filter(|_| own.is_none());
    let error = match (found, said.map(|said| board(body, Some(said)))) {
        (Ok((board, _)), _) => {
            let grid = board.board().grid();
            let stated = head.last().map(Row::text);
            let stated = stated.filter(|stated| stated.replace(' ', "x") != grid.to_string());
            let Some(stated) = stated else {
                return unexplained(whole.get(head.len() + body.len()).unwrap_or(&rows[0]));
            };
            let message =
                format!("the text before the tiles says {stated}, but the board is {grid}");
            return ReadError::Text(message);
        }
        (_, Some(Err(error))) | (Err(error), _) => error,
    };
    let error = match error {
        OpenError::Text(error) => error,
        error => return ReadError::of(error),
    };
    if let [row] = body
        && (row.cells.len() == 1 && row.cells[0].text.len() < MANY || row.is_name())
    {
        return unexplained(row);
    }
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
        error => {
            let lost = lost(&error, body).unwrap_or_default();
            ReadError::Text(format!("{error}{lost}{place}"))
        }
    }
}

/// The missing cell of a square board in one row, if one is missing.
fn lost(error: &ParseError, rows: &[Row]) -> Option<String> {
    let ParseError::NoShape { found } = error else { return None };
    let grid = Grid::square(found + 1)?;
    let has = |tile: &u64| rows.iter().flat_map(Row::numbers).any(|number| number == *tile);
    let lost: Vec<u64> = (0..=*found as u64).filter(|tile| !has(tile)).collect();
    let a = grid.article();
    Some(match lost[..] {
        [0] => format!("; the blank of {a} {grid} board is missing"),
        [tile] => format!("; tile {tile} of {a} {grid} board is missing"),
        _ => format!("; {a} {grid} board has {} cells", grid.cells()),
    })
}

/// The error of a name before brackets that may turn the board, and of marks that belong to no list.
pub fn refused(row: &Row) -> ReadError {
    let text = shortened(&row.text());
    ReadError::Text(match row.kind {
        Kind::Call => {
            format!("{text:?} may change the order of the tiles: write the rows of the board alone")
        }
        _ => format!("{text:?} belongs to no list: close each bracket, and write a board in it"),
    })
}

/// The error of a text that nothing explains.
pub fn unexplained(text: &str, place: &str) -> ReadError {
    let text = shortened(text);
    ReadError::Text(format!(
        "{text:?} is not a board{place}: write the rows of one board, and its name on the line above them"
    ))
}
