//! Input that no engine can search with: impossible records, partitions and tables that do not fit,
//! positions of other goals, and tables that are damaged, each of which is named.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{
    self, Random, STANDARD, copy, end, engine, grid, partition, rounds, solve, solve_with,
    streamed, tables,
};
use taquin_engine::board::{Grid, Move, Position};
use taquin_engine::pdb::{BrokenTable, Partition, Pattern, Table};
use taquin_engine::search::{
    Deepening, Engine, Finished, LaneEnd, Limits, Outcome, Record, SearchError, Threshold, is_view,
};

/// The answer of an engine from a record on.
fn resume(engine: &Engine, position: &Position, record: Record) -> Result<Outcome, SearchError> {
    Ok(engine.resume(position, record)?.run(&Limits::default())?)
}

/// A record at a threshold of 20, with one view.
fn at_twenty() -> Record {
    Record::new(Threshold { bound: 20, views: vec![0], ..Threshold::default() })
}

/// Records that are not of a search with the engine are refused, and no table is blamed for them.
#[test]
fn impossible_records_are_refused() {
    for (name, size) in
        [("4-4", grid(3, 3)), ("1,2,4/3,6/5,7,8", grid(3, 3)), (STANDARD, grid(4, 4))]
    {
        let engine = engine(&[name], size, 0);
        let position = Random(7).position(size);
        let bound = engine.value(&position).unwrap();
        let start = Threshold { bound, views: vec![0, 1], ..Threshold::default() };
        let resume =
            |threshold: &Threshold| resume(&engine, &position, Record::new(threshold.clone()));
        // One that is possible gives the answer.
        assert_eq!(resume(&start), Ok(solve(&engine, &position)));
        let later = resume(&Threshold { bound: bound + 2, ..start.clone() }).unwrap();
        assert!(later.path.is_some() && later.lower_bound() >= bound + 2);
        let other = |change: fn(&mut Threshold)| {
            let mut threshold = start.clone();
            change(&mut threshold);
            threshold
        };
        for threshold in [
            other(|t| t.bound = 0),
            // Less than the position's value, and thresholds of the other parity.
            other(|t| t.bound -= 2),
            other(|t| t.bound -= 1),
            other(|t| t.bound += 1),
            other(|t| t.bound = 256),
            other(|t| t.bound = 257),
            other(|t| t.bound = u32::MAX),
            other(|t| t.views = vec![]),
            other(|t| t.views = vec![2]),
            other(|t| t.views = vec![0, usize::MAX]),
            other(|t| t.views = vec![0, 1, 0, 1, 0]),
            other(|t| t.trials = u32::MAX),
            other(|t| t.generated = u64::MAX),
            other(|t| t.expanded = u64::MAX),
            other(|t| t.subtrees = u64::MAX),
            other(|t| t.history = vec![(2, u64::MAX), (4, u64::MAX)]),
        ] {
            assert_eq!(resume(&threshold), Err(SearchError::Record), "{threshold:?}");
        }
        let subtree = Finished { number: usize::MAX, generated: 0, expanded: 0, solution: None };
        let record = Record::new(start);
        for record in [
            Record { row: usize::MAX, ..record.clone() },
            Record { generated: u64::MAX, ..record.clone() },
            Record { expanded: u64::MAX, ..record.clone() },
            Record { beyond: vec![subtree.clone()], ..record.clone() },
            Record {
                beyond: vec![Finished { number: 1, expanded: u64::MAX, ..subtree }],
                ..record
            },
        ] {
            let resumed = self::resume(&engine, &position, record.clone());
            assert_eq!(resumed, Err(SearchError::Record), "{record:?}");
        }
    }
}

