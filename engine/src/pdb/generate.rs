//! Building a table: breadth-first search over cohorts.
//!
//! The k! orders of a cohort are a *block* of bits, one word for each coset of orders (see
//! [`Orders`](super::Orders)). A move of a tile carries a whole block to another cohort.
//!
//! 1. Every move changes the colour of a set, so the states of level d all have one colour, and come from
//!    cohorts of the other colour. The cohorts of each colour are kept on a separate *side*.
//! 2. Each level is *pulled*: a cohort gathers from all cohorts that a move leads from. So no two
//!    threads write the same block, and the result does not depend on the number of threads.
//! 3. A cohort pulls all states visited so far, not only the states of the last level. The successors of
//!    older states have been visited already, so the new states are the same, and no frontier is kept. A
//!    cohort is skipped when it is full, or when none of its sources changed in the last level.
//! 4. A level d with d & 2 sets the bits of its states in the output: a table holds bit 1 of the
//!    number of moves.
//! 5. At the end the blocks are transposed into rank-major order, 64 × 64 bits at a time.

use std::io;

use rayon::prelude::*;

use super::index::below;
use super::word_moves::WordMoves;
use super::{Buffer, Index, Pattern, Table};
use crate::Cancel;
use crate::prefetch::prefetch;

/// A table just built.
#[derive(Debug)]
pub struct Generated {
    /// The bytes of the table, one bit for each state. [`Table::new`] takes them, and
    /// [`publish`](super::publish) writes them.
    pub bits: Buffer,
    /// The number of states at each level, from 0 moves to the deepest.
    pub levels: Vec<u64>,
}

/// The progress of a build.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The level just finished.
    pub level: usize,
    /// States reached so far.
    pub reached: u64,
    /// States of the pattern.
    pub states: u64,
}

/// Builds the table of a pattern on the current rayon thread pool. `progress` is called after
/// each level, `cancel` is looked at every few milliseconds, by all threads.
///
/// The bytes are the same on any machine and with any number of threads. The build needs two bits
/// of memory for each state, rounded up to words: 355 MB for 8 tiles on 4×4.
///
/// # Errors
/// When the system cannot provide enough memory; [`io::ErrorKind::Interrupted`] if the build was
/// cancelled.
///
/// # Panics
/// When `index` is not the numbering for the pattern's grid and number of tiles.
pub fn generate(
    index: &Index,
    pattern: &Pattern,
    cancel: &Cancel,
    progress: impl FnMut(Progress),
) -> io::Result<Generated> {
    assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
    let Searched { levels, slot, outputs, visited } =
        search(index, pattern, cancel, progress, |_| ())?;
    Ok(Generated { bits: rank_major(index, &slot, &outputs, visited), levels })
}

/// The result of the search of a pattern's states.
pub(super) struct Searched {
    levels: Vec<u64>,
    slot: Vec<Slot>,
    /// The blocks of each colour, with bit 1 of the number of moves for each order.
    outputs: [Buffer; 2],
    /// Memory that the search no longer needs. The table fits in it.
    visited: Buffer,
}

/// Searches all states of a pattern. `progress` and `observe` are called after each level,
/// `observe` after level 0 too.
pub(super) fn search(
    index: &Index,
    pattern: &Pattern,
    cancel: &Cancel,
    mut progress: impl FnMut(Progress),
    mut observe: impl FnMut(Reached<'_>),
) -> io::Result<Searched> {
    let orders = index.orders();
    let graph = Graph::new(index);
    let moves = WordMoves::new(orders);
    let goal = index.goal(pattern);
    let start = graph.slot[index.cohort(index.set(goal.mask), goal.blank)];

    let words = orders.cosets();
    let full = u64::MAX >> (64 - orders.word_bits());
    let [even, odd] = graph.sides.each_ref().map(Vec::len);
    let blocks = (even + odd) * words;
    let mut visited = Buffer::zeroed(Table::length(index).max(blocks * 8))?;
    let (even_visited, odd_visited) = visited.as_words_mut()[..blocks].split_at_mut(even * words);
    let mut sides = [Side::new(even, words, even_visited)?, Side::new(odd, words, odd_visited)?];
    {
        let side = &mut sides[start.side()];
        let (word, bit) = (goal.rank / orders.word_bits(), goal.rank % orders.word_bits());
        side.visited[start.place() * words + word] |= 1 << bit;
        side.status[start.place()] = Status::Changed;
    }
    let colour = |level: usize| (start.side() + level) % 2;
    observe(Reached::new(0, colour(0), index, &graph.slot, &sides));
    let mut levels = vec![1];
    let mut reached = 1;
    while reached < index.states() {
        let level = levels.len();
        let (sources, targets) = {
            let [even, odd] = &mut sides;
            if colour(level) == 1 { (&*even, odd) } else { (&*odd, even) }
        };
        let edges = &graph.sides[colour(level)];
        let step = Level { moves: &moves, sources, full, output: level & 2 != 0, cancel };
        let new = step.pull(edges, targets);
        // A cancelled level is not whole.
        if cancel.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        assert!(new > 0, "every state of a pattern can be reached");
        reached += new;
        levels.push(new);
        observe(Reached::new(level, colour(level), index, &graph.slot, &sides));
        progress(Progress { level, reached, states: index.states() });
    }
    let outputs = sides.map(|side| side.output);
    Ok(Searched { levels, slot: graph.slot, outputs, visited })
}

/// The states that the search has reached.
pub(super) struct Reached<'a> {
    /// The level just finished.
    pub level: usize,
    colour: usize,
    index: &'a Index,
    slot: &'a [Slot],
    visited: &'a [u64],
    status: &'a [Status],
}

