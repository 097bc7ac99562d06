//! Processes that are interrupted, killed, or refused what they ask of the system.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Random, rounds};
use crate::signals::{self, send};
use serde_json::Value;
use taquin::{Board, Solver, Store};
use tempfile::TempDir;

const TAQUIN: &str = env!("CARGO_BIN_EXE_taquin");
const PDB_GEN: &str = env!("CARGO_BIN_EXE_pdb-gen");

/// A 5×3 board: its databases take 8 MB and some 0.1 s to build.
const BOARD_5X3: &str = "14 13 12 11 10 / 9 8 7 6 5 / 4 3 1 2 0";
/// A 4×3 board, of the smallest size whose databases are kept in files.
const BOARD_4X3: &str = "1 2 3 0 / 4 5 6 7 / 8 9 10 11";
const FILES_4X3: [&str; 2] = ["4x3-0-1.2.3.4.5.pdb", "4x3-0-6.7.8.9.10.11.pdb"];

fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).env_remove("TAQUIN_PDB_DIR").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    signals::heed(&mut command);
    command
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// The arguments that build the databases of a size in a folder.
fn build<'a>(size: &'a str, folder: &'a TempDir) -> [&'a str; 6] {
    ["build", "--size", size, "--force", "--out", folder.path().to_str().unwrap()]
}

/// A folder with the databases of a size.
fn built(size: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert!(command(PDB_GEN, &build(size, &folder)).output().unwrap().status.success());
    folder
}

fn temporaries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".tmp")).collect()
}

/// A search that is interrupted says what it has proved, and dies of the signal.
#[test]
fn an_interrupted_search_gives_its_bound() {
    let folder = built("4x4");
    let pdb = folder.path().to_str().unwrap();
    let hard = "0 15 8 3 12 11 7 4 14 10 6 5 9 13 2 1";
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let child = command(TAQUIN, &["solve", "--json", "--pdb-dir", pdb, hard]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{output:?}");
        let object: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        assert_eq!((&object["optimal"], &object["stopped"]), (&false.into(), &"interrupt".into()));
        assert!((50..=70).contains(&object["lower_bound"].as_u64().unwrap()), "{object}");
    }
}

/// Who waits for input that never comes can be interrupted, and what was answered stays.
#[test]
fn a_waiting_stream_can_be_interrupted() {
    let mut child = command(TAQUIN, &["solve", "--format", "letters", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // Stays open: at its end the program would end without a signal.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 0 3 2\n").unwrap();
    let mut first = [0; 2];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    send("TERM", &child);
    let start = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!((status.signal(), text(&first)), (Some(15), "U\n"));
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A signal ignored at the start stays ignored.
#[test]
fn ignored_signals_stay_ignored() {
    let script = "trap '' INT; exec \"$0\" solve --format letters -";
    let mut shell = command("sh", &["-c", script, TAQUIN]);
    let mut child = shell.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 0 3 2\n").unwrap();
    let mut first = [0; 2];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    send("INT", &child);
    stdin.write_all(b"0 1 3 2\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((text(&first), text(&output.stdout)), ("U\n", "LU\n"));
}

/// A build that is interrupted or killed leaves no file, or a whole one; and no temporary, but
/// after SIGKILL, and that one only until the next build.
#[test]
fn a_build_can_be_ended_at_any_moment() {
    let start = Instant::now();
    let folder = built("5x3");
    let (time, build) = (start.elapsed(), build("5x3", &folder));
    let (mut random, mut killed) = (Random(1), 0);
    for round in 0..rounds(10) {
        let signal = ["KILL", "INT", "KILL", "TERM"][round % 4];
        let mut child = command(PDB_GEN, &build).spawn().unwrap();
        std::thread::sleep(time * random.below(1000) as u32 / 1000);
        send(signal, &child);
        let status = child.wait().unwrap();
        assert!(status.signal().is_some() || status.success(), "{status}");
        killed += usize::from(status.signal().is_some());
        for entry in fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "pdb") {
                let quick = ["verify", "--quick", path.to_str().unwrap()];
                let verified = command(PDB_GEN, &quick).output().unwrap();
                assert!(verified.status.success(), "{round}: {verified:?}");
            }
        }
    }
    println!("{killed} of {} builds ended by a signal", rounds(10));
    assert!(killed > 0);
    assert!(command(PDB_GEN, &build).output().unwrap().status.success());
    assert!(temporaries(folder.path()).is_empty());
}

/// A build that is interrupted removes what it was writing.
#[test]
fn an_interrupted_build_leaves_no_temporary() {
    let folder = tempfile::tempdir().unwrap();
    let build = build("5x3", &folder);
    let mut random = Random(2);
    for round in 0..rounds(8) {
        let child = command(PDB_GEN, &build).spawn().unwrap();
        // Now and then while the file is being written.
        let start = Instant::now();
        while temporaries(folder.path()).is_empty() && start.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_micros(random.below(500) as u64));
        }
        send(["INT", "TERM"][round % 2], &child);
        child.wait_with_output().unwrap();
        assert!(temporaries(folder.path()).is_empty(), "{round}");
    }
}

