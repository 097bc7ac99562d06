//! Solutions by stages: line after line is brought home, and not moved again.
//!
//! 1. While more than nine cells are left, take a line at the border of what is left, not one
//!    with the blank's goal cell: a row where there are as many rows as columns or more, else a
//!    column.
//! 2. Bring its tiles home one by one, but the last two together, for the last one alone could
//!    not get there. Each is a *sub-goal*: breadth-first search for the fewest moves of the blank
//!    and the tiles in question; where the other tiles go does not matter, and those at home
//!    stay there.
//! 3. Of the borders and directions that a line can be taken in, the one that takes the fewest
//!    moves is kept.
//! 4. What is left, at most nine cells, is solved in the fewest moves.
//!
//! A sub-goal of one tile has cells² states, one of two has cells³; in regions too large for that,
//! the second of two tiles is first brought near the first, and the search for both is kept to
//! the corner. On 16×16 all takes less than a second.

use std::collections::VecDeque;

use super::{Control, ida_star};
use crate::board::{Grid, Move, Path};
use crate::heuristic::Manhattan;

/// A stage of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phase {
    /// The labels of the tiles brought home.
    pub tiles: Vec<u8>,
    /// The number of moves that took.
    pub moves: usize,
}

/// Cells of which all states of two tiles and the blank are searched: some 200,000.
const WHOLE: usize = 58;

/// The side of the corner in which two tiles are brought home on larger boards.
const CORNER: usize = 6;

/// The most cells that are left for the last search.
const REST: usize = 9;

/// A solution of the position `labels` (see [`Canonical`](crate::board::Canonical)) on `grid`,
/// whose goal has the blank in cell `blank`. It is not optimal. `finished` is told of each stage.
///
/// # Panics
/// Where the position cannot reach the goal.
pub fn staged(grid: Grid, blank: usize, labels: &[u8], mut finished: impl FnMut(&Phase)) -> Path {
    let empty = labels.iter().position(|&label| usize::from(label) == blank);
    let mut state = Stage {
        grid,
        blank: blank as u8,
        labels: labels.to_vec(),
        empty: empty.expect("the blank is on the board"),
        free: vec![true; grid.cells()],
        path: Vec::new(),
    };
    let mut left = Rectangle { top: 0, bottom: grid.height(), left: 0, right: grid.width() };
    while left.cells() > REST {
        let lines = left.lines(grid, blank);
        let tried = lines.into_iter().map(|(line, rest)| {
            let mut state = state.clone();
            let phases = state.place_line(&line, left);
            (state, phases, rest)
        });
        let best = tried.min_by_key(|(state, ..)| state.path.len());
        let (after, phases, rest) = best.expect("a board has lines without the blank's goal cell");
        phases.iter().for_each(&mut finished);
        (state, left) = (after, rest);
    }
    finished(&state.finish(left));
    Path(state.path)
}

/// What is left to be solved.
#[derive(Clone, Copy)]
struct Rectangle {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

impl Rectangle {
    fn width(self) -> usize {
        self.right - self.left
    }

    fn height(self) -> usize {
        self.bottom - self.top
    }

    fn cells(self) -> usize {
        self.width() * self.height()
    }

    fn holds(self, row: usize, column: usize) -> bool {
        (self.top..self.bottom).contains(&row) && (self.left..self.right).contains(&column)
    }

    /// The lines that can be brought home next, each in both directions, and what is left then.
    fn lines(self, grid: Grid, blank: usize) -> Vec<(Vec<usize>, Rectangle)> {
        let (row, column) = (grid.row(blank), grid.column(blank));
        let across = |row: usize| -> Vec<usize> {
            (self.left..self.right).map(|column| row * grid.width() + column).collect()
        };
        let down = |column: usize| -> Vec<usize> {
            (self.top..self.bottom).map(|row| row * grid.width() + column).collect()
        };
        let mut lines = Vec::new();
        if self.height() >= self.width() {
            if row != self.top {
                lines.push((across(self.top), Rectangle { top: self.top + 1, ..self }));
            }
            if row + 1 != self.bottom {
                lines
                    .push((across(self.bottom - 1), Rectangle { bottom: self.bottom - 1, ..self }));
            }
        } else {
            if column != self.left {
                lines.push((down(self.left), Rectangle { left: self.left + 1, ..self }));
            }
            if column + 1 != self.right {
                lines.push((down(self.right - 1), Rectangle { right: self.right - 1, ..self }));
            }
        }
        for i in 0..lines.len() {
            let (line, rest) = &lines[i];
            lines.push((line.iter().rev().copied().collect(), *rest));
        }
        lines
    }
}

/// A position, and which of its tiles may be moved.
#[derive(Clone)]
struct Stage {
    grid: Grid,
    blank: u8,
    labels: Vec<u8>,
    empty: usize,
    /// By cell: its tile is not yet at home for good.
    free: Vec<bool>,
    path: Vec<Move>,
}

impl Stage {
    /// Brings the tiles of a line home, in this order.
    fn place_line(&mut self, line: &[usize], left: Rectangle) -> Vec<Phase> {
        let (single, pair) = line.split_at(line.len() - 2);
        let mut phases = Vec::new();
        let mut before = self.path.len();
        let mut phase = |state: &Stage, cells: &[usize]| {
            let tiles = cells.iter().map(|&cell| cell as u8).collect();
            let moves = state.path.len() - std::mem::replace(&mut before, state.path.len());
            phases.push(Phase { tiles, moves });
        };
        for &cell in single {
            let region = self.region(|_| true);
            self.bring(&region, [cell as u8], |[at], _| at == cell);
            self.free[cell] = false;
            phase(self, &[cell]);
        }
        self.place_pair([pair[0], pair[1]], left);
        phase(self, pair);
        phases
    }

