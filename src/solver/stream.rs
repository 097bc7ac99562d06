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
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::board::Board;
use crate::memo::{lock, process};
use crate::search::{Cancel, Clock, Engine, Limits, Stop, Supply};
use crate::solver::answer::{self, Task};
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;

/// The number of boards that are read ahead of the first one without a result.
const WINDOW: usize = 4096;

/// The time between two looks at the handle that cancels.
const LOOK: Duration = Duration::from_millis(20);

type Answer = Result<Bracket, Error>;

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

/// The threads of a stream, as its caller sees them.
struct Threads<T> {
    items: Receiver<(T, Receiver<Due>)>,
    /// The reader has come to its end, not to a panic.
    is_read: Arc<AtomicBool>,
    /// Ends the searches under way when the caller wants no more results.
    dropped: Cancel,
    /// The process that they belong to. In a child that was forked from it, a thread may have held any
    /// lock at the fork, so the child does not touch the channels.
    home: u32,
}

/// The state of an item when its turn comes.
enum Due {
    /// `None` for an item without a board.
    Answered(Option<Answer>),
    /// To be solved now. The clock stood still until then.
    Hard(Task, Clock),
}

/// A board for the workers, and where they send what it has.
type Job = (Task, SyncSender<Due>);

/// The threads that search.
struct Workers {
    limits: Limits,
    /// Cancelled when the caller wants no more results.
    dropped: Cancel,
    jobs: Mutex<Receiver<Job>>,
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
        let (ask, jobs) = mpsc::channel();
        let (jobs, ended) = (Mutex::new(jobs), dropped.clone());
        let workers = Workers { limits: of_threads.clone(), dropped: ended, jobs };
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
            let (give, given) = mpsc::channel();
            let reader = move || {
                if let Ok(items) = given.recv() {
                    read(items, &of_reader, &of_threads, &ask, &tell);
                    end.store(true, Ordering::Release);
                }
            };
            match thread::Builder::new().spawn(reader) {
                Ok(_) => {
                    // It waits for them.
                    let _ = give.send(items);
                    Source::Threads(Threads { items: told, is_read, dropped, home: process() })
                }
                Err(_) => Source::Items(items),
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
        let (data, state) = match &mut self.source {
            Source::Threads(threads) => threads.next(&self.limits)?,
            Source::Items(_) if self.limits.is_cancelled() => return None,
            Source::Items(items) => {
                let (data, board) = items.next()?;
                let answer = board.map(|board| self.solver.solve_with(&board, &self.limits));
                return Some((data, answer));
            }
        };
        let answer = match state.recv() {
            Ok(Due::Answered(answer)) => answer,
            Ok(Due::Hard(mut task, clock)) => {
                Some(answer::solve(&mut task, &self.limits, clock.run()))
            }
            Err(_) if self.limits.is_cancelled() => return None,
            Err(_) => panic!("a thread of a stream panicked"),
        };
        Some((data, answer))
    }
}

impl<T> Threads<T> {
    /// The next item.
    fn next(&mut self, limits: &Limits) -> Option<(T, Receiver<Due>)> {
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
    ask: &Sender<Job>,
    tell: &SyncSender<(T, Receiver<Due>)>,
) {
    for (data, board) in items {
        if limits.is_cancelled() {
            break;
        }
        let task = board.map(|board| Task::new(&solver.shared, &board, None, Begin::High, limits));
        let (answer, state) = mpsc::sync_channel(1);
        // The caller is gone: nobody wants the rest.
        if tell.send((data, state)).is_err() {
            break;
        }
        // Without workers the caller sees that there is no answer.
        let _ = match task.transpose() {
            Ok(Some(task)) if task.runs_alone() => {
                answer.send(Due::Hard(task, Clock::default())).is_ok()
            }
            Ok(Some(task)) => ask.send((task, answer)).is_ok(),
            Ok(None) => answer.send(Due::Answered(None)).is_ok(),
            Err(error) => answer.send(Due::Answered(Some(Err(error)))).is_ok(),
        };
    }
}

/// Sends the result of a board; without one it is hard, with the clock of what it took so far.
fn send((task, answer): Job, found: Option<Answer>, clock: Clock) {
    let hard = || Due::Hard(task, clock);
    let _ = answer.send(found.map_or_else(hard, |found| Due::Answered(Some(found))));
}

impl Workers {
    /// Solves boards, each worker some at a time. Consecutive boards of one engine share the lanes.
    fn work(&self) {
        let mut held = None;
        while let Ok(job) = held.take().map_or_else(|| self.job(true), Ok) {
            let searcher = job.0.searcher.clone();
            if let Some(engine) = searcher.prover() {
                held = Some(job);
                self.work_in_lanes(engine, &mut held);
                continue;
            }
            // A plain search takes a board at a time. Nobody listens to events that do not name their board:
            // they would be attributed to another board.
            let (mut task, answer) = job;
            let limits = self.limits.clone().on(Clock::start());
            let shared = task.shared.clone();
            let found = shared.install(|| answer::try_rung(&mut task, &limits)).flatten();
            send((task, answer), found.transpose(), Clock::default());
        }
    }

    /// Solves boards of one searcher. A board of another one is `held` at the end.
    fn work_in_lanes(&self, engine: &Engine, held: &mut Option<Job>) {
        engine.solve_stream(&mut |idle| {
            let job = match held.take().map_or_else(|| self.job(idle), Ok) {
                Ok(job) if job.0.searcher.is_by(engine) => job,
                Ok(other) => {
                    *held = Some(other);
                    return Supply::End;
                }
                Err(TryRecvError::Empty) => return Supply::Later,
                Err(TryRecvError::Disconnected) => return Supply::End,
            };
            let supply = job.0.supply(&self.limits);
            supply(Box::new(|verdict, clock: Clock| {
                let limits = self.limits.clone().on(clock.run());
                let found = answer::of_verdict(&job.0, verdict, &limits);
                send(job, found, clock);
            }))
        });
    }

    /// The next board. An `idle` worker waits for it.
    fn job(&self, idle: bool) -> Result<Job, TryRecvError> {
        loop {
            if self.dropped.is_cancelled() || self.limits.is_cancelled() {
                return Err(TryRecvError::Disconnected);
            }
            if !idle {
                // While another worker holds the lock there is no board.
                let jobs = self.jobs.try_lock().map_err(|_| TryRecvError::Empty)?;
                return jobs.try_recv();
            }
            match lock(&self.jobs).recv_timeout(LOOK) {
                Ok(job) => return Ok(job),
                Err(RecvTimeoutError::Disconnected) => return Err(TryRecvError::Disconnected),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
