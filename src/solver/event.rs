//! Progress of a solver, as data to be shown by the caller.

use crate::board::Board;
use crate::search::Threshold;
use crate::store;

/// A step of a solver's work. Events come from the threads that do the work.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Work on databases.
    Store(store::Event<'a>),
    /// An iteration of [`Method::Ida`](super::Method::Ida) or
    /// [`Method::Plain`](super::Method::Plain) begins. So does the count of all solutions, which is
    /// the last iteration once more.
    Threshold(&'a Threshold),
    /// The search has generated this many more nodes.
    Nodes(u64),
    /// A* or breadth-first search has proved that no solution is shorter.
    Bound(u32),
    /// A shorter solution that is not proved to be optimal has this length, in the solver's metric.
    Shorter(usize),
    /// A stage of a solution by stages is finished.
    Stage {
        /// The board being solved.
        board: &'a Board,
        /// The tiles placed in this stage, in ascending order.
        tiles: &'a [u8],
        /// The number of moves.
        moves: usize,
    },
    /// A solution that is not proved to be optimal was shortened, and will not be shortened further.
    Shortened {
        /// The board being solved.
        board: &'a Board,
        /// The length before, in the solver's metric.
        before: usize,
        /// The length of the shortened solution.
        after: usize,
    },
}
