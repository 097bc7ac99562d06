//! The terms of a rank: which weights count for a tile in a cell, and for two tiles near each other.
//!
//! Everything is seen from the blank's goal: the borders nearest to it are called near, and the steps of a
//! tile are counted away from it. So a weight is the same on boards of all sizes, for a blank in any
//! corner, and for a board and its transpose.

use crate::board::Grid;

/// The classes of a cell with a tile: five by five, for the steps of its tile along both axes.
const TILES: usize = SIDE * SIDE;

/// The class of the empty cell.
pub(super) const BLANK: usize = TILES;

/// The most steps along an axis that classes tell apart.
const STEPS: isize = 2;

/// The step counts along an axis that classes tell apart.
const SIDE: usize = 2 * STEPS as usize + 1;

/// The distance from which on squares and cubes are continued by their tangents, so that ranks on long
/// boards stay small.
const LONG: usize = 12;

// The weights, one group after the other. First the weights of a tile's distance: as it is, in proportion to
// how far its home is from the blank's home, and its squares and cubes along both axes.
const FAR: usize = 1;
const SQUARES: usize = 2;
const CUBES: usize = 3;
/// By the larger and the smaller number of steps along an axis, at most [`FARTHEST`].
const DISTANCES: usize = 4;
/// By the borders of a tile's home, and its steps along both axes, at most 2.
const HOMES: usize = DISTANCES + (FARTHEST + 1) * (FARTHEST + 1);
/// By the borders of a tile's cell, in the same way.
const CELLS: usize = HOMES + 81;
/// By the place and the classes of two cells side by side.
const ADJACENT: usize = CELLS + 81;
/// By the place and the classes of two cells, both with tiles, with one cell between them in a row or a
/// column.
const APART: usize = ADJACENT + 9 * Terms::CLASSES * Terms::CLASSES;
/// By the place and the classes of two cells, both with tiles, on a diagonal that leads away from the blank's
/// goal.
const DIAGONAL: usize = APART + 9 * TILES * TILES;
/// By the place and the classes of two such cells on the other diagonal.
const ANTIDIAGONAL: usize = DIAGONAL + 6 * TILES * TILES;

/// The most steps that `DISTANCES` tells apart.
const FARTHEST: usize = 5;

/// The terms on a grid, for a goal with the blank in a certain cell.
#[derive(Clone, Debug)]
pub struct Terms {
    grid: Grid,
    goal_blank: usize,
    /// Whether the blank's goal is in the last half of the rows, and of the columns.
    is_last: [bool; 2],
}

/// A border that a cell lies at, along one axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Border {
    Near,
    Neither,
    Away,
}

/// The steps from one cell to another, and the borders that they touch.
pub(super) type PairKind = ([isize; 2], [Border; 2]);

impl Terms {
    /// The number of weights.
    pub const COUNT: usize = ANTIDIAGONAL + 6 * TILES * TILES;

    /// The classes of a cell.
    pub const CLASSES: usize = TILES + 1;

    /// The terms for a goal with the blank in cell `goal_blank`.
    pub fn new(grid: Grid, goal_blank: usize) -> Terms {
        assert!(goal_blank < grid.cells(), "a {grid} board has no cell {goal_blank}");
        let is_last = [
            2 * grid.row(goal_blank) + 1 >= grid.height(),
            2 * grid.column(goal_blank) + 1 >= grid.width(),
        ];
        Terms { grid, goal_blank, is_last }
    }

    /// The class of a cell with this label, the blank's included.
    pub fn class(&self, label: usize, cell: usize) -> usize {
        self.class_within(STEPS, label, cell)
    }

    /// The class of a cell with this label, if classes tell up to `most` steps along an axis apart. The blank's is
    /// the last.
    pub(super) fn class_within(&self, most: isize, label: usize, cell: usize) -> usize {
        let side = 2 * most + 1;
        if label == self.goal_blank {
            return (side * side) as usize;
        }
        let [rows, columns] = self.steps(label, cell).map(|steps| steps.clamp(-most, most) + most);
        (rows * side + columns) as usize
    }

    /// The cell this many rows and columns away, counted away from the blank's goal.
    pub(super) fn cell_from(&self, cell: usize, [rows, columns]: [isize; 2]) -> Option<usize> {
        let [row, column] = self.place(cell);
        let row = usize::try_from(row + rows).ok().filter(|&row| row < self.grid.height())?;
        let column = usize::try_from(column + columns).ok();
        let column = column.filter(|&column| column < self.grid.width())?;
        // Counting lines from the other border twice gives the line.
        let [row, column] = self.place(row * self.grid.width() + column);
        Some(row as usize * self.grid.width() + column as usize)
    }

