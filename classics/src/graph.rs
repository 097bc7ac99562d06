//! Positions in memory, each once, with the path to each.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use taquin_engine::board::{Grid, Move, Moves};
use taquin_engine::search::{Limits, Stop};

/// The bytes of a position in the index while that grows, and of its place in a queue.
const INDEX: usize = 24;

/// Positions by number, in the order in which they were found.
pub struct Graph {
    cells: usize,
    /// The labels of one position after the other.
    labels: Vec<u8>,
    nodes: Vec<GraphNode>,
    /// The numbers of positions.
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
    memory: usize,
}

/// The last step of the path to a position.
#[derive(Clone, Copy)]
pub struct GraphNode {
    parent: u32,
    /// The moves from the start.
    pub depth: u16,
    pub last: Option<Move>,
    /// Whether its children were generated.
    pub closed: bool,
}

/// The labels of a position.
fn row(labels: &[u8], cells: usize, number: u32) -> &[u8] {
    &labels[number as usize * cells..][..cells]
}

impl Graph {
    pub fn new(grid: Grid, limits: &Limits) -> Graph {
        let memory = limits.most_memory().try_into().unwrap_or(usize::MAX);
        let (labels, nodes, index) = (Vec::new(), Vec::new(), HashTable::new());
        let hasher = DefaultHashBuilder::default();
        Graph { cells: grid.cells(), labels, nodes, index, hasher, memory }
    }

    /// Forgets all positions, and keeps their memory for others.
    pub fn clear(&mut self) {
        self.labels.clear();
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
    pub fn labels(&self, number: u32) -> &[u8] {
        row(&self.labels, self.cells, number)
    }

    /// Enters a position: the start, or one reached by a move from a position that is there already. Returns
    /// its number if it is new, or is now reached in fewer moves.
    ///
    /// # Errors
    /// There is no room for another position.
    pub fn enter(&mut self, labels: &[u8], from: Option<(u32, Move)>) -> Result<Option<u32>, Stop> {
        let step = |(parent, m)| (parent, self.nodes[parent as usize].depth + 1, Some(m));
        let (parent, depth, last) = from.map_or((0, 0, None), step);
        let node = GraphNode { parent, depth, last, closed: false };
        let hash = self.hasher.hash_one(labels);
        if let Some(&number) = self.index.find(hash, |&number| self.labels(number) == labels) {
            let known = self.node(number);
            let is_shorter = depth < known.depth;
            if is_shorter {
                *known = node;
            }
            return Ok(is_shorter.then_some(number));
        }
        self.make_room()?;
        let number = self.nodes.len() as u32;
        self.labels.extend_from_slice(labels);
        self.nodes.push(node);
        let Graph { cells, labels, index, hasher, .. } = self;
        index.insert_unique(hash, number, |&number| hasher.hash_one(row(labels, *cells, number)));
        Ok(Some(number))
    }

    /// Makes sure that there is room for one more position.
    fn make_room(&mut self) -> Result<(), Stop> {
        let positions = self.nodes.len();
        if positions < self.nodes.capacity() {
            return Ok(());
        }
        let more = (positions / 2).max(1 << 10);
        let each = self.cells + size_of::<GraphNode>() + INDEX;
        if (positions + more) * each > self.memory || positions + more > u32::MAX as usize {
            return Err(Stop::Memory);
        }
        let Graph { cells, labels, nodes, index, hasher, .. } = self;
        let of = |&number: &u32| hasher.hash_one(row(labels, *cells, number));
        index.try_reserve(more, of).map_err(|_| Stop::Memory)?;
        labels.try_reserve_exact(more * *cells).map_err(|_| Stop::Memory)?;
        nodes.try_reserve_exact(more).map_err(|_| Stop::Memory)
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
            let mut number = graph.enter(goal.labels(), None).unwrap().unwrap();
            let mut position = goal.clone();
            for i in 0..2000 {
                let m = Move::ALL[(i * i / 3 + i) % 4];
                if position.make(m).is_none() {
                    continue;
                }
                if let Some(new) = graph.enter(position.labels(), Some((number, m))).unwrap() {
                    number = new;
                    assert_eq!(graph.labels(number), position.labels());
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
