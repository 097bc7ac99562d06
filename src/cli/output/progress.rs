//! Events of a solver or a store, shown on the standard error: as notes, and on a terminal as bars and
//! a line about a long search.

use std::collections::VecDeque;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::streams::say;
use crate::board::{Board, Metric};
use crate::cli::advice::Trouble;
use crate::cli::input::Origin;
use crate::pdb::Pattern;
use crate::solver::Bracket;
use crate::store::{Store, StoreError};
use crate::text::{grouped, megabytes, plural, seconds};
use crate::{solver, store};

// They fit a terminal of 80 columns.
const BAR: &str = "{human_pos} of {human_len} {prefix}  [{wide_bar}]  {elapsed}  {msg:.24}";
const COUNT: &str = "{human_pos} {prefix}  {per_sec}  {elapsed}";
const LINE: &str = "{wide_msg}";

/// A bar for a number of things to do, or a count of them. It is seen where the standard error is a
/// terminal, changes with its steps, and disappears when it is dropped.
pub fn bar(total: Option<u64>, things: &str) -> ProgressBar {
    let style = styled(if total.is_some() { BAR } else { COUNT }).progress_chars("=> ");
    ProgressBar::new(total.unwrap_or(0)).with_style(style).with_prefix(things.to_owned())
}

fn styled(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are valid")
}

/// Shows events as notes, bars, and a line about a long search.
#[derive(Default)]
pub struct Progress {
    /// The folder of the databases.
    folder: PathBuf,
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
    /// The bar of the boards.
    boards: Option<ProgressBar>,
    /// The line about the search under way.
    line: Option<Line>,
    /// The boards that are read but not answered. The first one is being solved, perhaps with others.
    unanswered: VecDeque<Unanswered>,
}

/// A board without an answer, or an input that is not a board.
#[derive(Default)]
struct Unanswered {
    board: Option<Board>,
    /// The beginning of a message about it.
    origin: String,
    /// Its last step was shown, which says all that a summary would.
    told: bool,
}

/// A line about a long search: bounds, nodes, nodes a second, and time.
struct Line {
    bar: ProgressBar,
    known: String,
    /// The threshold of the iteration under way.
    threshold: Option<u32>,
    nodes: u64,
    start: Instant,
    shown: Instant,
}

/// The time without a line at first, and between two changes of it.
const WAIT: Duration = Duration::from_millis(200);

impl Line {
    fn new(all: &MultiProgress) -> Line {
        let bar = all.add(ProgressBar::new_spinner().with_style(styled(LINE)));
        let start = Instant::now();
        Line { bar, known: String::new(), threshold: None, nodes: 0, start, shown: start }
    }

    fn refresh(&mut self) {
        if !self.bar.is_hidden() && self.shown.elapsed() >= WAIT {
            self.shown = Instant::now();
            self.bar.set_message(searching(&self.known, self.nodes, self.start.elapsed()));
            self.bar.tick();
        }
    }
}

fn searching(known: &str, nodes: u64, time: Duration) -> String {
    let millions = nodes as f64 / 1e6;
    let rate = millions / time.as_secs_f64().max(1e-3);
    format!("{known}  {millions:.1} M nodes  {rate:.1} M/s  {}s", time.as_secs()).trim().to_owned()
}

impl Progress {
    /// Names lengths in a metric.
    pub fn in_metric(self, metric: Metric) -> Progress {
        Progress { metric, ..self }
    }

