//! The request to a solver: the options, the goal and the method; and the events that it reports.
//!
//! | file | contents |
//! |---|---|
//! | `goal` | the goal, for boards of every size or of one |
//! | `method` | the ways to search, with what distinguishes them |
//! | `event` | progress |
//! | `builder` | all options |

mod builder;
mod event;
mod goal;
mod method;

pub use builder::{Builder, MAX_THREADS};
pub use event::{Event, SearchEvent};
pub use goal::{GoalSpec, Target};
pub(crate) use method::{Aim, Guide};
pub use method::{Method, MethodError};
