//! Shared by the tests of tables and of solving, by the benches and by an example: tables built
//! once per process and kept in memory, whole spaces searched plainly, and the files of boards.

#![allow(dead_code, reason = "each program that includes this uses a part of it")]

use std::cell::RefCell;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use taquin::{Builder, Method, Solver, Store};
use taquin_engine::Cancel;
use taquin_engine::board::{Board, Canonical, Goal, Grid, Metric, Move, Moves, Position};
use taquin_engine::pdb::{
    self, BrokenTable, Buffer, Generated, Header, Index, Partition, Pattern, Table, generate,
};
use taquin_engine::search::{Deepening, Engine, LaneEnd, Limits, Outcome, Supply};

/// The files of boards and of published counts.
mod data {
    pub const KORF: &str = include_str!("../../../src/lab/sets/korf100.txt");
    pub const KORF_24: &str = include_str!("../../../src/lab/sets/korf24.txt");
    pub const ANTIPODES: &str = include_str!("../../../src/lab/sets/antipodes80.txt");
    pub const HARD: &str = include_str!("../../../src/lab/sets/hard15.txt");
    pub const HUNTED: &str = include_str!("../../data/hunted15.txt");
    pub const MULTI: &str = include_str!("../../../src/lab/sets/multi43.txt");
    pub const DEPTHS: &str = include_str!("../../data/depth_counts_all.txt");
}

/// The standard 4×4 partition.
pub const STANDARD: &str = "7-8";

/// The board of the documentation, at 80 moves.
pub const FAR: &str = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";

/// The factor by which samples are larger than usual: TAQUIN_ROUNDS, which CONTRIBUTING.md explains.
static ROUNDS: LazyLock<usize> = LazyLock::new(|| {
    let rounds = std::env::var("TAQUIN_ROUNDS").unwrap_or_else(|_| "1".into());
    rounds.parse::<NonZeroUsize>().expect("TAQUIN_ROUNDS is a number from 1 on").get()
});

/// The size of a sample that usually has `usual` items.
pub fn rounds(usual: usize) -> usize {
    usual * *ROUNDS
}

/// The step between the items of a sample, which is usually this one. With more rounds it falls to 1.
pub fn every(usual: usize) -> usize {
    (usual / *ROUNDS).max(1)
}

pub fn grid(width: usize, height: usize) -> Grid {
    Grid::new(width, height).unwrap()
}

/// Bytes that are not those of a table, or not yet.
pub fn copy(bytes: &[u8]) -> Buffer {
    Buffer::copy_of(bytes).expect("enough memory")
}

/// The table that the generator builds for a pattern. Each call builds it anew.
pub fn generated(pattern: Pattern) -> Generated {
    let index = Index::new(pattern.grid(), pattern.len());
    generate(&index, &pattern, &Cancel::new(), &mut |_| ()).expect("enough memory")
}

/// A pattern's table, from the store of all tests.
pub fn table(pattern: Pattern) -> Table {
    let set = Partition::new(vec![pattern]).unwrap().into();
    store().load(&set, &|_| ()).unwrap().tables.remove(0)
}

/// Writes the database file of a pattern to a folder. Its levels are made up: nothing but a proof
/// looks at them.
pub fn publish(pattern: Pattern, folder: &Path) {
    let table = table(pattern);
    let (index, bytes) = (table.index(), table.bytes().as_slice().expect("it is in memory"));
    let header = Header {
        metric: Metric::Single,
        pattern,
        cohorts: index.cohorts() as u64,
        orders: index.orders().len() as u64,
        levels: vec![1, index.states() - 1],
        payload_hash: pdb::payload_hash(bytes),
    };
    pdb::publish(&folder.join(header.file_name()), &header, bytes).unwrap();
}

/// A store in memory whose tables are built once for all tests.
pub fn store() -> Store {
    // With the tables of 4×4 from the start, node counts do not depend on the order of the tests.
    static STORE: LazyLock<Store> = LazyLock::new(|| {
        let store = Store::memory();
        let solver = Solver::builder().store(store.clone()).build().unwrap();
        solver.prepare(Grid::new(4, 4).unwrap()).unwrap();
        store
    });
    STORE.clone()
}

/// All methods.
pub fn methods() -> impl Iterator<Item = Method> {
    Method::names().map(|(name, _)| name.parse().unwrap())
}

