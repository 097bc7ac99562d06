//! Solves uniform random 4×4 boards twice, and compares the lengths: by the engine with the 7-8
//! databases and their mirrors, and by the plain IDA* with an independent heuristic. That is
//! walking distance, which has no tables of patterns at all; or, if that takes more than 300,000
//! nodes, the 6-6-3 databases and their mirrors. Both solutions are replayed.
//!
//! ```console
//! $ cargo run --release --example crosscheck -- 20000
//! ```
//!
//! The arguments are the number of boards (1,000) and the number of the first one (0): the same
//! number is always the same board.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use common::{Random, STANDARD, engine, grid, on_threads, tables};
use taquin_classics::{Max, WalkingDistance, ida_star};
use taquin_engine::board::{Board, Moves, Position};
use taquin_engine::search::Limits;

/// The nodes that walking distance may generate for a board.
const NODES: u64 = 300_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (count, first): (u64, u64) = (number(1000)?, number(0)?);

    let size = grid(4, 4);
    let fast = engine(&[STANDARD], size, 0);
    let walking = WalkingDistance::new(size, 0)?;
    let three = tables("6-6-3", size, 0);
    let three = Max::mirrored(three);
    let goal: Vec<u8> = (0..16).collect();
    let solves = |position: &Position, path: &Moves| {
        // For the goal with the blank first, a tile's number is its label.
        Board::new(size, position.labels())
            .is_ok_and(|board| board.after(path).is_ok_and(|end| end.tiles() == goal))
    };

    let (done, walked, moves) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    let check = |number: u64| {
        let position = Random(number << 32).position(size);
        let wrong = |what: &str| Err(format!("board {number}, {position:?}: {what}"));
        let Ok(outcome) = fast.solve(&position, &Limits::default()) else {
            return wrong("a table is damaged");
        };
        let mut slow = ida_star(&position, &walking, &Limits::default().nodes(NODES));
        walked.fetch_add(usize::from(slow.path.is_some()), Relaxed);
        if slow.path.is_none() {
            slow = ida_star(&position, &three, &Limits::default());
        }
        let (Some(one), Some(other)) = (&outcome.path, &slow.path) else {
            return wrong("there is no solution");
        };
        if !solves(&position, one) || !solves(&position, other) {
            return wrong("a solution does not lead to the goal");
        }
        if one.len() != other.len() {
            return wrong(&format!("{} moves, but {}", one.len(), other.len()));
        }
        moves.fetch_add(one.len(), Relaxed);
        let done = done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(1000) {
            eprintln!("{done} boards, {:.0} s", start.elapsed().as_secs_f64());
        }
        Ok(())
    };
    // Each board on one thread, as the others have boards of their own.
    let next = AtomicU64::new(first);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
        numbers.take_while(|&number| number < first + count).try_for_each(check)
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| on_threads(1, work))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no check panics"))
    })?;
    println!(
        "{count} boards from number {first}: solved twice, replayed twice, equal lengths \
         ({} by walking distance, {} by 6-6-3; {} moves) in {:.0} s",
        walked.load(Relaxed),
        count as usize - walked.load(Relaxed),
        moves.load(Relaxed),
        start.elapsed().as_secs_f64(),
    );
    Ok(())
}
