//! Builds the move automata of the 4×4 and 5×5 boards, and lists the words that they forbid, so that
//! a search does not have to.

use std::{env, fs, path::Path};

// Other automata are built by the crate.
#[allow(dead_code)]
#[path = "src/search/automaton.rs"]
mod automaton;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/search/automaton.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (size, length) in [(4, 12), (5, 10)] {
        let words = automaton::forbidden_words(size, size, length);
        let trie = automaton::trie(size * size, &words, length);
        let rows = automaton::rows(size, size, &trie);
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|state| state.to_le_bytes()).collect();
        for (name, bytes) in [("trie", trie), ("automaton", bytes)] {
            let file = Path::new(&folder).join(format!("{name}_{size}x{size}.bin"));
            fs::write(file, bytes).expect("OUT_DIR is writable");
        }
        let mut bytes = Vec::new();
        for pair in words.iter().filter(|pair| pair.is_as_short()) {
            bytes.extend([pair.start as u8, pair.minimal.len() as u8]);
            bytes.extend(pair.word.iter().chain(&pair.minimal));
        }
        let file = Path::new(&folder).join(format!("equivalents_{size}x{size}.bin"));
        fs::write(file, bytes).expect("OUT_DIR is writable");
    }
}