/// Eight builds of one set at once, each from nothing: every one succeeds, and the files are sound.
#[test]
fn eight_builds_at_once() {
    for round in 0..rounds(2) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new").to_str().unwrap().to_owned();
        let build = ["build", "--size", "4x3", "--force", "--out", &out];
        let builds: Vec<Child> =
            (0..8).map(|_| command(PDB_GEN, &build).spawn().unwrap()).collect();
        for build in builds {
            let output = build.wait_with_output().unwrap();
            assert!(output.status.success(), "{round}: {output:?}");
        }
        let paths = FILES_4X3.map(|name| format!("{out}/{name}"));
        let verify = ["verify", &paths[0], &paths[1]];
        assert!(command(PDB_GEN, &verify).output().unwrap().status.success());
        assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
    }
}

/// Writes a file with one bit of its payload changed. Returns the place.
fn flip(path: &Path, sound: &[u8], random: &mut Random) -> usize {
    let mut bytes = sound.to_vec();
    let place = 4096 + random.below(bytes.len() - 4096);
    bytes[place] ^= 1 << random.below(8);
    fs::write(path, &bytes).unwrap();
    place
}

/// Solvers that read while the databases are built anew, again and again.
#[test]
fn files_can_be_replaced_while_they_are_read() {
    let folder = built("5x3");
    let pdb = folder.path().to_str().unwrap();
    let solve =
        ["solve", "--no-build", "--node-limit", "1e5", "--json", "--pdb-dir", pdb, BOARD_5X3];
    let answers = |output: Output| {
        let object: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        (output.status.code(), object["lower_bound"].clone(), object["moves"].clone())
    };
    let expected = answers(command(TAQUIN, &solve).output().unwrap());
    let build = || command(PDB_GEN, &build("5x3", &folder)).spawn().unwrap();
    let builders: Vec<Child> = (0..4).map(|_| build()).collect();
    for _ in 0..10 {
        assert_eq!(answers(command(TAQUIN, &solve).output().unwrap()), expected);
    }
    for builder in builders {
        let output = builder.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert!(temporaries(folder.path()).is_empty());
}

/// Safe code that overwrites a database under a solver gets an error instead of an answer.
#[test]
fn a_database_overwritten_in_use_gives_no_answer() {
    let folder = built("4x3");
    let solver = || Solver::builder().store(Store::folder(folder.path())).build().unwrap();
    let board: Board = BOARD_4X3.parse().unwrap();
    let first = solver();
    let length = first.solve(&board).unwrap().len();
    let path = folder.path().join(FILES_4X3[1]);
    let sound = fs::read(&path).unwrap();
    // In place: the file is neither replaced nor cut short.
    let overwrite = |bytes: &[u8]| {
        std::thread::sleep(Duration::from_millis(50));
        fs::File::options().write(true).open(&path).unwrap().write_all(bytes).unwrap();
    };
    let mut wrong = sound.clone();
    wrong[4096..].iter_mut().for_each(|byte| *byte ^= 0xff);
    overwrite(&wrong);
    for solver in [first, solver()] {
        let error = solver.solve(&board).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
    overwrite(&sound);
    assert_eq!(solver().solve(&board).unwrap().len(), length);
}

/// With any bit of a payload changed the solver gives the right answer or none; and so it does when
/// the time of the change is made to look as if there was none.
#[test]
fn a_changed_bit_never_gives_a_wrong_answer() {
    let (folder, cache) = (built("4x3"), tempfile::tempdir().unwrap());
    let pdb = folder.path().to_str().unwrap();
    let paths = FILES_4X3.map(|name| folder.path().join(name));
    let solve = || {
        let args = ["solve", "--no-build", "--json", "--pdb-dir", pdb, BOARD_4X3];
        let output = command(TAQUIN, &args).env("XDG_CACHE_HOME", cache.path()).output().unwrap();
        let object: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        (output.status.code(), object)
    };
    let stamps = || fs::read_dir(cache.path().join("taquin/sound")).map_or(0, Iterator::count);
    let (code, sound) = solve();
    assert_eq!((code, stamps()), (Some(0), 0), "{sound}");
    // Long enough ago for a stamp. The next run gives each file one, where there are stamps.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(solve().1["length"], sound["length"]);
    assert_eq!(stamps(), 2);
    assert_eq!(solve().1["length"], sound["length"]);

    let (mut random, mut refused) = (Random(1), 0);
    for round in 0..rounds(40) {
        let path = &paths[random.below(2)];
        let times = fs::metadata(path).unwrap().modified().unwrap();
        flip(path, &fs::read(path).unwrap(), &mut random);
        fs::File::options().write(true).open(path).unwrap().set_modified(times).unwrap();
        let (code, object) = solve();
        if code == Some(0) {
            assert_eq!((&object["length"], &object["optimal"]), (&sound["length"], &true.into()));
        } else {
            assert_eq!((code, &object["kind"]), (Some(3), &"database".into()), "{round}: {object}");
            let error = object["error"].as_str().unwrap();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
            refused += 1;
        }
        assert!(command(PDB_GEN, &build("4x3", &folder)).output().is_ok());
    }
    println!("{refused} of {} refused", rounds(40));
    // Every one, in fact, as no file with a changed bit has its checksum.
    assert_eq!(refused, rounds(40));
}
