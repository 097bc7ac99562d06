//! The solver: boards of any size, to any goal, with any heuristic and method.
//!
//! [`Solver::new`] solves to the goal with the blank last, with the standard heuristic.
//! [`Solver::builder`] sets everything else. The databases of a size are loaded, or built when
//! a board is hard enough, or by [`Solver::prepare`].
//!
//! ```
//! use taquin::{Board, Limits, Solver, Store};
//!
//! let solver = Solver::builder().goal("spiral").store(Store::memory()).build()?;
//! let board: Board = "1 2 3 / 0 8 4 / 7 6 5".parse()?;
//! assert_eq!(solver.solve(&board)?.moves().to_string(), "L");
//!
//! // A limit ends a search with a bracket: the bound proved, and the best solution known.
//! let board: Board = "8 7 6 / 5 4 3 / 1 2 0".parse()?;
//! let bracket = solver.solve_with(&board, &Limits::default().nodes(0))?;
//! assert!(!bracket.is_optimal() && bracket.lower_bound > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A goal has a [`Canonical`](crate::board::Canonical) form, which turns boards into positions and
//! solutions back into moves of the board. A heuristic and a size need a
//! [`Set`](crate::store::Set) of databases, which the store provides. From a board to its solution:
//!
//! ```text
//! Board ─▶ Position ─▶ Task ─▶ Proving ⇄ Searcher ─▶ Outcome ─▶ Solution
//!     Canonical                              ▲           replayed on the board
//!                            Set ─▶ Store ───┘
//! ```
//!
//! A `Searcher` has the tables, and begins the search of a method: with the engine, or a plain one. `Proving` asks
//! that search for one threshold after another, and runs beams between them. Methods that are not optimal have
//! `Short` in its place, which asks a `Searcher` for a lower bound.
//!
//! The files stand on floors, and each uses only the floors below it:
//!
//! | files | contents |
//! |---|---|
//! | `boards_at` | boards drawn at a distance |
//! | `stream`, `distances`, `analysis` | many questions to one solver |
//! | `solve` | [`Solver`] |
//! | `open`, `packets`, `checkpoint` | other ways to an answer, and the `state` of a search that ends before it |
//! | `answer` | a task to its answer, by `proof` or `short` |
//! | `task` | a board with the search that solves it |
//! | `shared`, `ladder`, `searcher`, `beams` | the heart of a solver, and the searches that it has loaded or will |
//! | `layers` | the boards at each distance from a goal, without a search |
//! | the rest | options, methods and goals in; events, errors, solutions and summaries out |

mod analysis;
mod answer;
mod beams;
#[cfg(feature = "random")]
mod boards_at;
mod builder;
#[cfg(feature = "serde")]
mod checkpoint;
mod distances;
mod error;
mod event;
mod goal;
mod inversions;
mod ladder;
pub mod layers;
mod lists;
mod method;
mod open;
#[cfg(feature = "serde")]
mod packets;
mod plan;
mod proof;
#[cfg(feature = "serde")]
mod sealed;
mod searcher;
mod shared;
mod short;
mod solution;
mod solve;
#[cfg(feature = "serde")]
mod state;
mod stream;
#[cfg(feature = "serde")]
mod summary;
mod task;
mod threads;

pub use analysis::{Analysis, Distance, Loss};
#[cfg(feature = "random")]
pub use boards_at::BoardsAt;
pub use builder::{Builder, MAX_THREADS};
#[cfg(feature = "serde")]
pub use checkpoint::{Checkpoint, Subtrees};
pub use error::Error;
#[cfg(feature = "serde")]
pub use error::{CheckpointError, PacketError};
pub use event::{Event, SearchEvent};
pub use goal::{GoalSpec, Target};
pub use inversions::{Inversions, reason};
pub use ladder::small_tables;
pub use method::{Method, MethodError};
#[cfg(feature = "serde")]
pub use packets::{Division, Packet, PacketResult, Split};
#[cfg(feature = "serde")]
pub use sealed::MAX_SEALED;
#[cfg(feature = "lab")]
pub(crate) use searcher::TableUse;
pub use solution::{Bracket, Effort, Solution, Solutions};
pub use solve::Solver;
#[cfg(feature = "serde")]
pub use state::State;
pub use stream::Stream;
#[cfg(feature = "serde")]
pub use summary::{Cells, Posed, Summary};
#[cfg(feature = "lab")]
pub(crate) use threads::Threads;

pub use crate::search::Limits;
