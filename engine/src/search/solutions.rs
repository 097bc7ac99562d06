//! All optimal solutions of a position: counted, and listed.
//!
//! The searches ([exhaust](super::exhaust)) find only the solutions that the move automaton leaves.
//! From these follow all the others:
//!
//! 1. *Layer* g holds the positions that are on a solution after g moves. Every move from a layer
//!    to the next one is part of a solution. At first the layers hold the solutions found.
//! 2. Every solution is turned into one of these by replacing forbidden words by their minimal
//!    ones, of the same length. So wherever a minimal word leads through the layers, its forbidden
//!    words do too: their positions are added, until there is nothing more to add.
//! 3. The number of paths to each position, layer by layer, gives the number of solutions, and a
//!    depth-first search lists them without detours.

use std::collections::{HashMap, HashSet};

use super::automaton::Forbidden;
use super::moves::MoveRows;
use super::{Control, Stop};
use crate::board::{Grid, Move, Moves, Position};

/// The bytes that positions may take if the control does not limit them.
const MEMORY: u64 = 2 << 30;

/// The bytes of a position in addition to its labels: its place in a set, and the allocator's share.
const OVERHEAD: usize = 40;

/// All optimal solutions of a position.
pub struct Solutions {
    start: Position,
    layers: Vec<HashSet<Box<[u8]>>>,
    /// The number of positions that fit the memory.
    room: usize,
    words: Words,
    /// The layers where words may begin that were not replaced yet.
    due: Vec<bool>,
}

impl Solutions {
    /// No solution yet of those of `length` moves.
    pub(super) fn new(start: &Position, length: u32, control: &Control) -> Solutions {
        let layers = length as usize + 1;
        let memory = usize::try_from(control.memory().unwrap_or(MEMORY)).unwrap_or(usize::MAX);
        Solutions {
            start: start.clone(),
            layers: vec![HashSet::new(); layers],
            room: memory / (start.grid().cells() + OVERHEAD),
            words: Words::new(start.grid(), MoveRows::equivalents(start.grid())),
            due: vec![false; layers],
        }
    }

    /// Adds a solution. Returns whether there was room. One of another length, which a damaged table
    /// can lead to, is left out.
    pub(super) fn add(&mut self, moves: &[Move]) -> bool {
        if moves.len() + 1 != self.layers.len() {
            return true;
        }
        let mut position = self.start.clone();
        self.enter(0, &position)
            && (1..).zip(moves).all(|(depth, &m)| {
                position.make(m).expect("solutions stay on the board");
                self.enter(depth, &position)
            })
    }

    /// Adds a position. Returns whether there was room.
    fn enter(&mut self, depth: usize, position: &Position) -> bool {
        if !self.layers[depth].contains(position.labels()) {
            self.layers[depth].insert(position.labels().into());
            // Words that lead to this position or through it, or begin here.
            self.due[depth.saturating_sub(self.words.longest)..=depth].fill(true);
            self.room = self.room.saturating_sub(1);
        }
        self.room > 0
    }

    fn holds(&self, depth: usize, position: &Position) -> bool {
        self.layers.get(depth).is_some_and(|layer| layer.contains(position.labels()))
    }

    /// Adds the solutions that the automaton leaves out.
    pub(super) fn complete(mut self, control: &Control) -> Result<Solutions, Stop> {
        while self.due.contains(&true) {
            for depth in 0..self.layers.len() {
                if !std::mem::take(&mut self.due[depth]) {
                    continue;
                }
                let missing = self.words.missing(&self, depth);
                let room = missing.iter().all(|(depth, position)| self.enter(*depth, position));
                let full = (!room).then_some(Stop::Memory);
                if let Some(stop) = full.or_else(|| control.check(0)) {
                    return Err(stop);
                }
            }
        }
        Ok(self)
    }

