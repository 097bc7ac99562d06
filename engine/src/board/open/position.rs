//! Boards in the classes of an open goal.

use super::{LabelledBoard, OpenError, OpenGoal, Wish};
use crate::board::{Board, Goal, Grid, Solvability};

/// The class of the blank.
pub const BLANK: u8 = u8::MAX;

/// A board that fits an open goal, with the class of each tile.
///
/// The classes are numbered as the labels of the goal. The last class holds the tiles whose label the goal
/// does not name; it may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPosition {
    goal: OpenGoal,
    board: Board,
    /// The class of each tile, by number.
    classes: Box<[u8]>,
    /// The number of tiles in each class.
    counts: Box<[u8]>,
}

impl OpenPosition {
    /// The position of a board.
    ///
    /// # Errors
    /// [`OpenError::Size`] and [`OpenError::Labels`] if the board does not fit the goal.
    pub fn new(goal: &OpenGoal, board: &LabelledBoard) -> Result<OpenPosition, OpenError> {
        let grid = goal.grid();
        if board.board().grid() != grid {
            return Err(OpenError::Size { goal: grid, board: board.board().grid() });
        }
        let tiles: Vec<_> = (1..grid.cells()).map(|tile| board.label(tile as u8)).collect();
        // The labels of the goal, and then others of the board.
        let mut labels: Vec<&str> = goal.labels().iter().map(|label| &**label).collect();
        let last = labels.len();
        let mut classes = vec![BLANK];
        let mut counts = vec![0_u8; last + 1];
        for tile in &tiles {
            let label = labels.iter().position(|label| **label == **tile).unwrap_or_else(|| {
                labels.push(tile);
                last
            });
            classes.push(label.min(last) as u8);
            counts[label.min(last)] += 1;
        }
        // Cells that do not matter take the tiles that the others do not want.
        let has_room = goal.cells().contains(&Wish::Any);
        let misfits = labels.iter().enumerate().filter_map(|(class, label)| {
            let wanted = goal.wanted(class);
            let have = tiles.iter().filter(|tile| ***tile == **label).count();
            let misfits = have < wanted || have > wanted && !has_room;
            let cells = if wanted == 1 { "cell" } else { "cells" };
            let tiles = if have == 1 { "tile" } else { "tiles" };
            misfits.then(|| format!("label {label}: {have} {tiles}, but {wanted} goal {cells}"))
        });
        let misfits: Vec<String> = misfits.collect();
        if !misfits.is_empty() {
            return Err(OpenError::Labels(misfits));
        }
        let (goal, board) = (goal.clone(), board.board().clone());
        Ok(OpenPosition { goal, board, classes: classes.into(), counts: counts.into() })
    }

    /// The goal.
    pub fn goal(&self) -> &OpenGoal {
        &self.goal
    }

    /// The board, with its tiles told apart by numbers.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The shape.
    pub fn grid(&self) -> Grid {
        self.goal.grid()
    }

    /// The class of a tile; [`BLANK`] for 0.
    pub fn class(&self, tile: u8) -> u8 {
        self.classes[usize::from(tile)]
    }

    /// The number of tiles in each class. The last class holds the tiles that the goal does not name.
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// Returns whether moves that lead to a board of the same tiles lead to the goal.
    pub fn is_reached(&self, board: &Board) -> bool {
        let mut ends = board.tiles().iter().zip(self.goal.cells());
        ends.all(|(&tile, &wish)| self.may_end(tile, wish))
    }

    /// The number of boards with the same labels in the same classes: the states of a search that does not
    /// tell the tiles of a class apart, both halves together. At most the largest `u128`.
    pub fn states(&self) -> u128 {
        let cells = self.grid().cells() as u128;
        // The largest class takes the remaining cells.
        let mut counts = self.counts.to_vec();
        counts.sort_unstable();
        counts.pop();
        let (mut states, mut left) = (cells, cells - 1);
        for count in counts {
            for chosen in 1..=u128::from(count) {
                let Some(more) = states.checked_mul(left) else { return u128::MAX };
                states = more / chosen;
                left -= 1;
            }
        }
        states
    }

