//! Beams that keep samples of their levels.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use taquin_engine::board::{Metric, Move, Position, Random};
use taquin_engine::heuristic::Heuristic;
use taquin_engine::search::Learned;
use xxhash_rust::xxh3::xxh3_64;

/// Positions of one level: the one on the way to the solution, then others.
pub struct Sample {
    /// The place of their size in the plan.
    pub size: usize,
    /// The cell of the blank in their goal.
    pub goal_blank: usize,
    /// The labels of all positions, one position after the other.
    pub labels: Vec<u8>,
}

/// A beam of boards.
pub struct Beam<'a> {
    pub guide: &'a Learned,
    pub metric: Metric,
    pub width: usize,
    /// The other positions in a sample.
    pub others: usize,
}

/// The levels without a lower rank after which a beam ends.
const PATIENCE: usize = 60;

#[derive(Clone)]
struct Node {
    position: Position,
    carry: <Learned as Heuristic>::Carry,
    last: Option<Move>,
    /// The place of its parent in the level before.
    parent: usize,
}

/// A child that may become a node of the next level.
struct Candidate {
    rank: u32,
    /// A number that two positions share by accident alone.
    hash: u64,
    parent: usize,
    last: Move,
    /// The tiles that move.
    tiles: usize,
}

impl Beam<'_> {
    /// Solves a position. Returns the number of moves or slides, and the labels of samples; `None` if the
    /// beam ends before the goal.
    pub fn solve(&self, start: &Position, random: &mut Random) -> Option<(usize, Vec<Vec<u8>>)> {
        let carry = self.guide.start(start.labels());
        let mut levels = vec![vec![Node { position: start.clone(), carry, last: None, parent: 0 }]];
        let mut others: Vec<Vec<u8>> = vec![Vec::new()];
        let (mut lowest, mut lowest_level) = (u32::MAX, 0);
        loop {
            let level = levels.last()?;
            if let Some(place) = level.iter().position(|node| node.position.is_goal()) {
                return Some((levels.len() - 1, samples(&levels, place, &others)));
            }
            let rank = level.iter().map(|node| self.guide.rank(&node.carry)).min()?;
            if rank < lowest {
                (lowest, lowest_level) = (rank, levels.len());
            } else if levels.len() == lowest_level + PATIENCE {
                return None;
            }
            let mut candidates = self.candidates(level);
            let mut drawn = Vec::new();
            for _ in 0..if candidates.is_empty() { 0 } else { self.others } {
                let candidate = &candidates[random.below(candidates.len())];
                drawn.extend_from_slice(self.child(level, candidate).position.labels());
            }
            if candidates.len() > self.width {
                candidates.select_nth_unstable_by_key(self.width, |c| (c.rank, c.hash));
                candidates.truncate(self.width);
            }
            candidates.sort_unstable_by_key(|c| (c.parent, c.last as usize, c.tiles));
            let next = candidates.iter().map(|candidate| self.child(level, candidate)).collect();
            levels.push(next);
            others.push(drawn);
        }
    }

    /// The children of a level, each position once.
    fn candidates(&self, level: &[Node]) -> Vec<Candidate> {
        let mut known: HashSet<u64, BuildHasherDefault<Hashed>> = HashSet::default();
        let (mut candidates, mut labels) = (Vec::new(), Vec::new());
        for (parent, node) in level.iter().enumerate() {
            let (grid, to) = (node.position.grid(), node.position.blank());
            let is_pointless = |m| node.last.is_some_and(|before| self.is_pointless(before, m));
            let sources = Move::ALL.map(|m| grid.source(to, m).filter(|_| !is_pointless(m)));
            let mut carries = [None; 4];
            labels.clear();
            labels.extend_from_slice(node.position.labels());
            let mut position = node.position.clone();
            self.guide.moved_each(&node.carry, &mut labels, sources, to, |m, carry| {
                carries[m] = Some(carry)
            });
            for (last, carry) in Move::ALL.into_iter().zip(carries) {
                let Some(mut carry) = carry else { continue };
                position.make(last);
                let mut tiles = 1;
                loop {
                    let hash = xxh3_64(position.labels());
                    if known.insert(hash) {
                        let rank = self.guide.rank(&carry);
                        candidates.push(Candidate { rank, hash, parent, last, tiles });
                    }
                    if tiles == self.longest() {
                        break;
                    }
                    let Some((from, to)) = position.make(last) else { break };
                    carry = self.guide.moved(&carry, position.labels(), from, to);
                    tiles += 1;
                }
                for _ in 0..tiles {
                    position.make(last.opposite());
                }
            }
        }
        candidates
    }

    /// The most tiles of a move.
    fn longest(&self) -> usize {
        match self.metric {
            Metric::Single => 1,
            Metric::Multi => usize::MAX,
        }
    }

    /// Returns whether a move after the last one would undo it, or continue a slide.
    fn is_pointless(&self, before: Move, m: Move) -> bool {
        before == m.opposite() || (self.metric == Metric::Multi && before == m)
    }

    fn child(&self, level: &[Node], candidate: &Candidate) -> Node {
        let &Candidate { rank, parent, last, tiles, .. } = candidate;
        let Node { mut position, mut carry, .. } = level[parent].clone();
        for left in (0..tiles).rev() {
            let (from, to) = position.make(last).expect("the move was made before");
            carry = match left {
                0 => self.guide.moved_to_rank(&carry, position.labels(), from, to, rank),
                _ => self.guide.moved(&carry, position.labels(), from, to),
            };
        }
        Node { position, carry, last: Some(last), parent }
    }
}

/// Passes on values that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed");
    }
}

/// The samples of all levels on the way to the node at this place of the last one.
fn samples(levels: &[Vec<Node>], mut place: usize, others: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut samples = Vec::new();
    for (level, others) in levels.iter().zip(others).skip(1).rev() {
        let node = &level[place];
        let way = node.position.labels();
        let different = others.chunks_exact(way.len()).filter(|&labels| labels != way);
        let labels: Vec<u8> = std::iter::once(way).chain(different).flatten().copied().collect();
        if labels.len() > way.len() {
            samples.push(labels);
        }
        place = node.parent;
    }
    samples
}
