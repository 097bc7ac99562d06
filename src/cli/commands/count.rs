//! `taquin count`: the number of boards at each distance from a goal.

use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::board::{Grid, Metric};
use crate::cli::input::KindArgs;
use crate::cli::output;
use crate::cli::process::{ExitCode, put};
use crate::lab::{MAX_SPACE_CELLS, depth_counts};
use crate::text::{aligned, grouped};

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    kind: KindArgs,

    /// What counts as a move: one tile (single) or a slide of several (multi)
    #[arg(long, value_name = "METRIC", default_value_t)]
    metric: Metric,

    /// Print a JSON object instead of a table
    #[arg(short, long)]
    json: bool,
}

pub fn run(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let goal = args.kind.goal();
    // The size of a goal that is a board, else 3×3.
    let usual = || Grid::new(3, 3).ok().filter(|size| goal.goal(*size).is_ok());
    let goal = goal.sized(args.kind.size.or_else(usual))?;
    let size = goal.board().grid();
    if size.cells() > MAX_SPACE_CELLS {
        bail!(
            "boards of {size} have too many positions to count: give a --size of up to {MAX_SPACE_CELLS} cells"
        );
    }
    let counts = depth_counts(&goal, args.metric);
    let boards: u64 = counts.iter().sum();
    let text = if args.json {
        let object = json!({
            "width": size.width(), "height": size.height(), "goal": goal.board().tiles(),
            "metric": args.metric.name(), "boards": boards, "counts": counts,
        });
        let mut line = Vec::new();
        output::object(&mut line, &object)?;
        String::from_utf8(line)?
    } else {
        let row = |(distance, count): (usize, &u64)| vec![distance.to_string(), grouped(*count)];
        let mut lines = vec![vec!["distance".to_owned(), "boards".to_owned()]];
        lines.extend(counts.iter().enumerate().map(row));
        format!("{}\n{} boards can reach the goal {goal}\n", aligned(&lines), grouped(boards))
    };
    put(&text, false)?;
    Ok(ExitCode::Fine)
}
