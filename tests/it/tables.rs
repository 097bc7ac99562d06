//! Tables compared with a plain search, and tests of their promised properties.
//!
//! - Every state of small patterns against a plain breadth-first search over (the tiles' cells,
//!   the blank's cell): value, stored bit, moves, number of states at each level.
//!   A move changes only the table of its own tile, by 1. Sums are in heuristics.rs.
//! - `verify` accepts what `generate` builds, and nothing else.
//! - The bytes are the same with any number of threads.
//! - The checksums of the named partitions are those of `pdb/CHECKSUMS`. After a change of the bit
//!   layout, which is a change of the format, this command rewrites them:
//!
//!   ```text
//!   UPDATE_CHECKSUMS=1 cargo test --release --test it tables::checksums
//!   ```

use std::collections::VecDeque;
use std::fmt::Write;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs};

use rayon::prelude::*;

use crate::common::{Random, copy, every, generated, grid, on_threads, pool, rounds, table};
use taquin_engine::Cancel;
use taquin_engine::board::{Grid, Metric};
use taquin_engine::pdb::{
    Bytes, Index, Partition, Pattern, PlainTable, Table, VerifyError, generate, payload_hash,
    verify,
};

/// The most tiles of a pattern, and the most cells of a board, here.
const MOST: usize = 5;
const MOST_CELLS: usize = 25;

/// The slow, obvious reference: the distance of every placement of a pattern's tiles and the blank
/// from the goal, where moving a tile of the pattern costs 1 and any other tile 0.
struct Plain {
    grid: Grid,
    blank: usize,
    tiles: Vec<usize>,
    /// The cells next to each cell.
    near: Vec<u32>,
    distance: Vec<u8>,
}

/// The cells of the blank (first) and of the tiles.
type Placement = [usize; MOST + 1];

const UNREACHED: u8 = u8::MAX;

impl Plain {
    /// Breadth-first search with a queue of two ends: what costs nothing goes in at the front.
    fn search(pattern: Pattern) -> Plain {
        let (grid, blank) = (pattern.grid(), pattern.blank());
        let tiles: Vec<usize> = pattern.tiles().collect();
        assert!(tiles.len() <= MOST);
        let codes = grid.cells().pow(tiles.len() as u32 + 1);
        let near = |cell| grid.neighbours(cell).fold(0, |set, next| set | 1 << next);
        let mut plain = Plain {
            grid,
            blank,
            tiles,
            near: (0..grid.cells()).map(near).collect(),
            distance: vec![UNREACHED; codes],
        };
        let mut start = [blank; MOST + 1];
        start[1..=plain.tiles.len()].copy_from_slice(&plain.tiles);
        let start = plain.code(&start);
        plain.distance[start] = 0;
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((code, distance)) = queue.pop_front() {
            if plain.distance[code] < distance {
                continue;
            }
            let placement = plain.placement(code);
            for (next, cost) in plain.moves(&placement) {
                let next = plain.code(&next);
                if plain.distance[next] > distance + cost {
                    plain.distance[next] = distance + cost;
                    if cost == 0 {
                        queue.push_front((next, distance));
                    } else {
                        queue.push_back((next, distance + 1));
                    }
                }
            }
        }
        plain
    }

    /// Blank and tiles as digits of a number.
    fn code(&self, placement: &Placement) -> usize {
        let digits = &placement[..=self.tiles.len()];
        digits.iter().rev().fold(0, |code, &cell| code * self.grid.cells() + cell)
    }

    fn placement(&self, mut code: usize) -> Placement {
        let mut placement = [0; MOST + 1];
        for cell in &mut placement[..=self.tiles.len()] {
            *cell = code % self.grid.cells();
            code /= self.grid.cells();
        }
        placement
    }

    /// The placements that moves lead to, each with the cost of the move.
    fn moves(&self, placement: &Placement) -> impl Iterator<Item = (Placement, u8)> + use<> {
        let placement = *placement;
        let last = self.tiles.len();
        self.grid.neighbours(placement[0]).map(move |from| {
            let mut next = placement;
            next[0] = from;
            let tile = placement[1..=last].iter().position(|&cell| cell == from);
            if let Some(tile) = tile {
                next[1 + tile] = placement[0];
            }
            (next, u8::from(tile.is_some()))
        })
    }

