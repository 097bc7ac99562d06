//! IDA* with Manhattan distance as Korf counted it (*Depth-first iterative-deepening*, Artificial
//! Intelligence 27 (1985)).
//!
//! 1. The blank goes up, left, right, down, in this order. That is the order of
//!    [`Move::ALL`](crate::board::Move::ALL) on the board upside down.
//! 2. The nodes are those generated in all iterations, the last one up to the goal, and the root once.

use super::foreign::position;
use crate::board::{Board, Goal, Position};
use crate::classics::Manhattan;
use crate::search::{Limits, Outcome, ida_star};

/// Searches a board that can reach the goal. The nodes generated include the root, and the moves are of the
/// board upside down.
pub fn search(goal: &Goal, board: &Board, limits: &Limits) -> Outcome {
    let grid = goal.board().grid();
    let flip =
        |cell: usize| (grid.height() - 1 - grid.row(cell)) * grid.width() + grid.column(cell);
    let mut flipped = vec![0; grid.cells()];
    for (cell, &label) in position(goal, board).labels().iter().enumerate() {
        flipped[flip(cell)] = flip(label.into()) as u8;
    }
    let position = Position::new(grid, flip(goal.board().blank()), &flipped);
    let position = position.expect("the boards of a suite can reach its goal");
    let manhattan = Manhattan::new(grid, position.goal_blank());
    let outcome = ida_star(&position, &manhattan, limits);
    Outcome { generated: outcome.generated + 1, ..outcome }
}
