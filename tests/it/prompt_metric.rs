//! `--metric multi` of the programs.

use std::process::{Command, Stdio};

use crate::process::Run;
use serde_json::Value;
use taquin_engine::board::{Board, Metric, Moves};

/// A program without databases and without standard input.
fn run(program: &str, args: &[&str]) -> Run {
    let mut command = Command::new(program);
    command.env("TAQUIN_PDB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none"));
    command.args(args).stdin(Stdio::null()).output().expect("the program runs").into()
}

fn taquin(args: &[&str]) -> Run {
    run(env!("CARGO_BIN_EXE_taquin"), args)
}

const BOARD: &str = "8 6 7 / 2 5 4 / 3 0 1";

/// The object of an answer, replayed in both metrics.
fn object(line: &str) -> Value {
    let object: Value = serde_json::from_str(line).unwrap();
    let moves: Moves = object["moves"].as_str().unwrap().parse().unwrap();
    assert_eq!(object["length"], moves.len());
    assert_eq!(object["slides"], moves.length(Metric::Multi));
    object
}

#[test]
fn boards_are_solved_in_the_fewest_slides() {
    let single = object(&taquin(&["solve", "--json", BOARD]).fine());
    let multi = object(&taquin(&["solve", "--json", "--metric", "multi", BOARD]).fine());
    assert_eq!((&single["metric"], &single["lower_bound"]), (&"single".into(), &single["length"]));
    assert_eq!((&multi["metric"], &multi["lower_bound"]), (&"multi".into(), &multi["slides"]));
    assert_eq!((&multi["optimal"], &multi["heuristic"]), (&true.into(), &"standard".into()));
    let number = |object: &Value, field: &str| object[field].as_u64().unwrap();
    assert!(number(&multi, "slides") <= number(&single, "slides"));
    assert!(number(&multi, "length") >= number(&single, "length"));

    // Another heuristic has the same length.
    let args = ["solve", "--json", "--metric", "multi", "--heuristic", "manhattan", BOARD];
    let plain = object(&taquin(&args).fine());
    assert_eq!((&plain["slides"], &plain["optimal"]), (&multi["slides"], &true.into()));
    assert!(number(&plain, "generated") > number(&multi, "generated"));
}

#[test]
fn larger_boards_are_solved_in_few_slides() {
    let board = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 0 21 22 23 24";
    let near = object(&taquin(&["solve", "--json", "--metric", "multi", board]).fine());
    assert_eq!((&near["slides"], &near["length"]), (&1.into(), &4.into()));
    let shuffled = taquin(&["shuffle", "--size", "6x6", "--seed", "5"]).fine();
    let board: Board = shuffled.trim().parse().unwrap();
    let far = taquin(&["solve", "--json", "--metric", "multi", "--node-limit", "3e5", &shuffled]);
    let far = object(&far.fine());
    assert_eq!((&far["optimal"], &far["solved"]), (&false.into(), &true.into()));
    assert!(far["slides"].as_u64() < far["length"].as_u64());
    assert!(far["lower_bound"].as_u64() <= far["slides"].as_u64());
    assert_eq!(board.grid().cells(), 36);
}

#[test]
fn what_slides_do_not_have_is_refused() {
    for (args, message) in [
        (&["--set", "korf24"][..], "up to 16 cells"),
        (&["--set", "random:2", "--size", "3x3", "--values", "100"], "--values"),
        (&["--set", "random:2", "--size", "3x3", "--heuristics", "4-4"], "standard and manhattan"),
    ] {
        taquin(&[&["bench", "--metric", "multi"], args].concat()).expect(2, message);
    }
}

#[test]
fn heuristics_of_slides_are_compared() {
    let args = ["bench", "--json", "--metric", "multi", "--set", "random:20", "--size", "3x3"];
    let run = taquin(&[&args[..], &["--heuristics", "standard,manhattan"]].concat());
    let rows = run.expect(0, "").objects();
    assert!(rows.iter().all(|row| row["metric"] == "multi" && row["solved"] == 20));
    let number = |row: &Value, field: &str| row[field].as_f64().unwrap();
    assert!(number(&rows[0], "average_h") > number(&rows[1], "average_h"));
    assert!(number(&rows[0], "nodes") < number(&rows[1], "nodes"));
}

#[test]
fn databases_of_slides_are_built_named_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let generate = |args: &[&str]| run(env!("CARGO_BIN_EXE_pdb-gen"), args);
    let board = "1 2 3 4 / 5 6 7 8 / 9 10 0 11";
    let solve = ["solve", "--no-build", "--metric", "multi", "--pdb-dir", out, board];
    taquin(&solve).expect(3, "pdb-gen build --size 4x3 --metric multi");

    let build = ["build", "--metric", "multi", "--size", "3x4", "--out", out];
    let built = generate(&build).expect(0, "which also works for 3x4").out;
    assert!(built.lines().all(|line| line.contains("-multi.pdb: built in ")), "{built}");
    let again = generate(&build).expect(0, "").out;
    assert!(again.lines().all(|line| line.contains("-multi.pdb: up to date")), "{again}");
    assert_eq!(taquin(&solve).fine(), "1: Left\n");
    assert!(generate(&["info", out]).fine().contains("multi"));
    let verified = generate(&["verify", out]).fine();
    assert!(verified.lines().all(|line| line.contains("; not proved: ")));
    generate(&["build", "--metric", "multi", "--partition", "7-8"]).expect(2, "--partition");
    generate(&["build", "--metric", "multi", "--size", "5x5"]).expect(2, "up to 16 cells");
}