    /// A position with this placement, the other tiles in any cells.
    fn labels(&self, placement: &Placement) -> [u8; MOST_CELLS] {
        let mut labels = [u8::MAX; MOST_CELLS];
        labels[placement[0]] = self.blank as u8;
        for (tile, &cell) in self.tiles.iter().zip(&placement[1..]) {
            labels[cell] = *tile as u8;
        }
        let own = |tile: &usize| *tile == self.blank || self.tiles.contains(tile);
        let mut others = (0..self.grid.cells()).filter(|tile| !own(tile));
        for label in labels[..self.grid.cells()].iter_mut().filter(|label| **label == u8::MAX) {
            *label = others.next().unwrap() as u8;
        }
        labels
    }

    /// Whether no earlier cell is in the blank's zone, so that each zone counts once.
    fn is_first_of_zone(&self, placement: &Placement) -> bool {
        let tiles = placement[1..=self.tiles.len()].iter().fold(0u32, |set, cell| set | 1 << cell);
        let mut zone = 1u32 << placement[0];
        let mut done = 0;
        while done != zone {
            let cell = (zone & !done).trailing_zeros();
            done |= 1 << cell;
            zone |= self.near[cell as usize] & !tiles;
        }
        zone.trailing_zeros() as usize == placement[0]
    }
}

