//! Patterns that are their own mirror image.
//!
//! If a reflection carries the tiles of a pattern to themselves, and the zone of the blank at the
//! goal too, then a state and its mirror image are as many moves from the goal. The mirror image
//! has the tiles in the mirrored cells, each replaced by the tile whose goal cell is the mirror
//! image of its own. So the search visits one cohort of each two that are mirror images.

use super::orders::Places;
use super::{Index, MAX_PATTERN, Orders, Pattern};
use crate::board::Symmetry;

/// A reflection that carries a pattern and its goal to themselves.
pub(super) struct Mirror {
    symmetry: Symmetry,
    /// The tiles' numbers in the search, by their numbers in the pattern. Tiles that the
    /// reflection exchanges are pairs of [`Orders`], so that it exchanges flip bits only.
    names: [u8; MAX_PATTERN],
    /// These pairs, as a mask.
    pub swapped: usize,
}

impl Mirror {
    /// The reflection of a pattern, if there is one. Only reflections that keep rows and columns
    /// apart are taken: of these, sets with as many tiles in each row have the same permutation of
    /// places.
    pub fn of(pattern: &Pattern) -> Option<Mirror> {
        let (_, symmetry) = pattern.images().find(|&(image, symmetry)| {
            image == *pattern && !symmetry.transpose && symmetry != Symmetry::IDENTITY
        })?;
        let tiles: Vec<usize> = pattern.tiles().collect();
        let twin = |tile: usize| symmetry.cell(pattern.grid(), tile);
        let pairs = tiles.iter().filter(|&&tile| tile < twin(tile));
        let fixed = tiles.iter().filter(|&&tile| tile == twin(tile));
        let swapped = (1 << pairs.clone().count()) - 1;
        let numbered = pairs.flat_map(|&tile| [tile, twin(tile)]).chain(fixed.copied());
        let mut names = [0; MAX_PATTERN];
        for (name, tile) in numbered.enumerate() {
            let number = tiles.iter().position(|&other| other == tile);
            names[number.expect("the pattern is its own image")] = name as u8;
        }
        Some(Mirror { symmetry, names, swapped })
    }

    /// The rank in the search of an order with this rank in the table.
    pub fn rank(&self, orders: &Orders, rank: usize) -> usize {
        let order = orders.unrank(rank).map(|tile| self.names[usize::from(tile)]);
        orders.rank(&order[..orders.tiles()])
    }

    /// The image of a cell.
    pub fn cell(&self, index: &Index, cell: usize) -> usize {
        self.symmetry.cell(index.grid(), cell)
    }

    /// The image of a set of cells.
    pub fn cells(&self, index: &Index, cells: u64) -> u64 {
        self.symmetry.cells(index.grid(), cells)
    }

    /// The cohort that is searched in place of this one, its mirror image, if it is not searched
    /// itself; and the set of that cohort.
    ///
    /// The sum of the cells decides, if the image has another one: along one axis, moves do not
    /// change it, so few moves lead from one half to the other.
    pub fn original(&self, index: &Index, set: usize, zone: usize) -> Option<(usize, u64)> {
        let mask = index.mask(set);
        let image = self.cells(index, mask);
        let blank = index.region(set, zone).trailing_zeros() as usize;
        let twin = index.cohort(index.set(image), self.cell(index, blank));
        let original = (sum(image), twin) < (sum(mask), index.cohorts_of(set).start + zone);
        original.then_some((twin, image))
    }
}

/// The sum of the numbers of cells.
fn sum(mut cells: u64) -> u32 {
    let mut sum = 0;
    while cells != 0 {
        sum += cells.trailing_zeros();
        cells &= cells - 1;
    }
    sum
}

/// The permutation of the places when the tile in each cell of a set goes to the cell `to(cell)`.
pub(super) fn places(mask: u64, to: impl Fn(usize) -> usize) -> Places {
    let cells = (0..64).filter(|cell| mask & 1 << cell != 0).map(&to);
    let mut places = [0; MAX_PATTERN];
    for (place, cell) in places.iter_mut().zip(cells.clone()) {
        *place = cells.clone().filter(|&other| other < cell).count() as u8;
    }
    places
}
