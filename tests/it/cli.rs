//! The programs as users and scripts meet them: real processes, real folders.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::process::Run;
use serde_json::Value;
use taquin_engine::board::{Board, Goal, Grid, Move, Moves};
use tempfile::TempDir;

/// A program with nothing of this process's surroundings: no databases, no standard input.
fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    command.env_remove("TAQUIN_PDB_DIR").stdin(Stdio::null());
    command
}

fn taquin_command() -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_taquin"));
    command.arg("solve");
    command
}

fn run(command: &mut Command) -> Run {
    command.output().expect("the program runs").into()
}

/// A path below a file: nobody can make a folder there, not even the superuser.
const NO_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none");

/// `taquin solve` where there are no databases and none can be written.
fn solve<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Run {
    run(taquin_command().env("TAQUIN_PDB_DIR", NO_FOLDER).args(args))
}

/// `taquin solve` with this on its standard input.
fn solve_stream(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    fs::write(&file, input).unwrap();
    run(taquin_command().args(args).stdin(fs::File::open(file).unwrap()))
}

fn pdb_gen<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Run {
    run(program(env!("CARGO_BIN_EXE_pdb-gen")).args(args))
}

/// A 4×3 board, of the smallest size whose databases are kept in files.
const BOARD_4X3: &str = "1 2 3 0 / 4 5 6 7 / 8 9 10 11";
const FILES_4X3: [&str; 2] = ["4x3-0-1.2.3.4.5.pdb", "4x3-0-6.7.8.9.10.11.pdb"];

fn solve_4x3(folder: &Path) -> Run {
    run(taquin_command().arg("--pdb-dir").arg(folder).arg(BOARD_4X3))
}

/// A folder with the databases of 4×3.
fn built_4x3() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let args = [OsStr::new("build"), "--size".as_ref(), "4x3".as_ref(), "--out".as_ref()];
    pdb_gen(args.into_iter().chain([folder.path().as_os_str()])).fine();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Fails unless these moves solve the board.
#[track_caller]
fn replay(object: &Value) {
    let text = |field: &str| {
        let tiles: Vec<String> =
            object[field].as_array().unwrap().iter().map(Value::to_string).collect();
        let rows: Vec<String> =
            tiles.chunks(object["width"].as_u64().unwrap() as usize).map(|r| r.join(" ")).collect();
        rows.join("/")
    };
    let (board, goal): (Board, Board) =
        (text("board").parse().unwrap(), text("goal").parse().unwrap());
    let moves: Moves = object["moves"].as_str().unwrap().parse().unwrap();
    assert_eq!(board.after(&moves), Ok(goal), "{object}");
    assert_eq!(object["length"], moves.len(), "{object}");
}

// Answers.

#[test]
fn every_size_that_takes_no_time_is_solved() {
    for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2), (2, 4), (3, 3), (5, 2), (2, 5)] {
        // The tiles backwards, and the same with two of them swapped: one of them is solvable.
        let mut tiles: Vec<usize> = (0..width * height).rev().collect();
        let mut text = || {
            tiles.swap(0, 1);
            let rows = tiles.chunks(width);
            rows.map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
                .join(" / ")
        };
        let run = solve(["--json", &text(), &text()]).expect(1, "");
        let (solved, unsolvable): (Vec<_>, Vec<_>) =
            run.objects().into_iter().partition(|object| object["solved"] == true);
        assert_eq!((solved.len(), unsolvable.len()), (1, 1));
        assert_eq!(unsolvable[0]["kind"], "unsolvable");
        replay(&solved[0]);
    }
}

/// A board some moves away from a goal.
fn near(goal: &Goal) -> String {
    let mut board = goal.board().clone();
    let mut made = 0;
    for i in 0.. {
        made += usize::from(board.apply(Move::ALL[(i * i + i / 3) % 4]));
        if made == 12 {
            break;
        }
    }
    board.to_string()
}

