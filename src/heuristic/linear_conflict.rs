//! Manhattan distance and linear conflict.
//!
//! Hansson, Mayer & Yung, *Criticizing solutions to relaxed models yields powerful admissible
//! heuristics*, Information Sciences 63 (1992): two tiles that stand in their goal row in the
//! wrong order cannot both stay in it, so one of them makes two vertical moves that Manhattan
//! distance does not know of; likewise in columns.
//!
//! **Admissible.** Count for each line the *fewest* tiles to take out so that the rest stand in
//! order, twice that many moves, and add it to Manhattan distance. The moves counted for a row
//! are vertical moves of tiles that Manhattan distance wants to make none, those of a column
//! horizontal ones, and no tile has two goal rows: nothing is counted twice. Counting 2 for each
//! conflicting *pair* instead, as many programs do, is not admissible: of three tiles in reverse
//! order two must go, not three.
//!
//! **Consistent.** A move along a line leaves the order within it as it was, and takes a tile
//! from one crossing line to the next. Where it leaves its goal line, Manhattan distance rises
//! by 1 and the fewest removals sink by at most 1; where it enters it, the other way round; else
//! only Manhattan distance changes. So the sum changes by exactly 1.
//!
//! **Cost**: a move changes the removals of one line at most, and only if the tile leaves or
//! enters its goal line. They are the line's own tiles less their longest increasing
//! subsequence: looked up for lines of up to five cells (a table of at most 32 KiB), else found in
//! one pass with a bit set. On 4×4 half the speed of Manhattan distance; 38.92 on average (38.79
//! over the 1000 boards of Korf & Felner 2002), and 45,425,337 nodes for each of Korf's 100.

use super::lines::{Axis, Lines};
use super::{Heuristic, Manhattan};
use crate::board::Grid;

/// Manhattan distance, and two moves for each tile that must step out of its goal line to let
/// others pass. Consistent.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    lines: Lines,
}

impl LinearConflict {
    /// The heuristic for a goal with the blank in cell `blank`.
    ///
    /// # Panics
    /// Where the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> LinearConflict {
        LinearConflict { manhattan: Manhattan::new(grid, blank), lines: Lines::new(grid, blank) }
    }
}

impl Heuristic for LinearConflict {
    /// The sum: at most 32,640 for the distances and 764 for the conflicts.
    type Carry = u16;

    fn start(&self, labels: &[u8]) -> u16 {
        let removals: u32 = [Axis::Row, Axis::Column]
            .into_iter()
            .flat_map(|axis| (0..self.lines.count(axis)).map(move |line| (axis, line)))
            .map(|(axis, line)| self.lines.removals(axis, line, |cell| Some(labels[cell])))
            .sum();
        self.manhattan.start(labels) + 2 * removals as u16
    }

    #[inline]
    fn moved(&self, state: &u16, labels: &[u8], from: usize, to: usize) -> u16 {
        let sum = self.manhattan.moved(state, labels, from, to);
        // A horizontal move goes from column to column, a vertical one from row to row.
        let axis = if from.abs_diff(to) == 1 { Axis::Column } else { Axis::Row };
        let tile = labels[to];
        let goal = self.lines.goal(axis, tile);
        if goal == self.lines.line(axis, from) {
            sum - 2 * self.lines.removals_due(axis, labels, from, tile) as u16
        } else if goal == self.lines.line(axis, to) {
            sum + 2 * self.lines.removals_due(axis, labels, to, tile) as u16
        } else {
            sum
        }
    }

    #[inline]
    fn value(&self, state: &u16) -> u32 {
        (*state).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear conflict beyond Manhattan distance.
    fn conflict(w: usize, h: usize, blank: usize, labels: &[u8]) -> u32 {
        let grid = Grid::new(w, h).unwrap();
        let heuristic = LinearConflict::new(grid, blank);
        let manhattan = Manhattan::new(grid, blank);
        heuristic.value(&heuristic.start(labels)) - manhattan.value(&manhattan.start(labels))
    }

    #[test]
    fn the_fewest_tiles_not_the_pairs() {
        // Three tiles reversed: three pairs, but two tiles to take out.
        assert_eq!(conflict(4, 2, 0, &[0, 3, 2, 1, 4, 5, 6, 7]), 4);
        // One tile against two: two pairs, one tile.
        assert_eq!(conflict(4, 2, 0, &[0, 2, 3, 1, 4, 5, 6, 7]), 2);
        // A tile can be in conflict in its row and in its column.
        assert_eq!(conflict(3, 3, 8, &[0, 2, 1, 3, 7, 5, 6, 4, 8]), 2 + 2);
        // The blank is in no tile's way, wherever it belongs.
        assert_eq!(conflict(3, 2, 1, &[1, 0, 2, 3, 4, 5]), 0);
        assert_eq!(conflict(3, 2, 0, &[1, 0, 2, 3, 4, 5]), 0);
        assert_eq!(conflict(3, 2, 5, &[1, 0, 2, 3, 4, 5]), 2);
    }

    #[test]
    fn long_lines_are_counted_too() {
        // The top row reversed, for lines that are looked up and lines that are sorted.
        for w in 2..=128 {
            let mut labels: Vec<u8> = (0..=(2 * w - 1) as u8).collect();
            labels[..w].reverse();
            assert_eq!(conflict(w, 2, 2 * w - 1, &labels), 2 * (w as u32 - 1), "{w}x2");
        }
    }
}
