//! Results as JSON for programs, and as files.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::file::Output;
use crate::cli::output::streams::{print, say, written};
use crate::lab::{Provenance, Record, Row, Truth, Values};
use crate::text::{grouped, plural};

/// Writes one object for each heuristic to the standard output, one a line.
pub fn json(record: &Record) -> Result<(), Failure> {
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
        let text = serde_json::to_string(&line).map_err(Failure::usage)?;
        if !written(writeln!(out, "{text}"))? {
            return Ok(());
        }
    }
    Ok(())
}

/// Notes on the standard error that the boards ended before the intervals of `--until` were narrow.
pub fn until(record: &Record, share: f64) {
    let width = |row: &Row| {
        let ratio = row.nodes_ratio?;
        let side = row.nodes_ratio_interval.map(|(low, high)| (high - ratio).max(ratio - low));
        // One board has no interval.
        Some(side.map_or(f64::INFINITY, |side| if side > 0.0 { side / ratio } else { 0.0 }))
    };
    let widest = record.summary.iter().skip(1).filter_map(width).max_by(f64::total_cmp);
    let boards = grouped(record.boards.len() as u64);
    let reached = match widest {
        Some(widest) if widest <= share => return,
        Some(widest) if widest.is_finite() => {
            format!("the widest interval is within {:.1}% of its ratio", 100.0 * widest)
        }
        _ => "no ratio has an interval".to_owned(),
    };
    // 0.07 is 7%, not 7.000000000000001%.
    let asked = (share * 1e8).round() / 1e6;
    say("taquin", format_args!("--until {asked}% is not reached after {boards} boards: {reached}"));
}

/// A record as JSON.
pub fn record(record: &Record) -> Result<Vec<u8>, Failure> {
    let mut text = serde_json::to_vec(record).map_err(Failure::usage)?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a whole file.
pub fn write_file(mut output: Output, text: &[u8]) -> Result<(), Failure> {
    output.write_all(text).map_err(|error| output.failure(error))?;
    output.finish()
}

/// Writes the lines of a board, so that none is lost if the bench ends. Returns whether the output
/// still has a reader.
pub fn write_lines(output: &mut Output, text: &[u8]) -> Result<bool, Failure> {
    match output.write_all(text).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true).map_err(|error| output.failure(error)),
    }
}

/// Prints the differences of a record and its repetition.
pub fn replayed(compared: usize, lines: &[String]) -> Result<ExitCode, Failure> {
    lines.iter().try_for_each(|line| print(line))?;
    let searches = format!("{} searches compared with the record", grouped(compared as u64));
    if lines.is_empty() {
        print(&format!("{searches}: all are the same"))?;
        return Ok(ExitCode::Fine);
    }
    print(&format!("{searches}: {}", plural(lines.len() as u64, "difference")))?;
    Ok(ExitCode::Negative)
}
