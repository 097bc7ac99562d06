//! `taquin split`: the packets of a board's search.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::args::boards::KindArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits;
use crate::cli::args::parsers::{Threads, path};
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::progress::Progress;
use crate::cli::output::streams::{say, written};
use crate::cli::threads;
use crate::reference::Spec;
use crate::solver::{CheckpointError, Division, Limits, Solver, Split, State};
use crate::text::plural;

#[derive(Debug, Args)]
pub struct SplitArgs {
    /// Board, in quotes, as taquin solve reads it
    #[arg(value_name = "BOARD")]
    board: String,

    #[command(flatten)]
    kind: KindArgs,

    /// Heuristic that guides the search, as in taquin solve
    ///
    /// Packets need the fast search: standard, portfolio, combined, small, or a partition of all tiles.
    #[arg(long, value_name = "HEURISTIC", default_value = "standard")]
    heuristic: Spec,

    /// Approximate number of packets
    ///
    /// A few for each core keep all of them busy to the end.
    #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = packets, allow_negative_numbers = true)]
    packets: u64,

    /// Split the first threshold whose predecessor had at least this many nodes
    ///
    /// Smaller thresholds are searched at once. A threshold has some eight times the nodes of the
    /// one before.
    #[arg(long, value_name = "NODES", default_value = "10M", value_parser = limits::count, allow_negative_numbers = true)]
    after: u64,

    /// Go on from this checkpoint of taquin merge or taquin solve, if the file exists
    #[arg(long, value_name = "FILE", value_parser = path())]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// Parses a number of packets.
fn packets(text: &str) -> Result<u64, String> {
    match limits::count(text)? {
        0 => Err("there must be at least one packet".to_owned()),
        packets => Ok(packets),
    }
}

pub fn run(args: &SplitArgs) -> Result<ExitCode, Failure> {
    args.kind.checked_goal()?;
    let board = args.kind.read(&args.board);
    let (board, _) = board.map_err(|error| Failure { code: error.code(), error: error.into() })?;
    let state = match args.checkpoint.as_deref().map(State::read).transpose() {
        Err(CheckpointError::Read { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {
            None
        }
        state => state?,
    };
    threads::start(args.threads.count)?;
    let store = args.databases.store();
    let progress = Arc::new(Progress::new(&store, false));
    let events = progress.clone();
    let builder = Solver::builder().goal(args.kind.goal()).heuristic(args.heuristic.clone());
    let builder = builder.store(store).progress(move |event| events.solver(event));
    let solver = builder.build()?;
    let count = usize::try_from(args.packets).unwrap_or(usize::MAX);
    let division = Division::into(count).after(args.after);
    let split = solver.packets(&board, state, division, &Limits::default());
    progress.finish();
    let packets = match split? {
        Split::Packets(packets) => packets,
        Split::Solved(bracket) => {
            let moves = plural(bracket.lower_bound, "move");
            match bracket.solution.filter(|solution| solution.len() > 0) {
                Some(solution) => {
                    let path = solution.moves();
                    say("taquin", format_args!("no packets: the board takes {moves}: {path}"));
                }
                None => say("taquin", format_args!("no packets: the board takes {moves}")),
            }
            return Ok(ExitCode::Fine);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = packets.iter().try_for_each(|packet| writeln!(out, "{packet}"));
    written(printed.and_then(|()| out.flush()))?;
    Ok(ExitCode::Fine)
}
