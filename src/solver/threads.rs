//! The threads that a solver works on.
//!
//! A fork copies the memory of a process, but only the thread that forks. The thread pools of the parent
//! exist in the child, but work given to them never ends. So each process has separate pools.

use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Error;
use crate::memo::{lock, process};

/// The threads of a solver.
pub(crate) struct Threads {
    /// `None` for the threads of the rayon pool that the solver is called on.
    own: Option<usize>,
    pool: Pool,
}

impl Threads {
    /// Starts the threads, if the solver has separate ones.
    pub fn new(own: Option<usize>) -> Result<Threads, Error> {
        is_forked();
        let threads = Threads { own: own.map(|threads| threads.max(1)), pool: Pool::new() };
        threads.pool().map(|_| threads)
    }

    /// Runs work on the threads. They are started again in a process that was forked.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        Ok(match self.pool()? {
            Some(pool) => pool.install(work),
            None => work(),
        })
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        match self.pool() {
            Ok(Some(pool)) => pool.current_num_threads(),
            _ => rayon::current_num_threads(),
        }
    }

    /// The pool to work on; `None` for the caller's pool, or the global one.
    fn pool(&self) -> Result<Option<Arc<ThreadPool>>, Error> {
        /// Stands in for rayon's global pool.
        static FORKED: Pool = Pool::new();
        match self.own {
            Some(threads) => self.pool.get(threads).map(Some),
            None if rayon::current_thread_index().is_none() && is_forked() => {
                FORKED.get(0).map(Some)
            }
            None => Ok(None),
        }
    }
}

/// Returns whether this process was forked from one that had made a solver. Rayon's global pool may
/// be one without threads then.
fn is_forked() -> bool {
    static FIRST: OnceLock<u32> = OnceLock::new();
    *FIRST.get_or_init(process) != process()
}

/// A thread pool, and the process that its threads belong to.
struct Pool(Mutex<Option<(u32, Arc<ThreadPool>)>>);

impl Pool {
    const fn new() -> Pool {
        Pool(Mutex::new(None))
    }

    /// The pool of this process, started with a number of threads; 0 stands for rayon's default.
    fn get(&self, threads: usize) -> Result<Arc<ThreadPool>, Error> {
        let mut pool = lock(&self.0);
        if let Some((home, pool)) = &*pool
            && *home == process()
        {
            return Ok(pool.clone());
        }
        let new = ThreadPoolBuilder::new().num_threads(threads).build();
        let new = new.map_err(|reason| {
            let reason = Arc::new(io::Error::other(reason));
            Error::Threads { threads, reason }
        })?;
        let new = Arc::new(new);
        leave(pool.replace((process(), new.clone())));
        Ok(new)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        leave(lock(&self.0).take());
    }
}

/// Ends the threads of a pool, unless they belong to another process: then to wake them could
/// wait for a lock that one of them held at the fork.
fn leave(pool: Option<(u32, Arc<ThreadPool>)>) {
    if let Some((home, pool)) = pool
        && home != process()
    {
        std::mem::forget(pool);
    }
}
