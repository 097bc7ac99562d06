//! Errors of a store.

use std::io;
use std::path::PathBuf;

use super::{Set, TooLarge};
use crate::pdb::{OpenError, Pattern, VerifyError};

/// Why a set has no tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Files are missing, and the store may not build them.
    #[error("the {} databases are not in {}", set.name(), folder.display())]
    Missing {
        /// The set.
        set: Set,
        /// The folder.
        folder: PathBuf,
    },
    /// A file is there that cannot be used.
    #[error("{reason}")]
    Unusable {
        /// The set.
        set: Set,
        /// The folder.
        folder: PathBuf,
        /// The fault, which names the file.
        reason: Box<OpenError>,
    },
    /// The folder takes no files, and the store requires that it does.
    #[error("{}: databases cannot be written to this folder: {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// A table would take more memory than is allowed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The system has too little memory to build a table.
    #[error("there is not enough memory to build the databases: {0}")]
    Memory(io::Error),
    /// The building of the databases was cancelled.
    #[error("the building of the databases was cancelled")]
    Cancelled,
}

impl StoreError {
    /// Why a table was not built.
    pub(super) fn of_build(error: io::Error) -> StoreError {
        match error.kind() {
            io::ErrorKind::Interrupted => StoreError::Cancelled,
            _ => StoreError::Memory(error),
        }
    }
}

/// Why a table cannot be given to a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InsertError {
    /// The payload is not the one that the header describes.
    #[error("the table of tiles {pattern} is damaged: it does not match its checksum")]
    Payload {
        /// The pattern in the header.
        pattern: Pattern,
    },
    /// The header's number of cohorts is not the pattern's.
    #[error("the table of tiles {pattern} has {found} cohorts, where its pattern has {expected}")]
    Cohorts {
        /// The pattern in the header.
        pattern: Pattern,
        /// The pattern's number of cohorts.
        expected: u64,
        /// The header's number of cohorts.
        found: u64,
    },
    /// The numbering of the pattern's states would take more memory than is allowed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Why a database file cannot be built or verified. Each message names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The file is there and cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A check of the file would take more memory than is allowed.
    #[error("{}: cannot be checked: {reason}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The memory that it would take.
        reason: TooLarge,
    },
    /// The system has too little memory to build the table.
    #[error("{}: cannot be built: {reason}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot be written: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The table does not hold the number of moves of every state.
    #[error("{}: wrong: {reason}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The first fault found.
        reason: VerifyError,
    },
}
