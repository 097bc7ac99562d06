//! Searches, summaries and histograms as CSV. Each line names its origin in its last columns, so that lines
//! of several files can be put together.

use serde::Serialize;

use super::contest::Tried;
use super::entry::Entry;
use super::machine::Provenance;
use super::record::Record;
use super::suite::Suite;
use super::trial::number;
use super::truth::Truth;

/// The beginning of every CSV file of searches.
#[doc(hidden)]
pub const SEARCHES_HEAD: &str = "set,number,board,optimal,heuristic,";

/// Lines for the searches, after a line with the names of the columns.
#[doc(hidden)]
pub struct Searches {
    provenance: Provenance,
    tables: Vec<String>,
    /// True if the names of the columns are written.
    begun: bool,
}

#[derive(Serialize)]
struct Search<'a> {
    set: &'a str,
    number: usize,
    board: String,
    optimal: Option<u32>,
    heuristic: &'a str,
    #[serde(serialize_with = "number")]
    h: f64,
    solved: bool,
    generated: u64,
    expanded: u64,
    seconds: f64,
    ran: &'a str,
    contender: &'a str,
    length: Option<u32>,
    bound: Option<u32>,
    stopped: &'a str,
    least_seconds: f64,
    most_seconds: f64,
    tables: &'a str,
}

/// The last columns.
#[derive(Serialize)]
struct Origin<'a> {
    goal: &'a str,
    metric: &'a str,
    program: &'a str,
    commit: &'a str,
    date: &'a str,
    system: &'a str,
    processor: &'a str,
    cores: usize,
    threads: usize,
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    repeat: u32,
    seeds: String,
    command: String,
}

