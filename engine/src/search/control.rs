//! Limits of a search, and the means to cancel it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Clock, Journal};
use crate::Cancel;

/// Why a search ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// A [`Cancel`] handle was cancelled.
    Cancelled,
    /// The deadline passed.
    Time,
    /// The search reached its limit of nodes.
    Nodes,
    /// The search filled the memory that its limit grants.
    Memory,
    /// No solution has as few moves as the search was to look for.
    Moves,
    /// A solution is known that is as near the bound proved as was asked for.
    Gap,
    /// The method has done all that it does without limits, and the gap is larger than was asked for.
    Method,
}

impl Stop {
    /// All reasons.
    pub const ALL: [Stop; 7] = [
        Stop::Cancelled,
        Stop::Time,
        Stop::Nodes,
        Stop::Memory,
        Stop::Moves,
        Stop::Gap,
        Stop::Method,
    ];

    /// The reason as a word: `interrupt`, `time`, `nodes`, `memory`, `moves`, `gap` or
    /// `method`.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Cancelled => "interrupt",
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Moves => "moves",
            Stop::Gap => "gap",
            Stop::Method => "method",
        }
    }
}

impl fmt::Display for Stop {
    /// Writes the limit as in "no solution *within the time limit*".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Cancelled => "before the interrupt",
            Stop::Time => "within the time limit",
            Stop::Nodes => "within the node limit",
            Stop::Memory => "within the memory",
            Stop::Moves => "within the moves allowed",
            Stop::Gap => "because the gap is small enough",
            Stop::Method => "with this method",
        })
    }
}

/// The limits of one search.
///
/// A search asks every few thousand nodes, so it ends within milliseconds of a deadline, and
/// generates some thousand nodes more a thread than its limit. It then reports the bound proved
/// so far in its [`Outcome`](super::Outcome).
///
/// ```
/// use taquin_engine::search::{Cancel, Control, Stop};
///
/// let cancel = Cancel::new();
/// let control = Control::default().with_cancel(&cancel).with_nodes(1_000_000);
/// assert_eq!(control.check(999_999), None);
/// assert_eq!(control.check(1_000_000), Some(Stop::Nodes));
/// cancel.cancel();
/// assert_eq!(control.check(0), Some(Stop::Cancelled));
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Control {
    cancel: Cancel,
    reasons: Vec<Reason>,
    clock: Clock,
    time: Option<Duration>,
    nodes: Option<u64>,
    memory: Option<u64>,
    bound: Option<u32>,
    one_thread: bool,
    journal: Option<Arc<dyn Journal + Send + Sync>>,
}

