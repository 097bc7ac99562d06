//! `taquin check`, `shuffle`, `apply`, the methods, formats and forms, as processes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::process::Run;
use serde_json::Value;
use taquin_engine::board::{Board, Goal, Grid, Moves};

/// A program where there are no databases and none can be written, with this on its standard
/// input.
fn run<A: AsRef<OsStr>>(program: &str, args: impl IntoIterator<Item = A>, input: &str) -> Run {
    use std::io::Write;
    let mut child = Command::new(program)
        .args(args)
        .env("TAQUIN_PDB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // One that needs no input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends").into()
}

pub fn taquin<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Run {
    run(env!("CARGO_BIN_EXE_taquin"), args, "")
}

/// The arguments of a line, where nothing needs quotes.
fn line(args: &str) -> Run {
    taquin(args.split(' '))
}

/// Fails unless an object's moves lead to its goal; gives their number.
#[track_caller]
fn replayed(object: &Value) -> usize {
    let board = |field: &str| {
        let tiles = object[field].as_array().expect("a board").iter();
        let tiles: Vec<u8> = tiles.map(|tile| tile.as_u64().expect("a tile") as u8).collect();
        let side = |field: &str| object[field].as_u64().expect("a side") as usize;
        Board::new(Grid::new(side("width"), side("height")).unwrap(), &tiles).unwrap()
    };
    let moves: Moves = object["moves"].as_str().expect("moves").parse().unwrap();
    assert_eq!(board("board").after(&moves), Ok(board("goal")), "{object}");
    assert_eq!(object["length"], moves.len());
    moves.len()
}

// Verdicts.

/// Five starts against five goals, as a paper on solvability has them.
const VERDICTS: [(&str, [bool; 5]); 5] = [
    ("13 2 10 3 / 1 12 8 4 / 5 0 9 6 / 15 14 11 7", [false, true, false, true, true]),
    ("0 1 2 3 / 4 5 6 8 / 14 7 11 10 / 9 15 12 13", [true, false, true, false, false]),
    ("6 13 7 10 / 8 9 11 0 / 15 2 12 5 / 14 3 1 4", [false, true, false, true, true]),
    ("3 9 1 15 / 14 11 4 6 / 13 0 10 12 / 2 7 8 5", [true, false, true, false, false]),
    ("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", [true, false, true, false, false]),
];

