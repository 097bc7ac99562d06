//! `taquin split`, `taquin packet` and `taquin merge`: a divided search is that of `taquin solve`,
//! whoever searches the packets, and whatever is interrupted, damaged or repeated.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::folder_4x4;
use crate::signals::{heed, send};
use serde_json::Value;
use tempfile::TempDir;

/// At 80 moves, with seven thresholds.
const BOARD: &str = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";

const PROGRAM: &str = env!("CARGO_BIN_EXE_taquin");

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command of the shell in this folder, where the program is `taquin`.
    fn shell(&self, text: &str) -> Command {
        let bin = PathBuf::from(PROGRAM).parent().unwrap().display().to_string();
        let mut command = Command::new("sh");
        command
            .args(["-c", text])
            .current_dir(self.0.path())
            .env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()))
            .env("TAQUIN_PDB_DIR", folder_4x4())
            .stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, code: i32, text: &str) -> (String, String) {
        let Output { status, stdout, stderr } = self.shell(text).output().unwrap();
        let [out, errors] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(status.code(), Some(code), "{text}\n{out}{errors}");
        (out, errors)
    }

    /// The packets of a threshold that holds no solution.
    fn split(&self, count: usize) {
        let split = "taquin split --heuristic 6-6-3:mirror --after 100k";
        self.run(0, &format!("{split} --packets {count} '{BOARD}' > p.jsonl"));
    }
}

/// The fields that a search must have in common with another one.
fn answer(object: &str) -> Value {
    let mut object: Value = serde_json::from_str(object).unwrap();
    object.as_object_mut().unwrap().remove("seconds");
    object
}

