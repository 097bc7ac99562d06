//! The files of `taquin bench`: what is checked before they are touched, when they are replaced,
//! and what is left of a bench that is interrupted.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::signals::{self, send};
use tempfile::TempDir;

/// Two boards that are solved at once, and one that Manhattan distance does not solve in a day.
const BOARDS: &str = "\
1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15
1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15
0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1
";

/// Ends a search where the signal is ignored, as it is in the background jobs of a shell.
const LONG: &str = "--time-limit=60";

const EASY: [&str; 6] = ["--size", "3x3", "--set", "random:5", "--heuristics", "manhattan"];

/// A folder with a CSV file, a picture and a set of boards.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path("f.csv"), "old rows\n").unwrap();
        fs::write(folder.path("g.svg"), "old picture\n").unwrap();
        fs::write(folder.path("boards.txt"), BOARDS).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// `taquin bench` in this folder.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
        command.arg("bench").args(args).current_dir(self.0.path());
        signals::heed(&mut command);
        command.env("TAQUIN_PDB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn bench(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }
}

/// The output of a bench that a signal ends: once it has written the CSV file, or after a while that is long
/// enough for boards that take no time, before one that does not end.
fn interrupted(folder: &Folder, args: &[&str], signal: &str, once_written: bool) -> Output {
    let child = folder.command(args).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while once_written && folder.read("f.csv") == "old rows\n" {
        assert!(Instant::now() < end);
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(if once_written { 100 } else { 2000 }));
    send(signal, &child);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn files_are_as_they_were_after_wrong_arguments() {
    let folder = Folder::new();
    let names = folder.names();
    for (args, message) in [
        (&["--heuristics", "manhatten"][..], "manhattan"),
        (&["--heuristics", "manhattan", "--set", "korf99"], "no set and no file"),
        (&["--heuristics", "manhattan", "--set", "random:0"], "random:N"),
        (&["--heuristics", "manhattan", "--time-limit", "soon"], "write seconds"),
        (&["--heuristics", "manhattan", "--node-limit", "-1"], "write a whole number"),
        (&["--heuristics", "walking-distance", "--size", "5x5", "--set", "random:1"], "too large"),
        (&["--heuristics", "manhattan", "--set", "f.csv"], "the set is refused"),
    ] {
        let output = folder.bench(&[&["--csv", "f.csv", "--svg", "g.svg"], args].concat());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args:?}");
        assert!(text(&output.stderr).contains(message), "{args:?}: {output:?}");
        assert_eq!(folder.names(), names, "{args:?}");
        assert_eq!(folder.read("f.csv"), "old rows\n", "{args:?}");
        assert_eq!(folder.read("g.svg"), "old picture\n", "{args:?}");
    }
    // One of the two cannot be written.
    let output = folder.bench(&[&EASY[..], &["--csv", "f.csv", "--svg", "none/g.svg"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write none/g.svg"), "{output:?}");
    assert_eq!((folder.read("f.csv").as_str(), folder.names()), ("old rows\n", names));
}

#[test]
fn files_are_replaced_when_they_are_whole() {
    let folder = Folder::new();
    fs::set_permissions(folder.path("f.csv"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("g.svg", folder.path("link.svg")).unwrap();
    let names = folder.names();
    let output = folder.bench(&[&EASY[..], &["--csv", "f.csv", "--svg", "link.svg"]].concat());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert_eq!(folder.read("f.csv").lines().count(), 1 + 5);
    assert_eq!(folder.path("f.csv").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(folder.path("link.svg").is_symlink());
    assert!(folder.read("g.svg").ends_with("</svg>\n"));
    assert_eq!(folder.names(), names);
}

/// A search that never ends, in the middle of a bench.
#[test]
fn an_interrupted_bench_gives_what_was_done() {
    for (signal, number, json) in [("INT", 2, false), ("TERM", 15, true)] {
        let folder = Folder::new();
        let list = ["--heuristics", "manhattan,linear-conflict", "--set", "boards.txt", LONG];
        let files = ["--csv", "f.csv", "--svg", "g.svg", "--values", "1000000"];
        let json_option: &[&str] = if json { &["--json"] } else { &[] };
        let args = [&list[..], &files, json_option].concat();
        let output = interrupted(&folder, &args, signal, false);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.signal(), Some(number), "{err}");
        if json {
            assert_eq!(out.lines().filter(|line| line.contains("\"boards\":2,")).count(), 2);
        } else {
            assert!(out.starts_with("boards.txt: 3 4x4 boards, 2 of them tried\n"), "{out}");
            assert!(out.contains("\nmanhattan ") && out.contains("\nlinear-conflict "), "{out}");
        }
        let lines = folder.read("f.csv");
        assert!(lines.starts_with("set,number,board,") && lines.lines().count() == 5);
        assert!(folder.read("g.svg").ends_with("</svg>\n"));
        assert_eq!(folder.names(), ["boards.txt", "f.csv", "g.svg"]);
    }
}

/// Boards after one that does not end are not lost.
#[test]
fn boards_that_another_thread_has_solved_count() {
    let folder = Folder::new();
    let mut lines: Vec<&str> = BOARDS.lines().collect();
    lines.rotate_right(1);
    fs::write(folder.path("boards.txt"), lines.join("\n")).unwrap();
    let list = ["--heuristics", "manhattan", "--set", "boards.txt", "--threads", "2", LONG];
    let args = [&list[..], &["--csv", "f.csv"]].concat();
    let output = interrupted(&folder, &args, "INT", false);
    assert_eq!(output.status.signal(), Some(2));
    assert!(text(&output.stdout).contains("3 4x4 boards, 2 of them tried"), "{output:?}");
    let written = folder.read("f.csv");
    let numbers = written.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
    assert_eq!(numbers.collect::<Vec<_>>(), ["2", "3"]);
}

#[test]
fn an_interrupt_before_the_first_board_leaves_nothing() {
    let folder = Folder::new();
    let hard = BOARDS.lines().last().unwrap();
    fs::write(folder.path("boards.txt"), hard).unwrap();
    let names = folder.names();
    let list = ["--heuristics", "manhattan", "--set", "boards.txt", "--csv", "f.csv", LONG];
    let output = interrupted(&folder, &list, "INT", false);
    assert_eq!((output.status.signal(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains("no board was tried"), "{output:?}");
    assert_eq!((folder.names(), folder.read("f.csv").as_str()), (names, "old rows\n"));
}

/// Values over a hundred million boards take long; the searches before them are not lost.
#[test]
fn an_interrupt_of_the_values_keeps_the_searches() {
    let folder = Folder::new();
    let list = ["--heuristics", "manhattan", "--size", "3x3", "--set", "random:5"];
    let files = ["--csv", "f.csv", "--svg", "g.svg", "--values", "10000000"];
    let output = interrupted(&folder, &[&list[..], &files].concat(), "TERM", true);
    assert_eq!(output.status.signal(), Some(15));
    assert_eq!(folder.read("f.csv").lines().count(), 1 + 5);
    assert!(folder.read("g.svg").ends_with("</svg>\n"));
}

/// The walks of a comparison may take long, in a program that does not answer. The searches are not lost.
#[test]
fn an_interrupt_of_a_program_keeps_the_searches() {
    let folder = Folder::new();
    // It answers the boards, and no more.
    let program = "program:n=0; while read -r b; do [ \"$b\" ] && n=$((n+1)) && \
                   { [ $n -le 5 ] && echo 0 || sleep 60; }; done";
    let list = ["--size", "3x3", "--set", "random:5", "--heuristics", program];
    let files = ["--csv", "f.csv", "--record", "r.json", "--against", "distances"];
    let output = interrupted(&folder, &[&list[..], &files].concat(), "INT", true);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.signal(), Some(2), "{err}");
    assert!(out.starts_with("random:5:1: 5 3x3 boards\n"), "{out}");
    assert!(out.contains("values against true distances"), "{out}");
    assert!(folder.read("r.json").starts_with("{\"schema\":"));
}

/// So it is while distances are searched for.
#[test]
fn an_interrupt_of_the_distances_keeps_the_boards_before() {
    let folder = Folder::new();
    let mut tiles: Vec<String> = (1..18).map(|tile| tile.to_string()).collect();
    let easy = tiles.join(" ") + " 0\n";
    tiles.reverse();
    // An even number of exchanges.
    let hard = tiles.join(" ") + " 0\n";
    fs::write(folder.path("boards.txt"), [&*easy, &easy, &hard].concat()).unwrap();
    let list = ["--size", "6x3", "--set", "boards.txt", "--heuristics", "values:manhattan"];
    let files = ["--csv", "f.csv", "--against", "distances"];
    let output = interrupted(&folder, &[&list[..], &files].concat(), "INT", false);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.signal(), Some(2), "{err}");
    assert!(out.starts_with("boards.txt: 3 6x3 boards, 2 of them tried\n"), "{out} {err}");
    assert_eq!(folder.read("f.csv").lines().count(), 1 + 2);
}

#[test]
fn the_standard_output_is_a_file_too() {
    let folder = Folder::new();
    let output = folder.bench(&[&EASY[..], &["--csv", "-"]].concat());
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.starts_with("set,number,board,") && out.lines().count() == 1 + 5, "{out}");
    assert!(out.lines().skip(1).all(|line| line.starts_with("random:5:1,")), "{out}");
    assert!(err.starts_with("random:5:1: 5 3x3 boards\n"), "{err}");

    let output = folder.bench(&[&EASY[..], &["--svg", "-", "--csv", "f.csv"]].concat());
    let out = text(&output.stdout);
    assert!(out.starts_with("<svg ") && out.ends_with("</svg>\n"), "{out}");
    assert!(!folder.path("-").exists());

    for (args, message) in [
        (["--csv", "-", "--svg", "-"], "a file of its own"),
        (["--csv", "f.csv", "--svg", "f.csv"], "a file of its own"),
        (["--csv", "-", "--json", "--threads=1"], "--json needs the standard output"),
        (["--svg", "-", "--json", "--threads=1"], "--json needs the standard output"),
    ] {
        let output = folder.bench(&[&EASY[..], &args].concat());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args:?}");
        assert!(text(&output.stderr).contains(message), "{args:?}: {output:?}");
    }
}

/// A reader that has seen enough is not an error. The lines are more than a pipe holds.
#[test]
fn a_reader_may_leave() {
    let folder = Folder::new();
    let args = ["--size", "3x3", "--set", "random:2000", "--heuristics", "manhattan"];
    let mut child = folder.command(&[&args[..], &["--csv", "-"]].concat()).spawn().unwrap();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    assert!(line.starts_with("set,number,"));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{err}");
    assert!(err.contains("2000 3x3 boards\n"), "{err}");
}

/// Pipes and devices are written to. A rename would put a file in their place.
#[test]
fn a_pipe_stays_a_pipe() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = |pipe: &Path| {
        let pipe = pipe.to_owned();
        thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    let read = reader(&pipe);
    let output = folder.bench(&[&EASY[..], &["--csv", "pipe"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(read.join().unwrap().lines().count(), 1 + 5);
    assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
}

/// A disk that is full ends the bench, and what was done is printed. `/dev/full` is such a disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let folder = Folder::new();
    let output = folder.bench(&[&EASY[..], &["--csv", "/dev/full"]].concat());
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.code() == Some(2) && out.contains("5 3x3 boards\n"), "{out} {err}");
    assert!(err.contains("cannot write /dev/full: No space left on device"), "{err}");
    // A limit on the size of files is one on a file that is replaced.
    let script = "ulimit -f 8 && exec \"$0\" bench --size 3x3 --set random:2000 \
                  --heuristics manhattan --csv f.csv";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_taquin")]).current_dir(folder.0.path());
    let output = shell.output().unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("cannot write f.csv: File too large"), "{err}");
    assert!(out.contains("2000 3x3 boards\n"), "{out}");
    assert_eq!(folder.read("f.csv"), "old rows\n");
}
