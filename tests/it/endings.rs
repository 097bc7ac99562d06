//! Searches that end before they are done: because a file is damaged, because the time that a board
//! has spent in a stream is over, or because an earlier run has generated as many nodes as allowed.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Cases, FAR, Random, engine, grid, solve, streamed, with};
use taquin::{Board, Error, Limits, Method, Solver, Stop, Store};
use taquin_engine::search::{Deepening, Event, LaneEnd};
use tempfile::TempDir;

/// A folder with the databases that a heuristic needs for a size, one of them damaged.
fn damaged(heuristic: &str, width: usize, height: usize) -> (TempDir, Solver, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let solver = || with(heuristic).store(Store::folder(folder.path())).build().unwrap();
    solver().prepare(grid(width, height)).unwrap();
    let path = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    flip(&path);
    let solver = solver();
    (folder, solver, path)
}

/// Flips a bit of a file's last byte.
fn flip(path: &PathBuf) {
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
}

/// With this heuristic the board takes days.
#[test]
fn a_search_ends_once_a_file_is_found_to_be_damaged() {
    let (folder, solver, _) = damaged("1,2,3,4,5,6", 4, 4);
    let stages = with("1,2,3,4,5,6").store(Store::folder(folder.path())).method(Method::Staged);
    let stages = stages.build().unwrap();
    let board: Board = FAR.parse().unwrap();
    let is_late = Arc::new(AtomicBool::new(false));
    let (start, late) = (Instant::now(), is_late.clone());
    let limits = Limits::default().deadline(move || {
        let is_late = start.elapsed() > Duration::from_secs(60);
        late.fetch_or(is_late, Ordering::Relaxed);
        is_late
    });
    let answers = [
        solver.solve_with(&board, &limits),
        stages.solve_with(&board, &limits),
        solver.stream([((), Some(board))], limits).next().unwrap().1.unwrap(),
    ];
    for answer in answers {
        assert!(matches!(answer, Err(Error::Damaged(_))), "{answer:?}");
    }
    assert!(!is_late.load(Ordering::Relaxed));
}

/// A damaged file is named, not taken for another database, and no checkpoint is left behind.
#[cfg(feature = "serde")]
#[test]
fn a_checkpoint_does_not_hide_a_damaged_file() {
    use taquin::Checkpoint;
    let (folder, solver, path) = damaged("standard", 4, 3);
    let board: Board = "0 11 10 9 / 8 7 6 5 / 4 3 1 2".parse().unwrap();
    let state = folder.path().join("state");
    let checkpoint = Checkpoint { path: state.clone(), resume: true };
    let refuses = |solver: &Solver| {
        let answer = solver.solve_with_checkpoint(&board, &Limits::default(), &checkpoint);
        matches!(answer, Err(Error::Damaged(_)))
    };
    assert!(refuses(&solver));
    assert!(!state.exists());
    // A checkpoint of the sound file stays as it is.
    flip(&path);
    let solver = || Solver::builder().store(Store::folder(folder.path())).build().unwrap();
    let limits = Limits::default().nodes(1_000);
    let (bracket, _) = solver().solve_with_checkpoint(&board, &limits, &checkpoint).unwrap();
    assert_eq!(bracket.stopped, Some(Stop::Nodes));
    flip(&path);
    let before = fs::read(&state).unwrap();
    assert!(refuses(&solver()));
    assert_eq!(fs::read(&state).unwrap(), before);
}

/// The time that a board takes beside others counts when it goes on alone.
#[test]
fn a_hard_board_of_a_stream_has_its_time_once() {
    const TIME: Duration = Duration::from_secs(1);
    let solver = with("4-4-4-3:mirror").threads(1).build().unwrap();
    let board = Cases::antipodes().cases.into_iter().find(|case| !case.position.is_symmetric());
    let board = board.unwrap().board;
    solver.prepare(board.grid()).unwrap();
    // The first looks at the clock take three quarters of the time. With all of it again, 7/4 would be taken.
    let looks = AtomicU32::new(0);
    let limits = Limits::default().time(TIME).deadline(move || {
        if looks.fetch_add(1, Ordering::Relaxed) < 50 {
            thread::sleep(TIME * 3 / 4 / 50);
        }
        false
    });
    let start = Instant::now();
    let mut stream = solver.stream([((), Some(board))], limits);
    let bracket = stream.next().unwrap().1.unwrap().unwrap();
    assert_eq!(bracket.stopped, Some(Stop::Time));
    let (reported, taken) = (bracket.effort.time, start.elapsed());
    println!("{reported:?} reported, {taken:?} taken");
    assert!(reported >= TIME && reported <= taken && taken < TIME * 17 / 10);
}

#[test]
fn the_nodes_of_an_earlier_run_count() {
    let engine = engine(&["6-6-3"], grid(4, 4), 0);
    let position = &Cases::antipodes().cases[0].position;
    let mut search = engine.search(position).unwrap();
    let first = search.run(&Limits::default().nodes(3_000_000)).unwrap();
    assert_eq!(first.stopped, Some(Stop::Nodes));
    let record = search.record().clone();
    let restored = record.generated + record.beyond.iter().map(|p| p.generated).sum::<u64>();
    assert!(restored > 1_000_000, "{record:?}");
    let before = record.threshold.generated + restored;
    let resume =
        |control: &Limits| engine.resume(position, record.clone()).unwrap().run(control).unwrap();
    for (more, most) in [(0, 0), (100_000, 500_000)] {
        let nodes = Arc::new(AtomicU64::new(0));
        let counted = nodes.clone();
        let limits = Limits::default().nodes(before + more).listener(move |event| {
            if let Event::Nodes(nodes) = event {
                counted.fetch_add(*nodes, Ordering::Relaxed);
            }
        });
        let second = resume(&limits);
        assert_eq!((&second.path, second.stopped), (&None, Some(Stop::Nodes)));
        assert_eq!((second.generated, second.lower_bound()), (before + more, first.lower_bound()));
        let nodes = nodes.load(Ordering::Relaxed);
        assert!((more..=most).contains(&nodes), "{nodes} for {more}");
    }
    // A limit that was reached long ago: the record says how many nodes there were.
    let third = resume(&Limits::default().nodes(1_000));
    assert_eq!((third.stopped, third.generated), (Some(Stop::Nodes), before));
}

/// With combined views there is no choice that a stream could leave to a search of one board: each
/// of these boards has an iteration of more than 600,000 nodes, and is solved by the next one.
#[test]
fn a_stream_with_combined_views_searches_on() {
    let size = grid(4, 4);
    let engine = engine(&["4-4-4-3", "5-5-5", "6-6-3"], size, 0).combined();
    let positions = [1093, 2530, 3488].map(|seed| Random(seed).position(size));
    let boards = positions.iter().map(|position| (position.clone(), Limits::default()));
    for (position, verdict) in positions.iter().zip(streamed(&engine, boards)) {
        let LaneEnd::Done(outcome) = verdict else { panic!("{position:?}: {verdict:?}") };
        assert_eq!(solve(&engine, position), outcome);
    }
}
