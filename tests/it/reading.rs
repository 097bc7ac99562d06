//! Boards in the forms in which people have them.

use std::fs;
use std::path::PathBuf;

use crate::process::Run;
use serde_json::Value;
use taquin::Board;
use taquin_engine::board::{FORMS, Form};

fn taquin(args: &[&str], input: &str) -> Run {
    Run::of_taquin(args, input)
}

/// The boards that are read, and the errors of the others.
fn read(args: &[&str], input: &str) -> Vec<String> {
    let run = taquin(&[&["check", "--json", "-"], args].concat(), input);
    let show = |(object, index): (&Value, u64)| {
        assert_eq!(object["index"], index, "{run:#?}");
        if let Some(error) = object["error"].as_str() {
            return format!("error: {error}");
        }
        let width = usize::try_from(object["width"].as_u64().unwrap()).unwrap();
        let tiles: Vec<String> =
            object["board"].as_array().unwrap().iter().map(Value::to_string).collect();
        tiles.chunks(width).map(|row| row.join(" ")).collect::<Vec<_>>().join(" / ")
    };
    run.objects().iter().zip(1..).map(show).collect()
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name)
}

#[test]
fn every_case_has_its_boards() {
    let index: &[&str] = &[
        "0 1 9 7 / 11 13 5 3 / 14 12 4 2 / 8 6 10 15",
        "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3",
    ];
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("tile-per-line.txt", &[], &["0 3 8 / 4 1 7 / 2 6 5"]),
        ("duplicate-with-size.txt", &[], &["error: tile 3 appears twice, tile 4 is missing"]),
        ("duplicate-without-size.txt", &[], &["error: tile 2 appears twice, tile 6 is missing"]),
        ("missing-tile.txt", &[], &["error: row 4 has 3 cells, but row 1 has 4"]),
        (
            "count-header.txt",
            &[],
            &[
                "2 3 4 0 / 1 5 7 8 / 9 6 10 12 / 13 14 11 15",
                "13 1 2 4 / 5 0 3 7 / 9 6 10 12 / 15 8 11 14",
            ],
        ),
        (
            "count-header.txt",
            &["--size", "4"],
            &[
                "2 3 4 0 / 1 5 7 8 / 9 6 10 12 / 13 14 11 15",
                "13 1 2 4 / 5 0 3 7 / 9 6 10 12 / 15 8 11 14",
            ],
        ),
        ("rows-columns.txt", &[], &["1 2 3 / 4 0 5"]),
        ("x-blank.txt", &[], &["2 3 4 / 1 5 0 / 7 6 8"]),
        ("index-column.txt", &[], index),
        ("index-column.txt", &["--size", "4"], index),
        ("length-line.txt", &[], &[index[1], "13 5 4 10 / 9 12 8 14 / 2 3 7 1 / 0 15 11 6"]),
        ("box.txt", &[], &["10 2 11 4 / 5 12 3 7 / 1 6 8 15 / 9 13 0 14"]),
        ("last-cell-left-out.txt", &[], &["1 5 9 13 / 2 6 10 14 / 3 7 11 15 / 4 8 12 0"]),
        ("spaces-blank.txt", &[], &["1 2 3 / 4 0 6 / 7 5 8"]),
        ("python-assignment.txt", &[], &["1 2 3 / 4 0 6 / 7 5 8"]),
        ("numpy-repr.txt", &[], &["5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12"]),
        ("game-id.txt", &[], &["5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12"]),
        ("comments.txt", &["--goal", "spiral"], &["3 2 6 / 1 4 0 / 8 7 5"]),
        ("start-and-goal.txt", &["--goal-follows"], &[index[1]]),
    ];
    for (name, args, expected) in cases {
        println!("{name}");
        assert_eq!(read(args, &fs::read_to_string(path(name)).unwrap()), *expected, "{name}");
    }
    let mut files: Vec<_> =
        fs::read_dir(path("")).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.retain(|file| file != "README.md" && !cases.iter().any(|(name, ..)| file == name));
    assert!(files.is_empty(), "{files:?}");
}