impl<'a> Reached<'a> {
    fn new(
        level: usize,
        colour: usize,
        index: &'a Index,
        slot: &'a [Slot],
        sides: &'a [Side<'_>; 2],
    ) -> Reached<'a> {
        let Side { visited, status, .. } = &sides[colour];
        Reached { level, colour, index, slot, visited, status }
    }

    /// The orders reached so far, a block for each zone of a set; nothing when this level reached
    /// none of them.
    pub fn zones(&self, set: usize) -> impl Iterator<Item = &'a [u64]> + use<'a> {
        let words = self.index.orders().cosets();
        let (slot, visited, status) = (self.slot, self.visited, self.status);
        let slots = &slot[self.index.cohorts_of(set)];
        let new = slots[0].side() == self.colour
            && slots.iter().any(|slot| status[slot.place()].changed());
        let slots = if new { slots } else { &[] };
        slots.iter().map(move |slot| &visited[slot.place() * words..][..words])
    }
}

/// The cohorts of one colour.
struct Side<'a> {
    visited: &'a mut [u64],
    output: Buffer,
    status: Vec<Status>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// No state reached in the last level.
    Quiet,
    /// Some state reached in the last level.
    Changed,
    /// Every state reached, the last of them before the last level.
    Full,
    /// Every state reached, the last of them in the last level.
    JustFull,
}

impl Status {
    fn changed(self) -> bool {
        matches!(self, Status::Changed | Status::JustFull)
    }
}

impl<'a> Side<'a> {
    fn new(cohorts: usize, words: usize, visited: &'a mut [u64]) -> io::Result<Side<'a>> {
        let output = Buffer::blocks(cohorts, words)?;
        Ok(Side { visited, output, status: vec![Status::Quiet; cohorts] })
    }
}

/// The location of a cohort: its side, and its place there.
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
    /// The place, on the other side, of the cohort that it comes from.
    source: u32,
    /// The row of [`WordMoves`].
    row: u16,
}

/// The cohorts and the moves between them.
struct Graph {
    slot: Vec<Slot>,
    /// The moves to each cohort, by its place.
    sides: [Vec<Vec<Edge>>; 2],
}

impl Graph {
    fn new(index: &Index) -> Graph {
        let cohorts = || {
            let zones = |set| (0..index.cohorts_of(set).len()).map(move |zone| (set, zone));
            (0..index.sets()).flat_map(zones)
        };
        let mut count = [0, 0];
        let slots = cohorts().map(|(set, _)| {
            let side = index.colour(index.mask(set)) as usize;
            count[side] += 1;
            Slot::new(side, count[side] - 1)
        });
        let slot: Vec<Slot> = slots.collect();
        let mut sides = count.map(Vec::with_capacity);
        for ((set, zone), to) in cohorts().zip(&slot) {
            let mask = index.mask(set);
            // Moves can be taken back, so those that lead to a cohort are its own, reversed.
            let edge = |(from, to): (usize, usize)| {
                let before = mask & !(1 << from) | 1 << to;
                let source = slot[index.cohort(index.set(before), from)].place() as u32;
                Edge { source, row: index.row(before, to, from) as u16 }
            };
            sides[to.side()].push(index.moves(set, zone).map(edge).collect());
        }
        Graph { slot, sides }
    }
}

/// One step of the search.
struct Level<'a> {
    moves: &'a WordMoves,
    /// The cohorts of the side that the moves come from.
    sources: &'a Side<'a>,
    /// A word of a cohort all of whose orders are reached.
    full: u64,
    /// Whether the bits of this level's states are set in the output.
    output: bool,
    cancel: &'a Cancel,
}

