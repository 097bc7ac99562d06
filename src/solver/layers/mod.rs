//! The boards at each distance from a goal, layer after layer, by breadth-first search.
//!
//! A move leads from a layer to itself or to one of its neighbours. So the boards that a layer leads to and that
//! are neither in it nor in the one before are the next layer, and no earlier layer is kept.

mod ball;
mod space;

use self::ball::Ball;
use self::space::Space;
pub use self::space::{DistanceTable, MAX_SPACE_CELLS};
use crate::board::{Board, Goal, Metric};
use crate::search::{Limits, Stop};

/// The boards at one distance from a goal after another: first the goal.
///
/// Boards of up to [`MAX_SPACE_CELLS`] cells are a bit each of the whole space, 5 MB for each cell of the blank in
/// four copies. Larger ones are lists of the tiles of two layers.
pub struct Layers {
    goal: Goal,
    distance: u32,
    count: u64,
    boards: Box<dyn Layer>,
}

/// The boards of a layer, in a fixed order.
trait Layer {
    /// Turns to the next layer, unless it is empty. Returns the number of its boards.
    fn advance(&mut self, limits: &Limits) -> Result<u64, Stop>;

    /// The tiles in reading order of the boards with these numbers, which ascend.
    fn tiles(&self, numbers: &mut dyn Iterator<Item = u64>) -> Vec<Vec<u8>>;
}

impl Layers {
    /// The layer of a goal itself.
    pub fn new(goal: &Goal, metric: Metric) -> Layers {
        let boards: Box<dyn Layer> = match goal.board().grid().cells() {
            cells if cells <= MAX_SPACE_CELLS => Box::new(Space::new(goal, metric)),
            13..=16 => Box::new(Ball::<16>::new(goal, metric)),
            17..=25 => Box::new(Ball::<25>::new(goal, metric)),
            26..=64 => Box::new(Ball::<64>::new(goal, metric)),
            _ => Box::new(Ball::<256>::new(goal, metric)),
        };
        Layers { goal: goal.clone(), distance: 0, count: 1, boards }
    }

    /// The distance of its boards.
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// The number of its boards.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Turns to the next layer. Returns false, and stays, if this is the last one.
    ///
    /// # Errors
    /// The reason if `limits` stop it, and then it stays, too. Of the limits only the memory and the handle to cancel
    /// apply.
    pub fn advance(&mut self, limits: &Limits) -> Result<bool, Stop> {
        let count = self.boards.advance(limits)?;
        if count > 0 {
            (self.count, self.distance) = (count, self.distance + 1);
        }
        Ok(count > 0)
    }

    /// The boards with these numbers below [`Layers::count`], which ascend.
    pub fn boards(&self, numbers: impl IntoIterator<Item = u64>) -> Vec<Board> {
        let grid = self.goal.board().grid();
        let tiles = self.boards.tiles(&mut numbers.into_iter()).into_iter();
        tiles.map(|tiles| Board::from_permutation(grid, tiles.into())).collect()
    }
}
