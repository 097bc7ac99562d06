//! Many boards at once, answered in their order.
//!
//! ```text
//! reader: board ─▶ task ─▶ queue ─▶ workers, a board a lane ─▶ results ─▶ put in order
//!            └─ boards that need no search ───────────────────▶┘
//! ```
//!
//! - The reader is at most [`WINDOW`] boards ahead of the results, so memory stays bounded however
//!   long the stream is. Results come as soon as they can, so a caller may wait for one before it
//!   supplies the next board.
//! - A board that turns out to be hard is solved when its turn comes, on all threads.
//! - Nothing waits for the threads to end: the reader may be waiting for input that never comes.
//! - Where the system refuses the stream's threads, the caller's thread solves one board after the other.
//!   This does not hold for the threads of rayon: see *Panics* of [`Solver`].

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::mem;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use super::searcher::Searcher;
use super::{Bracket, Error, Event, Limits, Solver, Task};
use crate::board::Board;
use crate::memo::{lock, process};
use crate::search::{Cancel, Clock, Engine, Supply, Verdict};

/// The number of boards that are read ahead of the first one without a result.
const WINDOW: u64 = 4096;

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

/// The results of the threads, put in order.
struct Threads<T> {
    results: Receiver<Message<T>>,
    /// Results that are ahead of their turn.
    early: BTreeMap<u64, (T, State)>,
    next: u64,
    workers: usize,
    /// The process that they belong to. In a child that was forked from it, a thread may have held any
    /// lock at the fork, so the child touches neither the queue nor the channel.
    home: u32,
    shared: Arc<Shared<T>>,
}

enum Message<T> {
    Item(u64, T, State),
    /// A thread has ended, perhaps by a panic.
    Ended {
        is_worker: bool,
        panicked: bool,
    },
}

enum State {
    /// An item without a board.
    Empty,
    Answered(Answer),
    /// To be solved when its turn comes. The clock stands still until then.
    Hard(Task, Clock),
}

/// The queue that reader, workers and caller share.
struct Shared<T> {
    solver: Solver,
    queue: Mutex<Queue<T>>,
    /// Notified when the queue changes.
    changed: Condvar,
    limits: Limits,
    /// Ends the searches under way when the caller wants no more results.
    dropped: Cancel,
}

struct Queue<T> {
    waiting: VecDeque<Waiting<T>>,
    /// No more boards will come.
    closed: bool,
    /// The caller wants no more results.
    dropped: bool,
    /// The number of results that were returned.
    returned: u64,
}

struct Waiting<T> {
    number: u64,
    data: T,
    task: Task,
    searcher: Arc<Searcher>,
}

impl<T> Shared<T> {
    fn is_stopped(&self, queue: &Queue<T>) -> bool {
        queue.dropped || self.limits.is_cancelled()
    }

    /// Waits for a change of the queue, or for the next look at the handle that cancels.
    fn wait<'a>(&self, queue: MutexGuard<'a, Queue<T>>) -> MutexGuard<'a, Queue<T>> {
        let waited = self.changed.wait_timeout(queue, LOOK);
        waited.unwrap_or_else(std::sync::PoisonError::into_inner).0
    }
}

/// A thread of a stream. When it ends, in whatever way, the caller receives a message.
struct Running<T> {
    shared: Arc<Shared<T>>,
    results: Sender<Message<T>>,
    is_worker: bool,
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        let panicked = thread::panicking();
        // The receiver may be gone: then nobody wants to know.
        let _ = self.results.send(Message::Ended { is_worker: self.is_worker, panicked });
    }
}

impl<T> Running<T> {
    fn send(&self, number: u64, data: T, state: State) -> bool {
        self.results.send(Message::Item(number, data, state)).is_ok()
    }
}

/// Runs `work` on `value` in a new thread; gives the value back if none can be started.
fn spawn<V: Send + 'static>(value: V, work: impl FnOnce(V) + Send + 'static) -> Result<(), V> {
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new().spawn(move || receiver.recv().map(work));
    if started.is_err() {
        return Err(value);
    }
    sender.send(value).map_err(|mpsc::SendError(value)| value)
}