#[test]
fn any_goal_can_be_reached() {
    let grid = "3x3".parse().unwrap();
    for text in Goal::NAMES.into_iter().chain(["8 7 6 / 5 4 3 / 2 1 0", "8 7 6 5 0 4 3 2 1"]) {
        let goal = Goal::parse(text, grid).unwrap();
        let run = solve(["--json", "--goal", text, &near(&goal)]);
        let object = &run.objects()[0];
        assert_eq!(object["goal"], Value::from(goal.board().tiles()), "{text}");
        replay(object);
        assert!(object["length"].as_u64().unwrap() <= 12);
        run.fine();
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let hardest = ["8 6 7 / 2 5 4 / 3 0 1", "6 4 7 / 8 5 0 / 3 2 1"];
    let answers = |threads| solve(["--threads", threads].iter().chain(&hardest)).fine();
    assert!(answers("1").contains("\n31: "));
    assert_eq!(answers("1"), answers("2"));
    assert_eq!(answers("1"), answers("16"));
}

// Limits.

/// The nine-cell board farthest from the goal, and a search of thousands of nodes.
const HARD_3X3: &str = "8 6 7 / 2 5 4 / 3 0 1";

#[test]
fn a_limit_gives_the_bound_proved() {
    for (limit, value, within) in [
        ("--time-limit", "0", "within the time limit"),
        ("--node-limit", "100", "within the node limit"),
    ] {
        let run = solve([limit, value, HARD_3X3]).expect(1, "");
        let verdict = run.err.lines().last().unwrap();
        let (length, bound) = verdict
            .strip_prefix("taquin: ")
            .and_then(|rest| rest.split_once(" moves are needed, a gap of "))
            .map(|(rest, _)| rest)
            .and_then(|rest| {
                rest.split_once(&format!(" moves, not proved optimal {within}: at least "))
            })
            .unwrap_or_else(|| panic!("{run:#?}"));
        let (length, bound): (u32, u32) = (length.parse().unwrap(), bound.parse().unwrap());
        assert!((1..31).contains(&bound) && length >= 31, "{verdict}");
    }
    // A plain search finds no solution before the optimal one.
    let run = solve(["--method", "astar", "--node-limit", "100", HARD_3X3]).expect(1, "");
    assert!(run.err.contains("unsolved within the node limit: at least "), "{run:#?}");

    let fields = |args: &[&str]| {
        let run = solve(args).expect(1, "");
        let object = run.objects().remove(0);
        assert_eq!((&object["solved"], &object["optimal"]), (&true.into(), &false.into()));
        let (length, bound) =
            (object["length"].as_u64().unwrap(), object["lower_bound"].as_u64().unwrap());
        assert_eq!((object["gap"].as_u64().unwrap(), bound % 2), (length - bound, 1));
        replay(&object);
        object["stopped"].as_str().unwrap().to_owned()
    };
    assert_eq!(fields(&["--json", "--time-limit", "0", HARD_3X3]), "time");
    assert_eq!(fields(&["--json", "--node-limit", "1", HARD_3X3]), "nodes");
    // The same for each board of several; one that is solved at once is solved in no time.
    let run = solve(["--json", "--time-limit", "0s", "1 2 3 0", HARD_3X3, HARD_3X3]).expect(1, "");
    let stopped: Vec<_> = run.objects().iter().map(|object| object["stopped"].clone()).collect();
    assert_eq!(stopped, [Value::Null, "time".into(), "time".into()]);
    // A limit that is not reached changes nothing.
    let free = solve([HARD_3X3]).fine();
    let limits = ["--time-limit", "1h", "--node-limit", "1e12", "--memory", "1T", HARD_3X3];
    assert_eq!(solve(limits).fine(), free);
}

#[test]
fn a_gap_is_enough() {
    let gap = |gap: &str| solve(["--method", "bfs", "--gap", gap, "--json", HARD_3X3]);
    let object = gap("30").expect(0, "").objects().remove(0);
    assert_eq!((&object["stopped"], &object["optimal"]), (&"gap".into(), &false.into()));
    replay(&object);
    assert_eq!(gap("0").expect(0, "").objects().remove(0)["optimal"], true);
    let in_words = solve(["--method", "bfs", "--gap", "30", HARD_3X3]).expect(0, "");
    assert_eq!(in_words.err, "");
}

// Where boards come from.

#[test]
fn boards_are_read_from_a_stream() {
    let text = "\u{feff}# easy\r\n\r\n 1 2 3 0 # solved\r\n1,0,3,2\r\n";
    let solve = |args: &[&str]| solve_stream(&[&["--format", "letters"], args].concat(), text);
    for args in [&["-"][..], &[], &["--file", "-"]] {
        assert_eq!(solve(args).fine(), "\nU\n", "{args:?}");
    }
    // The second stream is at its end; that it is asked for again does no harm.
    assert_eq!(solve(&["-", "-"]).fine(), "\nU\n");
    assert_eq!(solve(&["0 1 3 2", "-"]).fine(), "LU\n\nU\n");
}

#[test]
fn boards_are_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, "# two\n1 2 3 0\n\n1 2 2 0").unwrap();
    let path = file.to_str().unwrap();
    let run = solve(["--format", "letters", "--file", path, "1 0 3 2"]);
    let run = run.expect(2, &format!("{path}, line 4: tile 2"));
    // A line for each board, solved or not.
    assert_eq!(run.out, "U\n\n\n");

    solve(["--file", "/nowhere/boards.txt"]).expect(2, "/nowhere/boards.txt: ");
    // Windows does not even open it.
    let unread = if cfg!(windows) { "(os error 5)" } else { "cannot be read" };
    solve(["--file", folder.path().to_str().unwrap()]).expect(2, unread);
    fs::write(&file, "# none\n\n").unwrap();
    solve(["--file", path]).expect(2, "there is no board in the input");
    solve_stream(&[], "").expect(2, "there is no board in the input");
    solve([""; 0]).expect(2, "there is no board in the input");
}

