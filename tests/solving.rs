//! Shortest solutions: every board's length against what is known of it.
//!
//! - The contest's boards, Korf's hundred, boards at the greatest distance and boards hard for
//!   these databases: right lengths, every solution replayed on the board.
//! - The node counts of Korf's hundred are pinned: they are the program's signature. A change that
//!   moves them says so, and says why (see CONTRIBUTING.md).
//! - Whole spaces of small boards, state by state, against a plain breadth-first search, whose
//!   counts are compared with published ones.
//! - The path found is the first of all optimal ones, with any tables and any number of threads.

mod common;

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use common::{Case, Cases, Random, STANDARD, Space, grid, histogram, on_threads, solver, tables};
use taquin::board::{Board, Canonical, Goal, Grid, Move};
use taquin::heuristic::{Additive, Max};
use taquin::pdb::Table;
use taquin::search::{Control, Outcome, Solver, SolverError, Stop, Supply, Verdict, ida_star};

/// Generated and expanded nodes of Korf's 100 boards with the 7-8 partition and its mirror: the
/// signature.
const SIGNATURE: (u64, u64) = (1_588_416, 761_534);

fn solve(solver: &Solver<&'static [u8]>, labels: &[u8]) -> Outcome {
    solver.solve(labels, &Control::default()).unwrap()
}

/// Solves all boards on this many threads, shows and checks each, and returns what was found.
fn solve_all(cases: &Cases, threads: usize) -> Vec<Outcome> {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    on_threads(threads, || {
        let solved = cases.cases.iter().map(|case| {
            println!("{threads} threads: {}", case.line);
            let outcome = solve(&solver, &case.labels);
            cases.check(case, &outcome);
            outcome
        });
        solved.collect()
    })
}

#[test]
fn the_contests_boards() {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    let goal = Goal::named("blank-last", grid(4, 4)).unwrap();
    let canonical = Canonical::of(&goal);
    let mut sum = 0;
    for (text, length) in [
        ("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12", 15),
        ("2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4", 48),
        ("5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7", 38),
        ("11 4 12 2 / 5 10 3 15 / 14 1 6 7 / 0 9 8 13", 49),
        ("5 8 7 11 / 1 6 12 2 / 9 0 13 10 / 14 3 4 15", 45),
    ] {
        println!("{text}");
        let board: Board = text.parse().unwrap();
        let path = solve(&solver, &canonical.labels(&board)).path.unwrap();
        let path = canonical.path_back(&path);
        assert_eq!(path.len(), length);
        assert_eq!(board.after(&path).as_ref(), Ok(goal.board()));
        sum += path.len();
    }
    assert_eq!(sum, 195);
}

#[test]
fn korfs_hundred_and_the_signature() {
    let korf = Cases::korf();
    assert_eq!(korf.cases.iter().map(|case| case.length).sum::<usize>(), 5305);
    let one = solve_all(&korf, 1);
    let sum = |of: fn(&Outcome) -> u64| one.iter().map(of).sum::<u64>();
    let signature = (sum(|outcome| outcome.generated), sum(|outcome| outcome.expanded));
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
    assert_eq!(solve_all(&antipodes, 1), solve_all(&antipodes, 2));
}

#[test]
fn hard_boards() {
    let hard = Cases::hard();
    assert_eq!(hard.cases.len(), 7);
    assert_eq!(solve_all(&hard, 1), solve_all(&hard, 2));
}

/// What a hunt found worst, with the nodes it found.
#[test]
fn hunted_boards() {
    let hunted = Cases::hunted();
    assert_eq!(hunted.cases.len(), 10);
    for (case, outcome) in hunted.cases.iter().zip(solve_all(&hunted, 2)) {
        let nodes = case.line.split(' ').nth(2).unwrap();
        assert_eq!(outcome.generated.to_string(), nodes, "{}", case.line);
    }
}

/// The slow search with the same tables: the same path, and never fewer nodes, as all it lacks is
/// the move automaton and the halved root of a symmetric board.
#[test]
fn the_plain_search_finds_the_same_paths() {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    let both = Max::mirrored(tables(STANDARD, grid(4, 4), 0));
    let korf = Cases::korf();
    let mut easy: Vec<(Outcome, &Case)> =
        korf.cases.iter().map(|case| (solve(&solver, &case.labels), case)).collect();
    easy.sort_by_key(|(outcome, _)| outcome.generated);
    easy.truncate(40);
    easy.par_iter().for_each(|(fast, case)| {
        let slow = ida_star(grid(4, 4), 0, &case.labels, &both, &Control::default());
        assert_eq!(slow.path, fast.path, "{}", case.line);
        assert_eq!(slow.lower_bound, fast.lower_bound, "{}", case.line);
        println!(
            "slow {} {} fast {} {}",
            slow.generated, slow.expanded, fast.generated, fast.expanded
        );
        assert!(slow.expanded >= fast.expanded, "{}", case.line);
    });
}

