//! Errors of packets and their results.

use std::ops::Range;

/// Why packets or their results cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// Another version of the library has made it.
    #[error("the packet is of another version of this program")]
    Version,
    /// It belongs to none of this solver's searches, or to another search than the others.
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
