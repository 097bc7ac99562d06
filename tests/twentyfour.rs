//! The 24-puzzle: published node counts, answers that depend on nothing but the board, searches
//! that go on where they were cut short.
//!
//! Boards that cost more than seconds are for `cargo test --release --test twentyfour -- --ignored`.

mod common;

use std::collections::BTreeSet;
use std::sync::Mutex;

use common::{Static, grid, on_threads, table};
use taquin::board::{Board, Canonical, Goal};
use taquin::pdb::{Partition, Pattern};
use taquin::search::{Catalogue, Control, Journal, Outcome, Packet, Saved, Stage};

/// Korf & Felner's board with this number: its optimal length and its labels.
fn board(number: usize) -> (usize, Vec<u8>) {
    let start = format!("{number} ");
    let line = include_str!("../src/cli/commands/bench/sets/korf24.txt")
        .lines()
        .find(|line| line.starts_with(&start));
    let numbers: Vec<usize> =
        line.unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    // For the blank-first goal, a tile's number is its label.
    (numbers[1], numbers[2..].iter().map(|&tile| tile as u8).collect())
}

fn catalogue(partitions: &[Partition]) -> Catalogue<&'static [u8]> {
    let patterns = partitions.iter().flat_map(|partition| partition.patterns());
    let shapes: BTreeSet<Pattern> = patterns.map(|pattern| pattern.representative()).collect();
    let tables: Vec<Static> = shapes.into_iter().map(table).collect();
    Catalogue::new(partitions, tables).unwrap()
}

/// Korf & Felner's partition, and its mirror image.
fn first() -> Catalogue<&'static [u8]> {
    catalogue(&Partition::catalogue("small", grid(5, 5)).unwrap()[..1])
}

/// Two partitions, of three shapes together.
fn two() -> Catalogue<&'static [u8]> {
    let small = Partition::catalogue("small", grid(5, 5)).unwrap();
    catalogue(&[small[0].clone(), small[4].clone()])
}

/// Panics unless this is an optimal solution.
fn check(number: usize, outcome: &Outcome) {
    let (length, labels) = board(number);
    let goal = Goal::named("blank-first", grid(5, 5)).unwrap();
    let path = Canonical::of(&goal).path_back(outcome.path.as_ref().expect("it is solvable"));
    assert_eq!((path.len(), outcome.lower_bound as usize), (length, length), "board {number}");
    let start = Board::new(grid(5, 5), &labels).unwrap();
    assert_eq!(start.after(&path).as_ref(), Ok(goal.board()), "board {number}");
}

/// Clausecker & Reinefeld's expansions with Korf & Felner's partition and its mirror.
#[test]
fn published_expansions_with_one_partition() {
    let solver = first().without_automaton();
    for (number, expanded) in [(38, 13_407_785), (40, 19_497_302)] {
        let outcome = solver.solve_with(&board(number).1, &[0, 1], &Control::default()).unwrap();
        check(number, &outcome);
        assert_eq!(outcome.expanded, expanded, "board {number}");
    }
}

/// The same with all seven partitions of their small catalogue, by the plain search.
#[test]
#[ignore = "eleven tables and a slow search: half a minute"]
fn published_expansions_with_seven_partitions() {
    let solver = catalogue(&Partition::catalogue("small", grid(5, 5)).unwrap());
    assert_eq!(solver.views(), 14);
    let solver = solver.without_automaton();
    for (number, expanded) in [(38, 3_450_832), (40, 8_296_164)] {
        let outcome = solver.solve_plainly(&board(number).1, &Control::default()).unwrap();
        check(number, &outcome);
        assert_eq!(outcome.expanded, expanded, "board {number}");
    }
}

/// Lanes and recursion agree, node by node, with any views.
#[test]
fn the_plain_search_has_the_same_nodes() {
    let solver = first();
    let (_, labels) = board(40);
    let limit = Control::default().with_nodes(2_000_000);
    let plain = solver.solve_plainly(&labels, &limit).unwrap();
    let fast = solver.solve_with(&labels, &[0, 1], &limit).unwrap();
    assert_eq!(plain.lower_bound, fast.lower_bound);
    assert!(plain.path.is_none() && fast.path.is_none() && plain.lower_bound > 76);
}