#[test]
fn a_bad_line_does_not_stop_the_rest() {
    let mut text = b"1 2 3 0\n1 2 \xff 0\n1 2 3\0 0\n1 2 2 0\n".to_vec();
    text.extend([b'1'; 1 << 20]);
    text.extend(b"\n1 x 3 0\n2 1 3 0\n1 2 3 4\n1 2 3\n1 0 3 2\n");
    let run = solve_stream(&["--format", "letters", "-"], &text);
    assert_eq!(run.out, format!("{}U\n", "\n".repeat(9)), "{run:#?}");
    let errors: Vec<&str> = run.err.lines().collect();
    for (error, (line, message)) in errors.iter().zip([
        (2, "not UTF-8 from byte 5 on"),
        (3, r#""3\0" is not a tile"#),
        (4, "tile 2 appears twice, tile 3 is missing"),
        (5, "longer than 64 KiB"),
        (6, "the blank appears twice, tile 2 is missing"),
        (7, "1 transposition (odd) and a blank distance of 0 (even): unsolvable"),
        (8, "there is no tile 4 on a 2x2 board"),
        (9, "3 numbers in one row"),
    ]) {
        assert!(error.starts_with(&format!("taquin: standard input, line {line}: ")), "{error}");
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(errors.len(), 8);
    let objects = solve_stream(&["--json"], &text).expect(2, "").objects();
    assert_eq!(objects.len(), 10);
    assert!(objects.iter().all(|object| object["input"].as_str().is_none_or(|i| i.len() < 100)));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    solve([OsStr::from_bytes(b"1 2 \xff 0")]).expect(2, "invalid UTF-8");
    solve([r"C:\boards.txt"]).expect(2, "is not a board, and there is no such file");
    solve(["1 ".repeat(1000)]).expect(2, "more than 256 cells");
}

#[test]
fn the_help_explains_the_exit_codes() {
    for path in [env!("CARGO_BIN_EXE_taquin"), env!("CARGO_BIN_EXE_pdb-gen")] {
        assert!(run(program(path).arg("--help")).fine().contains("Exit codes"));
        assert!(!run(program(path).arg("-h")).fine().contains("Exit codes"));
        assert!(run(program(path).arg("--version")).fine().contains(env!("CARGO_PKG_VERSION")));
    }
    assert!(solve(["--help"]).fine().contains("Examples"));
}

// Streams.

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = taquin_command()
        .args(["--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (board, field) in [("1 0 3 2", "length"), ("1 1", "error"), ("1 2 3 0", "length")] {
        writeln!(input, "{board}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(field), "{line}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_broken_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, "1 0 3 2\n".repeat(100_000)).unwrap();
    let file = file.to_str().unwrap();
    for args in [&["--file", file][..], &["--json", "--file", file]] {
        let mut child = taquin_command()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        // The reader is gone now.
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    run(taquin_command().arg("1 0 3 2").stdout(full())).expect(2, "cannot write the answers");
    let folder = built_4x3();
    let mut info = program(env!("CARGO_BIN_EXE_pdb-gen"));
    info.arg("info").arg(folder.path().join(FILES_4X3[0])).stdout(full());
    run(&mut info).expect(2, "cannot write the output");
    // There is nobody to tell, but there is an exit code.
    run(taquin_command().arg("1 2 2 0").stderr(full())).expect(2, "");
}

// Databases.

#[test]
fn what_is_missing_is_built_once() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("new/folder");
    let first = solve_4x3(&below).expect(0, "building the 5-6 databases for 4x3 boards in");
    assert_eq!(first.err.lines().count(), 1, "{first:#?}");
    assert!(first.err.contains("new/folder (0.228 MB): this is done once"), "{first:#?}");
    assert_eq!(names(&below), FILES_4X3);
    assert_eq!(solve_4x3(&below).fine(), first.out);
    // And what is built by either program is the same.
    for name in FILES_4X3 {
        let other = fs::read(built_4x3().path().join(name)).unwrap();
        assert!(fs::read(below.join(name)).unwrap() == other, "{name}");
        fs::remove_file(below.join(name)).unwrap();
        let again = solve_4x3(&below).expect(0, "building the 5-6 databases");
        assert_eq!(again.out, first.out);
        assert!(fs::read(below.join(name)).unwrap() == other, "{name}");
    }
}

#[test]
fn boards_that_need_no_database_build_none() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("new");
    for board in [
        "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0",
        "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0",
        "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 15 0",
        "1 2 3 / 4 5 6 / 0 7 8",
        "2 3 / 1 0",
    ] {
        run(taquin_command().arg("--pdb-dir").arg(&below).arg(board));
        assert!(!below.exists(), "{board}");
    }
}

#[cfg(unix)]
#[test]
fn no_build_gives_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("it's here");
    let mut command = taquin_command();
    command.args(["--no-build", BOARD_4X3, "--pdb-dir"]).arg(&below);
    let refused = run(&mut command).expect(3, "the 5-6 databases are not in");
    assert!(!below.exists());
    assert_eq!(refused.out, "");
    let line = refused.err.split('`').nth(1).unwrap();
    let args = line.strip_prefix("pdb-gen ").unwrap();
    // As a shell would do it.
    let shell = format!("\"$PROGRAM\" {args}");
    let mut shell_command = program("sh");
    shell_command.args(["-c", &shell]).env("PROGRAM", env!("CARGO_BIN_EXE_pdb-gen"));
    run(&mut shell_command).fine();
    run(&mut command).fine();
    // Small boards need no files.
    solve(["--no-build", "1 2 3 / 4 5 6 / 0 7 8"]).fine();
}

#[test]
fn where_nothing_can_be_written_tables_stay_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "no folder").unwrap();
    for place in [&file, &file.join("below")] {
        let run = solve_4x3(place).expect(0, "cannot write to");
        assert!(run.err.contains("in memory, for this run only"), "{run:#?}");
        assert_eq!(run.err.lines().count(), 1);
        assert!(run.out.starts_with("1: "), "{run:#?}");
    }
    // A folder that is there, but takes no files.
    for name in FILES_4X3 {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    solve_4x3(folder.path()).expect(3, "not a regular file");
    #[cfg(target_os = "linux")]
    solve_4x3(Path::new("/proc")).expect(0, "cannot write to /proc");
}

