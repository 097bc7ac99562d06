//! Pattern databases by name: found in a folder, built where they are missing, or all in memory.
//!
//! The databases that a board is solved with are a set. A store gets its tables in this order:
//!
//! 1. Sets of fewer than 2²⁰ states are built in memory at once, without a look at files.
//! 2. Otherwise every file that is there is opened. A file that cannot be used is an error, even
//!    if others are missing.
//! 3. Missing tables are built and written to the folder. Where it cannot be written to, they stay
//!    in memory.
//!
//! A store keeps its tables as long as it or one of its clones lives, so that several heuristics and goals
//! share them. It prints nothing: whatever there is to show is sent as an [`Event`].
//!
//! A search reads only a thousandth of a table, so damage could go unnoticed. Every file is therefore hashed
//! in the background, and an answer is given only after that. A file that was found sound is not hashed again
//! for a day, unless it changes.
//!
//! Sets, parts and tables are made of types of the crate `taquin_engine`, which promises no stability.

mod check;
mod error;
mod event;
pub(crate) mod locate;
mod memory;
mod part;
mod set;
mod stamp;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use check::Check;
pub use error::{PartError, PartErrorKind, StoreError};
pub use event::Event;
pub use memory::TooLarge;
pub use part::{Part, Provided};
pub use set::{Set, SetError};

use self::check::File;
use self::memory::Purpose;
use crate::board::{Grid, Metric};
use crate::classics::PartitionTables;
use crate::memo::{Memo, Once};
use crate::pdb::{
    self, Buffer, Bytes, Header, Numbering, OpenError, OpenErrorKind, Pattern, PlainTable,
    Replacement, SlideTable, Table,
};
use crate::search::Cancel;

/// The most cells of a board whose standard set has two patterns.
pub const TWO_PATTERN_CELLS: usize = 16;

/// The most cells of a board that is solved optimally with databases.
pub const MAX_OPTIMAL_CELLS: usize = 25;

/// Sets of fewer states than this are built in memory: it takes a few milliseconds.
const SMALL: u64 = 1 << 20;

/// A numbering of at most this many sets is made in well under a second.
const QUICK: u64 = 1 << 20;

/// The tables of a set.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// One for each of [`Set::patterns`], in that order; none if the set counts slides.
    pub tables: Vec<Table>,
    /// One for each pattern of a set that counts slides; none for any other.
    pub slide_tables: Vec<SlideTable>,
    /// The check of the tables that come from files. No answer may be given before it is done.
    pub check: Check,
}

/// A source of databases: a folder of files, or only memory.
///
/// Clones share the tables that are opened or built by any of them. They may differ in
/// [`build_missing`](Store::build_missing), [`required`](Store::required),
/// [`memory_limit`](Store::memory_limit) and [`cancel`](Store::cancel).
#[derive(Clone, Debug)]
pub struct Store {
    /// `None` for a store in memory.
    folder: Option<Arc<Path>>,
    build: bool,
    required: bool,
    limit: Option<u64>,
    cancel: Cancel,
    shared: Arc<Shared>,
}

/// All that a store has opened and built so far.
#[derive(Debug, Default)]
struct Shared {
    /// Numberings, by metric, grid and number of tiles.
    numberings: Memo<(Metric, Grid, usize), Numbering>,
    tables: Memo<(Metric, Pattern), Source>,
    /// Tables that ignore the blank, by the patterns of a set.
    plain: Memo<Vec<Pattern>, Arc<[PlainTable]>>,
    /// The limit on memory where none is given, as it was first asked for.
    sensible: OnceLock<u64>,
}

/// The bytes of a table, and the file that they come from unless they were built.
#[derive(Clone, Debug)]
struct Source {
    bytes: Bytes,
    file: Option<Arc<File>>,
}

/// The store over [`Store::default_folder`]; where there is none, a store in memory.
impl Default for Store {
    fn default() -> Store {
        Store::new(Store::default_folder().map(Into::into))
    }
}

impl Store {
    /// A store over a folder of database files. It need not exist: it is made when the first file
    /// is written.
    ///
    /// The files are mapped, not read. A store replaces a file by renaming another over it, which
    /// does not disturb those that use the old one. If a file in use is written to, there is an error instead
    /// of an answer. On Unix, SIGBUS ends a process that reads a file after it was cut short.
    pub fn folder(path: impl Into<PathBuf>) -> Store {
        Store::new(Some(path.into().into()))
    }

