//! Threads that answer boards, each some at a time: consecutive boards of one engine in lanes.
//!
//! A board that turns out to be hard is left to whoever asked, to be solved on all threads.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::time::Duration;

use super::rungs::{of_lane, solve, try_rung};
use super::task::Task;
use crate::memo::lock;
use crate::search::{Cancel, Clock, Engine, Limits, Supply};
use crate::solver::results::{Bracket, Error};

/// The time between two looks at the handle that cancels.
pub const LOOK: Duration = Duration::from_millis(20);

pub type Answer = Result<Bracket, Error>;

/// The state of a board when its turn comes.
pub enum Due {
    Answered(Answer),
    /// A board to be solved now. The clock was stopped until then.
    Hard(Task, Clock),
}

impl Due {
    /// The answer. A hard board is solved now.
    pub fn answer(self, limits: &Limits) -> Answer {
        match self {
            Due::Answered(answer) => answer,
            Due::Hard(mut task, clock) => solve(&mut task, limits, clock.run()),
        }
    }
}

/// A board for the workers, and where they send what it has.
type Job = (Task, SyncSender<Due>);

/// Asks workers.
pub struct Asker(Sender<Job>);

impl Asker {
    /// Asks for an answer. Nothing comes if the workers have ended.
    pub fn ask(&self, task: Result<Task, Error>) -> Receiver<Due> {
        let (answer, due) = mpsc::sync_channel(1);
        let _ = match task {
            Ok(task) if !task.runs_alone() => self.0.send((task, answer)).is_ok(),
            Ok(task) => answer.send(Due::Hard(task, Clock::default())).is_ok(),
            Err(error) => answer.send(Due::Answered(Err(error))).is_ok(),
        };
        due
    }
}

/// The work of threads.
pub struct Workers {
    limits: Limits,
    /// Cancelled when nobody wants more answers.
    dropped: Cancel,
    jobs: Mutex<Receiver<Job>>,
}

/// Sends the answer of a board; without one it is hard, and has taken this much time.
fn send((task, answer): Job, found: Option<Answer>, clock: Clock) {
    let hard = || Due::Hard(task, clock);
    let _ = answer.send(found.map_or_else(hard, Due::Answered));
}

impl Workers {
    pub fn new(limits: Limits, dropped: Cancel) -> (Asker, Workers) {
        let (ask, jobs) = mpsc::channel();
        (Asker(ask), Workers { limits, dropped, jobs: Mutex::new(jobs) })
    }

    /// Answers boards until nobody asks any more. Each thread that is to work calls it.
    pub fn work(&self) {
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
            let found = shared.install(|| try_rung(&mut task, &limits)).flatten();
            send((task, answer), found.transpose(), Clock::default());
        }
    }

    /// Searches boards of one searcher. A board of another one is `held` at the end.
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
            let (position, within) = (job.0.position.clone(), job.0.within);
            let limits = job.0.searcher.guard(&self.limits);
            let deliver = Box::new(|end, clock: Clock| {
                let found = of_lane(&job.0, end, &self.limits.clone().on(clock.run()));
                send(job, found, clock);
            });
            Supply::Board { position, within, limits, deliver }
        });
    }

    /// The next board. An `idle` worker waits for it.
    fn job(&self, idle: bool) -> Result<Job, TryRecvError> {
        loop {
            if self.dropped.is_cancelled() || self.limits.is_cancelled() {
                return Err(TryRecvError::Disconnected);
            }
            let jobs = match idle {
                true => lock(&self.jobs),
                // While another worker holds the lock there is no board.
                false => self.jobs.try_lock().map_err(|_| TryRecvError::Empty)?,
            };
            // Without a wait where there is a board: some targets have no clock.
            match jobs.try_recv() {
                Err(TryRecvError::Empty) if idle => {}
                found => return found,
            }
            if let Ok(job) = jobs.recv_timeout(LOOK) {
                return Ok(job);
            }
        }
    }
}
