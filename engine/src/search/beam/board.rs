//! Beams of boards of any size, with any heuristic.
//!
//! On large boards a beam may end before the goal, because no level comes closer any more: for
//! example, two lines have some of each other's tiles, and everything around them is at home. Then
//! the next line is brought home as [`staged`](crate::search::staged()) does, and another beam solves
//! the rest of the board.

use super::levels::{Beam, Candidates, Nodes, Origins, Start};
use super::select::{CHUNK, Chosen};
use super::width::Width;
use crate::board::{Grid, MAX_CELLS, Metric, Move, Moves, Position};
use crate::heuristic::Heuristic;
use crate::search::fast::mix;
use crate::search::run::Limits;
use crate::search::stages::Work;

/// The levels of moves without a lower rank after which a beam ends.
const PATIENCE: usize = 50;

/// The levels of slides without a lower rank after which a beam ends.
const SLIDE_PATIENCE: usize = 25;

/// Finds a solution by beams of `width` positions per level, on the current rayon thread pool; `None` if it
/// finds none of less than `below` moves or slides, or `limits` stop the search. In the multi-tile metric a
/// level is one slide further than the one before. The heuristic counts moves in any case. If the width is
/// fixed, the number of threads changes nothing. It checks its limits once per level.
///
/// Takes about 0.5 KB for each position of a level on 10×10, and 4 bytes for each position of all levels.
///
/// # Panics
/// If the heuristic is one for another goal, or the width is 0, or more than 2²⁸, in slides 2²².
pub fn beam<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    metric: Metric,
    width: impl Into<Width>,
    below: usize,
    limits: &Limits,
) -> Option<Moves> {
    let (width, grid) = (width.into(), position.grid());
    let (longest, patience, widest) = match metric {
        Metric::Single => (1, PATIENCE, 1 << 28),
        Metric::Multi => (grid.width().max(grid.height()) - 1, SLIDE_PATIENCE, 1 << 22),
    };
    assert!((1..=widest).contains(&width.most()));
    let mut beam = Beam { width, most: usize::MAX, patience: Some(patience), limits, generated: 0 };
    let mut work = Work::new(position);
    loop {
        let nodes = BoardNodes { heuristic, grid, metric, longest, free: &work.free, below };
        let labels = work.position.labels().to_vec();
        let (carry, blank) = (heuristic.start(&labels), work.position.blank() as u8);
        let node = BoardNode { hash: 0, carry, blank, last: None };
        let (rank, made) = (heuristic.rank(&node.carry), work.path.length(metric));
        let part = Boards { labels, nodes: vec![node] };
        beam.run(&nodes, Start { part, rank, made })?.into_iter().for_each(|m| work.make(m));
        if !work.position.is_goal() {
            work.stage();
        }
        if work.path.length(metric) >= below {
            return None;
        }
        if work.position.is_goal() {
            return Some(work.path);
        }
    }
}

/// Boards, of which only the tiles of `free` cells move.
struct BoardNodes<'a, H> {
    heuristic: &'a H,
    grid: Grid,
    metric: Metric,
    /// The most tiles of a slide, or 1.
    longest: usize,
    free: &'a [bool],
    /// A solution has fewer moves or slides.
    below: usize,
}

struct Boards<C> {
    /// The labels of all boards, one board after the other.
    labels: Vec<u8>,
    nodes: Vec<BoardNode<C>>,
}

#[derive(Clone)]
struct BoardNode<C> {
    hash: u64,
    carry: C,
    blank: u8,
    last: Option<Move>,
}

