//! Solving. Every bench checks its answers: a wrong length stops the run.
//!
//! One thread, unless a name says otherwise. Throughput is in nodes generated, or in boards for
//! `random` and `easy`. The tables are built in memory first, which takes a second or two.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

use common::{Cases, Random, STANDARD, engine, grid, on_threads, partition, pool, tables};
use taquin::{Bracket, Solver};
use taquin_classics::{Max, ida_star};
use taquin_engine::board::{Board, Canonical, Goal, Position};
use taquin_engine::pdb::{Index, Table};
use taquin_engine::search::{Engine, LaneEnd, Limits, Outcome, Stop, Supply};

fn standard() -> Engine {
    engine(&[STANDARD], grid(4, 4), 0)
}

fn solve(engine: &Engine, position: &Position) -> Outcome {
    engine.solve(position, &Limits::default()).expect("the tables are whole")
}

/// Solves all boards, one by one; returns the nodes generated.
fn solve_all(engine: &Engine, cases: &Cases) -> u64 {
    let solved = cases.cases.iter().map(|case| {
        let outcome = solve(engine, &case.position);
        cases.check(case, &outcome);
        outcome.generated
    });
    solved.sum()
}

/// A group for the boards of a file, with a bench for each number of threads.
fn boards(c: &mut Criterion, name: &str, cases: &Cases, threads: &[usize]) {
    let engine = standard();
    let mut group = c.benchmark_group(name);
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_secs(1));
    group.throughput(Throughput::Elements(on_threads(2, || solve_all(&engine, cases))));
    for &threads in threads {
        let pool = pool(threads);
        let plural = if threads == 1 { "" } else { "s" };
        group.bench_function(format!("{threads} thread{plural}"), |b| {
            b.iter(|| pool.install(|| solve_all(&engine, cases)));
        });
    }
    group.finish();
}

fn korf100(c: &mut Criterion) {
    boards(c, "korf100", &Cases::korf(), &[1]);
}

fn antipodes80(c: &mut Criterion) {
    boards(c, "antipodes80", &Cases::antipodes(), &[1, 2]);
}

fn hard15(c: &mut Criterion) {
    boards(c, "hard15", &Cases::hard(), &[1, 2]);
}

fn hunted15(c: &mut Criterion) {
    boards(c, "hunted15", &Cases::hunted(), &[2]);
}

/// Expanding nodes and nothing else: the first millions of the hardest board known.
fn expand(c: &mut Criterion) {
    const NODES: u64 = 4_000_000;
    let (engine, hunted) = (standard(), Cases::hunted());
    let position = &hunted.cases[0].position;
    let limits = Limits::default().nodes(NODES);
    let search = || engine.solve(position, &limits).expect("the tables are whole");
    let one = pool(1);
    let mut group = c.benchmark_group("expand");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(one.install(search).expanded));
    group.bench_function("1 thread", |b| {
        b.iter(|| assert_eq!(one.install(search).stopped, Some(Stop::Nodes)));
    });
    group.finish();
}

/// 1000 boards drawn uniformly: one after the other, and as a stream, a lane a board.
fn random(c: &mut Criterion) {
    /// The sum of the optimal lengths, as both ways and both numbers of threads found it.
    const MOVES: usize = 52_709;
    let engine = standard();
    let mut random = Random(1000);
    let boards: Vec<Position> = (0..1000).map(|_| random.position(grid(4, 4))).collect();
    let moves = |outcome: Outcome| outcome.path.expect("it is solvable").len();
    let one = pool(1);
    let mut group = c.benchmark_group("random");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("one by one", |b| {
        b.iter(|| {
            let sum =
                one.install(|| boards.iter().map(|b| moves(solve(&engine, b))).sum::<usize>());
            assert_eq!(sum, MOVES);
        });
    });
    group.bench_function("stream", |b| {
        b.iter(|| {
            let (mut next, sum, hard) = (boards.iter(), &Cell::new(0), &RefCell::new(Vec::new()));
            engine.solve_stream(&mut |_| {
                let Some(board) = next.next() else { return Supply::End };
                let deliver = move |verdict, _| match verdict {
                    LaneEnd::Done(outcome) => sum.set(sum.get() + moves(outcome)),
                    LaneEnd::Hard => hard.borrow_mut().push(board),
                    LaneEnd::Broken(broken) => panic!("{broken}"),
                };
                let (position, limits) = (board.clone(), Limits::default());
                Supply::Board { position, within: None, limits, deliver: Box::new(deliver) }
            });
            let hard = hard.take();
            let alone = || hard.iter().map(|b| moves(solve(&engine, b))).sum::<usize>();
            assert_eq!(sum.get() + one.install(alone), MOVES);
        });
    });
    group.finish();
}

