//! numpy, loaded when the first array is needed: the programs start without it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::PyArray1;
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
