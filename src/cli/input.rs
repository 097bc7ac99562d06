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

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::args::values::{GoalArg, goal, path};
use super::process::say;
use crate::board::{Board, Goal, GoalError, Grid, LabelledBoard, OpenGoal};
use crate::read::{self, Boards, Expected, LineFault, Lines, LinesOf, Note, ReadError, Reading};
use crate::solver::{GoalSpec, Target};

/// Boards from arguments, a file or a stream.
#[derive(Debug, Default, Args)]
pub struct BoardArgs {
    /// Board in quotes, as in '1 2 3 / 4 0 6 / 7 5 8'; - reads standard input
    ///
    /// Rows with 0, _, . or x for the blank, one character per tile, or JSON: see taquin help formats.
    /// Without a board, standard input is read unless it is a terminal.
    #[arg(value_name = "BOARD", allow_negative_numbers = true)]
    pub boards: Vec<String>,

    /// File of boards, one per line or in grids
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

    /// Size of the boards: 3, or 4x3 with 4 columns
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,

    /// Text of the blank in boards and in the goal, such as 9
    #[arg(long, value_name = "TEXT", hide_short_help = true, allow_negative_numbers = true)]
    pub blank: Option<String>,
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
    /// The guesses that the board rests on.
    pub notes: Vec<Note>,
}

impl Place {
    /// The place of the only board.
    pub fn alone() -> Place {
        Place { origin: Origin::Alone, index: 1, text: String::new(), notes: Vec::new() }
    }
}

/// A board of the input, whose tiles may be equal if its goal is open, or why there is
/// none in its place.
pub struct Question {
    pub place: Place,
    pub board: anyhow::Result<(LabelledBoard, Target)>,
}

/// A board, and a goal that is one board.
pub fn closed((board, goal): (LabelledBoard, Target)) -> anyhow::Result<(Board, Goal)> {
    Ok((board.board().clone(), goal.board()?))
}

/// A board, or why there is none, before the goal is asked for.
type Answered = Result<Reading, ReadError>;

/// A board as it is read: its origin and its text.
type Found = (Origin, String, Answered);

/// The boards of a command.
pub struct Input {
    pub goal: GoalSpec,
    /// There is one board, given as an argument.
    pub is_alone: bool,
    /// The number of boards, unless some come from a stream or a large file.
    pub total: Option<u64>,
    /// The boards in the order of the arguments, the standard input and the file.
    pub questions: Box<dyn Iterator<Item = Question> + Send>,
}

impl BoardArgs {
    /// The fault of an input without a board.
    pub fn no_board(&self) -> String {
        match self.file.as_deref() {
            Some(path) if path != Path::new("-") => format!("{} contains no board", path.display()),
            _ => "standard input contains no board: give one in quotes, or a file with --file"
                .to_owned(),
        }
    }

    /// All boards of a file, or of the standard input for `-`.
    pub fn of_file(path: &Path, kind: &KindArgs) -> BoardArgs {
        BoardArgs { file: Some(path.to_owned()), kind: kind.clone(), ..BoardArgs::default() }
    }