    /// Brings two tiles home, to the end of a line; the second one's goal is the corner.
    fn place_pair(&mut self, [first, corner]: [usize; 2], left: Rectangle) {
        let mut region = self.region(|_| true);
        if region.len() > WHOLE {
            self.bring(&region, [first as u8], |[at], _| at == first);
            let (row, column) = (self.grid.row(corner), self.grid.column(corner));
            let near = Rectangle {
                top: if row == left.top {
                    row
                } else {
                    left.top.max((row + 1).saturating_sub(CORNER))
                },
                bottom: if row == left.top { left.bottom.min(row + CORNER) } else { row + 1 },
                left: if column == left.left {
                    column
                } else {
                    left.left.max((column + 1).saturating_sub(CORNER))
                },
                right: if column == left.left {
                    left.right.min(column + CORNER)
                } else {
                    column + 1
                },
            };
            let grid = self.grid;
            let holds = |cell: usize| near.holds(grid.row(cell), grid.column(cell));
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
        (0..self.grid.cells()).filter(|&cell| self.free[cell] && wanted(cell)).collect()
    }

    /// Makes the fewest moves in a region after which the tiles, in cells `at`, and the blank are
    /// where `done` wants them.
    fn bring<const N: usize>(
        &mut self,
        region: &[usize],
        tiles: [u8; N],
        done: impl Fn([usize; N], usize) -> bool,
    ) {
        const OUTSIDE: usize = usize::MAX;
        const UNSEEN: u8 = u8::MAX;
        const START: u8 = 4;
        let mut number = vec![OUTSIDE; self.grid.cells()];
        region.iter().enumerate().for_each(|(n, &cell)| number[cell] = n);
        let index = |at: [usize; N], empty: usize| {
            at.iter().fold(number[empty], |index, &cell| index * region.len() + number[cell])
        };
        let step = |mut at: [usize; N], empty: usize, m: Move| {
            let from = self.grid.source(empty, m).filter(|&cell| number[cell] != OUTSIDE)?;
            at.iter_mut().filter(|cell| **cell == from).for_each(|cell| *cell = empty);
            Some((at, from))
        };
        let place = |tile: u8| self.labels.iter().position(|&t| t == tile).expect("it is there");
        let (mut at, mut empty) = (tiles.map(place), self.empty);
        let mut seen = vec![UNSEEN; region.len().pow(N as u32 + 1)];
        seen[index(at, empty)] = START;
        let mut queue = VecDeque::from([(at, empty)]);
        while !done(at, empty) {
            (at, empty) = queue.pop_front().expect("a solvable position reaches every sub-goal");
            if done(at, empty) {
                break;
            }
            for m in Move::ALL {
                let Some((at, empty)) = step(at, empty, m) else { continue };
                let seen = &mut seen[index(at, empty)];
                if *seen == UNSEEN {
                    *seen = m as u8;
                    queue.push_back((at, empty));
                }
            }
        }
        let mut moves = Vec::new();
        while let Some(&m) = Move::ALL.get(usize::from(seen[index(at, empty)])) {
            moves.push(m);
            (at, empty) = step(at, empty, m.opposite()).expect("it was made");
        }
        moves.iter().rev().for_each(|&m| self.make(m));
    }

    fn make(&mut self, m: Move) {
        let from = self.grid.source(self.empty, m).expect("the move stays on the board");
        self.labels.swap(self.empty, from);
        self.empty = from;
        // A move that takes the last one back takes both away.
        if self.path.last() == Some(&m.opposite()) {
            self.path.pop();
        } else {
            self.path.push(m);
        }
    }

    /// Solves what is left.
    fn finish(&mut self, left: Rectangle) -> Phase {
        let grid = Grid::new(left.width(), left.height()).expect("both sides are at least 2");
        let cells = self.region(|_| true);
        let number = |label: u8| {
            cells.iter().position(|&cell| cell == usize::from(label)).expect("its goal is free")
        };
        let labels: Vec<u8> = cells.iter().map(|&cell| number(self.labels[cell]) as u8).collect();
        let manhattan = Manhattan::new(grid, number(self.blank));
        let control = Control::default();
        let outcome = ida_star(grid, number(self.blank), &labels, &manhattan, &control);
        let path = outcome.path.expect("a solvable position has a solvable rest");
        let before = self.path.len();
        path.iter().for_each(|m| self.make(m));
        let tiles = cells.iter().map(|&cell| cell as u8).filter(|&tile| tile != self.blank);
        Phase { tiles: tiles.collect(), moves: self.path.len().saturating_sub(before) }
    }
}
