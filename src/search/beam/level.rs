//! A level of a beam of boards.

use super::guide::Guide;
use super::select::{Grouped, Ranked, group_count, select};
use super::{Origin, PART, by_parts};
use crate::board::{Grid, MAX_CELLS, Move, Position};
use crate::parallel::map_chunks;
use crate::search::space::mix;

/// The positions of a level.
pub(super) struct Level<C, const TILE_BITS: u32> {
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
pub(super) struct Candidate<C, const TILE_BITS: u32> {
    hash: u64,
    carry: C,
    rank: u32,
    from: Origin<TILE_BITS>,
}

/// A level of single moves has 0 tile bits, one of slides [`SLIDE`](super::SLIDE).
impl<C: Clone + Send + Sync, const TILE_BITS: u32> Level<C, TILE_BITS> {
    pub fn new(guide: &impl Guide<Carry = C>, position: &Position) -> Self {
        let labels = position.labels().to_vec();
        let carry = guide.start(&labels);
        let node = Node { hash: 0, carry, blank: position.blank() as u8, last: None };
        Level { grid: position.grid(), labels, nodes: vec![node] }
    }

    /// The place of the goal, whose labels are in order.
    pub fn goal(&self, guide: &impl Guide<Carry = C>) -> Option<usize> {
        let is_goal = |(place, node): (usize, &Node<C>)| {
            guide.rank(&node.carry) == 0 && self.labels(place).is_sorted()
        };
        self.nodes.iter().enumerate().position(is_goal)
    }

    /// The lowest rank and the place of its first position; `None` if there is no position.
    pub fn lowest(&self, guide: &impl Guide<Carry = C>) -> Option<(u32, usize)> {
        self.nodes.iter().map(|node| guide.rank(&node.carry)).zip(0..).min()
    }

    /// All children that may lead to solutions of less than `below` moves or slides, of which `made`
    /// are made, in the order of their parents. Only tiles of `free` cells move.
    pub fn candidates(
        &self,
        guide: &impl Guide<Carry = C>,
        free: &[bool],
        below: usize,
        made: usize,
    ) -> Vec<Candidate<C, TILE_BITS>> {
        let cells = self.grid.cells();
        // A slide makes as many moves as it has tiles.
        let longest =
            if TILE_BITS == 0 { 1 } else { self.grid.width().max(self.grid.height()) - 1 };
        by_parts(&self.nodes, |first, nodes| {
            let mut candidates = Vec::with_capacity(3 * nodes.len());
            let mut after = [0; MAX_CELLS];
            let after = &mut after[..cells];
            for (place, node) in (first..).zip(nodes) {
                after.copy_from_slice(self.labels(place));
                for m in Move::ALL {
                    if node.last.is_some_and(|last| Self::is_pointless(last, m)) {
                        continue;
                    }
                    let mut child = (node.hash, node.carry.clone(), usize::from(node.blank));
                    for tiles in 1..=longest {
                        let (hash, carry, blank) = &child;
                        let from = self.grid.source(*blank, m).filter(|&cell| free[cell]);
                        let Some(from) = from else { break };
                        let tile = after[from];
                        let hash = hash ^ key(tile, from) ^ key(tile, *blank);
                        after.swap(*blank, from);
                        let carry = guide.moved(carry, after, from, *blank);
                        let bound = guide.bound(&carry) as usize;
                        if made + bound.div_ceil(longest) < below {
                            let (rank, carry) = (guide.rank(&carry), carry.clone());
                            let from = Origin::new(place, m as usize, tiles);
                            candidates.push(Candidate { hash, carry, rank, from });
                        }
                        child = (hash, carry, from);
                    }
                    // The way back.
                    let mut blank = child.2;
                    while blank != usize::from(node.blank) {
                        let back =
                            self.grid.source(blank, m.opposite()).expect("it came from there");
                        after.swap(blank, back);
                        blank = back;
                    }
                }
            }
            candidates
        })
    }

    /// Whether a move or slide after the last one would undo it, or continue a slide.
    #[inline(always)]
    fn is_pointless(last: Move, m: Move) -> bool {
        last == m.opposite() || (TILE_BITS > 0 && last == m)
    }

    /// The next level, and where its positions come from: up to `width` candidates with the lowest
    /// ranks, each position once.
    pub fn next(
        &self,
        candidates: &[Candidate<C, TILE_BITS>],
        width: usize,
    ) -> (Self, Vec<Origin<TILE_BITS>>) {
        let groups = group_count(candidates.len());
        let parts =
            map_chunks(candidates, PART, |first, candidates| {
                let ranked =
                    (first..).zip(candidates).map(|(number, &Candidate { hash, rank, .. })| {
                        Ranked { hash, rank, number: number as u32 }
                    });
                Grouped::new(&ranked.collect::<Vec<_>>(), groups)
            });
        let kept = select(&parts, width, candidates.len());
        let kept: Vec<&Candidate<C, TILE_BITS>> =
            kept.iter().map(|&i| &candidates[i as usize]).collect();
        // The cells of the blank before each move of a candidate, and after it.
        let blanks = |origin: Origin<TILE_BITS>| {
            let mut blank = usize::from(self.nodes[origin.place()].blank);
            (0..origin.tiles()).map(move |_| {
                let from = self.grid.source(blank, origin.last());
                let from = from.expect("the move was made before");
                (std::mem::replace(&mut blank, from), from)
            })
        };
        let labels = by_parts(&kept, |_, kept| {
            let mut labels = Vec::with_capacity(kept.len() * self.grid.cells());
            for candidate in kept {
                let begin = labels.len();
                labels.extend_from_slice(self.labels(candidate.from.place()));
                blanks(candidate.from).for_each(|(to, from)| labels[begin..].swap(from, to));
            }
            labels
        });
        let node = |candidate: &&Candidate<C, TILE_BITS>| Node {
            hash: candidate.hash,
            carry: candidate.carry.clone(),
            blank: blanks(candidate.from).fold(0, |_, (_, from)| from as u8),
            last: Some(candidate.from.last()),
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
