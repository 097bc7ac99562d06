//! All optimal solutions: the fast searches beside counts made plainly.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{
    Cases, Random, STANDARD, Space, end, engine, every, grid, moved, on_threads, rounds, solve,
};
use taquin_classics::{Heuristic, Manhattan, a_star, ida_star};
use taquin_engine::board::{Grid, Metric, Move, Moves, Position};
use taquin_engine::search::{
    Cancel, Clock, Deepening, Engine, Event, Limits, SearchError, Solutions, Stop, Threshold,
};

/// The last threshold of the search for the first solution.
fn last_threshold(engine: &Engine, position: &Position) -> Threshold {
    let mut search = engine.search(position).unwrap();
    assert!(search.run(&Limits::default()).unwrap().path.is_some());
    search.threshold().clone()
}

fn by_engine(engine: &Engine, position: &Position) -> Solutions {
    let threshold = last_threshold(engine, position);
    engine.solutions(position, &threshold, &Limits::default()).unwrap()
}

fn plainly(position: &Position, length: usize) -> Solutions {
    let manhattan = Manhattan::new(position.grid(), position.goal_blank());
    Solutions::search(position, length as u32, &manhattan, &Limits::default()).unwrap()
}

/// The number of shortest paths from the goal to each position of a space, in the order of the
/// space, which is that of the distances.
fn path_counts(space: &Space) -> Vec<u128> {
    let mut by_labels: HashMap<Vec<u8>, u128> = HashMap::new();
    let counts = space.iter().map(|(labels, distance)| {
        let nearer = Move::ALL.into_iter().filter_map(|m| {
            let next = moved(space.grid, space.goal_blank, labels, m)?;
            (space.distance(&next) + 1 == distance).then(|| by_labels[&next])
        });
        let count = if distance == 0 { 1 } else { nearer.sum() };
        by_labels.insert(labels.to_vec(), count);
        count
    });
    counts.collect()
}

/// Checks that solutions are distinct, in the order of [`Move::ALL`], and do solve the position.
fn check_listed(position: &Position, length: usize, paths: &[Moves]) {
    let order = |path: &Moves| path.iter().map(|m| m as u8).collect::<Vec<_>>();
    assert!(paths.is_sorted_by(|a, b| order(a) < order(b)));
    for path in paths {
        assert!(end(position, path).is_goal() && path.len() == length);
    }
}

/// Every so many positions of whole spaces, with goals in the corner and elsewhere.
#[test]
fn small_spaces_have_as_many_as_breadth_first_search_counts() {
    for (width, height, goal_blank, step) in [
        (2, 2, 0, 1),
        (3, 2, 0, 7),
        (3, 2, 1, 7),
        (3, 3, 0, 9001),
        (3, 3, 4, 20_011),
        (4, 2, 0, 601),
    ] {
        let space = Space::of(grid(width, height), goal_blank, Metric::Single);
        let counts = path_counts(&space);
        // Those at the largest distance have the most solutions.
        let last = space.len() - 1;
        for number in (0..last).step_by(every(step)).chain([last]) {
            let position = space.position(number);
            let length = usize::from(space.distance(position.labels()));
            let all = plainly(&position, length);
            assert_eq!(all.count(), counts[number], "{position:?}");
            let paths = all.list(usize::MAX);
            assert_eq!(paths.len() as u128, all.count());
            check_listed(&position, length, &paths);
            assert_eq!(paths[0], space.least_path(position.labels()));
            assert_eq!(all.list(2), paths[..paths.len().min(2)]);
            assert!(all.list(0).is_empty());
        }
    }
}

