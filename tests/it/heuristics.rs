//! Every heuristic of the library, and heuristics composed at run time, on positions with known distances.
//!
//! One check of some claims, [`Report`], runs on every position of small boards, on positions near the goal of larger
//! ones, on long random walks, and on boards with known optimal lengths. The claims are counted, not asserted on the
//! spot, so that the check itself can be tested: it must detect a sum that is not admissible, and other faulty
//! heuristics.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;

use rayon::prelude::*;
use taquin_classics::{
    Additions, ComposeError, Composed, Heuristic, Manhattan, PartitionTables, Spec, Term, Use,
    ida_star, names,
};
use taquin_engine::Cancel;
use taquin_engine::board::{Grid, Metric, Move, Position};
use taquin_engine::pdb::{Partition, PlainTable, State, Table};
use taquin_engine::search::{Deepening, Limits, Stop};

use crate::common::{
    Cases, Known, Random, engine, every, grid, moved, near, rounds, solve, tables,
};

/// A name, and the bounds of the heuristic.
type Entry = (String, Vec<Term>);

fn spec(text: &str) -> Entry {
    match text.parse() {
        Ok(Spec::Bound(terms)) => (text.to_owned(), terms),
        other => panic!("{text}: {other:?}"),
    }
}

fn specs(texts: &str) -> Vec<Entry> {
    texts.split(' ').map(spec).collect()
}

const MAX: &str = "max(walking-distance,linear-conflict)";

/// The heuristics without tables: those that have a name, every sum of additions, and a maximum.
fn without_tables() -> Vec<Entry> {
    let additions = [Additions::LINEAR_CONFLICT, Additions::CORNER_TILES, Additions::LAST_MOVE];
    let sum = |bits: u32| {
        let chosen = (0..3).filter(|i| bits >> i & 1 == 1).map(|i| additions[i]);
        let sum = chosen.fold(Additions::NONE, Additions::union);
        (format!("sum {bits:03b}"), vec![Term::Sum(sum)])
    };
    let named = |name: &str| match name.parse() {
        Ok(Spec::Bound(terms)) => Some((name.to_owned(), terms)),
        _ => None,
    };
    let names = names().filter_map(|(name, _)| named(name));
    names.chain((0..8).map(sum)).chain([spec(MAX)]).collect()
}

/// The tables of a partition that ignore the blank.
fn plain(partition: &str, grid: Grid, blank: usize) -> Arc<[PlainTable]> {
    let plain = |table: Table| {
        PlainTable::generate(table.pattern(), table.index().clone(), &Cancel::new(), &mut |_| ())
            .unwrap()
    };
    tables(partition, grid, blank).into_iter().map(plain).collect()
}

fn composed(
    terms: &[Term],
    grid: Grid,
    blank: usize,
) -> Result<Composed, ComposeError<Infallible>> {
    Composed::new(terms, grid, blank, |partition, without_blank| {
        Ok(match without_blank {
            true => PartitionTables::Plain(plain(partition, grid, blank)),
            false => PartitionTables::ZoneAware(tables(partition, grid, blank).into()),
        })
    })
}

/// The number of positions or moves that a heuristic failed at, by claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Report {
    /// Above the known bound on the optimal length.
    above: u32,
    /// The most by which it was above.
    worst: u32,
    /// Not of the parity of the optimal length.
    odd: u32,
    /// Moves that change the value by more than 1.
    jumps: u32,
    /// Moves that change it by an even number.
    even: u32,
    /// Positions whose value, carried there by moves, is not the value from scratch.
    drifted: u32,
}

/// Checks every `step`th position and all moves from it. The values after moves are computed from scratch at every
/// `fresh`th of them, as this costs tables a walk to the goal. The result has the sum of the values, too.
struct Check<'a> {
    grid: Grid,
    blank: usize,
    positions: &'a [Known],
    step: usize,
    fresh: usize,
}

impl Use<'_> for Check<'_> {
    type Output = (Report, u64);

