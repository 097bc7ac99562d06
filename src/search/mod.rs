//! Searches for solutions.

mod automaton;
mod coordinates;
mod ida;
mod iteration;
mod lanes;
mod moves;
mod solver;
mod space;
mod stream;

pub use ida::{Outcome, ida_star};
pub use solver::{Control, Solver, SolverError};
pub use stream::{Supply, Verdict};