/// A solver to be, with that store.
pub fn in_memory() -> Builder {
    Solver::builder().store(store())
}

/// A solver to be, with that store and a heuristic.
pub fn with(heuristic: &str) -> Builder {
    in_memory().heuristic(heuristic.parse().unwrap())
}

/// A partition, by name or as lists of tiles.
pub fn partition(partition: &str, grid: Grid, goal_blank: usize) -> Partition {
    Partition::parse(partition, grid, goal_blank).unwrap()
}

/// The tables of a partition, by name or as lists of tiles.
pub fn tables(name: &str, grid: Grid, goal_blank: usize) -> Vec<Table> {
    tables_of(&partition(name, grid, goal_blank))
}

/// The tables of a partition.
pub fn tables_of(partition: &Partition) -> Vec<Table> {
    partition.patterns().iter().map(|&pattern| table(pattern)).collect()
}

/// An engine for partitions, by name or as lists of tiles.
pub fn engine(partitions: &[&str], grid: Grid, goal_blank: usize) -> Engine {
    let partitions: Vec<_> = partitions.iter().map(|p| partition(p, grid, goal_blank)).collect();
    let tables = partitions.iter().flat_map(tables_of).collect();
    Engine::new(&partitions, tables)
}

/// The answer of an engine without limits.
pub fn solve(engine: &Engine, position: &Position) -> Outcome {
    engine.solve(position, &Limits::default()).unwrap()
}

/// The answer of an engine with some of its views, kept for the whole search.
pub fn solve_with(
    engine: &Engine,
    position: &Position,
    views: &[usize],
    limits: &Limits,
) -> Result<Outcome, BrokenTable> {
    engine.search_with(position, views)?.run(limits)
}

/// The answers of a stream on one thread: a verdict for each board, in their order. Each board has limits of its own.
pub fn streamed(
    engine: &Engine,
    boards: impl IntoIterator<Item = (Position, Limits)>,
) -> Vec<LaneEnd> {
    let mut boards = boards.into_iter().enumerate();
    let verdicts = &RefCell::new(Vec::new());
    engine.solve_stream(&mut |_| {
        let Some((number, (board, limits))) = boards.next() else { return Supply::End };
        let deliver = move |verdict, _| verdicts.borrow_mut().push((number, verdict));
        Supply::Board { position: board, within: None, limits, deliver: Box::new(deliver) }
    });
    let mut verdicts = verdicts.take();
    verdicts.sort_by_key(|(number, _)| *number);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}

/// Runs a search that another thread cancels after a while, and returns its result. Panics if it
/// takes more than a second longer: a tenth of that is usual.
pub fn cancelled<T>(name: &str, after: Duration, search: impl FnOnce(&Limits) -> T) -> T {
    let cancel = Cancel::new();
    let limits = Limits::default().cancel(&cancel);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            std::thread::sleep(after);
            cancel.cancel();
            Instant::now()
        });
        let result = search(&limits);
        let end = Instant::now();
        let late = end.saturating_duration_since(other.join().unwrap());
        println!("{name}, cancelled after {after:?}: ended {late:?} later");
        assert!(late < Duration::from_secs(1), "{name}");
        result
    })
}

/// Panics unless a beam leads from a position to the goal, is the same on any number of threads, is shorter than asked
/// for, and keeps a limit.
pub fn check_beams(
    position: &Position,
    metric: Metric,
    solve: impl Fn(usize, &Limits) -> Option<Moves> + Sync,
) {
    let free = Limits::default();
    let [one, other] = [1, 3].map(|threads| on_threads(threads, || solve(usize::MAX, &free)));
    assert_eq!(one, other);
    let path = one.unwrap();
    assert!(end(position, &path).is_goal(), "{position:?}");
    let length = path.length(metric);
    assert!(solve(length, &free).is_none_or(|shorter| shorter.length(metric) < length));
    assert_eq!(solve(usize::MAX, &free.nodes(0)).is_some(), position.is_goal());
}

/// A pool of this many threads.
pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Runs `f` on a pool of this many threads.
pub fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    pool(threads).install(f)
}

/// A board of a data file.
pub struct Case {
    pub line: &'static str,
    pub length: usize,
    pub board: Board,
    pub position: Position,
}

/// Boards for one goal, with their optimal lengths.
pub struct Cases {
    pub goal: Goal,
    pub canonical: Canonical,
    pub cases: Vec<Case>,
}

