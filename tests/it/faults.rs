//! Processes that are interrupted, killed, or refused what they ask of the system.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Random, rounds};
use crate::process::{Folder, folder_4x4};
use crate::signals::send;
use serde_json::Value;
use taquin::{Board, Solver, Store};

/// A 5×3 board: its databases take 8 MB and some 0.1 s to build.
const BOARD_5X3: &str = "14 13 12 11 10 / 9 8 7 6 5 / 4 3 1 2 0";
/// A 4×3 board, of the smallest size whose databases are kept in files.
const BOARD_4X3: &str = "1 2 3 0 / 4 5 6 7 / 8 9 10 11";
const FILES_4X3: [&str; 2] = ["4x3-0-1.2.3.4.5.pdb", "4x3-0-6.7.8.9.10.11.pdb"];

/// The command that builds the databases of a size anew in the folder `pdb`.
fn build(size: &str) -> String {
    format!("exec pdb-gen build --size {size} --force --out pdb")
}

/// A folder with the databases of a size in its folder `pdb`.
fn built(size: &str) -> Folder {
    let folder = Folder::with_databases(Path::new("pdb"));
    folder.run(0, &build(size));
    folder
}

fn temporaries(folder: &Folder) -> usize {
    let entries = fs::read_dir(folder.path("pdb")).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".tmp")).count()
}

/// A stream that has answered its first board, before there is another one.
fn stream(folder: &Folder, command: &str) -> Child {
    let mut child = folder.command(command).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"1 0 3 2\n").unwrap();
    // The answer a byte at a time: what follows stays in the pipe.
    let mut byte = [0];
    while byte != *b"\n" {
        child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
    }
    child
}

/// A search that is interrupted says what it has proved, and dies of the signal.
#[test]
fn an_interrupted_search_gives_its_bound() {
    let folder = Folder::with_databases(folder_4x4());
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let mut child = stream(&folder, "exec taquin solve --json -");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"0 15 8 3 12 11 7 4 14 10 6 5 9 13 2 1\n\n").unwrap();
        sleep(Duration::from_millis(200));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{output:?}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&object["optimal"], &object["stopped"]), (&false.into(), &"interrupt".into()));
        assert!((50..=70).contains(&object["lower_bound"].as_u64().unwrap()), "{object}");
    }
}

