//! Tests of every heuristic that needs no database, on positions with known distances.
//!
//! One check of five claims, [`Report`], runs on every position of small boards, on positions near
//! the goal of larger ones, on long random walks, and on boards with known optimal lengths. The
//! claims are counted, not asserted on the spot, so that the check itself can be tested: it must
//! detect a sum that is not admissible, and other faulty heuristics.

use std::collections::HashMap;
use std::fmt::Debug;

use taquin_engine::board::{Board, Canonical, Goal, Grid, Position};
use taquin_engine::search::Limits;
use taquin_reference::{
    Additions, EnhancedManhattan, Heuristic, LinearConflict, Manhattan, Max, Misplaced,
    WalkingDistance, ida_star,
};

fn grid(w: usize, h: usize) -> Grid {
    Grid::new(w, h).unwrap()
}

fn goal(grid: Grid) -> Vec<u8> {
    (0..=(grid.cells() - 1) as u8).collect()
}

/// Evaluates a block for each heuristic of the family that the grid allows, by name.
macro_rules! each_heuristic {
    ($grid:expr, $blank:expr, |$name:ident, $heuristic:ident| $block:block) => {{
        let (grid, blank): (Grid, usize) = ($grid, $blank);
        macro_rules! with {
            ($n:expr, $h:expr) => {{
                let ($name, $heuristic): (&str, _) = ($n, &$h);
                $block
            }};
        }
        with!("misplaced", Misplaced::new(grid, blank));
        with!("manhattan", Manhattan::new(grid, blank));
        with!("linear-conflict", LinearConflict::new(grid, blank));
        for bits in 0..8 {
            let additions = additions(bits);
            let name = format!("enhanced {bits:03b}");
            with!(&name, EnhancedManhattan::new(grid, blank, additions));
        }
        if let Ok(walking) = WalkingDistance::new(grid, blank) {
            with!("walking-distance", walking.clone());
            with!("max", Max(walking, LinearConflict::new(grid, blank)));
        }
    }};
}

fn additions(bits: u32) -> Additions {
    let all = [Additions::LINEAR_CONFLICT, Additions::CORNER_TILES, Additions::LAST_MOVE];
    let chosen = (0..3).zip(all).filter(|(i, _)| bits >> i & 1 == 1);
    chosen.fold(Additions::NONE, |sum, (_, addition)| sum.union(addition))
}

/// How many positions or moves a heuristic failed at, by claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Report {
    /// Above the known bound on the optimal length.
    above: u32,
    /// The most by which it was above.
    worst: u32,
    /// Not of the parity of the optimal length.
    odd: u32,
    /// Moves that change the value by anything but 1.
    inconsistent: u32,
    /// Moves after which the carried value is not that of the new position.
    drifted: u32,
}

impl Report {
    const CLEAN: Report = Report { above: 0, worst: 0, odd: 0, inconsistent: 0, drifted: 0 };

    /// The value of a position of which a solution of `length` moves is known.
    fn value(&mut self, value: u32, length: u32) {
        if value > length {
            self.above += 1;
            self.worst = self.worst.max(value - length);
        }
        self.odd += u32::from(!value.abs_diff(length).is_multiple_of(2));
    }

    /// One move.
    fn edge<H: Heuristic>(
        &mut self,
        heuristic: &H,
        state: &H::Carry,
        labels: &[u8],
        from: usize,
        to: usize,
    ) -> H::Carry
    where
        H::Carry: PartialEq,
    {
        let moved = heuristic.moved(state, labels, from, to);
        let change = heuristic.value(state).abs_diff(heuristic.value(&moved));
        self.inconsistent += u32::from(change != 1);
        self.drifted += u32::from(moved != heuristic.start(labels));
        moved
    }
}

/// Positions with their exact distances from the goal, nearest first.
struct Space {
    grid: Grid,
    blank: usize,
    labels: Vec<u8>,
    distance: Vec<u32>,
}

impl Space {
    /// Breadth-first search from the goal, to the end or until there are `limit` positions.
    fn around_goal(grid: Grid, blank: usize, limit: usize) -> Space {
        let pack = |labels: &[u8]| labels.iter().fold(0u128, |key, &l| key << 5 | u128::from(l));
        let cells = grid.cells();
        assert!(cells <= 25);
        let mut space = Space { grid, blank, labels: goal(grid), distance: vec![0] };
        let mut seen = HashMap::from([(pack(&space.labels), ())]);
        let mut done = 0;
        while done < space.distance.len() && space.distance.len() < limit {
            let mut labels = space.labels[done * cells..][..cells].to_vec();
            let empty = labels.iter().position(|&l| usize::from(l) == blank).unwrap();
            for from in grid.neighbours(empty) {
                labels.swap(from, empty);
                if seen.insert(pack(&labels), ()).is_none() {
                    space.labels.extend_from_slice(&labels);
                    space.distance.push(space.distance[done] + 1);
                }
                labels.swap(from, empty);
            }
            done += 1;
        }
        space
    }