    /// Reads the arguments, and opens the file and the standard input.
    pub fn open(&self) -> anyhow::Result<Input> {
        let goal = self.kind.checked_goal()?;
        let waits = io::stdin().is_terminal();
        let is_empty = self.boards.is_empty() && self.file.is_none();
        if is_empty && waits {
            bail!(
                "there is no board: give one in quotes, or boards in a file with --file, or - for standard input"
            );
        }
        let expected = goal.expected(self.kind.size, self.kind.blank.as_deref());
        let (is_alone, given) = self.arguments(&expected)?;
        let (standard, file) = match self.file.as_deref() {
            Some(path) if path == Path::new("-") => (true, None),
            file => (is_empty || self.boards.iter().any(|argument| argument == "-"), file),
        };
        // A missing file is an error before the first board is solved.
        let open = |path: &Path| {
            ensure!(!path.is_dir(), "{} is a folder: name a file in it", path.display());
            File::open(path).with_context(|| format!("cannot read {}", path.display()))
        };
        let opened = file.map(open).transpose()?;
        let is_short =
            |file: &File| file.metadata().is_ok_and(|it| it.is_file() && it.len() <= COUNTED);
        let ends = !standard && opened.as_ref().is_none_or(is_short);
        let stdin =
            standard.then(|| lines("standard input", &expected, Box::new(io::stdin()), waits));
        let name = file.map(|path| path.display().to_string()).unwrap_or_default();
        let file = opened.map(|file| lines(&name, &expected, Box::new(file), false));
        let mut found = given.into_iter().chain(stdin.into_iter().chain(file).flatten());
        let whole: Option<Vec<Found>> = ends.then(|| found.by_ref().collect());
        let each = if self.goal_follows { 2 } else { 1 };
        let total = whole.as_ref().map(|whole| whole.len().div_ceil(each) as u64);
        let mut found = whole.into_iter().flatten().chain(found);
        let mut asks = self.kind.asks(goal.clone(), self.goal_follows);
        let questions = (1..).map_while(move |index| asks.question(index, &mut found));
        Ok(Input { goal, is_alone, total, questions: Box::new(questions) })
    }

    /// The boards of the arguments, and whether there is nothing else. The tiles or rows of a board without
    /// quotes are separate arguments. With [`BoardArgs::goal_follows`] an argument may have several boards.
    fn arguments(&self, expected: &Expected) -> anyhow::Result<(bool, Vec<Found>)> {
        let read = |text: &str| -> Vec<Answered> {
            match self.goal_follows {
                true => read::boards(text, expected.clone()),
                false => vec![read::board(text, expected.clone())],
            }
        };
        // Not by a guess: the parts of a board are none.
        let is_board = |readings: &[Answered]| {
            readings.iter().flatten().any(|reading| reading.notes.is_empty())
        };
        let arguments = &self.boards;
        let texts = arguments.iter().zip(1..).filter(|(text, _)| *text != "-");
        let mut texts: Vec<_> = texts.map(|(text, at)| (text.clone(), at, read(text))).collect();
        let boards = texts.iter().filter(|(.., readings)| is_board(readings)).count();
        if boards == 0 {
            refuse_names(arguments)?;
        }
        if boards < arguments.len() && arguments.len() > 1 && arguments.iter().all(|it| is_part(it))
        {
            let joined = arguments.join(" ");
            let readings = read(&joined);
            // What stands next to a board is another one with a fault, not its name.
            let is_named = readings.iter().flatten().any(|reading| reading.label.is_some());
            if boards == 0 || is_board(&readings) && !is_named {
                texts = vec![(joined, 1, readings)];
            }
        } else if boards == 0 && arguments.len() > 1 {
            let rows = arguments.join(" / ");
            if is_board(&read(&rows)) {
                bail!("each argument is one board: write the rows together, as in '{rows}'");
            }
        }
        let is_alone = self.file.is_none() && texts.len() == 1 && !arguments.contains(&"-".into());
        let origin = |at| if is_alone { Origin::Alone } else { Origin::Argument(at) };
        let found = texts.into_iter().flat_map(|(text, at, readings)| {
            readings.into_iter().map(move |reading| (origin(at), text.clone(), reading))
        });
        Ok((is_alone, found.collect()))
    }
}

/// Returns whether a board has the name of a goal, as in `goal = [1, 2, 3, 0]`.
fn is_named_goal(reading: &Reading) -> bool {
    let label = reading.label.as_deref().unwrap_or_default().to_lowercase();
    label.starts_with("goal") || label.starts_with("target")
}

/// The boards of a file or a stream with this name, as they are read.
fn lines(
    name: &str,
    expected: &Expected,
    file: Box<dyn Read + Send>,
    waits: bool,
) -> impl Iterator<Item = Found> + Send + use<> {
    let name: Arc<str> = name.into();
    Boards::new(Arriving::new(file, waits), expected.clone()).map(move |item| {
        let label = item.reading.as_ref().ok().and_then(|reading| reading.label.clone());
        (Origin::Line(name.clone(), item.line, label), item.text, item.reading)
    })
}

