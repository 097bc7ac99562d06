//! A search divided into packets gives the solution and the nodes of one that is not.

use std::str::FromStr;
use std::time::Duration;

use crate::common::{self, Cases, FAR, every, in_memory, with};
use taquin::solver::{
    Checkpoint, Division, Packet, PacketError, PacketResult, Posed, Split, Summary, Target,
};
use taquin::{Board, Bracket, Convention, Error, Limits, Solver, Stop};

/// The packets of a board that is not solved without them.
fn packets(solver: &Solver, board: &Board, division: Division) -> Vec<Packet> {
    match solver.packets(board, None, division, &Limits::default()).unwrap() {
        Split::Packets(packets) => packets,
        Split::Solved(_) => panic!("the board is solved without packets"),
    }
}

fn run(solver: &Solver, packets: &[Packet]) -> Vec<PacketResult> {
    // Packets and results are the same after their way through text.
    let run = |packet| {
        let packet: Packet = through_text(packet);
        through_text(&solver.run_packet(&packet, &Limits::default()).unwrap())
    };
    packets.iter().map(run).collect()
}

fn through_text<T: ToString + FromStr<Err = PacketError>>(value: &T) -> T {
    value.to_string().parse().unwrap()
}

/// Solves a board in packets, some of them by another solver, and returns the answer and the number
/// of thresholds divided.
fn in_packets(solvers: [&Solver; 2], board: &Board, after: u64, count: usize) -> (Bracket, usize) {
    let limits = Limits::default();
    let mut state = None;
    for thresholds in 0.. {
        let division = Division { count, after, nodes: 0 };
        let split = solvers[thresholds % 2].packets(board, state, division, &limits);
        let packets = match split.unwrap() {
            Split::Packets(packets) => packets,
            Split::Solved(bracket) => return (bracket, thresholds),
        };
        assert!(!packets.is_empty() && packets.len() <= count.max(1));
        // The last packets first, as they may come.
        let results = packets.iter().enumerate().rev();
        let run = |(i, packet)| run(solvers[i % 2], std::slice::from_ref(packet)).remove(0);
        let (bracket, next) = solvers[0].merge(results.map(run).collect(), &limits).unwrap();
        let Some(next) = next else { return (bracket, thresholds + 1) };
        assert_eq!(bracket.lower_bound, packets[0].threshold() + 2);
        state = Some(through_text(&next));
    }
    unreachable!("thresholds rise up to the solution")
}

#[track_caller]
fn assert_equal(divided: &Bracket, whole: &Bracket) {
    let moves = |bracket: &Bracket| bracket.solution.as_ref().map(|s| s.moves().clone());
    assert_eq!(moves(divided), moves(whole));
    assert_eq!(divided.lower_bound, whole.lower_bound);
    let nodes = |bracket: &Bracket| (bracket.effort.generated, bracket.effort.expanded);
    assert_eq!(nodes(divided), nodes(whole));
    assert_eq!(divided.effort.heuristic, whole.effort.heuristic);
    assert!(divided.is_optimal() && divided.stopped.is_none());
}

/// Korf's boards with two patterns and with three, and a board whose views change on the way.
#[test]
fn four_by_four() {
    let solvers = |goal: &str, heuristic: &str| {
        [1, 2].map(|threads| with(heuristic).goal(goal).threads(threads).build().unwrap())
    };
    for heuristic in ["standard", "6-6-3:mirror"] {
        let [one, two] = &solvers("blank-first", heuristic);
        // Packets have the databases of the size.
        one.prepare(common::grid(4, 4)).unwrap();
        for case in Cases::korf().cases.iter().step_by(every(40)) {
            let whole = one.solve_with(&case.board, &Limits::default()).unwrap();
            for (after, count) in [(0, 1), (0, 3), (1_000, 40)] {
                assert_equal(&in_packets([one, two], &case.board, after, count).0, &whole);
            }
        }
    }
    let [one, two] = &solvers("blank-last", "portfolio");
    let far = &Cases::hard().cases[0].board;
    let whole = two.solve_with(far, &Limits::default()).unwrap();
    assert_equal(&in_packets([one, two], far, 10_000, 50).0, &whole);
}