    /// The number of assignments, solvable or not; at most the largest `u128`.
    pub fn assignments(&self) -> u128 {
        let mut number: u128 = 1;
        let open = self.goal.cells().iter().filter(|&&cell| cell == Wish::Any).count();
        for class in 0..self.goal.labels().len() {
            let have = u128::from(self.counts[class]);
            let wanted = self.goal.wanted(class) as u128;
            number = (have - wanted + 1..=have).fold(number, u128::saturating_mul);
        }
        (1..=open as u128).fold(number, u128::saturating_mul)
    }

    /// Returns whether moves can reach the goal, with the counts that decide it for an assignment: a
    /// solvable one if there is one.
    pub fn solvability(&self) -> Solvability {
        self.near_goal().solvability(&self.board)
    }

    /// Returns whether moves can reach the goal.
    pub fn is_solvable(&self) -> bool {
        self.solvability().is_solvable()
    }

    /// The solvable assignments as ordinary goals; `None` if there are more than `most` of them,
    /// those that are not solvable counted too.
    pub fn goals(&self, most: u128) -> Option<Vec<Goal>> {
        let (cells, mut goals) = (self.grid().cells(), Vec::new());
        if self.assignments() > most {
            return None;
        }
        self.assign(&self.cells(), &mut vec![0; cells], &mut vec![false; cells], &mut goals);
        goals.retain(|goal| goal.solvability(&self.board).is_solvable());
        Some(goals)
    }

    /// The cells. Those that do not matter come last, and take the remaining tiles.
    fn cells(&self) -> Vec<usize> {
        let wishes = self.goal.cells();
        let matters = |&cell: &usize| wishes[cell] != Wish::Any;
        let (first, last): (Vec<usize>, Vec<usize>) = (0..wishes.len()).partition(matters);
        [first, last].concat()
    }

    fn assign(&self, cells: &[usize], tiles: &mut [u8], used: &mut [bool], goals: &mut Vec<Goal>) {
        let Some((&cell, rest)) = cells.split_first() else {
            return goals.push(self.goal_of(tiles));
        };
        for tile in 0..tiles.len() {
            if self.may_end(tile as u8, self.goal.cells()[cell]) && !used[tile] {
                used[tile] = true;
                tiles[cell] = tile as u8;
                self.assign(rest, tiles, used, goals);
                used[tile] = false;
            }
        }
    }

    /// Returns whether a tile, or the blank, may end in a cell.
    fn may_end(&self, tile: u8, wish: Wish) -> bool {
        match wish {
            Wish::Any => tile > 0 || !self.goal.cells().contains(&Wish::Blank),
            Wish::Blank => tile == 0,
            Wish::Label(class) => self.class(tile) == class,
        }
    }

    fn goal_of(&self, tiles: &[u8]) -> Goal {
        Goal::from(Board::from_permutation(self.grid(), tiles.into()))
    }

