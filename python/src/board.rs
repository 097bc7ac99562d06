//! Boards.

use std::collections::hash_map::DefaultHasher;
use std::ffi::CString;
use std::hash::{Hash, Hasher};

use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use taquin::{Board, Convention, Goal, Grid, Move, Moves, Solvability, json, picture};
use taquin_engine::board::Random;

use crate::arrays::numpy;
use crate::errors::value;
use crate::random::{seed_or_fresh, walk_rows};

/// A sliding-tile board: the tile in each cell, 0 for the blank.
///
/// Board("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12") reads a board in any form that the program
/// taquin reads; rows, a flat list, a numpy array and another board serve too. Board() is the
/// solved 4x4 board. A list in one row is a square board, unless size says otherwise.
///
/// Two boards are equal if their tiles are. A board in a set must not be pushed.
#[pyclass(name = "Board", module = "taquin")]
pub struct PyBoard {
    pub board: Board,
    /// The moves pushed and not popped.
    stack: Vec<Move>,
}

impl From<Board> for PyBoard {
    fn from(board: Board) -> PyBoard {
        PyBoard { board, stack: Vec::new() }
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board=None, *, size=None))]
    fn new(board: Option<&Bound<'_, PyAny>>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        let size = size.map(grid).transpose()?;
        match board {
            Some(board) => Ok(read(board, size)?.into()),
            None => PyBoard::goal("blank-last", size),
        }
    }

    /// The board of a goal: a name such as "blank-first" or "spiral", or a board as text.
    #[staticmethod]
    #[pyo3(name = "goal", signature = (goal="blank-last", *, size=None))]
    fn py_goal(goal: &str, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        PyBoard::goal(goal, size.map(grid).transpose()?)
    }

    /// A board drawn uniformly among those that can reach the goal. A seed gives the board that
    /// `taquin shuffle --seed` prints.
    #[staticmethod]
    #[pyo3(signature = (seed=None, *, size=None, goal="blank-last"))]
    fn random(seed: Option<u64>, size: Option<&Bound<'_, PyAny>>, goal: &str) -> PyResult<PyBoard> {
        let goal = goal_for(goal, size.map(grid).transpose()?)?;
        Ok(goal.random_board(&mut Random::new(seed_or_fresh(seed))).into())
    }

    /// The board after random moves from the goal, none of which undoes the one before.
    #[staticmethod]
    #[pyo3(signature = (moves, seed=None, *, size=None, goal="blank-last"))]
    fn walk(
        py: Python<'_>,
        moves: u64,
        seed: Option<u64>,
        size: Option<&Bound<'_, PyAny>>,
        goal: &str,
    ) -> PyResult<PyBoard> {
        let goal = goal_for(goal, size.map(grid).transpose()?)?;
        let boards = walk_rows(py, 1, moves, seed, goal.clone())?;
        Ok(Board::new(goal.board().grid(), &boards).map_err(value)?.into())
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.board.grid().width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.board.grid().height()
    }

    /// The tiles in reading order.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.board.tiles())
    }

    /// The tiles as a list of rows.
    #[getter]
    fn rows(&self) -> Vec<Vec<u16>> {
        let rows = self.board.tiles().chunks(self.width());
        rows.map(|row| row.iter().map(|&tile| tile.into()).collect()).collect()
    }

    /// The cell of the blank, counted from 0 in reading order.
    #[getter]
    fn blank(&self) -> usize {
        self.board.blank()
    }

    /// The moves that the border allows. A move is the direction in which a tile moves: "U" slides
    /// the tile below the blank up.
    fn moves(&self) -> Vec<String> {
        let grid = self.board.grid();
        let legal = Move::ALL.into_iter().filter(|&m| grid.source(self.board.blank(), m).is_some());
        legal.map(|m| m.letter().to_string()).collect()
    }

    /// Makes moves, in any notation that the program taquin reads: "U", "Up", "2d r u", or the
    /// number of a tile beside the blank. Makes all of them or none. directions are those of the
    /// "tile" or of the "blank".
    #[pyo3(signature = (moves, *, directions="tile"))]
    fn push(&mut self, moves: &Bound<'_, PyAny>, directions: &str) -> PyResult<()> {
        let (board, path) = self.moved(moves, directions)?;
        self.board = board;
        self.stack.extend(&path);
        Ok(())
    }

    /// Takes back the last move that was pushed, and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let last = self.stack.pop();
        let last = last.ok_or_else(|| PyIndexError::new_err("no move was pushed"))?;
        self.board.apply(last.opposite());
        Ok(last.letter().to_string())
    }

    /// The moves pushed and not popped, in order.
    #[getter]
    fn move_stack(&self) -> String {
        Moves(self.stack.clone()).to_string()
    }

    /// The board after moves, read as `push` reads them; this board stays as it is.
    #[pyo3(signature = (moves, *, directions="tile"))]
    fn after(&self, moves: &Bound<'_, PyAny>, directions: &str) -> PyResult<PyBoard> {
        Ok(self.moved(moves, directions)?.0.into())
    }

    /// Whether moves can reach the goal with the blank last. The answer is true or false as a
    /// condition, and has the counts that decide it.
    #[getter]
    fn solvable(&self) -> PyResult<PySolvability> {
        self.solvability("blank-last")
    }

    /// Whether moves can reach a goal, with the counts that decide it.
    #[pyo3(signature = (goal="blank-last"))]
    fn solvability(&self, goal: &str) -> PyResult<PySolvability> {
        let goal = Goal::parse(goal, self.board.grid()).map_err(value)?;
        Ok(PySolvability(goal.solvability(&self.board)))
    }

    /// Whether this is the goal.
    #[pyo3(signature = (goal="blank-last"))]
    fn is_goal(&self, goal: &str) -> PyResult<bool> {
        Ok(*Goal::parse(goal, self.board.grid()).map_err(value)?.board() == self.board)
    }

    /// A copy, with the moves pushed.
    fn copy(&self) -> PyBoard {
        PyBoard { board: self.board.clone(), stack: self.stack.clone() }
    }

    fn __copy__(&self) -> PyBoard {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyBoard {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<PyBoard>().into_any(), (self.board.to_string(),)))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<PyBoard>() else { return Ok(py.NotImplemented()) };
        let same = self.board == other.try_borrow()?.board;
        match op {
            CompareOp::Eq => Ok(same.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!same).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.board)
    }

    fn __str__(&self) -> String {
        format!("{:#}", self.board)
    }

    /// The board as a picture, for notebooks.
    fn _repr_svg_(&self) -> String {
        picture::board(&self.board)
    }

    /// The tiles as an array of rows.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("a board has no array to share: it must be copied"));
        }
        numpy(py)?;
        let rows: Bound<'py, PyArray2<u8>> =
            self.board.tiles().to_pyarray(py).reshape([self.height(), self.width()])?;
        match dtype {
            Some(dtype) => rows.call_method1("astype", (dtype,)),
            None => Ok(rows.into_any()),
        }
    }
}