#[test]
fn partitions_and_tables_that_make_no_engine() {
    let (three, four) = (grid(3, 3), grid(4, 4));
    let refused = |partitions: &[Partition], tables: Vec<Table>| {
        let made = catch_unwind(AssertUnwindSafe(|| Engine::new(partitions, tables)));
        let message = made.err().expect("these make no engine");
        *message.downcast::<String>().expect("the message names the partition or the pattern")
    };
    let of = |name: &str, grid: Grid, blank: usize| {
        (partition(name, grid, blank), tables(name, grid, blank))
    };
    // Tiles in no pattern, too many patterns, a pattern too large for more than two.
    for (name, size) in [
        ("1,2,3,4/5,6,7", three),
        ("1,2,3,4,5,6", three),
        ("1,2/3,4/5/6/7,8", three),
        ("1,2,3,4,5,6,7,8/9,10,11,12/13,14,15", four),
    ] {
        let partition = partition(name, size, 0);
        assert!(!is_view(&partition), "{name}");
        let error = refused(std::slice::from_ref(&partition), Vec::new());
        assert!(error.contains(&format!("partition {partition} is not for this search")));
    }
    // A table of another goal does not do, nor that of another pattern.
    let (pair, whole) = of("4-4", three, 0);
    assert!(is_view(&pair));
    let [first, second] = [0, 1].map(|i| pair.patterns()[i]);
    for (given, missing) in [
        (Vec::new(), first),
        (tables("4-4", three, 0)[..1].iter().map(|t| common::table(t.pattern())).collect(), second),
        (tables("4-4", three, 8), first),
        (tables("1,2,3,4/5,6,7,8", three, 0), first),
    ] {
        let error = refused(std::slice::from_ref(&pair), given);
        assert_eq!(error, format!("there is no table for the pattern {missing}"));
    }
    // Other goals, other pattern sizes, other boards.
    let all = |others: Vec<Table>| {
        let whole = whole.iter().map(|table| common::table(table.pattern()));
        whole.chain(others).collect::<Vec<_>>()
    };
    for (name, size, blank) in [
        ("4-4", three, 8),
        ("1,2,3/4,5,6,7,8", three, 0),
        ("1,2,3,4,5/6,7,8", three, 0),
        ("1,2,4/3,6/5,7,8", three, 0),
        ("1,2,3/4,5,6,7", grid(4, 2), 0),
    ] {
        let (other, others) = of(name, size, blank);
        let error = refused(&[pair.clone(), other.clone()], all(others));
        assert!(error.contains(&format!("partition {other} has another goal")), "{name}");
    }
    // A pattern of eight tiles beside three patterns.
    let (six, mut both) = of("6-6-3", four, 0);
    let (standard, others) = of(STANDARD, four, 0);
    both.extend(others);
    let copy = || both.iter().map(|table| common::table(table.pattern())).collect::<Vec<_>>();
    let error = refused(&[six.clone(), standard.clone()], copy());
    assert!(error.contains(&format!("partition {standard} has another goal")));
    // Tables that no partition needs do no harm.
    let position = Random(8).position(four);
    let engine = Engine::new(&[six], copy());
    assert_eq!(engine.tables().len(), 5);
    assert_eq!(solve(&engine, &position), solve(&self::engine(&["6-6-3"], four, 0), &position));
}

/// A position of another goal is refused before anything is looked up.
#[test]
fn a_position_of_another_goal_is_refused() {
    let engine = engine(&["4-4"], grid(3, 3), 0);
    let limits = Limits::default();
    let mut next = Position::goal(grid(3, 3), 8);
    next.make(Move::Down);
    for position in [next, Position::goal(grid(4, 4), 0), Position::goal(grid(3, 2), 0)] {
        let refuses = |search: &dyn Fn()| catch_unwind(AssertUnwindSafe(search)).is_err();
        assert!(refuses(&|| drop(engine.value(&position))));
        assert!(refuses(&|| drop(engine.solve(&position, &limits))));
        assert!(refuses(&|| drop(solve_with(&engine, &position, &[0], &limits))));
        assert!(refuses(&|| drop(resume(&engine, &position, at_twenty()))));
        assert!(refuses(&|| drop(streamed(&engine, [(position.clone(), limits.clone())]))));
    }
    let position = Position::goal(grid(3, 3), 0);
    for views in [&[][..], &[2], &[0, 2], &[0, 1, 0, 1, 0]] {
        let search = || solve_with(&engine, &position, views, &limits);
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err(), "{views:?}");
    }
}

