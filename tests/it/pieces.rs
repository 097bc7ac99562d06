//! Searches that are cut short and go on from their records.

use std::sync::atomic::{AtomicUsize, Ordering};

use taquin_engine::board::Position;
use taquin_engine::search::{Cancel, Deepening, Engine, Event, Limits, Outcome, Record, Stop};

use crate::common::on_threads;

/// Solves a position, cancels the search after so many subtrees, resumes it from its record, and so
/// on to the end. Returns the outcome, the number of subtrees, and the number of searches.
///
/// With the feature `serde` the record goes through text each time.
fn solve_in_pieces(
    engine: &Engine,
    position: &Position,
    subtrees: usize,
    threads: usize,
) -> (Outcome, u64, usize) {
    let mut record = Record::default();
    for searches in 1.. {
        let cancel = Cancel::new();
        let (left, stop) = (AtomicUsize::new(subtrees), cancel.clone());
        let limits = Limits::default().cancel(&cancel).listener(move |event| {
            if matches!(event, Event::Finished(_)) && left.fetch_sub(1, Ordering::Relaxed) == 1 {
                stop.cancel();
            }
        });
        let (outcome, kept) = on_threads(threads, || {
            let mut search = engine.resume(position, record.clone()).unwrap();
            (search.run(&limits).unwrap(), search.record().clone())
        });
        // A search that is cancelled may return a solution while an earlier subtree is not finished.
        if outcome.path.is_some() && !cancel.is_cancelled() {
            return (outcome, kept.subtrees(), searches);
        }
        assert!(outcome.path.is_some() || outcome.stopped == Some(Stop::Cancelled));
        record = through_text(kept);
    }
    unreachable!("the loop has no other end")
}

/// Panics unless a search that is interrupted after every so many subtrees comes to the same answer, with
/// the same nodes and subtrees, on one thread and on two. Returns the answer.
pub fn goes_on(engine: &Engine, position: &Position, subtrees: usize) -> Outcome {
    let (whole, all, searches) = solve_in_pieces(engine, position, usize::MAX, 2);
    assert_eq!(searches, 1);
    for threads in [1, 2] {
        let pieces = solve_in_pieces(engine, position, subtrees, threads);
        assert_eq!((&pieces.0, pieces.1), (&whole, all));
        assert!(pieces.2 > 5);
    }
    whole
}

/// Solves a position up to a number of nodes, and then from the record to the end.
pub fn solve_after_limit(engine: &Engine, position: &Position, nodes: u64) -> Outcome {
    let mut search = engine.search(position).unwrap();
    let limited = search.run(&Limits::default().nodes(nodes)).unwrap();
    assert_eq!((&limited.path, limited.stopped), (&None, Some(Stop::Nodes)));
    assert!((nodes / 2..=nodes + 10_000).contains(&limited.generated), "{limited:?}");
    let record = through_text(search.record().clone());
    engine.resume(position, record).unwrap().run(&Limits::default()).unwrap()
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
