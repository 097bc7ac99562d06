//! Optimal sliding-tile solver with pattern databases.
//!
//! ```no_run
//! use taquin::{Board, Solver};
//!
//! let board: Board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1".parse()?;
//! let solver = Solver::new()?; // blank last, standard heuristic
//! let solution = solver.solve(&board)?; // a hard board finds or builds the databases
//! assert_eq!((solution.len(), solution.is_optimal()), (80, true));
//! println!("{}", solution.moves());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search begins with the tables that cost less to make than it has cost so far: most 4×4 boards take a
//! tenth of a second and 20 MB from an empty folder, so a small game needs nothing else. A hard one, a stream
//! of boards or [`Solver::prepare`] builds the databases of the 15-puzzle, 196 MB, in about a second, if the
//! program is built with `--release`; see [`Store::default_folder`] for where they are. [`Solver::builder`]
//! sets the goal, the heuristic, the method and the store. [`Solver::solve_with`] respects [`Limits`],
//! [`Solver::solve_all`] solves many boards on all cores, [`Solver::solutions`] counts the optimal solutions
//! and lists the first of them, [`Solver::distances`] and [`Solver::optimal_moves`] answer many boards,
//! [`Solver::analyse`] finds the lost moves of a sequence, and [`Solver::value`] returns the heuristic's
//! value. Boards may have any goal, and any shape from 2×2 to 256 cells. Up to 25 cells solutions are optimal
//! by default.
//!
//! # Layers
//!
//! Each module uses only the modules below it:
//!
//! | module | contents |
//! |---|---|
//! | `cli` | the programs (feature `cli`) |
//! | `lab` | heuristics measured and compared (feature `lab`) |
//! | [`solver`] | goal, heuristic, store and limits in, solutions and brackets (bounds on the length) out |
//! | [`store`] | which databases a board needs, and where they come from: a folder, or memory |
//! | [`read`] | boards and moves as people write them |
//! | [`picture`] | boards, solutions and values of heuristics as SVG |
//! | [`mod@format`] | the formats in which moves are written |
//!
//! They build on the crate `taquin_engine`: boards, heuristics, pattern databases and searches. That crate is
//! internal and promises no stability, and neither does `taquin_classics`, the searches and heuristics of
//! the literature. This crate re-exports the names of both that are stable. The modules `cli` and [`mod@format`]
//! are for the programs and packages of the same repository, and promise nothing either.
//!
//! # Custom heuristics
//!
//! With the feature `lab`, `lab::Entry::of_function` takes a function that values boards, and
//! `lab::Entry::search` searches a board with it, by A* or IDA*. The example `embed` shows it.
//!
//! # Conventions
//!
//! Bad input, as text or as files, leads to an error and never to a panic. Functions that may panic say so
//! under *Panics*. The library prints nothing. Everything that can be shown is sent to [`Builder::progress`]
//! as an [`Event`].
//!
//! # Features
//!
//! - `cli` (default): the programs `taquin` and `pdb-gen`. Without it the library depends on about thirty crates, and
//!   works on `wasm32-unknown-unknown` with [`Store::memory`].
//! - `lab`: heuristics measured and compared on a set of boards, and records of the results.
//! - `serde`: boards, goals, metrics, heuristics, methods, solutions and records of searches can be
//!   serialised. A search can be kept in a checkpoint, or divided into packets.
//! - `random`: boards drawn at random from a seed.
//! - `numbers`: the learned numbers of beams, also in WebAssembly. Elsewhere they are always there; without them the
//!   heuristic alone guides beams.

#[cfg(feature = "cli")]
pub mod cli;
pub mod format;
#[cfg(feature = "lab")]
pub mod lab;
pub mod picture;
pub mod read;
pub mod solver;
pub mod store;
#[cfg(feature = "lab")]
mod text;

#[cfg(feature = "serde")]
mod locked;

use taquin_classics as classics;
use taquin_engine::{board, memo, parallel, pdb, search};

#[cfg(feature = "random")]
pub use board::Random;
pub use board::{
    BlockedMove, Board, BoardError, Convention, Goal, GoalError, Grid, GridError, LabelledBoard,
    Metric, Move, Moves, OpenError, ParseError, PathError, Solvability,
};
pub use classics::{Spec, SpecError, Ties};
pub use search::{Cancel, Clock, Stop};
#[cfg(feature = "serde")]
pub use solver::Checkpoint;
pub use solver::{
    Analysis, Bracket, Builder, Effort, Error, Event, Limits, Method, Solution, Solutions, Solver,
    Stream,
};
pub use store::Store;
