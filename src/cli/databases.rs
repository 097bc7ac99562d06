//! From a set of databases to its tables: opened where their files are there, else built.
//!
//! 1. Where all tables together are small, they are made in memory at once, and no file is
//!    looked at.
//! 2. Otherwise every file that is there is opened. A file that cannot be used is an error,
//!    whatever is missing beside it.
//! 3. Then what is missing is built and written to the folder. Where it cannot be written, the
//!    tables just built serve as they are.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::integrity::{self, Check};
use super::memory::{self, TooLarge};
use super::progress::Bar;
use super::sets::Set;
use crate::pdb::{
    Buffer, Generated, HEADER_BYTES, Header, Index, Map, OpenError, Pattern, PlainTable, Table,
    generate, open, payload_hash, publish,
};

/// The bytes of a table, in a file or in memory.
pub(super) enum TableBytes {
    Mapped(Arc<Map>),
    Owned(Buffer),
}

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            TableBytes::Mapped(map) => map.as_ref().as_ref(),
            TableBytes::Owned(bytes) => bytes.as_ref(),
        }
    }
}

/// The tables of a set.
pub(super) struct Loaded {
    /// In the order of the set's patterns.
    pub tables: Vec<Table<TableBytes>>,
    /// Where they come from, for messages.
    pub origin: String,
    /// The check of those that come from files. No answer may be given before it is done.
    pub check: Arc<Check>,
}

/// Why a set has no tables.
#[derive(Debug, thiserror::Error)]
pub(super) enum DatabaseError {
    #[error("the {name} databases are not in {}: build them with `{command}`", folder.display())]
    Missing { name: String, folder: PathBuf, command: String },
    #[error("{reason}{}", command.as_ref().map(|c| format!(": build it with `{c}`")).unwrap_or_default())]
    Unusable { reason: OpenError, command: Option<String> },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("there is not enough memory to build the databases: {0}")]
    Memory(#[from] io::Error),
}

/// Sets of fewer states than this are made in memory: it takes a few milliseconds.
const SMALL: u64 = 1 << 20;

/// A folder of databases, and whether missing ones are built.
#[derive(Debug)]
pub(super) struct Databases {
    pub folder: PathBuf,
    pub build: bool,
}

impl Databases {
    /// The tables of a set. `note` is told what the user should know of a build.
    pub fn load(&self, set: &Set, note: impl Fn(fmt::Arguments)) -> Result<Loaded, DatabaseError> {
        let parts = parts(set, memory::index_to_build)?;
        let states: u64 = parts.iter().map(|part| part.index.states()).sum();
        if states < SMALL {
            let tables = parts.into_iter().map(|part| {
                let bits = part.build()?.bits;
                Ok(part.table(TableBytes::Owned(bits)))
            });
            let tables = tables.collect::<io::Result<_>>()?;
            let origin = "tables made in memory".to_owned();
            return Ok(Loaded { tables, origin, check: Check::begin(Vec::new()) });
        }
        let found = parts
            .iter()
            .map(|part| part.open(&part.path(&self.folder)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|reason| self.unusable(set, reason))?;
        let missing = || parts.iter().zip(&found).filter(|(_, found)| found.is_none());
        if missing().count() > 0 && !self.build {
            return Err(DatabaseError::Missing {
                name: set.name.clone(),
                folder: self.folder.clone(),
                command: set.command(&self.folder, false),
            });
        }
        let files: Vec<_> =
            parts.iter().map(|part| part.path(&self.folder).display().to_string()).collect();
        let bytes = missing().map(|(part, _)| part.file_bytes()).sum();
        let mut files_to_check = Vec::new();
        let mut builder = Builder { folder: &self.folder, note, writable: None };
        let tables = parts.into_iter().zip(found).map(|(part, found)| {
            let bytes = match found {
                Some((header, map)) => {
                    let (path, map) = (part.path(&self.folder), Arc::new(map));
                    files_to_check.push(integrity::File { path, header, map: map.clone() });
                    TableBytes::Mapped(map)
                }
                None => TableBytes::Owned(builder.build(&part, set, bytes)?),
            };
            Ok(part.table(bytes))
        });
        let tables = tables.collect::<io::Result<_>>()?;
        Ok(Loaded { tables, origin: files.join(" or "), check: Check::begin(files_to_check) })
    }

    fn unusable(&self, set: &Set, reason: OpenError) -> DatabaseError {
        let command = match reason {
            // Another file would be no better.
            OpenError::Map { .. } => None,
            // It has to be removed first.
            OpenError::NotAFile { .. } => Some(set.command(&self.folder, false)),
            _ => Some(set.command(&self.folder, true)),
        };
        DatabaseError::Unusable { reason, command }
    }
}

/// Builds what is missing of a set.
struct Builder<'a, N> {
    folder: &'a Path,
    note: N,
    /// Whether the folder takes files, once that is known.
    writable: Option<bool>,
}

