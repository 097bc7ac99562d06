//! The engine beside plain searches, and everything about it but the lengths of its solutions,
//! which are for tests/solving.rs.
//!
//! - Node by node it searches the tree that `ida_star` does with a maximum of plain sums of tables,
//!   which shares no code with it.
//! - A portfolio, combined views, a stream, two threads, an interrupted search: the same paths,
//!   and the node counts that they promise.
//! - Limits, cancelling, impossible records, partitions and tables that make no engine, tables that
//!   are damaged.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use common::{
    Cases, Random, STANDARD, Space, Static, engine, grid, later_children, on_threads, partition,
    solve_in_pieces, tables,
};
use taquin::board::{Grid, Move, Position};
use taquin::heuristic::{Additive, Heuristic, Manhattan, Max};
use taquin::pdb::{BrokenTable, Partition, Pattern, Table};
use taquin::search::{
    Cancel, Control, Engine, EngineError, Journal, Outcome, Packet, Record, ResumeError, Solutions,
    Stop, Supply, Threshold, Ties, Verdict, a_star, bfs, ida_star, is_view, shorten, staged,
};

type Views = Vec<usize>;

fn solve(engine: &Engine<&'static [u8]>, position: &Position) -> Outcome {
    engine.solve(position, &Control::default(), &()).unwrap()
}

/// Panics unless an engine that leaves out no moves but those that undo the last one has the path,
/// the bound and the nodes of `ida_star`. Generated nodes differ by those that `ida_star` leaves
/// out because it has found the goal.
///
/// A board that is its own mirror image is another matter: half of its first moves are enough.
fn compare(engine: &Engine<&'static [u8]>, reference: &impl Heuristic, position: &Position) {
    assert!(!position.is_symmetric());
    let fast = solve(engine, position);
    let slow = ida_star(position, reference, &Control::default());
    let path = slow.path.as_ref().expect("it is solvable");
    let generated = slow.generated + later_children(position, path);
    let expected = Outcome { generated, ..slow.clone() };
    assert_eq!(fast, expected, "{position:?}");
}

/// Compares all positions of a sample.
fn compare_all(engine: Engine<&'static [u8]>, reference: &impl Heuristic, positions: &[Position]) {
    let engine = engine.without_automaton();
    let compared = positions.par_iter().filter(|position| !position.is_symmetric());
    let compared = compared.map(|position| compare(&engine, reference, position)).count();
    assert!(2 * compared > positions.len());
}

fn sum(tables: Vec<Static>) -> Additive<Static> {
    Additive::new(tables)
}

/// The positions of some of Korf's boards: the `count` easiest ones for the standard partition.
fn easiest(count: usize) -> Vec<Position> {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let mut positions: Vec<_> = Cases::korf().cases.into_iter().map(|case| case.position).collect();
    positions.sort_by_cached_key(|position| solve(&engine, position).generated);
    positions.truncate(count);
    positions
}

#[test]
fn the_reference_has_the_same_nodes_on_4x4() {
    let size = grid(4, 4);
    let mirrored = |name| Max::mirrored(tables(name, size, 0));
    // Coordinates: Korf's hundred.
    compare_all(engine(&[STANDARD], size, 0), &mirrored(STANDARD), &easiest(100));
    // Four views.
    let four = engine(&[STANDARD, "7-8b"], size, 0).combined();
    assert_eq!(four.views(), 4);
    compare_all(four, &Max(mirrored(STANDARD), mirrored("7-8b")), &easiest(100));
    // Masks.
    compare_all(engine(&["6-6-3"], size, 0), &mirrored("6-6-3"), &easiest(30));
    let six = engine(&["6-6-3", "4-4-4-3"], size, 0).combined();
    compare_all(six, &Max(mirrored("6-6-3"), mirrored("4-4-4-3")), &easiest(20));
}

#[test]
fn the_reference_has_the_same_nodes_on_other_boards() {
    let size = grid(3, 3);
    let space = Space::of(size, 0);
    let positions: Vec<_> =
        (0..space.len()).step_by(11).map(|number| space.position(number)).collect();
    for name in ["4-4", "1,2,4/3,6/5,7,8"] {
        let reference = Max::mirrored(tables(name, size, 0));
        compare_all(engine(&[name], size, 0), &reference, &positions);
    }
    // A goal that is not its own mirror image: one view.
    let space = Space::of(size, 1);
    let positions: Vec<_> =
        (0..space.len()).step_by(37).map(|number| space.position(number)).collect();
    let rows = "0,2,3,4/5,6,7,8";
    compare_all(engine(&[rows], size, 1), &sum(tables(rows, size, 1)), &positions);
    let size = grid(4, 3);
    let mut random = Random(12);
    let positions: Vec<_> = (0..60).map(|_| random.position(size)).collect();
    let names = ["1,2,4,5,8,9/3,6,7,10,11", "1,2,4,5/3,6,7,11/8,9,10"];
    for name in names {
        compare_all(engine(&[name], size, 0), &sum(tables(name, size, 0)), &positions);
    }
}