/// The published number of positions at each distance.
fn published(size: Grid) -> Vec<usize> {
    let start = format!("{size} stm corner ");
    let row = include_str!("data/depth_counts_all.txt").lines().find(|l| l.starts_with(&start));
    let (_, counts) = row.expect("the board is listed").split_once(" : ").unwrap();
    counts.split(' ').map(|count| count.parse().unwrap()).collect()
}

/// Solves every `step`th position: the first of all optimal paths each time.
fn solve_space(space: &Space, solver: &Solver<&'static [u8]>, step: usize) {
    let name = format!("{}, blank in {}", space.grid, space.blank);
    let lengths: Vec<usize> = (0..space.len())
        .into_par_iter()
        .step_by(step)
        .map(|number| {
            let labels = space.labels(number);
            let outcome = solve(solver, &labels);
            let path = outcome.path.expect("it is solvable");
            assert_eq!(path, space.least_path(&labels), "{name}: {labels:?}");
            assert_eq!(outcome.lower_bound as usize, path.len(), "{name}: {labels:?}");
            path.len()
        })
        .collect();
    if step == 1 {
        assert_eq!(histogram(lengths.into_iter()), space.histogram(), "{name}");
    }
}

#[test]
fn every_position_of_3x3() {
    let space = Space::of(grid(3, 3), 0);
    assert_eq!(space.len(), 181_440);
    assert_eq!(space.histogram(), published(space.grid));
    let solver = |partitions: &[&str]| solver(partitions, grid(3, 3), 0);
    solve_space(&space, &solver(&["4-4"]), 1);
    // Other tables, other sizes, more than one partition: the same paths.
    let rows = "1,2,3,4/5,6,7,8";
    solve_space(&space, &solver(&[rows]), 7);
    solve_space(&space, &solver(&["1,3,6/2,4,5,7,8"]), 7);
    solve_space(&space, &solver(&["2,4/1,3,5,6,7,8"]), 7);
    solve_space(&space, &solver(&["4-4", rows]), 7);
    solve_space(&space, &solver(&["4-4", rows]).together(), 7);
    solve_space(&space, &solver(&[rows, "1,3,6,8/2,4,5,7"]).together(), 7);
    // Boards equal to their mirror image, of whose first moves half are left out, are among them.
    let symmetric = |number: &usize| {
        let labels = space.labels(*number);
        labels == transposed(space.grid, &labels)
    };
    // The 3 labels on the diagonal and the 3 pairs beside it, each in all orders; the pairs either
    // way round; half of all that.
    assert_eq!((0..space.len()).filter(symmetric).count(), 6 * 6 * 8 / 2);
}

/// The blank at an edge, where nothing is the mirror image of anything, and in the middle.
#[test]
fn positions_of_3x3_for_other_goals() {
    for (blank, rows) in [(1, "0,2,3,4/5,6,7,8"), (4, "0,1,2,3/5,6,7,8"), (8, "0,1,2,3/4,5,6,7")] {
        let space = Space::of(grid(3, 3), blank);
        assert_eq!(space.len(), 181_440);
        let solver = |partitions: &[&str]| solver(partitions, grid(3, 3), blank);
        solve_space(&space, &solver(&[rows]), 1);
        solve_space(&space, &solver(&[rows, "4-4"]).together(), 7);
    }
}

#[test]
fn every_position_of_boards_two_high() {
    for (width, partitions) in [
        (3, vec!["1,2,3/4,5", "1,2/3,4,5"]),
        (4, vec!["1,2,3/4,5,6,7", "1,3,5,7/2,4,6", "1,2,3,4,5/6,7"]),
    ] {
        let space = Space::of(grid(width, 2), 0);
        assert_eq!(space.histogram(), published(space.grid));
        for partition in &partitions {
            solve_space(&space, &solver(&[partition], space.grid, 0), 1);
        }
    }
}

#[test]
fn positions_of_5x2_at_all_distances() {
    let space = Space::of(grid(5, 2), 0);
    assert_eq!(space.len(), 1_814_400);
    assert_eq!(space.histogram(), published(space.grid));
    solve_space(&space, &solver(&["1,2,5,6,7/3,4,8,9"], space.grid, 0), 53);
}

