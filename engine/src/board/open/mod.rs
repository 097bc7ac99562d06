//! Open goals: equal tiles, and cells that do not matter.
//!
//! A [`LabelledBoard`] has a label in each cell, and tiles may have the same one. An [`OpenGoal`] wants
//! a label, the blank or anything in each cell. Together they are an [`OpenPosition`]: tiles that a goal
//! does not distinguish are of one *class*, and the tiles that no cell of the goal wants by their label are
//! of one class too. An *assignment* is an ordinary goal: a board on which each tile is in a cell that the
//! open goal permits.

mod error;
mod goal;
mod labelled;
mod position;

pub use error::OpenError;
pub use goal::OpenGoal;
pub(crate) use goal::Wish;
pub use labelled::LabelledBoard;
pub use position::{BLANK, OpenPosition};
