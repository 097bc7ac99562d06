//! The entry point of the library: every option, limits, cancelling, streams, several threads.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, mpsc};
use std::thread;
use std::time::Duration;

use crate::common::{self, Cases, FAR, cancelled, grid, in_memory, with};
use rayon::prelude::*;
use taquin::store::{self, Set};
use taquin::{
    Board, Bracket, Builder, Cancel, Error, Event, Limits, Method, Solver, Stop, Store, Ties,
};
use taquin_engine::board::GoalError;

/// One of the hardest boards of 3×3, at 31 moves.
const HARDEST: &str = "8 6 7 / 2 5 4 / 3 0 1";

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// A solver with the 4×4 tables in memory, built once for all tests.
fn standard() -> &'static Solver {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
        let solver = in_memory().build().unwrap();
        solver.prepare(grid(4, 4)).unwrap();
        solver
    });
    &SOLVER
}

/// Panics unless the bracket is closed by a solution of this length that leads to the goal.
#[track_caller]
fn assert_solved(solver: &Solver, board: &Board, bracket: &Bracket, length: usize) {
    let solution = bracket.solution.as_ref().expect("the board is solvable");
    assert!(solution.is_optimal() && bracket.is_optimal() && bracket.stopped.is_none());
    assert_eq!((solution.len(), bracket.lower_bound as usize), (length, length), "{board}");
    let goal = solver.goal(board.grid()).unwrap();
    assert_eq!(board.after(solution.moves()).as_ref(), Ok(goal.board()), "{board}");
}

#[test]
fn every_option_counts() {
    let hardest = board(HARDEST);
    let solve = |builder: Builder| builder.build().unwrap().solve(&hardest).unwrap();
    let standard = solve(in_memory());
    assert_eq!((standard.len(), standard.gap(), standard.lower_bound()), (31, 0, 31));
    assert_eq!(&*standard.effort().heuristic, "4-4:mirror");
    // The goal: a name, or a board.
    for goal in ["spiral", "1 2 3 / 8 0 4 / 7 6 5"] {
        let solver = in_memory().goal(goal).build().unwrap();
        assert_eq!(solver.solve(&board("1 2 3 / 0 8 4 / 7 6 5")).unwrap().moves().to_string(), "L");
    }
    let goal = taquin::Goal::named("blank-last", grid(3, 3)).unwrap();
    assert_eq!(solve(in_memory().goal(goal)).moves(), standard.moves());
    // The heuristic.
    for heuristic in ["manhattan", "max(walking-distance,linear-conflict)", "1,2,3/4,5,6"] {
        let solution = solve(with(heuristic));
        assert_eq!((solution.len(), &*solution.effort().heuristic), (31, heuristic));
    }
    // Threads.
    for threads in [1, 3] {
        let solver = in_memory().threads(threads).build().unwrap();
        assert_eq!(solver.threads(), threads);
        assert_eq!(solver.solve(&hardest).unwrap().moves(), standard.moves());
    }
    let most = in_memory().threads(taquin::solver::MAX_THREADS + 1).build().unwrap_err();
    assert_eq!(most.to_string(), "1025 threads are too many: the maximum is 1024");
}

#[test]
fn what_cannot_be_solved_is_named() {
    let solver = in_memory().build().unwrap();
    assert!(matches!(solver.solve(&board("2 1 3 / 4 5 0")), Err(Error::Unsolvable { .. })));
    for goal in ["corner", "1 0 2 0", ""] {
        assert!(matches!(in_memory().goal(goal).build(), Err(Error::Goal(_))), "{goal}");
    }
    let other = in_memory().goal("1 2 3 0").build().unwrap();
    let refused = other.solve(&board("1 2 3 / 4 5 0"));
    assert!(matches!(refused, Err(Error::Goal(GoalError::Size { .. }))), "{refused:?}");
    for (heuristic, method) in
        [("portfolio", Method::Ida), ("combined", Method::Ida), ("portfolio", Method::Bfs)]
    {
        let error = with(heuristic).method(method).build().unwrap().solve(&board(HARDEST));
        let error = error.unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        assert!(error.to_string().contains("4x4"), "{error}");
    }
    let missing = with("5-5-5").build().unwrap();
    assert!(matches!(missing.solve(&board(HARDEST)), Err(Error::Heuristic(_))));
    // No message names a command or an option.
    for (solver, text) in [(&solver, "2 1 3 / 4 5 0"), (&missing, HARDEST)] {
        let text = solver.solve(&board(text)).unwrap_err().to_string();
        assert!(!text.contains("pdb-gen") && !text.contains("--"), "{text}");
    }
}

