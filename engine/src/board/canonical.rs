//! The canonical form of goals: every goal is a relabelling of a canonical one.
//!
//! 1. Label each tile by its goal *cell*, and the blank by its own goal cell. Every goal then reads
//!    0, 1, 2, …: a position is a permutation of cells, the goal is the identity, and the blank's
//!    goal cell is the only difference between goals.
//! 2. Reflect, rotate and transpose so that the blank's goal cell is the least it can be, on a
//!    grid at least as wide as high. All four corners become cell 0, so all corner goals share
//!    their databases.

use super::{Board, Goal, Grid, Moves, Position, PositionError, Symmetry};

/// The canonical form of a goal: carries boards to it and paths back.
#[derive(Clone, Debug)]
pub struct Canonical {
    goal: Goal,
    symmetry: Symmetry,
    /// The canonical label of each tile, by tile number.
    label: Box<[u8]>,
}

impl Canonical {
    /// The canonical form of a goal.
    pub fn of(goal: &Goal) -> Canonical {
        let from = goal.board().grid();
        let blank = goal.board().blank();
        let symmetry = Symmetry::ALL
            .into_iter()
            .filter(|s| s.grid(from).width() >= s.grid(from).height())
            .min_by_key(|s| s.cell(from, blank))
            .expect("one of the two orientations is at least as wide as high");
        let mut label = vec![0; from.cells()].into_boxed_slice();
        for (cell, &tile) in goal.board().tiles().iter().enumerate() {
            label[usize::from(tile)] = symmetry.cell(from, cell) as u8;
        }
        Canonical { goal: goal.clone(), symmetry, label }
    }

    /// The goal whose canonical form this is.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The grid of the canonical form: at least as wide as high.
    pub fn grid(&self) -> Grid {
        self.symmetry.grid(self.goal.board().grid())
    }

    /// The blank's goal cell on that grid.
    pub fn goal_blank(&self) -> usize {
        self.symmetry.cell(self.goal.board().grid(), self.goal.board().blank())
    }

    /// A board as a position of the canonical goal.
    ///
    /// # Errors
    /// [`PositionError::Size`] for a board of another size than the goal;
    /// [`PositionError::Unsolvable`] for one from which moves cannot reach the goal.
    pub fn position(&self, board: &Board) -> Result<Position, PositionError> {
        let from = self.goal.board().grid();
        if board.grid() != from {
            return Err(PositionError::Size { goal: from, board: board.grid() });
        }
        let solvability = self.goal.solvability(board);
        if !solvability.is_solvable() {
            return Err(PositionError::Unsolvable(solvability));
        }
        Ok(Position::from_labels(self.grid(), self.goal_blank(), self.labels(board)))
    }

    /// The labels of a board, whether or not moves can reach the goal.
    ///
    /// # Panics
    /// If the board has another size than the goal.
    pub fn labels(&self, board: &Board) -> Box<[u8]> {
        let from = self.goal.board().grid();
        assert_eq!(board.grid(), from, "board and goal differ in size");
        let mut labels = vec![0; from.cells()].into_boxed_slice();
        for (cell, &tile) in board.tiles().iter().enumerate() {
            labels[self.symmetry.cell(from, cell)] = self.label[usize::from(tile)];
        }
        labels
    }

    /// The label of a tile, or of the blank for 0; `None` if the goal has no such tile.
    pub fn label(&self, tile: u8) -> Option<u8> {
        self.label.get(usize::from(tile)).copied()
    }

    /// The tile with a label, 0 for the blank; `None` if no tile has it.
    pub fn tile(&self, label: u8) -> Option<u8> {
        self.label.iter().position(|&l| l == label).map(|tile| tile as u8)
    }

    /// A path on the canonical grid as a path on the goal's own grid.
    pub fn path_back(&self, path: &Moves) -> Moves {
        path.iter().map(|m| self.symmetry.original_move(m)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_becomes_the_identity_and_paths_come_back() {
        for (w, h) in [(4, 4), (3, 5), (5, 3), (2, 4)] {
            let grid = Grid::new(w, h).unwrap();
            for blank in 0..grid.cells() {
                let mut tiles: Vec<u8> = (1..grid.cells() as u8).rev().collect();
                tiles.insert(blank, 0);
                let goal = Goal::from(Board::new(grid, &tiles).unwrap());
                let canonical = Canonical::of(&goal);
                let mut position = canonical.position(goal.board()).unwrap();
                assert_eq!(position, Position::goal(canonical.grid(), canonical.goal_blank()));
                let is_corner = [0, w - 1, w * (h - 1), w * h - 1].contains(&blank);
                let width = canonical.grid().width();
                assert!(!is_corner || (canonical.goal_blank(), width) == (0, w.max(h)));
                // A walk on the canonical grid is a walk on the goal's own grid.
                let mut board = goal.board().clone();
                for i in 0..40 {
                    let m = super::super::Move::ALL[(i * i + blank) % 4];
                    if position.make(m).is_none() {
                        continue;
                    }
                    let original = canonical.path_back(&Moves(vec![m])).0[0];
                    assert!(board.apply(original));
                    assert_eq!(canonical.position(&board).as_ref(), Ok(&position));
                }
            }
        }
    }
}
