//! The generator of pattern databases.

use taquin::cli::{self, PdbGen};

fn main() -> std::process::ExitCode {
    cli::main::<PdbGen>("pdb-gen", std::env::args_os(), cli::pdb_gen).into()
}
