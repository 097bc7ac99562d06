//! Databases that take long to build, announced by the thread that waits for them.
//!
//! The events come from threads that must not wait for the interpreter's lock. They leave their news here.
//! All solvers of the process share one place, for one build at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use taquin::solver::Event;
use taquin::store;

/// Builds are announced that make so many bytes, or take so long.
const LARGE: u64 = 100_000_000;
const LONG: Duration = Duration::from_secs(1);

/// True if there is news to show.
static NEWS: AtomicBool = AtomicBool::new(false);

static STATE: Mutex<State> = Mutex::new(State { build: None, warning: None });

struct State {
    build: Option<Build>,
    /// Why the databases stay in memory.
    warning: Option<String>,
}

struct Build {
    text: String,
    bytes: u64,
    begun: Instant,
    /// The states of the complete tables, and the states reached of the next one.
    built: u64,
    reached: u64,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Receives an event of a solver, from any thread.
pub fn event(event: &Event<'_>) {
    let Event::Store(event) = event else {
        // The search has begun.
        if NEWS.load(Ordering::Relaxed) {
            state().build = None;
        }
        return;
    };
    let mut state = state();
    match event {
        store::Event::Building { set, grid, folder, bytes, .. } => {
            let place = folder.map_or("memory".to_owned(), |folder| folder.display().to_string());
            let megabytes = bytes.div_ceil(1_000_000);
            let text = format!("the {set} databases for {grid} boards in {place} ({megabytes} MB)");
            let (bytes, begun) = (*bytes, Instant::now());
            state.build = Some(Build { text, bytes, begun, built: 0, reached: 0 });
        }
        store::Event::Level { progress, .. } => {
            if let Some(build) = &mut state.build {
                build.reached = progress.reached;
            }
        }
        store::Event::Built { .. } => {
            if let Some(build) = &mut state.build {
                build.built += std::mem::take(&mut build.reached);
            }
        }
        store::Event::NotWritten { folder, error, .. } => {
            let folder = folder.display();
            let text = format!("cannot write to {folder}: {error}: the databases stay in memory");
            state.warning = Some(text);
        }
        _ => return,
    }
    NEWS.store(true, Ordering::Relaxed);
}

/// Shows the news. Called now and then by a thread that waits for a solver.
///
/// # Errors
/// The exception that shows it.
pub fn show(py: Python<'_>) -> PyResult<()> {
    if !NEWS.load(Ordering::Relaxed) {
        return Ok(());
    }
    let (warning, build) = {
        let mut state = state();
        let large = |build: &&Build| build.bytes >= LARGE || build.begun.elapsed() >= LONG;
        let build = state.build.as_ref().filter(large).map(|build| {
            // A table has a bit for each state, more or less.
            let done = ((build.built + build.reached) / 8).min(build.bytes);
            (build.text.clone(), build.bytes, done)
        });
        if state.build.is_none() {
            NEWS.store(false, Ordering::Relaxed);
        }
        (state.warning.take(), build)
    };
    // Python's code runs without the lock: it may let another thread run.
    let module = py.import("taquin._announce")?;
    if let Some(warning) = warning {
        module.call_method1("warn", (warning,))?;
    }
    module.call_method1("show", (build,)).map(drop)
}

/// Ends the build that is shown, if there is one.
///
/// # Errors
/// As [`show`].
pub fn end(py: Python<'_>) -> PyResult<()> {
    if NEWS.load(Ordering::Relaxed) {
        state().build = None;
        show(py)?;
    }
    Ok(())
}