/// Without the automaton an engine never has fewer nodes, and finds the same paths.
#[test]
fn the_automaton_saves_nodes_and_changes_no_path() {
    let size = grid(4, 4);
    for name in [STANDARD, "6-6-3"] {
        let engines = [engine(&[name], size, 0), engine(&[name], size, 0).without_automaton()];
        for position in easiest(60) {
            let [with, without] = engines.each_ref().map(|engine| solve(engine, &position));
            assert_eq!((with.path, with.lower_bound), (without.path, without.lower_bound));
            assert!(with.expanded <= without.expanded && with.generated <= without.generated);
        }
    }
}

/// A journal of the views of each threshold, and of how often others were tried before it.
#[derive(Default)]
struct Seen(Mutex<Vec<(Views, u32)>>);

impl Journal for Seen {
    fn begins(&self, threshold: &Threshold, _: usize) {
        self.0.lock().unwrap().push((threshold.views.clone(), threshold.trials));
    }
}

/// A portfolio finds the path that each of its partitions finds alone. On boards that are hard for
/// its first partition it changes to other views, and has fewer nodes. Which views, and all counts,
/// are the same with any number of threads.
#[test]
fn a_portfolio_finds_the_same_paths() {
    let size = grid(4, 4);
    let (standard, other) = (STANDARD, "7-8b");
    let alone = engine(&[standard], size, 0);
    let portfolios = [[standard, other], [other, standard]].map(|both| engine(&both, size, 0));
    let cases = Cases::hard();
    let (mut tried, mut switched, mut saved) = (0, 0, 0);
    for case in &cases.cases {
        let control = Control::default();
        let path = on_threads(2, || solve(&alone, &case.position)).path;
        for portfolio in &portfolios {
            assert_eq!(portfolio.views(), 4);
            let [one, two] = [1, 2].map(|threads| {
                let seen = Seen::default();
                let search = || portfolio.solve(&case.position, &control, &seen).unwrap();
                (on_threads(threads, search), seen.0.into_inner().unwrap())
            });
            assert_eq!(one, two, "{}", case.line);
            let (outcome, seen) = one;
            cases.check(case, &outcome);
            assert_eq!(outcome.path, path, "{}", case.line);
            // The search that keeps the views it begins with.
            let same = || portfolio.solve_with(&case.position, &[0, 1], &control).unwrap();
            let same = on_threads(2, same);
            assert_eq!(same.path, path, "{}", case.line);
            let (last, trials) = seen.last().unwrap();
            println!(
                "{}: {} nodes, {} with {last:?}",
                case.line, same.generated, outcome.generated
            );
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
    }
    println!("views tried {tried} times, changed {switched} times; {saved} times half the nodes");
    assert!(tried > switched && switched > saved && saved > 0);
}

/// Two partitions and their mirrors at every node: never more nodes than with one of them, and as
/// many as with the four views by their numbers.
#[test]
fn combined_views_have_the_fewest_nodes() {
    let size = grid(4, 4);
    let both = [STANDARD, "7-8b"];
    let combined = engine(&both, size, 0).combined();
    let chosen = engine(&both, size, 0);
    let mut sums = [0; 3];
    for case in Cases::korf().cases {
        let outcome = solve(&combined, &case.position);
        let views = |views: &[usize]| {
            chosen.solve_with(&case.position, views, &Control::default()).unwrap()
        };
        assert_eq!(outcome, views(&[0, 1, 2, 3]), "{}", case.line);
        let pairs = [views(&[0, 1]), views(&[2, 3])];
        for pair in &pairs {
            assert_eq!((&pair.path, pair.lower_bound), (&outcome.path, outcome.lower_bound));
            assert!(outcome.generated <= pair.generated, "{}", case.line);
            assert!(outcome.expanded <= pair.expanded, "{}", case.line);
        }
        sums[0] += outcome.generated;
        sums[1] += pairs[0].generated;
        sums[2] += pairs[1].generated;
    }
    println!("generated: {} combined, {} and {} each", sums[0], sums[1], sums[2]);
    assert!(sums[0] < sums[1].min(sums[2]));
}

/// Boards for streams: the goal, boards that are hard, Korf's, random ones.
fn mixed_boards() -> Vec<Position> {
    let mut random = Random(5);
    let of = |cases: Cases| cases.cases.into_iter().map(|case| case.position);
    let mut boards = vec![Position::goal(grid(4, 4), 0)];
    boards.extend(of(Cases::antipodes()).take(2));
    boards.extend(of(Cases::hard()).skip(3));
    boards.extend(of(Cases::korf()));
    boards.extend((0..200).map(|_| random.position(grid(4, 4))));
    boards
}

/// A lane a board: the same paths, bounds and node counts as one board after the other. A board
/// left for a search of its own has more nodes than `hard` there, or is its own mirror image.
fn stream_as_alone(engine: &Engine<&'static [u8]>, boards: &[Position], hard: u64) {
    let alone: Vec<Outcome> = boards.iter().map(|board| solve(engine, board)).collect();
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
            engine.solve_stream(supply, deliver);
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
                Verdict::Done(outcome) => assert_eq!(outcome, alone, "{board:?}"),
                Verdict::Hard => {
                    assert!(board.is_symmetric() || alone.generated > hard, "{board:?}");
                    left += 1;
                }
                Verdict::Broken(broken) => panic!("{broken}"),
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

/// A search that is cancelled before it begins only divides the work, into some 16 subtrees;
/// without that, the first iteration of some of these boards takes hundreds of nodes.
#[test]
fn a_search_cancelled_before_it_begins_reports_its_first_bound() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    for case in Cases::korf().cases {
        let cancel = Cancel::new();
        cancel.cancel();
        let control = Control::default().with_cancel(&cancel);
        let outcome = engine.solve(&case.position, &control, &()).unwrap();
        let stop = Some(Stop::Cancelled);
        assert_eq!((&outcome.path, outcome.stopped), (&None, stop), "{}", case.line);
        assert!(outcome.generated <= 64, "{}", case.line);
        assert!(outcome.lower_bound as usize <= case.length, "{}", case.line);
        assert_eq!(outcome.lower_bound, engine.value(&case.position).unwrap(), "{}", case.line);
    }
}

/// Runs a search that another thread cancels after a while, and returns its result. Panics if it
/// takes more than a second longer: a tenth of that is usual.
fn cancelled<T>(name: &str, after: Duration, search: impl FnOnce(&Control) -> T) -> T {
    let cancel = Cancel::new();
    let control = Control::default().with_cancel(&cancel);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            std::thread::sleep(after);
            cancel.cancel();
            Instant::now()
        });
        let result = search(&control);
        let end = Instant::now();
        let late = end.saturating_duration_since(other.join().unwrap());
        println!("{name}, cancelled after {after:?}: ended {late:?} later");
        assert!(late < Duration::from_secs(1), "{name}");
        result
    })
}

