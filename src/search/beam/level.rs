//! A level of a beam of boards.

use super::by_parts;
use super::select::select;
use crate::board::{Grid, MAX_CELLS, Move, Position};
use crate::heuristic::Heuristic;
use crate::search::space::mix;

/// The positions of a level, those with the lowest bounds first.
pub(super) struct Level<C> {
    grid: Grid,
    /// The labels of all positions, one position after the other.
    labels: Vec<u8>,
    nodes: Vec<Node<C>>,
}

struct Node<C> {
    hash: u64,
    carry: C,
    blank: u8,
    last: Option<Move>,
}

/// A position that may be in the next level.
pub(super) struct Candidate<C> {
    hash: u64,
    carry: C,
    bound: u32,
    /// The position's place in its level, and the move: `place << 2 | move`.
    from: u32,
}

impl<C: Clone + Send + Sync> Level<C> {
    pub fn new(heuristic: &impl Heuristic<Carry = C>, position: &Position) -> Level<C> {
        let labels = position.labels().to_vec();
        let carry = heuristic.start(&labels);
        let node = Node { hash: 0, carry, blank: position.blank() as u8, last: None };
        Level { grid: position.grid(), labels, nodes: vec![node] }
    }

    /// The place of the goal, whose labels are in order.
    pub fn goal(&self, heuristic: &impl Heuristic<Carry = C>) -> Option<usize> {
        let near = self.nodes.iter().take_while(|node| heuristic.value(&node.carry) == 0).count();
        (0..near).find(|&place| self.labels(place).is_sorted())
    }

    /// The lowest bound, which is that of the first position; `None` if there is no position.
    pub fn lowest(&self, heuristic: &impl Heuristic<Carry = C>) -> Option<u32> {
        self.nodes.first().map(|node| heuristic.value(&node.carry))
    }

    /// All children that may lead to solutions of less than `below` moves, of which `made` are made,
    /// in the order of their parents. Only tiles of `free` cells move.
    pub fn candidates(
        &self,
        heuristic: &impl Heuristic<Carry = C>,
        free: &[bool],
        below: usize,
        made: usize,
    ) -> Vec<Candidate<C>> {
        let cells = self.grid.cells();
        by_parts(&self.nodes, |first, nodes| {
            let mut candidates = Vec::with_capacity(3 * nodes.len());
            let mut after = [0; MAX_CELLS];
            let after = &mut after[..cells];
            for (place, node) in (first..).zip(nodes) {
                let labels = self.labels(place);
                after.copy_from_slice(labels);
                let blank = usize::from(node.blank);
                for m in Move::ALL {
                    if node.last == Some(m.opposite()) {
                        continue;
                    }
                    let from = self.grid.source(blank, m).filter(|&cell| free[cell]);
                    let Some(from) = from else { continue };
                    after.swap(blank, from);
                    let carry = heuristic.moved(&node.carry, after, from, blank);
                    let bound = heuristic.value(&carry);
                    after.swap(blank, from);
                    if made + (bound as usize) < below {
                        let hash = node.hash ^ key(labels[from], from) ^ key(labels[from], blank);
                        let from = (place << 2 | m as usize) as u32;
                        candidates.push(Candidate { hash, carry, bound, from });
                    }
                }
            }
            candidates
        })
    }

    /// The next level, and where its positions come from: up to `width` candidates with the lowest
    /// bounds, each position once.
    pub fn next(&self, candidates: &[Candidate<C>], width: usize) -> (Level<C>, Vec<u32>) {
        let kept = select(candidates, width, |candidate| (candidate.bound, candidate.hash));
        let kept: Vec<&Candidate<C>> = kept.iter().map(|&i| &candidates[i as usize]).collect();
        // The parent's place, and the cells of the tile that moves and of the blank.
        let parent = |candidate: &Candidate<C>| {
            let (place, m) = (candidate.from as usize >> 2, (candidate.from & 3) as usize);
            let blank = usize::from(self.nodes[place].blank);
            let from = self.grid.source(blank, Move::ALL[m]).expect("the move was made before");
            (place, from, blank)
        };
        let labels = by_parts(&kept, |_, kept| {
            let mut labels = Vec::with_capacity(kept.len() * self.grid.cells());
            for candidate in kept {
                let (place, from, blank) = parent(candidate);
                let begin = labels.len();
                labels.extend_from_slice(self.labels(place));
                labels[begin..].swap(from, blank);
            }
            labels
        });
        let node = |candidate: &&Candidate<C>| Node {
            hash: candidate.hash,
            carry: candidate.carry.clone(),
            blank: parent(candidate).1 as u8,
            last: Some(Move::ALL[(candidate.from & 3) as usize]),
        };
        let nodes = kept.iter().map(node).collect();
        let from = kept.iter().map(|candidate| candidate.from).collect();
        (Level { grid: self.grid, labels, nodes }, from)
    }

    fn labels(&self, place: usize) -> &[u8] {
        let cells = self.grid.cells();
        &self.labels[place * cells..][..cells]
    }
}

/// The part of a position's hash that a tile in a cell adds.
fn key(tile: u8, cell: usize) -> u64 {
    mix((u64::from(tile) << 8 | cell as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
