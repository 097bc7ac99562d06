//! A record of a run that can be cited and run again.

use serde::{Deserialize, Serialize};

use super::contender::Contender;
use super::entry::Entry;
use super::error::Error;
use super::machine::Provenance;
use super::settings::Settings;
use super::suite::{Case, Suite};
use super::summary::{Row, rows};
use super::trial::{Trial, Tried};
use super::truth::Truth;
use super::values::Values;
use crate::board::{Board, Goal};

/// The version of the fields of [`Record`] and of [`Row`].
pub const SCHEMA: u32 = 4;

/// A run: its origin, its boards with all trials, and its summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The version of these fields.
    pub schema: u32,
    /// The name of the suite.
    pub set: String,
    /// The number of boards of the suite. The record has the boards that all entries tried.
    pub boards_of_set: usize,
    /// The boards of its file that cannot reach the goal. They are not boards of the suite.
    pub left_out: usize,
    /// The origin.
    pub provenance: Provenance,
    /// A row for each entry.
    pub summary: Vec<Row>,
    /// The values over random boards, where they were measured.
    pub values: Vec<Option<Values>>,
    /// The comparison with true distances, where it was asked for.
    pub truth: Vec<Truth>,
    /// The boards.
    pub boards: Vec<Tried>,
}

impl Record {
    /// The record of a run.
    pub fn new(
        suite: &Suite,
        entries: &[Entry],
        tried: &[Tried],
        values: Vec<Option<Values>>,
        truth: Vec<Truth>,
        provenance: Provenance,
    ) -> Record {
        Record {
            schema: SCHEMA,
            set: suite.name.clone(),
            boards_of_set: suite.cases.len(),
            left_out: suite.left_out,
            provenance,
            summary: rows(entries, tried),
            values,
            truth,
            boards: tried.to_vec(),
        }
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    /// [`Error::Refused`]: the text is not a record, or a record of another version.
    pub fn read(from: impl std::io::Read) -> Result<Record, Error> {
        let not = |error: serde_json::Error| {
            let why = format!("this is not a bench record ({error})");
            Error::Refused(format!("{why}: give a file written by --record"))
        };
        let value: serde_json::Value = serde_json::from_reader(from).map_err(not)?;
        match value.get("schema").and_then(serde_json::Value::as_u64) {
            Some(schema) if schema != u64::from(SCHEMA) => Err(Error::Refused(format!(
                "this record has the fields of version {schema}, but this program knows version {SCHEMA}"
            ))),
            _ => serde_json::from_value(value).map_err(not),
        }
    }

    /// The boards of the record, its heuristics, and its settings without its limits of time.
    ///
    /// # Errors
    /// [`Error::Refused`]: there is no board, or something that cannot be read.
    pub fn again(&self) -> Result<(Suite, Vec<Contender>, Settings), Error> {
        let damaged = |fault| Error::Refused(format!("the record is damaged: {fault}"));
        let (suite, contenders) = self.parts().map_err(damaged)?;
        let of = self.provenance.settings.clone();
        Ok((suite, contenders, Settings { time_limit: None, budget: None, until: None, ..of }))
    }

    fn parts(&self) -> Result<(Suite, Vec<Contender>), Box<dyn std::error::Error>> {
        let Provenance { size, goal, metric, .. } = &self.provenance;
        let size = size.parse()?;
        let goal = Goal::parse(goal, size)?;
        let rows = self.summary.len();
        if self.boards.is_empty() || self.boards.iter().any(|tried| tried.trials.len() != rows) {
            return Err("a board or a trial is missing".into());
        }
        let case = |tried: &Tried| -> Result<Case, Box<dyn std::error::Error>> {
            let board = Board::parse(&tried.board, Some(size))?;
            match goal.solvability(&board) {
                fine if fine.is_solvable() => Ok(Case { board, known: None }),
                reason => Err(reason.to_string().into()),
            }
        };
        let cases = self.boards.iter().map(case).collect::<Result<Vec<_>, _>>()?;
        let contender = |Row { about, .. }: &Row| -> Result<Contender, Error> {
            Ok(Contender { name: about.heuristic.clone(), ..about.contender.parse()? })
        };
        let contenders = self.summary.iter().map(contender).collect::<Result<_, _>>()?;
        Ok((Suite::new(&self.set, goal, metric.parse()?, cases), contenders))
    }

    /// The differences between this record and the boards tried again, each in a line, and the number of
    /// searches compared. Of a search that is not repeated, only the value is compared.
    pub fn differences(&self, entries: &[Entry], again: &[Tried]) -> (usize, Vec<String>) {
        let mut lines = Vec::new();
        for (row, Entry { about, .. }) in self.summary.iter().zip(entries) {
            let (name, then) = (&about.heuristic, &row.about);
            if then.ran != about.ran {
                lines.push(format!("{name}: the record ran {}, now {} runs", then.ran, about.ran));
            } else if then.tables != about.tables {
                lines.push(format!("{name}: the tables differ"));
            }
        }
        let mut compared = 0;
        for tried in again {
            let Some(board) = self.boards.get(tried.number - 1) else { continue };
            for ((then, now), entry) in board.trials.iter().zip(&tried.trials).zip(entries) {
                let is_repeated = then.is_repeatable();
                compared += usize::from(is_repeated);
                let counts = |Trial { h, length, generated, expanded, .. }: &Trial| {
                    if !is_repeated {
                        return format!("h {h}");
                    }
                    let length = length.map_or("none".to_owned(), |length| length.to_string());
                    format!("h {h}, length {length}, {generated} generated, {expanded} expanded")
                };
                let (then, now) = (counts(then), counts(now));
                if then != now {
                    let (number, name) = (board.number, &entry.about.heuristic);
                    lines.push(format!("board {number}, {name}: {then} in the record, {now} now"));
                }
            }
        }
        (compared, lines)
    }
}