/// Something wrong with a file, how it comes about, and the message about it.
type Damage = (&'static str, fn(&mut Vec<u8>), &'static str);

const DAMAGES: [Damage; 8] = [
    ("cut short", |file| file.truncate(file.len() - 1), "bytes long, where"),
    ("cut within the header", |file| file.truncate(1000), "cut short: 1000 bytes"),
    ("empty", Vec::clear, "not a Taquin pattern database"),
    ("too long", |file| file.push(0), "bytes long, where"),
    ("foreign", |file| *file = b"hello".to_vec(), "not a Taquin pattern database"),
    ("of another version", |file| file[8] = 2, "of format version 2"),
    ("with a changed header", |file| file[100] ^= 1, "does not match its checksum"),
    ("sent as text", |file| file.retain(|&byte| byte != b'\r'), "in text mode"),
];

#[test]
fn a_file_that_cannot_be_used_is_refused_and_rebuilt_by_force() {
    let folder = built_4x3();
    for name in FILES_4X3 {
        let path = folder.path().join(name);
        let sound = fs::read(&path).unwrap();
        for (damage, make, message) in DAMAGES {
            let mut file = sound.clone();
            make(&mut file);
            fs::write(&path, &file).unwrap();
            let out = folder.path().to_str().unwrap();
            let build = ["build", "--size", "4x3", "--out", out];
            for refused in [
                solve_4x3(folder.path()),
                pdb_gen(build),
                pdb_gen([OsStr::new("info"), path.as_ref()]),
                pdb_gen([OsStr::new("verify"), path.as_ref()]),
            ] {
                let refused = refused.expect(3, message);
                assert!(refused.err.contains(name), "{damage}: {refused:#?}");
                let command = ["pdb-gen build --size 4x3", "--force --out", out];
                assert!(command.iter().all(|part| refused.err.contains(part)), "{refused:#?}");
                // A sound file beside it is reported too.
                assert!(!refused.out.contains(name), "{refused:#?}");
            }
            assert!(fs::read(&path).unwrap() == file, "{damage}: the file was touched");
            pdb_gen(build.iter().chain(&["--force"])).fine();
            assert!(fs::read(&path).unwrap() == sound, "{damage}: the file is not rebuilt");
        }
    }
    solve_4x3(folder.path()).fine();
}

