//! `taquin bench`: how strong heuristics are, and how fast the searches with them. [`crate::lab`] measures.

mod report;
mod suite;
mod watch;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use clap::builder::PossibleValuesParser;

pub use self::suite::SuiteName;
use self::watch::Watch;
use crate::board::Metric;
use crate::cli::args::boards::KindArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits;
use crate::cli::args::parsers::{metric, path, threads};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::interrupt::{self, Answering};
use crate::cli::output::file::{Files, Output, is_standard};
use crate::cli::output::streams::{self, say};
use crate::cli::words;
use crate::lab::{
    self, Contender, Contest, Entry, Provenance, Record, RecordError, Search, Settings, Source,
    Suite,
};
use crate::pdb::MAX_SLIDE_CELLS;
use crate::search::Cancel;
use crate::text::grouped;

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Boards: korf100, antipodes80, hard15, multi43, korf24, random:N, random:N:SEED, or a file
    ///
    /// korf100 are of Korf 1985, antipodes80 are 80 moves from the goal, hard15 need the most nodes with the
    /// 7-8 databases, multi43 are 43 slides from the goal, korf24 are the 24-puzzles of Korf & Felner 2002, of
    /// which many take hours. The seed of random is 1 by default. The default is korf100, with --until
    /// random:100k.
    #[arg(long, value_name = "SET")]
    set: Option<SuiteName>,

    /// The unit that counts as one move: a single tile, or a slide of one or several tiles in a line
    ///
    /// With multi, boards have up to 16 cells, and the heuristics are standard, the databases that count
    /// slides, and manhattan.
    #[arg(long, value_name = "METRIC", value_parser = metric(), default_value_t)]
    metric: Metric,

    /// Contenders, separated by commas or spaces, as in 5-5-5:mirror,7-8,search:standard
    ///
    /// The others are compared with the first one. The option may be given several times: a program or a file
    /// is the last of its list. The default on 4x4 is 4-4-4-3:mirror, 5-5-5:mirror, 6-6-3:mirror, 7-8,
    /// 7-8:mirror and standard.
    #[arg(long, value_name = "LIST", value_parser = Contenders::parse, action = clap::ArgAction::Append)]
    heuristics: Vec<Contenders>,

    /// Time for each search, as in 10, 0.5, 200ms, 2m or 1h
    ///
    /// A board that a heuristic does not solve in time counts as unsolved for it. Time to load and
    /// build databases does not count.
    #[arg(long, value_name = "TIME", value_parser = limits::time, allow_negative_numbers = true)]
    time_limit: Option<Duration>,

    /// Nodes for each search, as in 500000, 2e6 or 10M
    ///
    /// A board that a heuristic does not solve within them counts as unsolved for it.
    #[arg(long, value_name = "N", value_parser = limits::count, allow_negative_numbers = true)]
    node_limit: Option<u64>,

    /// Add boards until the 95 % interval of each ratio of nodes is this narrow, as in 2% or 0.02
    ///
    /// The share is the distance from the ratio to the further end of its interval.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    until: Option<f64>,

    /// Number of boards tried at the same time; each search uses one thread
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,

    #[command(flatten)]
    kind: KindArgs,

    /// Measure average h over N random boards, its histogram, the heuristic quality, and the nodes
    /// that Korf, Reid & Edelkamp predict
    #[arg(long, value_name = "N", value_parser = positions, allow_negative_numbers = true)]
    values: Option<u32>,

    /// Compare the values with true distances: is the heuristic admissible, consistent, how far off?
    ///
    /// The standard search finds the distances of boards whose optimal length is not known, within
    /// --time-limit. On 5x5 one may take hours.
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["distances"]))]
    against: Option<String>,

    /// Write a line for each search to a CSV file; - writes to the standard output
    ///
    /// It has the boards that all heuristics have tried, also after an interrupt. With - the table goes to
    /// the standard error.
    #[arg(long, value_name = "FILE", value_parser = path())]
    csv: Option<PathBuf>,

    /// Write all searches, results and their origin to a JSON file, which --replay reads
    #[arg(long, value_name = "FILE", value_parser = path())]
    record: Option<PathBuf>,

    /// Run the searches of a record again, and compare lengths and node counts exactly
    ///
    /// Searches that a limit of time or memory ended are not repeated: of them the values alone are compared.
    /// The commands of program: in the record are run.
    #[arg(
        long, value_name = "FILE", value_parser = path(),
        conflicts_with_all = ["set", "heuristics", "time_limit", "node_limit", "until", "batch", "goal", "size", "metric"]
    )]
    replay: Option<PathBuf>,

    /// Print one JSON object for each heuristic instead of a table
    #[arg(short, long)]
    json: bool,

    /// Draw the boards solved within a number of nodes, one curve for each heuristic; - writes to
    /// the standard output
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    /// Boards that a program gets at once, in a search or without one
    ///
    /// A search expands N positions before it looks at their values. So it has more nodes with a larger N.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), default_value_t = 1000)]
    batch: u32,

    /// Time for a batch of a program, after which it counts as hung
    #[arg(long, value_name = "TIME", value_parser = limits::time, default_value = "60s")]
    answer_time: Duration,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// The time in which a bench without given boards or limits answers, including the time to build the
