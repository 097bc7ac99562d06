//! Heuristics by name, composed at run time: the [`Composed`] heuristic of a [`Spec`].
//!
//! - Values never exceed the optimal length, and have its parity: for positions of 3×3, samples of
//!   5×2 and 4×3, 100,000 positions of random walks on 4×4, and the boards with known lengths.
//! - Heuristics are consistent unless a table ignores the blank. Then a move of a tile may change
//!   the value by more than 1, but always by an odd number.
//! - The value that is carried along is that of the position, for each composition.
//! - The value of a maximum is the largest value of its parts.
//! - Searches guided by composed heuristics find optimal solutions and keep their limits.

use std::convert::Infallible;
use std::sync::Arc;

use crate::common::{self, Cases, Random, STANDARD, Space, engine, grid, moved, tables};
use rayon::prelude::*;
use taquin_engine::Cancel;
use taquin_engine::board::{Grid, Move, Position};
use taquin_engine::pdb::{Partition, PlainTable, State, Table};
use taquin_engine::search::{Limits, Stop};
use taquin_reference::{Composed, Heuristic, Named, PartitionTables, Spec, Term, Use};

/// The tables of a partition that ignore the blank.
fn plain(partition: &str, grid: Grid, blank: usize) -> Arc<[PlainTable]> {
    let plain = |table: Table| {
        PlainTable::generate(table.pattern(), table.index().clone(), &Cancel::new(), |_| ())
            .unwrap()
    };
    tables(partition, grid, blank).into_iter().map(plain).collect()
}

fn bounds(spec: &str) -> Vec<Term> {
    match spec.parse() {
        Ok(Spec::Bound(bounds)) => bounds,
        other => panic!("{spec}: {other:?}"),
    }
}

fn composed(spec: &str, grid: Grid, blank: usize) -> Composed {
    let built = |partition: &str, without_blank| {
        Ok::<_, Infallible>(match without_blank {
            true => PartitionTables::Plain(plain(partition, grid, blank)),
            false => PartitionTables::ZoneAware(tables(partition, grid, blank).into()),
        })
    };
    Composed::new(&bounds(spec), grid, blank, built).unwrap()
}

/// The names of bounds without tables.
fn names() -> impl Iterator<Item = String> {
    Named::ALL.iter().map(Named::to_string)
}

/// The claims about a heuristic, counted over positions with a known bound on their distances.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    above: u32,
    odd: u32,
    /// Moves that change the value by more than 1.
    jumps: u32,
    /// Moves that change it by an even number.
    even: u32,
    /// Moves after which the value carried along is not that of the position.
    drifted: u32,
    sum: u64,
}

/// Checks positions, and all moves from them.
struct Check<'a> {
    grid: Grid,
    blank: usize,
    positions: &'a mut dyn Iterator<Item = (Vec<u8>, u32)>,
}

impl Use for Check<'_> {
    type Output = Report;

    fn with<H: Heuristic>(self, heuristic: &H) -> Report {
        let mut report = Report::default();
        for (number, (labels, length)) in self.positions.enumerate() {
            let state = heuristic.start(&labels);
            let value = heuristic.value(&state);
            report.sum += u64::from(value);
            report.above += u32::from(value > length);
            report.odd += (value + length) % 2;
            let empty = labels.iter().position(|&l| usize::from(l) == self.blank).unwrap();
            for m in Move::ALL {
                let Some(next) = moved(self.grid, self.blank, &labels, m) else { continue };
                let from = self.grid.source(empty, m).unwrap();
                let after = heuristic.value(&heuristic.moved(&state, &next, from, empty));
                let change = after.abs_diff(value);
                report.jumps += u32::from(change > 1);
                report.even += (change + 1) % 2;
                // A value computed from scratch costs a walk to the goal of each table.
                if number.is_multiple_of(16) {
                    report.drifted += u32::from(after != heuristic.value(&heuristic.start(&next)));
                }
            }
        }
        report
    }
}

/// Whether a bound counts the moves of every tile.
fn has_all_tiles(term: &Term, grid: Grid, blank: usize) -> bool {
    let Term::Tables { partition, .. } = term else { return true };
    let partition = Partition::parse(partition, grid, blank).unwrap();
    let tiles: usize = partition.patterns().iter().map(|pattern| pattern.len()).sum();
    tiles + 1 == grid.cells()
}

/// Panics unless all claims hold; returns the sum of the values.
fn check(
    spec: &str,
    (grid, blank): (Grid, usize),
    positions: &mut dyn Iterator<Item = (Vec<u8>, u32)>,
) -> u64 {
    let report = composed(spec, grid, blank).apply(Check { grid, blank, positions });
    let Report { sum, jumps, mut odd, mut even, .. } = report;
    // Without some tiles, their moves are not counted, and the parity is not known.
    if bounds(spec).iter().all(|term| has_all_tiles(term, grid, blank)) {
        (odd, even) = (0, 0);
    }
    let expected = Report { sum, jumps, odd, even, ..Report::default() };
    assert_eq!(report, expected, "{grid}, {blank}: {spec}");
    assert!(jumps == 0 || spec.contains("plain"), "{grid}, {blank}: {spec} is not consistent");
    sum
}