/// Boards higher than wide, and all goals with the blank in a corner, share the tables of one:
/// every position of 2×4 as a board, for each of these goals.
#[test]
fn every_position_of_2x4_for_each_corner_goal() {
    let solver = solver(&["1,2,3/4,5,6,7"], grid(4, 2), 0);
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
        boards.par_iter().for_each(|board| {
            let path = solve(&solver, &canonical.labels(board)).path.expect("it is solvable");
            let path = canonical.path_back(&path);
            assert_eq!(path.len(), length[board], "{name}: {board}");
            assert_eq!(board.after(&path).as_ref(), Ok(goal.board()), "{name}: {board}");
        });
    }
}

/// Labels and cells transposed.
fn transposed(grid: Grid, labels: &[u8]) -> Vec<u8> {
    let turn = |cell: usize| grid.column(cell) * grid.width() + grid.row(cell);
    (0..labels.len()).map(|cell| turn(labels[turn(cell)].into()) as u8).collect()
}

/// A board equal to its mirror image is searched from half of its first moves; the plain search
/// knows nothing of that.
#[test]
fn symmetric_boards_have_the_same_paths_too() {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    let both = Max::mirrored(tables(STANDARD, grid(4, 4), 0));
    let goal = Goal::named("blank-first", grid(4, 4)).unwrap();
    let mut random = Random(2);
    let mut boards = Vec::new();
    while boards.len() < 40 {
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
        if goal.solvability(&Board::new(grid(4, 4), &labels).unwrap()).is_solvable() {
            boards.push(labels);
        }
    }
    boards.par_iter().for_each(|labels| {
        let fast = solve(&solver, labels);
        let slow = ida_star(grid(4, 4), 0, labels, &both, &Control::default());
        assert_eq!(fast.path, slow.path, "{labels:?}");
        assert!(fast.expanded < slow.expanded, "{labels:?}");
    });
}

/// Larger boards that are not square: one view only, and another automaton.
#[test]
fn boards_of_other_sizes_have_the_same_paths_too() {
    for (size, partitions, boards) in [
        (grid(4, 3), ["1,2,4,5,8,9/3,6,7,10,11", "1,2,3,4,5,6/7,8,9,10,11"], 40),
        (grid(5, 3), ["1,2,5,6,7,10,11/3,4,8,9,12,13,14", "1,2,3,4,5,6,7/8,9,10,11,12,13,14"], 4),
    ] {
        let solvers = partitions.map(|partition| solver(&[partition], size, 0));
        let additive = Additive::new(tables(partitions[0], size, 0));
        let mut random = Random(3);
        let positions: Vec<_> = (0..boards).map(|_| random.position(size)).collect();
        positions.par_iter().for_each(|labels| {
            let slow = ida_star(size, 0, labels, &additive, &Control::default());
            let fast = solvers.each_ref().map(|solver| solve(solver, labels));
            println!("{size}: {labels:?}");
            for fast in &fast {
                assert_eq!(fast.path, slow.path, "{labels:?}");
                assert_eq!(fast.lower_bound, slow.lower_bound, "{labels:?}");
            }
            assert!(fast[0].expanded <= slow.expanded, "{labels:?}");
        });
    }
}

/// A portfolio finds the path that each of its partitions finds alone, and with the better one's
/// help where the first is bad at a board.
#[test]
fn a_portfolio_finds_the_same_paths() {
    let size = grid(5, 3);
    let (rows, blocks) = ("1,2,3,4,5,6,7/8,9,10,11,12,13,14", "1,2,5,6,7,10,11/3,4,8,9,12,13,14");
    let alone = [rows, blocks].map(|partition| solver(&[partition], size, 0));
    let portfolios = [[rows, blocks], [blocks, rows]].map(|both| solver(&both, size, 0));
    let mut random = Random(4);
    let mut switched = 0;
    for _ in 0..30 {
        let labels = random.position(size);
        let single = alone.each_ref().map(|solver| solve(solver, &labels));
        assert_eq!(single[0].path, single[1].path, "{labels:?}");
        for threads in [1, 2] {
            let found = on_threads(threads, || portfolios.each_ref().map(|s| solve(s, &labels)));
            let counts = found.each_ref().map(|outcome| outcome.generated);
            println!(
                "{labels:?}: {} or {}, {threads} threads: {counts:?}",
                single[0].generated, single[1].generated
            );
            for (outcome, first) in found.iter().zip(&single) {
                assert_eq!(outcome.path, first.path, "{labels:?}");
                assert_eq!(outcome.lower_bound, first.lower_bound, "{labels:?}");
                switched += u32::from(outcome.generated < first.generated);
                // A trial costs at most half of the iteration that it is compared with.
                assert!(outcome.generated <= first.generated * 3 / 2, "{labels:?}");
            }
        }
    }
    assert!(switched > 0, "no board was hard enough");
}

