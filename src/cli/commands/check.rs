//! `taquin check`: whether boards can reach the goal, and why.

use std::io::{self, BufWriter, Write};

use clap::Args;
use serde::Serialize;

use crate::board::{Board, Goal, Metric, Solvability};
use crate::cli::advice::{Unreached, other_goals};
use crate::cli::args::boards::BoardArgs;
use crate::cli::args::parsers::metric;
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::input::lines::Input;
use crate::cli::output::report::{Head, Place, Rejected};
use crate::cli::output::streams::{say, written};
use crate::solver::Posed;

pub const EXAMPLES: &str = "\
Examples:
  taquin check '13 2 10 3 / 1 12 8 4 / 5 0 9 6 / 15 14 11 7'
  taquin check --goal spiral --json '0 1 2 3 / 4 5 6 8 / 14 7 11 10 / 9 15 12 13'
  taquin check --goal '0 1 2 / 3 4 5' '1 0 2 / 3 4 5'
  taquin check --file boards.txt

Fields of a JSON object:
  schema, line, index, width, height, board, goal, solvable
  transpositions, permutation_parity  how many turn the board into the goal, and even or odd
  blank_distance, blank_parity        the steps of the blank to its goal cell, and even or odd
  reachable                           of an unsolvable board: the named goals that it can reach";

/// The exit codes, for the help.
pub const CODES: &str = "\
Exit codes, the worst of all boards:
  0  every board can reach the goal
  1  a board cannot reach the goal
  2  wrong usage or a bad board, or output that cannot be written";

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// Accepted, without effect: whether a board can reach the goal is the same in both metrics
    #[arg(id = "metric", long, value_name = "METRIC", value_parser = metric(), default_value_t)]
    _metric: Metric,

    /// Print one JSON object for each board
    #[arg(short, long)]
    json: bool,
}

pub fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let (kind, inputs) = args.input.inputs()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut worst, mut count, mut unreached) = (None, 0, Unreached::default());
    for (mut input, index) in inputs.zip(1..) {
        let verdict = kind.posed(&mut input);
        let Input { origin, text, .. } = input;
        let place = Place { origin, index };
        let code = match &verdict {
            Ok((board, goal)) if goal.solvability(board).is_solvable() => ExitCode::Fine,
            Ok(_) => ExitCode::Negative,
            Err(trouble) => trouble.code(),
        };
        worst = worst.max(Some(code));
        count += 1;
        let done = match verdict {
            Ok((board, goal)) => {
                let verdict = Verdict::new(&board, &goal, &place);
                if let Some(reachable) = &verdict.reachable {
                    unreached.count(reachable);
                }
                verdict.print(&mut out, args.json)
            }
            Err(trouble) => {
                let rejected = Rejected { input: text, trouble };
                rejected.print(args.json, &mut out, &mut io::stderr(), &place)
            }
        };
        if !written(done.and_then(|()| out.flush()))? {
            break;
        }
    }
    if let Some(advice) = unreached.advice(count) {
        say("taquin", advice);
    }
    worst.ok_or_else(|| wrong!("there is no board in the input"))
}

#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    posed: Posed<'a>,
    solvable: bool,
    transpositions: usize,
    permutation_parity: &'a str,
    blank_distance: usize,
    blank_parity: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachable: Option<Vec<&'static str>>,
    #[serde(skip)]
    solvability: Solvability,
}

impl<'a> Verdict<'a> {
    fn new(board: &'a Board, goal: &'a Goal, place: &Place) -> Verdict<'a> {
        let verdict = goal.solvability(board);
        Verdict {
            head: place.into(),
            posed: Posed::new(board, goal),
            solvable: verdict.is_solvable(),
            transpositions: verdict.transpositions,
            permutation_parity: Solvability::parity(verdict.transpositions),
            blank_distance: verdict.blank_distance,
            blank_parity: Solvability::parity(verdict.blank_distance),
            reachable: (!verdict.is_solvable()).then(|| Goal::reachable(board)),
            solvability: verdict,
        }
    }

    fn print(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            serde_json::to_writer(&mut *out, self)?;
            return writeln!(out);
        }
        let others = self.reachable.as_deref().map_or_else(String::new, other_goals);
        writeln!(out, "{}{others}", self.solvability)
    }
}