    /// A store in memory: every table is built, and no database file is read or written.
    ///
    /// It asks the system only for the available memory. It needs no clock and starts no thread, so it works
    /// on `wasm32-unknown-unknown`. The 4×4 standard set takes about a second to build, and 0.4 GB meanwhile.
    pub fn memory() -> Store {
        Store::new(None)
    }

    fn new(folder: Option<Arc<Path>>) -> Store {
        let (limit, cancel, shared) = (None, Cancel::new(), Arc::default());
        Store { folder, build: true, required: false, limit, cancel, shared }
    }

    /// The folder of [`Store::default`]: the one that the environment variable `TAQUIN_PDB_DIR`
    /// names, else `taquin` in the folder for the user's data; `None` where the system has none.
    pub fn default_folder() -> Option<PathBuf> {
        locate::databases()
    }

    /// The folder; `None` for a store in memory.
    pub fn path(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Enables or disables the building of missing databases; by default it is enabled. The databases of a
    /// store in memory, and sets of fewer than 2²⁰ states, are built in any case.
    #[must_use]
    pub fn build_missing(self, build: bool) -> Store {
        Store { build, ..self }
    }

    /// Returns whether missing databases are built.
    pub(crate) fn may_build(&self) -> bool {
        self.build || self.folder.is_none()
    }

    /// This store without its folder, which shares the tables in memory.
    pub(crate) fn in_memory(&self) -> Store {
        Store { folder: None, ..self.clone() }
    }

    /// The placements of tiles for which the databases of a set would have to be built; 0 if that takes a few
    /// milliseconds.
    pub(crate) fn missing(&self, set: &Set) -> u64 {
        let (cells, metric) = (set.grid().cells(), set.metric());
        let is_missing = |pattern: &&Pattern| {
            let file = self.path().map(|folder| folder.join(pattern.file_name(metric)));
            self.shared.tables.get(&(metric, **pattern)).is_none()
                && !file.is_some_and(|f| f.exists())
        };
        let placements =
            |pattern: &Pattern| (0..pattern.len()).map(|i| (cells - i) as u64).product::<u64>();
        let sum = set.patterns().iter().filter(is_missing).map(placements).sum();
        if sum < SMALL { 0 } else { sum }
    }

    /// Makes an unwritable folder an error, before anything is built. By default the
    /// tables stay in memory then.
    #[must_use]
    pub fn required(self) -> Store {
        Store { required: true, ..self }
    }

    /// Limits the bytes that the building of one table may take. `None` is the default: nine tenths
    /// of the memory that the system or the control group has available when the store first
    /// needs any.
    #[must_use]
    pub fn memory_limit(self, limit: Option<u64>) -> Store {
        Store { limit, ..self }
    }

    /// Sets the handle that cancels the building of databases. A file that is being written is
    /// completed.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Store {
        Store { cancel: cancel.clone(), ..self }
    }

