//! A level of a beam of boards.

use rayon::prelude::*;

use super::select::select;
use crate::board::{Grid, MAX_CELLS, Move, Position};
use crate::heuristic::Heuristic;

/// The positions that a thread takes at once.
const PART: usize = 256;

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
        let parts = self.nodes.par_chunks(PART).zip(self.labels.par_chunks(PART * cells));
        let parts = parts.enumerate().map(|(part, (nodes, labels))| {
            let mut candidates = Vec::with_capacity(3 * nodes.len());
            let mut after = [0; MAX_CELLS];
            let after = &mut after[..cells];
            for (i, (node, labels)) in nodes.iter().zip(labels.chunks_exact(cells)).enumerate() {
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
                        let from = ((part * PART + i) << 2 | m as usize) as u32;
                        candidates.push(Candidate { hash, carry, bound, from });
                    }
                }
            }
            candidates
        });
        parts.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    /// The next level, and where its positions come from: the `width` candidates with the lowest
    /// bounds, each position once.
    pub fn next(&self, candidates: &[Candidate<C>], width: usize) -> (Level<C>, Vec<u32>) {
        let cells = self.grid.cells();
        let kept = select(candidates, width, |candidate| (candidate.bound, candidate.hash));
        let mut labels = vec![0; kept.len() * cells];
        let nodes = labels.par_chunks_exact_mut(cells).zip(&kept).with_min_len(PART);
        let nodes = nodes.map(|(labels, &i)| {
            let Candidate { hash, carry, from, .. } = &candidates[i as usize];
            let (parent, m) = (*from as usize >> 2, Move::ALL[(from & 3) as usize]);
            let blank = usize::from(self.nodes[parent].blank);
            let from = self.grid.source(blank, m).expect("the move was made before");
            labels.copy_from_slice(&self.labels[parent * cells..][..cells]);
            labels.swap(blank, from);
            Node { hash: *hash, carry: carry.clone(), blank: from as u8, last: Some(m) }
        });
        let nodes = nodes.collect();
        let from = kept.iter().map(|&i| candidates[i as usize].from).collect();
        (Level { grid: self.grid, labels, nodes }, from)
    }
}

/// The part of a position's hash that a tile in a cell adds: the finalizer of SplitMix64 (Steele, Lea
/// & Flood 2014).
fn key(tile: u8, cell: usize) -> u64 {
    let mut x = (u64::from(tile) << 8 | cell as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
