//! Boards, their goal and their size.

use std::mem::{Discriminant, discriminant};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;
use clap::Args;

use super::parsers::{GoalArg, goal, path};
use crate::board::{Board, Goal, GoalError, Grid, Guess, LabelledBoard};
use crate::cli::advice::Trouble;
use crate::cli::exit::Failure;
use crate::cli::input;
use crate::cli::input::lines::{Input, Origin};
use crate::cli::output::streams::say;
use crate::json::{self, JsonError};
use crate::solver::{GoalSpec, Target};

/// A kind of guess, and the cell of a blank that was left out.
type Kind = (Discriminant<Guess>, Option<(usize, usize)>);

/// Boards from arguments, a file or a stream.
#[derive(Debug, Args)]
pub struct BoardArgs {
    /// Board, in quotes; - reads standard input
    ///
    /// Write the tiles row by row, separated by spaces, commas, slashes or brackets, with 0, _, .
    /// or x for the blank. A line before them may give the size. Or write one character for each
    /// tile: 123456789abcdef0 (hexadecimal, up to z for 35) or abcdefghijklmno0 (a is 1). Or give a
    /// JSON object with a board, as the programs write them. Lists of programs, pictures, gaps for
    /// the blank, counts and labels are read too: METHODS.md lists the forms. A note on standard
    /// error names each kind of guess once.
    /// Without a board, standard input is read unless it is a terminal.
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,

    /// File of boards, one a line, or grids of several lines separated by empty lines
    ///
    /// Empty lines are skipped, and so is everything from a # to the end of the line.
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub file: Option<PathBuf>,

    /// Take every second board as the goal of the board before it
    ///
    /// All boards of a run have the same goal.
    #[arg(long, conflicts_with = "goal")]
    goal_follows: bool,

    #[command(flatten)]
    pub kind: KindArgs,
}

/// The goal and the size of all boards.
#[derive(Clone, Debug, Default, Args)]
pub struct KindArgs {
    /// Position to reach: a name or a board [default: blank-last]
    ///
    /// The names are blank-last, blank-first, blank-top-right, blank-bottom-left, spiral (or snail),
    /// snake and columns, or unique beginnings of these, or the corner of the blank, as in top-left.
    /// All goals with the blank in a corner share their databases. Tiles of a board may be equal, and *
    /// is a cell that does not matter, as in 'A A B / A B _' or '1 2 3 / * * *'; a goal without a blank
    /// lets it end in any such cell. @FILE reads the goal from a file.
    #[arg(short, long, value_parser = goal)]
    pub goal: Option<GoalArg>,

    /// Size of boards that are written in one row
    ///
    /// Columns come first; 4 is 4x4. Without it such boards are square.
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,

    /// The kinds of guesses that have had their note.
    #[arg(skip)]
    pub noted: Arc<Mutex<Vec<Kind>>>,
}

impl BoardArgs {
    /// Returns whether there is one board, given as an argument.
    pub fn is_alone(&self) -> bool {
        input::is_alone(&self.boards, self.file.as_deref())
    }

    /// The number of boards, where it can be known without waiting.
    pub fn total(&self) -> Option<u64> {
        input::total(&self.boards, self.file.as_deref(), self.kind.size(), self.kind.has_labels())
    }

    /// The boards, in the order of the arguments, and their goal and size.
    pub fn inputs(&self) -> Result<(KindArgs, Inputs), Failure> {
        self.kind.checked_goal()?;
        let mut kind = self.kind.clone();
        kind.size = kind.size();
        let inputs =
            input::boards(&self.boards, self.file.as_deref(), kind.size, kind.has_labels())?;
        if !self.goal_follows {
            let mut told = false;
            let inputs = inputs.inspect(move |input| {
                if !told && is_named_goal(&input.text) {
                    told = true;
                    let origin = &input.origin;
                    say("taquin", format_args!("note: {origin}this board is called a goal, and is read as one more board: --goal-follows takes it as the goal of the board before it"));
                }
            });
            return Ok((kind, Box::new(inputs)));
        }
        let mut starts = Vec::new();
        let mut inputs = inputs.flat_map(|input| parted(input, self.kind.size)).fuse();
        while let Some(mut start) = inputs.next() {
            let refused = |text: &str| Failure::usage(anyhow!("{}{text}", start.origin));
            let Some(mut goal) = inputs.next() else {
                let error = refused("no goal follows this board");
                // The first fault of the text.
                kind.posed(&mut start).map_err(Failure::usage)?;
                return Err(error);
            };
            let goal = match goal.fault.take() {
                Some(fault) => return Err(Failure::usage(fault)),
                None => match kind.board(&mut goal.origin, &goal.text) {
                    Ok((goal, _)) => goal,
                    Err(_)
                        if goal.text.parse().is_ok_and(|goal: GoalSpec| goal.open().is_some()) =>
                    {
                        return Err(refused(
                            "a goal with equal tiles or cells that do not matter follows this board: give it with --goal",
                        ));
                    }
                    Err(error) => return Err(Failure::usage(error)),
                },
            };
            let goal = GoalArg { spec: goal.into(), file: None };
            let first = kind.goal.get_or_insert_with(|| goal.clone());
            if first.spec.to_string() != goal.spec.to_string() {
                return Err(refused(
                    "another goal follows this board than the first one: give each goal in a run of its own",
                ));
            }
            starts.push(start);
        }
        Ok((kind, Box::new(starts.into_iter())))
    }
}

