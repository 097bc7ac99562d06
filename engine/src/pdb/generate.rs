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

use super::buffer::Buffer;
use super::index::{Index, below};
use super::pattern::Pattern;
use super::states::Edge;
use super::table::Table;
use super::word_moves::WordMoves;
use crate::Cancel;
use crate::parallel::{for_each, sum};
use crate::prefetch::prefetch_all;

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

/// Builds the table of a pattern on the current rayon thread pool. `progress` is called after each level, and
/// all threads check `cancel` every few milliseconds.
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
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Generated> {
    assert!(index.grid() == pattern.grid() && index.orders().tiles() == pattern.len());
    let (levels, [visited, output]) = search(index, pattern, cancel, progress, &mut |_| ())?;
    Ok(Generated { bits: rank_major(index, &output, visited), levels })
}

/// Searches all states of a pattern. `progress` and `observe` are called after each level,
/// `observe` after level 0 too.
///
/// Returns the number of states at each level, and two buffers with a block for each cohort. The second one
/// has bit 1 of the number of moves for each order. The first one is memory that the search no longer needs,
/// in which the table fits.
pub(super) fn search(
    index: &Index,
    pattern: &Pattern,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
    observe: &mut dyn FnMut(Reached<'_>),
) -> io::Result<(Vec<u64>, [Buffer; 2])> {
    let orders = index.orders();
    let words = orders.cosets();
    let bytes = index.cohorts().saturating_mul(8 * words);
    let mut visited = Buffer::zeroed(Table::length(index).max(bytes))?;
    let mut output = Buffer::zeroed(bytes)?;

    let mut count = [0, 0];
    let places = index.colours().map(|colour| {
        count[colour] += 1;
        count[colour] - 1
    });
    let places: Vec<u32> = places.collect();
    let mut sides = count.map(|cohorts| Vec::with_capacity(cohorts as usize));
    let [visits, outputs] = [&mut visited, &mut output]
        .map(|memory| bytemuck::cast_slice_mut(memory.as_bytes_mut()).chunks_exact_mut(words));
    let blocks = visits.zip(outputs);
    for ((colour, mut edges), (visited, output)) in index.colours().zip(index.edges()).zip(blocks) {
        edges.iter_mut().for_each(|edge| edge.other = places[edge.other as usize]);
        sides[colour].push(Cohort { edges, visited, output, is_new: false, is_full: false });
    }

    let goal = index.goal(pattern);
    let first_side = index.colour(goal.mask) as usize;
    let start = places[index.cohort(index.set(goal.mask), goal.blank)] as usize;
    let start = &mut sides[first_side][start];
    start.visited[goal.rank / orders.word_bits()] |= 1 << (goal.rank % orders.word_bits());
    start.is_new = true;

    let moves = WordMoves::new(orders);
    let full = u64::MAX >> (64 - orders.word_bits());
    observe(Reached {
        level: 0,
        side: &sides[first_side],
        colour: first_side,
        index,
        places: &places,
    });
    let mut levels = vec![1];
    let mut states = 1;
    while states < index.states() {
        let level = levels.len();
        let colour = (first_side + level) % 2;
        let [even, odd] = &mut sides;
        let (sources, targets) = if colour == 1 { (&*even, odd) } else { (&*odd, even) };
        let step = Level { moves: &moves, sources, full, output: level & 2 != 0, cancel };
        let new = step.pull(targets);
        // A cancelled level is not whole.
        if cancel.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        assert!(new > 0, "every state of a pattern can be reached");
        states += new;
        levels.push(new);
        observe(Reached { level, side: targets, colour, index, places: &places });
        progress(Progress { level, reached: states, states: index.states() });
    }
    Ok((levels, [visited, output]))
}

/// The states that the search has reached.
pub(super) struct Reached<'a> {
    /// The level just finished.
    pub level: usize,
    /// The cohorts of the colour of this level.
    side: &'a [Cohort<'a>],
    colour: usize,
    index: &'a Index,
    places: &'a [u32],
}

impl<'a> Reached<'a> {
    /// The orders reached so far, a block for each zone of a set; nothing when this level reached
    /// none of them.
    pub fn zones(&self, set: usize) -> impl Iterator<Item = &'a [u64]> + use<'a> {
        let cohorts = self.index.cohorts_of(set);
        let zones = if self.index.colour(self.index.mask(set)) as usize == self.colour {
            // They have consecutive places.
            &self.side[self.places[cohorts.start] as usize..][..cohorts.len()]
        } else {
            &[]
        };
        let new = zones.iter().any(|zone| zone.is_new);
        zones.iter().filter(move |_| new).map(|zone| &*zone.visited)
    }
}

/// A cohort in the search.
struct Cohort<'a> {
    /// Its moves, with the places of the other cohorts on their side.
    edges: Vec<Edge>,
    /// The block of the orders reached so far.
    visited: &'a mut [u64],
    /// The block with bit 1 of the number of moves.
    output: &'a mut [u64],
    /// Whether the last level of its colour reached an order.
    is_new: bool,
    /// Whether all orders are reached.
    is_full: bool,
}

