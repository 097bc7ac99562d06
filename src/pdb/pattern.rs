use std::fmt;

use crate::board::{Grid, GridError};

/// The most cells a board with pattern databases may have: sets of cells are 64-bit masks.
pub const MAX_PDB_CELLS: usize = 64;

/// The most tiles a pattern may have.
pub const MAX_PATTERN: usize = 8;

/// A set of tiles whose moves a table counts.
///
/// Tiles are named by their goal cells, so that one notation serves every goal: for the
/// canonical goal with the blank first, these are the tiles' own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    grid: Grid,
    blank: u8,
    tiles: u64,
}

/// Disjoint patterns, whose tables' values may be added up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    patterns: Vec<Pattern>,
}

/// Why a pattern or partition is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// A board too large for masks of cells.
    #[error("pattern databases serve boards of up to 64 cells, not {grid}")]
    Grid {
        /// The board's size.
        grid: Grid,
    },
    /// A header's size is no board.
    #[error(transparent)]
    Size(#[from] GridError),
    /// A blank cell outside the board.
    #[error("the blank's goal cell must be 0 to {} on a {grid} board, not {blank}", grid.cells() - 1)]
    Blank {
        /// The board's size.
        grid: Grid,
        /// The cell given.
        blank: usize,
    },
    /// A tile that the board does not have.
    #[error("a {grid} board whose blank belongs in cell {blank} has no tile {tile}: tiles are named by their goal cells, 0 to {}", grid.cells() - 1)]
    Tile {
        /// The board's size.
        grid: Grid,
        /// The blank's goal cell.
        blank: usize,
        /// The tile given.
        tile: String,
    },
    /// A tile in two patterns, or twice in one.
    #[error("tile {tile} appears twice in the partition")]
    Repeated {
        /// The tile.
        tile: usize,
    },
    /// No tile at all, or too many. With fewer than three cells left for the rest, half of a
    /// pattern's states could not be reached.
    #[error("a pattern of a {grid} board has 1 to {} tiles, not {found}", most(*grid))]
    Length {
        /// The board's size.
        grid: Grid,
        /// How many there were.
        found: usize,
    },
    /// A name that no partition of this size has.
    #[error("there is no partition {name:?} of {grid}: write {}tile lists as in 1,2,3/4,5,6", known(*grid))]
    Unknown {
        /// The name as given.
        name: String,
        /// The board's size.
        grid: Grid,
    },
}

fn known(grid: Grid) -> String {
    let names: Vec<_> = Partition::names(grid).collect();
    if names.is_empty() { String::new() } else { format!("{}, or ", names.join(", ")) }
}

/// The most tiles a pattern of a grid may have.
fn most(grid: Grid) -> usize {
    MAX_PATTERN.min(grid.cells() - 3)
}

impl Pattern {
    /// The pattern of these tiles (goal cells) for the goal with its blank in cell `blank`.
    ///
    /// # Errors
    /// [`PatternError`] for cells outside the board, repeated tiles, or a number of tiles that
    /// is not 1 to [`MAX_PATTERN`] and at most the number of cells less 3.
    pub fn new(
        grid: Grid,
        blank: usize,
        tiles: impl IntoIterator<Item = usize>,
    ) -> Result<Pattern, PatternError> {
        if grid.cells() > MAX_PDB_CELLS {
            return Err(PatternError::Grid { grid });
        }
        if blank >= grid.cells() {
            return Err(PatternError::Blank { grid, blank });
        }
        let mut mask = 0u64;
        for tile in tiles {
            if tile >= grid.cells() || tile == blank {
                return Err(PatternError::Tile { grid, blank, tile: tile.to_string() });
            }
            if mask & 1 << tile != 0 {
                return Err(PatternError::Repeated { tile });
            }
            mask |= 1 << tile;
        }
        let found = mask.count_ones() as usize;
        if found == 0 || found > most(grid) {
            return Err(PatternError::Length { grid, found });
        }
        Ok(Pattern { grid, blank: blank as u8, tiles: mask })
    }

    /// The board's shape.
    pub fn grid(self) -> Grid {
        self.grid
    }

    /// The blank's goal cell.
    pub fn blank(self) -> usize {
        usize::from(self.blank)
    }

