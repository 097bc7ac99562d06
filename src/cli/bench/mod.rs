//! `taquin bench`: how strong heuristics are, and how fast the searches with them.
//!
//! ```text
//! arguments ─▶ Suite (boards) ─┐
//!          └─▶ Contestants ────┴▶ contest: trials ─▶ rows ─▶ table, JSON, CSV, SVG
//!                       └───────▶ values: average h, histogram, quality
//! ```
//!
//! All heuristics are tried on a board before the next one's turn, so whatever slows the machine
//! down for a while slows all of them down, and the ratios hold.

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
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use self::contest::Contestant;
use self::suite::{Suite, SuiteName};
use super::args::{path, threads};
use super::databases::Databases;
use super::exit::{ExitCode, Failure};
use super::heuristics::Shelf;
use super::limits::{self, Limits};
use super::{boards::KindArgs, folder, say};
use crate::heuristic::Spec;

pub(super) const EXAMPLES: &str = "\
Examples:
  taquin bench
  taquin bench --set random:1000 --heuristics 5-5-5:plain:mirror,6-6-3:plain:mirror,7-8:plain:mirror
  taquin bench --set hard15 --heuristics standard,portfolio,combined --time-limit 60
  taquin bench --set korf24 --time-limit 60 --threads 2
  taquin bench --set boards.txt --heuristics 'linear-conflict,max(walking-distance,linear-conflict)'
  taquin bench --values 100000 --heuristics manhattan,walking-distance,7-8:mirror --svg bench.svg

Nodes are generated children, those that undo the last move left out. standard, portfolio and
combined are the search of taquin solve, which leaves out more. All other heuristics are used by one
plain IDA*, so that the ratios of nodes are those of the heuristics alone.
Means and totals count what was spent on boards that were not solved within a limit; they are lower
bounds then, and marked >=. Ratios, to the first heuristic, are taken over the boards that both have
solved.
Lines of JSON, one a heuristic, have the fields schema, set, heuristic, boards, solved, timed_out,
average_h, average_gap (optimal length less h, where the length is known), nodes, average_nodes,
nodes_error (the standard error of that average), median_nodes, nodes_per_second, seconds,
worst_seconds, nodes_ratio, time_ratio, and with --values the object values.";

pub(super) const CODES: &str = "\
Exit codes:
  0  all boards were tried, whether or not they were solved within the limits
  2  wrong usage, a bad board in the set, or output that cannot be written
  3  a database is missing or damaged, or answers do not agree";

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Boards: korf100, antipodes80, hard15, korf24, random:N, random:N:SEED, or a file
    ///
    /// korf100 are the 100 boards of Korf 1985, antipodes80 are positions 80 moves from the goal,
    /// hard15 are boards that cost 7-8 databases the most, korf24 are the 50 boards of 5x5 of Korf &
    /// Felner 2002, many of which take hours: give a --time-limit. random:N:SEED are the boards of
    /// taquin shuffle --count N --seed SEED; the seed is 1 where none is given. A file is one as
    /// for taquin solve --file, with boards of one size that can be solved.
    #[arg(long, value_name = "SET", default_value = "korf100")]
    pub set: SuiteName,

    /// Heuristics, parted by commas or spaces, as in 5-5-5:mirror,7-8,standard
    ///
    /// They are those of taquin solve --heuristic. The first is the one that others are compared
    /// with. Without a list they are, for 4x4,
    /// 4-4-4-3:mirror,5-5-5:mirror,6-6-3:mirror,7-8,7-8:mirror,standard; and standard for others.
    #[arg(long, value_name = "LIST")]
    pub heuristics: Option<Heuristics>,

    /// Time for a search, as in 10, 0.5, 200ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = limits::time)]
    pub time_limit: Option<Duration>,

    /// Nodes for a search, as in 500000, 2e6 or 10M
    #[arg(long, value_name = "N", value_parser = limits::count)]
    pub node_limit: Option<u64>,

    /// Number of boards tried at the same time; a search takes one thread
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    #[command(flatten)]
    pub kind: KindArgs,

    /// Average h over N boards drawn uniformly, its histogram, and the heuristic quality
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    pub values: Option<u32>,

    /// Write a line for each search to a file
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub csv: Option<PathBuf>,

    /// Print one JSON object a heuristic instead of a table
    #[arg(short, long)]
    pub json: bool,

    /// Draw the boards solved against nodes, a curve a heuristic
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub svg: Option<PathBuf>,

    /// Folder of the databases, as for taquin solve
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub pdb_dir: Option<PathBuf>,

    /// Refuse to build missing databases
    #[arg(long)]
    pub no_build: bool,
}

/// What `--heuristics` lists.
#[derive(Clone, Debug)]
pub(super) struct Heuristics(Vec<Spec>);

impl Heuristics {
    /// What is tried where nothing is asked for.
    fn usual(suite: &Suite) -> Heuristics {
        let list = match (suite.grid.width(), suite.grid.height(), suite.blank) {
            (4, 4, 0) => "4-4-4-3:mirror,5-5-5:mirror,6-6-3:mirror,7-8,7-8:mirror,standard",
            _ => "standard",
        };
        list.parse().expect("these are heuristics")
    }
}

impl std::str::FromStr for Heuristics {
    type Err = String;

    fn from_str(text: &str) -> Result<Heuristics, String> {
        let specs = Spec::parse_list(text).map_err(|error| error.to_string())?;
        match (1..specs.len()).find(|&i| specs[..i].contains(&specs[i])) {
            Some(i) => Err(format!("{} is there twice", specs[i])),
            None => Ok(Heuristics(specs)),
        }
    }
}

pub(super) fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let suite = Suite::load(&args.set, &args.kind).map_err(Failure::usage)?;
    // A file that cannot be written is found before the work, not after it.
    let csv = args.csv.as_deref().map(create).transpose()?;
    let svg = args.svg.as_deref().map(create).transpose()?;
    let databases =
        Databases { folder: folder::resolve(args.pdb_dir.as_deref()), build: !args.no_build };
    let mut shelf = Shelf::new(&databases, suite.grid, suite.blank, |note| say("taquin", note));
    let heuristics = args.heuristics.clone().unwrap_or_else(|| Heuristics::usual(&suite));
    let contestants = heuristics
        .0
        .iter()
        .map(|spec| Contestant::new(spec, &mut shelf))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure { code: error.code(), error: error.into() })?;
    // Hashing files beside the first searches would slow them down.
    shelf.checks().iter().try_for_each(|check| check.wait()).map_err(Failure::database)?;
    let limits = Limits { time_limit: args.time_limit, node_limit: args.node_limit, memory: None };
    let trials = contest::run(&contestants, &suite, limits, args.threads)?;
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
        svg::draw(&mut file, &suite, &contestants, &trials, limits)
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

/// An error for the user with nothing more to it.
fn broken(what: impl std::fmt::Display) -> Failure {
    Failure::database(anyhow!("{what}"))
}
