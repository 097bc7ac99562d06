//! Builds the move automaton of the 4×4 board, so that a search does not have to.

use std::{env, fs, path::Path};

#[path = "src/search/automaton.rs"]
mod automaton;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/search/automaton.rs");
    let rows = automaton::build(4, 4, 12);
    let bytes: Vec<u8> = rows.iter().flatten().flat_map(|state| state.to_le_bytes()).collect();
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("automaton_4x4.bin"), bytes).expect("OUT_DIR is writable");
}