impl<H: Heuristic> Nodes for BoardNodes<'_, H> {
    type Chunk = Boards<H::Carry>;

    fn origins(&self) -> Origins {
        Origins::of_slides(self.longest)
    }

    fn candidates(&self, first: usize, part: &Self::Chunk, length: usize, found: &mut Candidates) {
        let origins = self.origins();
        let mut after = [0; MAX_CELLS];
        let after = &mut after[..self.grid.cells()];
        for (place, (node, labels)) in (first..).zip(self.boards(part)) {
            let blank = usize::from(node.blank);
            let mut sources = [None; 4];
            for m in Move::ALL {
                if node.last.is_none_or(|last| !self.is_pointless(last, m)) {
                    sources[m as usize] = self.source(blank, m);
                }
            }
            after.copy_from_slice(labels);
            self.heuristic.moved_each(&node.carry, after, sources, blank, |m, carry| {
                let from = sources[m].expect("the tile is there");
                let label = labels[from];
                let hash = || node.hash ^ key(label, from) ^ key(label, blank);
                self.add(found, &carry, length, origins.number(place, m, 1), hash);
                if self.longest > 1 {
                    let mut after = [0; MAX_CELLS];
                    let after = &mut after[..labels.len()];
                    after.copy_from_slice(labels);
                    after.swap(from, blank);
                    let mut child =
                        BoardNode { hash: hash(), carry, blank: from as u8, last: node.last };
                    for tiles in 2..=self.longest {
                        let from = self.source(child.blank.into(), Move::ALL[m]);
                        let Some(from) = from else { break };
                        self.slide(&mut child, after, from, None);
                        let number = origins.number(place, m, tiles);
                        self.add(found, &child.carry, length, number, || child.hash);
                    }
                }
            });
        }
    }

    fn make(&self, level: &[Self::Chunk], chosen: &[Chosen]) -> Self::Chunk {
        let (origins, cells) = (self.origins(), self.grid.cells());
        let mut labels = Vec::with_capacity(chosen.len() * cells);
        let nodes = chosen.iter().map(|&Chosen { number, rank }| {
            let (place, last) = (origins.place(number), origins.last(number));
            let (part, place) = (&level[place / CHUNK], place % CHUNK);
            let begin = labels.len();
            labels.extend_from_slice(&part.labels[place * cells..][..cells]);
            let mut node = part.nodes[place].clone();
            for tiles in (0..origins.tiles(number)).rev() {
                let cell = self.grid.source(node.blank.into(), last);
                let cell = cell.expect("the move was made before");
                let rank = (tiles == 0).then_some(rank);
                self.slide(&mut node, &mut labels[begin..], cell, rank);
            }
            node.last = Some(last);
            node
        });
        let nodes = nodes.collect();
        Boards { labels, nodes }
    }

    fn goal(&self, part: &Self::Chunk) -> Option<usize> {
        // Other positions may have the goal's bound. The goal's labels are in order.
        self.boards(part)
            .position(|(node, labels)| self.heuristic.value(&node.carry) == 0 && labels.is_sorted())
    }
}

impl<H: Heuristic> BoardNodes<'_, H> {
    fn boards<'p>(
        &self,
        part: &'p Boards<H::Carry>,
    ) -> impl Iterator<Item = (&'p BoardNode<H::Carry>, &'p [u8])> {
        part.nodes.iter().zip(part.labels.chunks_exact(self.grid.cells()))
    }

    /// The cell whose tile a move takes to a cell, if it is free.
    #[inline(always)]
    fn source(&self, to: usize, m: Move) -> Option<usize> {
        self.grid.source(to, m).filter(|&cell| self.free[cell])
    }

    /// Adds a child, `length` moves or slides from the start, if it may lead to a solution.
    #[inline(always)]
    fn add(
        &self,
        found: &mut Candidates,
        carry: &H::Carry,
        length: usize,
        number: u32,
        hash: impl FnOnce() -> u64,
    ) {
        // A slide makes one move for each of its tiles.
        let bound = self.heuristic.value(carry) as usize;
        if length + bound.div_ceil(self.longest) < self.below {
            found.add(self.heuristic.rank(carry), number, hash);
        }
    }

    /// Returns whether a move or slide after the last one would undo it, or continue a slide.
    #[inline(always)]
    fn is_pointless(&self, last: Move, m: Move) -> bool {
        last == m.opposite() || (self.metric == Metric::Multi && last == m)
    }

    /// Slides the tile of a cell into the blank. The position after it has this rank, if it is known.
    #[inline(always)]
    fn slide(
        &self,
        node: &mut BoardNode<H::Carry>,
        labels: &mut [u8],
        from: usize,
        rank: Option<u32>,
    ) {
        let to = usize::from(node.blank);
        let tile = labels[from];
        labels.swap(from, to);
        node.hash ^= key(tile, from) ^ key(tile, to);
        node.carry = match rank {
            None => self.heuristic.moved(&node.carry, labels, from, to),
            Some(rank) => self.heuristic.moved_to_rank(&node.carry, labels, from, to, rank),
        };
        node.blank = from as u8;
    }
}

/// The part of a position's hash that a tile in a cell adds.
fn key(tile: u8, cell: usize) -> u64 {
    mix((u64::from(tile) << 8 | cell as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
