//! Solutions of boards of any size without tables: line after line is brought home, then windows of the
//! solution are shortened.

mod shorten;
mod staged;

pub use shorten::shorten;
pub(crate) use staged::Work;
pub use staged::{Stage, lessons, staged};
