//! Answers as text for people or as JSON for programs.
//!
//! Text: answers on the standard output, with an empty line between two of them; what is wrong
//! with a board goes to the standard error. JSON: an object a board, a line each, whatever
//! came of it. Each board's lines are passed on at once: whoever waits for an answer before
//! asking on gets it.

use std::io::{self, Write};

use serde::Serialize;

use super::input::Origin;
use super::session::{Answer, Trouble};

/// What became of a board.
#[derive(Debug)]
pub(super) struct Report {
    pub origin: Origin,
    pub result: Result<Answer, Rejected>,
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
                Err(Rejected { trouble, .. }) => {
                    // That it cannot be said is no reason to stop.
                    let _ = writeln!(errors, "taquin: {}{trouble}", report.origin);
                    Ok(())
                }
            },
            Printer::Json { out } => {
                match &report.result {
                    Ok(answer) => serde_json::to_writer(&mut *out, &Solved::from(answer))?,
                    Err(rejected) => {
                        serde_json::to_writer(&mut *out, &Unsolved::new(&report.origin, rejected))?
                    }
                }
                writeln!(out)?;
                out.flush()
            }
        }
    }
}

fn text(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "{:#}", answer.board)?;
    for (i, m) in answer.path.iter().enumerate() {
        writeln!(out, "{}: {m}", i + 1)?;
    }
    let moves = answer.path.len();
    writeln!(out, "{moves} move{}, optimal", if moves == 1 { "" } else { "s" })
}

/// The version of the objects' fields.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Solved<'a> {
    schema: u32,
    width: usize,
    height: usize,
    board: &'a [u8],
    goal: &'a [u8],
    solved: bool,
    optimal: bool,
    length: usize,
    moves: String,
    lower_bound: u32,
    generated: u64,
    expanded: u64,
    seconds: f64,
    heuristic: &'a str,
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
            solved: true,
            optimal: true,
            length: answer.path.len(),
            moves: answer.path.to_string(),
            lower_bound: answer.lower_bound,
            generated: answer.generated,
            expanded: answer.expanded,
            seconds: answer.time.as_secs_f64(),
            heuristic: &answer.target.heuristic,
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