/// Every position for the goal with its blank in a corner, a fifth of them for others.
#[test]
fn positions_of_3x3() {
    let size = grid(3, 3);
    for (blank, step) in [(0, 1), (1, 5), (4, 5)] {
        let space = Space::of(size, blank);
        let sum = |spec: &str| {
            let position = |i| {
                let labels = space.labels(i);
                let distance = space.distance(&labels).into();
                (labels, distance)
            };
            check(spec, (size, blank), &mut (0..space.len()).step_by(step).map(position))
        };
        let mut specs: Vec<String> = names().collect();
        let lists = match blank {
            0 => "1,2,4,5/3,6,7,8",
            1 => "0,2,3,4/5,6,7,8",
            _ => "0,1,2,3/5,6,7,8",
        };
        let mut plain = vec![lists.to_owned(), "3,5/6,7".to_owned(), "2,8".to_owned()];
        if blank != 1 {
            plain.extend(plain.clone().iter().map(|lists| format!("{lists}:mirror")));
        }
        specs.extend(plain.iter().cloned());
        specs.extend(plain.iter().map(|lists| lists.replace(":mirror", "") + ":plain"));
        specs.push("manhattan+linear-conflict+corner-tiles+last-move".to_owned());
        specs.push("max(walking-distance,linear-conflict)".to_owned());
        specs.push(format!("max({lists}:plain,manhattan,walking-distance)"));
        specs.push(format!("max({lists},last-move,3,5,corner-tiles+last-move,6/7:plain)"));
        if blank != 1 {
            specs.push(format!("{lists}:plain:mirror"));
            specs.push(format!("max({lists}:plain:mirror,2,8:mirror,linear-conflict)"));
        }
        let sums: Vec<u64> = specs.par_iter().map(|spec| sum(spec)).collect();
        let of = |spec: &str| sums[specs.iter().position(|s| s == spec).unwrap()];
        // Knowing the blank's zone is worth something, and so is a mirror.
        assert!(of(lists) > of(&format!("{lists}:plain")));
        if blank != 1 {
            assert!(of(&format!("{lists}:mirror")) > of(lists));
            assert!(of(&format!("{lists}:plain:mirror")) > of(&format!("{lists}:plain")));
        }
    }
}

#[test]
fn positions_of_5x2_and_4x3() {
    let space = Space::of(grid(5, 2), 2);
    let specs = ["1,3,6,7,8/0,4,5,9", "1,3,6,7,8/0,4,5,9:plain", "max(1,3:plain,walking-distance)"];
    specs.into_par_iter().for_each(|spec| {
        let position = |i| (space.labels(i), space.distance(&space.labels(i)).into());
        check(spec, (space.grid, 2), &mut (0..space.len()).step_by(37).map(position));
    });
    let size = grid(4, 3);
    let lists = "1,2,4,5,8,9/3,6,7,10,11";
    let engine = engine(&[lists], size, 0);
    let mut random = Random(4);
    let positions: Vec<(Vec<u8>, u32)> = (0..300)
        .map(|_| {
            let position = random.position(size);
            let outcome = engine.solve(&position, &Limits::default()).unwrap();
            (position.labels().to_vec(), outcome.path.unwrap().len() as u32)
        })
        .collect();
    let tables = [lists.to_owned(), format!("{lists}:plain"), format!("max({lists},last-move)")];
    for spec in names().chain(tables) {
        check(&spec, (size, 0), &mut positions.iter().cloned());
    }
}

/// The length of a walk bounds the distance of its end from the goal.
#[test]
fn random_walks_on_4x4() {
    let size = grid(4, 4);
    let specs = [
        "5-5-5:mirror",
        "5-5-5:plain:mirror",
        "6-6-3:plain",
        "4-4-4-3:mirror",
        "max(6-6-3:mirror,5-5-5:plain,walking-distance)",
        "manhattan+linear-conflict+corner-tiles+last-move",
        "max(walking-distance,linear-conflict)",
    ];
    specs.into_par_iter().for_each(|spec| {
        let mut random = Random(6);
        let mut labels: Vec<u8> = (0..16).collect();
        let mut last = None;
        let mut length = 0;
        let walk = std::iter::from_fn(|| {
            if length == 100 {
                (labels, last, length) = ((0..16).collect(), None, 0);
            }
            loop {
                let m = Move::ALL[random.below(4)];
                if last == Some(m.opposite()) {
                    continue;
                }
                if let Some(next) = moved(size, 0, &labels, m) {
                    (labels, last, length) = (next, Some(m), length + 1);
                    return Some((labels.clone(), length));
                }
            }
        });
        check(spec, (size, 0), &mut walk.take(100_000));
    });
}

