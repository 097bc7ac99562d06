//! A line about a long search: threshold, nodes, nodes a second, time, and how long it may take.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::search::Threshold;

/// A line on the standard error, where it is a terminal. It disappears when it is dropped.
pub struct Line {
    bar: ProgressBar,
    start: Instant,
    /// Nodes generated since the line exists.
    nodes: u64,
    iteration: Iteration,
}

/// An iteration of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Iteration {
    threshold: u32,
    /// Nodes generated before it, since the line exists.
    before: u64,
    /// Its expected nodes.
    expected: f64,
    /// The expected factor to the nodes of the next iteration.
    growth: f64,
}

/// Nodes between two changes of the line.
const SHOW: u64 = 1 << 22;

/// The growth where nothing is known yet.
const GROWTH: f64 = 8.0;

impl Line {
    /// A line that is empty until enough nodes are generated.
    pub fn new() -> Line {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Line { bar, start: Instant::now(), nodes: 0, iteration: Iteration::default() }
    }

    /// An iteration starts.
    pub fn threshold(&mut self, threshold: &Threshold) {
        let growth = match threshold.history[..] {
            [.., (_, before), (_, last)] if before > 0 => (last as f64 / before as f64).max(2.0),
            _ => GROWTH,
        };
        let last = threshold.history.last().map_or(0.0, |&(_, nodes)| nodes as f64);
        self.iteration = Iteration {
            threshold: threshold.bound,
            before: self.nodes,
            expected: last * growth,
            growth,
        };
    }

    /// More nodes are generated.
    pub fn nodes(&mut self, more: u64) {
        let before = self.nodes;
        self.nodes += more;
        if before / SHOW != self.nodes / SHOW && !self.bar.is_hidden() {
            self.bar.set_message(self.iteration.describe(self.nodes, self.start.elapsed()));
            self.bar.tick();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Iteration {
    fn describe(&self, nodes: u64, elapsed: Duration) -> String {
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = (self.expected - (nodes - self.before.min(nodes)) as f64).max(0.0);
        let time = |nodes: f64| {
            HumanDuration(
                Duration::try_from_secs_f64(nodes / rate.max(1.0)).unwrap_or(Duration::MAX),
            )
        };
        format!(
            "threshold {}  {:.1} M nodes  {:.1} M/s  {}  about {} more for this threshold, {} for the next",
            self.threshold,
            nodes as f64 / 1e6,
            rate / 1e6,
            HumanDuration(elapsed),
            time(left),
            time(self.expected * self.growth),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_estimates_the_time_left() {
        let mut line = Line::new();
        let history = vec![(80, 1_000_000), (82, 10_000_000)];
        line.threshold(&Threshold { bound: 84, history, ..Threshold::default() });
        assert_eq!((line.iteration.expected, line.iteration.growth), (1e8, 10.0));
        let text = line.iteration.describe(50_000_000, Duration::from_secs(5));
        assert_eq!(
            text,
            "threshold 84  50.0 M nodes  10.0 M/s  5 seconds  about 5 seconds more for this threshold, 2 minutes for the next"
        );
        // With nothing known and no time gone by, nothing is divided by zero.
        line.threshold(&Threshold::default());
        assert!(line.iteration.describe(0, Duration::ZERO).starts_with("threshold 0"));
    }
}
