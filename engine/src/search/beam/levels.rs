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

/// The most by which a rank may exceed the highest of the last level. On the way to a solution learned ranks fall by
/// [`STEP`] from level to level, so a candidate that is this much worse is rarely chosen, and is not kept. If too few
/// are left for the width, the level is generated again, and all are kept. Ranks that are bounds count a move
/// as 1, not as [`STEP`]: next to them the margin is so large that it keeps all.
const MARGIN: u32 = STEP / 4;

/// The candidates of a part that may be chosen.
pub(crate) struct Candidates {
    kept: Vec<Ranked>,
    /// The number of candidates generated.
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
    pub width: Width,
    /// The most levels.
    pub most: usize,
    /// The levels without a lower rank after which a beam ends.
    pub patience: Option<usize>,
    pub limits: &'a Limits,
    pub generated: u64,
}

/// The node with which a beam begins.
pub(crate) struct Start<C> {
    pub part: C,
    pub rank: u32,
    /// The moves or slides that lead to it.
    pub made: usize,
}

/// The nodes of a level.
struct Level<C> {
    parts: Vec<C>,
    len: usize,
    /// The highest rank of a child that is kept.
    cut: u32,
}

impl Beam<'_> {
    /// Finds the moves to the goal, or to the first node with the lowest rank if the beam's patience ends.
    /// `None` if a level has no candidate, the goal is not within the most levels, or the search is stopped. It
    /// checks its limits once per level.
    pub fn run<N: Nodes>(&mut self, nodes: &N, start: Start<N::Chunk>) -> Option<Vec<Move>> {
        let Start { part, rank, made } = start;
        let mut goal = nodes.goal(&part);
        let mut level = Level { parts: vec![part], len: 1, cut: u32::MAX };
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let (mut lowest, mut depth, mut place) = (rank, 0, 0);
        loop {
            if let Some(place) = goal {
                return Some(nodes.origins().read_back(&came_from, place));
            }
            let levels = came_from.len();
            if level.len > 0 && self.patience.is_some_and(|patience| levels == depth + patience) {
                return Some(nodes.origins().read_back(&came_from[..depth], place));
            }
            if level.len == 0 || levels == self.most || self.limits.check(self.generated).is_some()
            {
                return None;
            }
            let width = self.width.after(level.len, made + levels);
            let chosen = self.choose(nodes, &level, width, made + levels + 1);
            let parts = map_chunks(&chosen, CHUNK, |first, chosen| {
                let part = nodes.make(&level.parts, chosen);
                let goal = nodes.goal(&part).map(|place| first + place);
                (part, goal)
            });
            goal = parts.iter().find_map(|(_, goal)| *goal);
            let highest = chosen.iter().map(|chosen| chosen.rank).max();
            // Only a full level tells what the next one will take.
            let highest = highest.filter(|_| chosen.len() == width);
            level = Level {
                parts: parts.into_iter().map(|(part, _)| part).collect(),
                len: chosen.len(),
                cut: highest.map_or(u32::MAX, |rank| rank.saturating_add(MARGIN)),
            };
            came_from.push(chosen.iter().map(|chosen| chosen.number).collect());
            let ranks = chosen.iter().map(|chosen| chosen.rank).zip(0..).min();
            if let Some((rank, first)) = ranks.filter(|&(rank, _)| rank < lowest) {
                (lowest, depth, place) = (rank, came_from.len(), first);
            }
        }
    }

    /// Chooses up to `width` children of a level, which are `length` moves or slides from the start.
    fn choose<N: Nodes>(
        &mut self,
        nodes: &N,
        level: &Level<N::Chunk>,
        width: usize,
        length: usize,
    ) -> Vec<Chosen> {
        let groups = group_count(MOST_STEPS * level.len);
        let expand = |cut| {
            map_chunks(&level.parts, 1, |i, part| {
                let mut found = Candidates { kept: Vec::new(), generated: 0, cut };
                nodes.candidates(i * CHUNK, &part[0], length, &mut found);
                (Grouped::new(&found.kept, groups), found.generated)
            })
        };
        let mut found = expand(level.cut);
        let kept: usize = found.iter().map(|(kept, _)| kept.candidates.len()).sum();
        if level.cut < u32::MAX && kept < width {
            // Ranks have risen.
            found = expand(u32::MAX);
        }
        let generated = found.iter().map(|(_, generated)| generated).sum();
        let candidates: Vec<Grouped> = found.into_iter().map(|(kept, _)| kept).collect();
        self.limits.report(&Event::Nodes(generated));
        self.generated += generated;
        select(&candidates, width, nodes.origins().number(level.len, 0, 1) as usize)
    }
}

/// The origins of a level's positions as numbers: a parent's place, and the move or slide.
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