impl<N: Fn(fmt::Arguments)> Builder<'_, N> {
    /// The bits of a table, which is written to the folder if possible. `bytes` is the size of
    /// all that is to be built.
    fn build(&mut self, part: &Part, set: &Set, bytes: u64) -> io::Result<Buffer> {
        let folder = self.folder.display();
        if self.writable.is_none() {
            let (name, grid, megabytes) = (&set.name, part.pattern.grid(), bytes as f64 / 1e6);
            let made = fs::create_dir_all(self.folder);
            match &made {
                Ok(()) => (self.note)(format_args!(
                    "building the {name} databases for {grid} boards in {folder} ({megabytes:.1} MB): this is done once"
                )),
                Err(error) => (self.note)(format_args!(
                    "cannot write to {folder}: {error}: building the {name} databases for {grid} boards in memory, for this run alone"
                )),
            }
            self.writable = Some(made.is_ok());
        }
        let generated = part.build()?;
        let header = part.header(&generated);
        if self.writable == Some(true)
            && let Err(error) = publish(&part.path(self.folder), &header, generated.bits.as_ref())
        {
            self.writable = Some(false);
            (self.note)(format_args!(
                "cannot write to {folder}: {error}: the databases stay in memory, for this run alone"
            ));
        }
        Ok(generated.bits)
    }
}

/// A table in memory of its own, for searches that take long: there it has huge pages, where the
/// system gives any. One for which there is no memory stays where it is.
pub(super) fn in_memory(table: Table<TableBytes>) -> Table<TableBytes> {
    let Ok(buffer) = Buffer::copy_of(table.bits()) else { return table };
    Table::new(table.pattern(), table.index().clone(), TableBytes::Owned(buffer))
        .unwrap_or_else(|_| unreachable!("as many bytes as there were"))
}

/// A pattern of a set, and the numbering of its states.
pub(super) struct Part {
    pub pattern: Pattern,
    pub index: Arc<Index>,
}

/// The patterns of a set, each with its numbering by `index`. Patterns of as many tiles share one;
/// different ones are made side by side.
pub(super) fn parts(
    set: &Set,
    index: impl Fn(&Pattern) -> Result<Index, TooLarge> + Sync,
) -> Result<Vec<Part>, TooLarge> {
    let mut first_of_length: BTreeMap<usize, Pattern> = BTreeMap::new();
    let patterns = set.patterns();
    for &pattern in &patterns {
        first_of_length.entry(pattern.len()).or_insert(pattern);
    }
    let indexes: BTreeMap<usize, Arc<Index>> = first_of_length
        .into_par_iter()
        .map(|(length, pattern)| Ok((length, Arc::new(index(&pattern)?))))
        .collect::<Result<_, _>>()?;
    let part = |&pattern: &Pattern| Part { pattern, index: indexes[&pattern.len()].clone() };
    Ok(patterns.iter().map(part).collect())
}

impl Part {
    /// The file of its table.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.pattern.file_name())
    }

    pub fn file_bytes(&self) -> u64 {
        (HEADER_BYTES + Table::<TableBytes>::bytes(&self.index)) as u64
    }

    /// Opens a file, which must be that of this pattern; `None` where there is none.
    ///
    /// A folder that cannot be looked into has none: whether it can be written to is seen when
    /// a file is to be.
    pub fn open(&self, path: &Path) -> Result<Option<(Header, Map)>, OpenError> {
        // SAFETY: the programs of this crate never write to a file under a final name, nor truncate
        // it: they rename another one over it. That nobody else does is a condition of their use,
        // named in docs/FORMAT.md.
        let opened = unsafe { open(path) };
        let (header, map) = match opened {
            Err(OpenError::Missing { .. }) => return Ok(None),
            Err(_) if fs::metadata(path).is_err() => return Ok(None),
            opened => opened?,
        };
        let path = || path.to_path_buf();
        if header.pattern != self.pattern {
            return Err(OpenError::WrongPattern { path: path(), found: header.pattern });
        }
        let (expected, found) = (self.index.cohorts() as u64, header.cohorts);
        if found != expected {
            return Err(OpenError::IndexMismatch { path: path(), expected, found });
        }
        Ok(Some((header, map)))
    }

    /// Builds the table, with a progress bar. All that can go wrong is that there is not enough
    /// memory.
    pub fn build(&self) -> io::Result<Generated> {
        let bar = Bar::building(self.pattern, self.index.states());
        generate(&self.index, &self.pattern, |progress| bar.level(progress))
    }

    /// Builds the table that ignores the blank, in the same way.
    pub fn build_plain(&self) -> io::Result<PlainTable> {
        let bar = Bar::building(self.pattern, self.index.states());
        PlainTable::generate(self.pattern, self.index.clone(), |progress| bar.level(progress))
    }

    /// The header for a table just built.
    pub fn header(&self, generated: &Generated) -> Header {
        Header {
            pattern: self.pattern,
            cohorts: self.index.cohorts() as u64,
            orders: self.index.orders().len() as u64,
            levels: generated.levels.clone(),
            payload_hash: payload_hash(generated.bits.as_ref()),
        }
    }

    /// The table over its bytes.
    fn table(self, bytes: TableBytes) -> Table<TableBytes> {
        Table::new(self.pattern, self.index, bytes).expect(
            "a built table has its length, and that of a file follows from its checked header",
        )
    }
}
