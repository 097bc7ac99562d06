//! `taquin solve`.

use std::io::{self, BufWriter};

use anyhow::{Context, anyhow};

use super::args::SolveArgs;
use super::databases::Databases;
use super::exit::{ExitCode, Failure};
use super::output::Printer;
use super::session::Session;
use super::{folder, pipeline, say, set_threads};

pub(super) fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    set_threads(args.threads.count)?;
    let databases =
        Databases { folder: folder::resolve(args.pdb_dir.as_deref()), build: !args.no_build };
    let kind = args.input.kind.clone();
    let mut session = Session::new(databases, kind, args.heuristic.clone(), args.limits, |note| {
        say("taquin", note)
    })
    .map_err(Failure::usage)?;
    let inputs = args.input.inputs()?;

    let out = BufWriter::new(io::stdout().lock());
    let mut printer = if args.json {
        Printer::Json { out }
    } else {
        Printer::Text { out, errors: io::stderr(), begun: false }
    };
    let mut worst = None;
    let threads = rayon::current_num_threads();
    let printed = pipeline::solve_all(inputs, &mut session, threads, |report| {
        let code = match &report.result {
            Ok(answer) => answer.code(),
            Err(rejected) => rejected.trouble.code(),
        };
        worst = worst.max(Some(code));
        let Err(error) = printer.print(&report) else { return Ok(()) };
        // The reader may be waiting for input that never comes, so no thread is waited for.
        let code = if error.kind() == io::ErrorKind::BrokenPipe {
            // Whoever read the answers has had enough of them.
            worst.unwrap_or_default()
        } else {
            say("taquin", format_args!("cannot write the answers: {error}"));
            ExitCode::Usage
        };
        std::process::exit(code as i32)
    });
    printed.context("cannot write the answers").map_err(Failure::usage)?;
    worst.ok_or_else(|| Failure::usage(anyhow!("there is no board in the input")))
}
