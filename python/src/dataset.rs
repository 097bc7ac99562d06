//! Data sets that are made from a work file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use taquin::dataset::{Dataset, DatasetError, Plan};
use taquin::{Cancel, Solver, Spec};

use crate::board::{goal_for, grid};
use crate::errors::{of_solver, value};
use crate::interrupt;
use crate::solver::PySolver;

/// Makes the file of a data set, or goes on with the work file of an interrupted run. progress
/// receives the number of boards done.
#[pyfunction]
#[pyo3(signature = (n, seed, size, moves, heuristics, solver, work, out, progress))]
#[allow(clippy::too_many_arguments)]
pub fn make_dataset(
    py: Python<'_>,
    n: u64,
    seed: u64,
    size: Option<&Bound<'_, PyAny>>,
    moves: Option<u64>,
    heuristics: Vec<String>,
    solver: &PySolver,
    work: PathBuf,
    out: PathBuf,
    progress: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let goal = goal_for(solver.goal(), size.map(grid).transpose()?)?;
    let values = heuristics.iter().map(|name| solver.named(Some(name)));
    let values = values.collect::<PyResult<Vec<Solver>>>()?;
    let specs = heuristics.iter().map(|name| name.parse().map_err(value));
    let mut plan = Plan::new(goal, n, seed).heuristics(specs.collect::<PyResult<Vec<Spec>>>()?);
    if let Some(moves) = moves {
        plan = plan.walk(moves);
    }
    let mut set = Dataset::open(&work, plan).map_err(of_dataset)?;
    let cancel = Cancel::new();
    let handle = cancel.clone();
    let done = Arc::new(AtomicU64::new(set.done()));
    let counter = done.clone();
    let labelled = solver.named(None)?;
    let made = move || {
        let mut count = |boards| counter.store(boards, Ordering::Relaxed);
        set.label(&labelled, &values, &handle, &mut count)?;
        set.finish(&out)
    };
    let tick = || progress.call1((done.load(Ordering::Relaxed),)).map(drop);
    interrupt::run_showing(py, &cancel, &tick, made)?.map_err(of_dataset)
}

fn of_dataset(error: DatasetError) -> PyErr {
    match error {
        DatasetError::Solver(error) => of_solver(&error),
        DatasetError::File { .. } | DatasetError::InUse(_) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