    /// The tiles, as a mask of their goal cells.
    pub fn mask(self) -> u64 {
        self.tiles
    }

    /// The tiles in ascending order.
    pub fn tiles(self) -> impl Iterator<Item = usize> {
        (0..MAX_PDB_CELLS).filter(move |&t| self.tiles & 1 << t != 0)
    }

    /// The number of tiles.
    #[allow(clippy::len_without_is_empty, reason = "a pattern is never empty")]
    pub fn len(self) -> usize {
        self.tiles.count_ones() as usize
    }

    /// The name of its database file: `4x4-0-1.2.3.4.5.6.7.pdb`, that is size, blank's goal
    /// cell, tiles.
    pub fn file_name(self) -> String {
        let tiles: Vec<_> = self.tiles().map(|t| t.to_string()).collect();
        format!("{}-{}-{}.pdb", self.grid, self.blank, tiles.join("."))
    }
}

/// `1,2,3,4,5,6,7`
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<_> = self.tiles().map(|t| t.to_string()).collect();
        f.write_str(&tiles.join(","))
    }
}

/// The named partitions: size, name, and the tiles in the blank-first numbering.
const NAMED: [(usize, usize, &str, &str); 9] = [
    (4, 4, "7-8", "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15"),
    (4, 4, "7-8b", "1,2,4,5,8,9,12/3,6,7,10,11,13,14,15"),
    (4, 4, "7-8c", "1,2,3,5,6,7,11/4,8,9,10,12,13,14,15"),
    (4, 4, "6-6-3", "1,2,4,5,8,9/3,6,7,10,11,15/12,13,14"),
    (4, 4, "5-5-5", "1,2,4,5,8/3,6,7,10,11/9,12,13,14,15"),
    (4, 4, "4-4-4-3", "2,3,6,7/8,9,12,13/10,11,14,15/1,4,5"),
    (3, 3, "4-4", "1,2,4,5/3,6,7,8"),
    (5, 5, "6-6-6-6", "1,5,6,10,11,12/2,3,4,7,8,9/13,14,18,19,23,24/15,16,17,20,21,22"),
    (5, 5, "7-7-7-3", "2,3,4,7,8,9,12/10,11,15,16,20,21,22/13,14,17,18,19,23,24/1,5,6"),
];

/// The named catalogues: size, name, and partitions in the blank-first numbering.
///
/// `small` is the catalogue of that name of Clausecker and Reinefeld; its first partition is Korf and
/// Felner's.
const CATALOGUES: [(usize, usize, &str, &[&str]); 1] = [(
    5,
    5,
    "small",
    &[
        "1,5,6,10,11,12/2,3,4,7,8,9/13,14,18,19,23,24/15,16,17,20,21,22",
        "1,2,5,6,10,11/3,4,7,8,9,12/13,14,18,19,23,24/15,16,17,20,21,22",
        "1,5,6,10,11,12/2,3,4,7,8,9/13,14,15,16,17,18/19,20,21,22,23,24",
        "1,2,5,6,10,11/3,4,7,8,9,12/13,14,15,16,17,18/19,20,21,22,23,24",
        "1,5,6,10,15,20/2,3,4,7,8,9/11,12,16,17,21,22/13,14,18,19,23,24",
        "1,2,5,6,10,11/3,4,9,14,19,24/7,8,12,13,18,23/15,16,17,20,21,22",
        "1,5,6,10,15,20/2,3,4,7,8,9/11,12,13,16,17,18/14,19,21,22,23,24",
    ],
)];

