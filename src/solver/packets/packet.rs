//! Packets and their results, and both as lines of text.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::board::{Board, Grid};
use crate::search::{Part, Threshold};
use crate::solver::{Builder, Solver, State, sealed};

/// The version of the fields of packets and their results.
pub const SCHEMA: u32 = 2;

/// A threshold of a search that is divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub schema: u32,
    pub width: usize,
    pub height: usize,
    pub board: Vec<u8>,
    pub goal: Vec<u8>,
    pub heuristic: String,
    pub state: State,
    /// The subtrees of the threshold.
    pub subtrees: usize,
    /// The nodes generated and expanded above them.
    pub above: [u64; 2],
}

/// Some subtrees of a threshold, with all that is needed to search them. As text it is one line of
/// JSON, a kilobyte and some 25 bytes for each subtree; it ends with a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    #[serde(flatten)]
    pub(super) header: Header,
    /// The number of the first subtree of this packet.
    pub(super) first: usize,
    /// The moves to each subtree on the canonical board, separated by spaces.
    pub(super) prefixes: String,
}

/// A packet with what the search of its subtrees gave. As text it is one line of JSON, without the
/// prefixes; it ends with a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketResult {
    #[serde(flatten)]
    pub(super) header: Header,
    pub(super) first: usize,
    /// The number of subtrees of the packet.
    pub(super) count: usize,
    pub(super) part: Part,
}

/// Why packets or their results cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// Another version of the library has made it.
    #[error("the packet is of another version of this program")]
    Version,
    /// It is not one of this solver's searches, or not of the same one as others.
    #[error("the packet or state is of {0}")]
    Other(&'static str),
    /// The line is not as it was written, or contradicts itself.
    #[error("the packet, result or state is damaged")]
    Damaged,
    /// There are no results.
    #[error("there are no results of packets")]
    None,
    /// Subtrees that no result covers before the first solution, or at all.
    #[error("{} of {of} subtrees have no result, the first is number {}", missing.len(), missing.start)]
    Missing {
        /// The first ones.
        missing: Range<usize>,
        /// The subtrees of the threshold.
        of: usize,
    },
    /// Two results are of the same subtree.
    #[error("two results are of subtree {0}")]
    Twice(usize),
}

impl Header {
    pub fn threshold(&self) -> &Threshold {
        &self.state.record.threshold
    }

    pub fn board(&self) -> Result<Board, PacketError> {
        self.board_of(&self.board)
    }

    pub fn board_of(&self, tiles: &[u8]) -> Result<Board, PacketError> {
        let grid = Grid::new(self.width, self.height).map_err(|_| PacketError::Damaged)?;
        Board::new(grid, tiles).map_err(|_| PacketError::Damaged)
    }
}

impl Packet {
    /// The board.
    ///
    /// # Errors
    /// [`PacketError::Damaged`].
    pub fn board(&self) -> Result<Board, PacketError> {
        self.header.board()
    }

    /// A builder of solvers for this packet: with its goal and its heuristic.
    ///
    /// # Errors
    /// [`PacketError::Damaged`].
    pub fn builder(&self) -> Result<Builder, PacketError> {
        let Header { goal, heuristic, .. } = &self.header;
        let heuristic = heuristic.parse().map_err(|_| PacketError::Damaged)?;
        Ok(Solver::builder().goal(self.header.board_of(goal)?).heuristic(heuristic))
    }

    /// The threshold: no solution is shorter.
    #[doc(hidden)]
    pub fn threshold(&self) -> u32 {
        self.header.threshold().bound
    }

    /// The nodes of the threshold before. This one has several times as many, unless it holds a
    /// solution.
    #[doc(hidden)]
    pub fn before(&self) -> u64 {
        self.header.threshold().last()
    }

    /// The number of subtrees.
    #[allow(clippy::len_without_is_empty, reason = "a packet has at least one")]
    pub fn len(&self) -> usize {
        self.prefixes.split(' ').count()
    }

    /// Whether both are of one threshold of one search.
    #[doc(hidden)]
    pub fn is_beside(&self, other: &Packet) -> bool {
        self.header == other.header
    }
}

/// Text that is a [`sealed`] line, which a function reads.
macro_rules! text {
    ($type:ty, $read:expr) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&sealed::seal(self).map_err(|_| fmt::Error)?)
            }
        }

        impl FromStr for $type {
            type Err = PacketError;

            fn from_str(line: &str) -> Result<Self, PacketError> {
                $read(line.trim_end())
            }
        }
    };
}

text!(Packet, of_schema);
text!(PacketResult, of_schema);
text!(State, whole);

fn whole<T: DeserializeOwned>(line: &str) -> Result<T, PacketError> {
    sealed::open(line).ok_or(PacketError::Damaged)
}

fn of_schema<T: DeserializeOwned>(line: &str) -> Result<T, PacketError> {
    /// The fields that lines of every version have.
    #[derive(Deserialize)]
    struct Any {
        schema: u32,
    }
    let Any { schema } = whole(line)?;
    if schema == SCHEMA { whole(line) } else { Err(PacketError::Version) }
}

impl PacketResult {
    /// The board.
    ///
    /// # Errors
    /// [`PacketError::Damaged`].
    pub fn board(&self) -> Result<Board, PacketError> {
        self.header.board()
    }

    /// Whether this is the result of a packet.
    #[doc(hidden)]
    pub fn is_of(&self, packet: &Packet) -> bool {
        (self.first, self.count) == (packet.first, packet.len()) && self.header == packet.header
    }

    /// Whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.part.solution.is_some()
    }

    /// The nodes generated.
    #[doc(hidden)]
    pub fn generated(&self) -> u64 {
        self.part.generated
    }
}
