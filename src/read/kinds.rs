//! What rows of cells are: sizes, names, or cells ([`rows`] lists the rules).

use super::ReadError;
use super::calls;
use super::rows::{Cell, Kind, MIN_BOARD, MIN_ROW, Row};
use super::scan::Scan;
use super::sizes::Size;
use crate::board::{Grid, MAX_CELLS};

/// The rows of lines with their numbers. `#` may be a cell, not the beginning of a comment, and words may be tiles.
///
/// A row of cells is a size (`size`), or a name by one of these rules:
///
/// 1. It stands before `:`, `=` or a bracket (`Scan::name`, `Scan::open`): `start` in `start = 1 2 3 0`.
/// 2. Its line has such a name, and else words and single short numbers (`is_name`): `Puzzle 7: easy`.
/// 3. It has words of several lengths, or next to numbers, and words are not tiles (`parts`): `solvable in 2 moves`.
/// 4. It has the first numbers of most lines, after which there is a board (`without_numbers`): `7 55` in
///    `7 55 1 2 3 4 0 6 7 5 8`.
///
/// Words of one length, as `easy` alone, remain cells: they may have a letter for each tile. Who asks whether they are a
/// name knows more ([`Row::may_be_name`]).
pub fn rows<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    has_hash: bool,
    words_are_tiles: bool,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in unparted(lines, has_hash).chunk_by(|a, b| a.line == b.line) {
        match &declared(line)[..] {
            line if is_path(line) => {
                rows.push(Row { kind: Kind::Name, ..line[line.len() - 1].clone() })
            }
            line @ [first, ..] if is_name(line) => {
                let cells = line.iter().flat_map(|row| row.cells.clone()).collect();
                rows.push(Row { cells, kind: Kind::Name, ..first.clone() });
            }
            line => rows.extend(line.iter().flat_map(|row| parts(row, words_are_tiles))),
        }
    }
    let is_heading = |row: &Row| row.may_be_name() || matches!(row.kind, Kind::Size(_));
    let mut headings = 0;
    for at in 1..rows.len() {
        let (before, row) = (&rows[at - 1], &rows[at]);
        let is_name = matches!(before.kind, Kind::Name | Kind::Size(_));
        // The sides of an array may follow its name: `int t[N][N] = {`.
        let is_named =
            (is_name || before.is_named && before.cells.len() == 1) && before.line == row.line;
        // A name, or a size on a line of its own, ends what is above it.
        let is_alone = rows.get(at + 1).is_none_or(|next| next.line > row.line);
        let is_below = !is_name && before.line < row.line;
        let ends = is_heading(row) && (is_alone || row.kind == Kind::Name);
        headings += usize::from(is_below && ends);
        let is_turned = before.cells.len() < 3
            && before.may_be_name()
            && before.numbers().count() == 0
            && before.texts().any(calls::is_turned);
        if is_turned && row.kind == Kind::Cells && row.cells.len() > 1 {
            rows[at].kind = Kind::Fault(ReadError::turned(&before.text()));
        }
        rows[at].is_named |= is_named;
        rows[at].group += headings;
    }
    without_numbers(rows)
}

/// The most numbers before or after a board in its line.
const MAX_NUMBERS: usize = 3;

/// `numbers before a board on each line`: the rows of a list of such lines, with the numbers before the boards as names,
/// or those after them.
fn without_numbers(rows: Vec<Row>) -> Vec<Row> {
    let count = |row: &Row, numbers: usize| {
        let count = row.cells.len().checked_sub(numbers).filter(|_| row.kind == Kind::Cells)?;
        (count >= MIN_BOARD && Grid::square(count).is_some()).then_some(count)
    };
    for numbers in 1..=MAX_NUMBERS {
        let all = rows.iter().filter(|row| count(row, numbers).is_some()).count();
        if all < 2 || 2 * all <= rows.len() {
            continue;
        }
        // Rows that are boards, or one board together, have no numbers beside it.
        let is_board = |row: &&Row| count(row, numbers).is_some() && are_tiles(&row.cells);
        let cells = rows.iter().flat_map(|row| &row.cells);
        if 2 * rows.iter().filter(is_board).count() > all || are_tiles(cells.take(MAX_CELLS + 1)) {
            continue;
        }
        let parts = |row: &Row, are_first: bool| {
            let count = count(row, numbers)?;
            let (before, after) = row.cells.split_at(if are_first { numbers } else { count });
            let (names, tiles) = if are_first { (before, after) } else { (after, before) };
            Some([row.with_cells(names), row.with_cells(tiles)])
        };
        let [first, last] = [true, false].map(|are_first| {
            let parts = rows.iter().filter_map(|row| parts(row, are_first));
            parts.filter(|[_, tiles]| are_tiles(&tiles.cells)).count()
        });
        // Some of the lines may be at fault. If as many are boards without the last numbers, nothing says which is meant.
        if 2 * first >= all && first > last || 2 * last > all && last > first {
            let named = |[name, tiles]: [Row; 2]| vec![Row { kind: Kind::Name, ..name }, tiles];
            let parts = |row: &Row| parts(row, first > last).map_or(vec![row.clone()], named);
            return rows.iter().flat_map(parts).collect();
        }
    }
    rows
}

