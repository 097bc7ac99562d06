//! A guide for beams of single moves whose weights were learned from solutions.
//!
//! A bound ranks the positions of a beam badly: many positions with the same bound are far from
//! equally close to the goal. Two tiles that have to pass each other, for example, cost more than
//! their distances, and a row of tiles that go the same way costs less. So the rank of a position is
//! a sum over
//!
//! 1. its tiles: a weight by the tile's distance from home along both axes, by whether its home and
//!    its cell lie at a border, and by how far its home is from that of the blank;
//! 2. pairs of cells side by side: a weight by the directions in which the two tiles have to go, up
//!    to two steps along each axis, or by which of the cells is empty, and by the borders at which
//!    the pair lies;
//! 3. its linear conflicts.
//!
//! The weights do not depend on the size of the board. [`weights`] says how they were found. A rank
//! is no bound: it may be higher or lower than the moves to the goal.

use super::beam;
use super::weights::{self, CLASSES};
use crate::board::{Grid, Move, Moves, Position};
use crate::heuristic::{Heuristic, LinearConflict};
use crate::search::Control;

/// Ranks the positions of beams by weights that were learned from solutions.
#[derive(Clone, Debug)]
pub struct Learned {
    grid: Grid,
    goal_blank: usize,
    linear_conflict: LinearConflict,
    /// By label and cell, a tile's weight and its class; 0 and [`BLANK`] for the blank.
    tiles: Box<[Tile]>,
    /// By cell, the neighbours in the directions of [`Move::ALL`], and the cell itself where there is
    /// none.
    neighbours: Box<[[Neighbour; 4]]>,
    /// By [`Neighbour::pair`], the weight of a pair by the class of the neighbour's tile, then by the class
    /// of the cell's own.
    pairs: Box<[[[i16; ROOM]; CLASSES]]>,
}

#[derive(Clone, Copy, Debug)]
struct Neighbour {
    cell: u8,
    /// The location of the pair and the direction to the neighbour.
    pair: u8,
}

#[derive(Clone, Copy, Debug)]
struct Tile {
    weight: i32,
    class: u8,
}

/// The part of a rank that a step of a tile adds: all weights are scaled to it. A move of a bound counts
/// as much.
pub(super) const STEP: u32 = weights::STEP as u32;

/// The most steps along an axis that classes tell apart.
const STEPS: usize = 2;

/// The step counts along an axis that classes tell apart.
const SIDE: usize = 2 * STEPS + 1;

/// The class of an empty cell, after those of all pairs of numbers of steps.
const BLANK: u8 = (SIDE * SIDE) as u8;

const _: () = assert!(CLASSES == SIDE * SIDE + 1);

/// The length of a row of classes: 64 bytes.
const ROOM: usize = 32;

/// The distance from which on squares and cubes are continued by their tangents, so that ranks on long
/// boards stay small.
const LONG: i32 = 12;

impl Learned {
    /// The guide for a goal with the blank in cell `goal_blank`.
    ///
    /// # Panics
    /// If the grid has no such cell.
    pub fn new(grid: Grid, goal_blank: usize) -> Learned {
        let cells = grid.cells();
        let tile = |i: usize| tile(grid, goal_blank, i / cells, i % cells);
        let neighbour = |cell: usize, m: Move| {
            let other = grid.source(cell, m).unwrap_or(cell);
            let pair = location(grid, goal_blank, cell, other) * Move::ALL.len() + m as usize;
            Neighbour { cell: other as u8, pair: pair as u8 }
        };
        let neighbours = (0..cells).map(|cell| Move::ALL.map(|m| neighbour(cell, m))).collect();
        Learned {
            grid,
            goal_blank,
            linear_conflict: LinearConflict::new(grid, goal_blank),
            tiles: (0..cells * cells).map(tile).collect(),
            neighbours,
            pairs: pairs(toward(grid, goal_blank)),
        }
    }

    /// Finds a solution by beams of `width` positions a level, on the current rayon thread pool, the
    /// same for any number of threads; `None` if it finds none of less than `below` moves, or `control`
    /// stops the search. It takes as much memory as [`beam`](super::beam).
    ///
    /// # Panics
    /// If the position is one of another goal, or the width is 0 or more than 2²⁸.
    pub fn beam(
        &self,
        position: &Position,
        width: usize,
        below: usize,
        control: &Control,
    ) -> Option<Moves> {
        self.assert_goal_of(position);
        beam(position, self, width, below, control)
    }

