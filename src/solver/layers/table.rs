//! The distance of every board of a small size.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Layer;
use super::ranks::Ranks;
use super::space::{Space, for_each};
use crate::board::{Board, Goal, Grid, Metric};
use crate::memo::Once;
use crate::search::Limits;

/// The cells of the largest boards whose distances are all kept, a byte for each board and for each one that cannot
/// reach the goal: 4 MB for 5×2.
const TABLE_CELLS: usize = 10;

/// The number of boards after which their table pays.
const TABLE_BOARDS: usize = 1000;

/// The table of a size, once the distances of many boards were asked for.
#[derive(Default)]
pub struct TableOfMany {
    asked: AtomicUsize,
    pub table: Once<Arc<DistanceTable>>,
}

impl TableOfMany {
    /// Returns whether the table pays with these boards of its size.
    pub fn pays(&self, boards: usize, grid: Grid) -> bool {
        let asked = self.asked.fetch_add(boards, Ordering::Relaxed) + boards;
        grid.cells() <= TABLE_CELLS && asked > TABLE_BOARDS
    }
}

/// The distance of every board of a small size, a byte for each.
pub struct DistanceTable {
    ranks: Ranks,
    /// The distances by the blank's cell, then by rank.
    distances: Vec<u8>,
}

impl DistanceTable {
    /// The distances to a goal, on the current rayon thread pool. Costs some 10 ms for 3×3, 0.1 s for 5×2.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`](super::MAX_SPACE_CELLS) cells.
    pub fn new(goal: &Goal, metric: Metric) -> DistanceTable {
        let (mut space, grid) = (Space::new(goal, metric), goal.board().grid());
        let orders = space.ranks.orders();
        let mut distances = vec![u8::MAX; grid.cells() * orders];
        for distance in 0..u8::MAX {
            for blank in 0..grid.cells() {
                let of_blank = &mut distances[blank * orders..][..orders];
                for_each(&space.layers[1][blank], |rank| of_blank[rank as usize] = distance);
            }
            if space.advance(&Limits::default()) == Ok(0) {
                break;
            }
        }
        DistanceTable { ranks: space.ranks, distances }
    }

    /// The distance of a board; `None` if moves cannot reach the goal.
    ///
    /// # Panics
    /// If the board has another size than the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        assert_eq!(board.grid(), self.ranks.grid, "board and goal differ in size");
        let place = board.blank() * self.ranks.orders() + self.ranks.rank(board);
        Some(self.distances[place]).filter(|&distance| distance < u8::MAX).map(u32::from)
    }
}
