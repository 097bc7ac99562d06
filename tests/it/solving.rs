//! Shortest solutions: every board's length against what is known of it.
//!
//! - The contest's boards, Korf's hundred, boards at the greatest distance and boards hard for
//!   these databases: right lengths, every solution replayed on the board.
//! - The node counts of Korf's hundred are pinned: they are the program's signature. A change that
//!   moves them says so, and says why (see CONTRIBUTING.md).
//! - Whole spaces of small boards, state by state, against a plain breadth-first search, whose
//!   counts are compared with published ones.
//! - The path found is the first of all optimal ones, with any tables and any number of threads.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::common::{
    Cases, Random, STANDARD, Space, engine, every, grid, histogram, on_threads, published, rounds,
    solve, tables, transposed,
};
use taquin_classics::{Additive, Max, ida_star};
use taquin_engine::board::{Board, Canonical, Goal, Metric, Move, Position, PositionError};
use taquin_engine::search::{Engine, Limits, Outcome};

/// Generated and expanded nodes of Korf's 100 boards with the 7-8 partition and its mirror: the
/// signature.
const SIGNATURE: (u64, u64) = (1_588_416, 761_534);

/// Generated nodes of the nine boards of antipodes80.txt, likewise.
const ANTIPODES: u64 = 64_829_116;

/// Solves all boards on this many threads, shows and checks each, and returns the outcomes.
fn solve_all(cases: &Cases, threads: usize) -> Vec<Outcome> {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    on_threads(threads, || {
        let solved = cases.cases.iter().map(|case| {
            println!("{threads} threads: {}", case.line);
            let outcome = solve(&engine, &case.position);
            cases.check(case, &outcome);
            outcome
        });
        solved.collect()
    })
}

/// The sums of the generated and of the expanded nodes.
fn nodes(outcomes: &[Outcome]) -> (u64, u64) {
    let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum();
    (sum(|outcome| outcome.generated), sum(|outcome| outcome.expanded))
}

#[test]
fn the_contests_boards() {
    let contest = Cases::contest();
    assert_eq!(contest.cases.iter().map(|case| case.length).sum::<usize>(), 195);
    solve_all(&contest, 2);
}

#[test]
fn korfs_hundred_and_the_signature() {
    let korf = Cases::korf();
    assert_eq!(korf.cases.iter().map(|case| case.length).sum::<usize>(), 5305);
    let one = solve_all(&korf, 1);
    let signature = nodes(&one);
    println!("generated, expanded: {signature:?}");
    // Path, bound and counts, board by board.
    let two = solve_all(&korf, 2);
    assert_eq!(one, two);
    assert_eq!(signature, SIGNATURE, "see CONTRIBUTING.md");
}

#[test]
fn boards_at_the_greatest_distance() {
    let antipodes = Cases::antipodes();
    assert_eq!(antipodes.cases.len(), 9);
    assert!(antipodes.cases.iter().all(|case| case.length == 80));
    let one = solve_all(&antipodes, 1);
    println!("generated, expanded: {:?}", nodes(&one));
    assert_eq!(nodes(&one).0, ANTIPODES);
    let some: Vec<_> = one.into_iter().rev().step_by(every(5)).collect();
    assert_eq!(some, solve_all(&antipodes.every(5), 2));
}

#[test]
fn hard_boards() {
    let hard = Cases::hard();
    assert_eq!(hard.cases.len(), 7);
    solve_all(&hard.every(4), 2);
}

/// The worst boards of a hunt, with the nodes that it found.
#[test]
fn hunted_boards() {
    let hunted = Cases::hunted();
    assert_eq!(hunted.cases.len(), 10);
    let hunted = hunted.every(10);
    for (case, outcome) in hunted.cases.iter().zip(solve_all(&hunted, 2)) {
        let nodes = case.line.split(' ').nth(2).unwrap();
        assert_eq!(outcome.generated.to_string(), nodes, "{}", case.line);
    }
}

/// Solves a sample of the positions: the first of all optimal paths each time.
fn solve_space(space: &Space, engine: &Engine, step: usize) {
    let step = every(step);
    let name = format!("{}, blank in {}", space.grid, space.goal_blank);
    let lengths: Vec<usize> = (0..space.len())
        .into_par_iter()
        .step_by(step)
        .map(|number| {
            let position = space.position(number);
            let outcome = solve(engine, &position);
            let path = outcome.path.as_ref().expect("it is solvable");
            assert_eq!(*path, space.least_path(position.labels()), "{name}: {position:?}");
            assert_eq!(outcome.lower_bound() as usize, path.len(), "{name}: {position:?}");
            path.len()
        })
        .collect();
    if step == 1 {
        assert_eq!(histogram(lengths.into_iter()), space.histogram(), "{name}");
    }
}