/// The number of paths of a length to the goal, with each position and number of moves left gone
/// through once, and no word forbidden.
fn slowly(position: &Position, left: usize) -> u128 {
    fn visit(
        position: &mut Position,
        manhattan: &Manhattan,
        left: usize,
        known: &mut HashMap<(Box<[u8]>, usize), u128>,
    ) -> u128 {
        if manhattan.value(&manhattan.start(position.labels())) as usize > left {
            return 0;
        }
        if left == 0 {
            return 1;
        }
        let key = (position.labels().into(), left);
        if let Some(&count) = known.get(&key) {
            return count;
        }
        let mut count = 0;
        for m in Move::ALL {
            if position.make(m).is_some() {
                count += visit(position, manhattan, left - 1, known);
                position.make(m.opposite());
            }
        }
        known.insert(key, count);
        count
    }
    let manhattan = Manhattan::new(position.grid(), position.goal_blank());
    visit(&mut position.clone(), &manhattan, left, &mut HashMap::new())
}

/// Random walks on boards of all kinds: with an automaton from the build script, and with one computed.
#[test]
fn walks_have_as_many_as_a_plain_search_counts() {
    let mut random = Random(5);
    let mut several = 0;
    for (width, height, goal_blank, moves) in
        [(4, 4, 0, 40), (4, 4, 5, 40), (5, 5, 0, 40), (5, 4, 3, 40), (2, 7, 0, 50), (8, 3, 0, 36)]
    {
        let grid = grid(width, height);
        for _ in 0..rounds(1) {
            let position = random.walk(&Position::goal(grid, goal_blank), moves);
            let manhattan = Manhattan::new(grid, goal_blank);
            let length = ida_star(&position, &manhattan, &Limits::default()).lower_bound() as usize;
            let all = plainly(&position, length);
            assert_eq!(all.count(), slowly(&position, length), "{position:?}");
            let paths = all.list(usize::MAX);
            assert_eq!(paths.len() as u128, all.count());
            check_listed(&position, length, &paths);
            several += usize::from(paths.len() > 1);
        }
    }
    assert!(several > 0, "{several} positions with several solutions");
}

/// Both kinds of views, one and several threads.
#[test]
fn the_engine_finds_the_same() {
    let four = grid(4, 4);
    let mut random = Random(11);
    for (partitions, size) in
        [(&[STANDARD][..], four), (&["5-5-5"], four), (&["1,2,3,4/5,6,7,8"], grid(3, 3))]
    {
        let engine = engine(partitions, size, 0);
        let goal = Position::goal(size, 0);
        // The transposition of this board is the board itself.
        let symmetric = [4, 1, 8, 12, 5, 2, 6, 9, 3, 7, 10, 11, 13, 14, 15, 0];
        let symmetric = Position::new(four, 0, &symmetric).ok().filter(|_| size == four);
        for position in (0..rounds(2)).map(|_| random.walk(&goal, 60)).chain(symmetric) {
            let all = by_engine(&engine, &position);
            let paths = all.list(usize::MAX);
            let length = paths[0].len();
            let plain = plainly(&position, length);
            assert_eq!((all.count(), &paths), (plain.count(), &plain.list(usize::MAX)));
            let other = on_threads(3, || by_engine(&engine, &position).list(usize::MAX));
            assert_eq!(paths, other);
            if length > 0 {
                assert_eq!(solve(&engine, &position).path.as_ref(), Some(&paths[0]));
            }
        }
    }
}

