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
use std::io;

use rayon::prelude::*;

use super::index::{Index, below};
use super::{Buffer, Orders, Pattern};
use crate::prefetch::prefetch;

/// A table just built.
pub struct Generated {
    /// One bit a state: see [`Table`](super::Table) for the layout.
    pub bits: Buffer,
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
///
/// # Errors
/// Where the system has not enough memory to give.
pub fn generate(
    index: &Index,
    pattern: &Pattern,
    progress: impl FnMut(Progress),
) -> io::Result<Generated> {
    let Searched { levels, slot, outputs } = search(index, pattern, progress, |_| ())?;
    Ok(Generated { bits: rank_major(index, &slot, &outputs)?, levels })
}

/// What the search of a pattern's states leaves behind.
struct Searched {
    levels: Vec<u64>,
    slot: Vec<Slot>,
    /// The blocks of both colours, bit 1 of the number of moves for each order.
    outputs: [Buffer; 2],
}

/// Searches all states of a pattern; `progress` and `observe` are called after each level,
/// `observe` after level 0 too.
fn search(
    index: &Index,
    pattern: &Pattern,
    mut progress: impl FnMut(Progress),
    mut observe: impl FnMut(Reached<'_>),
) -> io::Result<Searched> {
    let orders = index.orders();
    let moves = WordMoves::new(orders);
    let graph = Graph::new(index);
    let goal = index.goal(pattern);
    let start = graph.slot[index.cohort(index.set(goal.mask), goal.blank)];

    let words = orders.classes();
    let full = u64::MAX >> (64 - orders.word_bits());
    let [even, odd] = graph.sides.each_ref().map(|cohorts| Side::new(cohorts.len(), words));
    let mut sides = [even?, odd?];
    {
        let side = &mut sides[start.side()];
        let (word, bit) = (goal.rank / orders.word_bits(), goal.rank % orders.word_bits());
        side.visited.as_words_mut()[start.place() * words + word] |= 1 << bit;
        side.status[start.place()] = Status::Changed;
    }
    let colour = |level: usize| (start.side() + level) % 2;
    observe(Reached {
        level: 0,
        colour: colour(0),
        index,
        slot: &graph.slot,
        side: &sides[colour(0)],
    });
    let mut levels = vec![1];
    let mut reached = 1;
    while reached < index.states() {
        let level = levels.len();
        let (sources, targets) = {
            let [even, odd] = &mut sides;
            if colour(level) == 1 { (&*even, odd) } else { (&*odd, even) }
        };
        let edges = &graph.sides[colour(level)];
        let step = Level { moves: &moves, sources, full, output: level & 2 != 0 };
        let new = step.pull(edges, targets);
        assert!(new > 0, "every state of a pattern can be reached");
        reached += new;
        levels.push(new);
        let side = &sides[colour(level)];
        observe(Reached { level, colour: colour(level), index, slot: &graph.slot, side });
        progress(Progress { level, reached, states: index.states() });
    }
    let outputs = sides.map(|side| side.output);
    Ok(Searched { levels, slot: graph.slot, outputs })
}

/// What a level of the search has reached.
pub(super) struct Reached<'a> {
    /// The level just finished.
    pub level: usize,
    colour: usize,
    index: &'a Index,
    slot: &'a [Slot],
    side: &'a Side,
}

impl<'a> Reached<'a> {
    /// The orders reached so far, a block for each zone of a set; nothing where this level
    /// reached none of them.
    pub fn zones(&self, set: usize) -> impl Iterator<Item = &'a [u64]> + use<'a> {
        let words = self.index.orders().classes();
        let (slot, side) = (self.slot, self.side);
        let slots = &slot[self.index.cohorts_of(set)];
        let new = slots[0].side() == self.colour
            && slots.iter().any(|slot| side.status[slot.place()].changed());
        let slots = if new { slots } else { &[] };
        slots.iter().map(move |slot| &side.visited.as_words()[slot.place() * words..][..words])
    }
}

/// [`search`] for those who only look on.
pub(super) fn explore(
    index: &Index,
    pattern: &Pattern,
    progress: impl FnMut(Progress),
    observe: impl FnMut(Reached<'_>),
) -> io::Result<()> {
    search(index, pattern, progress, observe).map(drop)
}

/// Half of the cohorts: those of one colour.
struct Side {
    visited: Buffer,
    output: Buffer,
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
    fn changed(self) -> bool {
        matches!(self, Status::Changed | Status::JustFull)
    }
}

impl Side {
    fn new(cohorts: usize, words: usize) -> io::Result<Side> {
        Ok(Side {
            visited: Buffer::words(cohorts * words)?,
            output: Buffer::words(cohorts * words)?,
            status: vec![Status::Quiet; cohorts],
        })
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

/// One step of the search.
struct Level<'a> {
    moves: &'a WordMoves,
    /// The cohorts of the side that the moves come from.
    sources: &'a Side,
    /// A word of a cohort all of whose orders are reached.
    full: u64,
    /// Whether the states of this level have their bit set in the output.
    output: bool,
}

impl Level<'_> {
    /// Pulls for all cohorts of the other side. Returns the number of new states.
    fn pull(&self, edges: &[Vec<Edge>], targets: &mut Side) -> u64 {
        let words = self.moves.classes;
        let Side { visited, output, status } = targets;
        edges
            .par_iter()
            .zip(visited.as_words_mut().par_chunks_exact_mut(words))
            .zip(output.as_words_mut().par_chunks_exact_mut(words))
            .zip(status.par_iter_mut())
            .with_min_len(16)
            .map_init(
                || vec![0; words],
                |pulled, (((edges, visited), output), status)| {
                    let new;
                    (new, *status) = match status {
                        Status::Full | Status::JustFull => (0, Status::Full),
                        _ => self.pull_cohort(edges, visited, output, pulled),
                    };
                    new
                },
            )
            .sum()
    }

    /// Pulls for one cohort, with `pulled` for scratch.
    fn pull_cohort(
        &self,
        edges: &[Edge],
        visited: &mut [u64],
        output: &mut [u64],
        pulled: &mut [u64],
    ) -> (u64, Status) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.pull_cohort_wide(edges, visited, output, pulled) };
        }
        self.pull_cohort_plain(edges, visited, output, pulled)
    }

    /// # Safety
    /// - The processor has AVX2 and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn pull_cohort_wide(
        &self,
        edges: &[Edge],
        visited: &mut [u64],
        output: &mut [u64],
        pulled: &mut [u64],
    ) -> (u64, Status) {
        self.pull_cohort_plain(edges, visited, output, pulled)
    }

    #[inline(always)]
    fn pull_cohort_plain(
        &self,
        edges: &[Edge],
        visited: &mut [u64],
        output: &mut [u64],
        pulled: &mut [u64],
    ) -> (u64, Status) {
        let words = self.moves.classes;
        let reached = self.sources.visited.as_words();
        let block = |edge: &Edge| &reached[edge.source as usize * words..][..words];
        let changed = |edge: &&Edge| self.sources.status[edge.source as usize].changed();
        let mut changed = edges.iter().filter(changed).peekable();
        if changed.peek().is_none() {
            return (0, Status::Quiet);
        }
        pulled.fill(0);
        while let Some(edge) = changed.next() {
            // A block is read in no order that the processor could foresee.
            fetch(changed.peek().map_or(&*visited, |next| block(next)));
            self.moves.apply(usize::from(edge.row), block(edge), pulled);
        }
        let (mut new, mut rest) = (0, 0);
        for ((pulled, visited), output) in pulled.iter().zip(visited).zip(output) {
            let fresh = pulled & !*visited;
            *visited |= fresh;
            if self.output {
                *output |= fresh;
            }
            new += u64::from(fresh.count_ones());
            rest |= self.full & !*visited;
        }
        let status = match (new, rest) {
            (0, _) => Status::Quiet,
            (_, 0) => Status::JustFull,
            _ => Status::Changed,
        };
        (new, status)
    }
}