/// databases.
const SOON: Duration = Duration::from_secs(10);

/// The least time that remains for its searches.
const LEAST: Duration = Duration::from_secs(2);

/// A list of `--heuristics`.
#[derive(Clone, Debug)]
struct Contenders(Vec<Contender>);

impl Contenders {
    fn parse(text: &str) -> Result<Contenders, String> {
        Contender::parse_list(text).map(Contenders).map_err(|error| error.to_string())
    }
}

/// The heuristics of a bench without `--heuristics`.
fn usual(suite: &Suite) -> Vec<Contender> {
    let (width, height) = (suite.grid().width(), suite.grid().height());
    let in_corner = [0, 3, 12, 15].contains(&suite.goal.board().blank());
    let many = (width, height, in_corner) == (4, 4, true);
    let list = if many && suite.metric == Metric::Single {
        "4-4-4-3:mirror,5-5-5:mirror,6-6-3:mirror,7-8,7-8:mirror,standard"
    } else {
        "standard"
    };
    Contender::parse_list(list).expect("these are heuristics")
}

/// Parses a number of positions whose values are measured.
fn positions(text: &str) -> Result<u32, String> {
    const MOST: u64 = 100_000_000;
    match limits::count(text)? {
        count @ 2..=MOST => Ok(count as u32),
        _ => Err(format!("the number of boards must be 2 to {}", grouped(MOST))),
    }
}

/// Parses a share, as in `2%` or `0.02`.
fn share(text: &str) -> Result<f64, String> {
    let (number, factor) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 0.01));
    let share = number.trim().parse::<f64>().ok().map(|share| share * factor);
    let share = share.filter(|share| (1e-6..=1.0).contains(share));
    share.ok_or_else(|| "write a share, as in 2% or 0.02".to_owned())
}

/// Boards, heuristics and settings, and the record that they come from.
struct Plan {
    suite: Suite,
    contenders: Vec<Contender>,
    settings: Settings,
    record: Option<Record>,
}