/// Who waits for input that never comes can be interrupted, and what was answered stays.
#[test]
fn a_waiting_stream_can_be_interrupted() {
    let mut child = stream(&Folder::new(), "exec taquin solve --format letters -");
    // Stays open: at its end the program would end without a signal.
    let _stdin = child.stdin.take();
    send("TERM", &child);
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A signal ignored at the start stays ignored.
#[test]
fn ignored_signals_stay_ignored() {
    let mut child = stream(&Folder::new(), "trap '' INT; exec taquin solve --format letters -");
    send("INT", &child);
    child.stdin.take().unwrap().write_all(b"0 1 3 2\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"LU\n"[..]));
}

/// A build that is interrupted or killed leaves no file, or a whole one; and no temporary, but
/// after SIGKILL, and that one only until the next build.
#[test]
fn a_build_can_be_ended_at_any_moment() {
    let start = Instant::now();
    let folder = built("5x3");
    let time = start.elapsed();
    let (mut random, mut killed) = (Random(1), 0);
    for round in 0..rounds(3) {
        let signal = ["KILL", "INT", "TERM", "KILL"][round % 4];
        let mut child = folder.command(&build("5x3")).spawn().unwrap();
        sleep(time * random.below(1000) as u32 / 1000);
        send(signal, &child);
        let status = child.wait().unwrap();
        assert!(status.signal().is_some() || status.success(), "{status}");
        killed += usize::from(status.signal().is_some());
        folder.run(0, "for file in pdb/*.pdb; do pdb-gen verify --quick $file || exit; done");
    }
    println!("{killed} of {} builds ended by a signal", rounds(3));
    assert!(killed > 0);
    folder.run(0, &build("5x3"));
    assert_eq!(temporaries(&folder), 0);
}

/// A build that is interrupted removes what it was writing.
#[test]
fn an_interrupted_build_leaves_no_temporary() {
    let folder = Folder::new();
    let mut random = Random(2);
    for round in 0..rounds(2) {
        let child = folder.command(&build("5x3")).spawn().unwrap();
        // Now and then while the file is being written.
        let start = Instant::now();
        while temporaries(&folder) == 0 && start.elapsed() < Duration::from_secs(2) {
            sleep(Duration::from_micros(random.below(500) as u64));
        }
        send(["INT", "TERM"][round % 2], &child);
        child.wait_with_output().unwrap();
        assert_eq!(temporaries(&folder), 0, "{round}");
    }
}

/// Eight builds of one set at once, each from nothing: every one succeeds, and the files are sound.
#[test]
fn eight_builds_at_once() {
    for _ in 0..rounds(1) {
        let folder = Folder::new();
        let builds = [(); 8].map(|()| folder.command(&build("4x3")).spawn().unwrap());
        for build in builds {
            let output = build.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        folder.run(0, "pdb-gen verify pdb");
        assert_eq!(fs::read_dir(folder.path("pdb")).unwrap().count(), 2);
    }
}

/// Solvers that read while the databases are built anew, again and again.
#[test]
fn files_can_be_replaced_while_they_are_read() {
    let folder = built("5x3");
    let answer = || {
        let solve = format!("taquin solve --no-build --node-limit 1e4 --json '{BOARD_5X3}'");
        let object = folder.run(1, &solve).objects().remove(0);
        (object["lower_bound"].clone(), object["moves"].clone())
    };
    let expected = answer();
    let builders = [(); 2].map(|()| folder.command(&build("5x3")).spawn().unwrap());
    for _ in 0..5 {
        assert_eq!(answer(), expected);
    }
    for builder in builders {
        let output = builder.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(temporaries(&folder), 0);
}

/// Safe code that overwrites a database under a solver gets an error instead of an answer.
#[test]
fn a_database_overwritten_in_use_gives_no_answer() {
    let folder = built("4x3");
    let solver = || Solver::builder().store(Store::folder(folder.path("pdb"))).build().unwrap();
    let board: Board = BOARD_4X3.parse().unwrap();
    let first = solver();
    let length = first.solve(&board).unwrap().len();
    let path = folder.path("pdb").join(FILES_4X3[1]);
    let sound = fs::read(&path).unwrap();
    // In place: the file is neither replaced nor cut short.
    let overwrite = |bytes: &[u8]| {
        sleep(Duration::from_millis(50));
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
    let folder = built("4x3");
    let solve = format!("XDG_CACHE_HOME=$PWD taquin solve --no-build --json '{BOARD_4X3}'");
    let solved = || folder.run(0, &solve).objects()[0]["length"].clone();
    let stamps = || fs::read_dir(folder.path("taquin/sound")).map_or(0, Iterator::count);
    let length = solved();
    assert_eq!(stamps(), 0);
    // Long enough ago for a stamp. The next run gives each file one, where there are stamps.
    sleep(Duration::from_millis(2500));
    assert_eq!((solved(), stamps(), solved()), (length.clone(), 2, length));

    let mut random = Random(1);
    for round in 0..rounds(3) {
        let path = folder.path("pdb").join(FILES_4X3[random.below(2)]);
        let times = fs::metadata(&path).unwrap().modified().unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let place = 4096 + random.below(bytes.len() - 4096);
        bytes[place] ^= 1 << random.below(8);
        fs::write(&path, &bytes).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
        // Every one is refused, as no file with a changed bit has its checksum.
        let object = folder.run(3, &solve).objects().remove(0);
        assert_eq!(object["kind"], "database", "{round}: {object}");
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(object["error"].as_str().unwrap().contains(name), "{object}");
        folder.run(0, &build("4x3"));
    }
}
