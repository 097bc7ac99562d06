//! Distances: of many boards, along a line of moves, and boards drawn at one.
//!
//! | file | contents |
//! |---|---|
//! | `many` | questions about many boards at once: distances, optimal moves, solutions of so many moves |
//! | `analysis` | the distance of each position of a line, and the lost moves |
//! | `boards_at` | boards at a distance, drawn at random |

mod analysis;
#[cfg(feature = "random")]
mod boards_at;
mod many;

pub use analysis::{Analysis, Distance, Loss};
#[cfg(feature = "random")]
pub use boards_at::BoardsAt;