/// The five goals, by name and as boards.
const GOALS: [(&str, &str); 5] = [
    ("blank-first", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"),
    ("blank-last", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"),
    ("blank-top-right", "1 2 3 0 4 5 6 7 8 9 10 11 12 13 14 15"),
    ("blank-bottom-left", "1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15"),
    ("spiral", "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7"),
];

#[test]
fn the_25_verdicts_and_their_reasons() {
    for (start, verdicts) in VERDICTS {
        for ((name, board), solvable) in GOALS.into_iter().zip(verdicts) {
            let code = if solvable { 0 } else { 1 };
            let word = if solvable { ": solvable\n" } else { ": unsolvable; it can reach blank-" };
            for goal in [name, board] {
                let said = taquin(["check", "--goal", goal, start]).expect(code, "").out;
                assert!(said.contains(word), "{start} {goal}: {said}");
                let run = taquin(["check", "--json", "--goal", goal, start]).expect(code, "");
                let object = &run.objects()[0];
                assert_eq!(object["solvable"], solvable);
                // The verdict follows from the parities, and these from the counts.
                let (a, b) = (&object["permutation_parity"], &object["blank_parity"]);
                assert_eq!(a == b, solvable);
                for (count, parity) in [("transpositions", a), ("blank_distance", b)] {
                    let odd = object[count].as_u64().unwrap() % 2 == 1;
                    assert_eq!(parity, if odd { "odd" } else { "even" });
                }
                let reasons = format!(
                    "{} transpositions ({}) and a blank distance of {} ({})",
                    object["transpositions"],
                    a.as_str().unwrap(),
                    object["blank_distance"],
                    b.as_str().unwrap()
                );
                assert!(said.replace("transposition (", "transpositions (").contains(&reasons));
            }
        }
    }
}

#[test]
fn verdicts_on_other_sizes_and_on_many_boards() {
    for size in ["2x2", "3x2", "2x7", "5x5", "16x16", "128x2"] {
        let shuffled = line(&format!("shuffle --size {size} --seed 3 --count 20")).fine();
        let checked = run(env!("CARGO_BIN_EXE_taquin"), ["check", "-"], &shuffled).fine();
        assert_eq!(checked.matches(": solvable\n").count(), 20, "{size}");
        // With two tiles exchanged they cannot be solved.
        let swapped = shuffled
            .lines()
            .map(|line| {
                let swap = |word: &str| match word {
                    "1" => "2".to_owned(),
                    "2" => "1".to_owned(),
                    word => word.to_owned(),
                };
                line.split(' ').map(swap).collect::<Vec<_>>().join(" ") + "\n"
            })
            .collect::<String>();
        let checked = run(env!("CARGO_BIN_EXE_taquin"), ["check", "-"], &swapped).expect(1, "");
        assert_eq!(checked.out.matches(": unsolvable").count(), 20, "{size}");
    }
    let text = "1 2 3 0\n2 1 3 0\n1 2 2 0\n";
    let run = run(env!("CARGO_BIN_EXE_taquin"), ["check", "--json"], text);
    assert_eq!(run.expect(2, "").objects()[2]["kind"], "input");
}

// Random boards.

#[test]
fn a_seed_gives_the_same_boards_again() {
    let run = line("shuffle").expect(0, "for the same boards use --seed ");
    let seed = run.err.trim().rsplit(' ').next().unwrap();
    assert_eq!(line(&format!("shuffle --seed {seed}")).fine(), run.out);
    assert_ne!(line("shuffle --seed 1").fine(), line("shuffle --seed 2").fine());
}

#[test]
fn what_is_shuffled_can_be_solved() {
    for goal in ["blank-first", "snake", "8 7 6 / 5 4 3 / 2 1 0"] {
        for how in [&["--moves", "15"][..], &["--uniform"], &[]] {
            let args = ["shuffle", "--size", "3x3", "--goal", goal, "--seed", "5", "-n", "10"];
            let boards = taquin(args.iter().chain(how)).fine();
            let solve = ["solve", "--json", "--goal", goal, "-"];
            let solved = run(env!("CARGO_BIN_EXE_taquin"), solve, &boards);
            let lengths: Vec<usize> = solved.objects().iter().map(replayed).collect();
            assert_eq!(lengths.len(), 10);
            if how.len() == 2 {
                assert!(lengths.iter().all(|&length| length <= 15 && length % 2 == 1));
            }
            solved.fine();
        }
    }
}

// Moves replayed.

#[test]
fn solutions_in_every_format_can_be_applied() {
    let board = "8 6 7 / 2 5 4 / 3 0 1";
    for format in [
        "columns", "numbered", "words", "letters", "runs", "counts", "arrows", "tiles", "boards",
        "json",
    ] {
        let moves = taquin(["solve", "--format", format, board]).fine();
        let apply =
            |args: &[&str]| run(env!("CARGO_BIN_EXE_taquin"), ["apply"].iter().chain(args), &moves);
        let applied = apply(&[board, "-"]).fine();
        assert!(
            applied.contains("\n31 moves, ") && applied.ends_with(": the goal is reached\n"),
            "{format}: {moves}"
        );
        // To another notation, and back.
        if format != "json" {
            assert_eq!(apply(&["--format", format, board, "-"]).fine(), moves);
        }
        let letters = apply(&["--format", "letters", board, "-"]).fine();
        assert_eq!(letters, taquin(["solve", "--format", "letters", board]).fine());
        let other = apply(&["8 6 7 / 2 5 4 / 3 1 0", "-"]);
        if ["boards", "json"].contains(&format) {
            other.expect(2, "moves of another board, 8 6 7 / 2 5 4 / 3 0 1");
        }
    }
}

#[test]
fn boards_in_every_form_are_the_same() {
    // Without the places of the boards in the input.
    let verdicts = |run: Run| -> Vec<String> {
        let verdict = |line: &str| line.split_once("\"width\"").unwrap().1.to_owned();
        run.fine().lines().map(verdict).collect()
    };
    let expected = verdicts(taquin(["check", "--json", "1 2 3 / 4 0 6 / 7 5 8"]));
    for text in [
        "123406758",
        "abcd0fgeh",
        "ABCD_FGEH",
        "123/406/758",
        "abc d0f geh",
        "3\n1 2 3\n4 0 6\n7 5 8",
        "3x3\n1 2 3 4 0 6 7 5 8",
        "a b c d 0 f g e h",
        "\u{feff}1 2 3\r\n4 . 6\r\n7 5 8",
    ] {
        assert_eq!(verdicts(taquin(["check", "--json", text])), expected, "{text:?}");
        // From a stream: lines, and grids of lines.
        let one = run(env!("CARGO_BIN_EXE_taquin"), ["check", "--json", "-"], text);
        assert_eq!(verdicts(one), expected, "{text:?}");
        let twice = format!("# two\n{text}\n\n{text}\n");
        let two = run(env!("CARGO_BIN_EXE_taquin"), ["check", "--json"], &twice);
        assert_eq!(verdicts(two), [&expected[..], &expected].concat(), "{text:?}");
    }
    let words = ["check", "--json", "123", "406", "758"];
    assert_eq!(verdicts(taquin(words)), expected);
    let twice = taquin(["check", "--json", "123406758", "123406758"]);
    assert_eq!(verdicts(twice), [&expected[..], &expected].concat());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grids.txt");
    // The first row could be a board; the file says that it is not.
    std::fs::write(&file, "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n").unwrap();
    let args = ["check", "--goal", "blank-first", "--file", file.to_str().unwrap()];
    assert!(taquin(args).fine().contains("0 transpositions (even)"));
}

// Methods.

#[test]
fn every_method_solves() {
    let boards = line("shuffle --size 3x3 --seed 4 --count 8").fine();
    let solve = |args: &str| {
        let args = "solve --json ".to_owned() + args;
        run(env!("CARGO_BIN_EXE_taquin"), args.split(' '), &boards)
    };
    let optimal: Vec<usize> = solve("-").objects().iter().map(replayed).collect();
    for method in [
        "--method ida --heuristic walking-distance",
        "--method astar",
        "--method astar --ties fifo",
        "--method astar --heuristic 4-4:plain:mirror",
        "--method bfs",
        "--method astar --ties lifo",
    ] {
        let run = solve(method);
        assert_eq!(run.objects().iter().map(replayed).collect::<Vec<_>>(), optimal, "{method}");
        assert!(run.objects().iter().all(|object| object["optimal"] == true), "{method}");
        run.fine();
    }
    for method in [
        "--method beam",
        "--method beam --node-limit 0",
        "--method staged",
        "--method greedy",
        "--method staged --node-limit 0",
    ] {
        let run = solve(method);
        for (object, &optimal) in run.objects().iter().zip(&optimal) {
            let length = replayed(object);
            let bound = object["lower_bound"].as_u64().unwrap() as usize;
            assert!(bound <= optimal && optimal <= length, "{method}: {object}");
            assert_eq!(object["optimal"], bound == length);
            let gap = object["gap"].as_u64().unwrap_or(0) as usize;
            assert_eq!(gap, length - bound);
        }
        run.fine();
    }
}

#[test]
fn large_boards_are_solved_and_say_that_it_is_not_proved() {
    for size in ["6x3", "2x9", "5x5", "7x4", "10x10", "16x15", "16x16", "2x128"] {
        for (goal, method) in [("blank-last", "staged"), ("spiral", "staged"), ("spiral", "beam")] {
            // These would build databases.
            if method == "beam" && ["6x3", "2x9", "5x5"].contains(&size) {
                continue;
            }
            let shuffle = format!("shuffle --size {size} --goal {goal} --seed 8");
            let board = line(&shuffle).fine();
            let args =
                format!("solve --json --method {method} --goal {goal} --node-limit 200000 -");
            let solved = run(env!("CARGO_BIN_EXE_taquin"), args.split(' '), &board);
            let object = &solved.objects()[0];
            let length = replayed(object);
            assert!(object["lower_bound"].as_u64().unwrap() as usize <= length, "{size}");
            solved.fine();
        }
    }
}

#[test]
fn stages_are_named() {
    let args = ["solve", "--method", "staged", "-v", "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4"];
    let run = taquin(args);
    assert_eq!(run.code, 0);
    let told: Vec<&str> = run.err.lines().collect();
    assert!(told.iter().all(|line| line.starts_with("taquin: ")), "{told:#?}");
    let tiles: Vec<u8> = told
        .iter()
        .filter_map(|line| line.strip_prefix("taquin: tile")?.split_once(':'))
        .flat_map(|(tiles, _)| tiles.split(' ').filter_map(|tile| tile.parse::<u8>().ok()))
        .collect();
    let set: HashSet<u8> = tiles.iter().copied().collect();
    assert_eq!((tiles.len(), set.len(), set.contains(&0)), (15, 15, false), "{told:#?}");
    assert!(told.last().unwrap().starts_with("taquin: shortened from "), "{told:#?}");
}

/// Of several boards too, which are solved at the same time.
#[test]
fn the_stages_of_every_board_are_named() {
    let boards = [
        "2 5 13 12 / 1 0 3 15 / 9 7 14 6 / 10 11 8 4",
        "11 4 12 2 / 5 10 3 15 / 14 1 6 7 / 0 9 8 13",
    ];
    let args = ["solve", "--method", "staged", "-v", "--format", "letters"];
    let run = taquin(args.iter().chain(&boards));
    for board in ["board 1", "board 2"] {
        let of_board = |what: &str| run.err.matches(&format!("{board}: {what}")).count();
        assert!(of_board("tile") > 5, "{}", run.err);
        assert_eq!((of_board("shortened from "), run.code), (1, 0), "{}", run.err);
    }
}

#[test]
fn a_search_is_kept_in_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let keep = ["solve", "--checkpoint", file.to_str().unwrap(), "--format", "letters"];
    let board = ["8 6 7 / 2 5 4 / 3 0 1"];
    let solve = |more: &[&str]| taquin(keep.iter().chain(more).chain(&board));
    let first = solve(&[]).fine();
    assert_eq!(first.trim_end().len(), 31);
    solve(&[]).expect(2, "exists already: continue with --resume, or remove the file");
    assert_eq!(solve(&["--resume"]).fine(), first);
    solve(&["--resume", "--goal", "blank-first"]).expect(2, "another board or goal");
    std::fs::write(&file, "{}").unwrap();
    solve(&["--resume"]).expect(2, "is not a whole checkpoint: remove it, and start again");
    solve(&["--resume", "--heuristic", "manhattan"]).expect(2, "need the fast search");
    solve(&["--resume", "--method", "astar"]).expect(2, "need the fast search: the method ida");
    let run = taquin(keep.iter().chain(&["1 2 3 0", "1 0 3 2"]));
    run.expect(2, "--checkpoint is for one board");
    // A file may have the board.
    std::fs::remove_file(&file).unwrap();
    let boards = folder.path().join("boards.txt");
    std::fs::write(&boards, "8 6 7 / 2 5 4 / 3 0 1\n").unwrap();
    taquin(keep.iter().chain(&["--file", boards.to_str().unwrap()])).fine();
}

#[test]
fn a_memory_limit_stops_a_search() {
    // One of the farthest positions there are.
    let board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";
    for method in ["astar", "bfs"] {
        let args = ["solve", "--method", method, "--memory", "20M", board];
        taquin(args).expect(1, "unsolved within the memory: at least");
    }
}

#[test]
fn all_solutions_are_listed_and_counted() {
    let board = "8 6 7 / 2 5 4 / 3 0 1";
    let count = taquin(["solve", "--json", "--count", board]).objects()[0]["solutions"].clone();
    let run = taquin(["solve", "--json", "--all", board]);
    let object = &run.objects()[0];
    let all = object["all"].as_array().unwrap();
    assert_eq!((all.len(), all.len()), (count.as_u64().unwrap() as usize, 40));
    let set: HashSet<&str> = all.iter().map(|moves| moves.as_str().unwrap()).collect();
    assert_eq!(set.len(), all.len());
    for moves in set {
        assert_eq!(taquin(["apply", board, moves]).code, 0, "{moves}");
    }
    let other = taquin(["solve", "--json", "--count", "--heuristic", "manhattan", board]);
    assert_eq!(other.objects()[0]["solutions"], count);
}

/// Goals with the blank in the middle or on an edge do without databases where these may not be
/// built.
#[test]
fn walking_distance_serves_where_nothing_may_be_built() {
    let goal = "1 2 3 4 / 5 0 6 7 / 8 9 10 11 / 12 13 14 15";
    let board = "1 2 3 4 / 5 9 7 0 / 8 10 6 11 / 12 13 14 15";
    let run = taquin(["solve", "--json", "--no-build", "--goal", goal, board]);
    let run = run.expect(0, "until then max(walking-distance,linear-conflict) is used");
    let object = &run.objects()[0];
    replayed(object);
    assert_eq!(object["heuristic"], "max(walking-distance,linear-conflict)");
    assert_eq!(object["optimal"], true);
}

// What is made from the definition.

#[test]
fn completions_and_pages_are_made() {
    for program in [env!("CARGO_BIN_EXE_taquin"), env!("CARGO_BIN_EXE_pdb-gen")] {
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            let text = run(program, ["completions", shell], "").fine();
            assert!(text.contains("completions") && text.contains("threads"), "{shell}");
        }
        let page = run(program, ["man"], "").fine();
        assert!(page.contains(".SH NAME") && page.contains("completions"), "{page}");
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new");
        run(program, ["man".as_ref(), "--out".as_ref(), out.as_os_str()], "").fine();
        assert!(std::fs::read_dir(&out).unwrap().count() >= 5);
    }
    let page = line("man solve").fine();
    assert!(page.contains("taquin\\-solve") && page.contains("Examples:"), "{page}");
}

/// A goal that a name stands for and the board it is are the same on every size.
#[test]
fn named_goals_are_boards() {
    for size in ["2x2", "3x2", "4x4", "5x3", "16x16"] {
        for name in Goal::NAMES {
            let board = Goal::named(name, size.parse().unwrap()).unwrap().board().to_string();
            let out = taquin(["check", "--goal", name, &board]).fine();
            assert!(out.starts_with("0 transpositions (even) and a blank distance of 0"), "{out}");
        }
    }
}
