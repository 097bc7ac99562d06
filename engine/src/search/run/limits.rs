//! Limits of a search, the means to cancel it, and the channel of its events.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::clock::Clock;
use super::event::Event;
use crate::Cancel;

/// Why a search ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Stop {
    /// A [`Cancel`] handle was cancelled.
    #[cfg_attr(feature = "serde", serde(rename = "interrupt"))]
    Cancelled,
    /// The deadline passed.
    Time,
    /// The search reached its limit of nodes.
    Nodes,
    /// The search filled the memory that its limit grants.
    Memory,
    /// No solution is within the maximum number of moves.
    Moves,
    /// The best solution is within the requested gap.
    Gap,
    /// The method has done all that it does without limits, and the gap is larger than the requested one.
    Method,
}

impl Stop {
    /// The reason as a word: `interrupt`, `time`, `nodes`, `memory`, `moves`, `gap` or
    /// `method`.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// The name, and the limit as in "no solution *within the time limit*".
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Stop::Cancelled => ("interrupt", "before the interrupt"),
            Stop::Time => ("time", "within the time limit"),
            Stop::Nodes => ("nodes", "within the node limit"),
            Stop::Memory => ("memory", "within the memory"),
            Stop::Moves => ("moves", "within the moves allowed"),
            Stop::Gap => ("gap", "because the gap is small enough"),
            Stop::Method => ("method", "with this method"),
        }
    }
}

impl fmt::Display for Stop {
    /// Writes the limit as in "no solution *within the time limit*".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().1)
    }
}

/// Limits of the search of a board, the handle that cancels it, and those who listen to its events. By
/// default there are none.
///
/// A search asks every few thousand nodes, so it ends within milliseconds of a limit of time, and
/// generates some thousand nodes more a thread than its limit. It then reports the bound proved
/// so far.
///
/// The limits of a solver are for each board. Its time is the time that is spent on it: while a thread of a
/// stream searches many boards at once, each is charged an equal share of the thread's time. Loading
/// databases does not count, nor does building them before the search begins, which only the handle to cancel ends. To
/// build larger ones on the way counts, and the limits end it.
///
/// ```
/// use taquin_engine::search::{Cancel, Limits, Stop};
///
/// let cancel = Cancel::new();
/// let limits = Limits::default().cancel(&cancel).nodes(1_000_000);
/// assert_eq!(limits.check(999_999), None);
/// assert_eq!(limits.check(1_000_000), Some(Stop::Nodes));
/// cancel.cancel();
/// assert_eq!(limits.check(0), Some(Stop::Cancelled));
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Limits {
    /// The handle that cancels the search.
    pub cancel: Cancel,
    reasons: Vec<Reason>,
    /// The clock that the limit of time is compared with.
    pub clock: Clock,
    time: Option<Duration>,
    nodes: Option<u64>,
    memory: Option<u64>,
    /// The most moves that A* and breadth-first search look for.
    pub moves: Option<u32>,
    /// The gap that is small enough.
    pub gap: u32,
    bound: Option<u32>,
    /// Whether a search of slides stays on the thread that begins it.
    pub(crate) one_thread: bool,
    listeners: Vec<Listener>,
}

/// A reason to end the search, and the function that decides whether it holds.
type Reason = (Stop, Arc<dyn Fn() -> bool + Send + Sync>);

