//! The solver.

use taquin::cli::{self, Taquin};

fn main() -> std::process::ExitCode {
    cli::main::<Taquin>("taquin", std::env::args_os(), cli::taquin).into()
}
