//! `taquin bench`: how strong heuristics are, and how fast the searches with them. [`crate::lab`] measures.

mod suite;

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use crate::board::Metric;
use crate::cli::args::values::{count_in, path, time};
use crate::cli::args::{DatabaseArgs, LimitArgs, MOST_THREADS};
use crate::cli::input::KindArgs;
use crate::cli::interrupt;
use crate::cli::output::{Files, Output, Progress, is_standard, is_svg};
use crate::cli::process::{ExitCode, put, refuse, say, words, written};
use crate::lab::{
    self, Contender, Contest, Entry, Provenance, Record, Row, Search, Settings, Source, Step,
    Suite, Truth, Values,
};
use crate::pdb::MAX_SLIDE_CELLS;
use crate::solver::Event;
use crate::text::{grouped, plural, seconds};

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Boards: korf100, antipodes80, hard15, multi43, korf24, random:N:SEED, distance:D:N:SEED, or a file
    ///
    /// korf100: Korf's 100 boards (1985); antipodes80: 80 moves from the goal; hard15: most nodes with the 7-8
    /// databases; multi43: 43 slides from the goal; korf24: the 24-puzzles of Korf & Felner 2002, which take
    /// seconds to half an hour on two cores; distance: D is 30 or 20..40. Default: korf100; with --until it is
    /// random:100k, with --size or --goal random:1000.
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    /// Count moves of tiles (single) or slides (multi)
    #[arg(long, value_name = "METRIC", default_value_t, hide_default_value = true)]
    metric: Metric,

    /// Heuristics, separated by commas: each is compared with the first
    ///
    /// May be given several times. A program or a file must come last in its list.
    #[arg(long, value_name = "LIST", value_parser = contenders, action = clap::ArgAction::Append)]
    heuristics: Vec<Contenders>,

    #[command(flatten)]
    limits: LimitArgs,

    /// Add boards until the 95 % interval of each ratio of nodes is this narrow, as in 2%
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    until: Option<f64>,

    /// Number of boards to search in parallel [default: 1]
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = count_in(MOST_THREADS, "threads"), allow_negative_numbers = true, hide_default_value = true)]
    threads: u64,

    #[command(flatten)]
    kind: KindArgs,

    /// Measure values of heuristics on N random boards
    #[arg(long, value_name = "N", value_parser = count_in(2..=100_000_000, "boards"), allow_negative_numbers = true)]
    values: Option<u64>,

    /// Compare values with the true distances
    #[arg(long, value_name = "distances", value_parser = PossibleValuesParser::new(["distances"]), hide_possible_values = true)]
    against: Option<String>,

    /// Write a CSV file with a line for each search; - prints it
    #[arg(long, value_name = "FILE", value_parser = path())]
    csv: Option<PathBuf>,

    /// Write a JSON file of all searches, for --replay
    #[arg(long, value_name = "FILE", value_parser = path())]
    record: Option<PathBuf>,

    /// Repeat a record, and compare its counts exactly
    ///
    /// Searches that a limit of time or memory ended are not repeated: only their values are compared.
    /// Programs that the record names after program: are run.
    #[arg(
        long, value_name = "FILE", value_parser = path(),
        conflicts_with_all = ["set", "heuristics", "time_limit", "node_limit", "until", "batch", "goal", "size", "metric"]
    )]
    replay: Option<PathBuf>,

    /// Add a table with one row per optimal length, as in textbooks
    #[arg(long, value_name = "depth", value_parser = PossibleValuesParser::new(["depth"]), hide_possible_values = true, hide_short_help = true)]
    by: Option<String>,

    /// Print the table, or with --by the table by depth, in Markdown
    #[arg(long, conflicts_with = "json", hide_short_help = true)]
    markdown: bool,

    /// Print one JSON object for each heuristic
    #[arg(short, long)]
    json: bool,

    /// Draw how many boards are solved by how many nodes
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    /// Boards that a program gets at once [default: 1000]
    ///
    /// A search expands N positions before it gets their values, so it generates more nodes with a larger N.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), default_value_t = 1000, hide_default_value = true, hide_short_help = true)]
    batch: u32,

    /// Time for a program to answer a batch, after which it counts as hung [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s", hide_default_value = true, hide_short_help = true)]
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

fn contenders(text: &str) -> Result<Contenders, String> {
    Contender::parse_list(text).map(Contenders).map_err(|error| error.to_string())
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

/// Parses a share, as in `2%` or `0.02`.
fn share(text: &str) -> Result<f64, String> {
    let (number, factor) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 0.01));
    let share = number.trim().parse::<f64>().ok().map(|share| share * factor);
    let share = share.filter(|share| (1e-6..=1.0).contains(share));
    share.ok_or_else(|| "write a share, as in 2% or 0.02".to_owned())
}

