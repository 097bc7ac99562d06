//! Events of a store, as data to be shown by the caller.

use std::io;
use std::path::Path;

use crate::board::Grid;
use crate::pdb::{Pattern, Progress};

/// A step of the work on databases.
///
/// Sets of fewer than 2²⁰ states are built within milliseconds, without an event.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Databases are missing and are about to be built.
    Building {
        /// The name of the set.
        set: &'a str,
        /// The board's size.
        grid: Grid,
        /// The folder that the files are written to; `None` where the tables stay in memory.
        folder: Option<&'a Path>,
        /// The length of all missing files together.
        bytes: u64,
    },
    /// A level of the table of a pattern is finished.
    Level {
        /// The pattern.
        pattern: Pattern,
        /// The progress within its table.
        progress: Progress,
    },
    /// The table of a pattern is built, though not written yet.
    Built {
        /// The pattern.
        pattern: Pattern,
    },
    /// A folder is not writable, so the tables of a set stay in memory.
    NotWritten {
        /// The name of the set.
        set: &'a str,
        /// The board's size.
        grid: Grid,
        /// The folder.
        folder: &'a Path,
        /// The system's reason.
        error: &'a io::Error,
        /// The folder could not be made, and nothing has been built yet. [`Event::Building`]
        /// follows.
        before: bool,
    },
    /// A proof goes on; sent from the threads that work on it.
    Proving {
        /// The pattern.
        pattern: Pattern,
        /// The steps done.
        done: u64,
        /// The steps in all.
        steps: u64,
    },
}
