//! `--checkpoint` and `--resume`: a long search that is killed goes on from its finished packets.
//!
//! The file has two lines: an object of JSON, and the checksum (xxh3, hexadecimal) of the first
//! line without its end. It is replaced as a whole, once a second at most, so whenever the program is
//! killed there is a whole file; what is lost is what was finished since.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::args::checkpoint::CheckpointArgs;
use super::databases::TableBytes;
use crate::pdb::{payload_hash, replace};
use crate::search::{Catalogue, Packet, Saved, Stage};

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckpointError {
    #[error("{} is there already: go on from it with --resume, or remove it", .0.display())]
    Exists(PathBuf),
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{} is no whole checkpoint: remove it, and begin anew", .0.display())]
    Damaged(PathBuf),
    #[error("{} is a checkpoint of {what}: give another file, or remove it", path.display())]
    Other { path: PathBuf, what: &'static str },
    #[error(
        "--checkpoint is for boards of 17 to 25 cells, with the default method, by tables of all tiles"
    )]
    Needless,
}

/// Changes whenever the same state would lead to another search.
const VERSION: u32 = 2;

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Content {
    version: u32,
    /// The position, as labels for the canonical goal.
    labels: Vec<u8>,
    /// Pattern and checksum of every table.
    tables: Vec<(String, u64)>,
    saved: Saved,
}

/// A checkpoint being kept.
pub(super) struct Checkpoint {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    content: Content,
    written: Instant,
    /// The first failure; nothing is written after it.
    failed: Option<io::Error>,
}

/// The least time between two writings.
const EVERY: Duration = Duration::from_secs(1);

impl Checkpoint {
    /// The checkpoint of a position's search, and what was saved of it before, if anything.
    pub fn open(
        args: &CheckpointArgs,
        labels: &[u8],
        catalogue: &Catalogue<TableBytes>,
    ) -> Result<Option<(Checkpoint, Option<Saved>)>, CheckpointError> {
        let Some(path) = args.checkpoint.clone() else { return Ok(None) };
        let tables = catalogue.tables().iter();
        let tables = tables.map(|t| (t.pattern().file_name(), payload_hash(t.bits()))).collect();
        let saved = read(&path, args.resume, labels, &tables)?;
        let content = Content {
            version: VERSION,
            labels: labels.to_vec(),
            tables,
            saved: saved.clone().unwrap_or_default(),
        };
        let state = State { content, written: Instant::now(), failed: None };
        let checkpoint = Checkpoint { path, state: Mutex::new(state) };
        // What cannot be written is told before hours of searching, not after.
        checkpoint
            .with(|state| write(&checkpoint.path, &state.content))
            .map_err(|error| CheckpointError::Write { path: checkpoint.path.clone(), error })?;
        Ok(Some((checkpoint, saved)))
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// An iteration begins.
    pub fn begins(&self, stage: &Stage) {
        self.with(|state| {
            if state.content.saved.stage != *stage {
                state.content.saved = Saved::new(stage.clone());
            }
        });
    }

    /// A packet is finished.
    pub fn finished(&self, packet: Packet) {
        self.with(|state| {
            state.content.saved.add(packet);
            if state.failed.is_none() && state.written.elapsed() >= EVERY {
                state.failed = write(&self.path, &state.content).err();
                state.written = Instant::now();
            }
        });
    }

    /// Writes what there is to write. Returns the number of packets finished.
    pub fn close(self) -> Result<u64, CheckpointError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written = state.failed.map_or_else(|| write(&self.path, &state.content), Err);
        written.map_err(|error| CheckpointError::Write { path: self.path, error })?;
        Ok(state.content.saved.packets())
    }
}

/// A larger file is none of ours.
const MOST_BYTES: u64 = 1 << 26;

fn read(
    path: &Path,
    resume: bool,
    labels: &[u8],
    tables: &Vec<(String, u64)>,
) -> Result<Option<Saved>, CheckpointError> {
    let failed = |error| CheckpointError::Read { path: path.to_owned(), error };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(_) if !resume => return Err(CheckpointError::Exists(path.to_owned())),
        Ok(file) if !file.is_file() || file.len() > MOST_BYTES => {
            return Err(CheckpointError::Damaged(path.to_owned()));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(failed)?;
    let content = decode(&bytes).ok_or_else(|| CheckpointError::Damaged(path.to_owned()))?;
    let other = |what| Err(CheckpointError::Other { path: path.to_owned(), what });
    if content.version != VERSION {
        return other("another version of this program");
    }
    if content.labels != labels {
        return other("another board or goal");
    }
    if content.tables != *tables {
        return other("a search with other databases");
    }
    // Written before the first iteration began.
    Ok(Some(content.saved).filter(|saved| !saved.stage.views.is_empty()))
}

fn decode(bytes: &[u8]) -> Option<Content> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (line, hash) = text.strip_suffix('\n')?.split_once('\n')?;
    (hash == format!("{:016x}", payload_hash(line.as_bytes()))).then_some(())?;
    serde_json::from_str(line).ok()
}

