//! The threads that a solver works on.
//!
//! A fork copies the memory of a process, but only the thread that forks. The thread pools of the parent
//! exist in the child, but work given to them never ends. So each process has separate pools.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::memo::{lock, process};
use crate::parallel::{self, THREADS};
use crate::solver::results::Error;

/// The threads of a solver.
pub(crate) struct Threads {
    /// `None` for the threads of the rayon pool that the solver is called on.
    own: Option<usize>,
    pool: Kept,
}

/// The pool of the process that used it last.
type Kept = Mutex<Option<Arc<Pool>>>;

impl Threads {
    /// Starts the threads, if the solver has separate ones.
    pub fn new(own: Option<usize>) -> Result<Threads, Error> {
        is_forked();
        let threads = Threads { own: own.map(|threads| threads.max(1)), pool: Kept::default() };
        threads.pool().map(|_| threads)
    }

    /// Runs work on the threads. They are started again in a process that was forked.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        Ok(match self.pool()? {
            Some(pool) => pool.threads().install(work),
            None => work(),
        })
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        match self.pool() {
            Ok(Some(pool)) => pool.threads().current_num_threads(),
            _ => parallel::threads(),
        }
    }

    /// The pool to work on; `None` for the caller's pool, or the global one.
    fn pool(&self) -> Result<Option<Arc<Pool>>, Error> {
        /// Stands in for rayon's global pool.
        static FORKED: Kept = Mutex::new(None);
        match self.own {
            _ if !THREADS => Ok(None),
            Some(threads) => Pool::get(&self.pool, threads).map(Some),
            None if rayon::current_thread_index().is_none() && is_forked() => {
                Pool::get(&FORKED, 0).map(Some)
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
struct Pool {
    home: u32,
    /// `None` once it is dropped.
    threads: Option<ThreadPool>,
}

impl Pool {
    /// The pool of this process, started with a number of threads; 0 stands for rayon's default.
    fn get(kept: &Kept, threads: usize) -> Result<Arc<Pool>, Error> {
        let mut kept = lock(kept);
        if let Some(pool) = kept.as_ref().filter(|pool| pool.home == process()) {
            return Ok(pool.clone());
        }
        let new = ThreadPoolBuilder::new().num_threads(threads).build();
        let failed = |reason| Error::Threads(threads, Arc::new(io::Error::other(reason)));
        let new = new.map_err(failed)?;
        Ok(kept.insert(Arc::new(Pool { home: process(), threads: Some(new) })).clone())
    }

    fn threads(&self) -> &ThreadPool {
        self.threads.as_ref().expect("a pool is there until it is dropped")
    }
}

/// Ends the threads, unless they belong to another process: then to wake them could wait for a lock that
/// one of them held at the fork.
impl Drop for Pool {
    fn drop(&mut self) {
        if self.home != process() {
            mem::forget(self.threads.take());
        }
    }
}
