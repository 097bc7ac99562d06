//! Lower bounds on the number of moves to the goal.
//!
//! All work on the labels of [`Canonical`](crate::board::Canonical): each tile is named by its
//! goal cell, the blank by its own, so the goal is the identity. A goal is then given by the
//! blank's goal cell alone.

mod additive;
mod composed;
mod corner_tiles;
mod enhanced;
mod last_move;
mod linear_conflict;
mod lines;
mod manhattan;
mod max;
mod spec;
mod walking_distance;

pub use additive::{Additive, AdditiveState, MAX_PATTERNS, Mirror, PatternTable};
pub use composed::{ComposeError, Composed, TableSource, Use};
pub use corner_tiles::CornerTiles;
pub use enhanced::{Additions, EnhancedManhattan};
pub use last_move::LastMove;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use max::Max;
pub use spec::{NAMES, Spec, SpecError, Term};
pub use walking_distance::{WalkingDistance, WalkingDistanceError};

/// A lower bound, carried along a search: a value for a position, and its difference for a move.
pub trait Heuristic: Sync {
    /// What a search carries from a position to its successors.
    type Carry: Clone;

    /// The state of a position given as labels.
    fn start(&self, labels: &[u8]) -> Self::Carry;

    /// The state after the tile that stood in cell `from` moved to cell `to`, the blank the
    /// other way. `labels` is the position *after* the move.
    fn moved(&self, state: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry;

    /// The bound itself. It never exceeds the optimal number of moves, and has its parity
    /// unless it leaves out the moves of some tiles.
    fn value(&self, state: &Self::Carry) -> u32;
}
