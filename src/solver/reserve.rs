//! The databases of other partitions, for boards that turn out to be hard.
//!
//! The standard search of 4×4 boards needs one partition. Where the databases of the rest of the
//! portfolio lie in the folder too, a search whose iterations grow large goes on with all of them, from
//! the threshold that it has reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::memo::lock;
use crate::search::{Cancel, Control, Journal, Threshold, is_hard};

/// The search with the whole portfolio, a searcher `S`, opened when a board is hard for the first
/// time.
pub(super) struct Reserve<S> {
    load: Box<dyn Fn() -> Option<S> + Send + Sync>,
    searcher: OnceLock<Option<Arc<S>>>,
    /// A file turned out to be damaged.
    left: AtomicBool,
}

impl<S> Reserve<S> {
    /// `load` gives `None` where there are no such databases, or they cannot be used: no answer needs
    /// them.
    pub fn new(load: impl Fn() -> Option<S> + Send + Sync + 'static) -> Reserve<S> {
        let (searcher, left) = (OnceLock::new(), AtomicBool::new(false));
        Reserve { load: Box::new(load), searcher, left }
    }

    /// Does without the reserve from now on.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    fn searcher(&self) -> Option<&Arc<S>> {
        let is_left = self.left.load(Ordering::Relaxed);
        let searcher = self.searcher.get_or_init(|| (self.load)().map(Arc::new));
        searcher.as_ref().filter(|_| !is_left)
    }
}

/// Ends a search at the threshold from which the reserve goes on.
pub(super) struct Switch<'a, S> {
    reserve: &'a Reserve<S>,
    closed: Cancel,
    reached: Mutex<Option<Threshold>>,
}

impl<'a, S> Switch<'a, S> {
    pub fn new(reserve: &'a Reserve<S>) -> Switch<'a, S> {
        Switch { reserve, closed: Cancel::new(), reached: Mutex::default() }
    }

    /// The control of the search that ends.
    pub fn guard(&self, control: Control) -> Control {
        let closed = self.closed.clone();
        control.with_deadline(move || closed.is_cancelled())
    }

    /// The search that goes on, and its threshold; `None` if the first search was not ended.
    pub fn take(self) -> Option<(Arc<S>, Threshold)> {
        let threshold = lock(&self.reached).take()?;
        Some((self.reserve.searcher()?.clone(), threshold))
    }
}

impl<S: Send + Sync> Journal for Switch<'_, S> {
    fn reached(&self, threshold: &Threshold) {
        if is_hard(threshold) && self.reserve.searcher().is_some() {
            *lock(&self.reached) = Some(threshold.clone());
            self.closed.cancel();
        }
    }
}
