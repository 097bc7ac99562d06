//! Building a table: breadth-first search over cohorts.
//!
//! The k! orders of a cohort are a *block* of bits, one word a class of orders (see
//! [`Orders`](super::Orders)); a move of a tile carries a whole block to another cohort.
//!
//! 1. Sets two-colour by parity, so level d reaches only cohorts of colour d mod 2, from cohorts
//!    of the other colour. The two colours are kept apart.
//! 2. Each level is *pulled*: a cohort gathers from all cohorts that a move leads from, so no two
//!    threads write the same block, and the result does not depend on their number.
//! 3. What is pulled is all that was visited so far, not the last level alone: older states'
//!    successors have been visited already, so what is new is the same, and no frontier is kept.
//!    A cohort is passed over when it is full or none of its sources changed in the last level.
//! 4. Level d with d & 2 sets its states' bit in the output: the table holds bit 1 of the number
//!    of moves.
//! 5. In the end the blocks are turned into rank-major order, 64 × 64 bits at a time.

use std::collections::HashMap;

use rayon::prelude::*;

use super::index::{Index, below};
use super::{Orders, Pattern};

/// A table just built.
pub struct Generated {
    /// One bit a state: see [`Table`](super::Table) for the layout.
    pub bits: Vec<u8>,
    /// The number of states at each level, from 0 moves to the deepest.
    pub levels: Vec<u64>,
}

/// How far a build has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The level just finished.
    pub level: usize,
    /// States reached so far.
    pub reached: u64,
    /// States in all.
    pub states: u64,
}

/// Builds the table of a pattern on the current rayon thread pool; `progress` is called after
/// each level.
///
/// Memory: two bits a state, rounded up to words, until the levels are done; the output then
/// takes one bit a state beside the one it is made from.
pub fn generate(index: &Index, pattern: &Pattern, mut progress: impl FnMut(Progress)) -> Generated {
    let orders = index.orders();
    let moves = WordMoves::new(orders);
    let mut graph = Graph::new(index);
    let goal = index.goal(pattern);
    let start = graph.slot[index.cohort(index.set(goal.mask), goal.blank)];

    let words = orders.classes();
    let full = u64::MAX >> (64 - orders.word_bits());
    let mut sides = graph.sides.each_mut().map(|cohorts| Side::new(cohorts.len(), words));
    {
        let side = &mut sides[start.side()];
        let (word, bit) = (goal.rank / orders.word_bits(), goal.rank % orders.word_bits());
        side.visited[start.place() * words + word] |= 1 << bit;
        side.status[start.place()] = Status::Changed;
    }
    let mut levels = vec![1];
    let mut reached = 1;
    while reached < index.states() {
        let level = levels.len();
        let (sources, targets) = {
            let [even, odd] = &mut sides;
            if (start.side() + level) % 2 == 1 { (&*even, odd) } else { (&*odd, even) }
        };
        let edges = &graph.sides[(start.side() + level) % 2];
        let new = pull_level(&moves, edges, sources, targets, full, level & 2 != 0);
        assert!(new > 0, "every state of a pattern can be reached");
        reached += new;
        levels.push(new);
        progress(Progress { level, reached, states: index.states() });
    }
    let outputs = sides.map(|side| side.output);
    graph.sides = [Vec::new(), Vec::new()];
    Generated { bits: rank_major(index, &graph.slot, &outputs), levels }
}

/// Half of the cohorts: those of one colour.
struct Side {
    visited: Vec<u64>,
    output: Vec<u64>,
    status: Vec<Status>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// No state reached in the last level.
    Quiet,
    /// Some state reached in the last level.
    Changed,
    /// Every state reached, the last ones before the last level.
    Full,
    /// Every state reached, the last ones in the last level.
    JustFull,
}

impl Status {
    fn is_full(self) -> bool {
        matches!(self, Status::Full | Status::JustFull)
    }

    fn changed(self) -> bool {
        matches!(self, Status::Changed | Status::JustFull)
    }
}

impl Side {
    fn new(cohorts: usize, words: usize) -> Side {
        Side {
            visited: vec![0; cohorts * words],
            output: vec![0; cohorts * words],
            status: vec![Status::Quiet; cohorts],
        }
    }
}

/// Where a cohort is kept: its side, and its place there.
#[derive(Clone, Copy, Default)]
struct Slot(u32);

impl Slot {
    fn new(side: usize, place: usize) -> Slot {
        Slot((place as u32) << 1 | side as u32)
    }

    fn side(self) -> usize {
        (self.0 & 1) as usize
    }

