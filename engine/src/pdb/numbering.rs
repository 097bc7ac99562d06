//! The numbering of a table's states, in either metric.

use std::io;
use std::sync::Arc;

use super::buffer::Buffer;
use super::bytes::payload_hash;
use super::format::{Header, table_bytes};
use super::generate::{Generated, Progress, generate};
use super::index::Index;
use super::pattern::Pattern;
use super::slides::{Placements, generate_slides};
use crate::Cancel;
use crate::board::{Grid, Metric};

/// Numbers the states of `n` tiles on a grid, by the metric of their tables. Clones share it.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// The numbering of tables that count moves of single tiles.
    Single(Arc<Index>),
    /// The numbering of tables that count slides.
    Multi(Arc<Placements>),
}

impl Numbering {
    /// The numbering of the states of `tiles` tiles.
    ///
    /// # Panics
    /// As [`Index::new`] and [`Placements::new`].
    pub fn new(metric: Metric, grid: Grid, tiles: usize) -> Numbering {
        match metric {
            Metric::Single => Numbering::Single(Arc::new(Index::new(grid, tiles))),
            Metric::Multi => Numbering::Multi(Arc::new(Placements::new(grid.cells(), tiles))),
        }
    }

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

    /// Builds the table of a pattern, by [`generate`] or [`generate_slides`]. Returns the header and the payload
    /// of its file.
    ///
    /// # Errors
    /// As these.
    ///
    /// # Panics
    /// If this is not the numbering of the pattern's states.
    pub fn build(
        &self,
        pattern: Pattern,
        cancel: &Cancel,
        progress: &mut dyn FnMut(Progress),
    ) -> io::Result<(Header, Buffer)> {
        let Generated { bits, levels } = match self {
            Numbering::Single(index) => generate(index, &pattern, cancel, progress),
            Numbering::Multi(placements) => generate_slides(placements, &pattern, cancel, progress),
        }?;
        let (metric, cohorts, orders) = (self.metric(), self.cohorts(), self.orders());
        let payload_hash = payload_hash(bits.as_ref());
        Ok((Header { metric, pattern, cohorts, orders, levels, payload_hash }, bits))
    }
}
