//! Searches that end once the bound proved is near the best solution known.

use std::sync::{Arc, Mutex};

use super::beams::widest;
use super::searcher::Searcher;
use crate::board::{Path, Position};
use crate::memo::lock;
use crate::pdb::BrokenTable;
use crate::search::{Cancel, Control, Journal, Stop, Threshold};

/// The width of the first beam.
const NARROWEST: usize = 1_000;

/// Each beam is at least this many times as wide as the one before.
const WIDER: usize = 4;

/// The search generates this many nodes for each one of a beam, which takes about as long.
const NODES: u64 = 10;

/// The best solution known while a search proves lower bounds. Before each threshold a wider beam
/// looks for a shorter solution, if the search has grown enough. Its width follows from the numbers
/// of nodes, so without a limit of time the answer is the same for any number of threads.
pub(super) struct Gap {
    searcher: Arc<Searcher>,
    position: Position,
    /// The gap that is small enough.
    allowed: u32,
    best: Mutex<Best>,
    /// The search has nothing more to do.
    closed: Cancel,
    /// Ends the beams.
    control: Control,
}

struct Best {
    path: Result<Path, BrokenTable>,
    /// The width of the last beam.
    width: usize,
}

impl Gap {
    /// Finds a first solution. `control` ends the beams that look for better ones.
    pub fn new(
        searcher: &Arc<Searcher>,
        position: &Position,
        allowed: u32,
        control: &Control,
    ) -> Result<Arc<Gap>, BrokenTable> {
        let path = searcher.first(position, NARROWEST)?;
        control.journal().shortened(path.len());
        Ok(Arc::new(Gap {
            searcher: searcher.clone(),
            position: position.clone(),
            allowed,
            best: Mutex::new(Best { path: Ok(path), width: NARROWEST }),
            closed: Cancel::new(),
            control: control.clone(),
        }))
    }

    /// The control of a search that also ends once the gap is small enough.
    pub fn guard(&self, control: Control) -> Control {
        let closed = self.closed.clone();
        control.with_deadline(move || closed.is_cancelled())
    }

    /// The best solution, and why the search was stopped.
    pub fn close(&self, stopped: Option<Stop>) -> Result<(Path, Option<Stop>), BrokenTable> {
        let path = lock(&self.best).path.clone()?;
        Ok((path, if self.closed.is_cancelled() { Some(Stop::Gap) } else { stopped }))
    }

    /// Looks for a shorter solution once the search has generated this many nodes.
    fn shorten(&self, Best { path, width }: &mut Best, generated: u64) {
        let Ok(known) = path else { return };
        let wider = widest(generated / NODES, known.len());
        if wider < WIDER * *width {
            return;
        }
        *width = wider;
        match self.searcher.beam(&self.position, wider, known.len(), &self.control) {
            Ok(None) => {}
            Ok(Some(shorter)) => {
                self.control.journal().shortened(shorter.len());
                *known = shorter;
            }
            Err(broken) => *path = Err(broken),
        }
    }
}

impl Journal for Gap {
    fn begins(&self, threshold: &Threshold, _subtrees: usize) {
        self.proved(threshold.bound);
        if !self.closed.is_cancelled() {
            self.shorten(&mut lock(&self.best), threshold.generated);
            self.proved(threshold.bound);
        }
    }

    fn proved(&self, bound: u32) {
        let long = |path: &Path| path.len() > (bound + self.allowed) as usize;
        // After an error there is nothing more to do either.
        if !lock(&self.best).path.as_ref().is_ok_and(long) {
            self.closed.cancel();
        }
    }
}
