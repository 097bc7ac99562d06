//! Many boards at once, answered in their order.
//!
//! ```text
//! reader: board ─▶ task ─▶ items, in order ──────────────────────▶ caller
//!                    └──▶ jobs ─▶ workers, one board per lane ─▶ answer ┘
//! ```
//!
//! - The reader is at most [`WINDOW`] boards ahead of the caller, so memory stays bounded however
//!   long the stream is. Results come as soon as they can, so a caller may wait for one before it
//!   supplies the next board.
//! - A board that turns out to be hard is solved when its turn comes, on all threads.
//! - Nothing waits for the threads to end: the reader may be waiting for input that never comes.
//! - Where the system refuses the stream's threads, the caller's thread solves one board after the other.
//!   This does not hold for the threads of rayon: see *Panics* of [`Solver`].

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::board::Board;
use crate::memo::{lock, process};
use crate::search::{Cancel, Limits, Stop};
use crate::solver::answer::{Answer, Asker, Due, LOOK, Task, Workers};
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;

/// The number of boards that are read ahead of the first one without a result.
const WINDOW: usize = 4096;

/// The results of [`Solver::stream`], in the order of its boards.
///
/// Dropping it ends the searches under way and waits for nothing. The thread that reads the boards
/// ends once it has its next one, and has loaded or built the databases that this board needs.
#[must_use = "the results come as the stream is iterated"]
pub struct Stream<T, I> {
    solver: Solver,
    limits: Limits,
    source: Source<T, I>,
}

enum Source<T, I> {
    /// The items themselves, where no threads can be started.
    Items(I),
    Threads(Threads<T>),
}

/// The data of an item, and what its board has, if it has one.
type Item<T> = (T, Option<Receiver<Due>>);

/// The threads of a stream, as its caller sees them.
struct Threads<T> {
    items: Receiver<Item<T>>,
    /// The reader has come to its end, not to a panic.
    is_read: Arc<AtomicBool>,
    /// Ends the searches under way when the caller wants no more results.
    dropped: Cancel,
    /// The process that they belong to. In a child that was forked from it, a thread may have held any
    /// lock at the fork, so the child does not touch the channels.
    home: u32,
}

impl<T, I> Stream<T, I>
where
    I: Iterator<Item = (T, Option<Board>)> + Send + 'static,
    T: Send + 'static,
{
    pub(super) fn new(solver: Solver, items: I, limits: Limits) -> Stream<T, I> {
        // A worker of a rayon pool must not wait for the pool. Searches for open goals use all threads.
        let is_alone =
            rayon::current_thread_index().is_some() || solver.shared.goal.open().is_some();
        let threads = if is_alone { 0 } else { solver.threads() };
        let dropped = Cancel::new();
        let is_dropped = dropped.clone();
        let of_threads = limits.clone().on_one_thread();
        let of_threads = of_threads.reason(Stop::Cancelled, move || is_dropped.is_cancelled());
        let (asker, workers) = Workers::new(of_threads.clone(), dropped.clone());
        let workers = Arc::new(workers);
        let start = |_: &usize| {
            let workers = workers.clone();
            thread::Builder::new().spawn(move || workers.work()).is_ok()
        };
        let source = if (0..threads).take_while(start).count() == 0 {
            Source::Items(items)
        } else {
            let (tell, told) = mpsc::sync_channel(WINDOW);
            let is_read = Arc::new(AtomicBool::new(false));
            let (of_reader, end) = (solver.clone(), is_read.clone());
            let items = Arc::new(Mutex::new(Some(items)));
            let given = items.clone();
            let reader = move || {
                let items = lock(&given).take();
                if let Some(items) = items {
                    read(items, &of_reader, &of_threads, &asker, &tell);
                    end.store(true, Ordering::Release);
                }
            };
            match thread::Builder::new().spawn(reader) {
                Ok(_) => {
                    Source::Threads(Threads { items: told, is_read, dropped, home: process() })
                }
                Err(_) => Source::Items(lock(&items).take().expect("no reader has taken them")),
            }
        };
        Stream { solver, limits, source }
    }
}

