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

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{fmt, io, thread};

use super::input::{Input, Origin};
use super::output::{Rejected, Report};
use super::session::{Answer, Engine, Session, Task, Trouble};
use crate::search::{Control, Supply, Verdict};

/// How many boards are read ahead of the first that is not answered yet.
const WINDOW: u64 = 4096;

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

/// Solves boards as they come, on `threads` threads; `emit` is given a report on each, in their
/// order, and stops it all with an error.
pub(super) fn solve_all<N: Fn(fmt::Arguments) + Send>(
    inputs: impl Iterator<Item = Input> + Send,
    session: &mut Session<N>,
    threads: usize,
    mut emit: impl FnMut(Report) -> io::Result<()>,
) -> io::Result<()> {
    let shared = Shared {
        queue: Mutex::default(),
        changed: Condvar::new(),
        stop: session.stopper().clone(),
    };
    let (results, answered) = mpsc::channel();
    thread::scope(|scope| {
        let shared = &shared;
        for _ in 0..threads {
            let results = results.clone();
            scope.spawn(move || work(shared, &results));
        }
        scope.spawn(move || read(inputs, session, shared, &results));
        let mut early = BTreeMap::new();
        let mut next = 0;
        for passing in answered {
            early.insert(passing.number, passing);
            while let Some(Passing { input, state, .. }) = early.remove(&next) {
                let result = match state {
                    State::Answered(result) => result,
                    State::Hard(task) => task.run(),
                };
                let Input { origin, text, .. } = input;
                let result = result.map_err(|trouble| Rejected { input: text, trouble });
                if let Err(error) = emit(Report { origin, result }) {
                    shared.stop();
                    return Err(error);
                }
                next += 1;
                shared.lock().emitted = next;
                shared.changed.notify_all();
            }
        }
        Ok(())
    })
}

/// Reads and prepares boards, no further ahead than the window.
fn read<N: Fn(fmt::Arguments)>(
    inputs: impl Iterator<Item = Input>,
    session: &mut Session<N>,
    shared: &Shared,
    results: &Sender<Passing>,
) {
    for (number, mut input) in (0..).zip(inputs) {
        let mut queue = shared.lock();
        while number >= queue.emitted + WINDOW && !shared.stopped() {
            queue = shared.wait(queue);
        }
        drop(queue);
        if shared.stopped() {
            break;
        }
        let prepared = match input.fault.take() {
            Some(fault) => Err(fault.into()),
            None => session.prepare(&input.text),
        };
        let state = match prepared {
            Err(trouble) => State::Answered(Err(trouble)),
            // One board alone is best solved on all threads from the start.
            Ok(task) if input.origin == Origin::Alone => State::Hard(task),
            Ok(task) => match task.engine() {
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
        if results.send(Passing { number, input, state }).is_err() {
            break;
        }
    }
    shared.lock().closed = true;
    shared.changed.notify_all();
}

/// Solves boards from the queue. Those of one engine that follow one another share the lanes.
fn work(shared: &Shared, results: &Sender<Passing>) {
    loop {
        let mut queue = shared.lock();
        let engine = loop {
            match queue.tasks.front() {
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
                let _ = results.send(Passing { number, input, state });
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
                // Nobody to send to: the emitter failed, and all is about to end.
                let _ = results.send(Passing { number, input, state });
            },
        );
        if shared.stopped() {
            return;
        }
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
