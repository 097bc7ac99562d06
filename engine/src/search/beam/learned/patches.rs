//! The patches of a board: each cell with the cells up to two steps from it.

use super::terms::Terms;
use crate::board::Grid;

/// The rows and columns from one cell to another, counted away from the blank's goal.
pub(super) type Offset = [isize; 2];

/// The most steps along an axis that classes tell apart.
const STEPS: isize = 3;

/// The class of the empty cell.
pub(super) const EMPTY: usize = (2 * STEPS as usize + 1).pow(2);

/// The cells of a patch, in the order of their places.
#[rustfmt::skip]
pub(super) const OFFSETS: [Offset; Patches::PLACES] = [
                       [-2, 0],
             [-1, -1], [-1, 0], [-1, 1],
    [0, -2], [ 0, -1], [ 0, 0], [ 0, 1], [0, 2],
             [ 1, -1], [ 1, 0], [ 1, 1],
                       [ 2, 0],
];

/// The patches on a grid, for a goal with the blank in a certain cell. A class says in which direction the
/// tile of a cell has to go, up to three steps along each axis, and whether the cell is empty.
#[derive(Clone, Debug)]
pub struct Patches(Terms);

impl Patches {
    /// The cells of a patch.
    pub const PLACES: usize = 13;

    /// The classes of a cell, of which the last one is for cells beyond the border.
    pub const CLASSES: usize = EMPTY + 2;

    /// The class of a cell beyond the border.
    pub const OUTSIDE: usize = EMPTY + 1;

    /// The patches for a goal with the blank in cell `goal_blank`.
    ///
    /// # Panics
    /// If the grid has no such cell.
    pub fn new(grid: Grid, goal_blank: usize) -> Patches {
        Patches(Terms::new(grid, goal_blank))
    }

    /// The class of a cell with this label, the blank's included.
    pub fn class(&self, label: usize, cell: usize) -> usize {
        self.0.class_within(STEPS, label, cell)
    }

    /// The cells of the patch round a cell; `None` for those beyond the border.
    pub fn cells(&self, centre: usize) -> [Option<usize>; Patches::PLACES] {
        OFFSETS.map(|offset| self.cell_from(centre, offset))
    }

    pub(super) fn cell_from(&self, cell: usize, offset: Offset) -> Option<usize> {
        self.0.cell_from(cell, offset)
    }
}
