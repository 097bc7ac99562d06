//! Solves boards from the standard input, one per line, on all cores, and prints their solutions in
//! order, at most a second for each.
//!
//! ```console
//! $ taquin shuffle --count 1000 | cargo run --release --example stream
//! ```

use std::io::{self, BufRead, BufReader};
use std::time::Duration;

use taquin::{Board, Limits, ParseError, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solver = Solver::new()?;
    // A thread of the stream reads the lines. A lock of the standard input could not be sent to it.
    let lines = BufReader::new(io::stdin()).lines();
    // A line that is not a board keeps its place, with its error.
    let items = lines.map(|line| match read(line) {
        Ok(board) => (None, Some(board)),
        Err(error) => (Some(error), None),
    });
    let limits = Limits::default().time(Duration::from_secs(1));
    for (error, answer) in solver.stream(items, limits) {
        match (error, answer) {
            (Some(error), _) => println!("not a board: {error}"),
            (None, Some(Ok(bracket))) => match &bracket.solution {
                Some(solution) if bracket.is_optimal() => println!("{}", solution.moves()),
                _ => println!("at least {} moves", bracket.lower_bound),
            },
            (None, Some(Err(error))) => println!("{error}"),
            (None, None) => unreachable!("every line is a board or an error"),
        }
    }
    Ok(())
}

fn read(line: io::Result<String>) -> Result<Board, String> {
    let line = line.map_err(|error| error.to_string())?;
    line.parse().map_err(|error: ParseError| error.to_string())
}
