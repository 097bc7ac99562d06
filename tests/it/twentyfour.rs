//! The 24-puzzle: published node counts, answers that depend on nothing but the board, searches
//! that go on where they were cut short.
//!
//! A slow test is left to `cargo test --release --test it twentyfour:: -- --ignored`.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::common::{
    Case, Cases, Random, end, every, grid, later_children, on_threads, rounds, solve, solve_with,
    table, tables_of,
};
use crate::pieces::{goes_on, solve_after_limit};
use taquin_classics::{Additive, Heuristic, Max, ida_star};
use taquin_engine::board::{Board, Goal, Metric, Move, Moves, Position};
use taquin_engine::pdb::{Partition, Pattern, Table};
use taquin_engine::search::{Engine, Learned, Limits, Outcome};

/// Korf & Felner's board with this number.
fn case(boards: &Cases, number: usize) -> &Case {
    let start = format!("{number} ");
    boards.cases.iter().find(|case| case.line.starts_with(&start)).unwrap()
}

/// Clausecker & Reinefeld's small catalogue, whose first partition is Korf & Felner's.
fn small() -> [Partition; 7] {
    Partition::catalogue("small", grid(5, 5)).unwrap().try_into().unwrap()
}

/// An engine that looks up all patterns of a shape in one table.
fn engine(partitions: &[Partition]) -> Engine {
    let patterns = partitions.iter().flat_map(|partition| partition.patterns());
    let shapes: BTreeSet<Pattern> = patterns.map(|pattern| pattern.representative()).collect();
    let tables: Vec<Table> = shapes.into_iter().map(table).collect();
    Engine::new(partitions, tables)
}

/// Korf & Felner's partition, and its mirror image.
fn first() -> Engine {
    engine(&small()[..1])
}

/// Two partitions, of three shapes together.
fn two() -> Engine {
    let [a, _, _, _, b, ..] = small();
    engine(&[a, b])
}

/// A partition and its mirror image for `ida_star`, with a table of its own for each pattern.
fn mirrored(partition: &Partition) -> Max<Additive, Additive> {
    Max::mirrored(tables_of(partition))
}

/// The cell below or above, as far from the middle row.
fn flipped(cell: usize) -> usize {
    (4 - cell / 5) * 5 + cell % 5
}

/// Labels and cells flipped, top to bottom.
fn flipped_labels(labels: &[u8]) -> [u8; 25] {
    std::array::from_fn(|cell| flipped(labels[flipped(cell)].into()) as u8)
}

/// A heuristic for positions that are upside down. On these the order in which [`ida_star`] tries
/// the moves is Down, Right, Left, Up, which is the order of published node counts.
struct UpsideDown<H>(H);

impl<H: Heuristic> Heuristic for UpsideDown<H> {
    type Carry = H::Carry;

    fn start(&self, labels: &[u8]) -> H::Carry {
        self.0.start(&flipped_labels(labels))
    }

    fn moved(&self, carry: &H::Carry, labels: &[u8], from: usize, to: usize) -> H::Carry {
        self.0.moved(carry, &flipped_labels(labels), flipped(from), flipped(to))
    }

    fn value(&self, carry: &H::Carry) -> u32 {
        self.0.value(carry)
    }
}

/// The outcome that an engine without the move automaton must have, by `ida_star`.
fn reference<H: Heuristic>(heuristic: &UpsideDown<H>, position: &Position) -> Outcome {
    assert!(!position.is_symmetric(), "half of its first moves are enough");
    let labels = flipped_labels(position.labels());
    let upside_down = Position::new(grid(5, 5), flipped(0), &labels).unwrap();
    let mut outcome = ida_star(&upside_down, heuristic, &Limits::default());
    let path = outcome.path.expect("it is solvable");
    outcome.generated += later_children(&upside_down, &path);
    let back = path.iter().map(|m| match m {
        Move::Up | Move::Down => m.opposite(),
        m => m,
    });
    outcome.path = Some(Moves(back.collect()));
    outcome
}

