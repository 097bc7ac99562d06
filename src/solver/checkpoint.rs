//! Checkpoints: an interrupted search goes on from its finished packets.
//!
//! The file has two lines: an object of JSON, and the checksum (xxh3, hexadecimal) of the first
//! line without its end. It is replaced as a whole, at most once a second. A program that is
//! killed therefore leaves a whole file, and loses what it finished since.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::searcher::Search;
use super::{Bracket, Error, Limits, Solver, Task};
use crate::board::Board;
use crate::memo::lock;
use crate::pdb::{payload_hash, replace};
use crate::search::{Engine, Journal, Packet, Record, ResumeError, Threshold};

/// A file that keeps the state of a search.
#[derive(Clone, Debug)]
#[must_use]
pub struct Checkpoint {
    path: PathBuf,
    resume: bool,
}

impl Checkpoint {
    /// A checkpoint in a file that must not exist yet. It is written at most once a second, a few
    /// kilobytes, and stays when the search has ended.
    pub fn new(path: impl Into<PathBuf>) -> Checkpoint {
        Checkpoint { path: path.into(), resume: false }
    }

    /// Goes on with the search of an existing file. The answer and the numbers of nodes are those
    /// of a search that was not interrupted. If there is no such file, the search begins.
    pub fn resume(self, resume: bool) -> Checkpoint {
        Checkpoint { resume, ..self }
    }
}

/// The number of packets of a search with a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub struct Packets {
    /// The packets that are finished.
    pub finished: u64,
    /// The packets among them that an earlier run finished, if the search was resumed.
    pub restored: Option<u64>,
    /// The reason if the last state could not be written. The file then has an earlier one.
    pub unwritten: Option<CheckpointError>,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file exists, and was not to be resumed.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file is damaged, or not a checkpoint.
    #[error("{} is not a whole checkpoint", .0.display())]
    Damaged(PathBuf),
    /// The checkpoint is one of another search.
    #[error("{} is a checkpoint of {what}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The difference.
        what: &'static str,
    },
    /// The search keeps no record.
    #[error(
        "a checkpoint needs a search by iterative deepening with pattern databases of all tiles"
    )]
    NoRecord,
}

/// Changes whenever the same state would lead to another search.
const VERSION: u32 = 4;

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Content {
    version: u32,
    /// The labels of the position.
    labels: Vec<u8>,
    /// Pattern and checksum of every table.
    tables: Vec<(String, u64)>,
    record: Record,
}

/// A checkpoint being written.
struct Keeper {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    content: Content,
    written: Instant,
}

/// The least time between two writes.
const EVERY: Duration = Duration::from_secs(1);

impl Solver {
    /// [`Solver::solve_with`], with the state of the search kept in a file.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Checkpoint`] if the file cannot be used. A failure to write
    /// during the search is not an error: see [`Packets::unwritten`].
    pub fn solve_with_checkpoint(
        &self,
        board: &Board,
        limits: &Limits,
        checkpoint: &Checkpoint,
    ) -> Result<(Bracket, Packets), Error> {
        let task = self.task(board, limits)?;
        let Some(searcher) = &task.searcher else {
            let packets = Packets { finished: 0, restored: None, unwritten: None };
            return Ok((self.run(&task, limits)?, packets));
        };
        let Search::Engine(engine) = &searcher.search else {
            return Err(CheckpointError::NoRecord.into());
        };
        // A damaged table must not be taken for another database, nor leave a file.
        searcher.check.wait()?;
        let (keeper, record) = Keeper::open(checkpoint, task.position.labels(), engine)?;
        let restored = record.as_ref().map(Record::packets);
        let watch = super::limits::Stopwatch::start();
        let control = limits.control(Duration::ZERO);
        let reports = self.journal();
        let outcome = self.install(|| {
            let journal = (&*reports as &dyn Journal, &keeper as &dyn Journal);
            match record {
                None => engine.solve(&task.position, &control, &journal).map_err(Into::into),
                Some(record) => engine.resume(&task.position, record, &control, &journal),
            }
        });
        let outcome = match outcome {
            Ok(outcome) => Ok(outcome),
            Err(ResumeError::Broken(broken)) => Err(broken),
            Err(_) => return Err(CheckpointError::Damaged(checkpoint.path.clone()).into()),
        };
        let (finished, unwritten) = keeper.close();
        let bracket = self.install(|| Task::finish(&task, outcome, watch.elapsed()))?;
        Ok((bracket, Packets { finished, restored, unwritten }))
    }
}

impl Keeper {
    /// The checkpoint of a position's search, and the record of an earlier run, if there is one.
    fn open(
        checkpoint: &Checkpoint,
        labels: &[u8],
        engine: &Engine,
    ) -> Result<(Keeper, Option<Record>), CheckpointError> {
        let tables = engine.tables().iter();
        let tables = tables.map(|t| (t.pattern().file_name(), payload_hash(t.bits()))).collect();
        let record = read(checkpoint, labels, &tables)?;
        let content = Content {
            version: VERSION,
            labels: labels.to_vec(),
            tables,
            record: record.clone().unwrap_or_default(),
        };
        let state = State { content, written: Instant::now() };
        let keeper = Keeper { path: checkpoint.path.clone(), state: Mutex::new(state) };
        // A file that cannot be written is an error before hours of searching, not after.
        let written = write(&keeper.path, &lock(&keeper.state).content);
        match written {
            Ok(()) => Ok((keeper, record)),
            Err(reason) => Err(CheckpointError::Write { path: keeper.path, reason }),
        }
    }

