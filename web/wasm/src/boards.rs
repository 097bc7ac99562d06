//! Boards, goals and moves: read, checked, drawn and written. The front door of the library reads them.

use serde::Serialize;
use taquin::format;
use taquin::read;
use taquin::{Board, Convention, Goal, Moves, Solvability};
use taquin_engine::board::Random;

use crate::fault::Fault;
use crate::request::{Request, needed};

/// More moves from the goal make no board more random.
const MOST_MOVES: u64 = 1_000_000;

/// A board as a reply.
#[derive(Serialize)]
pub struct Tiles {
    board: Vec<u8>,
    width: usize,
    height: usize,
    /// The guesses that the reading of a text rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<&Board> for Tiles {
    fn from(board: &Board) -> Tiles {
        let (grid, board) = (board.grid(), board.tiles().to_vec());
        Tiles { board, width: grid.width(), height: grid.height(), notes: Vec::new() }
    }
}

/// Reads a board in any form that `taquin` reads.
pub fn parse(request: &Request) -> Result<Tiles, Fault> {
    let text = needed(request.text.as_deref(), "text")?.trim_start_matches('\u{feff}');
    let size = request.size.as_deref().map(str::parse).transpose()?;
    let reading = read::board(text, size)?;
    let notes = reading.notes.iter().map(ToString::to_string).collect();
    Ok(Tiles { notes, ..Tiles::from(&reading.board) })
}

#[derive(Serialize)]
pub struct Line {
    moves: Moves,
    /// The guesses that the reading of a text rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Line {
    fn new(moves: Moves, notes: &[read::Note]) -> Line {
        Line { moves, notes: notes.iter().map(ToString::to_string).collect() }
    }
}

/// Reads moves of a board in any form that `taquin` reads. Those that lead to the goal as directions of the other
/// piece only are an error, unless `either` asks for both.
pub fn read_moves(request: &Request) -> Result<Line, Fault> {
    let (board, goal) = request.pose()?;
    let text = needed(request.text.as_deref(), "text")?.trim_start_matches('\u{feff}');
    let replay = |convention| {
        let (moves, notes) = read::moves(&board.clone().into(), text, convention)?;
        let end = board.after(&moves)?;
        Ok::<_, Fault>((Line::new(moves, &notes), end == *goal.board()))
    };
    let own = replay(request.directions);
    let other = match request.directions {
        Convention::Tile => Convention::Blank,
        Convention::Blank => Convention::Tile,
    };
    if !matches!(own, Ok((_, true)))
        && let Ok((line, true)) = replay(other)
    {
        let fault = own.err().map_or_else(|| "the goal is not reached".to_owned(), Fault::reason);
        return match request.either {
            true => Ok(line),
            false => Err(Fault::input(format!(
                "{fault}, but as directions of the {other} these moves reach the goal"
            ))),
        };
    }
    Ok(own?.0)
}

#[derive(Serialize)]
pub struct Text {
    text: String,
}

/// Writes moves of a board in a format of `taquin solve --format`.
pub fn write_moves(request: &Request) -> Result<Text, Fault> {
    let (board, moves) = (request.board()?, request.line()?);
    board.after(&moves)?;
    let mut text = Vec::new();
    let format = needed(request.format, "format")?;
    format::moves(&mut text, format, &board.into(), &moves, request.directions)
        .map_err(Fault::input)?;
    Ok(Text { text: String::from_utf8(text).map_err(Fault::input)? })
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
        moves.parse().map_err(|_| Fault::input(format!("{moves} is not a number of moves")))
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