/// Clausecker & Reinefeld's expansions with Korf & Felner's partition and its mirror.
#[test]
fn published_expansions_with_one_partition() {
    let engine = first().without_automaton();
    let boards = Cases::korf24();
    for (number, expanded) in [(38, 13_407_785), (40, 19_497_302)].into_iter().take(rounds(1)) {
        let case = case(&boards, number);
        let outcome = solve_with(&engine, &case.position, &[0, 1], &Limits::default()).unwrap();
        boards.check(case, &outcome);
        assert_eq!(outcome.expanded, expanded, "board {number}");
    }
}

/// Their expansions with all seven partitions of the small catalogue, by `ida_star`: an engine has
/// at most four views at a node.
#[test]
#[ignore = "a table for each pattern, and a slow search: a minute or two"]
fn published_expansions_with_seven_partitions_in_full() {
    let [a, b, c, d, e, f, g] = small().each_ref().map(mirrored);
    let all = UpsideDown(Max(a, Max(b, Max(c, Max(d, Max(e, Max(f, g)))))));
    let boards = Cases::korf24();
    for (number, expanded) in [(38, 3_450_832), (40, 8_296_164)] {
        let case = case(&boards, number);
        let outcome = reference(&all, &case.position);
        println!("board {number}: {} expanded", outcome.expanded);
        boards.check(case, &outcome);
        assert_eq!(outcome.expanded, expanded, "board {number}");
    }
}

/// The solutions that `scripts/korf24` has recorded lead to the goal, and have the published lengths.
#[cfg(feature = "serde")]
#[test]
fn recorded_solutions_are_replayed() {
    let boards = Cases::korf24();
    let mut solved = BTreeSet::new();
    for line in include_str!("../data/korf24.jsonl").lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = record["number"].as_u64().unwrap() as usize;
        assert!(solved.insert(number), "{line}");
        let case = case(&boards, number);
        let moves: Moves = record["moves"].as_str().unwrap().parse().unwrap();
        assert_eq!((moves.len(), &record["length"]), (case.length, &moves.len().into()), "{line}");
        assert_eq!(case.board.after(&moves).as_ref(), Ok(boards.goal.board()), "{line}");
    }
    assert!(solved.into_iter().eq(1..=50));
}

/// An engine without the move automaton has the path, the bound and the nodes of `ida_star` with
/// the maximum of the tables: with one partition, and with two in four views.
#[test]
fn the_reference_has_the_same_nodes() {
    let goal = Position::goal(grid(5, 5), 0);
    let mut random = Random(24);
    let mut positions = vec![goal.clone()];
    positions.extend((40..80).step_by(every(6)).map(|moves| random.walk(&goal, moves)));
    let compare = |engine: Engine, heuristic: &dyn Fn(&Position) -> Outcome| {
        let engine = engine.without_automaton();
        let (mut nodes, mut moves) = (0, 0);
        for position in positions.iter().filter(|position| !position.is_symmetric()) {
            let fast = solve(&engine, position);
            // The reference searches the board upside down, and proves the bound of that one.
            let parts = |outcome: &Outcome| {
                let Outcome { path, generated, expanded, stopped, .. } = outcome;
                (path.clone(), outcome.lower_bound(), *generated, *expanded, *stopped)
            };
            assert_eq!(parts(&fast), parts(&heuristic(position)), "{position:?}");
            nodes += fast.expanded;
            moves = moves.max(fast.lower_bound());
        }
        println!("{} boards, up to {moves} moves, {nodes} nodes", positions.len());
        assert!(nodes > 100_000);
    };
    let [a, _, _, _, b, ..] = small();
    let one = UpsideDown(mirrored(&a));
    compare(first(), &|position| reference(&one, position));
    let both = UpsideDown(Max(mirrored(&a), mirrored(&b)));
    compare(two().combined(), &|position| reference(&both, position));
}

