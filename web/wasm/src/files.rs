//! Databases as files: built for the host, or taken from it.

use serde_json::json;
use taquin::Grid;
use taquin::store::{Event, Set, Store};
use taquin_engine::Cancel;
use taquin_engine::pdb::{Buffer, HEADER_BYTES, Header};

use crate::fault::{Result, database};
use crate::progress;
use crate::request::Request;
use crate::solvers::Solvers;

/// The file that the host reads or writes.
#[derive(Default)]
pub struct Files {
    page: Vec<u8>,
    open: Option<(Header, Buffer)>,
}

impl Files {
    /// Builds the database of a file of the standard set of 4×4 boards with the blank in a corner.
    pub fn build(&mut self, request: &Request) -> Result {
        self.open = None;
        let name = &request.file;
        let set = Set::parse(None, Grid::new(4, 4)?, 0)?;
        let parts = Store::memory().parts(&set).map_err(database)?;
        let part = parts.iter().find(|part| part.file_name() == *name);
        let part = part.ok_or_else(|| format!("no file {name}"))?;
        let events = |event: &Event<'_>| {
            if let Event::Level { progress: level, .. } = event {
                progress(level.reached as f64 / level.states as f64);
            }
        };
        let (header, payload) = part.build(&Cancel::new(), &events).map_err(database)?;
        self.page = header.encode().into();
        self.open = Some((header, payload));
        Ok(json!({}))
    }

    /// Makes room for the payload of the file with the header that the host wrote.
    pub fn open(&mut self) -> Result {
        self.open = None;
        let header = Header::decode(&self.page).map_err(database)?;
        let bytes = usize::try_from(header.payload_bytes()).map_err(database)?;
        self.open = Some((header, Buffer::zeroed(bytes).map_err(database)?));
        Ok(json!({}))
    }

    /// Checks the open file, and gives it to the solvers.
    pub fn keep(&mut self, solvers: &mut Solvers) -> Result {
        let (header, payload) = self.open.take().ok_or("no file is open")?;
        solvers.four.insert(&header, payload).map_err(database)?;
        // A solver remembers that a table was too large to be built.
        solvers.solver = None;
        Ok(json!({}))
    }

    /// The header of the file.
    pub fn header(&mut self) -> &mut [u8] {
        self.page.resize(HEADER_BYTES, 0);
        &mut self.page
    }

    /// The rest of the open file; nothing without one.
    pub fn payload(&mut self) -> &mut [u8] {
        self.open.as_mut().map_or(&mut [], |(_, payload)| payload.as_bytes_mut())
    }
}
