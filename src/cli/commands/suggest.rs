//! `pdb-gen suggest`.

use clap::Args;

use crate::cli::args::Threads;
use crate::cli::args::values::{number, size};
use crate::cli::input::KindArgs;
use crate::cli::interrupt;
use crate::cli::output::Progress;
use crate::cli::process::{ExitCode, put};
use crate::lab::suggest;
use crate::text::{aligned, megabytes};

#[derive(Debug, Args)]
pub struct SuggestArgs {
    #[command(flatten)]
    kind: KindArgs,

    /// Maximum size of the databases, as in 500K, 100M or 1G
    #[arg(long, value_name = "SIZE", default_value = "100M", value_parser = size, allow_negative_numbers = true)]
    memory: u64,

    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>, allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,
}

pub fn run(args: &SuggestArgs) -> anyhow::Result<ExitCode> {
    let goal = args.kind.goal()?.sized(args.kind.size)?.board()?;
    args.threads.start()?;
    let progress = Progress::default();
    progress.show(None, "partitions");
    let found =
        suggest(&goal, args.memory, args.seed, &interrupt::cancel(), &|| progress.count_one());
    progress.hide();
    let found = found?;
    let titles = ["partition", "heuristic", "databases", "h", "b^-h"];
    let mut lines = vec![titles.map(str::to_owned).to_vec()];
    lines.extend(found.iter().map(|found| {
        let (h, quality) = (format!("{:.2}", found.average_h), format!("{:.2e}", found.quality));
        let [partition, heuristic] = [found.partition.to_string(), found.heuristic.to_string()];
        vec![partition, heuristic, megabytes(found.bytes), h, quality]
    }));
    put(&aligned(&lines), false)?;
    Ok(ExitCode::Fine)
}
