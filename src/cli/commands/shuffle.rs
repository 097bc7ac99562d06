//! `taquin shuffle`: random boards.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::board::{Board, Convention, Goal, Grid, Moves, Random};
use crate::cli::advice::failure;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits;
use crate::cli::args::parsers::{GoalArg, convention, goal, seed};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::output::bar::Bar;
use crate::cli::output::progress::Progress;
use crate::cli::output::report::SCHEMA;
use crate::cli::output::streams::{say, written};
use crate::solver::{Posed, Solver};
use crate::store::MAX_OPTIMAL_CELLS;
use crate::text::{grouped, plural};

pub const EXAMPLES: &str = "\
Examples:
  taquin shuffle
  taquin shuffle --moves 30 --seed 1
  taquin shuffle --length 50 --format grid
  taquin shuffle --size 5x4 --count 1000 --seed 2026 > boards.txt
  taquin shuffle --as moves --count 5
  taquin shuffle --size 3x3 --as moves --directions blank --json
  taquin shuffle --size 3x3 --goal blank-first --count 10 | taquin solve --goal blank-first -

A seed gives the same boards on every machine and in every version: the
generator is ChaCha8, keyed with the seed, and numbers in a range are drawn
without bias.

Fields of a JSON object:
  schema, width, height, board, goal
  scramble, length  with --as moves: an optimal scramble, one letter for each
                    move, and its length
  directions        blank, with --directions blank: the scramble has the
                    directions of the blank";

/// More moves from the goal make no board more random, and take longer than anybody waits.
const MOST_MOVES: u64 = 1_000_000_000;

#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Size of the boards [default: that of a goal given as a board, else 4x4]
    #[arg(short, long, value_name = "WxH")]
    size: Option<Grid>,

    /// Make N random moves from the goal
    ///
    /// A move that the border blocks, or that undoes the one before, is drawn again.
    #[arg(short, long, value_name = "N", conflicts_with = "uniform", value_parser = moves, allow_negative_numbers = true)]
    moves: Option<u64>,

    /// Draw uniformly among all boards that can reach the goal (the default)
    #[arg(short, long)]
    uniform: bool,

    /// Seed of the random numbers [default: drawn at random and printed]
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Draw boards whose shortest solution has N moves, up to 25 cells
    ///
    /// Boards come from random walks whose solution has this length by chance. After 20,000 walks
    /// without one the program gives up. Each walk takes a search, so that long solutions on boards
    /// of more than 16 cells can take minutes.
    #[arg(long, value_name = "N", conflicts_with_all = ["moves", "uniform"], value_parser = limits::length, allow_negative_numbers = true)]
    length: Option<u32>,

    /// Number of boards, as in 5, 1e3 or 10k
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = boards, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "WHOSE", value_parser = convention())]
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
    schema: u32,
    #[serde(flatten)]
    posed: Posed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directions: Option<Convention>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
}

impl<'a> Drawn<'a> {
    fn new(
        board: &'a Board,
        goal: &'a Goal,
        scramble: Option<&Moves>,
        of: Convention,
    ) -> Drawn<'a> {
        Drawn {
            schema: SCHEMA,
            posed: Posed::new(board, goal),
            scramble: scramble.map(Moves::to_string),
            directions: scramble.and((of == Convention::Blank).then_some(of)),
            length: scramble.map(Moves::len),
        }
    }
}

/// The most boards: they take a day to print.
const MOST_BOARDS: u64 = 100_000_000_000;

/// Parses a number of boards.
fn boards(text: &str) -> Result<u64, String> {
    match limits::count(text)? {
        boards @ ..=MOST_BOARDS => Ok(boards),
        _ => Err(format!("the number of boards must be at most {}", grouped(MOST_BOARDS))),
    }
}

/// Parses a number of moves.
fn moves(text: &str) -> Result<u64, String> {
    match limits::count(text)? {
        moves @ ..=MOST_MOVES => Ok(moves),
        _ => Err(format!("the number of moves must be at most {}", grouped(MOST_MOVES))),
    }
}

