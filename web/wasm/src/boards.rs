//! Boards, goals and moves: read, checked and written. The front door of the library reads them.

use serde_json::{Value, json};
use taquin::Convention::{Blank, Tile};
use taquin::read::{self, Expected};
use taquin::solver::{Target, Verdict, reason};
use taquin::{Board, format};
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

/// A board that was read as a reply.
fn reply(reading: &read::Reading) -> Value {
    let mut reply = noted(tiles(reading.board.board()), &reading.notes);
    if reading.board.has_labels() {
        reply["labels"] = reading.board.to_string().into();
    }
    reply
}

/// Reads a board in any form that `taquin` reads.
pub fn parse(request: &Request) -> Result {
    let expected = request.expected()?;
    // A board may be for another goal.
    let size = expected.goal.is_none().then_some(expected.size).flatten();
    let plain = Expected { size, goal: None, ..expected.clone() };
    let plain = || read::board(&request.text, plain);
    let reading = read::board(&request.text, expected).or_else(|error| plain().or(Err(error)));
    Ok(reply(&reading?))
}

/// Reads boards in any forms that `taquin` reads, each of which may have an error instead.
pub fn list(request: &Request) -> Result {
    let read = |reading: &std::result::Result<read::Reading, read::ReadError>| match reading {
        Ok(reading) => reply(reading),
        Err(error) => json!({ "error": error.to_string() }),
    };
    let expected = request.expected()?;
    let boards = read::boards(&request.text, expected);
    Ok(json!({ "boards": boards.iter().map(read).collect::<Vec<_>>() }))
}

/// The cells of a goal: tiles or labels, 0 for the blank, and null for a cell that does not matter.
pub fn goal(request: &Request) -> Result {
    let goal = match request.target()? {
        Target::Board(goal) => return Ok(tiles(goal.board())),
        Target::Open(goal) => goal,
    };
    let cell = |word: &str| match (word, word.parse::<u8>()) {
        ("*", _) => Value::Null,
        ("_", _) => 0.into(),
        (_, Ok(tile)) => tile.into(),
        _ => word.into(),
    };
    let (cells, grid) = (goal.words().into_iter().map(cell).collect::<Vec<_>>(), goal.grid());
    Ok(json!({ "board": cells, "width": grid.width(), "height": grid.height() }))
}

/// Reads moves of a board in any form that `taquin` reads. Moves that lead to the goal as directions of the other
/// piece only are an error, unless `either` asks for both.
pub fn read_moves(request: &Request) -> Result {
    let (board, goal) = (request.labelled()?, request.target()?);
    let replay = |convention| -> Result<(Value, bool)> {
        let moves = read::moves(&board, &request.text, convention)?;
        let is_reached = goal.is_reached(&board, &board.board().after(&moves)?)?;
        Ok((json!({ "moves": moves }), is_reached))
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

/// Whether a board can reach a goal, and why; and the named goals that an unsolvable board can reach.
pub fn check(request: &Request) -> Result {
    let goal = request.target()?;
    let board = match &goal {
        Target::Board(_) => request.board()?.into(),
        Target::Open(_) => request.labelled()?,
    };
    let verdict = Verdict::new(&board, &goal)?;
    let reachable = verdict.reachable.as_deref().unwrap_or_default();
    let Target::Board(goal) = &goal else {
        return Ok(json!({ "solvable": verdict.solvable, "reachable": reachable }));
    };
    let mut reply = serde_json::to_value(&verdict)?;
    reply["reason"] = reason(goal, board.board()).into();
    reply["reachable"] = json!(reachable);
    Ok(reply)
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
