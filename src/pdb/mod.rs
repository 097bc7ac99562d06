//! Pattern databases: patterns, tables, files.

mod buffer;
mod format;
mod generate;
mod images;
mod index;
mod map;
mod orders;
mod pattern;
mod plain;
mod publish;
mod table;
mod verify;

pub use buffer::Buffer;
pub use format::{FORMAT_VERSION, FormatError, HEADER_BYTES, Header, payload_hash};
pub use generate::{Generated, Progress, generate};
pub use index::{Index, State};
pub use map::{Map, OpenError, open};
pub use orders::Orders;
pub use pattern::{MAX_PATTERN, MAX_PDB_CELLS, Partition, Pattern, PatternError};
pub use plain::PlainTable;
pub use publish::{abandon, publish};
pub use table::{BrokenTable, Table, TableSizeError};
pub use verify::{VerifyError, verify};

#[cfg(feature = "cli")]
pub(crate) use publish::replace;
pub(crate) use table::row_bytes;
