//! The searches that need no databases, on boards of all sizes.

use crate::common::{Case, Cases, Random, check_beams, end, every, grid, rounds};
use taquin_classics::{LinearConflict, Manhattan, bfs, greedy};
use taquin_engine::board::{Grid, Metric, Moves, Position};
use taquin_engine::search::{Learned, Limits, beam, shorten, staged};

fn solves(position: &Position, path: &Moves) -> bool {
    end(position, path).is_goal()
}

/// The moves that earlier programs of this kind need for the five boards together.
const OTHERS: usize = 329;

#[test]
fn stages_of_the_contest_boards() {
    let (mut before, mut after) = (0, 0);
    for Case { position, line, .. } in Cases::contest().cases {
        let mut stages = Vec::new();
        let path = staged(&position, |stage| stages.push(stage.clone()));
        assert!(solves(&position, &path), "{line}");
        assert_eq!(stages.iter().map(|stage| stage.tiles.len()).sum::<usize>(), 15, "{stages:?}");
        assert!(stages.iter().map(|stage| stage.moves).sum::<usize>() >= path.len());
        before += path.len();
        let limits = Limits::default().nodes(3_000_000);
        let (path, _) = shorten(&position, path, Metric::Single, &limits);
        assert!(solves(&position, &path), "{line}");
        after += path.len();
        let path = greedy(&position, &Limits::default(), |_| ());
        assert!(solves(&position, &path), "{line}");
    }
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
        for _ in 0..if grid.cells() <= 64 { rounds(3) } else { 1 } {
            let position = random.position(grid);
            assert!(solves(&position, &staged(&position, |_| ())), "{position:?}");
        }
    }
}

#[test]
fn beams_of_all_sizes() {
    let mut random = Random(6);
    for grid in sizes().step_by(every(3)) {
        let position = random.position(grid);
        let heuristic = LinearConflict::new(position.grid(), position.goal_blank());
        let learned = Learned::new(position.grid(), position.goal_blank(), Metric::Single);
        // Beams of 10 positions per level get stuck on large boards.
        let by_bound =
            |below, limits: &Limits| beam(&position, &heuristic, Metric::Single, 10, below, limits);
        check_beams(&position, Metric::Single, by_bound);
        let by_weights =
            |below, limits: &Limits| beam(&position, &learned, Metric::Single, 10, below, limits);
        check_beams(&position, Metric::Single, by_weights);
    }
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
    for _ in 0..rounds(2) {
        let position = random.position(grid);
        let optimal = bfs(&position, &Limits::default()).path.unwrap().len();
        let solve =
            |below| beam(&position, &manhattan, Metric::Single, 1 << 18, below, &Limits::default());
        assert_eq!(solve(usize::MAX).map(|path| path.len()), Some(optimal));
        assert_eq!(solve(optimal), None);
    }
}