impl BenchArgs {
    fn plan(&self) -> Result<Plan, Failure> {
        let settings =
            |of: Settings| Settings { threads: self.threads, answer_time: self.answer_time, ..of };
        if let Some(path) = &self.replay {
            let refused = |error: anyhow::Error| wrong!("{}: {error}", path.display());
            let not = |error| match error {
                RecordError::Text(_) => refused(anyhow!("{error}: give a file of --record")),
                error => refused(error.into()),
            };
            let file = File::open(path).map_err(|error| refused(error.into()))?;
            let record = Record::read(BufReader::new(file));
            let record = record.map_err(not)?;
            let (suite, contenders, of) = record.again().map_err(not)?;
            return Ok(Plan { suite, contenders, settings: settings(of), record: Some(record) });
        }
        let usual_set = if self.until.is_some() { "random:100k" } else { "korf100" };
        let name = self.set.clone().unwrap_or_else(|| usual_set.parse().expect("a set"));
        let suite = name.load(&self.kind, self.metric).map_err(Failure::usage)?;
        let mut contenders: Vec<Contender> = Vec::new();
        for contender in self.heuristics.iter().flat_map(|list| &list.0) {
            if contenders.iter().any(|known| known.to_string() == contender.to_string()) {
                return Err(wrong!("{} appears twice", contender.name));
            }
            contenders.push(contender.clone());
        }
        if contenders.is_empty() {
            contenders = usual(&suite);
        }
        if self.metric == Metric::Multi {
            self.check_slides(&suite)?;
        }
        let searches = |contender: &Contender| contender.search != Search::Values;
        let ratios = contenders.iter().filter(|contender| searches(contender)).count();
        if self.until.is_some() && !(ratios > 1 && searches(&contenders[0])) {
            let message = "--until is for the ratio of two searches or more to the first one";
            return Err(wrong!("{message}: give --heuristics two, the first with a search"));
        }
        let asked = self.set.is_some() || self.until.is_some();
        let asked = asked || self.time_limit.is_some() || self.node_limit.is_some();
        let settings = settings(Settings {
            time_limit: self.time_limit,
            node_limit: self.node_limit,
            budget: (!asked).then_some(SOON),
            until: self.until,
            batch: self.batch as usize,
            ..Settings::default()
        });
        Ok(Plan { suite, contenders, settings, record: None })
    }

    /// Refuses options that the multi-tile metric does not have.
    fn check_slides(&self, suite: &Suite) -> Result<(), Failure> {
        let wrong = |message: &str| Err(wrong!("--metric multi {message}"));
        if suite.grid().cells() > MAX_SLIDE_CELLS {
            return wrong(&format!("is for boards of up to {MAX_SLIDE_CELLS} cells"));
        }
        if self.values.is_some() {
            return wrong("does not go with --values");
        }
        Ok(())
    }

    /// Returns whether a file takes the standard output, so that the table goes to the standard
    /// error.
    ///
    /// # Errors
    /// The objects take it too.
    fn writes_to_standard_output(&self) -> Result<bool, Failure> {
        let files = [("--csv", &self.csv), ("--svg", &self.svg), ("--record", &self.record)];
        let is_output = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_standard);
        let standard = files.into_iter().find(|(_, path)| is_output(path));
        match standard {
            Some((name, _)) if self.json => {
                Err(wrong!("--json needs the standard output: give {name} a file"))
            }
            standard => Ok(standard.is_some()),
        }
    }
}