fn write(path: &Path, content: &Content) -> io::Result<()> {
    let line = serde_json::to_string(content)?;
    let hash = payload_hash(line.as_bytes());
    replace(path, |mut file| file.write_all(format!("{line}\n{hash:016x}\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::Grid;
    use crate::pdb::{Index, Partition, Table, generate};
    use crate::search::Control;

    fn tables() -> Vec<(String, u64)> {
        vec![("5x5-0-1.2.3.pdb".to_owned(), 7)]
    }

    fn content() -> Content {
        let stage = Stage { bound: 80, views: vec![0, 1], ..Stage::default() };
        Content {
            version: VERSION,
            labels: vec![1, 0, 2],
            tables: tables(),
            saved: Saved::new(stage),
        }
    }

    #[test]
    fn a_checkpoint_is_bound_to_its_search() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let kind = |resume, labels: &[u8], tables: Vec<(String, u64)>| {
            read(&path, resume, labels, &tables).map_err(|error| error.to_string())
        };
        assert_eq!(kind(true, &[1, 0, 2], tables()), Ok(None));
        write(&path, &content()).unwrap();
        assert_eq!(kind(true, &[1, 0, 2], tables()), Ok(Some(content().saved)));
        assert!(kind(false, &[1, 0, 2], tables()).unwrap_err().contains("--resume"));
        assert!(kind(true, &[0, 1, 2], tables()).unwrap_err().contains("board"));
        assert!(kind(true, &[1, 0, 2], Vec::new()).unwrap_err().contains("databases"));
        write(&path, &Content { version: VERSION + 1, ..content() }).unwrap();
        assert!(kind(true, &[1, 0, 2], tables()).unwrap_err().contains("version"));
    }

    #[test]
    fn damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        write(&path, &content()).unwrap();
        let sound = fs::read(&path).unwrap();
        for place in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[place] ^= 1;
            assert!(decode(&bytes).is_none(), "byte {place}");
            assert!(decode(&sound[..place]).is_none(), "length {place}");
        }
        assert!(decode(&sound).is_some());
    }

    /// Numbers of every size in place of those of a sound checkpoint, with the right checksum: the
    /// search ends, with or without an answer.
    #[test]
    fn numbers_that_cannot_be_are_survived() {
        let grid = Grid::new(4, 3).unwrap();
        let partition = Partition::parse("1,2,3,4/5,6,7,8/9,10,11", grid, 0).unwrap();
        let tables = partition.patterns().iter().map(|&pattern| {
            let index = Arc::new(Index::new(grid, pattern.len()));
            let bits = generate(&index, &pattern, |_| ()).unwrap().bits;
            Table::new(pattern, index, bits).unwrap()
        });
        let catalogue = Catalogue::new(std::slice::from_ref(&partition), tables.collect()).unwrap();
        let labels = [1, 2, 3, 7, 4, 5, 6, 11, 8, 9, 10, 0];
        let mut saved = Saved::new(Stage { bound: 5, views: vec![0], ..Stage::default() });
        saved.stage.history = vec![(3, 40), (5, 300)];
        for number in [0, 1, 3] {
            saved.add(Packet { number, generated: 5, expanded: 2, solution: None });
        }
        let sound = serde_json::to_string(&Content { saved, ..content() }).unwrap();
        let is_digit = |c: char| c.is_ascii_digit();
        let mut resumed = 0;
        for place in sound.match_indices(is_digit).map(|(place, _)| place) {
            if sound[..place].ends_with(is_digit) {
                continue;
            }
            let rest = sound[place..].trim_start_matches(is_digit);
            for number in ["0", "1", "2", "7", "130", "65535", "4294967295", "18446744073709551615"]
            {
                let line = format!("{}{number}{rest}", &sound[..place]);
                let hash = payload_hash(line.as_bytes());
                let Some(content) = decode(format!("{line}\n{hash:016x}\n").as_bytes()) else {
                    continue;
                };
                let control = Control::default().with_nodes(20_000);
                let outcome = catalogue.resume(&labels, content.saved, &control, &());
                resumed += usize::from(outcome.is_ok());
            }
        }
        assert!(resumed > 50, "{resumed}");
    }
}
