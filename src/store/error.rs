//! Errors of a store.

use std::io;
use std::path::{Path, PathBuf};

use super::{Set, SetError, TooLarge};
use crate::pdb::{OpenError, OpenErrorKind, VerifyError};

/// Why a set or a partition has no tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such partition.
    #[error(transparent)]
    Set(#[from] SetError),
    /// Files are missing, and the store may not build them.
    #[error("the {} databases are not in {}", set.name(), folder.display())]
    Missing {
        /// The set.
        set: Set,
        /// The folder.
        folder: PathBuf,
    },
    /// A file exists but cannot be used.
    #[error("{0}")]
    Unusable(OpenError),
    /// The folder is not writable, and the store requires that it is.
    #[error("{}: databases cannot be written to this folder: {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// A table would take more memory than the limit.
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

/// The error of a database that cannot be built, verified or given to a store.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct PartError {
    /// The file; its name alone, for a database that is given to a store.
    pub path: PathBuf,
    /// The reason.
    pub kind: PartErrorKind,
}

/// The reason why a database cannot be used, built or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartErrorKind {
    /// The file is there and cannot be used.
    #[error(transparent)]
    Open(#[from] OpenErrorKind),
    /// A check would take more memory than the limit.
    #[error("cannot be checked: {0}")]
    TooLarge(#[from] TooLarge),
    /// The system has too little memory to build the table.
    #[error("cannot be built: {0}")]
    Memory(io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// The table does not hold the number of moves of every state.
    #[error("wrong: {0}")]
    Wrong(VerifyError),
}

impl PartErrorKind {
    /// The error of a file.
    pub(super) fn of(self, path: &Path) -> PartError {
        PartError { path: path.to_owned(), kind: self }
    }
}

impl From<OpenError> for PartError {
    fn from(OpenError { path, kind }: OpenError) -> PartError {
        PartError { path, kind: kind.into() }
    }
}
