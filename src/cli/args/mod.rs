//! Arguments that several commands have. A doc comment here is help text.

pub mod values;

use std::env;
use std::io::IsTerminal;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use rayon::ThreadPoolBuilder;

use self::values::{count, count_in, path, size, time};
use crate::board::Convention;
use crate::format::Format;
use crate::solver::{Limits, MAX_THREADS};
use crate::store::Store;

/// The numbers of threads that can be asked for.
pub const MOST_THREADS: RangeInclusive<u64> = 1..=MAX_THREADS as u64;

/// `--threads`.
#[derive(Debug, Args)]
pub struct Threads {
    /// Number of threads [default: one per core]
    #[arg(id = "threads", short = 't', long, value_name = "N", value_parser = count_in(MOST_THREADS, "threads"), allow_negative_numbers = true)]
    count: Option<u64>,
}

impl Threads {
    /// Starts the threads: as many as are asked for, else one per core.
    pub fn start(&self) -> anyhow::Result<()> {
        let count = self.count.map_or(0, |count| count as usize);
        let started = ThreadPoolBuilder::new().num_threads(count).build_global();
        started.context("cannot start the threads: use fewer with --threads")
    }
}

/// The limits of the search of a board.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// Time for each board: 10, 0.5, 200ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// Nodes for each board: 500000, 2e6 or 10M
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub node_limit: Option<u64>,
}

impl LimitArgs {
    /// The limits for a solver.
    pub fn limits(&self) -> Limits {
        let limits = self.time_limit.into_iter().fold(Limits::default(), Limits::time);
        self.node_limit.into_iter().fold(limits, Limits::nodes)
    }
}

/// The memory of a build or a proof.
#[derive(Args, Clone, Copy, Debug)]
pub struct Memory {
    /// Memory limit, as in 500M or 2G [default: nine tenths of the available memory]
    #[arg(long = "memory", value_name = "SIZE", value_parser = size, allow_negative_numbers = true)]
    pub bytes: Option<u64>,
}

/// The folder of the databases, and whether missing ones are built.
#[derive(Args, Clone, Debug)]
pub struct DatabaseArgs {
    /// Folder of the databases [default: TAQUIN_PDB_DIR, ./pdb or the user's]
    #[arg(long, value_name = "DIR", value_parser = path(), hide_short_help = true)]
    pub pdb_dir: Option<PathBuf>,

    /// Build nothing: use existing databases, or print the build command and exit with code 3
    #[arg(long, hide_short_help = true)]
    pub no_build: bool,
}

impl DatabaseArgs {
    /// The store of these databases.
    pub fn store(&self) -> Store {
        let folder = self.pdb_dir.clone().unwrap_or_else(default_folder);
        Store::folder(folder).build_missing(!self.no_build)
    }
}

/// The folder of the databases, where no option names one: the environment's, else `./pdb` where it
/// exists, else the user's.
pub fn default_folder() -> PathBuf {
    let local = Path::new("pdb");
    let named = env::var_os("TAQUIN_PDB_DIR").is_some_and(|folder| !folder.is_empty());
    let folder = Store::default_folder().filter(|_| named || !local.is_dir());
    folder.unwrap_or_else(|| local.to_owned())
}

/// The form of answers.
#[derive(Args, Clone, Copy, Debug)]
pub struct OutputArgs {
    /// Format of solutions: see taquin help formats
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<Format>,

    /// Print JSON for each board: see taquin help json
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    /// Name moves by the direction of the tile (default) or of the blank
    #[arg(
        id = "convention",
        long = "moves",
        alias = "directions",
        value_name = "WHOSE",
        default_value_t,
        hide_default_value = true
    )]
    pub convention: Convention,

    /// Print only the moves, as when the output is not a terminal
    #[arg(short, long, hide_short_help = true)]
    pub quiet: bool,

    /// Colour boards: auto (on a terminal), always or never
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_default_value = true,
        value_name = "WHEN",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub color: Color,
}

impl OutputArgs {
    /// The format that is asked for.
    pub fn format(&self) -> Option<Format> {
        if self.json { Some(Format::Json) } else { self.format }
    }
}

/// When boards are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Returns whether to colour what goes to this stream.
    pub fn enabled(self, stream: &impl IsTerminal) -> bool {
        // By the rules of no-color.org, an empty value does not count.
        let refused = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Color::Auto => stream.is_terminal() && !refused(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}
