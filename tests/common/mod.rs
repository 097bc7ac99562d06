//! What the tests of tables, the tests of solving and the benches share: tables built once a
//! process and kept in memory, whole spaces searched plainly, and the files of boards.

#![allow(dead_code, reason = "each program that includes this uses a part of it")]

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use rayon::{ThreadPool, ThreadPoolBuilder};
use taquin::board::{Board, Canonical, Goal, Grid, Move, Path};
use taquin::pdb::{Generated, Index, Partition, Pattern, Table, generate};
use taquin::search::{Outcome, Solver};

/// The standard 4×4 partition.
pub const STANDARD: &str = "7-8";

/// A table over bytes that live as long as the process.
pub type Static = Table<&'static [u8]>;

pub fn grid(width: usize, height: usize) -> Grid {
    Grid::new(width, height).unwrap()
}

/// The numbering for a number of tiles, shared by all tables that have it.
fn index(grid: Grid, tiles: usize) -> Arc<Index> {
    type Indexes = HashMap<(Grid, usize), Arc<Index>>;
    static INDEXES: LazyLock<Mutex<Indexes>> = LazyLock::new(Mutex::default);
    let mut indexes = INDEXES.lock().unwrap();
    indexes.entry((grid, tiles)).or_insert_with(|| Arc::new(Index::new(grid, tiles))).clone()
}

/// What the generator gives for a pattern, built at the first call.
///
/// No lock is held during the build: it runs on the rayon pool, whose threads may come back here
/// meanwhile, and would wait for each other. What two threads build at once, one of them keeps.
pub fn generated(pattern: Pattern) -> &'static Generated {
    static BUILT: LazyLock<Mutex<HashMap<Pattern, &'static Generated>>> =
        LazyLock::new(Mutex::default);
    let found = BUILT.lock().unwrap().get(&pattern).copied();
    found.unwrap_or_else(|| {
        let index = index(pattern.grid(), pattern.len());
        let generated = generate(&index, &pattern, |_| ()).expect("enough memory");
        let mut built = BUILT.lock().unwrap();
        built.entry(pattern).or_insert_with(|| Box::leak(Box::new(generated)))
    })
}

/// A pattern's table.
pub fn table(pattern: Pattern) -> Static {
    let bits = generated(pattern).bits.as_ref();
    Table::new(pattern, index(pattern.grid(), pattern.len()), bits).unwrap()
}

/// The tables of a partition, by name or as lists of tiles.
pub fn tables(partition: &str, grid: Grid, blank: usize) -> Vec<Static> {
    let partition = Partition::parse(partition, grid, blank).unwrap();
    partition.patterns().iter().map(|&pattern| table(pattern)).collect()
}

/// The solver of partitions of two patterns, for the goal with its blank in a cell.
pub fn solver(partitions: &[&str], grid: Grid, blank: usize) -> Solver<&'static [u8]> {
    let pair = |partition: &&str| tables(partition, grid, blank).try_into().expect("two patterns");
    Solver::new(partitions.iter().map(pair).collect()).unwrap()
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
    pub labels: Box<[u8]>,
}

/// Boards for one goal, with their optimal lengths.
pub struct Cases {
    pub goal: Goal,
    pub canonical: Canonical,
    pub cases: Vec<Case>,
}

impl Cases {
    /// The lines of a file: number, optimal length, perhaps more, and the board at the end.
    fn read(text: &'static str, goal: &str) -> Cases {
        let goal = Goal::named(goal, grid(4, 4)).unwrap();
        let canonical = Canonical::of(&goal);
        let cases = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let numbers: Vec<usize> =
                line.split_whitespace().map(|number| number.parse().unwrap()).collect();
            let tiles: Vec<u8> =
                numbers[numbers.len() - 16..].iter().map(|&tile| tile as u8).collect();
            let board = Board::new(grid(4, 4), &tiles).unwrap();
            Case { line, length: numbers[1], labels: canonical.labels(&board), board }
        });
        Cases { cases: cases.collect(), goal, canonical }
    }

    /// Korf's 100 boards.
    pub fn korf() -> Cases {
        Cases::read(include_str!("../../src/cli/commands/bench/sets/korf100.txt"), "blank-first")
    }

    /// Boards at the greatest distance.
    pub fn antipodes() -> Cases {
        Cases::read(include_str!("../../src/cli/commands/bench/sets/antipodes80.txt"), "blank-last")
    }

    /// Boards that cost a 7-8 database the most.
    pub fn hard() -> Cases {
        Cases::read(include_str!("../../src/cli/commands/bench/sets/hard15.txt"), "blank-last")
    }

    /// The worst boards that a hunt found; see docs/HARD.md.
    pub fn hunted() -> Cases {
        Cases::read(include_str!("../data/hunted15.txt"), "blank-last")
    }

    /// Panics unless `outcome` is an optimal solution of a case: of the right length, proved by its
    /// bound, and leading to the goal when the moves are made one by one.
    pub fn check(&self, case: &Case, outcome: &Outcome) {
        let path = self.canonical.path_back(outcome.path.as_ref().expect("it is solvable"));
        assert_eq!(path.len(), case.length, "{}", case.line);
        assert_eq!(outcome.lower_bound as usize, case.length, "{}", case.line);
        assert_eq!(case.board.after(&path).as_ref(), Ok(self.goal.board()), "{}", case.line);
    }
}

