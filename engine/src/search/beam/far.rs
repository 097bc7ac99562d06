//! The guide of beams that count slides.

use crate::board::Position;
use crate::heuristic::Heuristic;

/// Ranks positions by their lower bound and by how far single tiles are from home.
///
/// A slide that is made anyway takes tiles along, so tiles near home cost little. A tile that is far
/// away needs slides of its own. The rank is 8 times the bound, plus the cubes of the tiles'
/// distances along rows and along columns.
pub(super) struct Far<'a, H> {
    heuristic: &'a H,
    cells: usize,
    /// The cubes of each tile in each cell; 0 for the blank.
    cubes: Box<[u32]>,
}

/// The weight of the bound.
const BOUND: u32 = 8;

/// The distance from which on the cube is continued by its tangent, so that ranks on long boards stay
/// small.
const LONG: u32 = 8;

/// The cube of a distance, or its tangent.
fn cube(distance: usize) -> u32 {
    let distance = distance as u32;
    let near = distance.min(LONG);
    near.pow(3) + 3 * LONG.pow(2) * (distance - near)
}

impl<'a, H> Far<'a, H> {
    pub fn new(heuristic: &'a H, position: &Position) -> Far<'a, H> {
        let (grid, blank) = (position.grid(), position.goal_blank());
        let cells = grid.cells();
        let of = |label: usize, cell: usize| {
            cube(grid.row(label).abs_diff(grid.row(cell)))
                + cube(grid.column(label).abs_diff(grid.column(cell)))
        };
        let cubes = (0..cells * cells)
            .map(|i| (i / cells, i % cells))
            .map(|(label, cell)| if label == blank { 0 } else { of(label, cell) });
        Far { heuristic, cells, cubes: cubes.collect() }
    }

    #[inline(always)]
    fn cubes(&self, label: u8, cell: usize) -> u32 {
        self.cubes[usize::from(label) * self.cells + cell]
    }
}

impl<H: Heuristic> Heuristic for Far<'_, H> {
    /// The heuristic's carried value, and the sum of the cubes.
    type Carry = (H::Carry, u32);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let cubes = labels.iter().enumerate().map(|(cell, &label)| self.cubes(label, cell));
        (self.heuristic.start(labels), cubes.sum())
    }

    #[inline(always)]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let (carry, cubes) = carry;
        let tile = labels[to];
        let cubes = cubes + self.cubes(tile, to) - self.cubes(tile, from);
        (self.heuristic.moved(carry, labels, from, to), cubes)
    }

    #[inline(always)]
    fn value(&self, carry: &Self::Carry) -> u32 {
        self.heuristic.value(&carry.0)
    }

    #[inline(always)]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        BOUND * self.heuristic.value(&carry.0) + carry.1
    }
}
