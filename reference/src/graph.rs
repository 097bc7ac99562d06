//! Positions in memory, each once, with the path to each.

use taquin_engine::board::{Grid, MAX_CELLS, Move, Moves};
use taquin_engine::search::Control;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes that a search may take if its control does not limit them.
const MEMORY: u64 = 2 << 30;

/// Positions by number, in the order in which they were found, each with data of type `T`.
pub(super) struct Graph<T> {
    cells: usize,
    /// Bytes of a position.
    width: usize,
    packed: Vec<u8>,
    nodes: Vec<GraphNode>,
    data: Vec<T>,
    /// Numbers of positions by hash, open addressing; `VACANT` elsewhere.
    index: Vec<u32>,
    memory: usize,
}

/// The last step of the path to a position.
#[derive(Clone, Copy)]
pub(super) struct GraphNode {
    parent: u32,
    /// The moves from the start.
    pub depth: u16,
    last: u8,
    /// Its children were generated.
    pub closed: bool,
}

const VACANT: u32 = u32::MAX;

/// The slots of an index at first.
const FIRST: usize = 1 << 10;

/// No room for another position.
pub(super) struct Full;

/// The result of entering a position.
pub(super) enum Entered {
    New(u32),
    /// It was there already, and is now reached in fewer moves.
    Shorter(u32),
    Known,
}

impl<T> Graph<T> {
    pub fn new(grid: Grid, control: &Control) -> Graph<T> {
        let memory = control.memory().unwrap_or(MEMORY).try_into().unwrap_or(usize::MAX);
        let cells = grid.cells();
        let width = if cells <= 16 { cells.div_ceil(2) } else { cells };
        let index = vec![VACANT; FIRST];
        let (packed, nodes, data) = (Vec::new(), Vec::new(), Vec::new());
        Graph { cells, width, packed, nodes, data, index, memory }
    }

    /// Forgets all positions, and keeps the memory.
    pub fn clear(&mut self) {
        self.packed.clear();
        self.nodes.clear();
        self.data.clear();
        self.index.truncate(FIRST);
        self.index.fill(VACANT);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&mut self, number: u32) -> &mut GraphNode {
        &mut self.nodes[number as usize]
    }

    pub fn data(&self, number: u32) -> &T {
        &self.data[number as usize]
    }

    pub fn set_data(&mut self, number: u32, data: T) {
        self.data[number as usize] = data;
    }

    /// The last move on the path to a position.
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
    pub fn start(&mut self, labels: &[u8], data: T) -> Result<u32, Full> {
        match self.enter(labels, None, || data)? {
            Entered::New(number) => Ok(number),
            _ => unreachable!("the graph is empty"),
        }
    }

    /// Enters a position, reached by a move from one that is there already. `data` is called for a
    /// new position only.
    pub fn enter(
        &mut self,
        labels: &[u8],
        from: Option<(u32, Move)>,
        data: impl FnOnce() -> T,
    ) -> Result<Entered, Full> {
        let mut packed = [0; MAX_CELLS];
        let packed = &mut packed[..self.width];
        if self.width == self.cells {
            packed.copy_from_slice(labels);
        } else {
            for (byte, pair) in packed.iter_mut().zip(labels.chunks(2)) {
                *byte = pair[0] | pair.get(1).map_or(0, |second| second << 4);
            }
        }
        let node = match from {
            None => GraphNode { parent: VACANT, depth: 0, last: 4, closed: false },
            Some((parent, m)) => {
                let depth = self.nodes[parent as usize].depth + 1;
                GraphNode { parent, depth, last: m as u8, closed: false }
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
                self.data.push(data());
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
            self.data.try_reserve_exact(more).map_err(|_| Full)?;
            self.nodes.try_reserve_exact(more).map_err(|_| Full)?;
        }
        // At most two slots in three are taken.
        if (positions + 1) * 3 > self.index.len() * 2 {
            // Old and new index exist at the same time.
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

    /// The bytes of a position in addition to its slots in the index, with a place in a queue.
    fn bytes_each(&self) -> usize {
        self.width + size_of::<GraphNode>() + size_of::<T>() + 2 * size_of::<u32>()
    }

    fn index_bytes(&self) -> usize {
        self.index.len() * size_of::<u32>()
    }

    /// The moves from the start to a position.
    pub fn path(&self, mut number: u32) -> Moves {
        let mut moves = Vec::new();
        while let Some(m) = self.last(number) {
            moves.push(m);
            number = self.nodes[number as usize].parent;
        }
        moves.reverse();
        Moves(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taquin_engine::board::Position;

    #[test]
    fn positions_are_kept_as_they_are() {
        for (width, height) in [(3, 3), (4, 4), (5, 3), (16, 16)] {
            let grid = Grid::new(width, height).unwrap();
            let goal = Position::goal(grid, 0);
            let mut graph: Graph<u8> = Graph::new(grid, &Control::default());
            let Ok(mut number) = graph.start(goal.labels(), 7) else { panic!() };
            let mut position = goal.clone();
            for i in 0..2000 {
                let m = Move::ALL[(i * i / 3 + i) % 4];
                if position.make(m).is_none() {
                    continue;
                }
                let entered = graph.enter(position.labels(), Some((number, m)), || 1);
                if let Ok(Entered::New(new)) = entered {
                    number = new;
                    let mut found = goal.clone();
                    found.overwrite(|labels| graph.labels(number, labels));
                    assert_eq!((&found, found.blank()), (&position, position.blank()));
                } else {
                    position.make(m.opposite());
                }
            }
            let mut replayed = goal;
            graph.path(number).iter().for_each(|m| assert!(replayed.make(m).is_some()));
            assert_eq!(replayed, position);
        }
    }
}