/// A search that is cancelled from another thread ends soon, and reports a bound, and no solution
/// that it has not proved.
#[test]
fn a_cancelled_search_reports_what_it_proved() {
    let size = grid(4, 4);
    let hard = &Cases::hard().cases[0];
    let check = |outcome: Outcome| {
        assert_eq!((outcome.path, outcome.stopped), (None, Some(Stop::Cancelled)));
        assert!((outcome.lower_bound as usize) < hard.length);
        assert_eq!(outcome.lower_bound as usize % 2, hard.length % 2);
    };
    let engines =
        [vec![STANDARD], vec![STANDARD, "7-8b"], vec!["6-6-3"]].map(|p| (engine(&p, size, 0), p));
    for (engine, name) in &engines {
        for threads in [1, 2] {
            // Some of these are in the middle of trials of other views.
            for after in [1, 10, 30, 60, 90].map(Duration::from_millis) {
                let name = format!("{name:?}, {threads} threads");
                check(on_threads(threads, || {
                    cancelled(&name, after, |control| {
                        engine.solve(&hard.position, control, &()).unwrap()
                    })
                }));
            }
        }
    }
    let (position, after) = (&hard.position, Duration::from_millis(50));
    let manhattan = Manhattan::new(size, 0);
    check(cancelled("ida_star", after, |control| ida_star(position, &manhattan, control)));
    for ties in [Ties::Lifo, Ties::Fifo] {
        let search = |control: &Control| a_star(position, &manhattan, ties, None, control);
        check(cancelled("a_star", after, search));
    }
    let outcome = cancelled("bfs", after, |control| bfs(position, None, control));
    assert_eq!((outcome.path, outcome.stopped), (None, Some(Stop::Cancelled)));
    let count = cancelled("solutions", after, |control| {
        Solutions::new(position, hard.length as u32, &manhattan, control).count()
    });
    assert_eq!(count, Err(Stop::Cancelled));
    let long = staged(position, |_| ());
    let (path, optimal) =
        cancelled("shorten", after, |control| shorten(position, long.clone(), control));
    assert!(!optimal && (hard.length..=long.len()).contains(&path.len()));
}

