//! Patterns: the sets of tiles whose moves a table counts.

use std::fmt;

use super::index::MAX_PDB_CELLS;
use super::names;
use super::orders::MAX_PATTERN;
use crate::board::{Grid, GridError, Metric};

/// A set of tiles whose moves a table counts.
///
/// Tiles are named by their goal cells, so that one notation works for every goal. For the goal
/// with the blank first, these are the tiles' own numbers. A solver takes the numbers that are printed on
/// the tiles, whatever the goal, and translates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    grid: Grid,
    blank: u8,
    tiles: u64,
}

/// The reason why a pattern or partition is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The board has more than [`MAX_PDB_CELLS`] cells.
    #[error(
        "{} {grid} board is too large for pattern databases, which cover up to {MAX_PDB_CELLS} cells",
        grid.article()
    )]
    Grid {
        /// The board's size.
        grid: Grid,
    },
    /// The size in a header is not the size of a board.
    #[error(transparent)]
    Size(#[from] GridError),
    /// The blank's goal cell is outside the board.
    #[error("the blank's goal cell must be 0 to {} on {} {grid} board, not {blank}", grid.cells() - 1, grid.article())]
    Blank {
        /// The board's size.
        grid: Grid,
        /// The cell given for the blank.
        blank: usize,
    },
    /// The board does not have this tile.
    #[error("{} {grid} board whose blank belongs in cell {blank} has no tile {tile}: tiles are named by their goal cells, {}", grid.article(), cells(*grid, *blank))]
    Tile {
        /// The board's size.
        grid: Grid,
        /// The blank's goal cell.
        blank: usize,
        /// The tile given.
        tile: String,
    },
    /// The board has no tile with this number.
    #[error("{} {grid} board has no tile {tile}: its tiles are 1 to {}", grid.article(), grid.cells() - 1)]
    NoTile {
        /// The board's size.
        grid: Grid,
        /// The tile given.
        tile: String,
    },
    /// A tile is in two patterns, or twice in one.
    #[error("tile {tile} appears twice")]
    Repeated {
        /// The tile.
        tile: usize,
    },
    /// The pattern has no tile, or too many. With fewer than three cells for the rest, half of a pattern's
    /// states could not be reached.
    #[error("a pattern of {} {grid} board has 1 to {} tiles, not {found}", grid.article(), most(*grid))]
    Length {
        /// The board's size.
        grid: Grid,
        /// The number of tiles given.
        found: usize,
    },
    /// No partition of this size has the name.
    #[error(
        "{} {grid} board has no partition {name:?}: its partitions are {}lists of tiles such as 1,2,3/4,5,6",
        grid.article(), known(*grid)
    )]
    Unknown {
        /// The name given.
        name: String,
        /// The board's size.
        grid: Grid,
    },
}

/// The named partitions of a size, for the list in an error message.
fn known(grid: Grid) -> String {
    let names: String = names::of_size(grid, false).map(|(name, _)| format!("{name}, ")).collect();
    if names.is_empty() { names } else { names + "and " }
}

/// The most tiles that a pattern of a grid may have.
fn most(grid: Grid) -> usize {
    MAX_PATTERN.min(grid.cells() - 3)
}

/// The goal cells of tiles.
fn cells(grid: Grid, blank: usize) -> String {
    match (blank, grid.cells() - 1) {
        (0, last) => format!("1 to {last}"),
        (blank, last) if blank == last => format!("0 to {}", last - 1),
        (blank, last) => format!("0 to {last} without {blank}"),
    }
}

impl Pattern {
    /// The pattern of these tiles, named by their goal cells, for goals with the blank in cell
    /// `blank`.
    ///
    /// # Errors
    /// [`PatternError`] for cells outside the board, repeated tiles, or a number of tiles other
    /// than 1 to [`MAX_PATTERN`] or above the number of cells less 3.
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

    /// The name of the pattern's database file: size, blank's goal cell and tiles, as in
    /// `4x4-0-1.2.3.4.5.6.7.pdb`, or `4x4-0-1.2.3.4.5.6.7-multi.pdb` if it counts slides.
    pub fn file_name(self, metric: Metric) -> String {
        let tiles: Vec<_> = self.tiles().map(|t| t.to_string()).collect();
        let metric = match metric {
            Metric::Single => "",
            Metric::Multi => "-multi",
        };
        format!("{}-{}-{}{metric}.pdb", self.grid, self.blank, tiles.join("."))
    }
}

/// The tiles in ascending order, as in `1,2,3,4,5,6,7`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<_> = self.tiles().map(|t| t.to_string()).collect();
        f.write_str(&tiles.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_size_blank_and_tiles() {
        let pattern = Pattern::new(Grid::new(4, 3).unwrap(), 5, [11, 2, 7]).unwrap();
        assert_eq!(pattern.file_name(Metric::Single), "4x3-5-2.7.11.pdb");
        assert_eq!(pattern.file_name(Metric::Multi), "4x3-5-2.7.11-multi.pdb");
        assert_eq!(pattern.to_string(), "2,7,11");
    }
}