    fn with(self, heuristic: impl Heuristic) -> (Report, u64) {
        let (mut report, mut sum) = (Report::default(), 0);
        let from_scratch = |labels: &[u8]| heuristic.value(&heuristic.start(labels));
        let empty = |labels: &[u8]| {
            labels.iter().position(|&label| usize::from(label) == self.blank).unwrap()
        };
        // What is carried to the positions from which the next ones are reached, the first of them by its number.
        let (mut carries, mut first) = (VecDeque::new(), 0);
        for (number, (labels, length, before)) in self.positions.iter().enumerate() {
            let to = empty(labels);
            let carry = match before {
                None => heuristic.start(labels),
                Some(before) => {
                    drop(carries.drain(..before - first));
                    first = *before;
                    heuristic.moved(&carries[0], labels, to, empty(&self.positions[first].0))
                }
            };
            carries.push_back(carry.clone());
            if !number.is_multiple_of(self.step) {
                continue;
            }
            let value = heuristic.value(&carry);
            sum += u64::from(value);
            report.above += u32::from(value > *length);
            report.worst = report.worst.max(value.saturating_sub(*length));
            report.odd += value.abs_diff(*length) % 2;
            report.drifted += u32::from(value != from_scratch(labels));
            for m in Move::ALL {
                let Some(next) = moved(self.grid, self.blank, labels, m) else { continue };
                let after = heuristic.value(&heuristic.moved(&carry, &next, empty(&next), to));
                let change = after.abs_diff(value);
                report.jumps += u32::from(change > 1);
                report.even += (change + 1) % 2;
                if number.is_multiple_of(self.step * self.fresh) {
                    report.drifted += u32::from(after != from_scratch(&next));
                }
            }
        }
        (report, sum)
    }
}

/// Whether a bound counts the moves of every tile.
fn has_all_tiles(term: &Term, grid: Grid, blank: usize) -> bool {
    let Term::Tables { partition, .. } = term else { return true };
    let partition = Partition::parse(partition, grid, blank).unwrap();
    let tiles: usize = partition.patterns().iter().map(|pattern| pattern.len()).sum();
    tiles + 1 == grid.cells()
}

/// Panics unless all claims hold for the heuristics that exist on the board. Returns the sums of their values.
fn check(
    specs: &[Entry],
    (grid, blank): (Grid, usize),
    positions: &[Known],
    step: usize,
) -> HashMap<String, u64> {
    let sums = specs.par_iter().filter_map(|(name, terms)| {
        let heuristic = match composed(terms, grid, blank) {
            Err(ComposeError::GridTooLarge(_)) => return None,
            heuristic => heuristic.unwrap(),
        };
        let has_tables = terms.iter().any(|term| matches!(term, Term::Tables { .. }));
        let fresh = if has_tables { 16 } else { 1 };
        let (report, sum) = heuristic.apply(Check { grid, blank, positions, step, fresh });
        let mut expected = Report::default();
        // Without some tiles, their moves are not counted, and the parity is not known.
        if !terms.iter().all(|term| has_all_tiles(term, grid, blank)) {
            (expected.odd, expected.even) = (report.odd, report.even);
        }
        // Heuristics are consistent unless a table ignores the blank.
        if terms.iter().any(|term| matches!(term, Term::Tables { plain: true, .. })) {
            expected.jumps = report.jumps;
        }
        assert_eq!(report, expected, "{grid}, {blank}: {name}");
        Some((name.clone(), sum))
    });
    sums.collect()
}

/// The positions of random walks of a hundred moves from the goal, none of which undoes the one before. The length of a
/// walk bounds the distance of its end.
fn walks(grid: Grid, blank: usize, walks: usize) -> Vec<Known> {
    let mut random = Random(walks as u64);
    let mut found: Vec<Known> = Vec::new();
    for _ in 0..walks {
        found.push(((0..grid.cells()).map(|label| label as u8).collect(), 0, None));
        let mut last: Option<Move> = None;
        for length in 1..=100 {
            let before = found.len() - 1;
            let (m, next) = loop {
                let m = Move::ALL[random.below(4)];
                if last != Some(m.opposite())
                    && let Some(next) = moved(grid, blank, &found[before].0, m)
                {
                    break (m, next);
                }
            };
            last = Some(m);
            found.push((next, length, Some(before)));
        }
    }
    found
}

