//! Searches for open goals.
//!
//! A *state* of the search is a board whose tiles are not told apart within a class. The search is
//! breadth-first heuristic search (Zhou & Hansen 2006) with rising thresholds: each iteration goes through
//! the states layer by layer, and visits each state once, however many paths lead there. It leaves out the
//! states whose number of moves and lower bound exceed the threshold. `heuristic.rs` has the lower bound.
//! All layers of an iteration are kept, 16 bytes per state, so the optimal solutions can be counted and listed.

mod beam;
mod heuristic;
mod layers;
mod numbering;
mod search;
mod table;

pub use heuristic::TableSizes;
pub use search::OpenSearch;
