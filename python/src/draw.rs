//! Arrays of boards: random ones, and the successors of others.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use taquin::{Board, Error, Goal, Limits, Move};
use taquin_engine::board::Random;

use crate::arrays::{numpy, room};
use crate::batch::Batch;
use crate::board::{goal_for, grid};
use crate::errors::argument;
use crate::numbers::whole;
use crate::random::{rows, seed_or_fresh, walk_length};
use crate::solver::{PySolver, run};

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

/// Draws n different boards at a distance from the goal, or at distances in a range (first, last) with as many at
/// each, as uint8 of shape (n, cells). A seed gives the boards that `taquin shuffle --distance --seed seed` prints.
///
/// A solver sets the goal, the metric, the databases and the threads. For an open goal the cells are labels: as uint8 if
/// all of them are numbers, else as text, with _ for the blank.
#[pyfunction]
#[pyo3(signature = (distance, n, size=None, seed=None, *, solver=None))]
pub fn boards_at<'py>(
    py: Python<'py>,
    distance: &Bound<'py, PyAny>,
    n: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    solver: Option<Bound<'py, PySolver>>,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = numpy(py)?;
    let (first, last) = match distance.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        Ok((first, last)) => (whole("distance", &first)?, whole("distance", &last)?),
        Err(_) => {
            let distance = whole("distance", distance)?;
            (distance, distance)
        }
    };
    if first > last {
        return Err(argument("distance", format!("{first} is more than {last}")));
    }
    let (n, seed) = (whole::<u64>("n", n)?, seed_or_fresh(seed)?);
    let solver = match solver {
        Some(solver) => solver,
        None => py.get_type::<PySolver>().call0()?.cast_into::<PySolver>()?,
    };
    let goal = solver.get().spec().clone();
    let target = goal.sized(size.map(grid).transpose()?);
    let grid = target.map_err(|error| argument("goal", error))?.grid();
    let solver = solver.get().solver().clone();
    let is_open = goal.open().is_some();
    let boards = run(py, Limits::default(), move |limits| {
        let boards = solver.boards_at(grid, first..=last, n, seed, limits)?;
        boards.map(|drawn| Ok(drawn?.0)).collect::<Result<Vec<Board>, Error>>()
    })?;
    let shape = [n as usize, grid.cells()];
    if !is_open {
        let tiles = boards.iter().flat_map(|board| board.tiles().iter().copied()).collect();
        return Ok(PyArray1::from_vec(py, tiles).reshape(shape)?.into_any());
    }
    let labels = |board: Board| {
        let named = goal.named(board);
        let label = |&tile: &u8| (tile > 0).then(|| named.label(tile).into_owned());
        named.board().tiles().iter().map(label).collect::<Vec<_>>()
    };
    let cells: Vec<Option<String>> = boards.into_iter().flat_map(labels).collect();
    let number = |cell: &Option<String>| match cell {
        Some(label) => label.parse().ok().filter(|&label: &u8| label > 0),
        None => Some(0),
    };
    if let Some(numbers) = cells.iter().map(number).collect() {
        return Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any());
    }
    let words: Vec<String> = cells.into_iter().map(|cell| cell.unwrap_or("_".into())).collect();
    numpy.call_method1("array", (words,))?.call_method1("reshape", (shape,))
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
