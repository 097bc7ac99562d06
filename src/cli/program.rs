//! The two programs and their commands. A doc comment here is help text.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::anyhow;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use super::advice::report;
use super::commands::packets::{self, MergeArgs, PacketArgs, SplitArgs};
use super::commands::{
    apply, bench, build, check, count, inspect, play, shell, shuffle, solve, suggest,
};
use super::help;
use super::interrupt;
use super::process::{ExitCode, keep, put, written};
use crate::board::{Board, Grid};
use crate::text::quoted;

/// Solves sliding-tile puzzles, in the fewest moves if they have up to 25 cells
///
/// The search is iterative deepening with pattern databases. They are built when they are first
/// needed, which takes seconds.
#[derive(Debug, Parser)]
#[command(name = "taquin", version, max_term_width = 100, after_help = "Guides: taquin help formats, goals, heuristics, searches, json", after_long_help = include_str!("help/taquin.txt"))]
pub struct Taquin {
    #[command(subcommand)]
    command: TaquinCommand,
}

#[derive(Debug, Subcommand)]
enum TaquinCommand {
    /// Solve boards, in the fewest moves if they have up to 25 cells
    ///
    /// A move is named by the direction of the tile: "Down" slides the tile above the blank down.
    #[command(after_long_help = include_str!("help/solve.txt"))]
    Solve(solve::SolveArgs),
    /// Check whether boards can reach the goal, and explain why or why not
    ///
    /// For goals with the tiles in reading order the inversions decide it, and at even widths the row of
    /// the blank. For others two numbers must be both even or both odd: the transpositions that turn the
    /// board into the goal, and the steps of the blank to its goal cell.
    #[command(after_long_help = include_str!("help/check.txt"))]
    Check(check::CheckArgs),
    /// Draw boards at random
    ///
    /// Prints one board per line, as taquin solve reads them.
    #[command(after_long_help = include_str!("help/shuffle.txt"))]
    Shuffle(shuffle::ShuffleArgs),
    /// Replay moves on a board
    #[command(after_long_help = include_str!("help/apply.txt"))]
    Apply(apply::ApplyArgs),
    /// Measure and compare heuristics on a set of boards
    #[command(after_long_help = include_str!("help/bench.txt"))]
    Bench(bench::BenchArgs),
    /// Count the boards at each distance from a goal
    ///
    /// Counts all boards of up to 12 cells that can reach the goal, or those up to a distance.
    #[command(after_long_help = include_str!("help/count.txt"))]
    Count(count::CountArgs),
    /// Divide the search for a hard board into packets for many machines
    #[command(after_long_help = include_str!("help/split.txt"))]
    Split(SplitArgs),
    /// Search packets made by taquin split
    #[command(after_long_help = include_str!("help/packet.txt"))]
    Packet(PacketArgs),
    /// Join the results of packets
    #[command(after_long_help = include_str!("help/merge.txt"))]
    Merge(MergeArgs),
    /// Play with a board in the terminal, with hints from the solver
    ///
    /// Shows the board, the moves made, and the fewest moves to the goal.
    #[command(after_long_help = include_str!("help/play.txt"))]
    Play(play::PlayArgs),
    /// Print completions for a shell
    #[command(after_long_help = include_str!("help/completions.txt").replace("PROGRAM", "taquin"))]
    Completions(shell::CompletionsArgs),
    /// Print a manual page, or write all of them to a folder
    #[command(after_long_help = include_str!("help/man.txt").replace("PROGRAM", "taquin"))]
    Man(shell::ManArgs),
}

/// Builds and checks pattern databases
#[derive(Debug, Parser)]
#[command(name = "pdb-gen", version, max_term_width = 100, after_long_help = include_str!("help/pdb-gen.txt"))]
pub struct PdbGen {
    #[command(subcommand)]
    command: PdbGenCommand,
}

