//! Boards drawn at random.

use std::hash::{BuildHasher, RandomState};

use pyo3::prelude::*;
use taquin::{Board, Cancel, Goal};
use taquin_engine::board::Random;

use crate::arrays::room;
use crate::errors::argument;
use crate::interrupt;
use crate::numbers::{optional, whole};

/// More moves from the goal do not make a board more random, and take too long.
const MOST_MOVES: u64 = 1_000_000_000;

/// The seed, or a fresh one.
pub fn seed_or_fresh(seed: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    Ok(optional("seed", seed)?.unwrap_or_else(|| RandomState::new().hash_one(())))
}

/// Reads an argument that is the number of moves of a walk.
pub fn walk_length(name: &str, length: &Bound<'_, PyAny>) -> PyResult<u64> {
    let length = whole(name, length)?;
    if length > MOST_MOVES {
        return Err(argument(name, "a walk has at most 1,000,000,000 moves"));
    }
    Ok(length)
}

/// The tiles of boards that are drawn one after the other.
pub fn rows(
    py: Python<'_>,
    n: usize,
    seed: u64,
    goal: Goal,
    draw: impl Fn(&Goal, &mut Random) -> Board + Send + 'static,
) -> PyResult<Vec<u8>> {
    let mut tiles = room(n, goal.board().tiles().len())?;
    let mut random = Random::new(seed);
    let cancel = Cancel::new();
    let watched = cancel.clone();
    interrupt::run(py, &cancel, move || {
        for _ in (0..n).take_while(|_| !watched.is_cancelled()) {
            tiles.extend_from_slice(draw(&goal, &mut random).tiles());
        }
        tiles
    })
}
