//! The multi-tile metric: tables that count slides, and the search with them, against breadth-first
//! search in that metric.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::common::{
    Cases, Random, Space, check_beams, end, every, grid, histogram, near, on_threads, published,
};
use rayon::prelude::*;
use taquin_classics::{LinearConflict, Manhattan};
use taquin_engine::board::{Grid, Metric, Move, Moves, Position};
use taquin_engine::pdb::{Pattern, Placements, SlideTable, generate_slides, slide_patterns};
use taquin_engine::search::{
    Cancel, Deepening, Learned, Limits, SlideEngine, Stop, beam, shorten, slide_ida, staged,
};

fn table(pattern: Pattern) -> SlideTable {
    let placements = Arc::new(Placements::new(pattern.grid().cells(), pattern.len()));
    let built = generate_slides(&placements, &pattern, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(built.levels.iter().sum::<u64>(), placements.len() as u64);
    SlideTable::new(pattern, placements, built.bits)
}

fn tables(grid: Grid, goal_blank: usize) -> Vec<SlideTable> {
    slide_patterns(grid, goal_blank).unwrap().into_iter().map(table).collect()
}

fn engine(grid: Grid, goal_blank: usize) -> SlideEngine {
    SlideEngine::new(grid, goal_blank, tables(grid, goal_blank))
}

/// The solution's number of slides, after the checks that every answer has to pass.
fn solved(engine: &SlideEngine, position: &Position) -> usize {
    let outcome = engine.solve(position, &Limits::default());
    let path = outcome.path.as_ref().expect("it is solvable");
    assert!(end(position, path).is_goal());
    assert_eq!(path.length(Metric::Multi), outcome.lower_bound() as usize);
    outcome.lower_bound() as usize
}

/// The cells of the tiles and the right record of every placement, in the order of docs/FORMAT.md: by
/// breadth-first search over the placements of the pattern's tiles, the cells of the blank and the
/// directions, with slides of single tiles on a board. It shares nothing with the generator.
fn right_records(pattern: Pattern) -> Vec<([usize; 8], u16)> {
    const UNKNOWN: u8 = u8::MAX;
    let (grid, tiles) = (pattern.grid(), pattern.len());
    let free = grid.cells() - tiles;
    let sets: Vec<u32> =
        (0..1 << grid.cells()).filter(|set: &u32| set.count_ones() as usize == tiles).collect();
    let orders: usize = (1..=tiles).product();
    let cells_of = |placement: usize| {
        let set = sets[placement / orders];
        let mut left: Vec<usize> = (0..grid.cells()).filter(|cell| set >> cell & 1 == 1).collect();
        let (mut rank, mut weight, mut at) = (placement % orders, orders, [usize::MAX; 8]);
        for (i, cell) in at.iter_mut().enumerate().take(tiles) {
            weight /= tiles - i;
            *cell = left.remove(rank / weight);
            rank %= weight;
        }
        at
    };
    // A state by the cells of its tiles, the cell of the blank, and whether the next slide is along a column.
    let state = |at: &[usize; 8], blank: usize, column: bool| {
        let at = &at[..tiles];
        let set = at.iter().fold(0, |set, cell| set | 1 << cell);
        let digit = |i: usize| at[i + 1..].iter().filter(|&&later| later < at[i]).count();
        let rank = (0..tiles).fold(0, |rank, i| rank * (tiles - i) + digit(i));
        let placement = sets.binary_search(&set).unwrap() * orders + rank;
        let place = (!set & ((1 << blank) - 1)).count_ones() as usize;
        (2 * placement + usize::from(column)) * free + place
    };
    let numbers: Vec<AtomicU8> =
        (0..sets.len() * orders * 2 * free).map(|_| AtomicU8::new(UNKNOWN)).collect();
    let mut goal = [usize::MAX; 8];
    goal.iter_mut().zip(pattern.tiles()).for_each(|(cell, tile)| *cell = tile);
    for column in [false, true] {
        numbers[state(&goal, pattern.blank(), column)].store(0, Ordering::Relaxed);
    }
    // The slides that lead to a state are along lines of the other direction, and can be taken back.
    let slide = |mut at: [usize; 8], mut blank: usize, step: isize, count: usize, level: u8| {
        for _ in 0..count {
            let cell = blank.checked_add_signed(step).unwrap();
            if let Some(tile) = at.iter_mut().find(|at| **at == cell) {
                *tile = blank;
            }
            blank = cell;
            let reached = &numbers[state(&at, blank, step.unsigned_abs() > 1)];
            // Several threads may write it, all of them the same number.
            if reached.load(Ordering::Relaxed) == UNKNOWN {
                reached.store(level + 1, Ordering::Relaxed);
            }
        }
    };
    let of_placements = || numbers.par_chunks(2 * free).enumerate();
    for level in 0..UNKNOWN - 1 {
        let is_new = |number: &AtomicU8| number.load(Ordering::Relaxed) == level;
        let new = of_placements().filter(|(_, numbers)| numbers.iter().any(is_new));
        let expanded = new.map(|(placement, numbers)| {
            let at = cells_of(placement);
            let blanks = || (0..grid.cells()).filter(|cell| !at.contains(cell));
            for (i, number) in numbers.iter().enumerate().filter(|(_, number)| is_new(number)) {
                let blank = blanks().nth(i % free).unwrap();
                let (before, length, step) = if i < free {
                    (grid.row(blank), grid.height(), grid.width() as isize)
                } else {
                    (grid.column(blank), grid.width(), 1)
                };
                slide(at, blank, -step, before, level);
                slide(at, blank, step, length - 1 - before, level);
                assert!(number.load(Ordering::Relaxed) == level);
            }
        });
        if expanded.count() == 0 {
            break;
        }
    }
    let record = |(placement, numbers): (usize, &[AtomicU8])| {
        let rows = numbers[..free].iter().map(|number| u16::from(number.load(Ordering::Relaxed)));
        let least = rows.clone().min().unwrap();
        let larger = rows.enumerate().map(|(i, number)| u16::from(number >= least + 2) << i);
        let record = if least > 63 { 63 } else { least | larger.sum::<u16>() << 6 };
        (cells_of(placement), record)
    };
    of_placements().map(record).collect()
}

/// Builds the tables of patterns, given by width, height, cell of the blank and tiles, and compares every
/// record, what is looked up in it, and the levels.
fn are_right(patterns: &[(usize, usize, usize, &[usize])]) {
    for &(w, h, blank, tiles) in patterns {
        let pattern = Pattern::new(grid(w, h), blank, tiles.iter().copied()).unwrap();
        let placements = Arc::new(Placements::new(w * h, tiles.len()));
        let built = generate_slides(&placements, &pattern, &Cancel::new(), &mut |_| ()).unwrap();
        let right = right_records(pattern);
        let mut levels = vec![0; 64];
        right.iter().for_each(|(_, record)| levels[usize::from(record & 63)] += 1);
        let deepest = levels.iter().rposition(|&placements| placements > 0).unwrap();
        assert_eq!(built.levels, levels[..=deepest]);
        let (records, rest) = built.bits.as_ref().as_chunks();
        assert!(rest.is_empty() && records.len() == right.len());
        for (placement, (record, right)) in records.iter().zip(&right).enumerate() {
            assert_eq!(u16::from_le_bytes(*record), right.1, "{pattern} on {w}x{h}: {placement}");
        }
        let table = SlideTable::new(pattern, placements, built.bits);
        for (at, record) in right {
            let mut of_tile = [0; 16];
            pattern.tiles().zip(at).for_each(|(tile, cell)| of_tile[tile] = cell as u8);
            let free = (0..w * h).filter(|cell| !at[..tiles.len()].contains(cell));
            for (i, blank) in free.enumerate() {
                let value = u32::from(record & 63) + 2 * u32::from(record >> (6 + i) & 1);
                let found = table.value(table.probe(&of_tile, blank as u8));
                assert_eq!(found, value, "{pattern} on {w}x{h}: {at:?}, {blank}");
            }
        }
    }
}

#[test]
fn every_record_is_right() {
    are_right(&[
        (2, 2, 0, &[1]),
        (3, 2, 0, &[1, 5]),
        (3, 2, 5, &[0, 2, 3]),
        (2, 4, 7, &[0, 3, 4, 6]),
        (4, 2, 2, &[1, 4, 5, 6, 7]),
        (3, 3, 0, &[1, 2, 4, 7]),
        (3, 3, 4, &[0, 1, 2, 3, 5, 8]),
        (4, 3, 0, &[3, 7, 11]),
        (4, 3, 2, &[0, 4, 5, 6, 7]),
        (5, 2, 9, &[0, 1, 5]),
        // As many cells without a tile as there may be.
        (2, 7, 0, &[1, 3, 5, 9]),
    ]);
}

#[test]
#[ignore = "repeats the test before for larger tables: takes minutes, and 1.1 GB"]
fn every_record_is_right_in_full() {
    are_right(&[(2, 8, 0, &[1, 3, 5, 7, 9, 11]), (4, 4, 0, &[1, 2, 3, 4, 5, 6, 7])]);
}

/// Every position of small boards: no value is above the distance, and the solutions of a sample are optimal.
/// The numbers of positions at each distance are the published ones.
#[test]
fn whole_spaces_are_solved_in_the_fewest_slides() {
    for &(w, h, goal_blank, step) in &[
        (2, 2, 0, 1),
        (3, 2, 0, 1),
        (2, 3, 4, 1),
        (4, 2, 0, 10),
        (2, 4, 3, 70),
        (3, 3, 0, 140),
        (3, 3, 4, 340),
        (3, 3, 1, 340),
        (5, 2, 0, 530), // As long as all others.
    ][..if every(2) == 1 { 9 } else { 8 }]
    {
        let grid = grid(w, h);
        let engine = engine(grid, goal_blank);
        let space = Space::of(grid, goal_blank, Metric::Multi);
        if goal_blank == 0 {
            assert_eq!(space.histogram(), published(grid, "mtm", "corner"));
        }
        (0..space.len()).into_par_iter().for_each(|number| {
            let d = u32::from(space.distance(space.labels(number)));
            let position = space.position(number);
            assert!(engine.value(&position) <= d, "{position:?}");
            if number.is_multiple_of(every(step)) {
                assert_eq!(solved(&engine, &position), d as usize, "{position:?}");
            }
        });
    }
}

/// The positions of 4×3 near the goal are as many at each distance as was published, and are solved
/// in that many slides.
#[test]
fn positions_near_the_goal_of_4x3_are_solved_at_their_depth() {
    let grid = grid(4, 3);
    let engine = engine(grid, 0);
    let positions = near(grid, 0, Metric::Multi, 10, usize::MAX);
    let counts = histogram(positions.iter().map(|(_, distance, _)| *distance as usize));
    assert_eq!(counts, published(grid, "mtm", "corner")[..=10]);
    positions.par_iter().for_each(|(labels, distance, _)| {
        let position = Position::new(grid, 0, labels).unwrap();
        assert_eq!(solved(&engine, &position), *distance as usize);
    });
}

/// The lengths of Korf's 100 boards in slides, in the order of the file.
const KORF: [usize; 100] = [
    33, 32, 35, 33, 32, 34, 30, 32, 30, 35, 34, 31, 28, 35, 37, 27, 32, 33, 30, 31, 31, 34, 30, 33,
    29, 35, 33, 30, 31, 30, 32, 35, 33, 31, 33, 30, 36, 33, 30, 33, 34, 30, 31, 29, 33, 28, 31, 31,
    35, 34, 33, 33, 34, 34, 28, 31, 32, 32, 32, 35, 28, 35, 34, 33, 28, 35, 31, 32, 32, 32, 27, 34,
    32, 32, 30, 34, 31, 35, 29, 33, 33, 36, 31, 33, 30, 27, 32, 38, 33, 31, 34, 32, 30, 32, 32, 29,
    28, 32, 36, 34,
];

/// The nodes, generated and expanded, that Korf's 100 boards take with the standard tables: the signature of this
/// metric. And those that every fifth of them takes with the smaller tables.
const SIGNATURE: [u64; 2] = [4_121_697, 1_373_899];
const SMALLER: [u64; 2] = [4_874_502, 1_624_834];

/// Tables of six tiles, which have no pattern in common with the standard ones.
fn smaller() -> Vec<SlideTable> {
    let patterns =
        [[1, 2, 3, 4, 5, 6], [3, 6, 7, 10, 11, 15], [8, 9, 12, 13, 14, 15], [2, 3, 7, 11, 14, 15]];
    patterns.map(|tiles| table(Pattern::new(grid(4, 4), 0, tiles).unwrap())).into()
}

/// Solves every so many of Korf's boards, which have their lengths. Returns the nodes, which some have on one thread
/// too.
fn korf(tables: Vec<SlideTable>, every: usize) -> [u64; 2] {
    let engine = SlideEngine::new(grid(4, 4), 0, tables);
    let mut nodes = [0; 2];
    let boards = Cases::korf().cases.into_iter().zip(KORF).step_by(every);
    for (number, (case, length)) in boards.enumerate() {
        let on = |threads| on_threads(threads, || engine.solve(&case.position, &Limits::default()));
        let outcome = on(2);
        let path = outcome.path.as_ref().unwrap();
        assert_eq!((path.length(Metric::Multi), outcome.lower_bound() as usize), (length, length));
        nodes[0] += outcome.generated;
        nodes[1] += outcome.expanded;
        if number % 5 == 0 {
            assert_eq!(outcome, on(1), "{}", case.line);
        }
    }
    nodes
}

#[test]
fn korfs_boards_have_their_lengths_and_nodes() {
    assert_eq!(korf(smaller(), 5), SMALLER);
}

#[test]
#[ignore = "builds tables of seven tiles, and repeats the test before for all boards"]
fn korfs_boards_have_their_lengths_and_nodes_in_full() {
    korf(smaller(), 1);
    let tables = tables(grid(4, 4), 0);
    let hashes: Vec<u64> = tables.iter().map(|table| table.bytes().hash()).collect();
    assert_eq!(hashes, [0xe37b_f582_745a_7aff, 0xb243_4b6d_1187_7ef6, 0xdff6_8f50_179e_be85]);
    assert_eq!(korf(tables, 1), SIGNATURE);
}

/// The hardest positions. They take seconds each, on all threads.
#[test]
#[ignore = "takes a minute: run it with --ignored"]
fn positions_at_43_slides_are_solved_in_full() {
    let engine = engine(grid(4, 4), 0);
    for case in Cases::multi43().cases {
        assert_eq!(solved(&engine, &case.position), case.length, "{}", case.line);
    }
}

/// A position after many moves that follow from a number.
fn scrambled(grid: Grid, goal_blank: usize, seed: usize) -> Position {
    Random(seed as u64).walk(&Position::goal(grid, goal_blank), 40 * grid.cells())
}

/// On boards of all sizes: a few slides from the goal are found, and limits end the search.
#[test]
fn large_boards_are_searched_without_tables() {
    for (w, h, goal_blank) in [(5, 4, 0), (7, 7, 24), (16, 16, 0), (128, 2, 255), (2, 128, 0)] {
        let grid = grid(w, h);
        let mut position = Position::goal(grid, goal_blank);
        for (i, tiles) in [1, 2, 1, 1, 3, 1].into_iter().enumerate() {
            let ways = [[Move::Up, Move::Down], [Move::Left, Move::Right]][i % 2];
            for _ in 0..tiles {
                assert!(ways.iter().any(|&way| position.make(way).is_some()));
            }
        }
        let outcome = slide_ida(&position).run(&Limits::default()).unwrap();
        let path = outcome.path.unwrap();
        assert!(end(&position, &path).is_goal() && path.length(Metric::Multi) <= 10);
        let far = scrambled(grid, goal_blank, 1);
        let outcome = slide_ida(&far).run(&Limits::default().nodes(10_000)).unwrap();
        assert_eq!((&outcome.path, outcome.stopped), (&None, Some(Stop::Nodes)));
        assert!((10_000..10_000 + 1024 * 127 * 2).contains(&outcome.generated));
        let cancel = Cancel::new();
        cancel.cancel();
        let outcome = slide_ida(&far).run(&Limits::default().cancel(&cancel)).unwrap();
        assert_eq!((&outcome.path, outcome.stopped), (&None, Some(Stop::Cancelled)));
        assert!(outcome.lower_bound() > 0);
    }
}

#[test]
fn beams_of_slides_of_all_sizes() {
    let sizes = [
        (2, 2, 0),
        (2, 7, 3),
        (3, 3, 4),
        (4, 4, 0),
        (5, 5, 24),
        (16, 16, 0),
        (6, 4, 1),
        (128, 2, 255),
    ];
    for (w, h, goal_blank) in sizes.into_iter().step_by(every(3)) {
        let grid = grid(w, h);
        let position = scrambled(grid, goal_blank, w);
        let heuristic = LinearConflict::new(grid, goal_blank);
        // So narrow a beam gets stuck on large boards; a wide one is computed in parts.
        for width in if grid.cells() < 50 { [20, 1500] } else { [5, 10] } {
            let solve = |below, limits: &Limits| {
                beam(&position, &heuristic, Metric::Multi, width, below, limits)
            };
            check_beams(&position, Metric::Multi, solve);
            // The heuristic's bound leaves nothing to search.
            assert_eq!(solve(1, &Limits::default()).is_some(), position.is_goal());
        }
    }
}

#[test]
fn beams_of_slides_are_never_shorter_than_the_optimum() {
    let grid3 = grid(3, 3);
    let manhattan = Manhattan::new(grid3, 0);
    for (labels, d) in Space::of(grid3, 0, Metric::Multi).iter().step_by(every(60_000)) {
        let position = Position::new(grid3, 0, labels).unwrap();
        let solve = |width, below| {
            let limits = Limits::default();
            let path = beam(&position, &manhattan, Metric::Multi, width, below, &limits)?;
            Some(path.length(Metric::Multi))
        };
        // All positions fit in the widest beam, so that it is optimal.
        assert_eq!(solve(1 << 18, usize::MAX), Some(d as usize), "{position:?}");
        assert_eq!(solve(1 << 18, d as usize), None);
        assert!(solve(10, usize::MAX) >= Some(d as usize));
    }
    let weights = Learned::new(grid(4, 4), 0, Metric::Multi);
    let (mut sum, mut least) = (0, 0);
    for (case, optimum) in Cases::korf().cases.iter().zip(KORF).step_by(every(5)) {
        let limits = Limits::default();
        let path = beam(&case.position, &weights, Metric::Multi, 300, usize::MAX, &limits).unwrap();
        assert!(end(&case.position, &path).is_goal());
        assert!(path.length(Metric::Multi) >= optimum);
        sum += path.length(Metric::Multi);
        least += optimum;
    }
    eprintln!("beams of 300: {sum} slides, {least} at least");
    assert!(sum < least + least / 6);
}

/// A shortened path has the same end and no more slides.
#[test]
fn paths_are_shortened_in_slides() {
    for (w, h, goal_blank) in [(3, 2, 0), (3, 3, 0), (4, 4, 5), (6, 6, 0), (12, 3, 35), (10, 10, 0)]
    {
        let grid = grid(w, h);
        let position = scrambled(grid, goal_blank, h);
        let long = staged(&position, |_| ());
        for nodes in [0, 1_000, 300_000] {
            let limits = Limits::default().nodes(nodes);
            let (short, _) = shorten(&position, long.clone(), Metric::Multi, &limits);
            assert!(end(&position, &short).is_goal(), "{position:?}");
            assert!(short.length(Metric::Multi) <= long.length(Metric::Multi));
        }
        // A path to somewhere else.
        let half = Moves(long.0[..long.len() / 2].to_vec());
        let limits = Limits::default().nodes(100_000);
        let (short, _) = shorten(&position, half.clone(), Metric::Multi, &limits);
        assert_eq!(end(&position, &short), end(&position, &half));
    }
    // Slides along one line are one slide or none.
    let goal = Position::goal(grid(4, 4), 0);
    for (text, expected) in [("LLL", 1), ("LLRL", 1), ("LR", 0), ("ULRD", 0), ("", 0)] {
        let path: Moves = text.parse().unwrap();
        let (short, _) = shorten(&goal, path, Metric::Multi, &Limits::default());
        assert_eq!(short.length(Metric::Multi), expected, "{text}");
    }
}
