//! `taquin check`: whether boards can reach the goal, and why.

use std::io::{self, BufWriter, Write};

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use crate::board::{Goal, GoalError, LabelledBoard, Metric, OpenPosition, Solvability};
use crate::cli::advice::{Advice, other_goals};
use crate::cli::input::{BoardArgs, NO_BOARD, Place, Question};
use crate::cli::output::{Head, object, reject};
use crate::cli::process::{ExitCode, written};
use crate::solver::{Posed, Target};
use crate::text::grouped;

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// Accepted, without effect: whether a board can reach the goal is the same in both metrics
    #[arg(id = "metric", long, value_name = "METRIC", default_value_t)]
    _metric: Metric,

    /// Print one JSON object for each board
    #[arg(short, long)]
    json: bool,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let input = args.input.open()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut worst = None;
    for Question { place, board } in input.questions {
        let (code, done) = match board {
            Ok((board, goal)) => {
                let verdict = Verdict::new(&board, &goal, &place)?;
                let code = if verdict.solvable { ExitCode::Fine } else { ExitCode::Negative };
                (code, verdict.print(&mut out, args.json))
            }
            Err(error) => {
                let advice = Advice::on(&error);
                (advice.code(), reject(&advice, args.json, &mut out, &mut io::stderr(), &place))
            }
        };
        worst = worst.max(Some(code));
        if !written(done.and_then(|()| out.flush()))? {
            break;
        }
    }
    worst.context(NO_BOARD)
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
    assignments: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachable: Option<Vec<&'static str>>,
    #[serde(skip)]
    solvability: Solvability,
}

impl<'a> Verdict<'a> {
    fn new(
        board: &'a LabelledBoard,
        goal: &'a Target,
        place: &Place,
    ) -> Result<Verdict<'a>, GoalError> {
        let (verdict, open) = match goal {
            Target::Board(goal) => (goal.solvability(board.board()), None),
            Target::Open(goal) => {
                let position = OpenPosition::new(goal, board)?;
                (position.solvability(), Some(position))
            }
        };
        let solvable = verdict.is_solvable();
        let others = || Goal::reachable(board.board());
        Ok(Verdict {
            head: place.into(),
            posed: Posed::new(board, goal),
            solvable,
            transpositions: verdict.transpositions,
            permutation_parity: Solvability::parity(verdict.transpositions),
            blank_distance: verdict.blank_distance,
            blank_parity: Solvability::parity(verdict.blank_distance),
            assignments: open.as_ref().map(OpenPosition::assignments),
            states: open.as_ref().map(OpenPosition::states),
            reachable: (!solvable && open.is_none()).then(others),
            solvability: verdict,
        })
    }

    fn print(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            return object(out, self);
        }
        if let (Some(assignments), Some(states)) = (self.assignments, self.states) {
            let solvable = if self.solvable { "solvable" } else { "unsolvable" };
            let tiles = if assignments == 1 { "assignment" } else { "assignments" };
            let [assignments, states] = [assignments, states].map(many);
            return writeln!(
                out,
                "{solvable}: {assignments} {tiles} of tiles to cells, {states} arrangements of the labels"
            );
        }
        let others = self.reachable.as_deref().map_or_else(String::new, other_goals);
        writeln!(out, "{}{others}", self.solvability)
    }
}

/// A count, of which the largest stands for more.
fn many(count: u128) -> String {
    u64::try_from(count).map_or_else(|_| "more than 10^19".to_owned(), grouped)
}
