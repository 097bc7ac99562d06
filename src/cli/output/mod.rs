//! Everything that the programs write.

pub mod analysis;
pub mod board;
pub mod file;
pub mod format;
pub mod picture;
pub mod progress;
pub mod report;
pub mod streams;