#[derive(Debug, Subcommand)]
enum PdbGenCommand {
    /// Build the databases of a partition
    ///
    /// Each pattern of the partition has one file. A sound file is left as it is.
    #[command(after_long_help = include_str!("help/build.txt"))]
    Build(build::BuildArgs),
    /// Search for partitions whose databases fit a number of bytes
    ///
    /// Begins with strips of rows and columns, and exchanges tiles between the patterns as long as that lowers the
    /// mean of b^-h, where b is the branching factor and h the bound: the nodes of a search are proportional to
    /// this mean.
    #[command(after_long_help = include_str!("help/suggest.txt"))]
    Suggest(suggest::SuggestArgs),
    /// List the databases of a folder, or print the headers of files
    ///
    /// A list has the pattern of each file as the cells of its tiles, the named partitions that use
    /// it, and whether its table matches its checksum. For a file, and with --histogram, only header and
    /// length are checked.
    #[command(after_long_help = include_str!("help/pdb-gen.txt"))]
    Info(inspect::InfoArgs),
    /// Prove that tables are correct
    ///
    /// Checks the header and its checksum, the exact length, the numbering of the states, and the
    /// checksum of the table. Then proves that the table holds the exact number of moves of every
    /// state, however it was built. The proof needs a byte of memory for each state: 1.4 GB for
    /// the larger table of 7-8. Databases that count slides are compared with their checksums.
    #[command(after_long_help = include_str!("help/pdb-gen.txt"))]
    Verify(inspect::VerifyArgs),
    /// Print completions for a shell
    #[command(after_long_help = include_str!("help/completions.txt").replace("PROGRAM", "pdb-gen"))]
    Completions(shell::CompletionsArgs),
    /// Print a manual page, or write all of them to a folder
    #[command(after_long_help = include_str!("help/man.txt").replace("PROGRAM", "pdb-gen"))]
    Man(shell::ManArgs),
}

/// Runs the solver.
///
/// # Errors
/// Where nothing could be done at all. An error of a single board is reported among
/// the results, and shows in the exit code.
pub fn taquin(args: &Taquin) -> anyhow::Result<ExitCode> {
    interrupt::install();
    match &args.command {
        TaquinCommand::Solve(args) => solve::run(args),
        TaquinCommand::Check(args) => check::run(args),
        TaquinCommand::Shuffle(args) => shuffle::run(args),
        TaquinCommand::Apply(args) => apply::run(args),
        TaquinCommand::Bench(args) => bench::run(args),
        TaquinCommand::Count(args) => count::run(args),
        TaquinCommand::Split(args) => packets::split(args),
        TaquinCommand::Packet(args) => packets::packet(args),
        TaquinCommand::Merge(args) => packets::merge(args),
        TaquinCommand::Play(args) => play::run(args),
        TaquinCommand::Completions(args) => shell::completions::<Taquin>(args),
        TaquinCommand::Man(args) => shell::man::<Taquin>(args),
    }
}

/// Runs the generator.
///
/// # Errors
/// Where nothing could be done at all. An error of a single file is reported among
/// the results, and shows in the exit code.
pub fn pdb_gen(args: &PdbGen) -> anyhow::Result<ExitCode> {
    interrupt::install();
    match &args.command {
        PdbGenCommand::Build(args) => build::run(args),
        PdbGenCommand::Suggest(args) => suggest::run(args),
        PdbGenCommand::Info(args) => inspect::info(args),
        PdbGenCommand::Verify(args) => inspect::verify(args),
        PdbGenCommand::Completions(args) => shell::completions::<PdbGen>(args),
        PdbGenCommand::Man(args) => shell::man::<PdbGen>(args),
    }
}

/// Runs a program with its command line. Reports what stopped it, if anything did, and returns the
/// code to exit with. A process runs at most one program.
pub fn main<T: Parser>(
    program: &'static str,
    words: impl IntoIterator<Item = OsString>,
    run: impl FnOnce(&T) -> anyhow::Result<ExitCode>,
) -> u8 {
    let words = keep(program, words);
    let asked = match words {
        [_, help, topic] if program == "taquin" && help == "help" => topic.to_str(),
        _ => None,
    };
    let result = match (asked.and_then(help::topic), T::try_parse_from(words.iter().map(apart))) {
        (Some(topic), _) => put(&help::text(topic), false).map(|()| ExitCode::Fine),
        (None, Ok(args)) => run(&args),
        (None, Err(error)) => match mistaken(&error, asked.is_some()) {
            Some(message) => Err(anyhow!(message)),
            // The help is an error of this kind too.
            None => written(error.print().and_then(|()| io::stdout().flush()))
                .map(|_| if error.use_stderr() { ExitCode::Usage } else { ExitCode::Fine }),
        },
    };
    let code = result.unwrap_or_else(|error| report("", &error));
    interrupt::finish();
    code as u8
}

