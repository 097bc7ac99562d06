//! Pictures for notebooks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taquin::picture::{self, Sample};

/// Draws how many boards have each value, a histogram for each name, as SVG text.
#[pyfunction]
pub fn histogram(subtitle: &str, names: Vec<String>, values: Vec<Vec<u32>>) -> PyResult<String> {
    if names.len() != values.len() {
        return Err(PyValueError::new_err("each name has one list of values"));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let samples: Vec<Sample> = values.into_iter().map(Sample::of).collect();
    Ok(picture::histogram(subtitle, &names, &samples))
}
