//! The command line of `taquin` and `pdb-gen`.
//!
//! Results go to the standard output; notes, errors and progress go to the standard error.
//! Boards flow one way, each step in a module of its own:
//!
//! ```text
//! arguments, file, stream ─▶ Input ─▶ Task ─▶ Answer ─▶ text or JSON
//!                            (input) (session)          (output)
//! ```
//!
//! `taquin check`, `shuffle` and `apply` need neither task nor database.
//!
//! A task needs its solver, and a solver its databases, which are opened or built when the
//! first board comes that cannot be answered without.

mod apply;
mod args;
mod bench;
mod boards;
mod build;
mod check;
mod checkpoint;
mod databases;
mod engine;
mod exit;
mod folder;
mod format;
mod grids;
mod heuristics;
mod input;
mod inspect;
mod integrity;
mod interrupt;
mod limits;
mod long;
mod memory;
mod method;
mod output;
mod pipeline;
mod progress;
mod random;
mod session;
mod sets;
mod shell;
mod shuffle;
mod solve;
mod target;
mod threads;

use std::fmt;
use std::io::{self, Write};

pub use args::{PdbGen, Taquin};
use args::{PdbGenCommand, TaquinCommand};
pub use exit::{ExitCode, Failure};

/// Runs the solver.
///
/// # Errors
/// [`Failure`] where nothing could be done at all. What befalls a single board is reported with
/// the other boards' results, and shows in the exit code.
pub fn taquin(args: &Taquin) -> Result<ExitCode, Failure> {
    interrupt::install();
    match &args.command {
        TaquinCommand::Solve(args) => solve::run(args),
        TaquinCommand::Check(args) => check::run(args),
        TaquinCommand::Shuffle(args) => shuffle::run(args),
        TaquinCommand::Apply(args) => apply::run(args),
        TaquinCommand::Bench(args) => bench::run(args),
        TaquinCommand::Completions(args) => shell::completions::<Taquin>(args),
        TaquinCommand::Man(args) => shell::man::<Taquin>(args),
    }
}

/// Runs the generator.
///
/// # Errors
/// [`Failure`] where nothing could be done at all. What befalls a single file is reported with
/// the other files' results, and shows in the exit code.
pub fn pdb_gen(args: &PdbGen) -> Result<ExitCode, Failure> {
    interrupt::install();
    match &args.command {
        PdbGenCommand::Build(args) => build::run(args),
        PdbGenCommand::Info(files) => inspect::info(&files.paths),
        PdbGenCommand::Verify(args) => inspect::verify(args),
        PdbGenCommand::Completions(args) => shell::completions::<PdbGen>(args),
        PdbGenCommand::Man(args) => shell::man::<PdbGen>(args),
    }
}

/// Says what stopped a program, if something did, and gives the code to exit with.
pub fn exit(program: &str, result: Result<ExitCode, Failure>) -> std::process::ExitCode {
    let code = result.unwrap_or_else(|failure| {
        say(program, format_args!("{:#}", failure.error));
        failure.code
    });
    code.into()
}

/// A line on the standard error. That it cannot be written is no reason to stop.
fn say(program: &str, message: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{program}: {message}");
}

/// A line on the standard output. It is no error if nobody reads it.
fn print(line: &str) -> Result<(), Failure> {
    written(writeln!(io::stdout().lock(), "{line}")).map(drop)
}

/// Whether somebody still reads what was written. It is no error if nobody does.
fn written(result: io::Result<()>) -> Result<bool, Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => {
            Err(Failure::usage(anyhow::Error::new(error).context("cannot write the output")))
        }
        Ok(()) => Ok(true),
    }
}
