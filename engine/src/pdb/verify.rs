//! Proving that a table is right, without its generator.
//!
//! Suppose that h gives every state of a pattern a number such that
//!
//! - h is 0 at the goal;
//! - each move of a pattern tile changes h by exactly 1, up or down;
//! - every state but the goal has a move that lowers h.
//!
//! Then h is the number of moves to the goal. It is not larger, because moves that lower it by 1
//! lead from every state to the goal; and not smaller, because no move lowers it by more than 1. So
//! it is enough to find such an h that agrees with the table's bits, and to check every edge:
//!
//! 1. Walk downhill from each state of the goal's cohort, to get its h.
//! 2. Along a tree over the cohorts, each move gives the h of another whole cohort: one more or
//!    one less, as the bits say.
//! 3. Check every edge of every state, and count the levels.
//!
//! The proof takes the states and their moves from [`Index`](super::Index) and
//! [`Orders`](super::Orders), as the generator does; the tests compare these with moves of tiles on
//! a board. It does not use the generator's moves of whole words, its search by levels, or its
//! transposition.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use super::orders::Orders;
use super::table::{BrokenTable, Table};
use crate::memo::lock;
use crate::parallel::{for_each, map_chunks};

/// The first fault that [`verify`] finds in a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A walk downhill does not end at the goal.
    #[error(transparent)]
    Broken(#[from] BrokenTable),
    /// A move does not change the number of moves by one.
    #[error(
        "the table is wrong: a move from cohort {cohort} to cohort {other} does not change the value by 1"
    )]
    Step {
        /// The cohort that the move starts from.
        cohort: usize,
        /// The cohort that it leads to.
        other: usize,
    },
    /// No move leads from a state towards the goal, and it is not the goal.
    #[error("the table is wrong: a state of cohort {cohort} has no move towards the goal")]
    Stuck {
        /// The state's cohort.
        cohort: usize,
    },
    /// The levels differ from the claimed ones.
    #[error("the table has {found} states at level {level}, not {claimed}")]
    Levels {
        /// The first level that differs.
        level: usize,
        /// The number of states counted.
        found: u64,
        /// The number claimed.
        claimed: u64,
    },
    /// Bits beyond the last cohort of a row are not 0.
    #[error("the table is wrong: the padding of a row is not zero")]
    Padding,
}

