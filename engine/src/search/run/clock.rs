//! The time that is spent on a board.

use std::time::{Duration, Instant};

/// The time that is spent on a board, wherever its search runs.
///
/// ```text
/// clock = Clock::start()           threads work on this board alone: the clock and its copies run
/// clock = Clock::after(elapsed)    lanes of a stream search it among other boards: the clock is stopped,
/// clock.charge(share)              and the stream adds the board's share of the thread's time
/// clock = clock.run()              threads work on it alone again: the clock runs on
/// ```
///
/// Targets without a clock, as `wasm32-unknown-unknown`, measure no time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// The time before `since`.
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

    /// A stopped clock that shows this much time.
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

    /// Adds time to a stopped clock.
    pub(crate) fn charge(&mut self, time: Duration) {
        self.spent += time;
    }

    /// The time spent so far. The clock then starts again, from 0.
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
