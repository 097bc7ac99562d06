//! Links of the documents lead to files that are there, and to headings that these have.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A document without its blocks of code.
fn text(file: &Path) -> String {
    let document = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let mut is_code = false;
    let mut text = String::new();
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The names that links have for the headings of a text.
fn anchors(text: &str) -> HashSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let titles = headings.filter_map(|line| Some(line.split_once("# ")?.1.trim().to_lowercase()));
    let name = |title: String| -> String {
        let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        title.chars().filter(is_kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    titles.map(name).collect()
}

/// The targets of the links and pictures of a text.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// Whether there is the file that a link of this file names, with the heading that it names.
fn leads_somewhere(file: &Path, target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { file.to_owned() } else { file.parent().unwrap().join(path) };
    path.exists() && (anchor.is_empty() || anchors(&text(&path)).contains(anchor))
}

/// README.md, CONTRIBUTING.md and the files of docs; none in the packed crate, which is without its neighbours.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("engine").exists() {
        return Vec::new();
    }
    let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    files
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut faults = Vec::new();
    for file in documents() {
        let text = text(&file);
        for target in targets(&text).filter(|target| !target.contains("://")) {
            if !leads_somewhere(&file, target) {
                faults.push(format!("{}: {target}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let page = "# A page\n\n[one](b.md), [two](#ties-in-a), ![three](c.svg)\n\n## Ties in A*\n### `a b` of 4×4\n";
    assert_eq!(targets(page).collect::<Vec<_>>(), ["b.md", "#ties-in-a", "c.svg"]);
    let names = ["a-page", "ties-in-a", "a-b-of-44"].map(str::to_owned);
    assert_eq!(anchors(page), HashSet::from(names));
    if let Some(readme) = documents().first() {
        assert!(leads_somewhere(readme, "docs/MANUAL.md#limits"));
        assert!(!leads_somewhere(readme, "docs/MANUAL.md#no-limits"));
        assert!(!leads_somewhere(readme, "docs/NONE.md"));
    }
}
