use std::borrow::Cow;
use std::fmt;

use super::{Grid, Move, Moves};

/// A board: the tile in each cell, in reading order, 0 for the blank.
///
/// Boards are ordered by their shape, then by their tiles.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    grid: Grid,
    tiles: Box<[u8]>,
    blank: usize,
}

/// Why a list of numbers is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Too few or too many numbers for the size.
    #[error("{} {grid} board has {} cells, but {found} were given", grid.article(), grid.cells())]
    Count {
        /// The size the board was to have.
        grid: Grid,
        /// The number of numbers given.
        found: usize,
    },
    /// A number that no tile of this size has.
    #[error("there is no tile {tile} on {} {grid} board: its tiles are 1 to {}, and 0 is the blank", grid.article(), grid.cells() - 1)]
    NoSuchTile {
        /// The size.
        grid: Grid,
        /// The number found.
        tile: u64,
    },
    /// A tile twice, and so another one not at all.
    #[error("{} appears twice, and {} is missing", name(*twice), name(*missing))]
    Repeated {
        /// The tile that appears more than once (0: the blank).
        twice: u8,
        /// The lowest tile that does not appear (0: the blank).
        missing: u8,
    },
}

/// A move that would take a tile from beyond the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("move {place}, {m}, is not possible: the blank is at the border")]
pub struct BlockedMove {
    /// The place of the move in its path, from 1.
    pub place: usize,
    /// The move.
    pub m: Move,
}

fn name(tile: u8) -> String {
    if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") }
}

impl Board {
    /// The board with these tiles in reading order.
    ///
    /// # Errors
    /// [`BoardError`] unless each of `0..grid.cells()` appears exactly once.
    pub fn new(grid: Grid, tiles: &[u8]) -> Result<Board, BoardError> {
        if tiles.len() != grid.cells() {
            return Err(BoardError::Count { grid, found: tiles.len() });
        }
        let mut seen = [false; super::MAX_CELLS];
        let mut twice = None;
        for &tile in tiles {
            if usize::from(tile) >= grid.cells() {
                return Err(BoardError::NoSuchTile { grid, tile: tile.into() });
            }
            if std::mem::replace(&mut seen[usize::from(tile)], true) {
                twice = twice.or(Some(tile));
            }
        }
        let missing = seen[..grid.cells()].iter().position(|&s| !s);
        match twice.zip(missing) {
            Some((twice, missing)) => Err(BoardError::Repeated { twice, missing: missing as u8 }),
            None => Ok(Board::from_permutation(grid, tiles.into())),
        }
    }

    /// The board with tiles already known to be a permutation.
    ///
    /// # Panics
    /// If no tile is 0. Another fault gives a board that methods may panic on.
    pub fn from_permutation(grid: Grid, tiles: Box<[u8]>) -> Board {
        let blank = tiles.iter().position(|&t| t == 0).expect("a permutation has a blank");
        Board { grid, tiles, blank }
    }

    /// The shape of the board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The tiles in reading order, 0 being the blank.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The blank's cell.
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// Makes a move; returns `false`, and changes nothing, if the border blocks it.
    pub fn apply(&mut self, m: Move) -> bool {
        let Some(from) = self.grid.source(self.blank, m) else { return false };
        self.tiles.swap(self.blank, from);
        self.blank = from;
        true
    }

    /// The moves that the border does not block.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        let (grid, blank) = (self.grid, self.blank);
        Move::ALL.into_iter().filter(move |&m| grid.source(blank, m).is_some())
    }

    /// The board after all moves of a path.
    ///
    /// # Errors
    /// [`BlockedMove`] with the first move that the border blocks.
    pub fn after(&self, path: &Moves) -> Result<Board, BlockedMove> {
        let mut board = self.clone();
        for (m, place) in path.iter().zip(1..) {
            if !board.apply(m) {
                return Err(BlockedMove { place, m });
            }
        }
        Ok(board)
    }
}

