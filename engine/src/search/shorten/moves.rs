//! Windows of single moves.

use super::{Window, WindowEnd};
use crate::board::{Grid, Metric, Move, Position};
use crate::search::{Control, Proof};

/// The nodes between two checks of the limits.
const POLL: u64 = 4096;

/// The search for a shorter path through a window.
pub(super) struct MoveWindow<'a> {
    grid: Grid,
    /// Manhattan distances between cells, row by row.
    distance: Vec<u8>,
    /// The labels of the current position.
    labels: Vec<u8>,
    moves: Vec<Move>,
    nodes: u64,
    /// The nodes that the journal knows of.
    reported: u64,
    /// The number of nodes at which the window is given up.
    limit: u64,
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
            reported: 0,
            limit: 0,
            control,
        }
    }
}

impl Window for MoveWindow<'_> {
    type Unit = Move;

    const METRIC: Metric = Metric::Single;

    const STEP: usize = 6;

    fn make(position: &mut Position, m: Move) {
        position.make(m).expect("the path stays on the board");
    }

    fn shorter(&mut self, start: &Position, length: usize, allowed: u64) -> WindowEnd<Move> {
        self.labels.copy_from_slice(start.labels());
        let tiles = (0..self.labels.len()).filter(|&cell| cell != start.blank());
        let distances = tiles.map(|cell| usize::from(self.distance(self.labels[cell], cell)));
        let value = distances.sum();
        self.limit = self.nodes.saturating_add(allowed);
        // All paths between two positions have one parity.
        for threshold in (value..length).step_by(2) {
            self.moves.clear();
            if self.visit(start.blank(), value, threshold, None) {
                return WindowEnd::Shorter(std::mem::take(&mut self.moves));
            }
            if self.nodes >= self.limit {
                return WindowEnd::GivenUp;
            }
        }
        WindowEnd::Nothing(Proof::new(start, Metric::Single, length as u32))
    }

    fn generated(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn report(&mut self) {
        self.control.journal().searched(self.nodes - self.reported);
        self.reported = self.nodes;
    }
}

impl MoveWindow<'_> {
    fn distance(&self, label: u8, cell: usize) -> u8 {
        self.distance[usize::from(label) * self.labels.len() + cell]
    }

    /// Returns whether the end is reached from the current position, which has this Manhattan
    /// distance, in at most `left` moves.
    fn visit(&mut self, empty: usize, value: usize, left: usize, last: Option<Move>) -> bool {
        if value == 0 && usize::from(self.labels[empty]) == empty {
            return true;
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            let Some(from) = self.grid.source(empty, m) else { continue };
            if self.nodes >= self.limit {
                return false;
            }
            self.nodes += 1;
            if self.nodes.is_multiple_of(POLL) {
                self.report();
                if self.control.check(self.nodes).is_some() {
                    self.limit = self.nodes;
                }
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