/// A lane a board: the same paths, bounds and node counts as one board after the other.
#[test]
fn a_stream_gives_what_single_boards_give() {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    let mut random = Random(5);
    let mut boards: Vec<Box<[u8]>> = vec![(0..16).collect()];
    boards.extend(Cases::antipodes().cases.into_iter().map(|case| case.labels).take(2));
    boards.extend(Cases::hard().cases.into_iter().map(|case| case.labels).skip(3));
    boards.extend(Cases::korf().cases.into_iter().map(|case| case.labels));
    boards.extend((0..200).map(|_| Box::from(random.position(grid(4, 4)))));
    let alone: Vec<Outcome> = boards.iter().map(|labels| solve(&solver, labels)).collect();
    for threads in [1, 2] {
        // The next board, and whether a thread that is busy was told to come again for it.
        let feed = Mutex::new((0, false));
        let verdicts = Mutex::new(Vec::new());
        let stream = || {
            let supply = |idle: bool| {
                let mut feed = feed.lock().unwrap();
                if feed.0 % 5 == 1 && !idle && !feed.1 {
                    feed.1 = true;
                    return Supply::Later;
                }
                let number = feed.0;
                *feed = (number + 1, false);
                boards
                    .get(number)
                    .map_or(Supply::End, |b| Supply::Board(number, b.clone(), Control::default()))
            };
            let deliver = |number: usize, verdict: Verdict| {
                verdicts.lock().unwrap().push((number, verdict));
            };
            solver.solve_stream(supply, deliver);
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(stream);
            }
        });
        let mut verdicts = verdicts.into_inner().unwrap();
        verdicts.sort_by_key(|(number, _)| *number);
        assert!(verdicts.iter().map(|(number, _)| *number).eq(0..boards.len()));
        let mut hard = 0;
        for ((number, verdict), alone) in verdicts.iter().zip(&alone) {
            match verdict {
                Verdict::Done(outcome) => assert_eq!(outcome, alone, "{:?}", boards[*number]),
                Verdict::Hard => {
                    let symmetric = transposed(grid(4, 4), &boards[*number]) == *boards[*number];
                    assert!(symmetric || alone.generated > 1_000_000, "{:?}", boards[*number]);
                    hard += 1;
                }
                Verdict::Broken(broken) => panic!("{broken}"),
            }
        }
        println!("{threads} threads: {hard} of {} boards are hard", boards.len());
        assert!(hard > 0);
    }
}

/// A search that is stopped reports a bound, and no solution that it has not proved.
#[test]
fn a_stopped_search_reports_what_it_proved() {
    let solver = solver(&[STANDARD], grid(4, 4), 0);
    let hard = &Cases::hard().cases[0];
    // Stopped before it begins, it only divides the work, into some 16 subtrees; without that, the
    // first iteration of some of these boards takes hundreds of nodes.
    for case in Cases::korf().cases {
        let at_once = Control::default();
        at_once.stop();
        let outcome = solver.solve(&case.labels, &at_once).unwrap();
        assert_eq!((&outcome.path, outcome.stopped), (&None, Some(Stop::Asked)), "{}", case.line);
        assert!(outcome.generated <= 64, "{}", case.line);
        assert!(outcome.lower_bound as usize <= case.length, "{}", case.line);
    }
    for threads in [1, 2] {
        let control = Control::default();
        let outcome = on_threads(threads, || {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    control.stop();
                });
                solver.solve(&hard.labels, &control).unwrap()
            })
        });
        println!("stopped after {} nodes", outcome.generated);
        assert_eq!((outcome.path, outcome.stopped), (None, Some(Stop::Asked)));
        assert!((outcome.lower_bound as usize) < hard.length);
        assert_eq!(outcome.lower_bound as usize % 2, hard.length % 2);
    }
}

