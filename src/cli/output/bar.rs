//! Progress bars on the standard error, where it is a terminal.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::pdb::{Pattern, Progress};

/// A progress bar. It disappears when it is dropped.
pub struct Bar(ProgressBar);

// They fit a terminal of 80 columns.
const BUILDING: &str =
    "tiles {prefix}  level {msg:>2}  [{wide_bar}]  {human_pos} states  {elapsed}";
const PROVING: &str = "tiles {prefix}  [{wide_bar}]  {percent}% proved  {elapsed}";

const SEARCHING: &str =
    "{human_pos} of {human_len} searches  [{wide_bar}]  {elapsed}, {eta} to go  {msg:.24}";

impl Bar {
    /// A bar for building a table of `states` states.
    pub fn building(pattern: Pattern, states: u64) -> Bar {
        Bar::new(&pattern.to_string(), states, BUILDING)
    }

    /// A bar for a proof of `steps` steps.
    pub fn proving(pattern: Pattern, steps: u64) -> Bar {
        Bar::new(&pattern.to_string(), steps, PROVING)
    }

    /// A bar for a number of searches.
    pub fn searching(searches: u64) -> Bar {
        Bar::new("", searches, SEARCHING)
    }

    fn new(title: &str, length: u64, template: &str) -> Bar {
        // Draws nothing where the standard error is not a terminal.
        let bar = ProgressBar::new(length);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(title.to_owned());
        // The elapsed time also changes between two levels, and after the last one. This needs a
        // thread, and the bar would panic without one.
        if !bar.is_hidden() && thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Bar(bar)
    }

    /// Shows the heuristic of the search that starts.
    pub fn on(&self, heuristic: &str) {
        self.0.set_message(heuristic.to_owned());
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
        for template in [BUILDING, PROVING, SEARCHING] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
