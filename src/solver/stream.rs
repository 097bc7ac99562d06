//! Many boards at once, answered in their order.
//!
//! ```text
//! reader: board ─▶ task ─▶ items, in order ──────────────────────▶ caller
//!                    └──▶ questions ─▶ workers, a board a lane ─▶ answer ┘
//! ```
//!
//! - The reader is at most [`WINDOW`] boards ahead of the caller, so memory stays bounded however
//!   long the stream is. Results come as soon as they can, so a caller may wait for one before it
//!   supplies the next board.
//! - A board that turns out to be hard is solved when its turn comes, on all threads.
//! - Nothing waits for the threads to end: the reader may be waiting for input that never comes.
//! - Where the system refuses the stream's threads, the caller's thread solves one board after the other.
//!   This does not hold for the threads of rayon: see *Panics* of [`Solver`].

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::searcher::Searcher;
use super::{Bracket, Error, Event, Limits, Solver, Task};
use crate::board::Board;
use crate::memo::{lock, process};
use crate::search::{Cancel, Clock, Engine, Stop, Supply, Verdict};

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
    items: Receiver<(T, State)>,
    /// The reader has come to its end, not to a panic.
    is_read: Arc<AtomicBool>,
    /// Ends the searches under way when the caller wants no more results.
    dropped: Cancel,
    /// The process that they belong to. In a child that was forked from it, a thread may have held any
    /// lock at the fork, so the child does not touch the channels.
    home: u32,
}

/// The state of an item that was read.
enum State {
    /// `None` for an item without a board.
    Answered(Option<Answer>),
    /// To be solved when its turn comes. The clock stands still until then.
    Hard(Task, Clock),
    /// A worker answers, or says that it is hard.
    Asked(Receiver<State>),
}

/// A board for the workers.
struct Question {
    task: Task,
    searcher: Arc<Searcher>,
    answer: SyncSender<State>,
}

/// The threads that search.
struct Workers {
    solver: Solver,
    limits: Limits,
    /// Cancelled when the caller wants no more results.
    dropped: Cancel,
    questions: Mutex<Receiver<Question>>,
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
        // A worker of a rayon pool must not wait for the pool. Searches for open goals use all threads.
        let is_alone =
            rayon::current_thread_index().is_some() || solver.shared.goal.open().is_some();
        let threads = if is_alone { 0 } else { solver.threads() };
        let dropped = Cancel::new();
        let is_dropped = dropped.clone();
        let of_threads = limits.clone().on_one_thread();
        let of_threads = of_threads.reason(Stop::Cancelled, move || is_dropped.is_cancelled());
        let (ask, questions) = mpsc::channel();
        let workers = Arc::new(Workers {
            solver: solver.clone(),
            limits: of_threads.clone(),
            dropped: dropped.clone(),
            questions: Mutex::new(questions),
        });
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
            let reader = move |items| {
                read(items, &of_reader, &of_threads, &ask, &tell);
                end.store(true, Ordering::Release);
            };
            match spawn(items, reader) {
                Ok(()) => {
                    Source::Threads(Threads { items: told, is_read, dropped, home: process() })
                }
                Err(items) => Source::Items(items),
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
            Source::Threads(threads) => threads.next(&self.limits)?,
            Source::Items(_) if self.limits.is_cancelled() => return None,
            Source::Items(items) => {
                let (data, board) = items.next()?;
                let answer = board.map(|board| self.solver.solve_with(&board, &self.limits));
                return Some((data, answer));
            }
        };
        let state = match state {
            State::Asked(answer) => match answer.recv() {
                Ok(state) => state,
                Err(_) if self.limits.is_cancelled() => return None,
                Err(_) => panic!("a thread of a stream panicked"),
            },
            state => state,
        };
        let answer = match state {
            State::Answered(answer) => answer,
            State::Hard(task, clock) => {
                let answer = self.solver.run_from(&task, &self.limits, clock.run());
                Some(answer.map(|(bracket, _)| bracket))
            }
            State::Asked(_) => unreachable!("workers answer"),
        };
        Some((data, answer))
    }
}

