//! Events of a solver or a store, shown on the standard error.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::MultiProgress;

use super::bar::Bar;
use super::line::Line;
use super::streams::say;
use crate::board::{Board, Metric};
use crate::cli::advice::Advised;
use crate::cli::input::Origin;
use crate::pdb::Pattern;
use crate::solver::Bracket;
use crate::store::{Store, StoreError};
use crate::text::{grouped, megabytes, plural, seconds};
use crate::{solver, store};

/// Shows events as notes, progress bars, and a line about a long search.
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
    bar: Option<(Pattern, Bar)>,
    /// The bar of the boards.
    boards: Option<Bar>,
    /// The line about the search under way.
    line: Option<Line>,
    /// The boards that are read but not answered. The first one is being solved, perhaps with others.
    unanswered: VecDeque<Unanswered>,
}

/// A board without an answer, or an input that is no board.
struct Unanswered {
    board: Option<Board>,
    /// The beginning of a message about it.
    origin: String,
    /// Its last step was shown, which says all that a summary would.
    told: bool,
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
        (state.bar, state.line) = (None, None);
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

    /// Hides everything until it changes. A terminal that cannot be written to is no reason to stop.
    fn hide(&self) {
        let _ = self.all.clear();
    }

    /// Shows a bar of boards, whose number may be unknown.
    pub fn count_boards(&self, total: Option<u64>) {
        self.state().boards = Some(Bar::boards(&self.all, total));
    }

    /// Returns whether a bar of boards would be seen.
    pub fn is_seen(&self) -> bool {
        !self.all.is_hidden()
    }

    /// Shows the number of boards that are answered.
    #[cfg(feature = "dataset")]
    pub fn answered_in_all(&self, boards: u64) {
        if let Some(bar) = &self.state().boards {
            bar.steps(boards);
        }
    }

    /// Counts a board that is answered.
    pub fn answered(&self) {
        if let Some(bar) = &self.state().boards {
            bar.step();
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

    /// The first board that is not answered has an answer, unless it is no board.
    pub fn end(&self, bracket: Option<&Bracket>) {
        let Some(Unanswered { origin, told, .. }) = self.state().unanswered.pop_front() else {
            return;
        };
        if let Some(bracket) = bracket.filter(|_| !told) {
            let effort = &bracket.effort;
            let message = format!(
                "{} nodes generated, {} expanded, {}, heuristic {}",
                grouped(effort.generated),
                grouped(effort.expanded),
                seconds(effort.time.as_secs_f64()),
                effort.heuristic,
            );
            self.detail(&origin, &message);
        }
    }

    /// Writes a line about a board, if details are shown.
    fn detail(&self, origin: &str, message: &str) {
        if self.verbose {
            self.hide();
            say("taquin", format_args!("{origin}{message}"));
        }
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
        if let solver::Event::Store(event) = event {
            return self.store(event);
        }
        let mut state = self.state();
        let State { line, unanswered, .. } = &mut *state;
        let line = line.get_or_insert_with(|| Line::new(&self.all));
        // Only these steps come from boards that are solved together with others.
        let board = match event {
            solver::Event::Stage { board, .. } | solver::Event::Shortened { board, .. } => {
                Some(*board)
            }
            _ => None,
        };
        let is_of_board =
            |asked: &&mut Unanswered| board.is_none() || asked.board.as_ref() == board;
        let asked = unanswered.iter_mut().find(is_of_board);
        let mut none = Unanswered { board: None, origin: String::new(), told: false };
        let Unanswered { origin, told, .. } = asked.unwrap_or(&mut none);
        match event {
            solver::Event::Threshold(threshold) => {
                let counts = line.threshold(threshold);
                let what = if counts { "counting, threshold" } else { "threshold" };
                let (bound, before) = (threshold.bound, grouped(threshold.generated));
                self.detail(origin, &format!("{what} {bound}: {before} nodes before it"));
            }
            solver::Event::Nodes(nodes) => line.nodes(*nodes),
            solver::Event::Bound(bound) => {
                line.bound(*bound);
                self.detail(origin, &format!("at least {}", plural(*bound, "move")));
            }
            solver::Event::Shorter(length) => line.best(self.metric.in_words(*length)),
            solver::Event::StandsIn { set, heuristic } => {
                let (set, folder) = ((*set).clone(), self.folder.clone());
                let missing = StoreError::Missing { set, folder };
                let missing = Advised(&missing);
                self.hide();
                say(
                    "taquin",
                    format_args!("{missing}; until then {heuristic} is used, which is slower"),
                );
            }
            solver::Event::Stage { tiles, moves, .. } => {
                line.home(tiles.len());
                let names: Vec<_> = tiles.iter().map(u8::to_string).collect();
                let noun = if tiles.len() == 1 { "tile" } else { "tiles" };
                let moves = plural(*moves as u64, "move");
                self.detail(origin, &format!("{noun} {}: {moves}", names.join(" ")));
            }
            solver::Event::Shortened { before, after, .. } => {
                *told = true;
                let after = self.metric.in_words(*after);
                self.detail(origin, &format!("shortened from {before} to {after}"));
            }
            _ => {}
        }
    }

    /// Shows an event of a store.
    pub fn store(&self, event: &store::Event<'_>) {
        match event {
            store::Event::Building { set, grid, folder: Some(folder), bytes } => say(
                "taquin",
                format_args!(
                    "building the {set} databases for {grid} boards in {} ({}): this is done once",
                    folder.display(),
                    megabytes(*bytes)
                ),
            ),
            store::Event::NotWritten { set, grid, folder, error, before } => {
                let folder = folder.display();
                if *before {
                    say(
                        "taquin",
                        format_args!(
                            "cannot write to {folder}: {error}: building the {set} databases for {grid} boards in memory, for this run only"
                        ),
                    );
                } else {
                    say(
                        "taquin",
                        format_args!(
                            "cannot write to {folder}: {error}: the databases stay in memory, for this run only"
                        ),
                    );
                }
            }
            store::Event::Level { pattern, progress } => {
                let new = || Bar::building(&self.all, *pattern, progress.states);
                self.bar(*pattern, new, |bar| bar.level(*progress));
            }
            store::Event::Proving { pattern, done, steps } => {
                let new = || Bar::proving(&self.all, *pattern, *steps);
                self.bar(*pattern, new, |bar| bar.steps(*done));
            }
            store::Event::Built { .. } => self.state().bar = None,
            _ => {}
        }
    }

    /// Changes the bar of a pattern, which replaces the bar of another one.
    fn bar(&self, pattern: Pattern, new: impl FnOnce() -> Bar, change: impl FnOnce(&Bar)) {
        let bar = &mut self.state().bar;
        if bar.as_ref().is_none_or(|(shown, _)| *shown != pattern) {
            *bar = Some((pattern, new()));
        }
        if let Some((_, bar)) = bar {
            change(bar);
        }
    }
}