impl BenchArgs {
    /// Boards, contenders and settings, and the record that they come from.
    fn plan(&self) -> anyhow::Result<(Suite, Vec<Contender>, Settings, Option<Record>)> {
        let settings = |of: Settings| Settings {
            threads: self.threads as usize,
            answer_time: self.answer_time,
            ..of
        };
        if let Some(path) = &self.replay {
            let refused = |error: anyhow::Error| anyhow!("{}: {error}", path.display());
            let file =
                File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            let record =
                Record::read(BufReader::new(file)).map_err(|error| refused(error.into()))?;
            let (suite, contenders, of) = record.again().map_err(|error| refused(error.into()))?;
            return Ok((suite, contenders, settings(of), Some(record)));
        }
        let is_other = self.kind.size.is_some() || self.kind.goal.is_some();
        let usual_set = match self.until {
            Some(_) => "random:100k",
            None if is_other => "random:1000",
            None => "korf100",
        };
        let name = self.set.as_deref().unwrap_or(usual_set);
        let suite = suite::load(name, &self.kind, self.metric, &self.databases)?;
        let mut contenders: Vec<Contender> = Vec::new();
        for contender in self.heuristics.iter().flat_map(|list| &list.0) {
            if contenders.iter().any(|known| known.to_string() == contender.to_string()) {
                bail!("{} appears twice", contender.name);
            }
            contenders.push(contender.clone());
        }
        if contenders.is_empty() {
            contenders = usual(&suite);
        }
        let slides = self.metric == Metric::Multi;
        let large = suite.grid().cells() > MAX_SLIDE_CELLS;
        let searches = |contender: &Contender| contender.search != Search::Values;
        let ratios = contenders.iter().filter(|contender| searches(contender)).count();
        let compares = ratios > 1 && searches(&contenders[0]);
        refuse([
            (slides && large, "--metric multi is for boards of up to 16 cells"),
            (slides && self.values.is_some(), "--metric multi does not go with --values"),
            (
                self.until.is_some() && !compares,
                "--until compares searches: give --heuristics at least two, the first with a search",
            ),
        ])?;
        let asked = self.set.is_some() || self.until.is_some();
        let asked = asked || self.limits.time_limit.is_some() || self.limits.node_limit.is_some();
        let settings = settings(Settings {
            time_limit: self.limits.time_limit,
            node_limit: self.limits.node_limit,
            budget: (!asked).then_some(SOON),
            until: self.until,
            batch: self.batch as usize,
            ..Settings::default()
        });
        Ok((suite, contenders, settings, None))
    }
}

pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let begin = Instant::now();
    let (suite, contenders, mut settings, record) = args.plan()?;
    // A file may take the standard output. Then the table goes to the standard error.
    let files = [&args.csv, &args.svg, &args.record];
    let to_errors = files.into_iter().flatten().any(|path| is_standard(path));
    refuse([(
        to_errors && args.json,
        "--json needs the standard output: give --csv, --svg and --record a file",
    )])?;
    // A file that cannot be written is an error before the work, not after it.
    let read = contenders.iter().filter_map(|contender| match &contender.source {
        Source::File(path) => Some(path),
        _ => None,
    });
    let set = args.set.as_ref().map(PathBuf::from);
    let mut files =
        Files::reading(set.iter().chain(&args.replay).chain(read).chain(args.kind.file()));
    let mut output =
        |path: &Option<PathBuf>| path.as_deref().map(|path: &Path| files.output(path)).transpose();
    args.svg.as_deref().map(is_svg).transpose()?;
    let (csv, svg, json) = (output(&args.csv)?, output(&args.svg)?, output(&args.record)?);
    let store = args.databases.store();
    let progress = Arc::new(Progress::default());
    let watch = || {
        let progress = progress.clone();
        move |event: &Event<'_>| {
            if let Event::Store(event) = event {
                progress.store(event);
            }
        }
    };
    // A program or file that is missing is an error before databases are built for the others.
    let mut loaded: Vec<Option<Entry>> = contenders.iter().map(|_| None).collect();
    for is_built in [false, true] {
        for (contender, entry) in contenders.iter().zip(&mut loaded) {
            if matches!(contender.source, Source::Spec(_)) == is_built {
                let load = Entry::load(contender, &suite, &store, &settings, watch());
                *entry = Some(load?);
            }
        }
    }
    let entries: Vec<Entry> = loaded.into_iter().flatten().collect();
    let load = |_| lab::distances(&suite, &store, watch());
    let distances = args.against.as_ref().map(load).transpose()?;

    let left = |budget: Duration| budget.saturating_sub(begin.elapsed()).max(LEAST);
    settings.budget = settings.budget.map(left);
    // The origin names the time that remains for the searches.
    let mut provenance = Provenance::now(&suite, &settings, words());
    if let Some(record) = &record {
        provenance.settings.time_limit = record.provenance.settings.time_limit;
    }

    let cancel = interrupt::cancel();
    let contest = Contest {
        entries: &entries,
        suite: &suite,
        settings: settings.clone(),
        cancel: &cancel,
        distances: distances.as_ref(),
        record: record.as_ref(),
    };
    let searches = (entries.len() + distances.iter().len()) as u64;
    progress.show(Some(suite.cases.len() as u64 * searches), "searches");
    let step = |step: Step<'_>| match step {
        Step::Begins(name) => progress.name(name),
        Step::Ends => progress.count_one(),
    };
    let (tried, ended) = contest.run(&step);
    progress.hide();
    let whole = tried.len() == suite.cases.len() || ended.is_ok() && !cancel.is_cancelled();
    let mut result = Record::new(&suite, &entries, &tried, Vec::new(), Vec::new(), provenance);
    // Whatever goes wrong, the files and the table have all finished trials.
    let write = |output: Option<Output>, text: &dyn Fn() -> anyhow::Result<Vec<u8>>| match output {
        Some(output) if !tried.is_empty() => output.put(&text()?),
        _ => Ok(()),
    };
    let searches = write(csv, &|| lab::searches(&result).map_err(|error| anyhow!(error)));
    let measure = |count| {
        progress.show(Some((entries.len() * lab::CHAINS) as u64), "chains");
        lab::measure(&entries, &suite, count as u32, &cancel, &step)
    };
    let (values, values_error) = or_error(args.values.filter(|_| whole).map(measure));
    progress.hide();
    let (truth, truth_error) =
        or_error(distances.map(|_| lab::compare(&entries, &suite, &tried, &cancel)));
    (result.values, result.truth) = (values, truth);
    let written = write(svg, &|| Ok(lab::draw(&suite, &result).into_bytes())).and_then(|()| {
        write(json, &|| Ok([serde_json::to_vec(&result)?, b"\n".to_vec()].concat()))
    });
    if tried.is_empty() {
        // An error, which follows, says enough.
        let budget = settings.budget.filter(|_| !cancel.is_cancelled());
        match (&ended, budget) {
            (Err(_), _) => {}
            (Ok(()), None) => say!("no board was tried with every heuristic"),
            (Ok(()), Some(budget)) => say!(
                "the searches of a board take longer than {}, so no board was tried with every heuristic: \
                 bound them with --node-limit, as in --node-limit 1e5",
                seconds(budget.as_secs_f64())
            ),
        }
    } else if args.json {
        json_lines(&result)?;
    } else if args.markdown {
        put(&lab::markdown(&result, args.by.is_some()), to_errors)?;
    } else {
        let by_depth = args.by.as_ref().map(|_| lab::by_depth(&result)).unwrap_or_default();
        put(&(lab::table(&suite, &result) + &by_depth), to_errors)?;
    }
    let until = settings.until.filter(|_| ended.is_ok() && !cancel.is_cancelled());
    if let Some(note) = until.and_then(|share| lab::not_narrow(&result, share)) {
        say!("{note}");
    }
    let differences = record.as_ref().map(|record| record.differences(&entries, &tried));
    // Programs end before an interrupt ends this one.
    drop(entries);
    interrupt::finish();
    let checks = [ended.map_err(anyhow::Error::from), searches, values_error, truth_error, written];
    checks.into_iter().collect::<anyhow::Result<()>>()?;
    match differences {
        Some(found) => replayed(found, to_errors || args.json),
        None if tried.is_empty() => Ok(ExitCode::Negative),
        None => Ok(ExitCode::Fine),
    }
}

/// The results measured, or the reason why there are none.
fn or_error<T>(measured: Option<Result<Vec<T>, lab::Error>>) -> (Vec<T>, anyhow::Result<()>) {
    match measured.unwrap_or(Ok(Vec::new())) {
        Ok(measured) => (measured, Ok(())),
        Err(error) => (Vec::new(), Err(error.into())),
    }
}

/// Writes one object for each heuristic to the standard output, one per line.
fn json_lines(record: &Record) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        schema: u32,
        set: &'a str,
        metric: &'a str,
        #[serde(flatten)]
        row: &'a Row,
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<&'a Values>,
        #[serde(skip_serializing_if = "Option::is_none")]
        truth: Option<&'a Truth>,
        provenance: &'a Provenance,
    }
    let mut out = io::stdout().lock();
    for (i, row) in record.summary.iter().enumerate() {
        let Record { schema, set, provenance, .. } = record;
        let values = record.values.get(i).and_then(Option::as_ref);
        let (metric, truth) = (&*provenance.metric, record.truth.get(i));
        let line = Line { schema: *schema, set, metric, row, values, truth, provenance };
        if !written(writeln!(out, "{}", serde_json::to_string(&line)?))? {
            break;
        }
    }
    Ok(())
}

/// Prints the differences of a record and its repetition, after the number of searches compared.
fn replayed(
    (compared, mut lines): (usize, Vec<String>),
    to_errors: bool,
) -> anyhow::Result<ExitCode> {
    let (found, code) = match lines.len() {
        0 => ("all are the same".to_owned(), ExitCode::Fine),
        n => (plural(n as u64, "difference"), ExitCode::Negative),
    };
    let compared = grouped(compared as u64);
    lines.push(format!("{compared} searches compared with the record: {found}\n"));
    put(&lines.join("\n"), to_errors)?;
    Ok(code)
}
