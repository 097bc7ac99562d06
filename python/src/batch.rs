//! Boards from Python's lists and arrays.

use std::thread;

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyString, PyTuple};
use taquin::{Board, Goal, Grid};
use taquin_engine::board::ParseError;

use crate::arrays::numpy;
use crate::board::{PyBoard, grid, read};
use crate::errors::{argument, other_goals};

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
    /// `ValueError` with the number of the first row that is not a board, or with the expected shape.
    pub fn read(boards: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Batch> {
        let size = size.map(grid).transpose()?;
        numpy(boards.py())?;
        if is_board(boards) {
            return Err(one_board(read("boards", boards, size)?.grid()));
        }
        match Batch::of_objects(boards, size)? {
            Some(batch) => Ok(batch),
            None => Batch::of_array(boards, size),
        }
    }

    /// Reads a sequence of boards or texts; `None` if it is something else.
    fn of_objects(boards: &Bound<'_, PyAny>, size: Option<Grid>) -> PyResult<Option<Batch>> {
        let Ok(objects) = boards.extract::<Vec<Bound<'_, PyAny>>>() else { return Ok(None) };
        if !objects.first().is_some_and(is_board) {
            return Ok(None);
        }
        let mut batch: Vec<Board> = Vec::new();
        for (row, object) in objects.iter().enumerate() {
            let board = read(&format!("boards: board {row}"), object, size)?;
            if let Some(first) = batch.first().filter(|first| first.grid() != board.grid()) {
                let (own, first) = (board.grid(), first.grid());
                let other = format!("board {row} is {own}, but board 0 is {first}");
                return Err(argument("boards", other));
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
            let dtype = array.getattr("dtype")?;
            let expected = format!("boards: an array of whole numbers is expected, not of {dtype}");
            return Err(PyTypeError::new_err(expected));
        }
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if count > 0 && array.getattr("itemsize")?.extract::<usize>()? > 1 || kind == "i" {
            let below = array.rich_compare(0, CompareOp::Lt)?;
            let above = array.rich_compare(255, CompareOp::Gt)?;
            let wrong = numpy.call_method1("argwhere", (below.bitor(above)?,))?;
            if wrong.len()? > 0 {
                let place: Vec<usize> = wrong.get_item(0)?.extract()?;
                let tile = array.get_item(PyTuple::new(py, &place)?)?;
                let found =
                    format!("{tile} in {place:?} is no tile, which is a number from 0 to 255");
                return Err(argument("boards", found));
            }
        }
        let bytes = numpy.call_method1("ascontiguousarray", (array, "uint8"))?;
        let bytes: PyReadonlyArrayDyn<'_, u8> = bytes.extract()?;
        debug_assert!(bytes.is_c_contiguous());
        let tiles = bytes.as_slice()?.to_vec();
        let as_one = one_of_shape(&shape, size).filter(|&grid| Board::new(grid, &tiles).is_ok());
        if let Some(grid) = as_one {
            return Err(one_board(grid));
        }
        let (rows, grid) = shape_of(&shape, size)?;
        let parts = py.detach(|| {
            in_parts(&tiles, PART * grid.cells(), |first, tiles| {
                let row = |i| first / grid.cells() + i;
                let board = |(i, tiles)| Board::new(grid, tiles).map_err(|error| (row(i), error));
                tiles.chunks(grid.cells()).enumerate().map(board).collect::<Result<Vec<_>, _>>()
            })
        });
        let mut boards = Vec::with_capacity(rows);
        for part in parts {
            let of_row = |(row, error)| argument("boards", format!("board {row}: {error}"));
            boards.extend(part.map_err(of_row)?);
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
            Some(row) => {
                let board = &self.boards[row];
                let (counts, others) = (goal.solvability(board), Goal::reachable(board));
                let others = other_goals(&others);
                let unsolvable = format!("board {row} cannot reach the goal: {counts}{others}");
                Err(argument("boards", unsolvable))
            }
        }
    }
}

/// The least number of boards for a thread: a millisecond of work.
const PART: usize = 4096;

/// The results of `work` for parts of at least `least` items, in their order, each part in a separate thread.
/// Parts are whole multiples of `least`. `work` receives the place of a part's first item, too.
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

fn is_board(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<PyBoard>().is_ok() || object.cast::<PyString>().is_ok()
}

/// The error of one board where several are expected.
fn one_board(grid: Grid) -> PyErr {
    let (height, width) = (grid.height(), grid.width());
    let shapes = format!("write [board], or an array of shape (1, {height}, {width})");
    argument("boards", format!("this is one {grid} board, and several are expected: {shapes}"))
}

/// The size of a board that is an array of a shape as a whole.
fn one_of_shape(shape: &[usize], size: Option<Grid>) -> Option<Grid> {
    match *shape {
        [cells] => size.or_else(|| Grid::square(cells)),
        [height, width] => Grid::new(width, height).ok(),
        _ => None,
    }
}

/// The number of boards in an array of a shape, and their size.
fn shape_of(shape: &[usize], size: Option<Grid>) -> PyResult<(usize, Grid)> {
    let grid = match *shape {
        // A list without boards.
        [0] => size.map_or_else(|| Grid::new(4, 4).map_err(ParseError::from), Ok),
        [_, cells] => match size {
            Some(size) if size.cells() == cells => Ok(size),
            None => Grid::square(cells).ok_or(ParseError::NoShape { found: cells }),
            Some(size) => {
                let own = size.cells();
                let other = format!(
                    "{} {size} board has {own} cells, but the rows of the array have {cells}",
                    size.article()
                );
                return Err(argument("boards", other));
            }
        },
        [_, height, width] => Grid::new(width, height).map_err(ParseError::from),
        _ => {
            let shapes = "an array of shape (N, cells) or (N, height, width) is expected";
            return Err(argument("boards", format!("{shapes}, not {shape:?}")));
        }
    };
    let rows = grid.map_err(|error| argument("boards", error))?;
    match size {
        Some(size) if size != rows => Err(argument("boards", ParseError::OtherSize { rows, size })),
        _ => Ok((shape[0], rows)),
    }
}
