//! Positions in memory, each once, with the path to each.

use hashbrown::HashTable;
use taquin_engine::board::{Grid, MAX_CELLS, Move, Moves};
use taquin_engine::search::Limits;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes that a search may take if the limits do not limit them.
const MEMORY: u64 = 2 << 30;

/// The bytes of a position in the index while that grows, and of its place in a queue.
const INDEX: usize = 24;

/// Positions by number, in the order in which they were found.
pub struct Graph {
    cells: usize,
    packed: Packed,
    nodes: Vec<GraphNode>,
    /// The numbers of positions.
    index: HashTable<u32>,
    memory: usize,
}

/// Positions of `width` bytes each.
struct Packed {
    bytes: Vec<u8>,
    width: usize,
}

impl Packed {
    fn of(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.width]
    }

    fn hash(&self, number: u32) -> u64 {
        xxh3_64(self.of(number))
    }
}

/// The last step of the path to a position, and its value.
#[derive(Clone, Copy)]
pub struct GraphNode {
    parent: u32,
    /// The moves from the start.
    pub depth: u16,
    pub last: Option<Move>,
    /// Its children were generated.
    pub closed: bool,
    /// The value that the search gives it; 0 at first.
    pub value: f64,
}

/// No room for another position.
pub struct Full;

/// The result of entering a position.
pub enum Entered {
    New(u32),
    /// It was there already, and is now reached in fewer moves.
    Shorter(u32),
    Known,
}

impl Graph {
    pub fn new(grid: Grid, limits: &Limits) -> Graph {
        let memory = limits.memory.unwrap_or(MEMORY).try_into().unwrap_or(usize::MAX);
        let cells = grid.cells();
        let width = if cells <= 16 { cells.div_ceil(2) } else { cells };
        let packed = Packed { bytes: Vec::new(), width };
        Graph { cells, packed, nodes: Vec::new(), index: HashTable::new(), memory }
    }

    /// Forgets all positions, and keeps the memory.
    pub fn clear(&mut self) {
        self.packed.bytes.clear();
        self.nodes.clear();
        self.index.clear();
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&mut self, number: u32) -> &mut GraphNode {
        &mut self.nodes[number as usize]
    }

    /// The labels of a position.
    pub fn labels(&self, number: u32, labels: &mut [u8]) {
        let packed = self.packed.of(number);
        if packed.len() == self.cells {
            return labels.copy_from_slice(packed);
        }
        for (pair, byte) in labels.chunks_mut(2).zip(packed) {
            pair[0] = byte & 15;
            if let Some(second) = pair.get_mut(1) {
                *second = byte >> 4;
            }
        }
    }

    /// Enters a position: the start, or one reached by a move from a position that is there already.
    pub fn enter(&mut self, labels: &[u8], from: Option<(u32, Move)>) -> Result<Entered, Full> {
        let mut packed = [0; MAX_CELLS];
        let packed = &mut packed[..self.packed.width];
        if packed.len() == self.cells {
            packed.copy_from_slice(labels);
        } else {
            for (byte, pair) in packed.iter_mut().zip(labels.chunks(2)) {
                *byte = pair[0] | pair.get(1).map_or(0, |second| second << 4);
            }
        }
        let (parent, depth) =
            from.map_or((0, 0), |(parent, _)| (parent, self.node(parent).depth + 1));
        let last = from.map(|(_, last)| last);
        let node = GraphNode { parent, depth, last, closed: false, value: 0.0 };
        let hash = xxh3_64(packed);
        match self.index.find(hash, |&number| self.packed.of(number) == packed) {
            Some(&number) if self.nodes[number as usize].depth <= node.depth => Ok(Entered::Known),
            Some(&number) => {
                let value = self.node(number).value;
                *self.node(number) = GraphNode { value, ..node };
                Ok(Entered::Shorter(number))
            }
            None => {
                self.make_room()?;
                let number = self.nodes.len() as u32;
                self.packed.bytes.extend_from_slice(packed);
                self.nodes.push(node);
                self.index.insert_unique(hash, number, |&number| self.packed.hash(number));
                Ok(Entered::New(number))
            }
        }
    }

    /// Makes sure that there is room for one more position.
    fn make_room(&mut self) -> Result<(), Full> {
        let positions = self.nodes.len();
        if positions < self.nodes.capacity() {
            return Ok(());
        }
        let more = (positions / 2).max(1 << 10);
        let each = self.packed.width + size_of::<GraphNode>() + INDEX;
        if (positions + more) * each > self.memory || positions + more > u32::MAX as usize {
            return Err(Full);
        }
        self.packed.bytes.try_reserve_exact(more * self.packed.width).map_err(|_| Full)?;
        self.index.try_reserve(more, |&number| self.packed.hash(number)).map_err(|_| Full)?;
        self.nodes.try_reserve_exact(more).map_err(|_| Full)
    }

    /// The moves from the start to a position.
    pub fn path(&self, mut number: u32) -> Moves {
        let mut moves = Vec::new();
        while let GraphNode { parent, last: Some(m), .. } = self.nodes[number as usize] {
            moves.push(m);
            number = parent;
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
            let mut graph = Graph::new(grid, &Limits::default());
            let Ok(Entered::New(mut number)) = graph.enter(goal.labels(), None) else { panic!() };
            let mut position = goal.clone();
            for i in 0..2000 {
                let m = Move::ALL[(i * i / 3 + i) % 4];
                if position.make(m).is_none() {
                    continue;
                }
                let entered = graph.enter(position.labels(), Some((number, m)));
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
