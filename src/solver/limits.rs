//! Limits of the search of a board.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::search::{Cancel, Clock, Control, Journal, Stop};

/// Limits of the search of a board, and the handle that cancels it. By default there are none.
///
/// Limits are for each board. Its time is the time that is spent on it: while a thread of a
/// [`Stream`](super::Stream) searches many boards at once, each is charged an equal share of the
/// thread's time. Building and loading databases does not count, and only the handle to cancel ends it.
///
/// ```
/// use std::time::Duration;
/// use taquin::{Cancel, Limits};
///
/// let cancel = Cancel::new();
/// let limits = Limits::default().time(Duration::from_secs(10)).cancel(&cancel);
/// # let _ = limits;
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Limits {
    time: Option<Duration>,
    deadline: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
    nodes: Option<u64>,
    memory: Option<u64>,
    moves: Option<u32>,
    gap: u32,
    cancel: Cancel,
    /// True if a search stays on the thread that begins it, where it can.
    one_thread: bool,
    /// Cancelled if nobody wants the answer any more.
    dropped: Cancel,
    /// Receives the progress of plain searches.
    journal: Option<Arc<dyn Journal + Send + Sync>>,
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("time", &self.time)
            .field("nodes", &self.nodes)
            .field("memory", &self.memory)
            .field("moves", &self.moves)
            .field("gap", &self.gap)
            .finish_non_exhaustive()
    }
}

impl Limits {
    /// Limits the time. A search looks at the clock every few thousand nodes, a beam once a level. A
    /// solution by stages or by [`Method::Greedy`](super::Method::Greedy) is completed even if that
    /// takes longer.
    ///
    /// Without effect on `wasm32-unknown-unknown`, which has no clock: see [`Limits::deadline`].
    pub fn time(self, time: Duration) -> Limits {
        // Without a clock this would be a limit that never ends a search.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Limits { time: has_clock.then_some(time), ..self }
    }

    /// Ends the search once `passed` returns true, in addition to [`Limits::time`]. It is called every few
    /// thousand nodes, from all threads of the search.
    pub fn deadline(self, passed: impl Fn() -> bool + Send + Sync + 'static) -> Limits {
        Limits { deadline: Some(Arc::new(passed)), ..self }
    }

    /// Limits the number of nodes generated: the nodes of the proof, or of all steps of a method that is not
    /// optimal, except the stages of its first solution.
    pub fn nodes(self, nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Limits the bytes of the positions that A* and breadth-first search remember, and of the positions on
    /// the solutions that [`Solver::solutions`](super::Solver::solutions) counts. Without a limit they take
    /// up to 2 GiB.
    pub fn memory(self, bytes: u64) -> Limits {
        Limits { memory: Some(bytes), ..self }
    }

    /// Makes A* and breadth-first search look for solutions of at most this many moves.
    pub fn moves(self, moves: u32) -> Limits {
        Limits { moves: Some(moves), ..self }
    }

    /// Ends the search once the best solution known has at most this many moves more than the lower
    /// bound proved; 0 asks for a proof. While a search that may take long proves bounds, beams look
    /// for shorter solutions.
    ///
    /// Without effect on [`Method::Staged`](super::Method::Staged) and
    /// [`Method::Greedy`](super::Method::Greedy), and on single-tile searches of the fast engine on
    /// boards of up to 16 cells, whose proof takes no longer than a beam.
    pub fn gap(self, moves: u32) -> Limits {
        Limits { gap: moves, ..self }
    }

    /// Sets the handle that cancels the search, and the building of its databases.
    pub fn cancel(self, cancel: &Cancel) -> Limits {
        Limits { cancel: cancel.clone(), ..self }
    }

    /// These limits for searches whose answers are not wanted once `dropped` is cancelled.
    pub(super) fn unless_dropped(&self, dropped: &Cancel) -> Limits {
        Limits { dropped: dropped.clone(), ..self.clone() }
    }

    /// These limits for a search that runs at the same time as others.
    pub(super) fn on_one_thread(&self) -> Limits {
        Limits { one_thread: true, ..self.clone() }
    }

    /// The most nodes.
    pub(super) fn most_nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// These limits with a part of the time.
    pub(super) fn share_of_time(&self, share: f64) -> Limits {
        Limits { time: self.time.map(|time| time.mul_f64(share)), ..self.clone() }
    }

    /// These limits for work without nodes.
    pub(crate) fn without_nodes(&self) -> Limits {
        Limits { nodes: None, ..self.clone() }
    }

    /// These limits for searches that report to a journal.
    pub(super) fn reporting_to(&self, journal: Arc<dyn Journal + Send + Sync>) -> Limits {
        Limits { journal: Some(journal), ..self.clone() }
    }

    /// These limits for searches that report to one more journal.
    pub(super) fn reporting_also_to(&self, journal: Arc<dyn Journal + Send + Sync>) -> Limits {
        match self.journal.clone() {
            Some(first) => self.reporting_to(Arc::new((first, journal))),
            None => self.reporting_to(journal),
        }
    }

    /// A control without limits, which only the cancel handles end.
    pub(super) fn until_cancelled(&self) -> Control {
        let dropped = self.dropped.clone();
        let control = Control::default().with_cancel(&self.cancel);
        let control = control.with_reason(Stop::Cancelled, move || dropped.is_cancelled());
        if self.one_thread { control.on_one_thread() } else { control }
    }

    pub(super) fn most_moves(&self) -> Option<u32> {
        self.moves
    }

    /// The gap that is small enough.
    pub(super) fn largest_gap(&self) -> u32 {
        self.gap
    }

    pub(super) fn handle(&self) -> &Cancel {
        &self.cancel
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether anything but the handle ends a search that remembers no positions.
    pub(super) fn is_limited(&self) -> bool {
        self.time.is_some() || self.deadline.is_some() || self.nodes.is_some()
    }

    /// The control of a search, with the clock of its board.
    pub(crate) fn control(&self, clock: Clock) -> Control {
        let mut control = self.until_cancelled();
        if let Some(passed) = self.deadline.clone() {
            control = control.with_deadline(move || passed());
        }
        if let Some(time) = self.time {
            control = control.with_time_of(clock, time);
        }
        if let Some(nodes) = self.nodes {
            control = control.with_nodes(nodes);
        }
        if let Some(bytes) = self.memory {
            control = control.with_memory(bytes);
        }
        if let Some(journal) = &self.journal {
            control = control.with_journal(journal.clone());
        }
        control
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_has_the_limits() {
        let none = Limits::default().control(Clock::start());
        assert_eq!((none.check(u64::MAX - 1), none.memory()), (None, None));
        let cancel = Cancel::new();
        let limits = Limits::default().nodes(5).memory(9).moves(7).cancel(&cancel);
        let control = limits.control(Clock::start());
        assert_eq!((control.check(4), control.check(5)), (None, Some(Stop::Nodes)));
        assert_eq!((control.memory(), limits.most_moves()), (Some(9), Some(7)));
        let limits = limits.time(Duration::from_secs(3600));
        assert_eq!(limits.control(Clock::start()).check(0), None);
        assert_eq!(
            limits.control(Clock::after(Duration::from_secs(3600))).check(0),
            Some(Stop::Time)
        );
        assert!(limits.is_limited() && !Limits::default().is_limited());
        let late = Limits::default().deadline(|| true).time(Duration::from_secs(3600));
        assert_eq!(late.control(Clock::start()).check(0), Some(Stop::Time));
        cancel.cancel();
        assert_eq!(control.check(0), Some(Stop::Cancelled));
        assert!(limits.is_cancelled());
    }
}
