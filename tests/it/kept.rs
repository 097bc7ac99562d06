//! A search that an earlier build began: a kept checkpoint and a kept packet lead to the same numbers.
//!
//! `TAQUIN_KEEP=1 cargo test --test it kept` writes the files anew. Then the version is to be raised first.

use std::fs;
use std::path::PathBuf;

use taquin::solver::{Division, Packet, Split};
use taquin::{Board, Checkpoint, Limits, Solver, Store};
use tempfile::TempDir;

const RAISE: &str = "the same state leads to another search: raise VERSION in src/solver/kept/sealed.rs, then write the \
                     files anew with TAQUIN_KEEP=1 and pin the new numbers here";

/// The length of the solution, and the nodes of the whole search.
const SOLVED: (usize, u64) = (57, 776_731);

/// The threshold of the packet, and its nodes.
const PACKET: (u32, u64) = (55, 4_941);

fn solver() -> Solver {
    let builder =
        Solver::builder().goal("blank-first").heuristic("4-4-4-3:mirror".parse().unwrap());
    builder.store(Store::memory()).threads(1).build().unwrap()
}

/// The first of Korf's boards.
fn board() -> Board {
    "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3".parse().unwrap()
}

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/data", name].iter().collect()
}

/// Whether the files are written anew.
fn writes() -> bool {
    std::env::var_os("TAQUIN_KEEP").is_some()
}

#[test]
fn a_checkpoint_goes_on() {
    let kept = file("kept.checkpoint");
    let solver = solver();
    if writes() {
        let _ = fs::remove_file(&kept);
        let checkpoint = Checkpoint { path: kept.clone(), resume: false };
        let limits = Limits::default().nodes(60_000);
        let (bracket, _) = solver.solve_with_checkpoint(&board(), &limits, &checkpoint).unwrap();
        assert!(!bracket.is_optimal());
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    fs::copy(kept, &path).unwrap();
    let checkpoint = Checkpoint { path, resume: true };
    let found = solver.solve_with_checkpoint(&board(), &Limits::default(), &checkpoint);
    let (bracket, subtrees) = found.unwrap_or_else(|error| panic!("{error}: {RAISE}"));
    assert!(bracket.is_optimal() && subtrees.restored > Some(0));
    let solution = bracket.solution.unwrap();
    assert_eq!((solution.len(), bracket.effort.generated), SOLVED, "{RAISE}");
    let whole = solver.solve(&board()).unwrap();
    assert_eq!(whole.moves(), solution.moves());
    assert_eq!(whole.effort().generated, SOLVED.1);
}

#[test]
fn a_packet_is_searched() {
    let kept = file("kept.packet");
    let solver = solver();
    if writes() {
        let division = Division { count: 60, after: 20_000, nodes: 0 };
        let limits = Limits::default();
        let Split::Packets(packets) = solver.packets(&board(), None, division, &limits).unwrap()
        else {
            panic!("the board is solved before it is divided")
        };
        fs::write(&kept, format!("{}\n", packets[3])).unwrap();
    }
    let line = fs::read_to_string(kept).unwrap();
    let packet: Packet = line.parse().unwrap_or_else(|error| panic!("{error}: {RAISE}"));
    let result = solver.run_packet(&packet, &Limits::default());
    let result = result.unwrap_or_else(|error| panic!("{error}: {RAISE}"));
    assert_eq!((packet.threshold(), result.generated()), PACKET, "{RAISE}");
}