    /// The tables of a set, opened where their files exist, otherwise built on the current rayon
    /// thread pool. A file is opened in constant time.
    ///
    /// On boards of more than [`TWO_PATTERN_CELLS`] cells, where searches take long, tables are
    /// copied from their files to memory if the limit leaves room for the whole set: there they
    /// have huge pages, where the system has any.
    ///
    /// Threads that load the same set at the same time get the same tables, though each may have
    /// built them.
    ///
    /// # Errors
    /// - [`StoreError::Missing`] where files are missing that this store may not build;
    /// - [`StoreError::Folder`] where the folder is [required](Store::required) and not writable;
    /// - [`StoreError::Unusable`] where a file exists but cannot be used;
    /// - [`StoreError::TooLarge`] where a table would take more memory than the limit;
    /// - [`StoreError::Memory`] where the system refuses memory all the same;
    /// - [`StoreError::Cancelled`] where the handle of [`Store::cancel`] ended a build.
    pub fn load(&self, set: &Set, events: &dyn Fn(&Event<'_>)) -> Result<Loaded, StoreError> {
        let parts = self.number(set.metric(), set.patterns(), Purpose::Open)?;
        let (folder, events): (_, &dyn Fn(&Event<'_>)) =
            if is_small(&parts) { (None, &|_| ()) } else { (self.path(), events) };
        let bytes: u64 = parts.iter().map(|part| part.file_bytes()).sum();
        let copy = set.grid().cells() > TWO_PATTERN_CELLS && bytes <= self.allowed(Purpose::Check);
        let found = |part| match (self.remembered(part), folder) {
            (None, Some(folder)) => self.open(part, folder, copy).map_err(StoreError::Unusable),
            (source, _) => Ok(source),
        };
        let found: Vec<Option<Source>> = parts.iter().map(found).collect::<Result<_, _>>()?;
        let missing = parts.iter().zip(&found).filter(|(_, source)| source.is_none());
        let missing: Vec<&Part> = missing.map(|(part, _)| part).collect();
        let mut built = self.build(set, &missing, folder, events)?.into_iter();
        let source = |found: Option<_>| found.or_else(|| built.next()).expect("it was built");
        Ok(loaded(parts, found.into_iter().map(source)))
    }

    /// The tables of a partition for a composed heuristic, for goals with the blank in a cell of a
    /// [canonical](crate::board::Canonical) grid. The partition is given by name or as lists of tiles. If
    /// `plain` is set, the tables ignore the blank; otherwise their files join the check.
    pub(crate) fn tables(
        &self,
        partition: &str,
        plain: bool,
        (grid, goal_blank): (Grid, usize),
        check: &mut Check,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<PartitionTables, StoreError> {
        let set = Set::parse(Some(partition), grid, goal_blank)?;
        if plain {
            return Ok(PartitionTables::Plain(self.load_plain(&set, events)?));
        }
        let loaded = self.load(&set, events)?;
        check.join(&loaded.check);
        Ok(PartitionTables::ZoneAware(loaded.tables.into()))
    }

    /// The tables of a set that ignore the blank; these are always built.
    fn load_plain(
        &self,
        set: &Set,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Arc<[PlainTable]>, StoreError> {
        let patterns = set.patterns().to_vec();
        if let Some(tables) = self.shared.plain.get(&patterns) {
            return Ok(tables);
        }
        let parts = self.number(Metric::Single, &patterns, Purpose::BuildPlain)?;
        let events: &dyn Fn(&Event<'_>) = if is_small(&parts) { &|_| () } else { events };
        let build = |part: &Part| {
            let Part { pattern, numbering: Numbering::Single(index) } = part.clone() else {
                unreachable!("they are numbered for single tiles")
            };
            let level = &mut |progress| events(&Event::Level { pattern, progress });
            let table = PlainTable::generate(pattern, index, &self.cancel, level)?;
            events(&Event::Built { pattern });
            Ok(table)
        };
        let tables: Result<Vec<_>, _> = parts.iter().map(build).collect();
        Ok(self.shared.plain.keep(patterns, tables.map_err(StoreError::of_build)?.into()))
    }

    /// The databases of a set, each with the numbering of its states.
    ///
    /// # Errors
    /// [`TooLarge`] where the building of one would take more memory than the limit.
    pub fn parts(&self, set: &Set) -> Result<Vec<Part>, TooLarge> {
        self.number(set.metric(), set.patterns(), Purpose::Build)
    }

    /// Gives the store a table, so that it neither opens nor builds it: the header and the payload
    /// of a database file, as [`Part::build`] and [`pdb::read`] return them. This is how a store in
    /// memory gets tables that its host has kept. A table of the same pattern that the store has
    /// already stays.
    ///
    /// The payload is hashed as a whole, and the number of cohorts compared with the pattern's.
    ///
    /// # Errors
    /// [`PartError`] where the payload is not the one that the header describes, where the header has
    /// another number of cohorts than its pattern, and where the numbering would take more memory than the
    /// limit.
    pub fn insert(&self, header: &Header, payload: Buffer) -> Result<(), PartError> {
        let (metric, pattern) = (header.metric, header.pattern);
        let check = || -> Result<(), PartErrorKind> {
            if !header.matches(payload.as_ref()) {
                return Err(OpenErrorKind::Payload.into());
            }
            let numbering = self.numbering(metric, pattern, Purpose::Open)?;
            Ok(part::check_cohorts(header, &numbering)?)
        };
        check().map_err(|kind| kind.of(Path::new(&header.file_name())))?;
        self.shared.tables.keep((metric, pattern), Source { bytes: payload.into(), file: None });
        Ok(())
    }

    /// Checks a database file as a whole, wherever it is: its header, length, numbering and hash,
    /// and, with `prove`, that it holds the number of moves of every state. Tables that count slides are
    /// not proved. Returns the header.
    ///
    /// The file is read into memory, so it may lie anywhere. A proof runs on the current rayon thread pool.
    /// It also needs one byte per state, and about 10 ns of one thread per state; [`Event::Proving`] reports
    /// its progress.
    ///
    /// # Errors
    /// [`PartError`] where the file cannot be used or is damaged, where the check would take more memory than
    /// the limit, and where the table is not the pattern's.
    pub fn verify(
        &self,
        path: &Path,
        prove: bool,
        events: &(dyn Fn(&Event<'_>) + Sync),
    ) -> Result<Header, PartError> {
        let file = pdb::open(path)?;
        let header = file.header.clone();
        let check = || -> Result<(), PartErrorKind> {
            let (metric, pattern) = (header.metric, header.pattern);
            let purpose = if prove { Purpose::Prove } else { Purpose::Check };
            let numbering = self.numbering(metric, pattern, purpose)?;
            part::check_cohorts(&header, &numbering)?;
            let payload = file.read().map_err(|error| error.kind)?;
            if !header.matches(payload.as_ref()) {
                return Err(OpenErrorKind::Payload.into());
            }
            if prove && let Numbering::Single(index) = numbering {
                let table = Table::new(pattern, index, payload);
                let steps = 2 * header.cohorts;
                let progress = &|done| events(&Event::Proving { pattern, done, steps });
                pdb::verify(&table, &header.levels, progress).map_err(PartErrorKind::Wrong)?;
            }
            Ok(())
        };
        check().map_err(|kind| kind.of(path))?;
        Ok(header)
    }

    /// The source of a table that was opened or built before. A file that was found to be damaged
    /// or changed is forgotten: it may be sound by now.
    fn remembered(&self, part: &Part) -> Option<Source> {
        let source = self.shared.tables.get(&part.key())?;
        if source.file.as_ref().is_some_and(|file| file.is_damaged() || file.is_changed()) {
            self.shared.tables.forget(&part.key());
            return None;
        }
        Some(source)
    }

    /// Opens the file of a table, or copies it to memory; `None` where there is no file.
    fn open(&self, part: &Part, folder: &Path, copy: bool) -> Result<Option<Source>, OpenError> {
        let Some(file) = part.open(folder)? else { return Ok(None) };
        let bytes = match copy.then(|| file.read()) {
            Some(Ok(buffer)) => buffer.into(),
            // The map needs no memory.
            None | Some(Err(OpenError { kind: OpenErrorKind::Memory { .. }, .. })) => file.map()?,
            Some(Err(error)) => return Err(error),
        };
        let file = File { table: file, bytes: bytes.clone(), sound: Once::default() };
        let source = Source { bytes, file: Some(Arc::new(file)) };
        Ok(Some(self.shared.tables.keep(part.key(), source)))
    }

    /// Builds tables, if this store may, and writes them to the folder if possible.
    fn build(
        &self,
        set: &Set,
        missing: &[&Part],
        mut folder: Option<&Path>,
        events: &dyn Fn(&Event<'_>),
    ) -> Result<Vec<Source>, StoreError> {
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(folder) = folder.filter(|_| !self.build) {
            return Err(StoreError::Missing { set: set.clone(), folder: folder.to_owned() });
        }
        self.check_memory(set.metric(), missing.iter().map(|part| &part.pattern), Purpose::Build)?;
        let (name, grid) = (set.name(), set.grid());
        let not_written = |folder, error: &_, before| {
            events(&Event::NotWritten { set: name, grid, folder, error, before });
        };
        if let Some(path) = folder
            && let Err(error) = self.open_folder(path, missing[0])
        {
            if self.required {
                return Err(StoreError::Folder { folder: path.to_owned(), reason: error });
            }
            not_written(path, &error, true);
            folder = None;
        }
        let bytes = missing.iter().map(|part| part.file_bytes()).sum();
        events(&Event::Building { set: name, grid, folder, bytes });
        let mut sources = Vec::new();
        for part in missing {
            let built = part.build(&self.cancel, events);
            let (header, payload) = built.map_err(StoreError::of_build)?;
            if let Some(path) = folder
                && let Err(error) = pdb::publish(&part.path(path), &header, payload.as_ref())
            {
                not_written(path, &error, false);
                folder = None;
            }
            let source = Source { bytes: payload.into(), file: None };
            sources.push(self.shared.tables.keep(part.key(), source));
        }
        Ok(sources)
    }

    /// Makes a folder, if it is missing. One that is required also has to take the file of a part.
    fn open_folder(&self, folder: &Path, part: &Part) -> io::Result<()> {
        locate::make(folder)?;
        if self.required {
            drop(Replacement::new(&part.path(folder))?);
        }
        Ok(())
    }

    /// Patterns with their numberings. Patterns with the same number of tiles share one.
    fn number(
        &self,
        metric: Metric,
        patterns: &[Pattern],
        purpose: Purpose,
    ) -> Result<Vec<Part>, TooLarge> {
        self.check_memory(metric, patterns, purpose)?;
        let numbering = |pattern| self.numbering(metric, pattern, purpose);
        let part = |&pattern| Ok(Part { pattern, numbering: numbering(pattern)? });
        patterns.iter().map(part).collect()
    }

    /// Refuses patterns whose tables exceed the limit on memory. An error has the most tiles, so that a limit that fits
    /// their table is enough.
    fn check_memory<'a>(
        &self,
        metric: Metric,
        patterns: impl IntoIterator<Item = &'a Pattern>,
        purpose: Purpose,
    ) -> Result<(), TooLarge> {
        let most = patterns.into_iter().max_by_key(|pattern| pattern.len());
        most.map_or(Ok(()), |&most| self.numbering(metric, most, purpose).map(drop))
    }

    /// The numbering of a pattern's states, if it leaves room for its purpose.
    fn numbering(
        &self,
        metric: Metric,
        pattern: Pattern,
        purpose: Purpose,
    ) -> Result<Numbering, TooLarge> {
        let (grid, tiles) = (pattern.grid(), pattern.len());
        let allow = |cohorts, orders| {
            let (bytes, allowed) = (purpose.bytes(metric, cohorts, orders), self.allowed(purpose));
            if bytes <= allowed { Ok(()) } else { Err(TooLarge { grid, tiles, bytes, allowed }) }
        };
        let key = (metric, grid, tiles);
        let kept = self.shared.numberings.get(&key);
        // There is a cohort for each set at least; only the numbering knows how many there are. A small
        // one is made nevertheless, so that the error has the number for these.
        let sets = (0..tiles).fold(1, |sets, i| sets * (grid.cells() - i) as u64 / (i as u64 + 1));
        if kept.is_none() && sets > QUICK {
            allow(sets, (1..=tiles as u64).product())?;
        }
        let numbering = kept.unwrap_or_else(|| Numbering::new(metric, grid, tiles));
        allow(numbering.cohorts(), numbering.orders())?;
        Ok(self.shared.numberings.keep(key, numbering))
    }

    /// The bytes that one table may take. The limit is for work on a table: to open its file needs a numbering
    /// alone.
    fn allowed(&self, purpose: Purpose) -> u64 {
        let limit = self.limit.filter(|_| !matches!(purpose, Purpose::Open));
        limit.unwrap_or_else(|| *self.shared.sensible.get_or_init(memory::sensible))
    }
}

/// Tables with their sources, whose files begin to be checked.
fn loaded(parts: Vec<Part>, sources: impl Iterator<Item = Source>) -> Loaded {
    let (mut tables, mut slide_tables, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (Part { pattern, numbering }, Source { bytes, file }) in parts.into_iter().zip(sources) {
        files.extend(file);
        match numbering {
            Numbering::Single(index) => tables.push(Table::new(pattern, index, bytes)),
            Numbering::Multi(placements) => {
                slide_tables.push(SlideTable::new(pattern, placements, bytes));
            }
        }
    }
    Loaded { tables, slide_tables, check: Check::begin(files) }
}

fn is_small(parts: &[Part]) -> bool {
    parts.iter().map(|part| part.numbering.states()).sum::<u64>() < SMALL
}