#[test]
fn cases_have_their_lengths() {
    for (name, args, lengths) in [
        ("tile-per-line.txt", &["--goal", "blank-first"][..], &["20"][..]),
        ("count-header.txt", &[], &["9", "null"]),
        ("rows-columns.txt", &[], &["1"]),
        ("x-blank.txt", &[], &["19"]),
        ("box.txt", &[], &["33"]),
        ("spaces-blank.txt", &[], &["2"]),
        ("python-assignment.txt", &[], &["2"]),
        ("numpy-repr.txt", &[], &["15"]),
        ("game-id.txt", &[], &["15"]),
        ("comments.txt", &["--goal", "spiral"], &["15"]),
    ] {
        let text = fs::read_to_string(path(name)).unwrap();
        // No tables have to be built.
        let solve = ["solve", "--json", "--heuristic", "linear-conflict", "-"];
        let run = taquin(&[&solve[..], args].concat(), &text);
        let found: Vec<String> =
            run.objects().iter().map(|object| object["length"].to_string()).collect();
        assert_eq!(found, lengths, "{name}");
    }
}

/// Each form is read by the program as by the library, alone and among others.
#[test]
fn every_form_is_a_board_of_a_stream() {
    let texts: Vec<&str> = FORMS.iter().map(|form| form.text).collect();
    let boards: Vec<&str> = FORMS.iter().map(|form| form.board).collect();
    for Form { name, text, board } in FORMS {
        assert_eq!(read(&[], text), [*board], "{name}");
    }
    assert_eq!(read(&[], &texts.join("\n\n")), boards);
}

