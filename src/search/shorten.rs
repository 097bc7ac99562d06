//! Shortens a solution, window by window.
//!
//! 1. A *window* is a run of moves of the solution. The position at its end becomes the goal, by
//!    labelling each tile with its cell there, and iterative deepening looks for a shorter path.
//! 2. Windows of one length are tried along the whole solution, then longer ones, until most are
//!    given up because they exceed a number of nodes.
//! 3. Then more nodes are allowed, and so on, until the search is stopped or a window that is the
//!    whole solution is proved optimal.

use super::Control;
use crate::board::{Grid, Move, Path, Position};

/// The nodes that a window may take at first.
const FIRST_NODES: u64 = 2_000;

/// The nodes between two checks of the limits.
const POLL: u64 = 4096;

/// The length of the first windows, and the increase to the next ones.
const STEP: usize = 6;

/// A path at least as short as `path`, from the same position to the same end. The second value
/// says whether it was proved optimal; without a limit in `control` the search goes on until then.
///
/// # Panics
/// If `path` leaves the board.
pub fn shorten(position: &Position, path: Path, control: &Control) -> (Path, bool) {
    let grid = position.grid();
    let cells = grid.cells();
    let mut distance = vec![0; cells * cells];
    for (i, distance) in distance.iter_mut().enumerate() {
        *distance = grid.distance(i / cells, i % cells) as u8;
    }
    let mut shortener = Shortener {
        window: Window {
            grid,
            distance,
            labels: vec![0; cells],
            moves: Vec::new(),
            nodes: 0,
            limit: 0,
            stopped: false,
            control,
        },
        start: position.clone(),
        path: path.0,
    };
    let optimal = shortener.run();
    (Path(shortener.path), optimal)
}

struct Shortener<'a> {
    window: Window<'a>,
    start: Position,
    path: Vec<Move>,
}

impl Shortener<'_> {
    /// Shortens the path. Returns whether it was proved optimal before the search was stopped.
    fn run(&mut self) -> bool {
        let mut allowed = FIRST_NODES;
        loop {
            let mut length = STEP;
            loop {
                let (tried, given_up) = self.sweep(length, allowed);
                if self.window.stopped {
                    return false;
                }
                if length >= self.path.len() && given_up == 0 {
                    return true;
                }
                if 2 * given_up > tried {
                    break;
                }
                length += STEP;
            }
            allowed *= 4;
        }
    }

    /// Tries all windows of a length. Returns their number, and the number of those given up.
    fn sweep(&mut self, length: usize, allowed: u64) -> (usize, usize) {
        let mut position = self.start.clone();
        let (mut tried, mut given_up) = (0, 0);
        let mut at = 0;
        while at < self.path.len() && !self.window.stopped {
            let end = (at + length).min(self.path.len());
            tried += 1;
            let found = self.window.shorter(&position, &self.path[at..end], allowed);
            match found {
                Found::Shorter(moves) => {
                    self.path.splice(at..end, moves);
                    self.window.control.journal().shortened(self.path.len());
                    continue;
                }
                Found::Nothing => {}
                Found::GivenUp => given_up += 1,
            }
            if end == self.path.len() {
                break;
            }
            for &m in &self.path[at..(at + (length / 3).max(1)).min(end)] {
                position.make(m).expect("the path stays on the board");
                at += 1;
            }
        }
        (tried, given_up)
    }
}

enum Found {
    Shorter(Vec<Move>),
    /// No path is shorter.
    Nothing,
    /// The window took too many nodes.
    GivenUp,
}

/// The search for a shorter path through a window.
struct Window<'a> {
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

impl Window<'_> {
    fn shorter(&mut self, start: &Position, moves: &[Move], allowed: u64) -> Found {
        let mut end = start.clone();
        for &m in moves {
            end.make(m).expect("the path stays on the board");
        }
        let mut cell_at_end = [0; crate::board::MAX_CELLS];
        for (cell, &label) in end.labels().iter().enumerate() {
            cell_at_end[usize::from(label)] = cell as u8;
        }
        let mut value = 0;
        for (cell, &label) in start.labels().iter().enumerate() {
            self.labels[cell] = cell_at_end[usize::from(label)];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_found_and_the_end_stays() {
        let grid = Grid::new(5, 4).unwrap();
        let goal = Position::goal(grid, 0);
        let end = |path: &Path| {
            let mut position = goal.clone();
            path.iter().for_each(|m| assert!(position.make(m).is_some()));
            position
        };
        // Three times round a square leads back, so that once is enough.
        let round: Path = "ULDRULDRULDRULDR".parse().unwrap();
        let (short, optimal) = shorten(&goal, round.clone(), &Control::default());
        assert!(optimal && short.len() == 4, "{short}");
        assert_eq!(end(&short), end(&round));
        let (same, optimal) = shorten(&goal, round, &Control::default().with_nodes(0));
        assert!(same.len() <= 16 && !same.is_empty(), "{optimal}");
        let nothing = Path::default();
        assert_eq!(shorten(&goal, nothing.clone(), &Control::default()), (nothing, true));
    }
}
