//! One database of a set, and its file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Event, PartError, PartErrorKind, locate};
use crate::board::Metric;
use crate::pdb::{
    self, Buffer, HEADER_BYTES, Header, Numbering, OpenError, OpenErrorKind, Pattern, TableFile,
};
use crate::search::Cancel;

/// A pattern of a set, with the numbering of its states: one database, and one file of a folder.
#[derive(Clone, Debug)]
pub struct Part {
    /// The pattern.
    pub pattern: Pattern,
    pub(super) numbering: Numbering,
}

/// A database file that is known to be sound, as [`Part::provide`] leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provided {
    /// The file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// The times that it took to build, and to write to the disk itself; `None` where the file was up to
    /// date.
    pub work: Option<[Duration; 2]>,
}

impl Part {
    /// The key by which the stores remember it.
    pub(super) fn key(&self) -> (Metric, Pattern) {
        (self.numbering.metric(), self.pattern)
    }

    /// The name of the database file.
    pub fn file_name(&self) -> String {
        self.pattern.file_name(self.numbering.metric())
    }

    /// The path of the database file in a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    /// The length of the database file.
    pub fn file_bytes(&self) -> u64 {
        HEADER_BYTES as u64 + self.numbering.table_bytes()
    }

    /// Makes sure that a folder holds a sound file of this database.
    ///
    /// An existing file is hashed as a whole and stays as it is, unless `force` is set. Otherwise the table
    /// is built on the current rayon thread pool, and the file put in its place, whole or not at all;
    /// [`Event::Level`] and [`Event::Built`] report the progress. The folder is made where there is none.
    ///
    /// # Errors
    /// [`PartError`] where a file exists but cannot be used, where the system has too little memory to
    /// build the table, and where the file cannot be written.
    pub fn provide(
        &self,
        folder: &Path,
        force: bool,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Provided, PartError> {
        let path = self.path(folder);
        if !force && let Some(file) = self.open(folder)? {
            if file.map()?.hash() != file.header.payload_hash {
                return Err(OpenErrorKind::Payload.of(&path).into());
            }
            return Ok(Provided { path, header: file.header, work: None });
        }
        let start = Instant::now();
        let built = self.build(&Cancel::new(), events);
        let (header, payload) = built.map_err(|reason| PartErrorKind::Memory(reason).of(&path))?;
        let built = start.elapsed();
        let start = Instant::now();
        locate::make(folder)
            .and_then(|()| pdb::publish(&path, &header, payload.as_ref()))
            .map_err(|reason| PartErrorKind::Write(reason).of(&path))?;
        let work = Some([built, start.elapsed()]);
        Ok(Provided { path, header, work })
    }

    /// Opens the file in a folder, which must be of this pattern; `None` where there is no file.
    ///
    /// A folder that cannot be looked into has no files. Whether it can be written to shows when
    /// a file is written.
    pub(super) fn open(&self, folder: &Path) -> Result<Option<TableFile>, OpenError> {
        let path = self.path(folder);
        let file = match pdb::open(&path) {
            Err(_) if fs::metadata(&path).is_err() => return Ok(None),
            opened => opened?,
        };
        if (file.header.metric, file.header.pattern) != self.key() {
            let found = file.header.pattern;
            return Err(OpenErrorKind::WrongPattern { found }.of(&path));
        }
        check_cohorts(&file.header, &self.numbering).map_err(|fault| fault.of(&path))?;
        Ok(Some(file))
    }

    /// Builds the database in memory, on the current rayon thread pool. Returns the header and the
    /// table: one after the other, [`Header::encode`] first, they are the bytes of the file. A
    /// [`Store`](super::Store) in memory takes them with [`Store::insert`](super::Store::insert).
    ///
    /// [`Event::Level`] and [`Event::Built`] report the progress.
    ///
    /// # Errors
    /// When the system has too little memory; [`io::ErrorKind::Interrupted`] if the build was cancelled.
    pub fn build(
        &self,
        cancel: &Cancel,
        events: &dyn Fn(&Event<'_>),
    ) -> io::Result<(Header, Buffer)> {
        let pattern = self.pattern;
        let level = &mut |progress| events(&Event::Level { pattern, progress });
        let built = self.numbering.build(pattern, cancel, level)?;
        events(&Event::Built { pattern });
        Ok(built)
    }
}

/// Checks that a header has the number of cohorts of its pattern.
pub(super) fn check_cohorts(header: &Header, numbering: &Numbering) -> Result<(), OpenErrorKind> {
    let (expected, found) = (numbering.cohorts(), header.cohorts);
    if found == expected { Ok(()) } else { Err(OpenErrorKind::Cohorts { expected, found }) }
}
