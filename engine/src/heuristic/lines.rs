//! The tiles that stand in their goal lines, and the number of them that block each other.

use crate::board::Grid;

/// Rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Along rows.
    Row = 0,
    /// Along columns.
    Column = 1,
}

impl Axis {
    /// Both.
    pub const ALL: [Axis; 2] = [Axis::Row, Axis::Column];

    /// The other one.
    const fn across(self) -> Axis {
        Axis::ALL[1 - self as usize]
    }
}

/// The goal lines of all labels. Arrays of two are by axis.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The number of rows and of columns.
    counts: [usize; 2],
    /// Row and column by cell: a table, because a division takes longer.
    lines: Box<[[u8; 2]]>,
    /// Goal row and goal column by label; [`NOWHERE`] for the blank.
    goals: Box<[[u8; 2]]>,
    /// The removals of short lines.
    short: [Box<[u8]>; 2],
}

/// The goal line of the blank: no line at all, because the blank is in no tile's way.
const NOWHERE: u8 = u8::MAX;

impl Lines {
    /// The lines of a grid, for a goal with the blank in cell `blank`.
    ///
    /// # Panics
    /// If the grid has no cell `blank`.
    pub fn new(grid: Grid, blank: usize) -> Lines {
        assert!(blank < grid.cells(), "a {grid} grid has no cell {blank} for the blank");
        let lines: Box<[[u8; 2]]> =
            (0..grid.cells()).map(|cell| [grid.row(cell) as u8, grid.column(cell) as u8]).collect();
        let mut goals = lines.clone();
        goals[blank] = [NOWHERE; 2];
        let (width, height) = (grid.width(), grid.height());
        let short = [width, height].map(short_lines);
        Lines { counts: [height, width], lines, goals, short }
    }

    /// The number of lines along an axis.
    pub fn count(&self, axis: Axis) -> usize {
        self.counts[axis as usize]
    }

    /// The line a cell lies in.
    #[inline]
    pub fn line(&self, axis: Axis, cell: usize) -> usize {
        self.lines[cell][axis as usize].into()
    }

    /// The line a tile belongs in.
    #[inline]
    pub fn goal(&self, axis: Axis, label: u8) -> usize {
        self.goals[usize::from(label)][axis as usize].into()
    }

    /// The cells of a line.
    #[inline]
    pub fn cells(&self, axis: Axis, line: usize) -> std::iter::StepBy<std::ops::Range<usize>> {
        let [height, width] = self.counts;
        match axis {
            Axis::Row => (line * width..(line + 1) * width).step_by(1),
            Axis::Column => (line..width * height).step_by(width),
        }
    }

    /// The fewest tiles to take out of a line so that the rest of its own tiles stand in order:
    /// their number less their longest increasing subsequence. `label` returns the label in a
    /// cell, if any.
    #[inline]
    pub fn removals(&self, axis: Axis, line: usize, label: impl Fn(usize) -> Option<u8>) -> u32 {
        let places = self.cells(axis, line).map(|cell| self.place(axis, line, label(cell)?));
        match &*self.short[axis as usize] {
            [] => removals(places.flatten()),
            short => short[code(places)].into(),
        }
    }

    /// The removals of a line with one of its own tiles in `cell`, less the removals with that cell empty: 0
    /// or 1. `labels` may have the tile or the blank in `cell`.
    #[inline]
    pub fn removals_due(&self, axis: Axis, labels: &[u8], cell: usize, tile: u8) -> u32 {
        let line = self.line(axis, cell);
        let short = &self.short[axis as usize];
        if short.is_empty() {
            let with = |here| {
                self.removals(axis, line, |c| if c == cell { here } else { Some(labels[c]) })
            };
            with(Some(tile)) - with(None)
        } else {
            let places = self.cells(axis, line).map(|c| self.place(axis, line, labels[c]));
            let code = code(places);
            let across = axis.across();
            let behind = self.count(across) - 1 - self.line(across, cell);
            let digit = code_digit(self.place(axis, line, tile)) << (3 * behind);
            u32::from(short[code | digit]) - u32::from(short[code & !digit])
        }
    }

    /// The goal cell of a tile within its own line, if this is the line.
    #[inline]
    fn place(&self, axis: Axis, line: usize, label: u8) -> Option<u8> {
        let goal = self.goals[usize::from(label)];
        (usize::from(goal[axis as usize]) == line).then_some(goal[axis.across() as usize])
    }

    /// Returns whether the tile in `cell`, its goal line, has another one of that line on the wrong
    /// side.
    pub fn conflicts(&self, axis: Axis, labels: &[u8], cell: usize) -> bool {
        let line = self.line(axis, cell);
        let along = axis.across();
        let place = self.goal(along, labels[cell]);
        self.cells(axis, line).any(|other| {
            let label = labels[other];
            self.goal(axis, label) == line
                && (other < cell) != (self.goal(along, label) < place)
                && other != cell
        })
    }
}

