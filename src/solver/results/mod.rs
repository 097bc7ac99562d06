//! What a solver answers: solutions and brackets, or errors; and both as data for programs.
//!
//! | file | contents |
//! |---|---|
//! | `solution` | moves with their proof, bounds on the length, the optimal solutions |
//! | `error` | why there is no answer |
//! | `inversions` | why a board can reach a goal or cannot |
//! | `summary` | an answer as JSON |

mod error;
mod inversions;
mod solution;
#[cfg(feature = "serde")]
mod summary;

pub use error::Error;
#[cfg(feature = "serde")]
pub use error::{CheckpointError, PacketError};
pub(crate) use error::{OPEN, SLIDES};
pub use inversions::{Inversions, reason};
pub use solution::{Bracket, Effort, Solution, Solutions};
#[cfg(feature = "serde")]
pub use summary::{Cells, Posed, Summary};
