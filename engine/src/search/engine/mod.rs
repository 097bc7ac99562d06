//! Iterative deepening with the pattern databases of one or more partitions.
//!
//! Each partition gives a *view* of a position, and its mirror image another one. A node is pruned
//! if any of the views in use prunes it. Which views prune most differs from board to board, and
//! each costs time at every node. A search therefore begins with the first partition and its
//! mirror, and tries other views once iterations grow large: see `choice.rs`.
//!
//! 1. [`Engine::search`] computes the value of the position in the views with which the search begins,
//!    on boards of more than 16 cells in every view. The largest is the first threshold.
//! 2. An iteration searches the tree within the threshold, with the views in use. Its root is
//!    split into subtrees, which run in lanes and threads, on large boards the most promising ones
//!    first: see the folder `threshold`.
//! 3. If there is no solution, the threshold rises by 2, and other views are tried if it is time. If
//!    the position has a larger value in one of them, the threshold rises to it.
//!
//! There are two ways to store views. [`Coordinates`](super::fast::Coordinates) are for two patterns on up to 16 cells,
//! [`Masks`](super::fast::Masks) for up to four patterns of up to seven tiles on up to 25 cells.

mod all_solutions;
mod choice;
mod parts;
mod search;
mod stream;
mod views;

pub use parts::PartResult;
pub use search::Search;
pub use stream::{LaneEnd, Supply};
pub use views::{Engine, SearchError, is_view};
pub(crate) use views::{Spaces, with_space};
