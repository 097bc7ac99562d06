//! Work without the interpreter's lock, which Ctrl-C ends.
//!
//! Only Python's main thread hears signals, and only while it asks for them. The work therefore runs in a
//! separate thread. The caller's thread looks for signals, and cancels the work when a handler raises an
//! exception.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use taquin::Cancel;

use crate::announce;
use crate::errors::of_panic;

/// A handle that cancels a search.
#[pyclass(name = "Cancel", module = "taquin._taquin", frozen)]
#[derive(Default)]
pub struct PyCancel(pub Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Cancels the search that has the handle, or will have it.
    fn cancel(&self) {
        self.0.cancel();
    }
}

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// The time that cancelled work has to end. Work that takes longer, such as writing a file, goes on
/// in its thread, and its result is dropped.
const GRACE: Duration = Duration::from_millis(100);

/// Runs work in a separate thread while other Python threads run. A signal whose handler raises an exception
/// cancels the work, and the exception is returned.
///
/// # Errors
/// The exception of a signal handler; `RuntimeError` if the work panics, or no thread can be
/// started.
pub fn run<R: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let done = wait(py, cancel, work);
    // Also after an interrupt, whose exception comes first.
    match (done, announce::end(py)) {
        (Ok(_), Err(error)) => Err(error),
        (done, _) => done,
    }
}

fn wait<R: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let (sender, mut receiver) = mpsc::channel();
    let caught = move || {
        // The caller may be gone after a signal.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    thread::Builder::new().name("taquin".to_owned()).spawn(caught)?;
    loop {
        let result;
        // The receiver goes there and back, since threads cannot share it.
        (result, receiver) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
        match result {
            Ok(Ok(result)) => return announce::show(py).map(|()| result),
            Ok(Err(panic)) => return Err(of_panic(&*panic)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("internal error: the work ended early"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(exception) = py.check_signals().and_then(|()| announce::show(py)) {
                    cancel.cancel();
                    py.detach(move || drop(receiver.recv_timeout(GRACE)));
                    return Err(exception);
                }
            }
        }
    }
}
