//! The databases of other partitions, for boards that turn out to be hard.
//!
//! The standard search of 4×4 boards needs one partition. Where the databases of the rest of the
//! portfolio lie in the folder too, a search whose iterations grow large goes on with all of them, from
//! the threshold that it has reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::Method;
use super::searcher::{Kind, Searcher};
use crate::board::{Grid, Metric};
use crate::heuristic::Spec;
use crate::memo::lock;
use crate::search::{Cancel, Control, Journal, Threshold, is_hard};
use crate::store::Store;

/// The search with the whole portfolio, opened when a board is hard for the first time.
pub(super) struct Reserve {
    store: Store,
    grid: Grid,
    goal_blank: usize,
    searcher: OnceLock<Option<Arc<Searcher>>>,
    /// A file turned out to be damaged.
    left: AtomicBool,
}

impl Reserve {
    pub fn new(store: &Store, grid: Grid, goal_blank: usize) -> Reserve {
        let store = store.clone().build_missing(false);
        let (searcher, left) = (OnceLock::new(), AtomicBool::new(false));
        Reserve { store, grid, goal_blank, searcher, left }
    }

    /// Does without the reserve from now on.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// `None` where there are no such databases, or they cannot be used: no answer needs them.
    fn searcher(&self) -> Option<&Arc<Searcher>> {
        let load = || {
            self.store.path()?;
            let kind =
                Kind { metric: Metric::Single, heuristic: &Spec::Portfolio, method: Method::Ida };
            let searcher = Searcher::load(&kind, self.grid, self.goal_blank, &self.store, &|_| ());
            searcher.ok().map(Arc::new)
        };
        let is_left = self.left.load(Ordering::Relaxed);
        self.searcher.get_or_init(load).as_ref().filter(|_| !is_left)
    }
}

/// Ends a search at the threshold from which the reserve goes on.
pub(super) struct Switch<'a> {
    reserve: &'a Reserve,
    closed: Cancel,
    reached: Mutex<Option<Threshold>>,
}

impl<'a> Switch<'a> {
    pub fn new(reserve: &'a Reserve) -> Switch<'a> {
        Switch { reserve, closed: Cancel::new(), reached: Mutex::default() }
    }

    /// The control of the search that ends.
    pub fn guard(&self, control: Control) -> Control {
        let closed = self.closed.clone();
        control.with_deadline(move || closed.is_cancelled())
    }

    /// The search that goes on, and its threshold; `None` if the first search was not ended.
    pub fn take(self) -> Option<(Arc<Searcher>, Threshold)> {
        let threshold = lock(&self.reached).take()?;
        Some((self.reserve.searcher()?.clone(), threshold))
    }
}

impl Journal for Switch<'_> {
    fn reached(&self, threshold: &Threshold) {
        if is_hard(threshold) && self.reserve.searcher().is_some() {
            *lock(&self.reached) = Some(threshold.clone());
            self.closed.cancel();
        }
    }
}
