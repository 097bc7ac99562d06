//! No answer claims more than is true: on small boards every claim is compared with the distances that
//! a breadth-first search finds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::common::{Space, engine, every, grid, methods};
use taquin::{Board, Bracket, Limits, Method, Solver, Store};
use taquin_engine::board::{Goal, Grid, Metric, Position};

const NODES: [Option<u64>; 7] =
    [Some(0), Some(1), Some(10), Some(100), Some(1_000), Some(10_000), None];

const MULTI: [Method; 3] = [Method::Ida, Method::Plain, Method::Beam];

/// The goals: names, and the tiles in order with the blank in the middle.
fn goals(grid: Grid) -> Vec<String> {
    let middle = grid.cells() / 2;
    let tile = |cell: usize| cell + usize::from(cell < middle);
    let tiles = (0..grid.cells()).map(|cell| if cell == middle { 0 } else { tile(cell) });
    let middle = Board::new(grid, &tiles.map(|tile| tile as u8).collect::<Vec<_>>()).unwrap();
    let names = ["blank-last", "blank-first", "columns", "spiral"];
    names.map(str::to_owned).into_iter().chain([middle.to_string()]).collect()
}

/// All boards that moves lead to from a goal, each with its distance, the nearest first.
fn distances(goal: &Goal, metric: Metric) -> Vec<(Board, usize)> {
    let grid = goal.board().grid();
    let reached = Space::from(grid, 0, goal.board().tiles(), metric);
    let board = |(tiles, distance)| (Board::new(grid, tiles).unwrap(), usize::from(distance));
    reached.iter().map(board).collect()
}

/// The unchecked look-ups of the fast search need a solvable position.
#[test]
fn overwritten_positions_are_not_searched() {
    let three = grid(3, 3);
    let engine = engine(&["4-4"], three, 0);
    for labels in [[0, 2, 1, 3, 4, 5, 6, 7, 8], [0, 1, 1, 3, 4, 5, 6, 7, 8]] {
        let mut position = Position::goal(three, 0);
        position.overwrite(|old| old.copy_from_slice(&labels));
        let search = || engine.search(&position).map(|_| ());
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err(), "{labels:?}");
    }
}

/// Checks an answer for a board at a distance.
fn check(bracket: &Bracket, distance: usize, says: &dyn Fn() -> String) {
    assert!(bracket.lower_bound as usize <= distance, "{}: {bracket:?}", says());
    let Some(solution) = &bracket.solution else { return };
    assert!(solution.length() >= distance, "{}: {bracket:?}", says());
    let optimal = solution.length() == distance && bracket.lower_bound as usize == distance;
    assert_eq!(bracket.is_optimal(), optimal, "{}: {bracket:?}", says());
}

/// Solves boards of a size for each goal, by every method and with every limit: one board in `step`
/// each time, others for each limit. With a step of 1, every board has each limit. Boards of more than
/// six cells have no greater limit than the first that leaves nothing to prove: the search would be
/// the same.
fn no_false_witness(grid: Grid, goals: &[String], step: usize) {
    let store = Store::memory();
    for (place, goal) in goals.iter().enumerate() {
        for (metric, methods) in
            [(Metric::Single, methods().collect()), (Metric::Multi, MULTI.to_vec())]
        {
            let known = distances(&Goal::parse(goal, grid).unwrap(), metric);
            for method in methods {
                let solver = Solver::builder().goal(goal.as_str()).metric(metric).method(method);
                // In slides, the plain method needs a heuristic without databases.
                let solver = match (metric, method) {
                    (Metric::Multi, Method::Plain) => {
                        solver.heuristic("manhattan".parse().unwrap())
                    }
                    _ => solver,
                };
                let solver = solver.store(store.clone()).build().unwrap();
                let mut proved = vec![false; known.len()];
                let start = Instant::now();
                for (turn, nodes) in NODES.into_iter().enumerate() {
                    // It visits up to 181,440 boards.
                    let slow = method == Method::Bfs && nodes.is_none() && grid.cells() > 8;
                    let step = if slow && place > 0 { step.max(1009) } else { step };
                    let limits = nodes.map_or(Limits::default(), |n| Limits::default().nodes(n));
                    let sample = (0..known.len()).skip((turn + place) % step).step_by(step);
                    let items = sample.filter(|&number| !proved[number]);
                    let items: Vec<_> = items.map(|n| (n, Some(known[n].0.clone()))).collect();
                    for (number, answer) in solver.stream(items, limits.clone()) {
                        let (ref board, distance) = known[number];
                        let says = || format!("{board} to {goal}, {metric}, {method}, {nodes:?}");
                        let bracket = answer.unwrap().unwrap();
                        check(&bracket, distance, &says);
                        if nodes.is_none() && method.is_optimal() {
                            assert!(bracket.is_optimal(), "{}", says());
                        }
                        proved[number] = bracket.is_optimal() && grid.cells() > 6;
                        // Alone it is searched by other code.
                        if method == Method::Ida && distance % 4 == 0 {
                            check(&solver.solve_with(board, &limits).unwrap(), distance, &says);
                        }
                    }
                    let seconds = start.elapsed().as_secs();
                    println!("{grid}, {goal}, {metric}, {method}, {nodes:?}: {seconds} s");
                }
            }
        }
    }
}

