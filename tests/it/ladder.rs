//! The ladder of the standard heuristic: each rung gives the answer of the others, holds limits, and can be cancelled.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use crate::common::{store, with};
use taquin::{Board, Cancel, Event, Goal, Limits, Metric, Random, Solver, Stop, Store};
use taquin::{Bracket, Builder, store};

/// Boards that are answered without tables, with small ones, and with the standard ones.
const EASY: &str = "1 2 3 4 / 5 6 7 8 / 9 10 0 12 / 13 14 11 15";
const USUAL: &str = "5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7";
const HARD: &str = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1";

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// A solver with the databases of a folder, and the number of databases that it has begun to build.
fn solver(store: Store, options: Builder) -> (Solver, Arc<AtomicUsize>) {
    let begun = Arc::<AtomicUsize>::default();
    let count = begun.clone();
    let progress = move |event: &Event<'_>| {
        if let Event::Store(store::Event::Building { .. }) = event {
            count.fetch_add(1, SeqCst);
        }
    };
    (options.store(store).progress(progress).build().unwrap(), begun)
}

fn moves(bracket: &Bracket) -> String {
    bracket.solution.as_ref().unwrap().moves().to_string()
}

#[test]
fn each_rung_gives_the_same_moves() {
    let whole = Solver::builder().store(store()).build().unwrap();
    whole.prepare(board(HARD).grid()).unwrap();
    for (text, rung, sets) in
        [(EASY, "linear-conflict", 0), (USUAL, "6-6-3:mirror", 1), (HARD, "7-8:mirror", 2)]
    {
        let (fresh, begun) = solver(Store::memory(), Solver::builder());
        let solve = |solver: &Solver| solver.solve_with(board(text), &Limits::default()).unwrap();
        let (from_nothing, with_tables) = (solve(&fresh), solve(&whole));
        assert_eq!((&*from_nothing.effort.heuristic, begun.load(SeqCst)), (rung, sets), "{text}");
        assert_eq!(&*with_tables.effort.heuristic, "7-8:mirror");
        assert!(from_nothing.is_optimal() && from_nothing.effort.generated > 0);
        assert_eq!(moves(&from_nothing), moves(&with_tables), "{text}");
        // Tables that are there cost nothing: the next board begins where this one ended.
        assert_eq!(&*solve(&fresh).effort.heuristic, rung);
        assert_eq!(begun.load(SeqCst), sets);
    }
    let mut random = Random::new(3);
    let goal = Goal::named("blank-last", board(EASY).grid()).unwrap();
    let small = with("6-6-3:mirror").build().unwrap();
    for _ in 0..20 {
        let board = goal.random_board(&mut random);
        let solve = |solver: &Solver| solver.solve(&board).unwrap().moves().clone();
        assert_eq!(solve(&small), solve(&whole), "{board}");
    }
}

#[test]
fn other_shapes_and_slides_have_the_same_moves() {
    for (size, metric) in [("4x3", Metric::Multi), ("6x3", Metric::Single)] {
        let goal = Goal::named("blank-last", size.parse().unwrap()).unwrap();
        let mut random = Random::new(1);
        let mut rungs = std::collections::BTreeSet::new();
        // The first search climbs, and leaves its tables to the others.
        let tables = Store::memory();
        for (steps, store) in [(300, tables.clone()), (10, Store::memory())] {
            let board = goal.walk(steps, &mut random);
            let [fresh, whole] = [store, tables.clone()]
                .map(|store| solver(store, Solver::builder().metric(metric)).0);
            let solve = |solver: &Solver| solver.solve_with(&board, &Limits::default()).unwrap();
            let (from_nothing, with_tables) = (solve(&fresh), solve(&whole));
            assert!(from_nothing.is_optimal() && with_tables.is_optimal());
            assert_eq!(moves(&from_nothing), moves(&with_tables), "{metric} {board}");
            rungs.insert(from_nothing.effort.heuristic.to_string());
        }
        assert_eq!(rungs.len(), 2, "{size} {metric}: {rungs:?}");
    }
}

#[test]
fn limits_hold_on_each_rung_and_while_it_is_built() {
    let hard = board(HARD);
    let limited = |limits: Limits| {
        let (fresh, begun) = solver(Store::memory(), Solver::builder());
        let bracket = fresh.solve_with(&hard, &limits).unwrap();
        assert!(!bracket.is_optimal() && bracket.lower_bound < 80 && bracket.solution.is_some());
        (bracket, begun.load(SeqCst))
    };
    let mut bound = 0;
    for (nodes, rung, sets) in [
        (0, "linear-conflict", 0),
        (1_000, "linear-conflict", 0),
        (300_000, "6-6-3:mirror", 1),
        (3_200_000, "7-8:mirror", 2),
    ] {
        let (bracket, begun) = limited(Limits::default().nodes(nodes));
        assert_eq!((&*bracket.effort.heuristic, begun), (rung, sets), "{nodes}");
        assert_eq!(bracket.stopped, Some(Stop::Nodes));
        let most = nodes + nodes / 10 + 300_000;
        assert!((nodes..=most).contains(&bracket.effort.generated), "{bracket:?}");
        // What a rung has proved stays proved.
        assert!(bracket.lower_bound >= bound, "{bracket:?}");
        bound = bracket.lower_bound;
    }
    // It ends while tables are built, or before.
    let (bracket, _) = limited(Limits::default().time(Duration::from_millis(150)));
    assert_eq!(bracket.stopped, Some(Stop::Time));
    assert_ne!(&*bracket.effort.heuristic, "7-8:mirror");
}