/// A stream ends its boards soon, too.
#[test]
fn a_cancelled_stream_reports_what_it_proved() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let board = not_symmetric();
    let mut verdicts = Vec::new();
    // Each board takes some milliseconds.
    cancelled("stream", Duration::from_millis(20), |control| {
        let supply = |_| match control.is_cancelled() {
            false => Supply::Board((), board.clone(), control.clone()),
            true => Supply::End,
        };
        engine.solve_stream(supply, |(), verdict| verdicts.push(verdict));
    });
    let cancelled = verdicts.iter().filter(|verdict| {
        matches!(verdict, Verdict::Done(o) if o.stopped == Some(Stop::Cancelled) && o.path.is_none())
    });
    let cancelled = cancelled.count();
    assert!(cancelled > 0, "{verdicts:?}");
}

/// Whichever lane a board is in, also if all others are idle, its search keeps its limits: the
/// boards before it fill some lanes and are solved at once.
#[test]
fn a_board_alone_in_its_lane_keeps_its_limits() {
    let (board, mut easy) = (not_symmetric(), Position::goal(grid(4, 4), 0));
    easy.make(Move::Up);
    assert!(!easy.is_symmetric());
    for engine in [engine(&[STANDARD], grid(4, 4), 0), engine(&["6-6-3"], grid(4, 4), 0)] {
        for before in 0..10 {
            let alone = |control: &Control| {
                let mut boards = std::iter::repeat_n(&easy, before).chain([&board]);
                let supply = |_| match boards.next() {
                    Some(board) => Supply::Board(board != &easy, board.clone(), control.clone()),
                    None => Supply::End,
                };
                let mut last = None;
                engine.solve_stream(supply, |is_last, verdict| {
                    if is_last {
                        last = Some(verdict);
                    }
                });
                last
            };
            let cut = |verdict: Option<Verdict>| match verdict {
                Some(Verdict::Done(Outcome { path: None, stopped, generated, .. })) => {
                    (stopped.unwrap(), generated)
                }
                other => panic!("{before} boards before: {other:?}"),
            };
            let (stop, generated) = cut(alone(&Control::default().with_nodes(100_000)));
            assert_eq!(stop, Stop::Nodes);
            assert!((100_000..150_000).contains(&generated), "{before}: {generated}");
            let soon = Duration::from_millis(5);
            let (stop, _) = cut(cancelled(&format!("{before} boards before"), soon, alone));
            assert_eq!(stop, Stop::Cancelled);
            let verdict = alone(&Control::default());
            assert!(matches!(verdict, Some(Verdict::Hard)), "{before}: {verdict:?}");
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
    let by_time = || (Stop::Time, Control::default().with_time(time));
    let by_nodes = |nodes| (Stop::Nodes, Control::default().with_nodes(nodes));
    let nodes = [0, 5_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000].map(by_nodes);
    for threads in [1, 2] {
        // Some of these limits end a trial of other views.
        for (stop, control) in [by_time()].iter().chain(&nodes) {
            let start = Instant::now();
            let outcome =
                on_threads(threads, || engine.solve(&hard.position, control, &()).unwrap());
            println!("{stop:?}: {outcome:?} in {:?}", start.elapsed());
            assert_eq!((&outcome.path, outcome.stopped), (&None, Some(*stop)));
            assert!((outcome.lower_bound as usize) < hard.length);
            assert_eq!(outcome.lower_bound as usize % 2, hard.length % 2);
            assert!(outcome.generated <= control.nodes().saturating_add(64));
            assert!(outcome.generated > 0 || control.nodes() == 0);
        }
    }
    // Boards solved within their limits are solved as without any. Lanes search beyond the
    // solution.
    for case in &Cases::korf().cases[..10] {
        let alone = solve(&engine, &case.position);
        let control =
            Control::default().with_nodes(20 * alone.generated).with_time(3600 * 20 * time);
        assert_eq!(engine.solve(&case.position, &control, &()).unwrap(), alone);
    }
    // A stream leaves boards that are their own mirror image to others.
    let board = not_symmetric();
    let mut limits = vec![by_time(), by_nodes(0), by_nodes(100_000)].into_iter();
    let supply = |_| match limits.next() {
        Some((stop, control)) => Supply::Board(stop, board.clone(), control),
        None => Supply::End,
    };
    let mut verdicts = Vec::new();
    engine.solve_stream(supply, |stop, verdict| verdicts.push((stop, verdict)));
    assert_eq!(verdicts.len(), 3);
    for (stop, verdict) in verdicts {
        match verdict {
            Verdict::Done(outcome) => {
                assert_eq!((outcome.path, outcome.stopped), (None, Some(stop)));
            }
            // It has as many nodes as a stream spends.
            verdict => assert!(matches!((stop, verdict), (Stop::Time, Verdict::Hard))),
        }
    }
}

/// Interrupted again and again, also where views are chosen, a search comes to the same answer with
/// the same nodes and packets.
#[test]
fn a_search_goes_on_where_it_was_cut_short() {
    let (cases, size) = (Cases::hard(), grid(4, 4));
    let case = &cases.cases[2];
    for partitions in [vec![STANDARD], vec![STANDARD, "7-8b"]] {
        let engine = engine(&partitions, size, 0);
        let (whole, packets, searches) = solve_in_pieces(&engine, &case.position, usize::MAX, 2);
        cases.check(case, &whole);
        assert_eq!(searches, 1);
        assert_eq!(whole, solve(&engine, &case.position));
        for threads in [1, 2] {
            let pieces = solve_in_pieces(&engine, &case.position, 1000, threads);
            println!("{partitions:?}, {threads} threads: {packets} packets, {} searches", pieces.2);
            assert_eq!((pieces.0, pieces.1), (whole.clone(), packets));
            assert!(pieces.2 > 5);
        }
    }
}

/// Records that are not of a search with the engine are refused, and no table is blamed for them.
#[test]
fn impossible_records_are_refused() {
    for (name, size) in
        [("4-4", grid(3, 3)), ("1,2,4/3,6/5,7,8", grid(3, 3)), (STANDARD, grid(4, 4))]
    {
        let engine = engine(&[name], size, 0);
        let position = Random(7).position(size);
        let control = Control::default();
        let bound = engine.value(&position).unwrap();
        let start = Threshold { bound, views: vec![0, 1], ..Threshold::default() };
        let resume = |threshold: &Threshold| {
            engine.resume(&position, Record::new(threshold.clone()), &control, &())
        };
        // One that is possible gives the answer.
        assert_eq!(resume(&start), Ok(solve(&engine, &position)));
        let later = resume(&Threshold { bound: bound + 2, ..start.clone() }).unwrap();
        assert!(later.path.is_some() && later.lower_bound >= bound + 2);
        let other = |change: fn(&mut Threshold)| {
            let mut threshold = start.clone();
            change(&mut threshold);
            threshold
        };
        for threshold in [
            other(|t| t.bound = 0),
            // Less than the position's value, and thresholds of the other parity.
            other(|t| t.bound -= 2),
            other(|t| t.bound -= 1),
            other(|t| t.bound += 1),
            other(|t| t.bound = 256),
            other(|t| t.bound = 257),
            other(|t| t.bound = u32::MAX),
            other(|t| t.views = vec![]),
            other(|t| t.views = vec![2]),
            other(|t| t.views = vec![0, usize::MAX]),
            other(|t| t.views = vec![0, 1, 0, 1, 0]),
            other(|t| t.trials = u32::MAX),
            other(|t| t.generated = u64::MAX),
            other(|t| t.expanded = u64::MAX),
            other(|t| t.packets = u64::MAX),
            other(|t| t.history = vec![(2, u64::MAX), (4, u64::MAX)]),
        ] {
            assert_eq!(resume(&threshold), Err(ResumeError::Record), "{threshold:?}");
        }
        let packet = Packet { number: usize::MAX, generated: 0, expanded: 0, solution: None };
        let record = Record::new(start);
        for record in [
            Record { row: usize::MAX, ..record.clone() },
            Record { generated: u64::MAX, ..record.clone() },
            Record { expanded: u64::MAX, ..record.clone() },
            Record { beyond: vec![packet.clone()], ..record.clone() },
            Record { beyond: vec![Packet { number: 1, expanded: u64::MAX, ..packet }], ..record },
        ] {
            let resumed = engine.resume(&position, record.clone(), &control, &());
            assert_eq!(resumed, Err(ResumeError::Record), "{record:?}");
        }
    }
}

#[test]
fn partitions_and_tables_that_make_no_engine() {
    let (three, four) = (grid(3, 3), grid(4, 4));
    let refused = |partitions: &[Partition], tables: Vec<Static>| {
        Engine::new(partitions, tables).err().expect("these make no engine")
    };
    assert_eq!(refused(&[], Vec::new()), EngineError::NoPartition);
    let of = |name: &str, grid: Grid, blank: usize| {
        (partition(name, grid, blank), tables(name, grid, blank))
    };
    // Tiles in no pattern, too many patterns, a pattern too large for more than two.
    for (name, size) in [
        ("1,2,3,4/5,6,7", three),
        ("1,2,3,4,5,6", three),
        ("1,2/3,4/5/6/7,8", three),
        ("1,2,3,4,5,6,7,8/9,10,11,12/13,14,15", four),
    ] {
        let partition = partition(name, size, 0);
        assert!(!is_view(&partition), "{name}");
        let error = refused(std::slice::from_ref(&partition), Vec::new());
        assert_eq!(error, EngineError::Unsuitable(partition));
    }
    // A table of another goal does not do, nor that of another pattern.
    let (pair, whole) = of("4-4", three, 0);
    assert!(is_view(&pair));
    let [first, second] = [0, 1].map(|i| pair.patterns()[i]);
    for (given, missing) in [
        (Vec::new(), first),
        (tables("4-4", three, 0)[..1].iter().map(|t| common::table(t.pattern())).collect(), second),
        (tables("4-4", three, 8), first),
        (tables("1,2,3,4/5,6,7,8", three, 0), first),
    ] {
        assert_eq!(refused(std::slice::from_ref(&pair), given), EngineError::NoTable(missing));
    }
    // Other goals, other pattern sizes, other boards.
    let all = |others: Vec<Static>| {
        let whole = whole.iter().map(|table| common::table(table.pattern()));
        whole.chain(others).collect::<Vec<_>>()
    };
    for (name, size, blank) in [
        ("4-4", three, 8),
        ("1,2,3/4,5,6,7,8", three, 0),
        ("1,2,3,4,5/6,7,8", three, 0),
        ("1,2,4/3,6/5,7,8", three, 0),
        ("1,2,3/4,5,6,7", grid(4, 2), 0),
    ] {
        let (other, others) = of(name, size, blank);
        let error = refused(&[pair.clone(), other.clone()], all(others));
        assert_eq!(error, EngineError::Mixed(other), "{name}");
    }
    // A pattern of eight tiles beside three patterns.
    let (six, mut both) = of("6-6-3", four, 0);
    let (standard, others) = of(STANDARD, four, 0);
    both.extend(others);
    let copy = || both.iter().map(|table| common::table(table.pattern())).collect::<Vec<_>>();
    assert_eq!(refused(&[six.clone(), standard.clone()], copy()), EngineError::Mixed(standard));
    // Tables that no partition needs do no harm.
    let position = Random(8).position(four);
    let engine = Engine::new(&[six], copy()).unwrap();
    assert_eq!(engine.tables().len(), 5);
    assert_eq!(solve(&engine, &position), solve(&self::engine(&["6-6-3"], four, 0), &position));
}

/// A position of another goal is refused before anything is looked up.
#[test]
fn a_position_of_another_goal_is_refused() {
    let engine = engine(&["4-4"], grid(3, 3), 0);
    let control = Control::default();
    let mut next = Position::goal(grid(3, 3), 8);
    next.make(Move::Down);
    for position in [next, Position::goal(grid(4, 4), 0), Position::goal(grid(3, 2), 0)] {
        let refuses = |search: &dyn Fn()| catch_unwind(AssertUnwindSafe(search)).is_err();
        assert!(refuses(&|| drop(engine.value(&position))));
        assert!(refuses(&|| drop(engine.solve(&position, &control, &()))));
        assert!(refuses(&|| drop(engine.solve_with(&position, &[0], &control))));
        let record =
            || Record::new(Threshold { bound: 20, views: vec![0], ..Threshold::default() });
        assert!(refuses(&|| drop(engine.resume(&position, record(), &control, &()))));
        assert!(refuses(&|| {
            let mut boards = vec![position.clone()];
            let supply = |_| {
                boards
                    .pop()
                    .map_or(Supply::End, |board| Supply::Board((), board, Control::default()))
            };
            engine.solve_stream(supply, |(), _| ());
        }));
    }
    let position = Position::goal(grid(3, 3), 0);
    for views in [&[][..], &[2], &[0, 2], &[0, 1, 0, 1, 0]] {
        let search = || engine.solve_with(&position, views, &control);
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err(), "{views:?}");
    }
}

/// Bits that lead nowhere are an error, not a wrong answer.
#[test]
fn a_table_of_nothing_is_found_out() {
    for name in ["4-4", "1,2,4/3,6/5,7,8"] {
        let whole = tables(name, grid(3, 3), 0);
        for fill in [0, 0xff] {
            let filled = whole.iter().map(|table| changed(table, |bits| bits.fill(fill)));
            let partition = partition(name, grid(3, 3), 0);
            let engine = Engine::new(&[partition], filled.collect()).unwrap();
            let mut random = Random(6);
            for _ in 0..100 {
                let position = random.position(grid(3, 3));
                let broken = engine.solve(&position, &Control::default(), &()).unwrap_err();
                assert!(whole.iter().any(|table| table.pattern() == broken.pattern));
                let threshold = Threshold { bound: 20, views: vec![0], ..Threshold::default() };
                let record = Record::new(threshold);
                let error = engine.resume(&position, record, &Control::default(), &()).unwrap_err();
                assert!(matches!(error, ResumeError::Broken(_)), "{error}");
            }
        }
    }
}

/// A copy of a table with other bits.
fn changed(table: &Static, change: impl FnOnce(&mut [u8])) -> Table<Vec<u8>> {
    let mut bits = table.bits().to_vec();
    change(&mut bits);
    Table::new(table.pattern(), table.index().clone(), bits).unwrap()
}

/// An engine for a partition, one of whose tables is damaged.
fn with_damage(
    name: &str,
    size: Grid,
    damaged: Pattern,
    damage: impl Fn(&Static, &mut [u8]),
) -> Engine<Vec<u8>> {
    let copied = |table: &Static| {
        changed(table, |bits| {
            if table.pattern() == damaged {
                damage(table, bits)
            }
        })
    };
    let tables = tables(name, size, 0).iter().map(copied).collect();
    Engine::new(&[partition(name, size, 0)], tables).unwrap()
}

/// Panics unless all errors name the damaged pattern, and all paths lead to the goal. Returns the
/// number of positions whose value is an error, and of searches that came upon the damage later.
fn blamed(engine: &Engine<Vec<u8>>, damaged: Pattern, positions: &[Position]) -> (usize, usize) {
    let control = Control::default().with_nodes(100_000);
    let named = |broken: &BrokenTable| assert_eq!(broken.pattern, damaged);
    let solved = |position: &Position, outcome: &Outcome| {
        let Some(path) = &outcome.path else { return };
        let mut position = position.clone();
        assert!(path.iter().all(|m| position.make(m).is_some()) && position.is_goal());
    };
    let (mut at_once, mut later) = (0, 0);
    for position in positions {
        let value = engine.value(position);
        let mut results = vec![engine.solve(position, &control, &())];
        results.extend((0..engine.views()).map(|v| engine.solve_with(position, &[v], &control)));
        for result in results {
            match result {
                Ok(outcome) => solved(position, &outcome),
                Err(broken) => {
                    named(&broken);
                    later += usize::from(value.is_ok());
                }
            }
        }
        if let Err(broken) = value {
            named(&broken);
            at_once += 1;
        }
    }
    let mut left = positions.iter();
    let supply = |_| {
        let board = |b: &Position| Supply::Board(b.clone(), b.clone(), control.clone());
        left.next().map_or(Supply::End, board)
    };
    engine.solve_stream(supply, |position, verdict| match verdict {
        Verdict::Done(outcome) => solved(&position, &outcome),
        Verdict::Hard => {}
        Verdict::Broken(broken) => named(&broken),
    });
    (at_once, later)
}

/// Wrong bits here and there, in each table in turn.
#[test]
fn a_table_with_wrong_bits_is_the_one_that_is_named() {
    for (name, size, bytes) in [
        ("4-4", grid(3, 3), 20),
        ("1,2,4/3,6/5,7,8", grid(3, 3), 5),
        ("1,2,4,5/3,6,7,11/8,9,10", grid(4, 3), 10),
        (STANDARD, grid(4, 4), 100),
    ] {
        let mut random = Random(9);
        let positions: Vec<_> = (0..100).map(|_| random.position(size)).collect();
        for &pattern in partition(name, size, 0).patterns() {
            let engine = with_damage(name, size, pattern, |_, bits| {
                let mut random = Random(10);
                for _ in 0..bits.len().div_ceil(bytes) {
                    bits[random.below(bits.len())] ^= 1 << random.below(8);
                }
            });
            let (at_once, later) = blamed(&engine, pattern, &positions);
            println!("{size}, {pattern}: {at_once} times at once, {later} times later");
            assert!(at_once > 0, "{name}");
        }
    }
}

/// Positions along a circle: the blank goes round a square of so many cells a side, with tiles of
/// one pattern in all cells but the innermost, until each tile is back where it was.
fn circle(pattern: Pattern, side: usize, random: &mut Random) -> Vec<Position> {
    let size = pattern.grid();
    let round: Vec<Move> = [Move::Left, Move::Up, Move::Right, Move::Down]
        .into_iter()
        .flat_map(|m| std::iter::repeat_n(m, side - 1))
        .collect();
    // The cells that the blank goes through, in the square at the end of the board.
    let first = size.cells() - 1 - (side - 1) * (size.width() + 1);
    let cells = round
        .iter()
        .scan(first, |blank, &m| Some(std::mem::replace(blank, size.source(*blank, m).unwrap())));
    let mut labels = random.position(size).labels().to_vec();
    for (cell, label) in cells.zip([0].into_iter().chain(pattern.tiles())) {
        let from = labels.iter().position(|&l| usize::from(l) == label).unwrap();
        labels.swap(cell, from);
    }
    let start = Position::new(size, 0, &labels).unwrap_or_else(|_| {
        labels.swap(0, 1);
        Position::new(size, 0, &labels).unwrap()
    });
    let mut circle = vec![start.clone()];
    for &m in round.iter().cycle().take(round.len() * (round.len() - 1)) {
        let mut next = circle[circle.len() - 1].clone();
        next.make(m).unwrap();
        circle.push(next);
    }
    assert_eq!(circle.pop(), Some(start));
    circle
}

/// Changes the bits of a table so that each move along a circle seems to lead nearer to the goal.
fn lead_along(circle: &[Position], table: &Static, bits: &mut [u8]) {
    let first = table.residue(table.state(circle[0].labels())) as usize;
    for (moves, position) in circle.iter().enumerate() {
        let state = table.state(position.labels());
        let cohort = table.index().cohort(table.index().set(state.mask), state.blank);
        let byte = &mut bits[state.rank * table.row_bytes() + cohort / 8];
        let bit = ((first + circle.len() - moves) % 4 / 2) as u8;
        *byte = *byte & !(1 << (cohort % 8)) | bit << (cohort % 8);
    }
}

/// If each move along a circle seems to lead nearer to the goal, a search goes round without end.
/// The value of a position outside may show nothing of that.
///
/// The automaton leaves out circles as small as those of two by two cells.
#[test]
fn a_table_that_leads_round_in_a_circle_is_the_one_that_is_named() {
    for (name, size, side) in [
        // Two patterns.
        ("4-4", grid(3, 3), 2),
        ("1,2,3,4,5/6,7,8", grid(3, 3), 2),
        ("1,2,4,5,8,9/3,6,7,10,11", grid(4, 3), 2),
        (STANDARD, grid(4, 4), 2),
        (STANDARD, grid(4, 4), 3),
        // Three patterns.
        ("1,2,4,5/3,6,7,11/8,9,10", grid(4, 3), 2),
        ("6-6-3", grid(4, 4), 2),
        ("1,2,3,4,5,6,7/8,9,10,11,12,13,14/15", grid(4, 4), 3),
    ] {
        let moving = 4 * (side - 1) - 1;
        let mut random = Random(11);
        for &pattern in partition(name, size, 0).patterns().iter().filter(|p| p.len() >= moving) {
            let (mut at_once, mut later) = (0, 0);
            for _ in 0..3 {
                let circle = circle(pattern, side, &mut random);
                let mut engine = with_damage(name, size, pattern, |table, bits| {
                    lead_along(&circle, table, bits);
                });
                if side == 2 {
                    engine = engine.without_automaton();
                }
                let from = |i: usize| random.walk(&circle[i % circle.len()], 1 + i % 9);
                let positions: Vec<_> = (0..60).map(from).collect();
                let found = blamed(&engine, pattern, &positions);
                (at_once, later) = (at_once + found.0, later + found.1);
            }
            println!("{size}, {pattern}: {at_once} times at once, {later} times later");
            assert!(later > 0, "{name}, {pattern}");
        }
    }
}
