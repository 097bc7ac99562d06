//! Answers as text for people or as JSON for programs.
//!
//! Text: on a terminal the board, the moves and a summary. Elsewhere only the moves, so that
//! another program can read them; in formats of one line, each line belongs to one board. Errors
//! go to the standard error.
//!
//! JSON: one object, on one line, for each board, solved or not.
//!
//! The lines of a board are flushed at once, because a caller may wait for an answer before it asks
//! the next question.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use super::board::drawn;
use crate::board::{Convention, LabelledBoard, Metric, Moves};
use crate::cli::advice::Advice;
use crate::cli::args::OutputArgs;
use crate::cli::input::Place;
use crate::cli::process::ExitCode;
use crate::format::{self, Format};
use crate::search::Stop;
use crate::solver::{Bracket, Effort, Posed, Solution, Summary, Target};
use crate::store::MAX_OPTIMAL_CELLS;
use crate::text::{grouped, plural, seconds};

/// A board with its answer.
pub struct Answer {
    pub board: LabelledBoard,
    pub goal: Target,
    pub bracket: Bracket,
    /// All optimal solutions, where they are wanted.
    pub all: Option<All>,
    /// Each first move of an optimal solution, where they are wanted.
    pub good: Option<Vec<Moves>>,
}

/// The optimal solutions of a board.
pub struct All {
    /// Their number, or what ended the search for them.
    pub count: Result<u128, Stop>,
    /// The first of them, where they are to be listed; else none.
    pub paths: Vec<Moves>,
}

impl Answer {
    /// The code to exit with: a search that ended before its proof, or the gap asked for, has failed.
    pub fn code(&self) -> ExitCode {
        if self.bracket.falls_short() || self.all.as_ref().is_some_and(|all| all.count.is_err()) {
            ExitCode::Negative
        } else {
            ExitCode::Fine
        }
    }

    /// The length, its proof, and the effort.
    fn summary(&self) -> String {
        let Answer { bracket, all, .. } = self;
        let least = bracket.metric.in_words(bracket.lower_bound as usize);
        let verb = if bracket.lower_bound == 1 { "is" } else { "are" };
        let least = format!("at least {least} {verb} needed");
        let stopped = bracket.stopped.map_or(String::new(), |stop| format!(" {stop}"));
        let Some(solution) = &bracket.solution else {
            return format!("unsolved{stopped}: {least}; {}", self.effort());
        };
        let (length, gap) = (solution.length_in_words(), solution.gap());
        let proved = match bracket.stopped {
            _ if gap == 0 => "optimal".to_owned(),
            Some(Stop::Gap) => format!("a gap of {gap}: {least}"),
            _ => format!("not proved optimal{stopped}: {least} (a gap of {gap})"),
        };
        let is_large = self.board.board().grid().cells() > MAX_OPTIMAL_CELLS;
        let counted = match all {
            None => String::new(),
            Some(All { count: Err(_), .. }) if is_large => {
                "; solutions are counted only on boards of up to 25 cells".to_owned()
            }
            Some(All { count: Err(stop), .. }) => format!("; solutions not counted {stop}"),
            Some(All { count: Ok(count), paths }) => match paths.len() as u128 {
                listed if (1..*count).contains(&listed) => {
                    format!(", the first {listed} of {count} solutions")
                }
                _ => format!(", {}", plural(*count, "solution")),
            },
        };
        format!("{length}, {proved}{counted}; {}", self.effort())
    }

    fn effort(&self) -> String {
        let Effort { generated, time, earlier, .. } = &self.bracket.effort;
        let nodes = if *generated == 1 { "node" } else { "nodes" };
        let total = match earlier.is_zero() {
            true => String::new(),
            false => format!(", {} with earlier runs", seconds((*earlier + *time).as_secs_f64())),
        };
        format!("{} {nodes} in {}{total}", grouped(*generated), seconds(time.as_secs_f64()))
    }

    /// Returns whether no move is to be made.
    fn is_solved(&self) -> bool {
        self.bracket.solution.as_ref().is_some_and(|solution| solution.moves().is_empty())
    }