impl Level<'_> {
    /// Pulls into all cohorts of the other side. Returns the number of new states.
    fn pull(&self, edges: &[Vec<Edge>], targets: &mut Side<'_>) -> u64 {
        let words = self.moves.cosets;
        let Side { visited, output, status } = targets;
        edges
            .par_iter()
            .zip(visited.par_chunks_exact_mut(words))
            .zip(output.as_words_mut().par_chunks_exact_mut(words))
            .zip(status.par_iter_mut())
            .with_min_len(16)
            .map_init(
                || vec![0; words],
                |pulled, (((edges, visited), output), status)| {
                    let new;
                    (new, *status) = match status {
                        Status::Full | Status::JustFull => (0, Status::Full),
                        _ if self.cancel.is_cancelled() => (0, Status::Quiet),
                        _ => self.pull_cohort(edges, visited, output, pulled),
                    };
                    new
                },
            )
            .sum()
    }

    /// Pulls into one cohort. `pulled` is scratch space.
    ///
    /// It is called, not inlined: engines of WebAssembly run a function as it was compiled first
    /// until it returns, and only the next call is fast.
    #[inline(never)]
    fn pull_cohort(
        &self,
        edges: &[Edge],
        visited: &mut [u64],
        output: &mut [u64],
        pulled: &mut [u64],
    ) -> (u64, Status) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the features that the function is compiled for.
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
        let words = self.moves.cosets;
        let reached = &*self.sources.visited;
        let block = |edge: &Edge| &reached[edge.source as usize * words..][..words];
        let changed = |edge: &&Edge| self.sources.status[edge.source as usize].changed();
        let mut changed = edges.iter().filter(changed).peekable();
        if changed.peek().is_none() {
            return (0, Status::Quiet);
        }
        pulled.fill(0);
        while let Some(edge) = changed.next() {
            // The processor cannot foresee the order in which blocks are read.
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

/// Turns blocks, one for each cohort, into rows of cohorts, one for each rank. Every word of the
/// rows is written to `bits`, whatever it holds.
fn rank_major(index: &Index, slot: &[Slot], outputs: &[Buffer; 2], mut bits: Buffer) -> Buffer {
    let orders = index.orders();
    let (words, word_bits) = (orders.cosets(), orders.word_bits());
    let row = super::row_bytes(index.cohorts());
    bits.truncate(Table::length(index));
    let outputs = outputs.each_ref().map(Buffer::as_words);
    // A few cosets at once, so that every cache line of a block is read once.
    const COSETS: usize = 8;
    let rows = bits.as_bytes_mut().par_chunks_mut(COSETS * word_bits * row);
    rows.enumerate().for_each(|(chunk, rows)| {
        let cosets = chunk * COSETS..words.min((chunk + 1) * COSETS);
        for (column, slots) in slot.chunks(64).enumerate() {
            for (coset, rows) in cosets.clone().zip(rows.chunks_exact_mut(word_bits * row)) {
                let mut square = [0; 64];
                for (word, slot) in square.iter_mut().zip(slots) {
                    *word = outputs[slot.side()][slot.place() * words + coset];
                }
                transpose(&mut square);
                for (word, row) in square.iter().zip(rows.chunks_exact_mut(row)) {
                    row[column * 8..][..8].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    });
    bits
}

/// Transposes 64 × 64 bits: bit j of word i becomes bit i of word j. It is called, not inlined, as
/// `Level::pull_cohort` is.
#[inline(never)]
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
    use std::sync::Arc;

    use super::super::verify;
    use super::*;
    use crate::board::Grid;

    /// tests/it/tables.rs compares larger tables with a plain search.
    #[test]
    fn small_tables_are_proved() {
        let patterns: [(usize, usize, usize, &[usize]); 3] =
            [(2, 2, 0, &[3]), (3, 2, 1, &[0, 2, 5]), (3, 3, 4, &[1, 3])];
        // Miri builds a table in seconds, but takes a minute to prove it.
        let count = if cfg!(miri) { 1 } else { patterns.len() };
        for &(width, height, blank, tiles) in &patterns[..count] {
            let grid = Grid::new(width, height).unwrap();
            let pattern = Pattern::new(grid, blank, tiles.iter().copied()).unwrap();
            let index = Arc::new(Index::new(grid, pattern.len()));
            let mut reached = vec![1];
            let built = generate(&index, &pattern, &Cancel::new(), |progress| {
                assert_eq!((progress.level, progress.states), (reached.len(), index.states()));
                reached.push(progress.reached);
            });
            let Generated { bits, levels } = built.unwrap();
            let sums = (0..levels.len()).map(|level| levels[..=level].iter().sum::<u64>());
            assert_eq!(reached, sums.collect::<Vec<_>>(), "{grid} {pattern}");
            let table = Table::new(pattern, index, bits);
            assert_eq!(verify(&table, &levels, |_| ()), Ok(()), "{grid} {pattern}");
        }
    }

    /// A build is cancelled at every level.
    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn a_build_can_be_cancelled() {
        let grid = Grid::new(3, 3).unwrap();
        let pattern = Pattern::new(grid, 0, [6, 7, 8]).unwrap();
        let index = Index::new(grid, pattern.len());
        let levels = generate(&index, &pattern, &Cancel::new(), |_| ()).unwrap().levels.len();
        for last in 1..levels - 1 {
            let cancel = Cancel::new();
            let progress = |progress: Progress| {
                assert!(progress.level <= last);
                if progress.level == last {
                    cancel.cancel();
                }
            };
            let error = generate(&index, &pattern, &cancel, progress).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        }
    }

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
}
