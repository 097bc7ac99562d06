//! The boards of a layer as bits, one for each rank and cell of the blank.

use super::Layer;
use super::ranks::{Ranks, Window};
use crate::board::{Goal, Metric, Move};
use crate::parallel::map_chunks;
use crate::search::{Limits, Stop};

/// The ranks of a layer's boards with the blank in one cell, as bits. Without words there are none.
type Bits = Vec<u64>;

/// The boards of a layer, and of the layer before.
pub struct Space {
    pub ranks: Ranks,
    metric: Metric,
    /// The windows of moves that take the blank up, and down, by its upper cell.
    windows: [Vec<Window>; 2],
    pub layers: [Vec<Bits>; 2],
}

impl Space {
    /// The layer of a goal itself.
    ///
    /// # Panics
    /// For more than [`MAX_SPACE_CELLS`](super::MAX_SPACE_CELLS) cells.
    pub fn new(goal: &Goal, metric: Metric) -> Space {
        let ranks = Ranks::new(goal);
        let (cells, width) = (ranks.grid.cells(), ranks.grid.width());
        let windows = [false, true].map(|back| {
            let firsts = 0..cells - width;
            firsts.map(|first| Window::new(cells - 1, width, first, back)).collect()
        });
        let mut layers = [vec![Bits::new(); cells], vec![Bits::new(); cells]];
        let goal = &mut layers[1][goal.board().blank()];
        *goal = vec![0; ranks.orders().div_ceil(64)];
        goal[0] = 1;
        Space { ranks, metric, windows, layers }
    }

    /// The ranks of the next layer with the blank in a cell.
    fn pull(&self, blank: usize) -> Bits {
        let (grid, last) = (self.ranks.grid, &self.layers[1]);
        let mut pulled = Bits::new();
        for m in Move::ALL {
            // The blank comes from each of these cells. On its way up or down it passes the last window first.
            let (mut cell, mut passed) = (blank, Vec::new());
            while let Some(from) = grid.source(cell, m) {
                if grid.column(from) == grid.column(cell) {
                    passed.push(&self.windows[usize::from(from < cell)][from.min(cell)]);
                }
                cell = from;
                pulled.resize(pulled.len().max(last[from].len()), 0);
                if passed.is_empty() {
                    pulled.iter_mut().zip(&last[from]).for_each(|(to, from)| *to |= from);
                } else {
                    for_each(&last[from], |rank| {
                        let pass = |rank, window: &&Window| window.moved(rank);
                        let rank = passed.iter().rev().fold(rank, pass);
                        pulled[rank as usize / 64] |= 1 << (rank % 64);
                    });
                }
                if self.metric == Metric::Single {
                    break;
                }
            }
        }
        for old in self.layers.iter().map(|layer| &layer[blank]) {
            pulled.iter_mut().zip(old).for_each(|(new, old)| *new &= !old);
        }
        if pulled.iter().all(|&word| word == 0) { Bits::new() } else { pulled }
    }
}

/// Calls `take` with each number in a set, in ascending order.
pub fn for_each(bits: &Bits, mut take: impl FnMut(u32)) {
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
