//! Searches for solutions.

mod automaton;
mod control;
mod coordinates;
mod ida;
mod iteration;
mod lanes;
mod moves;
mod solver;
mod space;
mod stream;

pub use control::{Control, Stop};
pub use ida::{Outcome, ida_star};
pub use solver::{Solver, SolverError};
pub use stream::{Supply, Verdict};
