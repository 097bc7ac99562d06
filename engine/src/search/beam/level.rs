//! A level of a beam of boards.

use super::select::{Chosen, Grouped, Ranked, group_count, select};
use super::{Origins, PART};
use crate::board::{Grid, MAX_CELLS, Metric, Move, Position};
use crate::heuristic::Heuristic;
use crate::parallel::map_chunks;
use crate::search::space::mix;

/// The positions of a level, in parts of [`PART`] positions.
pub(super) struct Level<C> {
    grid: Grid,
    metric: Metric,
    parts: Vec<Shard<C>>,
    len: usize,
}

struct Shard<C> {
    /// The labels of all positions, one position after the other.
    labels: Vec<u8>,
    nodes: Vec<LevelNode<C>>,
    /// The lowest rank, and the place in this part of its first position.
    lowest: (u32, usize),
    /// The place of the goal in this part.
    goal: Option<usize>,
}

#[derive(Clone)]
struct LevelNode<C> {
    hash: u64,
    carry: C,
    blank: u8,
    last: Option<Move>,
}

impl<C: Clone + Send + Sync> Level<C> {
    /// The level of a start. Each level is one move further in this metric.
    pub fn new(guide: &impl Heuristic<Carry = C>, position: &Position, metric: Metric) -> Self {
        let grid = position.grid();
        let labels = position.labels().to_vec();
        let carry = guide.start(&labels);
        let node = LevelNode { hash: 0, carry, blank: position.blank() as u8, last: None };
        let part = Shard::new(guide, grid, labels, vec![node]);
        Level { grid, metric, parts: vec![part], len: 1 }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The form of the origins that [`Level::next`] returns.
    pub fn origins(&self) -> Origins {
        Origins::of_slides(self.longest())
    }

    /// The lowest rank and the place of its first position; `None` if there is no position.
    pub fn lowest(&self) -> Option<(u32, usize)> {
        let lowest = |(part, &Shard { lowest: (rank, place), .. })| (rank, part * PART + place);
        self.parts.iter().enumerate().map(lowest).min()
    }

    /// The place of the goal.
    pub fn goal(&self) -> Option<usize> {
        (0..).zip(&self.parts).find_map(|(part, &Shard { goal, .. })| Some(part * PART + goal?))
    }

    /// All children that may lead to solutions of less than `below` moves or slides, of which `made`
    /// are made, numbered by their origins. Only tiles of `free` cells move.
    pub fn candidates(
        &self,
        guide: &impl Heuristic<Carry = C>,
        free: &[bool],
        below: usize,
        made: usize,
    ) -> Vec<Grouped> {
        // A slide makes one move for each of its tiles.
        let (longest, origins) = (self.longest(), self.origins());
        let groups = group_count(3 * self.len);
        map_chunks(&self.parts, 1, |i, part| {
            let part = &part[0];
            let mut candidates = Vec::with_capacity(3 * part.nodes.len());
            let mut after = [0; MAX_CELLS];
            let after = &mut after[..self.grid.cells()];
            for (place, (node, labels)) in (i * PART..).zip(part.positions(self.grid)) {
                after.copy_from_slice(labels);
                for m in Move::ALL {
                    if node.last.is_some_and(|last| self.is_pointless(last, m)) {
                        continue;
                    }
                    let mut child = node.clone();
                    for tiles in 1..=longest {
                        let from = self.grid.source(child.blank.into(), m);
                        let Some(from) = from.filter(|&cell| free[cell]) else { break };
                        child.slide(guide, after, from, None);
                        let bound = guide.value(&child.carry) as usize;
                        if made + bound.div_ceil(longest) < below {
                            let number = origins.number(place, m as usize, tiles);
                            let rank = guide.rank(&child.carry);
                            candidates.push(Ranked { hash: child.hash, rank, number });
                        }
                    }
                    // The way back.
                    let mut blank = usize::from(child.blank);
                    while blank != usize::from(node.blank) {
                        let back = self.grid.source(blank, m.opposite());
                        let back = back.expect("it came from there");
                        after.swap(blank, back);
                        blank = back;
                    }
                }
            }
            Grouped::new(&candidates, groups)
        })
    }

    /// Returns whether a move or slide after the last one would undo it, or continue a slide.
    #[inline(always)]
    fn is_pointless(&self, last: Move, m: Move) -> bool {
        last == m.opposite() || (self.metric == Metric::Multi && last == m)
    }

    /// The most tiles of a slide, or 1.
    fn longest(&self) -> usize {
        match self.metric {
            Metric::Single => 1,
            Metric::Multi => self.grid.width().max(self.grid.height()) - 1,
        }
    }

    /// The next level, and where its positions come from: up to `width` candidates with the lowest
    /// ranks, each position once.
    pub fn next(
        &self,
        guide: &impl Heuristic<Carry = C>,
        candidates: &[Grouped],
        width: usize,
    ) -> (Self, Vec<u32>) {
        let origins = self.origins();
        let end = origins.number(self.len, 0, 1) as usize;
        let chosen = select(candidates, width, end);
        let cells = self.grid.cells();
        let parts = map_chunks(&chosen, PART, |_, chosen| {
            let mut labels = Vec::with_capacity(chosen.len() * cells);
            let nodes = chosen.iter().map(|&Chosen { number, rank }| {
                let (place, last) = (origins.place(number), origins.last(number));
                let (part, place) = (&self.parts[place / PART], place % PART);
                let begin = labels.len();
                labels.extend_from_slice(&part.labels[place * cells..][..cells]);
                let mut node = part.nodes[place].clone();
                for tiles in (0..origins.tiles(number)).rev() {
                    let cell = self.grid.source(node.blank.into(), last);
                    let cell = cell.expect("the move was made before");
                    let rank = (tiles == 0).then_some(rank);
                    node.slide(guide, &mut labels[begin..], cell, rank);
                }
                node.last = Some(last);
                node
            });
            let nodes = nodes.collect();
            Shard::new(guide, self.grid, labels, nodes)
        });
        let from: Vec<u32> = chosen.into_iter().map(|chosen| chosen.number).collect();
        (Level { parts, len: from.len(), ..*self }, from)
    }
}

impl<C> Shard<C> {
    fn new(
        guide: &impl Heuristic<Carry = C>,
        grid: Grid,
        labels: Vec<u8>,
        nodes: Vec<LevelNode<C>>,
    ) -> Shard<C> {
        let lowest = nodes.iter().map(|node| guide.rank(&node.carry)).zip(0..).min();
        let mut part =
            Shard { labels, nodes, lowest: lowest.expect("it is not empty"), goal: None };
        // Other positions may have the goal's bound. The goal's labels are in order.
        let is_goal = |(node, labels): (&LevelNode<C>, &[u8])| {
            guide.value(&node.carry) == 0 && labels.is_sorted()
        };
        let goal = part.positions(grid).position(is_goal);
        part.goal = goal;
        part
    }

    fn positions(&self, grid: Grid) -> impl Iterator<Item = (&LevelNode<C>, &[u8])> {
        self.nodes.iter().zip(self.labels.chunks_exact(grid.cells()))
    }
}

impl<C> LevelNode<C> {
    /// Slides the tile of a cell into the blank. The position after it has this rank, if it is known.
    #[inline(always)]
    fn slide(
        &mut self,
        guide: &impl Heuristic<Carry = C>,
        labels: &mut [u8],
        from: usize,
        rank: Option<u32>,
    ) {
        let to = usize::from(self.blank);
        let tile = labels[from];
        labels.swap(from, to);
        self.hash ^= key(tile, from) ^ key(tile, to);
        self.carry = match rank {
            None => guide.moved(&self.carry, labels, from, to),
            Some(rank) => guide.moved_to_rank(&self.carry, labels, from, to, rank),
        };
        self.blank = from as u8;
    }
}

/// The part of a position's hash that a tile in a cell adds.
fn key(tile: u8, cell: usize) -> u64 {
    mix((u64::from(tile) << 8 | cell as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