/// Heuristics with tables for 3×3.
fn with_tables(blank: usize, lists: &str) -> Vec<Entry> {
    let mut specs = vec![format!("max({lists}:plain,manhattan,walking-distance)")];
    specs.push(format!("max({lists},last-move,3,5,corner-tiles+last-move,6/7:plain)"));
    // A goal at an edge has no mirror image.
    let mirrors = if blank == 1 { &[""][..] } else { &["", ":mirror"] };
    for mirror in mirrors {
        for tiles in [lists, "3,5/6,7", "2,8"] {
            specs.extend([format!("{tiles}{mirror}"), format!("{tiles}:plain{mirror}")]);
        }
    }
    if blank != 1 {
        specs.push(format!("max({lists}:plain:mirror,2,8:mirror,linear-conflict)"));
    }
    specs.iter().map(|text| spec(text)).collect()
}

/// Every position where the goal's blank is in a corner, a sample where tables are looked up or it is at an edge or in
/// the middle.
#[test]
fn positions_of_3x3_at_all_distances() {
    let size = grid(3, 3);
    let step = every(20);
    for (blank, lists) in [(0, "1,2,4,5/3,6,7,8"), (1, "0,2,3,4/5,6,7,8"), (4, "0,1,2,3/5,6,7,8")] {
        let space = near(size, blank, Metric::Single, u32::MAX, usize::MAX);
        assert_eq!(space.len(), 181_440);
        let all_or_some = if blank == 0 { 1 } else { step };
        let sums = check(&without_tables(), (size, blank), &space, all_or_some);
        // Each addition is worth something, and nothing is lost in the sum.
        for bits in 1..8u32 {
            for without in (0..3).map(|i| bits & !(1 << i)).filter(|&without| without != bits) {
                let (more, less) = (format!("sum {bits:03b}"), format!("sum {without:03b}"));
                assert!(sums[&more] > sums[&less], "blank {blank}: {more} and {less}");
            }
        }
        for (name, sum) in [("manhattan", "sum 000"), ("linear-conflict", "sum 001")] {
            assert_eq!(sums[name], sums[sum]);
        }
        assert!(sums[MAX] > sums["walking-distance"].max(sums["linear-conflict"]));
        if blank == 0 {
            // The program's signature: a change of these is a change of the bounds.
            let pinned = [
                ("manhattan", 2_540_160),
                ("linear-conflict", 2_743_200),
                ("corner-tiles", 2_688_000),
                ("last-move", 2_701_438),
                ("sum 111", 2_953_846),
                ("walking-distance", 2_845_584),
                (MAX, 2_908_120),
            ];
            assert_eq!(pinned.map(|(name, _)| (name, sums[name])), pinned);
        }
        let sums = check(&with_tables(blank, lists), (size, blank), &space, step);
        // Knowing the blank's zone is worth something, and so is a mirror.
        assert!(sums[lists] > sums[&format!("{lists}:plain")]);
        if blank != 1 {
            assert!(sums[&format!("{lists}:mirror")] > sums[lists]);
            assert!(sums[&format!("{lists}:plain:mirror")] > sums[&format!("{lists}:plain")]);
        }
    }
}

#[test]
fn positions_of_boards_two_or_three_wide() {
    // On boards this small, corners are next to corners and next to the blank's goal.
    for (w, h) in [(2, 2), (3, 2), (2, 3), (4, 2), (2, 4)] {
        for blank in 0..w * h {
            let space = near(grid(w, h), blank, Metric::Single, u32::MAX, usize::MAX);
            // Half of all permutations.
            assert_eq!(space.len(), (1..=w * h).product::<usize>() / 2);
            check(&without_tables(), (grid(w, h), blank), &space, every(5));
        }
    }
}

#[test]
fn positions_of_5x2_near_the_goal() {
    let count = rounds(50_000).min(1_814_400);
    let space = near(grid(5, 2), 2, Metric::Single, u32::MAX, count);
    assert!(space.len() >= count);
    let tables = "1,3,6,7,8/0,4,5,9 1,3,6,7,8/0,4,5,9:plain max(1,3:plain,walking-distance)";
    let specs = [without_tables(), specs(tables)].concat();
    check(&specs, (grid(5, 2), 2), &space, 37);
}

#[test]
fn positions_near_the_goal_of_larger_boards() {
    for (w, h, blanks) in [
        (2, 5, [0, 2, 4]),
        (3, 4, [0, 1, 4]),
        (4, 3, [0, 1, 5]),
        (4, 4, [0, 1, 5]),
        (5, 5, [0, 2, 12]),
    ] {
        for blank in blanks {
            let positions = near(grid(w, h), blank, Metric::Single, u32::MAX, rounds(4_000));
            check(&without_tables(), (grid(w, h), blank), &positions, 7);
        }
    }
}

