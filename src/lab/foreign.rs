//! Values from outside: a file of boards with their values, a program, or a function.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use super::contender::Search;
use super::program::Program;
use super::refusal::refusal;
use super::{Error, Settings};
use crate::board::{Board, Goal, Grid, Position};
#[cfg(feature = "dataset")]
use crate::dataset::{Array, Arrays};
use crate::reference::{batch_a_star, batch_ida_star};
use crate::search::{Control, Outcome};

/// The origin of the values.
pub enum Foreign {
    File { path: String, values: HashMap<Board, f64> },
    Program(Program),
    Function { name: String, call: Box<Function> },
}

/// Returns the values of boards, in their order, or a message.
pub type Function = dyn Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync;

/// The positions that a search asks for at once.
pub struct Batches<'a> {
    pub foreign: &'a Foreign,
    pub goal: &'a Goal,
    pub settings: &'a Settings,
}

impl Foreign {
    /// Reads a CSV file, or one that numpy wrote, whose name ends in `.npz`.
    ///
    /// # Errors
    /// [`Error::Values`] with the first line or row that is not a board of this size and a number of at
    /// least 0, or that has another value for a board.
    pub fn read(path: &Path, grid: Grid) -> Result<Foreign, Error> {
        let name = path.display().to_string();
        let wrong = |reason| Error::Values { path: name.clone(), reason };
        let values = match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("npz")) {
            true => read_npz(path, grid, wrong),
            false => read_csv(path, grid, wrong),
        };
        Ok(Foreign::File { values: values?, path: name })
    }

    /// The values of boards.
    ///
    /// # Errors
    /// A board that the file does not have, or a fault of the program; [`Error::Cancelled`].
    pub fn values(&self, boards: &[Board], control: &Control) -> Result<Vec<f64>, Error> {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match self {
            Foreign::Program(program) => program.values(boards, control)?.ok_or(Error::Cancelled),
            Foreign::Function { name, call } => {
                let wrong = |reason| Error::Function { name: name.clone(), reason };
                let values = call(boards).map_err(wrong)?;
                let n = boards.len();
                if values.len() != n {
                    return Err(wrong(format!("{} values for {n} boards", values.len())));
                }
                let refused = |value: &f64| Some(format!("{value:?} {}", refusal(Some(*value))?));
                match values.iter().find_map(refused) {
                    Some(reason) => Err(wrong(reason)),
                    None => Ok(values),
                }
            }
            Foreign::File { path, values } => {
                let value = |board| {
                    let reason = || format!("the board {board} has no value");
                    let missing = || Error::Values { path: path.clone(), reason: reason() };
                    values.get(board).copied().ok_or_else(missing)
                };
                boards.iter().map(value).collect()
            }
        }
    }
}

/// Reads a CSV file. The columns are `board` and `value` or `h`; without this header, the first and the last
/// column of each line.
fn read_csv(
    path: &Path,
    grid: Grid,
    wrong: impl Fn(String) -> Error,
) -> Result<HashMap<Board, f64>, Error> {
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).comment(Some(b'#')).from_reader(file);
    let mut columns: Option<(usize, usize)> = None;
    let mut values = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let column = |names: &[&str]| record.iter().position(|field| names.contains(&field.trim()));
        if columns.is_none() {
            columns = column(&["board"]).zip(column(&["value", "h"]));
            if columns.is_some() {
                continue;
            }
        }
        let (board, value) = columns.unwrap_or((0, record.len().saturating_sub(1)));
        let (board, text) = (record.get(board).unwrap_or(""), record.get(value).unwrap_or(""));
        let board = Board::parse(board, Some(grid)).map_err(|error| {
            let first = columns.is_none() && values.is_empty();
            let header = ": a header has the columns board and value, or board and h";
            wrong(format!("line {line}: {error}{}", if first { header } else { "" }))
        })?;
        let value = text.trim().parse().ok();
        keep(&mut values, board, value, format_args!("line {line}"), text).map_err(&wrong)?;
    }
    Ok(values)
}

