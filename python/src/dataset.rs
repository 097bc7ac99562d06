//! Data sets that are made from a work file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use taquin::dataset::{Dataset, DatasetError, Plan};
use taquin::{Board, Cancel, Goal, Solver, Spec};
use taquin_engine::board::Move;

use crate::arrays::{numpy, room};
use crate::board::{goal_for, grid};
use crate::errors::{argument, of_solver};
use crate::interrupt;
use crate::numbers::{optional, whole};
use crate::solver::{PySolver, heuristic_spec};

/// Makes the file of a data set, or goes on with the work file of an interrupted run. progress
/// receives the number of boards done.
#[pyfunction]
#[pyo3(signature = (n, seed, size, moves, heuristics, solver, work, out, progress))]
#[allow(clippy::too_many_arguments)]
pub fn make_dataset(
    py: Python<'_>,
    n: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    moves: Option<&Bound<'_, PyAny>>,
    heuristics: Vec<String>,
    solver: &PySolver,
    work: PathBuf,
    out: PathBuf,
    progress: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if solver.counts_slides() {
        return Err(argument(
            "solver",
            "a data set counts moves of single tiles: use metric='single'",
        ));
    }
    let values = heuristics.iter().map(|name| solver.named("heuristics", Some(name)));
    let values = values.collect::<PyResult<Vec<Solver>>>()?;
    Dataset::writable(&out).map_err(of_dataset)?;
    let mut set = open(n, seed, size, moves, &heuristics, &solver.goal(), &work)?;
    let cancel = Cancel::new();
    let handle = cancel.clone();
    let done = Arc::new(AtomicU64::new(set.done()));
    let counter = done.clone();
    let labelled = solver.named("heuristics", None)?;
    let made = move || {
        let mut count = |boards| counter.store(boards, Ordering::Relaxed);
        set.label(&labelled, &values, &handle, &mut count)?;
        set.finish(&out)
    };
    let tick = || progress.call1((done.load(Ordering::Relaxed),)).map(drop);
    interrupt::run_showing(py, &cancel, &tick, made)?.map_err(of_dataset)
}

fn open(
    n: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    moves: Option<&Bound<'_, PyAny>>,
    heuristics: &[String],
    goal: &str,
    work: &Path,
) -> PyResult<Dataset> {
    let goal = goal_for(goal, size.map(grid).transpose()?)?;
    let specs = heuristics.iter().map(|name| heuristic_spec("heuristics", name));
    let (n, seed) = (whole("n", n)?, whole("seed", seed)?);
    let mut plan = Plan::new(goal, n, seed).heuristics(specs.collect::<PyResult<Vec<Spec>>>()?);
    if let Some(moves) = optional("moves", moves)? {
        plan = plan.walk(moves);
    }
    Dataset::open(work, plan).map_err(of_dataset)
}

/// The work file of a data set whose boards are solved elsewhere.
#[pyclass(name = "WorkFile", module = "taquin._taquin")]
pub struct PyWorkFile {
    set: Option<Dataset>,
    /// The boards that were not drawn yet.
    drawn: Box<dyn Iterator<Item = Board> + Send + Sync>,
    goal: Goal,
}

#[pymethods]
impl PyWorkFile {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        n: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        moves: Option<&Bound<'_, PyAny>>,
        heuristics: Vec<String>,
        goal: &str,
        work: PathBuf,
    ) -> PyResult<PyWorkFile> {
        let set = open(n, seed, size, moves, &heuristics, goal, &work)?;
        let goal = goal_for(goal, size.map(grid).transpose()?)?;
        Ok(PyWorkFile { drawn: Box::new(set.left()), set: Some(set), goal })
    }

    /// The number of boards that have their labels.
    #[getter]
    fn done(&self) -> PyResult<u64> {
        Ok(self.set()?.done())
    }

    /// The next boards, at most count, as an array (boards, cells).
    fn draw<'py>(&mut self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyAny>> {
        numpy(py)?;
        let cells = self.goal.board().tiles().len();
        let mut tiles: Vec<u8> = room(count, cells)?;
        for board in self.drawn.by_ref().take(count) {
            tiles.extend_from_slice(board.tiles());
        }
        let rows = tiles.len() / cells;
        Ok(PyArray1::from_vec(py, tiles).reshape([rows, cells])?.into_any())
    }

    /// Adds labels of the next boards: the moves as in taquin.Labels, and the values of each
    /// heuristic. After an error the same boards come next.
    fn add(&mut self, moves: PyReadonlyArray2<'_, i8>, values: Vec<Vec<u32>>) -> PyResult<()> {
        let path = |row: ArrayView1<'_, i8>| {
            let length = row.iter().position(|&m| m == -1).unwrap_or(row.len());
            let known = |&m: &i8| Move::ALL.get(usize::try_from(m).ok()?).copied();
            let moves = row.iter().take(length).map(known).collect::<Option<_>>();
            moves.filter(|_| row.iter().skip(length).all(|&m| m == -1))
        };
        let paths: Option<Vec<_>> = moves.as_array().rows().into_iter().map(path).collect();
        let paths = paths.ok_or_else(|| of_dataset(DatasetError::Labels))?;
        self.set.as_mut().ok_or_else(closed)?.add(&paths, &values).map_err(of_dataset)
    }

    /// Lets other programs use the work file.
    fn close(&mut self) {
        self.set = None;
    }

    /// Writes the data set to a file, and removes the work file.
    fn finish(&mut self, py: Python<'_>, out: PathBuf) -> PyResult<()> {
        let set = self.set.take().ok_or_else(closed)?;
        interrupt::run(py, &Cancel::new(), move || set.finish(&out))?.map_err(of_dataset)
    }
}

impl PyWorkFile {
    fn set(&self) -> PyResult<&Dataset> {
        self.set.as_ref().ok_or_else(closed)
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the work file is closed")
}

fn of_dataset(error: DatasetError) -> PyErr {
    match error {
        DatasetError::Solver(error) => of_solver(&error),
        DatasetError::File { .. } | DatasetError::InUse(_) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