#[test]
fn boards_with_known_lengths() {
    let specs =
        ["5-5-5:plain:mirror", "6-6-3:mirror", "6-6-3:plain", "4-4-4-3:plain", "7-8:mirror"];
    for spec in specs.map(str::to_owned).into_iter().chain(names()) {
        let mut positions = Vec::new();
        for cases in [Cases::korf(), Cases::antipodes(), Cases::hard(), Cases::hunted()] {
            let position =
                |case: &common::Case| (case.position.labels().to_vec(), case.length as u32);
            positions.extend(cases.cases.iter().map(position));
        }
        check(&spec, (grid(4, 4), 0), &mut positions.into_iter());
    }
}

/// Covers larger patterns than the plain search of tables.rs can.
#[test]
fn what_ignores_the_blank_is_the_least_over_its_zones() {
    let size = grid(4, 4);
    for partition in ["6-6-3", "1,2,3,4,5,6,7"] {
        let plain = plain(partition, size, 0);
        let patterns = Partition::parse(partition, size, 0).unwrap();
        assert_eq!(plain.len(), patterns.patterns().len());
        let mut random = Random(8);
        for (table, plain) in tables(partition, size, 0).iter().zip(plain.iter()) {
            let mut below = 0;
            for _ in 0..2000 {
                let state = table.state(random.position(size).labels());
                let free = (0..16).filter(|&cell| state.mask & 1 << cell == 0);
                let values: Vec<u32> =
                    free.map(|blank| table.value(State { blank, ..state }).unwrap()).collect();
                let least = *values.iter().min().unwrap();
                assert_eq!(plain.value(state), least, "{partition}: {state:?}");
                below += u32::from(values.iter().any(|&value| value > least));
            }
            assert!(below > 0, "{partition}");
        }
    }
}

#[test]
fn a_maximum_is_that_of_its_parts() {
    let size = grid(4, 4);
    let parts =
        ["manhattan+last-move", "walking-distance", "5-5-5", "4-4-4-3:plain", "6-6-3:mirror"];
    let each = parts.map(|spec| composed(spec, size, 0));
    let mut random = Random(9);
    for count in 2..=parts.len() {
        let all = composed(&format!("max({})", parts[..count].join(",")), size, 0);
        for _ in 0..500 {
            let position = random.position(size);
            let labels = position.labels();
            let largest = each[..count].iter().map(|part| part.value(labels).unwrap()).max();
            assert_eq!(all.value(labels).ok(), largest);
        }
    }
}

#[test]
fn searches_are_optimal_and_keep_their_limits() {
    let size = grid(4, 4);
    let engine = engine(&[STANDARD], size, 0);
    let korf = Cases::korf();
    let mut easy: Vec<&common::Case> = korf.cases.iter().collect();
    let solve =
        |case: &&common::Case| engine.solve(&case.position, &Limits::default()).unwrap().generated;
    easy.sort_by_key(solve);
    for spec in [
        "linear-conflict",
        "walking-distance",
        "5-5-5:plain",
        "6-6-3:plain:mirror",
        "4-4-4-3",
        "max(5-5-5,6-6-3:plain:mirror,last-move)",
    ] {
        let heuristic = composed(spec, size, 0);
        let solve = |position: &Position, limits: Limits| {
            heuristic.ida(position, |search| search.run(&limits)).unwrap().unwrap()
        };
        for case in &easy[..6] {
            korf.check(case, &solve(&case.position, Limits::default()));
        }
        let cut = solve(&korf.cases[87].position, Limits::default().nodes(10_000));
        assert_eq!((&cut.path, cut.stopped), (&None, Some(Stop::Nodes)), "{spec}");
        assert!((cut.lower_bound() as usize) < korf.cases[87].length);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |spec: &str, size: Grid, blank: usize| {
        let composed = Composed::new(&bounds(spec), size, blank, |_, _| Err("no tables"));
        composed.expect_err(spec).to_string()
    };
    assert!(refused("walking-distance", grid(5, 5), 0).contains("too large a table"));
    assert!(refused("1,2:mirror", grid(4, 3), 0).contains("1,2:mirror has no mirror here"));
    assert!(refused("5-5-5:mirror", grid(4, 4), 1).contains("leave :mirror out"));
    let many: Vec<String> = (1..15).map(|tile| format!("{tile},{}:mirror", tile + 1)).collect();
    assert!(refused(&format!("max({})", many.join(",")), grid(4, 4), 0).contains("at most 16"));
}
