//! Lists of 15-puzzle boards that need many nodes with the standard 7-8 databases. The local search
//! for hard boards is that of the Python package: `python -m taquin.cluster hunt`.
//!
//! ```text
//! cargo run --release --example hunt -- FOLDER symmetric FLOOR LEAST [COUNT]
//! cargo run --release --example hunt -- FOLDER around FLOOR [FILE…]
//! cargo run --release --example hunt -- FOLDER measure [FILE…]
//! ```
//!
//! - `symmetric` solves the boards that equal their own transpose and have a heuristic value of
//!   LEAST or more: all of them, or those among the first COUNT in a shuffled order.
//! - `around` solves all boards that differ from one of the files by a cycle of three cells or at
//!   most six moves.
//! - `measure` solves the boards of the files with the standard partition and with a portfolio of
//!   three, and prints heuristic value, length, nodes and seconds, and nodes and seconds again.
//!
//! The first two print the boards that generate FLOOR nodes or more, and in the end, to standard
//! error, how many boards were solved. Boards are lines as in `tests/data/hunted15.txt`: name,
//! optimal length, nodes, then sixteen tiles whose goal has the blank last.
//!
//! FOLDER holds databases made by `pdb-gen build`. A run takes one thread, and the same arguments
//! give the same run. `docs/HARD.md` lists the boards that were found.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use taquin::store::{Set, Store};
use taquin_engine::board::{Board, Canonical, Goal, Grid, Move, Position};
use taquin_engine::search::{Control, Engine};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The standard partition, and those that join it in the portfolio.
const PARTITIONS: [&str; 3] = ["7-8", "7-8b", "7-8c"];

/// The longest walk around a board.
const WALK: usize = 6;

const CELLS: usize = 16;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let [folder, task, rest @ ..] = &arguments[..] else {
        return Err("usage: hunt FOLDER symmetric|around|measure …".into());
    };
    let hunt = |floor: &str| Hunt::new(Path::new(folder), floor.parse()?);
    match (*task, rest) {
        ("symmetric", [floor, least]) => hunt(floor)?.symmetric(least.parse()?, usize::MAX),
        ("symmetric", [floor, least, count]) => {
            hunt(floor)?.symmetric(least.parse()?, count.parse()?)
        }
        ("around", [floor, files @ ..]) => hunt(floor)?.around(&boards(files)?),
        ("measure", files) => measure(Path::new(folder), &boards(files)?),
        _ => Err("usage: see the head of examples/hunt.rs".into()),
    }
}

/// A board by the goal cell of what is in each cell. The goal has the blank last.
type Places = [u8; CELLS];

const BLANK: u8 = 15;

fn grid() -> Grid {
    Grid::new(4, 4).expect("a 4x4 grid is one")
}

fn goal() -> Goal {
    Goal::named("blank-last", grid()).expect("it is among the names")
}

fn board(places: &Places) -> Board {
    Board::new(grid(), &places.map(|place| (place + 1) % 16)).expect("places are a permutation")
}

fn is_solvable(places: &Places) -> bool {
    goal().solvability(&board(places)).is_solvable()
}

fn transpose(cell: u8) -> u8 {
    cell % 4 * 4 + cell / 4
}

/// The mirror image, which is as hard.
fn transposed(places: &Places) -> Places {
    std::array::from_fn(|cell| transpose(places[usize::from(transpose(cell as u8))]))
}

/// The boards of files whose lines end with sixteen tiles.
fn boards(files: &[&str]) -> Result<Vec<Places>> {
    let mut boards = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let tiles = words.last_chunk::<CELLS>().ok_or("a line without sixteen tiles")?;
            let board: Board = tiles.join(" ").parse()?;
            boards.push(std::array::from_fn(|cell| (board.tiles()[cell] + 15) % 16));
        }
    }
    Ok(boards)
}

/// An engine over the databases in a folder.
fn engine(folder: &Path, names: &[&str]) -> Result<Engine> {
    let store = Store::folder(folder).build_missing(false);
    let (mut partitions, mut tables) = (Vec::new(), Vec::new());
    for name in names {
        let set = Set::parse(Some(name), grid(), 0)?;
        let loaded = store.load(&set, &|_| ())?;
        loaded.check.wait()?;
        partitions.extend_from_slice(set.partitions());
        tables.extend(loaded.tables);
    }
    Ok(Engine::new(&partitions, tables)?)
}

/// The cost of a board.
struct Cost {
    length: usize,
    nodes: u64,
    seconds: f64,
}

fn position(places: &Places) -> Result<Position> {
    Ok(Canonical::of(&goal()).position(&board(places))?)
}

fn solve(engine: &Engine, places: &Places) -> Result<Cost> {
    let begun = Instant::now();
    let outcome = engine.solve(&position(places)?, &Control::default(), &())?;
    let length = outcome.path.ok_or("a search without a result")?.len();
    Ok(Cost { length, nodes: outcome.generated, seconds: begun.elapsed().as_secs_f64() })
}

/// The heuristic value.
fn value(engine: &Engine, places: &Places) -> Result<u32> {
    Ok(engine.value(&position(places)?)?)
}

