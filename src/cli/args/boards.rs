//! Boards, their goal and their size.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;
use clap::Args;

use super::parsers::{GoalArg, goal, path};
use crate::board::{Board, Goal, GoalError, Grid, LabelledBoard};
use crate::cli::advice::Trouble;
use crate::cli::exit::Failure;
use crate::cli::input::{self, Input, Origin};
use crate::cli::output::streams::say;
use crate::read::{self, Note, ReadError, Reading};
use crate::solver::{GoalSpec, Target};

/// Boards from arguments, a file or a stream.
#[derive(Debug, Args)]
pub struct BoardArgs {
    /// Board, in quotes; - reads standard input
    ///
    /// Write the tiles row by row, separated by spaces, commas, slashes or brackets, with 0, _, .
    /// or x for the blank. A line before them may give the size. Or write one character for each
    /// tile: 123456789abcdef0 (hexadecimal, up to z for 35) or abcdefghijklmno0 (a is 1). Or give a
    /// JSON object with a board, as the programs write them. Lists of programs, pictures, gaps for
    /// the blank, counts and labels are read too: MANUAL.md lists the forms. A note on standard
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
    /// taquin help goals has the names, and goals that leave something open. @FILE reads the goal from a file.
    #[arg(short, long, value_parser = goal)]
    pub goal: Option<GoalArg>,

    /// Size of boards that are written in one row
    ///
    /// Columns come first; 4 is 4x4. Without it such boards are square.
    #[arg(short, long, value_name = "WxH")]
    pub size: Option<Grid>,

    /// The kinds of guesses that have had their note.
    #[arg(skip)]
    pub noted: Arc<Mutex<BTreeSet<String>>>,
}

impl BoardArgs {
    /// Returns whether there is one board, given as an argument.
    pub fn is_alone(&self) -> bool {
        input::is_alone(&self.boards, self.file.as_deref())
    }

    /// The number of boards, where it can be known without waiting.
    pub fn total(&self) -> Option<u64> {
        let size = self.kind.size();
        input::total(&self.boards, self.file.as_deref(), size, self.kind.goal().open())
    }

    /// The boards, in the order of the arguments, and their goal and size.
    pub fn inputs(&self) -> Result<(KindArgs, Inputs), Failure> {
        self.kind.checked_goal()?;
        let mut kind = self.kind.clone();
        kind.size = kind.size();
        let inputs = input::boards(
            &self.boards,
            self.file.as_deref(),
            kind.size,
            kind.goal().open(),
            self.goal_follows,
        )?;
        if !self.goal_follows {
            let mut told = false;
            let inputs = inputs.inspect(move |input| {
                if !told && is_named_goal(input) {
                    told = true;
                    let origin = &input.origin;
                    say("taquin", format_args!("note: {origin}this board is called a goal, and is read as one more board: --goal-follows takes it as the goal of the board before it"));
                }
            });
            return Ok((kind, Box::new(inputs)));
        }
        let mut starts = Vec::new();
        let mut inputs = inputs.fuse();
        while let Some(start) = inputs.next() {
            let refused = |text: &str| Failure::usage(anyhow!("{}{text}", start.origin));
            let Some(goal) = inputs.next() else {
                let error = refused("no goal follows this board");
                // The first fault of the text.
                kind.posed(start).map_err(Failure::usage)?;
                return Err(error);
            };
            let goal = match goal.reading {
                Ok(reading) => Goal::from(reading.board.board().clone()),
                Err(_) if goal.text.parse().is_ok_and(|goal: GoalSpec| goal.open().is_some()) => {
                    return Err(refused(
                        "a goal with equal tiles or cells that do not matter follows this board: give it with --goal",
                    ));
                }
                Err(error) => return Err(Failure::usage(error)),
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

/// Returns whether a board has the name of a goal, as in `goal = [1, 2, 3, 0]`.
fn is_named_goal(input: &Input) -> bool {
    let label = input.reading.as_ref().ok().and_then(|reading| reading.label.as_deref());
    let begins = |label: &str, name: &str| {
        label.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    label.is_some_and(|label| begins(label, "goal") || begins(label, "target"))
}

/// Boards with their origins.
pub type Inputs = Box<dyn Iterator<Item = Input> + Send>;

impl KindArgs {
    /// The board of an input, and the goal for its size.
    pub fn posed(&self, input: Input) -> Result<(Board, Goal), Trouble> {
        match self.asked(&input.origin, input.reading)? {
            (board, Target::Board(goal)) => Ok((board.board().clone(), goal)),
            (_, Target::Open(_)) => Err(GoalError::NotOneBoard.into()),
        }
    }

    /// The board of a reading, whose tiles may be equal if the goal leaves something open, and the goal.
    /// Prints a note on each kind of guess once.
    pub fn asked(
        &self,
        origin: &Origin,
        reading: Result<Reading<LabelledBoard>, ReadError>,
    ) -> Result<(LabelledBoard, Target), Trouble> {
        let Reading { board, notes, goal: own, .. } = reading?;
        for note in &notes {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            // A blank missing in the same cell as before is the same guess.
            let kind = match note {
                Note::LeftOut(..) => note.to_string(),
                note => format!("{:?}", discriminant(note)),
            };
            if noted.insert(kind) {
                say("taquin", format_args!("note: {origin}{note}"));
            }
        }
        let goal = self.goal().target(board.board().grid())?;
        match own {
            // All boards of a command have one goal.
            Some(own) if self.goal.is_none() && goal != Target::Board(own.clone()) => {
                Err(Trouble::OtherGoal(own))
            }
            _ => Ok((board, goal)),
        }
    }

    /// Reads a board, whose tiles may be equal if the goal leaves something open, and the goal.
    pub fn labelled(&self, text: &str) -> Result<(LabelledBoard, Target), Trouble> {
        let reading = match self.goal().open() {
            Some(goal) => read::labelled(text, goal),
            None => read::board(text, self.size()).map(Reading::from),
        };
        self.asked(&Origin::Alone, reading)
    }

    /// Reads a board, and the goal for its size.
    pub fn read(&self, text: &str) -> Result<(Board, Goal), Trouble> {
        let reading = read::board(text, self.size).map(Reading::from);
        self.posed(Input { origin: Origin::Alone, text: text.to_owned(), reading })
    }

    /// The size of boards that are written in one row: the size given, or the size of a goal that leaves
    /// something open.
    fn size(&self) -> Option<Grid> {
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
