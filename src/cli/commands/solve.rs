//! `taquin solve`.

use std::io::{self, BufWriter};

use anyhow::anyhow;
use clap::Args;

use crate::cli::args::boards::BoardArgs;
use crate::cli::args::checkpoint::CheckpointArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits::Limits;
use crate::cli::args::method::MethodArgs;
use crate::cli::args::parsers::Threads;
use crate::cli::databases::Databases;
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::format::Format;
use crate::cli::output::report::Printer;
use crate::cli::output::streams::say;
use crate::cli::pipeline::Broken;
use crate::cli::session::Session;
use crate::cli::{folder, memory, pipeline, threads};
use crate::heuristic::Spec;

pub const EXAMPLES: &str = "\
Examples:
  taquin solve '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12'
  taquin solve '([5,1,7,3],[9,2,11,4],[13,6,15,8],[0,10,14,12])'
  taquin solve --goal blank-first '1 2 0 / 3 4 5 / 6 7 8'
  taquin solve --json --file boards.txt
  taquin solve --time-limit 10 '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'
  taquin solve --method astar --ties fifo --memory 1G '5 1 9 3 / 11 13 6 8 / 14 10 4 15 / 0 12 7 2'
  taquin solve --method bfs --max-moves 20 --format boards '1 2 3 / 4 0 6 / 7 5 8'
  taquin solve --method staged --verbose --time-limit 2 --format runs --file boards.txt
  taquin solve --all '8 6 7 / 2 5 4 / 3 0 1'
  taquin shuffle --size 10x10 --count 5 | taquin solve --json -

Fields of a JSON object:
  schema, width, height, board, goal, solved, optimal, lower_bound, generated, expanded, heuristic
  length, moves  null without a solution; moves has one letter for each move: U, D, L, R
  seconds        time of the search alone; with several boards, up to five others run beside it
  stopped        time, nodes, memory, moves or interrupt, where one of these ended the search
  gap            length minus lower_bound, where that is not 0
  solutions      with --count and --all: the number of optimal solutions
  all            with --all: their moves
A board without an answer has the fields schema, line, input, error and kind (unsolvable, input,
database or internal).";

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// Heuristic that guides the search, as in walking-distance or 7-8:mirror
    ///
    /// standard: for 4x4 the databases 7-8 and their mirror images. portfolio: three partitions,
    /// among which the search chooses where a board is hard (4x4). together: the maximum of two
    /// partitions at every node (4x4), for the fewest nodes, but not the least time.
    ///
    /// Without databases: manhattan, linear-conflict, corner-tiles, last-move, sums of these as in
    /// manhattan+linear-conflict+last-move, and walking-distance. With databases: a partition by
    /// its name, for 4x4 7-8, 7-8b, 7-8c, 6-6-3, 5-5-5 and 4-4-4-3, for 5x5 6-6-6-6 and 7-7-7-3, or
    /// by its tiles as in 1,2,3/4,5 (named by their goal cells as in pdb-gen build, with the blank
    /// first for goals in a corner). Append :plain for tables that ignore the blank, which are made
    /// in memory each time, and :mirror to look up the mirror image too. The maximum of several:
    /// 'max(walking-distance,5-5-5)'.
    ///
    /// The fast search covers standard, portfolio, together, and partitions of all tiles, with
    /// :mirror where the goal has a mirror image and without where it has none: on boards of up to
    /// 16 cells two patterns, on boards of 17 to 25 cells up to four patterns of up to seven tiles.
    /// Everything else uses a plain search, which is several times slower.
    #[arg(long, value_name = "HEURISTIC", default_value = "standard")]
    heuristic: Spec,

    /// Format of solutions
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Print one JSON object for each board, as --format json does
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    checkpoint: CheckpointArgs,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    args.method.checked(&args.heuristic)?;
    threads::start(args.threads.count)?;
    memory::limit(args.limits.memory);
    let databases = Databases {
        folder: folder::resolve(args.databases.pdb_dir.as_deref()),
        build: !args.databases.no_build,
    };
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
        // The reader of the answers is gone.
        Err(Broken::Emit(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(worst.unwrap_or_default());
        }
        Err(error @ Broken::Emit(_)) => return Err(Failure::usage(error)),
        Err(error @ Broken::Panic) => return Err(Failure::database(error)),
        Ok(()) => {}
    }
    worst.ok_or_else(|| Failure::usage(anyhow!("there is no board in the input")))
}
