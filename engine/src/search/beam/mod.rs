//! Beam search: a short solution quickly, without a proof.
//!
//! 1. All positions of a level have the same distance from the start. Their children are the
//!    candidates for the next level. A position that is reached twice is one candidate.
//! 2. The candidates with the lowest ranks form the next level, up to the width of the
//!    beam. A rank is a lower bound, a sum of [learned weights](Learned), or both added. The choice
//!    among equal ones does not depend on chance, so the solution is always the same. Candidates that rank
//!    behind all of the last level are dropped before they are compared: on the way to a solution, ranks fall.
//! 3. The first level that holds the goal ends the search. The moves to it are read back through
//!    the levels.
//!
//! A wider beam takes longer, and usually finds a shorter solution.
//!
//! Beams of boards can also count slides: then each level is one slide further, and the weights differ.

mod board;
mod engine;
mod guided;
mod learned;
mod levels;
mod select;
mod width;

pub use board::beam;
pub use learned::{BOTH_WAYS, Learned, LearnedNumbers, Network, Patches, STEP, Terms, Weights};
pub(crate) use levels::{Beam, Candidates, Nodes, Origins, Start};
pub(crate) use select::{CHUNK, Chosen};
pub use width::Width;
