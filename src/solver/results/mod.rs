//! The answers of a solver: solutions and brackets, or errors; and both as data for programs.
//!
//! | file | contents |
//! |---|---|
//! | `solution` | moves with their proof, bounds on the length, the optimal solutions |
//! | `error` | why there is no answer |
//! | `verdict` | whether a board can reach a goal, and why |
//! | `summary` | an answer as JSON |

mod error;
mod solution;
#[cfg(feature = "serde")]
mod summary;
mod verdict;

pub use error::Error;
#[cfg(feature = "serde")]
pub use error::{CheckpointError, PacketError};
pub(crate) use error::{OPEN, SLIDES};
pub use solution::{Bracket, Effort, Solution, Solutions};
#[cfg(feature = "serde")]
pub use summary::{Cells, Posed, Summary};
pub use verdict::{Inversions, Verdict, reason};
