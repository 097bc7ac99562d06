//! The command line of `taquin` and `pdb-gen`.
//!
//! Results go to the standard output; notes, errors and progress go to the standard error. Each
//! module uses only those below it:
//!
//! ```text
//! program     the two programs and their commands
//! commands    one module for each command: its arguments, its help, its work
//! args        arguments that several commands have
//! input       boards from arguments, files and streams
//! output      answers as text and JSON, tables, progress bars
//! exit        exit codes
//! ```

mod args;
mod checkpoint;
mod commands;
mod databases;
mod engine;
mod exit;
mod folder;
mod heuristics;
mod input;
mod integrity;
mod interrupt;
mod long;
mod memory;
mod method;
mod output;
mod pipeline;
mod program;
mod session;
mod sets;
mod target;
mod threads;
mod trouble;

pub use exit::{ExitCode, Failure};
pub use program::{PdbGen, Taquin, exit, pdb_gen, taquin};
