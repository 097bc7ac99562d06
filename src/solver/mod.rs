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
//! To follow a board, read `solve.rs`, then in the room `answer` the files `task.rs`, `rungs.rs` and `proof.rs`.
//! The rooms stand on floors, and each uses only the rooms below it. The head of each says what its files are:
//!
//! | room | contents |
//! |---|---|
//! | the file `stream.rs` | many boards: `solve_all` and `stream` |
//! | `distances` | many questions to one solver: `distances`, `optimal_moves`, `within`, `analyse`, `boards_at` |
//! | `kept` | searches that outlive a run of the program: `solve_with_checkpoint`, `packets`, `run_packet`, `merge` |
//! | the file `solve.rs` | [`Solver`]: how it is built, and all that it answers on one board; the rooms above add the methods named there |
//! | `answer` | from a board to its answer, by any method, for any goal |
//! | `searches` | the searches that a solver has loaded or will, in the order of their price |
//! | [`layers`] | the boards at each distance from a goal, without a search |
//! | `results` | solutions and brackets, errors, summaries |
//! | `options` | goals, methods, events; all that a solver is built from |

mod answer;
mod distances;
#[cfg(feature = "serde")]
mod kept;
pub mod layers;
mod options;
mod results;
mod searches;
mod solve;
mod stream;

#[cfg(feature = "random")]
pub use distances::BoardsAt;
pub use distances::{Analysis, Distance, Loss};
#[cfg(feature = "serde")]
pub use kept::{Checkpoint, Division, MAX_SEALED, Packet, PacketResult, Split, State, Subtrees};
pub use options::{
    Builder, Event, GoalSpec, MAX_THREADS, Method, MethodError, SearchEvent, Target,
};
pub use results::{Bracket, Effort, Error, Inversions, Solution, Solutions, Verdict, reason};
#[cfg(feature = "serde")]
pub use results::{Cells, CheckpointError, PacketError, Posed, Summary};
pub use searches::small_tables;
#[cfg(feature = "lab")]
pub(crate) use searches::{TableUse, Threads, heuristic_of};
pub use solve::Solver;
pub use stream::Stream;

pub use crate::search::Limits;
