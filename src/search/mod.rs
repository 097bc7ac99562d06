//! Searches for solutions.

mod automaton;
mod best_first;
mod catalogue;
mod choice;
mod control;
mod coordinates;
mod engine;
mod every_view;
mod graph;
mod greedy;
mod guided;
mod ida;
mod iteration;
mod journal;
mod lanes;
mod masks;
mod moves;
mod shorten;
mod solutions;
mod solver;
mod space;
mod staged;
mod stream;

pub use best_first::{Ties, a_star, bfs};
pub use catalogue::{Catalogue, is_view};
pub use control::{Control, Stop};
pub use greedy::greedy;
pub use guided::ida_star_guided;
pub use ida::{Outcome, ida_star};
pub use journal::{Journal, Packet, Saved, Stage};
pub use shorten::shorten;
pub use solutions::Solutions;
pub use solver::{Solver, SolverError};
pub use staged::{Phase, staged};
pub use stream::{Supply, Verdict};