/// Searches keep to their limits, and say which one ended them.
#[test]
fn a_limited_search_reports_what_it_proved() {
    let solver = solver(&["7-8", "7-8b"], grid(4, 4), 0);
    let hard = &Cases::hard().cases[0];
    let time = Duration::from_millis(50);
    let by_time = || (Stop::Time, Control::default().with_time(time));
    let by_nodes = |nodes| (Stop::Nodes, Control::default().with_nodes(nodes));
    for threads in [1, 2] {
        // The limit of 1,000,000 ends a trial of the other partition.
        for (stop, control) in [by_time(), by_nodes(0), by_nodes(5_000), by_nodes(1_000_000)] {
            let start = Instant::now();
            let outcome = on_threads(threads, || solver.solve(&hard.labels, &control).unwrap());
            println!("{stop:?}: {outcome:?} in {:?}", start.elapsed());
            assert_eq!((&outcome.path, outcome.stopped), (&None, Some(stop)));
            assert!((outcome.lower_bound as usize) < hard.length);
            assert_eq!(outcome.lower_bound as usize % 2, hard.length % 2);
            assert!(outcome.generated <= control.nodes().saturating_add(64));
            assert!(outcome.generated > 0 || control.nodes() == 0);
        }
    }
    // What is solved within its limits is what is solved without. Lanes search beyond the solution.
    for case in &Cases::korf().cases[..10] {
        let alone = solve(&solver, &case.labels);
        let control =
            Control::default().with_nodes(20 * alone.generated).with_time(3600 * 20 * time);
        assert_eq!(solver.solve(&case.labels, &control).unwrap(), alone);
    }
    // The same of a stream, which leaves boards that are their own mirror image to others.
    let antipodes = Cases::antipodes().cases;
    let mut boards = antipodes.iter().map(|case| &case.labels);
    let board = boards.find(|labels| *transposed(grid(4, 4), labels) != ***labels).unwrap();
    let mut limits = vec![by_time(), by_nodes(0), by_nodes(100_000)].into_iter();
    let supply = |_| match limits.next() {
        Some((stop, control)) => Supply::Board(stop, board.clone(), control),
        None => Supply::End,
    };
    let mut verdicts = Vec::new();
    solver.solve_stream(supply, |stop, verdict| verdicts.push((stop, verdict)));
    assert_eq!(verdicts.len(), 3);
    for (stop, verdict) in verdicts {
        match verdict {
            Verdict::Done(outcome) => {
                assert_eq!((outcome.path, outcome.stopped), (None, Some(stop)));
            }
            // It takes as many nodes as a stream spends.
            verdict => assert!(matches!((stop, verdict), (Stop::Time, Verdict::Hard))),
        }
    }
}

#[test]
fn what_makes_no_solver() {
    let three = grid(3, 3);
    let pair =
        |partition: &str, blank| <[_; 2]>::try_from(tables(partition, three, blank)).unwrap();
    let refused = |pairs: Vec<_>| Solver::new(pairs).err().expect("these make no solver");
    assert_eq!(refused(vec![]), SolverError::NoPartition);
    let [a, b] = pair("4-4", 0);
    let patterns = (a.pattern(), b.pattern());
    for [a, b] in [pair("1,2,4/3,6,7,8", 0), pair("1,2,3,4/5,6,7", 0)] {
        let (first, second) = (a.pattern(), b.pattern());
        assert_eq!(refused(vec![[a, b]]), SolverError::NotComplementary(first, second));
    }
    let [_, other] = pair("4-4", 8);
    assert!(matches!(refused(vec![[a, other]]), SolverError::NotComplementary(..)));
    let [a, _] = pair("4-4", 0);
    let [c, _] = pair("1,2,3,4/5,6,7,8", 0);
    // Four tiles each, but some of them twice.
    assert!(matches!(refused(vec![[a, c]]), SolverError::NotComplementary(..)));
    for other in [pair("4-4", 8), pair("1,2,3/4,5,6,7,8", 0), pair("1,2,3,4,5/6,7,8", 0)] {
        let [a, b] = pair("4-4", 0);
        assert_eq!((a.pattern(), b.pattern()), patterns);
        let named = (other[0].pattern(), other[1].pattern());
        let error = refused(vec![[a, b], other]);
        assert_eq!(error, SolverError::NotAlike(named.0, named.1));
    }
}

/// Bits that lead nowhere are an error, not a wrong answer.
#[test]
fn a_table_of_nothing_is_found_out() {
    let whole = tables("4-4", grid(3, 3), 0);
    for fill in [0, 0xff] {
        let pair = whole.iter().map(|table| {
            let bits = vec![fill; table.bits().len()];
            Table::new(table.pattern(), table.index().clone(), bits).unwrap()
        });
        let pair: Vec<Table<Vec<u8>>> = pair.collect();
        let solver = Solver::new(vec![pair.try_into().unwrap()]).unwrap();
        let mut random = Random(6);
        for _ in 0..100 {
            let labels = random.position(grid(3, 3));
            let broken = solver.solve(&labels, &Control::default()).unwrap_err();
            assert!(whole.iter().any(|table| table.pattern() == broken.pattern));
        }
    }
}