    /// For a store, and `verbose` to show the steps of a search too.
    pub fn new(store: &Store, verbose: bool) -> Progress {
        let folder = store.path().map(Path::to_owned).unwrap_or_default();
        Progress { folder, verbose, ..Progress::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bar and the line of work that has ended.
    pub fn done(&self) {
        let mut state = self.state();
        (state.table, state.line) = (None, None);
    }

    /// Removes the bar and the line of work that has ended, and hides the others until they change.
    pub fn clear(&self) {
        self.done();
        self.hide();
    }

    /// Removes everything.
    pub fn finish(&self) {
        self.done();
        self.state().boards = None;
    }

    /// Hides everything until it changes. A terminal that cannot be written to does not stop the program.
    fn hide(&self) {
        let _ = self.all.clear();
    }

    /// Shows a bar of boards, whose number may be unknown.
    pub fn count_boards(&self, total: Option<u64>) {
        self.state().boards = Some(self.all.add(bar(total, "boards")));
    }

    /// Returns whether a bar of boards would be seen.
    pub fn is_seen(&self) -> bool {
        !self.all.is_hidden()
    }

    /// Counts a board that is answered.
    pub fn answered(&self) {
        if let Some(bar) = &self.state().boards {
            bar.inc(1);
        }
    }

    /// A board is read: messages about it begin with its origin.
    pub fn begin(&self, origin: &Origin, board: Option<&Board>) {
        // Nothing is wrong with the argument, so its number is enough.
        let origin = match origin {
            Origin::Argument(number) => format!("board {number}: "),
            origin => origin.to_string(),
        };
        let unanswered = Unanswered { board: board.cloned(), origin, told: false };
        self.state().unanswered.push_back(unanswered);
    }

    /// The first board that is not answered has an answer, unless it is not a board.
    pub fn end(&self, bracket: Option<&Bracket>) {
        let first = self.state().unanswered.pop_front();
        if let (Some(Unanswered { origin, told: false, .. }), Some(bracket)) = (first, bracket) {
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
        self.hide();
        say("taquin", message);
    }

    /// Shows the events of a solver's databases, and no others.
    pub fn of_stores(self: Arc<Self>) -> impl Fn(&solver::Event<'_>) + use<> {
        move |event| {
            if let solver::Event::Store(event) = event {
                self.store(event);
            }
        }
    }

    /// Shows an event of a solver.
    pub fn solver(&self, event: &solver::Event<'_>) {
        use solver::Event;
        if let Event::Store(event) = event {
            return self.store(event);
        }
        let mut state = self.state();
        let State { line, unanswered, .. } = &mut *state;
        let line = line.get_or_insert_with(|| Line::new(&self.all));
        // Only these steps come from boards that are solved together with others.
        let board = match event {
            Event::Stage { board, .. } | Event::Shortened { board, .. } => Some(*board),
            _ => None,
        };
        let mut is_of_board =
            unanswered.iter_mut().filter(|asked| board.is_none() || asked.board.as_ref() == board);
        let mut none = Unanswered::default();
        let Unanswered { origin, told, .. } = is_of_board.next().unwrap_or(&mut none);
        let known = match event {
            Event::Threshold(threshold) => {
                // The last one is searched again for all solutions.
                let again = line.threshold.replace(threshold.bound) == Some(threshold.bound);
                let counting = if again { "counting, " } else { "" };
                let known = format!("{counting}threshold {}", threshold.bound);
                let before = grouped(threshold.generated);
                self.detail(format_args!("{origin}{known}: {before} nodes before it"));
                known
            }
            Event::Bound(bound) => {
                let known = format!("at least {}", plural(*bound, "move"));
                self.detail(format_args!("{origin}{known}"));
                known
            }
            Event::Shorter(length) => {
                let known = format!("{} so far", self.metric.in_words(*length));
                self.detail(format_args!("{origin}{known}"));
                known
            }
            Event::Stage { tiles, moves, .. } => {
                let names: Vec<_> = tiles.iter().map(u8::to_string).collect();
                let noun = if tiles.len() == 1 { "tile" } else { "tiles" };
                let known = format!("{noun} {}", names.join(" "));
                self.detail(format_args!("{origin}{known}: {}", plural(*moves as u64, "move")));
                known
            }
            Event::Shortened { before, after, .. } => {
                *told = true;
                let known = format!("shortened from {before} to {}", self.metric.in_words(*after));
                self.detail(format_args!("{origin}{known}"));
                known
            }
            Event::StandsIn { set, heuristic } => {
                let (set, folder) = ((*set).clone(), self.folder.clone());
                let missing = Trouble::from(StoreError::Missing { set, folder });
                return self.note(format_args!(
                    "{missing}; until then {heuristic} is used, which is slower"
                ));
            }
            Event::Nodes(nodes) => {
                line.nodes += nodes;
                return line.refresh();
            }
            _ => return,
        };
        line.known = known;
        line.refresh();
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
            let bar = bar(Some(total), &format!("{things}, tiles {pattern}"));
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
    fn a_line_has_what_is_known_nodes_and_time() {
        let line = |known, seconds| searching(known, 3_000_000, Duration::from_secs(seconds));
        assert_eq!(line("threshold 84", 2), "threshold 84  3.0 M nodes  1.5 M/s  2s");
        // With no time gone by, nothing is divided by zero.
        assert_eq!(line("", 0), "3.0 M nodes  3000.0 M/s  0s");
    }
}
