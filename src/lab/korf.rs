//! IDA* with Manhattan distance as Korf counted it (*Depth-first iterative-deepening*, Artificial
//! Intelligence 27 (1985)).
//!
//! 1. The blank goes up, left, right, down, in this order. That is the order of
//!    [`Move::ALL`](crate::board::Move::ALL) on the board upside down.
//! 2. The nodes are those generated in all iterations, the last one up to the goal, and the root once.

use crate::board::Position;
use crate::board::{Board, Goal, PositionError};
use crate::reference::Manhattan;
use crate::search::{Control, Outcome, ida_star};

/// The position of a board upside down.
///
/// # Errors
/// The board is of another size than the goal, or moves cannot reach the goal.
fn upside_down(goal: &Goal, board: &Board) -> Result<Position, PositionError> {
    let grid = goal.board().grid();
    let flip =
        |cell: usize| (grid.height() - 1 - grid.row(cell)) * grid.width() + grid.column(cell);
    let mut places = vec![0; grid.cells()];
    for (cell, &tile) in goal.board().tiles().iter().enumerate() {
        places[usize::from(tile)] = flip(cell) as u8;
    }
    let mut labels = vec![0; grid.cells()];
    for (cell, &tile) in board.tiles().iter().enumerate() {
        labels[flip(cell)] = places[usize::from(tile)];
    }
    Position::new(grid, flip(goal.board().blank()), &labels)
}

/// Searches a board. The nodes generated include the root.
///
/// # Errors
/// As [`upside_down`].
pub fn search(goal: &Goal, board: &Board, control: &Control) -> Result<Outcome, PositionError> {
    let position = upside_down(goal, board)?;
    let manhattan = Manhattan::new(position.grid(), position.goal_blank());
    let outcome = ida_star(&position, &manhattan, control);
    Ok(Outcome { generated: outcome.generated + 1, ..outcome })
}
