//! Answers as text for people or as JSON for programs.
//!
//! Text: answers go to the standard output, separated by empty lines, and errors to the standard
//! error. JSON: one object, on one line, for each board, solved or not. The lines of a board are
//! flushed at once, because a caller may wait for an answer before it asks the next question.

use std::io::{self, Write};

use serde::Serialize;

use super::format::{self, Format};
use super::table::plural;
use crate::cli::input::lines::{Input, Origin};
use crate::cli::method::AllSolutions;
use crate::cli::session::Answer;
use crate::cli::trouble::Trouble;
use crate::search::Stop;

/// The answer for a board, or why it has none.
#[derive(Debug)]
pub struct Report {
    pub origin: Origin,
    pub result: Result<Answer, Rejected>,
}

impl Report {
    pub fn new(input: Input, result: Result<Answer, Trouble>) -> Report {
        let Input { origin, text, .. } = input;
        Report { origin, result: result.map_err(|trouble| Rejected { input: text, trouble }) }
    }
}

/// A board without an answer.
#[derive(Debug)]
pub struct Rejected {
    /// The text of the board.
    pub input: String,
    pub trouble: Trouble,
}

/// Writes reports.
pub enum Printer<O, E> {
    Text {
        out: O,
        errors: E,
        format: Format,
        /// Whether an answer was printed.
        begun: bool,
    },
    Json {
        out: O,
    },
}

impl<O: Write, E: Write> Printer<O, E> {
    pub fn print(&mut self, report: &Report) -> io::Result<()> {
        match self {
            Printer::Text { out, errors, format, begun } => match &report.result {
                Ok(answer) => {
                    if std::mem::replace(begun, true) {
                        writeln!(out)?;
                    }
                    text(out, *format, answer)?;
                    out.flush()
                }
                Err(rejected) => rejected.print(false, out, errors, &report.origin),
            },
            Printer::Json { out } => match &report.result {
                Ok(answer) => {
                    serde_json::to_writer(&mut *out, &Solved::from(answer))?;
                    writeln!(out)?;
                    out.flush()
                }
                Err(rejected) => {
                    rejected.print(true, out, &mut io::sink(), &report.origin)?;
                    out.flush()
                }
            },
        }
    }
}

impl Rejected {
    /// Writes why the board has no answer: as an object among the results, or as a line among
    /// the errors.
    pub fn print(
        &self,
        json: bool,
        out: &mut impl Write,
        errors: &mut impl Write,
        origin: &Origin,
    ) -> io::Result<()> {
        if json {
            serde_json::to_writer(&mut *out, &Unsolved::new(origin, self))?;
            return writeln!(out);
        }
        // A message that cannot be written is no reason to stop.
        let _ = writeln!(errors, "taquin: {origin}{}", self.trouble);
        Ok(())
    }
}

fn text(out: &mut impl Write, format: Format, answer: &Answer) -> io::Result<()> {
    if format != Format::Boards || answer.path.is_none() {
        writeln!(out, "{:#}", answer.board)?;
    }
    let within = answer.stopped.map(|stop| names(stop).1);
    let least = answer.lower_bound;
    let Some(path) = &answer.path else {
        let within = within.unwrap_or_default();
        return writeln!(out, "unsolved {within}: at least {} are needed", plural(least, "move"));
    };
    let listed = answer.solutions.as_ref().and_then(|found| found.as_ref().ok()?.paths.as_deref());
    for (i, path) in listed.unwrap_or(std::slice::from_ref(path)).iter().enumerate() {
        if i > 0 && matches!(format, Format::Numbered | Format::Boards) {
            writeln!(out)?;
        }
        format::moves(out, format, &answer.board, path)?;
    }
    let length = plural(answer.length().unwrap_or_default(), "move");
    let gap = answer.gap();
    match within {
        _ if answer.is_optimal() => write!(out, "{length}, optimal")?,
        Some(within) => {
            write!(out, "{length}, not proved optimal {within}: at least {least} are needed")?
        }
        None => write!(out, "{length}, not optimal: at least {least} are needed, a gap of {gap}")?,
    }
    match &answer.solutions {
        None => writeln!(out),
        Some(Err(stop)) => writeln!(out, ", solutions not counted {}", names(*stop).1),
        Some(Ok(AllSolutions { count: 1, .. })) => writeln!(out, ", 1 solution"),
        Some(Ok(AllSolutions { count, paths })) => match paths {
            Some(paths) if (paths.len() as u128) < *count => {
                writeln!(out, ", the first {} of {count} solutions", paths.len())
            }
            _ => writeln!(out, ", {count} solutions"),
        },
    }
}

/// The reason why a search ended: a word for programs, and a phrase for people.
fn names(stop: Stop) -> (&'static str, &'static str) {
    match stop {
        Stop::Asked => ("interrupt", "before it was interrupted"),
        Stop::Time => ("time", "within the time limit"),
        Stop::Nodes => ("nodes", "within the node limit"),
        Stop::Memory => ("memory", "within the memory"),
        Stop::Moves => ("moves", "within the moves allowed"),
    }
}

/// The version of the fields of an object.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Solved<'a> {
    schema: u32,
    width: usize,
    height: usize,
    board: &'a [u8],
    goal: &'a [u8],
    solved: bool,
    optimal: bool,
    length: Option<u32>,
    moves: Option<String>,
    lower_bound: u32,
    generated: u64,
    expanded: u64,
    seconds: f64,
    heuristic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<String>>,
}

impl<'a> From<&'a Answer> for Solved<'a> {
    fn from(answer: &'a Answer) -> Solved<'a> {
        let grid = answer.board.grid();
        let solutions = answer.solutions.as_ref().and_then(|found| found.as_ref().ok());
        Solved {
            schema: SCHEMA,
            width: grid.width(),
            height: grid.height(),
            board: answer.board.tiles(),
            goal: answer.target.goal.board().tiles(),
            solved: answer.path.is_some(),
            optimal: answer.is_optimal(),
            length: answer.length(),
            moves: answer.path.as_ref().map(ToString::to_string),
            lower_bound: answer.lower_bound,
            generated: answer.generated,
            expanded: answer.expanded,
            seconds: answer.time.as_secs_f64(),
            heuristic: &answer.heuristic,
            gap: Some(answer.gap()).filter(|&gap| gap > 0),
            solutions: solutions.map(|solutions| solutions.count),
            all: solutions.and_then(|solutions| {
                Some(solutions.paths.as_ref()?.iter().map(ToString::to_string).collect())
            }),
            stopped: answer.stopped.map(|stop| names(stop).0),
        }
    }
}

#[derive(Serialize)]
struct Unsolved<'a> {
    schema: u32,
    line: usize,
    input: String,
    error: String,
    kind: &'a str,
}

impl Unsolved<'_> {
    fn new(origin: &Origin, rejected: &Rejected) -> Self {
        Unsolved {
            schema: SCHEMA,
            line: origin.number(),
            input: shortened(&rejected.input),
            error: rejected.trouble.to_string(),
            kind: rejected.trouble.kind(),
        }
    }
}

/// The most characters of a bad board in a message.
const SHOWN: usize = 80;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_cut_between_characters() {
        assert_eq!(shortened("1 2 x"), "1 2 x");
        assert_eq!(shortened(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(shortened(&"é".repeat(81)), "é".repeat(80) + "…");
    }
}
