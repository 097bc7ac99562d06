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
mod curves;
mod report;
mod rows;
mod suite;
mod svg;
mod values;

use std::path::PathBuf;

use clap::Args;

use self::contest::Contestant;
use self::report::Csv;
use self::suite::Suite;
pub use self::suite::SuiteName;
use crate::board::Metric;
use crate::cli::args::boards::KindArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits::{self, LimitArgs};

use crate::cli::advice::failure;
use crate::cli::args::parsers::{metric, path, threads};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::interrupt::{self, Answering};
use crate::cli::output::file::{Files, Output, is_standard};
use crate::cli::output::streams::{self, say};
use crate::cli::output::table::grouped;
use crate::heuristic::Spec;
use crate::pdb::MAX_SLIDE_CELLS;
use crate::search::Cancel;
use crate::solver::Solver;

pub const EXAMPLES: &str = "\
Examples:
  taquin bench
  taquin bench --set random:1000 --heuristics 5-5-5:plain:mirror,6-6-3:plain:mirror,7-8:plain:mirror
  taquin bench --metric multi
  taquin bench --set hard15 --heuristics standard,portfolio,combined --time-limit 60
  taquin bench --set korf24 --time-limit 60 --threads 2
  taquin bench --set boards.txt --heuristics 'linear-conflict,max(walking-distance,linear-conflict)'
  taquin bench --node-limit 1e6 --values 100000 --heuristics manhattan,7-8:mirror --svg bench.svg

Nodes are generated children, without those that undo the last move. standard, portfolio and
combined use the search of taquin solve, which prunes more. All other heuristics use one plain IDA*,
so that the ratios of nodes depend on the heuristics alone.

Means and totals include searches that a limit ended; they are lower bounds then, marked >=. Ratios
are relative to the first heuristic, over the boards that both solved.

An interrupt ends the bench with the table of the boards that all heuristics have tried.

Fields of a JSON object, one for each heuristic:
  schema, set, metric, heuristic
  ran               the name of what ran, which says what standard stood for
  boards, solved    how many were tried, and solved within the limits
  unsolved          boards minus solved
  average_h         the mean of h, the value of a board
  average_gap       the mean of the optimal length minus h, where that length is known
  nodes             the nodes of all searches; average_nodes and median_nodes of a search
  nodes_error       the standard error of average_nodes
  nodes_per_second, seconds, worst_seconds
  nodes_ratio       the nodes relative to the first heuristic, over the boards that both solved
  time_ratio        the time, in the same way
  values            with --values: an object of averages, quality, their errors, and the histogram";

pub const CODES: &str = "\
Exit codes:
  0  all boards were tried, solved within the limits or not
  2  wrong usage, a bad board in the set, or output that cannot be written
  3  a database is missing or damaged, or two answers differ";

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Boards: korf100, antipodes80, hard15, multi43, korf24, random:N, random:N:SEED, or a file
    ///
    /// korf100: the 100 boards of Korf 1985. antipodes80: boards 80 moves from the goal. hard15:
    /// boards that need the most nodes with the 7-8 databases. multi43: boards 43 slides from the
    /// goal, the most there are. korf24: the 50 boards of 5x5 of Korf
    /// & Felner 2002, many of which take hours, so use --time-limit. random:N:SEED: the boards of
    /// taquin shuffle --count N --seed SEED; the default seed is 1. A file has the format of taquin
    /// solve --file, with solvable boards of one size.
    #[arg(long, value_name = "SET", default_value = "korf100")]
    set: SuiteName,

    /// The unit that counts as one move: a single tile, or a slide of one or several tiles in a line
    ///
    /// With multi, boards have up to 16 cells, and the heuristics are standard, the databases that count
    /// slides, and manhattan.
    #[arg(long, value_name = "METRIC", value_parser = metric(), default_value_t)]
    metric: Metric,

    /// Heuristics, separated by commas or spaces, as in 5-5-5:mirror,7-8,standard
    ///
    /// The names are those of taquin solve --heuristic. The others are compared with the first one.
    /// The default for single tiles on 4x4 is 4-4-4-3:mirror, 5-5-5:mirror, 6-6-3:mirror, 7-8, 7-8:mirror and
    /// standard, and standard alone otherwise.
    #[arg(long, value_name = "LIST")]
    heuristics: Option<Heuristics>,

    #[command(flatten)]
    limits: LimitArgs,

    /// Number of boards tried at the same time; each search uses one thread
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,

    #[command(flatten)]
    kind: KindArgs,

    /// Measure average h over N random boards, its histogram, and the heuristic quality
    #[arg(long, value_name = "N", value_parser = positions, allow_negative_numbers = true)]
    values: Option<u32>,

    /// Write a line for each search to a CSV file; - writes to the standard output
    ///
    /// The lines of a board are written when all heuristics have tried it, beside the file, which
    /// is replaced when all boards are done. If the bench ends before that, the file stays as it
    /// is, and the lines written so far are in FILE.partial; a whole bench removes that file. With -
    /// the table goes to the standard error.
    #[arg(long, value_name = "FILE", value_parser = path())]
    csv: Option<PathBuf>,

    /// Print one JSON object for each heuristic instead of a table
    #[arg(short, long)]
    json: bool,

    /// Draw the boards solved within a number of nodes, one curve for each heuristic; - writes to
    /// the standard output
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    #[command(flatten)]
    databases: DatabaseArgs,
}

