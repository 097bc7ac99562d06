//! Packets and their results.

use std::convert::Infallible;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::PacketError;
use crate::board::{Board, Canonical, Goal};
use crate::reference::Spec;
use crate::search::{Part, Root, Threshold};
use crate::solver::sealed::sealed_text;
use crate::solver::{Builder, Solver, State, lists};

/// A threshold of a search that is divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub board: Board,
    pub goal: Goal,
    /// Its lists of tiles are by labels: see [`lists`].
    pub heuristic: Spec,
    pub state: State,
    /// The subtrees of the threshold.
    pub subtrees: usize,
    /// The nodes generated and expanded after the root of the last one, above subtrees.
    pub rest: [u64; 2],
}

/// Some subtrees of a threshold, with all that is needed to search them. As text it is one line of
/// JSON, a kilobyte and some 25 bytes for each subtree; it ends with a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    #[serde(flatten)]
    pub(super) header: Header,
    /// The number of the first subtree.
    first: usize,
    /// The moves to each subtree, separated by spaces: on the canonical board, from the position. The nodes
    /// generated and expanded above it follow, if there are any that are not above an earlier one.
    roots: String,
}

/// A packet with the result of the search of its subtrees. As text it is one line of JSON; it ends with a
/// checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketResult {
    #[serde(flatten)]
    pub(super) header: Header,
    pub(super) first: usize,
    /// The number of subtrees.
    pub(super) count: usize,
    pub(super) part: Part,
}

impl Header {
    pub fn threshold(&self) -> &Threshold {
        &self.state.record.threshold
    }
}

impl Packet {
    pub(super) fn new(header: Header, first: usize, of: &[(Root, f64)]) -> Packet {
        let mut roots = String::with_capacity(32 * of.len());
        for (Root { prefix, above }, _) in of {
            if !roots.is_empty() {
                roots.push(' ');
            }
            roots.extend(prefix.letters());
            if above != &[0; 2] {
                // Writing to a string never fails.
                let _ = write!(roots, ":{}:{}", above[0], above[1]);
            }
        }
        Packet { header, first, roots }
    }

    /// The roots of its subtrees.
    pub(super) fn roots(&self) -> Result<Vec<Root>, PacketError> {
        let root = |text: &str| {
            let mut parts = text.split(':');
            let prefix = parts.next()?.parse().ok()?;
            let above = match (parts.next(), parts.next(), parts.next()) {
                (None, ..) => [0; 2],
                (Some(generated), Some(expanded), None) => {
                    [generated.parse().ok()?, expanded.parse().ok()?]
                }
                _ => return None,
            };
            Some(Root { prefix, above })
        };
        self.roots.split(' ').map(root).collect::<Option<_>>().ok_or(PacketError::Damaged)
    }

    /// Its result.
    pub(super) fn result(&self, part: Part) -> PacketResult {
        let (header, first, count) = (self.header.clone(), self.first, self.count());
        PacketResult { header, first, count, part }
    }

    fn count(&self) -> usize {
        self.roots.split(' ').count()
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.header.board
    }

    /// A builder of solvers for this packet: with its goal and its heuristic.
    pub fn builder(&self) -> Builder {
        let Header { goal, heuristic, .. } = &self.header;
        let canonical = Canonical::of(goal);
        let printed = |partition: &str| Ok::<_, Infallible>(lists::printed(partition, &canonical));
        let Ok(heuristic) = lists::renamed(heuristic.clone(), printed);
        Solver::builder().goal(goal.clone()).heuristic(heuristic)
    }

    /// The threshold: no solution is shorter.
    pub fn threshold(&self) -> u32 {
        self.header.threshold().bound
    }

    /// The nodes of the threshold before. This one has several times as many, unless it holds a
    /// solution.
    pub fn before(&self) -> u64 {
        self.header.threshold().last()
    }

    /// Returns whether both belong to one threshold of one search.
    pub fn is_beside(&self, other: &Packet) -> bool {
        self.header == other.header
    }
}

sealed_text!(Packet);
sealed_text!(PacketResult);

impl PacketResult {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.header.board
    }

    /// Returns whether this is the result of a packet.
    pub fn is_of(&self, packet: &Packet) -> bool {
        (self.first, self.count, &self.header) == (packet.first, packet.count(), &packet.header)
    }

    /// Returns whether it holds a solution.
    pub fn is_solved(&self) -> bool {
        self.part.solution.is_some()
    }

    /// The nodes generated.
    pub fn generated(&self) -> u64 {
        self.part.generated
    }
}
