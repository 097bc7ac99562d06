//! Numbers as the options of the programs take them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taquin::cli;

/// A count, as in 500000, 2e6 or 10M.
#[pyfunction]
pub fn read_count(text: &str) -> PyResult<u64> {
    cli::count(text).map_err(PyValueError::new_err)
}

/// A time in seconds, as in 10, 0.5, 200ms or 2m.
#[pyfunction]
pub fn read_seconds(text: &str) -> PyResult<f64> {
    cli::time(text).map(|time| time.as_secs_f64()).map_err(PyValueError::new_err)
}