/// A stream of 10,000 boards of one move: what a board costs beside its search.
fn easy(c: &mut Criterion) {
    let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15".parse().expect("a board");
    let boards = vec![board; 10_000];
    let solver = Solver::builder().store(common::store()).build().expect("a solver");
    let mut group = c.benchmark_group("easy");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("stream", |b| {
        b.iter(|| {
            let solved = solver.solve_all(boards.clone());
            let solved = solved.filter(|bracket| bracket.as_ref().is_ok_and(Bracket::is_optimal));
            assert_eq!(solved.count(), boards.len());
        });
    });
    group.finish();
}

/// Every fourth of Korf's boards by the plain search with the same tables, and by the engine: the
/// ratio is what the engine is worth.
fn reference(c: &mut Criterion) {
    let mut korf = Cases::korf();
    korf.cases = korf.cases.into_iter().step_by(4).collect();
    let engine = standard();
    let both = Max::mirrored(tables(STANDARD, grid(4, 4), 0));
    let one = pool(1);
    let mut group = c.benchmark_group("classics");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.bench_function("engine", |b| b.iter(|| one.install(|| solve_all(&engine, &korf))));
    group.bench_function("ida_star", |b| {
        b.iter(|| {
            for case in &korf.cases {
                let outcome = ida_star(&case.position, &both, &Limits::default());
                korf.check(case, &outcome);
            }
        });
    });
    group.finish();
}

/// The work of a process between opening its files and the answer to a board of 48 moves: it
/// numbers the states, fills the small tables, searches.
fn startup(c: &mut Criterion) {
    let grid = grid(4, 4);
    let bytes = tables(STANDARD, grid, 0).leak();
    let partition = [partition(STANDARD, grid, 0)];
    let board = "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4".parse().expect("a board");
    let goal = Goal::named("blank-last", grid).expect("a goal");
    let position = Canonical::of(&goal).position(&board).expect("it is solvable");
    let mut group = c.benchmark_group("startup");
    group.sample_size(20);
    for threads in [1, 2] {
        let pool = pool(threads);
        group.bench_function(
            format!("{threads} thread{}", if threads == 1 { "" } else { "s" }),
            |b| {
                b.iter(|| {
                    let outcome = pool.install(|| {
                        let table = |i: usize| {
                            let pattern = bytes[i].pattern();
                            let index = Arc::new(Index::new(grid, pattern.len()));
                            Table::new(pattern, index, bytes[i].bytes().clone())
                        };
                        let (first, second) = rayon::join(|| table(0), || table(1));
                        let tables = vec![first, second];
                        let engine = Engine::new(&partition, tables);
                        engine.solve(&position, &Limits::default()).expect("whole tables")
                    });
                    assert_eq!(outcome.path.map(|path| path.len()), Some(48));
                });
            },
        );
    }
    group.finish();
}

criterion_group!(
    benches,
    startup,
    expand,
    korf100,
    antipodes80,
    hard15,
    hunted15,
    random,
    easy,
    reference
);
criterion_main!(benches);