/// The manual has the table of the forms.
#[test]
fn the_manual_lists_every_form() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let manual = fs::read_to_string(root.join("docs/METHODS.md")).unwrap();
    let (_, section) = manual.split_once("\n## Reading boards\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let listed: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let row = |form: &Form| {
        let text = form.text.replace('\n', "` `").replace('|', "\\|");
        format!("| {} | `{text}` |", form.name)
    };
    assert_eq!(listed, FORMS.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn guesses_are_told_once() {
    let text = "01 1 2 3 4 0 6 7 5 8\n02 1 2 3 4 5 6 7 0 8\n";
    let run = taquin(&["solve", "--format", "letters", "-"], text);
    assert_eq!((run.code, &*run.out), (0, "UL\nL\n"), "{run:#?}");
    assert_eq!(
        run.err,
        "taquin: note: standard input, line 1: \"01\" before the tiles is read as a label or a count, not as a tile\n"
    );
    let order = taquin(&["check", "3 2 / 1 2 3 4 0 5"], "");
    assert!(order.err.contains("3 columns and 2 rows"), "{order:#?}");
    // The label is in messages.
    let text = "7 55 100000\n1 2 3\n4 5 6\n8 7 0\n";
    taquin(&["solve", "-"], text).expect(1, "standard input, line 1 (7 55 100000): cannot reach");
    let other = "1 2 3 0\n\n0 1 2 3\n\n1 2 3 0\n\n1 2 3 0\n";
    taquin(&["check", "--goal-follows", "-"], other).expect(2, "another goal follows this board");
    taquin(&["check", "--goal-follows", "1 2 3 0"], "").expect(2, "no goal follows this board");
    let named = "start = [1, 2, 0, 3]\ngoal = [1, 2, 3, 0]\n";
    let run = taquin(&["solve", "-"], named);
    assert!(run.err.contains("line 2: this board is called a goal"), "{run:#?}");
    let run = taquin(&["solve", "--goal-follows", "-"], named);
    assert_eq!((run.code, &*run.err), (0, ""));
}

/// More forms of the same kinds.
#[test]
fn relatives_of_the_cases_are_read() {
    let eight = "1 2 3 / 4 0 6 / 7 5 8";
    for text in [
        "1-2-3\n4-0-6\n7-5-8",
        "1-2-3-4-0-6-7-5-8",
        "1 2 3\n4 # 6\n7 5 8",
        "1 2 3 / 4 # 6 / 7 5 8",
        "123\n4#6\n758",
        "a b c\nd x f\ng e h",
        "1 2 3\n4 . 6\n7 5 8",
        "1 2 3\n4 __ 6\n7 5 8",
        "1 2 3\n4 -1 6\n7 5 8",
        "1 2 3\n4 None 6\n7 5 8",
        "1 2 3\n4 • 6\n7 5 8",
        "1 2 3\n4 □ 6\n7 5 8",
        "1 2 3\n4 * 6\n7 5 8",
        "1 2 3\n4  6\n7 5 8",
        "123\n4 6\n758",
        "123\n4x6\n758",
        "1,2,3\n4,,6\n7,5,8",
        "1\t2\t3\n4\t\t6\n7\t5\t8",
        "1|2|3\n4| |6\n7|5|8",
        "1 | 2 | 3\n---------\n4 |   | 6\n---------\n7 | 5 | 8",
        "| 1 | 2 | 3 |\n|---|---|---|\n| 4 |   | 6 |\n| 7 | 5 | 8 |",
        "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │   │ 6 │\n├───┼───┼───┤\n│ 7 │ 5 │ 8 │\n└───┴───┴───┘",
        "+-------+\n| 1 2 3 |\n| 4   6 |\n| 7 5 8 |\n+-------+",
        "int board[3][3] = {{1, 2, 3}, {4, 0, 6}, {7, 5, 8}};",
        "array([[1, 2, 3],\n       [4, 0, 6],\n       [7, 5, 8]], dtype=int64)",
        "[['1', '2', '3'], ['4', None, '6'], ['7', '5', '8']]",
        "[\"1 2 3\",\n \"4 0 6\",\n \"7 5 8\"]",
        "[[1., 2., 3.],\n [4., 0., 6.],\n [7., 5., 8.]]",
        "3x3:1,2,3,4,0,6,7,5,8",
        "3 3\n1 2 3 4 0 6 7 5 8",
        "Puzzle 1\n1 2 3\n4 0 6\n7 5 8",
        "1\n3\n1 2 3\n4 0 6\n7 5 8",
        "1 2 3\n4 9 6\n7 5 8",
        "{\"board\": [[1, 2, 3], [4, null, 6], [7, 5, 8]]}",
        "{\"size\": 3, \"puzzle\": [[1, 2, 3], [4, 0, 6], [7, 5, 8]]}",
        "3\n\n1 2 3\n4 0 6\n7 5 8",
        "3\n# comment\n1 2 3\n4 0 6\n7 5 8",
        "1 2 3\n# comment\n4 0 6\n7 5 8",
        "['1', '2', '3']\n['4', ' ', '6']\n['7', '5', '8']",
        "\"1\",\"2\",\"3\"\n\"4\",\"\",\"6\"\n\"7\",\"5\",\"8\"",
        "1;2;3\n4;0;6\n7;5;8",
        "1.0,2.0,3.0\n4.0,0.0,6.0\n7.0,5.0,8.0",
        "[1] [2] [3]\n[4] [0] [6]\n[7] [5] [8]",
        "int t[3][3] =\n{\n  {1,2,3},\n  {4,0,6},\n  {7,5,8}\n};",
        "import numpy as np\nb = np.array([[1,2,3],[4,0,6],[7,5,8]])",
        ">>> board\n[[1, 2, 3], [4, 0, 6], [7, 5, 8]]",
        "// easy\n1 2 3\n4 0 6\n7 5 8",
        "n = 3\n1 2 3\n4 0 6\n7 5 8",
        "Size: 3\n\n1 2 3\n4 0 6\n7 5 8",
        "width 3\nheight 3\n1 2 3\n4 0 6\n7 5 8",
        "A =\n\n     1     2     3\n     4     0     6\n     7     5     8\n",
        " _ _ _\n|1|2|3|\n|4|_|6|\n|7|5|8|",
        " ___ ___ ___\n| 1 | 2 | 3 |\n|___|___|___|\n| 4 |   | 6 |\n|___|___|___|\n| 7 | 5 | 8 |\n|___|___|___|",
        "board: |\n  1 2 3\n  4 0 6\n  7 5 8",
        "The puzzle is:\n\n1 2 3\n4 0 6\n7 5 8",
        "board\n123\n406\n758",
        "1 2 3\n\n4 0 6\n\n7 5 8",
        "<pre>\n1 2 3\n4 0 6\n7 5 8\n</pre>",
        "```\n1 2 3\n4 0 6\n7 5 8\n```",
        "b = \"\"\"\n1 2 3\n4 0 6\n7 5 8\n\"\"\"",
        "> 1 2 3\n> 4 0 6\n> 7 5 8",
        "board:\n  - [1, 2, 3]\n  - [4, 0, 6]\n  - [7, 5, 8]",
        "3 by 3\n1 2 3\n4 0 6\n7 5 8",
        "3-by-3\n1 2 3\n4 0 6\n7 5 8",
        "3by3\n1 2 3\n4 0 6\n7 5 8",
        "3 × 3\n1 2 3 4 0 6 7 5 8",
        "3✕3\n1 2 3 4 0 6 7 5 8",
        "3✖3\n1 2 3 4 0 6 7 5 8",
        "3х3\n1 2 3 4 0 6 7 5 8",
        "size = 3*3\n1 2 3\n4 0 6\n7 5 8",
        "1 2 3\n4 0 6\n7 5 8\n\nsolvable in 2 moves",
        "1 2 3\n4 0 6\n7 5 8\n0",
    ] {
        assert_eq!(read(&[], text), [eight], "{text}");
    }
    let last = "1 2 3 / 4 5 6 / 7 8 0";
    for text in [
        "A B C\nD E F\nG H\n",
        "abc\ndef\ngh",
        "abcdefgh",
        "1 2 3\n4 5 6\n7 8 #",
        "a;b;c;d;e;f;g;h",
    ] {
        assert_eq!(read(&[], text), [last], "{text}");
    }
    assert_eq!(read(&["--size", "3"], "1\n2\n3\n4\n0\n6\n7\n5\n8\n"), [eight]);
    assert_eq!(read(&[], "3 2\n1 2\n3 4\n5 0"), ["1 2 / 3 4 / 5 0"]);
}

/// Several boards in one text are several boards of a stream, and an error of an argument.
#[test]
fn no_board_is_lost() {
    let (first, second) = ("8 1 3 / 4 0 2 / 7 6 5", "1 2 3 / 8 0 4 / 7 6 5");
    for text in [
        "2\n813402765\n123804765",
        "a = [[8,1,3],[4,0,2],[7,6,5]]\nb = [[1,2,3],[8,0,4],[7,6,5]]",
        "boards = [\n [8,1,3,4,0,2,7,6,5],\n [1,2,3,8,0,4,7,6,5],\n]",
        "[[[8,1,3],[4,0,2],[7,6,5]],[[1,2,3],[8,0,4],[7,6,5]]]",
        "[{\"board\":[8,1,3,4,0,2,7,6,5]},{\"board\":[1,2,3,8,0,4,7,6,5]}]",
        "Initial\n\n8 1 3\n4 0 2\n7 6 5\n\nGoal\n\n1 2 3\n8 0 4\n7 6 5",
        "8 1 3\n4 0 2\n7 6 5\n======\n1 2 3\n8 0 4\n7 6 5",
        "2\n\n3\n8 1 3\n4 0 2\n7 6 5\n\n3\n1 2 3\n8 0 4\n7 6 5",
        "2\n8 1 3\n4 0 2\n7 6 5\n\n1 2 3\n8 0 4\n7 6 5",
        "1\n8 1 3\n4 0 2\n7 6 5\n2\n1 2 3\n8 0 4\n7 6 5",
    ] {
        assert_eq!(read(&[], text), [first, second], "{text}");
        taquin(&["check", text], "").expect(2, "these are 2 boards");
        let run = taquin(&["check", "--json", "--goal-follows", text], "");
        let object = &run.objects()[0];
        let posed = [&object["board"], &object["goal"]].map(Value::to_string);
        assert_eq!(posed, ["[8,1,3,4,0,2,7,6,5]", "[1,2,3,8,0,4,7,6,5]"], "{text}: {run:#?}");
    }
    // The number before the only grid is its side.
    let message = "the line before the tiles says 4, but the board is 3x3";
    assert_eq!(read(&[], "4\n8 1 3\n4 0 2\n7 6 5\n"), [format!("error: {message}")]);
    // The error names the fault of the text, rather than the missing goal.
    taquin(&["check", "--goal-follows", "1 2 2 0"], "").expect(2, "tile 2 appears twice");
}

/// Boards of one line each, and boards of which each form ends at an empty line.
#[test]
fn every_board_of_a_stream_is_read() {
    let [eight, other] = ["1 2 3 / 4 0 6 / 7 5 8", "1 2 3 / 4 6 0 / 7 5 8"];
    for count in ["2", "20"] {
        let text = format!("{count}\n{eight}\n{other}\n");
        assert_eq!(read(&[], &text), [eight, other], "{text}");
        taquin(&["check", "-"], &text).expect(0, &format!("line 1: {count:?} is read as a label"));
    }
    for letters in ["EAGCIBKDMFOHXJNL\nEAGCIBKDMFOHXJLN\n", "ABCDEFGH\nABCDEFHG\n"] {
        let found = read(&[], letters);
        assert!(found.len() == 2 && found.iter().all(|b| !b.contains("error")), "{found:?}");
    }
    let keys = "① ② ③\n④ ⬜ ⑥\n⑦ ⑤ ⑧\n\n{{1, 2, 3}, // the top\n {4, 6, 0},\n {7, 5, 8}};\n";
    assert_eq!(read(&[], keys), [eight, other]);
}

/// Text behind the boards gets one note, or is an error where it looks like a board.
#[test]
fn nothing_is_dropped_in_silence() {
    let grid = "1 2 3\n4 0 6\n7 5 8\n";
    let eight = "1 2 3 / 4 0 6 / 7 5 8";
    for (text, note) in [
        ("\nsolvable in 2 moves\n", "line 5: \"solvable in 2 moves\" behind the last board is no"),
        ("\n17\n", "line 5: \"17\" behind the last board is no part of it"),
        ("\n5\n", "line 5: \"5\" behind the last board is no part of it"),
        ("\nThe end,\nand more\n", "line 5: \"The end,\\nand more\" behind the last board"),
        ("\nabc\n", "line 5: \"abc\" behind the last board"),
    ] {
        let text = format!("{grid}{text}");
        let run = taquin(&["check", "-"], &text).expect(0, note);
        assert_eq!(run.err.matches("note").count(), 1, "{run:#?}");
        assert_eq!(read(&[], &text), [eight]);
    }
    let found = read(&[], &format!("{grid}\n4x4\n"));
    assert!(found.len() == 2 && found[1].starts_with("error: \"4x4\""), "{found:?}");
    for (text, note) in [
        ("[[1,2,3],[4,0,6],[7,5,8]] 14", "\"14\" is read as a label"),
        ("14 [[1,2,3],[4,0,6],[7,5,8]]", "\"14\" is read as a label"),
        ("\"123406758\",20", "\"20\" is read as a label"),
        ("import numpy\nb = [[1,2,3],[4,0,6],[7,5,8]]", "\"import numpy\" is read as a label"),
        ("[[1,2,3],[4,0,6],[7,5,8]]\nprint()", "is read as a label"),
        ("1 2 3\n4 0 6\n7 5 8\na\nb\nc", "\"a\" is read as a label"),
    ] {
        taquin(&["check", text], "").expect(0, note);
    }
    // The file is read once more to count its boards.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    fs::write(&path, format!("2\n\n{grid}\n{grid}\nend\n")).unwrap();
    let args = ["solve", "--heuristic", "manhattan", "--file", path.to_str().unwrap()];
    let run = taquin(&args, "").expect(0, "\"end\" behind the last board is no part of it");
    assert_eq!(run.err.matches("note").count(), 2, "{run:#?}");
    assert!(run.err.contains("\"2\" is read as a label"), "{run:#?}");
}

/// A wrong grid is one board, and those after it are read.
#[test]
fn wrong_grids_are_one_board() {
    for (text, error) in [
        ("1 2 3\n4 2 6\n7 5 8", "tile 2 appears twice, the blank is missing"),
        ("1 2 3\n4 * 2\n7 5 8", "tile 2 appears twice, tile 6 is missing"),
        ("2 1 0\n2 7 6\n3 4 5", "tile 2 appears twice, tile 8 is missing"),
        ("3\n1 2 3\n4 5 6\n7 8 8", "tile 8 appears twice, the blank is missing"),
        ("3\n1 2 3\n4 5\n7 8 0", "row 2 has 2 cells, but row 1 has 3"),
        ("1 2 3\n4 0 5 6\n7 8", "row 2 has 4 cells, but row 1 has 3"),
        ("+-+-+-+\n|1|2|3|\n|4| |2|\n|7|5|8|\n+-+-+-+", "tile 2 appears twice, tile 6 is missing"),
        ("board = [[1, 2, 3], [4, 0, 6], [7, 5, 7]]", "tile 7 appears twice, tile 8 is missing"),
        // One of the rows is a board of 2x2 by itself.
        ("[[1, 2, 0, 3], [5, 4]]", "row 2 has 2 cells, but row 1 has 4"),
        ("{\"board\": [[1, 2, 0, 3], [5, 4]]}", "row 2 has 2 cells, but row 1 has 4"),
        ("((1, 2, 0, 3), (4, 5, 6), (7, 8))", "row 2 has 3 cells, but row 1 has 4"),
        ("[[\"1\", \"2\", \"0\", \"3\"], [\"5\", \"4\"]]", "row 2 has 2 cells, but row 1 has 4"),
        ("1\n1 2 3\n4 0 6\n7 5 7", "tile 7 appears twice, tile 8 is missing"),
        // The first rows are a board.
        ("0 1 2\n3 4 5\n6 7 7", "tile 7 appears twice, tile 8 is missing"),
        ("0,1,2\n3,4,5\n6,7,7", "tile 7 appears twice, tile 8 is missing"),
        ("Puzzle 1\n0 1 2\n3 4 5\n6 7 7", "tile 7 appears twice, tile 8 is missing"),
        ("3\n0 1 2\n3 4 5\n6 7 7", "tile 7 appears twice, tile 8 is missing"),
        ("3 3\n0 1 2\n3 4 5\n6 7 7", "tile 7 appears twice, tile 8 is missing"),
        ("0 1 2 3\n10 5 6 7\n8 9 10 11\n12 13 14 15", "tile 10 appears twice, tile 4 is missing"),
        ("+-+-+\n|1|2|0|\n|3|4|5|\n|6|7|7|\n+-+-+", "tile 7 appears twice, tile 8 is missing"),
        ("0 1 2 3\n4 10 6 7\n8 5 9 9", "tile 9 appears twice, tile 11 is missing"),
        ("1 33\n0 1 2\n3 4 5\n6 7 7", "tile 7 appears twice, tile 8 is missing"),
        ("1 33\n8 2 1\n3 4 5\n6 7 0\n10 9", "row 2 has 3 cells, but row 1 has 2"),
        // A row is too short, or too long.
        ("1 2 3 4\n5 6 7 8\n9 10 11\n13 14 15 12", "row 3 has 3 cells, but row 1 has 4"),
        ("5 1 3 11\n10 6 9\n7 2 4\n3 0 8", "row 2 has 3 cells, but row 1 has 4"),
        ("3x4\n7 3 10 4\n8 2 5\n9 6 0\n11 7 1", "row 2 has 3 cells, but row 1 has 4"),
        ("4 4\n12,0,1,9,3\n6,5,4,7\n8,2,11,10\n1,13,14,15", "row 2 has 4 cells, but row 1 has 5"),
        ("0 3 3 2\n5 4 1", "row 2 has 3 cells, but row 1 has 4"),
        ("2x4\n4,1\n3\n6,0\n5,7", "row 2 has 1 cell, but row 1 has 2"),
        ("1 33\n6\n7 3\n4 5\n0 2", "row 2 has 1 cell, but row 1 has 2"),
        // Rows before an empty line are no labels.
        ("3x2\n1 0 4\n2 5", "row 2 has 2 cells, but row 1 has 3"),
        ("3 5 1\n2 0 9", "there is no tile 9 on a 3x2 board"),
        // One error, though a row is taken for a size there.
        ("board = 1, 7\n3, 2\n5, 4", "a 3x2 board has 6 cells, but 2 were given"),
        ("3 by 3\n2\t1\t4\nx\t??\t6\n5\t8\t3", "\"??\" is neither a tile nor a separator"),
        ("board = {{6, 4, 7},\n{0, 1},\n{5, 4},\n{3, 2}};", "row 2 has 2 cells, but row 1 has 3"),
        ("6 4 7\n0 1\n5 4\n3 2", "row 2 has 2 cells, but row 1 has 3"),
        ("Row 1: 4 0\nRow 2: 9 1\nRow 3: 6 7\nRow 4: 2 5", "there is no tile 9 on a 2x4 board"),
        ("4\nRow 1: 8 9 4 2\nRow 2: 6 1 5o 10\nRow 3: 7 11 0 3", "\"5o\" is neither a tile"),
        // A label before a list, a table or a picture.
        (
            "1 83\n| 0 | 2 |\n|---|---|\n| 3 | 3 |\n| 5 | 4 |",
            "tile 3 appears twice, tile 1 is missing",
        ),
        (
            "34 43 972\n+--+--+\n|1|0|\n+--+--+\n|3|3|\n+--+--+",
            "tile 3 appears twice, tile 2 is missing",
        ),
        ("2\narray([[1, 3],\n       [3, 0]])", "tile 3 appears twice, tile 2 is missing"),
        // Two columns below a label of two numbers, or a size.
        ("1 33\n9\t6\n5\t7\n1\t3\n2\t4", "there is no tile 9 on a 2x4 board"),
        ("1 33\n2,7\n0,3\n1,5\n7,4", "tile 7 appears twice, tile 6 is missing"),
        ("1 33\n0 1\n5 5\n6 2\n3 7", "tile 5 appears twice, tile 4 is missing"),
        // A tile is misspelt.
        ("1 33\n0,6\n2,3\n1,a\n4,7", "\"a\" is neither a tile nor a separator"),
        ("1\n0,3\n7,1\n7.5,5\n6,2", "\"7.5\" is neither a tile nor a separator"),
        ("Start:\n0 3\n1 1o\n6 2\n7 4", "\"1o\" is neither a tile nor a separator"),
        ("2 4\n0 1\n2 7.5\n5 3\n6 7", "\"7.5\" is neither a tile nor a separator"),
        ("3 2\n3 7.5 2\n1 4 5", "\"7.5\" is neither a tile nor a separator"),
        ("5 1\n4 3\n2 0\n-3 6", "\"-3\" is neither a tile nor a separator"),
        ("Start:\n8 1 2\n5 ? 7\n10 11 9\n4 0 6", "\"?\" is neither a tile nor a separator"),
        (
            "4 4\n0 1 2 3\n12 5 8 7\n6 9 10 11\n4 13 14 7.5",
            "\"7.5\" is neither a tile nor a separator",
        ),
        // Tables of HTML and TeX.
        (
            "<table>\n<tr><td>1</td><td>2</td><td></td></tr>\n<tr><td>3</td><td>4</td><td>5</td></tr>\n\
             <tr><td>6</td><td>7</td><td>7</td></tr>\n</table>",
            "tile 7 appears twice, tile 8 is missing",
        ),
        (
            "<TABLE border=1>\n<TR>\n<TD>1</TD>\n<TD>2</TD>\n</TR>\n<TR>\n<TD>3</TD>\n<TD>3</TD>\n</TR>\n</TABLE>",
            "tile 3 appears twice, the blank is missing",
        ),
        // A size that no board has.
        ("9x1\n1 2 3\n4 0 6\n7 5 8", "a 9x1 board is out of range"),
        ("2*3\n1 2 3\n4 0 5", "the rows form a 3x2 board, but the size given is 2x3"),
    ] {
        let sound = "1 2 3 / 4 5 6 / 7 8 0";
        let text = format!("{text}\n\n1 2 3\n4 5 6\n7 8 0\n");
        let boards = read(&[], &text);
        assert!(boards.len() == 2 && boards[1] == sound, "{text}: {boards:?}");
        assert!(boards[0].starts_with(&format!("error: {error}")), "{text}: {boards:?}");
    }
}

/// The boards next to a faulty one are read.
#[test]
fn rows_of_another_board_are_no_part_of_a_fault() {
    let wide = |rows: [&str; 2]| rows.join(" / ");
    let text = "1 2 3\n4 0 5\n3 1 2\n4 5 0\n1 1 3\n4 0 5\n1 2 3\n4 0 5\n";
    let boards = [
        wide(["1 2 3", "4 0 5"]),
        wide(["3 1 2", "4 5 0"]),
        "error: tile 1 appears twice, tile 2 is missing".to_owned(),
        wide(["1 2 3", "4 0 5"]),
    ];
    assert_eq!(read(&[], text), boards);
    assert_eq!(read(&[], "1 2 3 0\n1 0 3 2\n"), ["1 2 / 3 0", "1 0 / 3 2"]);
    // Labels of boards without empty lines between them.
    let text = "1 37\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n2 24\n1 2 3 4\n5 6 7 8\n9 10 11 12\n\
                13 0 14 15\n";
    assert!(read(&[], text).iter().all(|board| board.starts_with("1 2 3 4")), "{text}");
    let text = "1 20\n3 0\n2 1\n2 19\n2 3\n0 1\n3 24\n3 2\n1 0\n";
    assert_eq!(read(&[], text), ["3 0 / 2 1", "2 3 / 0 1", "3 2 / 1 0"]);
    let text = "1 16\n2 4 5\n3 1 0\n2 36\n3 5 3 1\n0 2 4\n3 16\n0 5 1\n4 2 3\n";
    let boards = read(&[], text);
    assert_eq!([&*boards[0], &*boards[2]], ["2 4 5 / 3 1 0", "0 5 1 / 4 2 3"]);
    let text = "1 21 6330\n4 0\n6 5\n3 7\n2 1\n2 29 1588\n7 0\n1 2\n5 4\n3 9\n3 18 6818\n3 6\n0 2\n5 7\n4 1\n";
    let boards = read(&[], text);
    assert_eq!([&*boards[0], &*boards[2]], ["4 0 / 6 5 / 3 7 / 2 1", "3 6 / 0 2 / 5 7 / 4 1"]);
    assert!(boards.len() == 3 && boards[1].contains("no tile 9 on a 2x4 board"), "{boards:?}");
    let most = u64::MAX;
    for text in [
        format!("0 1 {most}\n0 1 2 3\n"),
        format!("{most} 5\n1 0\n3 2\n7 7\n"),
        format!("{most} 5\n1 0 2\n3 4 5\n{most} 7 7\n"),
    ] {
        assert!(!read(&[], &text).is_empty(), "{text}");
    }
    for text in [
        "1 8 2\n7 1o 5\n6 3 0",
        "5 1 7 3\n9 2 l1 4\n13 6 15 8\n0 10 14 12",
        "1 33\n5 1 7.5 3\n9 2 11 4\n13 6 15 8\n0 10 14 12",
    ] {
        let boards = read(&[], &format!("{text}\n\n1 2 3\n4 0 5\n"));
        assert!(boards[0].contains("is neither a tile") && boards.len() == 2, "{boards:?}");
    }
    let utf16: Vec<u8> =
        "\u{feff}1 2 3\n4 0 6\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, utf16).unwrap();
    let run = taquin(&["check", "--file", file.to_str().unwrap()], "");
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{run:#?}");
    assert!(run.err.contains("the text is UTF-16: save it as UTF-8"), "{run:#?}");
}

#[test]
fn what_is_written_is_read() {
    let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
    let grids = format!("{board:#}\n{board:#}\n");
    assert_eq!(read(&[], &grids), [board.to_string(), board.to_string()]);
    assert_eq!(read(&[], &format!("{board}\n{board}\n")), [board.to_string(), board.to_string()]);
}
