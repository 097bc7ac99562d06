//! State that the clones of a store share.

use std::sync::{Arc, OnceLock};

use super::check::File;
use crate::board::{Grid, Metric};
use crate::memo::Memo;
use crate::pdb::{Bytes, Numbering, Pattern, PlainTable};

/// All that a store has opened and built so far.
#[derive(Default)]
pub(super) struct Shared {
    /// Numberings, by metric, grid and number of tiles.
    pub numberings: Memo<(Metric, Grid, usize), Numbering>,
    pub tables: Memo<(Metric, Pattern), Source>,
    /// Tables that ignore the blank, by the patterns of a set.
    pub plain: Memo<Vec<Pattern>, Arc<[PlainTable]>>,
    /// The limit on memory where none is given, as it was first asked for.
    pub sensible: OnceLock<u64>,
}

/// The source of a table's bytes.
#[derive(Clone)]
pub(super) enum Source {
    File(Arc<File>),
    Built(Bytes),
}

impl Source {
    pub fn bytes(&self) -> &Bytes {
        match self {
            Source::File(file) => &file.bytes,
            Source::Built(bytes) => bytes,
        }
    }

    pub fn file(&self) -> Option<&Arc<File>> {
        match self {
            Source::File(file) => Some(file),
            Source::Built(_) => None,
        }
    }
}
