//! The inner loop: depth-first search of subtrees within a threshold, over the bits of pattern databases.
//!
//! This is the loop, without what makes it fast:
//!
//! ```text
//! search(root, threshold):
//!     stack = [root with slack (threshold - h) / 2 for each view]
//!     while node = stack.pop():
//!         if node is the goal: return its path
//!         for (move, state) in automaton[node.state]:
//!             child = node after the move, in the state
//!             for view in views:
//!                 new = the table bit of the child in the view
//!                 if h rose, by the old bit, the new bit and the parity:
//!                     child.slack[view] -= 1
//!             if no slack of the child is negative:
//!                 stack.push(child)
//!     return none
//! ```
//!
//! Read the files in this order. Each adds one idea to the loop:
//!
//! 1. `node.rs`, `meta.rs`: a node has no board, no g and no h. It has views, and one word with the state of the
//!    automaton, the slacks, the depth and the last move. `bits.rs` of the folder above declares fields of words.
//! 2. `space.rs`: a *view* holds what the tables of one partition need of a position. A *space* is a way to
//!    store views. There are two: `coordinates` for two patterns on up to 16 cells, where a view is one word
//!    and one table has an entry for each geometry; `masks` for up to four patterns on up to 25 cells.
//! 3. `list.rs`, `children.rs`: the loop over the children of one node ends unpredictably. So the children of
//!    many nodes form one list, and the processor predicts the loop over the list. First one view of every
//!    child is generated, then the other views of the children that it does not prune.
//! 4. `processor.rs`, `avx2.rs`: the loop over a list takes one child at a time, or four with AVX2. The look-ups
//!    of a space, in its `lookups.rs`, are one algorithm over numbers or vectors of four numbers.
//! 5. `lanes.rs`: the table bit of a child lies in hundreds of megabytes. So a thread searches many subtrees in
//!    turn, each in a *lane*, prefetches the bits of one group of lanes, and reads them after the turn of the
//!    other group.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod children;
mod coordinates;
mod lanes;
mod list;
mod masks;
mod meta;
mod node;
mod processor;
mod space;

pub(crate) use coordinates::Coordinates;
pub(crate) use lanes::{Crew, End, Source};
pub(crate) use masks::{MAX_MASK_CELLS, MAX_PATTERNS, MAX_TILES, Masks};
pub(crate) use meta::{MAX_DEPTH, MAX_SLACK, MAX_VIEWS, Meta};
pub(crate) use node::{Expander, Node};
pub(crate) use space::{PatternView, Space, mix};