impl PyBoard {
    fn goal(goal: &str, size: Option<Grid>) -> PyResult<PyBoard> {
        Ok(goal_for(goal, size)?.board().clone().into())
    }

    /// The board after moves, and the moves.
    fn moved(&self, moves: &Bound<'_, PyAny>, directions: &str) -> PyResult<(Board, Moves)> {
        let text = match (moves.cast::<PyString>(), moves.extract::<Vec<String>>()) {
            (Ok(text), _) => text.to_string(),
            (_, Ok(list)) => list.join(" "),
            _ => moves.extract::<u64>().map_err(not_moves)?.to_string(),
        };
        let convention: Convention = directions.parse().map_err(value)?;
        let follow = |convention: Convention| -> Result<(Board, Moves), String> {
            let path = self.board.read_moves(&text, convention).map_err(|e| e.to_string())?;
            Ok((self.board.after(&path).map_err(|e| e.to_string())?, path))
        };
        follow(convention).map_err(|error| match convention {
            Convention::Tile if follow(Convention::Blank).is_ok() => {
                value(error + ", but directions=\"blank\" allows these moves")
            }
            _ => value(error),
        })
    }
}

fn not_moves(_: PyErr) -> PyErr {
    PyTypeError::new_err(
        "moves are text, as in 'U' or '2d r', a list of such, or the number of a tile",
    )
}