/// Returns whether cells are the numbers 0 to `n` - 1, each once, of which 0 may be a sign.
fn are_tiles<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> bool {
    let number = |cell: &Cell| if cell.is_blank() { Some(0) } else { cell.number() };
    let numbers: Option<Vec<u64>> = cells.into_iter().map(number).collect();
    numbers.is_some_and(|mut numbers| {
        numbers.sort_unstable();
        numbers.iter().zip(0..).all(|(&number, n)| number == n)
    })
}

/// `a line of words`: returns whether the rows of a line are one name.
fn is_name(line: &[Row]) -> bool {
    let is_short = |row: &Row| row.cells.len() == 1 && row.cells[0].text.len() < MIN_ROW;
    let is_part = |row: &Row| match row.kind {
        Kind::Name => true,
        Kind::Cells => is_short(row) || row.cells.iter().any(Cell::is_word),
        _ => false,
    };
    line.len() > 1 && line.iter().any(|row| row.kind == Kind::Name) && line.iter().all(is_part)
}

/// Returns whether the rows of a line are the parts of the path of a file: `./puzzle04.txt`.
fn is_path(line: &[Row]) -> bool {
    let are_single = line.iter().all(|row| row.cells.len() == 1 && row.kind == Kind::Cells);
    let end = line.last().and_then(|row| row.cells[0].text.rsplit_once('.'));
    let is_kind = |end: &str| end.len() > 1 && end.chars().all(char::is_alphabetic);
    are_single && end.is_some_and(|(name, end)| !name.is_empty() && is_kind(end))
}

/// The rows of a line, with a size for what an array is declared to be, as in `int t[3][2] = {`: rows, then columns.
fn declared(line: &[Row]) -> Vec<Row> {
    let side = |row: &Row| {
        let is_side = row.kind == Kind::Cells && row.cells.len() == 1 && row.depth == 1;
        usize::try_from(row.cells.first()?.number().filter(|_| is_side)?).ok()
    };
    let sides: Vec<usize> = line.iter().skip(1).map_while(side).collect();
    match (line, &sides[..]) {
        ([name, row, ..], &[height, width]) if name.kind == Kind::Name && width < MIN_BOARD => {
            let cells = line[1..3].iter().flat_map(|row| row.cells.clone());
            let kind = Kind::Size([width, height].into());
            let size = Row { kind, cells: cells.collect(), ..row.clone() };
            [&line[..1], &[size], &line[3..]].concat()
        }
        _ => line.to_vec(),
    }
}

/// The rows of lines, in which words are cells.
pub fn unparted<'a>(lines: impl Iterator<Item = (usize, &'a str)>, has_hash: bool) -> Vec<Row> {
    let Scan { rows, lists, .. } = Scan::of(lines, has_hash);
    calls::applied(rows, &lists)
}

/// The rows that a row is cut into: a size, and what follows it.
fn parts(row: &Row, words_are_tiles: bool) -> Vec<Row> {
    if let Kind::Fault(_) = row.kind {
        return vec![row.clone()];
    }
    if let Some(size) = Size::of(&row.text()) {
        return vec![Row { kind: Kind::Size(size), ..row.clone() }];
    }
    // `a size before the tiles`, as in `3x2 1 2 3 4 0 5`.
    let (first, others) = row.cells.split_at(1);
    if let Some(size) = Size::of(&first[0].text) {
        return vec![
            Row { kind: Kind::Size(size), ..row.with_cells(first) },
            row.with_cells(others),
        ];
    }
    // Several words with digits, or words of one length, may have a character for each tile.
    let tiles: Vec<&Cell> = row.cells.iter().filter(|cell| !cell.is_word()).collect();
    let is_compact = tiles.len() > 1 && tiles.iter().all(|cell| cell.text.len() > 2)
        || row.cells.iter().all(|cell| cell.text.len() == first[0].text.len());
    let is_name = row.kind == Kind::Cells && !is_compact && !words_are_tiles;
    let kind = if is_name && tiles.len() < row.cells.len() { Kind::Name } else { row.kind.clone() };
    vec![Row { kind, ..row.clone() }]
}