impl<'a> Origin<'a> {
    fn of(provenance: &'a Provenance) -> Origin<'a> {
        Origin {
            goal: &provenance.goal,
            metric: &provenance.metric,
            program: &provenance.program,
            commit: provenance.commit.as_deref().unwrap_or(""),
            date: &provenance.date,
            system: &provenance.system,
            processor: provenance.processor.as_deref().unwrap_or(""),
            cores: provenance.cores,
            threads: provenance.threads,
            time_limit: provenance.time_limit,
            node_limit: provenance.node_limit,
            repeat: provenance.repeat,
            seeds: provenance.seeds.map(|seed| seed.to_string()).join(" "),
            command: provenance.command.join(" "),
        }
    }
}

/// The tables of an entry, as `file=checksum`.
fn tables(tables: &[super::TableRecord]) -> String {
    let one = |t: &super::TableRecord| format!("{}={}", t.table, t.checksum);
    tables.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn text<T: Serialize>(head: bool, lines: impl IntoIterator<Item = T>) -> csv::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(head).from_writer(Vec::new());
    lines.into_iter().try_for_each(|line| writer.serialize(line))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

impl Searches {
    /// No lines yet.
    pub fn new(entries: &[Entry], provenance: &Provenance) -> Searches {
        let tables = entries.iter().map(|entry| tables(&entry.tables)).collect();
        Searches { provenance: provenance.clone(), tables, begun: false }
    }

    /// The lines of a board.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn lines(
        &mut self,
        suite: &Suite,
        entries: &[Entry],
        board: &Tried,
    ) -> Result<Vec<u8>, csv::Error> {
        let case = &suite.cases[board.place];
        let trials = entries.iter().zip(&board.trials).zip(&self.tables);
        let lines = trials.map(|((entry, trial), tables)| {
            let (least, most) = trial.spread.unwrap_or((trial.seconds, trial.seconds));
            let search = Search {
                set: &suite.name,
                number: board.place + 1,
                board: case.board.to_string(),
                optimal: board.optimal,
                heuristic: &entry.name,
                h: trial.h,
                solved: trial.length.is_some(),
                generated: trial.generated,
                expanded: trial.expanded,
                seconds: trial.seconds,
                ran: &entry.ran,
                contender: &entry.contender,
                length: trial.length,
                bound: trial.bound,
                stopped: trial.stopped.as_deref().unwrap_or(""),
                least_seconds: least,
                most_seconds: most,
                tables,
            };
            (search, Origin::of(&self.provenance))
        });
        text(!std::mem::replace(&mut self.begun, true), lines)
    }
}

/// The summary of a record as CSV.
///
/// # Errors
/// None that a caller can cause.
#[doc(hidden)]
pub fn summary(record: &Record) -> Result<Vec<u8>, csv::Error> {
    #[derive(Serialize)]
    struct Line<'a> {
        set: &'a str,
        heuristic: &'a str,
        contender: &'a str,
        ran: &'a str,
        boards: usize,
        solved: usize,
        unsolved: usize,
        average_h: f64,
        average_gap: Option<f64>,
        h_over_length: Option<f64>,
        average_excess: Option<f64>,
        average_nodes: f64,
        least_average_nodes: Option<f64>,
        most_average_nodes: Option<f64>,
        median_nodes: f64,
        nodes_ratio: Option<f64>,
        least_nodes_ratio: Option<f64>,
        most_nodes_ratio: Option<f64>,
        time_ratio: Option<f64>,
        least_time_ratio: Option<f64>,
        most_time_ratio: Option<f64>,
        nodes_per_second: f64,
        seconds: f64,
        worst_seconds: f64,
        effective_branching: Option<f64>,
        table_bytes: u64,
        setup_seconds: f64,
        built: bool,
        violations: Option<usize>,
        moves: Option<usize>,
        inconsistent: Option<usize>,
        correlation: Option<f64>,
        random_average_h: Option<f64>,
        quality: Option<f64>,
        quality_error: Option<f64>,
        tables: String,
    }
    let lines = record.summary.iter().enumerate().map(|(i, row)| {
        let truth = record.truth.get(i);
        let values = record.values.get(i).and_then(Option::as_ref);
        let (low, high) = (|pair: (f64, f64)| pair.0, |pair: (f64, f64)| pair.1);
        let line = Line {
            set: &record.set,
            heuristic: &row.heuristic,
            contender: &row.contender,
            ran: &row.ran,
            boards: row.boards,
            solved: row.solved,
            unsolved: row.unsolved,
            average_h: row.average_h,
            average_gap: row.average_gap,
            h_over_length: row.h_over_length,
            average_excess: row.average_excess,
            average_nodes: row.average_nodes,
            least_average_nodes: row.nodes_interval.map(low),
            most_average_nodes: row.nodes_interval.map(high),
            median_nodes: row.median_nodes,
            nodes_ratio: row.nodes_ratio,
            least_nodes_ratio: row.nodes_ratio_interval.map(low),
            most_nodes_ratio: row.nodes_ratio_interval.map(high),
            time_ratio: row.time_ratio,
            least_time_ratio: row.time_ratio_interval.map(low),
            most_time_ratio: row.time_ratio_interval.map(high),
            nodes_per_second: row.nodes_per_second,
            seconds: row.seconds,
            worst_seconds: row.worst_seconds,
            effective_branching: row.effective_branching,
            table_bytes: row.table_bytes,
            setup_seconds: row.setup_seconds,
            built: row.built,
            violations: truth.map(|truth| truth.violations),
            moves: truth.map(|truth| truth.edges),
            inconsistent: truth.and_then(Truth::jumps),
            correlation: truth.and_then(|truth| truth.correlation),
            random_average_h: values.map(|values| values.average_h),
            quality: values.map(|values| values.quality),
            quality_error: values.map(|values| values.quality_error),
            tables: tables(&row.tables),
        };
        (line, Origin::of(&record.provenance))
    });
    text(true, lines)
}

/// The histograms of a record as CSV: a line for each entry and value.
///
/// # Errors
/// None that a caller can cause.
#[doc(hidden)]
pub fn histograms(record: &Record) -> Result<Vec<u8>, csv::Error> {
    #[derive(Serialize)]
    struct Line<'a> {
        heuristic: &'a str,
        contender: &'a str,
        h: u32,
        boards: u64,
        equilibrium_share: f64,
    }
    let lines = record.summary.iter().zip(&record.values).flat_map(|(row, values)| {
        let values = values.as_ref();
        let bars =
            values.into_iter().flat_map(|values| values.histogram.iter().zip(&values.equilibrium));
        bars.map(|(&(h, boards), &(_, equilibrium_share))| {
            let (heuristic, contender) = (&*row.heuristic, &*row.contender);
            let line = Line { heuristic, contender, h, boards, equilibrium_share };
            (line, Origin::of(&record.provenance))
        })
    });
    text(true, lines.collect::<Vec<_>>())
}
