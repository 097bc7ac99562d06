//! The fuzz targets' bodies as ordinary tests: every file of the corpora, and random changes of
//! them, the same ones each time. docs/RELIABILITY.md describes fuzzing proper.

mod bodies;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::common::{self, Random};

/// Changed inputs for each body, in a round.
const CHANGES: usize = 1_000;

/// The files of a target's corpus, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// A few bytes changed, put in, taken out, or taken from another input.
fn change(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len() + 1);
        match random.below(5) {
            0 => bytes.insert(place, random.below(256) as u8),
            1 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
            2 if place < bytes.len() => drop(bytes.remove(place)),
            3 => bytes.truncate(place.max(4)),
            _ => {
                let from = random.below(other.len() + 1);
                let length = random.below((other.len() - from).min(64) + 1);
                bytes.splice(place..place, other[from..from + length].iter().copied());
            }
        }
    }
    bytes
}

fn breaks_no_promise(name: &str, body: fn(&[u8])) {
    let corpus = corpus(name);
    assert!(corpus.len() >= 4, "{name}");
    for (file, bytes) in &corpus {
        println!("{name}/{file}");
        body(bytes);
    }
    (1..=common::rounds(1) as u64).into_par_iter().for_each(|round| {
        let mut random = Random(round);
        for number in 0..CHANGES {
            let mut pick = || &corpus[random.below(corpus.len())].1;
            let (input, other) = (pick(), pick());
            let bytes = change(input, other, &mut random);
            if std::panic::catch_unwind(|| body(&bytes)).is_err() {
                panic!("{name}, round {round}, change {number}: {bytes:?}");
            }
        }
    });
}

/// A test for each body.
macro_rules! no_input_breaks_a_promise {
    ($($body:ident)*) => {
        mod no_input_breaks_a_promise {
            $(#[test]
            fn $body() {
                super::breaks_no_promise(stringify!($body), super::bodies::$body);
            })*
        }
    };
}

no_input_breaks_a_promise!(board header file partition moves rank);

/// Each body does reach its subject: the corpus has files that it accepts.
#[test]
fn the_corpora_are_not_only_refused() {
    use taquin_engine::board::{Board, Convention};
    use taquin_engine::pdb::{Header, Partition};

    let texts = |target: &str| {
        corpus(target).into_iter().filter_map(|(_, bytes)| String::from_utf8(bytes).ok())
    };
    assert!(texts("board").filter(|text| text.parse::<Board>().is_ok()).count() >= 6);
    let four: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0".parse().unwrap();
    let are_moves =
        |text: &String| taquin::read::moves(&four.clone().into(), text, Convention::Tile).is_ok();
    assert!(texts("moves").filter(are_moves).count() >= 5);
    let four = common::grid(4, 4);
    let lists = texts("partition").filter(|text| Partition::parse(&text[3..], four, 0).is_ok());
    assert!(lists.count() >= 2);
    let sound = corpus("header").into_iter().map(|(_, bytes)| bodies::sealed(&bytes));
    assert!(sound.filter(|page| Header::decode(page).is_ok()).count() >= 2);
}

/// The list of unsafe code in CONTRIBUTING.md names the files that have any, and no other.
#[test]
fn the_list_of_unsafe_code_is_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("engine").exists() {
        // The packed crate is without its neighbours.
        return;
    }
    let list = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let rows = list.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let listed: BTreeSet<String> = rows
        .filter(|row| row.contains("src/") && row.ends_with(".rs"))
        .flat_map(|names| names.split(", "))
        .map(str::to_owned)
        .collect();
    let mut folders = vec![root.join("src"), root.join("engine/src")];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let code = fs::read_to_string(&path).unwrap();
            let is_unsafe = code
                .lines()
                .any(|line| line.contains("unsafe ") && !line.trim_start().starts_with("//"));
            if is_unsafe {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                found.insert(name.replace('\\', "/"));
            }
        }
    }
    assert!(found.len() >= 5);
    assert_eq!(found, listed);
}
