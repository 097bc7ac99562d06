//! Packets and their results.

use std::collections::BTreeMap;
use std::iter;

use serde::{Deserialize, Serialize};

use super::PacketError;
use crate::board::{Board, Canonical, Goal, Grid};
use crate::heuristic::Spec;
use crate::search::{Part, Threshold};
use crate::solver::sealed::{self, sealed_text};
use crate::solver::{Builder, Solver, State, lists};

/// The version of packets of whole subtrees and their results.
const WHOLE: u32 = 2;

/// The version of packets and results that begin or end within a subtree, or have several spans.
/// Programs that know only whole subtrees refuse them.
const PARTIAL: u32 = 3;

/// A place in the search of a threshold: the number of a subtree, and the moves to the node within it
/// that comes next; none if that is its root.
pub type At = (usize, Option<String>);

/// A threshold of a search that is divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
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
///
/// A packet that is left by the search of another one may have several spans, which begin and end within
/// subtrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    schema: u32,
    #[serde(flatten)]
    pub(super) header: Header,
    #[serde(flatten)]
    span: Span,
    /// Further spans, in the order of the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    more: Vec<Span>,
}

/// Subtrees that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The number of the first subtree.
    pub first: usize,
    /// The number of prefixes that lead into the first subtree, and not to its root.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inner: usize,
    /// The moves to the node of the last subtree before which the span ends; none if it ends with that
    /// subtree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The moves to each subtree, separated by spaces: on the canonical board, from the
    /// position.
    pub prefixes: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Span {
    /// The subtree that a prefix leads to or into.
    pub fn subtree(&self, prefix: usize) -> Option<usize> {
        match prefix.checked_sub(self.inner) {
            None => Some(self.first),
            Some(whole) => self.first.checked_add(usize::from(self.inner > 0))?.checked_add(whole),
        }
    }

    /// The place before a prefix.
    pub fn before(&self, prefix: usize) -> Option<At> {
        let within = self.prefixes.split(' ').nth(prefix).filter(|_| prefix < self.inner);
        Some((self.subtree(prefix)?, within.map(str::to_owned)))
    }

    /// The place where the span ends. `None` if it contradicts itself.
    pub fn end(&self) -> Option<At> {
        let len = self.prefixes.split(' ').count();
        let last = self.subtree(len.checked_sub(1)?).filter(|_| self.inner <= len)?;
        match &self.end {
            Some(end) => Some((last, Some(end.clone()))),
            None => Some((last.checked_add(1)?, None)),
        }
    }
}

/// A packet with what the search of its subtrees gave. As text it is one line of JSON, without the
/// prefixes; it ends with a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketResult {
    schema: u32,
    #[serde(flatten)]
    pub(super) header: Header,
    #[serde(flatten)]
    searched: Searched,
    /// Further stretches that were searched, in the order of the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    more: Vec<Searched>,
}

/// The search between two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    first: usize,
    /// The number of subtrees that end here.
    count: usize,
    /// The nodes within subtrees where it begins and before which it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    pub part: Part,
}

impl Searched {
    /// `None` if the end is before the begin.
    pub fn new((first, begin): At, (last, end): At, part: Part) -> Option<Searched> {
        Some(Searched { first, count: last.checked_sub(first)?, begin, end, part })
    }

    pub fn begin(&self) -> At {
        (self.first, self.begin.clone())
    }

    /// The place where it ends; `None` if it contradicts itself.
    pub fn end(&self) -> Option<At> {
        let end = (self.first.checked_add(self.count)?, self.end.clone());
        (end != self.begin()).then_some(end)
    }
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
    /// A packet of these spans. `None` if there are none.
    pub(super) fn new(header: Header, spans: Vec<Span>) -> Option<Packet> {
        let mut spans = spans.into_iter();
        let (span, more) = (spans.next()?, spans.collect::<Vec<_>>());
        let is_whole = more.is_empty() && span.inner == 0 && span.end.is_none();
        Some(Packet { schema: if is_whole { WHOLE } else { PARTIAL }, header, span, more })
    }

    /// Its spans, in the order of the search.
    pub(super) fn spans(&self) -> impl Iterator<Item = &Span> {
        iter::once(&self.span).chain(&self.more)
    }

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
    #[doc(hidden)]
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

    /// Returns whether both belong to one threshold of one search.
    #[doc(hidden)]
    pub fn is_beside(&self, other: &Packet) -> bool {
        self.header == other.header
    }
}

sealed_text!(Packet, of_schema);
sealed_text!(PacketResult, of_schema);

/// Refuses a whole line of an unknown version.
fn of_schema(line: &str) -> Result<(), PacketError> {
    /// The fields that lines of every version have.
    #[derive(Deserialize)]
    struct Any {
        schema: u32,
    }
    match sealed::open(line) {
        Some(Any { schema: WHOLE | PARTIAL }) => Ok(()),
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

    /// The result of a search between these places. `None` if there are none.
    pub(super) fn new(header: Header, searched: Vec<Searched>) -> Option<PacketResult> {
        let mut all = searched.into_iter();
        let (searched, more) = (all.next()?, all.collect::<Vec<_>>());
        let is_whole = more.is_empty() && searched.begin.is_none() && searched.end.is_none();
        Some(PacketResult {
            schema: if is_whole { WHOLE } else { PARTIAL },
            header,
            searched,
            more,
        })
    }

    /// The stretches that were searched, in the order of the search.
    pub(super) fn searched(&self) -> impl Iterator<Item = &Searched> {
        iter::once(&self.searched).chain(&self.more)
    }

    /// Returns whether this is the result of a packet, the whole of it.
    #[doc(hidden)]
    pub fn is_of(&self, packet: &Packet) -> bool {
        self.completes(packet, &[])
    }

    /// Returns whether this is the result of a packet that leaves this rest: every place of the packet
    /// lies in one of them, and in one only.
    #[doc(hidden)]
    pub fn completes(&self, packet: &Packet, rest: &[Packet]) -> bool {
        let own = self.searched().map(|searched| (searched.begin(), searched.end()));
        let spans = |packet: &Packet| {
            let ends = packet.spans().map(|span| (span.before(0), span.end()));
            ends.collect::<Vec<_>>()
        };
        let left = rest.iter().flat_map(spans);
        let pieces = own.map(|(begin, end)| (Some(begin), end)).chain(left);
        let mut ends = BTreeMap::new();
        for (begin, end) in pieces {
            let (Some(begin), Some(end)) = (begin, end) else { return false };
            if ends.insert(begin, end).is_some() {
                return false;
            }
        }
        let is_covered = spans(packet).into_iter().all(|(begin, end)| {
            let (Some(mut at), Some(end)) = (begin, end) else { return false };
            while at != end {
                let Some(next) = ends.remove(&at) else { return false };
                at = next;
            }
            true
        });
        let alike = rest.iter().all(|packet| packet.header == self.header);
        is_covered && ends.is_empty() && alike && packet.header == self.header
    }

    /// Returns whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.searched().any(|searched| searched.part.solution.is_some())
    }

    /// The nodes generated.
    #[doc(hidden)]
    pub fn generated(&self) -> u64 {
        self.searched().fold(0, |sum: u64, searched| sum.saturating_add(searched.part.generated))
    }
}
