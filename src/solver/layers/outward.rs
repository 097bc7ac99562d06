//! The layers of a goal, one after the other.

use super::Layer;
use super::ball::Ball;
use super::ranks::MAX_SPACE_CELLS;
use super::space::Space;
use crate::board::{Board, Grid, Metric, OpenGoal, OpenPosition};
use crate::search::{Limits, Stop};
use crate::solver::options::Target;
use crate::solver::results::Error;

/// The boards at one distance from a goal after another: first the goal.
///
/// Boards of up to [`MAX_SPACE_CELLS`] cells are a bit each of the whole space, 5 MB for each cell of the blank in
/// four copies. Larger ones are lists of the tiles of two layers. Boards for an open goal are lists, too, in which the
/// tiles of a class are not told apart.
pub struct Layers {
    grid: Grid,
    distance: u32,
    /// The number of lists or bits.
    held: u64,
    boards: Box<dyn Layer>,
    /// The tiles of each class of an open goal. Those of the last class have different labels.
    classes: Vec<Vec<u8>>,
    /// The number of boards for each that is held: the orders of the last class.
    orders: u64,
    is_whole: bool,
}

/// The most tiles that an open goal may leave out: 15! boards for each that is held.
pub(crate) const MAX_UNNAMED: usize = 15;

/// The most arrangements of classes that are all listed: a layer has up to a tenth of them.
const MOST_WHOLE: u128 = 64_000_000;

impl Layers {
    /// The layer of the boards that satisfy a goal. For an open one they have the labels of
    /// [`OpenGoal::named`].
    ///
    /// # Errors
    /// [`Error::Far`] for an open goal that leaves too many tiles out.
    pub fn new(goal: &Target, metric: Metric) -> Result<Layers, Error> {
        let grid = goal.grid();
        let (ends, classes, is_whole) = match goal {
            Target::Board(goal) => {
                let is_whole = grid.cells() <= MAX_SPACE_CELLS;
                (vec![goal.board().tiles().to_vec()], Vec::new(), is_whole)
            }
            Target::Open(goal) => ends(goal),
        };
        let unnamed = classes.last().map_or(0, Vec::len);
        if unnamed > MAX_UNNAMED {
            return Err(Error::Far { grid, left_out: unnamed });
        }
        let boards: Box<dyn Layer> = match goal {
            Target::Board(goal) if is_whole => Box::new(Space::new(goal, metric)),
            _ => lists(grid, &ends, metric),
        };
        let (held, orders) = (ends.len() as u64, (1..=unnamed as u64).product());
        Ok(Layers { grid, distance: 0, held, boards, classes, orders, is_whole })
    }

    /// Returns whether all boards can be listed, however far they are from the goal.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The distance of its boards.
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// The number of its boards.
    pub fn count(&self) -> u64 {
        self.held.saturating_mul(self.orders)
    }

    /// The number of boards that it holds. For an open goal each stands for as many as differ in the tiles that the
    /// goal leaves out.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Turns to the next layer. Returns false, and stays, if this is the last one.
    ///
    /// # Errors
    /// The reason if `limits` stop it, and then it stays, too. It counts no nodes.
    pub fn advance(&mut self, limits: &Limits) -> Result<bool, Stop> {
        let count = self.boards.advance(limits)?;
        if count > 0 {
            (self.held, self.distance) = (count, self.distance + 1);
        }
        Ok(count > 0)
    }

    /// The boards with these numbers below [`Layers::count`], which ascend.
    pub fn boards(&self, numbers: impl IntoIterator<Item = u64>) -> Vec<Board> {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let held = self.boards.tiles(&mut numbers.iter().map(|number| number / self.orders));
        let board = |(mut tiles, number): (Vec<u8>, u64)| {
            if !self.classes.is_empty() {
                self.tell_apart(&mut tiles, number % self.orders);
            }
            Board::from_permutation(self.grid, tiles.into())
        };
        held.into_iter().zip(numbers).map(board).collect()
    }

    /// Replaces classes by tiles: those of the last class in the order of this number.
    fn tell_apart(&self, cells: &mut [u8], mut order: u64) {
        let (mut classes, last) = (self.classes.clone(), self.classes.len());
        for cell in cells.iter_mut().filter(|cell| **cell > 0) {
            let class = &mut classes[usize::from(*cell) - 1];
            let mut place = 0;
            if usize::from(*cell) == last {
                (place, order) = (order % class.len() as u64, order / class.len() as u64);
            }
            *cell = class.remove(place as usize);
        }
    }
}

/// The boards that satisfy an open goal, as the classes of their tiles, whose blank may be in several cells; the tiles of
/// each class; and whether all arrangements of the classes are few enough to be listed.
fn ends(goal: &OpenGoal) -> (Vec<Vec<u8>>, Vec<Vec<u8>>, bool) {
    let (grid, numbers) = (goal.grid(), 1..goal.grid().cells() as u8);
    let board = Board::from_permutation(grid, numbers.clone().chain([0]).collect());
    let position = OpenPosition::new(goal, &goal.named(board)).expect("they are the goal's labels");
    let mut classes = vec![Vec::new(); position.counts().len()];
    numbers.for_each(|tile| classes[usize::from(position.class(tile))].push(tile));
    let goal = position.near_goal();
    let ends = (0..grid.cells()).filter_map(|cell| {
        let mut tiles = goal.board().tiles().to_vec();
        tiles.swap(cell, goal.board().blank());
        let end = Board::from_permutation(grid, tiles.into());
        // The class of the blank is the largest number, and becomes 0.
        let class = |&tile: &u8| position.class(tile).wrapping_add(1);
        position.is_reached(&end).then(|| end.tiles().iter().map(class).collect())
    });
    (ends.collect(), classes, position.states() <= MOST_WHOLE)
}

/// The first layer, of the boards with these tiles.
fn lists(grid: Grid, goals: &[Vec<u8>], metric: Metric) -> Box<dyn Layer> {
    match grid.cells() {
        ..=16 => Box::new(Ball::<16>::new(grid, goals, metric)),
        17..=25 => Box::new(Ball::<25>::new(grid, goals, metric)),
        26..=64 => Box::new(Ball::<64>::new(grid, goals, metric)),
        _ => Box::new(Ball::<256>::new(grid, goals, metric)),
    }
}
