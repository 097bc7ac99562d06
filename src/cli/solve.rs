//! `taquin solve`.

use std::io::{self, BufWriter};

use anyhow::anyhow;

use super::args::SolveArgs;
use super::databases::Databases;
use super::exit::{ExitCode, Failure};
use super::format::Format;
use super::output::Printer;
use super::pipeline::Broken;
use super::session::Session;
use super::{folder, memory, pipeline, say, threads};

pub(super) fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    args.method.checked(&args.heuristic)?;
    threads::start(args.threads.count)?;
    memory::limit(args.limits.memory);
    let databases =
        Databases { folder: folder::resolve(args.pdb_dir.as_deref()), build: !args.no_build };
    let kind = args.input.kind.clone();
    let session =
        Session::new(databases, kind, args.heuristic.clone(), args.method, args.limits, |note| {
            say("taquin", note)
        })
        .map_err(Failure::usage)?
        .with_checkpoint(args.checkpoint.clone());
    let alone = args.input.boards.len() == 1 && args.input.boards[0] != "-";
    if args.checkpoint.checkpoint.is_some() && !alone {
        let error = anyhow!("--checkpoint is for one board, given as an argument");
        return Err(Failure::usage(error));
    }
    let inputs = args.input.inputs()?;

    let out = BufWriter::new(io::stdout().lock());
    let mut printer = if args.json || args.format == Format::Json {
        Printer::Json { out }
    } else {
        Printer::Text { out, errors: io::stderr(), format: args.format, begun: false }
    };
    let mut worst = None;
    let threads = rayon::current_num_threads();
    let result = pipeline::solve_all(inputs, session, threads, |report| {
        let code = match &report.result {
            Ok(answer) => answer.code(),
            Err(rejected) => rejected.trouble.code(),
        };
        worst = worst.max(Some(code));
        printer.print(&report)
    });
    match result {
        // Whoever read the answers has had enough of them.
        Err(Broken::Emit(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(worst.unwrap_or_default());
        }
        Err(error @ Broken::Emit(_)) => return Err(Failure::usage(error)),
        Err(error @ Broken::Panic) => return Err(Failure::database(error)),
        Ok(()) => {}
    }
    worst.ok_or_else(|| Failure::usage(anyhow!("there is no board in the input")))
}