/// Bits that lead nowhere are an error, not a wrong answer.
#[test]
fn a_table_of_nothing_is_found_out() {
    for name in ["4-4", "1,2,4/3,6/5,7,8"] {
        let whole = tables(name, grid(3, 3), 0);
        for fill in [0, 0xff] {
            let filled = whole.iter().map(|table| changed(table, |bits| bits.fill(fill)));
            let partition = partition(name, grid(3, 3), 0);
            let engine = Engine::new(&[partition], filled.collect());
            let mut random = Random(6);
            for _ in 0..100 {
                let position = random.position(grid(3, 3));
                let broken = engine.solve(&position, &Limits::default()).unwrap_err();
                assert!(whole.iter().any(|table| table.pattern() == broken.pattern));
                let error = resume(&engine, &position, at_twenty()).unwrap_err();
                assert!(matches!(error, SearchError::Broken(_)), "{error}");
            }
        }
    }
}

/// A copy of a table with other bits.
fn changed(table: &Table, change: impl FnOnce(&mut [u8])) -> Table {
    let mut bits = copy(table.bytes().as_slice().unwrap());
    change(bits.as_bytes_mut());
    Table::new(table.pattern(), table.index().clone(), bits)
}

/// An engine for a partition, one of whose tables is damaged.
fn with_damage(
    name: &str,
    size: Grid,
    damaged: Pattern,
    damage: impl Fn(&Table, &mut [u8]),
) -> Engine {
    let copied = |table: &Table| {
        changed(table, |bits| {
            if table.pattern() == damaged {
                damage(table, bits)
            }
        })
    };
    let tables = tables(name, size, 0).iter().map(copied).collect();
    Engine::new(&[partition(name, size, 0)], tables)
}

/// Panics unless all errors name the damaged pattern, and all paths lead to the goal. Returns the
/// number of positions whose value is an error, and of searches that came upon the damage later.
fn blamed(engine: &Engine, damaged: Pattern, positions: &[Position]) -> (usize, usize) {
    let limits = Limits::default().nodes(100_000);
    let named = |broken: &BrokenTable| assert_eq!(broken.pattern, damaged);
    let solved = |position: &Position, outcome: &Outcome| {
        let Some(path) = &outcome.path else { return };
        assert!(end(position, path).is_goal());
    };
    let (mut at_once, mut later) = (0, 0);
    for position in positions {
        let value = engine.value(position);
        let mut results = vec![engine.solve(position, &limits)];
        let views = 0..engine.views();
        results.extend(views.map(|view| solve_with(engine, position, &[view], &limits)));
        for result in results {
            match result {
                Ok(outcome) => solved(position, &outcome),
                Err(broken) => {
                    named(&broken);
                    later += usize::from(value.is_ok());
                }
            }
        }
        if let Err(broken) = value {
            named(&broken);
            at_once += 1;
        }
    }
    match engine.values(positions) {
        Ok(_) => assert_eq!(at_once, 0),
        Err(broken) => named(&broken),
    }
    let boards = positions.iter().map(|position| (position.clone(), limits.clone()));
    for (position, verdict) in positions.iter().zip(streamed(engine, boards)) {
        match verdict {
            LaneEnd::Done(outcome) => solved(position, &outcome),
            LaneEnd::Hard => {}
            LaneEnd::Broken(broken) => named(&broken),
        }
    }
    (at_once, later)
}

/// Wrong bits here and there, in each table in turn.
#[test]
fn a_table_with_wrong_bits_is_the_one_that_is_named() {
    for (name, size, bytes) in [
        ("4-4", grid(3, 3), 20),
        ("1,2,4/3,6/5,7,8", grid(3, 3), 5),
        ("1,2,4,5/3,6,7,11/8,9,10", grid(4, 3), 10),
        (STANDARD, grid(4, 4), 100),
    ] {
        let mut random = Random(9);
        let positions: Vec<_> = (0..100).map(|_| random.position(size)).collect();
        for &pattern in partition(name, size, 0).patterns() {
            let engine = with_damage(name, size, pattern, |_, bits| {
                let mut random = Random(10);
                for _ in 0..bits.len().div_ceil(bytes) {
                    bits[random.below(bits.len())] ^= 1 << random.below(8);
                }
            });
            let (at_once, later) = blamed(&engine, pattern, &positions);
            println!("{size}, {pattern}: {at_once} times at once, {later} times later");
            assert!(at_once > 0, "{name}");
        }
    }
}