impl From<lab::Error> for Failure {
    fn from(error: lab::Error) -> Failure {
        match error {
            lab::Error::Solver(error) => Failure::from(error),
            lab::Error::NoStandard => wrong!("{error}: give --heuristics manhattan"),
            error @ lab::Error::Contradiction(_) => {
                let advice = "the databases may be damaged: check with `pdb-gen verify`";
                Failure::database(anyhow!("{error}: {advice}"))
            }
            error => Failure::usage(error),
        }
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let begin = Instant::now();
    let Plan { suite, contenders, mut settings, record } = args.plan()?;
    let to_errors = args.writes_to_standard_output()?;
    // A file that cannot be written is an error before the work, not after it.
    let read = contenders.iter().filter_map(|contender| match &contender.source {
        Source::File(path) => Some(path),
        _ => None,
    });
    let set = args.set.as_ref().and_then(SuiteName::file);
    let mut files =
        Files::reading(set.into_iter().chain(&args.replay).chain(read).chain(args.kind.file()));
    let mut output =
        |path: &Option<PathBuf>| path.as_deref().map(|path: &Path| files.output(path)).transpose();
    let (csv, svg, json) = (output(&args.csv)?, output(&args.svg)?, output(&args.record)?);
    let store = args.databases.store();
    let watch = Watch::new(&store);
    // A program or file that is missing is an error before databases are built for the others.
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    order.sort_by_key(|&i| matches!(contenders[i].source, Source::Spec(_)));
    let mut loaded = std::collections::BTreeMap::new();
    for i in order {
        let load = Entry::load(&contenders[i], &suite, &store, &settings, watch.of_stores());
        loaded.insert(i, load?);
    }
    let entries: Vec<Entry> = loaded.into_values().collect();
    let load = |_| lab::Distances::load(&suite, &store, &settings, watch.of_stores());
    let distances = args.against.as_ref().map(load).transpose()?;

    let left = |budget: Duration| budget.saturating_sub(begin.elapsed()).max(LEAST);
    settings.budget = settings.budget.map(left);
    // The origin names the time that remains for the searches.
    let mut provenance = Provenance::now(&suite, &settings, words::all());
    if let Some(record) = &record {
        provenance.time_limit = record.provenance.time_limit;
    }

    let cancel = Cancel::new();
    let handle = cancel.clone();
    let _answering = Answering::new(move || handle.cancel());
    let mut tried = Vec::new();
    let kept = record.as_ref().map(Record::kept).unwrap_or_default();
    let contest = Contest::new(&entries, &suite, settings.clone(), &cancel).again(&kept);
    let contest = distances.iter().fold(contest, Contest::against);
    let searches = (entries.len() + distances.iter().len()) as u64;
    watch.begin(suite.cases.len() as u64 * searches);
    let ended = contest.run(&|step| watch.step(step), |board| {
        tried.push(board);
        Ok::<_, lab::Error>(())
    });
    watch.end();
    let whole = tried.len() == suite.cases.len() || ended.is_ok() && !cancel.is_cancelled();
    let mut result = Record::new(&suite, &entries, &tried, Vec::new(), Vec::new(), provenance);
    // Whatever goes wrong, the files and the table have all finished trials.
    let write = |output: Option<Output>, text: &dyn Fn() -> Result<Vec<u8>, Failure>| match output {
        Some(output) if !tried.is_empty() => report::write_file(output, &text()?),
        _ => Ok(()),
    };
    let searches = write(csv, &|| lab::searches(&result).map_err(Failure::usage));
    let count = args.values.filter(|_| whole);
    let (values, values_error) =
        or_error(count.map(|count| lab::measure(&entries, &suite, count, &cancel)));
    let (truth, truth_error) =
        or_error(distances.map(|_| lab::compare(&entries, &suite, &tried, &cancel)));
    (result.values, result.truth) = (values, truth);
    let written = write(svg, &|| Ok(lab::draw(&suite, &result).into_bytes()))
        .and_then(|()| write(json, &|| report::record(&result)));
    if tried.is_empty() {
        say("taquin", "no board was tried with every heuristic");
    } else if args.json {
        report::json(&result)?;
    } else {
        streams::text(&lab::table(&suite, &result), to_errors)?;
    }
    let until = settings.until.filter(|_| ended.is_ok() && !cancel.is_cancelled());
    if let Some(note) = until.and_then(|share| lab::not_narrow(&result, share)) {
        say("taquin", note);
    }
    let replayed = record.as_ref().map(|record| record.differences(&entries, &tried));
    // Programs end before an interrupt ends this one.
    drop(entries);
    interrupt::finish();
    let checks = [ended.map_err(Failure::from), searches, values_error, truth_error, written];
    checks.into_iter().collect::<Result<(), Failure>>()?;
    match replayed {
        Some(found) => report::replayed(found, to_errors || args.json),
        None if tried.is_empty() => Ok(ExitCode::Negative),
        None => Ok(ExitCode::Fine),
    }
}

/// The results measured, or the reason why there are none.
fn or_error<T>(measured: Option<Result<Vec<T>, lab::Error>>) -> (Vec<T>, Result<(), Failure>) {
    match measured.unwrap_or(Ok(Vec::new())) {
        Ok(measured) => (measured, Ok(())),
        Err(error) => (Vec::new(), Err(error.into())),
    }
}
