//! The threads that work in parallel, as many as the system gives.

use std::io;
use std::sync::mpsc;
use std::thread;

use anyhow::Context;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::exit::Failure;

/// Makes the thread pool: of as many threads as are asked for, else of one a core, or as many as
/// the system gives.
///
/// The pool itself panics for good where a thread of it cannot be started. So the threads are
/// started first, each with a channel on which it is told what to run.
pub(super) fn start(asked: Option<usize>) -> Result<(), Failure> {
    let wanted = asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let (ready, refused) = waiting(wanted);
    if let (Some(error), 2..) = (refused, asked.unwrap_or_default()) {
        return Err(error)
            .with_context(|| format!("cannot start {wanted} threads: ask for fewer with --threads"))
            .map_err(Failure::usage);
    }
    let pool = ThreadPoolBuilder::new().num_threads(ready.len().max(1));
    let made = if ready.is_empty() {
        // This thread does all the work.
        pool.use_current_thread().build_global()
    } else {
        let mut ready = ready.into_iter();
        pool.spawn_handler(|thread| {
            let next = ready.next().ok_or(io::ErrorKind::WouldBlock)?;
            next.send(thread).map_err(|_| io::ErrorKind::BrokenPipe.into())
        })
        .build_global()
    };
    made.context("cannot make the thread pool").map_err(Failure::usage)
}

/// Threads that wait for their work, and why there are not as many as are wanted.
fn waiting(wanted: usize) -> (Vec<mpsc::Sender<ThreadBuilder>>, Option<io::Error>) {
    let mut ready = Vec::new();
    for _ in 0..wanted {
        let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
        let work = move || {
            if let Ok(thread) = receiver.recv() {
                thread.run();
            }
        };
        match thread::Builder::new().spawn(work) {
            Ok(_) => ready.push(sender),
            Err(error) => return (ready, Some(error)),
        }
    }
    (ready, None)
}

/// Does `work` on `value` in a thread of its own; gives the value back where there can be none.
pub(super) fn hand<T: Send + 'static>(
    value: T,
    work: impl FnOnce(T) + Send + 'static,
) -> Result<(), T> {
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new().spawn(move || receiver.recv().map(work));
    if started.is_err() {
        return Err(value);
    }
    sender.send(value).map_err(|mpsc::SendError(value)| value)
}

/// Whether this thread is the whole pool, so that no other may wait for the pool.
pub(super) fn is_alone() -> bool {
    rayon::current_thread_index().is_some()
}
