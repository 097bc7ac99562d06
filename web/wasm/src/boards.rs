//! Boards, goals and moves: read, checked, drawn and written. The front door of the library reads them.

use serde_json::{Value, json};
use taquin::{Board, Convention, Goal, Solvability, format, read};
use taquin_engine::board::Random;

use crate::fault::Result;
use crate::request::{Request, needed};

/// More moves from the goal make no board more random.
const MOST_MOVES: u64 = 1_000_000;

/// A board as a reply.
fn tiles(board: &Board) -> Value {
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
    let text = needed(request.text.as_deref(), "text")?.trim_start_matches('\u{feff}');
    let size = request.size.as_deref().map(str::parse).transpose()?;
    let reading = read::board(text, size)?;
    Ok(noted(tiles(reading.board.board()), &reading.notes))
}

/// Reads moves of a board in any form that `taquin` reads. Those that lead to the goal as directions of the other
/// piece only are an error, unless `either` asks for both.
pub fn read_moves(request: &Request) -> Result {
    let (board, goal) = request.pose()?;
    let text = needed(request.text.as_deref(), "text")?.trim_start_matches('\u{feff}');
    let replay = |convention| -> Result<(Value, bool)> {
        let (moves, notes) = read::moves(&board.clone().into(), text, convention)?;
        let end = board.after(&moves)?;
        Ok((noted(json!({ "moves": moves }), &notes), end == *goal.board()))
    };
    let own = replay(request.directions);
    let other = match request.directions {
        Convention::Tile => Convention::Blank,
        Convention::Blank => Convention::Tile,
    };
    if !matches!(own, Ok((_, true)))
        && let Ok((reply, true)) = replay(other)
    {
        let fault =
            own.map_or_else(|fault| fault.to_string(), |_| "the goal is not reached".into());
        return match request.either {
            true => Ok(reply),
            false => Err(format!(
                "{fault}, but as directions of the {other} these moves reach the goal"
            ))?,
        };
    }
    Ok(own?.0)
}

/// Writes moves of a board in a format of `taquin solve --format`.
pub fn write_moves(request: &Request) -> Result {
    let (board, moves) = (request.board()?, request.line()?);
    board.after(&moves)?;
    let mut text = Vec::new();
    let format = needed(request.format, "format")?;
    format::moves(&mut text, format, &board.into(), &moves, request.directions)?;
    Ok(json!({ "text": String::from_utf8(text)? }))
}

/// The board of a goal.
pub fn goal(request: &Request) -> Result {
    Ok(tiles(request.goal()?.board()))
}

/// Whether a board can reach a goal, and why; and the named goals that an unsolvable board can reach.
pub fn check(request: &Request) -> Result {
    let (board, goal) = request.pose()?;
    let verdict = goal.solvability(&board);
    let Solvability { transpositions, blank_distance, .. } = verdict;
    let solvable = verdict.is_solvable();
    Ok(json!({
        "solvable": solvable,
        "reason": verdict.to_string(),
        "transpositions": transpositions,
        "blank_distance": blank_distance,
        "permutation_parity": Solvability::parity(transpositions),
        "blank_parity": Solvability::parity(blank_distance),
        "reachable": if solvable { Vec::new() } else { Goal::reachable(&board) },
    }))
}

/// Draws the board that `taquin shuffle` draws first.
pub fn shuffle(request: &Request) -> Result {
    let goal = request.goal()?;
    let seed = needed(request.seed.as_deref(), "seed")?;
    let wrong = |_| format!("{seed:?} is no seed: write a number from 0 to {}", u64::MAX);
    let mut random = Random::new(seed.parse().map_err(wrong)?);
    let board = match &request.moves {
        None => goal.random_board(&mut random),
        Some(moves) => {
            let most = moves.as_u64().filter(|most| *most <= MOST_MOVES);
            let wrong = || format!("{moves} is not a number of moves of at most {MOST_MOVES}");
            goal.walk(most.ok_or_else(wrong)?, &mut random)
        }
    };
    Ok(tiles(&board))
}