    /// The number of moves after the next one.
    fn left(&self) -> String {
        match &self.bracket.solution {
            Some(_) if self.is_solved() => "the board is solved".to_owned(),
            Some(solution) => {
                let left = solution.metric().in_words(solution.length() - 1);
                let most = if self.bracket.is_optimal() { "" } else { "at most " };
                format!("{most}{left} after this one")
            }
            None => self.summary(),
        }
    }
}

/// Writes answers.
pub struct Printer<O, E> {
    pub out: O,
    pub errors: E,
    pub format: Format,
    /// The convention of the moves.
    pub convention: Convention,
    /// The place of the text around the moves: the board, and the summary.
    pub around: Around,
    pub color: bool,
    pub shows: Shows,
    /// True if an answer was printed.
    pub begun: bool,
    /// There is one board, whose answer may be empty: say so if it is solved.
    pub alone: bool,
}

/// The part of an answer that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The moves of its solutions.
    Moves,
    /// Only the next move.
    Hint,
    /// Each first move of an optimal solution.
    Good,
    /// Only the number of optimal solutions.
    Count,
}

/// The first move of a solution in its metric.
fn next(solution: &Solution) -> Moves {
    let moves = solution.moves();
    let many = match solution.metric() {
        Metric::Single => 1,
        Metric::Multi => moves.runs().next().map_or(0, |(_, many)| many),
    };
    Moves(moves.iter().take(many).collect())
}

/// The place of the board and the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// The output, with the moves.
    Out,
    /// The standard error, where the moves go to another program or a file.
    Errors,
    /// Nowhere.
    Away,
}

impl Printer<BufWriter<StdoutLock<'static>>, io::Stderr> {
    /// A printer on the standard output, for one board or for several.
    pub fn new(args: &OutputArgs, alone: bool, shows: Shows) -> Self {
        let (out, errors) = (BufWriter::new(io::stdout().lock()), io::stderr());
        let terminal = out.get_ref().is_terminal();
        let format = args.format().unwrap_or(match (shows, terminal) {
            (Shows::Hint | Shows::Good, _) => Format::Words,
            (_, true) => Format::Columns,
            (_, false) => Format::Numbered,
        });
        let around = match args.quiet {
            false if terminal => Around::Out,
            false if alone && errors.is_terminal() => Around::Errors,
            _ => Around::Away,
        };
        let color = match around {
            Around::Errors => args.color.enabled(&errors),
            _ => args.color.enabled(out.get_ref()),
        };
        let shows = match shows {
            // The summary has the number.
            Shows::Count if around == Around::Out => Shows::Moves,
            shows => shows,
        };
        let (convention, alone) = (args.convention, alone && !args.quiet);
        Printer { out, errors, format, convention, around, color, shows, begun: false, alone }
    }
}

impl<O: Write, E: Write> Printer<O, E> {
    /// Writes an answer, or why there is none, and flushes it.
    pub fn print(&mut self, place: &Place, result: Result<&Answer, &Advice>) -> io::Result<()> {
        let is_json = self.format == Format::Json;
        match result {
            Ok(answer) if is_json => {
                object(&mut self.out, &Solved::new(answer, place, self.convention))?;
            }
            Ok(answer) => self.text(answer, place)?,
            Err(advice) => {
                if !is_json && self.is_line() && self.around != Around::Out {
                    // Line for line, the answers match the boards.
                    writeln!(self.out)?;
                }
                self.out.flush()?;
                reject(advice, is_json, &mut self.out, &mut self.errors, place)?;
            }
        }
        self.out.flush()
    }

    fn text(&mut self, answer: &Answer, place: &Place) -> io::Result<()> {
        let around = self.around;
        let spaced = around == Around::Out || !self.is_line();
        if std::mem::replace(&mut self.begun, true) && spaced {
            writeln!(self.out)?;
        }
        let board = drawn(&answer.board, &answer.goal, self.color);
        let shown = self.format != Format::Boards || answer.bracket.solution.is_none();
        match around {
            Around::Out if shown => writeln!(self.out, "{board}")?,
            // A failure to write among the errors does not stop the program.
            Around::Errors if shown => drop(writeln!(self.errors, "{board}")),
            _ => {}
        }
        self.moves(answer)?;
        let is_hint = self.shows == Shows::Hint;
        let summary = if is_hint { answer.left() } else { answer.summary() };
        match around {
            Around::Out => writeln!(self.out, "{summary}")?,
            Around::Errors => drop(writeln!(self.errors, "{summary}")),
            Around::Away if answer.code() != ExitCode::Fine => {
                self.out.flush()?;
                drop(writeln!(self.errors, "taquin: {}{summary}", place.origin));
            }
            Around::Away if self.alone && is_hint && !answer.is_solved() => {
                self.out.flush()?;
                drop(writeln!(self.errors, "taquin: note: {summary}"));
            }
            Around::Away
                if self.alone && shown && self.shows != Shows::Count && answer.is_solved() =>
            {
                self.out.flush()?;
                drop(writeln!(self.errors, "taquin: note: the board is solved: 0 moves"));
            }
            Around::Away => {}
        }
        Ok(())
    }

