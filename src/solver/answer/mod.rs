//! From a board to its answer.
//!
//! ```text
//! Board ─▶ Position ─▶ Task ─▶ Proving ⇄ Searcher ─▶ Outcome ─▶ Bracket
//!     Canonical                                       replayed on the board
//! ```
//!
//! `Proving` asks a search for one threshold after another, and runs beams between them. Methods that are not
//! optimal have `Short` in its place, which asks a search for a lower bound.
//!
//! | file | contents |
//! |---|---|
//! | `task` | a board with the search that solves it |
//! | `beams` | some solution quickly, and shorter ones |
//! | `proof` | threshold after threshold |
//! | `short` | methods that are not optimal |
//! | `by_method` | a task to its answer, by one of these |
//! | `open` | goals with equal tiles, or cells that do not matter |

mod beams;
mod by_method;
mod open;
mod proof;
mod short;
mod task;

#[cfg(feature = "serde")]
pub use by_method::proof_then_beams;
pub use by_method::{checked, count, solve, try_rung};
pub use open::solve_open;
#[cfg(feature = "serde")]
pub use proof::{Best, Proving};
pub use task::{Task, position};
