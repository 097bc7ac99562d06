//! Optimal sliding-tile solver.
pub mod board;
pub mod heuristic;
pub mod pdb;
pub mod search;

mod prefetch;
