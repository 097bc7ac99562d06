//! Texts that stand in no definition of an argument. The text of a command's name is the end of its `--help`;
//! the others are the topics of `taquin help TOPIC`, which would be too long for the help of a command.

use crate::reference;

/// The fields of JSON objects, by the command that writes them. They stand in its manual page, too.
pub const JSON: [(&str, &str); 5] = [
    ("solve", include_str!("fields/solve.txt")),
    ("check", include_str!("fields/check.txt")),
    ("apply", include_str!("fields/apply.txt")),
    ("shuffle", include_str!("fields/shuffle.txt")),
    ("bench", include_str!("fields/bench.txt")),
];

/// The text of a topic.
pub fn topic(name: &str) -> Option<String> {
    Some(match name {
        "formats" => include_str!("formats.txt").to_owned(),
        "goals" => include_str!("goals.txt").to_owned(),
        "heuristics" => {
            let names = reference::names().map(|(name, summary)| format!("  {name}: {summary}\n"));
            let names: String = names.collect();
            format!("Heuristics\n\n{names}\n{}", include_str!("heuristics.txt"))
        }
        "searches" => include_str!("searches.txt").to_owned(),
        "json" => JSON.map(|(_, text)| text).join("\n"),
        _ => return None,
    })
}
