//! The arguments of both programs. What is a doc comment here is the help text.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use super::apply::{self, ApplyArgs};
use super::bench::{self, BenchArgs};
use super::boards::BoardArgs;
use super::check::{self, CheckArgs};
use super::checkpoint::CheckpointArgs;
use super::exit::{PDB_GEN_CODES, TAQUIN_CODES};
use super::format::Format;
use super::limits::{Limits, Memory};
use super::method::MethodArgs;
use super::shell::{CompletionsArgs, ManArgs};
use super::shuffle::{self, ShuffleArgs};
use crate::board::Grid;
use crate::heuristic::{self, Spec};

/// Solves sliding-tile puzzles in the fewest moves
///
/// It searches by iterative deepening, with pattern databases. These are built when they are
/// first needed, which takes seconds.
#[derive(Debug, Parser)]
#[command(name = "taquin", version, max_term_width = 100, after_long_help = TAQUIN_CODES)]
pub struct Taquin {
    #[command(subcommand)]
    pub(super) command: TaquinCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum TaquinCommand {
    /// Solve boards, those of up to 25 cells in the fewest moves
    ///
    /// A move is named by the way the tile goes: "Down" slides the tile above the blank down.
    #[command(after_long_help = format!("{SOLVE_EXAMPLES}\n\n{TAQUIN_CODES}"))]
    Solve(SolveArgs),
    /// Tell whether boards can reach the goal, and why
    ///
    /// A board can reach the goal exactly if the number of transpositions that turn it into the
    /// goal and the steps of the blank to its goal cell are both even or both odd.
    #[command(after_long_help = format!("{}\n\n{}", check::EXAMPLES, check::CODES))]
    Check(CheckArgs),
    /// Draw boards at random
    ///
    /// They are printed one a line, as taquin solve reads them.
    #[command(after_long_help = shuffle::EXAMPLES)]
    Shuffle(ShuffleArgs),
    /// Replay moves on a board
    #[command(after_long_help = format!("{}\n\n{}", apply::EXAMPLES, apply::CODES))]
    Apply(ApplyArgs),
    /// Compare heuristics on a set of boards
    #[command(after_long_help = format!("{}\n\n{}", bench::EXAMPLES, bench::CODES))]
    Bench(BenchArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them to a folder
    Man(ManArgs),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  taquin solve '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12'
  taquin solve '([5,1,7,3],[9,2,11,4],[13,6,15,8],[0,10,14,12])'
  taquin solve --goal blank-first '1 2 0 / 3 4 5 / 6 7 8'
  taquin solve --json --file boards.txt
  taquin solve --time-limit 10 '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'
  taquin solve --method astar --ties fifo --memory 1G '5 1 9 3 / 11 13 6 8 / 14 10 4 15 / 0 12 7 2'
  taquin solve --method bfs --max-moves 20 --format boards '1 2 3 / 4 0 6 / 7 5 8'
  taquin solve --method staged --verbose --time-limit 2 --format runs --file boards.txt
  taquin solve --all '8 6 7 / 2 5 4 / 3 0 1'
  taquin shuffle --size 10x10 --count 5 | taquin solve --json -

A line of JSON has the fields schema, width, height, board, goal, solved, optimal, length,
moves (a letter each: U, D, L, R), lower_bound, generated, expanded, seconds (of the search
alone; of several boards, with up to five others at a time), heuristic, and, where a limit or a
signal ended the search, stopped (time, nodes, memory, moves or interrupt); gap, length less
lower_bound, where that is not 0; solutions, how many there are, with --count and --all, and all,
their moves, with --all. Where no solution was found,
length and moves are null. For a board without an answer the fields are schema, line, input, error
and kind (unsolvable, input, database or internal).";

#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub input: BoardArgs,

    /// What guides the search, as in walking-distance or 7-8:mirror
    #[arg(
        long,
        value_name = "HEURISTIC",
        default_value = "standard",
        long_help = heuristic_help()
    )]
    pub heuristic: Spec,

    /// How solutions are written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// Print one JSON object a board: the same as --format json
    #[arg(short, long, conflicts_with = "format")]
    pub json: bool,

    #[command(flatten)]
    pub method: MethodArgs,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub checkpoint: CheckpointArgs,

    #[command(flatten)]
    pub threads: Threads,

    /// Folder of the databases
    ///
    /// Where it is not given: the environment's TAQUIN_PDB_DIR, else ./pdb where there is such a
    /// folder, else the folder taquin among the user's data.
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub pdb_dir: Option<PathBuf>,

    /// Refuse to build missing databases
    ///
    /// Exit code 3 and the command that builds them instead. Small boards need none: their
    /// tables are made in memory.
    #[arg(long)]
    pub no_build: bool,
}

