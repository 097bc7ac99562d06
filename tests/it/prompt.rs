//! What programs write for programs: objects, streams, pictures. What people read stands in `tests/prompt`.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::process::{Run, replayed};
use serde_json::{Map, Value};

fn taquin(args: &[&str], input: &str) -> Run {
    Run::of_taquin(args, input)
}

/// The arguments of a line, where nothing needs quotes.
fn line(args: &str, input: &str) -> Run {
    taquin(&args.split(' ').collect::<Vec<_>>(), input)
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_taquin"))
        .args(["solve", "--json", "-"])
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
fn every_method_solves() {
    let boards = line("shuffle --size 3x3 --seed 4 --count 8", "").fine();
    let solve = |method: &str| line(&format!("solve --json {method}"), &boards);
    let optimal: Vec<usize> = solve("-").objects().iter().map(replayed).collect();
    for method in [
        "--method ida --heuristic walking-distance",
        "--method astar",
        "--method astar:fifo",
        "--method astar --heuristic 4-4:plain:mirror",
        "--method bfs",
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
            let board = line(&shuffle, "").fine();
            let args =
                format!("solve --json --method {method} --goal {goal} --node-limit 200000 -");
            let solved = line(&args, &board);
            let object = &solved.objects()[0];
            let length = replayed(object);
            assert!(object["lower_bound"].as_u64().unwrap() as usize <= length, "{size}");
            solved.fine();
        }
    }
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
    taquin(&kept, "");
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
        let object: Map<String, Value> = serde_json::from_str(&taquin(args, "").out).unwrap();
        let mut expected = fields.iter();
        // The object is a map in alphabetical order, its text is not.
        let text = taquin(args, "").out;
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
    let out = taquin(&[&args[..], &more].concat(), "").fine();
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