#[test]
fn the_file_of_another_pattern_is_refused() {
    let folder = built_4x3();
    let [first, second] = FILES_4X3.map(|name| folder.path().join(name));
    fs::copy(&second, &first).unwrap();
    let refused = solve_4x3(folder.path()).expect(3, "holds tiles 6,7,8,9,10,11 of a 4x3 board");
    assert!(refused.err.contains(FILES_4X3[0]), "{refused:#?}");
    let verified = pdb_gen([OsStr::new("verify"), first.as_ref()]).expect(3, "");
    assert!(verified.out.contains("under the name 4x3-0-6.7.8.9.10.11.pdb"), "{verified:#?}");
}

#[test]
fn a_damaged_table_is_found() {
    let folder = built_4x3();
    let path = folder.path().join(FILES_4X3[1]);
    let sound = fs::read(&path).unwrap();
    // All bits of the table turned: no state is where it should be.
    let mut file = sound.clone();
    file[4096..].iter_mut().for_each(|byte| *byte ^= 0xff);
    fs::write(&path, &file).unwrap();
    let refused = solve_4x3(folder.path()).expect(3, FILES_4X3[1]);
    assert!(refused.err.contains("damaged") && refused.out.is_empty(), "{refused:#?}");
    // A single bit.
    file.clone_from(&sound);
    file[sound.len() / 2] ^= 4;
    fs::write(&path, &file).unwrap();
    for quick in [&[][..], &["--quick"]] {
        let args = [OsStr::new("verify"), path.as_ref()];
        pdb_gen(args.into_iter().chain(quick.iter().map(OsStr::new)))
            .expect(3, "damaged: the table does not match its checksum");
    }
    let out = folder.path().to_str().unwrap();
    pdb_gen(["build", "--size", "4x3", "--out", out]).expect(3, "does not match its checksum");
}

