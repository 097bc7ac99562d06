//! Everything that the programs write.

pub mod analysis;
pub mod bar;
pub mod board;
pub mod file;
pub mod format;
pub mod line;
pub mod picture;
pub mod progress;
pub mod report;
pub mod streams;
