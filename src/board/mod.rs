//! Boards, goals, moves and the symmetries between them.

mod canonical;
mod compact;
mod goal;
mod grid;
mod notation;
mod parse;
mod path;
mod position;
#[cfg(feature = "random")]
mod random;
mod tiles;

pub use canonical::Canonical;
pub(crate) use canonical::transposed;
pub use goal::{Goal, GoalError, Solvability};
pub use grid::{Grid, GridError, MAX_CELLS, Symmetry};
pub use notation::{MovesError, PathError};
pub use parse::ParseError;
pub use path::{Move, Path};
pub use position::{Position, PositionError};
pub use tiles::{BlockedMove, Board, BoardError};
#[cfg(feature = "random")]
pub use random::Random;