    fn positions(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.labels.chunks_exact(self.grid.cells()).zip(self.distance.iter().copied())
    }

    /// Checks every `step`th position and all moves from it; returns the sum of the values too.
    fn check<H: Heuristic>(&self, heuristic: &H, step: usize) -> (Report, u64)
    where
        H::Carry: PartialEq,
    {
        let mut report = Report::default();
        let mut sum = 0;
        for (position, distance) in self.positions().step_by(step) {
            let state = heuristic.start(position);
            let value = heuristic.value(&state);
            sum += u64::from(value);
            report.value(value, distance);
            let mut labels = position.to_vec();
            let empty = labels.iter().position(|&l| usize::from(l) == self.blank).unwrap();
            for from in self.grid.neighbours(empty) {
                labels.swap(from, empty);
                report.edge(heuristic, &state, &labels, from, empty);
                labels.swap(from, empty);
            }
        }
        (report, sum)
    }
}

/// splitmix64: the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) as usize % n
    }
}

/// Checks the positions of `walks` random walks of `length` moves from the goal. No move undoes the
/// one before. The length of a walk bounds the distance of its end from the goal.
fn walk<H: Heuristic>(
    (grid, blank): (Grid, usize),
    heuristic: &H,
    walks: usize,
    length: u32,
) -> Report
where
    H::Carry: PartialEq,
{
    let mut random = Random(walks as u64);
    let mut report = Report::default();
    for _ in 0..walks {
        let mut labels = goal(grid);
        let mut state = heuristic.start(&labels);
        let (mut empty, mut before) = (blank, blank);
        for moves in 1..=length {
            let next: Vec<usize> = grid.neighbours(empty).filter(|&c| c != before).collect();
            let from = next[random.below(next.len())];
            labels.swap(from, empty);
            state = report.edge(heuristic, &state, &labels, from, empty);
            report.value(heuristic.value(&state), moves);
            (empty, before) = (from, empty);
        }
    }
    report
}

/// The lines of a data file as numbers, without its comments.
fn numbers(text: &str) -> Vec<Vec<usize>> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().map(|number| number.parse().unwrap()).collect())
        .collect()
}

/// Korf's 100 boards: their optimal lengths, and the labels for the goal with the blank first.
fn korf() -> Vec<(usize, Vec<u8>)> {
    let boards = numbers(include_str!("../../src/lab/sets/korf100.txt"));
    assert_eq!(boards.len(), 100);
    boards.iter().map(|b| (b[1], b[2..].iter().map(|&tile| tile as u8).collect())).collect()
}

#[test]
fn every_position_of_3x3() {
    // The goal's blank in a corner, at an edge, in the middle.
    for blank in [0, 1, 4] {
        let space = Space::around_goal(grid(3, 3), blank, usize::MAX);
        assert_eq!(space.distance.len(), 181_440);
        let mut sums = HashMap::new();
        each_heuristic!(grid(3, 3), blank, |name, heuristic| {
            let (report, sum) = space.check(heuristic, 1);
            assert_eq!(report, Report::CLEAN, "{name}, blank {blank}");
            println!("blank {blank}, {name}: average {:.3}", sum as f64 / 181_440.0);
            sums.insert(name.to_owned(), sum);
        });
        // Each addition is worth something, and nothing is lost in the sum.
        for bits in 1..8u32 {
            for without in (0..3).map(|i| bits & !(1 << i)).filter(|&without| without != bits) {
                let (more, less) =
                    (format!("enhanced {bits:03b}"), format!("enhanced {without:03b}"));
                assert!(sums[&more] > sums[&less], "blank {blank}: {more} and {less}");
            }
        }
        for (name, enhanced) in [("manhattan", 0), ("linear-conflict", 1)] {
            assert_eq!(sums[name], sums[&format!("enhanced {enhanced:03b}")], "{name}");
        }
        assert!(sums["max"] > sums["walking-distance"].max(sums["linear-conflict"]));
        if blank == 0 {
            // The program's signature: a change of these is a change of the bounds.
            let pinned = [
                ("manhattan", 2_540_160),
                ("linear-conflict", 2_743_200),
                ("enhanced 010", 2_688_000),
                ("enhanced 100", 2_701_438),
                ("enhanced 111", 2_953_846),
                ("walking-distance", 2_845_584),
                ("max", 2_908_120),
            ];
            assert_eq!(pinned.map(|(name, _)| (name, sums[name])), pinned);
        }
    }
}

