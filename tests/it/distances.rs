//! Distances, optimal moves and boards at a distance, against breadth-first search and against solving.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;

use crate::common::{every, in_memory, near, on_threads, published, rounds, with};
use taquin::solver::layers::Layers;
use taquin::solver::{Distance, GoalSpec, Target};
use taquin::{
    Board, Cancel, Error, Goal, Grid, Limits, Method, Metric, Move, Moves, Solver, Stop, Ties,
};

fn size(text: &str) -> Grid {
    text.parse().unwrap()
}

fn solver(threads: usize) -> Solver {
    in_memory().threads(threads).build().unwrap()
}

/// The layers from the goal with the blank last.
fn layers(grid: Grid, metric: Metric) -> Layers {
    let goal = Goal::named("blank-last", grid).unwrap();
    Layers::new(&Target::Board(goal), metric).unwrap()
}

/// The boards up to a distance from the goal with the blank last, by a breadth-first search that shares nothing with
/// the library's.
fn around(grid: Grid, metric: Metric, depth: u32) -> HashMap<Board, u32> {
    let blank = grid.cells() - 1;
    // A label is a goal cell: tile n is labelled n - 1.
    let tile = |label: &u8| if usize::from(*label) == blank { 0 } else { label + 1 };
    let board = |labels: &[u8]| Board::new(grid, &labels.iter().map(tile).collect::<Vec<_>>());
    let found = near(grid, blank, metric, depth, usize::MAX);
    found.into_iter().map(|(labels, distance, _)| (board(&labels).unwrap(), distance)).collect()
}

fn drawn(
    solver: &Solver,
    grid: Grid,
    distances: RangeInclusive<u32>,
    count: u64,
    seed: u64,
) -> Vec<(Board, u32)> {
    let boards = solver.boards_at(grid, distances, count, seed, &Limits::default()).unwrap();
    boards.collect::<Result<_, _>>().unwrap()
}

#[test]
fn layers_are_those_of_another_search() {
    for (grid, metric, depth) in [
        ("2x2", Metric::Single, u32::MAX),
        ("3x3", Metric::Single, u32::MAX),
        ("3x3", Metric::Multi, u32::MAX),
        ("2x4", Metric::Single, u32::MAX),
        ("2x4", Metric::Multi, u32::MAX),
        ("4x2", Metric::Multi, u32::MAX),
        ("3x4", Metric::Single, 20),
        ("4x3", Metric::Multi, 9),
        ("4x4", Metric::Single, 13),
        ("4x4", Metric::Multi, 6),
        ("5x5", Metric::Single, 10),
        ("5x3", Metric::Single, 12),
    ] {
        let grid = size(grid);
        let mut known = around(grid, metric, depth);
        let mut layers = layers(grid, metric);
        loop {
            let boards = layers.boards(0..layers.count());
            assert_eq!(boards.len() as u64, layers.count());
            for board in boards {
                assert_eq!(known.remove(&board), Some(layers.distance()), "{grid} {board}");
            }
            if layers.distance() == depth || !layers.advance(&Limits::default()).unwrap() {
                break;
            }
        }
        assert!(known.is_empty(), "{grid} {metric}");
    }
    let mut layers = layers(size("4x4"), Metric::Single);
    let counts = published(size("4x4"), "stm", "corner");
    for count in &counts[..=16] {
        assert_eq!(layers.count() as usize, *count);
        layers.advance(&Limits::default()).unwrap();
    }
    let little = layers.advance(&Limits::default().memory(1000));
    assert_eq!((little, layers.distance()), (Err(Stop::Memory), 17));
}

