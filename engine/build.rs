//! Builds tables that every start of a search would have to make: the move automata of the 4×4 and
//! 5×5 boards, the words that they forbid, and the geometry table of 7-8 on 4×4.

use std::{env, fs, path::Path};

// Those of other boards are made by the crate, from the same files.
#[allow(dead_code)]
#[path = "src/search/automaton.rs"]
mod automaton;
#[allow(dead_code)]
#[path = "src/search/coordinates/geometry.rs"]
mod geometry;
#[allow(dead_code)]
#[path = "src/pdb/index.rs"]
mod index;
#[allow(dead_code)]
#[path = "src/pdb/orders.rs"]
mod orders;

use automaton::step;
use index::{Index, MAX_PDB_CELLS};
use orders::{MAX_PATTERN, Orders};

fn main() {
    for file in [
        "build.rs",
        "src/search/automaton.rs",
        "src/search/coordinates/geometry.rs",
        "src/pdb/index.rs",
        "src/pdb/orders.rs",
    ] {
        println!("cargo::rerun-if-changed={file}");
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let indexes = [7, 8].map(|tiles| Index::of_size(4, 4, tiles));
    let entries = geometry::geometry(4, 4, indexes.each_ref());
    let entries = entries.iter().flatten().map(|entry| {
        u64::from(entry.word) | u64::from(entry.byte) << 32 | u64::from(entry.row) << 48
    });
    let bytes: Vec<u8> = entries.flat_map(u64::to_le_bytes).collect();
    fs::write(Path::new(&folder).join("geometry_4x4.bin"), bytes).expect("OUT_DIR is writable");
    let length = automaton::LONG;
    for size in [4, 5] {
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