type Listener = Arc<dyn Fn(&Event<'_>) + Send + Sync>;

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
    /// Sets the handle that cancels the search, and the building of its databases.
    pub fn cancel(self, cancel: &Cancel) -> Limits {
        Limits { cancel: cancel.clone(), ..self }
    }

    /// Limits the time. A search looks at the clock every few thousand nodes, a beam once per level. A
    /// solution by stages or by the method `greedy` is completed even if that takes longer.
    ///
    /// A solver runs the clock. Other callers set it, by [`Limits::on`]. Without effect on
    /// `wasm32-unknown-unknown`, which has no clock: see [`Limits::deadline`].
    pub fn time(self, time: Duration) -> Limits {
        // Without a clock this would be a limit that never ends a search.
        Limits { time: Clock::IS_THERE.then_some(time), ..self }
    }

    /// Sets the clock that the limit of time is compared with. By default it is stopped.
    pub fn on(self, clock: Clock) -> Limits {
        Limits { clock, ..self }
    }

    /// These limits with a part of the time.
    pub fn share_of_time(self, share: f64) -> Limits {
        let part = |time: Duration| if share < 1.0 { time.mul_f64(share) } else { time };
        Limits { time: self.time.map(part), ..self }
    }

    /// The remaining time, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.clock.elapsed()))
    }

    /// Ends the search once `passed` returns true, in addition to [`Limits::time`]. It is called every few
    /// thousand nodes, from all threads of the search.
    pub fn deadline(self, passed: impl Fn() -> bool + Send + Sync + 'static) -> Limits {
        self.reason(Stop::Time, passed)
    }

    /// Adds a reason that ends the search once `holds` returns true. The search calls it every few
    /// thousand nodes, from all its threads.
    pub fn reason(
        mut self,
        stop: Stop,
        holds: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Limits {
        self.reasons.push((stop, Arc::new(holds)));
        self
    }

    /// Limits the number of nodes generated: the nodes of the proof, or of all steps of a method that is not
    /// optimal, except the stages of its first solution.
    pub fn nodes(self, nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..self }
    }

    /// The number of nodes that the search may generate.
    pub fn most_nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// Limits the bytes of the positions that A* and breadth-first search remember, and of the positions on
    /// the solutions that are counted. Without a limit they take up to 2 GiB.
    pub fn memory(self, bytes: u64) -> Limits {
        Limits { memory: Some(bytes), ..self }
    }

    /// The bytes that the search may remember positions in: 2 GiB without a limit.
    pub fn most_memory(&self) -> u64 {
        self.memory.unwrap_or(2 << 30)
    }

    /// Makes A* and breadth-first search look for solutions of at most this many moves.
    pub fn moves(self, moves: u32) -> Limits {
        Limits { moves: Some(moves), ..self }
    }

    /// Ends the search once the best solution known has at most this many moves more than the lower
    /// bound proved; 0 asks for a proof. While a search that may take long proves bounds, beams look
    /// for shorter solutions.
    ///
    /// Without effect on the methods `staged` and `greedy`, and on single-tile searches of the fast engine
    /// on boards of up to 16 cells, whose proof takes no longer than a beam.
    pub fn gap(self, moves: u32) -> Limits {
        Limits { gap: moves, ..self }
    }

    /// Ends a search that remembers positions once it has proved this bound.
    pub fn bound(self, bound: u32) -> Limits {
        Limits { bound: Some(bound), ..self }
    }

    /// Reports a bound that is proved. Returns the reason if it is all that was wanted.
    pub fn proved(&self, bound: u32) -> Option<Stop> {
        self.report(&Event::Bound(bound));
        self.bound.is_some_and(|wanted| bound >= wanted).then_some(Stop::Gap)
    }

    /// Keeps the search of a [`SlideEngine`](crate::search::SlideEngine) on the thread that begins it.
    pub fn on_one_thread(self) -> Limits {
        Limits { one_thread: true, ..self }
    }

    /// Adds a function that receives the events of the search, from all its threads.
    pub fn listener(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Limits {
        self.listeners.push(Arc::new(listener));
        self
    }

    /// These limits without listeners.
    pub fn silent(self) -> Limits {
        Limits { listeners: Vec::new(), ..self }
    }

    /// Tells the listeners.
    pub fn report(&self, event: &Event<'_>) {
        self.listeners.iter().for_each(|listener| listener(event));
    }

    /// Returns whether the search was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether time or nodes are limited.
    pub fn is_limited(&self) -> bool {
        let is_deadline = |(stop, _): &Reason| *stop == Stop::Time;
        self.time.is_some() || self.nodes.is_some() || self.reasons.iter().any(is_deadline)
    }

    /// Returns the reason if a search that has generated this many nodes must end. Costs some 25 ns
    /// with a limit of time, so searches ask every few thousand nodes.
    pub fn check(&self, generated: u64) -> Option<Stop> {
        if self.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        if let Some((stop, _)) = self.reasons.iter().find(|(_, holds)| holds()) {
            Some(*stop)
        } else if generated >= self.most_nodes() {
            Some(Stop::Nodes)
        } else {
            (self.time_left() == Some(Duration::ZERO)).then_some(Stop::Time)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_and_distinguished() {
        let hour = Duration::from_secs(3600);
        let running = || Limits::default().on(Clock::start());
        let still = Limits::default;
        for (limits, stop) in [
            (still().nodes(u64::MAX), None),
            (still().nodes(0), Some(Stop::Nodes)),
            (running().time(Duration::ZERO), Some(Stop::Time)),
            (running().time(Duration::MAX), None),
            (running().deadline(|| true).time(hour), Some(Stop::Time)),
            (running().deadline(|| false).time(hour), None),
            (still().time(hour), None),
            (still().time(hour).on(Clock::after(hour)), Some(Stop::Time)),
            (still().time(hour).on(Clock::after(hour / 2)), None),
            (still().time(hour).share_of_time(0.5).on(Clock::after(hour / 2)), Some(Stop::Time)),
            // A reason comes before the other limits.
            (still().reason(Stop::Gap, || true).nodes(0).time(Duration::ZERO), Some(Stop::Gap)),
        ] {
            assert_eq!(limits.check(0), stop, "{limits:?}");
        }
        assert_eq!(still().check(u64::MAX - 1), None);
        assert_eq!(still().time(hour).time_left(), Some(hour));
        let limits = still().memory(9).moves(7).gap(2);
        let kept = (limits.memory, limits.moves, limits.gap);
        assert_eq!((kept, limits.is_limited()), ((Some(9), Some(7), 2), false));
        assert!(still().nodes(5).is_limited() && still().deadline(|| false).is_limited());
    }

    #[test]
    fn a_handle_cancels_all_that_have_it() {
        let cancel = Cancel::new();
        let one = Limits::default().cancel(&cancel);
        let other = one.clone().nodes(5);
        cancel.clone().cancel();
        assert_eq!((one.check(0), other.check(9)), (Some(Stop::Cancelled), Some(Stop::Cancelled)));
        assert!(cancel.is_cancelled() && one.is_cancelled());
        assert_eq!(Limits::default().check(0), None);
    }
}
