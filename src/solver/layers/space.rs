//! All boards of a small size as bits: by the blank's cell, then by the rank of the order of the tiles.
//!
//! The order is the tiles in reading order without the blank, and its rank is its Lehmer code as a number: the digit
//! of a tile is the number of smaller tiles that come later. A tile that moves sideways keeps its place in the order,
//! so a move carries a whole set of ranks over as it is. A tile that moves up or down passes the `width - 1` tiles in
//! the cells between. This rotates a *window* of the order, and changes only the digits of the window, by their own
//! values: neither an earlier tile nor a later one has other tiles after it than before.

use super::Layer;
use crate::board::{Board, Goal, Grid, Metric};
use crate::parallel::map_chunks;
use crate::search::{Limits, Stop};

/// The largest number of cells of a space. Half of the 479,001,600 arrangements of 12 cells can reach the goal.
pub const MAX_SPACE_CELLS: usize = 12;

/// The ranks of a layer's boards with the blank in one cell, as bits. Without words there are none.
type Bits = Vec<u64>;

/// The boards of a layer, and of the layer before.
pub struct Space {
    ranks: Ranks,
    metric: Metric,
    /// The windows of moves that take the blank up, and down, by its upper cell.
    windows: [Vec<Window>; 2],
    layers: [Vec<Bits>; 2],
}

/// Ranks the orders of the tiles of boards with a goal.
struct Ranks {
    grid: Grid,
    /// The tiles of the goal in reading order, without the blank; and the place of each tile there.
    tiles: Vec<u8>,
    places: [u8; MAX_SPACE_CELLS],
}

impl Ranks {
    /// The ranks of boards with a goal, whose rank is 0.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`] cells.
    fn new(goal: &Goal) -> Ranks {
        let grid = goal.board().grid();
        assert!(grid.cells() <= MAX_SPACE_CELLS, "a {grid} board has too many cells");
        let tiles: Vec<u8> = goal.board().tiles().iter().copied().filter(|&t| t != 0).collect();
        let mut places = [0; MAX_SPACE_CELLS];
        tiles.iter().zip(0..).for_each(|(&tile, place)| places[usize::from(tile)] = place);
        Ranks { grid, tiles, places }
    }

    /// The number of ranks.
    fn orders(&self) -> usize {
        (1..self.grid.cells()).product()
    }