/// All positions of a board that can reach the goal with its blank in a cell, with their distances.
pub struct Space {
    pub grid: Grid,
    pub blank: usize,
    /// The positions as labels, nearest first.
    positions: Vec<u64>,
    distance: HashMap<u64, u8>,
}

/// A position of at most 16 cells, four bits each.
fn pack(labels: &[u8]) -> u64 {
    labels.iter().rev().fold(0, |packed, &label| packed << 4 | u64::from(label))
}

impl Space {
    /// Breadth-first search from the goal.
    pub fn of(grid: Grid, blank: usize) -> Space {
        let goal: Vec<u8> = (0..grid.cells() as u8).collect();
        let mut space = Space {
            grid,
            blank,
            positions: vec![pack(&goal)],
            distance: HashMap::from([(pack(&goal), 0)]),
        };
        let mut done = 0;
        while done < space.positions.len() {
            let labels = space.labels(done);
            let distance = space.distance(&labels);
            for m in Move::ALL {
                let Some(next) = moved(grid, blank, &labels, m) else { continue };
                space.distance.entry(pack(&next)).or_insert_with(|| {
                    space.positions.push(pack(&next));
                    distance + 1
                });
            }
            done += 1;
        }
        space
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// A position, by its number.
    pub fn labels(&self, number: usize) -> Vec<u8> {
        (0..self.grid.cells())
            .map(|cell| (self.positions[number] >> (4 * cell) & 15) as u8)
            .collect()
    }

    /// The optimal number of moves.
    pub fn distance(&self, labels: &[u8]) -> u8 {
        self.distance[&pack(labels)]
    }

    /// The number of positions at each distance.
    pub fn histogram(&self) -> Vec<usize> {
        histogram(self.distance.values().map(|&distance| usize::from(distance)))
    }

    /// Of the optimal solutions the one whose moves come first in the order of [`Move::ALL`].
    pub fn least_path(&self, labels: &[u8]) -> Path {
        let mut labels = labels.to_vec();
        let mut path = Path::default();
        for left in (0..self.distance(&labels)).rev() {
            let nearer = |m: Move| moved(self.grid, self.blank, &labels, m).map(|next| (m, next));
            let (m, next) = Move::ALL
                .into_iter()
                .filter_map(nearer)
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

/// A position after a move, for the goal with its blank in a cell, which is the blank's label.
pub fn moved(grid: Grid, blank: usize, labels: &[u8], m: Move) -> Option<Vec<u8>> {
    let empty = labels.iter().position(|&label| usize::from(label) == blank).unwrap();
    let from = grid.source(empty, m)?;
    let mut next = labels.to_vec();
    next.swap(from, empty);
    Some(next)
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

    /// The labels of a position drawn uniformly among those that can reach the goal with the blank
    /// first.
    pub fn position(&mut self, grid: Grid) -> Vec<u8> {
        let goal = Goal::named("blank-first", grid).unwrap();
        let mut tiles: Vec<u8> = goal.board().tiles().to_vec();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, self.below(last + 1));
        }
        if !goal.solvability(&Board::new(grid, &tiles).unwrap()).is_solvable() {
            // Exchanging any two tiles, but not the blank, pairs the two halves off.
            let tile = |place: usize| tiles.iter().position(|&t| usize::from(t) == place).unwrap();
            let (a, b) = (tile(1), tile(2));
            tiles.swap(a, b);
        }
        // For this goal, a tile's number is its label.
        tiles
    }
}