/// Positions along a circle: the blank goes round a square of a given side, with tiles of
/// one pattern in all cells but the innermost, until each tile is back where it was.
fn circle(pattern: Pattern, side: usize, random: &mut Random) -> Vec<Position> {
    let size = pattern.grid();
    let round: Vec<Move> = [Move::Left, Move::Up, Move::Right, Move::Down]
        .into_iter()
        .flat_map(|m| std::iter::repeat_n(m, side - 1))
        .collect();
    // The cells that the blank goes through, in the square at the end of the board.
    let first = size.cells() - 1 - (side - 1) * (size.width() + 1);
    let cells = round
        .iter()
        .scan(first, |blank, &m| Some(std::mem::replace(blank, size.source(*blank, m).unwrap())));
    let mut labels = random.position(size).labels().to_vec();
    for (cell, label) in cells.zip([0].into_iter().chain(pattern.tiles())) {
        let from = labels.iter().position(|&l| usize::from(l) == label).unwrap();
        labels.swap(cell, from);
    }
    let start = Position::new(size, 0, &labels).unwrap_or_else(|_| {
        labels.swap(0, 1);
        Position::new(size, 0, &labels).unwrap()
    });
    let mut circle = vec![start.clone()];
    for &m in round.iter().cycle().take(round.len() * (round.len() - 1)) {
        let mut next = circle[circle.len() - 1].clone();
        next.make(m).unwrap();
        circle.push(next);
    }
    assert_eq!(circle.pop(), Some(start));
    circle
}

/// Changes the bits of a table so that each move along a circle seems to lead nearer to the goal.
fn lead_along(circle: &[Position], table: &Table, bits: &mut [u8]) {
    let first = table.residue(table.state(circle[0].labels())) as usize;
    for (moves, position) in circle.iter().enumerate() {
        let state = table.state(position.labels());
        let cohort = table.index().cohort(table.index().set(state.mask), state.blank);
        let byte = &mut bits[state.rank * table.row_bytes() + cohort / 8];
        let bit = ((first + circle.len() - moves) % 4 / 2) as u8;
        *byte = *byte & !(1 << (cohort % 8)) | bit << (cohort % 8);
    }
}

/// If each move along a circle seems to lead nearer to the goal, a search goes round without end.
/// The value of a position outside may show nothing of that.
///
/// The automaton leaves out circles as small as those of two by two cells.
#[test]
fn a_table_that_leads_round_in_a_circle_is_the_one_that_is_named() {
    for (name, size, side) in [
        // Two patterns.
        ("4-4", grid(3, 3), 2),
        ("1,2,3,4,5/6,7,8", grid(3, 3), 2),
        ("1,2,4,5,8,9/3,6,7,10,11", grid(4, 3), 2),
        (STANDARD, grid(4, 4), 2),
        (STANDARD, grid(4, 4), 3),
        // Three patterns.
        ("1,2,4,5/3,6,7,11/8,9,10", grid(4, 3), 2),
        ("6-6-3", grid(4, 4), 2),
        ("1,2,3,4,5,6,7/8,9,10,11,12,13,14/15", grid(4, 4), 3),
    ] {
        let moving = 4 * (side - 1) - 1;
        let mut random = Random(11);
        for &pattern in partition(name, size, 0).patterns().iter().filter(|p| p.len() >= moving) {
            let (mut at_once, mut later) = (0, 0);
            for _ in 0..if size.cells() < 16 { 3 } else { rounds(1) } {
                let circle = circle(pattern, side, &mut random);
                let mut engine = with_damage(name, size, pattern, |table, bits| {
                    lead_along(&circle, table, bits);
                });
                if side == 2 {
                    engine = engine.without_automaton();
                }
                let from = |i: usize| random.walk(&circle[i % circle.len()], 1 + i % 9);
                let positions: Vec<_> = (0..20).map(from).collect();
                let found = blamed(&engine, pattern, &positions);
                (at_once, later) = (at_once + found.0, later + found.1);
            }
            println!("{size}, {pattern}: {at_once} times at once, {later} times later");
            assert!(later > 0, "{name}, {pattern}");
        }
    }
}
