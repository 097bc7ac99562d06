//! The searches that a solver has: from its options and a goal to tables that are loaded.
//!
//! ```text
//! Request ─▶ Plan ─▶ Searcher     the plan says which engine, with which tables or terms
//!   └▶ ladder: which tables first, and after how many nodes the larger ones
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `labels` | tiles of a partition as they are printed, and as labels |
//! | `plan` | metric, heuristic, method and goal to a plan |
//! | `searcher` | a plan that is loaded |
//! | `ladder` | small tables before large ones |
//! | `threads` | the threads that search |
//! | `shared` | all of this kept for one solver |

mod labels;
mod ladder;
mod plan;
mod searcher;
mod shared;
mod threads;

pub use ladder::{Begin, Rung, TableSet, small_tables};
pub use plan::Request;
#[cfg(feature = "lab")]
pub use plan::heuristic_of;
#[cfg(feature = "lab")]
pub(crate) use searcher::TableUse;
pub use searcher::{Backend, Searcher};
pub use shared::Shared;
#[cfg(feature = "lab")]
pub(crate) use threads::Threads;
