//! The clock of a board: limits and `seconds` count the time that is spent on that board, also where a
//! thread searches many boards at once.

use std::cell::RefCell;
use std::ops::RangeBounds;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Cases, Random, engine, grid};
use taquin::{Board, Bracket, Limits, Solution, Solver, Stop, Store};
use taquin_engine::board::Position;
use taquin_engine::search::{Clock, LaneEnd, Supply};

/// Boards of Korf's set, with tables that are built soon.
const PARTITION: &str = "6-6-3";

static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let heuristic = format!("{PARTITION}:mirror").parse().unwrap();
    let solver = Solver::builder().goal("blank-first").heuristic(heuristic).threads(1);
    let solver = solver.store(Store::memory()).build().unwrap();
    solver.prepare(grid(4, 4)).unwrap();
    solver
});

fn stream(boards: impl IntoIterator<Item = Board>, limits: &Limits) -> Vec<Bracket> {
    let items: Vec<_> = boards.into_iter().map(|board| ((), Some(board))).collect();
    let answers = SOLVER.stream(items, limits.clone());
    answers.map(|((), answer)| answer.unwrap().unwrap()).collect()
}

fn alone(board: &Board, limits: &Limits) -> Bracket {
    SOLVER.solve_with(board, limits).unwrap()
}

/// The boards of Korf's set that need this many nodes.
fn korf(nodes: impl RangeBounds<u64>) -> Vec<Board> {
    static NEEDED: LazyLock<Vec<(Board, u64)>> = LazyLock::new(|| {
        let boards: Vec<Board> = Cases::korf().cases.into_iter().map(|case| case.board).collect();
        let answers = stream(boards.clone(), &Limits::default());
        let needed = answers.into_iter().map(|answer| answer.effort.generated);
        boards.into_iter().zip(needed).collect()
    });
    let fitting = NEEDED.iter().filter(|(_, needed)| nodes.contains(needed));
    fitting.map(|(board, _)| board.clone()).collect()
}

/// A thread searches 32 boards at once. None of them has to pay for the others. Lanes are several times
/// as fast as a board alone, more so on a busy machine.
#[test]
fn a_board_has_as_much_time_in_a_stream_as_alone() {
    let board = korf(100_000..500_000).swap_remove(0);
    let times = [(); 9].map(|()| alone(&board, &Limits::default()).effort.time);
    let time = times.into_iter().min().unwrap();
    println!("{time:?} alone");
    for (limit, proved) in [(8 * time, true), (time / 40, false)] {
        let limits = Limits::default().time(limit);
        let answers = stream(vec![board.clone(); 40], &limits);
        let count = answers.iter().filter(|answer| answer.is_optimal()).count();
        assert_eq!(count, if proved { answers.len() } else { 0 }, "{limit:?}");
        for answer in answers {
            assert_eq!(answer.stopped, (!proved).then_some(Stop::Time));
        }
    }
}

/// Boards that reach their limit, and the beams that look for their solutions then, take no time from
/// the boards in the other lanes.
#[test]
fn hard_boards_take_no_time_from_easy_ones() {
    const TIME: Duration = Duration::from_millis(100);
    // Boards that are their own mirror image are not searched in lanes.
    let hard = Cases::antipodes().cases.into_iter().map(|case| case.position);
    let hard = hard.filter(|position| !position.is_symmetric()).collect::<Vec<_>>();
    let hard: Vec<Board> = hard
        .iter()
        .cycle()
        .take(8)
        .map(|position| Board::new(grid(4, 4), position.labels()).unwrap())
        .collect();
    let mut easy = korf(..20_000).into_iter().cycle();
    let mut boards: Vec<Board> = easy.by_ref().take(20).chain(hard).collect();
    boards.extend(easy.take(300));
    let answers = stream(boards.iter().cloned(), &Limits::default().time(TIME));
    assert_eq!(answers.len(), boards.len());
    for (i, (board, answer)) in boards.iter().zip(&answers).enumerate() {
        let solution = answer.solution.as_ref().unwrap();
        // In the order of the boards.
        assert!(board.after(solution.moves()).is_ok_and(|end| end.tiles()[0] == 0));
        let is_hard = (20..28).contains(&i);
        let limit = is_hard.then_some(Stop::Time);
        assert_eq!((answer.is_optimal(), answer.stopped), (!is_hard, limit), "{i}");
    }
}

/// A node limit gives the same answer in a stream as alone. Alone, other lanes search beyond the solution
/// before it is known, and may reach the limit.
#[test]
fn a_node_limit_is_the_same_in_a_stream() {
    let boards = Cases::korf().cases.into_iter().step_by(9).map(|case| case.board);
    let boards: Vec<Board> = boards.collect();
    for nodes in [0, 1, 30, 1_000, 30_000, 300_000] {
        let limits = Limits::default().nodes(nodes);
        let mut beyond = 0;
        for (board, answer) in boards.iter().zip(stream(boards.iter().cloned(), &limits)) {
            let alone = alone(board, &limits);
            assert_eq!(answer.lower_bound, alone.lower_bound, "{nodes}: {board}");
            if answer.stopped == alone.stopped {
                let length = |answer: &Bracket| answer.solution.as_ref().map(Solution::len);
                assert_eq!(length(&answer), length(&alone), "{nodes}: {board}");
            } else {
                assert_eq!((answer.stopped, alone.stopped), (None, Some(Stop::Nodes)));
                assert!(answer.effort.generated < nodes, "{nodes}: {board}");
                beyond += 1;
            }
        }
        assert!(beyond <= 5, "{nodes}: {beyond}");
    }
}

/// On one thread the times of the boards add up to that of the stream.
#[test]
fn the_times_of_a_stream_add_up() {
    let boards = korf(..1_000_000);
    for limits in [Limits::default(), Limits::default().nodes(10_000)] {
        let begin = Instant::now();
        let answers = stream(boards.iter().cycle().take(100).cloned(), &limits);
        let wall = begin.elapsed();
        let sum: Duration = answers.iter().map(|answer| answer.effort.time).sum();
        println!("{sum:?} of {wall:?}");
        // The rest is spent on reading boards and on checking answers, or belongs to other programs.
        assert!(sum <= wall && sum >= wall / 4, "{sum:?} of {wall:?}");
    }
}

/// The time in which a stream waits for boards, or hands over results, is no board's time.
#[test]
fn waiting_is_no_board_s_time() {
    const LIMIT: Duration = Duration::from_millis(200);
    const WAIT: Duration = Duration::from_millis(15);
    let engine = engine(&[PARTITION], grid(4, 4), 0);
    let mut random = Random(1);
    let goal = Position::goal(grid(4, 4), 0);
    let mut positions = (0..48).map(|_| random.walk(&goal, 30)).collect::<Vec<_>>().into_iter();
    let times = &RefCell::new(Vec::new());
    let deliver = |verdict, clock: Clock| {
        sleep(WAIT);
        if let LaneEnd::Done(outcome) = &verdict {
            assert_eq!(outcome.stopped, None);
        }
        times.borrow_mut().push(clock.elapsed());
    };
    let begin = Instant::now();
    engine.solve_stream(&mut |_| {
        let Some(position) = positions.next() else { return Supply::End };
        sleep(WAIT / 8);
        let limits = Limits::default().time(LIMIT);
        Supply::Board { position, within: None, limits, deliver: Box::new(deliver) }
    });
    assert_eq!(times.borrow().len(), 48);
    let (waited, sum) = (48 * WAIT, times.borrow().iter().sum::<Duration>());
    assert!(sum <= begin.elapsed() - waited, "{sum:?}");
}
