//! Boards.

use std::collections::hash_map::DefaultHasher;
use std::ffi::CString;
use std::hash::{Hash, Hasher};

use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyTuple, PyType};
use taquin::read::{Expected, Note};
use taquin::solver::{Inversions, reason};
use taquin::{Board, Convention, Goal, Grid, Move, Moves, Solvability, picture};
use taquin_engine::board::Random;

use crate::arrays::numpy;
use crate::errors::{argument, of_type, value};
use crate::numbers::whole;
use crate::random::{rows, seed_or_fresh, walk_length};

/// A sliding-tile board: the tile in each cell, 0 for the blank.
///
/// Board("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12") reads a board in any form that the program
/// taquin reads, and also rows, a flat list, a numpy array, a pandas frame or another board. Board() is
/// the solved 4x4 board. A list in one row is a square board, unless size says otherwise.
///
/// As a sequence a board is its tiles in reading order: board[5] is the tile in cell 5, len(board)
/// the number of cells. Two boards are equal if their tiles and widths are, and `<` compares them in
/// this order, as Python compares tuples. A board in a set must not be pushed.
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
    #[pyo3(signature = (board=None, *, size=None, blank=None))]
    fn new(
        board: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        blank: Option<String>,
    ) -> PyResult<PyBoard> {
        let size = size.map(grid).transpose()?;
        Ok(match board {
            Some(board) => {
                read("board", board, Expected { size, blank, ..Expected::default() })?.into()
            }
            None => goal_for("blank-last", size)?.board().clone().into(),
        })
    }

    /// The board of a goal: a name such as "blank-first" or "spiral", or a board as text.
    #[staticmethod]
    #[pyo3(signature = (goal="blank-last", *, size=None))]
    fn goal(goal: &str, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        Ok(goal_for(goal, size.map(grid).transpose()?)?.board().clone().into())
    }

    /// A board drawn uniformly among those that can reach the goal. A seed gives the board that
    /// `taquin shuffle --seed` prints.
    #[staticmethod]
    #[pyo3(signature = (seed=None, *, size=None, goal="blank-last"))]
    fn random(
        seed: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        goal: &str,
    ) -> PyResult<PyBoard> {
        let goal = goal_for(goal, size.map(grid).transpose()?)?;
        Ok(goal.random_board(&mut Random::new(seed_or_fresh(seed)?)).into())
    }

    /// The board after random moves from the goal, none of which undoes the one before.
    #[staticmethod]
    #[pyo3(signature = (moves, seed=None, *, size=None, goal="blank-last"))]
    fn walk(
        moves: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        goal: &str,
    ) -> PyResult<PyBoard> {
        let goal = goal_for(goal, size.map(grid).transpose()?)?;
        let (py, moves) = (moves.py(), walk_length("moves", moves)?);
        let grid = goal.board().grid();
        let walk = move |goal: &Goal, random: &mut Random| goal.walk(moves, random);
        let tiles = rows(py, 1, seed_or_fresh(seed)?, goal, walk)?;
        Ok(Board::new(grid, &tiles).map_err(value)?.into())
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

    /// The moves that the border permits. A move is the direction in which a tile moves: "U" slides the tile
    /// below the blank up.
    fn moves(&self) -> Vec<String> {
        let grid = self.board.grid();
        let legal = Move::ALL.into_iter().filter(|&m| grid.source(self.board.blank(), m).is_some());
        legal.map(|m| m.letter().to_string()).collect()
    }

    /// Makes moves, in any notation that the program taquin reads: "U", "Up", "2d r u", or the number of a
    /// tile next to the blank. Makes all of them or none. directions are the directions of the "tile" or of
    /// the "blank".
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
        let goal = self.parsed(goal)?;
        let (counts, inversions) =
            (goal.solvability(&self.board), Inversions::of(&goal, &self.board));
        let row = inversions.and_then(|counts| counts.blank_row);
        let inversions = inversions.map(|counts| counts.inversions);
        Ok(PySolvability { counts, inversions, row, reason: reason(&goal, &self.board) })
    }

    /// Whether this is the goal.
    #[pyo3(signature = (goal="blank-last"))]
    fn is_goal(&self, goal: &str) -> PyResult<bool> {
        Ok(*self.parsed(goal)?.board() == self.board)
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

    /// The board before the moves that were pushed, and these moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,), Option<String>) {
        let moves = Some(self.move_stack()).filter(|moves| !moves.is_empty());
        let mut before = self.board.clone();
        for m in self.stack.iter().rev() {
            before.apply(m.opposite());
        }
        (py.get_type::<PyBoard>(), (before.to_string(),), moves)
    }

    fn __setstate__(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(moves, "tile")
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<PyBoard>() else { return Ok(py.NotImplemented()) };
        let other = other.try_borrow()?;
        let order = (self.board.tiles(), self.width()).cmp(&(other.board.tiles(), other.width()));
        Ok(op.matches(order).into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __len__(&self) -> usize {
        self.board.grid().cells()
    }

    /// The tile in a cell, counted from 0 in reading order; of a slice, a tuple of tiles.
    fn __getitem__<'py>(&self, cell: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.tiles(cell.py())?.into_any().get_item(cell)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tiles(py)?.try_iter()
    }

    fn __hash__(&self) -> u64 {
        hash(&self.board)
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
    /// The goal of a text for this board's size.
    fn parsed(&self, goal: &str) -> PyResult<Goal> {
        Goal::parse(goal, self.board.grid()).map_err(|error| argument("goal", error))
    }

    /// The board after moves, and the moves.
    fn moved(&self, moves: &Bound<'_, PyAny>, directions: &str) -> PyResult<(Board, Moves)> {
        let text = match (moves.cast::<PyString>(), moves.extract::<Vec<String>>()) {
            (Ok(text), _) => text.to_string(),
            (_, Ok(list)) => list.join(" "),
            _ if moves.hasattr("dtype")? && moves.getattr("ndim")?.eq(1)? => actions(moves)?,
            _ => moves.extract::<u64>().map_err(|_| not_moves(moves))?.to_string(),
        };
        let convention = convention(directions)?;
        let follow = |convention: Convention| -> Result<(Board, Moves), String> {
            let read = taquin::read::moves(&self.board.clone().into(), &text, convention);
            let path = read.map_err(|e| e.to_string())?;
            Ok((self.board.after(&path).map_err(|e| e.to_string())?, path))
        };
        follow(convention).map_err(|error| match convention {
            Convention::Tile if follow(Convention::Blank).is_ok() => {
                argument("moves", error + ", but directions=\"blank\" allows these moves")
            }
            _ => argument("moves", error),
        })
    }
}

/// The letters of an array of actions: places in `taquin.MOVES`, after which -1 may follow.
fn actions(moves: &Bound<'_, PyAny>) -> PyResult<String> {
    let actions = moves.call_method0("tolist")?.extract::<Vec<i64>>();
    let actions = actions.map_err(|_| not_moves(moves))?;
    let end = actions.iter().position(|&action| action == -1).unwrap_or(actions.len());
    let letter = |&action: &i64| {
        let known = usize::try_from(action).ok().and_then(|place| Move::ALL.get(place));
        known.map(|m| m.letter()).ok_or_else(|| argument("moves", format!("{action} is no action")))
    };
    actions[..end].iter().map(letter).collect()
}

fn not_moves(moves: &Bound<'_, PyAny>) -> PyErr {
    let expected = "moves: text is expected, as in 'U' or '2d r', a list of such texts, the number of a tile, or \
                    an array of whole numbers";
    match of_type(moves) {
        Ok(found) => PyTypeError::new_err(format!("{expected}{found}")),
        Err(error) => error,
    }
}

/// Reads the argument `directions`.
pub fn convention(directions: &str) -> PyResult<Convention> {
    directions.parse().map_err(|error| argument("directions", error))
}

/// The hash of an object, the same in each process.
pub fn hash(object: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    object.hash(&mut hasher);
    hasher.finish()
}

/// The counts that decide whether moves can reach a goal. As a condition, whether they can.
#[pyclass(name = "Solvability", module = "taquin", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PySolvability {
    counts: Solvability,
    inversions: Option<usize>,
    row: Option<usize>,
    reason: String,
}