    /// Returns whether an answer is one line, with only the moves.
    fn is_line(&self) -> bool {
        self.format.is_line() || self.shows == Shows::Count
    }

    /// Writes the moves, or the number of solutions where only that is asked for.
    fn moves(&mut self, answer: &Answer) -> io::Result<()> {
        let Answer { board, goal, bracket, all, good } = answer;
        if self.shows == Shows::Count {
            let count = all.as_ref().and_then(|all| all.count.ok());
            return writeln!(self.out, "{}", count.map_or_else(String::new, |n| n.to_string()));
        }
        let (out, format, convention) = (&mut self.out, self.format, self.convention);
        let Some(solution) = &bracket.solution else {
            let missing = self.around != Around::Out && format.is_line();
            return if missing { writeln!(out) } else { Ok(()) };
        };
        if let Some(good) = good {
            let mut moves = good.iter();
            return moves.try_for_each(|m| format::moves(out, format, board, m, convention));
        }
        if self.shows == Shows::Hint {
            let first = next(solution);
            format::moves(out, format, board, &first, convention)?;
            if self.around == Around::Out && !first.is_empty() {
                let next = board.board().after(&first).expect("a solution can be replayed");
                writeln!(out, "{}", drawn(&board.with(next), goal, self.color))?;
            }
            return Ok(());
        }
        match all {
            Some(All { paths, count: Ok(_) }) if !paths.is_empty() => {
                for (i, path) in paths.iter().enumerate() {
                    if i > 0 && !format.is_line() {
                        writeln!(out)?;
                    }
                    format::moves(out, format, board, path, convention)?;
                }
                Ok(())
            }
            _ => format::moves(out, format, board, solution.moves(), convention),
        }
    }
}

/// Writes why a board has no answer: as an object among the results, or as a line among the errors.
pub fn reject(
    advice: &Advice,
    json: bool,
    out: &mut impl Write,
    errors: &mut impl Write,
    place: &Place,
) -> io::Result<()> {
    if json {
        let unsolved = Unsolved {
            head: place.into(),
            input: shortened(&place.text),
            error: &advice.message,
            kind: advice.kind,
            reachable: advice.reachable,
        };
        return object(out, &unsolved);
    }
    // A message that cannot be written does not stop the program.
    let _ = writeln!(errors, "taquin: {}{}", place.origin, advice.message);
    Ok(())
}

/// The version of the fields of objects.
const SCHEMA: u32 = 1;

/// Writes an object on a line of its own, after the version of its fields.
pub fn object(out: &mut impl Write, fields: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        schema: u32,
        #[serde(flatten)]
        fields: &'a T,
    }
    // One writer for all objects: each further one would be another copy of the code that writes them.
    let line = serde_json::to_string(&Versioned { schema: SCHEMA, fields })?;
    writeln!(out, "{line}")
}

/// The place of a board, as the first fields of an object.
#[derive(Serialize)]
pub struct Head {
    line: usize,
    index: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<&Place> for Head {
    fn from(place: &Place) -> Head {
        let notes = place.notes.iter().map(ToString::to_string).collect();
        Head { line: place.origin.number(), index: place.index, notes }
    }
}

#[derive(Serialize)]
struct Solved<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    summary: Summary<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    good: Option<Vec<String>>,
}

