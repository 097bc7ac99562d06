//! Handles that cancel searches and builds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that cancels searches and builds from another thread. Clones cancel the same ones.
///
/// A cancelled search ends within milliseconds, with the bound proved so far. A handle stays
/// cancelled.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    parent: Option<Arc<Cancel>>,
}

impl Cancel {
    /// A handle that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A handle that is cancelled with this one, and also alone.
    pub fn child(&self) -> Cancel {
        Cancel { parent: Some(self.clone().into()), ..Cancel::default() }
    }

    /// Cancels everything that has this handle or a clone of it.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`Cancel::cancel`] was called, here or for the handle that this one is a child of.
    pub fn is_cancelled(&self) -> bool {
        let parent = || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled());
        self.is_cancelled.load(Ordering::Relaxed) || parent()
    }
}
