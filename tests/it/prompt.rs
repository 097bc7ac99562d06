//! Command lines that are nearly right, and the messages about them.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::Run;
use serde_json::{Map, Value};

const TAQUIN: &str = env!("CARGO_BIN_EXE_taquin");
const PDB_GEN: &str = env!("CARGO_BIN_EXE_pdb-gen");

/// A program with a folder for databases and its input in pieces, with a pause before each.
fn run(program: &str, folder: &Path, args: &[&str], pieces: &[&str]) -> Run {
    let mut child = Command::new(program)
        .args(args)
        .env("TAQUIN_PDB_DIR", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            thread::sleep(Duration::from_millis(300));
        }
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

fn taquin(args: &[&str]) -> Run {
    run(TAQUIN, tempfile::tempdir().unwrap().path(), args, &[])
}

fn stream(pieces: &[&str]) -> Run {
    let args = ["solve", "--format", "letters", "-"];
    run(TAQUIN, tempfile::tempdir().unwrap().path(), &args, pieces)
}

#[test]
fn a_file_among_the_boards_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("boards.txt"), "1 0 3 2\n").unwrap();
    for command in ["solve", "check"] {
        let run = run(TAQUIN, folder.path(), &[command, "boards.txt"], &[]);
        run.expect(2, "boards.txt is a file: read it with --file boards.txt");
    }
}

#[test]
fn a_shorter_line_is_another_board() {
    // A board a line, and a shorter line after it.
    assert_eq!(stream(&["1 2 3 4 5 6 7 8 0\n1 2 3 0\n"]).fine(), "\n\n");
}

#[test]
fn the_kind_of_an_error_is_named() {
    // The board is sound.
    let refused = taquin(&["solve", "--json", "--heuristic", "portfolio", "1 2 3 / 4 5 6 / 7 0 8"]);
    assert!(refused.code == 2 && refused.out.contains("\"kind\":\"usage\""), "{refused:?}");
}

#[test]
fn a_file_in_place_of_a_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    let build = run(PDB_GEN, folder.path(), &["build", "--size", "3x3", "--out", file], &[]);
    build.expect(3, "it is a file, not a folder");
    let man = run(TAQUIN, folder.path(), &["man", "--out", file], &[]);
    man.expect(2, "it is a file, not a folder");
}

#[test]
fn names_are_read_in_any_case() {
    let args = ["solve", "--format", "letters", "--goal", "Blank-First", "1 0 / 2 3"];
    let reference =
        taquin(&args.map(|word| if word == "Blank-First" { "blank-first" } else { word }));
    assert_eq!(taquin(&args).fine(), reference.fine());
    let heuristics = "Manhattan,max(Walking-Distance,LINEAR-CONFLICT)";
    let args = ["bench", "--set", "random:1e1", "--size", "3x3", "--heuristics", heuristics];
    let table = taquin(&args).fine();
    assert!(table.contains("max(walking-distance,linear-conflict)"), "{table}");
}

#[test]
fn solved_objects_can_be_replayed() {
    let solved =
        taquin(&["solve", "--json", "1 2 3 / 4 0 6 / 7 5 8", "1 2 3 / 4 5 6 / 7 0 8"]).fine();
    let apply = |text: &str, args: &[&str]| {
        let args: Vec<_> = ["apply", "-"].iter().chain(args).copied().collect();
        run(TAQUIN, tempfile::tempdir().unwrap().path(), &args, &[text])
    };
    assert_eq!(apply(&solved, &["--format", "letters"]).fine(), "UL\nL\n");
    assert_eq!(apply(&solved.replace("UL", "U"), &["--format", "letters"]).code, 1);
    let unsolved = solved.replace("\"L\"", "null");
    apply(&unsolved, &[]).expect(2, "standard input, line 2: this object has no moves: no solution was found, or none was looked for");
    // The others are replayed all the same.
    let first = solved.replace("\"UL\"", "null");
    assert_eq!(apply(&first, &["--format", "letters"]).out, "L\n");
    apply("", &[]).expect(2, "there is no board in the input");
}

/// The first row of a grid may be a board by itself.
#[test]
fn a_row_that_is_there_belongs_to_its_grid() {
    let rows = "0 1 2 3\n4 5 6 7\n";
    let solved = stream(&["1 2 3 4\n0 5 6 7\n"]).fine();
    assert_eq!(solved, "LLL\n");
    let grid = stream(&[rows]).expect(1, "standard input, line 1: this board cannot be solved");
    assert_eq!((&*grid.out, grid.err.lines().count()), ("\n", 1));
    // A row that has to be waited for is not looked at: who asks a question a line wants an answer.
    assert_eq!(stream(&["0 1 3 2\n", "1 0 3 2\n"]).fine(), "LU\nU\n");
    let apart = stream(&["0 1 3 2\n", "4 5 6 7\n"]);
    assert_eq!(apart.out.lines().next(), Some("LU"), "{apart:#?}");
    // So are boards of one line each, which cannot be rows of one grid.
    assert_eq!(stream(&["0 1 3 2\n1 0 3 2\n"]).fine(), "LU\nU\n");
}

