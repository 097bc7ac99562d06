//! Values that are made once and kept.
//!
//! No lock is held while a value is made. Tables are built on a rayon pool, and a worker that waits
//! for its share of the work may take up another task, which may want the same lock. So two threads
//! may make the same value at the same time; both then use the one that was kept first.
//!
//! This holds for all values that are loaded when first wanted. A `OnceLock` by itself is for values made
//! without a thread pool.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Values that are kept by their keys.
#[derive(Debug)]
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

/// A value that one thread makes while others wait for it.
#[derive(Debug)]
pub struct Once<T> {
    value: OnceLock<T>,
    /// The process whose thread makes the value. After a fork that thread does not exist in the child, which
    /// makes the value itself.
    maker: Mutex<Option<u32>>,
    /// Notified when the value is there, or its maker has failed.
    changed: Condvar,
}

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once { value: OnceLock::new(), maker: Mutex::default(), changed: Condvar::new() }
    }
}

/// The time between two questions whether to go on waiting.
const LOOK: Duration = Duration::from_millis(10);

impl<T: Clone> Once<T> {
    /// The value, if it is there.
    pub fn get(&self) -> Option<T> {
        self.value.get().cloned()
    }

    /// The value. The first caller makes it. Others wait as long as `wait` returns true, and then
    /// make it too; the first one made is kept. An error is not kept.
    ///
    /// A worker of a rayon pool must not wait for a value whose maker may need the pool.
    ///
    /// # Errors
    /// The error of `wait` or `make`.
    pub fn get_or_make<E>(
        &self,
        wait: impl Fn() -> Result<bool, E>,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let mut maker = lock(&self.maker);
        while self.value.get().is_none() && *maker == Some(process()) && wait()? {
            let waited = self.changed.wait_timeout(maker, LOOK);
            maker = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(value) = self.get() {
            return Ok(value);
        }
        *maker = Some(process());
        drop(maker);
        let _notified = Notified(self);
        Ok(self.keep(make()?))
    }

    /// Keeps a value, unless there is one already. Returns the one that is kept.
    pub fn keep(&self, value: T) -> T {
        self.value.get_or_init(|| value).clone()
    }
}

/// Wakes those who wait for a value when its maker has ended, in whatever way.
struct Notified<'a, T>(&'a Once<T>);

impl<T> Drop for Notified<'_, T> {
    fn drop(&mut self) {
        *lock(&self.0.maker) = None;
        self.0.changed.notify_all();
    }
}

/// The number of this process; a forked child has another number than its parent.
pub fn process() -> u32 {
    // This target has no processes, and the function panics there.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { 0 } else { std::process::id() }
}

/// Locks a mutex. A thread that panicked while it held one of these did not change it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::{sleep, spawn};

    use rayon::prelude::*;

    use super::*;

    /// Workers of a pool ask for a value whose maker is slow and waits for all workers. Under a lock, or
    /// in a `OnceLock`, one of them would wait for a worker that waits for it.
    #[test]
    #[cfg_attr(miri, ignore = "starts a thread pool")]
    fn a_maker_may_wait_for_the_pool_whose_workers_ask() {
        let (sender, ended) = mpsc::channel();
        // If it hangs, the thread is abandoned.
        spawn(move || {
            let once = Once::default();
            let wait = || Ok::<_, ()>(rayon::current_thread_index().is_none());
            let make = || {
                sleep(Duration::from_millis(50));
                rayon::broadcast(|_| ());
                Ok(7)
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let ask = |_| once.get_or_make(wait, make);
            let values: Vec<_> = pool.install(|| (0..64).into_par_iter().map(ask).collect());
            sender.send(values == vec![Ok(7); 64]).unwrap();
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}
