//! Answers as text for people or as JSON for programs.
//!
//! Text: answers on the standard output, with an empty line between two of them; what is wrong
//! with a board goes to the standard error. JSON: an object a board, a line each, whatever
//! came of it. Each board's lines are passed on at once: whoever waits for an answer before
//! asking on gets it.

use std::io::{self, Write};

use serde::Serialize;

use super::input::{Input, Origin};
use super::limits;
use super::session::{Answer, Trouble};

/// What became of a board.
#[derive(Debug)]
pub(super) struct Report {
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
pub(super) struct Rejected {
    /// The text of the board.
    pub input: String,
    pub trouble: Trouble,
}

/// Writes reports.
pub(super) enum Printer<O, E> {
    Text {
        out: O,
        errors: E,
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
            Printer::Text { out, errors, begun } => match &report.result {
                Ok(answer) => {
                    if std::mem::replace(begun, true) {
                        writeln!(out)?;
                    }
                    text(out, answer)?;
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
    /// Says what is wrong with the board: as an object among the results, or on the errors'
    /// stream.
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
        // That it cannot be said is no reason to stop.
        let _ = writeln!(errors, "taquin: {origin}{}", self.trouble);
        Ok(())
    }
}

fn text(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "{:#}", answer.board)?;
    let within = answer.stopped.map(|stop| limits::names(stop).1);
    let least = answer.lower_bound;
    let Some(path) = &answer.path else {
        let within = within.unwrap_or_default();
        return writeln!(out, "not solved {within}: at least {} are needed", moves(least));
    };
    for (i, m) in path.iter().enumerate() {
        writeln!(out, "{}: {m}", i + 1)?;
    }
    let length = moves(answer.length().unwrap_or_default());
    match within {
        _ if answer.is_optimal() => writeln!(out, "{length}, optimal"),
        Some(within) => {
            writeln!(out, "{length}, not proved optimal {within}: at least {least} are needed")
        }
        None => writeln!(out, "{length}, at least {least} are needed"),
    }
}

fn moves(count: u32) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// The version of the objects' fields.
pub(super) const SCHEMA: u32 = 1;

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
}

impl<'a> From<&'a Answer> for Solved<'a> {
    fn from(answer: &'a Answer) -> Solved<'a> {
        let grid = answer.board.grid();
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
            heuristic: &answer.target.heuristic,
            stopped: answer.stopped.map(|stop| limits::names(stop).0),
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

/// The most characters of a bad board that are repeated.
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
