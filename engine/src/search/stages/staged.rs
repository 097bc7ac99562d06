//! Solutions by stages: line after line is brought home, and not moved again.
//!
//! 1. While more than nine cells remain, take a line at the border of the rest, not one with the blank's goal
//!    cell: a row if there are at least as many rows as columns, else a column.
//! 2. Bring its tiles home one by one, but the last two together: the last one alone could not get
//!    there. Each is a *sub-goal*: a breadth-first search for the fewest moves of the blank and the tiles in
//!    question. Other tiles may go anywhere, but tiles at home stay there.
//! 3. Of the borders and directions that a line can be taken in, keep the one with the fewest
//!    moves.
//! 4. Solve the rest, at most nine cells, in the fewest moves. Lessons go on line by line to the last four cells.
//!
//! A sub-goal of one tile has cells² states, one of two tiles cells³. In larger regions, the second of two
//! tiles is first brought near the first, and the search for both is limited to the corner. A 16×16 board
//! takes less than a second.

use std::collections::VecDeque;
use std::ops::Range;

use crate::board::{Grid, Move, Moves, Position};
use crate::heuristic::Manhattan;
use crate::search::ida::ida_star;
use crate::search::run::Limits;

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

/// The most cells that remain for the last search of a lesson.
const LAST: usize = 4;

/// A solution of a position. It is not optimal. `finished` is called for each stage.
pub fn staged(position: &Position, finished: impl FnMut(&Stage)) -> Moves {
    finish(Work::new(position), finished)
}

/// Solves as [`staged`] does, but line by line until four cells remain, as people solve a board.
pub fn lessons(position: &Position, finished: impl FnMut(&Stage)) -> Moves {
    finish(Work { rest: LAST, ..Work::new(position) }, finished)
}

fn finish(mut work: Work, mut finished: impl FnMut(&Stage)) -> Moves {
    while !work.position.is_goal() {
        work.stage().iter().for_each(&mut finished);
    }
    work.path
}

/// The row and the column of a cell.
fn lines_of(grid: Grid, cell: usize) -> [usize; 2] {
    [grid.row(cell), grid.column(cell)]
}

/// Rows and columns.
type Rectangle = [Range<usize>; 2];

/// A position, the tiles that may still be moved, and the moves made.
#[derive(Clone)]
pub(crate) struct Work {
    pub position: Position,
    /// Whether the tile of each cell is not yet at home for good, and may still be moved.
    pub free: Vec<bool>,
    /// The cells that are not yet done, as a rectangle.
    left: Rectangle,
    /// The most cells that remain for the last search.
    rest: usize,
    pub path: Moves,
}

impl Work {
    pub fn new(position: &Position) -> Work {
        let grid = position.grid();
        let left = [0..grid.height(), 0..grid.width()];
        let (position, path) = (position.clone(), Moves::default());
        Work { position, free: vec![true; grid.cells()], left, rest: REST, path }
    }

    /// Brings the next line home and keeps it there, or solves the whole rest.
    pub fn stage(&mut self) -> Vec<Stage> {
        if self.left[0].len() * self.left[1].len() <= self.rest {
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

    /// The lines that can be brought home next, each in both directions, and the rest after each.
    fn lines(&self) -> Vec<(Vec<usize>, Rectangle)> {
        let home = lines_of(self.grid(), self.position.goal_blank());
        let axis = usize::from(self.left[0].len() < self.left[1].len());
        let Range { start, end } = self.left[axis];
        let mut lines = Vec::new();
        for is_reversed in [false, true] {
            for (at, rest) in [(start, start + 1..end), (end - 1, start..end - 1)] {
                if at != home[axis] {
                    let mut line = self.region(|cell| lines_of(self.grid(), cell)[axis] == at);
                    if is_reversed {
                        line.reverse();
                    }
                    let mut left = self.left.clone();
                    left[axis] = rest;
                    lines.push((line, left));
                }
            }
        }
        lines
    }

    /// Brings the tiles of a line home, in this order.
    fn place_line(&mut self, line: &[usize]) -> Vec<Stage> {
        let (single, pair) = line.split_at(line.len() - 2);
        let mut stages = Vec::new();
        for cells in single.chunks(1).chain([pair]) {
            let before = self.path.len();
            match *cells {
                [first, corner] => self.place_pair(first, corner),
                _ => self.place(cells[0]),
            }
            cells.iter().for_each(|&cell| self.free[cell] = false);
            stages.push(self.stage_of(cells, before));
        }
        stages
    }

    /// The stage of these cells, which began with a path of this length.
    fn stage_of(&self, cells: &[usize], before: usize) -> Stage {
        let tiles = cells.iter().map(|&cell| cell as u8).collect();
        // The first move may undo the last one before it.
        Stage { tiles, moves: self.path.len().saturating_sub(before) }
    }

    /// Brings a tile home.
    fn place(&mut self, cell: usize) {
        self.bring(&self.region(|_| true), [cell as u8], |[at], _| at == cell);
    }

    /// Brings two tiles home, to the end of a line; the second one's goal is the corner.
    fn place_pair(&mut self, first: usize, corner: usize) {
        let mut region = self.region(|_| true);
        if region.len() > WHOLE {
            self.place(first);
            let grid = self.grid();
            let is_near = |cell: usize| {
                let mut lines = lines_of(grid, cell).into_iter().zip(lines_of(grid, corner));
                lines.all(|(line, home)| line.abs_diff(home) < CORNER)
            };
            self.free[first] = false;
            let others = self.region(|_| true);
            let done = |[at]: [usize; 1], empty| is_near(at) && is_near(empty);
            self.bring(&others, [corner as u8], done);
            self.free[first] = true;
            region = self.region(is_near);
        }
        self.bring(&region, [first as u8, corner as u8], |at, _| at == [first, corner]);
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
        let grid = self.grid();
        let mut number = vec![None; grid.cells()];
        region.iter().enumerate().for_each(|(n, &cell)| number[cell] = Some(n));
        let step = |(mut at, empty): ([usize; N], usize), m: Move| {
            let from = grid.source(empty, m).filter(|&from| number[from].is_some())?;
            at.iter_mut().filter(|cell| **cell == from).for_each(|cell| *cell = empty);
            Some((at, from))
        };
        let index = |(at, empty): ([usize; N], usize)| {
            let digits = at.iter().chain([&empty]).filter_map(|&cell| number[cell]);
            digits.fold(0, |index, n| index * region.len() + n)
        };
        let labels = self.position.labels();
        let place = |tile: u8| labels.iter().position(|&t| t == tile).expect("it is there");
        let start = (tiles.map(place), self.position.blank());
        // By state, the last move of the way to it.
        let mut came: Vec<Option<Move>> = vec![None; region.len().pow(N as u32 + 1)];
        let (mut state, mut queue) = (start, VecDeque::from([start]));
        'search: while !done(state.0, state.1) {
            state = queue.pop_front().expect("a solvable position reaches every sub-goal");
            for m in Move::ALL {
                let Some(next) = step(state, m) else { continue };
                let came = &mut came[index(next)];
                if came.is_none() {
                    *came = Some(m);
                    queue.push_back(next);
                    if done(next.0, next.1) {
                        state = next;
                        break 'search;
                    }
                }
            }
        }
        let mut moves = Vec::new();
        while state != start {
            let m = came[index(state)].expect("a move led to it");
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
        let tiles = cells.into_iter().filter(|&cell| cell != goal_blank);
        self.stage_of(&tiles.collect::<Vec<_>>(), before)
    }
}