/// A board that is its own mirror image has its solutions in pairs.
#[test]
fn symmetric_boards_have_both_halves() {
    let engine = engine(&["1,2,3,4/5,6,7,8"], grid(3, 3), 0);
    let space = Space::of(grid(3, 3), 0, Metric::Single);
    let counts = path_counts(&space);
    let symmetric = (1..space.len()).filter(|&number| space.position(number).is_symmetric());
    let mut checked = 0;
    for number in symmetric.take(40) {
        let count = by_engine(&engine, &space.position(number)).count();
        assert_eq!((count, count % 2), (counts[number], 0));
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

/// The numbers were counted by a depth-first search without an automaton, which took minutes.
const ANTIPODES: [u128; 9] = [4452, 910, 440, 874, 1836, 1140, 3072, 588, 4452];

#[test]
fn the_antipodes_have_that_many() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let antipodes = Cases::antipodes();
    for (case, count) in antipodes.cases.iter().zip(ANTIPODES).step_by(every(10)) {
        let all = by_engine(&engine, &case.position);
        let paths = all.list(usize::MAX);
        assert_eq!((all.count(), paths.len() as u128), (count, count), "{}", case.line);
        check_listed(&case.position, 80, &paths);
        assert_eq!(paths.first(), solve(&engine, &case.position).path.as_ref());
    }
}

#[test]
fn limits_end_the_search() {
    let engine = engine(&[STANDARD], grid(4, 4), 0);
    let position = Cases::antipodes().cases[1].position.clone();
    let manhattan = Manhattan::new(grid(4, 4), 0);
    let threshold = last_threshold(&engine, &position);
    let cancel = Cancel::new();
    cancel.cancel();
    let limits = Limits::default();
    for (limits, stop) in [
        (limits.clone().nodes(1_000), Stop::Nodes),
        (limits.clone().on(Clock::start()).time(Duration::ZERO), Stop::Time),
        (limits.clone().cancel(&cancel), Stop::Cancelled),
    ] {
        let stopped = engine.solutions(&position, &threshold, &limits);
        assert_eq!(stopped.err(), Some(SearchError::Stopped(stop)));
        let plain = Solutions::search(&position, 80, &manhattan, &limits);
        assert_eq!(plain.err(), Some(stop));
    }
    // Room for some of the positions on solutions.
    let little = limits.memory(10_000);
    let stopped = engine.solutions(&position, &threshold, &little);
    assert_eq!(stopped.err(), Some(SearchError::Stopped(Stop::Memory)));
    // Views that the engine does not have.
    let other = Threshold { views: vec![engine.views()], ..threshold };
    let refused = engine.solutions(&position, &other, &Limits::default());
    assert_eq!(refused.err(), Some(SearchError::Record));
}

/// Every search reports what it does.
#[test]
fn listeners_hear_of_every_search() {
    /// The thresholds, the nodes and the bounds that a search reports.
    type Heard = (Vec<u32>, u64, Vec<u32>);
    let heard = |search: &mut dyn FnMut(&Limits)| {
        let heard = Arc::new(Mutex::new(Heard::default()));
        let listening = heard.clone();
        search(&Limits::default().listener(move |event| {
            let mut heard = listening.lock().unwrap();
            match event {
                Event::Threshold(threshold) => heard.0.push(threshold.bound),
                Event::Nodes(nodes) => heard.1 += nodes,
                Event::Bound(bound) => heard.2.push(*bound),
                _ => {}
            }
        }));
        mem::take(&mut *heard.lock().unwrap())
    };
    let size: Grid = grid(3, 3);
    let position = Position::new(size, 0, &[8, 0, 6, 5, 4, 7, 2, 3, 1]).unwrap();
    let manhattan = Manhattan::new(size, 0);
    let mut generated = 0;
    let (thresholds, nodes, _) =
        heard(&mut |limits| generated = ida_star(&position, &manhattan, limits).generated);
    assert_eq!((thresholds.last(), nodes), (Some(&31), generated));
    assert!(thresholds.len() > 3 && thresholds.is_sorted());
    let (_, nodes, bounds) = heard(&mut |limits| {
        generated = a_star(&position, &manhattan, Default::default(), limits).generated;
    });
    assert!(nodes > 0 && nodes <= generated);
    assert!(bounds.len() > 3 && bounds.is_sorted() && bounds.last() <= Some(&31));
    let (thresholds, nodes, _) = heard(&mut |limits| {
        let all = Solutions::search(&position, 31, &manhattan, limits).unwrap();
        assert_eq!(all.count(), 40);
    });
    assert_eq!(thresholds, [31]);
    assert!(nodes > 1_000);
}