impl Cases {
    /// The lines of a file: number, optimal length, perhaps more, and the board at the end.
    fn read(text: &'static str, size: Grid, goal: &str) -> Cases {
        let goal = Goal::named(goal, size).unwrap();
        let canonical = Canonical::of(&goal);
        let cases = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let numbers: Vec<usize> =
                line.split_whitespace().map(|number| number.parse().unwrap()).collect();
            let tiles: Vec<u8> =
                numbers[numbers.len() - size.cells()..].iter().map(|&tile| tile as u8).collect();
            let board = Board::new(size, &tiles).unwrap();
            let position = canonical.position(&board).unwrap();
            Case { line, length: numbers[1], board, position }
        });
        Cases { cases: cases.collect(), goal, canonical }
    }

    /// Korf's 100 boards.
    pub fn korf() -> Cases {
        Cases::read(data::KORF, grid(4, 4), "blank-first")
    }

    /// Korf & Felner's 50 boards of 5×5.
    pub fn korf24() -> Cases {
        Cases::read(data::KORF_24, grid(5, 5), "blank-first")
    }

    /// Boards at the greatest distance.
    pub fn antipodes() -> Cases {
        Cases::read(data::ANTIPODES, grid(4, 4), "blank-last")
    }

    /// Boards that cost a 7-8 database the most.
    pub fn hard() -> Cases {
        Cases::read(data::HARD, grid(4, 4), "blank-last")
    }

    /// The worst boards that a hunt found; see docs/FIGURES.md.
    pub fn hunted() -> Cases {
        Cases::read(data::HUNTED, grid(4, 4), "blank-last")
    }

    /// Boards that need the most slides, with their numbers of slides.
    pub fn multi43() -> Cases {
        Cases::read(data::MULTI, grid(4, 4), "blank-last")
    }

    /// The boards of a contest.
    pub fn contest() -> Cases {
        const BOARDS: &str = "\
            1 15 5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12
            2 48 2 5 13 12 1 0 3 15 9 7 14 6 10 11 8 4
            3 38 5 2 4 8 10 0 3 14 13 6 11 12 1 15 9 7
            4 49 11 4 12 2 5 10 3 15 14 1 6 7 0 9 8 13
            5 45 5 8 7 11 1 6 12 2 9 0 13 10 14 3 4 15";
        Cases::read(BOARDS, grid(4, 4), "blank-last")
    }

    /// A sample, from the last case on: some files have the hardest first.
    #[must_use]
    pub fn every(mut self, usual: usize) -> Cases {
        self.cases = self.cases.into_iter().rev().step_by(every(usual)).collect();
        self
    }

    /// The cases that are easiest for the standard partition, each with what its engine finds.
    pub fn easiest(&self, count: usize) -> Vec<(&Case, Outcome)> {
        let engine = engine(&[STANDARD], grid(4, 4), 0);
        let solved = self.cases.iter().map(|case| (case, solve(&engine, &case.position)));
        let mut solved: Vec<_> = solved.collect();
        solved.sort_by_key(|(_, outcome)| outcome.generated);
        solved.truncate(count);
        solved
    }

    /// Panics unless `outcome` is an optimal solution of a case: of the right length, proved by its
    /// bound, and leading to the goal when the moves are made one by one.
    pub fn check(&self, case: &Case, outcome: &Outcome) {
        let path = self.canonical.path_back(outcome.path.as_ref().expect("it is solvable"));
        assert_eq!(path.len(), case.length, "{}", case.line);
        assert_eq!(outcome.lower_bound() as usize, case.length, "{}", case.line);
        assert_eq!(case.board.after(&path).as_ref(), Ok(self.goal.board()), "{}", case.line);
    }
}

/// The published number of positions at each distance, by metric (`stm` or `mtm`) and where the goal
/// has its blank.
pub fn published(size: Grid, metric: &str, place: &str) -> Vec<usize> {
    let start = format!("{size} {metric} {place} ");
    let row = data::DEPTHS.lines().find(|line| line.starts_with(&start));
    let (_, counts) = row.expect("the board is listed").split_once(" : ").unwrap();
    counts.split(' ').map(|count| count.parse().unwrap()).collect()
}