/// Returns whether a text begins with the name of a goal, as in `goal = [1, 2, 3, 0]`.
fn is_named_goal(text: &str) -> bool {
    let text = text.trim_start();
    let has_name =
        |name: &str| text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    has_name("goal") || has_name("target")
}

/// The boards of an argument, which may have a goal behind the first.
fn parted(input: Input, size: Option<Grid>) -> Vec<Input> {
    let texts = if input.fault.is_some() { Vec::new() } else { json::several(&input.text, size) };
    if texts.is_empty() {
        return vec![input];
    }
    texts.into_iter().map(|text| Input::sound(input.origin.clone(), text)).collect()
}

/// The fault of an input that is known before its text is read.
fn known_fault(input: &mut Input) -> Result<(), Trouble> {
    match (input.fault.take(), input.error.take()) {
        (Some(fault), _) => Err(fault.into()),
        (None, Some(error)) => Err(refused(&input.text, error.into())),
        (None, None) => Ok(()),
    }
}

/// The trouble with a text that is no board.
fn refused(text: &str, error: JsonError) -> Trouble {
    // A list of texts.
    let words = json::board_text(text).ok();
    match words.is_some_and(|words| serde_json::from_str::<Vec<String>>(&words).is_ok()) {
        true => Trouble::Labels(error),
        false => error.into(),
    }
}

/// Boards that are not yet read.
pub type Inputs = Box<dyn Iterator<Item = Input> + Send>;

impl KindArgs {
    /// Reads a board of the input and the goal for its size. Its origin gets the label it has there.
    pub fn posed(&self, input: &mut Input) -> Result<(Board, Goal), Trouble> {
        known_fault(input)?;
        self.read_at(&mut input.origin, &input.text)
    }

    /// Reads a board of the input, whose tiles may be equal if the goal leaves something open, and the
    /// goal. Its origin gets the label it has there.
    pub fn asked(&self, input: &mut Input) -> Result<(LabelledBoard, Target), Trouble> {
        known_fault(input)?;
        self.asked_at(&mut input.origin, &input.text)
    }

    /// Reads a board, whose tiles may be equal if the goal leaves something open, and the goal.
    pub fn labelled(&self, text: &str) -> Result<(LabelledBoard, Target), Trouble> {
        self.asked_at(&mut Origin::Alone, text)
    }

    fn asked_at(
        &self,
        origin: &mut Origin,
        text: &str,
    ) -> Result<(LabelledBoard, Target), Trouble> {
        let spec = self.goal();
        let Some(goal) = spec.open() else {
            let (board, goal) = self.read_at(origin, text)?;
            return Ok((board.into(), Target::Board(goal)));
        };
        let reading = goal.read(&json::board_text(text)?).map_err(GoalError::from)?;
        self.note(origin, &reading.guesses);
        Ok((reading.board, Target::Open(goal.clone())))
    }

    /// Reads a board, and the goal for its size.
    pub fn read(&self, text: &str) -> Result<(Board, Goal), Trouble> {
        self.read_at(&mut Origin::Alone, text)
    }

    fn read_at(&self, origin: &mut Origin, text: &str) -> Result<(Board, Goal), Trouble> {
        let (board, own) = self.board(origin, text)?;
        let goal = self.goal().goal(board.grid())?;
        match own {
            // All boards of a command have one goal.
            Some(own) if own != goal && self.goal.is_none() => Err(Trouble::OtherGoal(own)),
            _ => Ok((board, goal)),
        }
    }

    /// Reads a board, and its own goal. Prints a note on each kind of guess once.
    fn board(&self, origin: &mut Origin, text: &str) -> Result<(Board, Option<Goal>), Trouble> {
        let read = json::read(text, self.size);
        let (reading, goal) = read.map_err(|error| refused(text, error))?;
        self.note(origin, &reading.guesses);
        if let Some(label) = reading.label() {
            *origin = origin.clone().labelled(label);
        }
        Ok((reading.board, goal))
    }

    /// Prints a note on each kind of guess once.
    fn note(&self, origin: &Origin, guesses: &[Guess]) {
        for guess in guesses {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            // A blank left out in the same cell as before is the same guess.
            let place = match *guess {
                Guess::LeftOut(row, column) => Some((row, column)),
                _ => None,
            };
            let kind = (discriminant(guess), place);
            if !noted.contains(&kind) {
                noted.push(kind);
                say("taquin", format_args!("note: {origin}{guess}"));
            }
        }
    }

    /// The size of boards that are written in one row: the one given, or that of a goal that leaves
    /// something open.
    fn size(&self) -> Option<Grid> {
        self.size.or_else(|| self.goal.as_ref()?.spec.open().map(|goal| goal.grid()))
    }

    /// Returns whether the tiles of the boards may have labels.
    pub fn has_labels(&self) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.spec.open().is_some())
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
