//! Arrays of boards: random ones, and the successors of others.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use taquin::{Board, Goal, Move};
use taquin_engine::board::Random;

use crate::arrays::{numpy, room};
use crate::batch::Batch;
use crate::board::{goal_for, grid};
use crate::numbers::whole;
use crate::random::{rows, seed_or_fresh, walk_length};

/// Draws boards uniformly among those that can reach the goal, as uint8 of shape (n, cells). A seed
/// gives the boards that `taquin shuffle --count n --seed seed` prints.
#[pyfunction]
#[pyo3(signature = (n, seed=None, *, size=None, goal="blank-last"))]
pub fn random_boards<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    size: Option<&Bound<'py, PyAny>>,
    goal: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    drawn(py, n, seed, size, goal, Goal::random_board)
}

/// Makes random walks from the goal, as uint8 of shape (n, cells). No move undoes the one before. A
/// seed gives the boards that `taquin shuffle --count n --moves length --seed seed` prints.
#[pyfunction]
#[pyo3(signature = (n, length, seed=None, *, size=None, goal="blank-last"))]
pub fn walks<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    length: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    size: Option<&Bound<'py, PyAny>>,
    goal: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let length = walk_length("length", length)?;
    drawn(py, n, seed, size, goal, move |goal, random| goal.walk(length, random))
}

fn drawn<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    size: Option<&Bound<'py, PyAny>>,
    goal: &str,
    draw: impl Fn(&Goal, &mut Random) -> Board + Send + 'static,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    numpy(py)?;
    let (n, seed) = (whole("n", n)?, seed_or_fresh(seed)?);
    let goal = goal_for(goal, size.map(grid).transpose()?)?;
    let cells = goal.board().tiles().len();
    PyArray1::from_vec(py, rows(py, n, seed, goal, draw)?).reshape([n, cells])
}

/// Returns the boards one move away, as uint8 of shape (N, 4, cells), and whether each move is possible, as
/// bool of shape (N, 4). The moves are `taquin.MOVES`, in that order. In the place of an impossible move is
/// the board itself.
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