    /// Calls `take` with each weight that counts for a tile in a cell, and how often it counts. There are
    /// none for the blank, nor for a tile at home.
    pub fn of_tile(&self, label: usize, cell: usize, mut take: impl FnMut(usize, f32)) {
        if label == cell || label == self.goal_blank {
            return;
        }
        let [rows, columns] = self.steps(label, cell).map(isize::unsigned_abs);
        let distance = (rows + columns) as f32;
        let farthest = self.grid.width() + self.grid.height() - 2;
        let far = self.grid.distance(label, self.goal_blank) as f32 / farthest as f32;
        take(0, distance);
        take(FAR, distance * far);
        take(SQUARES, (square(rows) + square(columns)) as f32 / 9.0);
        take(CUBES, (cube(rows) + cube(columns)) as f32 / 27.0);
        let [more, less] = [rows.max(columns), rows.min(columns)].map(|steps| steps.min(FARTHEST));
        take(DISTANCES + more * (FARTHEST + 1) + less, 1.0);
        for (group, cell) in [(HOMES, label), (CELLS, cell)] {
            let [row, column] = self.borders(cell);
            // The axes are interchangeable.
            let mut axes = [(row, rows.min(2)), (column, columns.min(2))];
            axes.sort_unstable();
            let [(a, b), (c, d)] = axes;
            take(group + 9 * (3 * a as usize + c as usize) + 3 * b + d, 1.0);
        }
    }

    /// The weight that counts for two cells with these classes; `None` if they are not near each other,
    /// or one is empty and they are not side by side.
    pub fn of_pair(&self, one: (usize, usize), other: (usize, usize)) -> Option<usize> {
        let (mut first, mut second) = (one, other);
        if self.place(first.0) > self.place(second.0) {
            (first, second) = (second, first);
        }
        let [from, to] = [first.0, second.0].map(|cell| self.place(cell));
        let (rows, columns) = (to[0] - from[0], to[1] - from[1]);
        let [row, column] = self.touched(first.0, second.0);
        let (mut a, mut b) = (first.1, second.1);
        let has_blank = a == BLANK || b == BLANK;
        if rows == 0 || columns == 0 {
            // A column is a row of the transposed board.
            let (touched, along) = if rows == 0 { (column, row) } else { (row, column) };
            if rows > 0 {
                (a, b) = (transposed(a), transposed(b));
            }
            let place = 3 * touched as usize + along as usize;
            return match rows + columns {
                1 => Some(ADJACENT + (place * Self::CLASSES + a) * Self::CLASSES + b),
                2 if !has_blank => Some(APART + (place * TILES + a) * TILES + b),
                _ => None,
            };
        }
        if (rows, columns.abs()) != (1, 1) || has_blank {
            return None;
        }
        // The transpose of a diagonal leads from the same cell to the same cell, the transpose of an
        // antidiagonal the other way.
        let (group, transpose) = match columns {
            1 => (DIAGONAL, (transposed(a), transposed(b))),
            _ => (ANTIDIAGONAL, (transposed(b), transposed(a))),
        };
        (a, b) = match row.cmp(&column) {
            std::cmp::Ordering::Less => (a, b),
            std::cmp::Ordering::Equal => transpose.min((a, b)),
            std::cmp::Ordering::Greater => transpose,
        };
        let place = match [row.min(column), row.max(column)] {
            [Border::Near, border] => border as usize,
            [Border::Neither, border] => 2 + border as usize,
            [Border::Away, _] => 5,
        };
        Some(group + (place * TILES + a) * TILES + b)
    }

    /// The kind of a pair, on which its weights depend.
    pub(super) fn kind(&self, one: usize, other: usize) -> PairKind {
        let [a, b] = [one, other].map(|cell| self.place(cell));
        ([b[0] - a[0], b[1] - a[1]], self.touched(one, other))
    }

    /// A cell's row and column, counted from the border that is near the blank's goal.
    fn place(&self, cell: usize) -> [isize; 2] {
        let from =
            |line: usize, lines: usize, is_last| if is_last { lines - 1 - line } else { line };
        [
            from(self.grid.row(cell), self.grid.height(), self.is_last[0]) as isize,
            from(self.grid.column(cell), self.grid.width(), self.is_last[1]) as isize,
        ]
    }

    /// A tile's steps home along both axes, positive if they lead away from the blank's goal.
    fn steps(&self, label: usize, cell: usize) -> [isize; 2] {
        let [home, place] = [label, cell].map(|cell| self.place(cell));
        [home[0] - place[0], home[1] - place[1]]
    }

    /// The borders of a cell.
    fn borders(&self, cell: usize) -> [Border; 2] {
        let lines = [self.grid.height(), self.grid.width()].map(|lines| lines as isize);
        let border = |line: isize, lines: isize| match line {
            0 => Border::Near,
            _ if line + 1 == lines => Border::Away,
            _ => Border::Neither,
        };
        let [row, column] = self.place(cell);
        [border(row, lines[0]), border(column, lines[1])]
    }

    /// The borders that two cells touch, with one of them or both.
    fn touched(&self, one: usize, other: usize) -> [Border; 2] {
        let [one, other] = [one, other].map(|cell| self.borders(cell));
        // Two cells that are as long as the board touch two borders.
        let touched = |a: Border, b: Border| match (a, b) {
            (Border::Neither, border) | (border, Border::Neither) => border,
            (a, b) => a.max(b),
        };
        [touched(one[0], other[0]), touched(one[1], other[1])]
    }
}

/// The class with rows and columns exchanged.
fn transposed(class: usize) -> usize {
    if class == BLANK { BLANK } else { class % SIDE * SIDE + class / SIDE }
}

fn square(steps: usize) -> usize {
    let curved = steps.min(LONG);
    curved.pow(2) + 2 * LONG * (steps - curved)
}

fn cube(steps: usize) -> usize {
    let curved = steps.min(LONG);
    curved.pow(3) + 3 * LONG.pow(2) * (steps - curved)
}