    fn place(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// A move that leads to a cohort.
#[derive(Clone, Copy)]
struct Edge {
    /// The place of the cohort it comes from, on the other side.
    source: u32,
    /// What it does to the order.
    row: u8,
}

/// The cohorts and the moves between them.
struct Graph {
    slot: Vec<Slot>,
    sides: [Vec<Vec<Edge>>; 2],
}

impl Graph {
    fn new(index: &Index) -> Graph {
        let mut slot = vec![Slot::default(); index.cohorts()];
        let mut count = [0, 0];
        for set in 0..index.sets() {
            let side = index.colour(index.mask(set)) as usize;
            for cohort in index.cohorts_of(set) {
                slot[cohort] = Slot::new(side, count[side]);
                count[side] += 1;
            }
        }
        let mut sides = [Vec::with_capacity(count[0]), Vec::with_capacity(count[1])];
        for set in 0..index.sets() {
            let side = index.colour(index.mask(set)) as usize;
            for zone in 0..index.cohorts_of(set).len() {
                sides[side].push(sources(index, &slot, set, zone));
            }
        }
        Graph { slot, sides }
    }
}

/// The moves that lead to a cohort: moves can be taken back, so these are its own, reversed.
fn sources(index: &Index, slot: &[Slot], set: usize, zone: usize) -> Vec<Edge> {
    let mask = index.mask(set);
    index
        .moves(set, zone)
        .map(|(from, to)| {
            let before = mask & !(1 << from) | 1 << to;
            let cohort = index.cohort(index.set(before), from);
            Edge { source: slot[cohort].place() as u32, row: index.row(before, to, from) as u8 }
        })
        .collect()
}

/// One step of the search, for all cohorts of one side. Returns the number of new states.
fn pull_level(
    moves: &WordMoves,
    edges: &[Vec<Edge>],
    sources: &Side,
    targets: &mut Side,
    full: u64,
    output: bool,
) -> u64 {
    let words = moves.classes;
    let Side { visited, output: out, status } = targets;
    edges
        .par_iter()
        .zip(visited.par_chunks_exact_mut(words))
        .zip(out.par_chunks_exact_mut(words))
        .zip(status.par_iter_mut())
        .with_min_len(16)
        .map_init(
            || vec![0u64; words],
            |pulled, (((edges, visited), out), status)| {
                if status.is_full() {
                    *status = Status::Full;
                    return 0;
                }
                let mut any = false;
                for edge in edges {
                    let source = edge.source as usize;
                    if sources.status[source].changed() {
                        if !any {
                            pulled.fill(0);
                        }
                        any = true;
                        let block = &sources.visited[source * words..][..words];
                        moves.apply(usize::from(edge.row), block, pulled);
                    }
                }
                let (mut new, mut rest) = (0, 0);
                if any {
                    for ((pulled, visited), out) in pulled.iter().zip(visited).zip(out) {
                        let fresh = pulled & !*visited;
                        *visited |= fresh;
                        if output {
                            *out |= fresh;
                        }
                        new += u64::from(fresh.count_ones());
                        rest |= full & !*visited;
                    }
                }
                *status = match (new > 0, rest == 0) {
                    (false, _) => Status::Quiet,
                    (true, false) => Status::Changed,
                    (true, true) => Status::JustFull,
                };
                new
            },
        )
        .sum()
}

/// What each row of the order's transitions does to a block of words.
struct WordMoves {
    classes: usize,
    rows: Vec<Vec<Group>>,
}

/// The words that one row treats alike.
struct Group {
    /// How the bits move inside the word.
    bits: BitMove,
    /// (class before, class after).
    words: Vec<(u16, u16)>,
}

/// A permutation of the bits of a word, as parts that are masked and rotated.
#[derive(Clone, PartialEq, Eq, Hash)]
struct BitMove {
    parts: Vec<(u64, u32)>,
}

impl WordMoves {
    fn new(orders: &Orders) -> WordMoves {
        let rows = (0..orders.rows())
            .map(|row| {
                let mut groups: Vec<Group> = Vec::new();
                let mut place = HashMap::new();
                for class in 0..orders.classes() {
                    let moved = orders.word_move(row, class);
                    let key = (moved.flipped, moved.lane);
                    let group = *place.entry(key).or_insert_with(|| {
                        let bits = BitMove::new(orders, moved.flipped, moved.lane);
                        groups.push(Group { bits, words: Vec::new() });
                        groups.len() - 1
                    });
                    groups[group].words.push((class as u16, moved.class));
                }
                groups
            })
            .collect();
        WordMoves { classes: orders.classes(), rows }
    }

    /// Adds to `target` what `source` becomes.
    #[inline]
    fn apply(&self, row: usize, source: &[u64], target: &mut [u64]) {
        if row == 0 {
            for (t, s) in target.iter_mut().zip(source) {
                *t |= s;
            }
            return;
        }
        for group in &self.rows[row] {
            let parts = &group.bits.parts;
            match parts.len() {
                1 => group.apply::<1>(source, target),
                2 => group.apply::<2>(source, target),
                3 => group.apply::<3>(source, target),
                4 => group.apply::<4>(source, target),
                5..=6 => group.apply::<6>(source, target),
                7..=8 => group.apply::<8>(source, target),
                _ => group.apply::<12>(source, target),
            }
        }
    }
}

impl Group {
    #[inline]
    fn apply<const PARTS: usize>(&self, source: &[u64], target: &mut [u64]) {
        let mut parts = [(0, 0); PARTS];
        parts[..self.bits.parts.len()].copy_from_slice(&self.bits.parts);
        for &(from, to) in &self.words {
            let word = source[usize::from(from)];
            let moved =
                parts.iter().fold(0, |sum, &(mask, by)| sum | (word & mask).rotate_left(by));
            target[usize::from(to)] |= moved;
        }
    }
}

impl BitMove {
    fn new(orders: &Orders, flipped: Option<u8>, moved: u8) -> BitMove {
        let mut parts: Vec<(u64, u32)> = Vec::new();
        for lane in 0..orders.lanes() {
            let flip = flipped.map_or(0, |q| 1 << orders.pair_in_lane(q, lane));
            for flips in 0..1 << orders.pairs() {
                let from = (lane << orders.pairs() | flips) as u32;
                let to = (orders.lane_after(lane, moved) << orders.pairs() | (flips ^ flip)) as u32;
                let by = to.wrapping_sub(from) & 63;
                match parts.iter_mut().find(|(_, b)| *b == by) {
                    Some((mask, _)) => *mask |= 1 << from,
                    None => parts.push((1 << from, by)),
                }
            }
        }
        BitMove { parts }
    }
}

/// Turns blocks, a cohort after the other, into rows of cohorts, a rank after the other.
fn rank_major(index: &Index, slot: &[Slot], outputs: &[Vec<u64>; 2]) -> Vec<u8> {
    let orders = index.orders();
    let (words, word_bits) = (orders.classes(), orders.word_bits());
    let row = super::row_bytes(index.cohorts());
    let mut bits = vec![0; orders.len() * row];
    // A few classes at once, so that every cache line of a block is read once.
    const CLASSES: usize = 8;
    bits.par_chunks_mut(CLASSES * word_bits * row).enumerate().for_each(|(chunk, rows)| {
        let classes = chunk * CLASSES..words.min((chunk + 1) * CLASSES);
        for (column, slots) in slot.chunks(64).enumerate() {
            for (i, class) in classes.clone().enumerate() {
                let mut square = [0; 64];
                for (word, slot) in square.iter_mut().zip(slots) {
                    *word = outputs[slot.side()][slot.place() * words + class];
                }
                transpose(&mut square);
                for (j, word) in square[..word_bits].iter().enumerate() {
                    let at = (i * word_bits + j) * row + column * 8;
                    rows[at..at + 8].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    });
    bits
}

/// Transposes 64 × 64 bits: bit j of word i becomes bit i of word j.
fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = below(32);
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let (low, high) = (square[i], square[i + width]);
            let swapped = ((low >> width) ^ high) & mask;
            square[i] = low ^ swapped << width;
            square[i + width] = high ^ swapped;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut seed = 1u64;
        let square: [u64; 64] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 29
        });
        let mut turned = square;
        transpose(&mut turned);
        for (i, row) in square.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    #[test]
    fn word_moves_agree_with_transitions() {
        for (tiles, width) in [(1, 4), (2, 4), (3, 4), (4, 4), (5, 5), (6, 5), (7, 4), (8, 4)] {
            let orders = Orders::new(tiles, width);
            let moves = WordMoves::new(&orders);
            for row in 0..orders.rows() {
                // A block with a single bit goes to the block with the single bit of the new rank.
                for rank in (0..orders.len()).step_by(1 + orders.len() / 500) {
                    let mut source = vec![0; orders.classes()];
                    source[rank / orders.word_bits()] = 1 << (rank % orders.word_bits());
                    let mut target = vec![0; orders.classes()];
                    moves.apply(row, &source, &mut target);
                    let after = orders.after(row, rank);
                    let mut expected = vec![0; orders.classes()];
                    expected[after / orders.word_bits()] = 1 << (after % orders.word_bits());
                    assert_eq!(target, expected, "{tiles} tiles, row {row}, rank {rank}");
                }
            }
        }
    }
}
