//! `taquin solve`.

use std::fmt;
use std::io::{self, BufWriter};

use anyhow::{Context, anyhow};

use super::args::SolveArgs;
use super::databases::Databases;
use super::exit::{ExitCode, Failure};
use super::input::{self, Input};
use super::output::{Printer, Rejected, Report};
use super::session::{Session, Task};
use super::{folder, say, set_threads};

pub(super) fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    set_threads(args.threads.count)?;
    let databases =
        Databases { folder: folder::resolve(args.pdb_dir.as_deref()), build: !args.no_build };
    let mut session =
        Session::new(databases, args.goal.clone(), args.size, |note| say("taquin", note))
            .map_err(Failure::usage)?;
    let inputs = input::boards(&args.boards, args.file.as_deref())?;

    let out = BufWriter::new(io::stdout().lock());
    let mut printer = if args.json {
        Printer::Json { out }
    } else {
        Printer::Text { out, errors: io::stderr(), begun: false }
    };
    let mut worst = None;
    let printed = solve_all(inputs, &mut session, |report| {
        let code = match &report.result {
            Ok(_) => ExitCode::Fine,
            Err(rejected) => rejected.trouble.code(),
        };
        worst = worst.max(Some(code));
        printer.print(&report)
    });
    match printed {
        // Whoever read the answers has had enough of them.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        printed => printed.context("cannot write the answers").map_err(Failure::usage)?,
    }
    worst.ok_or_else(|| Failure::usage(anyhow!("there is no board in the input")))
}

/// Solves boards as they come; `emit` is given a report on each, in their order, and stops it
/// all with an error.
fn solve_all<N: Fn(fmt::Arguments)>(
    inputs: impl Iterator<Item = Input>,
    session: &mut Session<N>,
    mut emit: impl FnMut(Report) -> io::Result<()>,
) -> io::Result<()> {
    for input in inputs {
        let Input { origin, text, fault } = input;
        let result = match fault {
            Some(fault) => Err(fault.into()),
            None => session.prepare(&text).and_then(Task::run),
        };
        let result = result.map_err(|trouble| Rejected { input: text, trouble });
        emit(Report { origin, result })?;
    }
    Ok(())
}
