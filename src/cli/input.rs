//! The boards of a command, each with its goal: from arguments, a file and the standard input.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::advice::Trouble;
use super::args::values::{GoalArg, goal, path};
use super::process::{Failure, say, wrong};
use crate::board::{Board, Goal, GoalError, Grid, LabelledBoard};
use crate::read::{self, Boards, LineFault, Lines, LinesOf, Note, ReadError, Reading};
use crate::solver::{GoalSpec, Target};

/// Boards from arguments, a file or a stream.
#[derive(Debug, Default, Args)]
pub struct BoardArgs {
    /// Board, in quotes; - reads standard input
    ///
    /// Rows with 0, _, . or x for the blank, one character a tile, or JSON: see taquin help formats.
    /// Without a board, standard input is read unless it is a terminal.
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,

    /// Boards, one a line, or grids between empty lines
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub file: Option<PathBuf>,

    /// Take every second board as the goal of the one before it
    #[arg(long, conflicts_with = "goal", hide_short_help = true)]
    pub goal_follows: bool,

    #[command(flatten)]
    pub kind: KindArgs,
}

/// The goal and the size of all boards.
#[derive(Clone, Debug, Default, Args)]
pub struct KindArgs {
    /// Goal: see taquin help goals [default: blank-last]
    #[arg(short, long, value_parser = goal)]
    pub goal: Option<GoalArg>,

    /// Columns and rows of boards in one row; 4 is 4x4
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,
}

/// The source of a board, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The only board.
    Alone,
    /// One of several arguments, counted from 1.
    Argument(usize),
    /// A line, counted from 1, of a file or stream with this name, and the board's label.
    Line(Arc<str>, usize, Option<String>),
}

impl Origin {
    /// The number of the line or argument.
    pub fn number(&self) -> usize {
        match *self {
            Origin::Alone => 1,
            Origin::Argument(number) | Origin::Line(_, number, _) => number,
        }
    }
}

/// The beginning of a message about the board.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Alone => Ok(()),
            Origin::Argument(number) => write!(f, "argument {number} (each is one board): "),
            Origin::Line(name, number, None) => write!(f, "{name}, line {number}: "),
            Origin::Line(name, number, Some(label)) => {
                write!(f, "{name}, line {number} ({label}): ")
            }
        }
    }
}

/// The place of a board in the input, and its text.
#[derive(Clone, Debug)]
pub struct Place {
    pub origin: Origin,
    /// The number of the board, from 1.
    pub index: usize,
    pub text: String,
}

impl Place {
    /// The place of the only board.
    pub fn alone() -> Place {
        Place { origin: Origin::Alone, index: 1, text: String::new() }
    }
}

/// A board of the input, whose tiles may be equal if its goal leaves something open, or why there is
/// none in its place.
pub struct Question {
    pub place: Place,
    pub board: Result<(LabelledBoard, Target), Trouble>,
}

impl Question {
    /// The board, and a goal that is one board.
    pub fn posed(self) -> Result<(Board, Goal), Trouble> {
        one_goal(self.board?)
    }
}

fn one_goal((board, goal): (LabelledBoard, Target)) -> Result<(Board, Goal), Trouble> {
    match goal {
        Target::Board(goal) => Ok((board.board().clone(), goal)),
        Target::Open(_) => Err(GoalError::NotOneBoard.into()),
    }
}

/// A board, or why there is none, before the goal is asked for.
type Answered = Result<Reading<LabelledBoard>, ReadError>;

/// A board as it is read: its origin and its text.
type Found = (Origin, String, Answered);

impl BoardArgs {
    /// All boards of a file, or of the standard input for `-`.
    pub fn of_file(path: &Path, kind: &KindArgs) -> BoardArgs {
        BoardArgs { file: Some(path.to_owned()), kind: kind.clone(), ..BoardArgs::default() }
    }

    /// Returns whether there is one board, given as an argument.
    pub fn is_alone(&self) -> bool {
        let one = self.boards.len() == 1 && self.boards[0] != "-";
        self.file.is_none() && (one || spread(&self.boards).is_some())
    }

