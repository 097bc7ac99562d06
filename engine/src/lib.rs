//! The internals of [Taquin](https://docs.rs/taquin), the sliding-tile solver: fast, with `unsafe` code where
//! it must be, and **without any promise of stability**. Programs use the crate `taquin`.
//!
//! The modules are layers. Each uses only the modules below it:
//!
//! | module | contents |
//! |---|---|
//! | [`search`] | iterative deepening with pattern databases, beams, stages, open goals, slides |
//! | [`heuristic`] | lower bounds on the number of moves |
//! | [`pdb`] | pattern databases: patterns, numbering, generator, files, proofs |
//! | [`board`] | boards, goals, positions, moves, and their notations |
//! | [`names`] | names that people write, cut short or misspelt |
//!
//! Input from outside, as text or files, is parsed with errors and never with panics. Functions
//! that panic say so under *Panics*. Nothing is printed.

pub mod board;
mod cancel;
pub mod heuristic;
pub mod memo;
pub mod names;
pub mod parallel;
pub mod pdb;
mod prefetch;
pub mod search;

pub use cancel::Cancel;