/// A word of the command line, with a space before a board whose blank is `-` or `-1`, which is no option.
fn apart(word: &OsString) -> OsString {
    let rest = word.to_str().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
    let mut cells = rest.split(|c: char| c.is_whitespace() || ",;/|".contains(c));
    let is_board = matches!(cells.next(), Some("" | "-" | "1")) && cells.next().is_some();
    let mut apart = OsString::from(if is_board { " " } else { "" });
    apart.push(word);
    apart
}

/// The message that replaces clap's where that one would mislead. `asked` tells whether a topic of the help was asked
/// for.
fn mistaken(error: &clap::Error, asked: bool) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let command = context(ContextKind::InvalidSubcommand);
    if command.parse::<Board>().is_ok() {
        return Some(format!("this is a board: solve it with `taquin solve {}`", quoted(command)));
    }
    let argument = context(ContextKind::InvalidArg);
    if error.kind() == ErrorKind::UnknownArgument
        && argument.contains('x')
        && argument.parse::<Grid>().is_ok()
    {
        return Some(format!("{argument} is a size: write --size {argument}"));
    }
    if let Some(topic) = help::topic(command) {
        return Some(format!("{command} is not a command: read `taquin help {topic}`"));
    }
    if asked && error.kind() == ErrorKind::InvalidSubcommand {
        let guides = help::TOPICS.join(", ");
        return Some(format!(
            "there is no help on {command:?}: the guides are {guides}; `taquin --help` lists the commands"
        ));
    }
    let conflicts = error.kind() == ErrorKind::ArgumentConflict
        && context(ContextKind::InvalidArg).starts_with("--format")
        && context(ContextKind::PriorArg).starts_with("--json");
    conflicts.then(|| {
        "--json has the moves as letters in its field \"moves\": leave --format or --json out"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::board::Goal;
    use crate::pdb::Partition;

    #[test]
    fn the_definitions_are_consistent() {
        for program in [Taquin::command(), PdbGen::command()] {
            program.clone().debug_assert();
            // Optimised tests are compiled without the checks of clap. Of two arguments with one name, one
            // would take the value of the other.
            for command in program.get_subcommands() {
                let mut names: Vec<_> = command.get_arguments().map(clap::Arg::get_id).collect();
                let count = names.len();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count, "{}: {names:?}", command.get_name());
            }
        }
    }

    #[test]
    fn the_texts_name_every_goal_heuristic_format_and_partition() {
        let text = |topic| help::text(topic);
        assert!(help::TOPICS.iter().all(|topic| !text(topic).is_empty()));
        assert_eq!((help::topic("goal"), help::topic("s")), (Some("goals"), None));
        assert!(Goal::NAMES.iter().all(|goal| text("goals").contains(goal)));
        assert!(text("formats").ends_with("json      One JSON object for each board\n"));
        let four = Grid::new(4, 4).expect("a board");
        let command = PdbGen::command();
        let mut build = command.find_subcommand("build").expect("it is there").clone();
        let build = build.render_long_help().to_string();
        for name in Partition::names(four) {
            assert!(build.contains(name) && text("heuristics").contains(name), "{name}");
        }
        for (name, _) in crate::classics::names() {
            assert!(text("heuristics").contains(name), "{name}");
        }
    }

    #[test]
    fn paths_are_not_empty() {
        assert!(Taquin::try_parse_from(["taquin", "solve", "--pdb-dir", ""]).is_err());
        assert!(PdbGen::try_parse_from(["pdb-gen", "info", ""]).is_err());
    }
}
