//! Solutions by stages: line after line is brought home, and not moved again.
//!
//! 1. While more than nine cells remain, take a line at the border of the rest, not one with the blank's goal
//!    cell: a row if there are at least as many rows as columns, else a column.
//! 2. Bring its tiles home one by one, but the last two together: the last one alone could not get
//!    there. Each is a *sub-goal*: a breadth-first search for the fewest moves of the blank and the tiles in
//!    question. Other tiles may go anywhere, but tiles at home stay there.
//! 3. Of the borders and directions that a line can be taken in, keep the one with the fewest
//!    moves.
//! 4. Solve the rest, at most nine cells, in the fewest moves.
//!
//! A sub-goal of one tile has cells² states, one of two tiles cells³. In larger regions, the second of two
//! tiles is first brought near the first, and the search for both is limited to the corner. A 16×16 board
//! takes less than a second.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Limits, ida_star};
use crate::board::{Grid, Move, Moves, Position};
use crate::heuristic::Manhattan;

/// A stage of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// The labels of the tiles brought home.
    pub tiles: Vec<u8>,
    /// The number of its moves.
    pub moves: usize,
}

/// The most cells of which all states of two tiles and the blank are searched: some 200,000.
const WHOLE: usize = 58;

/// The side of the corner in which two tiles are brought home on larger boards.
const CORNER: usize = 6;

/// The most cells that remain for the last search.
const REST: usize = 9;

/// A solution of a position. It is not optimal. `finished` is called for each stage.
pub fn staged(position: &Position, mut finished: impl FnMut(&Stage)) -> Moves {
    let mut work = Work::new(position);
    while !work.position.is_goal() {
        work.stage().iter().for_each(&mut finished);
    }
    work.path
}

/// Rows and columns.
type Rectangle = [Range<usize>; 2];

/// A position, the tiles that may still be moved, and the moves made.
#[derive(Clone)]
pub(super) struct Work {
    pub position: Position,
    /// By cell: its tile is not yet at home for good, and may still be moved.
    pub free: Vec<bool>,
    /// The cells that are not yet done, as a rectangle.
    left: Rectangle,
    pub path: Moves,
}

impl Work {
    pub fn new(position: &Position) -> Work {
        let grid = position.grid();
        let left = [0..grid.height(), 0..grid.width()];
        let (position, path) = (position.clone(), Moves::default());
        Work { position, free: vec![true; grid.cells()], left, path }
    }

    /// Brings the next line home and keeps it there, or solves the whole rest.
    pub fn stage(&mut self) -> Vec<Stage> {
        if self.left[0].len() * self.left[1].len() <= REST {
            return vec![self.finish()];
        }
        let tried = self.lines().into_iter().map(|(line, rest)| {
            let mut work = self.clone();
            let stages = work.place_line(&line);
            work.left = rest;
            (work, stages)
        });
        let best = tried.min_by_key(|(work, _)| work.path.len());
        let (work, stages) = best.expect("a board has lines without the blank's goal cell");
        *self = work;
        stages
    }

    fn grid(&self) -> Grid {
        self.position.grid()
    }

    /// The row and the column of a cell.
    fn lines_of(&self, cell: usize) -> [usize; 2] {
        [self.grid().row(cell), self.grid().column(cell)]
    }

    /// The lines that can be brought home next, each in both directions, and the rest after each.
    fn lines(&self) -> Vec<(Vec<usize>, Rectangle)> {
        let home = self.lines_of(self.position.goal_blank());
        let axis = usize::from(self.left[0].len() < self.left[1].len());
        let Range { start, end } = self.left[axis];
        let mut lines = Vec::new();
        for (at, rest) in [(start, start + 1..end), (end - 1, start..end - 1)] {
            if at != home[axis] {
                let line = self.region(|cell| self.lines_of(cell)[axis] == at);
                let mut left = self.left.clone();
                left[axis] = rest;
                lines.push((line, left));
            }
        }
        for i in 0..lines.len() {
            let (line, rest) = &lines[i];
            lines.push((line.iter().rev().copied().collect(), rest.clone()));
        }
        lines
    }

    /// Brings the tiles of a line home, in this order.
    fn place_line(&mut self, line: &[usize]) -> Vec<Stage> {
        let (single, pair) = line.split_at(line.len() - 2);
        let mut stages = Vec::new();
        let mut before = self.path.len();
        let mut stage = |work: &Work, cells: &[usize]| {
            let tiles = cells.iter().map(|&cell| cell as u8).collect();
            let before = std::mem::replace(&mut before, work.path.len());
            // The first move may undo the last one before it.
            let moves = work.path.len().saturating_sub(before);
            stages.push(Stage { tiles, moves });
        };
        for &cell in single {
            let region = self.region(|_| true);
            self.bring(&region, [cell as u8], |[at], _| at == cell);
            self.free[cell] = false;
            stage(self, &[cell]);
        }
        self.place_pair([pair[0], pair[1]]);
        stage(self, pair);
        stages
    }