#[test]
fn all_boards_at_a_distance_are_drawn() {
    let solver = solver(2);
    // The last distance of each, and the largest layers of the whole spaces.
    for (grid, depth, step) in [("3x3", 31, 7), ("2x4", 36, 7), ("3x4", 12, 12)] {
        let (grid, solver) = (size(grid), &solver);
        let known = around(grid, Metric::Single, depth);
        for distance in (0..=depth).rev().step_by(every(step)) {
            let all = known.values().filter(|&&of| of == distance).count() as u64;
            let boards = drawn(solver, grid, distance..=distance, all, 7);
            let is_there = |(board, of): &(Board, u32)| known[board] == *of && *of == distance;
            assert!(boards.iter().all(is_there), "{grid} {distance}");
            let different: HashSet<_> = boards.into_iter().map(|(board, _)| board).collect();
            assert_eq!(different.len() as u64, all);
            let more = solver.boards_at(grid, distance..=distance, all + 1, 7, &Limits::default());
            assert!(matches!(more, Err(Error::Few { count, .. }) if count == all));
        }
    }
    let few = solver.boards_at(size("4x4"), 1..=1, 3, 1, &Limits::default());
    assert_eq!(few.err().unwrap().to_string(), "only 2 boards are 1 move away");
    let few = solver.boards_at(size("3x3"), 32..=40, 1, 1, &Limits::default());
    assert_eq!(
        few.err().unwrap().to_string(),
        "no board is 32 to 40 moves away: none is farther than 31"
    );
    let none = |to| solver.boards_at(size("3x3"), 29..=to, 3, 1, &Limits::default()).unwrap();
    assert_eq!((none(31).none(), none(40).none()), (None, Some(&(32..=40))));
    let few = solver.boards_at(size("4x4"), 81..=90, 1, 1, &Limits::default());
    assert_eq!(
        few.err().unwrap().to_string(),
        "no board is 81 to 90 moves away: none is farther than 80"
    );
    let few = solver.boards_at(size("5x5"), 211..=211, 1, 1, &Limits::default());
    assert_eq!(
        few.err().unwrap().to_string(),
        "no board is 211 moves away: none is farther than 210"
    );
    let far = solver.boards_at(size("6x6"), 60..=60, 1, 1, &Limits::default());
    assert!(matches!(far, Err(Error::Far { .. })));
    assert_eq!(drawn(&solver, size("6x6"), 12..=12, 5, 1).len(), 5);
}

/// All boards of small spaces, each once, at the distance that solving finds.
#[test]
fn boards_for_open_goals_are_drawn() {
    for (text, boards) in [
        ("A A B / B C _", 180),
        ("1 2 3 / * * *", 720),
        ("1 1 2 / * * _", 360),
        ("A * / A _", 12),
        ("A A B / B C D / D A _", 9 * 8 * 7 * 6 * 5 * 4 * 3 * 2 / 24),
    ] {
        let solver = in_memory().goal(text).threads(2).build().unwrap();
        let spec: GoalSpec = text.parse().unwrap();
        let (grid, none) = (spec.names().unwrap().grid(), Limits::default());
        let all = |count| solver.boards_at(grid, 0..=99, count, 1, &none);
        let mut seen = HashSet::new();
        for (place, drawn) in all(boards).unwrap().enumerate() {
            let (board, distance) = drawn.unwrap();
            let board = spec.named(board);
            if place % every(7) == 0 {
                let solved = solver.solve_with(&board, &none).unwrap();
                assert!(solved.is_optimal() && solved.lower_bound == distance, "{text}: {board}");
            }
            assert!(seen.insert(board.to_string()), "{text}: {board}");
        }
        assert!(matches!(all(boards + 1), Err(Error::Few { count, .. }) if count == boards));
    }
    // Large boards with few arrangements, and with too many to be listed far from the goal.
    let row = in_memory().goal("1 2 3 4 / * * * * / * * * * / * * * *").build().unwrap();
    for (board, distance) in drawn(&row, size("4x4"), 20..=30, 5, 1) {
        assert_eq!(row.solve(&board).unwrap().len() as u32, distance, "{board}");
    }
    let many = in_memory().goal("1 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 _").build().unwrap();
    assert_eq!(drawn(&many, size("4x4"), 5..=5, 5, 1).len(), 5);
    let far = many.boards_at(size("4x4"), 60..=60, 1, 1, &Limits::default());
    assert!(matches!(far, Err(Error::Far { .. })));
}