impl Solver {
    /// Solves boards on all threads, and returns the results in the order of the boards, as they
    /// come. Called by a thread of a rayon pool, it solves them one after the other.
    ///
    /// It reads a limited number of boards ahead of the results, so that any number of boards can
    /// be streamed.
    ///
    /// # Panics
    /// The iterator panics if a thread of the stream does, for example in `boards`, and in a child
    /// that was forked from the process of the stream's threads.
    pub fn solve_all<I>(&self, boards: I) -> impl Iterator<Item = Result<Bracket, Error>> + use<I>
    where
        I: IntoIterator<Item = Board>,
        I::IntoIter: Send + 'static,
    {
        let items = boards.into_iter().map(|board| ((), Some(board)));
        let results = self.stream(items, Limits::default());
        results.map(|((), result)| result.expect("every item is a board"))
    }

    /// [`Solver::solve_all`] within limits, for boards that come with extra data. An item without a board
    /// keeps its place in the order.
    ///
    /// After a cancel the stream ends without the items whose search has not begun.
    ///
    /// # Panics
    /// As [`Solver::solve_all`].
    pub fn stream<T, I>(&self, items: I, limits: Limits) -> Stream<T, I::IntoIter>
    where
        I: IntoIterator<Item = (T, Option<Board>)>,
        I::IntoIter: Send + 'static,
        T: Send + 'static,
    {
        Stream::new(self.clone(), items.into_iter(), limits)
    }
}

impl<T, I> Iterator for Stream<T, I>
where
    I: Iterator<Item = (T, Option<Board>)>,
{
    type Item = (T, Option<Answer>);

    /// # Panics
    /// If a thread of the stream panicked, or belongs to another process.
    fn next(&mut self) -> Option<Self::Item> {
        let (data, due) = match &mut self.source {
            Source::Threads(threads) => threads.next(&self.limits)?,
            Source::Items(_) if self.limits.is_cancelled() => return None,
            Source::Items(items) => {
                let (data, board) = items.next()?;
                let answer = board.map(|board| self.solver.solve_with(&board, &self.limits));
                return Some((data, answer));
            }
        };
        match due.map(|due| due.recv()).transpose() {
            Ok(due) => Some((data, due.map(|due| due.answer(&self.limits)))),
            Err(_) if self.limits.is_cancelled() => None,
            Err(_) => panic!("a thread of a stream panicked"),
        }
    }
}

impl<T> Threads<T> {
    /// The next item.
    fn next(&mut self, limits: &Limits) -> Option<Item<T>> {
        assert!(self.home == process(), "the threads of a stream end at a fork");
        loop {
            match self.items.recv_timeout(LOOK) {
                Ok(item) => return Some(item),
                Err(RecvTimeoutError::Disconnected) => {
                    let is_read = self.is_read.load(Ordering::Acquire);
                    assert!(is_read, "a thread of a stream panicked");
                    return None;
                }
                // The reader may be waiting for input that never comes.
                Err(RecvTimeoutError::Timeout) if limits.is_cancelled() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl<T> Drop for Threads<T> {
    fn drop(&mut self) {
        if self.home == process() {
            self.dropped.cancel();
        } else {
            // To close the channel could wait for a message that a thread was writing at the fork.
            mem::forget(mem::replace(&mut self.items, mpsc::channel().1));
        }
    }
}

/// Reads and prepares boards, no further ahead than the window.
fn read<T>(
    items: impl Iterator<Item = (T, Option<Board>)>,
    solver: &Solver,
    limits: &Limits,
    asker: &Asker,
    tell: &SyncSender<Item<T>>,
) {
    for (data, board) in items {
        if limits.is_cancelled() {
            break;
        }
        let task = |board| Task::new(&solver.shared, &board, None, Begin::High, limits);
        let due = board.map(|board| asker.ask(task(board)));
        // The caller is gone: nobody wants the rest.
        if tell.send((data, due)).is_err() {
            break;
        }
    }
}