impl<T, I> Stream<T, I>
where
    I: Iterator<Item = (T, Option<Board>)> + Send + 'static,
    T: Send + 'static,
{
    pub(super) fn new(solver: Solver, items: I, limits: Limits) -> Stream<T, I> {
        let queue = Queue { waiting: VecDeque::new(), closed: false, dropped: false, returned: 0 };
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        let dropped = Cancel::new();
        let limits_of_threads = limits.unless_dropped(&dropped).on_one_thread();
        let shared = Arc::new(Shared {
            solver: solver.clone(),
            queue,
            changed,
            limits: limits_of_threads,
            dropped,
        });
        let (results, receiver) = mpsc::channel();
        // Made within the threads, so that there is one for each thread that does run.
        let running = |is_worker| {
            let (shared, results) = (shared.clone(), results.clone());
            move || Running { shared, results, is_worker }
        };
        let mut workers = 0;
        // A worker of a rayon pool must not wait for the pool. Searches for open goals use all threads.
        if rayon::current_thread_index().is_none() && solver.shared.goal.open().is_none() {
            let threads = solver.threads();
            let start = || spawn(running(true), |running| work(&running()));
            while workers < threads && start().is_ok() {
                workers += 1;
            }
        }
        let source = if workers == 0 {
            Source::Items(items)
        } else {
            let reader = (items, solver.clone(), running(false));
            match spawn(reader, |(items, solver, running)| read(items, &solver, &running())) {
                Ok(()) => {
                    let (early, next) = (BTreeMap::new(), 0);
                    let (results, home) = (receiver, process());
                    Source::Threads(Threads { results, early, next, workers, home, shared })
                }
                Err((items, ..)) => {
                    lock(&shared.queue).dropped = true;
                    Source::Items(items)
                }
            }
        };
        Stream { solver, limits, source }
    }
}

impl<T, I> fmt::Debug for Stream<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("solver", &self.solver)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
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
            Source::Threads(threads) => threads.next()?,
            Source::Items(_) if self.limits.is_cancelled() => return None,
            Source::Items(items) => {
                let (data, board) = items.next()?;
                let answer = board.map(|board| self.solver.solve_with(&board, &self.limits));
                return Some((data, answer));
            }
        };
        let answer = match state {
            State::Empty => None,
            State::Answered(answer) => Some(answer),
            State::Hard(task, clock) => {
                let answer = self.solver.run_from(&task, &self.limits, clock.run());
                Some(answer.map(|(bracket, _)| bracket))
            }
        };
        Some((data, answer))
    }
}

impl<T> Threads<T> {
    fn next(&mut self) -> Option<(T, State)> {
        assert!(self.home == process(), "the threads of a stream end at a fork");
        loop {
            if let Some(item) = self.early.remove(&self.next) {
                self.next += 1;
                lock(&self.shared.queue).returned = self.next;
                self.shared.changed.notify_all();
                return Some(item);
            }
            match self.results.recv_timeout(LOOK) {
                Ok(Message::Item(number, data, state)) => {
                    self.early.insert(number, (data, state));
                }
                Ok(Message::Ended { panicked: true, .. }) => {
                    panic!("a thread of a stream panicked")
                }
                Ok(Message::Ended { is_worker, .. }) => self.workers -= usize::from(is_worker),
                Err(RecvTimeoutError::Disconnected) => return None,
                // The reader may be waiting for input that never comes.
                Err(RecvTimeoutError::Timeout) => {
                    let stopped = self.shared.is_stopped(&lock(&self.shared.queue));
                    if self.workers == 0 && stopped {
                        return None;
                    }
                }
            }
        }
    }
}

impl<T> Drop for Threads<T> {
    fn drop(&mut self) {
        if self.home != process() {
            // To close the channel could wait for a message that a thread was writing at the fork.
            mem::forget(mem::replace(&mut self.results, mpsc::channel().1));
            return;
        }
        self.shared.dropped.cancel();
        lock(&self.shared.queue).dropped = true;
        self.shared.changed.notify_all();
    }
}

