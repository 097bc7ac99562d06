//! `pdb-gen info` and `pdb-gen verify`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use crate::cli::args::limits::Memory;
use crate::cli::args::parsers::{Threads, path};
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::progress::Bar;
use crate::cli::output::streams::{print, say};
use crate::cli::{memory, threads};
use crate::pdb::{self, FORMAT_VERSION, Header, OpenError, Table, open};

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
    each(files, |path| {
        let (header, _) = open(path)?;
        Ok(describe(path, &header))
    })
}

/// Checks each file.
pub fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    threads::start(args.threads.count)?;
    memory::limit(args.memory.bytes);
    each(&args.files.paths, |path| check(path, args.quick))
}

/// Checks a file, and reports what was checked.
fn check(path: &Path, quick: bool) -> anyhow::Result<String> {
    let owned = || path.to_path_buf();
    let (header, map) = open(path)?;
    let pattern = header.pattern;
    let index = if quick {
        memory::index(&pattern).with_context(|| format!("{}: cannot be checked", path.display()))?
    } else {
        memory::index_to_verify(&pattern)
            .with_context(|| format!("{}: cannot be proved, try --quick", path.display()))?
    };
    let (expected, found) = (index.cohorts() as u64, header.cohorts);
    if found != expected {
        return Err(OpenError::IndexMismatch { path: owned(), expected, found }.into());
    }
    if !header.matches(map.as_ref()) {
        return Err(OpenError::Payload { path: owned() }.into());
    }
    let mut report = format!(
        "{}: sound: header, length of {} bytes, numbering of {} states, checksum {:016x}",
        path.display(),
        header.file_bytes(),
        header.states(),
        header.payload_hash,
    );
    if !quick {
        let table = Table::new(pattern, Arc::new(index), map)?;
        let bar = Bar::proving(pattern, 2 * header.cohorts);
        pdb::verify(&table, &header.levels, |done| bar.steps(done)).with_context(|| {
            format!("{}: wrong, rebuild it with `pdb-gen build --force`", path.display())
        })?;
        report += "; proved: the number of moves of every state";
    }
    let name = pattern.file_name();
    if path.file_name().is_some_and(|found| found != &*name) {
        report += &format!("; but programs look for it under the name {name}");
    }
    Ok(report)
}

/// Prints a report on each file. A bad file does not stop the rest.
fn each(
    files: &[PathBuf],
    report: impl Fn(&Path) -> anyhow::Result<String>,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Fine;
    for path in files {
        match report(path) {
            Ok(report) => print(&report)?,
            Err(error) => {
                say("pdb-gen", format_args!("{error:#}"));
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