    /// Panics if these are not the weights for the position's goal.
    pub(super) fn assert_goal_of(&self, position: &Position) {
        let goal = (position.grid(), position.goal_blank());
        assert!(goal == (self.grid, self.goal_blank), "the weights are those of another goal");
    }

    /// The cell whose tile the move with this place in [`Move::ALL`] takes to a cell, or the cell itself if
    /// there is none.
    #[inline(always)]
    pub(super) fn source(&self, cell: usize, m: usize) -> usize {
        self.neighbours[cell][m].cell.into()
    }

    #[inline(always)]
    fn tile(&self, label: u8, cell: usize) -> Tile {
        self.tiles[usize::from(label) * self.neighbours.len() + cell]
    }

    #[inline(always)]
    fn class(&self, label: u8, cell: usize) -> usize {
        self.tile(label, cell).class.into()
    }

    /// The change in the pair terms of a cell when its class changes from `old` to `new`. The pair with
    /// the cell `but` is left out.
    #[inline(always)]
    fn pairs_of(&self, labels: &[u8], cell: usize, but: usize, new: usize, old: usize) -> i32 {
        let mut sum = 0;
        for neighbour in &self.neighbours[cell] {
            let other = usize::from(neighbour.cell);
            if other != cell && other != but {
                let row =
                    &self.pairs[usize::from(neighbour.pair)][self.class(labels[other], other)];
                sum += i32::from(row[new]) - i32::from(row[old]);
            }
        }
        sum
    }
}

/// Its [rank](Heuristic::rank) is the sum of weights, its value that of linear conflict.
impl Heuristic for Learned {
    /// The carried value of linear conflict, and the sum over tiles and pairs.
    type Carry = (<LinearConflict as Heuristic>::Carry, i32);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let tiles = labels.iter().enumerate().map(|(cell, &label)| self.tile(label, cell).weight);
        let pairs = (0..labels.len()).flat_map(|cell| {
            let class = self.class(labels[cell], cell);
            // Each pair once: from the lower cell to the higher one.
            let others = self.neighbours[cell].iter();
            others.filter(move |neighbour| usize::from(neighbour.cell) > cell).map(
                move |neighbour| {
                    let other = usize::from(neighbour.cell);
                    let pairs = &self.pairs[usize::from(neighbour.pair)];
                    i32::from(pairs[self.class(labels[other], other)][class])
                },
            )
        });
        (self.linear_conflict.start(labels), tiles.sum::<i32>() + pairs.sum::<i32>())
    }

    #[inline(always)]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let (conflict, sum) = carry;
        let (before, after) = (self.tile(labels[to], from), self.tile(labels[to], to));
        let (old, new, blank) = (before.class.into(), after.class.into(), BLANK.into());
        let mut sum = sum + after.weight - before.weight;
        sum += self.pairs_of(labels, from, to, blank, old);
        sum += self.pairs_of(labels, to, from, new, blank);
        let between = self.neighbours[from].iter().find(|other| usize::from(other.cell) == to);
        let between = between.expect("a tile moves to a neighbour");
        let pairs = &self.pairs[usize::from(between.pair)];
        sum += i32::from(pairs[new][blank]) - i32::from(pairs[usize::from(BLANK)][old]);
        (self.linear_conflict.moved(conflict, labels, from, to), sum)
    }

    #[inline(always)]
    fn value(&self, carry: &Self::Carry) -> u32 {
        self.linear_conflict.value(&carry.0)
    }

    #[inline(always)]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        // Some sums are negative.
        (weights::CONFLICT / 2 * self.value(carry) as i32 + carry.1 + (1 << 30)) as u32
    }
}

