//! Patterns that share a table by a symmetry of the board.
//!
//! A symmetry carries a pattern to another one, and the moves of one to moves of the other. The
//! goal is carried along except for the blank, which has its own goal cell under each pattern. But a
//! zone-aware table knows only the zone of the blank. So the two tables hold the same numbers if the
//! symmetry carries the zone of the blank's goal cell under the one pattern to its zone under the other.

use super::index::Flood;
use super::pattern::Pattern;
use crate::board::Symmetry;

impl Pattern {
    /// The patterns that share this one's table, including itself, each with the symmetry that
    /// carries this pattern's cells and tiles to it.
    pub fn images(self) -> impl Iterator<Item = (Pattern, Symmetry)> {
        let (grid, blank) = (self.grid(), self.blank());
        Symmetry::ALL.into_iter().filter(move |s| s.grid(grid) == grid).filter_map(move |s| {
            let tiles = self.tiles().map(|tile| s.cell(grid, tile));
            let image = Pattern::new(grid, blank, tiles).ok()?;
            self.shares_table(image, s).then_some((image, s))
        })
    }

    /// The cells that the blank of the goal reaches while the pattern's tiles stay.
    fn blank_zone(self) -> u64 {
        let flood = Flood::new(self.grid().width(), self.grid().height());
        flood.region(self.blank() as u32, flood.all & !self.mask())
    }

    /// Returns whether a symmetry carries this pattern, and the zone of its goal's blank, to another pattern
    /// and its zone. The other pattern's table then holds the numbers of this one, even if the blanks of the
    /// goals are in different cells of the zone.
    pub(crate) fn shares_table(self, other: Pattern, symmetry: Symmetry) -> bool {
        let grid = self.grid();
        symmetry.grid(grid) == other.grid()
            && symmetry.cells(grid, self.mask()) == other.mask()
            && symmetry.cells(grid, self.blank_zone()) == other.blank_zone()
    }

    /// The one of [`Pattern::images`] whose table is used for all of them.
    pub fn representative(self) -> Pattern {
        let images = self.images().map(|(image, _)| image);
        images.min_by_key(|image| image.mask()).unwrap_or(self)
    }
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
        // The first cuts the blank's corner off, as does only its mirror image.
        assert_eq!(partition.patterns()[0].images().count(), 2);
        // A block of 2×3 in a corner other than the blank's: 3 corners, 2 orientations.
        assert_eq!(partition.patterns()[1].images().count(), 6);
    }
}