/// A reason to end the search, and the function that decides whether it holds.
type Reason = (Stop, Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("clock", &self.clock)
            .field("time", &self.time)
            .field("nodes", &self.nodes)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Control {
    /// Sets the handle that cancels the search.
    pub fn with_cancel(self, cancel: &Cancel) -> Control {
        Control { cancel: cancel.clone(), ..self }
    }

    /// Limits the time from now on.
    ///
    /// Without effect on targets without a clock: see [`Control::with_deadline`].
    pub fn with_time(self, time: Duration) -> Control {
        self.with_time_of(Clock::start(), time)
    }

    /// Limits the time that a clock shows.
    pub fn with_time_of(self, clock: Clock, time: Duration) -> Control {
        Control { clock, time: Some(time), ..self }
    }

    /// The clock that the limit of time is compared with.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    pub(super) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Adds a deadline that has passed once `passed` returns true.
    pub fn with_deadline(self, passed: impl Fn() -> bool + Send + Sync + 'static) -> Control {
        self.with_reason(Stop::Time, passed)
    }

    /// Adds a reason that ends the search once `holds` returns true. The search calls it every few
    /// thousand nodes, from all its threads.
    pub fn with_reason(
        mut self,
        stop: Stop,
        holds: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Control {
        self.reasons.push((stop, Arc::new(holds)));
        self
    }

    /// The remaining time, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.clock.elapsed()))
    }

    /// Sets a limit on the nodes that the search generates.
    pub fn with_nodes(self, nodes: u64) -> Control {
        Control { nodes: Some(nodes), ..self }
    }

    /// Sets a limit on the bytes of the positions that the search remembers. IDA* remembers none.
    pub fn with_memory(self, bytes: u64) -> Control {
        Control { memory: Some(bytes), ..self }
    }

    /// Ends a search that remembers positions once it has proved this bound.
    pub fn with_bound(self, bound: u32) -> Control {
        Control { bound: Some(bound), ..self }
    }

    /// Reports a bound that is proved. Returns the reason if it is all that was wanted.
    #[doc(hidden)]
    pub fn proved(&self, bound: u32) -> Option<Stop> {
        self.journal().proved(bound);
        self.bound.is_some_and(|wanted| bound >= wanted).then_some(Stop::Gap)
    }

    /// Keeps the search of a [`SlideEngine`](super::SlideEngine) on the thread that begins it.
    pub fn on_one_thread(self) -> Control {
        Control { one_thread: true, ..self }
    }

    /// Returns whether the search stays on the thread that begins it.
    pub(super) fn is_on_one_thread(&self) -> bool {
        self.one_thread
    }

    /// Sets the journal that receives the progress.
    pub fn with_journal(self, journal: Arc<dyn Journal + Send + Sync>) -> Control {
        Control { journal: Some(journal), ..self }
    }

    /// Adds a journal.
    pub fn reporting_also_to(self, journal: Arc<dyn Journal + Send + Sync>) -> Control {
        match self.journal.clone() {
            Some(first) => self.with_journal(Arc::new((first, journal))),
            None => self.with_journal(journal),
        }
    }

    /// The journal.
    pub fn journal(&self) -> &dyn Journal {
        self.journal.as_deref().map_or(&(), |journal| journal)
    }

    /// Returns whether the search was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the reason if a search that has generated this many nodes must end. Costs some 25 ns
    /// with a limit of time, so searches ask every few thousand nodes.
    pub fn check(&self, generated: u64) -> Option<Stop> {
        if self.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        if let Some((stop, _)) = self.reasons.iter().find(|(_, holds)| holds()) {
            Some(*stop)
        } else if generated >= self.nodes() {
            Some(Stop::Nodes)
        } else {
            (self.time_left() == Some(Duration::ZERO)).then_some(Stop::Time)
        }
    }

    /// The number of nodes that the search may generate.
    pub fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// The bytes that the search may remember positions in, if that is limited.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_and_distinguished() {
        let control = Control::default();
        assert_eq!(control.check(u64::MAX - 1), None);
        assert_eq!(control.clone().with_time(Duration::ZERO).check(0), Some(Stop::Time));
        assert_eq!(control.clone().with_time(Duration::MAX).check(0), None);
        assert_eq!(control.clone().with_deadline(|| true).check(0), Some(Stop::Time));
        assert_eq!(control.clone().with_deadline(|| false).check(0), None);
        let hour = Duration::from_secs(3600);
        assert_eq!(
            control.clone().with_deadline(|| true).with_time(hour).check(0),
            Some(Stop::Time)
        );
        let spent = control.clone().with_time_of(Clock::after(hour), hour);
        assert_eq!((spent.check(0), spent.time_left()), (Some(Stop::Time), Some(Duration::ZERO)));
        assert_eq!(control.clone().with_time_of(Clock::default(), hour).time_left(), Some(hour));
        let near = control.clone().with_reason(Stop::Gap, || true);
        assert_eq!(near.with_nodes(0).with_time(Duration::ZERO).check(0), Some(Stop::Gap));
        assert_eq!(control.clone().with_nodes(0).check(0), Some(Stop::Nodes));
        assert_eq!(control.with_memory(7).memory(), Some(7));
    }

    #[test]
    fn a_handle_cancels_all_that_have_it() {
        let cancel = Cancel::new();
        let one = Control::default().with_cancel(&cancel);
        let other = one.clone().with_nodes(5);
        cancel.clone().cancel();
        assert_eq!((one.check(0), other.check(9)), (Some(Stop::Cancelled), Some(Stop::Cancelled)));
        assert!(cancel.is_cancelled() && one.is_cancelled());
        assert_eq!(Control::default().check(0), None);
    }
}
