//! The search of one threshold: its tree is split into subtrees, which form a frontier in a fixed order and are
//! searched as a race on all threads.

mod estimate;
mod frontier;
mod race;
mod tree;

pub(crate) use estimate::GROWTH;
pub(crate) use frontier::Order;
pub use frontier::{Prefix, PrefixError, Root, Roots};
pub(crate) use race::{Race, is_parallel};
pub(crate) use tree::{AnyTree, Endless, Sizes, SubtreeResults, Tree, ViewedPosition, moves};
