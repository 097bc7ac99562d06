//! Many boards at once, answered in their order.
//!
//! ```text
//! reader: Input ─▶ Task ─▶ queue ─▶ workers, a board a lane ─▶ results ─▶ put in order ─▶ emit
//!            └─ what needs no search ──────────────────────────▶┘
//! ```
//!
//! - The reader may be [`WINDOW`] boards ahead of the answers, so memory stays flat however long
//!   the stream is, and whoever waits for an answer before asking on gets it.
//! - A board that turns out to be hard is solved when its turn comes to be answered, on all
//!   threads.
//! - Nobody waits for the threads to end: the reader may be waiting for input that never comes.
//! - Where no threads can be had, this one does it all, a board after the other.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{fmt, io, thread};

use super::engine::Engine;
use super::input::lines::{Input, Origin};
use super::interrupt::{self, Answering};
use super::output::report::Report;
use super::session::{Answer, Session, Task};
use super::threads;
use super::trouble::Trouble;
use crate::search::{Control, Supply, Verdict};

/// How many boards are read ahead of the first that is not answered yet.
const WINDOW: u64 = 4096;

/// What the emitter is sent.
enum Message {
    Passing(Box<Passing>),
    /// A thread came to its end, or to a panic.
    Ended {
        kind: Kind,
        panicked: bool,
    },
}

/// A board on its way to its answer.
struct Passing {
    number: u64,
    input: Input,
    state: State,
}

enum State {
    Answered(Result<Answer, Trouble>),
    /// To be solved when its turn comes.
    Hard(Task),
}

/// What reader, workers and emitter share.
struct Shared {
    queue: Mutex<Queue>,
    /// Told when the queue grows or is closed, and when a board is emitted.
    changed: Condvar,
    stop: Control,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Waiting>,
    /// No more tasks will come.
    closed: bool,
    /// The number of boards emitted.
    emitted: u64,
}

struct Waiting {
    number: u64,
    input: Input,
    task: Task,
    engine: Arc<Engine>,
}

impl Shared {
    /// The queue. A thread that panicked while it held it cannot have left it half changed.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    fn stop(&self) {
        self.stop.stop();
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// Why not all boards were answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("cannot write the answers: {0}")]
    Emit(#[from] io::Error),
    #[error("internal error: a thread came to an untimely end")]
    Panic,
}

/// What a thread of the pipeline has. When it ends, however it does, the emitter is told.
struct Running {
    shared: Arc<Shared>,
    results: Sender<Message>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reader,
    Worker,
}

impl Drop for Running {
    fn drop(&mut self) {
        let panicked = thread::panicking();
        if panicked {
            self.shared.stop();
        }
        // Nobody to send to: the emitter has failed, and all is about to end.
        let _ = self.results.send(Message::Ended { kind: self.kind, panicked });
    }
}

impl Running {
    fn send(&self, number: u64, input: Input, state: State) -> bool {
        self.results.send(Message::Passing(Box::new(Passing { number, input, state }))).is_ok()
    }
}

/// Solves boards as they come, on `threads` threads; `emit` is given a report on each, in their
/// order, and stops it all with an error.
///
/// # Errors
/// [`Broken`]. Threads may still be running then.
pub(super) fn solve_all<N: Fn(fmt::Arguments) + Send + 'static>(
    inputs: impl Iterator<Item = Input> + Send + 'static,
    session: Session<N>,
    threads: usize,
    emit: impl FnMut(Report) -> io::Result<()>,
) -> Result<(), Broken> {
    let stop = session.stopper().clone();
    let shared = Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), stop });
    let _answering = Answering::new({
        let shared = shared.clone();
        move || shared.stop()
    });
    let (results, answered) = mpsc::channel();
    // Made within the threads, so that there is one for each that does run.
    let running = |kind| {
        let (shared, results) = (shared.clone(), results.clone());
        move || Running { shared, results, kind }
    };
    let mut workers = 0;
    if !threads::is_alone() {
        let hand = || threads::hand(running(Kind::Worker), |running| work(&running()));
        while workers < threads && hand().is_ok() {
            workers += 1;
        }
    }
    let reader = (inputs, session, running(Kind::Reader));
    let result = if workers == 0 {
        one_by_one(reader.0, reader.1, &shared, emit)
    } else {
        match threads::hand(reader, |(inputs, session, running)| read(inputs, session, &running()))
        {
            Ok(()) => {
                drop(results);
                in_order(answered, workers, &shared, emit)
            }
            Err((inputs, session, _)) => one_by_one(inputs, session, &shared, emit),
        }
    };
    shared.stop();
    interrupt::finish();
    result
}

