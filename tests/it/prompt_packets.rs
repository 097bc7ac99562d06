//! `taquin split`, `taquin packet` and `taquin merge`: a divided search is that of `taquin solve`,
//! whoever searches the packets, and whatever is interrupted, damaged or repeated.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::FAR;
use crate::process::{Folder, folder_4x4};
use crate::signals::send;
use serde_json::Value;

fn folder() -> Folder {
    Folder::with_databases(folder_4x4())
}

/// The fields that a search must have in common with another one.
fn answer(object: &str) -> Value {
    let mut object: Value = serde_json::from_str(object).unwrap();
    object.as_object_mut().unwrap().remove("seconds");
    object
}

#[test]
fn a_divided_search_is_that_of_solve() {
    let folder = folder();
    let solve = format!("taquin solve --json --heuristic 7-8:mirror '{FAR}'");
    let whole = folder.run(0, &solve).out;
    let searches = [
        "taquin packet p.jsonl",
        "seq $(wc -l < p.jsonl) | xargs -P 2 -n 1 taquin packet --threads 1 p.jsonl",
        "taquin packet p.jsonl 3 1; taquin merge --missing p.jsonl | xargs taquin packet p.jsonl",
    ];
    for (round, search) in searches.iter().enumerate() {
        let state = format!("state-{round}");
        let mut thresholds = 0;
        let merged = loop {
            let split = "taquin split --heuristic 7-8:mirror --after 400k --packets 5";
            folder.run(0, &format!("{split} --checkpoint {state} '{FAR}' > p.jsonl"));
            folder.run(0, search);
            let merge = format!("taquin merge --json --checkpoint {state} p.jsonl");
            let output = folder.command(&merge).output().unwrap();
            let merged = String::from_utf8(output.stdout).unwrap();
            thresholds += 1;
            match output.status.code() {
                Some(0) => break merged,
                code => assert_eq!(code, Some(1), "{merged}"),
            }
            let merged = answer(&merged);
            assert_eq!((&merged["solved"], &merged["length"]), (&false.into(), &Value::Null));
        };
        assert!(thresholds >= 2, "{thresholds}");
        assert_eq!(answer(&merged), answer(&whole), "{search}");
        // One machine goes on where the packets have ended, too.
        let resume = format!("--checkpoint {state} --resume");
        let resumed = folder.run(0, &solve.replace("--json", &format!("--json {resume}"))).out;
        assert_eq!(answer(&resumed), answer(&whole), "{search}");
    }
    // Without an object, the answer is that of solve too.
    let moves = folder.run(0, "taquin merge --format letters p.jsonl").out;
    assert_eq!(Value::from(moves.trim_end()), answer(&whole)["moves"]);
}

/// Packets after the first one with a solution are left out, and nobody needs them.
#[test]
fn packets_after_a_solution_are_left_out() {
    let folder = folder();
    let board = "taquin solve --json --heuristic 6-6-3:mirror --goal blank-first";
    let board = format!("{board} '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3'");
    let whole = folder.run(0, &board).out;
    let file = (0..)
        .map(|power| {
            let file = format!("p{power}.jsonl");
            let split = format!("split --packets 40 --after {}", 4_u64.pow(power));
            folder.run(0, &format!("{} > {file}", board.replace("solve --json", &split)));
            folder.run(0, &format!("taquin packet {file}"));
            file
        })
        .find(|file| folder.path(&format!("{file}.solved")).exists())
        .unwrap();
    let read = |end: &str| folder.read(&format!("{file}{end}"));
    let solved: usize = read(".solved").trim().parse().unwrap();
    let packets = read("").lines().count();
    assert!(solved < packets, "{solved} of {packets}");
    let exists = |line: usize| folder.path(&format!("{file}.{line}")).exists();
    assert!(exists(solved) && !exists(solved + 1));
    assert_eq!(answer(&folder.run(0, &format!("taquin merge --json {file}")).out), answer(&whole));
}

#[test]
fn an_interrupt_keeps_the_results() {
    let folder = folder();
    let split = "taquin split --heuristic 6-6-3:mirror --after 1M --packets 300";
    folder.run(0, &format!("{split} '{FAR}' > p.jsonl"));
    let mut search = folder.command("exec taquin packet --threads 1 p.jsonl");
    let child = search.stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.path("p.jsonl.3").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(1));
    }
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && errors.contains("repeat the command for the rest"),
        "{errors}"
    );
    let missing = folder.run(1, "taquin merge --missing p.jsonl").out.lines().count();
    assert!((1..=297).contains(&missing), "{missing}");
}
