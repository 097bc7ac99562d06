//! Values that are made once and kept.
//!
//! No lock is held while a value is made. Tables are built on a rayon pool, and a worker that waits
//! for its share of the work may take up another task, which may want the same lock. So two threads
//! may make the same value at the same time; both then use the one that was kept first.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values that are kept by their keys.
pub struct Memo<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// The value of a key, if one is kept.
    pub fn get(&self, key: &K) -> Option<V> {
        lock(&self.0).get(key).cloned()
    }

    /// Keeps a value, unless there is one already. Returns the one that is kept.
    pub fn keep(&self, key: K, value: V) -> V {
        lock(&self.0).entry(key).or_insert(value).clone()
    }

    /// Removes the value of a key.
    pub fn forget(&self, key: &K) {
        lock(&self.0).remove(key);
    }
}

/// Locks a mutex. A thread that panicked while it held one of these left it as it was.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