#[test]
fn a_divided_search_is_that_of_solve() {
    let folder = Folder::new();
    let solve = format!("taquin solve --json --heuristic 7-8:mirror '{BOARD}'");
    let (whole, _) = folder.run(0, &solve);
    let searches = [
        "taquin packet p.jsonl",
        "seq $(wc -l < p.jsonl) | xargs -P 2 -n 1 taquin packet --threads 1 p.jsonl",
        "taquin packet p.jsonl 3 1; taquin merge --missing p.jsonl | xargs taquin packet p.jsonl",
    ];
    for (round, search) in searches.iter().enumerate() {
        let state = format!("state-{round}");
        let mut thresholds = 0;
        let merged = loop {
            let split = "taquin split --heuristic 7-8:mirror --after 100k --packets 9";
            folder.run(0, &format!("{split} --checkpoint {state} '{BOARD}' > p.jsonl"));
            folder.run(0, search);
            let merge = format!("taquin merge --json --checkpoint {state} p.jsonl");
            let output = folder.shell(&merge).output().unwrap();
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
        let (resumed, _) = folder.run(0, &solve.replace("--json", &format!("--json {resume}")));
        assert_eq!(answer(&resumed), answer(&whole), "{search}");
    }
    // Without an object, the answer is that of solve too.
    let (moves, _) = folder.run(0, "taquin merge --format letters p.jsonl");
    assert_eq!(Value::from(moves.trim_end()), answer(&whole)["moves"]);
}

#[test]
fn gnu_parallel_searches_packets() {
    let folder = Folder::new();
    if folder.shell("parallel --version").output().unwrap().status.code() != Some(0) {
        println!("GNU parallel is not installed");
        return;
    }
    folder.split(12);
    folder.run(0, "taquin merge --missing p.jsonl | parallel taquin packet --threads 1 p.jsonl");
    let (out, errors) = folder.run(1, "taquin merge p.jsonl");
    assert!(errors.contains("no solution within the threshold: at least"), "{errors}");
    assert_eq!(out, "");
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = Folder::new();
    folder.split(5);
    let (out, errors) = folder.run(2, "taquin merge p.jsonl");
    assert!(out.is_empty() && errors.contains("5 of 5 packets have no result"), "{errors}");
    folder.run(0, "taquin packet p.jsonl 2 4");
    assert_eq!(folder.run(1, "taquin merge --missing p.jsonl").0, "1\n3\n5\n");
    let result = |line: &str| fs::read(folder.path(&format!("p.jsonl.{line}"))).unwrap();
    let written = || fs::metadata(folder.path("p.jsonl.2")).unwrap().modified().unwrap();
    let (second, fourth, before) = (result("2"), result("4"), written());
    // A damaged result, and one of another packet, are none.
    fs::write(folder.path("p.jsonl.4"), &fourth[..fourth.len() / 2]).unwrap();
    fs::write(folder.path("p.jsonl.5"), &second).unwrap();
    assert_eq!(folder.run(1, "taquin merge --missing p.jsonl").0, "1\n3\n4\n5\n");
    folder.run(0, "taquin packet p.jsonl");
    assert_eq!((result("2"), result("4"), written()), (second, fourth, before));
    assert_eq!(folder.run(0, "taquin merge --missing p.jsonl").0, "");
    // Results that an earlier file has left are not those of a new one.
    folder.split(6);
    assert_eq!(folder.run(1, "taquin merge --missing p.jsonl").0.lines().count(), 6);
}

/// Packets after the first one with a solution are left out, and nobody needs them.
#[test]
fn packets_after_a_solution_are_left_out() {
    let folder = Folder::new();
    let board = "taquin solve --json --heuristic 6-6-3:mirror --goal blank-first";
    let board = format!("{board} '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3'");
    let (whole, _) = folder.run(0, &board);
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
    let read = |end: &str| fs::read_to_string(folder.path(&format!("{file}{end}"))).unwrap();
    let solved: usize = read(".solved").trim().parse().unwrap();
    let packets = read("").lines().count();
    assert!(solved < packets, "{solved} of {packets}");
    let exists = |line: usize| folder.path(&format!("{file}.{line}")).exists();
    assert!(exists(solved) && !exists(solved + 1));
    assert_eq!(answer(&folder.run(0, &format!("taquin merge --json {file}")).0), answer(&whole));
}

#[test]
fn an_interrupt_keeps_the_results() {
    let folder = Folder::new();
    let split = "taquin split --heuristic 6-6-3:mirror --after 1M --packets 300";
    folder.run(0, &format!("{split} '{BOARD}' > p.jsonl"));
    let mut search = folder.shell("exec taquin packet --threads 1 p.jsonl");
    heed(&mut search);
    let child = search.stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.path("p.jsonl.3").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(1));
    }
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && errors.contains("does the others"), "{errors}");
    let missing = folder.run(1, "taquin merge --missing p.jsonl").0.lines().count();
    assert!((1..=297).contains(&missing), "{missing}");
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::new();
    folder.split(3);
    let text = fs::read_to_string(folder.path("p.jsonl")).unwrap();
    fs::write(folder.path("damaged"), text.replacen("\"subtrees\":", "\"subtrees\":1", 1)).unwrap();
    folder.run(0, "taquin packet p.jsonl 1");
    folder.run(0, &format!("taquin split --heuristic 6-6-3:mirror '{BOARD}' > other"));
    folder.run(0, "cat p.jsonl other > mixed");
    fs::write(folder.path("empty"), "").unwrap();
    fs::write(folder.path("broken"), "{}\n").unwrap();
    for (code, command, message) in [
        (2, "packet missing", "cannot read missing"),
        (2, "packet empty", "empty has no packets"),
        (2, "packet p.jsonl 0", "there is no line 0: p.jsonl has 3"),
        (2, "packet p.jsonl 1 4", "there is no line 4"),
        (2, "packet p.jsonl x", "invalid"),
        (2, "packet damaged 1", "damaged, line 1: the packet, result or state is damaged"),
        (2, "merge broken", "broken, line 1"),
        (2, "merge empty", "no packets"),
        // A result is no packet.
        (2, "packet p.jsonl.1", "damaged"),
        (2, "packet mixed", "mixed, line 4: the packet is of another search"),
        (2, "split --packets 0 '1 2 3 0'", "must be 1 to 1,000,000,000"),
        (2, "merge --missing --json p.jsonl", "cannot be used with"),
        (2, "split --checkpoint broken '1 2 3 0'", "not a whole checkpoint"),
        (2, "split --heuristic manhattan '1 2 3 / 4 5 6 / 0 7 8'", "need the fast search"),
        (
            2,
            "split --no-build --pdb-dir nowhere --heuristic 5-5-5 '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15'",
            "need the fast search",
        ),
        (2, "packet p.jsonl x", "\"x\" is not a whole number"),
        (2, "split '1 2 2 0'", "appears twice"),
        (1, "split '2 1 3 / 4 5 6 / 7 8 0'", "this board cannot be solved"),
        (0, "split '1 2 3 / 4 5 6 / 7 8 0'", "no packets: the board takes 0 moves\n"),
        (3, "packet --no-build --pdb-dir nowhere p.jsonl", "pdb-gen build"),
    ] {
        let (out, errors) = folder.run(code, &format!("taquin {command}"));
        assert!(out.is_empty() && errors.contains(message), "{command}: {out}{errors}");
    }
}
