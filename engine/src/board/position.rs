//! Positions as searches see them: canonical labels, solvable by construction.

use std::fmt;

use super::{Board, Grid, MAX_CELLS, Move, Solvability, transposed};

/// A position of a canonical goal (see [`Canonical`](super::Canonical)), from which the goal can
/// be reached.
///
/// Each tile is labelled by its goal cell, the blank by its own; the goal is then the identity `0, 1, 2, …`,
/// and only the blank's goal cell remains of it. [`Canonical::position`] makes a position from a board.
/// Searches take nothing else, so they need not check their input.
///
/// [`Canonical::position`]: super::Canonical::position
#[derive(PartialEq, Eq, Hash)]
pub struct Position {
    grid: Grid,
    goal_blank: u8,
    blank: u8,
    labels: Box<[u8]>,
}

/// Why labels or a board are not a position of a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A board of another size than the goal.
    #[error("the goal is {} {goal} board, but this board is {board}", goal.article())]
    Size {
        /// The goal's size.
        goal: Grid,
        /// The board's size.
        board: Grid,
    },
    /// Labels that are not a permutation of the grid's cells, or a goal cell outside the grid.
    #[error("the labels are not a permutation of the {} cells of {} {grid} board", grid.cells(), grid.article())]
    NotAPermutation {
        /// The size.
        grid: Grid,
    },
    /// The goal cannot be reached.
    #[error("this board cannot be solved: {0}")]
    Unsolvable(Solvability),
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position { labels: self.labels.clone(), ..*self }
    }

    /// Reuses the memory of a position of the same size.
    fn clone_from(&mut self, source: &Position) {
        (self.grid, self.goal_blank, self.blank) = (source.grid, source.goal_blank, source.blank);
        self.labels.clone_from(&source.labels);
    }
}

impl Position {
    /// The goal itself, with its blank in cell `goal_blank`.
    ///
    /// # Panics
    /// If the grid has no such cell.
    pub fn goal(grid: Grid, goal_blank: usize) -> Position {
        assert!(goal_blank < grid.cells(), "a {grid} grid has no cell {goal_blank}");
        let labels = (0..grid.cells()).map(|cell| cell as u8).collect();
        Position { grid, goal_blank: goal_blank as u8, blank: goal_blank as u8, labels }
    }

    /// The position with these labels in reading order.
    ///
    /// # Errors
    /// [`PositionError::NotAPermutation`] unless each of `0..grid.cells()` appears exactly once;
    /// [`PositionError::Unsolvable`] if moves cannot reach the goal.
    pub fn new(grid: Grid, goal_blank: usize, labels: &[u8]) -> Result<Position, PositionError> {
        if goal_blank >= grid.cells() || Board::new(grid, labels).is_err() {
            return Err(PositionError::NotAPermutation { grid });
        }
        let position = Position::from_labels(grid, goal_blank, labels.into());
        let label = |cell: usize| position.labels[cell].into();
        let solvability = Solvability::of(grid, label, position.blank(), goal_blank);
        let unsolvable = PositionError::Unsolvable(solvability);
        solvability.is_solvable().then_some(position).ok_or(unsolvable)
    }

    /// A position whose labels are known to be a permutation from which the goal can be reached.
    pub(super) fn from_labels(grid: Grid, goal_blank: usize, labels: Box<[u8]>) -> Position {
        let goal_blank = goal_blank as u8;
        Position { grid, goal_blank, blank: find(&labels, goal_blank), labels }
    }

    /// The shape of the board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The blank's goal cell, which is also its label.
    pub fn goal_blank(&self) -> usize {
        self.goal_blank.into()
    }

    /// The cell of the blank.
    pub fn blank(&self) -> usize {
        self.blank.into()
    }

    /// The label in each cell, in reading order.
    pub fn labels(&self) -> &[u8] {
        &self.labels
    }

    /// Returns whether this is the goal.
    pub fn is_goal(&self) -> bool {
        self.labels.iter().zip(0..=u8::MAX).all(|(&label, cell)| label == cell)
    }

    /// Returns whether the position is its own mirror image along the main diagonal, of a goal that
    /// is.
    pub fn is_symmetric(&self) -> bool {
        self.grid.is_mirrored(self.goal_blank())
            && *transposed(self.grid, &self.labels) == *self.labels
    }

    /// Makes a move and returns the cell that the tile left and the one it came to; `None`, and
    /// no change, at the border.
    #[inline]
    pub fn make(&mut self, m: Move) -> Option<(usize, usize)> {
        let (from, to) = (self.grid.source(self.blank(), m)?, self.blank());
        self.labels.swap(from, to);
        self.blank = from as u8;
        Some((from, to))
    }

    /// The goal, as a position with this one as its goal. Its solutions are those of this position, from
    /// their ends.
    pub fn inverse(&self) -> Position {
        Position::goal(self.grid, self.goal_blank()).toward(self)
    }

    /// This position with another one, which moves lead to, as its goal.
    pub(crate) fn toward(&self, end: &Position) -> Position {
        let mut cell_at_end = [0; MAX_CELLS];
        for (&label, cell) in end.labels.iter().zip(0..=u8::MAX) {
            cell_at_end[usize::from(label)] = cell;
        }
        let labels = self.labels.iter().map(|&label| cell_at_end[usize::from(label)]).collect();
        Position::from_labels(self.grid, end.blank(), labels)
    }

    /// Takes over the labels of another position of the same goal. Searches may panic on others.
    ///
    /// # Panics
    /// If the labels written lack the blank's.
    pub fn overwrite(&mut self, write: impl FnOnce(&mut [u8])) {
        write(&mut self.labels);
        self.blank = find(&self.labels, self.goal_blank);
    }
}

/// The cell of a label.
fn find(labels: &[u8], wanted: u8) -> u8 {
    let cell = labels.iter().position(|&label| label == wanted);
    cell.expect("every label is on the board") as u8
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} {:?}, goal blank {})", self.grid, self.labels, self.goal_blank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid::new(3, 2).unwrap()
    }

    #[test]
    fn only_solvable_permutations_are_positions() {
        let new = |labels: &[u8]| Position::new(grid(), 0, labels);
        assert!(new(&[0, 1, 2, 3, 4, 5]).unwrap().is_goal());
        for labels in [&[0, 1, 2, 3, 4][..], &[0, 1, 2, 3, 4, 4], &[0, 1, 2, 3, 4, 6], &[]] {
            assert!(matches!(new(labels), Err(PositionError::NotAPermutation { .. })));
        }
        assert!(matches!(new(&[0, 1, 2, 3, 5, 4]), Err(PositionError::Unsolvable(_))));
        assert!(Position::new(grid(), 6, &[0, 1, 2, 3, 4, 5]).is_err());
        // The largest grid has as many cells as a byte has values.
        assert!(Position::goal(Grid::new(16, 16).unwrap(), 0).is_goal());
    }

    #[test]
    fn a_clone_takes_over_everything() {
        let mut position = Position::goal(grid(), 0);
        position.make(Move::Up);
        let mut other = Position::goal(Grid::new(2, 2).unwrap(), 3);
        other.clone_from(&position);
        assert_eq!((&other, other.blank()), (&position, 3));
        assert_eq!(other.make(Move::Up), None);
        assert_eq!(other.make(Move::Down), Some((0, 3)));
        assert!(other.is_goal());
    }
}