/// With the automaton too a solution is optimal. It may be another one, as the automaton leaves out
/// moves by an order of its own.
#[test]
fn the_automaton_saves_nodes() {
    let (with, without) = (first(), first().without_automaton());
    let goal = Position::goal(grid(5, 5), 0);
    let mut random = Random(25);
    let positions: Vec<_> = (0..rounds(4)).map(|_| random.walk(&goal, 90)).collect();
    let others = positions.par_iter().filter(|position| {
        let [with, without] = [&with, &without].map(|engine| solve(engine, position));
        assert_eq!(with.lower_bound(), without.lower_bound());
        let path = with.path.as_ref().unwrap();
        assert_eq!(path.len(), with.lower_bound() as usize);
        assert!(end(position, path).is_goal());
        with.path != without.path
    });
    println!("another solution: {} of {}", others.count(), positions.len());
}

/// Large iterations are best-first: the numbers of nodes are those of this order.
fn on_one_and_two_threads(number: usize, nodes: (u64, u64)) {
    let (engine, cases) = (two(), Cases::korf24());
    let case = case(&cases, number);
    let [one, two] = [1, 2].map(|threads| on_threads(threads, || solve(&engine, &case.position)));
    cases.check(case, &one);
    assert_eq!((one.generated, one.expanded), nodes, "board {number}");
    assert_eq!(one, two);
}

#[test]
fn answers_do_not_depend_on_threads() {
    on_one_and_two_threads(40, (18_476_126, 8_067_398));
}

#[test]
#[ignore = "repeats the test before for another board"]
fn answers_do_not_depend_on_threads_in_full() {
    on_one_and_two_threads(38, (72_673_623, 34_407_788));
}

/// Levels of some 10,000 positions are divided among threads.
#[test]
fn beams_do_not_depend_on_threads() {
    let engine = two();
    let boards = Cases::korf24();
    let Case { position, length, .. } = case(&boards, 38);
    let weights = Learned::new(position.grid(), position.goal_blank(), Metric::Single);
    // Learned weights lead it to a shorter solution.
    for (learned, longest) in [(None, length + 20), (Some(&weights), length + 4)] {
        let limits = Limits::default();
        let beam =
            || engine.beam(position, 10_000.into(), usize::MAX, learned, &limits).unwrap().unwrap();
        let path = on_threads(1, beam);
        assert!(end(position, &path).is_goal());
        assert!((*length..=longest).contains(&path.len()), "{}", path.len());
        assert_eq!(path, on_threads(2, beam));
    }
}

/// Solutions of deep boards are shorter than the upper bounds of the catalogue that has the boards.
#[test]
fn solutions_of_deep_boards_are_shorter_than_published_bounds() {
    let grid = grid(5, 5);
    let goal = Goal::named("blank-last", grid).unwrap();
    let lines = include_str!("../data/deep24.txt").lines().filter(|line| !line.starts_with('#'));
    let check = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [bound, tiles @ .., moves] = &words[..] else { panic!("{line}") };
        let tiles: Vec<u8> = tiles.iter().map(|tile| tile.parse().unwrap()).collect();
        let moves: Moves = moves.parse().unwrap();
        let end = Board::new(grid, &tiles).unwrap().after(&moves).unwrap();
        assert_eq!(&end, goal.board(), "{line}");
        assert!(moves.len() < bound.parse().unwrap(), "{line}");
    };
    assert_eq!(lines.map(check).count(), 15);
}

/// Interrupted again and again, a search comes to the same answer with the same nodes and subtrees.
#[test]
fn a_search_goes_on_where_it_was_cut_short() {
    let engine = first();
    let boards = Cases::korf24();
    let case = case(&boards, 40);
    boards.check(case, &goes_on(&engine, &case.position, 3000));
}

/// Where a node limit leaves too few nodes for a choice of views, the choice comes after it. Trials, which are due
/// after a million nodes here, keep to the limit.
#[test]
fn a_node_limit_skips_no_choice() {
    let engine = two();
    let boards = Cases::korf24();
    let position = &case(&boards, 40).position;
    let whole = solve(&engine, position);
    for nodes in [1_130_000, 1_500_000, 2_000_000].into_iter().take(rounds(1)) {
        assert_eq!(solve_after_limit(&engine, position, nodes), whole, "{nodes}");
    }
}
