//! The boards near a goal, as sorted lists of their tiles, or of the classes of their tiles.

use super::Layer;
use crate::board::{Grid, Metric, Move};
use crate::parallel::map_chunks;
use crate::search::{Limits, Stop};

/// The boards of a layer, and of the layer before, of at most `N` cells. The rest of a list of tiles is 0.
pub struct Ball<const N: usize> {
    grid: Grid,
    metric: Metric,
    layers: [Vec<[u8; N]>; 2],
}

/// The boards that a thread expands at once.
const CHUNK: usize = 1 << 14;

impl<const N: usize> Ball<N> {
    /// The first layer.
    pub fn new(grid: Grid, goals: &[Vec<u8>], metric: Metric) -> Ball<N> {
        let padded = |tiles: &Vec<u8>| std::array::from_fn(|i| tiles.get(i).copied().unwrap_or(0));
        let mut first: Vec<[u8; N]> = goals.iter().map(padded).collect();
        first.sort_unstable();
        Ball { grid, metric, layers: [Vec::new(), first] }
    }

    /// The boards of the next layer that some boards lead to, in ascending order.
    fn next(&self, boards: &[[u8; N]]) -> Vec<[u8; N]> {
        let mut next = Vec::with_capacity(3 * boards.len());
        for board in boards {
            let blank = board.iter().position(|&tile| tile == 0).expect("a board has a blank");
            for m in Move::ALL {
                let (mut child, mut blank) = (*board, blank);
                while let Some(from) = self.grid.source(blank, m) {
                    child.swap(from, blank);
                    blank = from;
                    next.push(child);
                    if self.metric == Metric::Single {
                        break;
                    }
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|board| self.layers.iter().all(|old| old.binary_search(board).is_err()));
        next
    }
}

impl<const N: usize> Layer for Ball<N> {
    fn advance(&mut self, limits: &Limits) -> Result<u64, Stop> {
        let part =
            |_, boards: &[[u8; N]]| limits.check(0).map_or_else(|| Ok(self.next(boards)), Err);
        let parts = map_chunks(&self.layers[1], CHUNK, part);
        let parts = parts.into_iter().collect::<Result<Vec<_>, Stop>>()?;
        // Sorting needs half as much again.
        let held = self.layers.iter().chain(&parts).chain(&parts).map(Vec::len).sum::<usize>();
        if (held * size_of::<[u8; N]>()) as u64 > limits.most_memory() {
            return Err(Stop::Memory);
        }
        let mut next = parts.concat();
        drop(parts);
        // It merges what is sorted already.
        next.sort();
        next.dedup();
        let count = next.len() as u64;
        if count > 0 {
            self.layers.swap(0, 1);
            self.layers[1] = next;
        }
        Ok(count)
    }

    fn tiles(&self, numbers: &mut dyn Iterator<Item = u64>) -> Vec<Vec<u8>> {
        let cells = self.grid.cells();
        numbers.map(|number| self.layers[1][number as usize][..cells].to_vec()).collect()
    }
}
