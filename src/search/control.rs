//! What ends a search before its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// [`Control::stop`] was called.
    Asked,
    /// The deadline passed.
    Time,
    /// As many nodes were generated as it was allowed to.
    Nodes,
    /// It filled the memory it was allowed to.
    Memory,
    /// There is no solution of as few moves as it was to look for.
    Moves,
}

/// The limits of one search, and the means to stop it from outside.
///
/// A search asks every few thousand nodes, so it ends within milliseconds of a deadline, and
/// generates some thousand nodes more a thread than its limit says. It then reports the bound
/// proved so far in its [`Outcome`](super::Outcome).
///
/// Clones have limits of their own, but are stopped together.
///
/// ```
/// use std::time::Duration;
/// use taquin::search::{Control, Stop};
///
/// let control = Control::default().with_time(Duration::from_secs(3600)).with_nodes(1_000_000);
/// assert_eq!(control.check(999_999), None);
/// assert_eq!(control.check(1_000_000), Some(Stop::Nodes));
/// control.clone().stop();
/// assert_eq!(control.check(0), Some(Stop::Asked));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    nodes: Option<u64>,
    memory: Option<u64>,
}

impl Control {
    /// The same with a deadline so far from now. One too far for the clock is none.
    pub fn with_time(self, time: Duration) -> Control {
        Control { deadline: Instant::now().checked_add(time), ..self }
    }

    /// The same with a limit on the nodes that a search generates.
    pub fn with_nodes(self, nodes: u64) -> Control {
        Control { nodes: Some(nodes), ..self }
    }

    /// The same with a limit on the bytes that a search takes for the positions it remembers.
    /// IDA* remembers none.
    pub fn with_memory(self, bytes: u64) -> Control {
        Control { memory: Some(bytes), ..self }
    }

    /// Stops all searches under this control and its clones.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether a search that has generated so many nodes is to end, and why. It costs some 25 ns
    /// where there is a deadline, so searches ask every few thousand nodes.
    pub fn check(&self, generated: u64) -> Option<Stop> {
        if self.is_stopped() {
            Some(Stop::Asked)
        } else if generated >= self.nodes() {
            Some(Stop::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// The nodes that a search may generate.
    pub fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// The bytes that a search may remember positions in; `None` where that is left to it.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_and_told_apart() {
        let control = Control::default();
        assert_eq!(control.check(u64::MAX - 1), None);
        assert_eq!(control.clone().with_time(Duration::ZERO).check(0), Some(Stop::Time));
        assert_eq!(control.clone().with_time(Duration::MAX).check(0), None);
        assert_eq!(control.clone().with_nodes(0).check(0), Some(Stop::Nodes));
        assert_eq!(control.clone().with_memory(7).memory(), Some(7));
    }

    #[test]
    fn clones_are_stopped_together() {
        let control = Control::default();
        let clone = control.clone().with_nodes(5);
        clone.stop();
        assert_eq!((control.check(0), clone.check(9)), (Some(Stop::Asked), Some(Stop::Asked)));
        assert_eq!(Control::default().check(0), None);
    }
}