/// Packets name lists of tiles as their goal has them, and lead back to the same search.
#[test]
fn lists_of_tiles() {
    let heuristic = "1,2,3,4,5/6,7,8,9,10,11";
    let solver = with(heuristic).build().unwrap();
    let board: Board = "9 5 2 7 / 1 3 6 4 / 8 10 0 11".parse().unwrap();
    let limits = Limits::default();
    let packets = packets(&solver, &board, Division { count: 2, ..Division::default() });
    assert!(packets[0].to_string().contains(r#""heuristic":"1,2,3,4,5/6,7,8,9,10,11""#));
    let again = packets[0].builder().store(common::store()).build().unwrap();
    assert_eq!(&*again.heuristic(board.grid()).unwrap(), heuristic);
    for packet in &packets {
        let [one, two] =
            [&solver, &again].map(|solver| solver.run_packet(packet, &limits).unwrap());
        assert_eq!(one, two);
    }
}

/// On larger boards iterations are best-first.
#[test]
fn five_by_five() {
    let solver =
        |threads| with("6-6-6-6:mirror").goal("blank-first").threads(threads).build().unwrap();
    let one = solver(1);
    let cases = Cases::korf24();
    let board = &cases.cases[40 - 1].board.after(&"DR".parse().unwrap()).unwrap();
    let whole = one.solve_with(board, &Limits::default()).unwrap();
    let (divided, thresholds) = in_packets([&one, &one], board, 20_000, 30);
    assert_equal(&divided, &whole);
    assert!(thresholds >= 2, "{thresholds}");

    // A search that is interrupted again and again makes up for the beams before it.
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint { path: folder.path().join("state"), resume: true };
    let two = solver(2);
    let solve = |limits: Limits| two.solve_with_checkpoint(board, &limits, &checkpoint).unwrap().0;
    let passed = || Limits::default().deadline(|| true);
    let moves = |bracket: &Bracket| bracket.solution.as_ref().unwrap().moves().clone();
    assert!(!solve(Limits::default().nodes(600_000)).is_optimal());
    let before = solve(Limits::default().nodes(1_500_000));
    // What was found and proved is known at once when the search goes on.
    let after = solve(passed());
    assert_eq!((moves(&after), after.lower_bound), (moves(&before), before.lower_bound));
    let hasty = two.solve_with(board, &passed()).unwrap();
    assert!(hasty.gap() > after.gap(), "{:?}", after.gap());
    assert!(!before.is_optimal());
    assert_equal(&solve(Limits::default()), &whole);
}

/// A search that goes on knows the time of the runs before.
#[test]
fn a_checkpoint_keeps_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint { path: folder.path().join("state"), resume: true };
    let solver = with("6-6-3:mirror").build().unwrap();
    let board: Board = FAR.parse().unwrap();
    let mut spent = Duration::ZERO;
    for nodes in [100_000, 300_000, 900_000] {
        let limits = Limits::default().nodes(nodes);
        let (bracket, kept) = solver.solve_with_checkpoint(&board, &limits, &checkpoint).unwrap();
        assert_eq!(
            kept.restored.is_some_and(|restored| restored <= kept.finished),
            !spent.is_zero()
        );
        // The file has whole microseconds.
        assert!(bracket.effort.earlier + Duration::from_micros(9) >= spent, "{spent:?}");
        assert_eq!(bracket.effort.earlier.is_zero(), spent.is_zero());
        assert_eq!(*bracket.solution.as_ref().unwrap().effort(), bracket.effort);
        let goal = solver.goal(board.grid()).unwrap();
        let (posed, goal) = (board.clone().into(), Target::Board(goal));
        let summary = Summary::new(Posed::new(&posed, &goal), &bracket, Convention::Tile);
        let total = (bracket.effort.earlier + bracket.effort.time).as_secs_f64();
        assert_eq!(summary.total_seconds, (!spent.is_zero()).then_some(total));
        spent += bracket.effort.time;
    }
}

/// Packets are not smaller than wanted.
#[test]
fn packets_have_a_least_size() {
    let solver = with("6-6-3:mirror").build().unwrap();
    let board: Board = FAR.parse().unwrap();
    let count = |nodes| {
        let division = Division { count: 1000, after: 100_000, nodes };
        let packets = packets(&solver, &board, division);
        (packets.len() as u64, packets[0].before())
    };
    let (most, before) = count(0);
    assert!((500..=1000).contains(&most) && before >= 100_000, "{most} {before}");
    // A threshold has some seven times the nodes of the one before.
    let (few, _) = count(before / 2);
    assert!((8..=14).contains(&few), "{few}");
    assert_eq!(count(u64::MAX).0, 1);
}

/// The nodes of the threshold before make packets of even size: of a board with some moves made, the largest has at most
/// so many times the mean.
fn largest_packet(moves: &str, after: u64, most: f64) {
    let solver = with("6-6-6-6:mirror").goal("blank-first").build().unwrap();
    let board = Cases::korf24().cases.swap_remove(38 - 1).board;
    let board = board.after(&moves.parse().unwrap()).unwrap();
    let packets = packets(&solver, &board, Division { count: 200, after, nodes: 0 });
    let nodes: Vec<u64> = run(&solver, &packets).iter().map(PacketResult::generated).collect();
    let (largest, total) = (nodes.iter().max().unwrap(), nodes.iter().sum::<u64>());
    let part = (largest * nodes.len() as u64) as f64 / total as f64;
    println!("{} packets, {total} nodes, the largest {part:.2} of the mean", nodes.len());
    assert!(part < most, "{part}");
}

#[test]
fn packets_are_of_even_size() {
    largest_packet("RR", 300_000, 5.0);
}

#[test]
#[ignore = "repeats the test before for a harder board"]
fn packets_are_of_even_size_in_full() {
    largest_packet("", 1_000_000, 2.0);
}

/// Gaps, duplicates, and packets of other searches are refused; so is what is damaged.
#[test]
fn what_does_not_fit_is_refused() {
    let solver = with("6-6-3:mirror").build().unwrap();
    let limits = Limits::default();
    let board: Board = FAR.parse().unwrap();
    let division = |count| Division { count, after: 10_000, nodes: 0 };
    let packets = packets(&solver, &board, division(8));
    assert!(packets.len() > 3);
    let results = run(&solver, &packets);
    assert!(results.iter().zip(&packets).all(|(result, packet)| result.is_of(packet)));
    assert!(!results[0].is_of(&packets[1]));
    assert_eq!(results, run(&solver, &packets), "the search of a packet is pure");
    let merge = |results: &[&PacketResult]| {
        let results = results.iter().map(|&result| result.clone()).collect();
        match solver.merge(results, &limits) {
            Err(Error::Packet(error)) => error,
            merged => panic!("{merged:?}"),
        }
    };
    let all: Vec<&PacketResult> = results.iter().collect();
    for gap in [[&all[..1], &all[2..]].concat(), all[..all.len() - 1].to_vec()] {
        assert!(matches!(merge(&gap), PacketError::Missing { .. }));
    }
    assert!(matches!(merge(&[&all[..], &all[2..3]].concat()), PacketError::Twice(_)));
    assert_eq!(merge(&[]), PacketError::None);
    let other: Board = "0 12 10 13 15 11 14 9 3 7 2 5 4 8 6 1".parse().unwrap();
    let foreign = run(&solver, &self::packets(&solver, &other, division(2))).remove(0);
    assert!(matches!(merge(&[&all[..], &[&foreign]].concat()), PacketError::Other(_)));

    for foreign in [in_memory(), in_memory().goal("blank-first")] {
        let refused = foreign.build().unwrap().run_packet(&packets[0], &limits);
        let Err(Error::Packet(PacketError::Other(_))) = refused else { panic!("{refused:?}") };
    }
    for text in [packets[0].to_string(), results[0].to_string()] {
        let damages = [text[1..].into(), text.replacen('1', "2", 1), text.replace("state", "x")];
        for damaged in damages {
            assert_eq!(damaged.parse::<Packet>(), Err(PacketError::Damaged));
            assert_eq!(damaged.parse::<PacketResult>(), Err(PacketError::Damaged));
        }
    }
    let stopped = solver.run_packet(&packets[0], &Limits::default().nodes(1));
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))), "{stopped:?}");
}
