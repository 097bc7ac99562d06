//! Optimal sliding-tile solver.
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod heuristic;
pub mod pdb;
pub mod search;

mod prefetch;
