//! Windows of single moves.

use super::{Found, Window};
use crate::board::{Grid, Move, Position};
use crate::search::Control;

/// The nodes between two checks of the limits.
const POLL: u64 = 4096;

/// The search for a shorter path through a window.
pub(super) struct MoveWindow<'a> {
    grid: Grid,
    /// Manhattan distances between cells, row by row.
    distance: Vec<u8>,
    /// The current position, each tile labelled with its cell at the window's end.
    labels: Vec<u8>,
    moves: Vec<Move>,
    nodes: u64,
    /// The number of nodes at which the window is given up.
    limit: u64,
    stopped: bool,
    control: &'a Control,
}

impl<'a> MoveWindow<'a> {
    pub fn new(grid: Grid, control: &'a Control) -> MoveWindow<'a> {
        let cells = grid.cells();
        let mut distance = vec![0; cells * cells];
        for (i, distance) in distance.iter_mut().enumerate() {
            *distance = grid.distance(i / cells, i % cells) as u8;
        }
        MoveWindow {
            grid,
            distance,
            labels: vec![0; cells],
            moves: Vec::new(),
            nodes: 0,
            limit: 0,
            stopped: false,
            control,
        }
    }
}

impl Window for MoveWindow<'_> {
    type Step = Move;

    const STEP: usize = 6;

    fn make(position: &mut Position, m: Move) {
        position.make(m).expect("the path stays on the board");
    }

    fn is_stopped(&self) -> bool {
        self.stopped
    }

    fn shorter(&mut self, start: &Position, moves: &[Move], allowed: u64) -> Found<Move> {
        let mut value = 0;
        for (cell, label) in Self::labels(start, moves).enumerate() {
            self.labels[cell] = label;
            if cell != start.blank() {
                value += usize::from(self.distance(self.labels[cell], cell));
            }
        }
        self.limit = self.nodes + allowed;
        let mut threshold = value;
        while threshold < moves.len() {
            self.moves.clear();
            if self.visit(start.blank(), value, threshold, None) {
                return Found::Shorter(std::mem::take(&mut self.moves));
            }
            if self.stopped || self.nodes >= self.limit {
                return Found::GivenUp;
            }
            threshold += 2;
        }
        Found::Nothing
    }
}

impl MoveWindow<'_> {
    fn distance(&self, label: u8, cell: usize) -> u8 {
        self.distance[usize::from(label) * self.labels.len() + cell]
    }

    /// Whether the end is reached from the current position, which has this Manhattan distance, in
    /// at most `left` moves.
    fn visit(&mut self, empty: usize, value: usize, left: usize, last: Option<Move>) -> bool {
        if value == 0 && usize::from(self.labels[empty]) == empty {
            return true;
        }
        if self.stopped || self.nodes >= self.limit {
            return false;
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            let Some(from) = self.grid.source(empty, m) else { continue };
            self.nodes += 1;
            if self.nodes.is_multiple_of(POLL) {
                self.control.journal().searched(POLL);
                self.stopped |= self.control.check(self.nodes).is_some();
            }
            let tile = self.labels[from];
            let value = value + usize::from(self.distance(tile, empty))
                - usize::from(self.distance(tile, from));
            if value >= left {
                continue;
            }
            self.labels.swap(empty, from);
            self.moves.push(m);
            if self.visit(from, value, left - 1, Some(m)) {
                return true;
            }
            self.moves.pop();
            self.labels.swap(empty, from);
        }
        false
    }
}
