//! The division of a threshold into packets.

use std::ops::Range;

/// Which threshold is divided, and into how many packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Division {
    pub(super) after: u64,
    count: usize,
    nodes: u64,
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

    /// The number of packets of a threshold, by the nodes of the one before.
    pub(super) fn packets(self, before: u64) -> usize {
        let expected = (before as f64 * GROWTH) as u64;
        let most = expected.checked_div(self.nodes).unwrap_or(u64::MAX).max(1);
        self.count.min(usize::try_from(most).unwrap_or(usize::MAX))
    }
}

/// The factor by which the nodes of a subtree grow with its slack.
const GROWTH: f64 = 7.0;

/// Divides subtrees with these slacks into rows, at most `count`, that cost about the same.
pub fn shares(slacks: impl Iterator<Item = u32> + Clone, count: usize) -> Vec<Range<usize>> {
    let count = count.max(1);
    let cost = |slack: u32| GROWTH.powi(slack.min(64) as i32);
    let share = slacks.clone().map(cost).sum::<f64>() / count as f64;
    let (mut rows, mut begun, mut sum, mut end) = (Vec::new(), 0, 0.0, 0);
    for slack in slacks {
        end += 1;
        sum += cost(slack);
        if sum >= share * (rows.len() + 1) as f64 && rows.len() + 1 < count {
            rows.push(begun..end);
            begun = end;
        }
    }
    if begun < end {
        rows.push(begun..end);
    }
    rows
}
