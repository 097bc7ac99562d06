use std::fmt;
use std::str::FromStr;

use super::Move;

/// The most cells a board may have: 255 tiles and the blank.
pub const MAX_CELLS: usize = 256;

/// The shape of a board: `width` × `height` cells, numbered in reading order from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    width: u8,
    height: u8,
}

/// The reason why a size is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side shorter than two cells, or more than [`MAX_CELLS`] cells in all.
    #[error(
        "{} {width}x{height} board is out of range: both sides must be at least 2, and there may be at most 256 cells",
        article(*width)
    )]
    OutOfRange {
        /// The width asked for.
        width: usize,
        /// The height asked for.
        height: usize,
    },
    /// Text that is not `WIDTHxHEIGHT`.
    #[error("{text:?} is not a board size: write WIDTHxHEIGHT, as in 4x4")]
    Syntax {
        /// The text as it was given.
        text: String,
    },
}

/// The article before a number in words: "an" before eight, eleven and eighteen.
fn article(number: usize) -> &'static str {
    let is_vowel = matches!(number, 8 | 11 | 18 | 80..=89 | 800..=899);
    if is_vowel { "an" } else { "a" }
}

impl Grid {
    /// A grid of `width` columns and `height` rows.
    ///
    /// # Errors
    /// [`GridError::OutOfRange`] unless both sides are at least 2 and there are at most
    /// [`MAX_CELLS`] cells.
    pub const fn new(width: usize, height: usize) -> Result<Grid, GridError> {
        // Each side is bounded first, so that the product cannot overflow.
        if width < 2 || height < 2 || width > 128 || height > 128 || width * height > MAX_CELLS {
            return Err(GridError::OutOfRange { width, height });
        }
        Ok(Grid { width: width as u8, height: height as u8 })
    }

    /// The square grid of this many cells, if there is one.
    pub fn square(cells: usize) -> Option<Grid> {
        let side = cells.isqrt();
        if side * side == cells { Grid::new(side, side).ok() } else { None }
    }

    /// Columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Cells, the blank's included.
    pub const fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// The article before the size in a message.
    pub fn article(self) -> &'static str {
        article(self.width())
    }

    /// The row of a cell, from 0 at the top.
    pub const fn row(self, cell: usize) -> usize {
        cell / self.width()
    }

    /// The column of a cell, from 0 at the left.
    pub const fn column(self, cell: usize) -> usize {
        cell % self.width()
    }

    /// The cells column by column.
    pub fn by_columns(self) -> impl Iterator<Item = usize> {
        (0..self.width()).flat_map(move |column| (column..self.cells()).step_by(self.width()))
    }

    /// Steps between two cells along rows and columns.
    pub const fn distance(self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.column(a).abs_diff(self.column(b))
    }

    /// The cell of the tile that move `m` takes into the blank at `blank`; `None` at the border.
    pub const fn source(self, blank: usize, m: Move) -> Option<usize> {
        let (row, column) = (self.row(blank), self.column(blank));
        match m {
            Move::Up if row + 1 < self.height() => Some(blank + self.width()),
            Move::Down if row > 0 => Some(blank - self.width()),
            Move::Left if column + 1 < self.width() => Some(blank + 1),
            Move::Right if column > 0 => Some(blank - 1),
            _ => None,
        }
    }

    /// Returns whether a goal with the blank in cell `blank` is its own mirror image along the main
    /// diagonal: the grid is square, and the cell lies on it.
    pub const fn is_mirrored(self, blank: usize) -> bool {
        self.width() == self.height() && self.row(blank) == self.column(blank)
    }

    /// The cells next to `cell`.
    pub fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        Move::ALL.into_iter().filter_map(move |m| self.source(cell, m))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// `5x3` has five columns and three rows; `4` is `4x4`.
impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Grid, GridError> {
        let syntax = || GridError::Syntax { text: text.to_owned() };
        let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let side = |s: &str| s.trim().parse::<usize>().map_err(|_| syntax());
        Grid::new(side(width)?, side(height)?)
    }
}

