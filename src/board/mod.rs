//! Boards, goals, moves and the symmetries between them.

mod canonical;
mod goal;
mod grid;
mod parse;
mod path;
mod position;

pub use canonical::Canonical;
pub(crate) use canonical::transposed;
pub use goal::{Goal, GoalError, Solvability};
pub use grid::{Grid, GridError, MAX_CELLS, Symmetry};
pub use parse::ParseError;
pub use path::{Move, Path, PathError};
pub use position::{Board, BoardError};