#[pymethods]
impl PySolvability {
    #[new]
    #[pyo3(signature = (transpositions, blank_distance, inversions=None, blank_row=None, reason=None))]
    fn new(
        transpositions: &Bound<'_, PyAny>,
        blank_distance: &Bound<'_, PyAny>,
        inversions: Option<usize>,
        blank_row: Option<usize>,
        reason: Option<String>,
    ) -> PyResult<Self> {
        let transpositions = whole("transpositions", transpositions)?;
        let blank_distance = whole("blank_distance", blank_distance)?;
        let counts = Solvability { transpositions, blank_distance };
        let reason = reason.unwrap_or_else(|| counts.to_string());
        Ok(PySolvability { counts, inversions, row: blank_row, reason })
    }

    #[allow(clippy::type_complexity, reason = "the arguments of the constructor")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (usize, usize, Option<usize>, Option<usize>, String)) {
        let Solvability { transpositions, blank_distance } = self.counts;
        let (inversions, row, reason) = (self.inversions, self.row, self.reason.clone());
        let arguments = (transpositions, blank_distance, inversions, row, reason);
        (py.get_type::<PySolvability>(), arguments)
    }

    /// The fewest exchanges of two cells that turn the board into the goal.
    #[getter]
    fn transpositions(&self) -> usize {
        self.counts.transpositions
    }

    /// The steps from the blank's cell to its cell in the goal.
    #[getter]
    fn blank_distance(&self) -> usize {
        self.counts.blank_distance
    }

    /// The pairs of tiles in the wrong order; None unless the goal has the tiles in reading order.
    #[getter]
    fn inversions(&self) -> Option<usize> {
        self.inversions
    }

    /// The row of the blank, from 1 at the bottom; None at odd widths, where it does not matter.
    #[getter]
    fn blank_row(&self) -> Option<usize> {
        self.row
    }

    fn __bool__(&self) -> bool {
        self.counts.is_solvable()
    }

    fn __str__(&self) -> &str {
        &self.reason
    }

    fn __repr__(&self) -> String {
        format!("<Solvability: {}>", self.reason)
    }
}