    /// Brings two tiles home, to the end of a line; the second one's goal is the corner.
    fn place_pair(&mut self, [first, corner]: [usize; 2]) {
        let mut region = self.region(|_| true);
        if region.len() > WHOLE {
            self.bring(&region, [first as u8], |[at], _| at == first);
            let near: Rectangle = std::array::from_fn(|axis| {
                let Range { start, end } = self.left[axis];
                let at = self.lines_of(corner)[axis];
                if at == start {
                    at..end.min(at + CORNER)
                } else {
                    start.max((at + 1).saturating_sub(CORNER))..at + 1
                }
            });
            let grid = self.grid();
            let holds = |cell: usize| {
                near[0].contains(&grid.row(cell)) && near[1].contains(&grid.column(cell))
            };
            self.free[first] = false;
            let region_but_first = self.region(|_| true);
            self.bring(&region_but_first, [corner as u8], |[at], empty| holds(at) && holds(empty));
            self.free[first] = true;
            region = self.region(holds);
        }
        self.bring(&region, [first as u8, corner as u8], |at, _| at == [first, corner]);
        self.free[first] = false;
        self.free[corner] = false;
    }

    /// The free cells that are also `wanted`.
    fn region(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.grid().cells()).filter(|&cell| self.free[cell] && wanted(cell)).collect()
    }

    /// Makes the fewest moves in a region after which `done` accepts the cells of the tiles and of
    /// the blank.
    fn bring<const N: usize>(
        &mut self,
        region: &[usize],
        tiles: [u8; N],
        done: impl Fn([usize; N], usize) -> bool,
    ) {
        const OUTSIDE: u16 = u16::MAX;
        const UNSEEN: u8 = u8::MAX;
        const START: u8 = 4;
        let grid = self.grid();
        let mut number = vec![OUTSIDE; grid.cells()];
        region.iter().zip(0..).for_each(|(&cell, n)| number[cell] = n);
        // By cell of the region and move: the cell of the region that the tile comes from.
        let source = |cell, m| grid.source(cell, m).map_or(OUTSIDE, |from| number[from]);
        let sources: Vec<_> =
            region.iter().map(|&cell| Move::ALL.map(|m| source(cell, m))).collect();
        let step = |(mut at, empty): ([u16; N], u16), m: Move| {
            let from = sources[usize::from(empty)][m as usize];
            at.iter_mut().filter(|n| **n == from).for_each(|n| *n = empty);
            (from != OUTSIDE).then_some((at, from))
        };
        let index = |(at, empty): ([u16; N], u16)| {
            let digits = at.iter().map(|&n| usize::from(n));
            digits.fold(usize::from(empty), |index, n| index * region.len() + n)
        };
        let cell = |n: u16| region[usize::from(n)];
        let is_done = |(at, empty): ([u16; N], u16)| done(at.map(cell), cell(empty));
        let labels = self.position.labels();
        let place = |tile: u8| labels.iter().position(|&t| t == tile).expect("it is there");
        let start = (tiles.map(|tile| number[place(tile)]), number[self.position.blank()]);
        let mut seen = vec![UNSEEN; region.len().pow(N as u32 + 1)];
        seen[index(start)] = START;
        let mut queue = VecDeque::from([start]);
        let mut found = is_done(start).then_some(start);
        while found.is_none() {
            let state = queue.pop_front().expect("a solvable position reaches every sub-goal");
            for m in Move::ALL {
                let Some(next) = step(state, m) else { continue };
                let seen = &mut seen[index(next)];
                if *seen == UNSEEN {
                    *seen = m as u8;
                    queue.push_back(next);
                    if is_done(next) {
                        found = Some(next);
                        break;
                    }
                }
            }
        }
        let mut moves = Vec::new();
        let mut state = found.expect("the search ends with a state");
        while let Some(&m) = Move::ALL.get(usize::from(seen[index(state)])) {
            moves.push(m);
            state = step(state, m.opposite()).expect("it was made");
        }
        moves.iter().rev().for_each(|&m| self.make(m));
    }

    pub fn make(&mut self, m: Move) {
        self.position.make(m).expect("the move stays on the board");
        // A move and its opposite cancel out.
        if self.path.0.last() == Some(&m.opposite()) {
            self.path.0.pop();
        } else {
            self.path.0.push(m);
        }
    }

    /// Solves the rest.
    fn finish(&mut self) -> Stage {
        let [rows, columns] = &self.left;
        let grid = Grid::new(columns.len(), rows.len()).expect("both sides are at least 2");
        let cells = self.region(|_| true);
        let number = |label: u8| {
            cells.iter().position(|&cell| cell == usize::from(label)).expect("its goal is free")
        };
        let labels = self.position.labels();
        let labels: Vec<u8> = cells.iter().map(|&cell| number(labels[cell]) as u8).collect();
        let goal_blank = self.position.goal_blank();
        let blank = number(goal_blank as u8);
        let rest = Position::new(grid, blank, &labels).expect("the rest is solvable too");
        let outcome = ida_star(&rest, &Manhattan::new(grid, blank), &Limits::default());
        let path = outcome.path.expect("a search without limits finds a solution");
        let before = self.path.len();
        path.iter().for_each(|m| self.make(m));
        let tiles = cells.iter().filter(|&&cell| cell != goal_blank).map(|&cell| cell as u8);
        Stage { tiles: tiles.collect(), moves: self.path.len().saturating_sub(before) }
    }
}
