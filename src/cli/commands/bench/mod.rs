//! `taquin bench`: how strong heuristics are, and how fast the searches with them.
//!
//! ```text
//! arguments ─▶ Suite (boards) ─┐
//!          └─▶ Contestants ────┴▶ contest: trials ─▶ rows ─▶ table, JSON, CSV, SVG
//!                       └───────▶ values: average h, histogram, quality
//! ```
//!
//! All heuristics are tried on a board before the next board, so that a load on the machine slows
//! all of them down, and the ratios hold.

mod branching;
mod contest;
mod report;
mod rows;
mod suite;
mod svg;
mod values;

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use self::contest::Contestant;
use self::suite::{Suite, SuiteName};
use crate::cli::args::boards::KindArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits::LimitArgs;
use crate::cli::args::parsers::{path, threads};
use crate::cli::exit::{ExitCode, Failure};
use crate::heuristic::Spec;

pub const EXAMPLES: &str = "\
Examples:
  taquin bench
  taquin bench --set random:1000 --heuristics 5-5-5:plain:mirror,6-6-3:plain:mirror,7-8:plain:mirror
  taquin bench --set hard15 --heuristics standard,portfolio,combined --time-limit 60
  taquin bench --set korf24 --time-limit 60 --threads 2
  taquin bench --set boards.txt --heuristics 'linear-conflict,max(walking-distance,linear-conflict)'
  taquin bench --values 100000 --heuristics manhattan,walking-distance,7-8:mirror --svg bench.svg

Nodes are generated children, without those that undo the last move. standard, portfolio and
combined use the search of taquin solve, which prunes more. All other heuristics use one plain IDA*,
so that the ratios of nodes depend on the heuristics alone.
Means and totals include searches that a limit ended; they are lower bounds then, marked >=. Ratios
are relative to the first heuristic, over the boards that both solved.
Fields of a JSON object, one for each heuristic: schema, set, heuristic, boards, solved, timed_out,
average_h, average_gap (optimal length minus h, where the length is known), nodes, average_nodes,
nodes_error (the standard error of that average), median_nodes, nodes_per_second, seconds,
worst_seconds, nodes_ratio, time_ratio, and with --values the object values.";

pub const CODES: &str = "\
Exit codes:
  0  all boards were tried, solved within the limits or not
  2  wrong usage, a bad board in the set, or output that cannot be written
  3  a database is missing or damaged, or two answers differ";

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Boards: korf100, antipodes80, hard15, korf24, random:N, random:N:SEED, or a file
    ///
    /// korf100: the 100 boards of Korf 1985. antipodes80: boards 80 moves from the goal. hard15:
    /// boards that need the most nodes with the 7-8 databases. korf24: the 50 boards of 5x5 of Korf
    /// & Felner 2002, many of which take hours, so use --time-limit. random:N:SEED: the boards of
    /// taquin shuffle --count N --seed SEED; the default seed is 1. A file has the format of taquin
    /// solve --file, with solvable boards of one size.
    #[arg(long, value_name = "SET", default_value = "korf100")]
    set: SuiteName,

    /// Heuristics, separated by commas or spaces, as in 5-5-5:mirror,7-8,standard
    ///
    /// The names are those of taquin solve --heuristic. The others are compared with the first one.
    /// The default for 4x4 is 4-4-4-3:mirror,5-5-5:mirror,6-6-3:mirror,7-8,7-8:mirror,standard, and
    /// standard for other sizes.
    #[arg(long, value_name = "LIST")]
    heuristics: Option<Heuristics>,

    #[command(flatten)]
    limits: LimitArgs,

    /// Number of boards tried at the same time; each search uses one thread
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,

    #[command(flatten)]
    kind: KindArgs,

    /// Measure average h over N random boards, its histogram, and the heuristic quality
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    values: Option<u32>,

    /// Write a line for each search to a CSV file
    #[arg(long, value_name = "FILE", value_parser = path())]
    csv: Option<PathBuf>,

    /// Print one JSON object for each heuristic instead of a table
    #[arg(short, long)]
    json: bool,

    /// Draw the boards solved within a number of nodes, one curve for each heuristic
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// The list of `--heuristics`.
#[derive(Clone, Debug)]
pub struct Heuristics(Vec<Spec>);

impl Heuristics {
    /// The heuristics that are tried without `--heuristics`.
    fn usual(suite: &Suite) -> Heuristics {
        let (width, height) = (suite.grid().width(), suite.grid().height());
        let in_corner = [0, 3, 12, 15].contains(&suite.goal.board().blank());
        let list = if (width, height, in_corner) == (4, 4, true) {
            "4-4-4-3:mirror,5-5-5:mirror,6-6-3:mirror,7-8,7-8:mirror,standard"
        } else {
            "standard"
        };
        list.parse().expect("these are heuristics")
    }
}

impl std::str::FromStr for Heuristics {
    type Err = String;

    fn from_str(text: &str) -> Result<Heuristics, String> {
        let specs = Spec::parse_list(text).map_err(|error| error.to_string())?;
        match (1..specs.len()).find(|&i| specs[..i].contains(&specs[i])) {
            Some(i) => Err(format!("{} appears twice", specs[i])),
            None => Ok(Heuristics(specs)),
        }
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let suite = Suite::load(&args.set, &args.kind).map_err(Failure::usage)?;
    // A file that cannot be written is an error before the work, not after it.
    let csv = args.csv.as_deref().map(create).transpose()?;
    let svg = args.svg.as_deref().map(create).transpose()?;
    let store = args.databases.store();
    let heuristics = args.heuristics.clone().unwrap_or_else(|| Heuristics::usual(&suite));
    let contestants = heuristics
        .0
        .iter()
        .map(|spec| Contestant::new(spec, &suite, &store))
        .collect::<Result<Vec<_>, _>>()?;
    let trials = contest::run(&contestants, &suite, &args.limits.limits(), args.threads)?;
    let optima = rows::optima(&contestants, &suite, &trials).map_err(Failure::database)?;
    let values = match args.values {
        Some(count) => Some(values::measure(&contestants, &suite, count)?),
        None => None,
    };
    let rows = rows::rows(&contestants, &trials, &optima);
    if let Some(file) = csv {
        report::csv(file, &suite, &contestants, &trials, &optima).map_err(Failure::usage)?;
    }
    if let Some(mut file) = svg {
        svg::draw(&mut file, &suite, &contestants, &trials, args.limits)
            .context("cannot write the picture")
            .map_err(Failure::usage)?;
    }
    if args.json {
        report::json(&suite, &rows, values.as_deref())?;
    } else {
        report::table(&suite, &rows, values.as_deref())?;
    }
    Ok(ExitCode::Fine)
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()));
    Ok(BufWriter::new(file.map_err(Failure::usage)?))
}