/// Builds and checks pattern databases
#[derive(Debug, Parser)]
#[command(name = "pdb-gen", version, max_term_width = 100, after_long_help = PDB_GEN_CODES)]
pub struct PdbGen {
    #[command(subcommand)]
    pub(super) command: PdbGenCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum PdbGenCommand {
    /// Build the databases of a partition
    ///
    /// There is one file for each pattern of the partition. A file that is there and sound is
    /// left as it is.
    #[command(after_long_help = format!("{BUILD_EXAMPLES}\n\n{PDB_GEN_CODES}"))]
    Build(BuildArgs),
    /// Print what files say of themselves
    ///
    /// Headers and lengths are checked, tables are not.
    #[command(after_long_help = PDB_GEN_CODES)]
    Info(Files),
    /// Prove that tables are right
    ///
    /// Checked are the header and its checksum, the exact length, the numbering of the states,
    /// and the checksum of the table. The proof does not depend on how the table was built: it
    /// holds the exact number of moves of every state. It takes a byte of memory a state, 1.4 GB
    /// for the larger table of 7-8.
    #[command(after_long_help = PDB_GEN_CODES)]
    Verify(VerifyArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them to a folder
    Man(ManArgs),
}

const BUILD_EXAMPLES: &str = "\
Examples:
  pdb-gen build
  pdb-gen build --out /var/lib/taquin
  pdb-gen build --size 3x3 --partition 4-4 --out .
  pdb-gen build --size 5x5 --catalogue small
  pdb-gen build --blank 5
  pdb-gen build --size 5x4 --partition 1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17,18,19";

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    /// Size of the boards
    #[arg(short, long, value_name = "WxH", default_value = "4x4")]
    pub size: Grid,

    /// Partition of the tiles: a name or lists as in 1,2,3/4,5
    ///
    /// The names for 4x4 are 7-8, 7-8b, 7-8c, 6-6-3, 5-5-5 and 4-4-4-3, for 5x5 6-6-6-6 and 7-7-7-3. In
    /// lists a tile is named by its goal cell; cells are numbered from 0 in reading order. Where it is not given: what taquin solve
    /// takes for the size, 7-8 for 4x4, the catalogue small for 5x5.
    #[arg(short, long)]
    pub partition: Option<String>,

    /// Catalogue of partitions, by its name
    ///
    /// There is one for 5x5, small: seven partitions 6-6-6-6. A database serves all patterns of
    /// the same shape, so they need eleven.
    #[arg(short, long, value_name = "NAME", conflicts_with = "partition")]
    pub catalogue: Option<String>,

    /// Goal cell of the blank
    ///
    /// Cells are numbered from 0 in reading order. Named partitions are built for the first of
    /// the cells that are equivalent by symmetry, as all four corners are, and serve them all.
    /// Lists of tiles are taken as they are.
    #[arg(short, long, value_name = "CELL", default_value_t = 0)]
    pub blank: usize,

    /// Folder to build in
    ///
    /// It is made if need be. Where it is not given: the environment's TAQUIN_PDB_DIR, else
    /// ./pdb where there is such a folder, else the folder taquin among the user's data.
    #[arg(short, long, value_name = "DIR", value_parser = path())]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub memory: Memory,

    /// Build anew what is there, sound or not
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Threads {
    /// Number of threads [default: one a core]
    #[arg(short = 't', long = "threads", value_name = "N", value_parser = threads)]
    pub count: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub files: Files,

    /// Leave out the proof
    #[arg(short, long)]
    pub quick: bool,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub memory: Memory,
}

#[derive(Debug, Args)]
pub(super) struct Files {
    /// Database files
    #[arg(required = true, value_name = "FILE", value_parser = path())]
    pub paths: Vec<PathBuf>,
}

/// More threads than any machine of today would use well.
const MAX_THREADS: usize = 1024;

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("the number of threads is 1 to {MAX_THREADS}")),
    }
}

/// A path that is not empty: the empty one would be taken for the current folder.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text: OsString| {
        if text.is_empty() { Err("a path cannot be empty") } else { Ok(PathBuf::from(text)) }
    })
}

/// The help of `--heuristic`. The names are those of the library's table.
fn heuristic_help() -> String {
    let names: Vec<_> =
        heuristic::names().map(|(name, summary)| format!("  {name}: {summary}")).collect();
    let sums: Vec<_> = heuristic::Named::ALL
        .iter()
        .filter(|named| named.additions().is_some())
        .map(|named| named.name())
        .collect();
    format!(
        "\
What guides the search, as in walking-distance or 7-8:mirror

{}

Any sum of {}, as in manhattan+linear-conflict+last-move, is a heuristic too.

Databases are named by their partition, for 4x4 7-8, 7-8b, 7-8c, 6-6-3, 5-5-5 and 4-4-4-3, for 5x5 \
6-6-6-6 and 7-7-7-3, or by its tiles as in 1,2,3/4,5 (named by their goal cells as in pdb-gen build, \
with the blank first for goals in a corner); then :plain for tables that ignore the blank, which are \
made in memory each time, and :mirror to look up the mirror image too.

The maximum of several: 'max(walking-distance,5-5-5)'.

The fast search takes the last three names, and a partition of all tiles with :mirror, or without \
where the goal has no mirror image: of two patterns, on boards of 17 to 25 cells of up to four with up \
to seven tiles. All else is searched plainly, several times slower.",
        names.join("\n"),
        sums.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Taquin::command().debug_assert();
        PdbGen::command().debug_assert();
    }

    #[test]
    fn the_help_names_every_goal_and_partition() {
        let help = |command: clap::Command, name: &str| {
            let mut command = command.find_subcommand(name).expect("it is there").clone();
            command.render_long_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for goal in crate::board::Goal::NAMES {
            assert!(help(Taquin::command(), "solve").contains(goal), "{goal}");
        }
        let four = Grid::new(4, 4).expect("a board");
        for name in crate::pdb::Partition::names(four) {
            assert!(help(PdbGen::command(), "build").contains(name), "{name}");
            assert!(help(Taquin::command(), "solve").contains(name), "{name}");
        }
        for (name, _) in heuristic::names() {
            assert!(help(Taquin::command(), "solve").contains(name), "{name}");
        }
    }

    #[test]
    fn threads_are_bounded() {
        for text in ["0", "1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
        assert_eq!((threads("1"), threads("1024")), (Ok(1), Ok(1024)));
    }

    #[test]
    fn paths_are_not_empty() {
        assert!(Taquin::try_parse_from(["taquin", "solve", "--pdb-dir", ""]).is_err());
        assert!(PdbGen::try_parse_from(["pdb-gen", "info", ""]).is_err());
    }
}