    /// The goal, and the boards in the order of the arguments, the file and the standard input.
    pub fn questions(
        &self,
    ) -> Result<(GoalSpec, impl Iterator<Item = Question> + Send + use<>), Failure> {
        self.kind.checked_goal()?;
        let mut kind = self.kind.clone();
        let mut found = self.found()?;
        if self.goal_follows {
            let (starts, goal) = kind.pairs(found)?;
            kind.goal = goal;
            found = Box::new(starts.into_iter());
        }
        let (goal, mut told, mut noted) = (kind.goal(), self.goal_follows, BTreeSet::new());
        let questions = found.zip(1..).map(move |((origin, text, reading), index)| {
            if !told && reading.as_ref().is_ok_and(is_named_goal) {
                told = true;
                say!("note: {origin}this board is called a goal, and is read as one more board: --goal-follows takes it as the goal of the board before it");
            }
            let board = kind.asked(&origin, reading, &mut noted);
            Question { place: Place { origin, index, text }, board }
        });
        Ok((goal, questions))
    }

    /// The number of boards, unless some come from a stream or a large file.
    pub fn total(&self) -> Option<u64> {
        let is_whole = |path: &PathBuf| {
            let metadata = path.metadata();
            metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() <= COUNTED)
        };
        let ends = match &self.file {
            Some(file) => is_whole(file),
            None => !self.boards.is_empty(),
        };
        let ends = ends && self.boards.iter().all(|argument| argument != "-");
        ends.then(|| Some(self.found().ok()?.count() as u64)).flatten()
    }

    /// The boards as they are read. With [`BoardArgs::goal_follows`] an argument may have several.
    fn found(&self) -> Result<Box<dyn Iterator<Item = Found> + Send>, Failure> {
        check(&self.boards)?;
        let (size, goal) = (self.kind.row_size(), self.kind.goal());
        let goal = goal.open();
        let mut sources: Vec<Box<dyn Iterator<Item = Found> + Send>> = Vec::new();
        let mut add = |name: &str, file: Box<dyn Read + Send>, waits: bool| {
            let name: Arc<str> = name.into();
            let lines = Arriving::new(file, waits);
            let boards = match goal {
                Some(goal) => Boards::labelled(lines, goal.clone()),
                None => Boards::new(lines, size),
            };
            sources.push(Box::new(boards.map(move |item| {
                let label = item.reading.as_ref().ok().and_then(|reading| reading.label.clone());
                (Origin::Line(name.clone(), item.line, label), item.text, item.reading)
            })));
        };
        // A person ends a board with an empty line.
        let waits = io::stdin().is_terminal();
        let mut stdin = || add("standard input", Box::new(io::stdin()), waits);
        let (alone, spread) = (self.is_alone(), spread(&self.boards));
        let mut given = Vec::new();
        let texts = spread.as_ref().map_or(&self.boards[..], std::slice::from_ref);
        for (argument, number) in texts.iter().zip(1..) {
            let readings = match argument.as_str() {
                "-" => {
                    stdin();
                    continue;
                }
                text if self.goal_follows => {
                    read::boards(text, size).into_iter().map(|it| it.map(Reading::from)).collect()
                }
                text => vec![self.kind.reading(text)],
            };
            let origin = if alone { Origin::Alone } else { Origin::Argument(number) };
            given.extend(readings.into_iter().map(|it| (origin.clone(), argument.clone(), it)));
        }
        match &self.file {
            Some(path) if path == Path::new("-") => stdin(),
            Some(path) => {
                // A missing file is an error before the first board is solved.
                let file = File::open(path).with_context(|| path.display().to_string());
                add(&path.display().to_string(), Box::new(file.map_err(Failure::usage)?), false);
            }
            None if self.boards.is_empty() && waits => {
                return Err(wrong!(
                    "there is no board: give one in quotes, or boards in a file with --file, or - for standard input"
                ));
            }
            None if self.boards.is_empty() => stdin(),
            None => {}
        }
        Ok(Box::new(given.into_iter().chain(sources.into_iter().flatten())))
    }
}

