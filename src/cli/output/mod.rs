//! Everything that the programs write.

pub use crate::format;

pub mod analysis;
pub mod board;
pub mod file;
pub mod picture;
pub mod progress;
pub mod report;
pub mod streams;
