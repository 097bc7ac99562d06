//! The files of a `taquin bench` that is interrupted. What is checked before its files are touched, and when they
//! are replaced, stands in `tests/prompt/bench.md`.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Folder, folder_4x4};
use crate::signals::send;

/// Two boards that are solved at once, and one that Manhattan distance does not solve in a day.
const BOARDS: [&str; 3] = [
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15",
    "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1",
];

const OLD: &str = "old rows\n";

/// Interrupts a bench: of boards that take no time and one that does not end, after a while, which begins once its
/// programs have made the files that they touch; of other sets, once it has written its rows. Gives its folder, its
/// output and its messages.
fn interrupted(signal: &str, boards: &[&str], bench: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    fs::write(folder.path("f.csv"), OLD).unwrap();
    fs::write(folder.path("g.svg"), "old picture\n").unwrap();
    fs::write(folder.path("boards.txt"), boards.join("\n")).unwrap();
    // The limit ends a search where the signal is ignored, as it is in the background jobs of a shell.
    let bench = format!("exec taquin bench --csv f.csv --svg g.svg --time-limit=60 {bench}");
    let child = folder.command(&bench).spawn().unwrap();
    let start = Instant::now();
    let touched = bench.split_once("touch ").map(|(_, name)| name.split(' ').next().unwrap());
    // Easy boards take less than ten ticks of the processor.
    let ticks = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        stat.split(' ').nth(13)?.parse::<u32>().ok()
    };
    let is_early = || match touched {
        Some(name) => !folder.path(name).exists(),
        None if boards.is_empty() => folder.read("f.csv") == OLD,
        None => ticks().is_some_and(|ticks| ticks < 10),
    };
    while is_early() {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(if ticks().is_some() { 100 } else { 1000 }));
    send(signal, &child);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let number = if signal == "INT" { 2 } else { 15 };
    assert_eq!(output.status.signal(), Some(number), "{out}{err}");
    (folder, out, err)
}

/// The numbers of the boards in the rows. Fails unless these are new and there is a picture, and no file but these,
/// the set and the databases.
#[track_caller]
fn rows(folder: &Folder) -> String {
    let rows = folder.read("f.csv");
    assert!(rows.starts_with("set,number,board,"), "{rows}");
    assert!(folder.read("g.svg").ends_with("</svg>\n"));
    let names = folder.names().into_iter().filter(|name| name != "none");
    assert!(names.eq(["boards.txt", "f.csv", "g.svg"]));
    let mut numbers: Vec<_> = rows.lines().skip(1).map(|row| row.split(',').nth(1)).collect();
    numbers.sort();
    numbers.into_iter().map(Option::unwrap).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_interrupted_bench_gives_what_was_done() {
    let two = "--heuristics manhattan,linear-conflict --set boards.txt --values 1000000";
    let (folder, out, _) = interrupted("INT", &BOARDS, two);
    assert_eq!(rows(&folder), "1 1 2 2");
    assert!(out.starts_with("boards.txt: 3 4x4 boards, 2 of them tried\n"), "{out}");
    assert!(out.contains("\nmanhattan ") && out.contains("\nlinear-conflict "), "{out}");
    let (folder, out, _) = interrupted("TERM", &BOARDS, &format!("{two} --json"));
    assert_eq!(rows(&folder), "1 1 2 2");
    assert_eq!(out.lines().filter(|line| line.contains("\"boards\":2,")).count(), 2);
}

/// Boards after one that does not end are not lost, if another thread has solved them.
#[test]
fn boards_that_another_thread_has_solved_count() {
    let boards = [BOARDS[2], BOARDS[0], BOARDS[1]];
    let bench = "--heuristics manhattan --set boards.txt";
    let (folder, out, _) = interrupted("INT", &boards, &format!("{bench} --threads 2"));
    assert_eq!(rows(&folder), "2 3");
    assert!(out.contains("3 4x4 boards, 2 of them tried"), "{out}");
    let (folder, out, err) = interrupted("INT", &BOARDS[2..], bench);
    assert_eq!((&*folder.read("f.csv"), &*folder.read("g.svg"), &*out), (OLD, "old picture\n", ""));
    assert!(err.contains("no board was tried"), "{err}");
}

/// Values over a hundred million boards take long, and a program may not answer the walks of a comparison; the
/// searches before them are not lost.
#[test]
fn an_interrupt_of_the_values_keeps_the_searches() {
    let set = "--size 3x3 --set random:5";
    let values = format!("{set} --heuristics manhattan --values 10000000");
    assert_eq!(rows(&interrupted("TERM", &[], &values).0), "1 2 3 4 5");
    // It answers the goal and the boards, and no more.
    let program = "program:n=0; while read -r b; do [ \"$b\" ] && n=$((n+1)) && \
                   { [ $n -le 6 ] && echo 0 || sleep 60; }; done";
    let bench = format!("{set} --against distances --record boards.txt --heuristics '{program}'");
    let (folder, out, _) = interrupted("INT", &[], &bench);
    assert!(folder.read("boards.txt").starts_with("{\"schema\":"));
    assert_eq!(rows(&folder), "1 2 3 4 5");
    assert!(out.starts_with("random:5:1: 5 3x3 boards\n"), "{out}");
    assert!(out.contains("values against true distances"), "{out}");
}

/// So it is while distances are searched for.
#[test]
fn an_interrupt_of_the_distances_keeps_the_boards_before() {
    let mut tiles: Vec<String> = (1..18).map(|tile| tile.to_string()).collect();
    let easy = tiles.join(" ") + " 0";
    tiles.reverse();
    // An even number of exchanges.
    let hard = tiles.join(" ") + " 0";
    let (place, databases) = (tempfile::tempdir().unwrap(), folder_4x4().display());
    let place = place.path().display();
    Folder::new().run(0, &format!("pdb-gen build --size 6x3 --out {databases}"));
    // It answers the goal and the easy boards. Before the hard one it is not asked: its distance comes first.
    let program = format!(
        "program:n=0; while read -r b; do [ \"$b\" ] && n=$((n+1)) && echo 0 && \
         [ $n = 3 ] && touch {place}/answered ; done"
    );
    let bench = format!(
        "--size 6x3 --set boards.txt --heuristics '{program}' --against distances --pdb-dir {databases}"
    );
    let (folder, out, err) = interrupted("INT", &[&*easy, &easy, &hard], &bench);
    assert_eq!(rows(&folder), "1 2");
    assert!(out.starts_with("boards.txt: 3 6x3 boards, 2 of them tried\n"), "{out} {err}");
}