/// A board with the goal that follows it.
fn with_goal(start: Answered, text: &str, goal: Option<Found>, blank: Option<&str>) -> Answered {
    let fault = |message: String| ReadError::Text(message);
    let Some((.., goal_text, goal)) = goal else {
        return start.and(Err(fault(
            "no goal follows this board: --goal-follows needs boards in pairs, each with its goal after it".to_owned(),
        )));
    };
    if let (Ok(start), Ok(goal)) = (&start, &goal) {
        let goal = OpenGoal::from(&Goal::from(goal.board.board().clone()));
        return Ok(Reading { goal: Some(goal), ..start.clone() });
    }
    // The names of the tiles may be those of the goal.
    let spec = GoalSpec::read(&goal_text, blank).map_err(|error| match goal {
        Err(error) => fault(format!("the goal after this board: {error}")),
        Ok(_) => fault(error.to_string()),
    })?;
    let reading = read::board(text, spec.expected(None, blank))?;
    // The text may be the name of a goal.
    let named = || spec.goal(reading.board.board().grid()).map(|goal| OpenGoal::from(&goal));
    let goal = spec.names().cloned().map_or_else(named, Ok);
    Ok(Reading { goal: Some(goal.map_err(|error| fault(error.to_string()))?), ..reading })
}

/// The goal and the size of boards, and how they are read.
struct Asks {
    goal: GoalSpec,
    /// The goal is given.
    has_goal: bool,
    /// The text of the blank in the goals that follow, or in all boards.
    blank: Option<String>,
    /// A goal follows each board.
    follows: bool,
    /// The kinds of guesses that a note was printed on, and whether one was on a board that is called a goal.
    noted: BTreeSet<String>,
}

impl Asks {
    /// The question of the next board. Prints a note on the first one that is called a goal.
    fn question(
        &mut self,
        index: usize,
        found: &mut impl Iterator<Item = Found>,
    ) -> Option<Question> {
        let (origin, text, start) = found.next()?;
        let reading = match self.follows {
            true => with_goal(start, &text, found.next(), self.blank.as_deref()),
            false => start,
        };
        let is_goal = !self.follows && reading.as_ref().is_ok_and(is_named_goal);
        if is_goal && self.noted.insert("a goal".to_owned()) {
            say!(
                "note: {origin}this board is called a goal, and is read as one more board: --goal-follows takes it as the goal of the board before it"
            );
        }
        let notes = reading.as_ref().map_or(Vec::new(), |reading| reading.notes.clone());
        let board = self.asked(&origin, &text, reading);
        Some(Question { place: Place { origin, index, text, notes }, board })
    }

    /// The board of a reading, and the goal for its size. Prints a note on each kind of guess once.
    fn asked(
        &mut self,
        origin: &Origin,
        text: &str,
        reading: Answered,
    ) -> anyhow::Result<(LabelledBoard, Target)> {
        let Reading { board, notes, goal: own, .. } = reading?;
        let is_there = |blank: &&String| text.to_lowercase().contains(&blank.to_lowercase());
        if let Some(blank) = self.blank.as_ref().filter(|it| !self.follows && !is_there(it)) {
            bail!("no cell is {blank:?}: write it in the cell of the blank, or leave out --blank");
        }
        for note in &notes {
            // A blank missing in the same cell as before is the same guess.
            let kind = match note {
                Note::LeftOut(..) => note.to_string(),
                note => format!("{:?}", discriminant(note)),
            };
            if self.noted.insert(kind) {
                say!("note: {origin}{note}");
            }
        }
        let own = own.map(GoalSpec::from);
        if let (Some(own), true) = (&own, self.follows) {
            let goal = own.target(board.board().grid())?;
            return Ok((board, goal));
        }
        let goal = self.goal.target(board.board().grid())?;
        // All boards of a command have one goal.
        if let Some(own) = own.filter(|_| !self.has_goal || board.has_labels())
            && own.target(board.board().grid()).ok().as_ref() != Some(&goal)
        {
            bail!(
                "this object is for the goal {own}: give that goal with --goal, or --goal blank-last to override it"
            );
        }
        Ok((board, goal))
    }
}

