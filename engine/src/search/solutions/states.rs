//! Boards of up to 25 cells as numbers.

use crate::board::{Grid, Move};

/// The most cells of a board.
pub(crate) const MAX_CELLS: usize = 25;

/// A board whose tiles are not told apart within a class: five bits for each cell, the class of its tile.
/// On an ordinary board each tile is a class.
pub(crate) type PackedState = u128;

const _: () = assert!(5 * MAX_CELLS <= PackedState::BITS as usize);

/// The class of the blank in a state.
pub(crate) const EMPTY: u8 = 31;

/// The cells of each class, as bits.
pub(crate) type Masks = [u32; 32];

/// A class in a cell.
pub(crate) fn in_cell(class: u8, cell: usize) -> PackedState {
    PackedState::from(class) << (5 * cell)
}

/// The state with these classes, cell by cell.
pub(crate) fn state(classes: impl Iterator<Item = u8>) -> PackedState {
    classes.enumerate().fold(0, |state, (cell, class)| state | in_cell(class, cell))
}

/// The states of the boards of a size, and the moves between them.
pub(crate) struct States {
    grid: Grid,
    /// The moves that take a tile into a blank in each cell, with the tile's cell.
    moves: Vec<Vec<(Move, usize)>>,
}

impl States {
    /// # Panics
    /// If the grid has more than [`MAX_CELLS`] cells.
    pub fn new(grid: Grid) -> States {
        let cells = grid.cells();
        assert!(cells <= MAX_CELLS, "a board of {cells} cells is too large");
        let moves = (0..cells).map(|blank| {
            let moves = Move::ALL.into_iter();
            moves.filter_map(|m| Some((m, grid.source(blank, m)?))).collect()
        });
        States { grid, moves: moves.collect() }
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The cells of each class, and the blank's.
    pub fn masks(&self, state: PackedState) -> (Masks, usize) {
        let mut masks = [0; 32];
        let mut cells = state;
        for cell in 0..self.grid.cells() {
            masks[(cells & 31) as usize] |= 1 << cell;
            cells >>= 5;
        }
        (masks, masks[usize::from(EMPTY)].trailing_zeros() as usize)
    }

    pub fn blank(&self, state: PackedState) -> usize {
        self.masks(state).1
    }

    /// The moves of a state with the blank in a cell: the move, the tile's class and cell, and the child.
    #[inline]
    pub fn children(
        &self,
        state: PackedState,
        blank: usize,
    ) -> impl Iterator<Item = (Move, u8, usize, PackedState)> + '_ {
        self.moves[blank].iter().map(move |&(m, from)| {
            let class = (state >> (5 * from)) as u8 & 31;
            let change = class ^ EMPTY;
            (m, class, from, state ^ in_cell(change, from) ^ in_cell(change, blank))
        })
    }

    /// The state after a move, and the blank's cell; `None` if the move leaves the board.
    pub fn after(&self, state: PackedState, blank: usize, m: Move) -> Option<(PackedState, usize)> {
        let mut children = self.children(state, blank);
        children.find_map(|(of, _, from, child)| (of == m).then_some((child, from)))
    }
}
