//! `taquin count`: the number of boards at each distance from a goal.

use std::fmt::Display;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::board::{Board, Grid, Metric};
use crate::cli::args::values::{count_in, length};
use crate::cli::input::KindArgs;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::process::{ExitCode, put, say};
use crate::solver::layers::{Layers, MAX_SPACE_CELLS};
use crate::solver::{Cells, Limits, Posed, Target};
use crate::text::{aligned, grouped, plural};

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    kind: KindArgs,

    /// Count up to N moves from the goal [default: up to the greatest distance, for up to 12 cells]
    #[arg(long, value_name = "N", value_parser = length, allow_negative_numbers = true)]
    to: Option<u32>,

    /// List the boards at the last distance counted, or the first N of them
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1e11", value_parser = count_in(1..=100_000_000_000, "boards"), allow_negative_numbers = true)]
    farthest: Option<u64>,

    /// Count moves of tiles (single) or slides (multi)
    #[arg(long, value_name = "METRIC", default_value_t)]
    metric: Metric,

    /// Print a JSON object instead of a table
    #[arg(short, long)]
    json: bool,
}

pub fn run(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let spec = args.kind.checked_goal()?;
    // The size of a goal that is a board, else 3×3.
    let usual = || Grid::new(3, 3).ok().filter(|size| spec.target(*size).is_ok());
    let goal = spec.sized(args.kind.size.or_else(usual))?;
    let size = goal.grid();
    let mut layers = Layers::new(&goal, args.metric)?;
    if !layers.is_whole() && args.to.is_none() {
        bail!(
            "boards of {size} have too many positions to count: give a --size of up to {MAX_SPACE_CELLS} cells, \
             or --to N to count those up to N moves from the goal"
        );
    }
    let limits = Limits::default().cancel(&interrupt::cancel());
    let (first, to) = (layers.boards([0]), args.to.unwrap_or(u32::MAX));
    let (mut counts, mut end) = (vec![layers.count()], Ok(true));
    while end == Ok(true) && layers.distance() < to {
        end = layers.advance(&limits);
        counts.extend((end == Ok(true)).then(|| layers.count()));
    }
    let last = args.farthest.map(|most| layers.boards(0..layers.count().min(most)));
    let boards: u64 = counts.iter().sum();
    let named = |board: &Board| spec.named(board.clone());
    let first = named(&first[0]);
    let text = if args.json {
        let last =
            last.map(|last| last.iter().map(|b| json!(Cells::of(&named(b)))).collect::<Vec<_>>());
        let mut object = json!({
            "width": size.width(), "height": size.height(), "goal": Posed::new(&first, &goal).goal,
            "metric": args.metric.name(), "boards": boards, "counts": counts,
        });
        for (name, value) in [
            ("to", args.to.map(|to| json!(to))),
            ("farthest", last.map(|last| json!(last))),
            ("stopped", end.err().map(|stop| json!(stop.name()))),
        ] {
            value.into_iter().for_each(|value| object[name] = value);
        }
        let mut line = Vec::new();
        output::object(&mut line, &object)?;
        String::from_utf8(line)?
    } else {
        let row = |(distance, count): (usize, &u64)| vec![distance.to_string(), grouped(*count)];
        let mut lines = vec![vec!["distance".to_owned(), "boards".to_owned()]];
        lines.extend(counts.iter().enumerate().map(row));
        let reach = match end {
            Ok(false) => "can reach".to_owned(),
            _ => format!("are at most {} from", plural(layers.distance(), "move")),
        };
        let shown: &dyn Display = match &goal {
            Target::Board(_) => &first,
            Target::Open(goal) => goal,
        };
        let mut text =
            format!("{}\n{} boards {reach} the goal {shown}\n", aligned(&lines), grouped(boards));
        for board in last.iter().flatten() {
            text += &format!("{}\n", named(board));
        }
        text
    };
    put(&text, false)?;
    let Err(stop) = end else { return Ok(ExitCode::Fine) };
    say!("the boards at distance {} are not counted {stop}", counts.len());
    Ok(ExitCode::Negative)
}
