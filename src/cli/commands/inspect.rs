//! `pdb-gen info` and `pdb-gen verify`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::advice::Advised;
use crate::cli::args::limits::Memory;
use crate::cli::args::parsers::{Threads, path};
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::progress::Progress;
use crate::cli::output::streams::{print, say};
use crate::cli::threads;
use crate::pdb::{FORMAT_VERSION, Header, read_header};
use crate::store::{PartError, Store};

#[derive(Debug, Args)]
pub struct Files {
    /// Database files
    #[arg(required = true, value_name = "FILE", value_parser = path())]
    pub paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    files: Files,

    /// Leave out the proof
    #[arg(short, long)]
    quick: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    memory: Memory,
}

/// Prints the header of each file.
pub fn info(files: &[PathBuf]) -> Result<ExitCode, Failure> {
    each(files, |path| Ok(describe(path, &read_header(path)?)))
}

/// Checks each file.
pub fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    threads::start(args.threads.count)?;
    let store = Store::memory().memory_limit(args.memory.bytes);
    let progress = Progress::new(&store, false);
    each(&args.files.paths, |path| {
        let verified = store.verify(path, !args.quick, &|event| progress.store(event));
        progress.clear();
        Ok(verdict(path, &verified?, args.quick))
    })
}

fn verdict(path: &Path, header: &Header, quick: bool) -> String {
    let mut text = format!(
        "{}: sound: header, length of {} bytes, numbering of {} states, checksum {:016x}",
        path.display(),
        header.file_bytes(),
        header.states(),
        header.payload_hash,
    );
    if !quick {
        text += "; proved: the number of moves of every state";
    }
    let name = header.pattern.file_name();
    if path.file_name().is_some_and(|found| found != &*name) {
        text += &format!("; but programs look for it under the name {name}");
    }
    text
}

/// Prints a report on each file. A bad file does not stop the rest.
fn each(
    files: &[PathBuf],
    report: impl Fn(&Path) -> Result<String, PartError>,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Fine;
    for path in files {
        match report(path) {
            Ok(report) => print(&report)?,
            Err(error) => {
                say("pdb-gen", Advised(&error));
                code = ExitCode::Database;
            }
        }
    }
    Ok(code)
}

fn describe(path: &Path, header: &Header) -> String {
    let pattern = header.pattern;
    let mut text = format!(
        "{}\n\
         \x20 format version  {FORMAT_VERSION}\n\
         \x20 board           {}, the blank's goal cell is {}\n\
         \x20 tiles           {pattern}\n\
         \x20 bytes           {}\n\
         \x20 states          {}, that is {} cohorts of {} orders\n\
         \x20 checksum        {:016x}\n\
         \x20 deepest level   {}\n\
         \x20 states a level ",
        path.display(),
        pattern.grid(),
        pattern.blank(),
        header.file_bytes(),
        header.states(),
        header.cohorts,
        header.orders,
        header.payload_hash,
        header.levels.len() - 1,
    );
    for states in &header.levels {
        // Writing to a string cannot fail.
        let _ = write!(text, " {states}");
    }
    text
}
