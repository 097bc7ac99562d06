//! `taquin check`: whether boards can reach the goal, and why.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde::{Serialize, Serializer};

use crate::board::{Board, Goal, GoalError, LabelledBoard};
use crate::classics::Spec;
use crate::cli::advice::{Advice, other_goals};
use crate::cli::args::DatabaseArgs;
use crate::cli::input::{BoardArgs, Place, Question};
use crate::cli::output::{Head, Progress, object, reject};
use crate::cli::process::{ExitCode, written};
use crate::lab::{Contender, Source};
use crate::solver::{self, Posed, Solver, Target, Verdict};
use crate::text::grouped;

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// Print the values of heuristics too, as in manhattan,linear-conflict,7-8
    ///
    /// Boards that cannot reach the goal have values, too.
    #[arg(long, value_name = "LIST", value_parser = heuristics)]
    heuristics: Option<Heuristics>,

    /// Print one JSON object for each board
    #[arg(short, long)]
    json: bool,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// A list of heuristics.
#[derive(Clone, Debug)]
struct Heuristics(Vec<Spec>);

fn heuristics(text: &str) -> Result<Heuristics, String> {
    let listed = Contender::parse_list(text).map_err(|error| error.to_string())?;
    let spec = |contender: Contender| match contender.source {
        Source::Spec(spec) => Ok(spec),
        _ => Err("name heuristics of taquin: taquin bench has those from outside".to_owned()),
    };
    Ok(Heuristics(listed.into_iter().map(spec).collect::<Result<_, _>>()?))
}

/// The solvers of the heuristics that are asked for, by goal.
struct Values<'a> {
    args: &'a CheckArgs,
    solvers: Vec<(Goal, Vec<(String, Solver)>)>,
}

impl Values<'_> {
    /// The value of each heuristic.
    fn of(&mut self, board: &Board, goal: &Target) -> anyhow::Result<Vec<(String, u32)>> {
        let Some(Heuristics(list)) = &self.args.heuristics else { return Ok(Vec::new()) };
        let Target::Board(goal) = goal else {
            bail!("an open goal (equal tiles or *) has no values: leave --heuristics out");
        };
        let known = self.solvers.iter().position(|(known, _)| known == goal);
        let known = match known {
            Some(known) => known,
            None => {
                let solver = |spec: &Spec| {
                    let options = Solver::builder().goal(goal.clone()).heuristic(spec.clone());
                    let store = self.args.databases.store();
                    Ok((spec.to_string(), Progress::default().solver(options, store)?.0))
                };
                let solvers = list.iter().map(solver).collect::<anyhow::Result<_>>()?;
                self.solvers.push((goal.clone(), solvers));
                self.solvers.len() - 1
            }
        };
        let value = |(name, solver): &(String, Solver)| Ok((name.clone(), solver.value(board)?));
        self.solvers[known].1.iter().map(value).collect()
    }
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let input = args.input.open()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut values = Values { args, solvers: Vec::new() };
    let mut worst = None;
    for Question { place, board } in input.questions {
        // What one board has no values for, the next one may have.
        let valued = board.and_then(|(board, goal)| {
            let heuristics = values.of(board.board(), &goal)?;
            Ok((board, goal, heuristics))
        });
        let (code, done) = match valued {
            Ok((board, goal, heuristics)) => {
                let checked = Checked::new(&board, &goal, &place, heuristics)?;
                let solvable = checked.verdict.solvable;
                let code = if solvable { ExitCode::Fine } else { ExitCode::Negative };
                (code, checked.print(&mut out, args))
            }
            Err(error) => {
                let advice = Advice::of(&error, args.input.goal_follows);
                (advice.code(), reject(&advice, args.json, &mut out, &mut io::stderr(), &place))
            }
        };
        worst = worst.max(Some(code));
        if !written(done.and_then(|()| out.flush()))? {
            break;
        }
    }
    worst.with_context(|| args.input.no_board())
}

#[derive(Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    posed: Posed<'a>,
    #[serde(flatten)]
    verdict: Verdict,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    heuristics: Vec<(String, u32)>,
    #[serde(skip)]
    reason: String,
}

/// Names and values as an object.
fn as_map<S: Serializer>(pairs: &[(String, u32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl<'a> Checked<'a> {
    fn new(
        board: &'a LabelledBoard,
        goal: &'a Target,
        place: &Place,
        heuristics: Vec<(String, u32)>,
    ) -> Result<Checked<'a>, GoalError> {
        let reason = match goal {
            Target::Board(goal) => solver::reason(goal, board.board()),
            Target::Open(_) => String::new(),
        };
        let (posed, verdict) = (Posed::new(board, goal), Verdict::new(board, goal)?);
        Ok(Checked { head: place.into(), posed, verdict, heuristics, reason })
    }

    fn print(&self, out: &mut impl Write, args: &CheckArgs) -> io::Result<()> {
        if args.json {
            return object(out, self);
        }
        let Verdict { solvable, assignments, states, reachable, .. } = &self.verdict;
        if let (&Some(assignments), &Some(states)) = (assignments, states) {
            let solvable = if *solvable { "solvable" } else { "unsolvable" };
            let tiles = if assignments == 1 { "assignment" } else { "assignments" };
            let [assignments, states] = [assignments, states].map(many);
            return writeln!(
                out,
                "{solvable}: {assignments} {tiles} of tiles to cells, {states} arrangements of the labels"
            );
        }
        let reachable = reachable.as_deref().unwrap_or_default();
        let others = other_goals(reachable, args.input.goal_follows);
        writeln!(out, "{}{others}", self.reason)?;
        let values = self.heuristics.iter().map(|(name, value)| format!("{name} {value}"));
        match values.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => Ok(()),
            values => writeln!(out, "h: {values}"),
        }
    }
}

/// A count, of which the largest stands for more.
fn many(count: u128) -> String {
    u64::try_from(count).map_or_else(|_| "more than 10^19".to_owned(), grouped)
}
