//! Events of a solver or a store, shown on the standard error.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bar::Bar;
use super::line::Line;
use super::streams::say;
use super::table::{megabytes, plural};
use crate::cli::advice::Advised;
use crate::pdb::Pattern;
use crate::store::{Store, StoreError};
use crate::{solver, store};

/// Shows events as notes, progress bars, and a line about a long search.
#[derive(Default)]
pub struct Progress {
    /// The folder of the databases.
    folder: PathBuf,
    /// Whether the stages of a solution are shown.
    verbose: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The bar of the table that is being built or proved.
    bar: Option<(Pattern, Bar)>,
    /// The line about the search under way.
    line: Option<Line>,
}

impl Progress {
    /// For a store, and `verbose` to show the stages of a solution too.
    pub fn new(store: &Store, verbose: bool) -> Progress {
        let folder = store.path().map(Path::to_owned).unwrap_or_default();
        Progress { folder, verbose, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bar and the line of work that has ended.
    pub fn clear(&self) {
        *self.state() = State::default();
    }

    /// Shows an event of a solver.
    pub fn solver(&self, event: &solver::Event<'_>) {
        match event {
            solver::Event::Store(event) => self.store(event),
            solver::Event::Threshold(threshold) => {
                self.state().line.get_or_insert_with(Line::new).threshold(threshold);
            }
            solver::Event::Nodes(nodes) => {
                if let Some(line) = &mut self.state().line {
                    line.nodes(*nodes);
                }
            }
            solver::Event::StandsIn { set, heuristic } => {
                let (set, folder) = ((*set).clone(), self.folder.clone());
                let missing = StoreError::Missing { set, folder };
                let missing = Advised(&missing);
                say(
                    "taquin",
                    format_args!("{missing}; until then {heuristic} is used, which is slower"),
                );
            }
            solver::Event::Stage { tiles, moves, .. } if self.verbose => {
                let names: Vec<_> = tiles.iter().map(u8::to_string).collect();
                let noun = if tiles.len() == 1 { "tile" } else { "tiles" };
                let moves = plural(*moves as u64, "move");
                say("taquin", format_args!("{noun} {}: {moves}", names.join(" ")));
            }
            solver::Event::Shortened { before, path, .. } if self.verbose => {
                say("taquin", format_args!("shortened from {before} to {} moves", path.len()));
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
                let new = || Bar::building(*pattern, progress.states);
                self.bar(*pattern, new, |bar| bar.level(*progress));
            }
            store::Event::Proving { pattern, done, steps } => {
                let new = || Bar::proving(*pattern, *steps);
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