    /// An assignment in which tiles go to near cells: a solvable one if there is one.
    pub fn near_goal(&self) -> Goal {
        let (grid, wishes) = (self.grid(), self.goal.cells());
        let mut tiles: Vec<u8> = vec![0; wishes.len()];
        let mut free: Vec<(usize, u8)> = self.board.tiles().iter().copied().enumerate().collect();
        for cell in self.cells() {
            let fitting = free.iter().enumerate();
            let fitting = fitting.filter(|(_, (_, tile))| self.may_end(*tile, wishes[cell]));
            let near = fitting.min_by_key(|(_, (from, _))| grid.distance(*from, cell));
            let (place, _) = near.expect("the board fits the goal");
            tiles[cell] = free.swap_remove(place).1;
        }
        let goal = self.goal_of(&tiles);
        if goal.solvability(&self.board).is_solvable() {
            return goal;
        }
        // One transposition of two tiles makes it solvable. Where no two may be exchanged, there are at most
        // two assignments.
        let may_swap = |&(a, b): &(usize, usize)| {
            let may_end = |tile: u8, cell: usize| tile > 0 && self.may_end(tile, wishes[cell]);
            may_end(tiles[a], b) && may_end(tiles[b], a)
        };
        let pairs = (0..wishes.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let pair = pairs.filter(may_swap).min_by_key(|&(a, b)| grid.distance(a, b));
        let Some((a, b)) = pair else {
            return self.goals(2).unwrap_or_default().pop().unwrap_or(goal);
        };
        tiles.swap(a, b);
        self.goal_of(&tiles)
    }

    /// A lower bound on the number of moves: the sum of the steps of tiles to the nearest cell where each
    /// may end, or, if that is larger, of the steps of the nearest tiles to each cell that wants one.
    pub fn distance(&self) -> u32 {
        let (grid, wishes, tiles) = (self.grid(), self.goal.cells(), self.board.tiles());
        let cells = || 0..wishes.len();
        let fits = |cell: usize, end: usize| self.may_end(tiles[cell], wishes[end]);
        let from = |cell: usize| {
            let ends = cells().filter(|&end| fits(cell, end));
            ends.map(|end| grid.distance(cell, end)).min().unwrap_or(0)
        };
        let to = |end: usize| {
            let starts = cells().filter(|&cell| fits(cell, end));
            starts.map(|cell| grid.distance(cell, end)).min().unwrap_or(0)
        };
        let from: usize = cells().filter(|&cell| tiles[cell] > 0).map(from).sum();
        let to: usize = cells().filter(|&end| matches!(wishes[end], Wish::Label(_))).map(to).sum();
        from.max(to) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(goal: &str, board: &str) -> OpenPosition {
        let goal = OpenGoal::parse(goal, None).unwrap();
        OpenPosition::new(&goal, &goal.read(board).unwrap()).unwrap()
    }

    #[test]
    fn states_and_assignments_are_counted() {
        for (goal, board, states, assignments, solvable) in [
            ("1 2 3 / * * * / * * *", "8 6 7 / 2 5 4 / 3 0 1", 3024, 720, 360),
            ("1 2 3 / 4 * * / 7 * *", "8 6 7 / 2 5 4 / 3 0 1", 60480, 24, 12),
            ("3 3 2 / 2 2 1 / 1 1 0", "1 1 1 / 2 2 2 / 3 3 0", 5040, 72, 36),
            ("1 2 3 / 4 5 6 / 7 8 *", "1 2 3 / 4 5 6 / 8 7 0", 362_880, 1, 0),
            ("1 2 3 / 4 5 6 / 7 * *", "1 2 3 / 4 5 6 / 8 7 0", 362_880, 2, 0),
            ("1 2 3 / 4 * 6 / 7 8 *", "1 2 3 / 4 5 6 / 7 8 0", 362_880, 2, 1),
            ("A * / * *", "A A / _ B", 12, 12, 6),
        ] {
            let position = position(goal, board);
            assert_eq!(position.states(), states, "{goal}");
            assert_eq!(position.assignments(), assignments, "{goal}");
            let goals = position.goals(1000).unwrap();
            assert_eq!(goals.len(), solvable, "{goal}");
            assert_eq!(position.is_solvable(), solvable > 0, "{goal}");
            for goal in &goals {
                assert!(position.is_reached(goal.board()));
            }
            assert_eq!(goals.contains(&position.near_goal()), solvable > 0, "{goal}");
            assert_eq!(position.solvability().is_solvable(), solvable > 0, "{goal}");
            assert!(position.goals(assignments - 1).is_none());
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_the_largest() {
        let row = "* ".repeat(16);
        let goal = [row.trim(); 16].join(" / ");
        let tiles: Vec<String> = (0..256).map(|tile| tile.to_string()).collect();
        let position = position(&goal, &tiles.join(" "));
        assert_eq!((position.states(), position.assignments()), (256, u128::MAX));
        assert_eq!(position.distance(), 0);
        assert_eq!(position.near_goal().board(), position.board());
        assert!(position.is_reached(position.board()));
    }
}
