//! Boards of several lines among the lines of a stream.
//!
//! 1. A line that is a whole board by itself is a board, unless the size of the boards is known to
//!    be another one, or the next line is already there and belongs to the same grid.
//! 2. A line with one number, or with a size as in 5x3 or 5 3, announces the tiles that follow.
//! 3. Lines with equally many tiles, no tile twice, are the rows of one grid. The grid ends at an
//!    empty line, a line of dashes, the last expected tile, or a line that cannot belong to it.

use std::time::Duration;

use super::lines::{Input, Lines};
use super::source::Source;
use crate::board::{Board, Grid, MAX_CELLS};

/// Joins the rows of grids, and drops empty lines.
pub struct Grids<R> {
    lines: Lines<R>,
    size: Option<Grid>,
    /// The wait for the line behind four tiles, which are a 2×2 board or a row of a larger one.
    patience: Duration,
}

impl<R: Source> Grids<R> {
    pub fn new(lines: Lines<R>, size: Option<Grid>, patience: Duration) -> Grids<R> {
        Grids { lines, size, patience }
    }

    /// Returns whether a line that is a board by itself could be the first row of a grid. A caller
    /// that asks one question a line must not wait for the answer until the next question.
    fn may_go_on(&mut self, row: &Row) -> bool {
        self.lines.is_ready(if row.length() == 4 { self.patience } else { Duration::ZERO })
    }

    /// The size in a line of two numbers. Before rows of two, it is the first of them.
    fn announced_by_two(&mut self, line: &Input) -> Option<Grid> {
        let (width, height) = line.text.split_once(char::is_whitespace)?;
        let grid = Grid::new(width.parse().ok()?, height.trim().parse().ok()?).ok()?;
        let row = self.lines.peek().and_then(Row::read)?;
        // No row has a tile twice.
        let is_size = row.length() != 2 || grid.width() == grid.height();
        (is_size && [grid.width(), grid.cells()].contains(&row.length())).then_some(grid)
    }

    /// Adds the lines up to the bracket that closes the first one.
    fn close(&mut self, first: &mut Input) {
        for _ in 0..MAX_OPEN {
            match self.lines.peek() {
                Some(line) if is_open(&first.text) && line.fault.is_none() && !is_empty(line) => {
                    first.text.push('\n');
                    first.text.push_str(&line.text);
                }
                _ => return,
            }
            self.lines.next();
        }
    }

    /// Adds the lines that follow the first line of a board of `due` tiles, if their number is
    /// known. `row` is the first row, unless the first line is only a size.
    fn complete(&mut self, first: &mut Input, row: Option<Row>, due: Option<usize>) {
        let mut rows: Vec<Row> = row.into_iter().collect();
        loop {
            let tiles: usize = rows.iter().map(Row::length).sum();
            let next = |line: &Input| {
                let row = Row::read(line)?;
                let fits = rows.first().is_none_or(|first| first.length() == row.length())
                    && tiles + row.length() <= due.unwrap_or(MAX_CELLS)
                    && !rows.iter().any(|other| other.overlaps(&row));
                fits.then_some(row)
            };
            let Some(row) = self.lines.peek().and_then(next) else { break };
            rows.push(row);
            let Some(line) = self.lines.next() else { break };
            first.text.push('\n');
            first.text.push_str(&line.text);
        }
        // A grid that lacks a tile: the message about that row is better than others about the rest.
        if rows.len() < 2 || due.is_some() || first.text.parse::<Board>().is_ok() {
            return;
        }
        let mut lacks = false;
        loop {
            let next = |line: &Input| {
                let row = Row::read(line)?;
                let fits = row.length() < rows[0].length() + usize::from(lacks)
                    && !rows.iter().any(|other| other.overlaps(&row));
                fits.then_some(row)
            };
            let Some(row) = self.lines.peek().and_then(next) else { break };
            let Some(line) = self.lines.next() else { break };
            rows.push(row);
            lacks = true;
            first.text.push('\n');
            first.text.push_str(&line.text);
        }
    }
}