impl BenchArgs {
    /// Returns whether a file takes the standard output, so that the table goes to the standard
    /// error.
    ///
    /// # Errors
    /// The objects take it too.
    fn writes_to_standard_output(&self) -> Result<bool, Failure> {
        let standard = [&self.csv, &self.svg].into_iter().flatten().any(|path| is_standard(path));
        if standard && self.json {
            let message = "--json needs the standard output: give --csv and --svg a file";
            return Err(wrong!("{message}"));
        }
        Ok(standard)
    }
}

impl BenchArgs {
    /// Refuses what the multi-tile metric does not have.
    fn check_slides(&self, suite: &Suite) -> Result<(), Failure> {
        let wrong = |message: &str| Err(wrong!("--metric multi {message}"));
        if suite.grid().cells() > MAX_SLIDE_CELLS {
            return wrong(&format!("is for boards of up to {MAX_SLIDE_CELLS} cells"));
        }
        if self.values.is_some() {
            return wrong("does not go with --values");
        }
        // Before any database is built.
        self.heuristics.iter().flat_map(|heuristics| &heuristics.0).try_for_each(|spec| {
            let builder = Solver::builder().metric(Metric::Multi).heuristic(spec.clone());
            builder.build().map(drop).map_err(failure)
        })
    }
}

/// The list of `--heuristics`.
#[derive(Clone, Debug)]
pub struct Heuristics(Vec<Spec>);

impl Heuristics {
    /// The heuristics that are tried without `--heuristics`.
    fn usual(suite: &Suite) -> Heuristics {
        let (width, height) = (suite.grid().width(), suite.grid().height());
        let in_corner = [0, 3, 12, 15].contains(&suite.goal.board().blank());
        let many = (width, height, in_corner) == (4, 4, true);
        let list = if many && suite.metric == Metric::Single {
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

/// Parses a number of positions whose values are measured.
fn positions(text: &str) -> Result<u32, String> {
    const MOST: u64 = 100_000_000;
    match limits::count(text)? {
        count @ 2..=MOST => Ok(count as u32),
        _ => Err(format!("the number of boards must be 2 to {}", grouped(MOST))),
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let suite = Suite::load(&args.set, &args.kind, args.metric).map_err(Failure::usage)?;
    if args.metric == Metric::Multi {
        args.check_slides(&suite)?;
    }
    let to_errors = args.writes_to_standard_output()?;
    // A file that cannot be written is an error before the work, not after it.
    let mut files = Files::reading(args.set.file());
    let csv = args.csv.as_deref().map(|path| files.lines(path, report::CSV_HEAD));
    let mut csv = csv.transpose()?.map(Csv::new);
    let svg = args.svg.as_deref().map(|path| files.output(path)).transpose()?;
    let store = args.databases.store();
    let heuristics = args.heuristics.clone().unwrap_or_else(|| Heuristics::usual(&suite));
    let contestants = heuristics
        .0
        .iter()
        .map(|spec| Contestant::new(spec, &suite, &store))
        .collect::<Result<Vec<_>, _>>()?;

    let cancel = Cancel::new();
    let limits = args.limits.limits().cancel(&cancel);
    let handle = cancel.clone();
    let _answering = Answering::new(move || handle.cancel());
    let mut tried = Vec::new();
    let ended = contest::run(&contestants, &suite, &limits, &cancel, args.threads, |board| {
        if let Some(csv) = &mut csv
            && !csv.write(&suite, &contestants, &board)?
        {
            cancel.cancel();
        }
        tried.push(board);
        Ok(())
    });
    let whole = tried.len() == suite.cases.len();
    let kept = csv.map_or(Ok(()), |csv| keep(csv.output, &suite, tried.len()));
    let measured = match args.values {
        Some(count) if whole => values::measure(&contestants, &suite, count, &cancel),
        _ => Ok(None),
    };
    let values = measured.as_ref().ok().and_then(|values| values.as_deref());
    let drawn = match svg {
        Some(svg) if !cancel.is_cancelled() => {
            svg::draw(svg, &suite, &contestants, &tried, values, args.limits)
        }
        _ => Ok(()),
    };
    // Whatever went wrong, this is what was done.
    if tried.is_empty() {
        say("taquin", "no board was tried with every heuristic");
    } else {
        let rows = rows::rows(&contestants, &tried);
        if args.json {
            report::json(&suite, &rows, values)?;
        } else {
            let table = report::table(&suite, &rows, values);
            streams::text(&table, to_errors)?;
        }
    }
    interrupt::finish();
    ended.and(kept).and(measured.map(drop)).and(drawn).map(|()| ExitCode::Fine)
}

/// Puts the lines of a bench in their file if they are whole, otherwise in one next to it.
fn keep(output: Output, suite: &Suite, tried: usize) -> Result<(), Failure> {
    if tried == suite.cases.len() {
        return output.finish();
    }
    if tried > 0
        && let Some(partial) = output.keep_partial()?
    {
        let (partial, all) = (partial.display(), suite.cases.len());
        say("taquin", format_args!("the lines of {tried} of {all} boards are in {partial}"));
    }
    Ok(())
}
