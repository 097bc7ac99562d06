//! Everything that the programs write.

pub mod format;
pub mod progress;
pub mod report;
pub mod streams;
pub mod table;