#[test]
fn the_folder_is_the_one_the_user_names() {
    let home = tempfile::tempdir().unwrap();
    let place = |name: &str| home.path().join(name);
    fs::create_dir(place("work")).unwrap();
    let in_work = |variables: &[(&str, &Path)], args: &[&str]| {
        let mut command = taquin_command();
        command.arg(BOARD_4X3).args(args).current_dir(place("work")).env("HOME", place("home"));
        command.env_remove("XDG_DATA_HOME").envs(variables.iter().copied());
        run(&mut command).expect(0, "building");
    };
    if cfg!(all(unix, not(target_os = "macos"))) {
        in_work(&[("XDG_DATA_HOME", &place("data"))], &[]);
        assert_eq!(names(&place("data/taquin")), FILES_4X3);
        in_work(&[], &[]);
        assert_eq!(names(&place("home/.local/share/taquin")), FILES_4X3);
    }
    fs::create_dir(place("work/pdb")).unwrap();
    // An empty variable is none.
    in_work(&[("TAQUIN_PDB_DIR", Path::new(""))], &[]);
    assert_eq!(names(&place("work/pdb")), FILES_4X3);
    in_work(&[("TAQUIN_PDB_DIR", &place("variable"))], &[]);
    assert_eq!(names(&place("variable")), FILES_4X3);
    in_work(&[("TAQUIN_PDB_DIR", &place("variable"))], &["--pdb-dir", "../option"]);
    assert_eq!(names(&place("option")), FILES_4X3);
}

// The generator.

#[test]
fn a_build_is_reported_and_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/folder");
    let build = |more: &[&str]| {
        let args = ["build", "--size", "3x3", "--partition", "4-4", "--out", out.to_str().unwrap()];
        pdb_gen(args.iter().chain(more)).fine()
    };
    let first = build(&[]);
    let files = ["3x3-0-1.2.4.5.pdb", "3x3-0-3.6.7.8.pdb"];
    assert_eq!(names(&out), files);
    for (line, name) in first.lines().zip(files) {
        let path = out.join(name);
        let size = fs::metadata(&path).unwrap().len() as f64 / 1e6;
        assert!(line.starts_with(&format!("{}: built in ", path.display())), "{line}");
        assert!(line.contains(&format!(": {size:.3} MB, 5,520 states, deepest level ")), "{line}");
        let (_, checksum) = line.split_once(", checksum ").unwrap();
        let info = pdb_gen([OsStr::new("info"), path.as_ref()]).fine();
        assert!(checksum.len() == 16 && info.contains(checksum), "{line}\n{info}");
    }
    let written = || files.map(|name| fs::metadata(out.join(name)).unwrap().modified().unwrap());
    let before = written();
    let second = build(&["--threads", "1"]);
    assert_eq!(second.matches(": up to date: ").count(), 2, "{second}");
    assert_eq!(written(), before);
    let bytes = || files.map(|name| fs::read(out.join(name)).unwrap());
    let before = bytes();
    assert_eq!(build(&["--force", "--threads", "3"]).matches(": built in ").count(), 2);
    assert!(bytes() == before, "other bytes with other threads");
    let verified = pdb_gen(["verify".into()].into_iter().chain(files.map(|name| out.join(name))));
    let verified = verified.fine();
    assert_eq!(verified.matches(": sound: ").count(), 2, "{verified}");
    assert_eq!(verified.matches("; proved: ").count(), 2, "{verified}");
}

#[test]
fn equivalent_goals_share_their_databases() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for blank in ["0", "2", "9", "11"] {
        let run = pdb_gen(["build", "--size", "3x4", "--blank", blank, "--out", out]);
        run.expect(0, "building for 4x3 with the blank in cell 0, which also works for 3x4");
    }
    assert_eq!(names(folder.path()), FILES_4X3);
    for size in ["4x3", "3x4"] {
        let grid: Grid = size.parse().unwrap();
        for name in ["blank-last", "blank-first", "blank-top-right", "blank-bottom-left"] {
            let board = near(&Goal::named(name, grid).unwrap());
            let args = ["--json", "--no-build", "--pdb-dir", out, "--goal", name, &board];
            let run = run(taquin_command().args(args));
            replay(&run.objects()[0]);
            run.fine();
        }
    }
}

