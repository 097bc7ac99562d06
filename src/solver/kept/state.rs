//! The state of a search between two runs of a program.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sealed::{MAX_SEALED, sealed_text};
use crate::locked::Locked;
use crate::pdb::Target;
use crate::search::{Prefix, Record};
use crate::solver::answer::{Best, Task};
use crate::solver::results::{CheckpointError, PacketError};

/// The state of a search: the position, the databases, and the finished work. Checkpoints and packets are
/// made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The labels of the position.
    labels: Vec<u8>,
    /// Pattern and checksum of every table.
    tables: Vec<(String, u64)>,
    pub(crate) record: Record,
    /// The nodes of large subtrees of the threshold before. Packets have none.
    pub(crate) sizes: Vec<(Prefix, u64)>,
    /// Packets have none.
    pub(crate) best: Best,
    /// The microseconds that were spent on the search so far.
    pub(crate) spent: u64,
}

sealed_text!(State);

impl State {
    /// The state of a search that has not begun.
    pub(crate) fn new(Task { position, searcher, .. }: &Task) -> State {
        let tables = searcher.tables().iter().map(|table| (table.name.clone(), table.checksum));
        let (labels, tables) = (position.labels().to_vec(), tables.collect());
        let (record, sizes, spent) = (Record::default(), Vec::new(), 0);
        State { labels, tables, record, sizes, best: Best::default(), spent }
    }

    /// This state with another record, without a solution.
    pub(crate) fn with(self, record: Record, sizes: Vec<(Prefix, u64)>) -> State {
        State { record, sizes, best: Best::default(), ..self }
    }

    /// This state if it belongs to the same search as another, otherwise the difference.
    pub(crate) fn of_same_search(self, other: &State) -> Result<State, &'static str> {
        if self.labels != other.labels {
            return Err("another board or goal");
        }
        if self.tables != other.tables {
            return Err("a search with other databases");
        }
        Ok(self)
    }

    /// Reads the state that a file keeps: a checkpoint, or merged results.
    ///
    /// # Errors
    /// [`CheckpointError::Read`], [`CheckpointError::Damaged`].
    pub fn read(path: &Path) -> Result<State, CheckpointError> {
        let failed = |reason: io::Error| CheckpointError::Read(path.to_owned(), reason.into());
        let target = Target::of(path).and_then(Target::file).map_err(failed)?;
        State::read_from(&File::open(target).map_err(failed)?, path)
    }

    /// Reads the state that an open file keeps.
    pub(crate) fn read_from(file: &File, path: &Path) -> Result<State, CheckpointError> {
        let failed = |reason: io::Error| CheckpointError::Read(path.to_owned(), reason.into());
        let mut text = Vec::new();
        file.take(MAX_SEALED as u64 + 1).read_to_end(&mut text).map_err(failed)?;
        let line = str::from_utf8(&text).ok().and_then(|text| text.strip_suffix('\n'));
        let line = line.filter(|line| line.len() < MAX_SEALED).ok_or(PacketError::Damaged);
        line.and_then(str::parse).map_err(|error| match error {
            PacketError::Version => {
                let what = "another version of this program";
                CheckpointError::Other(path.to_owned(), what)
            }
            _ => CheckpointError::Damaged(path.to_owned()),
        })
    }

    /// Writes the file as a whole or not at all, and replaces an old one. Only the same version of the
    /// library can read the state.
    ///
    /// # Errors
    /// [`CheckpointError::Write`]; [`CheckpointError::InUse`] while a search keeps its state there.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let mut file = Locked::open(path).map_err(|error| unlocked(path, error))?;
        self.write_to(&mut file, path)
    }

    /// Replaces a locked file.
    pub(crate) fn write_to(&self, file: &mut Locked, path: &Path) -> Result<(), CheckpointError> {
        file.replace(|mut file| writeln!(file, "{self}"))
            .map_err(|reason| CheckpointError::Write(path.to_owned(), reason.into()))
    }
}

/// The error of a checkpoint that cannot be locked.
pub(crate) fn unlocked(path: &Path, reason: io::Error) -> CheckpointError {
    match reason.kind() {
        io::ErrorKind::ResourceBusy => CheckpointError::InUse(path.to_owned()),
        _ => CheckpointError::Write(path.to_owned(), reason.into()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::search::Threshold;

    pub fn state() -> State {
        let threshold = Threshold { bound: 80, views: vec![0, 1], ..Threshold::default() };
        let tables = vec![("5x5-0-1.2.3.pdb".to_owned(), 7)];
        let record = Record::new(threshold);
        let (labels, sizes, spent) = (vec![1, 0, 2], Vec::new(), 0);
        State { labels, tables, record, sizes, best: Best::default(), spent }
    }

    #[test]
    fn a_state_belongs_to_its_search() {
        let differs = |other: State| other.of_same_search(&state()).err().unwrap_or_default();
        assert_eq!(differs(state()), "");
        assert!(differs(State { labels: vec![0, 1, 2], ..state() }).contains("board"));
        assert!(differs(State { tables: Vec::new(), ..state() }).contains("databases"));
    }

    #[test]
    fn a_state_is_kept_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        state().write(&path).unwrap();
        assert_eq!(State::read(&path).unwrap(), state());
        for damaged in ["", "{}\n", "no state\n", "\u{fffd}"] {
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(State::read(&path), Err(CheckpointError::Damaged(_))), "{damaged}");
        }
        assert!(matches!(State::read(folder.path()), Err(CheckpointError::Read(..))));
    }
}