/// Emits the results in the order of the boards.
fn in_order(
    answered: Receiver<Message>,
    mut workers: usize,
    shared: &Shared,
    mut emit: impl FnMut(Report) -> io::Result<()>,
) -> Result<(), Broken> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for message in answered {
        match message {
            Message::Passing(passing) => drop(early.insert(passing.number, passing)),
            Message::Ended { panicked: true, .. } => return Err(Broken::Panic),
            Message::Ended { kind, .. } => workers -= usize::from(kind == Kind::Worker),
        }
        while let Some(passing) = early.remove(&next) {
            let Passing { input, state, .. } = *passing;
            let result = match state {
                State::Answered(result) => result,
                State::Hard(task) => task.run(),
            };
            emit(Report::new(input, result))?;
            next += 1;
            shared.lock().emitted = next;
            shared.changed.notify_all();
        }
        // All is said. The reader may be waiting for input that never comes.
        if workers == 0 && shared.stopped() {
            break;
        }
    }
    Ok(())
}

/// Answers one board after the other, on this thread.
fn one_by_one<N: Fn(fmt::Arguments)>(
    inputs: impl Iterator<Item = Input>,
    mut session: Session<N>,
    shared: &Shared,
    mut emit: impl FnMut(Report) -> io::Result<()>,
) -> Result<(), Broken> {
    for mut input in inputs {
        let result = prepare(&mut session, &mut input).and_then(Task::run);
        emit(Report::new(input, result))?;
        if shared.stopped() {
            break;
        }
    }
    Ok(())
}

fn prepare<N: Fn(fmt::Arguments)>(
    session: &mut Session<N>,
    input: &mut Input,
) -> Result<Task, Trouble> {
    match input.fault.take() {
        Some(fault) => Err(fault.into()),
        None => session.prepare(&input.text),
    }
}

/// Reads and prepares boards, no further ahead than the window.
fn read<N: Fn(fmt::Arguments)>(
    inputs: impl Iterator<Item = Input>,
    mut session: Session<N>,
    running: &Running,
) {
    let shared = &running.shared;
    for (number, mut input) in (0..).zip(inputs) {
        let mut queue = shared.lock();
        while number >= queue.emitted + WINDOW && !shared.stopped() {
            queue = shared.wait(queue);
        }
        drop(queue);
        if shared.stopped() {
            break;
        }
        let state = match prepare(&mut session, &mut input) {
            Err(trouble) => State::Answered(Err(trouble)),
            // One board alone is best solved on all threads from the start.
            Ok(task) if input.origin == Origin::Alone || task.is_long() => State::Hard(task),
            Ok(task) => match task.engine() {
                Some(engine) if engine.is_large() => State::Hard(task),
                Some(engine) => {
                    let engine = engine.clone();
                    shared.lock().tasks.push_back(Waiting { number, input, task, engine });
                    shared.changed.notify_all();
                    continue;
                }
                // Solved already.
                None => State::Answered(task.run()),
            },
        };
        // The emitter is gone where it failed, and then nobody wants the rest.
        if !running.send(number, input, state) {
            break;
        }
    }
    shared.lock().closed = true;
    shared.changed.notify_all();
}

/// Solves boards from the queue. Those of one engine that follow one another share the lanes.
fn work(running: &Running) {
    let shared = &running.shared;
    loop {
        let mut queue = shared.lock();
        let engine = loop {
            match queue.tasks.front() {
                _ if shared.stopped() => return,
                Some(waiting) => break waiting.engine.clone(),
                None if queue.closed => return,
                None => queue = shared.wait(queue),
            }
        };
        let Some(solver) = engine.solver() else {
            // The plain search takes a board at a time.
            let waiting = queue.tasks.pop_front();
            drop(queue);
            if let Some(Waiting { number, input, task, .. }) = waiting {
                let state = State::Answered(task.run());
                running.send(number, input, state);
            }
            continue;
        };
        drop(queue);
        solver.solve_stream(
            |wait| take(shared, &engine, wait),
            |(waiting, start): (Waiting, Instant), verdict| {
                let Waiting { number, input, task, .. } = waiting;
                let state = match verdict {
                    Verdict::Done(outcome) => {
                        State::Answered(task.answer(Ok(outcome), start.elapsed()))
                    }
                    Verdict::Broken(broken) => {
                        State::Answered(task.answer(Err(broken), start.elapsed()))
                    }
                    Verdict::Hard => State::Hard(task),
                };
                running.send(number, input, state);
            },
        );
    }
}

/// The next board of the queue, if it is one for this engine.
fn take(shared: &Shared, engine: &Arc<Engine>, wait: bool) -> Supply<(Waiting, Instant)> {
    let mut queue = shared.lock();
    loop {
        if let Some(waiting) = queue.tasks.front() {
            if !Arc::ptr_eq(&waiting.engine, engine) {
                return Supply::End;
            }
            let Some(waiting) = queue.tasks.pop_front() else { return Supply::Later };
            let (labels, control) = (waiting.task.labels(), waiting.task.control());
            return Supply::Board((waiting, Instant::now()), labels, control);
        }
        if queue.closed || shared.stopped() {
            return Supply::End;
        }
        if !wait {
            return Supply::Later;
        }
        queue = shared.wait(queue);
    }
}