/// Reads the arrays `boards`, with a board in each row, and `values`.
#[cfg(feature = "dataset")]
fn read_npz(
    path: &Path,
    grid: Grid,
    wrong: impl Fn(String) -> Error,
) -> Result<HashMap<Board, f64>, Error> {
    let unread = |error: std::io::Error| wrong(error.to_string());
    let mut arrays = Arrays::open(path).map_err(unread)?;
    let boards = arrays.get("boards").map_err(unread)?;
    let Array { shape, numbers } = arrays.get("values").map_err(unread)?;
    let (n, cells) = (numbers.len(), grid.cells());
    let (width, height) = (grid.width(), grid.height());
    // An array of the transposed boards has the same number of cells.
    let is_boards = boards.shape == [n, cells] || boards.shape == [n, height, width];
    if shape != [n] || !is_boards {
        let (boards, values) = (&boards.shape, &shape);
        return Err(wrong(format!(
            "boards of the shape {boards:?} and values of the shape {values:?} are not boards of {cells} \
             cells with a value each, in {height} rows of {width}"
        )));
    }
    let mut values = HashMap::new();
    for (row, (tiles, value)) in boards.numbers.chunks(cells).zip(numbers).enumerate() {
        // The conversion would saturate: -1 would be the blank.
        let is_tile = |tile: f64| (0.0..cells as f64).contains(&tile) && tile.fract() == 0.0;
        if let Some(other) = tiles.iter().find(|tile| !is_tile(**tile)) {
            return Err(wrong(format!("row {row}: {other} is no tile of a {grid} board")));
        }
        let tiles: Vec<u8> = tiles.iter().map(|&tile| tile as u8).collect();
        let board = Board::new(grid, &tiles);
        let board = board.map_err(|error| wrong(format!("row {row}: {error}")))?;
        keep(&mut values, board, Some(value), format_args!("row {row}"), value).map_err(&wrong)?;
    }
    Ok(values)
}

#[cfg(not(feature = "dataset"))]
fn read_npz(
    _path: &Path,
    _grid: Grid,
    wrong: impl Fn(String) -> Error,
) -> Result<HashMap<Board, f64>, Error> {
    Err(wrong(
        "npz files need a program with the cargo feature dataset; a CSV file needs none".into(),
    ))
}

/// Keeps the value of a board, which has a place and a text in its file.
fn keep(
    values: &mut HashMap<Board, f64>,
    board: Board,
    value: Option<f64>,
    place: fmt::Arguments<'_>,
    text: impl fmt::Display,
) -> Result<(), String> {
    if let Some(why) = refusal(value) {
        return Err(format!("{place}: \"{text}\" {why}"));
    }
    let value = value.unwrap_or_default();
    match values.insert(board, value).filter(|other| *other != value) {
        Some(other) => {
            Err(format!("{place}: the board has two values: {other} before, {value} now"))
        }
        None => Ok(()),
    }
}