/// Returns whether a board has the name of a goal, as in `goal = [1, 2, 3, 0]`.
fn is_named_goal(reading: &Reading<LabelledBoard>) -> bool {
    let label = reading.label.as_deref().unwrap_or_default().to_lowercase();
    label.starts_with("goal") || label.starts_with("target")
}

impl KindArgs {
    /// The board of a text, whose tiles may be equal if the goal leaves something open, and the goal.
    pub fn labelled(&self, text: &str) -> Result<(LabelledBoard, Target), Trouble> {
        self.asked(&Origin::Alone, self.reading(text), &mut BTreeSet::new())
    }

    /// The board of a text, and a goal that is one board.
    pub fn read(&self, text: &str) -> Result<(Board, Goal), Trouble> {
        one_goal(self.labelled(text)?)
    }

    fn reading(&self, text: &str) -> Answered {
        match self.goal().open() {
            Some(goal) => read::labelled(text, goal),
            None => read::board(text, self.row_size()).map(Reading::from),
        }
    }

    /// The board of a reading, and the goal for its size. Prints a note on each kind of guess once.
    fn asked(
        &self,
        origin: &Origin,
        reading: Answered,
        noted: &mut BTreeSet<String>,
    ) -> Result<(LabelledBoard, Target), Trouble> {
        let Reading { board, notes, goal: own, .. } = reading?;
        for note in &notes {
            // A blank missing in the same cell as before is the same guess.
            let kind = match note {
                Note::LeftOut(..) => note.to_string(),
                note => format!("{:?}", discriminant(note)),
            };
            if noted.insert(kind) {
                say!("note: {origin}{note}");
            }
        }
        let goal = self.goal().target(board.board().grid())?;
        match own {
            // All boards of a command have one goal.
            Some(own) if self.goal.is_none() && goal != Target::Board(own.clone()) => {
                Err(Trouble::other_goal(&own))
            }
            _ => Ok((board, goal)),
        }
    }

    /// Boards, and their goal, which follows each of them.
    fn pairs(
        &self,
        mut found: impl Iterator<Item = Found>,
    ) -> Result<(Vec<Found>, Option<GoalArg>), Failure> {
        let (mut starts, mut first): (Vec<Found>, Option<GoalArg>) = (Vec::new(), None);
        while let Some(start) = found.next() {
            let (origin, ..) = &start;
            let Some((_, text, reading)) = found.next() else {
                let error = wrong!("{origin}no goal follows this board");
                // The first fault of the text.
                self.asked(&Origin::Alone, start.2, &mut BTreeSet::new())
                    .map_err(Failure::usage)?;
                return Err(error);
            };
            let goal = match reading {
                Ok(reading) => Goal::from(reading.board.board().clone()),
                Err(_) if text.parse().is_ok_and(|goal: GoalSpec| goal.open().is_some()) => {
                    return Err(wrong!(
                        "{origin}a goal with equal tiles or cells that do not matter follows this board: give it with --goal"
                    ));
                }
                Err(error) => return Err(Failure::usage(error)),
            };
            let goal = GoalArg { spec: goal.into(), file: None };
            if first.get_or_insert_with(|| goal.clone()).spec.to_string() != goal.spec.to_string() {
                return Err(wrong!(
                    "{origin}another goal follows this board than the first one: give each goal in a run of its own"
                ));
            }
            starts.push(start);
        }
        Ok((starts, first))
    }

    /// The size of boards that are written in one row: the size given, or the size of a goal that leaves
    /// something open.
    fn row_size(&self) -> Option<Grid> {
        self.size.or_else(|| self.goal.as_ref()?.spec.open().map(|goal| goal.grid()))
    }

    /// The goal, by name or as a board.
    pub fn goal(&self) -> GoalSpec {
        self.goal.as_ref().map(|goal| goal.spec.clone()).unwrap_or_default()
    }

    /// The file that the goal was read from.
    pub fn file(&self) -> Option<&PathBuf> {
        self.goal.as_ref()?.file.as_ref()
    }

