//! Errors as Python exceptions.

use std::any::Any;
use std::fmt::Display;
use std::io;
use std::path::Path;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use taquin::store::StoreError;
use taquin::{Error, Stop};
use taquin_engine::names;

pyo3::create_exception!(
    taquin,
    DatabaseError,
    PyRuntimeError,
    "A pattern database is missing or damaged."
);
pyo3::create_exception!(
    taquin,
    MissingDatabase,
    DatabaseError,
    "Databases are missing, and may not be built."
);
pyo3::create_exception!(
    taquin,
    DamagedDatabase,
    DatabaseError,
    "A database file is damaged, or is no database."
);

/// A `ValueError` with the message of an error of the library.
pub fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The `ValueError` for an argument that cannot be used.
pub fn argument(name: &str, error: impl Display) -> PyErr {
    value(format!("{name}: {error}"))
}

/// The end of a message that refuses an object: the type of the numbers of an array.
pub fn of_type(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let dtype = object.getattr_opt("dtype")?;
    Ok(dtype.map_or(String::new(), |dtype| format!(", not an array of {dtype}")))
}

/// The exception for a solver's error.
pub fn of_solver(error: &Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Store(error) => match &**error {
            StoreError::Missing { .. } => {
                MissingDatabase::new_err(format!("{text}: allow it to build them with build=True"))
            }
            StoreError::Unusable(_) => DamagedDatabase::new_err(text),
            StoreError::Folder { folder, reason } => {
                of_file("pdb_dir: databases cannot be written", folder, reason)
            }
            _ => PyMemoryError::new_err(text),
        },
        Error::Damaged(_) | Error::Broken { .. } | Error::Wrong { origin: Some(_), .. } => {
            DamagedDatabase::new_err(text)
        }
        Error::Unsolvable { reachable, .. } => argument("board", text + &other_goals(reachable)),
        Error::Goal(_) => argument("goal", text),
        Error::Unavailable { .. } | Error::NotForSlides { .. } | Error::Heuristic(_) => {
            argument("heuristic", text)
        }
        Error::Without { option: "metric", .. } => argument("metric", text),
        Error::TooManyThreads(_) => argument("threads", text),
        Error::Stopped(Stop::Memory) => PyMemoryError::new_err(text),
        Error::Wrong { .. } | Error::Stopped(_) | Error::Threads(..) => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

/// The exception for an error of the system with a file, which has its number and the file's name.
pub fn of_file(text: &str, path: &Path, error: &io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return io::Error::new(error.kind(), format!("{text}: {}: {error}", path.display())).into();
    };
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default();
    PyOSError::new_err((number, format!("{text}: {reason}"), path.display().to_string()))
}

/// An addition to the message that a board cannot reach its goal.
pub fn other_goals(reachable: &[&str]) -> String {
    match reachable {
        [] => String::new(),
        [first, ..] => {
            format!(". The board can reach {}: use goal=\"{first}\"", names::either(reachable))
        }
    }
}

/// The exception for a panic. The library's functions do not panic on any input, so this is a fault
/// of the library.
pub fn of_panic(panic: &(dyn Any + Send)) -> PyErr {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "a panic",
    };
    PyRuntimeError::new_err(format!("internal error: {text}"))
}
