//! Results as JSON for programs, and as files.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::file::Output;
use crate::cli::output::streams::{text, written};
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

/// A record as JSON.
pub fn record(record: &Record) -> Result<Vec<u8>, Failure> {
    let mut text = serde_json::to_vec(record).map_err(Failure::usage)?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a whole file. A reader of a pipe that is gone is not an error.
pub fn write_file(mut output: Output, text: &[u8]) -> Result<(), Failure> {
    match output.write_all(text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(output.failure(error)),
        Ok(()) => output.finish(),
    }
}

/// Prints the differences of a record and its repetition, after the number of searches compared.
pub fn replayed(
    (compared, mut lines): (usize, Vec<String>),
    to_errors: bool,
) -> Result<ExitCode, Failure> {
    let (found, code) = match lines.len() {
        0 => ("all are the same".to_owned(), ExitCode::Fine),
        n => (plural(n as u64, "difference"), ExitCode::Negative),
    };
    let compared = grouped(compared as u64);
    lines.push(format!("{compared} searches compared with the record: {found}\n"));
    text(&lines.join("\n"), to_errors)?;
    Ok(code)
}
