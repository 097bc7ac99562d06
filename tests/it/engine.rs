//! The engine beside plain searches. solving.rs has the lengths of its solutions.
//!
//! - Node by node it searches the tree that `ida_star` does with a maximum of plain sums of tables,
//!   which shares no code with it.
//! - A portfolio, combined views, a stream, two threads, an interrupted search: the same paths, and
//!   the node counts that they promise.

use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::common::{
    Cases, Random, STANDARD, Space, engine, every, grid, later_children, on_threads, rounds, solve,
    solve_with, tables,
};
use crate::pieces::goes_on;
use taquin_classics::{Additive, Heuristic, Max, ida_star};
use taquin_engine::board::{Metric, Position};
use taquin_engine::search::{Engine, Event, LaneEnd, Limits, Outcome, Supply, Threshold};

/// Panics unless an engine that leaves out no moves but those that undo the last one has the path,
/// the bound and the nodes of `ida_star`. Generated nodes differ by those that `ida_star` leaves
/// out because it has found the goal.
///
/// A board that is its own mirror image is another matter: half of its first moves are enough.
fn compare(engine: &Engine, reference: &impl Heuristic, position: &Position) {
    assert!(!position.is_symmetric());
    let fast = solve(engine, position);
    let slow = ida_star(position, reference, &Limits::default());
    let path = slow.path.as_ref().expect("it is solvable");
    let generated = slow.generated + later_children(position, path);
    let expected = Outcome { generated, ..slow.clone() };
    assert_eq!(fast, expected, "{position:?}");
}

/// Compares all positions of a sample.
fn compare_all(engine: Engine, reference: &impl Heuristic, positions: &[Position]) {
    let engine = engine.without_automaton();
    let compared = positions.par_iter().filter(|position| !position.is_symmetric());
    let compared = compared.map(|position| compare(&engine, reference, position)).count();
    assert!(2 * compared > positions.len());
}

/// The positions of Korf's boards that are easiest for the standard partition.
fn easiest(count: usize) -> Vec<Position> {
    let korf = Cases::korf();
    korf.easiest(count).into_iter().map(|(case, _)| case.position.clone()).collect()
}

#[test]
fn the_reference_has_the_same_nodes_on_4x4() {
    let size = grid(4, 4);
    let mirrored = |name| Max::mirrored(tables(name, size, 0));
    // Coordinates: up to Korf's hundred.
    compare_all(engine(&[STANDARD], size, 0), &mirrored(STANDARD), &easiest(rounds(50)));
    // Four views.
    let four = engine(&[STANDARD, "7-8b"], size, 0).combined();
    assert_eq!(four.views(), 4);
    compare_all(four, &Max(mirrored(STANDARD), mirrored("7-8b")), &easiest(rounds(50)));
    // Masks.
    compare_all(engine(&["6-6-3"], size, 0), &mirrored("6-6-3"), &easiest(rounds(10)));
    let six = engine(&["6-6-3", "4-4-4-3"], size, 0).combined();
    compare_all(six, &Max(mirrored("6-6-3"), mirrored("4-4-4-3")), &easiest(20));
}

#[test]
fn the_reference_has_the_same_nodes_on_other_boards() {
    let size = grid(3, 3);
    let space = Space::of(size, 0, Metric::Single);
    let positions: Vec<_> =
        (0..space.len()).step_by(every(401)).map(|number| space.position(number)).collect();
    for name in ["4-4", "1,2,4/3,6/5,7,8"] {
        let reference = Max::mirrored(tables(name, size, 0));
        compare_all(engine(&[name], size, 0), &reference, &positions);
    }
    // A goal that is not its own mirror image: one view.
    let space = Space::of(size, 1, Metric::Single);
    let positions: Vec<_> =
        (0..space.len()).step_by(every(397)).map(|number| space.position(number)).collect();
    let rows = "0,2,3,4/5,6,7,8";
    compare_all(engine(&[rows], size, 1), &Additive::new(tables(rows, size, 1)), &positions);
    let size = grid(4, 3);
    let mut random = Random(12);
    let positions: Vec<_> = (0..rounds(15)).map(|_| random.position(size)).collect();
    let names = ["1,2,4,5,8,9/3,6,7,10,11", "1,2,4,5/3,6,7,11/8,9,10"];
    for name in names {
        compare_all(engine(&[name], size, 0), &Additive::new(tables(name, size, 0)), &positions);
    }
}

