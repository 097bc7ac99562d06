//! The command line in transcripts: commands, exit codes and all that they print, in files that people can read.
//!
//! The commands of a file run in a folder of its own, which has the files of the folder beside it, as in `check.in`.
//! There are no databases, and none can be written, but for those of 4×4 in `$STANDARD`. `[..]` stands for nodes and
//! times. After a change of messages, `TRYCMD=overwrite cargo test --release --test it transcripts` writes them anew,
//! and the difference shows what has changed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::process::folder_4x4;

#[test]
fn transcripts() {
    let programs = Path::new(env!("CARGO_BIN_EXE_taquin")).parent().unwrap().display();
    let path = std::env::var("PATH").unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(repository.join("tests/prompt")).unwrap() {
        let from = entry.unwrap().path();
        let to = folder.path().join(from.file_name().unwrap());
        fs::create_dir_all(to.with_extension("in")).unwrap();
        if from.is_dir() {
            for file in fs::read_dir(&from).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), to.join(file.file_name())).unwrap();
            }
        } else if cfg!(target_os = "linux") || !from.ends_with("linux.md") {
            // A link, so that new outputs are written to the file itself.
            symlink(&from, &to).unwrap();
        }
    }
    let cases = trycmd::TestCases::new();
    cases.insert_var("[VERSION]", env!("CARGO_PKG_VERSION")).unwrap();
    cases
        .env("PATH", format!("{programs}:{path}"))
        .env("TAQUIN_PDB_DIR", "/dev/null/none")
        .env("STANDARD", folder_4x4().to_str().unwrap())
        .env("REPOSITORY", repository.to_str().unwrap())
        .register_bin("taquin", Path::new(env!("CARGO_BIN_EXE_taquin")))
        .register_bin("pdb-gen", Path::new(env!("CARGO_BIN_EXE_pdb-gen")))
        .register_bin("sh", Path::new("/bin/sh"))
        .case(folder.path().join("*.md"))
        .run();
}
