//! Builds tables that every start of a search would have to make, for more than a millisecond: the words that
//! the move automata of the 4×4 and 5×5 boards forbid, and the geometry table of 7-8 on 4×4.

use std::{env, fs, path::Path};

// Tables of other boards are made by the crate, from the same files: here they have the same paths as there.
#[allow(dead_code)]
#[path = "src/pdb"]
mod pdb {
    mod index;
    mod orders;

    pub use index::{Index, MAX_PDB_CELLS};
    pub use orders::{MAX_PATTERN, Orders};
}
#[allow(dead_code)]
#[path = "src/search"]
mod search {
    pub mod moves {
        pub mod automaton;

        pub use automaton::step;
    }

    pub mod bits;
    pub mod fast {
        pub mod coordinates {
            pub mod geometry;
        }
    }
}

use pdb::Index;
use search::fast::coordinates::geometry;
use search::moves::automaton;

fn main() {
    for file in [
        "build.rs",
        "src/search/bits.rs",
        "src/search/moves/automaton.rs",
        "src/search/fast/coordinates/geometry.rs",
        "src/pdb/index.rs",
        "src/pdb/orders.rs",
    ] {
        println!("cargo::rerun-if-changed={file}");
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |name: &str, bytes: Vec<u8>| {
        fs::write(Path::new(&folder).join(name), bytes).expect("OUT_DIR is writable");
    };
    let indexes = [7, 8].map(|tiles| Index::of_size(4, 4, tiles));
    let entries = geometry::geometry(4, 4, indexes.each_ref());
    let entries: Vec<_> = entries.as_flattened().iter().map(|e| e.to_le_bytes()).collect();
    write("geometry_4x4.bin", entries.into_flattened());
    let length = automaton::LONG;
    for size in [4, 5] {
        let words = automaton::forbidden_words(size, size, length);
        write(&format!("trie_{size}x{size}.bin"), automaton::trie(size * size, &words, length));
        let mut bytes = Vec::new();
        for pair in words.iter().filter(|pair| pair.is_as_short()) {
            bytes.extend([pair.start as u8, pair.minimal.len() as u8]);
            bytes.extend(pair.word.iter().chain(&pair.minimal));
        }
        write(&format!("equivalents_{size}x{size}.bin"), bytes);
    }
}
