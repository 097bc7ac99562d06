//! Pattern databases: patterns, tables, files.

mod pattern;

pub use pattern::{MAX_PATTERN, MAX_PDB_CELLS, Partition, Pattern, PatternError};
