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
//! | `rungs` | a task to its answer by one of these, rung after rung of the ladder |
//! | `workers` | many tasks on threads that work in lanes |
//! | `open` | goals with equal tiles, or cells that do not matter |

mod beams;
mod open;
mod proof;
mod rungs;
mod short;
mod task;
mod workers;

pub use open::solve_open;
#[cfg(feature = "serde")]
pub use proof::{Best, Proving};
#[cfg(feature = "serde")]
pub use rungs::{checked_answer, proof_then_beams};
pub use rungs::{count, solve};
pub use task::{Task, position};
pub use workers::{Answer, Asker, Due, LOOK, Workers};
