//! Guides for the beams of boards: they rank the positions of a level.

use crate::board::{Metric, Position};
use crate::heuristic::Heuristic;

/// Ranks positions, and updates what it needs for that move by move.
pub(super) trait Guide: Sync {
    type Carry: Clone + Send + Sync;

    fn start(&self, labels: &[u8]) -> Self::Carry;

    /// The carried value after a move, as that of a [`Heuristic`].
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry;

    /// A lower bound on the moves of single tiles to the goal.
    fn bound(&self, carry: &Self::Carry) -> u32;

    /// The lower, the better. It is 0 at the goal.
    fn rank(&self, carry: &Self::Carry) -> u32;
}

/// Ranks positions by their lower bound and by how far single tiles are from home.
///
/// A tile near home is brought there on the way, at little cost. A tile that is far away needs moves
/// of its own, the more the more tiles are at home already. So the rank is a multiple of the bound,
/// plus the cubes of the tiles' distances along rows and along columns.
///
/// For slides it is 8 times the bound, plus the cubes: a slide that is made anyway takes tiles along.
/// For moves it is 16 times the bound, less 8 times the Manhattan distance, plus the cubes: what the
/// bound adds to the Manhattan distance counts twice.
pub(super) struct Far<'a, H> {
    heuristic: &'a H,
    cells: usize,
    /// The weight of the bound.
    weight: i32,
    /// What each tile in each cell adds; 0 for the blank.
    tiles: Box<[i32]>,
}

/// The distance from which on the cube is continued by its tangent, so that ranks on long boards stay
/// small.
const LONG: i32 = 8;

/// The cube of a distance, or its tangent.
fn cube(distance: i32) -> i32 {
    let near = distance.min(LONG);
    near.pow(3) + 3 * LONG.pow(2) * (distance - near)
}

impl<'a, H> Far<'a, H> {
    /// The guide for a metric and for the goal of `position`.
    pub fn new(heuristic: &'a H, position: &Position, metric: Metric) -> Far<'a, H> {
        let (grid, blank) = (position.grid(), position.goal_blank());
        let cells = grid.cells();
        let (weight, less) = match metric {
            Metric::Single => (16, 8),
            Metric::Multi => (8, 0),
        };
        let along = |from: usize, to: usize| {
            let distance = from.abs_diff(to) as i32;
            cube(distance) - less * distance
        };
        let of = |label: usize, cell: usize| {
            along(grid.row(label), grid.row(cell)) + along(grid.column(label), grid.column(cell))
        };
        let tiles = (0..cells * cells)
            .map(|i| (i / cells, i % cells))
            .map(|(label, cell)| if label == blank { 0 } else { of(label, cell) });
        Far { heuristic, cells, weight, tiles: tiles.collect() }
    }

    #[inline(always)]
    fn tile(&self, label: u8, cell: usize) -> i32 {
        self.tiles[usize::from(label) * self.cells + cell]
    }
}

impl<H: Heuristic> Guide for Far<'_, H> {
    /// The heuristic's carried value, and the sum of what the tiles add.
    type Carry = (H::Carry, i32);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let tiles = labels.iter().enumerate().map(|(cell, &label)| self.tile(label, cell));
        (self.heuristic.start(labels), tiles.sum())
    }

    #[inline(always)]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let (carry, sum) = carry;
        let tile = labels[to];
        let sum = sum + self.tile(tile, to) - self.tile(tile, from);
        (self.heuristic.moved(carry, labels, from, to), sum)
    }

    #[inline(always)]
    fn bound(&self, carry: &Self::Carry) -> u32 {
        self.heuristic.value(&carry.0)
    }

    #[inline(always)]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        (self.weight * self.heuristic.value(&carry.0) as i32 + carry.1) as u32
    }
}
