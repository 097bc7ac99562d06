//! The programs `taquin` and `pdb-gen`, run by the interpreter.

use std::ffi::OsString;
use std::io::{Write, stdout};

use pyo3::prelude::*;
use taquin::cli::{self, PdbGen, Taquin};

/// Runs the program `taquin` with a command line, and returns its exit code.
#[pyfunction]
pub fn run_taquin(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    py.detach(|| flushed(cli::main::<Taquin>("taquin", argv, cli::taquin)))
}

/// Runs the program `pdb-gen` with a command line, and returns its exit code.
#[pyfunction]
pub fn run_pdb_gen(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    py.detach(|| flushed(cli::main::<PdbGen>("pdb-gen", argv, cli::pdb_gen)))
}

/// An interpreter that exits does not know Rust's buffers.
fn flushed(code: u8) -> u8 {
    let _ = stdout().flush();
    code
}
