//! `taquin shuffle`: random boards.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::board::{Convention, Grid, Moves, Random};
use crate::cli::args::DatabaseArgs;
use crate::cli::args::values::{GoalArg, count_in, goal, number};
use crate::cli::output::{Progress, object};
use crate::cli::process::{ExitCode, refuse, say, written};
use crate::solver::{Posed, Solver, Target};
use crate::store::MAX_OPTIMAL_CELLS;

#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Size of the boards [default: the size of a goal given as a board, else 4x4]
    #[arg(short, long, value_name = "WxH")]
    size: Option<Grid>,

    /// Make N random moves from the goal
    ///
    /// A move that the border blocks, or that undoes the one before, is drawn again.
    #[arg(short, long, value_name = "N", conflicts_with = "uniform", value_parser = count_in(0..=1_000_000_000, "moves"), allow_negative_numbers = true)]
    moves: Option<u64>,

    /// Draw uniformly among all boards that can reach the goal (the default)
    #[arg(short, long)]
    uniform: bool,

    /// Seed of the random numbers [default: drawn at random and printed]
    #[arg(long, value_name = "S", value_parser = number::<u64>, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Number of boards, as in 5, 1e3 or 10k
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = count_in(0..=100_000_000_000, "boards"), allow_negative_numbers = true)]
    count: u64,

    /// Format of the boards [default: line]
    #[arg(long, value_enum)]
    format: Option<Layout>,

    /// Print each board, or the moves of an optimal scramble: from the goal to the board
    ///
    /// Scrambles are for boards of up to 25 cells. Each takes a search; with more than 16 cells, use
    /// --moves for boards near the goal, as others can take hours.
    #[arg(id = "shown", long = "as", value_enum, default_value_t, value_name = "WHAT")]
    shown: Shown,

    /// Whose directions the moves of a scramble are [default: tile]
    #[arg(long, value_name = "WHOSE")]
    directions: Option<Convention>,

    /// Print one JSON object for each board
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    /// Position that the boards can reach: a name or a board
    #[arg(short, long, default_value = "blank-last", value_parser = goal)]
    goal: GoalArg,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// A format of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// One board a line, rows separated by slashes
    Line,
    /// One row a line, boards separated by empty lines
    Grid,
}

/// The output for a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// The board
    #[default]
    Board,
    /// The moves of a scramble, one letter each
    Moves,
}

/// A board as an object.
#[derive(Serialize)]
struct Drawn<'a> {
    #[serde(flatten)]
    posed: Posed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
    #[serde(skip_serializing_if = "Convention::is_tile")]
    directions: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
}

pub fn run(args: &ShuffleArgs) -> anyhow::Result<ExitCode> {
    let goal = args.goal.spec.sized(args.size)?;
    let scrambles = args.shown == Shown::Moves;
    let convention = args.directions.unwrap_or_default();
    let large = goal.board().grid().cells() > MAX_OPTIMAL_CELLS;
    refuse([
        (scrambles && large, "--as moves is for boards of up to 25 cells"),
        (scrambles && args.format.is_some(), "--format is for boards: leave --as moves out"),
        (!scrambles && args.directions.is_some(), "--directions needs --as moves"),
    ])?;
    let options = Solver::builder().goal(args.goal.spec.clone());
    let (solver, progress) = Progress::default().solver(options, args.databases.store())?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(());
        say!("for the same boards use --seed {seed}");
        seed
    });
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(io::stdout().lock());
    for index in 0..args.count {
        let board = match args.moves {
            Some(moves) => goal.walk(moves, &mut random),
            None => goal.random_board(&mut random),
        };
        let solution = scrambles.then(|| solver.solve(&board)).transpose()?;
        progress.hide();
        let scramble = solution.map(|solution| solution.moves().reversed().turned(convention));
        let result = match (&scramble, args.format) {
            _ if args.json => {
                let (board, goal) = (board.clone().into(), Target::Board(goal.clone()));
                let drawn = Drawn {
                    posed: Posed::new(&board, &goal),
                    scramble: scramble.as_ref().map(Moves::to_string),
                    directions: convention,
                    length: scramble.as_ref().map(Moves::len),
                };
                object(&mut out, &drawn)
            }
            (Some(scramble), _) => writeln!(out, "{scramble}"),
            (None, None | Some(Layout::Line)) => writeln!(out, "{board}"),
            (None, Some(Layout::Grid)) => {
                writeln!(out, "{}{board:#}", if index > 0 { "\n" } else { "" })
            }
        };
        if !written(result)? {
            return Ok(ExitCode::Fine);
        }
    }
    written(out.flush())?;
    Ok(ExitCode::Fine)
}
