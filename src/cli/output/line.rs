//! A line about a long search: how far it is, nodes, nodes a second, and time.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressStyle};

use crate::search::Threshold;
use crate::text::plural;

/// A line on the standard error, where it is a terminal. It disappears when it is dropped.
pub struct Line {
    bar: ProgressBar,
    start: Instant,
    shown: Instant,
    /// Nodes generated since the line exists.
    nodes: u64,
    aim: Aim,
}

/// The knowledge about the search.
#[derive(Clone, Debug, Default, PartialEq)]
enum Aim {
    #[default]
    Nothing,
    Iteration(Iteration),
    /// No solution is shorter.
    Bound(u32),
    /// So many tiles are at home.
    Home(usize),
    /// The length of the best solution, in words.
    Best(String),
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
    /// It was searched up to the first solution, and is now searched to its end.
    counts: bool,
}

/// The time without a line at first, and between two changes of it.
const WAIT: Duration = Duration::from_millis(200);

/// The growth where nothing is known yet.
const GROWTH: f64 = 8.0;

impl Line {
    /// A line that is empty at first.
    pub fn new(all: &MultiProgress) -> Line {
        let bar = all.add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let start = Instant::now();
        Line { bar, start, shown: start, nodes: 0, aim: Aim::Nothing }
    }

    /// An iteration starts. Returns whether it is the last one again, for all solutions.
    pub fn threshold(&mut self, threshold: &Threshold) -> bool {
        let growth = match threshold.history[..] {
            [.., (_, before), (_, last)] if before > 0 => (last as f64 / before as f64).max(2.0),
            _ => GROWTH,
        };
        let last = threshold.history.last().map_or(0.0, |&(_, nodes)| nodes as f64);
        let before = match self.aim {
            Aim::Iteration(iteration) => Some(iteration.threshold),
            _ => None,
        };
        let counts = before == Some(threshold.bound);
        self.aim = Aim::Iteration(Iteration {
            threshold: threshold.bound,
            before: self.nodes,
            expected: last * growth,
            growth,
            counts,
        });
        counts
    }

    /// No solution is shorter.
    pub fn bound(&mut self, bound: u32) {
        self.aim = Aim::Bound(bound);
        self.refresh();
    }

    /// More tiles are placed.
    pub fn home(&mut self, tiles: usize) {
        let before = if let Aim::Home(before) = self.aim { before } else { 0 };
        self.aim = Aim::Home(before + tiles);
        self.refresh();
    }

    /// A shorter solution is found.
    pub fn best(&mut self, length: String) {
        self.aim = Aim::Best(length);
        self.refresh();
    }

    /// More nodes are generated.
    pub fn nodes(&mut self, more: u64) {
        self.nodes += more;
        self.refresh();
    }

    fn refresh(&mut self) {
        if self.shown.elapsed() >= WAIT {
            self.draw();
        }
    }

    fn draw(&mut self) {
        self.shown = Instant::now();
        if !self.bar.is_hidden() {
            self.bar.set_message(self.aim.describe(self.nodes, self.start.elapsed()));
            self.bar.tick();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Aim {
    fn describe(&self, nodes: u64, elapsed: Duration) -> String {
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-3);
        let searched =
            format!("{:.1} M nodes  {:.1} M/s  {}", nodes as f64 / 1e6, rate / 1e6, Short(elapsed));
        match self {
            Aim::Nothing => searched,
            Aim::Iteration(iteration) => iteration.describe(&searched, nodes, rate),
            Aim::Bound(bound) => format!("at least {}  {searched}", plural(*bound, "move")),
            Aim::Home(tiles) => format!("{} at home  {searched}", plural(*tiles as u64, "tile")),
            Aim::Best(length) => format!("{length} so far  {searched}"),
        }
    }
}

/// A time in one short word, so that the line fits a terminal of 80 columns.
struct Short(Duration);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < Duration::from_secs(1) {
            return f.write_str("<1s");
        }
        write!(f, "{:#}", HumanDuration(self.0))
    }
}

impl Iteration {
    fn describe(&self, searched: &str, nodes: u64, rate: f64) -> String {
        let left = (self.expected - (nodes - self.before.min(nodes)) as f64).max(0.0);
        let time = |nodes: f64| {
            Short(Duration::try_from_secs_f64(nodes / rate.max(1.0)).unwrap_or(Duration::MAX))
        };
        let Iteration { threshold, expected, growth, .. } = self;
        if self.counts {
            return format!("counting  threshold {threshold}  {searched}  {} left", time(left));
        }
        format!(
            "threshold {threshold}  {searched}  {} left, {} for the next",
            time(left),
            time(expected * growth),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line::new(&MultiProgress::new())
    }

    #[test]
    fn the_line_estimates_the_time_left() {
        let mut line = line();
        let history = vec![(80, 1_000_000), (82, 10_000_000)];
        let threshold = Threshold { bound: 84, history, ..Threshold::default() };
        assert!(!line.threshold(&threshold));
        let seconds = Duration::from_secs(5);
        assert_eq!(
            line.aim.describe(50_000_000, seconds),
            "threshold 84  50.0 M nodes  10.0 M/s  5s  5s left, 2m for the next"
        );
        // Once more, for all solutions.
        assert!(line.threshold(&threshold));
        assert_eq!(
            line.aim.describe(50_000_000, seconds),
            "counting  threshold 84  50.0 M nodes  10.0 M/s  5s  5s left"
        );
        // With nothing known and no time gone by, nothing is divided by zero.
        line.threshold(&Threshold::default());
        assert!(line.aim.describe(0, Duration::ZERO).starts_with("threshold 0"));
    }

    #[test]
    fn every_search_has_a_line() {
        let mut line = line();
        let text = |line: &Line| line.aim.describe(3_000_000, Duration::from_secs(2));
        assert_eq!(text(&line), "3.0 M nodes  1.5 M/s  2s");
        line.bound(34);
        assert_eq!(text(&line), "at least 34 moves  3.0 M nodes  1.5 M/s  2s");
        line.home(3);
        line.home(4);
        assert_eq!(text(&line), "7 tiles at home  3.0 M nodes  1.5 M/s  2s");
        line.best("187 moves".to_owned());
        assert_eq!(text(&line), "187 moves so far  3.0 M nodes  1.5 M/s  2s");
    }
}
