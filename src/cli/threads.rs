//! The thread pool, as large as the system permits.

use std::io;
use std::sync::mpsc;
use std::thread;

use anyhow::Context;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::exit::Failure;

/// Makes the thread pool: with the number of threads asked for, else with one thread per core, or as many as
/// the system permits.
///
/// The pool itself would panic if one of its threads could not be started. Therefore the threads
/// are started first. Each waits on a channel for the work of the pool.
pub fn start(asked: Option<usize>) -> Result<(), Failure> {
    let wanted = asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let (ready, refused) = waiting(wanted);
    if let (Some(error), 2..) = (refused, asked.unwrap_or_default()) {
        return Err(error)
            .with_context(|| format!("cannot start {wanted} threads: use fewer with --threads"))
            .map_err(Failure::usage);
    }
    let pool = ThreadPoolBuilder::new().num_threads(ready.len().max(1));
    let made = if ready.is_empty() {
        // The current thread does all the work.
        pool.use_current_thread().build_global()
    } else {
        let mut ready = ready.into_iter();
        pool.spawn_handler(|thread| {
            let next = ready.next().ok_or(io::ErrorKind::WouldBlock)?;
            next.send(thread).map_err(|_| io::ErrorKind::BrokenPipe.into())
        })
        .build_global()
    };
    made.context("cannot create the thread pool").map_err(Failure::usage)
}

/// Threads that wait for their work, and the reason if there are fewer than wanted.
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