#[test]
fn every_position_of_boards_two_or_three_wide() {
    // On boards this small, corners are next to corners and next to the blank's goal.
    for (w, h) in [(2, 2), (3, 2), (2, 3), (4, 2), (2, 4)] {
        for blank in 0..w * h {
            let space = Space::around_goal(grid(w, h), blank, usize::MAX);
            // Half of all permutations.
            assert_eq!(space.distance.len(), (1..=w * h).product::<usize>() / 2);
            each_heuristic!(grid(w, h), blank, |name, heuristic| {
                assert_eq!(space.check(heuristic, 1).0, Report::CLEAN, "{w}x{h}, {blank}: {name}");
            });
        }
    }
}

#[test]
fn positions_of_5x2_at_all_distances() {
    let space = Space::around_goal(grid(5, 2), 2, usize::MAX);
    assert_eq!(space.distance.len(), 1_814_400);
    each_heuristic!(grid(5, 2), 2, |name, heuristic| {
        assert_eq!(space.check(heuristic, 41).0, Report::CLEAN, "{name}");
    });
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
            let space = Space::around_goal(grid(w, h), blank, 20_000);
            each_heuristic!(grid(w, h), blank, |name, heuristic| {
                assert_eq!(space.check(heuristic, 7).0, Report::CLEAN, "{w}x{h}, {blank}: {name}");
            });
        }
    }
}

#[test]
fn random_walks() {
    // 100,000 positions of the 4×4 board for each class of goal, and fewer of other boards.
    for (w, h, blank, walks) in [
        (4, 4, 0, 1_000),
        (4, 4, 1, 1_000),
        (4, 4, 5, 1_000),
        (3, 4, 0, 300),
        (4, 3, 1, 300),
        (5, 2, 0, 300),
        (5, 5, 0, 100),
        (6, 4, 8, 100),
        (16, 16, 17, 2),
        (128, 2, 60, 1),
        (2, 128, 255, 1),
    ] {
        each_heuristic!(grid(w, h), blank, |name, heuristic| {
            let report = walk((grid(w, h), blank), heuristic, walks, 100);
            assert_eq!(report, Report::CLEAN, "{w}x{h}, blank {blank}: {name}");
        });
    }
}

#[test]
fn boards_with_known_optimal_lengths() {
    let mut sums = HashMap::new();
    each_heuristic!(grid(4, 4), 0, |name, heuristic| {
        let mut report = Report::default();
        let mut sum = 0;
        for (length, labels) in korf() {
            let value = heuristic.value(&heuristic.start(&labels));
            report.value(value, length as u32);
            sum += value;
        }
        assert_eq!(report, Report::CLEAN, "{name}");
        println!("{name}: average {:.2}", f64::from(sum) / 100.0);
        sums.insert(name.to_owned(), sum);
    });
    let pinned = [
        ("manhattan", 3705),
        ("linear-conflict", 3909),
        ("enhanced 010", 3783),
        ("enhanced 100", 3819),
        ("enhanced 111", 4071),
        ("walking-distance", 3957),
        ("max", 4017),
    ];
    assert_eq!(pinned.map(|(name, _)| (name, sums[name])), pinned);
}

/// The antipodes, the boards that are hard for tables, and the 24-puzzles.
#[test]
fn more_boards_with_known_optimal_lengths() {
    let sets = [
        (include_str!("../../src/lab/sets/antipodes80.txt"), "blank-last", 2),
        (include_str!("../../src/lab/sets/hard15.txt"), "blank-last", 3),
        (include_str!("../../src/lab/sets/korf24.txt"), "blank-first", 2),
    ];
    for (text, goal, first) in sets {
        for line in numbers(text) {
            let tiles: Vec<u8> = line[first..].iter().map(|&tile| tile as u8).collect();
            let grid = Grid::square(tiles.len()).unwrap();
            let canonical = Canonical::of(&Goal::named(goal, grid).unwrap());
            let position = canonical.position(&Board::new(grid, &tiles).unwrap()).unwrap();
            let labels = position.labels();
            each_heuristic!(canonical.grid(), canonical.goal_blank(), |name, heuristic| {
                let mut report = Report::default();
                report.value(heuristic.value(&heuristic.start(labels)), line[1] as u32);
                assert_eq!(report, Report::CLEAN, "{name}: {line:?}");
            });
        }
    }
}

