//! Errors of a solver.

use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
#[cfg(feature = "serde")]
use std::{ops::Range, path::PathBuf};

use crate::board::{BlockedMove, GoalError, Grid, Solvability};
use crate::classics::{ComposeError, Spec};
use crate::pdb::{BrokenTable, OpenError};
use crate::search::Stop;
use crate::solver::layers::MAX_UNNAMED;
use crate::solver::options::{MAX_THREADS, Method};
use crate::store::StoreError;

/// Why a board has no solution, or a solver cannot be built. Messages name the thing that is wrong.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The goal is neither a name nor a board, or does not fit the board.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Moves cannot reach the goal.
    #[error("this board cannot be solved: {}", cause(*solvability, reachable))]
    Unsolvable {
        /// The counts that decide it.
        solvability: Solvability,
        /// The names of the goals that moves can reach.
        reachable: Vec<&'static str>,
    },
    /// There are fewer boards at these distances than were asked for.
    #[error("{}", few(*count, distances, *most))]
    Few {
        /// The number of boards that there are.
        count: u64,
        /// The distances.
        distances: RangeInclusive<u32>,
        /// A distance that no board exceeds, where one is known.
        most: Option<u32>,
    },
    /// No distance is proved so far from the goal.
    #[error("{}", far(*grid, *left_out))]
    Far {
        /// The boards' size.
        grid: Grid,
        /// The number of tiles that an open goal leaves out, where these are too many; else 0.
        left_out: usize,
    },
    /// A move of a line is not possible.
    #[error(transparent)]
    Blocked(#[from] BlockedMove),
    /// The heuristic is not available for this size, or not with this method.
    #[error("{heuristic} works only for {}; this is {} {grid} board, with method {method}", scope(heuristic), grid.article())]
    Unavailable {
        /// The heuristic.
        heuristic: Spec,
        /// The board's size.
        grid: Grid,
        /// The method.
        method: Method,
    },
    /// The multi-tile metric has no such method or heuristic.
    #[error(
        "the multi-tile metric supports the heuristics standard and manhattan with the methods ida and \
         beam, and manhattan with plain, not {heuristic} with method {method}"
    )]
    NotForSlides {
        /// The heuristic.
        heuristic: Spec,
        /// The method.
        method: Method,
    },
    /// This kind of search does not support something.
    #[error("{search} not support {what}")]
    Without {
        /// The kind of search, with a verb.
        search: &'static str,
        /// The thing that it does not support.
        what: &'static str,
        /// The option that asks for it, or for the kind of search: `metric`, `heuristic`, `method` or
        /// `count`.
        option: &'static str,
    },
    /// The heuristic cannot be composed.
    #[error(transparent)]
    Heuristic(Arc<ComposeError<StoreError>>),
    /// The databases are missing and may not be built, cannot be used, or are too large.
    #[error(transparent)]
    Store(Arc<StoreError>),
    /// A database file does not match its checksum.
    #[error(transparent)]
    Damaged(Arc<OpenError>),
    /// A table does not lead to the goal.
    #[error("{broken} ({origin})")]
    Broken {
        /// The table.
        broken: BrokenTable,
        /// The files that the tables come from.
        origin: String,
    },
    /// The result of a search contradicts itself. This is a fault of the library, or of tables
    /// that are damaged in a way that their checksums do not show.
    #[error("internal error: {what}{}", blamed(origin.as_deref()))]
    Wrong {
        /// The contradiction.
        what: &'static str,
        /// The files that the tables come from; `None` for a search without files.
        origin: Option<String>,
    },
    /// The search, or the building of its databases, was stopped before it found a solution.
    #[error("no solution {0}")]
    Stopped(Stop),
    /// The threads cannot be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, Arc<io::Error>),
    /// More threads than any machine would use well.
    #[error("{0} threads are too many: the maximum is {most}", most = MAX_THREADS)]
    TooManyThreads(usize),
    /// A checkpoint cannot be used.
    #[cfg(feature = "serde")]
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A packet or its results cannot be used.
    #[cfg(feature = "serde")]
    #[error(transparent)]
    Packet(#[from] PacketError),
}

/// Why a checkpoint cannot be used.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file exists, and was not to be resumed.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, Arc<io::Error>),
    /// The file cannot be written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, Arc<io::Error>),
    /// Another search writes to the file.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The file is damaged, or not a checkpoint.
    #[error("{} is damaged, or not a checkpoint", .0.display())]
    Damaged(PathBuf),
    /// The checkpoint belongs to another search, which is named.
    #[error("{} is a checkpoint of {}", .0.display(), .1)]
    Other(PathBuf, &'static str),
    /// The search keeps no record.
    #[error(
        "checkpoints and packets are for boards of up to 25 cells, and need the fast search: the method ida, \
         and the heuristic standard, portfolio, combined or small, or a partition of all tiles, with :mirror \
         where the goal has a mirror image"
    )]
    NoRecord,
}

