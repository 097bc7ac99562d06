//! Results as a table for people, as JSON and CSV for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::contest::{Contestant, Trial};
use super::rows::Row;
use super::suite::Suite;
use super::values::Values;
use crate::cli::exit::Failure;
use crate::cli::written;

/// The version of the fields.
const SCHEMA: u32 = 1;

/// An object a heuristic, a line each, to the standard output.
pub(super) fn json(suite: &Suite, rows: &[Row], values: Option<&[Values]>) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Line<'a> {
        schema: u32,
        set: &'a str,
        #[serde(flatten)]
        row: &'a Row,
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<&'a Values>,
    }
    let mut out = io::stdout().lock();
    for (i, row) in rows.iter().enumerate() {
        let values = values.map(|values| &values[i]);
        let line = Line { schema: SCHEMA, set: &suite.name, row, values };
        let text = serde_json::to_string(&line).map_err(Failure::usage)?;
        if !written(writeln!(out, "{text}"))? {
            return Ok(());
        }
    }
    Ok(())
}

/// A line for each search, the first one with the names of the columns.
pub(super) fn csv(
    file: impl Write,
    suite: &Suite,
    contestants: &[Contestant],
    trials: &[Vec<Trial>],
    optima: &[Option<u32>],
) -> anyhow::Result<()> {
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
    }
    let mut writer = csv::Writer::from_writer(file);
    for (number, (case, trials)) in suite.cases.iter().zip(trials).enumerate() {
        for (contestant, trial) in contestants.iter().zip(trials) {
            writer.serialize(Record {
                set: &suite.name,
                number: number + 1,
                board: case.board.to_string(),
                optimal: optima[number],
                heuristic: &contestant.name,
                h: trial.h,
                solved: trial.length.is_some(),
                generated: trial.generated,
                expanded: trial.expanded,
                seconds: trial.time.as_secs_f64(),
            })?;
        }
    }
    writer.flush()?;
    Ok(())
}

/// A table to the standard output, and what was found of values.
pub(super) fn table(suite: &Suite, rows: &[Row], values: Option<&[Values]>) -> Result<(), Failure> {
    let mut text = format!("{}\n\n", suite.title());
    let cut = rows.iter().any(|row| row.timed_out > 0);
    let head = [
        "heuristic",
        "solved",
        "timed out",
        "h",
        "opt-h",
        "nodes",
        "a board",
        "median",
        "nodes/s",
        "time",
        "worst",
        "nodes x",
        "time x",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        // What a limit has cut off could only have become more.
        let at_least = |text: String| if row.timed_out > 0 { format!(">={text}") } else { text };
        lines.push(vec![
            row.heuristic.clone(),
            row.solved.to_string(),
            row.timed_out.to_string(),
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
    if cut {
        text += "\n>= counts what was spent on boards that were not solved within the limit; ratios are \
                 over the boards solved by both.\n";
    }
    if let Some(values) = values {
        text += &values_text(rows, values);
    }
    written(io::stdout().lock().write_all(text.as_bytes())).map(drop)
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
            row.heuristic.clone(),
            format!("{:.3} +- {:.3}", of.average_h, of.error),
            format!("{:.3e} +- {:.0} %", of.quality, 100.0 * of.quality_error / of.quality),
            ratio(of.quality / values[0].quality),
        ]);
    }
    text += &aligned(&lines);
    text += &format!(
        "\nquality is the mean of {base:.4}^-h over all positions; the least is the best.\n\n"
    );
    let mut lines = vec![vec!["h".to_owned()]];
    lines[0].extend(rows.iter().map(|row| row.heuristic.clone()));
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

/// Columns two spaces apart, the first one to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |i: usize| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = format!("{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            row += &format!("  {cell:>width$}");
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits that count.
fn significant(value: f64) -> String {
    let before = if value >= 1.0 { value.log10().floor() as usize + 1 } else { 1 };
    format!("{value:.0$}", 3_usize.saturating_sub(before))
}

fn seconds(value: f64) -> String {
    match value {
        v if v >= 1.0 => format!("{} s", significant(v)),
        v if v >= 1e-3 => format!("{} ms", significant(v * 1e3)),
        v => format!("{} us", significant(v * 1e6)),
    }
}

fn ratio(value: f64) -> String {
    match value {
        v if v >= 0.01 => significant(v),
        v if v > 0.0 => format!("1/{}", significant(1.0 / v)),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        for (value, text) in [
            (0.0, "0.00 us"),
            (2.5e-6, "2.50 us"),
            (0.0123, "12.3 ms"),
            (1.0, "1.00 s"),
            (321.9, "322 s"),
        ] {
            assert_eq!(seconds(value), text);
        }
        for (value, text) in
            [(1.0, "1.00"), (0.5, "0.50"), (0.002, "1/500"), (123.4, "123"), (0.0, "0")]
        {
            assert_eq!(ratio(value), text);
        }
    }

    #[test]
    fn columns_are_aligned() {
        let lines =
            [["a", "bb", "c"], ["dd", "e", ""]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines), "a   bb  c\ndd   e\n");
    }
}