/// The 15 boards at distance 3 or 4 of 3×3 appear equally often, within 5 standard deviations.
#[test]
fn listed_boards_are_drawn_evenly() {
    let (solver, mut seen) = (solver(1), HashMap::new());
    for seed in 0..600 {
        for (board, _) in drawn(&solver, size("3x3"), 4..=4, 4, seed) {
            *seen.entry(board).or_insert(0_u32) += 1;
        }
    }
    // 16 boards, 150 times each.
    assert_eq!(seen.len(), 16);
    assert!(seen.values().all(|count| (95..=205).contains(count)), "{seen:?}");
}

#[test]
fn drawn_boards_of_4x4_are_at_their_distance() {
    let (one, two) = (solver(1), solver(2));
    let boards = drawn(&two, size("4x4"), 1..=62, rounds(100) as u64, 3);
    assert_eq!(boards, drawn(&one, size("4x4"), 1..=62, rounds(100) as u64, 3));
    assert_ne!(boards, drawn(&one, size("4x4"), 1..=62, rounds(100) as u64, 4));
    for (board, distance) in &boards {
        assert_eq!(two.solve(board).unwrap().len() as u32, *distance, "{board}");
    }
    // As many at each distance, but for one.
    let counts = (1..=62).map(|distance| boards.iter().filter(|(_, of)| *of == distance).count());
    let (least, most) = (counts.clone().min().unwrap(), counts.max().unwrap());
    assert!(most - least <= 1, "{least} to {most}");
    // Boards that are fewer than the distances are spread over them.
    for grid in ["3x3", "4x4"] {
        let few = drawn(&two, size(grid), 1..=20, 5, 3).into_iter().map(|(_, distance)| distance);
        let mut ends: Vec<u32> = few.chain([0, 21]).collect();
        ends.sort_unstable();
        assert!(ends.windows(2).all(|pair| (1..=7).contains(&(pair[1] - pair[0]))), "{ends:?}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn drawn_boards_of_4x4_up_to_65_are_at_their_distance_in_full() {
    let solver = solver(2);
    for (board, distance) in drawn(&solver, size("4x4"), 1..=65, 500, 3) {
        assert_eq!(solver.solve(&board).unwrap().len() as u32, distance, "{board}");
    }
}

#[test]
fn boards_of_other_sizes_and_metrics_are_drawn() {
    drawn_boards_are_at_their_distance(&solver(2), "6x3", 40..=44, 5);
    let slides = in_memory().metric(Metric::Multi).threads(2).build().unwrap();
    drawn_boards_are_at_their_distance(&slides, "5x3", 14..=18, rounds(5) as u64);
}

#[test]
#[ignore = "takes half a minute, and builds databases of 5×5"]
fn boards_of_five_by_five_are_drawn_in_full() {
    for (grid, distances) in [("5x5", 30..=34), ("5x4", 40..=41)] {
        drawn_boards_are_at_their_distance(&solver(2), grid, distances, 4);
    }
}

fn drawn_boards_are_at_their_distance(
    solver: &Solver,
    grid: &str,
    distances: RangeInclusive<u32>,
    count: u64,
) {
    for (board, distance) in drawn(solver, size(grid), distances, count, 5) {
        let solution = solver.solve(&board).unwrap();
        assert_eq!(solution.length() as u32, distance, "{board}");
    }
}

#[test]
fn boards_are_listed_on_the_threads_of_the_solver() {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let pools = seen.clone();
    let limits = Limits::default().deadline(move || {
        pools.lock().unwrap().insert(rayon::current_num_threads());
        false
    });
    for grid in ["3x3", "4x4"] {
        drop(solver(7).boards_at(size(grid), 1..=9, 5, 1, &limits).unwrap());
    }
    assert_eq!(*seen.lock().unwrap(), HashSet::from([7]));
}

/// Workers of a pool ask for the table that one of them makes on that pool. Under a lock it would wait for itself.
#[test]
fn workers_that_ask_for_distances_do_not_wait_for_each_other() {
    let (sender, ended) = mpsc::channel();
    // If it hangs, the thread is left behind.
    thread::spawn(move || {
        let solver = in_memory().build().unwrap();
        let boards = vec!["8 6 7 / 2 5 4 / 3 0 1".parse::<Board>().unwrap(); 1001];
        let ask = |_| {
            let mut distances = solver.distances(boards.clone(), Limits::default());
            let mut moves = solver.optimal_moves(boards.clone(), Limits::default());
            distances.all(|distance| distance.unwrap().exact() == Some(31))
                && moves.all(|m| m.is_ok())
        };
        sender.send(on_threads(2, || (0..64).into_par_iter().all(ask))).unwrap();
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true));
}

#[test]
fn a_cancel_ends_the_boards_and_keeps_those_drawn() {
    let cancel = Cancel::new();
    let limits = Limits::default().cancel(&cancel);
    let mut boards = solver(2).boards_at(size("4x4"), 40..=40, 1_000_000, 1, &limits).unwrap();
    assert!(boards.next().is_some());
    cancel.cancel();
    assert!(boards.all(|board| board.is_ok()));
}

/// The table serves after a thousand boards, a search before.
#[test]
fn distances_and_optimal_moves_are_those_of_the_whole_space() {
    let known = around(size("3x3"), Metric::Single, u32::MAX);
    let mut boards: Vec<&Board> = known.keys().collect();
    boards.sort();
    let sample: Vec<Board> = boards.iter().copied().step_by(every(400)).cloned().collect();
    for method in
        [None, Some(Method::Plain), Some(Method::Bfs), Some(Method::AStar(Ties::default()))]
    {
        let solver = in_memory();
        let solver = method.into_iter().fold(solver, |solver, method| solver.method(method));
        let solver = solver.threads(2).build().unwrap();
        let step = if method.is_none() { 1 } else { 30 };
        let sample: Vec<Board> = sample.iter().step_by(step).cloned().collect();
        for round in 0..if method.is_none() { 2 } else { 1 } {
            let check = |(board, distance): (&Board, Result<Distance, Error>)| {
                assert_eq!(distance.unwrap().exact(), Some(known[board]), "{board}");
            };
            let distances = solver.distances(sample.to_vec(), Limits::default());
            sample.iter().zip(distances).for_each(check);
            let optimal = solver.optimal_moves(sample.to_vec(), Limits::default());
            for (board, optimal) in sample.iter().zip(optimal) {
                assert_eq!(optimal.unwrap(), nearer(board, |board| known[board]), "{board}");
            }
            // Enough boards for the table, which the next round has.
            if method.is_none() && round == 0 {
                let all: Vec<Board> = boards.iter().copied().step_by(every(9)).cloned().collect();
                let distances = solver.distances(all.clone(), Limits::default());
                all.iter().zip(distances).for_each(check);
            }
        }
        let unsolvable: Board = "2 1 3 / 4 5 6 / 7 8 0".parse().unwrap();
        let distance = solver.distances([unsolvable.clone()], Limits::default()).next();
        assert!(matches!(distance, Some(Err(Error::Unsolvable { .. }))));
        let optimal = solver.optimal_moves([unsolvable], Limits::default()).next();
        assert!(matches!(optimal, Some(Err(Error::Unsolvable { .. }))));
    }
}

/// The moves of a board that shorten its distance.
fn nearer(board: &Board, distance: impl Fn(&Board) -> u32) -> [bool; 4] {
    Move::ALL.map(|m| {
        let mut next = board.clone();
        next.apply(m) && distance(&next) < distance(board)
    })
}

#[test]
fn optimal_moves_of_4x4_are_those_of_solved_neighbours() {
    let solver = solver(2);
    let boards: Vec<Board> = drawn(&solver, size("4x4"), 1..=50, rounds(60) as u64, 9)
        .into_iter()
        .map(|(b, _)| b)
        .collect();
    let solved = |board: &Board| solver.solve(board).unwrap().len() as u32;
    let optimal = solver.optimal_moves(boards.clone(), Limits::default());
    for (board, optimal) in boards.iter().zip(optimal) {
        assert_eq!(optimal.unwrap(), nearer(board, solved), "{board}");
    }
    // The same, one by one, and by a plain search.
    let plain = with("linear-conflict").build().unwrap();
    for board in boards.iter().filter(|board| solved(board) < 30) {
        for solver in [&solver, &plain] {
            let optimal = solver.optimal_moves([board.clone()], Limits::default()).next();
            assert_eq!(optimal.unwrap().unwrap(), nearer(board, solved), "{board}");
        }
    }
    let goal = Goal::named("blank-last", size("4x4")).unwrap().board().clone();
    let at_goal = solver.optimal_moves([goal], Limits::default()).next();
    assert_eq!(at_goal.unwrap().unwrap(), [false; 4]);
}

#[test]
fn a_threshold_decides() {
    let solver = solver(2);
    for (board, distance) in drawn(&solver, size("4x4"), 20..=45, 20, 2) {
        let within = |moves| solver.within(&board, moves, &Limits::default()).unwrap();
        for less in [0, distance / 2, distance - 2, distance - 1] {
            assert_eq!(within(less), None, "{board}");
        }
        for more in [distance, distance + 1, distance + 6] {
            let solution = within(more).unwrap();
            assert!(solution.len() as u32 <= more && solution.len() as u32 >= distance);
            let goal = solver.goal(size("4x4")).unwrap();
            assert_eq!(&board.after(&solution).unwrap(), goal.board());
        }
        let stopped = solver.within(&board, distance - 2, &Limits::default().nodes(0));
        assert!(matches!(stopped, Ok(None) | Err(Error::Stopped(_))));
    }
    let far: Board = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1".parse().unwrap();
    let stopped = solver.within(&far, 78, &Limits::default().nodes(1000));
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))));
    let stopped = solver.distances([far.clone()], Limits::default().nodes(1000)).next().unwrap();
    assert!(stopped.unwrap().exact().is_none());
    let stopped = solver.optimal_moves([far], Limits::default().nodes(1000)).next().unwrap();
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))));
}

