//! The searches that need no databases, on boards of all sizes.

mod common;

use common::{Random, grid, moved};
use taquin::board::{Board, Canonical, Goal, Path, Position};
use taquin::search::{Control, greedy, shorten, staged};

const CONTEST: [&str; 5] = [
    "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
    "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4",
    "5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7",
    "11 4 12 2 / 5 10 3 15 / 14 1 6 7 / 0 9 8 13",
    "5 8 7 11 / 1 6 12 2 / 9 0 13 10 / 14 3 4 15",
];

/// Whether the moves lead from a position to the goal, which is the identity.
fn solves(position: &Position, path: &Path) -> bool {
    let mut labels = position.labels().to_vec();
    for m in path.iter() {
        let Some(next) = moved(position.grid(), position.goal_blank(), &labels, m) else {
            return false;
        };
        labels = next;
    }
    labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
}

/// The moves that earlier programs of this kind need for the five boards together.
const OTHERS: usize = 329;

#[test]
fn stages_of_the_contest_boards() {
    let goal = Goal::named("blank-last", grid(4, 4)).unwrap();
    let canonical = Canonical::of(&goal);
    let (mut before, mut after, mut greedily) = (0, 0, 0);
    for text in CONTEST {
        let board: Board = text.parse().unwrap();
        let position = canonical.position(&board).unwrap();
        let mut stages = Vec::new();
        let path = staged(&position, |stage| stages.push(stage.clone()));
        assert!(solves(&position, &path), "{text}");
        assert_eq!(stages.iter().map(|stage| stage.tiles.len()).sum::<usize>(), 15, "{stages:?}");
        assert!(stages.iter().map(|stage| stage.moves).sum::<usize>() >= path.len());
        before += path.len();
        let control = Control::default().with_nodes(3_000_000);
        let start = std::time::Instant::now();
        let (path, optimal) = shorten(&position, path, &control);
        assert!(solves(&position, &path), "{text}");
        println!("{} {optimal} {:?}", path.len(), start.elapsed());
        after += path.len();
        let path = greedy(&position, &(), |_| ());
        assert!(solves(&position, &path), "{text}");
        greedily += path.len();
    }
    println!("{before} by stages, {after} shortened, {greedily} greedily");
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
            let position = random.position(grid);
            let path = staged(&position, |_| ());
            assert!(solves(&position, &path), "{position:?}");
            moves += path.len();
        }
        println!("{grid}: {} moves, {:?}", moves / count, start.elapsed() / count as u32);
    }
}