#[test]
fn limits_end_in_a_bracket() {
    let solver = standard();
    let far = board(FAR);
    for (limits, stop) in [
        (Limits::default().time(Duration::ZERO), Stop::Time),
        (Limits::default().nodes(1_000), Stop::Nodes),
        (Limits::default().deadline(|| true), Stop::Time),
    ] {
        let bracket = solver.solve_with(&far, &limits).unwrap();
        assert_eq!(bracket.stopped, Some(stop));
        let solution = bracket.solution.as_ref().expect("the best solution known");
        // A beam finds it; by stages there are some 150 moves.
        assert!((50..=80).contains(&bracket.lower_bound) && (80..90).contains(&solution.len()));
        assert_eq!(bracket.gap(), Some(solution.len() as u32 - bracket.lower_bound));
        assert!(!bracket.is_optimal());
        let goal = solver.goal(far.grid()).unwrap();
        assert_eq!(far.after(solution.moves()).as_ref(), Ok(goal.board()));
    }
}

/// The nodes of a search to a gap, and its solution's length, for any number of threads.
fn to_gap(method: Method, board: &Board, moves: u32, limits: Limits) -> (Bracket, usize) {
    let solve = |threads| {
        let solver = with("manhattan").method(method).threads(threads).build().unwrap();
        let bracket = solver.solve_with(board, &limits.clone().gap(moves)).unwrap();
        let solution = bracket.solution.clone().expect("there is always a solution");
        let goal = solver.goal(board.grid()).unwrap();
        assert_eq!(board.after(solution.moves()).as_ref(), Ok(goal.board()));
        (bracket, solution.moves().clone())
    };
    let ((bracket, moves), (other, moves_too)) = (solve(1), solve(2));
    let counts = |bracket: &Bracket| (bracket.lower_bound, bracket.effort.generated);
    assert_eq!((counts(&bracket), &moves), (counts(&other), &moves_too));
    (bracket, moves.len())
}

#[test]
fn a_search_ends_once_the_gap_is_small() {
    let random = board("8 13 3 2 / 14 11 9 12 / 1 15 7 4 / 10 0 5 6");
    let before = to_gap(Method::Ida, &random, 12, Limits::default()).0;
    for (method, allowed) in [(Method::Ida, 8), (Method::Bfs, 20), (Method::AStar(Ties::Lifo), 12)]
    {
        let board = if method == Method::Bfs { board(HARDEST) } else { random.clone() };
        let (bracket, length) = to_gap(method, &board, allowed, Limits::default());
        assert_eq!(bracket.stopped, Some(Stop::Gap), "{method}");
        assert!((1..=allowed).contains(&bracket.gap().unwrap()), "{method}: {length}");
    }
    let after = to_gap(Method::Ida, &random, 8, Limits::default()).0;
    assert!(before.effort.generated < after.effort.generated);
    // The first beam is optimal, or the proof comes first.
    let (bracket, _) = to_gap(Method::Ida, &board(HARDEST), 1, Limits::default());
    assert!(bracket.is_optimal() && bracket.stopped.is_none());
    // A limit may come first.
    let (bracket, _) = to_gap(Method::Ida, &random, 2, Limits::default().nodes(10_000));
    assert_eq!(bracket.stopped, Some(Stop::Nodes));
}

#[test]
fn beams_end_once_the_gap_is_small() {
    let large = board(
        "35 1 2 3 4 5 / 6 7 8 9 10 11 / 12 13 14 15 16 17 / 18 19 20 21 22 23 / 24 25 26 27 28 29 / \
         30 31 32 33 34 0",
    );
    let (bracket, hasty) = to_gap(Method::Beam, &large, 100, Limits::default());
    assert_eq!(bracket.stopped, Some(Stop::Gap));
    let (bracket, length) = to_gap(Method::Beam, &large, 2, Limits::default());
    assert_eq!(bracket.stopped, Some(Stop::Method));
    assert!(length <= hasty);
}

/// Cancelled from another thread, a search of every kind ends at once.
#[test]
fn cancelling_ends_a_search() {
    let hard = &Cases::hard().cases[0].board;
    standard().prepare(hard.grid()).unwrap();
    let plain = with("manhattan").build().unwrap();
    let stages = in_memory().method(Method::Staged).build().unwrap();
    for (name, solver) in [("engine", standard()), ("plain", &plain), ("stages", &stages)] {
        let bracket = cancelled(name, Duration::from_millis(50), |limits| {
            // Long enough for the stages, which would end after 30 million nodes.
            solver.solve_with(hard, &limits.clone().time(Duration::from_secs(3600))).unwrap()
        });
        assert_eq!(bracket.stopped, Some(Stop::Cancelled), "{name}");
    }
}