#[test]
fn lines_are_analysed_together_as_alone() {
    let solver = solver(2);
    let boards = drawn(&solver, size("4x4"), 30..=40, 6, 2);
    // Solutions with a detour.
    let line = |board: &Board| {
        let mut moves = solver.solve(board).unwrap().moves().0.clone();
        let there = board.after(&Moves(moves[..9].to_vec())).unwrap();
        let m = Move::ALL.into_iter().find(|&m| m != moves[9] && there.clone().apply(m)).unwrap();
        moves.splice(9..9, [m, m.opposite()]);
        (board.clone(), Moves(moves))
    };
    let lines: Vec<_> = boards.iter().map(|(board, _)| line(board)).collect();
    let together = solver.analyse_all(&lines, &Limits::default());
    for ((board, moves), found) in lines.iter().zip(together) {
        let (found, alone) =
            (found.unwrap(), solver.analyse(board, moves, &Limits::default()).unwrap());
        assert_eq!(found.distances(), alone.distances());
        assert_eq!((found.lost(), found.losses()), (2, alone.losses()));
        assert!(found.losses()[0].better.is_some());
    }
}

/// All spaces of twelve cells. Smaller ones are in `tests/prompt/lab.md`.
#[test]
#[ignore = "takes a minute"]
fn spaces_of_twelve_cells_are_as_large_as_published_in_full() {
    for (grid, name) in [("4x3", "stm"), ("4x3", "mtm"), ("6x2", "stm"), ("6x2", "mtm")] {
        let metric = if name == "stm" { Metric::Single } else { Metric::Multi };
        let (mut layers, mut counts) = (layers(size(grid), metric), vec![1]);
        while layers.advance(&Limits::default()).unwrap() {
            counts.push(layers.count() as usize);
        }
        assert_eq!(counts, published(size(grid), name, "corner"), "{grid} {name}");
    }
}
