//! Boards and goals: reading, checking and drawing them.

use serde::{Deserialize, Serialize};
use taquin::{Board, Goal, Grid, Solvability, json};
use taquin_engine::board::{BoardError, Random};

use crate::fault::Fault;

/// More moves from the goal make no board more random.
const MOST_MOVES: u64 = 1_000_000;

/// A board and a goal.
#[derive(Deserialize)]
pub struct Pose {
    board: Vec<u64>,
    width: usize,
    height: usize,
    /// A name, or a board.
    pub goal: String,
}

impl Pose {
    /// The board.
    pub fn board(&self) -> Result<Board, Fault> {
        let grid = Grid::new(self.width, self.height)?;
        let tile = |&tile| u8::try_from(tile).map_err(|_| BoardError::NoSuchTile { grid, tile });
        let tiles: Vec<u8> = self.board.iter().map(tile).collect::<Result<_, _>>()?;
        Ok(Board::new(grid, &tiles)?)
    }

    /// The board and the goal for its size.
    pub fn read(&self) -> Result<(Board, Goal), Fault> {
        let board = self.board()?;
        let goal = Goal::parse(&self.goal, board.grid())?;
        Ok((board, goal))
    }
}

#[derive(Deserialize)]
pub struct Text {
    text: String,
    size: Option<String>,
}

/// A board as a reply.
#[derive(Serialize)]
pub struct Tiles {
    board: Vec<u8>,
    width: usize,
    height: usize,
}

impl From<&Board> for Tiles {
    fn from(board: &Board) -> Tiles {
        let grid = board.grid();
        Tiles { board: board.tiles().to_vec(), width: grid.width(), height: grid.height() }
    }
}

/// Reads a board in any form that `taquin` reads.
pub fn parse(request: &Text) -> Result<Tiles, Fault> {
    let size = request.size.as_deref().map(str::parse).transpose()?;
    let text = request.text.trim_start_matches('\u{feff}');
    // The page shows the board, and so any guess.
    Ok(Tiles::from(&json::read(text, size)?.0.board))
}

#[derive(Deserialize)]
pub struct Kind {
    goal: String,
    width: usize,
    height: usize,
}

impl Kind {
    fn goal(&self) -> Result<Goal, Fault> {
        Ok(Goal::parse(&self.goal, Grid::new(self.width, self.height)?)?)
    }
}

pub fn goal(request: &Kind) -> Result<Tiles, Fault> {
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

pub fn check(request: &Pose) -> Result<Verdict, Fault> {
    let (board, goal) = request.read()?;
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

#[derive(Deserialize)]
pub struct Draw {
    #[serde(flatten)]
    kind: Kind,
    /// Digits: a number of JavaScript holds no 64 bits.
    seed: String,
    moves: Option<u64>,
}

/// Draws the board that `taquin shuffle` draws first.
pub fn shuffle(request: &Draw) -> Result<Tiles, Fault> {
    let goal = request.kind.goal()?;
    let seed = request.seed.parse().map_err(|_| {
        Fault::input(format!(
            "{:?} is no seed: write a number from 0 to {}",
            request.seed,
            u64::MAX
        ))
    })?;
    let mut random = Random::new(seed);
    let board = match request.moves {
        Some(moves @ ..=MOST_MOVES) => goal.walk(moves, &mut random),
        Some(_) => {
            let text = format!("the number of moves must be at most {MOST_MOVES}");
            return Err(Fault::input(text));
        }
        None => goal.random_board(&mut random),
    };
    Ok(Tiles::from(&board))
}