    /// Writes the final state. Returns the number of packets finished, and the reason if the state
    /// could not be written: that is not a reason to lose the answer.
    fn close(self) -> (u64, Option<CheckpointError>) {
        let state = self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let failed = write(&self.path, &state.content).err();
        let failed = failed.map(|reason| CheckpointError::Write { path: self.path, reason });
        (state.content.record.packets(), failed)
    }
}

impl Journal for Keeper {
    fn begins(&self, threshold: &Threshold, _packets: usize) {
        let record = &mut lock(&self.state).content.record;
        if record.threshold != *threshold {
            *record = Record::new(threshold.clone());
        }
    }

    fn finished(&self, packet: Packet) {
        let mut state = lock(&self.state);
        state.content.record.add(packet);
        if state.written.elapsed() >= EVERY {
            // A disk may have room again in a second.
            let _ = write(&self.path, &state.content);
            state.written = Instant::now();
        }
    }
}

/// A larger file is not a checkpoint.
const MOST_BYTES: u64 = 1 << 26;

fn read(
    Checkpoint { path, resume }: &Checkpoint,
    labels: &[u8],
    tables: &Vec<(String, u64)>,
) -> Result<Option<Record>, CheckpointError> {
    let failed = |reason| CheckpointError::Read { path: path.clone(), reason };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(_) if !resume => return Err(CheckpointError::Exists(path.clone())),
        Ok(file) if !file.is_file() || file.len() > MOST_BYTES => {
            return Err(CheckpointError::Damaged(path.clone()));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(failed)?;
    let content = decode(&bytes).ok_or_else(|| CheckpointError::Damaged(path.clone()))?;
    let other = |what| Err(CheckpointError::Other { path: path.clone(), what });
    if content.version != VERSION {
        return other("another version of this program");
    }
    if content.labels != labels {
        return other("another board or goal");
    }
    if content.tables != *tables {
        return other("a search with other databases");
    }
    // A record without views was written before the first iteration began.
    Ok(Some(content.record).filter(|record| !record.threshold.views.is_empty()))
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
    use crate::board::{Grid, Position};
    use crate::pdb::{Index, Partition, Table, generate};
    use crate::search::Control;

    fn tables() -> Vec<(String, u64)> {
        vec![("5x5-0-1.2.3.pdb".to_owned(), 7)]
    }

    fn content() -> Content {
        let threshold = Threshold { bound: 80, views: vec![0, 1], ..Threshold::default() };
        let record = Record::new(threshold);
        Content { version: VERSION, labels: vec![1, 0, 2], tables: tables(), record }
    }

    #[test]
    fn a_checkpoint_belongs_to_its_search() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let kind = |resume, labels: &[u8], tables: Vec<(String, u64)>| {
            let checkpoint = Checkpoint::new(&path).resume(resume);
            read(&checkpoint, labels, &tables).map_err(|error| error.to_string())
        };
        assert_eq!(kind(true, &[1, 0, 2], tables()), Ok(None));
        write(&path, &content()).unwrap();
        assert_eq!(kind(true, &[1, 0, 2], tables()), Ok(Some(content().record)));
        assert!(kind(false, &[1, 0, 2], tables()).unwrap_err().contains("exists already"));
        assert!(kind(true, &[0, 1, 2], tables()).unwrap_err().contains("board"));
        assert!(kind(true, &[1, 0, 2], Vec::new()).unwrap_err().contains("databases"));
        write(&path, &Content { version: VERSION + 1, ..content() }).unwrap();
        assert!(kind(true, &[1, 0, 2], tables()).unwrap_err().contains("version"));
    }

    #[test]
    fn a_failure_to_write_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = |path: &str| Keeper {
            path: folder.path().join(path),
            state: Mutex::new(State { content: content(), written: Instant::now() }),
        };
        assert!(matches!(keeper("state").close(), (0, None)));
        assert!(matches!(
            keeper("missing/state").close(),
            (0, Some(CheckpointError::Write { .. }))
        ));
    }

    #[test]
    fn damage_is_detected() {
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
    /// search ends, with or without an answer, and blames no table.
    #[test]
    fn impossible_numbers_are_survived() {
        let grid = Grid::new(4, 3).unwrap();
        let partition = Partition::parse("1,2,3,4/5,6,7,8/9,10,11", grid, 0).unwrap();
        let tables = partition.patterns().iter().map(|&pattern| {
            let index = Arc::new(Index::new(grid, pattern.len()));
            let bits = generate(&index, &pattern, |_| ()).unwrap().bits;
            Table::new(pattern, index, bits).unwrap()
        });
        let engine = Engine::new(std::slice::from_ref(&partition), tables.collect()).unwrap();
        let position = Position::new(grid, 0, &[1, 2, 3, 7, 4, 5, 6, 11, 8, 9, 10, 0]).unwrap();
        let mut record =
            Record::new(Threshold { bound: 5, views: vec![0], ..Threshold::default() });
        record.threshold.history = vec![(3, 40), (5, 300)];
        for number in [0, 1, 3] {
            record.add(Packet { number, generated: 5, expanded: 2, solution: None });
        }
        let sound = serde_json::to_string(&Content { record, ..content() }).unwrap();
        let is_digit = |c: char| c.is_ascii_digit();
        let (mut resumed, mut refused) = (0, 0);
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
                match engine.resume(&position, content.record, &control, &()) {
                    Ok(_) => resumed += 1,
                    Err(error) => {
                        assert_eq!(error, ResumeError::Record);
                        refused += 1;
                    }
                }
            }
        }
        assert!(resumed > 50 && refused > 20, "{resumed} {refused}");
    }
}