#[test]
fn random_walks() {
    let tables = specs(
        "5-5-5:mirror 5-5-5:plain:mirror 6-6-3:plain 4-4-4-3:mirror \
         max(6-6-3:mirror,5-5-5:plain,walking-distance)",
    );
    // 4,000 positions of the 4×4 board for each class of goal, and fewer of other boards.
    for (w, h, blank, number) in [
        (4, 4, 0, 40),
        (4, 4, 1, 40),
        (4, 4, 5, 40),
        (3, 4, 0, 10),
        (4, 3, 1, 10),
        (5, 2, 0, 10),
        (5, 5, 0, 10),
        (6, 4, 8, 10),
        (16, 16, 17, 1),
        (128, 2, 60, 1),
        (2, 128, 255, 1),
    ] {
        let positions = walks(grid(w, h), blank, rounds(number));
        check(&without_tables(), (grid(w, h), blank), &positions, 1);
        if (w, h, blank) == (4, 4, 0) {
            check(&tables, (grid(w, h), blank), &positions, 1);
        }
    }
}

/// Sets of boards, and a sample of 4×3 that the fast search solves.
#[test]
fn boards_with_known_optimal_lengths() {
    let known =
        |(position, length): (&Position, usize)| (position.labels().to_vec(), length as u32, None);
    let tables = specs(
        "5-5-5:mirror 5-5-5:plain:mirror 6-6-3:mirror 6-6-3:plain 4-4-4-3:mirror 4-4-4-3:plain 7-8:mirror",
    );
    for (number, cases) in
        [Cases::korf(), Cases::antipodes(), Cases::hard(), Cases::hunted(), Cases::korf24()]
            .into_iter()
            .enumerate()
    {
        let of_set = cases.cases.iter().map(|case| known((&case.position, case.length)));
        let positions: Vec<Known> = of_set.collect();
        let size = cases.canonical.grid();
        let mut specs = without_tables();
        if size == grid(4, 4) {
            specs.extend_from_slice(&tables);
        }
        let sums = check(&specs, (size, 0), &positions, 1);
        if number == 0 {
            let pinned = [
                ("manhattan", 3705),
                ("linear-conflict", 3909),
                ("corner-tiles", 3783),
                ("last-move", 3819),
                ("sum 111", 4071),
                ("walking-distance", 3957),
                (MAX, 4017),
            ];
            assert_eq!(pinned.map(|(name, _)| (name, sums[name])), pinned);
        }
    }
    let (size, lists) = (grid(4, 3), "1,2,4,5,8,9/3,6,7,10,11");
    let engine = engine(&[lists], size, 0);
    let mut random = Random(4);
    let sample = (0..300).map(|_| random.position(size));
    let length = |position: &Position| solve(&engine, position).path.unwrap().len();
    let positions: Vec<Known> =
        sample.map(|position| known((&position, length(&position)))).collect();
    let tables = format!("{lists} {lists}:plain max({lists},last-move)");
    let specs = [without_tables(), specs(&tables)].concat();
    check(&specs, (size, 0), &positions, 1);
}