/// One step of the search.
struct Level<'a> {
    moves: &'a WordMoves,
    /// The cohorts of the side that the moves come from.
    sources: &'a [Cohort<'a>],
    /// A word of a cohort all of whose orders are reached.
    full: u64,
    /// Whether the bits of this level's states are set in the output.
    output: bool,
    cancel: &'a Cancel,
}

impl Level<'_> {
    /// Pulls into all cohorts of the other side. Returns the number of new states.
    fn pull(&self, targets: &mut [Cohort<'_>]) -> u64 {
        let pulled = || vec![0; self.moves.cosets];
        // Handed out one by one, they would take 5 % more time.
        sum(targets.chunks_mut(16), pulled, |pulled, _, targets| {
            let pull = |target: &mut Cohort<'_>| {
                target.is_new = false;
                if target.is_full || self.cancel.is_cancelled() {
                    return 0;
                }
                self.pull_cohort(target, pulled)
            };
            targets.iter_mut().map(pull).sum()
        })
    }

    /// Pulls into one cohort. `pulled` is scratch space.
    ///
    /// It is called, not inlined: engines of WebAssembly run a function as it was compiled first
    /// until it returns, and only the next call is fast.
    #[inline(never)]
    fn pull_cohort(&self, target: &mut Cohort<'_>, pulled: &mut [u64]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.pull_cohort_wide(target, pulled) };
        }
        self.pull_cohort_plain(target, pulled)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn pull_cohort_wide(&self, target: &mut Cohort<'_>, pulled: &mut [u64]) -> u64 {
        self.pull_cohort_plain(target, pulled)
    }

    #[inline(always)]
    fn pull_cohort_plain(&self, target: &mut Cohort<'_>, pulled: &mut [u64]) -> u64 {
        let source = |edge: &Edge| &self.sources[edge.other as usize];
        let mut edges = target.edges.iter().filter(|edge| source(edge).is_new).peekable();
        if edges.peek().is_none() {
            return 0;
        }
        pulled.fill(0);
        while let Some(edge) = edges.next() {
            // The processor cannot foresee the order in which blocks are read.
            prefetch_all(edges.peek().map_or(&*target.visited, |next| &*source(next).visited));
            self.moves.apply(usize::from(edge.back), source(edge).visited, pulled);
        }
        let (mut new, mut rest) = (0, 0);
        let blocks = pulled.iter().zip(&mut *target.visited).zip(&mut *target.output);
        for ((pulled, visited), output) in blocks {
            let fresh = pulled & !*visited;
            *visited |= fresh;
            if self.output {
                *output |= fresh;
            }
            new += u64::from(fresh.count_ones());
            rest |= self.full & !*visited;
        }
        (target.is_new, target.is_full) = (new > 0, rest == 0);
        new
    }
}

/// Turns the blocks of the output, one for each cohort, into rows of cohorts, one for each rank. Every
/// word of the rows is written to `bits`, whatever it holds.
fn rank_major(index: &Index, output: &Buffer, mut bits: Buffer) -> Buffer {
    let orders = index.orders();
    let (words, word_bits) = (orders.cosets(), orders.word_bits());
    let row = super::row_bytes(index.cohorts() as u64) as usize;
    bits.truncate(Table::length(index));
    let output: &[u64] = bytemuck::cast_slice(output.as_ref());
    // A few cosets at once, so that every cache line of a block is read once.
    const COSETS: usize = 8;
    let rows = bits.as_bytes_mut().chunks_mut(COSETS * word_bits * row);
    for_each(rows, |chunk, rows| {
        let cosets = chunk * COSETS..words.min((chunk + 1) * COSETS);
        for (column, blocks) in output.chunks(64 * words).enumerate() {
            for (coset, rows) in cosets.clone().zip(rows.chunks_exact_mut(word_bits * row)) {
                let mut square = [0; 64];
                for (word, block) in square.iter_mut().zip(blocks.chunks_exact(words)) {
                    *word = block[coset];
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

    use super::*;
    use crate::board::Grid;
    use crate::pdb::verify::verify;

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
            let built = generate(&index, &pattern, &Cancel::new(), &mut |progress| {
                assert_eq!((progress.level, progress.states), (reached.len(), index.states()));
                reached.push(progress.reached);
            });
            let Generated { bits, levels } = built.unwrap();
            let sums = (0..levels.len()).map(|level| levels[..=level].iter().sum::<u64>());
            assert_eq!(reached, sums.collect::<Vec<_>>(), "{grid} {pattern}");
            let table = Table::new(pattern, index, bits);
            assert_eq!(verify(&table, &levels, &|_| ()), Ok(()), "{grid} {pattern}");
        }
    }

    /// A build is cancelled at every level.
    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn a_build_can_be_cancelled() {
        let grid = Grid::new(3, 3).unwrap();
        let pattern = Pattern::new(grid, 0, [6, 7, 8]).unwrap();
        let index = Index::new(grid, pattern.len());
        let levels = generate(&index, &pattern, &Cancel::new(), &mut |_| ()).unwrap().levels.len();
        for last in 1..levels - 1 {
            let cancel = Cancel::new();
            let progress = &mut |progress: Progress| {
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
