//! Results as a table for people, and as JSON and CSV for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::contest::{Contestant, Tried};
use super::rows::Row;
use super::suite::Suite;
use super::values::Values;
use crate::cli::exit::Failure;
use crate::cli::output::file::Output;
use crate::cli::output::streams::written;
use crate::cli::output::table::{aligned, grouped, ratio, seconds};

/// The version of the fields.
const SCHEMA: u32 = 2;

/// The beginning of every CSV file.
pub const CSV_HEAD: &str = "set,number,board,optimal,heuristic,";

/// Writes one object for each heuristic to the standard output, one a line.
pub fn json(suite: &Suite, rows: &[Row], values: Option<&[Values]>) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Line<'a> {
        schema: u32,
        set: &'a str,
        metric: &'static str,
        #[serde(flatten)]
        row: &'a Row,
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<&'a Values>,
    }
    let mut out = io::stdout().lock();
    for (i, row) in rows.iter().enumerate() {
        let values = values.map(|values| &values[i]);
        let line =
            Line { schema: SCHEMA, set: &suite.name, metric: suite.metric.name(), row, values };
        let text = serde_json::to_string(&line).map_err(Failure::usage)?;
        if !written(writeln!(out, "{text}"))? {
            return Ok(());
        }
    }
    Ok(())
}

/// Lines for the searches, after a line with the names of the columns.
pub struct Csv {
    pub output: Output,
    /// True if the names of the columns are written.
    begun: bool,
}

#[derive(Serialize)]
struct Record<'a> {
    set: &'a str,
    number: usize,
    board: String,
    optimal: Option<u32>,
    heuristic: &'a str,
    h: u32,
    solved: bool,
    generated: u64,
    expanded: u64,
    seconds: f64,
    ran: &'a str,
}

impl Csv {
    pub fn new(output: Output) -> Csv {
        Csv { output, begun: false }
    }

    /// Writes the lines of a board, so that none is lost if the bench ends. Returns whether the
    /// output still has a reader.
    pub fn write(
        &mut self,
        suite: &Suite,
        contestants: &[Contestant],
        board: &Tried,
    ) -> Result<bool, Failure> {
        let case = &suite.cases[board.place];
        let mut lines = contestants.iter().zip(&board.trials).map(|(contestant, trial)| Record {
            set: &suite.name,
            number: board.place + 1,
            board: case.board.to_string(),
            optimal: board.optimal,
            heuristic: &contestant.name,
            h: trial.h,
            solved: trial.length.is_some(),
            generated: trial.generated,
            expanded: trial.expanded,
            seconds: trial.time.as_secs_f64(),
            ran: &contestant.ran,
        });
        let mut writer = csv::WriterBuilder::new();
        let mut writer = writer.has_headers(!self.begun).from_writer(Vec::new());
        self.begun = true;
        lines.try_for_each(|line| writer.serialize(line)).map_err(Failure::usage)?;
        let text = writer.into_inner().map_err(|error| Failure::usage(error.into_error()))?;
        match self.output.write_all(&text).and_then(|()| self.output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            written => written.map(|()| true).map_err(|error| self.output.failure(error)),
        }
    }
}

/// A table, followed by the values where they were measured.
pub fn table(suite: &Suite, rows: &[Row], values: Option<&[Values]>) -> String {
    let mut text = suite.title();
    let tried = rows.first().map_or(0, |row| row.boards);
    if tried < suite.cases.len() {
        text += &format!(", {tried} of them tried");
    }
    text += "\n\n";
    let cut = rows.iter().any(|row| row.unsolved > 0);
    let head = [
        "heuristic",
        "solved",
        "unsolved",
        "h",
        "opt-h",
        "nodes",
        "mean",
        "median",
        "nodes/s",
        "time",
        "worst",
        "nodes x",
        "time x",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        // Without the limit the number could only be larger.
        let at_least = |text: String| if row.unsolved > 0 { format!(">={text}") } else { text };
        lines.push(vec![
            row.label.clone(),
            row.solved.to_string(),
            row.unsolved.to_string(),
            format!("{:.2}", row.average_h),
            row.average_gap.map_or("-".to_owned(), |gap| format!("{gap:.2}")),
            at_least(grouped(row.nodes)),
            at_least(grouped(row.average_nodes.round() as u64)),
            at_least(grouped(row.median_nodes.round() as u64)),
            grouped(row.nodes_per_second.round() as u64),
            at_least(seconds(row.seconds)),
            at_least(seconds(row.worst_seconds)),
            row.nodes_ratio.map_or("-".to_owned(), ratio),
            row.time_ratio.map_or("-".to_owned(), ratio),
        ]);
    }
    text += &aligned(&lines);
    text += &legend(&rows[0].label, cut);
    if let Some(values) = values {
        text += &values_text(rows, values);
    }
    text
}

/// The meaning of the columns, and of numbers that are lower bounds.
fn legend(first: &str, cut: bool) -> String {
    let mut text = format!(
        "
h         the value of a board, on average; opt-h: the optimal length minus h
nodes     generated in all searches; mean, median: for a board
time      of all searches; worst: of the longest one
nodes x   the nodes relative to {first}, over the boards that both solved; time x: the time
"
    );
    if cut {
        text += ">=        includes searches that a limit ended, whose boards are unsolved\n";
    }
    text
}

/// Averages, qualities, and the histograms side by side.
fn values_text(rows: &[Row], values: &[Values]) -> String {
    let boards = values.first().map_or(0, |values| values.boards);
    let mut text = format!("\nvalues over {} uniform boards\n\n", grouped(boards.into()));
    let base = values.first().map_or(1.0, |values| values.branching_factor);
    let mut lines =
        vec![["heuristic", "average h", "quality", "quality x"].map(str::to_owned).to_vec()];
    for (row, of) in rows.iter().zip(values) {
        lines.push(vec![
            row.label.clone(),
            format!("{:.3} +- {:.3}", of.average_h, of.error),
            format!("{:.3e} +- {:.0} %", of.quality, 100.0 * of.quality_error / of.quality),
            ratio(of.quality / values[0].quality),
        ]);
    }
    text += &aligned(&lines);
    text += &format!(
        "\nquality is the mean of {base:.4}^-h over all positions; smaller is better.\n\n"
    );
    let mut lines = vec![vec!["h".to_owned()]];
    lines[0].extend(rows.iter().map(|row| row.label.clone()));
    let seen = || values.iter().flat_map(|of| of.histogram.iter().map(|(h, _)| *h));
    for h in seen().min().unwrap_or(0)..=seen().max().unwrap_or(0) {
        let count =
            |of: &Values| of.histogram.iter().find(|(value, _)| *value == h).map(|(_, n)| *n);
        if values.iter().all(|of| count(of).is_none()) {
            continue;
        }
        let mut line = vec![h.to_string()];
        line.extend(values.iter().map(|of| count(of).map_or(String::new(), grouped)));
        lines.push(line);
    }
    text + &aligned(&lines)
}