/// Why packets or their results cannot be used.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// Another version of the library has made it.
    #[error("another version of this program wrote this: use that version")]
    Version,
    /// It belongs to none of this solver's searches, or to another search than the others.
    #[error("the packet or state belongs to {0}")]
    Other(&'static str),
    /// The line is something else, is not as it was written, or contradicts itself.
    #[error("this is not a packet, result or state, or it is damaged")]
    Damaged,
    /// There are no results.
    #[error("no packet has a result yet: search the packets first")]
    None,
    /// Subtrees that no result covers before the first solution, or at all.
    #[error("{} of {of} subtrees have no result; the first is number {}", missing.len(), missing.start)]
    Missing {
        /// The first ones.
        missing: Range<usize>,
        /// The subtrees of the threshold.
        of: usize,
    },
    /// Two results are of the same subtree.
    #[error("subtree {0} has two results: give only one")]
    Twice(usize),
}

/// Open goals, in [`Error::Without`].
pub(crate) const OPEN: &str = "open goals (equal tiles or *) do";

/// Slides, in [`Error::Without`].
pub(crate) const SLIDES: &str = "the multi-tile metric does";

/// The boards and methods that a heuristic is for, if not all of them.
fn scope(heuristic: &Spec) -> &'static str {
    match heuristic {
        Spec::Catalogue(_) => {
            "5x5 boards and goals with the blank in a corner, with methods ida and beam"
        }
        Spec::Learned(_) => "beams, with method beam",
        Spec::None => "breadth-first search, with method bfs",
        Spec::Standard | Spec::Portfolio | Spec::Combined | Spec::Bound(_) => {
            "4x4 boards and goals with the blank in a corner, with methods ida and beam"
        }
    }
}

/// Why moves cannot reach the goal. If they can reach the default goal, the board was probably copied correctly.
fn cause(solvability: Solvability, reachable: &[&str]) -> String {
    let Solvability { transpositions, blank_distance, .. } = solvability;
    let [exchanges, steps] = [transpositions, blank_distance].map(Solvability::parity);
    let copied = match reachable.contains(&"blank-last") {
        true => "",
        false => ". Perhaps two tiles were swapped in copying",
    };
    format!(
        "the goal is an {exchanges} number of exchanges away ({transpositions}), but the blank is an {steps} number \
         of steps from its place ({blank_distance}){copied}"
    )
}

/// `only 2 boards are 1 move away`, or `no board is 32 moves away: none is farther than 31`
fn few(count: u64, distances: &RangeInclusive<u32>, most: Option<u32>) -> String {
    let boards = match count {
        0 => "no board is".to_owned(),
        1 => "only 1 board is".to_owned(),
        count => format!("only {count} boards are"),
    };
    let away = match (distances.start(), distances.end()) {
        (1, 1) => "1 move away".to_owned(),
        (first, last) if first == last => format!("{last} moves away"),
        (first, last) => format!("{first} to {last} moves away"),
    };
    match most {
        Some(most) if count == 0 => format!("{boards} {away}: none is farther than {most}"),
        _ => format!("{boards} {away}"),
    }
}

fn far(grid: Grid, left_out: usize) -> String {
    match left_out {
        0 => format!(
            "distances of {grid} boards can be proved only near the goal: ask for a smaller one"
        ),
        left_out => {
            format!("the goal leaves out {left_out} tiles, but at most {MAX_UNNAMED} are possible")
        }
    }
}

fn blamed(origin: Option<&str>) -> String {
    origin.map_or(String::new(), |origin| format!(": the databases ({origin}) may be damaged"))
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::Cancelled => Error::Stopped(Stop::Cancelled),
            error => Error::Store(Arc::new(error)),
        }
    }
}

impl From<ComposeError<StoreError>> for Error {
    fn from(error: ComposeError<StoreError>) -> Error {
        match error {
            ComposeError::Tables(StoreError::Set(_)) => Error::Heuristic(Arc::new(error)),
            ComposeError::Tables(error) => error.into(),
            error => Error::Heuristic(Arc::new(error)),
        }
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Error {
        Error::Damaged(Arc::new(error))
    }
}
