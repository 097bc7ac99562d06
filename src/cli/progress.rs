//! The progress of a build, shown on the standard error if that is a terminal.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::pdb::{Pattern, Progress};

/// The bar of one table. It is taken away when it is dropped.
pub(super) struct Bar(ProgressBar);

// They fit a terminal of 80 columns.
const BUILDING: &str =
    "tiles {prefix}  level {msg:>2}  [{wide_bar}]  {human_pos} states  {elapsed}";
const PROVING: &str = "tiles {prefix}  [{wide_bar}]  {percent}% proved  {elapsed}";

const SEARCHING: &str =
    "{human_pos} of {human_len} searches  [{wide_bar}]  {elapsed}, {eta} to go  {msg:.24}";

impl Bar {
    /// A bar for the building of a table of so many states.
    pub fn building(pattern: Pattern, states: u64) -> Bar {
        let bar = Bar::new(pattern, states, BUILDING);
        bar.0.set_message("0");
        bar
    }

    /// A bar for a proof of so many steps.
    pub fn proving(pattern: Pattern, steps: u64) -> Bar {
        Bar::new(pattern, steps, PROVING)
    }

    /// A bar for so many searches.
    pub fn searching(searches: u64) -> Bar {
        Bar::titled("", searches, SEARCHING)
    }

    /// A search with this heuristic begins.
    pub fn on(&self, heuristic: &str) {
        self.0.set_message(heuristic.to_owned());
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    fn new(pattern: Pattern, length: u64, template: &str) -> Bar {
        Bar::titled(&pattern.to_string(), length, template)
    }

    fn titled(title: &str, length: u64, template: &str) -> Bar {
        // Draws nothing where the standard error is no terminal.
        let bar = ProgressBar::new(length);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(title.to_owned());
        // The time goes on between two levels, and after the last one. The bar would panic where it
        // cannot have a thread for that.
        if !bar.is_hidden() && thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Bar(bar)
    }

    /// A level was finished.
    pub fn level(&self, progress: Progress) {
        self.0.set_message(progress.level.to_string());
        self.0.set_position(progress.reached);
    }

    /// So many steps are done.
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