/// The counts that decide whether moves can reach a goal. As a condition, whether they can.
#[pyclass(name = "Solvability", module = "taquin", frozen)]
pub struct PySolvability(Solvability);

#[pymethods]
impl PySolvability {
    /// The fewest exchanges of two cells that turn the board into the goal.
    #[getter]
    fn transpositions(&self) -> usize {
        self.0.transpositions
    }

    /// The steps from the blank's cell to its cell in the goal.
    #[getter]
    fn blank_distance(&self) -> usize {
        self.0.blank_distance
    }

    fn __bool__(&self) -> bool {
        self.0.is_solvable()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Solvability: {}>", self.0)
    }
}

/// Reads a size: a number, a pair of width and height, or text such as "5x4".
pub fn grid(size: &Bound<'_, PyAny>) -> PyResult<Grid> {
    if let Ok(text) = size.cast::<PyString>() {
        return text.to_str()?.parse().map_err(value);
    }
    let (width, height) = match size.extract::<(usize, usize)>() {
        Ok(sides) => sides,
        Err(_) => {
            let side = size.extract::<usize>().map_err(|_| {
                PyTypeError::new_err("a size is a number, (width, height), or text as in '5x4'")
            })?;
            (side, side)
        }
    };
    Grid::new(width, height).map_err(value)
}

/// A goal by name or as a board: of the size given, else of its own, else 4×4.
pub fn goal_for(goal: &str, size: Option<Grid>) -> PyResult<Goal> {
    goal.parse::<taquin::solver::GoalSpec>().and_then(|goal| goal.sized(size)).map_err(value)
}

/// Reads a board in any form.
pub fn read(board: &Bound<'_, PyAny>, size: Option<Grid>) -> PyResult<Board> {
    if let Ok(board) = board.cast::<PyBoard>() {
        return Ok(board.try_borrow()?.board.clone());
    }
    if let Ok(text) = board.cast::<PyString>() {
        let (reading, _) = json::read(text.to_str()?, size).map_err(value)?;
        for guess in &reading.guesses {
            let warning = board.py().get_type::<PyUserWarning>();
            PyErr::warn(board.py(), &warning, &CString::new(guess.to_string())?, 1)?;
        }
        return Ok(reading.board);
    }
    from_list(board, size)
}

/// Reads a board from rows, a list or an array.
fn from_list(board: &Bound<'_, PyAny>, size: Option<Grid>) -> PyResult<Board> {
    // Arrays are no sequences, but know how to become lists.
    let list = match board.getattr_opt("tolist")? {
        Some(tolist) => tolist.call0()?,
        None => board.clone(),
    };
    // The library reads the text of a list, and reports what is wrong with it.
    // None is the blank.
    let tiles = |row: Vec<Option<i64>>| -> Vec<i64> {
        row.into_iter().map(Option::unwrap_or_default).collect()
    };
    let text = match (list.extract::<Vec<Vec<_>>>(), list.extract::<Vec<_>>()) {
        (Ok(rows), _) => format!("{:?}", rows.into_iter().map(tiles).collect::<Vec<_>>()),
        (_, Ok(row)) => format!("{:?}", tiles(row)),
        _ => {
            return Err(PyTypeError::new_err(
                "a board is text, a list of whole numbers, or a list of such rows",
            ));
        }
    };
    Board::parse(&text, size).map_err(value)
}
