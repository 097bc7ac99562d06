//! The numbers of all boards of a small size: by the blank's cell, then by the rank of the order of the tiles.
//!
//! The order is the tiles in reading order without the blank, and its rank is its Lehmer code as a number: the digit
//! of a tile is the number of smaller tiles that come later. A tile that moves sideways keeps its place in the order,
//! so a move carries a whole set of ranks over as it is. A tile that moves up or down passes the `width - 1` tiles in
//! the cells between. This rotates a *window* of the order, and changes only the digits of the window, by their own
//! values: neither an earlier tile nor a later one has other tiles after it than before.

use crate::board::{Board, Goal, Grid};

/// The largest number of cells of a space. Half of the 479,001,600 arrangements of 12 cells can reach the goal.
pub const MAX_SPACE_CELLS: usize = 12;

/// Ranks the orders of the tiles of boards with a goal.
pub struct Ranks {
    pub grid: Grid,
    /// The tiles of the goal in reading order, without the blank; and the place of each tile there.
    tiles: Vec<u8>,
    places: [u8; MAX_SPACE_CELLS],
}

impl Ranks {
    /// The ranks of boards with a goal, whose rank is 0.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`] cells.
    pub fn new(goal: &Goal) -> Ranks {
        let grid = goal.board().grid();
        assert!(grid.cells() <= MAX_SPACE_CELLS, "a {grid} board has too many cells");
        let tiles: Vec<u8> = goal.board().tiles().iter().copied().filter(|&t| t != 0).collect();
        let mut places = [0; MAX_SPACE_CELLS];
        tiles.iter().zip(0..).for_each(|(&tile, place)| places[usize::from(tile)] = place);
        Ranks { grid, tiles, places }
    }

    /// The number of ranks.
    pub fn orders(&self) -> usize {
        (1..self.grid.cells()).product()
    }

    /// The rank of a board's order.
    pub fn rank(&self, board: &Board) -> usize {
        let (mut rank, mut left) = (0, (1_u32 << self.tiles.len()) - 1);
        let tiles = board.tiles().iter().filter(|&&tile| tile != 0);
        for (&tile, radix) in tiles.zip((1..=self.tiles.len()).rev()) {
            let place = self.places[usize::from(tile)];
            left &= !(1 << place);
            rank = rank * radix + (left & ((1 << place) - 1)).count_ones() as usize;
        }
        rank
    }

    /// The tiles of the board with a rank and the blank in a cell.
    pub fn unrank(&self, mut rank: usize, blank: usize) -> Vec<u8> {
        let mut digits = Vec::new();
        for radix in 1..=self.tiles.len() {
            digits.push(rank % radix);
            rank /= radix;
        }
        let mut left = self.tiles.clone();
        let mut tiles: Vec<u8> = digits.into_iter().rev().map(|digit| left.remove(digit)).collect();
        tiles.insert(blank, 0);
        tiles
    }
}

/// The places of an order that a move rotates.
pub struct Window {
    /// The values of the digits after the window: they are the low part of a rank.
    low: usize,
    /// The value of the window's digits after the move, by that before it.
    after: Vec<u32>,
}

impl Window {
    /// The window of `width` places of `tiles` that begins with a place. Its first tile moves to its end, or its last
    /// tile to its beginning if it moves `back`.
    pub fn new(tiles: usize, width: usize, first: usize, back: bool) -> Window {
        let choices = tiles - first;
        let radices: Vec<usize> = (choices + 1 - width..=choices).rev().collect();
        let after = |mut value: usize| {
            let mut digits = vec![0; width];
            for (digit, radix) in digits.iter_mut().zip(&radices).rev() {
                (*digit, value) = (value % radix, value / radix);
            }
            // The tile changes places with one neighbour after the other. The larger of two tiles counts the smaller
            // one as long as it comes first.
            for step in 1..width {
                let right = if back { width - step } else { step };
                let (a, b) = (digits[right - 1], digits[right]);
                (digits[right - 1], digits[right]) = if a > b { (b, a - 1) } else { (b + 1, a) };
            }
            digits.iter().zip(&radices).fold(0, |value, (digit, radix)| value * radix + digit)
                as u32
        };
        let values = radices.iter().product();
        Window { low: (1..=choices - width).product(), after: (0..values).map(after).collect() }
    }

    #[inline]
    pub fn moved(&self, rank: u32) -> u32 {
        let (high, low) = (rank / self.low as u32, self.low as u32);
        let value = high % self.after.len() as u32;
        // Modulo 2³², as the difference may be negative.
        let change = self.after[value as usize].wrapping_sub(value);
        rank.wrapping_add(change.wrapping_mul(low))
    }
}
