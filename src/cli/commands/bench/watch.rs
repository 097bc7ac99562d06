//! The progress of a bench: a bar on a terminal, and now and then a line elsewhere.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::output::progress::{Progress, bar};
use crate::cli::output::streams::say;
use crate::lab::Step;
use crate::solver::Event;
use crate::store::Store;
use crate::text::{grouped, seconds};

/// Shows the progress.
pub struct Watch {
    stores: Arc<Progress>,
    state: Mutex<Option<State>>,
}

struct State {
    bar: ProgressBar,
    begin: Instant,
    last: Instant,
    done: u64,
    all: u64,
}

/// The time between two lines where no bar is seen.
const PAUSE: Duration = Duration::from_secs(10);

impl Watch {
    pub fn new(store: &Store) -> Watch {
        Watch { stores: Arc::new(Progress::new(store, false)), state: Mutex::default() }
    }

    /// Shows the building of databases.
    pub fn of_stores(&self) -> impl Fn(&Event<'_>) + Send + Sync + use<> {
        self.stores.clone().of_stores()
    }

    /// The searches begin.
    pub fn begin(&self, all: u64) {
        let (bar, begin) = (bar(Some(all), "searches"), Instant::now());
        let state = State { bar, begin, last: begin, done: 0, all };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }

    /// Shows a step.
    pub fn step(&self, step: Step<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(State { bar, begin, last, done, all }) = &mut *state else { return };
        match step {
            Step::Begins(name) => bar.set_message(name.to_owned()),
            _ => {
                bar.inc(1);
                *done += 1;
                if bar.is_hidden() && last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    let (done, all) = (grouped(*done), grouped(*all));
                    let time = seconds(begin.elapsed().as_secs_f64());
                    say("taquin", format_args!("{done} of {all} searches, {time}"));
                }
            }
        }
    }

    /// The searches have ended.
    pub fn end(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
