//! Texts that stand in no definition of an argument. The text of a command's name is the end of its `--help`;
//! the others are the topics of `taquin help TOPIC`, which would be too long for the help of a command.

use clap::ValueEnum;

use crate::classics;
use crate::format::Format;
use crate::solver::Method;

/// The fields of JSON objects, by the command that writes them. They stand in its manual page, too.
pub const JSON: [(&str, &str); 5] = [
    ("solve", include_str!("fields/solve.txt")),
    ("check", include_str!("fields/check.txt")),
    ("apply", include_str!("fields/apply.txt")),
    ("shuffle", include_str!("fields/shuffle.txt")),
    ("bench", include_str!("fields/bench.txt")),
];

/// The topics of `taquin help`.
pub const TOPICS: [&str; 5] = ["formats", "goals", "heuristics", "searches", "json"];

/// The topic of a name, or of a beginning of it that is not the name of a command.
pub fn topic(name: &str) -> Option<&'static str> {
    TOPICS.into_iter().find(|topic| name.len() > 3 && topic.starts_with(name))
}

/// The text of a topic.
pub fn text(topic: &str) -> String {
    match topic {
        "formats" => {
            let formats = Format::value_variants().iter().filter_map(Format::to_possible_value);
            let lines = formats.map(|it| {
                format!("  {:<9} {}\n", it.get_name(), it.get_help().unwrap_or_default())
            });
            include_str!("formats.txt").to_owned() + &lines.collect::<String>()
        }
        "goals" => include_str!("goals.txt").to_owned(),
        "heuristics" => {
            let names: String = classics::names().map(item).collect();
            format!("Heuristics\n\n{names}\n{}", include_str!("heuristics.txt"))
        }
        "searches" => {
            let methods: String = Method::names().map(item).collect();
            format!("Methods\n\n{methods}\n{}", include_str!("searches.txt"))
        }
        _ => JSON.map(|(_, text)| text).join("\n"),
    }
}

/// A name and its text, in lines of up to 80 characters.
fn item((name, text): (&str, &str)) -> String {
    let (mut item, mut length) = (format!("  {name}:"), name.len() + 3);
    for word in text.split(' ') {
        length += 1 + word.len();
        if length > 80 {
            length = 4 + word.len();
            item += "\n   ";
        }
        item += " ";
        item += word;
    }
    item + "\n"
}