/// A sum that is not admissible, though a program that claims to be optimal used it: walking
/// distance, and 2 for each pair of tiles in conflict. Walking distance accounts for conflicts
/// already, and three tiles in reverse order are three pairs, but only two must step aside.
struct Pairs {
    grid: Grid,
    blank: usize,
    walking: WalkingDistance,
}

impl Pairs {
    fn new(grid: Grid, blank: usize) -> Pairs {
        Pairs { grid, blank, walking: WalkingDistance::new(grid, blank).unwrap() }
    }
}

impl Heuristic for Pairs {
    type Carry = u32;

    fn start(&self, labels: &[u8]) -> u32 {
        let mut pairs = 0;
        for line in [Grid::row, Grid::column] {
            for (a, &t) in labels.iter().enumerate() {
                for (b, &u) in labels.iter().enumerate().skip(a + 1) {
                    let (t, u) = (usize::from(t), usize::from(u));
                    let lines = [a, b, t, u].map(|cell| line(self.grid, cell));
                    let tiles = t != self.blank && u != self.blank;
                    pairs += u32::from(tiles && t > u && lines == [lines[0]; 4]);
                }
            }
        }
        self.walking.value(&self.walking.start(labels)) + 2 * pairs
    }

    fn moved(&self, _: &u32, labels: &[u8], _: usize, _: usize) -> u32 {
        self.start(labels)
    }

    fn value(&self, state: &u32) -> u32 {
        *state
    }
}

#[test]
fn walking_distance_and_pairs_overestimate() {
    let space = Space::around_goal(grid(3, 3), 0, usize::MAX);
    let (report, _) = space.check(&Pairs::new(grid(3, 3), 0), 1);
    assert_eq!((report.above, report.worst), (1_457, 12));
    assert!(report.inconsistent > 0);
    assert_eq!((report.odd, report.drifted), (0, 0));
}

#[test]
fn boards_on_which_pairs_overestimate_and_ours_do_not() {
    for (grid, labels, optimal, pairs) in [
        // The worst on 3×3: every line reversed, 12 above.
        (grid(3, 3), &[8, 7, 6, 5, 4, 3, 2, 1, 0][..], 28, 40),
        // Near the goal of the 4×4 board.
        (grid(4, 4), &[4, 9, 1, 3, 0, 5, 2, 7, 8, 10, 6, 11, 12, 13, 14, 15][..], 9, 11),
        (grid(4, 4), &[8, 5, 0, 2, 6, 7, 4, 3, 9, 1, 10, 11, 12, 13, 14, 15][..], 18, 24),
    ] {
        let manhattan = Manhattan::new(grid, 0);
        let position = Position::new(grid, 0, labels).unwrap();
        let solution = ida_star(&position, &manhattan, &Limits::default()).path.unwrap();
        assert_eq!(solution.len(), optimal);
        assert_eq!(Pairs::new(grid, 0).start(labels), pairs);
        each_heuristic!(grid, 0, |name, heuristic| {
            assert!(heuristic.value(&heuristic.start(labels)) <= optimal as u32, "{name}");
        });
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
    let grid = grid(3, 2);
    let space = Space::around_goal(grid, 0, usize::MAX);
    let check = |fault, kept| {
        let faulty = Faulty { manhattan: Manhattan::new(grid, 0), fault, kept };
        (space.check(&faulty, 1).0, walk((grid, 0), &faulty, 100, 20))
    };
    assert_eq!(check(|_, _| 0, false), (Report::CLEAN, Report::CLEAN));
    // Always 2 more.
    for report in <[Report; 2]>::from(check(|_, _| 2, false)) {
        assert!(report.above > 0);
        assert_eq!(report, Report { above: report.above, worst: 2, ..Report::CLEAN });
    }
    // Always 1 less.
    for report in <[Report; 2]>::from(check(|h, _| -i32::from(h > 0), false)) {
        assert!(report.odd > 0 && report.inconsistent > 0);
        assert_eq!((report.above, report.drifted), (0, 0));
    }
    // 2 less where a certain tile is in a certain cell.
    let less = |h, labels: &[u8]| if h > 1 && labels[1] == 5 { -2 } else { 0 };
    for report in <[Report; 2]>::from(check(less, false)) {
        assert!(report.inconsistent > 0);
        assert_eq!(report, Report { inconsistent: report.inconsistent, ..Report::CLEAN });
    }
    // The same, but found only at the start.
    for report in <[Report; 2]>::from(check(less, true)) {
        assert!(report.drifted > 0);
        assert_eq!(report, Report { drifted: report.drifted, ..Report::CLEAN });
    }
}
