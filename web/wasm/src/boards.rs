//! Boards and goals: reading, checking and drawing them.

use serde::Serialize;
use taquin::{Board, Goal, Grid, Solvability, read};
use taquin_engine::SMALL;
use taquin_engine::board::Random;

use crate::fault::Fault;
use crate::request::{Request, needed, of_tiles};

/// More moves from the goal make no board more random.
const MOST_MOVES: u64 = 1_000_000;

/// A board as a reply.
#[derive(Serialize)]
pub struct Tiles {
    board: Vec<u8>,
    width: usize,
    height: usize,
    /// The guesses that the reading rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<&Board> for Tiles {
    fn from(board: &Board) -> Tiles {
        let grid = board.grid();
        let (width, height) = (grid.width(), grid.height());
        Tiles { board: board.tiles().to_vec(), width, height, notes: Vec::new() }
    }
}

/// Reads a board in any form that `taquin` reads.
pub fn parse(request: &Request) -> Result<Tiles, Fault> {
    let text = needed(request.text.as_deref(), "text")?.trim_start_matches('\u{feff}');
    if SMALL {
        let board = request.size.is_none().then(|| of_rows(text)).flatten();
        return board.map(|board| Tiles::from(&board)).ok_or_else(Fault::elsewhere);
    }
    let size = request.size.as_deref().map(str::parse).transpose()?;
    let reading = read::board(text, size)?;
    let notes = reading.notes.iter().map(ToString::to_string).collect();
    Ok(Tiles { notes, ..Tiles::from(&reading.board) })
}

/// The board of numbers between spaces or commas, in rows between slashes or all in one. `None` if it is
/// not that simple.
fn of_rows(text: &str) -> Option<Board> {
    let numbers = |row: &str| -> Option<Vec<u64>> {
        let words = row.split([' ', ',']).filter(|word| !word.is_empty());
        words.map(|word| word.parse().ok()).collect()
    };
    let rows: Vec<_> = text.split('/').map(numbers).collect::<Option<_>>()?;
    let grid = match &rows[..] {
        [row] => Grid::square(row.len()),
        [first, ..] if rows.iter().all(|row| row.len() == first.len()) => {
            Grid::new(first.len(), rows.len()).ok()
        }
        _ => return None,
    };
    of_tiles(grid?, &rows.concat()).ok()
}

pub fn goal(request: &Request) -> Result<Tiles, Fault> {
    Ok(Tiles::from(request.goal()?.board()))
}

#[derive(Serialize)]
pub struct Verdict {
    solvable: bool,
    reason: String,
    transpositions: usize,
    blank_distance: usize,
    permutation_parity: &'static str,
    blank_parity: &'static str,
    /// The named goals that an unsolvable board can reach.
    reachable: Vec<&'static str>,
}

pub fn check(request: &Request) -> Result<Verdict, Fault> {
    let (board, goal) = request.pose()?;
    let verdict = goal.solvability(&board);
    let Solvability { transpositions, blank_distance, .. } = verdict;
    Ok(Verdict {
        solvable: verdict.is_solvable(),
        reason: verdict.to_string(),
        transpositions,
        blank_distance,
        permutation_parity: Solvability::parity(transpositions),
        blank_parity: Solvability::parity(blank_distance),
        reachable: if verdict.is_solvable() { Vec::new() } else { Goal::reachable(&board) },
    })
}

/// Draws the board that `taquin shuffle` draws first.
pub fn shuffle(request: &Request) -> Result<Tiles, Fault> {
    let goal = request.goal()?;
    let seed = needed(request.seed.as_deref(), "seed")?;
    let wrong = || format!("{seed:?} is no seed: write a number from 0 to {}", u64::MAX);
    let mut random = Random::new(seed.parse().map_err(|_| Fault::input(wrong()))?);
    let number = |moves: &str| {
        moves.parse().map_err(|_| Fault::input(format!("{moves} is no number of moves")))
    };
    let board = match request.moves.as_deref().map(|moves| number(moves.get())).transpose()? {
        Some(moves @ ..=MOST_MOVES) => goal.walk(moves, &mut random),
        Some(_) => {
            let text = format!("the number of moves must be at most {MOST_MOVES}");
            return Err(Fault::input(text));
        }
        None => goal.random_board(&mut random),
    };
    Ok(Tiles::from(&board))
}