#[test]
fn a_build_can_be_cancelled_on_each_rung() {
    for (sets, rung) in [(1, "linear-conflict"), (2, "6-6-3:mirror")] {
        let (cancel, begun) = (Cancel::new(), Arc::<AtomicUsize>::default());
        let (handle, count) = (cancel.clone(), begun.clone());
        let progress = move |event: &Event<'_>| {
            if let Event::Store(store::Event::Building { .. }) = event
                && count.fetch_add(1, SeqCst) + 1 == sets
            {
                handle.cancel();
            }
        };
        let options = Solver::builder().store(Store::memory()).progress(progress);
        let fresh = options.build().unwrap();
        let limits = Limits::default().cancel(&cancel);
        let bracket = fresh.solve_with(board(HARD), &limits).unwrap();
        assert_eq!((bracket.stopped, begun.load(SeqCst)), (Some(Stop::Cancelled), sets));
        assert_eq!(&*bracket.effort.heuristic, rung);
        // A cancelled build is not a failure.
        let again = fresh.solve_with(board(USUAL), &Limits::default()).unwrap();
        assert!(again.is_optimal());
    }
}

#[test]
fn a_cancelled_build_leaves_what_the_trial_of_a_large_board_has_proved() {
    let cancel = Cancel::new();
    let handle = cancel.clone();
    let progress = move |event: &Event<'_>| {
        if let Event::Store(store::Event::Building { .. }) = event {
            handle.cancel();
        }
    };
    let fresh = Solver::builder().store(Store::memory()).progress(progress).build().unwrap();
    let hard = "23 22 5 3 9 6 18 15 14 19 21 24 12 17 8 2 16 7 13 4 20 10 11 1 0";
    let hard: Board = hard.parse().unwrap();
    let bracket = fresh.solve_with(&hard, &Limits::default().cancel(&cancel)).unwrap();
    assert_eq!(&*bracket.effort.heuristic, "linear-conflict");
    // Linear conflict alone has 86.
    assert!(bracket.effort.generated >= 100_000 && bracket.lower_bound >= 88, "{bracket:?}");
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn tables_of_the_last_rung_are_kept_once_the_folder_can_be_written_to() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    // 5×3 has tables that take a tenth of a second.
    let hard = board("5 4 3 2 1 / 10 9 8 7 6 / 0 14 13 12 11");
    let solve = |most| {
        let limits = Limits::default().nodes(most);
        let (fresh, begun) = solver(Store::folder(&folder), Solver::builder());
        let bracket = fresh.solve_with(&hard, &limits).unwrap();
        (bracket.effort.heuristic.to_string(), begun.load(SeqCst))
    };
    let whole = Solver::builder().store(Store::memory()).build().unwrap();
    let whole = whole.heuristic(hard.grid()).unwrap().to_string();
    // A file in the place of the folder.
    fs::write(&folder, "").unwrap();
    assert_eq!(solve(2_000_000), (whole.clone(), 1));
    fs::remove_file(&folder).unwrap();
    assert_eq!((solve(1_000), files(&folder)), (("linear-conflict".to_owned(), 0), 0));
    assert_eq!((solve(2_000_000), files(&folder)), ((whole.clone(), 1), 2));
    // Where they are, they are used at once.
    assert_eq!(solve(1_000), (whole, 0));
}

#[test]
#[cfg(feature = "cli")]
fn two_processes_climb_at_once() {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let mut children = Vec::new();
    for _ in 0..2 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
        command.args(["solve", "--node-limit", "2e6", "--json", "--pdb-dir"]).arg(folder.path());
        command.arg("5 4 3 2 1 / 10 9 8 7 6 / 0 14 13 12 11");
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        children.push(command.spawn().unwrap());
    }
    let outputs: Vec<_> = children.into_iter().map(|c| c.wait_with_output().unwrap()).collect();
    let bound = |output: &std::process::Output| {
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (object["lower_bound"].as_u64(), object["heuristic"].as_str().map(str::to_owned))
    };
    assert_eq!(bound(&outputs[0]), bound(&outputs[1]));
    assert!(bound(&outputs[0]).1.unwrap().contains('/'));
    assert_eq!(files(folder.path()), 2);
}

#[test]
fn what_must_not_be_built_is_not_missed_on_four_by_four() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::folder(folder.path()).build_missing(false);
    let (fresh, begun) = solver(store, Solver::builder());
    for (text, rung) in [(EASY, "linear-conflict"), (USUAL, "6-6-3:mirror")] {
        let bracket = fresh.solve_with(board(text), &Limits::default()).unwrap();
        assert_eq!((bracket.is_optimal(), &*bracket.effort.heuristic), (true, rung));
    }
    assert_eq!((begun.load(SeqCst), files(folder.path())), (1, 0));
    let items = [EASY, USUAL].map(|text| ((), Some(board(text))));
    for (_, answer) in fresh.stream(items, Limits::default()) {
        let bracket = answer.unwrap().unwrap();
        assert_eq!((bracket.is_optimal(), &*bracket.effort.heuristic), (true, "6-6-3:mirror"));
    }
    let hard = board("5 4 3 2 1 / 10 9 8 7 6 / 0 14 13 12 11");
    let missing = fresh.solve_with(&hard, &Limits::default()).unwrap_err().to_string();
    assert!(missing.contains("databases are not in"), "{missing}");
}