impl KindArgs {
    /// The board of a text, whose tiles may be equal if the goal is open, and the goal; and the
    /// guesses that the board rests on.
    pub fn labelled(&self, text: &str) -> anyhow::Result<((LabelledBoard, Target), Vec<Note>)> {
        if Path::new(text).is_file() {
            bail!("{text} is a file: give its board, as in \"$(cat {text})\"");
        }
        let goal = self.checked_goal()?;
        let reading = read::board(text, goal.expected(self.size, self.blank.as_deref()))?;
        let notes = reading.notes.clone();
        Ok((self.asks(goal, false).asked(&Origin::Alone, text, Ok(reading))?, notes))
    }

    /// The questions of boards with a goal, or with the goals that follow them.
    fn asks(&self, goal: GoalSpec, follows: bool) -> Asks {
        // Boards for a goal may have the blank of the goal.
        let blank = self.blank.clone().filter(|_| follows || self.goal.is_none());
        let has_goal = self.goal.is_some();
        Asks { goal, has_goal, blank, follows, noted: BTreeSet::new() }
    }

    /// The board of a text, and a goal that is one board.
    pub fn read(&self, text: &str) -> anyhow::Result<(Board, Goal)> {
        closed(self.labelled(text)?.0)
    }

    /// The goal, by name or as a board.
    pub fn goal(&self) -> Result<GoalSpec, GoalError> {
        self.goal
            .as_ref()
            .map_or_else(|| Ok(GoalSpec::default()), |goal| goal.spec(self.blank.as_deref()))
    }

    /// The file that the goal was read from.
    pub fn file(&self) -> Option<&PathBuf> {
        self.goal.as_ref()?.file.as_ref()
    }

    /// The goal, unless it has another size than the given one. Says the guesses that it rests on.
    pub fn checked_goal(&self) -> anyhow::Result<GoalSpec> {
        let goal = self.goal()?;
        self.size.map(|size| goal.target(size)).transpose()?;
        goal.notes().iter().for_each(|note| say!("note: in the goal, {note}"));
        Ok(goal)
    }
}

/// Refuses names of files in the place of boards.
fn refuse_names(arguments: &[String]) -> anyhow::Result<()> {
    if let Some(path) = arguments.iter().find(|argument| Path::new(argument).is_file()) {
        bail!("{path} is a file: read it with --file {path}");
    }
    let is_file_name = |argument: &&String| {
        let end = Path::new(argument).extension().and_then(OsStr::to_str);
        !argument.contains(char::is_whitespace)
            && end.is_some_and(|end| end.len() > 1 && end.bytes().all(|b| b.is_ascii_alphabetic()))
    };
    if let Some(name) = arguments.iter().find(is_file_name) {
        bail!(
            "{name} is not a board, and there is no such file: files of boards are read with --file"
        );
    }
    Ok(())
}

/// Returns whether an argument may be a tile or a row of a board without quotes.
fn is_part(argument: &str) -> bool {
    let tiles = argument.split(|c: char| !c.is_alphanumeric() && c != '_');
    argument != "-" && tiles.filter(|tile| !tile.is_empty()).count() <= 1
}

/// The longest file whose boards are counted beforehand.
const COUNTED: u64 = 8 << 20;

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
            let mut lines =
                LinesOf::new(BufReader::with_capacity(64 << 10, reader), read::MAX_LINE);
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
            ("1,2,3,0 1,2,3,0", false),
            ("1,2,3,0 -", false),
            ("1 -", false),
            ("1234 5678 9abc def0", true),
            ("123456780 867254301", false),
            ("517392b4d6f80aec zz", false),
            ("1032 4567 89ab cdef", true),
            ("123456780 867254x01", false),
        ] {
            let boards = words.split(' ').map(str::to_owned).collect();
            let (_, found) = BoardArgs { boards, ..BoardArgs::default() }
                .arguments(&Expected::default())
                .unwrap();
            assert_eq!(found[0].1 == words, expected, "{words}");
        }
    }
}