/// Compares a table with the plain search, state by state; the values of a sample of the states, as
/// a value costs a walk to the goal.
fn compare(pattern: Pattern, step: usize) {
    let step = every(step);
    let plain = Plain::search(pattern);
    let table = table(pattern);
    let index = table.index();
    // Every placement is reached, and nothing else has a distance.
    let cells = pattern.grid().cells();
    let reached = plain.distance.iter().filter(|&&d| d != UNREACHED).count();
    assert_eq!(reached, (cells - pattern.len()..=cells).product::<usize>());

    // The table that ignores the blank has the least value over the blank's cells.
    let ignoring =
        PlainTable::generate(pattern, index.clone(), &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(PlainTable::bytes(index), ignoring.index().sets() * index.orders().len());
    let mut below = 0;
    for (tiles, distances) in plain.distance.chunks_exact(cells).enumerate() {
        let Some(least) = distances.iter().filter(|&&d| d != UNREACHED).min() else { continue };
        below += distances.iter().filter(|&&d| d != UNREACHED && d > *least).count();
        let blank = distances.iter().position(|&d| d != UNREACHED).unwrap();
        let placement = plain.placement(tiles * cells + blank);
        let state = index.state(&pattern, &plain.labels(&placement)[..cells]);
        assert_eq!(ignoring.value(state), u32::from(*least), "{pattern}: {placement:?}");
    }
    assert!(below > 0 || pattern.len() == 1, "{pattern}: somewhere the blank matters");

    // One bit a state of the index: no two zones share one, and none is left over.
    let seen: Vec<AtomicU64> =
        (0..index.states().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let number = |state: taquin_engine::pdb::State| {
        let cohort = index.cohort(index.set(state.mask), state.blank);
        (cohort, state.rank)
    };
    let levels = (0..plain.distance.len())
        .into_par_iter()
        .filter(|&code| plain.distance[code] != UNREACHED)
        .fold(Vec::new, |mut levels: Vec<u64>, code| {
            let distance = plain.distance[code];
            let placement = plain.placement(code);
            let labels = plain.labels(&placement);
            let labels = &labels[..cells];
            let state = table.state(labels);
            assert_eq!(table.residue(state), u32::from(distance % 4), "{pattern}: {labels:?}");
            if plain.is_first_of_zone(&placement) {
                levels.resize(levels.len().max(usize::from(distance) + 1), 0);
                levels[usize::from(distance)] += 1;
                let (cohort, rank) = number(state);
                let bit = cohort * index.orders().len() + rank;
                let before = seen[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
                assert_eq!(before >> (bit % 64) & 1, 0, "{pattern}: {labels:?} has no own entry");
            }
            if code % step == 0 {
                let value = table.value(state).unwrap();
                assert_eq!(value, u32::from(distance), "{pattern}: {labels:?}");
                for (next, cost) in plain.moves(&placement) {
                    let after = table.state(&plain.labels(&next)[..cells]);
                    // Consistent: by exactly 1, up or down, or not at all.
                    let change = table.value(after).unwrap().abs_diff(value);
                    assert_eq!(change, u32::from(cost), "{pattern}: {labels:?}");
                    let made =
                        if cost == 1 { table.after(state, next[0], placement[0]) } else { state };
                    assert_eq!(number(made), number(after), "{pattern}: {labels:?}");
                }
            }
            levels
        })
        .reduce(Vec::new, |mut sum, levels| {
            sum.resize(sum.len().max(levels.len()), 0);
            levels.iter().enumerate().for_each(|(level, count)| sum[level] += count);
            sum
        });
    assert_eq!(levels, generated(pattern).levels, "{pattern}");
    assert_eq!(levels.iter().sum::<u64>(), index.states(), "{pattern}");
}

/// Compares the tables of these patterns, each as blank's goal cell and tiles.
fn compare_all(grid: Grid, patterns: &[(usize, &[usize])], step: usize) {
    for (blank, tiles) in patterns {
        compare(Pattern::new(grid, *blank, tiles.iter().copied()).unwrap(), step);
    }
}

#[test]
fn four_and_five_tiles_on_4x4_state_by_state() {
    // Blanks in the middle, in a corner, at an edge; tiles around the blank, scattered, together.
    let patterns: [(usize, &[usize]); 9] = [
        (5, &[1, 4, 6, 9]),
        (0, &[3, 6, 9, 12]),
        (1, &[0, 2, 4, 5]),
        (15, &[10, 11, 13, 14]),
        (0, &[1, 4, 5, 6]),
        (4, &[7, 8, 12, 13]),
        (10, &[0, 3, 12, 15]),
        (6, &[2, 5, 7, 9, 10]),
        (2, &[0, 5, 10, 13, 15]),
    ];
    compare_all(grid(4, 4), &patterns[..rounds(3).min(patterns.len())], 101);
}

#[test]
fn patterns_of_other_boards_state_by_state() {
    // As many tiles as a pattern may have, too: three cells are left, one of them the blank's.
    compare_all(grid(2, 2), &[(0, &[1]), (3, &[0]), (2, &[1])], 1);
    compare_all(grid(3, 2), &[(0, &[1, 2, 3]), (1, &[0, 4]), (4, &[3]), (5, &[0, 2, 4])], 1);
    compare_all(grid(2, 3), &[(0, &[1, 2, 3]), (2, &[5])], 1);
    compare_all(grid(4, 2), &[(0, &[3, 4, 5, 6, 7]), (6, &[0, 1, 3])], 1);
    let patterns: [(usize, &[usize]); 6] = [
        (0, &[1, 2, 4, 5]),
        (0, &[3, 6, 7, 8]),
        (0, &[4]),
        (1, &[0, 2, 3, 8]),
        (4, &[1, 3]),
        (8, &[0, 1, 3, 6, 7]),
    ];
    compare_all(grid(3, 3), &patterns, 1);
    compare_all(grid(4, 3), &[(0, &[1, 2, 4, 5]), (5, &[1, 4, 6, 9]), (11, &[0, 3, 10])], 71);
    compare_all(grid(5, 3), &[(0, &[1, 2, 5, 6]), (7, &[2, 6, 8, 12]), (2, &[4, 10])], 231);
    compare_all(grid(3, 5), &[(0, &[1, 2, 3]), (7, &[4, 6, 10])], 31);
    compare_all(grid(5, 5), &[(0, &[1, 5, 6]), (12, &[7, 11, 24])], 171);
    if rounds(1) > 1 {
        compare_all(grid(5, 5), &[(0, &[4, 13, 19, 24])], 4999);
    }
}

fn verified(pattern: Pattern, bytes: impl Into<Bytes>, levels: &[u64]) -> Result<(), VerifyError> {
    let index = table(pattern).index().clone();
    verify(&Table::new(pattern, index, bytes), levels, &|_| ())
}

#[test]
fn verify_accepts_what_generate_builds() {
    let lists = [
        (grid(2, 2), 0, "1,"),
        (grid(3, 2), 0, "1,2,3/4,5"),
        (grid(3, 3), 0, "4-4"),
        (grid(3, 3), 4, "4-4"),
        (grid(3, 3), 1, "0,2,3,4,5,8"),
        (grid(4, 3), 5, "0,1,2/3,4,6,7,8,9,10"),
        (grid(4, 4), 0, "6-6-3"),
        (grid(4, 4), 6, "4-4-4-3"),
        (grid(5, 5), 12, "11,13,7,17/0,1,5/24,23,22,21,20"),
    ];
    for (grid, blank, list) in lists {
        let list = list.trim_end_matches(',');
        let patterns = match list.parse() {
            Ok(tile) => vec![Pattern::new(grid, blank, [tile]).unwrap()],
            Err(_) => Partition::parse(list, grid, blank).unwrap().patterns().to_vec(),
        };
        for pattern in patterns {
            let built = generated(pattern);
            let accepted = verified(pattern, built.bits, &built.levels);
            assert_eq!(accepted, Ok(()), "{grid} {pattern}");
        }
    }
}

/// Each fault is one that `verify` accepts without: what makes it refuse is the fault.
#[test]
fn verify_refuses_every_bit_flipped() {
    let patterns = [
        // Every bit of these, the padding's too.
        (Pattern::new(grid(2, 2), 0, [3]), usize::MAX),
        (Pattern::new(grid(3, 2), 1, [0, 2, 5]), usize::MAX),
        (Pattern::new(grid(3, 3), 0, [1, 5]), usize::MAX),
        (Pattern::new(grid(3, 3), 4, [0, 3, 7]), usize::MAX),
        // Some bits of these.
        (Pattern::new(grid(3, 3), 0, [1, 2, 4, 5]), rounds(100)),
        (Pattern::new(grid(4, 3), 0, [1, 2, 4, 5]), rounds(60)),
        (Pattern::new(grid(4, 4), 0, [1, 4, 5]), rounds(40)),
        (Pattern::new(grid(4, 4), 5, [1, 4, 6, 9]), rounds(10)),
    ];
    let (pool, mut random) = (pool(2), Random(1)); // The pool of all tests is busy with searches.
    for (pattern, flips) in patterns {
        let pattern = pattern.unwrap();
        let (built, table) = (generated(pattern), table(pattern));
        let mut bits = built.bits.as_ref().to_vec();
        let all = bits.len() * 8;
        let flips: Vec<usize> = if flips > all {
            (0..all).collect()
        } else {
            // The goal's own cohort and some of the row's last bits beside those drawn.
            let goal = table.index().goal(&pattern);
            let cohort = table.index().cohort(table.index().set(goal.mask), goal.blank);
            (0..table.index().orders().len())
                .map(|rank| rank * table.row_bytes() * 8 + cohort)
                .chain((table.row_bytes() * 8 - 64..table.row_bytes() * 8).step_by(every(9)))
                .chain((0..flips).map(|_| random.below(all)))
                .collect()
        };
        let mut padding = 0;
        for &flip in &flips {
            bits[flip / 8] ^= 1 << (flip % 8);
            let error = pool
                .install(|| verified(pattern, copy(&bits), &built.levels))
                .expect_err(&format!("{} {pattern}: bit {flip} flipped", pattern.grid()));
            let is_padding = flip % (table.row_bytes() * 8) >= table.index().cohorts();
            assert_eq!(error == VerifyError::Padding, is_padding, "{pattern}: bit {flip}: {error}");
            // The proof itself fails; it is not only that the levels count otherwise.
            let counted = matches!(error, VerifyError::Levels { .. });
            assert!(!counted, "{pattern}: bit {flip}: {error}");
            padding += usize::from(is_padding);
            bits[flip / 8] ^= 1 << (flip % 8);
        }
        assert!(padding > 0 || table.index().cohorts() % 64 == 0);
        assert_eq!(verified(pattern, copy(&bits), &built.levels), Ok(()));
    }
}

#[test]
fn verify_refuses_wrong_levels() {
    let pattern = Pattern::new(grid(3, 3), 0, [1, 2, 4, 5]).unwrap();
    let built = generated(pattern);
    let refused = |change: &dyn Fn(&mut Vec<u64>)| {
        let mut levels = built.levels.clone();
        change(&mut levels);
        verified(pattern, copy(built.bits.as_ref()), &levels).expect_err("the levels are wrong")
    };
    for level in 0..built.levels.len() {
        let found = built.levels[level];
        for claimed in [found + 1, found - 1, 0] {
            let error = refused(&|levels| levels[level] = claimed);
            assert_eq!(error, VerifyError::Levels { level, found, claimed });
        }
        // The sum stays right.
        let other = (level + 1) % built.levels.len();
        refused(&|levels| {
            levels[level] -= 1;
            levels[other] += 1;
        });
    }
    refused(&|levels| levels.push(1));
    refused(&|levels| levels.truncate(levels.len() - 1));
    refused(&Vec::clear);
    // Zeros claim nothing.
    let longer: Vec<u64> = built.levels.iter().copied().chain([0, 0]).collect();
    assert_eq!(verified(pattern, copy(built.bits.as_ref()), &longer), Ok(()));
}

/// A table that is whole, but another pattern's, or the same one's for another goal.
#[test]
fn verify_refuses_other_patterns_tables() {
    let pattern =
        |blank, tiles: &[usize]| Pattern::new(grid(3, 3), blank, tiles.iter().copied()).unwrap();
    let patterns = [
        pattern(0, &[1, 3, 4, 5]),
        pattern(0, &[1, 3, 4, 7]),
        pattern(6, &[1, 3, 4, 5]),
        pattern(8, &[1, 3, 4, 5]),
    ];
    for claimed in patterns {
        for found in patterns {
            let built = generated(found);
            let result = verified(claimed, copy(built.bits.as_ref()), &built.levels);
            // With the tiles in cells 1, 3, 4 and 5, cells 6 and 8 are in one zone, but not 0.
            let same =
                claimed.mask() == found.mask() && (claimed.blank() == 0) == (found.blank() == 0);
            assert_eq!(result.is_ok(), same, "{claimed:?}, but {found:?}");
            if same {
                assert_eq!(generated(claimed).bits.as_ref(), built.bits.as_ref());
            }
        }
    }
}

#[test]
fn a_table_has_exactly_its_bytes() {
    let pattern = Pattern::new(grid(3, 3), 0, [1, 2, 4]).unwrap();
    let table = table(pattern);
    let (index, bits) = (table.index(), table.bytes().as_slice().unwrap());
    assert_eq!(bits.len(), Table::length(index));
    for wrong in [&bits[1..], &bits[8..], &[], &[bits, &[0]].concat()] {
        catch_unwind(|| Table::new(pattern, index.clone(), copy(wrong))).unwrap_err();
    }
}

#[test]
fn any_number_of_threads_builds_the_same_bytes() {
    let patterns = [
        Pattern::new(grid(3, 2), 0, [1, 2, 3]),
        Pattern::new(grid(3, 3), 0, [1, 2, 4, 5]),
        Pattern::new(grid(4, 4), 5, [1, 4, 6, 9, 10]),
        Pattern::new(grid(4, 4), 0, [1, 2, 4, 5, 8, 9]),
        Pattern::new(grid(5, 3), 0, [1, 2, 5, 6, 7, 10]),
        Pattern::new(grid(5, 5), 0, [1, 5, 6, 10]),
    ];
    for pattern in patterns {
        let pattern = pattern.unwrap();
        let index = Index::new(pattern.grid(), pattern.len());
        let build = || {
            let mut reached = Vec::new();
            let built = generate(&index, &pattern, &Cancel::new(), &mut |progress| {
                reached.push(progress.reached)
            })
            .unwrap();
            (built.bits.as_ref().to_vec(), built.levels, reached)
        };
        let [one, two, three] = [1, 2, 3].map(|threads| on_threads(threads, build));
        assert_eq!(one.2.last(), Some(&index.states()), "{pattern}");
        assert!(one == two && one == three, "{} {pattern}", pattern.grid());
    }
}

/// The named partitions of these boards, for the goal with the blank first.
const CHECKED: [(usize, usize); 3] = [(3, 3), (4, 4), (5, 5)];

const CHECKSUMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pdb/CHECKSUMS");

/// Larger tables take ten seconds and 1.5 GB each: they are built where `ALL_CHECKSUMS` is set, and
/// their lines are taken as they are where it is not.
const LARGE: u64 = 2_000_000_000;

#[test]
fn checksums() {
    let update = env::var_os("UPDATE_CHECKSUMS").is_some();
    let all = update || env::var_os("ALL_CHECKSUMS").is_some();
    let listed = fs::read_to_string(CHECKSUMS).expect("pdb/CHECKSUMS is there");
    let mut built = String::from(
        "# xxh3-64 of the payload, file name. Written by the command that CONTRIBUTING.md gives.\n",
    );
    for (width, height) in CHECKED {
        let grid = grid(width, height);
        for name in Partition::names(grid) {
            let partition = Partition::parse(name, grid, 0).unwrap();
            for &pattern in partition.patterns() {
                let (index, file) =
                    (Index::new(grid, pattern.len()), pattern.file_name(Metric::Single));
                let line = listed.lines().find(|line| line.ends_with(&format!("  {file}")));
                if let Some(line) = line.filter(|_| index.states() > LARGE && !all) {
                    writeln!(built, "{line}").unwrap();
                    continue;
                }
                let hash = if index.states() > LARGE {
                    // Not from the store, so as not to keep gigabytes.
                    let table = generate(&index, &pattern, &Cancel::new(), &mut |_| ()).unwrap();
                    payload_hash(table.bits.as_ref())
                } else {
                    table(pattern).bytes().hash()
                };
                writeln!(built, "{hash:016x}  {file}").unwrap();
            }
        }
    }
    if update {
        return fs::write(CHECKSUMS, &built).unwrap();
    }
    println!("{built}");
    assert_eq!(
        built, listed,
        "pdb/CHECKSUMS lists other tables: see the top of tests/it/tables.rs"
    );
}