/// Starts to load a block of words.
#[inline(always)]
fn fetch(block: &[u64]) {
    for line in block.chunks(8) {
        prefetch(line.as_ptr().cast());
    }
}

/// What each row of the order's transitions does to a block of words.
struct WordMoves {
    classes: usize,
    rows: Vec<Vec<Group>>,
}

/// The words that one row treats alike.
struct Group {
    flip: Option<Flip>,
    lanes: Lanes,
    /// (class before, class after).
    words: Vec<(u16, u16)>,
}

/// Exchanges one pair's bit in the ranks of a word. Which bit of the rank that is depends on the
/// lane: for each of the four, the places of a word that are exchanged with those 1, 2, 4 or 8
/// higher.
#[derive(Clone, Copy)]
struct Flip([u64; 4]);

/// Exchanges the lanes of a word, in parts that are masked and rotated; no parts change nothing.
struct Lanes(Vec<(u64, u32)>);

/// Words moved at once, for the compiler to make vectors of.
const TOGETHER: usize = 4;

impl WordMoves {
    fn new(orders: &Orders) -> WordMoves {
        let rows = (0..orders.rows())
            .map(|row| {
                let mut groups: Vec<Group> = Vec::new();
                let mut place = HashMap::new();
                for class in 0..orders.classes() {
                    let moved = orders.word_move(row, class);
                    let group = *place.entry((moved.flipped, moved.lane)).or_insert_with(|| {
                        groups.push(Group {
                            flip: moved.flipped.map(|pair| Flip::new(orders, pair)),
                            lanes: Lanes::new(orders, moved.lane),
                            words: Vec::new(),
                        });
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
    #[inline(always)]
    fn apply(&self, row: usize, source: &[u64], target: &mut [u64]) {
        if row == 0 {
            for (t, s) in target.iter_mut().zip(source) {
                *t |= s;
            }
            return;
        }
        for group in &self.rows[row] {
            let Group { lanes: Lanes(parts), words, .. } = group;
            match (group.flip, &parts[..]) {
                (None, []) => move_words(words, source, target, |w| w),
                (None, parts) => move_words(words, source, target, |w| lanes(parts, w)),
                (Some(flip), []) => move_words(words, source, target, |w| flip.apply(w)),
                (Some(flip), parts) => {
                    move_words(words, source, target, |w| lanes(parts, flip.apply(w)));
                }
            }
        }
    }
}

/// Moves words from class to class, changed on the way.
#[inline(always)]
fn move_words(
    words: &[(u16, u16)],
    source: &[u64],
    target: &mut [u64],
    change: impl Fn([u64; TOGETHER]) -> [u64; TOGETHER],
) {
    let (chunks, rest) = words.as_chunks::<TOGETHER>();
    for chunk in chunks {
        let moved = change(chunk.map(|(from, _)| source[usize::from(from)]));
        for ((_, to), word) in chunk.iter().zip(moved) {
            target[usize::from(*to)] |= word;
        }
    }
    for &(from, to) in rest {
        target[usize::from(to)] |= change([source[usize::from(from)]; TOGETHER])[0];
    }
}

#[inline(always)]
fn lanes(parts: &[(u64, u32)], words: [u64; TOGETHER]) -> [u64; TOGETHER] {
    let mut moved = [0; TOGETHER];
    for &(mask, by) in parts {
        for (moved, word) in moved.iter_mut().zip(words) {
            *moved |= (word & mask).rotate_left(by);
        }
    }
    moved
}

impl Flip {
    fn new(orders: &Orders, pair: u8) -> Flip {
        let mut masks = [0; 4];
        for lane in 0..orders.lanes() {
            let bit = orders.pair_in_lane(pair, lane);
            for flips in (0..1 << orders.pairs()).filter(|flips| flips & 1 << bit == 0) {
                masks[bit] |= 1 << (lane << orders.pairs() | flips);
            }
        }
        Flip(masks)
    }

    #[inline(always)]
    fn apply(self, words: [u64; TOGETHER]) -> [u64; TOGETHER] {
        let Flip([a, b, c, d]) = self;
        words.map(|w| {
            (w & a) << 1
                | w >> 1 & a
                | (w & b) << 2
                | w >> 2 & b
                | (w & c) << 4
                | w >> 4 & c
                | (w & d) << 8
                | w >> 8 & d
        })
    }
}

impl Lanes {
    fn new(orders: &Orders, moved: u8) -> Lanes {
        let lane_bits = 1usize << orders.pairs();
        let all = u64::MAX >> (64 - lane_bits);
        let mut parts: Vec<(u64, u32)> = Vec::new();
        if moved == 0 {
            return Lanes(parts);
        }
        for lane in 0..orders.lanes() {
            let (from, to) = (lane * lane_bits, orders.lane_after(lane, moved) * lane_bits);
            let by = (to as u32).wrapping_sub(from as u32) & 63;
            match parts.iter_mut().find(|(_, b)| *b == by) {
                Some((mask, _)) => *mask |= all << from,
                None => parts.push((all << from, by)),
            }
        }
        Lanes(parts)
    }
}

/// Turns blocks, a cohort after the other, into rows of cohorts, a rank after the other.
fn rank_major(index: &Index, slot: &[Slot], outputs: &[Buffer; 2]) -> io::Result<Buffer> {
    let orders = index.orders();
    let (words, word_bits) = (orders.classes(), orders.word_bits());
    let row = super::row_bytes(index.cohorts());
    let mut bits = Buffer::zeroed(orders.len() * row)?;
    let outputs = outputs.each_ref().map(Buffer::as_words);
    // A few classes at once, so that every cache line of a block is read once.
    const CLASSES: usize = 8;
    bits.as_bytes_mut().par_chunks_mut(CLASSES * word_bits * row).enumerate().for_each(
        |(chunk, rows)| {
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
        },
    );
    Ok(bits)
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
