//! Arrays of boards: random ones, and the successors of others.

use std::hash::{BuildHasher, RandomState};

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use taquin::board::Random;
use taquin::{Board, Cancel, Goal, Move};

use crate::arrays::numpy;
use crate::batch::Batch;
use crate::board::{goal_for, grid};
use crate::interrupt;

/// More moves from the goal make no board more random, and take longer than anybody waits.
const MOST_MOVES: u64 = 1_000_000_000;

/// The seed, or a fresh one.
pub fn seed_or_fresh(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| RandomState::new().hash_one(()))
}

/// Draws boards uniformly among those that can reach the goal, as uint8 of shape (n, cells). A seed
/// gives the boards that `taquin shuffle --count n --seed seed` prints.
#[pyfunction]
#[pyo3(signature = (n, seed=None, *, size=None, goal="blank-last"))]
pub fn random_boards<'py>(
    py: Python<'py>,
    n: usize,
    seed: Option<u64>,
    size: Option<&Bound<'py, PyAny>>,
    goal: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    numpy(py)?;
    let goal = goal_for(goal, size.map(grid).transpose()?)?;
    let cells = goal.board().tiles().len();
    let tiles = rows(py, n, seed, goal, Goal::random_board)?;
    PyArray1::from_vec(py, tiles).reshape([n, cells])
}

/// Makes random walks from the goal, as uint8 of shape (n, cells). No move undoes the one before. A
/// seed gives the boards that `taquin shuffle --count n --moves length --seed seed` prints.
#[pyfunction]
#[pyo3(signature = (n, length, seed=None, *, size=None, goal="blank-last"))]
pub fn walks<'py>(
    py: Python<'py>,
    n: usize,
    length: u64,
    seed: Option<u64>,
    size: Option<&Bound<'py, PyAny>>,
    goal: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    numpy(py)?;
    let goal = goal_for(goal, size.map(grid).transpose()?)?;
    let cells = goal.board().tiles().len();
    let tiles = walk_rows(py, n, length, seed, goal)?;
    PyArray1::from_vec(py, tiles).reshape([n, cells])
}

/// The tiles of random walks, board after board.
pub fn walk_rows(
    py: Python<'_>,
    n: usize,
    length: u64,
    seed: Option<u64>,
    goal: Goal,
) -> PyResult<Vec<u8>> {
    if length > MOST_MOVES {
        return Err(PyValueError::new_err("a walk has at most 1,000,000,000 moves"));
    }
    rows(py, n, seed, goal, move |goal, random| goal.walk(length, random))
}

/// The tiles of boards that are drawn one after the other.
fn rows(
    py: Python<'_>,
    n: usize,
    seed: Option<u64>,
    goal: Goal,
    draw: impl Fn(&Goal, &mut Random) -> Board + Send + 'static,
) -> PyResult<Vec<u8>> {
    let mut tiles = room(n, goal.board().tiles().len())?;
    let mut random = Random::new(seed_or_fresh(seed));
    let cancel = Cancel::new();
    let watched = cancel.clone();
    interrupt::run(py, &cancel, move || {
        for _ in (0..n).take_while(|_| !watched.is_cancelled()) {
            tiles.extend_from_slice(draw(&goal, &mut random).tiles());
        }
        tiles
    })
}

/// Returns the boards one move away, as uint8 of shape (N, 4, cells), and whether each move is
/// possible, as bool of shape (N, 4). The moves are those of `taquin.MOVES`, in that order. In the
/// place of an impossible move is the board itself.
#[pyfunction]
#[pyo3(signature = (boards, *, size=None))]
#[allow(clippy::type_complexity)]
pub fn successors<'py>(
    boards: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyArray3<u8>>, Bound<'py, PyArray2<bool>>)> {
    let py = boards.py();
    let Batch { grid, boards } = Batch::read(boards, size)?;
    let (n, cells) = (boards.len(), grid.cells());
    let mut tiles = room(n, 4 * cells)?;
    let mut possible = room(n, 4)?;
    py.detach(|| {
        for board in &boards {
            for m in Move::ALL {
                let mut next = board.clone();
                possible.push(next.apply(m));
                tiles.extend_from_slice(next.tiles());
            }
        }
    });
    let tiles = PyArray1::from_vec(py, tiles).reshape([n, 4, cells])?;
    Ok((tiles, PyArray1::from_vec(py, possible).reshape([n, 4])?))
}

/// Room for rows of equal length.
///
/// # Errors
/// `MemoryError` if there is none.
pub fn room<T>(rows: usize, length: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    let reserved = rows.checked_mul(length).map(|count| room.try_reserve_exact(count));
    match reserved {
        Some(Ok(())) => Ok(room),
        _ => Err(PyMemoryError::new_err(format!("no room for {rows} rows of {length}"))),
    }
}