/// Reads a size: a number, a pair of width and height, or text such as "5x4".
pub fn grid(size: &Bound<'_, PyAny>) -> PyResult<Grid> {
    if let Ok(text) = size.cast::<PyString>() {
        return text.to_str()?.parse().map_err(|error| argument("size", error));
    }
    let (width, height) = match size.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        Ok((width, height)) => (whole("size", &width)?, whole("size", &height)?),
        Err(_) if size.extract::<f64>().is_err() => {
            return Err(PyTypeError::new_err(
                "size: a number is expected, (width, height), or text as in '5x4'",
            ));
        }
        Err(_) => {
            let side = whole("size", size)?;
            (side, side)
        }
    };
    Grid::new(width, height).map_err(|error| argument("size", error))
}

/// A goal by name or as a board: of the size given, else of the size of the goal itself, else 4×4.
pub fn goal_for(goal: &str, size: Option<Grid>) -> PyResult<Goal> {
    let goal = goal.parse::<taquin::solver::GoalSpec>().and_then(|goal| goal.sized(size)?.board());
    goal.map_err(|error| argument("goal", error))
}

/// Reads a board in any form. Errors begin with the name of the argument, or a description of it.
pub fn read(
    name: &str,
    board: &Bound<'_, PyAny>,
    expected: impl Into<Expected>,
) -> PyResult<Board> {
    let expected = expected.into();
    if let Ok(board) = board.cast::<PyBoard>() {
        let board = board.try_borrow()?.board.clone();
        return match expected.size.filter(|&size| size != board.grid()) {
            Some(size) => {
                Err(argument(name, format!("it is a {} board, not {size}", board.grid())))
            }
            None => Ok(board),
        };
    }
    if let Ok(text) = board.cast::<PyString>() {
        return of_text(name, text.py(), text.to_str()?, expected);
    }
    from_list(name, board, expected)
}

/// Reads a board from text. The notes of the reader are warnings.
fn of_text(name: &str, py: Python<'_>, text: &str, expected: Expected) -> PyResult<Board> {
    let reading = taquin::read::board(text, expected).map_err(|error| argument(name, error))?;
    warn(py, &reading.notes)?;
    Ok(reading.board.board().clone())
}

/// Shows the guesses that a reading rests on as warnings.
fn warn(py: Python<'_>, notes: &[Note]) -> PyResult<()> {
    let warning = py.get_type::<PyUserWarning>();
    notes.iter().try_for_each(|note| PyErr::warn(py, &warning, &CString::new(note.to_string())?, 1))
}

/// Reads a board from rows, a list or an array.
fn from_list<'py>(name: &str, board: &Bound<'py, PyAny>, expected: Expected) -> PyResult<Board> {
    // Arrays are not sequences, but can become lists. As a sequence, a frame is the names of its columns.
    let called = |of: Bound<'py, PyAny>, name| match of.getattr_opt(name)? {
        Some(method) => method.call0(),
        None => Ok(of),
    };
    let array = called(board.clone(), "to_numpy")?;
    let list = called(array.clone(), "tolist")?;
    // The library reads the text of a list, and reports its faults. None is the blank.
    let tiles = |row: Vec<Option<i64>>| -> Vec<i64> {
        row.into_iter().map(Option::unwrap_or_default).collect()
    };
    let text = match (list.extract::<Vec<Vec<_>>>(), list.extract::<Vec<_>>()) {
        (Ok(rows), _) => format!("{:?}", rows.into_iter().map(tiles).collect::<Vec<_>>()),
        (_, Ok(row)) => format!("{:?}", tiles(row)),
        _ => {
            return Err(PyTypeError::new_err(format!(
                "{name}: a board is text, a list of whole numbers, or a list of such rows{}",
                of_type(&array)?
            )));
        }
    };
    match expected.blank {
        Some(_) => of_text(name, board.py(), &text, expected),
        None => Board::parse(&text, expected.size).map_err(|error| argument(name, error)),
    }
}
