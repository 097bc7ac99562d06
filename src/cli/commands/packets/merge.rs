//! `taquin merge`: joins the results of packets.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::files::PacketFile;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::output::OutputArgs;
use crate::cli::args::parsers::{Threads, path};
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::input::Origin;
use crate::cli::output::progress::Progress;
use crate::cli::output::report::{Answer, Place, Report};
use crate::cli::output::streams::{say, written};
use crate::cli::threads;
use crate::solver::{Limits, Merged, PacketResult, Target};
use crate::text::{grouped, plural};

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// File of packets, with the results next to it
    #[arg(value_name = "FILE", value_parser = path())]
    file: PathBuf,

    /// File to keep the state of the search in, replaced if it exists
    #[arg(long, value_name = "FILE", value_parser = path())]
    checkpoint: Option<PathBuf>,

    /// Print the lines of packets that need a result, one a line, and nothing else
    #[arg(long, conflicts_with_all = ["json", "format", "checkpoint"])]
    missing: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn run(args: &MergeArgs) -> Result<ExitCode, Failure> {
    let file = PacketFile::open(&args.file)?;
    let (mut results, mut missing) = (Vec::new(), Vec::new());
    for line in 1..=file.len() {
        match file.result(line, &file.packet(line)?) {
            Some(result) => results.push(result),
            None => missing.push(line),
        }
        if results.last().is_some_and(PacketResult::is_solved) {
            // Later ones are not needed.
            break;
        }
    }
    if args.missing {
        let mut out = io::stdout().lock();
        let printed = missing.iter().try_for_each(|line| writeln!(out, "{line}"));
        written(printed.and_then(|()| out.flush()))?;
    } else if let Some(first) = missing.first() {
        let (count, of) = (grouped(missing.len() as u64), plural(file.len() as u64, "packet"));
        let file = args.file.display();
        say(
            "taquin",
            format_args!(
                "{count} of {of} have no result, the first is in line {first}: search with `taquin packet {file}`"
            ),
        );
    }
    match (missing.is_empty(), args.missing) {
        (true, true) => Ok(ExitCode::Fine),
        (true, false) => merge(args, &file, results),
        (false, true) => Ok(ExitCode::Negative),
        (false, false) => Ok(ExitCode::Usage),
    }
}

fn merge(
    args: &MergeArgs,
    file: &PacketFile,
    results: Vec<PacketResult>,
) -> Result<ExitCode, Failure> {
    let packet = file.packet(1)?;
    let board = packet.board()?;
    if let Some(path) = &args.checkpoint {
        drop(file.files().file(path)?);
    }
    threads::start(args.threads.count)?;
    let store = args.databases.store();
    let progress = Arc::new(Progress::new(&store, false));
    let events = progress.clone();
    let builder = packet.builder()?.store(store);
    let solver = builder.progress(move |event| events.solver(event)).build()?;
    let merged = solver.merge(results, &Limits::default());
    progress.finish();
    let bracket = match merged? {
        Merged::Solved(bracket) => bracket,
        Merged::Exhausted { bracket, state } => {
            if let Some(path) = &args.checkpoint {
                state.write(path)?;
            }
            bracket
        }
    };
    let goal = solver.goal(board.grid()).map_err(Failure::usage)?;
    let (bound, solved) = (plural(bracket.lower_bound, "move"), bracket.is_optimal());
    if solved || args.output.is_json() {
        let place = Place { origin: Origin::Alone, index: 1 };
        let result =
            Ok(Answer { board: board.into(), goal: Target::Board(goal), bracket, all: None });
        written(args.output.printer(true, false, false).print(&Report { place, result }))?;
    } else {
        say(
            "taquin",
            format_args!("no solution within the threshold: at least {bound} are needed"),
        );
    }
    Ok(if solved { ExitCode::Fine } else { ExitCode::Negative })
}
