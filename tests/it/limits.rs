//! Limits of searches, and cancelling them from another thread: a search ends soon, says which
//! limit ended it, and reports a bound, and no solution that it has not proved.

use std::time::{Duration, Instant};

use crate::common::{Cases, STANDARD, cancelled, engine, every, grid, on_threads, solve, streamed};
use taquin_classics::{Manhattan, Ties, a_star, bfs, ida_star};
use taquin_engine::board::{Metric, Move, Position};
use taquin_engine::search::{
    Cancel, Clock, LaneEnd, Limits, Outcome, Solutions, Stop, shorten, staged,
};

/// A search that is cancelled before it begins only divides the work, into some 16 subtrees;
/// without that, the first iteration of some of these boards takes hundreds of nodes.
#[test]
fn a_search_cancelled_before_it_begins_reports_its_first_bound() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    for case in Cases::korf().cases {
        let cancel = Cancel::new();
        cancel.cancel();
        let control = Limits::default().cancel(&cancel);
        let outcome = engine.solve(&case.position, &control).unwrap();
        let stop = Some(Stop::Cancelled);
        assert_eq!((&outcome.path, outcome.stopped), (&None, stop), "{}", case.line);
        assert!(outcome.generated <= 64, "{}", case.line);
        assert!(outcome.lower_bound() as usize <= case.length, "{}", case.line);
        assert_eq!(outcome.lower_bound(), engine.value(&case.position).unwrap(), "{}", case.line);
    }
}

/// A search that is cancelled from another thread ends soon, and reports a bound, and no solution
/// that it has not proved.
#[test]
fn a_cancelled_search_reports_what_it_proved() {
    let size = grid(4, 4);
    let hard = &Cases::hard().cases[0];
    let check = |outcome: Outcome| {
        assert_eq!((&outcome.path, outcome.stopped), (&None, Some(Stop::Cancelled)));
        assert!((outcome.lower_bound() as usize) < hard.length);
        assert_eq!(outcome.lower_bound() as usize % 2, hard.length % 2);
    };
    let engines =
        [vec![STANDARD], vec![STANDARD, "7-8b"], vec!["6-6-3"]].map(|p| (engine(&p, size, 0), p));
    for (engine, name) in &engines {
        for threads in [1, 2] {
            // Some of these are in the middle of trials of other views.
            for after in
                [1, 10, 30, 60, 90].map(Duration::from_millis).into_iter().step_by(every(2))
            {
                let name = format!("{name:?}, {threads} threads");
                check(on_threads(threads, || {
                    cancelled(&name, after, |control| {
                        engine.solve(&hard.position, control).unwrap()
                    })
                }));
            }
        }
    }
    let (position, after) = (&hard.position, Duration::from_millis(50));
    let manhattan = Manhattan::new(size, 0);
    check(cancelled("ida_star", after, |control| ida_star(position, &manhattan, control)));
    for ties in [Ties::Lifo, Ties::Fifo] {
        let search = |control: &Limits| a_star(position, &manhattan, ties, control);
        check(cancelled("a_star", after, search));
    }
    let outcome = cancelled("bfs", after, |control| bfs(position, control));
    assert_eq!((outcome.path, outcome.stopped), (None, Some(Stop::Cancelled)));
    let count = cancelled("solutions", after, |control| {
        Solutions::search(position, hard.length as u32, &manhattan, control).map(|all| all.count())
    });
    assert_eq!(count, Err(Stop::Cancelled));
    let long = staged(position, |_| ());
    let (path, proof) = cancelled("shorten", after, |control| {
        shorten(position, long.clone(), Metric::Single, control)
    });
    assert!(proof.is_none() && (hard.length..=long.len()).contains(&path.len()));
}

/// A stream ends its boards soon, too.
#[test]
fn a_cancelled_stream_reports_what_it_proved() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let board = not_symmetric();
    // Each board takes some milliseconds.
    let verdicts = cancelled("stream", Duration::from_millis(20), |limits| {
        let boards = std::iter::repeat_with(|| (board.clone(), limits.clone()));
        streamed(&engine, boards.take_while(|_| !limits.is_cancelled()))
    });
    let mut stopped = 0;
    for verdict in verdicts {
        if let LaneEnd::Done(Outcome { path, stopped: Some(stop), .. }) = verdict {
            assert_eq!((path, stop), (None, Stop::Cancelled));
            stopped += 1;
        }
    }
    assert!(stopped > 0);
}

