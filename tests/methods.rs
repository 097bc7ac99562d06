//! The searches that do without databases, on boards of all sizes.

mod common;

use common::{Random, grid};
use taquin::board::{Board, Canonical, Goal, Grid, Path};
use taquin::search::{Control, shorten, staged};

const CONTEST: [&str; 5] = [
    "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
    "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4",
    "5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7",
    "11 4 12 2 / 5 10 3 15 / 14 1 6 7 / 0 9 8 13",
    "5 8 7 11 / 1 6 12 2 / 9 0 13 10 / 14 3 4 15",
];

/// Whether the moves lead from a position to the goal, which is the identity.
fn solves(grid: Grid, blank: usize, labels: &[u8], path: &Path) -> bool {
    let mut labels = labels.to_vec();
    let mut empty = labels.iter().position(|&label| usize::from(label) == blank).unwrap();
    for m in path.iter() {
        let Some(from) = grid.source(empty, m) else { return false };
        labels.swap(empty, from);
        empty = from;
    }
    labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
}

/// What earlier programs of this kind need for the five boards in all.
const OTHERS: usize = 329;

#[test]
fn stages_of_the_contest_boards() {
    let goal = Goal::named("blank-last", grid(4, 4)).unwrap();
    let canonical = Canonical::of(&goal);
    let (mut before, mut after) = (0, 0);
    for text in CONTEST {
        let board: Board = text.parse().unwrap();
        let labels = canonical.labels(&board);
        let mut phases = Vec::new();
        let path = staged(grid(4, 4), 0, &labels, |phase| phases.push(phase.clone()));
        assert!(solves(grid(4, 4), 0, &labels, &path), "{text}");
        assert_eq!(phases.iter().map(|phase| phase.tiles.len()).sum::<usize>(), 15, "{phases:?}");
        assert!(phases.iter().map(|phase| phase.moves).sum::<usize>() >= path.len());
        before += path.len();
        let control = Control::default().with_nodes(3_000_000);
        let start = std::time::Instant::now();
        let (path, optimal) = shorten(grid(4, 4), 0, &labels, path, &control);
        assert!(solves(grid(4, 4), 0, &labels, &path), "{text}");
        println!("{} {optimal} {:?}", path.len(), start.elapsed());
        after += path.len();
    }
    println!("{before} {after}");
    assert!(before <= OTHERS, "{before}");
    assert!(after <= 235, "{after}");
}

#[test]
fn stages_of_all_sizes() {
    let mut random = Random(5);
    for (width, height) in [
        (2, 2),
        (3, 2),
        (4, 2),
        (5, 2),
        (128, 2),
        (3, 3),
        (4, 3),
        (5, 3),
        (85, 3),
        (4, 4),
        (5, 4),
        (7, 4),
        (5, 5),
        (6, 6),
        (8, 7),
        (8, 8),
        (10, 10),
        (16, 15),
        (16, 16),
    ] {
        let grid = grid(width, height);
        let count = if grid.cells() <= 64 { 20 } else { 2 };
        let start = std::time::Instant::now();
        let mut moves = 0;
        for _ in 0..count {
            let labels = random.position(grid);
            let path = staged(grid, 0, &labels, |_| ());
            assert!(solves(grid, 0, &labels, &path), "{grid} {labels:?}");
            moves += path.len();
        }
        println!("{grid}: {} moves, {:?}", moves / count, start.elapsed() / count as u32);
    }
}
