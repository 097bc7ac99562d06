//! A lower bound on slides that needs no tables, kept up to date tile by tile.
//!
//! A *border* lies between two neighbouring columns, or two neighbouring rows. A tile whose goal is
//! on the other side of a border *has to cross* it.
//!
//! 1. A slide along a row takes a tile across each border between the blank's old and new column, and
//!    no other tile across any border. So it takes at most one tile across each border between
//!    columns, and none across a border between rows.
//! 2. If n tiles have to cross a border, a solution has at least n slides along that direction. The
//!    largest n over all borders between columns is therefore a lower bound on the slides along rows, and the
//!    largest n over all borders between rows is one on the slides along columns. The first is at least the
//!    sum of all tiles' distances along rows, divided by the longest slide: that sum is the sum of n over the
//!    borders.
//! 3. Slides along rows and along columns alternate in a shortest solution. If the next one is along a
//!    row, there are equally many along rows and along columns, or one more along rows. With bounds r and c
//!    there are at least 2r − 1 slides if r > c, and at least 2c if not. For columns it is the other way
//!    round.
//!
//! The bound is 0 only at the goal: elsewhere a tile has to cross a border.

use crate::board::{Grid, MAX_CELLS, Position};

/// A slide's direction: along a row or along a column.
pub(super) const DIRECTIONS: [usize; 2] = [0, 1];

/// A board, changed tile by tile, and the tiles that have to cross its borders.
#[derive(Clone)]
pub(super) struct Borderline {
    labels: Vec<u8>,
    /// The column and row of each label's goal.
    goals: [[u8; MAX_CELLS]; 2],
    /// The columns and rows.
    lengths: [usize; 2],
    /// The cell of the blank, and its column and row.
    blank: usize,
    at: [usize; 2],
    /// The number of tiles that have to cross each border of a direction.
    tiles: [Vec<u8>; 2],
}

impl Borderline {
    /// The board of a position.
    pub fn of(position: &Position) -> Borderline {
        let (grid, blank) = (position.grid(), position.blank());
        let lengths = [grid.width(), grid.height()];
        let lines: [fn(Grid, usize) -> usize; 2] = [Grid::column, Grid::row];
        let mut board = Borderline {
            labels: position.labels().to_vec(),
            goals: lines.map(|line| std::array::from_fn(|cell| line(grid, cell) as u8)),
            lengths,
            blank,
            at: lines.map(|line| line(grid, blank)),
            tiles: lengths.map(|length| vec![0; length - 1]),
        };
        for direction in DIRECTIONS {
            let (goals, tiles) = (&board.goals[direction], &mut board.tiles[direction]);
            for (cell, &label) in board.labels.iter().enumerate().filter(|(cell, _)| *cell != blank)
            {
                let mut ends = [goals[cell], goals[usize::from(label)]].map(usize::from);
                ends.sort_unstable();
                tiles[ends[0]..ends[1]].iter_mut().for_each(|tiles| *tiles += 1);
            }
        }
        board
    }

    /// Moves the blank by one cell in a direction, forward or back; returns false, and changes
    /// nothing, at the border of the board.
    #[inline(always)]
    pub fn step(&mut self, direction: usize, forward: bool) -> bool {
        let at = self.at[direction];
        let end = if forward { self.lengths[direction] - 1 } else { 0 };
        if at == end {
            return false;
        }
        let stride = if direction == 0 { 1 } else { self.lengths[0] };
        let (from, border) =
            if forward { (self.blank + stride, at) } else { (self.blank - stride, at - 1) };
        let label = self.labels[from];
        let goal = usize::from(self.goals[direction][usize::from(label)]);
        let towards = if forward { goal <= at } else { goal >= at };
        let tiles = &mut self.tiles[direction][border];
        *tiles = if towards { *tiles - 1 } else { *tiles + 1 };
        self.labels.swap(self.blank, from);
        self.blank = from;
        self.at[direction] = if forward { at + 1 } else { at - 1 };
        true
    }

    /// A lower bound on the slides to the goal if the next one has this direction; 0 only at the
    /// goal.
    #[inline(always)]
    pub fn bound(&self, direction: usize) -> u32 {
        let most = |direction: usize| self.tiles[direction].iter().copied().max().unwrap_or(0);
        let [next, other] = [direction, 1 - direction].map(most).map(u32::from);
        if next > other { 2 * next - 1 } else { 2 * other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    /// The numbers kept up to date equal the numbers counted anew from the board.
    #[test]
    fn steps_change_what_they_should() {
        for (w, h, goal_blank) in [(2, 2, 0), (4, 3, 5), (16, 16, 255), (128, 2, 0), (2, 128, 3)] {
            let grid = Grid::new(w, h).unwrap();
            let mut position = Position::goal(grid, goal_blank);
            let mut board = Borderline::of(&position);
            assert_eq!(DIRECTIONS.map(|direction| board.bound(direction)), [0, 0]);
            let mut seed = 1u64;
            for _ in 0..3000 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = Move::ALL[(seed >> 40) as usize % 4];
                let direction = usize::from(matches!(m, Move::Up | Move::Down));
                let forward = matches!(m, Move::Up | Move::Left);
                assert_eq!(board.step(direction, forward), position.make(m).is_some());
                let anew = Borderline::of(&position);
                assert_eq!(
                    (&board.labels, board.blank, board.at),
                    (&anew.labels, anew.blank, anew.at)
                );
                assert_eq!(board.tiles, anew.tiles);
            }
        }
    }
}