    /// The rank of a board's order.
    fn rank(&self, board: &Board) -> usize {
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
    fn unrank(&self, mut rank: usize, blank: usize) -> Vec<u8> {
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
struct Window {
    /// The values of the digits after the window: they are the low part of a rank.
    low: usize,
    /// By the value of the window's digits, that after the move.
    after: Vec<u32>,
}

impl Window {
    /// The window of `width` places of `tiles` that begins with a place. Its first tile moves to its end, or its last
    /// tile to its beginning if it moves `back`.
    fn new(tiles: usize, width: usize, first: usize, back: bool) -> Window {
        let choices = tiles - first;
        let radices = (choices + 1 - width..=choices).rev();
        let after = |value: usize| {
            let mut weight: usize = radices.clone().product();
            let digit = |radix| {
                weight /= radix;
                value / weight % radix
            };
            let mut left: Vec<usize> = (0..choices).collect();
            let mut tiles: Vec<usize> =
                radices.clone().map(digit).map(|digit| left.remove(digit)).collect();
            if back {
                tiles.rotate_right(1)
            } else {
                tiles.rotate_left(1)
            }
            let mut left: Vec<usize> = (0..choices).collect();
            tiles.into_iter().zip(radices.clone()).fold(0, |value, (tile, radix)| {
                let digit = left.iter().position(|&other| other == tile).expect("it is left");
                left.remove(digit);
                value * radix as u32 + digit as u32
            })
        };
        let values = radices.clone().product();
        let low = (1..=choices - width).product();
        Window { low, after: (0..values).map(after).collect() }
    }

    #[inline]
    fn moved(&self, rank: u32) -> u32 {
        let (high, low) = (rank / self.low as u32, self.low as u32);
        let value = high % self.after.len() as u32;
        // Modulo 2³², as the difference may be negative.
        let change = self.after[value as usize].wrapping_sub(value);
        rank.wrapping_add(change.wrapping_mul(low))
    }
}

impl Space {
    /// The layer of a goal itself.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`] cells.
    pub fn new(goal: &Goal, metric: Metric) -> Space {
        let ranks = Ranks::new(goal);
        let (cells, width) = (ranks.grid.cells(), ranks.grid.width());
        let windows = [true, false].map(|back| {
            let firsts = 0..cells - width;
            firsts.map(|first| Window::new(cells - 1, width, first, !back)).collect()
        });
        let mut layers = [vec![Bits::new(); cells], vec![Bits::new(); cells]];
        let goal = &mut layers[1][goal.board().blank()];
        *goal = vec![0; ranks.orders().div_ceil(64)];
        goal[0] = 1;
        Space { ranks, metric, windows, layers }
    }

    /// The ranks of the next layer with the blank in a cell.
    fn pull(&self, blank: usize) -> Bits {
        let grid = self.ranks.grid;
        let mut pulled = Bits::new();
        let last = &self.layers[1];
        let cells = (0..grid.cells()).filter(|&from| from != blank && !last[from].is_empty());
        for from in cells {
            let is_one = grid.distance(from, blank) == 1 || self.metric == Metric::Multi;
            let is_sideways = is_one && grid.row(from) == grid.row(blank);
            if !(is_sideways || is_one && grid.column(from) == grid.column(blank)) {
                continue;
            }
            pulled.resize(last[from].len(), 0);
            if is_sideways {
                pulled.iter_mut().zip(&last[from]).for_each(|(to, from)| *to |= from);
                continue;
            }
            // A window for each row that the blank passes.
            let (windows, width) = (&self.windows[usize::from(from < blank)], grid.width());
            let steps = from.abs_diff(blank) / width;
            let first =
                |step| if from > blank { from - (step + 1) * width } else { from + step * width };
            let passed: Vec<&Window> = (0..steps).map(|step| &windows[first(step)]).collect();
            for_each(&last[from], |rank| {
                let rank = passed.iter().fold(rank, |rank, window| window.moved(rank));
                pulled[rank as usize / 64] |= 1 << (rank % 64);
            });
        }
        for old in self.layers.iter().map(|layer| &layer[blank]) {
            pulled.iter_mut().zip(old).for_each(|(new, old)| *new &= !old);
        }
        if pulled.iter().all(|&word| word == 0) { Bits::new() } else { pulled }
    }
}

/// The distance of every board of a small size, a byte for each.
pub struct DistanceTable {
    ranks: Ranks,
    /// By the blank's cell, then by rank.
    distances: Vec<u8>,
}

impl DistanceTable {
    /// The distances to a goal. Costs some 10 ms for 3×3, 0.1 s for 5×2.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`] cells.
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

/// Calls `take` with each number in a set, in ascending order.
fn for_each(bits: &Bits, mut take: impl FnMut(u32)) {
    for (&word, first) in bits.iter().zip((0..).step_by(64)) {
        let mut word = word;
        while word != 0 {
            take(first + word.trailing_zeros());
            word &= word - 1;
        }
    }
}

impl Layer for Space {
    fn advance(&mut self, limits: &Limits) -> Result<u64, Stop> {
        let cells: Vec<usize> = (0..self.ranks.grid.cells()).collect();
        let pull = |_, cells: &[usize]| {
            limits.check(0).map_or(Ok(()), Err)?;
            Ok(cells.iter().map(|&cell| self.pull(cell)).collect::<Vec<_>>())
        };
        let next = map_chunks(&cells, 1, pull).into_iter().collect::<Result<Vec<_>, Stop>>()?;
        let next: Vec<Bits> = next.into_iter().flatten().collect();
        let count = next.iter().flatten().map(|word| u64::from(word.count_ones())).sum();
        if count > 0 {
            self.layers.swap(0, 1);
            self.layers[1] = next;
        }
        Ok(count)
    }

    fn tiles(&self, numbers: &mut dyn Iterator<Item = u64>) -> Vec<Vec<u8>> {
        let (mut found, mut number, mut next) = (Vec::new(), 0, numbers.next());
        for blank in 0..self.ranks.grid.cells() {
            for_each(&self.layers[1][blank], |rank| {
                if next == Some(number) {
                    found.push(self.ranks.unrank(rank as usize, blank));
                    next = numbers.next();
                }
                number += 1;
            });
        }
        found
    }
}