/// A tile's contribution in a cell, and its class.
fn tile(grid: Grid, goal_blank: usize, label: usize, cell: usize) -> Tile {
    if label == goal_blank {
        return Tile { weight: 0, class: BLANK };
    }
    let rows = grid.row(label) as i32 - grid.row(cell) as i32;
    let columns = grid.column(label) as i32 - grid.column(cell) as i32;
    let step = |steps: i32| steps.clamp(-(STEPS as i32), STEPS as i32) + STEPS as i32;
    let class = step(rows) * SIDE as i32 + step(columns);
    if label == cell {
        return Tile { weight: 0, class: class as u8 };
    }
    let (rows, columns) = (rows.abs(), columns.abs());
    let distance = rows + columns;
    let (far, farthest) = (grid.distance(label, goal_blank), grid.width() + grid.height() - 2);
    let border = |cell: usize| borders(grid, goal_blank, cell);
    let weight = weights::STEP * distance
        + weights::FAR * distance * far as i32 / farthest as i32
        + (weights::SQUARE * (square(rows) + square(columns)) / 9)
        + (weights::CUBE * (cube(rows) + cube(columns)) / 27)
        + i32::from(weights::DISTANCES[at(rows.max(columns), 5)][at(rows.min(columns), 5)])
        + at_border(&weights::HOMES, border(label), [rows, columns])
        + at_border(&weights::CELLS, border(cell), [rows, columns])
        // The linear conflicts count with their bound, which includes the distance.
        - weights::CONFLICT / 2 * distance;
    Tile { weight, class: class as u8 }
}

/// A distance as an index, at most `most`.
fn at(distance: i32, most: usize) -> usize {
    (distance as usize).min(most)
}

fn square(distance: i32) -> i32 {
    let near = distance.min(LONG);
    near.pow(2) + 2 * LONG * (distance - near)
}

fn cube(distance: i32) -> i32 {
    let near = distance.min(LONG);
    near.pow(3) + 3 * LONG.pow(2) * (distance - near)
}

/// The directions along both axes that lead to the blank's goal cell from the middle of the board: 1 is
/// down or right, and so is a blank in the middle.
fn toward(grid: Grid, goal_blank: usize) -> [i32; 2] {
    let direction = |blank: usize, cells: usize| if 2 * blank + 1 < cells { -1 } else { 1 };
    [
        direction(grid.row(goal_blank), grid.height()),
        direction(grid.column(goal_blank), grid.width()),
    ]
}

/// For each axis, whether a cell lies at the border away from the blank's goal cell (0), at none (1), or
/// at the one near it (2).
fn borders(grid: Grid, goal_blank: usize, cell: usize) -> [usize; 2] {
    let border = |line: usize, lines: usize, direction: i32| {
        let line = if direction < 0 { lines - 1 - line } else { line };
        if line == 0 { 0 } else { 1 + usize::from(line + 1 == lines) }
    };
    let [down, right] = toward(grid, goal_blank);
    [border(grid.row(cell), grid.height(), down), border(grid.column(cell), grid.width(), right)]
}

/// A weight by the borders of a cell and the distances along the axes, which are interchangeable.
fn at_border(table: &[[i16; 9]; 9], borders: [usize; 2], distances: [i32; 2]) -> i32 {
    let mut axes: [_; 2] = std::array::from_fn(|axis| (borders[axis], at(distances[axis], 2)));
    axes.sort_unstable();
    let [(a, b), (c, d)] = axes;
    table[3 * a + c][3 * b + d].into()
}

/// The location of a pair of neighbours: three times the border that it touches with one of its cells, plus
/// the one along which it lies, both as in [`borders`].
fn location(grid: Grid, goal_blank: usize, cell: usize, other: usize) -> usize {
    let is_row = grid.row(cell) == grid.row(other);
    let [one, other] = [cell, other].map(|cell| borders(grid, goal_blank, cell));
    let (axis, across) = if is_row { (1, 0) } else { (0, 1) };
    // A pair that is as long as the board touches two borders.
    let touched = match (one[axis], other[axis]) {
        (1, border) | (border, 1) => border,
        (a, b) => a.min(b),
    };
    3 * touched + one[across]
}