/// Proves that `table` gives the exact number of moves of every state, and that `levels` counts
/// them, on the current rayon thread pool. `progress` is called with the number of steps done, out
/// of `2 × cohorts`.
///
/// For each state the proof needs a byte of memory, and about 10 ns of one thread.
///
/// # Errors
/// [`VerifyError`], with a fault. If there are several, different runs may report different ones.
pub fn verify(
    table: &Table,
    levels: &[u64],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let index = table.index();
    let goal = index.goal(&table.pattern());
    let start = index.cohort(index.set(goal.mask), goal.blank);
    let edges: Vec<_> = index.edges().collect();
    let done = AtomicU64::new(0);
    let tick = || progress(done.fetch_add(1, Ordering::Relaxed) + 1);

    let mut blocks = bits_by_cohort(table)?;
    let even = index.colour(goal.mask) as usize;
    let parity: Vec<u8> = index.colours().map(|colour| u8::from(colour != even)).collect();

    let states = (0..blocks[start].len()).map(|rank| super::State { rank, ..goal });
    let values = table.values(&states.collect::<Vec<_>>())?;
    blocks[start].iter_mut().zip(values).for_each(|(h, value)| *h = value as u8);
    let mut known = vec![false; blocks.len()];
    known[start] = true;
    let mut layer = vec![start];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &cohort in &layer {
            for edge in &edges[cohort] {
                let other = edge.other as usize;
                if !std::mem::replace(&mut known[other], true) {
                    // By the move back, the new block can be filled in order.
                    next.push((other, cohort, edge.back, std::mem::take(&mut blocks[other])));
                }
            }
        }
        for_each(next.iter_mut(), |_, (cohort, parent, row, block)| {
            let odd = parity[*cohort];
            along(index.orders(), *row, block, &blocks[*parent], |h, before| {
                let residue = *h << 1 | odd;
                let up = before.wrapping_add(1);
                *h = if up % 4 == residue { up } else { before.wrapping_sub(1) };
            });
            tick();
        });
        layer = next
            .into_iter()
            .map(|(cohort, .., block)| {
                blocks[cohort] = block;
                cohort
            })
            .collect();
    }

    let counted = Mutex::new([0u64; 256]);
    let check = |cohort: usize| {
        let block = &blocks[cohort];
        // The least h that a move leads to.
        let mut least = vec![u8::MAX; block.len()];
        let mut reached = vec![0; block.len()];
        for edge in &edges[cohort] {
            let (mut wrong, other) = (false, edge.other as usize);
            along(index.orders(), edge.row, &mut reached, &blocks[other], |r, next| *r = next);
            for ((&next, &h), least) in reached.iter().zip(block).zip(&mut least) {
                wrong |= h.abs_diff(next) != 1;
                *least = (*least).min(next);
            }
            if wrong {
                return Err(VerifyError::Step { cohort, other });
            }
        }
        let mut counts = [0u64; 256];
        for (rank, (&h, least)) in block.iter().zip(least).enumerate() {
            let is_goal = cohort == start && rank == goal.rank && h == 0;
            if least >= h && !is_goal {
                return Err(VerifyError::Stuck { cohort });
            }
            counts[usize::from(h)] += 1;
        }
        lock(&counted).iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        tick();
        Ok(())
    };
    let fault = OnceLock::new();
    for_each(0..blocks.len(), |_, cohort| {
        if fault.get().is_none()
            && let Err(error) = check(cohort)
        {
            // Another thread may have found one meanwhile.
            let _ = fault.set(error);
        }
    });
    if let Some(error) = fault.into_inner() {
        return Err(error);
    }
    for (level, &found) in lock(&counted).iter().enumerate() {
        let claimed = levels.get(level).copied().unwrap_or(0);
        if found != claimed {
            return Err(VerifyError::Levels { level, found, claimed });
        }
    }
    Ok(())
}

/// Visits the ranks of a cohort's block in order, each with the entry of another cohort's block at
/// the rank that a row of the transition table leads to.
fn along<T>(
    orders: &Orders,
    row: u16,
    block: &mut [T],
    other: &[u8],
    mut visit: impl FnMut(&mut T, u8),
) {
    let low = 1 << orders.pairs();
    for (i, here) in block.chunks_exact_mut(low).enumerate() {
        // Ranks that differ only in their flips stay together.
        let first = orders.after(row.into(), i * low);
        let there = &other[first & !(low - 1)..][..low];
        for (flips, entry) in here.iter_mut().enumerate() {
            visit(entry, there[(first ^ flips) & (low - 1)]);
        }
    }
}

/// The table's bits as bytes, a block for each cohort.
fn bits_by_cohort(table: &Table) -> Result<Vec<Vec<u8>>, VerifyError> {
    let (cohorts, orders) = (table.index().cohorts(), table.index().orders().len());
    let (bytes, row) = (table.bytes(), table.row_bytes());
    let columns: Vec<_> = (0..row / 8).collect();
    let blocks = map_chunks(&columns, 1, |column, _| {
        let here = 64.min(cohorts - column * 64);
        let mut blocks = vec![vec![0; orders]; here];
        for rank in 0..orders {
            let first = rank * row + column * 8;
            let word = std::array::from_fn(|i| bytes.byte(first + i));
            let mut word = u64::from_le_bytes(word);
            for block in &mut blocks {
                block[rank] = (word & 1) as u8;
                word >>= 1;
            }
            if word != 0 && here < 64 {
                return Err(VerifyError::Padding);
            }
        }
        Ok(blocks)
    });
    let blocks = blocks.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(blocks.into_iter().flatten().collect())
}
