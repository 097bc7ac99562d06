//! The numbering of a table's states, in either metric.

use std::io;
use std::sync::Arc;

use super::format::table_bytes;
use super::generate::{Generated, Progress, generate};
use super::slides::{Placements, SlideTable, generate_slides, verify_slides};
use super::{Bytes, Header, Index, Pattern, Table, VerifyError, payload_hash, verify};
use crate::Cancel;
use crate::SMALL;
use crate::board::Metric;

/// Numbers the states of `n` tiles on a grid, by the metric of their tables. Clones share it.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// For tables that count moves of single tiles.
    Single(Arc<Index>),
    /// For tables that count slides.
    Multi(Arc<Placements>),
}

impl Numbering {
    /// The metric of the tables.
    pub fn metric(&self) -> Metric {
        match self {
            Numbering::Single(_) => Metric::Single,
            Numbering::Multi(_) => Metric::Multi,
        }
    }

    /// The number of cohorts, as [`Header::cohorts`] has it.
    pub fn cohorts(&self) -> u64 {
        match self {
            Numbering::Single(index) => index.cohorts() as u64,
            Numbering::Multi(placements) => placements.sets().len() as u64,
        }
    }

    /// The number of orders of the tiles.
    pub fn orders(&self) -> u64 {
        match self {
            Numbering::Single(index) => index.orders().len() as u64,
            Numbering::Multi(placements) => placements.orders() as u64,
        }
    }

    /// The number of states, as [`Header::states`] has it.
    pub fn states(&self) -> u64 {
        self.cohorts() * self.orders()
    }

    /// The bytes of a table.
    pub fn table_bytes(&self) -> u64 {
        table_bytes(self.metric(), self.cohorts(), self.orders())
    }

    /// Builds the table of a pattern, by [`generate`] or [`generate_slides`].
    ///
    /// # Errors
    /// As these.
    ///
    /// # Panics
    /// If this is not the numbering of the pattern's states.
    pub fn generate(
        &self,
        pattern: &Pattern,
        cancel: &Cancel,
        progress: impl FnMut(Progress),
    ) -> io::Result<Generated> {
        match self {
            Numbering::Single(index) => generate(index, pattern, cancel, progress),
            Numbering::Multi(_) if SMALL => unreachable!("small builds do not count slides"),
            Numbering::Multi(placements) => generate_slides(placements, pattern, cancel, progress),
        }
    }

    /// The number of steps of [`Numbering::verify`].
    pub fn proof_steps(&self) -> u64 {
        match self {
            Numbering::Single(_) => 2 * self.cohorts(),
            Numbering::Multi(placements) => {
                let free = placements.cells() - placements.tiles();
                2 * (free * placements.len()) as u64
            }
        }
    }

    /// Proves that a table is that of a pattern, and that `levels` counts its values, by [`verify`] or
    /// [`verify_slides`](super::verify_slides).
    /// `progress` is called with the number of steps done.
    ///
    /// # Errors
    /// [`VerifyError`], with the first fault found.
    ///
    /// # Panics
    /// If this is not the numbering of the pattern's states, or the table has another length.
    pub fn verify(
        &self,
        pattern: Pattern,
        table: impl Into<Bytes>,
        levels: &[u64],
        progress: impl Fn(u64) + Sync,
    ) -> Result<(), VerifyError> {
        const LENGTH: &str = "the table has its length";
        match self {
            Numbering::Single(index) => {
                let table = Table::new(pattern, index.clone(), table).expect(LENGTH);
                verify(&table, levels, progress)
            }
            Numbering::Multi(placements) => {
                let table = SlideTable::new(pattern, placements.clone(), table).expect(LENGTH);
                Ok(verify_slides(&table, levels, progress)?)
            }
        }
    }

    /// The header of a table of these states.
    pub fn header(&self, pattern: Pattern, table: &Generated) -> Header {
        Header {
            metric: self.metric(),
            pattern,
            cohorts: self.cohorts(),
            orders: self.orders(),
            levels: table.levels.clone(),
            payload_hash: payload_hash(table.bits.as_ref()),
        }
    }
}