/// The weights of pairs by location and direction, from those of cells side by side on a board whose
/// blank belongs at the upper left.
fn pairs([down, right]: [i32; 2]) -> Box<[[[i16; ROOM]; CLASSES]]> {
    let class = |class: usize, is_row: bool| {
        if class == usize::from(BLANK) {
            return class;
        }
        let mirrored = |steps: usize, direction: i32| {
            if direction > 0 { SIDE - 1 - steps } else { steps }
        };
        let (rows, columns) = (mirrored(class / SIDE, down), mirrored(class % SIDE, right));
        // Columns are rows of the transposed board.
        if is_row { rows * SIDE + columns } else { columns * SIDE + rows }
    };
    let pair = |weights: &[[i16; CLASSES]; CLASSES], m: Move| {
        let (is_row, direction) = match m {
            Move::Left | Move::Right => (true, right),
            Move::Up | Move::Down => (false, down),
        };
        // A tile that moves left or up comes from the second of two cells.
        let is_first = matches!(m, Move::Left | Move::Up) == (direction < 0);
        let mut pair = [[0; ROOM]; CLASSES];
        for (other, row) in pair.iter_mut().enumerate() {
            for (one, weight) in row[..CLASSES].iter_mut().enumerate() {
                let [one, other] = [one, other].map(|number| class(number, is_row));
                let (first, second) = if is_first { (one, other) } else { (other, one) };
                *weight = weights[first][second];
            }
        }
        pair
    };
    weights::PAIRS.iter().flat_map(|weights| Move::ALL.map(|m| pair(weights, m))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::transposed;

    fn rank(guide: &Learned, labels: &[u8]) -> u32 {
        guide.rank(&guide.start(labels))
    }

    #[test]
    fn a_move_changes_the_rank_as_the_definition_does() {
        for (width, height) in [(2, 2), (4, 3), (6, 6), (16, 15), (128, 2)] {
            let grid = Grid::new(width, height).unwrap();
            for blank in [0, grid.cells() / 2 + 1, grid.cells() - 1] {
                let guide = Learned::new(grid, blank);
                let mut position = Position::goal(grid, blank);
                let mut carry = guide.start(position.labels());
                for i in 0..400 {
                    let m = Move::ALL[(i * i / 3 + i + blank) % 4];
                    if let Some((from, to)) = position.make(m) {
                        carry = guide.moved(&carry, position.labels(), from, to);
                        assert_eq!(carry, guide.start(position.labels()), "{grid} {blank} {i}");
                    }
                }
                assert!(!position.is_goal());
                assert!(guide.value(&carry) > 0);
            }
        }
    }

    #[test]
    fn the_longest_boards_do_not_overflow() {
        for (width, height) in [(128, 2), (16, 15), (16, 16)] {
            let grid = Grid::new(width, height).unwrap();
            let goal: Vec<u8> = (0..=(grid.cells() - 1) as u8).collect();
            let mut far = goal.clone();
            far[1..].reverse();
            let guide = Learned::new(grid, 0);
            assert!(rank(&guide, &goal) < rank(&guide, &far), "{grid}");
            let cells = || 0..grid.cells();
            let most = |cell| cells().map(|label| guide.tile(label as u8, cell).weight).max();
            let sum: i64 = cells().filter_map(most).map(i64::from).sum();
            assert!(sum < 1 << 30, "{grid}");
        }
    }

    #[test]
    fn mirror_images_have_the_same_rank() {
        let grid = Grid::new(5, 5).unwrap();
        let guide = Learned::new(grid, 0);
        let mut position = Position::goal(grid, 0);
        for i in 0..200 {
            position.make(Move::ALL[(i * i / 3 + i) % 4]);
            let labels = position.labels();
            assert_eq!(rank(&guide, labels), rank(&guide, &transposed(grid, labels)), "{i}");
        }
    }

    #[test]
    fn all_corners_are_alike() {
        let grid = Grid::new(6, 5).unwrap();
        let guides = [0, 5, 24, 29].map(|blank| Learned::new(grid, blank));
        let at = |corner: usize, cell: usize| {
            let (row, column) = (grid.row(cell), grid.column(cell));
            let [low, right] = [corner / 2, corner % 2].map(|side| side == 1);
            6 * if low { 4 - row } else { row } + if right { 5 - column } else { column }
        };
        let mut position = Position::goal(grid, 0);
        for i in 0..200 {
            position.make(Move::ALL[(i * i / 3 + i) % 4]);
            let ranks = [0, 1, 2, 3].map(|corner| {
                let mut labels = [0; 30];
                for (cell, &label) in position.labels().iter().enumerate() {
                    labels[at(corner, cell)] = at(corner, label.into()) as u8;
                }
                rank(&guides[corner], &labels)
            });
            assert_eq!(ranks, [ranks[0]; 4], "{i}");
        }
    }
}
