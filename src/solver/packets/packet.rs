//! Packets and their results.

use serde::{Deserialize, Serialize};

use super::PacketError;
use crate::board::{Board, Canonical, Goal, Grid};
use crate::heuristic::Spec;
use crate::search::{Part, Threshold};
use crate::solver::sealed::{self, sealed_text};
use crate::solver::{Builder, Solver, State, lists};

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
    /// Its lists of tiles are by labels: see [`lists`].
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
        let heuristic: Spec = heuristic.parse().map_err(|_| PacketError::Damaged)?;
        let goal = Goal::from(self.header.board_of(goal)?);
        let canonical = Canonical::of(&goal);
        let printed = |partition: &str| Ok(lists::printed(partition, &canonical));
        let heuristic = lists::renamed(heuristic, printed)?;
        Ok(Solver::builder().goal(goal).heuristic(heuristic))
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
    #[doc(hidden)]
    #[allow(clippy::len_without_is_empty, reason = "a packet has at least one")]
    pub fn len(&self) -> usize {
        self.prefixes.split(' ').count()
    }

    /// Returns whether both belong to one threshold of one search.
    #[doc(hidden)]
    pub fn is_beside(&self, other: &Packet) -> bool {
        self.header == other.header
    }
}

sealed_text!(Packet, of_schema);
sealed_text!(PacketResult, of_schema);

/// Refuses a whole line of another version.
fn of_schema(line: &str) -> Result<(), PacketError> {
    /// The fields that lines of every version have.
    #[derive(Deserialize)]
    struct Any {
        schema: u32,
    }
    match sealed::open(line) {
        Some(Any { schema: SCHEMA }) => Ok(()),
        Some(_) => Err(PacketError::Version),
        None => Err(PacketError::Damaged),
    }
}

impl PacketResult {
    /// The board.
    ///
    /// # Errors
    /// [`PacketError::Damaged`].
    pub fn board(&self) -> Result<Board, PacketError> {
        self.header.board()
    }

    /// Returns whether this is the result of a packet.
    #[doc(hidden)]
    pub fn is_of(&self, packet: &Packet) -> bool {
        (self.first, self.count) == (packet.first, packet.len()) && self.header == packet.header
    }

    /// Returns whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.part.solution.is_some()
    }

    /// The nodes generated.
    #[doc(hidden)]
    pub fn generated(&self) -> u64 {
        self.part.generated
    }
}
