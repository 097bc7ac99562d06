//! The pictures of `taquin bench --svg` and `taquin solve --svg`.

use std::fs;
use std::process::{Command, Stdio};

/// The code, the output and the messages of `taquin` where there are no databases.
fn taquin(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin"))
        .env("TAQUIN_PDB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none"))
        .stdin(Stdio::null())
        .args(args)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (output.status.code().expect("not killed"), text(output.stdout), text(output.stderr))
}

/// The elements of a picture, in order, each with its attributes. Fails unless every element is
/// closed, and every number is one.
#[track_caller]
fn elements(svg: &str) -> Vec<&str> {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
    let mut open = Vec::new();
    let mut elements = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect(tag);
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        elements.push(tag);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    elements
}

/// The texts of a picture.
fn texts(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text ").skip(1);
    texts.map(|text| text.split(['>', '<']).nth(1).unwrap()).collect()
}

#[test]
fn a_solution_is_drawn_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.svg");
    let file = file.to_str().unwrap();
    let (code, out, err) = taquin(&[
        "solve",
        "--svg",
        file,
        "1 2 3 / 4 0 6 / 7 5 8",
        "1 2 / 0 3",
        "1 2 3 4 5 6 8 7 0",
    ]);
    // The third cannot be solved, which is no reason not to draw the others.
    assert_eq!((code, out.is_empty()), (1, false), "{err}");
    let svg = fs::read_to_string(file).unwrap();
    let texts = texts(&svg);
    let position = |text: &str| texts.iter().position(|other| *other == text).expect(text);
    let first = position("1 2 3 / 4 0 6 / 7 5 8: 2 moves, optimal");
    let second = position("1 2 / 0 3: 1 move, optimal");
    assert_eq!(
        texts[first + 1..second],
        [
            &["start", "1", "2", "3", "4", "6", "7", "5", "8"][..],
            &["1: Up", "1", "2", "3", "4", "5", "6", "7", "8"],
            &["2: Left", "1", "2", "3", "4", "5", "6", "7", "8"],
        ]
        .concat()
    );
    assert_eq!(texts[second + 1..], ["start", "1", "2", "3", "1: Left", "1", "2", "3"]);
    // The marks are the tiles 5 and 8, and then 3.
    let marked = svg.split("#f5b942").skip(1).map(|rest| {
        let (_, text) = rest.split_once("<text ").unwrap();
        text.split(['>', '<']).nth(1).unwrap()
    });
    assert_eq!(marked.collect::<Vec<_>>(), ["5", "8", "3"]);
    elements(&svg);
}

#[test]
fn a_picture_replaces_its_file_when_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.svg");
    fs::write(&file, "old").unwrap();
    let path = file.to_str().unwrap();
    let (code, _, err) = taquin(&["solve", "--svg", path, "2 1 3 0"]);
    assert!(code == 1 && err.contains("there is no solution to draw"), "{err}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    for (args, message) in [
        (["solve", "--svg", "-", "1 2 0 3"], "--svg needs a file"),
        (["solve", "--svg", "/no/such/folder/x.svg", "1 2 0 3"], "cannot write /no/such/folder"),
        (["solve", "--svg", "", "1 2 0 3"], "cannot be empty"),
    ] {
        let (code, out, err) = taquin(&args);
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_picture_has_a_thousand_boards_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.svg");
    let path = file.to_str().unwrap();
    // 334 times three boards.
    let mut args = vec!["solve", "--svg", path];
    args.extend(["1 2 3 / 4 0 6 / 7 5 8"; 334]);
    let (code, _, err) = taquin(&args);
    assert_eq!(code, 0);
    assert!(err.contains("ends after 1000 boards; 2 boards left out"), "{err}");
    let svg = fs::read_to_string(&file).unwrap();
    let texts = texts(&svg);
    assert_eq!(texts.iter().filter(|text| text.ends_with("2 moves, optimal")).count(), 334);
    assert_eq!(texts.iter().filter(|text| text.starts_with("1: ")).count(), 333);
    assert_eq!(texts.last(), Some(&"2 more moves"));
}

/// The place of a text, and where it ends if its letters are of ordinary width.
fn places(svg: &str) -> Vec<(&str, f64, f64)> {
    let number = |tag: &str, name: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect(tag);
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let found = elements(svg).into_iter().filter(|tag| tag.starts_with("text "));
    found.zip(texts(svg)).map(|(tag, text)| (text, number(tag, "x"), number(tag, "y"))).collect()
}

#[test]
fn a_bench_is_drawn_with_labels_at_the_curves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bench.svg");
    let list = "4-4:mirror,manhattan,standard,last-move,linear-conflict";
    let args = ["bench", "--size", "3x3", "--set", "random:60", "--node-limit", "2500"];
    let more = ["--heuristics", list, "--values", "500", "--svg", file.to_str().unwrap()];
    let (code, out, err) = taquin(&[&args[..], &more].concat());
    assert_eq!((code, &*err), (0, ""));
    let svg = fs::read_to_string(&file).unwrap();
    let places = places(&svg);
    // The labels are sorted: first the one that solved the fewest boards.
    let names: Vec<&str> = list.split(',').collect();
    let is_label = |text: &str| names.contains(&text) || text == "standard (4-4:mirror)";
    let labels: Vec<_> = places.iter().filter(|(text, ..)| is_label(text)).collect();
    assert_eq!(labels.len(), 5);
    assert_eq!(labels[0].0, "manhattan");
    // One column, and nothing on top of another.
    for pair in labels.windows(2) {
        assert_eq!(pair[0].1, pair[1].1);
        assert!(pair[1].2 - pair[0].2 >= 40.0, "{labels:?}");
    }
    assert!(places.iter().any(|(text, ..)| text.contains(" of 60 solved, &gt;=")), "{places:?}");
    // The histogram: two of the heuristics have the same values.
    let labels: Vec<_> = places.iter().filter(|(text, ..)| text.ends_with("on average")).collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert!(
        labels.iter().any(|(text, ..)| text.starts_with("4-4:mirror, standard (4-4:mirror): "))
    );
    for (i, a) in labels.iter().enumerate() {
        for b in &labels[i + 1..] {
            let width = a.0.chars().count() as f64 * 8.0;
            assert!(a.2 != b.2 || a.1 + width < b.1 || b.1 + width < a.1, "{a:?} {b:?}");
        }
    }

    // The table explains its columns, and has one kind of ratio.
    assert!(out.contains("unsolved") && !out.contains("timed out") && !out.contains("1/"), "{out}");
    for column in
        ["opt-h: ", "median: ", "worst: ", "nodes x ", "time x: ", "relative to 4-4:mirror"]
    {
        assert!(out.contains(column), "{column}: {out}");
    }
}
