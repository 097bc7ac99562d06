//! The command line in transcripts: commands, exit codes and all that they print, in files that people can read.
//!
//! The commands run where there are no databases, and none can be written. `[..]` stands for nodes and times. After
//! a change of messages, `TRYCMD=overwrite cargo test --release --test it transcripts` writes them anew, and
//! the difference shows what has changed.

use std::path::Path;

#[test]
fn transcripts() {
    let programs = Path::new(env!("CARGO_BIN_EXE_taquin")).parent().unwrap().display();
    let path = std::env::var("PATH").unwrap();
    trycmd::TestCases::new()
        .env("PATH", format!("{programs}:{path}"))
        .env("TAQUIN_PDB_DIR", "/dev/null/none")
        .register_bin("taquin", Path::new(env!("CARGO_BIN_EXE_taquin")))
        .register_bin("pdb-gen", Path::new(env!("CARGO_BIN_EXE_pdb-gen")))
        .register_bin("sh", Path::new("/bin/sh"))
        .case("tests/prompt/*.md");
}
