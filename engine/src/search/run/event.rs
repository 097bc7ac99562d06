//! The events of a search.

use super::record::{Finished, Threshold};

/// A step of a search. Each kind of search has the events that apply to it; they come from all its threads.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The search of a threshold begins. So does the count of all solutions, which is the last threshold
    /// once more.
    Threshold(&'a Threshold),
    /// A subtree is finished.
    Finished(&'a Finished),
    /// The search has generated this many more nodes.
    Nodes(u64),
    /// A* or breadth-first search has proved that no solution is shorter.
    Bound(u32),
    /// A shorter solution that is not proved to be optimal has this length, in the metric of the search.
    Shorter(usize),
}