/// Whichever lane a board is in, also if all others are idle, its search keeps its limits: the
/// boards before it fill some lanes and are solved at once.
#[test]
fn a_board_alone_in_its_lane_keeps_its_limits() {
    let (board, mut easy) = (not_symmetric(), Position::goal(grid(4, 4), 0));
    easy.make(Move::Up);
    assert!(!easy.is_symmetric());
    for engine in [engine(&[STANDARD], grid(4, 4), 0), engine(&["6-6-3"], grid(4, 4), 0)] {
        for before in (0..10).step_by(every(3)) {
            let alone = |limits: &Limits| {
                let boards = std::iter::repeat_n(&easy, before).chain([&board]);
                streamed(&engine, boards.map(|board| (board.clone(), limits.clone()))).pop()
            };
            let cut = |verdict: Option<LaneEnd>| match verdict {
                Some(LaneEnd::Done(Outcome { path: None, stopped, generated, .. })) => {
                    (stopped.unwrap(), generated)
                }
                other => panic!("{before} boards before: {other:?}"),
            };
            let (stop, generated) = cut(alone(&Limits::default().nodes(100_000)));
            assert_eq!(stop, Stop::Nodes);
            assert!((100_000..150_000).contains(&generated), "{before}: {generated}");
            let soon = Duration::from_millis(5);
            let (stop, _) = cut(cancelled(&format!("{before} boards before"), soon, alone));
            assert_eq!(stop, Stop::Cancelled);
            let verdict = alone(&Limits::default());
            assert!(matches!(verdict, Some(LaneEnd::Hard)), "{before}: {verdict:?}");
        }
    }
}

/// A board at the greatest distance that is not its own mirror image.
fn not_symmetric() -> Position {
    let mut boards = Cases::antipodes().cases.into_iter().map(|case| case.position);
    boards.find(|position| !position.is_symmetric()).unwrap()
}

/// Searches keep to their limits, and say which one ended them.
#[test]
fn a_limited_search_reports_what_it_proved() {
    let engine = engine(&[STANDARD, "7-8b"], grid(4, 4), 0);
    let hard = &Cases::hard().cases[0];
    let time = Duration::from_millis(50);
    let by_time = || (Stop::Time, Limits::default().on(Clock::start()).time(time));
    let by_nodes = |nodes| (Stop::Nodes, Limits::default().nodes(nodes));
    let nodes = [0, 5_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000].map(by_nodes);
    for threads in [1, 2] {
        // Some of these limits end a trial of other views.
        for (stop, control) in [by_time()].iter().chain(&nodes) {
            let start = Instant::now();
            let outcome = on_threads(threads, || engine.solve(&hard.position, control).unwrap());
            println!("{stop:?}: {outcome:?} in {:?}", start.elapsed());
            assert_eq!((&outcome.path, outcome.stopped), (&None, Some(*stop)));
            assert!((outcome.lower_bound() as usize) < hard.length);
            assert_eq!(outcome.lower_bound() as usize % 2, hard.length % 2);
            assert!(outcome.generated <= control.most_nodes().saturating_add(64));
            assert!(outcome.generated > 0 || control.most_nodes() == 0);
        }
    }
    // Boards solved within their limits are solved as without any. Lanes search beyond the
    // solution.
    for case in &Cases::korf().cases[..10] {
        let alone = solve(&engine, &case.position);
        let control =
            Limits::default().nodes(20 * alone.generated).on(Clock::start()).time(3600 * 20 * time);
        assert_eq!(engine.solve(&case.position, &control).unwrap(), alone);
    }
    // A stream leaves boards that are their own mirror image to others.
    let board = not_symmetric();
    let (stops, limits): (Vec<Stop>, Vec<Limits>) =
        [by_time(), by_nodes(0), by_nodes(100_000)].into_iter().unzip();
    let verdicts = streamed(&engine, limits.into_iter().map(|limits| (board.clone(), limits)));
    assert_eq!(verdicts.len(), 3);
    for (stop, verdict) in stops.into_iter().zip(verdicts) {
        match verdict {
            LaneEnd::Done(outcome) => {
                assert_eq!((outcome.path, outcome.stopped), (None, Some(stop)));
            }
            // It has as many nodes as a stream spends.
            verdict => assert!(matches!((stop, verdict), (Stop::Time, LaneEnd::Hard))),
        }
    }
}
