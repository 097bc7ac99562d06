//! Boards from Python's lists and arrays.

use std::thread;

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use taquin::{Board, Goal, Grid};
use taquin_engine::board::ParseError;

use crate::arrays::numpy;
use crate::board::{PyBoard, grid, read};
use crate::errors::{other_goals, value};

/// Boards of one size.
#[derive(Clone)]
pub struct Batch {
    pub grid: Grid,
    pub boards: Vec<Board>,
}

impl Batch {
    /// Reads boards from a sequence of boards, or from an array of shape (N, cells) or (N, height,
    /// width).
    ///
    /// # Errors
    /// `ValueError` with the number of the first row that is no board.
    pub fn read(boards: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Batch> {
        let size = size.map(grid).transpose()?;
        numpy(boards.py())?;
        match Batch::of_objects(boards, size)? {
            Some(batch) => Ok(batch),
            None => Batch::of_array(boards, size),
        }
    }

    /// Reads a sequence of boards or texts; `None` if it is something else.
    fn of_objects(boards: &Bound<'_, PyAny>, size: Option<Grid>) -> PyResult<Option<Batch>> {
        let Ok(objects) = boards.extract::<Vec<Bound<'_, PyAny>>>() else { return Ok(None) };
        let is_text = |object: &Bound<'_, PyAny>| object.cast::<pyo3::types::PyString>().is_ok();
        match objects.first() {
            Some(first) if first.cast::<PyBoard>().is_ok() || is_text(first) => {}
            _ => return Ok(None),
        }
        let mut batch: Vec<Board> = Vec::new();
        for (row, object) in objects.iter().enumerate() {
            let board = read(object, size)?;
            if let Some(first) = batch.first().filter(|first| first.grid() != board.grid()) {
                return Err(PyValueError::new_err(format!(
                    "board {row} is a {} board, but board 0 is a {} board",
                    board.grid(),
                    first.grid()
                )));
            }
            batch.push(board);
        }
        let grid = batch.first().map(Board::grid);
        Ok(grid.map(|grid| Batch { grid, boards: batch }))
    }

    fn of_array(boards: &Bound<'_, PyAny>, size: Option<Grid>) -> PyResult<Batch> {
        let py = boards.py();
        let numpy = numpy(py)?;
        let array = numpy.call_method1("asarray", (boards,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let count: usize = array.getattr("size")?.extract()?;
        if count > 0 && !matches!(&*kind, "i" | "u") {
            return Err(PyTypeError::new_err("boards are an array of whole numbers"));
        }
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let (rows, grid) = shape_of(&shape, size)?;
        if count > 0 && array.getattr("itemsize")?.extract::<usize>()? > 1 || kind == "i" {
            let [least, most] = ["min", "max"].map(|name| array.call_method0(name));
            let fits = count == 0 || least?.ge(0)? && most?.le(255)?;
            if !fits {
                return Err(PyValueError::new_err("a tile is a number from 0 to 255"));
            }
        }
        let bytes = numpy.call_method1("ascontiguousarray", (array, "uint8"))?;
        let bytes: PyReadonlyArrayDyn<'_, u8> = bytes.extract()?;
        debug_assert!(bytes.is_c_contiguous());
        let tiles = bytes.as_slice()?.to_vec();
        let parts = py.detach(|| {
            in_parts(&tiles, PART * grid.cells(), |first, tiles| {
                let row = |i| first / grid.cells() + i;
                let board = |(i, tiles)| Board::new(grid, tiles).map_err(|error| (row(i), error));
                tiles.chunks(grid.cells()).enumerate().map(board).collect::<Result<Vec<_>, _>>()
            })
        });
        let mut boards = Vec::with_capacity(rows);
        for part in parts {
            boards.extend(part.map_err(|(row, error)| value(format!("board {row}: {error}")))?);
        }
        Ok(Batch { grid, boards })
    }

    /// Checks that moves can bring every board to a goal.
    ///
    /// # Errors
    /// `ValueError` with the number of the first board that cannot.
    pub fn check_solvable(&self, py: Python<'_>, goal: &Goal) -> PyResult<()> {
        let parts = py.detach(|| {
            in_parts(&self.boards, PART, |first, boards| {
                let unsolvable = |board: &Board| !goal.solvability(board).is_solvable();
                boards.iter().position(unsolvable).map(|i| first + i)
            })
        });
        match parts.into_iter().flatten().next() {
            None => Ok(()),
            Some(row) => Err(value(format!(
                "board {row} cannot reach the goal: {}{}",
                goal.solvability(&self.boards[row]),
                other_goals(&Goal::reachable(&self.boards[row]))
            ))),
        }
    }
}

/// The least number of boards for a thread: a millisecond of work.
const PART: usize = 4096;

/// The results of `work` for parts of at least `least` items, in their order, each part in a thread
/// of its own. Parts are whole multiples of `least`. `work` receives the place of a part's first
/// item, too.
///
/// A thread pool would not survive a fork.
fn in_parts<T: Sync, R: Send>(
    items: &[T],
    least: usize,
    work: impl Fn(usize, &[T]) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let size = items.len().div_ceil(threads).next_multiple_of(least);
    if items.len() <= size {
        return vec![work(0, items)];
    }
    thread::scope(|scope| {
        let part = |(i, part)| {
            let work = &work;
            scope.spawn(move || work(i * size, part))
        };
        let threads: Vec<_> = items.chunks(size).enumerate().map(part).collect();
        let panicked = |panic| std::panic::resume_unwind(panic);
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    })
}

/// The number of boards in an array of a shape, and their size.
fn shape_of(shape: &[usize], size: Option<Grid>) -> PyResult<(usize, Grid)> {
    let grid = match *shape {
        [_, cells] => match size {
            Some(size) if size.cells() == cells => Ok(size),
            None => Grid::square(cells).ok_or(ParseError::NoShape { found: cells }),
            Some(size) => {
                return Err(PyValueError::new_err(format!(
                    "a {size} board has {} cells, but the rows of the array have {cells}",
                    size.cells()
                )));
            }
        },
        [_, height, width] => Grid::new(width, height).map_err(ParseError::from),
        _ => {
            return Err(PyValueError::new_err(
                "boards are an array of shape (N, cells) or (N, height, width)",
            ));
        }
    };
    let rows = grid.map_err(value)?;
    match size {
        Some(size) if size != rows => Err(value(ParseError::OtherSize { rows, size })),
        _ => Ok((shape[0], rows)),
    }
}
