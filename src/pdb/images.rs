//! Patterns whose tables are the same but for a symmetry of the board.
//!
//! A symmetry carries a pattern to another one, and moves of the one to moves of the other. It
//! carries the goal along too: not the blank's cell, which stays where it is wanted, but all that a
//! zero-aware table knows of it, the zone. So the two tables hold the same numbers, if the
//! zone that the blank is wanted in is carried to the zone that it is wanted in.

use super::Pattern;
use super::index::region;
use crate::board::Symmetry;

impl Pattern {
    /// The patterns that share this one's table, itself among them, each with the symmetry that
    /// carries this one's cells and tiles there.
    pub fn images(self) -> impl Iterator<Item = (Pattern, Symmetry)> {
        let (grid, blank) = (self.grid(), self.blank());
        let zone = move |pattern: Pattern| region(grid, blank, !pattern.mask());
        Symmetry::ALL.into_iter().filter(move |s| s.grid(grid) == grid).filter_map(move |s| {
            let tiles = self.tiles().map(|tile| s.cell(grid, tile));
            let image = Pattern::new(grid, blank, tiles).ok()?;
            (carried(s, self, zone(self)) == zone(image)).then_some((image, s))
        })
    }

    /// The one of [`Pattern::images`] whose table stands for all.
    pub fn representative(self) -> Pattern {
        let images = self.images().map(|(image, _)| image);
        images.min_by_key(|image| image.mask()).unwrap_or(self)
    }
}

/// The image of a set of cells.
fn carried(symmetry: Symmetry, pattern: Pattern, cells: u64) -> u64 {
    let grid = pattern.grid();
    let cells = (0..grid.cells()).filter(|&cell| cells & 1 << cell != 0);
    cells.fold(0, |image, cell| image | 1 << symmetry.cell(grid, cell))
}

#[cfg(test)]
mod tests {
    use crate::board::Grid;
    use crate::pdb::Partition;

    #[test]
    fn three_of_korf_and_felners_patterns_are_one() {
        let grid = Grid::new(5, 5).unwrap();
        let partition = Partition::parse("6-6-6-6", grid, 0).unwrap();
        let names: Vec<_> =
            partition.patterns().iter().map(|p| p.representative().to_string()).collect();
        assert_eq!(names, ["1,2,5,6,7,12", "2,3,4,7,8,9", "2,3,4,7,8,9", "2,3,4,7,8,9"]);
        // The first cuts the blank's corner off: only its mirror image does that too.
        assert_eq!(partition.patterns()[0].images().count(), 2);
        // A block of 2×3 in a corner, but not where the blank is wanted: 3 corners, 2 ways round.
        assert_eq!(partition.patterns()[1].images().count(), 6);
    }
}