/// Without the automaton an engine never has fewer nodes, and finds the same paths. So it does with other
/// tables: three patterns are stored as masks, two as coordinates.
#[test]
fn the_automaton_saves_nodes_and_changes_no_path() {
    let both = |name| [(); 2].map(|()| engine(&[name], grid(4, 4), 0));
    let engines =
        [STANDARD, "6-6-3"].map(both).map(|[with, other]| [with, other.without_automaton()]);
    let korf = Cases::korf();
    let mut sums = [0; 2];
    for (case, first) in korf.easiest(rounds(30)) {
        for ([with, without], sum) in engines.iter().zip(&mut sums) {
            let [with, without] = [with, without].map(|engine| solve(engine, &case.position));
            korf.check(case, &with);
            assert_eq!((&with.path, &without.path), (&first.path, &first.path), "{}", case.line);
            assert_eq!(with.lower_bound(), without.lower_bound());
            assert!(with.expanded <= without.expanded && with.generated <= without.generated);
            *sum += with.generated;
        }
    }
    assert!(sums[0] < sums[1], "{sums:?}");
}

/// A portfolio finds the path that each of its partitions finds alone. On boards that are hard for
/// its first partition it changes to other views, and has fewer nodes. Which views, and all counts,
/// are the same with any number of threads. Returns how often views were tried, changed, and saved half of the nodes.
fn portfolios(cases: Cases) -> [usize; 3] {
    let size = grid(4, 4);
    let (standard, other) = (STANDARD, "7-8b");
    let orders = [[standard, other], [other, standard]].into_iter().take(rounds(1));
    let portfolios: Vec<_> = orders.map(|both| engine(&both, size, 0)).collect();
    let (mut tried, mut switched, mut saved) = (0, 0, 0);
    for case in &cases.cases {
        let limits = Limits::default();
        let mut paths = Vec::new();
        for portfolio in &portfolios {
            assert_eq!(portfolio.views(), 4);
            let [one, two] = [1, 2].map(|threads| {
                // The views of each threshold, and how often others were tried before it.
                let seen = Arc::new(Mutex::new(Vec::new()));
                let noted = seen.clone();
                let limits = limits.clone().listener(move |event| {
                    if let Event::Threshold(Threshold { views, trials, .. }) = event {
                        noted.lock().unwrap().push((views.clone(), *trials));
                    }
                });
                let search = || portfolio.solve(&case.position, &limits).unwrap();
                (on_threads(threads, search), seen.lock().unwrap().clone())
            });
            assert_eq!(one, two, "{}", case.line);
            let (outcome, seen) = one;
            cases.check(case, &outcome);
            // The search that keeps the views it begins with, those of its first partition.
            let same =
                on_threads(2, || solve_with(portfolio, &case.position, &[0, 1], &limits)).unwrap();
            paths.extend([outcome.path.clone(), same.path.clone()]);
            let (_, trials) = seen.last().unwrap();
            assert_eq!(seen[0], (vec![0, 1], 0));
            if *trials == 0 {
                assert_eq!(outcome, same, "{}", case.line);
            } else if seen.iter().all(|(views, _)| *views == [0, 1]) {
                // Nodes of trials count as generated, not as expanded.
                assert_eq!(outcome.expanded, same.expanded, "{}", case.line);
                assert!(outcome.generated > same.generated, "{}", case.line);
            } else {
                switched += 1;
                saved += usize::from(2 * outcome.generated < same.generated);
            }
            tried += usize::from(*trials > 0);
            assert!(outcome.generated < same.generated * 3 / 2, "{}", case.line);
        }
        assert!(paths.iter().all(|path| *path == paths[0]), "{}", case.line);
    }
    [tried, switched, saved]
}

/// All boards but the two hardest.
#[test]
fn a_portfolio_finds_the_same_paths() {
    let mut cases = Cases::hard();
    drop(cases.cases.drain(..2));
    let [tried, switched, _] = portfolios(cases);
    assert!(tried >= switched && switched > 0, "{tried} {switched}");
}

