//! Searches for solutions.

mod ida;

pub use ida::{Outcome, ida_star};