    /// The number of solutions. More than a `u128` holds are counted as its largest value.
    pub fn count(&self) -> u128 {
        let mut position = self.start.clone();
        // By position of a layer: the number of paths that lead to it.
        let mut paths = HashMap::from([(self.start.labels(), 1_u128)]);
        for pair in self.layers.windows(2) {
            let mut next = HashMap::with_capacity(pair[1].len());
            for (labels, number) in paths {
                position.overwrite(|to| to.copy_from_slice(labels));
                for m in Move::ALL {
                    if position.make(m).is_some() {
                        if let Some(child) = pair[1].get(position.labels()) {
                            let sum: &mut u128 = next.entry(&**child).or_default();
                            *sum = sum.saturating_add(number);
                        }
                        position.make(m.opposite());
                    }
                }
            }
            paths = next;
        }
        // The last layer holds nothing but the goal.
        paths.values().sum()
    }

    /// The first `most` solutions in the order of [`Move::ALL`].
    pub fn list(&self, most: usize) -> Vec<Moves> {
        let mut paths = Vec::new();
        if most > 0 && self.holds(0, &self.start) {
            self.walk(&mut self.start.clone(), &mut Moves::default(), most, &mut paths);
        }
        paths
    }

    /// Lists the solutions that begin with a path, until there are `most`.
    fn walk(&self, position: &mut Position, path: &mut Moves, most: usize, paths: &mut Vec<Moves>) {
        let depth = path.len() + 1;
        if depth == self.layers.len() {
            paths.push(path.clone());
            return;
        }
        for m in Move::ALL {
            if paths.len() < most && position.make(m).is_some() {
                if self.holds(depth, position) {
                    path.0.push(m);
                    self.walk(position, path, most, paths);
                    path.0.pop();
                }
                position.make(m.opposite());
            }
        }
    }
}

/// The words to replace, as a tree of the minimal ones.
struct Words {
    /// The roots come first, one for each cell of the blank.
    nodes: Vec<WordNode>,
    longest: usize,
}

/// A word that minimal words begin with.
#[derive(Default)]
struct WordNode {
    /// The word with one more move; 0 if no minimal word begins with it.
    longer: [u32; 4],
    /// The forbidden words that this one replaces.
    forbidden: Vec<Vec<Move>>,
}

impl Words {
    fn new(grid: Grid, equivalents: Vec<Forbidden>) -> Words {
        let mut nodes: Vec<WordNode> = (0..grid.cells()).map(|_| WordNode::default()).collect();
        let mut longest = 0;
        for Forbidden { start, word, minimal } in equivalents {
            longest = longest.max(minimal.len());
            let mut node = start;
            for m in minimal {
                let longer = nodes[node].longer[usize::from(m)] as usize;
                node = if longer > 0 {
                    longer
                } else {
                    let new = nodes.len();
                    nodes[node].longer[usize::from(m)] = new as u32;
                    nodes.push(WordNode::default());
                    new
                };
            }
            let moves = word.into_iter().map(|m| Move::ALL[usize::from(m)]);
            nodes[node].forbidden.push(moves.collect());
        }
        Words { nodes, longest }
    }

    /// The positions missing where the minimal words that begin in a layer are replaced.
    fn missing(&self, solutions: &Solutions, depth: usize) -> Vec<(usize, Position)> {
        let mut missing = Vec::new();
        let mut start = solutions.start.clone();
        for labels in &solutions.layers[depth] {
            start.overwrite(|to| to.copy_from_slice(labels));
            let mut position = start.clone();
            let root = start.blank();
            self.follow(solutions, root, depth, (&start, depth), &mut position, &mut missing);
        }
        missing
    }

    /// Follows the words from a node as far as they lead through the layers.
    fn follow(
        &self,
        solutions: &Solutions,
        node: usize,
        depth: usize,
        start: (&Position, usize),
        position: &mut Position,
        missing: &mut Vec<(usize, Position)>,
    ) {
        let node = &self.nodes[node];
        for word in &node.forbidden {
            let mut along = start.0.clone();
            for (depth, &m) in (start.1 + 1..).zip(word) {
                along.make(m).expect("words stay on the board");
                if !solutions.holds(depth, &along) {
                    missing.push((depth, along.clone()));
                }
            }
        }
        for (m, &longer) in Move::ALL.into_iter().zip(&node.longer) {
            if longer > 0 && position.make(m).is_some() {
                if solutions.holds(depth + 1, position) {
                    self.follow(solutions, longer as usize, depth + 1, start, position, missing);
                }
                position.make(m.opposite());
            }
        }
    }
}
