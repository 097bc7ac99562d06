//! Databases as files: built for the host, or taken from it.

use serde_json::json;
use taquin::Grid;
use taquin::store::{Event, Part, Set, Store};
use taquin_engine::Cancel;
use taquin_engine::board::Metric;
use taquin_engine::pdb::{Buffer, HEADER_BYTES, Header};

use crate::fault::{Result, database};
use crate::progress;
use crate::request::{Request, needed};
use crate::solvers::Solvers;

/// The file that the host reads or writes.
pub struct Files {
    page: [u8; HEADER_BYTES],
    open: Option<(Header, Buffer)>,
}

impl Default for Files {
    fn default() -> Files {
        Files { page: [0; HEADER_BYTES], open: None }
    }
}

/// A partition of 4×4 boards with the blank first, which stands for all goals with the blank in a
/// corner.
fn set(request: &Request) -> Result<Set> {
    let tables = needed(request.tables.as_deref(), "tables")?;
    Ok(Set::parse(Some(tables), Grid::new(4, 4)?, 0)?)
}

/// The databases, the largest first: the others are built in the memory that it leaves.
fn parts(request: &Request) -> Result<Vec<Part>> {
    let mut parts = Store::memory().parts(&set(request)?).map_err(database)?;
    if let Some(most) = parts.iter().map(Part::file_bytes).max() {
        // There are few.
        let at = parts.iter().position(|part| part.file_bytes() == most).unwrap_or_default();
        parts.swap(0, at);
    }
    Ok(parts)
}

/// The names of a partition's files, at once.
pub fn names(request: &Request) -> Result {
    let set = set(request)?;
    let names = set.patterns().iter().map(|pattern| pattern.file_name(Metric::Single));
    Ok(json!({ "names": names.collect::<Vec<_>>() }))
}

/// The files of a partition. The numbers of their states are computed.
pub fn list(request: &Request) -> Result {
    let file = |part: &Part| json!({ "name": part.file_name(), "bytes": part.file_bytes() });
    Ok(json!({ "files": parts(request)?.iter().map(file).collect::<Vec<_>>() }))
}

impl Files {
    /// Builds the database of a file.
    pub fn build(&mut self, request: &Request) -> Result {
        self.open = None;
        let parts = parts(request)?;
        let name = needed(request.file.as_deref(), "file")?;
        let part = parts.iter().find(|part| part.file_name() == name);
        let part = part.ok_or_else(|| format!("no file {name}"))?;
        let events = |event: &Event<'_>| {
            if let Event::Level { progress: level, .. } = event {
                progress(level.reached as f64 / level.states as f64);
            }
        };
        let (header, payload) = part.build(&Cancel::new(), &events).map_err(|error| {
            database(format!("there is not enough memory to build the tables: {error}"))
        })?;
        self.page = header.encode();
        self.open = Some((header, payload));
        Ok(json!({}))
    }

    /// Makes room for the payload of the file with the header that the host wrote.
    pub fn open(&mut self) -> Result {
        self.open = None;
        let header = Header::decode(&self.page).map_err(database)?;
        let bytes = usize::try_from(header.payload_bytes()).map_err(database)?;
        let payload = Buffer::zeroed(bytes).map_err(|error| {
            database(format!("there is not enough memory for the tables: {error}"))
        })?;
        self.open = Some((header, payload));
        Ok(json!({}))
    }

    /// Gives the open file to the solvers.
    pub fn keep(&mut self, solvers: &mut Solvers) -> Result {
        let (header, payload) = self.open.take().ok_or("no file is open")?;
        solvers.insert(&header, payload)?;
        Ok(json!({}))
    }

    /// The page that holds the header.
    pub fn header(&mut self) -> &mut [u8] {
        &mut self.page
    }

    /// The payload of the open file; nothing without one.
    pub fn payload(&mut self) -> &mut [u8] {
        self.open.as_mut().map_or(&mut [], |(_, payload)| payload.as_bytes_mut())
    }
}
