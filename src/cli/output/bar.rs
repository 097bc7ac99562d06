//! Progress bars on the standard error, where it is a terminal.

use std::thread;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::pdb::{Pattern, Progress};

/// A progress bar. It disappears when it is dropped.
pub struct Bar(ProgressBar);

// They fit a terminal of 80 columns.
const BUILDING: &str =
    "tiles {prefix}  level {msg:>2}  [{wide_bar}]  {human_pos} states  {elapsed}";
const PROVING: &str = "tiles {prefix}  [{wide_bar}]  {percent}% proved  {elapsed}";

const BOARDS: &str = "{human_pos} of {human_len} boards  [{wide_bar}]  {elapsed}, {eta} to go";
const STREAM: &str = "{human_pos} boards  {per_sec}  {elapsed}";

const PACKETS: &str = "{human_pos} of {human_len} packets  [{wide_bar}]  {elapsed}, {eta} to go";

const SEARCHING: &str =
    "{human_pos} of {human_len} searches  [{wide_bar}]  {elapsed}, {eta} to go  {msg:.24}";

impl Bar {
    /// A bar for building a table of `states` states.
    pub fn building(all: &MultiProgress, pattern: Pattern, states: u64) -> Bar {
        Bar::new(all, states, BUILDING).titled(pattern).ticking()
    }

    /// A bar for a proof of `steps` steps.
    pub fn proving(all: &MultiProgress, pattern: Pattern, steps: u64) -> Bar {
        Bar::new(all, steps, PROVING).titled(pattern).ticking()
    }

    /// A bar for boards, whose number may be unknown. It changes with each board, and at no other time.
    pub fn boards(all: &MultiProgress, total: Option<u64>) -> Bar {
        match total {
            Some(total) => Bar::new(all, total, BOARDS),
            None => Bar::new(all, 0, STREAM),
        }
    }

    /// A bar for packets.
    pub fn packets(packets: u64) -> Bar {
        Bar::new(&MultiProgress::new(), packets, PACKETS).ticking()
    }

    /// A bar for a number of searches.
    pub fn searching(searches: u64) -> Bar {
        Bar::new(&MultiProgress::new(), searches, SEARCHING).ticking()
    }

    fn new(all: &MultiProgress, length: u64, template: &str) -> Bar {
        // Draws nothing where the standard error is not a terminal.
        let bar = all.add(ProgressBar::new(length));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Bar(bar)
    }

    fn titled(self, pattern: Pattern) -> Bar {
        self.0.set_prefix(pattern.to_string());
        self
    }

    /// The elapsed time also changes between two levels, and after the last one.
    fn ticking(self) -> Bar {
        // This needs a thread, and the bar would panic without one.
        if !self.0.is_hidden() && thread::Builder::new().spawn(|| ()).is_ok() {
            self.0.enable_steady_tick(Duration::from_millis(200));
        }
        self
    }

    /// Shows the heuristic of the search that starts.
    pub fn on(&self, heuristic: &str) {
        self.0.set_message(heuristic.to_owned());
    }

    /// Returns whether nothing is drawn.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Counts a finished step.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Shows a finished level.
    pub fn level(&self, progress: Progress) {
        self.0.set_message(progress.level.to_string());
        self.0.set_position(progress.reached);
    }

    /// Sets the number of finished steps.
    pub fn steps(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        for template in [BUILDING, PROVING, BOARDS, STREAM, PACKETS, SEARCHING] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
