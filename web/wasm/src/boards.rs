//! Boards, goals and moves: read, checked, drawn and written. The front door of the library reads them.

use serde_json::{Value, json};
use taquin::Convention::{Blank, Tile};
use taquin::picture::Sheet;
use taquin::{Board, Goal, Solvability, format, read};
use taquin_engine::board::Random;

use crate::fault::Result;
use crate::request::Request;

/// More moves from the goal make no board more random.
const MOST_MOVES: u64 = 1_000_000;

/// A board as a reply.
pub fn tiles(board: &Board) -> Value {
    let grid = board.grid();
    json!({ "board": board.tiles(), "width": grid.width(), "height": grid.height() })
}

/// A reply with the guesses that the reading of a text rests on.
fn noted(mut reply: Value, notes: &[read::Note]) -> Value {
    if !notes.is_empty() {
        reply["notes"] = notes.iter().map(ToString::to_string).collect();
    }
    reply
}

/// Reads a board in any form that `taquin` reads.
pub fn parse(request: &Request) -> Result {
    let size = request.size.as_deref().map(str::parse).transpose()?;
    let reading = read::board(&request.text, size)?;
    Ok(noted(tiles(reading.board.board()), &reading.notes))
}

/// Reads moves of a board in any form that `taquin` reads. Moves that lead to the goal as directions of the other
/// piece only are an error, unless `either` asks for both.
pub fn read_moves(request: &Request) -> Result {
    let (board, goal) = request.pose()?;
    let replay = |convention| -> Result<(Value, bool)> {
        let (moves, notes) = read::moves(&board.clone().into(), &request.text, convention)?;
        let end = board.after(&moves)?;
        Ok((noted(json!({ "moves": moves }), &notes), end == *goal.board()))
    };
    let other = if request.directions == Tile { Blank } else { Tile };
    match (replay(request.directions), replay(other)) {
        (Ok((reply, true)), _) => Ok(reply),
        (_, Ok((reply, true))) if request.either => Ok(reply),
        (own, Ok((_, true))) => {
            let own =
                own.map_or_else(|fault| fault.to_string(), |_| "the goal is not reached".into());
            Err(format!("{own}, but as directions of the {other} these moves reach the goal"))?
        }
        (own, _) => Ok(own?.0),
    }
}

/// Writes moves of a board in a format of `taquin solve --format`.
pub fn write_moves(request: &Request) -> Result {
    let (board, moves) = (request.board()?, request.line.parse()?);
    board.after(&moves)?;
    let mut text = Vec::new();
    let format = request.format.ok_or("a format is missing")?;
    format::moves(&mut text, format, &board.into(), &moves, request.directions)?;
    Ok(json!({ "text": String::from_utf8(text)? }))
}

/// Draws moves of a board, as SVG.
pub fn draw(request: &Request) -> Result {
    let mut sheet = Sheet::default();
    sheet.add("", &request.board()?, &request.line.parse()?);
    Ok(json!({ "text": sheet.finish("taquin") }))
}

/// Whether a board can reach a goal, and why; and the named goals that an unsolvable board can reach.
pub fn check(request: &Request) -> Result {
    let (board, goal) = request.pose()?;
    let verdict = goal.solvability(&board);
    let Solvability { transpositions, blank_distance, .. } = verdict;
    Ok(json!({
        "solvable": verdict.is_solvable(),
        "reason": verdict.to_string(),
        "transpositions": transpositions,
        "blank_distance": blank_distance,
        "permutation_parity": Solvability::parity(transpositions),
        "blank_parity": Solvability::parity(blank_distance),
        "reachable": if verdict.is_solvable() { Vec::new() } else { Goal::reachable(&board) },
    }))
}

/// Draws the board that `taquin shuffle` draws first.
pub fn shuffle(request: &Request) -> Result {
    let (goal, seed) = (request.goal()?, &request.seed);
    let wrong = |_| format!("{seed:?} is no seed: write a number from 0 to {}", u64::MAX);
    let mut random = Random::new(seed.parse().map_err(wrong)?);
    Ok(tiles(&match request.moves {
        None => goal.random_board(&mut random),
        Some(moves) if moves <= MOST_MOVES => goal.walk(moves, &mut random),
        Some(moves) => Err(format!("{moves} moves are more than {MOST_MOVES}"))?,
    }))
}
