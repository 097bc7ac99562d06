//! The work file: answers in blocks, of which an interrupted run loses at most the last.
//!
//! The file begins with a line that describes the plan. Blocks follow:
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | the number of boards |
//! | 4 | the number of bytes of the answers |
//! | 8 | the checksum (xxh3) of the answers |
//! | | the answers: for each board its length in 2 bytes, and a byte for each move |
//! | | the values: for each heuristic a byte for each board |
//!
//! Numbers have their least significant byte first. The values count as answers. The boards
//! themselves follow from the seed.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{DatasetError, Plan};
use crate::board::{Board, Moves};
use crate::locked::Locked;
use crate::pdb::payload_hash;

/// The bytes before the answers of a block.
const HEAD: usize = 16;

/// No block has more bytes of answers.
const MOST_BYTES: u32 = 1 << 26;

/// Answers that are written at once.
#[derive(Debug, Default)]
pub struct Block {
    boards: Vec<Board>,
    answers: Vec<u8>,
}

impl Block {
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Adds a solution that fits the finished file, where a length is a signed number of 16 bits.
    pub fn add(&mut self, board: Board, moves: &Moves) -> Result<(), DatasetError> {
        let length = i16::try_from(moves.len()).map_err(|_| DatasetError::Labels)?;
        self.boards.push(board);
        self.answers.extend(length.to_le_bytes());
        self.answers.extend(moves.iter().map(|m| m as u8));
        Ok(())
    }

    /// Adds the values of the next heuristic, when all boards are there.
    pub fn add_values(&mut self, values: &[u32]) -> Result<(), DatasetError> {
        for &value in values {
            self.answers.push(u8::try_from(value).map_err(|_| DatasetError::Value(value))?);
        }
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        let number = |count: usize| match u32::try_from(count) {
            Ok(count @ ..=MOST_BYTES) => count.to_le_bytes(),
            _ => panic!("a block of {count} is too large"),
        };
        let mut bytes = Vec::with_capacity(HEAD + self.answers.len());
        bytes.extend(number(self.boards.len()));
        bytes.extend(number(self.answers.len()));
        bytes.extend(payload_hash(&self.answers).to_le_bytes());
        bytes.extend(&self.answers);
        bytes
    }
}

/// Answers that were read.
pub struct Answers {
    /// The moves of each board.
    pub moves: Vec<Vec<u8>>,
    /// The values of each heuristic.
    pub values: Vec<Vec<u8>>,
}

impl Answers {
    fn parse(boards: usize, heuristics: usize, mut bytes: &[u8]) -> Option<Answers> {
        let mut moves = Vec::new();
        for _ in 0..boards {
            let (length, rest) = bytes.split_first_chunk::<2>()?;
            let length = usize::try_from(i16::from_le_bytes(*length)).ok()?;
            let (path, rest) = rest.split_at_checked(length)?;
            moves.push(path.to_vec());
            bytes = rest;
        }
        let values: Vec<Vec<u8>> = match boards {
            0 => Vec::new(),
            _ => bytes.chunks(boards).map(<[u8]>::to_vec).collect(),
        };
        (bytes.len() == boards * heuristics).then_some(Answers { moves, values })
    }
}

/// A work file, locked by this process.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    locked: Locked,
    heuristics: usize,
    /// The first line, which is written with the first block: a file without blocks goes.
    line: String,
    /// The length of the file, up to its last whole block.
    end: u64,
    boards: u64,
}

impl WorkFile {
    /// Opens or makes the file of a plan.
    pub fn open(path: &Path, plan: &Plan) -> Result<WorkFile, DatasetError> {
        let failed = DatasetError::of_file(path);
        let locked = Locked::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => DatasetError::InUse(path.to_owned()),
            _ => failed(error),
        })?;
        let mut file = locked.file();
        let line = describe(plan);
        let mut begin = vec![0; line.len()];
        let is_empty = locked.is_empty().map_err(&failed)?;
        if !is_empty && (file.read_exact(&mut begin).is_err() || begin != line.as_bytes()) {
            return Err(DatasetError::Other(path.to_owned()));
        }
        let (path, heuristics, end) = (path.to_owned(), plan.heuristics.len(), line.len() as u64);
        let mut work = WorkFile { path, locked, heuristics, line, end, boards: 0 };
        let (mut end, mut boards) = (end, 0);
        work.each(|answers, bytes| {
            boards += answers.moves.len() as u64;
            end += bytes;
            Ok(())
        })
        .map_err(DatasetError::of_file(&work.path))?;
        (work.end, work.boards) = (end, boards);
        Ok(work)
    }

    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// Writes a block, in place of what a killed process or a full disk left after the last one.
    pub fn append(&mut self, block: &Block) -> Result<(), DatasetError> {
        let (mut file, bytes) = (self.locked.file(), block.bytes());
        let is_first = self.boards == 0;
        let (line, at) = if is_first { (&*self.line, 0) } else { ("", self.end) };
        file.set_len(at)
            .and_then(|()| file.seek(SeekFrom::Start(at)))
            .and_then(|_| file.write_all(&[line.as_bytes(), &bytes].concat()))
            .inspect_err(|_| {
                if is_first {
                    // No part of the line, which no plan would have.
                    let _ = file.set_len(0);
                }
            })
            .map_err(DatasetError::of_file(&self.path))?;
        self.end += bytes.len() as u64;
        self.boards += block.len() as u64;
        Ok(())
    }

    /// Reads the whole blocks in their order, each with its number of bytes.
    pub fn each(&self, mut with: impl FnMut(Answers, u64) -> io::Result<()>) -> io::Result<()> {
        let mut file = self.locked.file();
        file.seek(SeekFrom::Start(self.line.len() as u64))?;
        let mut reader = BufReader::new(file);
        while let Some((boards, bytes)) = next(&mut reader)? {
            let Some(answers) = Answers::parse(boards, self.heuristics, &bytes) else { break };
            with(answers, (HEAD + bytes.len()) as u64)?;
        }
        Ok(())
    }

    pub fn remove(self) -> Result<(), DatasetError> {
        self.locked.remove().map_err(DatasetError::of_file(&self.path))
    }
}

/// The next block: its number of boards, and its answers; `None` if it is not there as a whole.
fn next(reader: &mut impl Read) -> io::Result<Option<(usize, Vec<u8>)>> {
    let mut head = [0; HEAD];
    let mut read = |bytes: &mut [u8]| match reader.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        result => result.map(|()| true),
    };
    if !read(&mut head)? {
        return Ok(None);
    }
    let number = |place: usize| {
        u32::from_le_bytes([head[place], head[place + 1], head[place + 2], head[place + 3]])
    };
    let (boards, length) = (number(0), number(4));
    // Every board has two bytes at least.
    if length > MOST_BYTES || boards > length / 2 {
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    let whole = read(&mut bytes)? && payload_hash(&bytes).to_le_bytes() == head[8..];
    Ok(whole.then_some((boards as usize, bytes)))
}

/// The first line of the file, which differs between plans.
fn describe(plan: &Plan) -> String {
    let Plan { goal, boards, seed, walk, heuristics } = plan;
    let walk = walk.map_or("uniform".to_owned(), |moves| format!("walks of {moves}"));
    let heuristics: Vec<String> = heuristics.iter().map(ToString::to_string).collect();
    let heuristics = heuristics.join(" ");
    format!("taquin dataset 1: {boards} boards, goal {goal}, seed {seed}, {walk}; {heuristics}\n")
}