fn measure(folder: &Path, boards: &[Places]) -> Result<()> {
    let (standard, portfolio) = (engine(folder, &PARTITIONS[..1])?, engine(folder, &PARTITIONS)?);
    for places in boards {
        let (one, three) = (solve(&standard, places)?, solve(&portfolio, places)?);
        assert_eq!(one.length, three.length, "{}", board(places));
        println!(
            "{} {} {} {:.2} {} {:.2} {}",
            value(&standard, places)?,
            one.length,
            one.nodes,
            one.seconds,
            three.nodes,
            three.seconds,
            board(places)
        );
    }
    Ok(())
}

struct Hunt {
    engine: Engine,
    /// The nodes that make a board worth printing.
    floor: u64,
    /// The boards printed. A board and its mirror image count as one.
    printed: HashSet<Places>,
    solved: u64,
    nodes: u64,
    begun: Instant,
}

impl Hunt {
    fn new(folder: &Path, floor: u64) -> Result<Hunt> {
        let engine = engine(folder, &PARTITIONS[..1])?;
        let (printed, begun) = (HashSet::new(), Instant::now());
        Ok(Hunt { engine, floor, printed, solved: 0, nodes: 0, begun })
    }

    /// The nodes of a board.
    fn nodes(&mut self, places: &Places) -> Result<u64> {
        let cost = solve(&self.engine, places)?;
        self.solved += 1;
        self.nodes += cost.nodes;
        if cost.nodes >= self.floor && self.printed.insert(*places.min(&transposed(places))) {
            let tiles = places.map(|place| ((place + 1) % 16).to_string()).join(" ");
            println!("{} {} {} {tiles}", self.printed.len(), cost.length, cost.nodes);
        }
        Ok(cost.nodes)
    }

    fn report(&self) -> Result<()> {
        let seconds = self.begun.elapsed().as_secs_f64();
        eprintln!("{} boards, {} nodes, {seconds:.0} s", self.solved, self.nodes);
        Ok(())
    }

    fn symmetric(mut self, least: u32, count: usize) -> Result<()> {
        let mut boards = symmetric_boards();
        boards.retain(is_solvable);
        shuffle(&mut boards);
        for places in boards.iter().take(count) {
            if value(&self.engine, places)? >= least {
                self.nodes(places)?;
            }
        }
        self.report()
    }

    fn around(mut self, centres: &[Places]) -> Result<()> {
        for centre in centres {
            let mut seen = HashSet::new();
            for places in cycled(centre).into_iter().chain(walked(centre)) {
                if is_solvable(&places) && seen.insert(places.min(transposed(&places))) {
                    self.nodes(&places)?;
                }
            }
        }
        self.report()
    }
}

/// All arrangements that equal their own transpose, solvable or not: the cells of the diagonal
/// are permuted among themselves, and so are the six pairs of cells that mirror each other.
fn symmetric_boards() -> Vec<Places> {
    let cells = 0..CELLS as u8;
    let diagonal: Vec<u8> = cells.clone().filter(|&cell| transpose(cell) == cell).collect();
    let pairs: Vec<u8> = cells.filter(|&cell| transpose(cell) > cell).collect();
    let (mut boards, on_pairs) = (Vec::new(), permutations(&pairs));
    for on_diagonal in permutations(&diagonal) {
        for on_pairs in &on_pairs {
            for swapped in 0..1 << pairs.len() {
                let mut places = [0; CELLS];
                for (&cell, &place) in diagonal.iter().zip(&on_diagonal) {
                    places[usize::from(cell)] = place;
                }
                for (i, (&cell, &place)) in pairs.iter().zip(on_pairs).enumerate() {
                    let place = if swapped >> i & 1 == 1 { transpose(place) } else { place };
                    places[usize::from(cell)] = place;
                    places[usize::from(transpose(cell))] = transpose(place);
                }
                boards.push(places);
            }
        }
    }
    boards
}

fn permutations(items: &[u8]) -> Vec<Vec<u8>> {
    let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let rest = permutations(rest);
    let inserted = |at| rest.iter().map(move |rest| [&rest[..at], &[*first], &rest[at..]].concat());
    (0..items.len()).flat_map(inserted).collect()
}

/// Every cycle of three cells.
fn cycled(places: &Places) -> Vec<Places> {
    let mut boards = Vec::new();
    for a in 0..CELLS {
        for b in a + 1..CELLS {
            for c in a + 1..CELLS {
                if c != b {
                    let mut places = *places;
                    places.swap(a, b);
                    places.swap(b, c);
                    boards.push(places);
                }
            }
        }
    }
    boards
}

/// Everything at most [`WALK`] moves away.
fn walked(places: &Places) -> Vec<Places> {
    let mut boards = vec![*places];
    let mut level = 0..1;
    for _ in 0..WALK {
        for at in level.clone() {
            let places = boards[at];
            for m in Move::ALL {
                let next = moved(&places, m);
                if !boards.contains(&next) {
                    boards.push(next);
                }
            }
        }
        level = level.end..boards.len();
    }
    boards
}

/// The board after a move; the same where there is none.
fn moved(places: &Places, m: Move) -> Places {
    let mut places = *places;
    let blank = places.iter().position(|&place| place == BLANK).expect("there is a blank");
    if let Some(cell) = grid().source(blank, m) {
        places.swap(blank, cell);
    }
    places
}

/// Shuffles by pseudo-random numbers (SplitMix64), the same ones in each run.
fn shuffle<T>(items: &mut [T]) {
    let mut state = 0_u64;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        items.swap(last, ((z ^ z >> 31) % (last as u64 + 1)) as usize);
    }
}
