//! Messages of `taquin solve` while it searches: bars and lines on a terminal. `--verbose` is in `tests/prompt/methods.md`.

use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::process::{Command, Stdio};
use std::thread;

use crate::common::FAR;

/// Both ends of a new terminal, 80 columns wide: the one that a person sees, and the program's.
fn terminal() -> (File, File) {
    let (mut ours, mut theirs) = (0, 0);
    let size = libc::winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: both numbers are written to memory of their type; the name and the modes are not
    // wanted.
    let made = unsafe {
        libc::openpty(
            &mut ours,
            &mut theirs,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            (&raw const size).cast_mut(),
        )
    };
    assert_eq!(made, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the call has opened both, and nothing else owns them.
    let ends = unsafe { [File::from_raw_fd(ours), File::from_raw_fd(theirs)] };
    // A copy is closed in the programs that other tests start, which would keep the terminal open.
    let [ours, theirs] = ends.map(|end| end.try_clone().unwrap());
    (ours, theirs)
}

/// `taquin solve` with arguments, where there are no databases, its standard error on a terminal.
struct Seen {
    /// All that the terminal receives, control sequences included.
    terminal: String,
    /// The standard output where it is no terminal.
    out: String,
}

fn solve(args: &[&str], out_on_terminal: bool, input: &str) -> Seen {
    let (mut ours, theirs) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command
        .arg("solve")
        .args(args)
        .env("TAQUIN_PDB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none"))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(if out_on_terminal { theirs.try_clone().unwrap().into() } else { Stdio::piped() })
        .stderr(theirs);
    let mut child = command.spawn().unwrap();
    // The command holds the program's end too.
    drop(command);
    let reader = thread::spawn(move || {
        let mut all = Vec::new();
        let mut piece = [0; 4096];
        // Reading fails once the program is gone.
        while let Ok(count @ 1..) = ours.read(&mut piece) {
            all.extend_from_slice(&piece[..count]);
        }
        String::from_utf8_lossy(&all).into_owned()
    });
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    Seen { terminal: reader.join().unwrap(), out }
}

#[test]
fn every_search_that_lasts_shows_a_line() {
    let mut shuffle = Command::new(env!("CARGO_BIN_EXE_taquin"));
    let shuffled = shuffle.args(["shuffle", "--size", "10x10", "--seed", "1"]).output().unwrap();
    let large = String::from_utf8(shuffled.stdout).unwrap();
    for (options, board, words) in [
        ("--heuristic manhattan", FAR, "threshold "),
        ("--method astar --heuristic manhattan", FAR, "at least "),
        ("--method bfs", FAR, "at least "),
        ("--method staged", large.trim(), " moves so far"),
    ] {
        let mut args: Vec<&str> = options.split(' ').collect();
        args.extend(["--time-limit", "0.4", board]);
        let Seen { terminal, out } = solve(&args, false, "");
        assert!(
            terminal.contains(words) && terminal.contains(" M nodes"),
            "{options}: {terminal:?}"
        );
        after_lines(&terminal);
        assert!(!out.contains('\x1b'), "{out:?}");
    }
}

/// The screen of a terminal after the last line about a search, which is removed before.
fn after_lines(terminal: &str) -> &str {
    let (_, rest) = terminal.rsplit_once(" M nodes").expect("a line");
    let (line, after) = rest.split_once("\x1b[2K").expect("the line is removed");
    assert!(!line.contains('\n'), "{terminal:?}");
    after
}

#[test]
fn a_count_shows_a_line() {
    // Each of the two searches takes some tenths of a second.
    let board = "12 11 15 3 / 8 0 4 2 / 6 13 9 5 / 14 1 10 7";
    let args = ["--count", "--heuristic", "manhattan", "--goal", "blank-first", board];
    let Seen { terminal, out } = solve(&args, false, "");
    assert!(terminal.contains("counting, threshold 50"), "{terminal:?}");
    assert_eq!(out, "2\n");
}

#[test]
fn batches_show_the_boards_done() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    let boards = "8 6 7 / 2 5 4 / 3 0 1\n# none\n\n1 2 3 / 4 0 6 / 7 5 8\n1 2 3 0\n";
    std::fs::write(&file, boards).unwrap();
    let args = ["--heuristic", "manhattan", "--file", file.to_str().unwrap()];
    let Seen { terminal, out } = solve(&[&args[..], &["--json"]].concat(), false, "");
    assert!(terminal.contains(" of 3 boards  ["), "{terminal:?}");
    assert_eq!(out.matches("\"solved\":true").count(), 3);
    // Their number is not known beforehand.
    let Seen { terminal, .. } = solve(&["--heuristic", "manhattan", "-"], false, boards);
    assert!(terminal.contains("1 boards  "), "{terminal:?}");
    // One board is no batch.
    let Seen { terminal, .. } = solve(&["--heuristic", "manhattan", "1 2 3 0"], false, "");
    assert!(!terminal.contains("boards"), "{terminal:?}");
    // A terminal shows the answers.
    let Seen { terminal, .. } = solve(&args, true, "");
    assert!(!terminal.contains("boards") && terminal.contains("31 moves"), "{terminal:?}");
}

/// Where the answers go to the same terminal, the line is removed first.
#[test]
fn answers_and_lines_do_not_mix() {
    let args = ["--color", "never", "--heuristic", "manhattan", "--time-limit", "0.5", FAR];
    let Seen { terminal, .. } = solve(&args, true, "");
    assert!(terminal.contains("threshold "));
    let answer = after_lines(&terminal);
    assert!(answer.contains(" . 12  9 13\r\n15 11 10 14\r\n"), "{terminal:?}");
}
