//! One solver for several threads, and for processes that were forked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::with;
use taquin::{Board, Builder, Cancel, Error, Event, Grid, Limits, Solver, Stop, Store, store};

const FOUR: &str = "15 11 8 3 / 12 0 7 4 / 14 10 6 5 / 9 13 2 1";

/// Builds that wait until they may go on.
#[derive(Default)]
struct Builds {
    begun: AtomicUsize,
    released: AtomicUsize,
}

impl Builds {
    /// A solver whose builds of databases these are.
    fn solver(self: &Arc<Builds>) -> Solver {
        let builds = self.clone();
        let progress = move |event: &Event<'_>| {
            if let Event::Store(store::Event::Building { .. }) = event {
                let number = builds.begun.fetch_add(1, SeqCst) + 1;
                until(|| builds.released.load(SeqCst) >= number);
            }
        };
        with("6-6-3:mirror").store(Store::memory()).progress(progress).build().unwrap()
    }

    fn wait_for(&self, number: usize) {
        until(|| self.begun.load(SeqCst) >= number);
    }

    /// Lets builds go on, up to this one.
    fn release(&self, number: usize) {
        self.released.store(number, SeqCst);
    }
}

/// Waits for something. After a while the test has failed, but it ends.
fn until(done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_cancelled_caller_does_not_wait_for_the_build_of_another() {
    let builds = Arc::<Builds>::default();
    let solver = builds.solver();
    let grid = Grid::new(4, 4).unwrap();
    let cancel = Cancel::new();
    let limits = Limits::default().cancel(&cancel);
    thread::scope(|scope| {
        let first = scope.spawn(|| solver.prepare(grid));
        builds.wait_for(1);
        let second = scope.spawn(|| solver.prepare_with(grid, &limits));
        thread::sleep(Duration::from_millis(50));
        assert!(!second.is_finished());
        cancel.cancel();
        assert!(matches!(second.join().unwrap(), Err(Error::Stopped(Stop::Cancelled))));
        assert!(!first.is_finished());
        builds.release(1);
        first.join().unwrap().unwrap();
    });
    assert_eq!(solver.value(&FOUR.parse().unwrap()).unwrap(), 46);
}

#[test]
fn a_caller_who_waits_builds_when_the_first_one_is_cancelled() {
    let builds = Arc::<Builds>::default();
    let solver = builds.solver();
    let grid = Grid::new(4, 4).unwrap();
    let cancel = Cancel::new();
    let limits = Limits::default().cancel(&cancel);
    thread::scope(|scope| {
        let first = scope.spawn(|| solver.prepare_with(grid, &limits));
        builds.wait_for(1);
        let second = scope.spawn(|| solver.prepare(grid));
        thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        builds.release(1);
        assert!(matches!(first.join().unwrap(), Err(Error::Stopped(Stop::Cancelled))));
        builds.wait_for(2);
        builds.release(2);
        second.join().unwrap().unwrap();
    });
}

/// The work of threads at the same time: `scripts/reliability tsan` looks for races. Each thread finds
/// what it would find alone.
#[test]
fn eight_threads_share_a_solver() {
    let build =
        |threads| with("4-4-4-3:mirror").threads(threads).store(Store::memory()).build().unwrap();
    // It has loaded nothing yet: all threads come for the tables at once.
    let solver = build(4);
    let boards = [
        ("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12", 15),
        ("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15", 1),
        ("2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4", 48),
    ];
    let boards = boards.map(|(board, length)| (board.parse::<Board>().unwrap(), length));
    let easy = &boards[..2];
    let answer = |solver: &Solver, board: &Board| {
        let solution = solver.solve(board).unwrap();
        let effort = solution.effort();
        (solution.moves().clone(), effort.generated, effort.expanded)
    };
    let one = build(1);
    let expected = boards.each_ref().map(|(board, _)| answer(&one, board));
    let hard = FOUR.parse::<Board>().unwrap();
    let nodes = Limits::default().nodes(300_000);
    let alone = |solver: &Solver| {
        for ((board, _), solved) in easy.iter().zip(&expected) {
            assert_eq!(answer(solver, board), *solved);
        }
        // Large iterations run on all threads of the pool.
        let bracket = solver.solve_with(&hard, &nodes).unwrap();
        assert_eq!(bracket.stopped, Some(Stop::Nodes));
    };
    let stream = |solver: &Solver| {
        let item = |(board, length): &(Board, usize)| (*length, Some(board.clone()));
        let items: Vec<_> = easy.iter().cycle().take(200).map(item).collect();
        let answers = solver.stream(items.clone(), Limits::default());
        for (length, answer) in answers {
            assert_eq!(answer.unwrap().unwrap().lower_bound as usize, length);
        }
        // One that is dropped, and one that ends with a search that a limit stops.
        solver.stream(items, Limits::default()).next();
        let last = solver.stream([((), Some(hard.clone()))], nodes.clone()).last();
        assert!(last.unwrap().1.unwrap().unwrap().solution.is_some());
    };
    let values = |solver: &Solver| {
        let boards: Vec<_> = boards.iter().cycle().take(3_000).map(|(b, _)| b.clone()).collect();
        let values = solver.values(&boards, &Limits::default()).unwrap();
        assert!(values.chunks(3).all(|three| *three == values[..3]));
    };
    let cancel = |solver: &Solver| {
        let cancel = Cancel::new();
        let limits = Limits::default().cancel(&cancel);
        thread::scope(|scope| {
            let search = scope.spawn(|| solver.solve_with(&hard, &limits));
            thread::sleep(Duration::from_millis(20));
            cancel.cancel();
            // The cancel may have come while the tables were built.
            match search.join().unwrap() {
                Ok(bracket) => assert_eq!(bracket.stopped, Some(Stop::Cancelled)),
                Err(error) => assert!(matches!(error, Error::Stopped(Stop::Cancelled))),
            }
        });
    };
    let works: [&(dyn Fn(&Solver) + Sync); 4] = [&alone, &stream, &values, &cancel];
    thread::scope(|scope| {
        for work in works.iter().cycle().take(8) {
            let solver = solver.clone();
            scope.spawn(move || work(&solver));
        }
    });
}

#[cfg(unix)]
mod forks {
    use std::env;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::process::Command;

    use super::*;

    /// Runs the test that calls this once more, in a process of its own, and returns true; false in that
    /// process. A child has the open files of its parent, with the locks that other tests hold.
    fn runs_elsewhere() -> bool {
        const ALONE: &str = "TAQUIN_TEST_ALONE";
        // Threads of the harness have the names of their tests, unless there is just the main one.
        let thread = thread::current();
        let name = thread.name().filter(|&name| name != "main" && env::var_os(ALONE).is_none());
        let Some(name) = name else { return false };
        let mut test = Command::new(env::current_exe().unwrap());
        let output = test.args(["--exact", name]).env(ALONE, "").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains(" 1 passed;"), "{said}");
        true
    }

    /// Runs work in a child of this process, which is killed after a while. Fails unless it ends without a panic.
    #[track_caller]
    fn forked(work: impl FnOnce()) {
        // SAFETY: the child has this thread alone. It runs `work` and leaves without running
        // anything of its parent, such as the end of the test harness.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "{}", std::io::Error::last_os_error());
        if child == 0 {
            let worked = catch_unwind(AssertUnwindSafe(work));
            // SAFETY: it does not return.
            unsafe { libc::_exit(worked.is_err().into()) }
        }
        let start = Instant::now();
        let mut status = 0;
        // SAFETY: the child is waited for by nobody else, and `status` is an integer of its type.
        while unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == 0 {
            if start.elapsed() > Duration::from_secs(30) {
                // SAFETY: the call takes numbers only.
                unsafe { libc::kill(child, libc::SIGKILL) };
            }
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(status, 0, "a signal, or 256 after a panic");
    }

    /// Values of so many boards are computed on several threads, and so are the table of their distances and lists
    /// of boards at distances; boards are solved alone, and as a stream.
    fn check(solver: &Solver) {
        let boards: Vec<Board> = ["8 6 7 / 2 5 4 / 3 0 1", "1 2 3 / 4 5 6 / 7 0 8"]
            .iter()
            .cycle()
            .take(2_000)
            .map(|board| board.parse().unwrap())
            .collect();
        let values = solver.values(&boards, &Limits::default()).unwrap();
        assert_eq!(values[..2], [27, 1]);
        assert_eq!(solver.solve(&boards[0]).unwrap().len(), 31);
        let distances = solver.distances(boards.clone(), Limits::default());
        assert!(distances.zip([31, 1].repeat(1_000)).all(|(found, of)| found.unwrap().lower == of));
        let grid = Grid::new(3, 3).unwrap();
        assert_eq!(solver.boards_at(grid, 1..=9, 5, 1, &Limits::default()).unwrap().count(), 5);
        let solved = solver.solve_all(boards.into_iter().take(10));
        let lengths: Vec<_> = solved.map(|answer| answer.unwrap().lower_bound).collect();
        assert_eq!(lengths, [31, 1].repeat(5));
    }

    fn solver(threads: Option<usize>) -> Solver {
        let builder = Solver::builder().store(Store::memory());
        threads.into_iter().fold(builder, Builder::threads).build().unwrap()
    }

    #[test]
    fn a_solver_works_in_a_forked_child() {
        if runs_elsewhere() {
            return;
        }
        for threads in [None, Some(2)] {
            let used = solver(threads);
            check(&used);
            let new = solver(threads);
            let work = || {
                check(&used);
                check(&new);
                check(&solver(threads));
                assert_eq!(used.threads(), solver(threads).threads());
                // A child of the child.
                forked(|| check(&used));
                drop(used.clone());
            };
            forked(work);
            check(&used);
        }
    }

    /// A search that a limit ends is followed by a beam, in a stream too.
    #[test]
    fn a_stream_with_limits_works_in_a_forked_child() {
        if runs_elsewhere() {
            return;
        }
        let solver = with("manhattan").threads(2).store(Store::memory()).build().unwrap();
        let stream = || {
            let items = (0..4).map(|i| (i, Some(FOUR.parse().unwrap())));
            solver.stream(items, Limits::default().nodes(1000)).map(|(_, answer)| answer.unwrap())
        };
        let work = || {
            for answer in stream() {
                assert!(answer.unwrap().solution.is_some());
            }
        };
        work();
        forked(work);
    }

    #[test]
    fn a_stream_of_the_parent_panics_in_a_child() {
        if runs_elsewhere() {
            return;
        }
        let solver = solver(Some(2));
        let boards = std::iter::repeat_with(|| "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap());
        let mut stream = solver.solve_all(boards);
        assert!(stream.next().unwrap().is_ok());
        // Each fork meets the threads of the stream in another state.
        for _ in 0..20 {
            let work = || assert!(catch_unwind(AssertUnwindSafe(|| stream.next())).is_err());
            forked(work);
            assert!(stream.next().unwrap().is_ok());
        }
        let mut stream = Some(stream);
        forked(|| drop(stream.take()));
    }

    #[test]
    fn a_child_builds_what_another_thread_of_the_parent_builds() {
        if runs_elsewhere() {
            return;
        }
        let builds = Arc::<Builds>::default();
        let solver = builds.solver();
        let grid = Grid::new(4, 4).unwrap();
        thread::scope(|scope| {
            let first = scope.spawn(|| solver.prepare(grid));
            builds.wait_for(1);
            let value = |solver: &Solver| solver.value(&FOUR.parse().unwrap()).unwrap();
            forked(|| {
                builds.release(2);
                assert_eq!(value(&solver), 46);
            });
            builds.release(1);
            first.join().unwrap().unwrap();
        });
    }
}