#[test]
#[ignore = "repeats the test before, with a board of 124 million nodes"]
fn a_portfolio_finds_the_same_paths_in_full() {
    let [tried, switched, saved] = portfolios(Cases::hard());
    assert!(tried > switched && switched > saved && saved > 0, "{tried} {switched} {saved}");
}

/// Boards for streams: the goal, boards that are hard, Korf's, random ones.
fn mixed_boards() -> Vec<Position> {
    let mut random = Random(5);
    let of = |cases: Cases| cases.cases.into_iter().map(|case| case.position);
    let mut boards = vec![Position::goal(grid(4, 4), 0)];
    boards.extend(of(Cases::antipodes()).take(1));
    boards.extend(of(Cases::hard()).skip(5));
    boards.extend(of(Cases::korf()).take(rounds(40)));
    boards.extend((0..rounds(60)).map(|_| random.position(grid(4, 4))));
    boards
}

/// A lane a board: the same paths, bounds and node counts as one board after the other. A board
/// left for a search of its own has more nodes than `hard` there, or is its own mirror image.
fn stream_as_alone(engine: &Engine, boards: &[Position], hard: u64) {
    let alone: Vec<Outcome> = boards.iter().map(|board| solve(engine, board)).collect();
    for threads in [1, 2] {
        // The next board, and whether a busy thread was sent away and asks for it again.
        let feed = Mutex::new((0, false));
        let verdicts = Mutex::new(Vec::new());
        let stream = || {
            let mut supply = |idle: bool| {
                let mut feed = feed.lock().unwrap();
                if feed.0 % 5 == 1 && !idle && !feed.1 {
                    feed.1 = true;
                    return Supply::Later;
                }
                let number = feed.0;
                *feed = (number + 1, false);
                let Some(board) = boards.get(number) else { return Supply::End };
                let verdicts = &verdicts;
                let deliver = move |verdict, _| verdicts.lock().unwrap().push((number, verdict));
                let (position, limits) = (board.clone(), Limits::default());
                Supply::Board { position, within: None, limits, deliver: Box::new(deliver) }
            };
            engine.solve_stream(&mut supply);
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(stream);
            }
        });
        let mut verdicts = verdicts.into_inner().unwrap();
        verdicts.sort_by_key(|(number, _)| *number);
        assert!(verdicts.iter().map(|(number, _)| *number).eq(0..boards.len()));
        let mut left = 0;
        for ((number, verdict), alone) in verdicts.iter().zip(&alone) {
            let board = &boards[*number];
            match verdict {
                LaneEnd::Done(outcome) => assert_eq!(outcome, alone, "{board:?}"),
                LaneEnd::Hard => {
                    assert!(board.is_symmetric() || alone.generated > hard, "{board:?}");
                    left += 1;
                }
                LaneEnd::Broken(broken) => panic!("{broken}"),
            }
        }
        println!("{threads} threads: {left} of {} boards are hard", boards.len());
        assert!(left > 0);
    }
}

#[test]
fn a_stream_gives_what_single_boards_give() {
    stream_as_alone(&engine(&[STANDARD], grid(4, 4), 0), &mixed_boards(), 1_000_000);
}

#[test]
fn a_stream_of_a_portfolio_gives_what_single_boards_give() {
    let portfolio = engine(&[STANDARD, "7-8b"], grid(4, 4), 0);
    stream_as_alone(&portfolio, &mixed_boards(), 600_000);
    stream_as_alone(&portfolio.combined(), &mixed_boards(), 1_000_000);
}

#[test]
fn a_stream_with_masks_gives_what_single_boards_give() {
    let mut boards = easiest(100);
    boards.drain(50..97);
    stream_as_alone(&engine(&["6-6-3"], grid(4, 4), 0), &boards, 1_000_000);
}

/// Interrupted again and again, also where views are chosen, a search comes to the same answer with
/// the same nodes and subtrees.
#[test]
fn a_search_goes_on_where_it_was_cut_short() {
    let (cases, size) = (Cases::hard(), grid(4, 4));
    let case = &cases.cases[2];
    for partitions in [vec![STANDARD, "7-8b"], vec![STANDARD]].into_iter().take(rounds(1)) {
        let engine = engine(&partitions, size, 0);
        let whole = goes_on(&engine, &case.position, 1000);
        cases.check(case, &whole);
        assert_eq!(whole, solve(&engine, &case.position));
    }
}
