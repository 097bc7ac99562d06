//! The fast search and the generator on boards so small that Miri, which interprets every step and
//! reports undefined behaviour, gets through them: `scripts/reliability miri`.
//!
//! Both ways to store views are covered, with one view and with two, for single boards on two
//! threads and for a stream.

use std::sync::Arc;

use crate::common::{end, engine, on_threads, streamed};
use taquin_engine::Cancel;
use taquin_engine::board::{Canonical, Goal, Grid, Metric, Moves, Position};
use taquin_engine::pdb::{Pattern, Placements, SlideTable, generate_slides};
use taquin_engine::search::{Engine, LaneEnd, Learned, Limits};

/// The canonical positions of boards for the goal with the blank last, with optimal lengths.
fn positions(grid: Grid, boards: &[(&str, usize)]) -> Vec<(Position, usize)> {
    let canonical = Canonical::of(&Goal::named("blank-last", grid).unwrap());
    let position = |&(board, length): &(&str, usize)| {
        (canonical.position(&board.parse().unwrap()).unwrap(), length)
    };
    boards.iter().map(position).collect()
}

/// Panics unless moves lead to the goal, as many as are expected.
fn check((position, length): &(Position, usize), path: Option<&Moves>) {
    let path = path.expect("a position is solvable");
    assert!(end(position, path).is_goal());
    assert_eq!(path.len(), *length, "{path}");
}

/// Searches for positions with beams, with learned weights and without.
fn beams(engine: &Engine, positions: &[(Position, usize)]) {
    let weights = Learned::new(positions[0].0.grid(), positions[0].0.goal_blank(), Metric::Single);
    for (position, learned) in positions.iter().flat_map(|p| [(p, None), (p, Some(&weights))]) {
        let beam = |width: usize, limits: &Limits| {
            engine.beam(&position.0, width.into(), usize::MAX, learned, limits).unwrap()
        };
        // A beam of all positions is breadth-first search. Miri would take minutes for it.
        if !cfg!(miri) {
            check(position, beam(1 << 20, &Limits::default()).as_ref());
        }
        let narrow = beam(4, &Limits::default()).unwrap();
        assert!(narrow.len() >= position.1 && narrow.len() % 2 == position.1 % 2);
        assert!(end(&position.0, &narrow).is_goal());
        let stopped = Limits::default().nodes(0);
        assert_eq!(beam(10, &stopped).is_some(), position.1 == 0);
    }
}

/// Solves positions one after the other, and as a stream.
fn solve(engine: &Engine, positions: &[(Position, usize)]) {
    let limits = Limits::default();
    for position in positions {
        let outcome = on_threads(2, || engine.solve(&position.0, &limits).unwrap());
        check(position, outcome.path.as_ref());
    }
    let boards = positions.iter().map(|(position, _)| (position.clone(), limits.clone()));
    let verdicts = streamed(engine, boards);
    assert_eq!(verdicts.len(), positions.len());
    for (position, verdict) in positions.iter().zip(verdicts) {
        let LaneEnd::Done(outcome) = verdict else { panic!("{position:?}: {verdict:?}") };
        check(position, outcome.path.as_ref());
    }
}

/// The boards to solve. Miri takes minutes for the one that is far from the goal.
fn boards(grid: Grid) -> Vec<(Position, usize)> {
    let boards = [("2 5 4 / 1 0 3", 9), ("4 5 0 / 1 2 3", 21)];
    positions(grid, if cfg!(miri) { &boards[..1] } else { &boards })
}

/// Two patterns and more, alone and in two views.
#[test]
fn both_ways_to_store_views() {
    let grid = Grid::new(3, 2).unwrap();
    let boards = boards(grid);
    for (one, other, has_beams) in
        [("1,2,3/4,5", "1,4,5/2,3", true), ("1,2/3,4/5", "1,3/2,5/4", !cfg!(miri))]
    {
        let engine_of_one = engine(&[one], grid, 0);
        solve(&engine_of_one, &boards);
        if has_beams {
            beams(&engine_of_one, &boards);
        }
        solve(&engine(&[one, other], grid, 0).combined(), &boards);
    }
}

// Miri takes minutes to print where a panic came from.
#[test]
#[cfg(not(miri))]
#[should_panic = "the weights are those of another goal"]
fn weights_of_another_goal() {
    let grid = Grid::new(3, 2).unwrap();
    let (position, _) = positions(grid, &[("4 5 0 / 1 2 3", 21)]).remove(0);
    let weights = Learned::new(grid, 5, Metric::Single);
    let engine = engine(&["1,2,3/4,5"], grid, 0);
    let _ = engine.beam(&position, 10.into(), usize::MAX, Some(&weights), &Limits::default());
}

#[test]
fn tables_that_count_slides() {
    let grid = Grid::new(3, 2).unwrap();
    let pattern = Pattern::new(grid, 0, [1, 5]).unwrap();
    let placements = Arc::new(Placements::new(6, 2));
    let built = generate_slides(&placements, &pattern, &Cancel::new(), &mut |_| ()).unwrap();
    let table = SlideTable::new(pattern, placements, built.bits);
    let mut cells = [0; 16];
    (cells[1], cells[5]) = (1, 5);
    assert_eq!(table.value(table.probe(&cells, 0)), 0);
}