impl Batches<'_> {
    /// Searches a board that can reach the goal.
    ///
    /// # Errors
    /// A fault of the program.
    pub fn search(
        &self,
        search: Search,
        board: &Board,
        control: &Control,
    ) -> Result<Outcome, Error> {
        let Batches { foreign, goal, settings } = *self;
        let goal_tiles = goal.board().tiles();
        let mut label = vec![0; goal_tiles.len()];
        for (cell, &tile) in goal_tiles.iter().enumerate() {
            label[usize::from(tile)] = cell as u8;
        }
        let grid = goal.board().grid();
        let labels: Vec<u8> = board.tiles().iter().map(|&tile| label[usize::from(tile)]).collect();
        let position = Position::new(grid, goal.board().blank(), &labels);
        let position = position.expect("the boards of a suite can reach its goal");
        let mut evaluate = |positions: &[Box<[u8]>]| -> Result<Vec<f64>, Error> {
            let board = |labels: &[u8]| {
                let tiles: Vec<u8> =
                    labels.iter().map(|&label| goal_tiles[usize::from(label)]).collect();
                Board::new(grid, &tiles).expect("these are the tiles of the goal")
            };
            let boards: Vec<Board> = positions.iter().map(|labels| board(labels)).collect();
            foreign.values(&boards, control)
        };
        match search {
            Search::AStar(_) => {
                batch_a_star(&position, settings.batch, settings.weight, control, &mut evaluate)
            }
            _ => batch_ida_star(&position, settings.batch, control, &mut evaluate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "dataset")]
    use crate::dataset::savez;

    #[test]
    #[cfg(feature = "dataset")]
    fn numbers_that_are_no_tiles_are_refused() {
        let path = std::env::temp_dir().join(format!("taquin-no-tiles-{}.npz", std::process::id()));
        let other_tile = |size: usize, tile: f32| {
            let grid = Grid::new(size, size).unwrap();
            let first: Vec<f32> = (0..grid.cells()).map(|tile| tile as f32).collect();
            let mut second = first.clone();
            // The tile whose number a saturating conversion would give.
            second[if tile < 0.0 { 0 } else { grid.cells() - 1 }] = tile;
            let bytes = [first, second].concat().into_iter().flat_map(f32::to_le_bytes);
            let (bytes, shape) = (bytes.collect::<Vec<u8>>(), [2, grid.cells() as u64]);
            savez(&path, &[("boards", "<f4", &shape, &bytes), ("values", "|u1", &[2], &[0, 0])]);
            Foreign::read(&path, grid).err().map(|error| error.to_string())
        };
        for (size, tile, message) in [
            (2, -1.0, "row 1: -1 is no tile of a 2x2 board"),
            (2, 2.5, "row 1: 2.5 is no tile of a 2x2 board"),
            (2, 4.0, "row 1: 4 is no tile of a 2x2 board"),
            (16, f32::NAN, "row 1: NaN is no tile of a 16x16 board"),
            (16, 256.0, "row 1: 256 is no tile of a 16x16 board"),
        ] {
            let error = other_tile(size, tile).expect(message);
            assert!(error.ends_with(message), "{error}");
        }
        assert_eq!(other_tile(16, 255.0), None);
        std::fs::remove_file(&path).unwrap();
    }

    /// Writes an archive as numpy's `savez` does.
    #[cfg(feature = "dataset")]
    fn npz(path: &Path, shape: &[u64], boards: &[u8], values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let n = values.len() as u64;
        savez(path, &[("boards", "|u1", shape, boards), ("values", "<f4", &[n], &bytes)]);
    }

    #[test]
    #[cfg(feature = "dataset")]
    fn arrays_are_boards_with_their_values() {
        let path = std::env::temp_dir().join(format!("taquin-values-{}.npz", std::process::id()));
        let grid = Grid::new(2, 2).unwrap();
        let read = || match Foreign::read(&path, grid) {
            Ok(Foreign::File { values, .. }) => Ok(values),
            Ok(_) => panic!("a file is a file"),
            Err(error) => Err(error.to_string()),
        };
        npz(&path, &[2, 4], &[1, 2, 3, 0, 1, 2, 0, 3], &[0.0, 1.5]);
        let board = Board::new(grid, &[1, 2, 0, 3]).unwrap();
        assert_eq!(read().unwrap().get(&board), Some(&1.5));
        // Rows of rows are boards, too.
        npz(&path, &[2, 2, 2], &[1, 2, 3, 0, 1, 2, 0, 3], &[0.0, 1.5]);
        assert_eq!(read().unwrap().len(), 2);
        for (shape, boards, values, message) in [
            (&[1, 4][..], &[1, 2, 3, 0][..], &[f32::NAN][..], "row 0: \"NaN\" is no finite number"),
            (&[1, 4], &[1, 2, 3, 3], &[1.0], "row 0: "),
            (&[1, 4], &[1, 2, 3, 0], &[1.0, 2.0], "not boards of 4 cells with a value each"),
            (&[1, 3], &[1, 2, 0], &[1.0], "not boards of 4 cells with a value each"),
            (&[2, 4], &[1, 2, 3, 0, 1, 2, 3, 0], &[1.0, 2.0], "row 1: the board has two values"),
        ] {
            npz(&path, shape, boards, values);
            let error = read().unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        npz(&path, &[1, 3, 2], &[1, 2, 3, 4, 5, 0], &[0.0]);
        let read_as = |width, height| Foreign::read(&path, Grid::new(width, height).unwrap());
        assert!(read_as(2, 3).is_ok());
        let error = read_as(3, 2).err().unwrap().to_string();
        assert!(error.ends_with("[1] are not boards of 6 cells with a value each, in 2 rows of 3"));
        savez(&path, &[("boards", "|u1", &[1, 4], &[1, 2, 3, 0])]);
        let error = read().unwrap_err();
        assert!(error.ends_with("no array \"values\" among boards"), "{error}");
        std::fs::write(&path, "board,value\n").unwrap();
        assert!(read().is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    #[cfg(not(feature = "dataset"))]
    fn arrays_need_a_feature() {
        let error = Foreign::read(Path::new("values.NPZ"), Grid::new(2, 2).unwrap()).err().unwrap();
        assert!(error.to_string().contains("the cargo feature dataset"), "{error}");
    }
}
