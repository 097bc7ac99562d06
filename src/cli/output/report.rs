//! Answers as text for people or as JSON for programs.
//!
//! Text: answers go to the standard output, separated by empty lines, and errors to the standard
//! error. JSON: one object, on one line, for each board, solved or not. The lines of a board are
//! flushed at once, because a caller may wait for an answer before it asks the next question.

use std::io::{self, Write};

use serde::Serialize;

use super::format::{self, Format};
use super::table::plural;
use crate::board::{Board, Goal, Path};
use crate::cli::advice::Trouble;
use crate::cli::exit::ExitCode;
use crate::cli::input::lines::Origin;
use crate::search::Stop;
use crate::solver::Bracket;

/// The answer for a board, or why it has none.
pub struct Report {
    pub origin: Origin,
    pub result: Result<Answer, Rejected>,
}

/// A board with its answer.
pub struct Answer {
    pub board: Board,
    pub goal: Goal,
    pub bracket: Bracket,
    /// All optimal solutions, where they are wanted.
    pub all: Option<All>,
}

/// The optimal solutions of a board.
pub struct All {
    /// Their number, or what ended the search for them.
    pub count: Result<u128, Stop>,
    /// The first of them, where they are to be listed.
    pub paths: Option<Vec<Path>>,
}

impl Answer {
    /// The code to exit with: a search that ended before its proof has failed.
    pub fn code(&self) -> ExitCode {
        let stopped = self.bracket.stopped.is_some() && !self.bracket.is_optimal();
        if stopped || self.all.as_ref().is_some_and(|all| all.count.is_err()) {
            ExitCode::Negative
        } else {
            ExitCode::Fine
        }
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
    /// Writes a report, and flushes it.
    pub fn print(&mut self, report: &Report) -> io::Result<()> {
        let Report { origin, result } = report;
        match (self, result) {
            (Printer::Text { out, format, begun, .. }, Ok(answer)) => {
                if std::mem::replace(begun, true) {
                    writeln!(out)?;
                }
                text(out, *format, answer)?;
                out.flush()
            }
            (Printer::Text { out, errors, .. }, Err(rejected)) => {
                rejected.print(false, out, errors, origin)
            }
            (Printer::Json { out }, Ok(answer)) => {
                serde_json::to_writer(&mut *out, &Solved::from(answer))?;
                writeln!(out)?;
                out.flush()
            }
            (Printer::Json { out }, Err(rejected)) => {
                rejected.print(true, out, &mut io::sink(), origin)?;
                out.flush()
            }
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
    let Answer { board, bracket, all, .. } = answer;
    if format != Format::Boards || bracket.solution.is_none() {
        writeln!(out, "{board:#}")?;
    }
    let within = bracket.stopped;
    let least = plural(bracket.lower_bound, "move");
    let Some(solution) = &bracket.solution else {
        let within = within.map(|stop| stop.to_string()).unwrap_or_default();
        return writeln!(out, "unsolved {within}: at least {least} are needed");
    };
    let counted = all.as_ref().filter(|all| all.count.is_ok());
    let listed = counted.and_then(|all| all.paths.as_deref());
    for (i, path) in listed.unwrap_or(std::slice::from_ref(solution.moves())).iter().enumerate() {
        if i > 0 && matches!(format, Format::Numbered | Format::Boards) {
            writeln!(out)?;
        }
        format::moves(out, format, board, path)?;
    }
    let length = plural(solution.len() as u64, "move");
    let gap = bracket.gap().unwrap_or_default();
    match within {
        _ if bracket.is_optimal() => write!(out, "{length}, optimal")?,
        Some(within) => {
            write!(out, "{length}, not proved optimal {within}: at least {least} are needed")?
        }
        None => write!(out, "{length}, not optimal: at least {least} are needed, a gap of {gap}")?,
    }
    match all.as_ref().map(|all| all.count) {
        None => writeln!(out),
        Some(Err(stop)) => writeln!(out, ", solutions not counted {}", stop),
        Some(Ok(count)) => match listed {
            Some(listed) if (listed.len() as u128) < count => {
                writeln!(out, ", the first {} of {count} solutions", listed.len())
            }
            _ => writeln!(out, ", {}", plural(count, "solution")),
        },
    }
}

/// The reason why a search ended: a word for programs, and a phrase for people.
fn name(stop: Stop) -> &'static str {
    match stop {
        Stop::Cancelled => "interrupt",
        Stop::Time => "time",
        Stop::Nodes => "nodes",
        Stop::Memory => "memory",
        Stop::Moves => "moves",
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
    length: Option<usize>,
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
        let Answer { board, goal, bracket, all } = answer;
        let solution = bracket.solution.as_ref();
        let counted = all.as_ref().filter(|all| all.count.is_ok());
        let listed = counted.and_then(|all| all.paths.as_ref());
        Solved {
            schema: SCHEMA,
            width: board.grid().width(),
            height: board.grid().height(),
            board: board.tiles(),
            goal: goal.board().tiles(),
            solved: solution.is_some(),
            optimal: bracket.is_optimal(),
            length: solution.map(|solution| solution.len()),
            moves: solution.map(|solution| solution.moves().to_string()),
            lower_bound: bracket.lower_bound,
            generated: bracket.effort.generated,
            expanded: bracket.effort.expanded,
            seconds: bracket.effort.time.as_secs_f64(),
            heuristic: &bracket.effort.heuristic,
            stopped: bracket.stopped.map(name),
            gap: bracket.gap().filter(|&gap| gap > 0),
            solutions: counted.and_then(|all| all.count.ok()),
            all: listed.map(|paths| paths.iter().map(ToString::to_string).collect()),
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