/// One of the eight symmetries of the rectangle: first an optional transposition, which swaps
/// width and height, then optional reflections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Rows become columns.
    pub transpose: bool,
    /// Then left and right are swapped.
    pub flip_columns: bool,
    /// Then top and bottom are swapped.
    pub flip_rows: bool,
}

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry::ALL[0];

    /// Mirrors along the main diagonal.
    pub const TRANSPOSE: Symmetry = Symmetry::ALL[4];

    /// All eight; the first four keep the shape of a grid that is not square.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { transpose: false, flip_columns: false, flip_rows: false }; 8];
        let mut i = 0;
        while i < 8 {
            (all[i].flip_columns, all[i].flip_rows) = (i & 1 != 0, i & 2 != 0);
            all[i].transpose = i & 4 != 0;
            i += 1;
        }
        all
    };

    /// The grid that `grid` becomes.
    pub const fn grid(self, grid: Grid) -> Grid {
        if self.transpose { Grid { width: grid.height, height: grid.width } } else { grid }
    }

    /// The image of a cell of `grid`, a cell of [`Symmetry::grid`].
    pub const fn cell(self, grid: Grid, cell: usize) -> usize {
        let (mut row, mut column) = (grid.row(cell), grid.column(cell));
        if self.transpose {
            (row, column) = (column, row);
        }
        let image = self.grid(grid);
        if self.flip_columns {
            column = image.width() - 1 - column;
        }
        if self.flip_rows {
            row = image.height() - 1 - row;
        }
        row * image.width() + column
    }

    /// The image of a set of cells of a grid of up to 64 cells.
    pub(crate) fn cells(self, grid: Grid, mut cells: u64) -> u64 {
        let mut image = 0;
        while cells != 0 {
            image |= 1 << self.cell(grid, cells.trailing_zeros() as usize);
            cells &= cells - 1;
        }
        image
    }

    /// The move with this image.
    pub(crate) fn original_move(self, image: Move) -> Move {
        let m = match image {
            Move::Left | Move::Right if self.flip_columns => image.opposite(),
            Move::Up | Move::Down if self.flip_rows => image.opposite(),
            _ => image,
        };
        if self.transpose { m.transposed() } else { m }
    }
}

/// Labels mirrored along the main diagonal of a square grid: tiles and cells transposed.
///
/// Only meaningful where the blank's goal cell is on that diagonal.
pub fn transposed(grid: Grid, labels: &[u8]) -> Box<[u8]> {
    let mut image = vec![0; labels.len()].into_boxed_slice();
    for (cell, &label) in labels.iter().enumerate() {
        image[Symmetry::TRANSPOSE.cell(grid, cell)] =
            Symmetry::TRANSPOSE.cell(grid, usize::from(label)) as u8;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bounded() {
        assert!(Grid::new(16, 16).is_ok());
        assert!(Grid::new(128, 2).is_ok());
        for (w, h) in [(1, 5), (5, 1), (0, 0), (16, 17), (129, 2), (usize::MAX, usize::MAX)] {
            assert!(Grid::new(w, h).is_err(), "{w}x{h}");
        }
        assert_eq!("5x3".parse(), Grid::new(5, 3));
        assert_eq!("4".parse(), Grid::new(4, 4));
        for text in ["", "1", "4x", "x4", "4x4x4", "-4x4", "axb", "99999999999999999999x2"] {
            assert!(text.parse::<Grid>().is_err(), "{text}");
        }
    }

    #[test]
    fn symmetries_are_bijections_that_commute_with_moves() {
        for grid in [Grid::new(4, 4).unwrap(), Grid::new(5, 3).unwrap()] {
            for s in Symmetry::ALL {
                let image = s.grid(grid);
                let mut seen = vec![false; grid.cells()];
                for cell in 0..grid.cells() {
                    let there = s.cell(grid, cell);
                    assert!(!std::mem::replace(&mut seen[there], true));
                    for m in Move::ALL {
                        assert_eq!(
                            grid.source(cell, s.original_move(m)).map(|c| s.cell(grid, c)),
                            image.source(there, m),
                            "{grid} {s:?} cell {cell} {m}"
                        );
                    }
                }
            }
        }
    }
}
