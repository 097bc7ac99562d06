//! `taquin dataset`: random boards with their optimal solutions, as a file for numpy.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::board::Grid;
use crate::cli::advice::failure;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits;
use crate::cli::args::parsers::{GoalArg, Threads, goal, path};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::interrupt::{self, Answering};
use crate::cli::output::file::Files;
use crate::cli::output::progress::Progress;
use crate::cli::output::streams::say;
use crate::cli::threads;
use crate::dataset::{Dataset, DatasetError, Plan};
use crate::reference::Spec;
use crate::search::{Cancel, Stop};
use crate::solver::{Error, Solver};
use crate::text::{grouped, plural};

pub const EXAMPLES: &str = "\
Examples:
  taquin dataset --out ten-thousand.npz
  taquin dataset --count 20k --seed 7 --heuristics manhattan,7-8:mirror --out boards.npz
  taquin dataset --size 3x3 --moves 20 --count 10k --out near.npz

The file has the arrays boards (uint8, tiles in reading order, 0 for the
blank), lengths (int16), moves (int8: 0 up, 1 right, 2 left, 3 down, -1 after
the last one), goal, seed, and one array for each heuristic. numpy.load reads
it. The same arguments give the same bytes.

An interrupt leaves FILE.partial, and the same command goes on from there.";

#[derive(Debug, Args)]
pub struct DatasetArgs {
    /// File to write, replaced when all boards are solved
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    out: PathBuf,

    /// Number of boards, as in 5, 1e3 or 10k
    #[arg(short = 'n', long, value_name = "N", default_value = "10000", value_parser = limits::count)]
    count: u64,

    /// Seed of the random numbers; the boards are those of taquin shuffle
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Size of the boards, up to 25 cells [default: that of a goal given as a board, else 4x4]
    #[arg(short, long, value_name = "WxH")]
    size: Option<Grid>,

    /// Take boards after N random moves from the goal, instead of drawing uniformly
    #[arg(short, long, value_name = "N", value_parser = limits::count)]
    moves: Option<u64>,

    /// Position that the boards can reach: a name or a board
    #[arg(short, long, default_value = "blank-last", value_parser = goal)]
    goal: GoalArg,

    /// Heuristics whose values are added, separated by commas
    #[arg(long, value_name = "LIST", value_parser = Spec::parse_list)]
    heuristics: Option<std::vec::Vec<Spec>>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

pub fn run(args: &DatasetArgs) -> Result<ExitCode, Failure> {
    let goal = args.goal.spec.sized(args.size).map_err(Failure::usage)?;
    let heuristics = args.heuristics.clone().unwrap_or_default();
    let mut plan = Plan::new(goal, args.count, args.seed).heuristics(heuristics.clone());
    if let Some(moves) = args.moves {
        plan = plan.walk(moves);
    }
    let mut work = args.out.clone().into_os_string();
    work.push(".partial");
    let work = PathBuf::from(work);
    let mut files = Files::reading(&args.goal.file);
    drop((files.file(&args.out)?, files.file(&work)?));
    threads::start(args.threads.count)?;

    let store = args.databases.store();
    let progress = Arc::new(Progress::new(&store, false));
    let solver = |heuristic: Spec| {
        let progress = progress.clone();
        let builder = Solver::builder()
            .goal(args.goal.spec.clone())
            .heuristic(heuristic)
            .store(store.clone());
        let builder = builder.progress(progress.of_stores());
        builder.build().map_err(failure)
    };
    let values = heuristics.into_iter().map(solver).collect::<Result<Vec<_>, _>>()?;
    let mut set = Dataset::open(&work, plan).map_err(trouble)?;
    if set.done() > 0 {
        let done = plural(set.done(), "board");
        say("taquin", format_args!("going on after {done} of {}", grouped(args.count)));
    }

    let cancel = Cancel::new();
    let handle = cancel.clone();
    let _answering = Answering::new(move || handle.cancel());
    progress.count_boards(Some(args.count));
    let labelled = set.label(&solver(Spec::Standard)?, &values, &cancel, &mut |done| {
        progress.answered_in_all(done);
    });
    progress.finish();
    if matches!(labelled, Err(DatasetError::Solver(Error::Stopped(Stop::Cancelled))))
        && set.done() > 0
    {
        let (done, file) = (plural(set.done(), "board"), work.display());
        say("taquin", format_args!("{done} kept in {file}: the same command goes on from there"));
    }
    interrupt::finish();
    labelled.map_err(trouble)?;
    set.finish(&args.out).map_err(|error| {
        let kept = format!("the boards are kept in {}", work.display());
        say("taquin", format_args!("{kept}: the same command goes on from there"));
        trouble(error)
    })?;
    Ok(ExitCode::Fine)
}

fn trouble(error: DatasetError) -> Failure {
    match error {
        DatasetError::Solver(error) => failure(error),
        error => wrong!(error),
    }
}
