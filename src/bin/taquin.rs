//! The solver.

use clap::Parser;
use taquin::cli::{self, Taquin};

fn main() -> std::process::ExitCode {
    cli::exit("taquin", cli::taquin(&Taquin::parse()))
}
