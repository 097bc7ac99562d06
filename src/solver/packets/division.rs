//! The division of a threshold into packets.

use std::ops::Range;

/// Which threshold is divided, and into how many packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Division {
    pub(super) after: u64,
    pub(super) count: usize,
    pub(super) nodes: u64,
}

impl Division {
    /// Divides the first threshold into at most `count` packets.
    pub fn into(count: usize) -> Division {
        Division { after: 0, count, nodes: 0 }
    }

    /// Divides the first threshold whose predecessor had at least this many nodes. Smaller ones are
    /// searched at once.
    pub fn after(self, nodes: u64) -> Division {
        Division { after: nodes, ..self }
    }

    /// Makes fewer packets, so that each has at least about this many nodes.
    pub fn nodes(self, nodes: u64) -> Division {
        Division { nodes, ..self }
    }

    /// Divides subtrees that are expected to have these nodes into rows, at most `count`, of about the
    /// same nodes.
    pub(super) fn rows(self, expected: &[f64]) -> Vec<Range<usize>> {
        let total: f64 = expected.iter().sum();
        let share = (total / self.count.max(1) as f64).max(self.nodes as f64);
        let (mut rows, mut begun, mut sum) = (Vec::new(), 0, 0.0);
        for (end, nodes) in (1..).zip(expected) {
            sum += nodes;
            if sum >= share * (rows.len() + 1) as f64 && rows.len() + 1 < self.count {
                rows.push(begun..end);
                begun = end;
            }
        }
        if begun < expected.len() {
            rows.push(begun..expected.len());
        }
        rows
    }
}