/// The length of the longest line whose removals are looked up.
const SHORT: usize = 6;

/// A short line as a number: three bits per cell, 0 for a cell without one of its own tiles.
#[inline]
fn code(places: impl Iterator<Item = Option<u8>>) -> usize {
    places.fold(0, |code, place| code << 3 | code_digit(place))
}

#[inline]
fn code_digit(place: Option<u8>) -> usize {
    place.map_or(0, |place| usize::from(place) + 1)
}

/// The removals of all lines of `n` cells by [`code`]; empty for lines that are not short.
fn short_lines(cells: usize) -> Box<[u8]> {
    if cells > SHORT {
        return Box::default();
    }
    (0..1usize << (3 * cells))
        .map(|code| {
            let digits = (0..cells).rev().map(|cell| code >> (3 * cell) & 7);
            removals(digits.filter(|&digit| digit > 0).map(|digit| digit as u8 - 1)) as u8
        })
        .collect()
}

/// The least count of numbers to leave out so that the rest increase.
///
/// This is patience sorting. For each length, `tails` holds the least number with which an
/// increasing subsequence of that length can end. A number that displaces a tail makes no
/// subsequence longer, so it is one to leave out.
fn removals(numbers: impl Iterator<Item = u8>) -> u32 {
    // A line of a grid is at most 128 cells long.
    let mut tails = 0u128;
    let mut removals = 0;
    for number in numbers {
        let tail = 1u128 << number;
        let beyond = tails & tail.wrapping_neg();
        tails = (tails & !(beyond & beyond.wrapping_neg())) | tail;
        removals += u32::from(beyond != 0);
    }
    removals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest tiles to remove, found by trying every subset: the definition.
    fn by_subsets(places: &[u8]) -> u32 {
        (0u32..1 << places.len())
            .filter(|kept| {
                let rest = (0..places.len()).filter(|i| kept >> i & 1 == 1).map(|i| places[i]);
                rest.clone().zip(rest.skip(1)).all(|(a, b)| a < b)
            })
            .map(|kept| places.len() as u32 - kept.count_ones())
            .min()
            .unwrap()
    }

    #[test]
    fn removals_are_the_fewest() {
        // Every content of the top row of a 5×2 grid: its own tiles, or others (5).
        let grid = Grid::new(5, 2).unwrap();
        let lines = Lines::new(grid, 9);
        let mut positive = 0;
        for code in 0..6u32.pow(5) {
            let row: Vec<u8> = (0..5).map(|i| (code / 6u32.pow(i) % 6) as u8).collect();
            let own: Vec<u8> = row.iter().copied().filter(|&label| label < 5).collect();
            if (0..5).any(|label| own.iter().filter(|&&l| l == label).count() > 1) {
                continue;
            }
            let expected = by_subsets(&own);
            assert_eq!(lines.removals(Axis::Row, 0, |cell| Some(row[cell])), expected, "{row:?}");
            positive += u32::from(expected > 0);
            // Repeats this in the left column of the transposed grid.
            let lines = Lines::new(Grid::new(2, 5).unwrap(), 9);
            let column = |cell: usize| row.get(cell / 2).filter(|&&l| l < 5).map(|l| 2 * l);
            assert_eq!(lines.removals(Axis::Column, 0, column), expected, "{row:?}");
        }
        assert!(positive > 0);
    }

    #[test]
    fn the_longest_line_fits() {
        let grid = Grid::new(128, 2).unwrap();
        let lines = Lines::new(grid, 200);
        assert_eq!(lines.removals(Axis::Row, 0, |cell| Some(127 - cell as u8)), 127);
        assert_eq!(lines.removals(Axis::Row, 0, |cell| Some(cell as u8)), 0);
        // The blank's own label counts nowhere.
        assert_eq!(lines.removals(Axis::Row, 1, |cell| Some(255 - (cell - 128) as u8)), 126);
    }

    #[test]
    fn a_conflict_is_an_inversion_within_the_goal_line() {
        let lines = Lines::new(Grid::new(3, 3).unwrap(), 8);
        let labels = [2, 4, 1, 3, 7, 5, 6, 0, 8];
        let conflicts = |axis| -> Vec<usize> {
            let own = |c: usize| lines.goal(axis, labels[c]) == lines.line(axis, c);
            (0..9).filter(|&c| own(c) && lines.conflicts(axis, &labels, c)).collect()
        };
        assert_eq!(conflicts(Axis::Row), [0, 2]);
        // Column 1 holds 4 above 7, in order.
        assert!(conflicts(Axis::Column).is_empty());
    }
}