impl<'a> Solved<'a> {
    fn new(answer: &'a Answer, place: &Place, convention: Convention) -> Solved<'a> {
        let Answer { board, goal, bracket, all, good } = answer;
        let mut summary = Summary::new(Posed::new(board, goal), bracket, convention);
        if let Some(All { count: Err(stop), .. }) = all {
            summary.stopped = Some(*stop);
        }
        let counted = all.as_ref().filter(|all| all.count.is_ok());
        let listed = counted.filter(|all| !all.paths.is_empty());
        let letters = |paths: &Vec<Moves>| {
            paths.iter().map(|path| path.turned(convention).to_string()).collect()
        };
        Solved {
            head: place.into(),
            summary,
            solutions: counted.and_then(|all| all.count.ok()),
            all: listed.map(|all| letters(&all.paths)),
            good: good.as_ref().filter(|_| bracket.is_optimal()).map(letters),
        }
    }
}

#[derive(Serialize)]
struct Unsolved<'a> {
    #[serde(flatten)]
    head: Head,
    input: String,
    error: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reachable: &'a [&'static str],
}

/// The most characters of a bad board in a message.
const SHOWN: usize = 80;

/// The beginning of a bad board, for a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Board;
    use crate::solver::{Limits, Solver};
    use crate::store::Store;

    /// The text that goes to the standard output and the standard error for a board.
    fn written(text: &str, change: impl FnOnce(&mut Printer<Vec<u8>, Vec<u8>>)) -> [String; 2] {
        let solver = Solver::builder().store(Store::memory()).build().unwrap();
        let board: Board = text.parse().unwrap();
        let goal = solver.goal(board.grid()).unwrap();
        let mut bracket = solver.solve_with(&board, &Limits::default()).unwrap();
        bracket.effort.generated = 1234;
        bracket.effort.time = Duration::from_millis(5);
        let mut text = Printer {
            out: Vec::new(),
            errors: Vec::new(),
            format: Format::Columns,
            convention: Convention::Tile,
            around: Around::Out,
            color: false,
            shows: Shows::Moves,
            begun: false,
            alone: false,
        };
        change(&mut text);
        let (board, goal) = (board.into(), Target::Board(goal));
        let answer = Answer { board, goal, bracket, all: None, good: None };
        text.print(&Place::alone(), Ok(&answer)).unwrap();
        [text.out, text.errors].map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_terminal_gets_the_board_the_moves_and_a_summary() {
        let board = "1 2 3 / 4 0 6 / 7 5 8";
        let [grid, moves] = ["1 2 3\n4 . 6\n7 5 8\n", "1: Up    Left\n"];
        let summary = "2 moves, optimal; 1,234 nodes in 5.00 ms\n";
        let [out, errors] = written(board, |_| ());
        assert_eq!((out, &*errors), ([grid, moves, summary].concat(), ""));
        let [out, errors] = written(board, |text| text.around = Around::Errors);
        assert_eq!((&*out, errors), (moves, [grid, summary].concat()));
        let [out, errors] = written(board, |text| text.around = Around::Away);
        assert_eq!((&*out, &*errors), (moves, ""));
        // A second answer is separated from the first.
        assert!(written(board, |text| text.begun = true)[0].starts_with("\n1 2 3\n"));
    }

    #[test]
    fn a_hint_is_one_move_and_what_it_leads_to() {
        let hint = |board, around| {
            let change = |text: &mut Printer<_, _>| {
                (text.shows, text.format, text.around) = (Shows::Hint, Format::Words, around);
            };
            written(board, change)[0].clone()
        };
        let board = "1 2 3 / 4 0 6 / 7 5 8";
        assert_eq!(
            hint(board, Around::Out),
            "1 2 3\n4 . 6\n7 5 8\nUp\n1 2 3\n4 5 6\n7 . 8\n1 move after this one\n"
        );
        assert_eq!(hint(board, Around::Away), "Up\n");
        let [_, errors] = written(board, |text| {
            (text.shows, text.alone, text.around) = (Shows::Hint, true, Around::Away);
        });
        assert_eq!(errors, "taquin: note: 1 move after this one\n");
        assert_eq!(hint("1 2 3 0", Around::Out), "1 2\n3 .\n\nthe board is solved\n");
    }

    #[test]
    fn long_input_is_cut_between_characters() {
        assert_eq!(shortened("1 2 x"), "1 2 x");
        assert_eq!(shortened(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(shortened(&"é".repeat(81)), "é".repeat(80) + "…");
    }
}
