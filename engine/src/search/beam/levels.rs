//! The levels of a beam, and the origins of its nodes.

use super::learned::STEP;
use super::select::{CHUNK, Chosen, Grouped, Ranked, group_count, select};
use super::width::Width;
use crate::board::Move;
use crate::parallel::map_chunks;
use crate::search::moves::MOST_STEPS;
use crate::search::run::{Event, Limits};

/// A kind of nodes that a beam goes through.
pub(crate) trait Nodes: Sync {
    /// Some nodes of a level, in their order.
    type Chunk: Send + Sync;

    /// The form of the origins of nodes.
    fn origins(&self) -> Origins {
        Origins::MOVES
    }

    /// Finds the children of a part, whose first node has this place in its level, that may lead to a solution.
    /// They are numbered by their origins, and `length` moves or slides from the start.
    fn candidates(&self, first: usize, part: &Self::Chunk, length: usize, found: &mut Candidates);

    /// The nodes of the candidates chosen.
    fn make(&self, level: &[Self::Chunk], chosen: &[Chosen]) -> Self::Chunk;

    /// The place of the goal in a part.
    fn goal(&self, part: &Self::Chunk) -> Option<usize>;
}

/// By how much a rank may exceed those of the last level: on the way to a solution, learned ranks fall by [`STEP`]
/// from level to level. A level that this leaves short is generated again without it. Bounds count whole moves, so
/// few of theirs exceed it.
const MARGIN: u32 = STEP / 4;

/// The candidates of a part that may be chosen.
pub(crate) struct Candidates {
    kept: Vec<Ranked>,
    /// How many there were.
    generated: u64,
    /// The highest rank that is kept.
    cut: u32,
}

impl Candidates {
    /// Adds a candidate. Its hash is made only if it is kept.
    #[inline(always)]
    pub fn add(&mut self, rank: u32, number: u32, hash: impl FnOnce() -> u64) {
        self.generated += 1;
        if rank <= self.cut {
            self.kept.push(Ranked { hash: hash(), rank, number });
        }
    }
}

/// The limits of beams, and the nodes that they have generated.
pub(crate) struct Beam<'a> {
    width: Width,
    limits: &'a Limits,
    generated: u64,
}

impl<'a> Beam<'a> {
    pub fn new(width: Width, limits: &'a Limits) -> Beam<'a> {
        Beam { width, limits, generated: 0 }
    }

    /// Finds the moves to the goal, or to the first node with the lowest rank if `patience` levels after it
    /// come no closer. `None` if a level has no candidate, the goal is not within `most` levels, or the
    /// search is stopped. The start has this rank, and `made` moves or slides lead to it. It checks its
    /// limits once per level.
    pub fn run<N: Nodes>(
        &mut self,
        nodes: &N,
        start: N::Chunk,
        rank: u32,
        made: usize,
        most: usize,
        patience: usize,
    ) -> Option<Vec<Move>> {
        let mut goal = nodes.goal(&start);
        let (mut level, mut len) = (vec![start], 1);
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let (mut lowest, mut depth, mut place) = (rank, 0, 0);
        let mut cut = u32::MAX;
        loop {
            if let Some(place) = goal {
                return Some(nodes.origins().read_back(&came_from, place));
            }
            if len > 0 && came_from.len() == depth + patience {
                came_from.truncate(depth);
                return Some(nodes.origins().read_back(&came_from, place));
            }
            if len == 0 || came_from.len() == most || self.limits.check(self.generated).is_some() {
                return None;
            }
            let length = made + came_from.len();
            let groups = group_count(MOST_STEPS * len);
            let width = self.width.after(len, length);
            let expand = |cut| {
                map_chunks(&level, 1, |i, part| {
                    let mut found = Candidates { kept: Vec::new(), generated: 0, cut };
                    nodes.candidates(i * CHUNK, &part[0], length + 1, &mut found);
                    (Grouped::new(&found.kept, groups), found.generated)
                })
            };
            let mut found = expand(cut);
            let kept: usize = found.iter().map(|(kept, _)| kept.candidates.len()).sum();
            if cut < u32::MAX && kept < width {
                // Ranks have risen.
                found = expand(u32::MAX);
            }
            let generated = found.iter().map(|(_, generated)| generated).sum();
            let candidates: Vec<Grouped> = found.into_iter().map(|(kept, _)| kept).collect();
            self.limits.report(&Event::Nodes(generated));
            self.generated += generated;
            let chosen = select(&candidates, width, nodes.origins().number(len, 0, 1) as usize);
            drop(candidates);
            let parts = map_chunks(&chosen, CHUNK, |first, chosen| {
                let part = nodes.make(&level, chosen);
                let goal = nodes.goal(&part).map(|place| first + place);
                (part, goal)
            });
            goal = parts.iter().find_map(|(_, goal)| *goal);
            level = parts.into_iter().map(|(part, _)| part).collect();
            len = chosen.len();
            came_from.push(chosen.iter().map(|chosen| chosen.number).collect());
            let highest = chosen.iter().map(|chosen| chosen.rank).max();
            // Only a full level tells what the next one will take.
            cut = highest
                .filter(|_| len == width)
                .map_or(u32::MAX, |rank| rank.saturating_add(MARGIN));
            let ranks = chosen.iter().map(|chosen| chosen.rank).zip(0..).min();
            if let Some((rank, first)) = ranks.filter(|&(rank, _)| rank < lowest) {
                (lowest, depth, place) = (rank, came_from.len(), first);
            }
        }
    }
}

/// How the origins of a level's positions are written as numbers: a parent's place, and the move or slide.
///
/// From the lowest bit on, a number has the move in 2 bits, the tiles of a slide less one in `tile_bits`,
/// and the place.
#[derive(Clone, Copy)]
pub(crate) struct Origins {
    tile_bits: u32,
}

impl Origins {
    /// The origins of single moves.
    pub const MOVES: Origins = Origins { tile_bits: 0 };

    /// The origins of slides of up to this many tiles; of single moves for one.
    pub fn of_slides(longest: usize) -> Origins {
        Origins { tile_bits: (longest - 1).checked_ilog2().map_or(0, |log| log + 1) }
    }

    #[inline(always)]
    pub fn number(self, place: usize, m: usize, tiles: usize) -> u32 {
        (place << (2 + self.tile_bits) | (tiles - 1) << 2 | m) as u32
    }

    #[inline(always)]
    pub fn place(self, number: u32) -> usize {
        (number >> (2 + self.tile_bits)) as usize
    }

    #[inline(always)]
    pub fn tiles(self, number: u32) -> usize {
        1 + (number >> 2 & ((1 << self.tile_bits) - 1)) as usize
    }

    #[inline(always)]
    pub fn last(self, number: u32) -> Move {
        Move::ALL[(number & 3) as usize]
    }

    /// The moves to a place of the last level, of which each has the origins of its positions.
    fn read_back(self, came_from: &[Vec<u32>], mut place: usize) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::with_capacity(came_from.len());
        for level in came_from.iter().rev() {
            let from = level[place];
            place = self.place(from);
            moves.extend(std::iter::repeat_n(self.last(from), self.tiles(from)));
        }
        moves.reverse();
        moves
    }
}