impl Partition {
    /// The names of the catalogues known for a size.
    pub fn catalogues(grid: Grid) -> impl Iterator<Item = &'static str> {
        CATALOGUES
            .into_iter()
            .filter(move |(w, h, ..)| (*w, *h) == (grid.width(), grid.height()))
            .map(|(_, _, name, _)| name)
    }

    /// The partitions of a catalogue, for goals with the blank first; `None` where there is no such
    /// catalogue for the size.
    pub fn catalogue(name: &str, grid: Grid) -> Option<Vec<Partition>> {
        let (.., lists) = CATALOGUES
            .into_iter()
            .find(|(w, h, known, _)| (*w, *h, *known) == (grid.width(), grid.height(), name))?;
        lists.iter().map(|lists| Partition::parse(lists, grid, 0).ok()).collect()
    }

    /// The names known for a size.
    pub fn names(grid: Grid) -> impl Iterator<Item = &'static str> {
        NAMED
            .into_iter()
            .filter(move |(w, h, ..)| (*w, *h) == (grid.width(), grid.height()))
            .map(|(_, _, name, _)| name)
    }

    /// A partition by name, or as lists of tiles: `1,2,3/4,5`.
    ///
    /// Where the blank's goal cell is not 0, the tiles of a *named* partition are shifted to
    /// make room: the cells before the blank's take the numbers of those after it.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn parse(text: &str, grid: Grid, blank: usize) -> Result<Partition, PatternError> {
        let named = NAMED
            .into_iter()
            .find(|(w, h, name, _)| (*w, *h, *name) == (grid.width(), grid.height(), text.trim()));
        let lists = match named {
            Some((.., lists)) => lists,
            None if text.contains([',', '/']) => text,
            None => return Err(PatternError::Unknown { name: text.to_owned(), grid }),
        };
        let patterns = lists
            .split('/')
            .map(|list| {
                let tiles = list
                    .split(',')
                    .map(|tile| {
                        let tile = tile.trim();
                        tile.parse::<usize>().map_err(|_| PatternError::Tile {
                            grid,
                            blank,
                            tile: format!("{tile:?}"),
                        })
                    })
                    .map(|tile| tile.map(|t| if named.is_some() && t <= blank { t - 1 } else { t }))
                    .collect::<Result<Vec<_>, _>>()?;
                Pattern::new(grid, blank, tiles)
            })
            .collect::<Result<_, _>>()?;
        Partition::new(patterns)
    }

    /// A partition of these patterns.
    ///
    /// # Errors
    /// [`PatternError::Repeated`] where two patterns share a tile.
    ///
    /// # Panics
    /// Where there is no pattern, or the patterns are of different boards.
    pub fn new(patterns: Vec<Pattern>) -> Result<Partition, PatternError> {
        let first = patterns.first().expect("a partition has patterns");
        let mut seen = 0;
        for pattern in &patterns {
            assert_eq!((pattern.grid, pattern.blank), (first.grid, first.blank));
            let both = seen & pattern.tiles;
            if both != 0 {
                return Err(PatternError::Repeated { tile: both.trailing_zeros() as usize });
            }
            seen |= pattern.tiles;
        }
        Ok(Partition { patterns })
    }

    /// The patterns in the order given.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The board's shape.
    pub fn grid(&self) -> Grid {
        self.patterns[0].grid
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> usize {
        self.patterns[0].blank()
    }
}

/// Tile lists parted by slashes, as [`Partition::parse`] reads them.
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
    fn named_partitions_cover_all_tiles_of_any_goal() {
        for (w, h, name, _) in NAMED {
            let grid = Grid::new(w, h).unwrap();
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
    fn nonsense_is_named() {
        let grid = Grid::new(4, 4).unwrap();
        let error = |text: &str| Partition::parse(text, grid, 0).unwrap_err().to_string();
        assert!(error("7-9").contains("7-8, 7-8b, 7-8c, 6-6-3, 5-5-5, 4-4-4-3"));
        assert!(error("1,2,0").contains("no tile 0"));
        assert!(error("1,2,16").contains("no tile 16"));
        assert!(error("1,x").contains("no tile \"x\""));
        assert!(error("1,2/2,3").contains("tile 2 appears twice"));
        assert!(error("1,1").contains("tile 1 appears twice"));
        assert!(error("1,2,3,4,5,6,7,8,9").contains("1 to 8"));
        assert!(error("1,2//3").contains("no tile \"\""));
        assert!(Partition::parse("1,2", grid, 16).is_err());
        let small = Partition::parse("1,2,3,4", Grid::new(3, 2).unwrap(), 0);
        assert!(small.unwrap_err().to_string().contains("1 to 3"));
        assert!(Pattern::new(Grid::new(9, 8).unwrap(), 0, [1]).is_err());
    }
}
