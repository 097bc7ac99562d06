//! The searches that need no databases, on boards of all sizes.

use crate::common::{Random, end, grid, on_threads};
use taquin_engine::board::{Board, Canonical, Goal, Grid, Metric, Moves, Position};
use taquin_engine::search::{Learned, Limits, beam, shorten, staged};
use taquin_reference::{LinearConflict, Manhattan, bfs, greedy};

const CONTEST: [&str; 5] = [
    "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
    "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4",
    "5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7",
    "11 4 12 2 / 5 10 3 15 / 14 1 6 7 / 0 9 8 13",
    "5 8 7 11 / 1 6 12 2 / 9 0 13 10 / 14 3 4 15",
];

fn solves(position: &Position, path: &Moves) -> bool {
    end(position, path).is_goal()
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
        let limits = Limits::default().nodes(3_000_000);
        let start = std::time::Instant::now();
        let (path, proof) = shorten(&position, path, Metric::Single, &limits);
        assert!(solves(&position, &path), "{text}");
        println!("{} {proof:?} {:?}", path.len(), start.elapsed());
        after += path.len();
        let path = greedy(&position, &Limits::default(), |_| ());
        assert!(solves(&position, &path), "{text}");
        greedily += path.len();
    }
    println!("{before} by stages, {after} shortened, {greedily} greedily");
    assert!(before <= OTHERS, "{before}");
    assert!(after <= 235, "{after}");
}

fn sizes() -> impl Iterator<Item = Grid> {
    let sizes =
        "2x2 3x2 4x2 5x2 128x2 3x3 4x3 5x3 85x3 4x4 5x4 7x4 5x5 6x6 8x7 8x8 10x10 16x15 16x16";
    sizes.split(' ').map(|size| size.parse().unwrap())
}

#[test]
fn stages_of_all_sizes() {
    let mut random = Random(5);
    for grid in sizes() {
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

#[test]
fn beams_of_all_sizes() {
    let mut random = Random(6);
    for grid in sizes() {
        let position = random.position(grid);
        let heuristic = LinearConflict::new(position.grid(), position.goal_blank());
        let learned = Learned::new(position.grid(), position.goal_blank(), Metric::Single);
        check_beams(&position, |below, limits| {
            beam(&position, &heuristic, Metric::Single, 10, below, limits)
        });
        check_beams(&position, |below, limits| {
            beam(&position, &learned, Metric::Single, 10, below, limits)
        });
    }
}

/// Checks beams of 10 positions a level, which get stuck on large boards.
fn check_beams(position: &Position, solve: impl Fn(usize, &Limits) -> Option<Moves> + Sync) {
    let path = solve(usize::MAX, &Limits::default()).unwrap();
    assert!(solves(position, &path), "{position:?}");
    let on = |threads| on_threads(threads, || solve(usize::MAX, &Limits::default()));
    assert_eq!((on(1), on(3)), (Some(path.clone()), Some(path.clone())));
    let shorter = solve(path.len(), &Limits::default());
    assert!(shorter.is_none_or(|shorter| shorter.len() < path.len()));
    let nothing = solve(usize::MAX, &Limits::default().nodes(0));
    assert_eq!(nothing.is_some(), position.is_goal());
}

#[test]
fn learned_weights_guide_beams_better_than_linear_conflict() {
    let mut random = Random(8);
    let (mut by_bound, mut by_weights) = (0, 0);
    for size in [5, 6, 6, 6, 7, 8] {
        let position = random.position(grid(size, size));
        let heuristic = LinearConflict::new(position.grid(), position.goal_blank());
        let learned = Learned::new(position.grid(), position.goal_blank(), Metric::Single);
        let limits = Limits::default();
        let metric = Metric::Single;
        let by_bound_alone = beam(&position, &heuristic, metric, 300, usize::MAX, &limits);
        by_bound += by_bound_alone.unwrap().len();
        by_weights += beam(&position, &learned, metric, 300, usize::MAX, &limits).unwrap().len();
    }
    assert!(10 * by_weights < 9 * by_bound, "{by_bound} {by_weights}");
}

#[test]
fn a_beam_of_all_positions_is_optimal() {
    let mut random = Random(7);
    let grid = grid(3, 3);
    let manhattan = Manhattan::new(grid, 0);
    for _ in 0..10 {
        let position = random.position(grid);
        let optimal = bfs(&position, None, &Limits::default()).path.unwrap().len();
        let solve =
            |below| beam(&position, &manhattan, Metric::Single, 1 << 18, below, &Limits::default());
        assert_eq!(solve(usize::MAX).map(|path| path.len()), Some(optimal));
        assert_eq!(solve(optimal), None);
    }
}
