//! The command line of `taquin` and `pdb-gen`.
//!
//! It holds the parts that a library user would not want: arguments, input, output, exit codes, and advice on
//! commands and options. [`Solver`](crate::Solver) and [`Store`](crate::store::Store) do the work. Results go
//! to the standard output; notes, errors and progress go to the standard error. Each module uses only the
//! modules below it:
//!
//! ```text
//! program           the two programs and their commands
//! commands          one module for each command: its arguments, its help, its work
//! args  output      arguments that several commands have; answers, tables and progress
//! advice            errors, and the command or option that helps
//! input             boards from arguments, files and streams
//! exit  interrupt   exit codes, signals, threads, the command line
//! ```

mod advice;
mod args;
mod commands;
mod exit;
mod help;
mod input;
mod interrupt;
mod output;
mod program;
mod threads;
mod words;

pub use args::limits::{count, time};
pub use exit::{ExitCode, Failure};
pub use program::{PdbGen, Taquin, main, pdb_gen, taquin};
