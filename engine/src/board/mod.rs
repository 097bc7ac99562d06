//! Boards, goals, positions, moves, and the symmetries between them.
//!
//! A [`Board`] is what people write: which tile is in each cell. A [`Goal`] is the board to reach.
//! The [`Canonical`] form of a goal turns boards into [`Position`]s: labels under which every goal
//! reads 0, 1, 2, …, and from which the goal can be reached. Searches take positions, and
//! [`Canonical::path_back`] turns their paths into moves of the board.
//!
//! ```
//! use taquin_engine::board::{Board, Canonical, Goal, Moves};
//!
//! let board: Board = "1 2 3 / 4 5 6 / 0 7 8".parse()?;
//! let goal = Goal::named("blank-last", board.grid())?;
//! assert!(goal.solvability(&board).is_solvable());
//!
//! // Moves are named by the direction in which the tile moves.
//! let path: Moves = "2l".parse()?;
//! assert_eq!(board.after(&path)?, *goal.board());
//!
//! let position = Canonical::of(&goal).position(goal.board())?;
//! assert_eq!(position.labels(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canonical;
mod goal;
mod grid;
mod metric;
mod named;
mod notation;
mod open;
mod path;
mod position;
#[cfg(feature = "random")]
mod random;
mod read;
mod tiles;

pub use canonical::Canonical;
pub use goal::{Goal, GoalError, Solvability};
pub use grid::{Grid, GridError, MAX_CELLS, Symmetry, transposed};
pub use metric::{Metric, MetricError};
pub use notation::PathError;
pub(crate) use open::Wish;
pub use open::{BLANK, LabelledBoard, OpenError, OpenGoal, OpenPosition};
pub use path::{Convention, ConventionError, Move, Moves};
pub use position::{Position, PositionError};
#[cfg(feature = "random")]
pub use random::Random;
pub use read::{ParseError, shortened};
pub use tiles::{BlockedMove, Board, BoardError};

/// Serialises a type as the text that it displays, and reads it by its `FromStr`.
#[cfg(feature = "serde")]
#[macro_export]
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
