//! The generator of pattern databases.

use taquin::cli::{self, PdbGen};

fn main() -> std::process::ExitCode {
    cli::main::<PdbGen>("pdb-gen", cli::pdb_gen)
}