/// Messages are in the transcripts.
#[test]
fn what_is_refused_makes_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    for (args, code) in [
        ("--partition 8-7", 2),
        ("--size 6x6", 2),
        ("--threads 0", 2),
        ("--memory 8G --size 5x5 --partition 1,2,3,4,5,6,7,8", 3),
        ("--memory 200M", 3),
        ("--memory 1G --size 8x8 --partition 1,2,3,4,5,6,7,8", 3),
    ] {
        let mut command = program(env!("CARGO_BIN_EXE_pdb-gen"));
        command.env("TAQUIN_PDB_DIR", &out).arg("build").args(args.split(' '));
        assert_eq!(run(&mut command).expect(code, "").out, "", "{args}");
        assert!(!out.exists(), "{args}");
    }
    pdb_gen(["build", "--size", "3x3", "--out", NO_FOLDER]).expect(3, "cannot create the folder");
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let folder = built_4x3();
    let [first, second] = FILES_4X3.map(|name| folder.path().join(name));
    fs::write(&first, "hello").unwrap();
    for verb in ["info", "verify"] {
        let args = [verb.as_ref(), first.as_os_str(), second.as_ref(), "/nowhere".as_ref()];
        let run = pdb_gen(args).expect(3, "/nowhere: not found");
        assert!(run.err.contains("not a Taquin pattern database"), "{run:#?}");
        assert!(run.out.contains(FILES_4X3[1]) && !run.out.contains(FILES_4X3[0]), "{run:#?}");
    }
}

// The real thing.

/// A folder with the standard databases of 4×4, built once for all tests. Programs may build others
/// in it.
pub fn folder_4x4() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // In the build's own folder, where it does no harm that nobody removes it. Files of an
        // earlier run may be of an earlier program.
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pdb");
        let _ = fs::remove_dir_all(&folder);
        pdb_gen([OsStr::new("build"), "--out".as_ref(), folder.as_ref()]).fine();
        folder
    })
}

#[test]
fn the_five_contest_boards_take_195_moves() {
    let boards = [
        "([5,1,7,3],[9,2,11,4],[13,6,15,8],[0,10,14,12])",
        "([2,5,13,12],[1,0,3,15],[9,7,14,6],[10,11,8,4])",
        "([5,2,4,8],[10,0,3,14],[13,6,11,12],[1,15,9,7])",
        "([11,4,12,2],[5,10,3,15],[14,1,6,7],[0,9,8,13])",
        "([5,8,7,11],[1,6,12,2],[9,0,13,10],[14,3,4,15])",
    ];
    let mut command = taquin_command();
    command.args(["--json", "--no-build", "--pdb-dir"]).arg(folder_4x4()).args(boards);
    let solved = run(&mut command);
    let objects = solved.objects();
    objects.iter().for_each(replay);
    let lengths: Vec<&Value> = objects.iter().map(|object| &object["length"]).collect();
    assert_eq!(lengths, [15, 48, 38, 49, 45]);
    solved.fine();

    // The files that README names.
    for (name, moves) in [("five", 195), ("board", 41)] {
        let file = format!("{}/examples/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let mut command = taquin_command();
        command.args(["--json", "--no-build", "--pdb-dir"]).arg(folder_4x4());
        let solved = run(command.args(["--file", &file]));
        let lengths = solved.objects();
        let lengths = lengths.iter().map(|object| object["length"].as_u64().unwrap());
        assert_eq!(lengths.sum::<u64>(), moves, "{file}");
    }

    let mut command = taquin_command();
    command.args(["--no-build", "--pdb-dir"]).arg(folder_4x4()).arg(boards[0]);
    let text = run(&mut command).fine();
    assert!(text.starts_with("1: Down\n") && text.ends_with("\n15: Up\n"), "{text}");
}
