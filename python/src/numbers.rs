//! Numbers: in arguments, and as text as the options of the programs take it.

use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use taquin::cli;

use crate::errors::argument;

/// Reads an argument that is a whole number: an integer of Python or numpy, or a float without a
/// fraction, as in 1e6.
///
/// # Errors
/// `TypeError` if it is not a number; `ValueError` if it has a fraction or does not fit `T`.
pub fn whole<T: TryFrom<i128>>(name: &str, number: &Bound<'_, PyAny>) -> PyResult<T> {
    let exact = match number.call_method0("__index__") {
        // An integer beyond 128 bits fits no T.
        Ok(integer) => integer.extract::<i128>().ok(),
        Err(_) => {
            let float = float(name, number)?;
            if float.fract() != 0.0 {
                return Err(argument(name, format!("{float} is not a whole number")));
            }
            Some(float as i128)
        }
    };
    exact.and_then(|exact| T::try_from(exact).ok()).ok_or_else(|| {
        let fault = if number.lt(0).unwrap_or_default() { "negative" } else { "too large" };
        argument(name, format!("{number} is {fault}"))
    })
}

/// Reads an optional argument: see [`whole`].
pub fn optional<T: TryFrom<i128>>(
    name: &str,
    number: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<T>> {
    number.map(|number| whole(name, number)).transpose()
}

/// Reads a time in seconds; `None` if it is infinite or longer than any clock counts.
///
/// # Errors
/// `TypeError` if it is not a number; `ValueError` if it is negative or NaN.
pub fn time(name: &str, seconds: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let seconds = float(name, seconds)?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err(argument(name, format!("{seconds} is no time in seconds")));
    }
    Ok(Duration::try_from_secs_f64(seconds).ok())
}

fn float(name: &str, number: &Bound<'_, PyAny>) -> PyResult<f64> {
    number.extract().map_err(|_| match number.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name}: a number is expected, not {kind}")),
        Err(error) => error,
    })
}

/// A whole number, which an error names.
#[pyfunction]
pub fn whole_number(name: &str, number: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(name, number)
}

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
