//! Positions in memory, each once, with the way there: what searches build that remember where
//! they have been.

use xxhash_rust::xxh3::xxh3_64;

use super::Control;
use crate::board::{Grid, Move, Path};

/// The bytes that a search may take where its control does not say.
const MEMORY: u64 = 2 << 30;

/// Positions by number, in the order in which they were found. `S` is kept with each.
pub(super) struct Graph<S> {
    cells: usize,
    /// Bytes of a position.
    width: usize,
    packed: Vec<u8>,
    nodes: Vec<Node>,
    states: Vec<S>,
    /// Numbers of positions by hash, open addressing; `VACANT` elsewhere.
    index: Vec<u32>,
    memory: usize,
}

/// How a position was reached.
#[derive(Clone, Copy)]
pub(super) struct Node {
    parent: u32,
    /// The moves from the start.
    pub depth: u16,
    last: u8,
    /// Its children were generated.
    pub closed: bool,
}

const VACANT: u32 = u32::MAX;

/// No room for another position.
pub(super) struct Full;

/// What became of a position that was entered.
pub(super) enum Entered {
    New(u32),
    /// It was there, and is now reached in fewer moves.
    Shorter(u32),
    Known,
}

impl<S> Graph<S> {
    pub fn new(grid: Grid, control: &Control) -> Graph<S> {
        let memory = control.memory().unwrap_or(MEMORY).try_into().unwrap_or(usize::MAX);
        let cells = grid.cells();
        let width = if cells <= 16 { cells.div_ceil(2) } else { cells };
        let index = vec![VACANT; 1 << 10];
        let (packed, nodes, states) = (Vec::new(), Vec::new(), Vec::new());
        Graph { cells, width, packed, nodes, states, index, memory }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    pub fn state(&self, number: u32) -> &S {
        &self.states[number as usize]
    }

    /// The last move on the way to a position.
    pub fn last(&self, number: u32) -> Option<Move> {
        Move::ALL.get(usize::from(self.nodes[number as usize].last)).copied()
    }

    /// The labels of a position.
    pub fn labels(&self, number: u32, labels: &mut [u8]) {
        let start = number as usize * self.width;
        let packed = &self.packed[start..start + self.width];
        if self.width == self.cells {
            labels.copy_from_slice(packed);
            return;
        }
        for (pair, byte) in labels.chunks_mut(2).zip(packed) {
            pair[0] = byte & 15;
            if let Some(second) = pair.get_mut(1) {
                *second = byte >> 4;
            }
        }
    }

    /// Enters the start.
    pub fn start(&mut self, labels: &[u8], state: S) -> Result<u32, Full> {
        match self.enter(labels, None, || state)? {
            Entered::New(number) => Ok(number),
            _ => unreachable!("the graph is empty"),
        }
    }

    /// Enters a position, reached by a move from one that is there already. `state` is only asked
    /// for where it is wanted.
    pub fn enter(
        &mut self,
        labels: &[u8],
        from: Option<(u32, Move)>,
        state: impl FnOnce() -> S,
    ) -> Result<Entered, Full> {
        let mut packed = [0; crate::board::MAX_CELLS];
        let packed = &mut packed[..self.width];
        if self.width == self.cells {
            packed.copy_from_slice(labels);
        } else {
            for (byte, pair) in packed.iter_mut().zip(labels.chunks(2)) {
                *byte = pair[0] | pair.get(1).map_or(0, |second| second << 4);
            }
        }
        let node = match from {
            None => Node { parent: VACANT, depth: 0, last: 4, closed: false },
            Some((parent, m)) => {
                let depth = self.nodes[parent as usize].depth + 1;
                Node { parent, depth, last: m as u8, closed: false }
            }
        };
        self.make_room()?;
        match self.find(packed) {
            Ok(number) if self.nodes[number as usize].depth <= node.depth => Ok(Entered::Known),
            Ok(number) => {
                self.nodes[number as usize] = node;
                Ok(Entered::Shorter(number))
            }
            Err(slot) => {
                let number = self.nodes.len() as u32;
                self.packed.extend_from_slice(packed);
                self.nodes.push(node);
                self.states.push(state());
                self.index[slot] = number;
                Ok(Entered::New(number))
            }
        }
    }

    /// The number of a position, or else its slot in the index.
    fn find(&self, packed: &[u8]) -> Result<u32, usize> {
        let mask = self.index.len() - 1;
        let mut slot = xxh3_64(packed) as usize & mask;
        loop {
            let number = self.index[slot];
            if number == VACANT {
                return Err(slot);
            }
            let start = number as usize * self.width;
            if self.packed[start..start + self.width] == *packed {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Makes sure that there is room for one more position.
    fn make_room(&mut self) -> Result<(), Full> {
        let positions = self.nodes.len();
        if positions == self.nodes.capacity() {
            let more = (positions / 2).max(1 << 10);
            let wanted = (positions + more) * self.bytes_each() + self.index_bytes();
            if wanted > self.memory || positions + more >= VACANT as usize {
                return Err(Full);
            }
            self.packed.try_reserve_exact(more * self.width).map_err(|_| Full)?;
            self.states.try_reserve_exact(more).map_err(|_| Full)?;
            self.nodes.try_reserve_exact(more).map_err(|_| Full)?;
        }
        // At most two slots in three are taken.
        if (positions + 1) * 3 > self.index.len() * 2 {
            // Old and new are there at once.
            let wanted = self.nodes.capacity() * self.bytes_each() + 3 * self.index_bytes();
            if wanted > self.memory {
                return Err(Full);
            }
            let mut index = Vec::new();
            index.try_reserve_exact(self.index.len() * 2).map_err(|_| Full)?;
            index.resize(self.index.len() * 2, VACANT);
            self.index = index;
            for number in 0..positions {
                let start = number * self.width;
                let packed = &self.packed[start..start + self.width];
                let mask = self.index.len() - 1;
                let mut slot = xxh3_64(packed) as usize & mask;
                while self.index[slot] != VACANT {
                    slot = (slot + 1) & mask;
                }
                self.index[slot] = number as u32;
            }
        }
        Ok(())
    }

    /// What a position takes beside its slots in the index, a place in a queue included.
    fn bytes_each(&self) -> usize {
        self.width + size_of::<Node>() + size_of::<S>() + 2 * size_of::<u32>()
    }

    fn index_bytes(&self) -> usize {
        self.index.len() * size_of::<u32>()
    }

    /// The moves from the start to a position.
    pub fn path(&self, mut number: u32) -> Path {
        let mut moves = Vec::new();
        while let Some(m) = self.last(number) {
            moves.push(m);
            number = self.nodes[number as usize].parent;
        }
        moves.reverse();
        Path(moves)
    }
}

/// A position in the hand, to make moves on.
#[derive(Clone)]
pub(super) struct Hand {
    pub grid: Grid,
    pub labels: Vec<u8>,
    pub empty: usize,
}

impl Hand {
    /// # Panics
    /// Where the blank is not on the board.
    pub fn new(grid: Grid, blank: usize, labels: &[u8]) -> Hand {
        let empty = labels.iter().position(|&label| usize::from(label) == blank);
        Hand { grid, labels: labels.to_vec(), empty: empty.expect("the blank is on the board") }
    }

    /// Makes a move, and gives the cells that the tile left and came to; `None` at the border.
    pub fn make(&mut self, m: Move) -> Option<(usize, usize)> {
        let from = self.grid.source(self.empty, m)?;
        let to = std::mem::replace(&mut self.empty, from);
        self.labels.swap(from, to);
        Some((from, to))
    }

    pub fn is_goal(&self) -> bool {
        self.labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
    }

    /// Takes over a position of a graph.
    pub fn take<S>(&mut self, graph: &Graph<S>, number: u32, blank: usize) {
        graph.labels(number, &mut self.labels);
        let empty = self.labels.iter().position(|&label| usize::from(label) == blank);
        self.empty = empty.expect("the blank is on the board");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_kept_as_they_are() {
        for (width, height) in [(3, 3), (4, 4), (5, 3), (16, 16)] {
            let grid = Grid::new(width, height).unwrap();
            let goal: Vec<u8> = (0..grid.cells()).map(|cell| cell as u8).collect();
            let mut graph: Graph<u8> = Graph::new(grid, &Control::default());
            let Ok(mut number) = graph.start(&goal, 7) else { panic!() };
            let mut hand = Hand::new(grid, 0, &goal);
            for i in 0..2000 {
                let m = Move::ALL[(i * i / 3 + i) % 4];
                if hand.make(m).is_none() {
                    continue;
                }
                let entered = graph.enter(&hand.labels, Some((number, m)), || 1);
                if let Ok(Entered::New(new)) = entered {
                    number = new;
                    let mut found = Hand::new(grid, 0, &goal);
                    found.take(&graph, number, 0);
                    assert_eq!((&found.labels, found.empty), (&hand.labels, hand.empty));
                } else {
                    hand.make(m.opposite());
                }
            }
            let path = graph.path(number);
            let mut replayed = Hand::new(grid, 0, &goal);
            path.iter().for_each(|m| assert!(replayed.make(m).is_some()));
            assert_eq!(replayed.labels, hand.labels);
        }
    }
}