/// The nodes that an [`Engine`] generates and `ida_star` does not, when they search the same tree:
/// on the way to the solution an engine generates all children of a node, `ida_star` none after the
/// one that the path goes on with.
pub fn later_children(start: &Position, path: &Moves) -> u64 {
    let mut position = start.clone();
    let mut last: Option<Move> = None;
    let mut count = 0;
    for m in path.iter() {
        let later = Move::ALL[m as usize + 1..].iter();
        let permitted = |&&m: &&Move| {
            last != Some(m.opposite()) && position.grid().source(position.blank(), m).is_some()
        };
        count += later.filter(permitted).count() as u64;
        position.make(m).expect("the path stays on the board");
        last = Some(m);
    }
    assert!(position.is_goal());
    count
}

/// The number of an order of labels among all orders.
pub fn rank(labels: &[u8]) -> usize {
    let mut left = (1u32 << labels.len()) - 1;
    labels.iter().fold(0, |rank, &label| {
        let less = left & ((1 << label) - 1);
        let rank = rank * left.count_ones() as usize + less.count_ones() as usize;
        left &= !(1 << label);
        rank
    })
}

/// All orders of labels that steps lead to from one of them, with their distances: with steps of single tiles, the
/// positions of a board that can reach the goal with its blank in a cell.
pub struct Space {
    pub grid: Grid,
    pub goal_blank: usize,
    /// The orders, nearest first.
    orders: Vec<u8>,
    /// The distances by [`rank`].
    distance: Vec<u8>,
}

impl Space {
    const NEVER: u8 = u8::MAX;

    /// Breadth-first search from the goal.
    pub fn of(grid: Grid, goal_blank: usize, metric: Metric) -> Space {
        let goal: Vec<u8> = (0..grid.cells() as u8).collect();
        Space::from(grid, goal_blank, &goal, metric)
    }

    /// Breadth-first search from an order of labels.
    pub fn from(grid: Grid, goal_blank: usize, start: &[u8], metric: Metric) -> Space {
        let labels = start.len();
        assert!(labels <= 10, "there are too many orders");
        let mut distance = vec![Space::NEVER; (1..=labels).product()];
        distance[rank(start)] = 0;
        let mut orders = start.to_vec();
        let mut done = 0;
        while done < orders.len() {
            let order = orders[done..done + labels].to_vec();
            let next = distance[rank(&order)] + 1;
            for after in steps(grid, goal_blank, &order, metric) {
                let distance = &mut distance[rank(&after)];
                if *distance == Space::NEVER {
                    *distance = next;
                    orders.extend(after);
                }
            }
            done += labels;
        }
        Space { grid, goal_blank, orders, distance }
    }

    pub fn len(&self) -> usize {
        self.orders.len() / self.grid.cells()
    }

    /// An order, by its number. The nearest ones come first.
    pub fn labels(&self, number: usize) -> &[u8] {
        &self.orders[number * self.grid.cells()..][..self.grid.cells()]
    }

    /// A position, by its number.
    pub fn position(&self, number: usize) -> Position {
        Position::new(self.grid, self.goal_blank, self.labels(number)).unwrap()
    }

    /// The distance of an order that is reached.
    pub fn distance(&self, order: &[u8]) -> u8 {
        let distance = self.distance[rank(order)];
        assert_ne!(distance, Space::NEVER, "{order:?}");
        distance
    }

    pub fn contains(&self, order: &[u8]) -> bool {
        self.distance[rank(order)] != Space::NEVER
    }

    /// The orders with their distances, nearest first.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u8)> {
        (0..self.len()).map(|number| (self.labels(number), self.distance(self.labels(number))))
    }

    /// The number of orders at each distance.
    pub fn histogram(&self) -> Vec<usize> {
        histogram(self.iter().map(|(_, distance)| usize::from(distance)))
    }

    /// Of the optimal solutions the one whose moves come first in the order of [`Move::ALL`].
    pub fn least_path(&self, labels: &[u8]) -> Moves {
        let mut labels = labels.to_vec();
        let mut path = Moves::default();
        for left in (0..self.distance(&labels)).rev() {
            let after =
                |m: Move| moved(self.grid, self.goal_blank, &labels, m).map(|next| (m, next));
            let (m, next) = Move::ALL
                .into_iter()
                .filter_map(after)
                .find(|(_, next)| self.distance(next) == left)
                .expect("some move leads nearer");
            path.0.push(m);
            labels = next;
        }
        path
    }
}

