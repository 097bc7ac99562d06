//! Positions in memory, each once, with the path to each.

use hashbrown::HashTable;
use taquin_engine::board::{Grid, MAX_CELLS, Move, Moves};
use taquin_engine::search::Limits;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes that a search may take if the limits do not limit them.
const MEMORY: u64 = 2 << 30;

/// The bytes of a position in the index while that grows, and of its place in a queue.
const INDEX: usize = 24;

/// Positions by number, in the order in which they were found, each with data of type `T`.
pub struct Graph<T> {
    cells: usize,
    packed: Packed,
    nodes: Vec<GraphNode>,
    data: Vec<T>,
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

/// The last step of the path to a position.
#[derive(Clone, Copy)]
pub struct GraphNode {
    parent: u32,
    /// The moves from the start.
    pub depth: u16,
    last: Option<Move>,
    /// Its children were generated.
    pub closed: bool,
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

impl<T> Graph<T> {
    pub fn new(grid: Grid, limits: &Limits) -> Graph<T> {
        let memory = limits.most_memory().unwrap_or(MEMORY).try_into().unwrap_or(usize::MAX);
        let cells = grid.cells();
        let width = if cells <= 16 { cells.div_ceil(2) } else { cells };
        let packed = Packed { bytes: Vec::new(), width };
        let (nodes, data, index) = (Vec::new(), Vec::new(), HashTable::new());
        Graph { cells, packed, nodes, data, index, memory }
    }

    /// Forgets all positions, and keeps the memory.
    pub fn clear(&mut self) {
        self.packed.bytes.clear();
        self.nodes.clear();
        self.data.clear();
        self.index.clear();
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
        self.nodes[number as usize].last
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
        let packed = &mut packed[..self.packed.width];
        if packed.len() == self.cells {
            packed.copy_from_slice(labels);
        } else {
            for (byte, pair) in packed.iter_mut().zip(labels.chunks(2)) {
                *byte = pair[0] | pair.get(1).map_or(0, |second| second << 4);
            }
        }
        let node = match from {
            None => GraphNode { parent: 0, depth: 0, last: None, closed: false },
            Some((parent, m)) => {
                let depth = self.nodes[parent as usize].depth + 1;
                GraphNode { parent, depth, last: Some(m), closed: false }
            }
        };
        let hash = xxh3_64(packed);
        match self.index.find(hash, |&number| self.packed.of(number) == packed) {
            Some(&number) if self.nodes[number as usize].depth <= node.depth => Ok(Entered::Known),
            Some(&number) => {
                self.nodes[number as usize] = node;
                Ok(Entered::Shorter(number))
            }
            None => {
                self.make_room()?;
                let number = self.nodes.len() as u32;
                self.packed.bytes.extend_from_slice(packed);
                self.nodes.push(node);
                self.data.push(data());
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
        let each = self.packed.width + size_of::<GraphNode>() + size_of::<T>() + INDEX;
        if (positions + more) * each > self.memory || positions + more > u32::MAX as usize {
            return Err(Full);
        }
        self.packed.bytes.try_reserve_exact(more * self.packed.width).map_err(|_| Full)?;
        self.data.try_reserve_exact(more).map_err(|_| Full)?;
        self.index.try_reserve(more, |&number| self.packed.hash(number)).map_err(|_| Full)?;
        self.nodes.try_reserve_exact(more).map_err(|_| Full)
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
            let mut graph: Graph<u8> = Graph::new(grid, &Limits::default());
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
