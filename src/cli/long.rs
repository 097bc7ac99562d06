//! Searches that take minutes: shown as they go on, and kept for later.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::args::checkpoint::CheckpointArgs;
use super::checkpoint::{Checkpoint, CheckpointError};
use super::databases::TableBytes;
use super::output::streams::say;
use crate::pdb::BrokenTable;
use crate::search::{Catalogue, Control, Journal, Outcome, Packet, Stage, staged};

/// Solves a board, or finds bounds of its length where a limit ends the search: the lower one is
/// proved, the upper one that of a solution by stages.
pub(super) fn search(
    catalogue: &Catalogue<TableBytes>,
    labels: &[u8],
    control: &Control,
    args: &CheckpointArgs,
) -> Result<Result<Outcome, BrokenTable>, CheckpointError> {
    let (checkpoint, saved) = match Checkpoint::open(args, labels, catalogue)? {
        Some((checkpoint, saved)) => (Some(checkpoint), saved),
        None => (None, None),
    };
    let restored = saved.as_ref().map(|saved| saved.packets());
    let log = Log { checkpoint, line: Line::new() };
    let outcome = match saved {
        Some(saved) => catalogue.resume(labels, saved, control, &log),
        None => catalogue.solve(labels, control, &log),
    };
    drop(log.line);
    if let Some(checkpoint) = log.checkpoint {
        let packets = checkpoint.close()?;
        if let Some(restored) = restored {
            say(
                "taquin",
                format_args!("packets: {packets}, {restored} of them from the checkpoint"),
            );
        } else {
            say("taquin", format_args!("packets: {packets}"));
        }
    }
    Ok(outcome.map(|mut outcome| {
        if outcome.path.is_none() && outcome.stopped.is_some() {
            let pattern = catalogue.tables()[0].pattern();
            outcome.path = Some(staged(pattern.grid(), pattern.blank(), labels, |_| ()));
        }
        outcome
    }))
}

/// Hands on what a search tells.
struct Log {
    checkpoint: Option<Checkpoint>,
    line: Line,
}

impl Journal for Log {
    fn begins(&self, stage: &Stage, _packets: usize) {
        self.line.begins(stage);
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.begins(stage);
        }
    }

    fn finished(&self, packet: Packet) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.finished(packet);
        }
    }

    fn searched(&self, nodes: u64) {
        self.line.searched(nodes);
    }
}

/// A line on the standard error, if that is a terminal: threshold, nodes, nodes a second, time, and
/// what is to be expected.
struct Line {
    bar: ProgressBar,
    /// Nodes of this run.
    nodes: AtomicU64,
    start: Instant,
    iteration: Mutex<Iteration>,
}

#[derive(Clone, Copy, Default)]
struct Iteration {
    bound: u32,
    /// Nodes of the run before it.
    before: u64,
    /// Nodes that it is expected to have, and by how much more the next one.
    expected: f64,
    growth: f64,
}

/// Nodes between two changes of the line.
const SHOW: u64 = 1 << 22;

/// How many times the nodes of an iteration the next one has, where nothing is known yet.
const GROWTH: f64 = 8.0;

impl Line {
    fn new() -> Line {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        let (nodes, iteration) = (AtomicU64::new(0), Mutex::default());
        Line { bar, nodes, start: Instant::now(), iteration }
    }

    fn begins(&self, stage: &Stage) {
        let growth = match stage.history[..] {
            [.., (_, before), (_, last)] if before > 0 => (last as f64 / before as f64).max(2.0),
            _ => GROWTH,
        };
        let last = stage.history.last().map_or(0.0, |&(_, nodes)| nodes as f64);
        let before = self.nodes.load(Ordering::Relaxed);
        let next = Iteration { bound: stage.bound, before, expected: last * growth, growth };
        *self.iteration.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }

    fn searched(&self, more: u64) {
        let before = self.nodes.fetch_add(more, Ordering::Relaxed);
        if before / SHOW == (before + more) / SHOW || self.bar.is_hidden() {
            return;
        }
        let iteration = *self.iteration.lock().unwrap_or_else(PoisonError::into_inner);
        self.bar.set_message(iteration.describe(before + more, self.start.elapsed()));
        self.bar.tick();
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
            self.bound,
            nodes as f64 / 1e6,
            rate / 1e6,
            HumanDuration(elapsed),
            time(left),
            time(self.expected * self.growth),
        )
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_is_to_come() {
        let line = Line::new();
        let history = vec![(80, 1_000_000), (82, 10_000_000)];
        line.begins(&Stage { bound: 84, history, ..Stage::default() });
        let iteration = *line.iteration.lock().unwrap();
        assert_eq!((iteration.expected, iteration.growth), (1e8, 10.0));
        let text = iteration.describe(50_000_000, Duration::from_secs(5));
        assert_eq!(
            text,
            "threshold 84  50.0 M nodes  10.0 M/s  5 seconds  about 5 seconds more for this threshold, 2 minutes for the next"
        );
        // Nothing known yet, no time gone by: no division by zero.
        line.begins(&Stage::default());
        let first = *line.iteration.lock().unwrap();
        assert!(first.describe(0, Duration::ZERO).starts_with("threshold 0"));
    }
}
