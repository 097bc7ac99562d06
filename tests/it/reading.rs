//! Boards in the forms in which people have them.

use std::fs;
use std::path::Path;

use crate::examples::{Example, READING, examples};
use crate::process::Run;
use serde_json::Value;
use taquin::Board;

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
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
        let text = fs::read_to_string(cases.join(name)).unwrap();
        // No tables have to be built.
        let solve = ["solve", "--json", "--heuristic", "linear-conflict", "-"];
        let run = taquin(&[&solve[..], args].concat(), &text);
        let found: Vec<String> =
            run.objects().iter().map(|object| object["length"].to_string()).collect();
        assert_eq!(found, lengths, "{name}");
    }
}

#[test]
fn guesses_are_told_once() {
    let text = "1 1 2 3 4 0 6 7 5 8\n2 1 2 3 4 5 6 7 0 8\n";
    let run = taquin(&["solve", "--format", "letters", "-"], text);
    assert_eq!((run.code, &*run.out), (0, "UL\nL\n"), "{run:#?}");
    assert_eq!(
        run.err,
        "taquin: note: standard input, line 1 (1): \"1\" is read as a label, not as tiles\n"
    );
    let order = taquin(&["check", "3 2 / 1 2 3 4 0 5"], "");
    assert!(order.err.contains("3 columns and 2 rows"), "{order:#?}");
    // The label is in messages.
    let text = "7 55 100000\n1 2 3\n4 5 6\n8 7 0\n";
    taquin(&["solve", "-"], text)
        .expect(1, "standard input, line 1 (7 55 100000): this board cannot be solved");
    let other = "1 2 3 0\n\n0 1 2 3\n\n1 2 3 0\n\n1 2 3 0\n";
    taquin(&["check", "--goal-follows", "-"], other).expect(2, "another goal follows this board");
    taquin(&["check", "--goal-follows", "1 2 3 0"], "").expect(2, "no goal follows this board");
    let named = "start = [1, 2, 0, 3]\ngoal = [1, 2, 3, 0]\n";
    let run = taquin(&["solve", "-"], named);
    assert!(run.err.contains("line 2 (goal): this board is called a goal"), "{run:#?}");
    let run = taquin(&["solve", "--goal-follows", "-"], named);
    assert_eq!((run.code, &*run.err), (0, ""));
}

#[test]
fn what_is_written_is_read() {
    let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
    let grids = format!("{board:#}\n{board:#}\n");
    assert_eq!(read(&[], &grids), [board.to_string(), board.to_string()]);
    assert_eq!(read(&[], &format!("{board}\n{board}\n")), [board.to_string(), board.to_string()]);
}

/// The manual names the forms that are read and those that are refused, which are the first groups of the examples, and
/// the signs for the blank.
#[test]
fn the_manual_names_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = fs::read_to_string(root.join("docs/MANUAL.md")).unwrap();
    let (_, section) = manual.split_once("\n## Reading boards\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let section = section.replace('\n', " ");
    let (read, refused) = section.split_once("Refused on purpose:").unwrap();
    for Example { name, part, .. } in examples(READING) {
        // A name may list signs after a colon.
        let Some(name) = name.and_then(|name| name.split(':').next()) else { continue };
        let list = if part == "Refused on purpose" { refused } else { read };
        let is_listed = part != "The forms, an example of each" && part != "Refused on purpose";
        assert!(is_listed || list.contains(name), "{part}: {name}");
    }
    assert!(read.contains(&taquin::read::BLANKS.join(" ")));
}

/// A text that is not UTF-8 has one message, whoever reads it.
#[test]
fn other_encodings_have_one_message() {
    let utf16: Vec<u8> =
        "\u{feff}1 2 3\n4 0 6\n7 5 8\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, utf16).unwrap();
    let file = file.to_str().unwrap();
    let goal = format!("@{file}");
    for args in [&["check", "--file", file][..], &["check", "--goal", &goal, "1 2 3 0"]] {
        taquin(args, "").expect(2, "the text is UTF-16: save it as UTF-8");
    }
}