#[test]
fn a_stream_keeps_the_order() {
    let solver = standard();
    let antipodes = Cases::antipodes();
    let goal = solver.goal(grid(4, 4)).unwrap();
    let (mut random, mut tiles) = (common::Random(5), (0..16).collect::<Vec<u8>>());
    let shuffled = |_| {
        random.shuffle(&mut tiles);
        Board::new(grid(4, 4), &tiles).unwrap()
    };
    // Half of these are unsolvable.
    let mut boards: Vec<Board> = (0..200).map(shuffled).collect();
    // Hard, solved, unsolvable, and of another size.
    boards.insert(0, antipodes.cases[0].board.clone());
    boards.insert(7, goal.board().clone());
    boards.insert(8, board("2 1 3 / 4 5 6 / 7 8 0"));
    boards.insert(9, board(HARDEST));
    boards.push(antipodes.cases[1].board.clone());
    let results: Vec<_> = solver.solve_all(boards.clone()).collect();
    assert_eq!(results.len(), boards.len());
    for (board, result) in boards.iter().zip(results) {
        match (result, solver.solve(board)) {
            (Ok(bracket), Ok(solution)) => {
                assert_solved(solver, board, &bracket, solution.len());
                let streamed = bracket.solution.unwrap();
                assert_eq!(streamed.moves(), solution.moves());
                let counts = |s: &taquin::Solution| (s.effort().generated, s.effort().expanded);
                assert_eq!(counts(&streamed), counts(&solution), "{board}");
            }
            (Err(Error::Unsolvable { .. }), Err(Error::Unsolvable { .. })) => {}
            other => panic!("{board}: {other:?}"),
        }
    }
}

/// An answer comes before the next board is supplied, and the end does not wait for boards that
/// never come.
#[test]
fn a_stream_waits_for_nobody() {
    let solver = in_memory().build().unwrap();
    let (sender, receiver) = mpsc::channel::<Board>();
    let cancel = Cancel::new();
    let items = receiver.into_iter().map(|board| (board.clone(), Some(board)));
    let mut stream = solver.stream(items, Limits::default().cancel(&cancel));
    for text in [HARDEST, "1 2 3 / 4 0 6 / 7 5 8", "1 2 3 / 4 5 6 / 7 8 0"] {
        sender.send(board(text)).unwrap();
        let (data, answer) = stream.next().unwrap();
        assert_eq!(data, board(text));
        assert!(answer.unwrap().unwrap().is_optimal());
    }
    cancel.cancel();
    assert!(stream.next().is_none());
    drop(sender);
    // Items without a board keep their place.
    let items = [(1, None), (2, Some(board(HARDEST))), (3, None)];
    let stream = solver.stream(items, Limits::default());
    let numbers: Vec<_> = stream.map(|(data, answer)| (data, answer.is_some())).collect();
    assert_eq!(numbers, [(1, false), (2, true), (3, false)]);
}

#[test]
fn the_values_of_many_boards_are_those_of_each() {
    let solver = with("manhattan").goal("blank-first").build().unwrap();
    let korf = Cases::korf().cases.into_iter().map(|case| case.board);
    let mut boards: Vec<Board> = korf.collect::<Vec<_>>().into_iter().cycle().take(2000).collect();
    boards.insert(700, board("1 0 2 / 3 4 5 / 6 7 8"));
    let values = solver.values(&boards, &Limits::default()).unwrap();
    let each: Vec<u32> = boards.iter().map(|board| solver.value(board).unwrap()).collect();
    assert_eq!(values, each);
    assert!(solver.values(&[], &Limits::default()).unwrap().is_empty());
    boards[1900] = board("0 2 1 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15");
    let refused = solver.values(&boards, &Limits::default());
    assert!(matches!(refused, Err(Error::Unsolvable { .. })));
    let cancel = Cancel::new();
    cancel.cancel();
    let stopped = solver.values(&boards[..9], &Limits::default().cancel(&cancel));
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Cancelled))));
}

#[test]
fn a_build_is_cancelled_and_begun_again() {
    for heuristic in ["6-6-3", "6-6-3:plain"] {
        let solver = with(heuristic).store(Store::memory()).build().unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        let limits = Limits::default().cancel(&cancel);
        let stopped = solver.prepare_with(grid(4, 4), &limits);
        assert!(matches!(stopped, Err(Error::Stopped(Stop::Cancelled))), "{heuristic}");
        let answers: Vec<_> = solver.stream([((), Some(board(FAR)))], limits).collect();
        assert!(answers.is_empty(), "{heuristic}");
        solver.prepare(grid(4, 4)).unwrap();
    }
}

