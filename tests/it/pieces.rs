//! Searches that are cut short and go on from their records.

use std::sync::Mutex;

use taquin_engine::board::Position;
use taquin_engine::search::{
    Cancel, Control, Engine, Finished, Journal, Outcome, Record, Stop, Threshold,
};

use crate::common::on_threads;

/// A journal that keeps the record of a search, and cancels the search after a number of subtrees.
struct Keeper<'a> {
    record: Mutex<Record>,
    left: Mutex<usize>,
    cancel: &'a Cancel,
}

impl Journal for Keeper<'_> {
    fn begins(&self, threshold: &Threshold, subtrees: usize) {
        let mut record = self.record.lock().unwrap();
        assert!(subtrees > 0 || threshold.bound > 0);
        if record.threshold != *threshold {
            *record = Record::new(threshold.clone());
        }
    }

    fn finished(&self, subtree: Finished) {
        self.record.lock().unwrap().add(subtree);
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.cancel.cancel();
        }
    }
}

/// Solves a position, cancels the search after so many subtrees, resumes it from its record, and so
/// on to the end. Returns the outcome, the number of subtrees, and the number of searches.
///
/// With the feature `serde` the record goes through text each time.
pub fn solve_in_pieces(
    engine: &Engine,
    position: &Position,
    subtrees: usize,
    threads: usize,
) -> (Outcome, u64, usize) {
    let mut record: Option<Record> = None;
    for searches in 1.. {
        let cancel = Cancel::new();
        let control = Control::default().with_cancel(&cancel);
        let keeper = Keeper {
            record: Mutex::new(record.clone().unwrap_or_default()),
            left: Mutex::new(subtrees),
            cancel: &cancel,
        };
        let outcome = on_threads(threads, || match record.clone() {
            None => engine.solve(position, &control, &keeper).unwrap(),
            Some(record) => engine.resume(position, record, &control, &keeper).unwrap(),
        });
        let kept = keeper.record.into_inner().unwrap();
        if outcome.path.is_some() {
            return (outcome, kept.subtrees(), searches);
        }
        assert_eq!(outcome.stopped, Some(Stop::Cancelled));
        record = Some(through_text(kept));
    }
    unreachable!("the loop has no other end")
}

/// Solves a position up to a number of nodes, and then from the record to the end.
pub fn solve_after_limit(engine: &Engine, position: &Position, nodes: u64) -> Outcome {
    let cancel = Cancel::new();
    let record = Mutex::new(Record::default());
    let keeper = Keeper { record, left: Mutex::new(usize::MAX), cancel: &cancel };
    let limited = engine.solve(position, &Control::default().with_nodes(nodes), &keeper).unwrap();
    assert_eq!(limited.stopped, Some(Stop::Nodes));
    let record = through_text(keeper.record.into_inner().unwrap());
    engine.resume(position, record, &Control::default(), &()).unwrap()
}

#[cfg(feature = "serde")]
fn through_text(record: Record) -> Record {
    let text = serde_json::to_string(&record).unwrap();
    assert!(text.len() < 1_000_000);
    let read = serde_json::from_str(&text).unwrap();
    assert_eq!(record, read);
    read
}

#[cfg(not(feature = "serde"))]
fn through_text(record: Record) -> Record {
    record
}