#[test]
fn counts_are_written_alike_everywhere() {
    let run = taquin(&["shuffle", "-n", "1e1", "--size", "3x3", "--seed", "1", "--moves", "1k"]);
    assert_eq!(run.fine().lines().count(), 10);
    let bench = ["bench", "--size", "3x3", "--set", "random:1e1", "--heuristics", "manhattan"];
    taquin(&[&bench[..], &["--values", "1e1"]].concat()).fine();
    taquin(&[&bench[..], &["--values", "1"]].concat()).expect(2, "must be 2 to 100,000,000");
}

/// The size of a table in a message does not depend on the limit.
#[test]
fn a_table_that_is_too_large_has_one_size() {
    let message = |limit| {
        let folder = tempfile::tempdir().unwrap();
        let run = run(PDB_GEN, folder.path(), &["build", "--memory", limit], &[]);
        let err = run.expect(3, "would take").err;
        err.split_once("would take ").unwrap().1.split_once(" of memory").unwrap().0.to_owned()
    };
    assert_eq!(message("10M"), message("23M"));
    let folder = tempfile::tempdir().unwrap();
    let run = run(PDB_GEN, folder.path(), &["build", "--memory", "1K"], &[]);
    run.expect(3, "more than the 1 KiB allowed");
}

#[test]
fn answers_can_be_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let boards = ["8 6 7 / 2 5 4 / 3 0 1", "1 2 3 / 4 0 6 / 7 5 8"];
    let args = [&["solve", "--json"][..], &boards].concat();
    let first = run(TAQUIN, folder.path(), &args, &[]);
    let again = run(TAQUIN, folder.path(), &["solve", "--json", "-"], &[&first.out]);
    let moves = |run: &Run| -> Vec<String> {
        run.objects().iter().map(|object| object["moves"].to_string()).collect()
    };
    assert_eq!(moves(&first), moves(&again));
    let of = |key: &str| -> Vec<u64> {
        again.objects().iter().map(|object| object[key].as_u64().unwrap()).collect()
    };
    assert_eq!((of("line"), of("index")), (vec![1, 2], vec![1, 2]));
    let pretty = serde_json::to_string_pretty(&first.objects()).unwrap();
    let pretty = pretty.trim_matches(['[', ']', '\n']).replace("},", "}");
    let again = run(TAQUIN, folder.path(), &["solve", "--json", "-"], &[&pretty]);
    assert_eq!(moves(&first), moves(&again));
    let input = "\n# none\n{\"board\":[1,2,3,0]}\n{\"error\":1}\n";
    let mixed = run(TAQUIN, folder.path(), &["solve", "--json", "-"], &[input]);
    let objects = mixed.objects();
    assert_eq!((&objects[0]["line"], &objects[0]["index"]), (&3.into(), &1.into()));
    assert_eq!((&objects[1]["line"], &objects[1]["index"]), (&4.into(), &2.into()));
    mixed.expect(2, "");
}

#[test]
fn colour_is_for_terminals() {
    let board = "1 2 3 / 4 0 6 / 7 5 8";
    assert!(!taquin(&["apply", board, "U"]).out.contains('\x1b'));
    let always = taquin(&["apply", "--color", "always", board, "U"]).out;
    assert!(always.contains("\x1b[32m5\x1b[0m"), "{always:?}");
    assert!(!taquin(&["apply", "--color", "never", board, "U"]).out.contains('\x1b'));
}