/// Rows separated by slashes: `5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12`. The alternate form
/// (`{:#}`) is the right-aligned grid, one row per line, the blank a dot.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |&tile: &u8| match tile {
            0 if f.alternate() => ".".into(),
            tile => tile.to_string().into(),
        };
        let words: Vec<_> = self.tiles.iter().map(word).collect();
        rows(f, self.grid, &words)
    }
}

/// Writes words as the rows of a grid: separated by slashes, or in the alternate form right-aligned, one row
/// a line.
pub(super) fn rows(f: &mut fmt::Formatter<'_>, grid: Grid, words: &[Cow<'_, str>]) -> fmt::Result {
    let width = |word: &Cow<'_, str>| word.chars().count();
    let wide = if f.alternate() { words.iter().map(width).max().unwrap_or(0) } else { 0 };
    for (number, row) in words.chunks(grid.width()).enumerate() {
        if number > 0 {
            f.write_str(if f.alternate() { "\n" } else { " / " })?;
        }
        for (column, word) in row.iter().enumerate() {
            let gap = if column > 0 { " " } else { "" };
            write!(f, "{gap}{word:>wide$}")?;
        }
    }
    Ok(())
}

#[cfg(feature = "serde")]
crate::serde_as_text!(Board);

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    fn grid() -> Grid {
        Grid::new(3, 2).unwrap()
    }

    #[test]
    fn only_permutations_are_boards() {
        let text = |tiles: &[u8]| Board::new(grid(), tiles).unwrap_err().to_string();
        assert_eq!(text(&[1, 2, 3]), "a 3x2 board has 6 cells, but 3 were given");
        assert_eq!(text(&[1, 2, 3, 1, 4, 0]), "tile 1 appears twice, and tile 5 is missing");
        assert_eq!(text(&[0, 2, 3, 1, 4, 0]), "the blank appears twice, and tile 5 is missing");
        assert_eq!(text(&[5, 2, 3, 1, 4, 2]), "tile 2 appears twice, and the blank is missing");
        assert!(text(&[1, 2, 3, 4, 5, 6]).contains("no tile 6"));
    }

    #[test]
    fn boards_are_ordered_by_shape_and_tiles() {
        let board = |text: &str| text.parse::<Board>().unwrap();
        let [wide, next] = ["0 1 2 / 3 4 5", "1 0 2 / 3 4 5"].map(board);
        let tall = board("5 4 / 3 2 / 1 0");
        assert!(tall < wide && wide < next);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn boards_are_serialised_as_text() {
        let board: Board = "1 2 3 / 4 0 5".parse().unwrap();
        let text = serde_json::to_string(&board).unwrap();
        assert_eq!(text, "\"1 2 3 / 4 0 5\"");
        assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), board);
        assert_eq!(serde_json::to_string(&super::super::Goal::from(board)).unwrap(), text);
        assert!(serde_json::from_str::<Board>("\"1 2 3 / 4 4 0\"").is_err());
    }

    #[test]
    fn a_move_is_undone_by_its_opposite() {
        let start = Board::new(grid(), &[1, 0, 2, 3, 4, 5]).unwrap();
        let mut board = start.clone();
        assert!(!board.apply(Move::Down));
        assert!(board.apply(Move::Up));
        assert_eq!(board.to_string(), "1 4 2 / 3 0 5");
        assert!(board.apply(Move::Down));
        assert_eq!(board, start);
        assert_eq!(board.moves().collect::<Vec<_>>(), [Move::Up, Move::Right, Move::Left]);
        assert!(
            board.is_goal(&board.clone().into())
                && !board.is_goal(&Goal::named("snake", grid()).unwrap())
        );
        let blocked = BlockedMove { place: 2, m: Move::Down };
        assert_eq!(start.after(&"LD".parse().unwrap()), Err(blocked));
        assert_eq!(format!("{start:#}"), "1 . 2\n3 4 5");
    }
}
