//! Packets and their results.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::sealed::sealed_text;
use super::state::State;
use crate::board::{Board, Goal};
use crate::classics::Spec;
use crate::search::{Count, PartResult, Prefix, Root};
use crate::solver::options::Builder;

/// The threshold that is divided, and the number of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// The most packets. 0 counts as 1.
    pub count: usize,
    /// The first threshold whose predecessor had at least this many nodes is divided. Smaller ones are
    /// searched at once.
    pub after: u64,
    /// There are fewer packets if they would have fewer than about this many nodes.
    pub nodes: u64,
}

impl Division {
    /// Divides subtrees, with the nodes that are expected of them, into rows, at most `count`, of about the
    /// same nodes.
    pub(crate) fn rows(self, subtrees: &[(Root, f64)]) -> Vec<Range<usize>> {
        let total: f64 = subtrees.iter().map(|(_, nodes)| nodes).sum();
        let share = (total / self.count.max(1) as f64).max(self.nodes as f64);
        let (mut rows, mut begun, mut sum) = (Vec::new(), 0, 0.0);
        for (end, (_, nodes)) in (1..).zip(subtrees) {
            sum += nodes;
            let is_full = sum >= share * (rows.len() + 1) as f64 && rows.len() + 1 < self.count;
            if is_full || end == subtrees.len() {
                rows.push(begun..end);
                begun = end;
            }
        }
        rows
    }
}

/// A threshold of a search that is divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub board: Board,
    pub goal: Goal,
    /// The heuristic that the answer names.
    pub heuristic: Spec,
    pub state: State,
    /// The subtrees of the threshold.
    pub subtrees: usize,
    /// The nodes generated and expanded after the root of the last one, above subtrees.
    pub rest: [u64; 2],
}

/// Some subtrees of a threshold, with all that is needed to search them. As text it is one line of
/// JSON, a kilobyte and some 40 bytes for each subtree; it ends with a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    #[serde(flatten)]
    pub(crate) header: Header,
    /// The number of the first subtree.
    first: usize,
    /// The moves to each subtree: on the canonical board, from the position; and the nodes generated and
    /// expanded above it and not above an earlier one.
    roots: Vec<(Prefix, [u64; 2])>,
}

/// A packet with the result of the search of its subtrees. As text it is one line of JSON; it ends with a
/// checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketResult {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) first: usize,
    /// The number of subtrees.
    pub(crate) count: usize,
    pub(crate) part: PartResult,
}

impl Packet {
    pub(crate) fn new(header: Header, first: usize, of: &[(Root, f64)]) -> Packet {
        let above = |Root { above, .. }: &Root| [above.generated, above.expanded];
        let roots = of.iter().map(|(root, _)| (root.prefix, above(root))).collect();
        Packet { header, first, roots }
    }

    /// The roots of its subtrees.
    pub(crate) fn roots(&self) -> Vec<Root> {
        let count = |[generated, expanded]: [u64; 2]| Count { generated, expanded };
        self.roots.iter().map(|&(prefix, above)| Root { prefix, above: count(above) }).collect()
    }

    /// Its result.
    pub(crate) fn result(&self, part: PartResult) -> PacketResult {
        let (header, first, count) = (self.header.clone(), self.first, self.roots.len());
        PacketResult { header, first, count, part }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.header.board
    }

    /// A builder of solvers for this packet: with its goal and its heuristic.
    pub fn builder(&self) -> Builder {
        let Header { goal, heuristic, .. } = &self.header;
        Builder::default().goal(goal.clone()).heuristic(heuristic.clone())
    }

    /// The threshold: no solution is shorter.
    pub fn threshold(&self) -> u32 {
        self.header.state.record.threshold.bound
    }

    /// The nodes of the threshold before. This one has several times as many, unless it holds a
    /// solution.
    pub fn before(&self) -> u64 {
        self.header.state.record.threshold.last()
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
        (self.first, self.count, &self.header) == (packet.first, packet.roots.len(), &packet.header)
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
