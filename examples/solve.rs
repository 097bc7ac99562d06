//! Solves a board in the fewest moves: the one given, or one of those furthest from the goal.
//!
//! ```console
//! $ cargo run --release --example solve -- '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12'
//! ```

use taquin::{Board, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1);
    let text = text.as_deref().unwrap_or("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1");
    let board: Board = text.parse()?;
    let solver = Solver::new()?;
    let solution = solver.solve(&board)?;
    assert!(solution.is_optimal());
    println!("{board:#}\n{}\n{} moves", solution.moves(), solution.len());
    Ok(())
}
