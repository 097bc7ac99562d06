//! Events of a solver or a store, shown on the standard error: as notes, and on a terminal as bars and
//! a line about a long search.

use std::fmt::{Display, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::board::Metric;
use crate::cli::input::{Origin, Place};
use crate::cli::process::say;
use crate::pdb::Pattern;
use crate::solver::{Builder, Effort, Event, SearchEvent, Solver};
use crate::store::{self, Store};
use crate::text::{grouped, megabytes, plural, seconds};

// They fit a terminal of 80 columns.
const BAR: &str = "{human_pos} of {human_len} {prefix}  [{wide_bar}]  {elapsed}  {msg:.24}";
const COUNT: &str = "{human_pos} {prefix}  {per_sec}  {elapsed}";
const LINE: &str = "{prefix}  {nodes}";

/// The time after which a search is long: then a line is shown.
const LONG: Duration = Duration::from_millis(100);

/// Shows events as notes, bars, and a line about a long search.
#[derive(Default)]
pub struct Progress {
    /// True if the steps of a search are shown.
    verbose: bool,
    /// The metric of lengths.
    metric: Metric,
    /// Draws all bars. They are seen where the standard error is a terminal.
    all: MultiProgress,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The things to do.
    things: Option<ProgressBar>,
    /// The work under way: a bar of a table that is built or proved, or a line about a search. The line has no
    /// length; its position is the number of nodes.
    work: Option<ProgressBar>,
    /// Whether the line of `work` is drawn.
    is_drawn: bool,
    /// The beginning of a message about the board that is being solved.
    origin: String,
}

fn searching(nodes: u64, time: Duration) -> String {
    let millions = nodes as f64 / 1e6;
    let rate = millions / time.as_secs_f64().max(1e-3);
    format!("{millions:.1} M nodes  {rate:.1} M/s  {}s", time.as_secs())
}

/// A bar that is not drawn yet.
fn undrawn(template: &str, total: Option<u64>, things: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the templates are valid");
    // Made when a line is drawn, as nodes are counted often.
    let style = style.with_key("nodes", |state: &ProgressState, out: &mut dyn Write| {
        // A line that cannot be drawn is left out.
        let _ = out.write_str(&searching(state.pos(), state.elapsed()));
    });
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    bar.with_style(style.progress_chars("=> ")).with_prefix(things.to_owned())
}

impl Progress {
    /// Shows the steps of a search too, with lengths in a metric.
    pub fn of_steps(verbose: bool, metric: Metric) -> Progress {
        Progress { verbose, metric, ..Progress::default() }
    }

    /// The solver of these options with the databases of a store, whose events are shown.
    pub fn solver(self, options: Builder, store: Store) -> anyhow::Result<(Solver, Arc<Progress>)> {
        let progress = Arc::new(self);
        let shown = progress.clone();
        let options = options.store(store).progress(move |event| shown.event(event));
        Ok((options.build()?, progress))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bar, which disappears when it is dropped.
    fn bar(&self, template: &str, total: Option<u64>, things: &str) -> ProgressBar {
        self.all.add(undrawn(template, total, things))
    }

    /// Removes the bar of the work under way, and hides the bar of things to do until the next one is done.
    /// Then something else can be written. A terminal that cannot be written to does not stop the program.
    pub fn hide(&self) {
        self.state().work = None;
        let _ = self.all.clear();
    }

    /// Shows a bar of things to do, or how many are done if their number is unknown.
    pub fn show(&self, total: Option<u64>, things: &str) {
        let template = if total.is_some() { BAR } else { COUNT };
        let bar = self.bar(template, total, things);
        self.state().things = Some(bar);
    }

    /// Names the thing that is being done.
    pub fn name(&self, name: &str) {
        self.state().things.iter().for_each(|bar| bar.set_message(name.to_owned()));
    }

    /// Counts a thing that is done, and removes the bar of its work.
    pub fn count_one(&self) {
        let mut state = self.state();
        state.work = None;
        state.things.iter().for_each(|bar| bar.inc(1));
    }

    /// Names the board that is searched from now on.
    pub fn name_board(&self, place: &Place) {
        // Nothing is wrong with the argument, so its number is enough.
        self.state().origin = match &place.origin {
            Origin::Argument(number) => format!("board {number}: "),
            origin => origin.to_string(),
        };
    }

    /// Writes what the search for that board took, if details are shown.
    pub fn write_effort(&self, effort: &Effort) {
        let origin = self.state().origin.clone();
        self.detail(format_args!(
            "{origin}{} nodes generated, {} expanded, {}, heuristic {}",
            grouped(effort.generated),
            grouped(effort.expanded),
            seconds(effort.time.as_secs_f64()),
            effort.heuristic,
        ));
    }

    /// Writes a line, if details are shown.
    fn detail(&self, message: impl Display) {
        if self.verbose {
            self.note(message);
        }
    }

    fn note(&self, message: impl Display) {
        let _ = self.all.clear();
        say!("{message}");
    }

    /// Shows an event of a solver.
    fn event(&self, event: &Event<'_>) {
        if let Event::Store(event) = event {
            return self.store(event);
        }
        let mut state = self.state();
        let State { work, is_drawn, origin, .. } = &mut *state;
        let line = match work.take().filter(|bar| bar.length().is_none()) {
            Some(line) => work.insert(line),
            None => {
                *is_drawn = false;
                work.insert(undrawn(LINE, None, ""))
            }
        };
        if !*is_drawn && line.elapsed() >= LONG {
            *is_drawn = true;
            self.all.add(line.clone());
        }
        // What is known now, and the rest of the message about it.
        let mut rest = String::new();
        let known = match event {
            Event::Search(SearchEvent::Threshold(threshold)) => {
                rest = format!(": {} nodes before it", grouped(threshold.generated));
                let known = format!("threshold {}", threshold.bound);
                // The last one is searched again for all solutions.
                if line.prefix() == known { format!("counting, {known}") } else { known }
            }
            Event::Search(SearchEvent::Bound(bound)) => {
                format!("at least {}", plural(*bound, "move"))
            }
            Event::Search(SearchEvent::Shorter(length)) => {
                format!("{} so far", self.metric.in_words(*length))
            }
            Event::Stage { tiles, moves, .. } => {
                rest = format!(": {}", plural(*moves as u64, "move"));
                let names: Vec<_> = tiles.iter().map(u8::to_string).collect();
                format!("tile{} {}", if tiles.len() == 1 { "" } else { "s" }, names.join(" "))
            }
            Event::Shortened { before, after, .. } => {
                format!("shortened from {before} to {}", self.metric.in_words(*after))
            }
            Event::Search(SearchEvent::Nodes(nodes)) => return line.inc(*nodes),
            Event::Search(_) | Event::Store(_) => return,
        };
        self.detail(format_args!("{origin}{known}{rest}"));
        line.set_prefix(known);
    }

    /// Shows an event of a store.
    pub fn store(&self, event: &store::Event<'_>) {
        match event {
            store::Event::Building { set, grid, folder: Some(folder), bytes } => {
                let (folder, size) = (folder.display(), megabytes(*bytes));
                self.note(format_args!(
                    "building the {set} databases for {grid} boards in {folder} ({size}): this is done once"
                ));
            }
            store::Event::NotWritten { set, grid, folder, error, before } => {
                let what = match before {
                    true => format!("the {set} databases for {grid} boards are built in memory"),
                    false => "the databases stay in memory".to_owned(),
                };
                let folder = folder.display();
                let or = if *set == "7-8" { ", or use --heuristic 6-6-3" } else { "" };
                self.note(format_args!(
                    "cannot write to {folder} ({error}), so {what}, for this run only. To keep them, name a writable folder with --pdb-dir{or}"
                ));
            }
            store::Event::Level { pattern, progress } => {
                self.table(*pattern, progress.states, progress.reached, "states");
            }
            store::Event::Proving { pattern, done, steps } => {
                self.table(*pattern, *steps, *done, "steps of the proof");
            }
            store::Event::Built { .. } => self.state().work = None,
            store::Event::Building { folder: None, .. } => {}
        }
    }

    /// Changes the bar of a pattern, which replaces the bar of another one.
    fn table(&self, pattern: Pattern, total: u64, done: u64, things: &str) {
        let things = format!("{things}, tiles {pattern}");
        let work = &mut self.state().work;
        let bar = match work.take().filter(|bar| bar.prefix() == things) {
            Some(bar) => work.insert(bar),
            None => work.insert(self.bar(BAR, Some(total), &things)),
        };
        bar.set_position(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_nodes_and_time() {
        let line = |seconds| searching(3_000_000, Duration::from_secs(seconds));
        assert_eq!(line(2), "3.0 M nodes  1.5 M/s  2s");
        // With no time gone by, nothing is divided by zero.
        assert_eq!(line(0), "3.0 M nodes  3000.0 M/s  0s");
    }
}