#[test]
fn positions_of_3x3() {
    let space = Space::of(grid(3, 3), 0, Metric::Single);
    assert_eq!(space.len(), 181_440);
    assert_eq!(space.histogram(), published(space.grid, "stm", "corner"));
    let engine = |partitions: &[&str]| engine(partitions, grid(3, 3), 0);
    solve_space(&space, &engine(&["4-4"]), 10);
    // Other tables, other sizes, three and four patterns, more than one partition: the same paths.
    let rows = "1,2,3,4/5,6,7,8";
    for partition in
        [rows, "1,3,6/2,4,5,7,8", "2,4/1,3,5,6,7,8", "1,2,4/3,6/5,7,8", "1,3/2,4/5,7/6,8"]
    {
        solve_space(&space, &engine(&[partition]), 251);
    }
    solve_space(&space, &engine(&["4-4", rows]), 251);
    solve_space(&space, &engine(&["4-4", rows]).combined(), 251);
    solve_space(&space, &engine(&[rows, "1,3,6,8/2,4,5,7"]).combined(), 251);
    // Boards equal to their mirror image, of whose first moves half are left out, are among them.
    let symmetric = |number: &usize| {
        let labels = space.labels(*number);
        let symmetric = labels == transposed(space.grid, labels);
        assert_eq!(space.position(*number).is_symmetric(), symmetric);
        symmetric
    };
    // The 3 labels on the diagonal and the 3 pairs beside it, each in all orders; the pairs either
    // way round; half of all that.
    assert_eq!((0..space.len()).filter(symmetric).count(), 6 * 6 * 8 / 2);
}

/// The blank in each cell. At an edge nothing is the mirror image of anything.
#[test]
fn positions_of_3x3_for_every_goal_cell() {
    for blank in 0..9 {
        let space = Space::of(grid(3, 3), blank, Metric::Single);
        assert_eq!(space.len(), 181_440);
        if [0, 2, 6, 8].contains(&blank) {
            assert_eq!(space.histogram(), published(grid(3, 3), "stm", "corner"), "{blank}");
        }
        let tiles = (0..9).filter(|&tile| tile != blank).map(|tile| tile.to_string());
        let tiles: Vec<String> = tiles.collect();
        let rows = format!("{}/{}", tiles[..4].join(","), tiles[4..].join(","));
        let engine = |partitions: &[&str]| engine(partitions, grid(3, 3), blank);
        solve_space(&space, &engine(&[&rows]), 170);
        if [1, 4, 8].contains(&blank) {
            solve_space(&space, &engine(&[&rows, "4-4"]).combined(), 610);
        }
    }
}

#[test]
fn positions_of_boards_two_high() {
    for (width, partitions) in [
        (3, vec!["1,2,3/4,5", "1,2/3,4,5"]),
        (4, vec!["1,2,3/4,5,6,7", "1,3,5,7/2,4,6", "1,2,3,4,5/6,7", "1,2,5/3,4/6,7"]),
    ] {
        let space = Space::of(grid(width, 2), 0, Metric::Single);
        assert_eq!(space.histogram(), published(space.grid, "stm", "corner"));
        for partition in &partitions {
            solve_space(&space, &engine(&[partition], space.grid, 0), 10);
        }
    }
}

#[test]
fn positions_of_5x2_at_all_distances() {
    let space = Space::of(grid(5, 2), 0, Metric::Single);
    assert_eq!(space.len(), 1_814_400);
    assert_eq!(space.histogram(), published(space.grid, "stm", "corner"));
    solve_space(&space, &engine(&["1,2,5,6,7/3,4,8,9"], space.grid, 0), 530);
}

/// Boards higher than wide, and all goals with the blank in a corner, share the tables of one:
/// positions of 2×4 as boards, for each of these goals.
#[test]
fn positions_of_2x4_for_each_corner_goal() {
    let engine = engine(&["1,2,3/4,5,6,7"], grid(4, 2), 0);
    for name in ["blank-last", "blank-first", "blank-top-right", "blank-bottom-left"] {
        let goal = Goal::named(name, grid(2, 4)).unwrap();
        let canonical = Canonical::of(&goal);
        let mut boards = vec![goal.board().clone()];
        let mut length = HashMap::from([(goal.board().clone(), 0)]);
        let mut done = 0;
        while done < boards.len() {
            for m in Move::ALL {
                let mut next = boards[done].clone();
                if next.apply(m) && !length.contains_key(&next) {
                    length.insert(next.clone(), length[&boards[done]] + 1);
                    boards.push(next);
                }
            }
            done += 1;
        }
        assert_eq!(boards.len(), 20_160);
        boards.par_iter().step_by(every(10)).for_each(|board| {
            let position = canonical.position(board).expect("it is solvable");
            let path = solve(&engine, &position).path.expect("it is solvable");
            let path = canonical.path_back(&path);
            assert_eq!(path.len(), length[board], "{name}: {board}");
            assert_eq!(board.after(&path).as_ref(), Ok(goal.board()), "{name}: {board}");
        });
    }
}

/// All orders of some numbers.
fn orders(numbers: &[u8]) -> Vec<Vec<u8>> {
    let [first, rest @ ..] = numbers else { return vec![Vec::new()] };
    let rest = orders(rest);
    let inserted = |at| rest.iter().map(move |rest| [&rest[..at], &[*first], &rest[at..]].concat());
    (0..numbers.len()).flat_map(inserted).collect()
}