impl<R: Source> Iterator for Grids<R> {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        let mut first = self.lines.find(|line| !is_empty(line))?;
        if let Ok(grid) = first.text.parse::<Grid>() {
            self.complete(&mut first, None, Some(grid.cells()));
            return Some(first);
        }
        if let Some(size) = self.announced_by_two(&first) {
            self.complete(&mut first, None, Some(size.cells()));
            return Some(first);
        }
        if is_open(&first.text) {
            self.close(&mut first);
            return Some(first);
        }
        let Some(row) = Row::read(&first) else { return Some(first) };
        let is_board = match self.size {
            Some(size) => row.length() == size.cells(),
            None => first.text.parse::<Board>().is_ok() && !self.may_go_on(&row),
        };
        if !is_board {
            let size = self.size.filter(|size| size.width() == row.length());
            self.complete(&mut first, Some(row), size.map(Grid::cells));
        }
        Some(first)
    }
}

fn is_empty(line: &Input) -> bool {
    line.fault.is_none() && line.text.bytes().all(|b| b == b'-')
}

/// The most lines of a board in brackets: an object has a line for each field and each tile.
const MAX_OPEN: usize = 1000;

/// Returns whether a text begins with a bracket that it does not close.
fn is_open(text: &str) -> bool {
    let count = |set: &[char]| text.matches(set).count();
    text.starts_with(['{', '[', '(']) && count(&['{', '[', '(']) > count(&['}', ']', ')'])
}

/// A possible row: tiles, no tile twice.
struct Row(Vec<u8>);

impl Row {
    fn read(line: &Input) -> Option<Row> {
        if line.fault.is_some() || is_empty(line) {
            return None;
        }
        // Brackets may close a row, but nothing may follow.
        let inner = line.text.trim_matches(|c: char| " ,;/|()[]{}".contains(c));
        let words: Vec<&str> = inner
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .collect();
        let tiles: Option<Vec<u8>> = match words[..] {
            // One character for each tile.
            [word] if word.len() > 2 => {
                let tile = |b: u8| match b {
                    b'_' | b'.' => Some(b'0'),
                    _ => b.is_ascii_alphanumeric().then(|| b.to_ascii_lowercase()),
                };
                word.bytes().map(tile).collect()
            }
            _ => {
                let tile = |word: &&str| match *word {
                    "_" | "." => Some(0),
                    word => word.parse().ok(),
                };
                words.iter().map(tile).collect()
            }
        };
        let tiles = tiles?;
        let distinct = (0..tiles.len()).all(|i| !tiles[..i].contains(&tiles[i]));
        (distinct && !tiles.is_empty()).then_some(Row(tiles))
    }

    fn length(&self) -> usize {
        self.0.len()
    }

