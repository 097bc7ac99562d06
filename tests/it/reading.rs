//! The manual on reading, and texts that are not UTF-8. The rest is in tests/prompt/reading.md.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use taquin::read::{Boards, LinesOf};

use crate::examples::{Example, READING, examples};
use crate::process::Run;

/// The manual names the forms that are read and those that are refused, which are the first groups of the examples, and
/// the signs for the blank.
#[test]
fn the_manual_names_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = fs::read_to_string(root.join("docs/MANUAL.md")).unwrap();
    let (_, section) = manual.split_once("\n## Reading boards\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let section = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let (read, refused) = section.split_once("These forms are refused").unwrap();
    // The table of the rules, without their sources.
    let rules = include_str!("../../src/read/rules.md").lines();
    let forms = rules.map(|rule| rule.rsplit_once(" | ").map_or("|---|---|", |(form, _)| form));
    let forms: Vec<&str> = forms.collect();
    assert!(manual.contains(&(forms.join(" |\n").replace("|---|---| |", "|---|---|") + " |\n")));
    let mut found = BTreeSet::new();
    for Example { name, part, text, .. } in examples(READING) {
        // A name may list signs after a colon.
        let Some(name) = name.and_then(|name| name.split(':').next()) else { continue };
        let list = if part == "Refused on purpose" { refused } else { read };
        let is_listed = part != "The forms, an example of each" && part != "Refused on purpose";
        assert!(is_listed || list.contains(name), "{part}: {name}");
        if part == "The forms, an example of each" {
            let text = text.replace('|', "\\|").replace('\n', "⏎").replace('\t', "⇥");
            found.insert(format!("| {name} | `{text}`"));
        }
    }
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, forms[2..].iter().copied().collect());
    assert!(read.contains(&taquin::read::BLANKS.join(" ")));
}

/// The code of each form says its name.
#[test]
fn every_form_has_its_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let code = files.filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let code: String = code.map(|file| fs::read_to_string(file).unwrap()).collect();
    for rule in include_str!("../../src/read/rules.md").lines().skip(2) {
        let name = rule.split(" | ").next().unwrap().trim_start_matches("| ");
        assert!(code.contains(&format!("`{name}`")), "no code of src/read is of {name:?}");
    }
}

#[test]
fn a_line_of_an_argument_is_at_most_64_kib_long() {
    Run::of_taquin(&["check", &"x".repeat(70_000)], "").expect(2, "longer than 64 KiB");
}

#[test]
fn a_file_needs_no_empty_lines() {
    let pictures = "+-+-+\n|1|2|\n+-+-+\n|3| |\n+-+-+\n".repeat(100);
    let objects = format!("[\n{}]", vec!["{\"board\":\n[1,\n2,\n3,\n0]}\n"; 100].join(","));
    let damaged = pictures.replacen('2', "9", 1);
    for (text, all) in [(pictures, 100), (objects, 100), (damaged, 40)] {
        let boards = taquin::read::boards(&text, None);
        assert_eq!(boards.into_iter().filter_map(Result::ok).count(), all, "{text}");
    }
}

/// Each line that is not text is one error, and costs no board beside it, however many there are.
#[test]
fn every_other_line_may_be_no_text() {
    let lines = b"1 2 3 4 0 6 7 5 8\n\xff\n".repeat(20_000);
    let boards = Boards::new(LinesOf::new(&lines[..], 100), None);
    assert!(boards.enumerate().all(|(at, item)| item.reading.is_ok() == at.is_multiple_of(2)));
    assert_eq!(Boards::new(LinesOf::new(&lines[..], 100), None).count(), 40_000);
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
        Run::of_taquin(args, "").expect(2, "the text is UTF-16: save it as UTF-8");
    }
}