pub fn run(args: &ShuffleArgs) -> Result<ExitCode, Failure> {
    let goal = args.goal.spec.sized(args.size).map_err(Failure::usage)?;
    let scrambles = args.shown == Shown::Moves;
    let convention = args.directions.unwrap_or_default();
    let large = goal.board().grid().cells() > MAX_OPTIMAL_CELLS;
    let rules = [
        (scrambles && large, "--as moves is for boards of up to 25 cells"),
        (scrambles && args.format.is_some(), "--format is for boards: leave --as moves out"),
        (!scrambles && args.directions.is_some(), "--directions needs --as moves"),
    ];
    if let Some((_, message)) = rules.into_iter().find(|&(is_broken, _)| is_broken) {
        return Err(wrong!(message));
    }
    let mut far = args.length.map(|length| Far::new(args, &goal, length)).transpose()?;
    let solver = if scrambles { Some(solver(args)?) } else { None };
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(());
        say("taquin", format_args!("for the same boards use --seed {seed}"));
        seed
    });
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(io::stdout().lock());
    for index in 0..args.count {
        let board = match (&mut far, args.moves) {
            (Some(far), _) => match far.draw(&goal, &mut random)? {
                Some(board) => board,
                None => {
                    written(out.flush())?;
                    say("taquin", far.excuse());
                    return Ok(ExitCode::Negative);
                }
            },
            (None, Some(moves)) => goal.walk(moves, &mut random),
            (None, None) => goal.random_board(&mut random),
        };
        let scramble = match &solver {
            Some(solver) => {
                let solution = solver.solve(&board).map_err(failure)?;
                Some(solution.moves().reversed().turned(convention))
            }
            None => None,
        };
        let result = match (&scramble, args.format) {
            _ if args.json => {
                let drawn = Drawn::new(&board, &goal, scramble.as_ref(), convention);
                serde_json::to_writer(&mut out, &drawn)
                    .map_err(io::Error::from)
                    .and_then(|()| writeln!(out))
            }
            (Some(scramble), _) => writeln!(out, "{scramble}"),
            (None, None | Some(Layout::Line)) => writeln!(out, "{board}"),
            (None, Some(Layout::Grid)) if index > 0 => writeln!(out, "\n{board:#}"),
            (None, Some(Layout::Grid)) => writeln!(out, "{board:#}"),
        };
        if !written(result)? {
            return Ok(ExitCode::Fine);
        }
    }
    written(out.flush())?;
    Ok(ExitCode::Fine)
}

/// A solver for the boards drawn.
fn solver(args: &ShuffleArgs) -> Result<Solver, Failure> {
    let store = args.databases.store();
    let progress = Arc::new(Progress::new(&store, false));
    let builder = Solver::builder().goal(args.goal.spec.clone()).store(store);
    // A line about each search would say nothing about the boards drawn.
    builder.progress(progress.of_stores()).build().map_err(failure)
}

/// The walks that are tried for a board.
const WALKS: u32 = 20_000;

/// The most moves of a walk. More make no board harder, and fewer are enough for small boards.
fn longest_walk(grid: Grid) -> u64 {
    10_000.min(4 * (grid.cells() as u64).pow(3))
}

/// The most moves that a board with the goal's blank in a corner takes: width, height, moves.
const FARTHEST: [(usize, usize, u32); 3] = [(2, 2, 6), (3, 3, 31), (4, 4, 80)];

/// Draws boards of a solution length.
struct Far {
    solver: Solver,
    length: u32,
    /// The moves of the next walk, which follow the lengths found.
    moves: u64,
    /// The longest solution of a rejected board.
    longest: u32,
}

impl Far {
    fn new(args: &ShuffleArgs, goal: &Goal, length: u32) -> Result<Far, Failure> {
        let grid = goal.board().grid();
        if grid.cells() > MAX_OPTIMAL_CELLS {
            return Err(wrong!("--length is for boards of up to 25 cells"));
        }
        let cell = goal.board().blank();
        let corner = [0, grid.width() - 1].contains(&grid.column(cell))
            && [0, grid.height() - 1].contains(&grid.row(cell));
        if let Some((.., most)) = FARTHEST
            .into_iter()
            .find(|&(w, h, most)| corner && Grid::new(w, h) == Ok(grid) && length > most)
        {
            return Err(wrong!("no {grid} board takes more than {most} moves"));
        }
        Ok(Far { solver: solver(args)?, length, moves: length.into(), longest: 0 })
    }

    /// A board of the length, if one is found.
    fn draw(&mut self, goal: &Goal, random: &mut Random) -> Result<Option<Board>, Failure> {
        let bar = Bar::searching(WALKS.into());
        let longest = longest_walk(goal.board().grid());
        for _ in 0..WALKS {
            let board = goal.walk(self.moves, random);
            // The value tells most boards that are too far.
            let mut found = self.solver.value(&board).map_err(failure)?;
            if found <= self.length {
                found = self.solver.solve(&board).map_err(failure)?.len() as u32;
            }
            if found == self.length {
                return Ok(Some(board));
            }
            self.longest = self.longest.max(found);
            bar.on(&format!("longest: {}", self.longest));
            bar.step();
            // By an even number: the walk decides whether the length is even or odd.
            self.moves = match found < self.length {
                true => (self.moves + 2).min(longest + u64::from(self.length % 2)),
                false => self.moves.saturating_sub(2).max(self.length.into()),
            };
        }
        Ok(None)
    }

    fn excuse(&self) -> String {
        format!(
            "none of {} boards takes {}, the longest takes {}: try another --seed, or fewer moves",
            grouped(WALKS.into()),
            plural(self.length, "move"),
            self.longest
        )
    }
}
