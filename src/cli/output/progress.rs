//! Events of a solver or a store, shown on the standard error: as notes, and on a terminal as bars and
//! a line about a long search.

use std::collections::VecDeque;
use std::fmt::{Display, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::board::{Board, Metric};
use crate::cli::input::{Origin, Question};
use crate::cli::process::say;
use crate::pdb::Pattern;
use crate::solver::{Bracket, Builder, Event, Solver};
use crate::store::{self, Store};
use crate::text::{grouped, megabytes, plural, seconds};

// They fit a terminal of 80 columns.
const BAR: &str = "{human_pos} of {human_len} {prefix}  [{wide_bar}]  {elapsed}  {msg:.24}";
const COUNT: &str = "{human_pos} {prefix}  {per_sec}  {elapsed}";
const LINE: &str = "{prefix}  {nodes}";

/// A bar for a number of things to do, or a count of them. It is seen where the standard error is a
/// terminal, changes with its steps, and disappears when it is dropped.
fn bar(total: Option<u64>, things: String) -> ProgressBar {
    let style = styled(if total.is_some() { BAR } else { COUNT }).progress_chars("=> ");
    ProgressBar::new(total.unwrap_or(0)).with_style(style).with_prefix(things)
}

fn styled(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are valid")
}

/// Shows events as notes, bars, and a line about a long search.
#[derive(Default)]
pub struct Progress {
    /// True if the events of databases alone are shown.
    of_stores: bool,
    /// True if the steps of a search are shown.
    verbose: bool,
    /// The metric of lengths.
    metric: Metric,
    /// Draws all bars and the line.
    all: MultiProgress,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The bar of the table that is being built or proved.
    table: Option<(Pattern, ProgressBar)>,
    /// The bar of the things to do, and the time of the last line about them where it is not seen.
    things: Option<(ProgressBar, Instant)>,
    /// The line about the search under way: what is known, as its prefix, and the nodes, as its position.
    line: Option<ProgressBar>,
    /// The boards that are read but not answered, if they are boards, each with the beginning of a message
    /// about it. The first one is being solved, perhaps with others.
    unanswered: VecDeque<(Option<Board>, String)>,
}

/// The line about a long search.
fn line() -> ProgressBar {
    let style = styled(LINE).with_key("nodes", |state: &ProgressState, out: &mut dyn Write| {
        // A line that cannot be drawn is left out.
        let _ = out.write_str(&searching(state.pos(), state.elapsed()));
    });
    ProgressBar::new_spinner().with_style(style)
}

fn searching(nodes: u64, time: Duration) -> String {
    let millions = nodes as f64 / 1e6;
    let rate = millions / time.as_secs_f64().max(1e-3);
    format!("{millions:.1} M nodes  {rate:.1} M/s  {}s", time.as_secs())
}

/// The time between two lines where no bar is seen.
const PAUSE: Duration = Duration::from_secs(10);

impl Progress {
    /// Shows the events of databases alone.
    pub fn of_stores() -> Progress {
        Progress { of_stores: true, ..Progress::default() }
    }

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

    /// Removes the bar and the line of work that has ended.
    pub fn done(&self) {
        let mut state = self.state();
        (state.table, state.line) = (None, None);
    }

    /// Removes the bar and the line of work that has ended, and hides the others until they change. A
    /// terminal that cannot be written to does not stop the program.
    pub fn clear(&self) {
        self.done();
        let _ = self.all.clear();
    }

    /// Removes everything.
    pub fn finish(&self) {
        *self.state() = State::default();
    }

    /// Shows a bar of things to do, whose number may be unknown.
    pub fn count(&self, total: Option<u64>, things: &str) {
        let bar = self.all.add(bar(total, things.to_owned()));
        self.state().things = Some((bar, Instant::now()));
    }

    /// Names the thing that is being done.
    pub fn name(&self, name: &str) {
        if let Some((bar, _)) = &self.state().things {
            bar.set_message(name.to_owned());
        }
    }

    /// Returns whether a bar would be seen.
    pub fn is_seen(&self) -> bool {
        !self.all.is_hidden()
    }

    /// Counts a thing that is done. Where no bar is seen, it writes a line now and then.
    pub fn inc(&self) {
        let Some((bar, told)) = &mut self.state().things else { return };
        bar.inc(1);
        if bar.is_hidden() && told.elapsed() >= PAUSE {
            *told = Instant::now();
            let (done, all) = (grouped(bar.position()), grouped(bar.length().unwrap_or(0)));
            let (things, time) = (bar.prefix(), seconds(bar.elapsed().as_secs_f64()));
            say!("{done} of {all} {things}, {time}");
        }
    }

    /// A board is read: messages about it begin with its origin.
    pub fn begin(&self, question: &Question) {
        // Nothing is wrong with the argument, so its number is enough.
        let origin = match &question.place.origin {
            Origin::Argument(number) => format!("board {number}: "),
            origin => origin.to_string(),
        };
        let board = question.board.as_ref().ok().map(|(board, _)| board.board().clone());
        self.state().unanswered.push_back((board, origin));
    }

    /// The first board that is not answered has an answer, unless it is not a board.
    pub fn end(&self, bracket: Option<&Bracket>) {
        let first = self.state().unanswered.pop_front();
        if let (Some((_, origin)), Some(bracket)) = (first, bracket) {
            let effort = &bracket.effort;
            self.detail(format_args!(
                "{origin}{} nodes generated, {} expanded, {}, heuristic {}",
                grouped(effort.generated),
                grouped(effort.expanded),
                seconds(effort.time.as_secs_f64()),
                effort.heuristic,
            ));
        }
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
    pub fn event(&self, event: &Event<'_>) {
        match event {
            Event::Store(event) => return self.store(event),
            _ if self.of_stores => return,
            _ => {}
        }
        let mut state = self.state();
        let State { line, unanswered, .. } = &mut *state;
        let line = line.get_or_insert_with(|| self.all.add(self::line()));
        // Only these steps come from boards that are solved together with others.
        let board = match event {
            Event::Stage { board, .. } | Event::Shortened { board, .. } => Some(*board),
            _ => None,
        };
        let asked = unanswered.iter().find(|(asked, _)| board.is_none() || asked.as_ref() == board);
        let origin = asked.map_or("", |(_, origin)| origin);
        // What is known now, and the rest of the message about it.
        let mut rest = String::new();
        let known = match event {
            Event::Threshold(threshold) => {
                rest = format!(": {} nodes before it", grouped(threshold.generated));
                let known = format!("threshold {}", threshold.bound);
                // The last one is searched again for all solutions.
                if line.prefix() == known { format!("counting, {known}") } else { known }
            }
            Event::Bound(bound) => format!("at least {}", plural(*bound, "move")),
            Event::Shorter(length) => format!("{} so far", self.metric.in_words(*length)),
            Event::Stage { tiles, moves, .. } => {
                rest = format!(": {}", plural(*moves as u64, "move"));
                let names: Vec<_> = tiles.iter().map(u8::to_string).collect();
                format!("tile{} {}", if tiles.len() == 1 { "" } else { "s" }, names.join(" "))
            }
            Event::Shortened { before, after, .. } => {
                format!("shortened from {before} to {}", self.metric.in_words(*after))
            }
            Event::Nodes(nodes) => return line.inc(*nodes),
            Event::Store(_) => return,
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
                    true => format!("building the {set} databases for {grid} boards in memory"),
                    false => "the databases stay in memory".to_owned(),
                };
                let folder = folder.display();
                self.note(format_args!(
                    "cannot write to {folder}: {error}: {what}, for this run only"
                ));
            }
            store::Event::Level { pattern, progress } => {
                self.table(*pattern, progress.states, progress.reached, "states");
            }
            store::Event::Proving { pattern, done, steps } => {
                self.table(*pattern, *steps, *done, "steps of the proof");
            }
            store::Event::Built { .. } => self.state().table = None,
            _ => {}
        }
    }

    /// Changes the bar of a pattern, which replaces the bar of another one.
    fn table(&self, pattern: Pattern, total: u64, done: u64, things: &str) {
        let table = &mut self.state().table;
        if table.as_ref().is_none_or(|(shown, _)| *shown != pattern) {
            let bar = bar(Some(total), format!("{things}, tiles {pattern}"));
            *table = Some((pattern, self.all.add(bar)));
        }
        if let Some((_, bar)) = table {
            bar.set_position(done);
        }
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
