//! The objects that programs read. The rest of what the command line prints stands in `tests/prompt`.

use std::collections::HashSet;

use crate::process::Run;
use serde_json::{Map, Value};

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
    Run::of_taquin(&kept, "");
    let scrambled = "shuffle --json --size 3x3 --seed 1 --as moves --directions blank";
    let scrambled: Vec<&str> = scrambled.split(' ').collect();
    let mut seen = HashSet::new();
    for (title, args) in [
        ("`taquin solve`", &kept[..]),
        ("`taquin solve`", &["solve", "--json", "--all", "1 2 3 4 5 6 7 9 8"]),
        ("`taquin solve`", &["solve", "--json", "--node-limit", "1", hard]),
        ("`taquin solve`", &["solve", "--json", "--method", "astar", "--node-limit", "1", hard]),
        ("`taquin solve`", &["solve", "--json", "--moves", "blank", board]),
        ("`taquin solve`", &["solve", "--json", "--good", board]),
        ("`taquin solve`", &["solve", "--json", "--goal", "1 * / * *", "2 1 3 0"]),
        ("Boards without", &["solve", "--json", "1 2 2 0"]),
        ("Boards without", &["check", "--json", "1 2 2 0"]),
        ("Boards without", &["solve", "--json", "2 1 3 4 5 6 7 8 9"]),
        ("`taquin check`", &["check", "--json", board]),
        ("`taquin check`", &["check", "--json", "2 1 3 4 5 6 7 8 9"]),
        ("`taquin check`", &["check", "--json", "--goal", "A A / B _", "A B / A _"]),
        ("`taquin check`", &["check", "--json", "--heuristics", "manhattan", "1 2 / 0 3"]),
        ("`taquin apply`", &["apply", "--json", "--goal", "A A / B _", "A _ / B A", "U"]),
        ("`taquin apply`", &["apply", "--json", "1 2 3 / 4 9 6 / 7 5 8", "UL"]),
        ("`taquin apply`", &["apply", "--json", "--analyse", board, "DUUL"]),
        ("`taquin apply`", &["apply", "--json", "--moves", "blank", board, "UL"]),
        ("`taquin shuffle`", &["shuffle", "--json", "--size", "3x3", "--seed", "1"]),
        ("`taquin shuffle`", &["shuffle", "--json", "--size=3x3", "--seed=1", "--distance=3"]),
        ("`taquin shuffle`", &scrambled[..]),
    ] {
        let fields = fields(title);
        let object: Map<String, Value> =
            serde_json::from_str(&Run::of_taquin(args, "").out).unwrap();
        let mut expected = fields.iter();
        // The object is a map in alphabetical order, its text is not.
        let text = Run::of_taquin(args, "").out;
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
