//! Progress of a solver, as data to be shown by the caller.

use crate::board::Board;
pub use crate::search::Event as SearchEvent;
use crate::store;

/// A step of a solver's work. Events come from the threads that do the work.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Work on databases.
    Store(store::Event<'a>),
    /// A step of the search.
    Search(SearchEvent<'a>),
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