#[test]
fn a_folder_of_databases_is_listed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let pdb_gen = |args: &[&str]| run(PDB_GEN, folder.path(), args, &[]);
    let command = format!("no databases: build them with `pdb-gen build --out {path}`");
    pdb_gen(&["info"]).expect(3, &command);
    // A file that is no database is not built anew, and an empty folder does not stop the rest.
    let other = folder.path().join("notes.txt");
    fs::write(&other, "hello").unwrap();
    for verb in ["info", "verify"] {
        let run = pdb_gen(&[verb, path, other.to_str().unwrap(), "/dev/null", "/no/folder"]);
        let run = run.expect(3, "not a Taquin pattern database\n");
        assert!(cfg!(windows) || run.err.contains("/dev/null: not a regular file\n"), "{run:#?}");
        assert!(run.err.contains("`pdb-gen build --out /no/folder`"), "{run:#?}");
    }
    pdb_gen(&["build", "--size", "4x4", "--partition", "6-6-3"]).fine();
    // Without arguments it is the default folder. The age of a file, "1 second", may have changed.
    let listed = pdb_gen(&["info"]).fine();
    let files = |listed: &str| {
        let is_age = |word: &str| word.starts_with("second") || word.parse::<u64>().is_ok();
        let words = listed.split_whitespace().filter(|word| !is_age(word));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(files(&listed), files(&pdb_gen(&["info", path]).fine()));
    let line = listed.lines().find(|line| line.starts_with("4x4-0-1.2.4.5.8.9.pdb")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((words[1], words[2], words.last()), ("4x4", "6-6-3", Some(&"sound")), "{listed}");
    assert_eq!(pdb_gen(&["verify"]).fine().matches("; proved: ").count(), 3);

    let file = folder.path().join("4x4-0-12.13.14.pdb");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let command =
        format!("pdb-gen build --size 4x4 --blank 0 --partition 12,13,14 --force --out {path}");
    let listed = pdb_gen(&["info"]).expect(3, &command);
    assert_eq!(listed.out.matches("unusable").count(), 1, "{listed:#?}");
    pdb_gen(&["verify"]).expect(3, &command);
    // The command helps.
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    pdb_gen(&words).fine();
    pdb_gen(&["verify", "--quick"]).fine();
}

/// A search that was ended says how to go on.
#[cfg(unix)]
#[test]
fn a_checkpoint_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("my state");
    let state = state.to_str().unwrap();
    let board = "8 6 7 / 2 5 4 / 3 0 1";
    let args = ["solve", "--checkpoint", state, "--node-limit", "100", board];
    let stopped =
        run(TAQUIN, folder.path(), &args, &[]).expect(1, "the search is kept: go on with");
    let (_, command) = stopped.err.split_once("go on with `").unwrap();
    let (command, _) = command.split_once('`').unwrap();
    assert!(command.contains(&format!("--checkpoint '{state}'")), "{command}");
    // The shell reads the command as it was meant, and without the limit it ends.
    let command = command.replace(" --node-limit 100", " --format letters");
    let mut shell = Command::new("sh");
    let ended: Run =
        shell.args(["-c", &command]).env("TAQUIN_PDB_DIR", folder.path()).output().unwrap().into();
    assert_eq!(ended.fine().trim_end().len(), 31);
}

/// A full disk is reported once.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_ends_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let script = "ulimit -f 8; exec \"$0\" build --size 4x4 --partition 6-6-3 --out \"$1\"";
    let built: Run = Command::new("sh").args(["-c", script, PDB_GEN, out]).output().unwrap().into();
    let built = built.expect(3, "cannot be written");
    assert_eq!(built.err.lines().count(), 1, "{built:#?}");
}