/// Covers larger patterns than the plain search of tables.rs can.
#[test]
fn what_ignores_the_blank_is_the_least_over_its_zones() {
    let size = grid(4, 4);
    for partition in ["6-6-3", "1,2,3,4,5,6,7"] {
        let plain = plain(partition, size, 0);
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
    let of = |text: &str| composed(&spec(text).1, size, 0).unwrap();
    let each = parts.map(of);
    let mut random = Random(9);
    for count in 2..=parts.len() {
        let all = of(&format!("max({})", parts[..count].join(",")));
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
    let korf = Cases::korf();
    let easy = korf.easiest(rounds(2));
    for text in [
        "linear-conflict",
        "walking-distance",
        "5-5-5:plain",
        "6-6-3:plain:mirror",
        "4-4-4-3",
        "max(5-5-5,6-6-3:plain:mirror,last-move)",
    ] {
        let heuristic = composed(&spec(text).1, size, 0).unwrap();
        let solve = |position: &Position, limits: Limits| {
            heuristic.ida(position).unwrap().run(&limits).unwrap()
        };
        for (case, _) in &easy {
            korf.check(case, &solve(&case.position, Limits::default()));
        }
        let cut = solve(&korf.cases[87].position, Limits::default().nodes(10_000));
        assert_eq!((&cut.path, cut.stopped), (&None, Some(Stop::Nodes)), "{text}");
        assert!((cut.lower_bound() as usize) < korf.cases[87].length);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let many: Vec<String> = (1..15).map(|tile| format!("{tile},{}:mirror", tile + 1)).collect();
    let many = format!("max({})", many.join(","));
    for (text, size, blank, message) in [
        ("walking-distance", grid(5, 5), 0, "too large a table"),
        ("1,2:mirror", grid(4, 3), 0, "1,2:mirror has no mirror here"),
        ("5-5-5:mirror", grid(4, 4), 1, "leave :mirror out"),
        (&many, grid(4, 4), 0, "at most 16"),
    ] {
        let refused = composed(&spec(text).1, size, blank).expect_err(text).to_string();
        assert!(refused.contains(message), "{refused}");
    }
}

/// Boards on which a sum is above the distance that a program which claims to be optimal used: walking
/// distance, and 2 for each pair of tiles in conflict. Walking distance accounts for conflicts already,
/// and three tiles in reverse order are three pairs, but only two must step aside.
#[test]
fn boards_on_which_conflicts_are_easily_counted_twice() {
    for (grid, labels, optimal) in [
        // The worst on 3×3: every line reversed, 12 above.
        (grid(3, 3), &[8, 7, 6, 5, 4, 3, 2, 1, 0][..], 28),
        // Near the goal of the 4×4 board.
        (grid(4, 4), &[4, 9, 1, 3, 0, 5, 2, 7, 8, 10, 6, 11, 12, 13, 14, 15][..], 9),
        (grid(4, 4), &[8, 5, 0, 2, 6, 7, 4, 3, 9, 1, 10, 11, 12, 13, 14, 15][..], 18),
    ] {
        let position = Position::new(grid, 0, labels).unwrap();
        let plain = ida_star(&position, &Manhattan::new(grid, 0), &Limits::default());
        assert_eq!(plain.path.unwrap().len(), optimal);
        check(&without_tables(), (grid, 0), &[(labels.to_vec(), optimal as u32, None)], 1);
    }
}

/// Manhattan distance with a fault, which a move keeps or computes again.
struct Faulty {
    manhattan: Manhattan,
    fault: fn(u32, &[u8]) -> i32,
    kept: bool,
}

impl Heuristic for Faulty {
    type Carry = (u16, i32);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let state = self.manhattan.start(labels);
        (state, (self.fault)(self.manhattan.value(&state), labels))
    }

    fn moved(&self, state: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let moved = self.manhattan.moved(&state.0, labels, from, to);
        let fault = (self.fault)(self.manhattan.value(&moved), labels);
        (moved, if self.kept { state.1 } else { fault })
    }

    fn value(&self, state: &Self::Carry) -> u32 {
        self.manhattan.value(&state.0).saturating_add_signed(state.1)
    }
}

#[test]
fn each_claim_can_fail() {
    let size = grid(3, 2);
    for positions in [near(size, 0, Metric::Single, u32::MAX, usize::MAX), walks(size, 0, 100)] {
        let check = |fault, kept| {
            let faulty = Faulty { manhattan: Manhattan::new(size, 0), fault, kept };
            Check { grid: size, blank: 0, positions: &positions, step: 1, fresh: 1 }.with(&faulty).0
        };
        let clean = Report::default();
        assert_eq!(check(|_, _| 0, false), clean);
        // Always 2 more.
        let report = check(|_, _| 2, false);
        assert!(report.above > 0);
        assert_eq!(report, Report { above: report.above, worst: 2, ..clean });
        // Always 1 less.
        let report = check(|h, _| -i32::from(h > 0), false);
        assert!(report.odd > 0 && report.even > 0);
        assert_eq!((report.above, report.drifted), (0, 0));
        // 2 less where a certain tile is in a certain cell.
        let less = |h, labels: &[u8]| if h > 1 && labels[1] == 5 { -2 } else { 0 };
        let report = check(less, false);
        assert!(report.jumps > 0);
        assert_eq!(report, Report { jumps: report.jumps, ..clean });
        // The same, but found only at the start.
        let report = check(less, true);
        assert!(report.drifted > 0);
        assert_eq!(report, Report { drifted: report.drifted, ..clean });
    }
}
