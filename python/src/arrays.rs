//! numpy, loaded when the first array is needed: the programs start without it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::errors::of_panic;

/// Whether numpy's interface is loaded.
static READY: AtomicBool = AtomicBool::new(false);

/// The module numpy. Arrays may be made once this has succeeded.
///
/// # Errors
/// The exception that ended the import, such as `ImportError` or `KeyboardInterrupt`.
pub fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    let numpy = py.import("numpy")?;
    if !READY.load(Ordering::Relaxed) {
        // The first array loads the interface. An exception there, such as an interrupt, is a panic.
        let first = catch_unwind(AssertUnwindSafe(|| PyArray1::<u8>::zeros(py, 0, false)));
        first.map_err(|panic| of_panic(&*panic))?;
        READY.store(true, Ordering::Relaxed);
    }
    Ok(numpy)
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
