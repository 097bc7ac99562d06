//! `taquin shuffle`: random boards.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};

use clap::{Args, value_parser};

use crate::board::{Goal, Grid, Random};
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::streams::{say, written};

pub const EXAMPLES: &str = "\
Examples:
  taquin shuffle
  taquin shuffle --moves 30 --seed 1
  taquin shuffle --size 5x4 --count 1000 --seed 2026 > boards.txt
  taquin shuffle --size 3x3 --goal blank-first --count 10 | taquin solve --goal blank-first -

A seed gives the same boards on every machine and in every version: the generator is ChaCha8, keyed
with the seed, and numbers in a range are drawn without bias.";

/// More moves from the goal make no board more random, and take longer than anybody waits.
const MOST_MOVES: u64 = 1_000_000_000;

#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Size of the boards
    #[arg(short, long, value_name = "WxH", default_value = "4x4")]
    size: Grid,

    /// Make N random moves from the goal
    ///
    /// A move that the border blocks, or that undoes the one before, is drawn again.
    #[arg(short, long, value_name = "N", conflicts_with = "uniform", value_parser = value_parser!(u64).range(..=MOST_MOVES))]
    moves: Option<u64>,

    /// Draw uniformly among all boards that can reach the goal (the default)
    #[arg(short, long)]
    uniform: bool,

    /// Seed of the random numbers [default: drawn at random and printed]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Number of boards
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,

    /// Position that the boards can reach: a name or a board
    #[arg(short, long, default_value = "blank-last")]
    goal: String,
}

pub fn run(args: &ShuffleArgs) -> Result<ExitCode, Failure> {
    let goal = Goal::parse(&args.goal, args.size).map_err(Failure::usage)?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(());
        say("taquin", format_args!("for the same boards use --seed {seed}"));
        seed
    });
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..args.count {
        let board = match args.moves {
            Some(moves) => goal.walk(moves, &mut random),
            None => goal.random_board(&mut random),
        };
        if !written(writeln!(out, "{board}"))? {
            return Ok(ExitCode::Fine);
        }
    }
    written(out.flush())?;
    Ok(ExitCode::Fine)
}
