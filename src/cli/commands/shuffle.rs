//! `taquin shuffle`: random boards.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::board::{Board, Convention, Grid, Metric, Moves, Random};
use crate::cli::args::DatabaseArgs;
use crate::cli::args::values::{GoalArg, count_in, goal, number, span};
use crate::cli::interrupt;
use crate::cli::output::{Progress, object};
use crate::cli::process::{ExitCode, refuse, say, written};
use crate::solver::{Error, Limits, Posed, Solver, Target};
use crate::store::MAX_OPTIMAL_CELLS;

#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Size of the boards, as in 3 or 4x3 [default: the size of a goal given as a board, else 4x4]
    #[arg(short, long, value_name = "WxH")]
    size: Option<Grid>,

    /// Draw boards at N moves from the goal, or the same number at each distance N..M
    ///
    /// Boards of up to 12 cells, and boards near the goal, are drawn uniformly and listed once. Others
    /// are positions on the optimal solutions of random boards.
    #[arg(short, long, value_name = "N[..M]", conflicts_with_all = ["uniform", "moves"], value_parser = span, allow_negative_numbers = true)]
    distance: Option<RangeInclusive<u32>>,

    /// Make N random moves from the goal
    ///
    /// The board is seldom N moves away: see --distance. A move that the border blocks, or that undoes
    /// the one before, is drawn again.
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

    /// Name the moves of a scramble by the direction of the tile (default) or of the blank
    #[arg(long, value_name = "WHOSE")]
    directions: Option<Convention>,

    /// Print one JSON object for each board
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    /// Position that the boards can reach: a name or a board
    #[arg(short, long, default_value = "blank-last", value_parser = goal)]
    goal: GoalArg,

    /// Text of the blank in the goal, such as 9
    #[arg(
        long,
        value_name = "TEXT",
        requires = "goal",
        hide_short_help = true,
        allow_negative_numbers = true
    )]
    blank: Option<String>,

    /// Count --distance in moves of tiles (single) or slides (multi)
    #[arg(long, value_name = "METRIC", default_value_t)]
    metric: Metric,

    #[command(flatten)]
    databases: DatabaseArgs,
}

/// A format of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// One board per line, rows separated by slashes
    Line,
    /// One row per line, boards separated by empty lines
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

/// A board that was drawn, with its distance where that was asked for.
type Draw = Result<(Board, Option<u32>), Error>;

/// A board as an object.
#[derive(Serialize)]
struct Drawn<'a> {
    #[serde(flatten)]
    posed: Posed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
    #[serde(skip_serializing_if = "Convention::is_tile")]
    directions: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
}

pub fn run(args: &ShuffleArgs) -> anyhow::Result<ExitCode> {
    let spec = args.goal.spec(args.blank.as_deref())?;
    refuse([(
        args.distance.is_none() && spec.open().is_some(),
        "boards for an open goal (equal tiles or *) are drawn by --distance, as in --distance 1..20",
    )])?;
    let target = match args.distance {
        Some(_) => spec.sized(args.size)?,
        None => Target::Board(spec.sized(args.size)?.board()?),
    };
    let grid = target.grid();
    let scrambles = args.shown == Shown::Moves;
    let convention = args.directions.unwrap_or_default();
    let large = grid.cells() > MAX_OPTIMAL_CELLS;
    refuse([
        (scrambles && large, "--as moves is for boards of up to 25 cells"),
        (scrambles && args.format.is_some(), "--format is for boards: leave --as moves out"),
        (!scrambles && args.directions.is_some(), "--directions needs --as moves"),
        (args.distance.is_none() && args.metric == Metric::Multi, "--metric needs --distance"),
    ])?;
    let options = Solver::builder().goal(spec.clone()).metric(args.metric);
    let (solver, progress) = Progress::default().solver(options, args.databases.store())?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    let mut random = Random::new(seed);
    let boards: Box<dyn Iterator<Item = Draw>> = match (&args.distance, args.moves) {
        (Some(distances), _) => {
            progress.show(Some(args.count), "boards");
            let limits = Limits::default().cancel(&interrupt::cancel());
            let drawn = solver.boards_at(grid, distances.clone(), args.count, seed, &limits)?;
            if let Some(none) = drawn.none() {
                say!("note: {}", Error::Few { count: 0, distances: none.clone(), most: None });
            }
            let done = progress.clone();
            Box::new(drawn.map(move |drawn| {
                done.count_one();
                drawn.map(|(board, distance)| (board, Some(distance)))
            }))
        }
        (None, moves) => {
            let goal = target.clone().board()?;
            let draw = move |_| match moves {
                Some(moves) => goal.walk(moves, &mut random),
                None => goal.random_board(&mut random),
            };
            Box::new((0..args.count).map(draw).map(|board| Ok((board, None))))
        }
    };
    if args.seed.is_none() {
        say!("for the same boards use --seed {seed}");
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for (index, board) in boards.enumerate() {
        let (board, distance) = board?;
        let board = spec.named(board);
        let solve = || match spec.open() {
            Some(_) => Ok(solver.solve_with(&board, &Limits::default())?.solution),
            None => solver.solve(board.board()).map(Some),
        };
        let solution = if scrambles { solve()? } else { None };
        progress.hide();
        let scramble = solution.map(|solution| solution.moves().reversed().turned(convention));
        let result = match (&scramble, args.format) {
            _ if args.json => {
                let drawn = Drawn {
                    posed: Posed::new(&board, &target),
                    distance,
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
