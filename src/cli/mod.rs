//! The command line of `taquin` and `pdb-gen`.
//!
//! It holds the parts that a library user would not want: arguments, input, output, exit codes, and advice on
//! commands and options. [`Solver`](crate::Solver) and [`Store`](crate::store::Store) do the work. Results go
//! to the standard output; notes, errors and progress go to the standard error. Each module uses only the
//! modules below it:
//!
//! ```text
//! program           the two programs and their commands
//! commands  help    one module for each command: its arguments and its work; texts
//! output            answers, tables and progress
//! input             boards from arguments, files and streams, each with its goal
//! args              arguments that several commands have
//! advice            errors, and the command or option that helps
//! process           exit codes, streams, the command line
//! interrupt         signals
//! ```

mod advice;
mod args;
mod commands;
mod help;
mod input;
mod interrupt;
mod output;
mod process;
mod program;

pub use args::values::{count, time};
pub use process::ExitCode;
pub use program::{PdbGen, Taquin, main, pdb_gen, taquin};
