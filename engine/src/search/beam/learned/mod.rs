//! A guide for beams whose weights were learned from solutions.
//!
//! A bound ranks the positions of a beam badly, because positions with the same bound may be at very
//! different distances from the goal. Two tiles that have to pass each other, for example, cost more than
//! their distances, and a row of tiles that go the same way costs less. So the rank of a position is a sum
//! over
//!
//! 1. its tiles: a weight by the tile's distance from home along both axes, by whether its home and its cell
//!    lie at a border, and by how far its home is from the blank's home;
//! 2. pairs of cells near each other, side by side, on a diagonal, or with one cell between them: a weight
//!    by the directions in which the two tiles have to go, up to two steps along each axis, or by which of
//!    two cells side by side is empty, and by the borders at which the pair lies.
//!
//! On large boards a small [network](Network) corrects the ranks of moves.
//!
//! Neither weights nor network depend on the size of the board. The package `taquin-trainer` makes them, and
//! docs/EXPERIMENTS.md has its figures. A rank is not a bound: it may be higher or lower than the moves to
//! the goal.

mod correction;
mod file;
mod guide;
mod network;
mod numbers;
mod patches;
mod terms;
mod units;
mod weights;

pub use guide::Learned;
pub use network::Network;
pub use numbers::LearnedNumbers;
pub use patches::Patches;
pub use terms::Terms;
pub use weights::{BOTH_WAYS, STEP, Weights};