/// The number of times each value occurs.
pub fn histogram(values: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut counts = Vec::new();
    for value in values {
        counts.resize(counts.len().max(value + 1), 0);
        counts[value] += 1;
    }
    counts
}

/// A position's labels, a bound on its distance from the goal, and the number in its list of a position from which one
/// move leads there.
pub type Known = (Vec<u8>, u32, Option<usize>);

/// Positions near the goal with its blank in a cell, nearest first, by breadth-first search: up to a depth, or until
/// there are so many.
pub fn near(grid: Grid, goal_blank: usize, metric: Metric, depth: u32, count: usize) -> Vec<Known> {
    let pack =
        |labels: &[u8]| labels.iter().fold(0u128, |key, &label| key << 5 | u128::from(label));
    assert!(grid.cells() <= 25);
    let goal: Vec<u8> = (0..grid.cells() as u8).collect();
    let mut seen = HashSet::from([pack(&goal)]);
    let mut found = vec![(goal, 0, None)];
    for number in 0.. {
        let Some((labels, distance, _)) = found.get(number).cloned() else { break };
        if distance == depth || found.len() >= count {
            break;
        }
        for next in steps(grid, goal_blank, &labels, metric) {
            if seen.insert(pack(&next)) {
                found.push((next, distance + 1, Some(number)));
            }
        }
    }
    found
}

/// Labels after a move, for the goal with its blank in a cell, which is the blank's label. It
/// shares nothing with [`Position::make`].
pub fn moved(grid: Grid, goal_blank: usize, labels: &[u8], m: Move) -> Option<Vec<u8>> {
    let empty = labels.iter().position(|&label| usize::from(label) == goal_blank).unwrap();
    let from = grid.source(empty, m)?;
    let mut next = labels.to_vec();
    next.swap(from, empty);
    Some(next)
}

/// Labels after each step of a metric. By [`moved`] alone.
pub fn steps(grid: Grid, goal_blank: usize, labels: &[u8], metric: Metric) -> Vec<Vec<u8>> {
    let most = if metric == Metric::Single { 1 } else { usize::MAX };
    let along = |m: Move| {
        let next = move |labels: &Vec<u8>| moved(grid, goal_blank, labels, m);
        std::iter::successors(Some(labels.to_vec()), next).skip(1).take(most)
    };
    Move::ALL.into_iter().flat_map(along).collect()
}

/// The position at the end of a path, all of whose moves stay on the board. By [`moved`] alone.
pub fn end(start: &Position, path: &Moves) -> Position {
    let (grid, blank) = (start.grid(), start.goal_blank());
    let next = |labels: Vec<u8>, m| moved(grid, blank, &labels, m).expect("it stays on the board");
    Position::new(grid, blank, &path.iter().fold(start.labels().to_vec(), next)).unwrap()
}

/// Labels and cells transposed.
pub fn transposed(grid: Grid, labels: &[u8]) -> Vec<u8> {
    let turn = |cell: usize| grid.column(cell) * grid.width() + grid.row(cell);
    (0..labels.len()).map(|cell| turn(labels[turn(cell)].into()) as u8).collect()
}

/// splitmix64: the same numbers every time.
pub struct Random(pub u64);

impl Random {
    /// The next number, below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ z >> 31) * n as u128) >> 64) as usize
    }

    /// Makes all orders equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A position drawn uniformly among those that can reach the goal with the blank first.
    pub fn position(&mut self, grid: Grid) -> Position {
        let mut labels: Vec<u8> = (0..grid.cells()).map(|cell| cell as u8).collect();
        self.shuffle(&mut labels);
        Position::new(grid, 0, &labels).unwrap_or_else(|_| {
            // Exchanging any two tiles, but not the blank, pairs the two halves off.
            let [a, b] = [1, 2].map(|label| labels.iter().position(|&l| l == label).unwrap());
            labels.swap(a, b);
            Position::new(grid, 0, &labels).unwrap()
        })
    }

    /// A position some moves away from the goal, none of which undoes the one before.
    pub fn walk(&mut self, goal: &Position, moves: usize) -> Position {
        let mut position = goal.clone();
        let mut last = None;
        for _ in 0..moves {
            loop {
                let m = Move::ALL[self.below(4)];
                if last != Some(m.opposite()) && position.make(m).is_some() {
                    last = Some(m);
                    break;
                }
            }
        }
        position
    }
}