    /// Refuses a goal of another size than the given one, before any board is read.
    pub fn checked_goal(&self) -> Result<(), Failure> {
        let goal = self.size.map(|size| self.goal().target(size)).transpose();
        goal.map(drop).map_err(Failure::usage)
    }
}

/// Refuses arguments that look like a mistake.
fn check(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| is_board(argument)) {
        return Ok(());
    }
    if let Some(path) = arguments.iter().find(|argument| Path::new(argument).is_file()) {
        return Err(wrong!("{path} is a file: read it with --file {path}"));
    }
    let is_file_name = |argument: &&String| {
        let end = Path::new(argument).extension().and_then(OsStr::to_str);
        !argument.contains(char::is_whitespace)
            && end.is_some_and(|end| end.len() > 1 && end.bytes().all(|b| b.is_ascii_alphabetic()))
    };
    if let Some(name) = arguments.iter().find(is_file_name) {
        return Err(wrong!(
            "{name} is not a board, and there is no such file: files of boards are read with --file"
        ));
    }
    let rows = arguments.join(" / ");
    if arguments.len() > 1 && spread(arguments).is_none() && is_board(&rows) {
        return Err(wrong!("each argument is one board: write the rows together, as in '{rows}'"));
    }
    Ok(())
}

fn is_board(text: &str) -> bool {
    text.parse::<Board>().is_ok()
}

/// A board without quotes, whose tiles or rows are separate arguments.
fn spread(arguments: &[String]) -> Option<String> {
    let is_part = |argument: &String| {
        let tiles = argument.split(|c: char| !c.is_alphanumeric() && c != '_');
        argument != "-" && tiles.filter(|tile| !tile.is_empty()).count() <= 1
    };
    let boards = arguments.iter().filter(|argument| is_board(argument)).count();
    if arguments.len() < 2 || !arguments.iter().all(is_part) || boards == arguments.len() {
        return None;
    }
    let joined = arguments.join(" ");
    (is_board(&joined) || boards == 0).then_some(joined)
}

/// The longest file whose boards are counted beforehand.
const COUNTED: u64 = 64 << 20;

/// The wait for the next row of a grid from another program.
const PATIENCE: Duration = Duration::from_millis(50);

/// Lines that a thread reads, so that the consumer can see whether more arrive soon.
struct Arriving {
    lines: Receiver<Result<String, LineFault>>,
    /// A line that has arrived but was not looked at.
    next: Option<Result<String, LineFault>>,
    /// The reader waits for as long as it takes.
    waits: bool,
}

impl Arriving {
    fn new(reader: Box<dyn Read + Send>, waits: bool) -> Arriving {
        let (sender, lines) = sync_channel(64);
        thread::spawn(move || {
            let mut lines = LinesOf::new(BufReader::with_capacity(64 << 10, reader));
            // Until no more input comes, or nobody listens any more.
            while let Some(line) = lines.next_line()
                && sender.send(line).is_ok()
            {}
        });
        Arriving { lines, next: None, waits }
    }
}

impl Lines for Arriving {
    fn next_line(&mut self) -> Option<Result<String, LineFault>> {
        self.next.take().or_else(|| self.lines.recv().ok())
    }

    fn is_ready(&mut self) -> bool {
        if !self.waits && self.next.is_none() {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.next = Some(line),
                Err(RecvTimeoutError::Disconnected) => {}
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_may_be_spread_over_arguments() {
        for (words, expected) in [
            ("1 2 3 4 _ 5", true),
            ("1 2 / 3 .", true),
            ("[1, 2] , [3, 0]", true),
            ("1 x 3", true),
            ("1", false),
            ("1,2,3,0 1,2,3,0", false),
            ("1,2,3,0 -", false),
            ("1 -", false),
            ("1234 5678 9abc def0", true),
            ("123456780 867254301", false),
            ("517392b4d6f80aec zz", false),
        ] {
            let arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(spread(&arguments).is_some(), expected, "{words}");
        }
    }
}