/// Trials of other views, which are due after a million nodes here, count like any.
#[test]
fn trials_keep_to_the_node_limit() {
    let (_, labels) = board(40);
    for limit in [1_130_000, 1_200_000, 1_500_000] {
        let control = Control::default().with_nodes(limit);
        let outcome = two().solve(&labels, &control, &()).unwrap();
        assert!(outcome.path.is_none());
        assert!((1_000_000..=limit + 10_000).contains(&outcome.generated), "{outcome:?}");
    }
}

#[test]
fn answers_do_not_depend_on_threads() {
    let solver = two();
    for number in [38, 40] {
        let (_, labels) = board(number);
        let solve = || solver.solve(&labels, &Control::default(), &()).unwrap();
        let outcome = on_threads(1, solve);
        check(number, &outcome);
        assert_eq!(outcome, on_threads(2, solve), "board {number}");
    }
}

/// Keeps what a search has finished, and stops it after so many packets.
struct Keeper<'a> {
    saved: Mutex<Saved>,
    left: Mutex<usize>,
    control: &'a Control,
}

impl Journal for Keeper<'_> {
    fn begins(&self, stage: &Stage, packets: usize) {
        let mut saved = self.saved.lock().unwrap();
        assert!(packets > 0 || stage.bound > 0);
        if saved.stage != *stage {
            *saved = Saved::new(stage.clone());
        }
    }

    fn finished(&self, packet: Packet) {
        self.saved.lock().unwrap().add(packet);
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.control.stop();
        }
    }
}

/// Stopped again and again, through text and back, a search comes to the same answer with the
/// same nodes and packets.
#[test]
fn a_search_goes_on_where_it_was_cut_short() {
    let solver = first();
    let (_, labels) = board(40);
    let run = |mut saved: Option<Saved>, packets: usize, threads: usize| loop {
        let control = Control::default();
        let keeper = Keeper {
            saved: Mutex::new(saved.clone().unwrap_or_default()),
            left: Mutex::new(packets),
            control: &control,
        };
        let outcome = on_threads(threads, || match saved.clone() {
            None => solver.solve(&labels, &control, &keeper),
            Some(saved) => solver.resume(&labels, saved, &control, &keeper),
        });
        let outcome = outcome.unwrap();
        let kept = keeper.saved.into_inner().unwrap();
        if outcome.path.is_some() {
            return (outcome, kept.packets());
        }
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.len() < 1_000_000);
        saved = Some(serde_json::from_str(&text).unwrap());
    };
    let (whole, packets) = run(None, usize::MAX, 2);
    check(40, &whole);
    for threads in [1, 2] {
        assert_eq!(run(None, 3000, threads), (whole.clone(), packets));
    }
}

/// What fits no search is refused.
#[test]
fn nonsense_is_refused() {
    let solver = first();
    let (_, labels) = board(40);
    for views in [vec![], vec![2], vec![0; 5]] {
        let saved = Saved::new(Stage { views, bound: 80, ..Stage::default() });
        assert!(solver.resume(&labels, saved, &Control::default(), &()).is_err());
    }
    let small = Partition::catalogue("small", grid(5, 5)).unwrap();
    let error = |partitions: &[Partition], tables: Vec<Static>| {
        Catalogue::new(partitions, tables).err().unwrap().to_string()
    };
    let one = table(small[0].patterns()[1]);
    assert!(error(&small[..1], vec![one]).contains("no table for the pattern 1,5,6,10,11,12"));
    let part = Partition::new(small[0].patterns()[..3].to_vec()).unwrap();
    let one = table(small[0].patterns()[1]);
    assert!(error(&[part], vec![one]).contains("does not hold every tile"));
    assert!(error(&[], Vec::new()).contains("needs a partition"));
}
