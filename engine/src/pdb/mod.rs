//! Pattern databases: patterns, their tables, and the files that hold them.
//!
//! A **pattern** is a set of tiles ([`Pattern`]). Its **table** holds, for every placement of these
//! tiles, the least number of moves *of these tiles* that takes them to their goal cells, whatever
//! the other tiles do ([`Table`]). No solution is shorter than that. A **partition** is a set of
//! disjoint patterns ([`Partition`]). Their tables count different moves, so the sum of their
//! values is a lower bound too (Korf and Felner 2002). `7-8` is the partition of the 15-puzzle into
//! patterns of 7 and 8 tiles.
//!
//! The tables are **zone-aware** (Clausecker and Reinefeld 2019; *zero-aware* in their paper): how
//! many moves the tiles need also depends on where the blank is, but only on its **zone**, the connected
//! region of cells without tiles of the pattern that it can go through freely. The values are never smaller
//! than in tables that ignore the blank ([`PlainTable`]), and they are consistent: a move of a pattern's tile
//! changes the value by exactly 1, and any other move leaves it. So one bit for each state is enough. The
//! parity of a value follows from the cells of the tiles; with the bit it is known modulo 4, which shows
//! whether a move goes up or down. A search carries the value along. [`Table::value`] finds the value of any
//! position by walking downhill to the goal, [`Table::values`] the values of many.
//!
//! These steps lead from a pattern to the value of a position:
//!
//! 1. [`Index`] numbers the states: the set of occupied cells and the zone of the blank make the
//!    *cohort*, and [`Orders`] ranks the order of the tiles in the cells. Patterns with the same
//!    number of tiles share an index.
//! 2. [`generate`] builds the table by breadth-first search on all cores, in memory
//!    ([`Generated`], [`Buffer`]).
//! 3. [`publish`] writes it to a file: a [`Header`] of 4096 bytes, then the bytes of the table. The
//!    file appears whole or not at all. The format is described in docs/FORMAT.md. The same pattern
//!    gives the same bytes on any machine and with any number of threads.
//! 4. [`open`] opens a file, and checks its header and exact length. [`TableFile::read`] reads the table into
//!    new memory. [`TableFile::map`] maps it instead, in constant time. [`Bytes::hash`] shows whether it is
//!    the table that was built.
//! 5. [`Table`] looks values up in these [`Bytes`].
//! 6. [`verify`] proves the value of every state of a table that counts single moves, without using the
//!    generator.
//!
//! ```
//! use std::sync::Arc;
//! use taquin_engine::Cancel;
//! use taquin_engine::board::Grid;
//! use taquin_engine::pdb::{Index, Pattern, Table, generate, verify};
//!
//! // Four tiles of the 8-puzzle, for the goal with the blank first.
//! let grid = Grid::new(3, 3)?;
//! let pattern = Pattern::new(grid, 0, [1, 2, 4, 5])?;
//! let index = Arc::new(Index::new(grid, pattern.len()));
//! let built = generate(&index, &pattern, &Cancel::new(), &mut |_| ())?;
//! let table = Table::new(pattern, index, built.bits);
//! verify(&table, &built.levels, &|_| ())?;
//!
//! let value = |labels: &[u8]| table.value(table.state(labels));
//! assert_eq!(value(&[0, 1, 2, 3, 4, 5, 6, 7, 8])?, 0);
//! // Tile 1 has moved to the left, and has to move back.
//! assert_eq!(value(&[1, 0, 2, 3, 4, 5, 6, 7, 8])?, 1);
//! // Tile 3 is not in the pattern, so its moves are not counted.
//! assert_eq!(value(&[3, 1, 2, 0, 4, 5, 6, 7, 8])?, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sizes and costs
//!
//! | board | tiles | states | file |
//! |---|---:|---:|---:|
//! | 4×4 | 7 | 139,849,920 | 17.5 MB |
//! | 4×4 | 8 | 1,425,191,040 | 178.4 MB |
//! | 5×5 | 6 | 181,008,000 | 22.6 MB |
//!
//! On two cores, 7 tiles on 4×4 take 0.09 s to build and 8 tiles up to 0.64 s. A build needs two bits of
//! memory per state, a proof one byte. A look-up reads one bit of the table, at an address that the processor
//! cannot predict, so it costs as much as fetching a cache line.
//!
//! # References
//!
//! - R. E. Korf, A. Felner: Disjoint pattern database heuristics. Artificial Intelligence 134
//!   (2002).
//! - R. Clausecker, A. Reinefeld: Zero-aware pattern databases with 1-bit compression for sliding
//!   tile puzzles. SoCS 2019.

mod buffer;
mod bytes;
mod file;
mod format;
mod generate;
mod images;
mod index;
mod names;
mod numbering;
mod orders;
mod partition;
mod pattern;
mod plain;
mod publish;
mod replace;
mod slides;
mod states;
mod table;
mod verify;
mod walk;
mod word_moves;

pub use buffer::Buffer;
pub use bytes::{Bytes, payload_hash};
pub use file::{OpenError, OpenErrorKind, TableFile, open, read};
pub use format::{FORMAT_VERSION, FormatError, HEADER_BYTES, Header};
pub use generate::{Generated, Progress, generate};
pub use index::{Index, MAX_PDB_CELLS};
pub use numbering::Numbering;
pub use orders::{MAX_PATTERN, Orders};
pub use partition::Partition;
pub use pattern::{Pattern, PatternError};
pub use plain::PlainTable;
pub use publish::publish;
pub use replace::{Replacement, Target, abandon, replace};
pub use slides::{
    MAX_SLIDE_CELLS, Placements, Probe, SlideTable, counts_slides, generate_slides, slide_patterns,
};
pub use states::State;
pub use table::{BrokenTable, Table};
pub use verify::{VerifyError, verify};

pub(crate) use bytes::read as read_byte;
pub(crate) use index::{BINOMIAL, Flood, ascending};
pub(crate) use table::row_bytes;
