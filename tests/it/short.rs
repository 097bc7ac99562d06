//! Methods that are not optimal within their limits.

use std::time::{Duration, Instant};

use crate::common::{grid, in_memory, methods, with};
use taquin::{Board, Goal, Limits, Method, Metric, Solver, Stop};

fn solver(method: Method, metric: Metric) -> Solver {
    in_memory().method(method).metric(metric).build().unwrap()
}

/// The tiles of the goal in reverse, two of them exchanged if there is no solution else.
fn reversed(width: usize, height: usize) -> Board {
    let goal = Goal::named("blank-last", grid(width, height)).unwrap();
    let grid = goal.board().grid();
    let mut tiles: Vec<u8> = goal.board().tiles().iter().rev().copied().collect();
    let board = Board::new(grid, &tiles).unwrap();
    if goal.solvability(&board).is_solvable() {
        return board;
    }
    tiles.swap(1, 2);
    Board::new(grid, &tiles).unwrap()
}

/// The bound is searched within the limit, too, and stages are always completed.
#[test]
fn a_node_limit_holds_for_everything_together() {
    let searches = methods().filter(|method| !method.is_optimal());
    let searches = searches.map(|method| (method, Metric::Single));
    for (method, metric) in searches.chain([(Method::Beam, Metric::Multi)]) {
        let solver = solver(method, metric);
        for nodes in [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let bracket =
                solver.solve_with(reversed(6, 6), &Limits::default().nodes(nodes)).unwrap();
            assert!(bracket.solution.is_some());
            // Limits are looked at once per level of a beam, and every 64 expansions of a greedy search.
            assert!(bracket.effort.generated <= nodes + 300, "{method} {nodes}: {bracket:?}");
            assert!(bracket.effort.generated > 0 || nodes == 0);
            assert_eq!(bracket.stopped, Some(Stop::Nodes), "{method} {nodes}");
            assert!(!bracket.falls_short() && !bracket.is_optimal());
        }
    }
}

/// The last beam follows the time, of which hardly any may be left.
#[test]
fn beams_end_within_any_time() {
    for metric in [Metric::Single, Metric::Multi] {
        let solver = solver(Method::Beam, metric);
        for time in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144].map(Duration::from_millis) {
            for nodes in [20_000, u64::MAX] {
                let limits = Limits::default().time(time).nodes(nodes);
                let bracket = solver.solve_with(reversed(7, 7), &limits).unwrap();
                assert!(bracket.solution.is_some() && bracket.stopped.is_some(), "{bracket:?}");
                assert!(bracket.effort.generated <= nodes.saturating_add(300), "{bracket:?}");
            }
        }
    }
}

#[test]
fn a_small_node_limit_is_enough_for_a_beam() {
    let limits = Limits::default().nodes(30_000);
    let [beam, staged] = [Method::Beam, Method::Staged].map(|method| {
        let solver = solver(method, Metric::Single);
        solver.solve_with(reversed(6, 6), &limits).unwrap().solution.unwrap().len()
    });
    assert!(beam < staged * 3 / 4, "{beam} {staged}");
}

/// Nothing but the first solution, by stages, is made after the time is over.
#[test]
fn no_step_begins_after_the_time_is_over() {
    let board = reversed(16, 15);
    for method in methods().filter(|method| !method.is_optimal()) {
        let solver = solver(method, Metric::Single);
        solver.prepare(board.grid()).unwrap();
        let start = Instant::now();
        let limits = Limits::default().time(Duration::from_micros(1));
        let bracket = solver.solve_with(&board, &limits).unwrap();
        let elapsed = start.elapsed();
        assert_eq!((bracket.stopped, bracket.effort.generated), (Some(Stop::Time), 0), "{method}");
        assert!(bracket.solution.is_some() && !bracket.falls_short());
        let time = bracket.effort.time;
        assert!(time <= elapsed && 2 * time >= elapsed, "{method}: {time:?} of {elapsed:?}");
    }
}

/// Without limits a beam ends by itself, and says so if the gap is larger than was asked for.
#[test]
fn a_missed_gap_falls_short() {
    let board = reversed(4, 4);
    let solver = with("manhattan").method(Method::Beam).build().unwrap();
    let ended = |limits: Limits| {
        let bracket = solver.solve_with(&board, &limits).unwrap();
        (bracket.stopped, bracket.falls_short())
    };
    assert_eq!(ended(Limits::default().gap(1)), (Some(Stop::Method), true));
    assert_eq!(ended(Limits::default().gap(1).nodes(100_000)), (Some(Stop::Nodes), true));
    assert_eq!(ended(Limits::default().gap(100)), (Some(Stop::Gap), false));
    assert_eq!(ended(Limits::default().nodes(100_000)), (Some(Stop::Nodes), false));
}
