//! The time that is spent on a board.

use std::time::{Duration, Instant};

/// The time that is spent on a board, wherever its search runs. A copy of a running clock runs on.
///
/// A clock runs while threads work on its board alone. It stands still while lanes of a stream
/// search the board among others, and is charged the board's share of the thread's time.
///
/// It always stands still on targets without a clock, as `wasm32-unknown-unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// The time before it ran.
    spent: Duration,
    since: Option<Instant>,
}

impl Clock {
    /// False on targets without a clock.
    pub(crate) const IS_THERE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

    /// A clock that runs from now on.
    pub fn start() -> Clock {
        Clock::default().run()
    }

    /// A clock that stands still after this much time.
    pub fn after(spent: Duration) -> Clock {
        Clock { spent, since: None }
    }

    /// This clock, running.
    #[must_use]
    pub fn run(self) -> Clock {
        let since = now();
        Clock { spent: self.at(since), since }
    }

    /// The time spent so far.
    pub fn elapsed(&self) -> Duration {
        self.at(self.since.and_then(|_| now()))
    }

    /// Adds time that was spent while it stood still.
    pub(crate) fn charge(&mut self, time: Duration) {
        self.spent += time;
    }

    /// The time spent so far, after which the clock begins anew.
    pub(crate) fn lap(&mut self) -> Duration {
        let Clock { spent, since } = self.run();
        *self = Clock { spent: Duration::ZERO, since };
        spent
    }

    fn at(&self, now: Option<Instant>) -> Duration {
        let running = now.zip(self.since).map(|(now, since)| now.duration_since(since));
        self.spent + running.unwrap_or_default()
    }
}

fn now() -> Option<Instant> {
    Clock::IS_THERE.then(Instant::now)
}
