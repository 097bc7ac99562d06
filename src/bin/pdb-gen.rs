//! The generator of pattern databases.

use clap::Parser;
use taquin::cli::{self, PdbGen};

fn main() -> std::process::ExitCode {
    cli::exit("pdb-gen", cli::pdb_gen(&PdbGen::parse()))
}