/// An unsolvable board cannot become a position, so no search is given one: all 720 boards of 3×2,
/// for every goal with a name, and all labels, for every goal cell of the blank.
#[test]
fn only_solvable_boards_become_positions() {
    let size = grid(3, 2);
    let all = orders(&[0, 1, 2, 3, 4, 5]);
    assert_eq!(all.len(), 720);
    for goal_blank in 0..6 {
        let space = Space::of(size, goal_blank, Metric::Single);
        assert_eq!(space.len(), 360);
        for labels in &all {
            match Position::new(size, goal_blank, labels) {
                Ok(position) => {
                    assert!(space.contains(labels), "{labels:?}");
                    assert_eq!(position.labels(), labels);
                }
                Err(PositionError::Unsolvable(why)) => {
                    assert!(!space.contains(labels) && !why.is_solvable(), "{labels:?}");
                }
                Err(other) => panic!("{labels:?}: {other}"),
            }
        }
    }
    for name in Goal::NAMES {
        let goal = Goal::named(name, size).unwrap();
        let canonical = Canonical::of(&goal);
        let space = Space::of(canonical.grid(), canonical.goal_blank(), Metric::Single);
        let boards = all.iter().map(|tiles| Board::new(size, tiles).unwrap());
        let (solvable, others): (Vec<_>, Vec<_>) =
            boards.partition(|board| goal.solvability(board).is_solvable());
        assert_eq!((solvable.len(), others.len()), (360, 360));
        for board in &solvable {
            assert!(space.contains(canonical.position(board).unwrap().labels()), "{board}");
        }
        for board in &others {
            let error = canonical.position(board).unwrap_err();
            assert!(matches!(error, PositionError::Unsolvable(_)), "{board}: {error}");
        }
        let other = Board::new(grid(2, 3), &all[0]).unwrap();
        let error = canonical.position(&other).unwrap_err();
        assert!(matches!(error, PositionError::Size { .. }), "{error}");
    }
}

/// A board equal to its mirror image is searched from half of its first moves; the plain search
/// searches them all.
#[test]
fn symmetric_boards_have_the_same_paths_too() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let both = Max::mirrored(tables(STANDARD, grid(4, 4), 0));
    let mut random = Random(2);
    let mut positions = Vec::new();
    while positions.len() < rounds(10) {
        // The diagonal's labels in any order on the diagonal, the pairs beside it in any order.
        let mut labels: Vec<u8> = (0..16).collect();
        let mut shuffle = |cells: &[usize]| {
            for last in (1..cells.len()).rev() {
                let (a, b) = (cells[last], cells[random.below(last + 1)]);
                labels.swap(a, b);
            }
        };
        shuffle(&[0, 5, 10, 15]);
        let above = [1, 2, 3, 6, 7, 11];
        shuffle(&above);
        for cell in above {
            let turn = |cell: usize| cell % 4 * 4 + cell / 4;
            if random.below(2) == 0 {
                labels[cell] = turn(labels[cell].into()) as u8;
            }
            labels[turn(cell)] = turn(labels[cell].into()) as u8;
        }
        assert_eq!(labels, transposed(grid(4, 4), &labels));
        positions.extend(Position::new(grid(4, 4), 0, &labels));
    }
    positions.par_iter().for_each(|position| {
        assert!(position.is_symmetric());
        let fast = solve(&engine, position);
        let slow = ida_star(position, &both, &Limits::default());
        assert_eq!(fast.path, slow.path, "{position:?}");
        assert!(fast.expanded < slow.expanded, "{position:?}");
    });
}

/// Larger boards that are not square: one view only, and another automaton.
#[test]
fn boards_of_other_sizes_have_the_same_paths_too() {
    for (size, partitions, boards) in [
        (
            grid(4, 3),
            ["1,2,4,5,8,9/3,6,7,10,11", "1,2,3,4,5,6/7,8,9,10,11", "1,2,4,5/3,6,7,11/8,9,10"],
            40,
        ),
        (
            grid(5, 3),
            [
                "1,2,5,6,7,10,11/3,4,8,9,12,13,14",
                "1,2,3,4,5,6,7/8,9,10,11,12,13,14",
                "1,2,5,6,7,11/3,4,8,9,13,14/10,12",
            ],
            4,
        ),
    ] {
        let engines = partitions.map(|partition| engine(&[partition], size, 0));
        let additive: Additive = Additive::new(tables(partitions[0], size, 0));
        let mut random = Random(3);
        let positions: Vec<_> = (0..boards).map(|_| random.position(size)).collect();
        positions.par_iter().for_each(|position| {
            let slow = ida_star(position, &additive, &Limits::default());
            let fast = engines.each_ref().map(|engine| solve(engine, position));
            println!("{position:?}");
            for fast in &fast {
                assert_eq!(fast.path, slow.path, "{position:?}");
                assert_eq!(fast.lower_bound(), slow.lower_bound(), "{position:?}");
            }
            assert!(fast[0].expanded <= slow.expanded, "{position:?}");
        });
    }
}