/// Reads and prepares boards, no further ahead than the window.
fn read<T>(items: impl Iterator<Item = (T, Option<Board>)>, solver: &Solver, running: &Running<T>) {
    let shared = &running.shared;
    for (number, (data, board)) in (0..).zip(items) {
        let mut queue = lock(&shared.queue);
        while number >= queue.returned + WINDOW && !shared.is_stopped(&queue) {
            queue = shared.wait(queue);
        }
        if shared.is_stopped(&queue) {
            break;
        }
        drop(queue);
        let state = match board.map(|board| solver.task(&board, &shared.limits)) {
            None => State::Empty,
            Some(Err(error)) => State::Answered(Err(error)),
            Some(Ok(task)) => match task.searcher.clone() {
                Some(searcher) if is_shared(&task, &searcher) => {
                    let waiting = Waiting { number, data, task, searcher };
                    lock(&shared.queue).waiting.push_back(waiting);
                    shared.changed.notify_all();
                    continue;
                }
                Some(_) => State::Hard(task, Clock::default()),
                // Solved already.
                None => State::Answered(solver.run(&task, &shared.limits)),
            },
        };
        // The caller is gone: nobody wants the rest.
        if !running.send(number, data, state) {
            break;
        }
    }
    lock(&shared.queue).closed = true;
    shared.changed.notify_all();
}

/// Returns whether a board is searched together with others, not alone on all threads with all memory.
fn is_shared(task: &Task, searcher: &Searcher) -> bool {
    !searcher.is_long(&task.position) && !searcher.method.runs_alone()
}

/// Solves boards from the queue. Consecutive boards of one engine share the lanes.
fn work<T>(running: &Running<T>) {
    let shared = &running.shared;
    loop {
        let mut queue = lock(&shared.queue);
        let searcher = loop {
            match queue.waiting.front() {
                _ if shared.is_stopped(&queue) => return,
                Some(waiting) => break waiting.searcher.clone(),
                None if queue.closed => return,
                None => queue = shared.wait(queue),
            }
        };
        if let Some(engine) = searcher.engine() {
            drop(queue);
            work_in_lanes(running, &searcher, engine);
            continue;
        }
        // A plain search takes a board at a time.
        let waiting = queue.waiting.pop_front();
        drop(queue);
        if let Some(Waiting { number, data, task, .. }) = waiting {
            let (limits, solver) = (&shared.limits, &shared.solver);
            // Events that do not name their board would be attributed to another board.
            let events = |event: &Event<'_>| match event {
                Event::Stage { .. } | Event::Shortened { .. } => solver.report(event),
                _ => {}
            };
            let run = || task.run(limits, Clock::start(), &events);
            let answer = solver.install(run).and_then(|answer| Ok(answer?.0));
            running.send(number, data, State::Answered(answer));
        }
    }
}

fn work_in_lanes<T>(running: &Running<T>, searcher: &Arc<Searcher>, engine: &Engine) {
    engine.solve_stream(&mut |wait| take(running, searcher, wait));
}

/// Sends the result of a board.
fn deliver<T>(running: &Running<T>, waiting: Waiting<T>, verdict: Verdict, clock: Clock) {
    let Waiting { number, data, task, .. } = waiting;
    let (limits, solver) = (&running.shared.limits, &running.shared.solver);
    let state = match verdict {
        // It may look for a solution, in the board's own time.
        Verdict::Done(outcome) if outcome.path.is_none() => {
            let finish = || task.finish(Ok(outcome), limits, clock.run());
            State::Answered(solver.install(finish).and_then(|answer| answer))
        }
        Verdict::Done(outcome) => State::Answered(task.finish(Ok(outcome), limits, clock.run())),
        Verdict::Broken(broken) => State::Answered(task.finish(Err(broken), limits, clock)),
        Verdict::Hard => State::Hard(task, clock),
    };
    running.send(number, data, state);
}

/// The next board of the queue, if it is one for this searcher.
fn take<'a, T>(running: &'a Running<T>, searcher: &'a Arc<Searcher>, wait: bool) -> Supply<'a> {
    let shared = &running.shared;
    let mut queue = lock(&shared.queue);
    loop {
        if shared.is_stopped(&queue) {
            return Supply::End;
        }
        match queue.waiting.front() {
            Some(waiting) if !Arc::ptr_eq(&waiting.searcher, searcher) => return Supply::End,
            Some(_) => {
                let Some(waiting) = queue.waiting.pop_front() else { return Supply::Later };
                let position = waiting.task.position.clone();
                let control = searcher.guard(shared.limits.control(Clock::default()));
                let take = |verdict, clock| deliver(running, waiting, verdict, clock);
                return Supply::Board(position, control, Box::new(take));
            }
            None if queue.closed => return Supply::End,
            None if !wait => return Supply::Later,
            None => queue = shared.wait(queue),
        }
    }
}
