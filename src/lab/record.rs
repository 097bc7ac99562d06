//! A record of a run that can be cited and run again.

use serde::{Deserialize, Serialize};

use super::contender::{Contender, ContenderError};
use super::contest::{Settings, Tried};
use super::entry::Entry;
use super::machine::Provenance;
use super::suite::{Case, Suite};
use super::summary::{Row, rows};
use super::trial::Trial;
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
    pub boards: Vec<BoardRecord>,
}

/// A board with its trials, in the order of the rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BoardRecord {
    /// Its number in the suite, from 1.
    pub number: usize,
    /// The board.
    pub board: String,
    /// Its optimal length, if it is known.
    pub optimal: Option<u32>,
    /// The trials.
    pub trials: Vec<Trial>,
}

/// Why a record cannot be run again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is not a record.
    #[error("this is not a record of a bench: {0}")]
    Text(#[from] serde_json::Error),
    /// A version that this program does not have.
    #[error("this record has the fields of version {0}, but this program knows version {SCHEMA}")]
    Schema(u64),
    /// A heuristic that does not exist.
    #[error(transparent)]
    Contender(#[from] ContenderError),
    /// A record of a run in which all heuristics together tried no board.
    #[error("the record has no board")]
    Empty,
    /// A board, a goal or a number that cannot be read.
    #[error("the record is damaged: {0}")]
    Damaged(String),
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
        let board = |board: &Tried| BoardRecord {
            number: board.place + 1,
            board: suite.cases[board.place].board.to_string(),
            optimal: board.optimal,
            trials: board.trials.clone(),
        };
        Record {
            schema: SCHEMA,
            set: suite.name.clone(),
            boards_of_set: suite.cases.len(),
            left_out: suite.left_out,
            provenance,
            summary: rows(entries, tried),
            values,
            truth,
            boards: tried.iter().map(board).collect(),
        }
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    /// [`RecordError::Text`], [`RecordError::Schema`].
    pub fn read(from: impl std::io::Read) -> Result<Record, RecordError> {
        let value: serde_json::Value = serde_json::from_reader(from)?;
        match value.get("schema").and_then(serde_json::Value::as_u64) {
            Some(schema) if schema != u64::from(SCHEMA) => Err(RecordError::Schema(schema)),
            _ => Ok(serde_json::from_value(value)?),
        }
    }

    /// The boards of the record, its heuristics, and its settings without its limits of time.
    ///
    /// # Errors
    /// [`RecordError::Empty`], [`RecordError::Damaged`], [`RecordError::Contender`].
    #[doc(hidden)]
    pub fn again(&self) -> Result<(Suite, Vec<Contender>, Settings), RecordError> {
        let damaged = |what: &dyn std::fmt::Display| RecordError::Damaged(what.to_string());
        if self.boards.is_empty() {
            return Err(RecordError::Empty);
        }
        let Provenance { goal, metric, size, node_limit, batch, weight, .. } = &self.provenance;
        let size = size.parse().map_err(|error| damaged(&error))?;
        let goal = Goal::parse(goal, size).map_err(|error| damaged(&error))?;
        let metric = metric.parse().map_err(|error| damaged(&error))?;
        let case = |record: &BoardRecord| {
            let board = Board::parse(&record.board, Some(size)).map_err(|error| damaged(&error))?;
            match goal.solvability(&board) {
                reachable if reachable.is_solvable() => Ok(Case { board, known: None }),
                not => Err(damaged(&not)),
            }
        };
        let cases = self.boards.iter().map(case).collect::<Result<_, _>>()?;
        let suite = Suite::new(&self.set, goal, metric, cases);
        let contender = |row: &Row| {
            let contender: Contender = row.contender.parse()?;
            Ok::<_, ContenderError>(Contender { name: row.heuristic.clone(), ..contender })
        };
        let contenders: Vec<_> = self.summary.iter().map(contender).collect::<Result<_, _>>()?;
        if self.boards.iter().any(|board| board.trials.len() != contenders.len()) {
            return Err(damaged(&"a board has not a trial for each row"));
        }
        let (node_limit, batch, weight) = (*node_limit, *batch, *weight);
        let settings = Settings { node_limit, batch, weight, ..Settings::default() };
        Ok((suite, contenders, settings))
    }
}