    fn overlaps(&self, other: &Row) -> bool {
        self.0.iter().any(|tile| other.0.contains(tile))
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Waiting;
    use super::*;

    /// The number of the first line and the text of each board.
    fn read(text: &str, size: Option<&str>, whole: bool) -> Vec<(usize, String)> {
        let size = size.map(|size| size.parse().unwrap());
        let found = |input: Input| (input.origin.number(), input.text.replace('\n', "|"));
        let (text, name) = (text.as_bytes(), "test".into());
        if whole {
            Grids::new(Lines::new(name, text), size, Duration::ZERO).map(found).collect()
        } else {
            Grids::new(Lines::new(name, Waiting(text)), size, Duration::ZERO).map(found).collect()
        }
    }

    #[track_caller]
    fn assert_read(found: Vec<(usize, String)>, expected: &[(usize, &str)]) {
        let found: Vec<_> = found.iter().map(|(number, text)| (*number, &**text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn grids_and_lines_may_be_mixed() {
        let text = "1 2 3\n4 5 6\n7 8 0\n\n\n1 2 3 0\n1 0 3 2\n\n1 2\n3 0\n1 2 3 4 5 6 7 0 8\n----\n[1, 2]\n[0, 3]";
        for whole in [false, true] {
            assert_read(
                read(text, None, whole),
                &[
                    (1, "1 2 3|4 5 6|7 8 0"),
                    (6, "1 2 3 0"),
                    (7, "1 0 3 2"),
                    (9, "1 2|3 0"),
                    (11, "1 2 3 4 5 6 7 0 8"),
                    (13, "[1, 2]|[0, 3]"),
                ],
            );
        }
    }

    #[test]
    fn a_row_that_could_be_a_board_is_one_only_in_a_pipe() {
        let text = "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15";
        let grid = "0 1 2 3|4 5 6 7|8 9 10 11|12 13 14 15";
        assert_read(read(text, None, true), &[(1, grid)]);
        assert_read(read(text, Some("4x4"), false), &[(1, grid)]);
        assert_read(read(text, None, false), &[(1, "0 1 2 3"), (2, &grid[8..])]);
        // No more rows than the size has.
        let twice = format!("{text}\n{text}");
        assert_read(read(&twice, Some("4x4"), false), &[(1, grid), (5, grid)]);
        assert_read(
            read("1 2 3 0\n1 0 3 2", Some("2x2"), false),
            &[(1, "1 2 3 0"), (2, "1 0 3 2")],
        );
    }

    #[test]
    fn a_size_announces_its_rows() {
        let text = "2\n1 0\n3 2\n2\n1 2\n3 0\n3\n123\n456\n780\n2x2\n1 2 3 0\n123\n456\n708\n\n\
                    3 2\n1 2 3\n4 5 0\n3 2\n1 2 3 4 5 0\n3 2\n1 0";
        assert_read(
            read(text, None, false),
            &[
                (1, "2|1 0|3 2"),
                (4, "2|1 2|3 0"),
                (7, "3|123|456|780"),
                (11, "2x2|1 2 3 0"),
                (13, "123|456|708"),
                (17, "3 2|1 2 3|4 5 0"),
                (20, "3 2|1 2 3 4 5 0"),
                (22, "3 2|1 0"),
            ],
        );
        // A row of a board has no tile twice, so that this is a size in any case.
        assert_read(
            read("2 2\n1 0\n3 2\n3 3\n1 2 3\n4 5 6\n7 8 0", None, false),
            &[(1, "2 2|1 0|3 2"), (4, "3 3|1 2 3|4 5 6|7 8 0")],
        );
    }

    #[test]
    fn brackets_are_closed() {
        let text = "{\n\"board\": [\n1,\n2,\n3,\n0\n]\n}\n[[1, 2],\n[3, 0]]\n[\n[1, 2],\n[3, 0]\n]\n[1 2\n\n1 2 3 0";
        assert_read(
            read(text, None, false),
            &[
                (1, "{|\"board\": [|1,|2,|3,|0|]|}"),
                (9, "[[1, 2],|[3, 0]]"),
                (11, "[|[1, 2],|[3, 0]|]"),
                (15, "[1 2"),
                (17, "1 2 3 0"),
            ],
        );
    }

    #[test]
    fn a_grid_that_lacks_a_tile_is_one_board() {
        let text = "1 2 3 4\n5 6 7 8\n9 10 11\n13 14 15 0\n1 2 3 0\n1 2 3\n4 5 6\n7 8\n\n1 0 2 3";
        assert_read(
            read(text, None, true),
            &[
                (1, "1 2 3 4|5 6 7 8|9 10 11|13 14 15 0"),
                (5, "1 2 3 0"),
                (6, "1 2 3|4 5 6|7 8"),
                (10, "1 0 2 3"),
            ],
        );
    }

    #[test]
    fn bad_lines_stay_alone() {
        let text = "1 2 2 0\n1 2 x 0\n9\n1 2 3 4\n1 2 3\n4 4 4\n300 1\n2 0\n";
        assert_read(
            read(text, None, true),
            &[
                (1, "1 2 2 0"),
                (2, "1 2 x 0"),
                (3, "9|1 2 3 4"),
                (5, "1 2 3"),
                (6, "4 4 4"),
                (7, "300 1"),
                (8, "2 0"),
            ],
        );
        let many = "1 2 3 4\n5 6 7 8\n".repeat(100_000);
        assert_eq!(read(&many, None, true).len(), 100_000);
    }
}