#[test]
fn no_answer_of_six_cells_is_a_false_witness() {
    no_false_witness(grid(2, 3), &different_goals(grid(2, 3)), every(10));
    no_false_witness(grid(2, 3), &goals(grid(2, 3)), every(100));
    no_false_witness(grid(3, 2), &goals(grid(3, 2)), every(100));
}

#[test]
fn no_answer_of_a_sample_is_a_false_witness() {
    let [_, first, columns, _, middle] = goals(grid(3, 3)).try_into().unwrap();
    no_false_witness(grid(3, 3), &[first, middle], every(60_001));
    no_false_witness(grid(2, 4), &goals(grid(2, 4)), every(10_001));
    no_false_witness(grid(4, 2), &[columns], every(10_001));
}

/// Goals whose blanks are in a corner, in it with the tiles in another order, and in the middle. The
/// others of [`goals`] differ from these in nothing but the numbers of the tiles.
fn different_goals(grid: Grid) -> [String; 3] {
    let [last, _, columns, _, middle] = goals(grid).try_into().unwrap();
    [last, columns, middle]
}

#[test]
#[ignore = "takes some 25 minutes on two idle cores"]
fn no_answer_of_eight_cells_is_a_false_witness_in_full() {
    for size in [grid(2, 4), grid(4, 2)] {
        no_false_witness(size, &different_goals(size), 1);
    }
}

/// Every board has one of the limits for each goal and method: all of them would take hours.
#[test]
#[ignore = "takes some 15 minutes on two idle cores"]
fn no_answer_of_nine_cells_is_a_false_witness_in_full() {
    no_false_witness(grid(3, 3), &different_goals(grid(3, 3)), NODES.len());
}

/// Windows of these boards' paths are shortened to less than the length of the window.
#[test]
fn a_window_proves_nothing_of_a_longer_path() {
    for (board, goal, nodes) in [
        ("6 2 / 4 1 / 0 7 / 5 3", "columns", 0),
        ("3 7 0 2 / 1 4 6 5", "columns", 100),
        ("3 1 / 7 4 / 0 6 / 2 5", "blank-last", 0),
    ] {
        let solver = Solver::builder().goal(goal).metric(Metric::Multi).method(Method::Beam);
        let solver = solver.store(Store::memory()).build().unwrap();
        let limits = Limits::default().nodes(nodes);
        let bracket = solver.solve_with(board.parse::<Board>().unwrap(), &limits).unwrap();
        check(&bracket, 14, &|| board.to_owned());
    }
}

/// A deadline that passes for a moment ends a search, or leaves no trace.
#[test]
fn a_deadline_that_passes_once_proves_nothing() {
    let goal = Goal::named("blank-last", grid(3, 3)).unwrap();
    let known = distances(&goal, Metric::Single);
    let store = Store::memory();
    for method in methods() {
        let solver = Solver::builder().method(method).store(store.clone()).build().unwrap();
        for (number, (board, distance)) in known.iter().rev().step_by(18_001).enumerate() {
            for call in (0..30).step_by(every(5)) {
                let calls = Arc::new(AtomicUsize::new(0));
                let once = move || calls.fetch_add(1, Ordering::Relaxed) == call;
                // Methods that go on until a limit need another one.
                let limits = Limits::default().deadline(once).nodes(1_000_000);
                let bracket = solver.solve_with(board, &limits).unwrap();
                check(&bracket, *distance, &|| format!("{method}, board {number}, call {call}"));
            }
        }
    }
}
