//! Optimal sliding-tile solver with pattern databases.
//!
//! A position goes one way through the crate:
//!
//! ```text
//! text ─▶ Board ─▶ Canonical relabels by the goal ─▶ Solver ─▶ Path ─▶ text
//!                                                      ▲
//!         Pattern ─▶ generate ─▶ publish ─▶ open ─▶ Table
//! ```
//!
//! - [`board`]: boards, goals, moves. [`board::Canonical`] turns every goal into one form, so
//!   that all goals with the blank in a corner share their databases.
//! - [`pdb`]: patterns, the tables of their distances, and the files these are kept in.
//! - [`heuristic`]: lower bounds that a search carries along; [`heuristic::Additive`] is the plain
//!   form of the tables.
//! - [`search`]: [`search::Solver`] for two complementary patterns, [`search::Catalogue`] for
//!   partitions of up to four on boards of up to 25 cells, with a [`search::Journal`] told of its
//!   progress, and [`search::ida_star`], the plain search with any heuristic. For boards that are
//!   too large for these, [`search::staged`] and [`search::shorten`]; to compare with,
//!   [`search::a_star`], [`search::bfs`] and [`search::greedy`]. [`search::Solutions`] finds all
//!   optimal solutions.
//!
//! ```
//! use std::sync::Arc;
//! use taquin::board::{Board, Canonical, Goal};
//! use taquin::pdb::{Index, Partition, Table, generate};
//! use taquin::search::{Control, Solver};
//!
//! let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse()?;
//! let goal = Goal::named("blank-last", board.grid())?;
//! assert!(goal.solvability(&board).is_solvable());
//! let canonical = Canonical::of(&goal);
//!
//! // For 4×4 the tables would come from files: `pdb::open`.
//! let mut tables = Vec::new();
//! for pattern in Partition::parse("4-4", canonical.grid(), canonical.blank())?.patterns() {
//!     let index = Arc::new(Index::new(canonical.grid(), pattern.len()));
//!     let bits = generate(&index, pattern, |_| ())?.bits;
//!     tables.push(Table::new(*pattern, index, bits)?);
//! }
//! let tables: [_; 2] = tables.try_into().expect("the partition has two patterns");
//! let solver = Solver::new(vec![tables])?;
//!
//! let outcome = solver.solve(&canonical.labels(&board), &Control::default())?;
//! let path = canonical.path_back(&outcome.path.expect("a solvable board has a solution"));
//! assert_eq!(path.len(), 31);
//! assert_eq!(board.after(&path).as_ref(), Ok(goal.board()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Functions that may panic say so under *Panics*; what comes from outside (text, files) is
//! parsed with errors, never with panics. The feature `cli`, on by default, adds the command line
//! of the two programs; the library alone needs none of its dependencies.

pub mod board;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod heuristic;
pub mod pdb;
pub mod search;
pub mod solver;
pub mod store;

mod prefetch;

pub use board::{Board, Goal, Grid, Move, Path, Solvability};
pub use heuristic::Spec;
pub use search::{Cancel, Stop, Ties};
#[cfg(feature = "serde")]
pub use solver::Checkpoint;
pub use solver::{
    Bracket, Builder, Effort, Error, Event, Limits, Method, Solution, Solutions, Solver, Stream,
};
pub use store::Store;