/// The fields of docs/MANUAL.md are those that are written, in their order and of their type.
#[test]
fn objects_have_the_fields_of_the_document() {
    let text = include_str!("../../docs/MANUAL.md");
    let fields = |title: &str| -> Vec<(&str, &str)> {
        let section = text.split("\n### ").find(|section| section.starts_with(title)).unwrap();
        // The first table of the section.
        let rows = section.lines().skip_while(|line| !line.starts_with("| `"));
        let rows = rows.map_while(|line| line.strip_prefix("| `"));
        // A row may have several fields of one type.
        rows.flat_map(|row| {
            let (names, rest) = row.split_once("` | ").unwrap();
            let kind = rest.split_once(" |").unwrap().0;
            names.split("`, `").map(move |name| (name, kind))
        })
        .collect()
    };
    let is_of = |value: &Value, kind: &str| {
        let kind = kind.trim_end_matches(", optional");
        kind.split(" or ").any(|kind| match kind {
            "integer" => value.is_u64(),
            "number" => value.is_f64(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "string" => value.is_string(),
            "null" => value.is_null(),
            "list of integers" => value.as_array().unwrap().iter().all(Value::is_u64),
            "list of strings" => value.as_array().unwrap().iter().all(Value::is_string),
            kind => panic!("unknown type {kind}"),
        })
    };
    let board = "1 2 3 / 4 0 6 / 7 5 8";
    let hard = "8 6 7 / 2 5 4 / 3 0 1";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let kept = ["solve", "--json", "--resume", "--checkpoint", file.to_str().unwrap(), hard];
    taquin(&kept);
    let scrambled = "shuffle --json --size 3x3 --seed 1 --as moves --directions blank";
    let scrambled: Vec<&str> = scrambled.split(' ').collect();
    let mut seen = HashSet::new();
    for (title, args) in [
        ("`taquin solve`", &kept[..]),
        ("`taquin solve`", &["solve", "--json", "--all", board]),
        ("`taquin solve`", &["solve", "--json", "--node-limit", "1", hard]),
        ("`taquin solve`", &["solve", "--json", "--method", "astar", "--node-limit", "1", hard]),
        ("`taquin solve`", &["solve", "--json", "--moves", "blank", board]),
        ("`taquin solve`", &["solve", "--json", "--goal", "1 * / * *", "2 1 3 0"]),
        ("Boards without", &["solve", "--json", "1 2 2 0"]),
        ("Boards without", &["solve", "--json", "2 1 3 0"]),
        ("Boards without", &["check", "--json", "1 2 2 0"]),
        ("`taquin check`", &["check", "--json", board]),
        ("`taquin check`", &["check", "--json", "2 1 3 0"]),
        ("`taquin check`", &["check", "--json", "--goal", "A A / B _", "A B / A _"]),
        ("`taquin apply`", &["apply", "--json", "--goal", "A A / B _", "A _ / B A", "U"]),
        ("`taquin apply`", &["apply", "--json", board, "UL"]),
        ("`taquin apply`", &["apply", "--json", "--analyse", board, "DUUL"]),
        ("`taquin apply`", &["apply", "--json", "--moves", "blank", board, "UL"]),
        ("`taquin shuffle`", &["shuffle", "--json", "--size", "3x3", "--seed", "1"]),
        ("`taquin shuffle`", &scrambled[..]),
    ] {
        let fields = fields(title);
        let object: Map<String, Value> = serde_json::from_str(&taquin(args).out).unwrap();
        let mut expected = fields.iter();
        // The object is a map in alphabetical order, its text is not.
        let text = taquin(args).out;
        let mut names: Vec<&String> = object.keys().collect();
        names.sort_by_key(|name| text.find(&format!("\"{name}\":")));
        for name in names {
            let (_, kind) = expected
                .find(|(field, kind)| {
                    assert!(field == name || kind.ends_with("optional"), "{title}: {name}");
                    field == name
                })
                .unwrap_or_else(|| panic!("{title}: no field {name}, or not here"));
            assert!(is_of(&object[name], kind), "{title}: {name} is {}", object[name]);
            seen.insert((title, name.clone()));
        }
        assert!(expected.all(|(_, kind)| kind.ends_with("optional")), "{title}");
    }
    for title in
        ["`taquin solve`", "Boards without", "`taquin check`", "`taquin apply`", "`taquin shuffle`"]
    {
        for (name, _) in fields(title) {
            assert!(seen.contains(&(title, name.to_owned())), "{title}: {name} is never written");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in [&["--help"][..], &["solve", "--help"], &["--version"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let run: Run = Command::new(TAQUIN).args(args).stdout(full).output().unwrap().into();
        run.expect(2, "cannot write the output");
    }
}

/// A table under another's name is sound, but its folder does not work.
#[test]
fn a_misnamed_table_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let pdb_gen = |args: &[&str]| run(PDB_GEN, folder.path(), args, &[]);
    pdb_gen(&["build", "--size", "3x3", "--partition", "4-4", "--out", "."]).fine();
    assert!(pdb_gen(&["info", "."]).fine().contains("sound"));
    let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    std::fs::rename(files.min().unwrap(), folder.path().join("other.pdb")).unwrap();
    let listed = pdb_gen(&["info", "."]);
    assert!(listed.code == 3 && listed.out.contains("sound, but misnamed"), "{listed:?}");
    for verified in [pdb_gen(&["verify", "."]), pdb_gen(&["verify", "--quick", "other.pdb"])] {
        assert!(verified.code == 3 && verified.out.contains("under the name"), "{verified:?}");
    }
}

/// JSON names the limit that ended the counting of solutions.
#[test]
fn a_count_that_was_stopped_says_so() {
    let options = ["--count", "--json", "--heuristic", "manhattan", "--memory", "1k"];
    let stopped = taquin(&[&["solve"][..], &options, &["8 6 7 / 2 5 4 / 3 0 1"]].concat());
    assert_eq!(stopped.code, 1);
    assert!(stopped.out.contains("\"optimal\":true") && !stopped.out.contains("\"solutions\""));
    assert!(stopped.out.contains("\"stopped\":\"memory\""), "{stopped:?}");
}