impl<T> Threads<T> {
    /// The next item, as the reader left it.
    fn next(&mut self, limits: &Limits) -> Option<(T, State)> {
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
    ask: &Sender<Question>,
    tell: &SyncSender<(T, State)>,
) {
    for (data, board) in items {
        if limits.is_cancelled() {
            break;
        }
        let mut question = None;
        let state = match board.map(|board| solver.task(&board, limits)).transpose() {
            Ok(None) => State::Answered(None),
            Err(error) => State::Answered(Some(Err(error))),
            Ok(Some(task)) => match task.searcher.clone() {
                Some(searcher) if is_shared(&task, &searcher) => {
                    let (answer, asked) = mpsc::sync_channel(1);
                    question = Some(Question { task, searcher, answer });
                    State::Asked(asked)
                }
                Some(_) => State::Hard(task, Clock::default()),
                // Solved already.
                None => State::Answered(Some(solver.run(&task, limits))),
            },
        };
        // The caller is gone: nobody wants the rest.
        if tell.send((data, state)).is_err() {
            break;
        }
        if let Some(question) = question {
            // Without workers the caller sees that there is no answer.
            let _ = ask.send(question);
        }
    }
}

/// Returns whether a board is searched together with others, not alone on all threads with all memory.
fn is_shared(task: &Task, searcher: &Searcher) -> bool {
    !searcher.is_long(&task.position) && !searcher.method.traits().runs_alone
}

impl Workers {
    /// Solves boards, each worker some at a time. Consecutive boards of one engine share the lanes.
    fn work(&self) {
        let mut held = None;
        while let Ok(question) = held.take().map_or_else(|| self.question(true), Ok) {
            let searcher = question.searcher.clone();
            if let Some(engine) = searcher.engine() {
                held = Some(question);
                self.work_in_lanes(&searcher, engine, &mut held);
                continue;
            }
            // A plain search takes a board at a time. Events that do not name their board would be
            // attributed to another board.
            let events = |event: &Event<'_>| match event {
                Event::Stage { .. } | Event::Shortened { .. } => self.solver.report(event),
                _ => {}
            };
            let Question { task, answer, .. } = question;
            let limits = self.limits.clone().on(Clock::start());
            let found = self.solver.install(|| task.run(&limits, &events)).flatten();
            let _ = answer.send(State::Answered(Some(found.map(|(bracket, _)| bracket))));
        }
    }

    /// Solves boards of one searcher. A board of another one is `held` at the end.
    fn work_in_lanes(
        &self,
        searcher: &Arc<Searcher>,
        engine: &Engine,
        held: &mut Option<Question>,
    ) {
        engine.solve_stream(&mut |idle| {
            let question = match held.take().map_or_else(|| self.question(idle), Ok) {
                Ok(question) if Arc::ptr_eq(&question.searcher, searcher) => question,
                Ok(other) => {
                    *held = Some(other);
                    return Supply::End;
                }
                Err(TryRecvError::Empty) => return Supply::Later,
                Err(TryRecvError::Disconnected) => return Supply::End,
            };
            let position = question.task.position.clone();
            let deliver = |verdict, clock| self.deliver(question, verdict, clock);
            Supply::Board(position, searcher.guard(&self.limits), Box::new(deliver))
        });
    }

    /// Sends the result of a board.
    fn deliver(
        &self,
        Question { task, searcher, answer }: Question,
        verdict: Verdict,
        clock: Clock,
    ) {
        let finish = |outcome, clock| task.finish(outcome, &self.limits.clone().on(clock));
        let found = match verdict {
            Verdict::Hard => {
                let _ = answer.send(State::Hard(task, clock));
                return;
            }
            // It may look for a solution, in the board's own time.
            Verdict::Done(outcome) if outcome.path.is_none() => {
                self.solver.install(|| finish(outcome, clock.run())).flatten()
            }
            Verdict::Done(outcome) => finish(outcome, clock.run()),
            Verdict::Broken(broken) => Err(searcher.error(broken)),
        };
        let _ = answer.send(State::Answered(Some(found)));
    }

    /// The next board. An `idle` worker waits for it.
    fn question(&self, idle: bool) -> Result<Question, TryRecvError> {
        loop {
            if self.dropped.is_cancelled() || self.limits.is_cancelled() {
                return Err(TryRecvError::Disconnected);
            }
            if !idle {
                // While another worker holds the lock there is no board.
                let questions = self.questions.try_lock().map_err(|_| TryRecvError::Empty)?;
                return questions.try_recv();
            }
            match lock(&self.questions).recv_timeout(LOOK) {
                Ok(question) => return Ok(question),
                Err(RecvTimeoutError::Disconnected) => return Err(TryRecvError::Disconnected),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
