//! Partitions: disjoint patterns, by name or as lists of tiles, and catalogues of them.

use std::fmt;

use super::names;
use super::pattern::{Pattern, PatternError};
use crate::board::Grid;

/// Disjoint patterns.
///
/// As no tile is in two of them, the values of their tables count different moves, and their sum
/// never exceeds the length of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    patterns: Vec<Pattern>,
}

impl Partition {
    /// The names of the catalogues of a size.
    pub fn catalogues(grid: Grid) -> impl Iterator<Item = &'static str> {
        names::of_size(grid, true).map(|(name, _)| name)
    }

    /// The partitions of a catalogue, for goals with the blank first, or `None` when the size has
    /// no catalogue of that name.
    pub fn catalogue(name: &str, grid: Grid) -> Option<Vec<Partition>> {
        let (_, lists) = names::of_size(grid, true).find(|(known, _)| *known == name)?;
        lists.split(' ').map(|lists| Partition::parse(lists, grid, 0).ok()).collect()
    }

    /// The names of the named partitions of a size.
    pub fn names(grid: Grid) -> impl Iterator<Item = &'static str> {
        names::of_size(grid, false).map(|(name, _)| name)
    }

    /// The partition that `pdb-gen suggest` found for a goal, which is better than the tiles in reading order; `None`
    /// where there is none. The grid and the cell are taken as they are, not in canonical form.
    pub fn suggested(grid: Grid, blank: usize) -> Option<Partition> {
        Partition::parse(names::suggested(grid, blank)?, grid, blank).ok()
    }

    /// Returns whether a text gives a partition by lists of tiles, not by a name. A number alone is a list.
    pub fn is_lists(text: &str) -> bool {
        let number = text.trim();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number || text.contains([',', '/'])
    }

    /// Parses a partition: a name, or lists of tiles such as `1,2,3/4,5`.
    ///
    /// The tiles of a list are named by their goal cells. The tiles of a *named* partition are given for
    /// goals with the blank first; for another goal, the tiles up to the blank's goal cell are numbered one
    /// lower, so that this cell is left free.
    ///
    /// # Errors
    /// [`PatternError`] for an unknown name, and for tiles that make no pattern or no partition.
    pub fn parse(text: &str, grid: Grid, blank: usize) -> Result<Partition, PatternError> {
        let named = names::of_size(grid, false).find(|(name, _)| *name == text.trim());
        let lists = match named {
            Some((_, lists)) => lists,
            None if Partition::is_lists(text) => text,
            None => return Err(PatternError::Unknown { name: text.to_owned(), grid }),
        };
        let tile = |text: &str| match text.trim().parse::<usize>() {
            Ok(tile) if named.is_some() && tile <= blank => Ok(tile - 1),
            Ok(tile) => Ok(tile),
            Err(_) => Err(PatternError::Tile { grid, blank, tile: format!("{:?}", text.trim()) }),
        };
        let pattern = |list: &str| {
            let tiles = list.split(',').map(tile).collect::<Result<Vec<_>, _>>()?;
            Pattern::new(grid, blank, tiles)
        };
        Partition::new(lists.split('/').map(pattern).collect::<Result<_, _>>()?)
    }

    /// The partition into these patterns. They need not hold all tiles of the board.
    ///
    /// # Errors
    /// [`PatternError::Repeated`] when two patterns share a tile.
    ///
    /// # Panics
    /// When there is no pattern, or the patterns are for different boards or goals.
    pub fn new(patterns: Vec<Pattern>) -> Result<Partition, PatternError> {
        let first = patterns.first().expect("a partition has patterns");
        let mut seen = 0;
        for pattern in &patterns {
            assert_eq!((pattern.grid(), pattern.blank()), (first.grid(), first.blank()));
            let both = seen & pattern.mask();
            if both != 0 {
                return Err(PatternError::Repeated { tile: both.trailing_zeros() as usize });
            }
            seen |= pattern.mask();
        }
        Ok(Partition { patterns })
    }

    /// The patterns in the order given.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The board's shape.
    pub fn grid(&self) -> Grid {
        self.patterns[0].grid()
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> usize {
        self.patterns[0].blank()
    }
}

/// Lists of tiles separated by slashes, as [`Partition::parse`] reads them.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists: Vec<_> = self.patterns.iter().map(|p| p.to_string()).collect();
        f.write_str(&lists.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn named_partitions_cover_all_tiles_of_any_goal() {
        let grids = [(3, 3), (4, 4), (5, 5)].map(|(w, h)| Grid::new(w, h).unwrap());
        let named = |&grid: &Grid| Partition::names(grid).map(move |name| (grid, name));
        assert_eq!(grids.iter().flat_map(named).count(), 9);
        for (grid, name) in grids.iter().flat_map(named) {
            for blank in 0..grid.cells() {
                let partition = Partition::parse(name, grid, blank).unwrap();
                let all: u64 = partition.patterns().iter().map(|p| p.mask()).sum();
                assert_eq!(all, (1 << grid.cells()) - 1 - (1 << blank), "{name} blank {blank}");
                let again = Partition::parse(&partition.to_string(), grid, blank);
                assert_eq!(again, Ok(partition));
            }
        }
    }

    #[test]
    fn catalogues_hold_all_tiles_in_eleven_shapes() {
        let grid = Grid::new(5, 5).unwrap();
        let catalogue = Partition::catalogue("small", grid).unwrap();
        assert_eq!(catalogue[0], Partition::parse("6-6-6-6", grid, 0).unwrap());
        let mut shapes = std::collections::BTreeSet::new();
        for partition in &catalogue {
            let all: u64 = partition.patterns().iter().map(|p| p.mask()).sum();
            assert_eq!(all, (1 << 25) - 2, "{partition}");
            shapes.extend(partition.patterns().iter().map(|p| p.representative()));
        }
        assert_eq!((catalogue.len(), shapes.len()), (7, 11));
        assert_eq!(Partition::catalogues(grid).collect::<Vec<_>>(), ["small"]);
        assert!(Partition::catalogue("large", grid).is_none());
        assert!(Partition::catalogue("small", Grid::new(4, 4).unwrap()).is_none());
    }

    #[test]
    fn suggested_partitions_hold_all_tiles_of_their_goal() {
        let mut count = 0;
        for (width, height) in (2..=12).flat_map(|w| (2..=w).map(move |h| (w, h))) {
            let grid = Grid::new(width, height).unwrap();
            for blank in (0..grid.cells()).filter(|_| grid.cells() <= 24) {
                let Some(partition) = Partition::suggested(grid, blank) else { continue };
                let all: u64 = partition.patterns().iter().map(|p| p.mask()).sum();
                assert_eq!(all, (1 << grid.cells()) - 1 - (1 << blank), "{partition}");
                count += 1;
            }
        }
        assert_eq!(count, names::SUGGESTED.len());
    }

    #[test]
    fn a_tile_alone_is_a_partition() {
        let grid = Grid::new(4, 4).unwrap();
        assert!(Pattern::new(grid, 0, []).is_err());
        let alone = Partition::new(vec![Pattern::new(grid, 0, [15]).unwrap()]).unwrap();
        assert_eq!(Partition::parse(&alone.to_string(), grid, 0), Ok(alone));
    }
}
