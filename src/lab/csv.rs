//! The searches of a run as CSV. Each line names its origin in its last columns, so that lines of several
//! files can be put together.

use serde::Serialize;

use super::machine::Provenance;
use super::record::Record;
use super::trial::number;

#[derive(Serialize)]
struct Line<'a> {
    set: &'a str,
    number: usize,
    board: &'a str,
    optimal: Option<u32>,
    heuristic: &'a str,
    #[serde(serialize_with = "number")]
    h: f64,
    solved: bool,
    /// Whether the first heuristic solved the board too: then it is one of the `pairs` of the ratios.
    pair: bool,
    generated: u64,
    expanded: u64,
    seconds: f64,
    ran: &'a str,
    contender: &'a str,
    length: Option<u32>,
    bound: Option<u32>,
    stopped: Option<&'a str>,
    tables: String,
}

/// The last columns.
#[derive(Serialize)]
struct Origin<'a> {
    goal: &'a str,
    metric: &'a str,
    program: &'a str,
    commit: Option<&'a str>,
    date: &'a str,
    system: &'a str,
    processor: Option<&'a str>,
    cores: usize,
    threads: usize,
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    seeds: String,
    command: String,
}

/// The searches of a record as CSV: a line for each, after a line with the names of the columns.
///
/// # Errors
/// None that a caller can cause.
#[doc(hidden)]
pub fn searches(record: &Record) -> Result<Vec<u8>, csv::Error> {
    let Provenance { goal, metric, program, date, system, seeds, command, .. } = &record.provenance;
    let origin = || Origin {
        goal,
        metric,
        program,
        commit: record.provenance.commit.as_deref(),
        date,
        system,
        processor: record.provenance.processor.as_deref(),
        cores: record.provenance.cores,
        threads: record.provenance.threads,
        time_limit: record.provenance.time_limit,
        node_limit: record.provenance.node_limit,
        seeds: seeds.map(|seed| seed.to_string()).join(" "),
        command: command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    for board in &record.boards {
        let first = board.trials.first().is_some_and(|trial| trial.length.is_some());
        for (row, trial) in record.summary.iter().zip(&board.trials) {
            let tables = row.tables.iter().map(|t| format!("{}={}", t.table, t.checksum));
            let line = Line {
                set: &record.set,
                number: board.number,
                board: &board.board,
                optimal: board.optimal,
                heuristic: &row.heuristic,
                h: trial.h,
                solved: trial.length.is_some(),
                pair: first && trial.length.is_some(),
                generated: trial.generated,
                expanded: trial.expanded,
                seconds: trial.seconds,
                ran: &row.ran,
                contender: &row.contender,
                length: trial.length,
                bound: trial.bound,
                stopped: trial.stopped.as_deref(),
                tables: tables.collect::<Vec<_>>().join(" "),
            };
            writer.serialize((line, origin()))?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%^".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, text) in [
            ("--set", "--set"),
            ("", "''"),
            ("max(7-8,5-5-5)", "'max(7-8,5-5-5)'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(super::quoted(word), text);
        }
    }
}
