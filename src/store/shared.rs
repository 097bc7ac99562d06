//! State that the clones of a store share.
//!
//! No lock is held while a value is made. Tables are built on a rayon pool, and a worker that waits
//! for its share of the work may take up another task, which may want the same lock. So two threads
//! may make the same value at the same time; both then use the one that was kept first.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::TableBytes;
use super::check::File;
use crate::board::Grid;
use crate::pdb::{Buffer, Index, Pattern, PlainTable};

/// Everything that a store has opened and built so far.
#[derive(Default)]
pub(super) struct Shared {
    /// Numberings, by grid and number of tiles.
    pub indexes: Memo<(Grid, usize), Arc<Index>>,
    pub tables: Memo<Pattern, Source>,
    /// Tables that ignore the blank, by the patterns of a set.
    pub plain: Memo<Vec<Pattern>, Arc<[PlainTable]>>,
    /// The limit on memory where none is given, as it was first asked for.
    pub sensible: OnceLock<u64>,
}

/// The source of a table's bytes.
#[derive(Clone)]
pub(super) enum Source {
    File(Arc<File>),
    Built(Arc<Buffer>),
}

impl Source {
    pub fn bytes(&self) -> TableBytes {
        match self {
            Source::File(file) => file.bytes.clone(),
            Source::Built(buffer) => TableBytes::Owned(buffer.clone()),
        }
    }

    pub fn file(&self) -> Option<&Arc<File>> {
        match self {
            Source::File(file) => Some(file),
            Source::Built(_) => None,
        }
    }
}

/// Values that are kept by their keys.
pub(super) struct Memo<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    fn values(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.values().get(key).cloned()
    }

    /// Keeps a value, unless there is one already. Returns the one that is kept.
    pub fn keep(&self, key: K, value: V) -> V {
        self.values().entry(key).or_insert(value).clone()
    }

    pub fn forget(&self, key: &K) {
        self.values().remove(key);
    }
}