#[test]
fn a_build_ends_soon_after_a_cancel() {
    let solver = with("7-8").store(Store::memory()).build().unwrap();
    let prepare = |limits: &Limits| solver.prepare_with(grid(4, 4), limits);
    let stopped = cancelled("build", Duration::from_millis(100), prepare);
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Cancelled))));
}

#[test]
fn dropping_a_stream_ends_its_searches() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let limits = Limits::default().deadline(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    });
    // Takes hours.
    let solver = with("manhattan").method(Method::Plain).build().unwrap();
    let stream = solver.stream([((), Some(board(FAR)))], limits);
    while asked.load(Ordering::Relaxed) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    drop(stream);
    let pause = || thread::sleep(Duration::from_millis(300));
    pause();
    let before = asked.load(Ordering::Relaxed);
    pause();
    assert_eq!(asked.load(Ordering::Relaxed), before);
}

/// Workers of a pool ask for databases whose loader is slow and waits for all workers. A worker that
/// waited for the loader under a lock would be waited for.
#[test]
fn a_loader_may_wait_for_the_workers_that_ask() {
    let (sender, ended) = mpsc::channel();
    // If it hangs, the thread is left behind.
    thread::spawn(move || {
        let slow = |event: &Event<'_>| {
            if let Event::Store(store::Event::Building { .. }) = event {
                thread::sleep(Duration::from_millis(50));
                rayon::broadcast(|_| ());
            }
        };
        let solver = with("5-5-5:mirror").progress(slow).build().unwrap();
        let board = board("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12");
        let solve = |_| solver.solve(&board).unwrap().len();
        let lengths: Vec<usize> =
            common::on_threads(2, || (0..16).into_par_iter().map(solve).collect());
        sender.send(lengths).unwrap();
    });
    let lengths = ended.recv_timeout(Duration::from_secs(100)).expect("a worker waits for itself");
    assert_eq!(lengths, [15; 16]);
}

/// `portfolio` searches a hard board with other partitions from the threshold at which it turns out to be
/// hard. The standard search does not, whatever lies in the folder.
#[test]
fn hard_boards_are_searched_with_the_portfolio_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = || Store::folder(folder.path());
    let sets = Set::portfolio(grid(4, 4), 0, 3).unwrap();
    let parts: Vec<_> = sets.iter().flat_map(|set| store().parts(set).unwrap()).collect();
    parts.iter().for_each(|part| common::publish(part.pattern, folder.path()));
    let solver =
        |heuristic: &str, threads| with(heuristic).store(store()).threads(threads).build().unwrap();
    let case = &Cases::hard().cases[2];
    let solved = |heuristic, threads| {
        let solver = solver(heuristic, threads);
        let bracket = solver.solve_with(&case.board, &Limits::default()).unwrap();
        assert_solved(&solver, &case.board, &bracket, case.length);
        let Bracket { effort, solution, .. } = bracket;
        (effort.heuristic.to_string(), effort.generated, solution.unwrap().moves().clone())
    };
    let (name, nodes, path) = solved("portfolio", 2);
    assert_eq!((&*name, nodes), ("portfolio", 4_301_520));
    assert_eq!(solved("portfolio", 1), (name.clone(), nodes, path));
    let (standard, more, _) = solved("standard", 2);
    assert_eq!((&*standard, more), ("7-8:mirror", 8_140_885));
    let portfolio = solver("portfolio", 2);
    let others = portfolio.solve_all([case.board.clone()]).map(Result::unwrap);
    assert!(others.into_iter().all(|bracket| bracket.effort.generated == nodes));
    // Limits go on counting.
    let limits = Limits::default().nodes(3_000_000);
    let bracket = portfolio.solve_with(&case.board, &limits).unwrap();
    assert_eq!(bracket.stopped, Some(Stop::Nodes));
    assert!((2_000_000..=3_000_000).contains(&bracket.effort.generated));
    let all = portfolio.solutions(&case.board, &Limits::default(), 1).unwrap();
    assert!(all.count.unwrap() >= 1 && *all.bracket.effort.heuristic == *name);

    // There is no answer after somebody has written to a file.
    let last = parts.last().unwrap().path(folder.path());
    let bytes = fs::read(&last).unwrap();
    fs::write(&last, &bytes).unwrap();
    assert!(matches!(portfolio.solve(&case.board), Err(Error::Damaged(_))));
}
