//! Building a table: breadth-first search from the goal.
//!
//! A *state* is a placement of the pattern's tiles, a cell of the blank, and the direction of the
//! next slide. The states with one placement and one direction are the bits of a mask, a bit for
//! each cell of the blank. The masks of one set, one direction and one *part* of the orders are a
//! *block*.
//!
//! 1. Slides can be taken back. So the states at level d whose next slide is along a row are the states that
//!    such a slide reaches from states at level d − 1 whose next slide is along a column.
//! 2. A slide keeps the order of the tiles along its own direction. Each direction keeps its masks
//!    in that order, so that a slide between two sets takes the mask of each order to the same
//!    place of another block: see [`Step`]. Slides never lead from one part to another. The blocks
//!    of a part are [reordered](Reorder) from the other direction just before they are needed, and
//!    stay in a fast cache.
//! 3. Each block is *pulled* from those that lead to it. No two threads write the same one, and the
//!    result does not depend on the number of threads.
//! 4. A block pulls all states visited so far, not only the states of the last level. The successors of older
//!    states have been visited already, so the new states are the same, and no frontier is kept. Steps that
//!    start from no cell reached at the last level are skipped, and so are steps that lead only to cells
//!    reached in all orders.
//! 5. The level at which a placement is first reached is its least value. The cells that are not
//!    reached one level later have values larger by two or more. Records are kept for slides along
//!    rows only.

use std::io;
use std::sync::Mutex;

use super::placements::Placements;
use super::record::{LEAST_BITS, MAX_LEAST, counts_slides};
use super::reorder::{Reorder, permuted};
use super::steps::{Step, lines, steps_to};
use crate::Cancel;
use crate::memo::lock;
use crate::parallel::{for_each, sum};
use crate::pdb::buffer::Buffer;
use crate::pdb::generate::{Generated, Progress};
use crate::pdb::pattern::Pattern;
use crate::prefetch::prefetch_all;

/// Builds the table of a pattern that counts slides, on the current rayon thread pool. `progress` is called
/// after each level, and all threads check `cancel` every few milliseconds.
///
/// The bytes are the same on any machine and with any number of threads. The build needs 8 bytes
/// of memory for each placement: 0.46 GB for 7 tiles on 4×4.
///
/// The levels of the result count the placements by their least values.
///
/// # Errors
/// When the system cannot provide enough memory; [`io::ErrorKind::Interrupted`] if the build was
/// cancelled.
///
/// # Panics
/// When there is no such table (see [`counts_slides`]), or `placements` is not the numbering of
/// these cells and tiles.
pub fn generate_slides(
    placements: &Placements,
    pattern: &Pattern,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Generated> {
    assert!(counts_slides(*pattern));
    assert!((placements.cells(), placements.tiles()) == (pattern.grid().cells(), pattern.len()));
    match pattern.len() {
        // All of these tables are small.
        0..INNER => search::<1>(placements, pattern, cancel, progress, 0),
        _ => search::<ORDERS>(placements, pattern, cancel, progress, INNER as u32),
    }
}

/// The number of last tiles, whose orders form a part.
const INNER: usize = 5;

/// The number of orders of `n` tiles (n!).
const ORDERS: usize = 120;

/// Builds a table in parts of `N` orders: the orders of the last `inner` tiles.
fn search<const N: usize>(
    placements: &Placements,
    pattern: &Pattern,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
    inner: u32,
) -> io::Result<Generated> {
    let grid = pattern.grid();
    let (sets, cells) = (placements.sets().len(), grid.cells() - pattern.len());
    let free = (1u16 << cells) - 1;
    let reorder = Reorder::<N>::new(grid, placements, inner);
    let steps = lines(grid).map(|lines| steps_to(&lines, placements));

    let bytes = placements.len().saturating_mul(2);
    let side = || -> io::Result<Side> {
        let blocks = placements.len() / N;
        let visited = Buffer::zeroed(bytes)?;
        Ok(Side { visited, recent: vec![0; blocks], missing: vec![free; blocks] })
    };
    let (mut rows, mut columns, mut next) = (side()?, side()?, side()?);
    let mut memory = Buffer::zeroed(bytes)?;
    let records: &mut [u16] = bytemuck::cast_slice_mut(memory.as_bytes_mut());

    // The goal's order is the first by rows.
    let home = placements.set(pattern.mask() as u16);
    let before_blank = (1u16 << pattern.blank()) - 1;
    let blank = 1u16 << (before_blank & !pattern.mask() as u16).count_ones();
    let by_columns = (0..placements.orders()).find(|order| {
        let (part, ranks) = reorder.source(1, home, order / N);
        part == 0 && ranks[order % N] == 0
    });
    let by_columns = by_columns.expect("each order has a place by columns");
    for (side, order) in [(&mut rows, 0), (&mut columns, by_columns)] {
        let block = order / N * sets + home;
        side.recent[block] = blank;
        side.visited_mut::<N>()[block][order % N] = blank;
    }
    records[home * N] = (free & !blank) << LEAST_BITS;

    let states = 2 * cells as u64 * placements.len() as u64;
    let mut reached = 2;
    for level in 1.. {
        let work = Level { level, cancel, free, steps: &steps, reorder: &reorder };
        // Each direction goes on from the other one. The rows before this level are kept for the
        // columns.
        let mut new = work.pull(0, &columns, Some(&rows), &mut next, records);
        new += work.pull(1, &rows, None, &mut columns, &mut []);
        std::mem::swap(&mut rows, &mut next);
        // A cancelled level is not whole.
        if cancel.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if new == 0 {
            break;
        }
        reached += new;
        progress(Progress { level, reached, states });
    }
    Ok(finish::<N>(records, next.visited, placements))
}

/// The states whose next slide is along lines of one direction: the blocks of all sets, part by
/// part.
struct Side {
    /// The cells of the blank reached so far, for each placement.
    visited: Buffer,
    /// For each block, the cells of the blank that the last level reached in some order.
    recent: Vec<u16>,
    /// For each block, the cells of the blank that are still to be reached in some order.
    missing: Vec<u16>,
}

impl Side {
    fn visited<const N: usize>(&self) -> &[[u16; N]] {
        bytemuck::cast_slice::<u8, u16>(self.visited.as_ref()).as_chunks().0
    }

    fn visited_mut<const N: usize>(&mut self) -> &mut [[u16; N]] {
        bytemuck::cast_slice_mut::<u8, u16>(self.visited.as_bytes_mut()).as_chunks_mut().0
    }
}

/// Brings the records into the order of the placements, and counts those with each least value.
fn finish<const N: usize>(
    records: &[u16],
    mut table: Buffer,
    placements: &Placements,
) -> Generated {
    let sets = placements.sets().len();
    let (records, _) = records.as_chunks::<N>();
    let of_sets = bytemuck::cast_slice_mut::<u8, u16>(table.as_bytes_mut());
    let of_sets = of_sets.chunks_exact_mut(placements.orders());
    let sums = Mutex::new([0u64; MAX_LEAST as usize + 1]);
    for_each(of_sets, |set, table| {
        let mut levels = [0; MAX_LEAST as usize + 1];
        let parts = records[set..].iter().step_by(sets);
        for (table, records) in table.as_chunks_mut::<N>().0.iter_mut().zip(parts) {
            *table = records.map(u16::to_le);
            records.iter().for_each(|record| levels[usize::from(record & MAX_LEAST)] += 1);
        }
        lock(&sums).iter_mut().zip(levels).for_each(|(sum, level)| *sum += level);
    });
    let levels = *lock(&sums);
    let deepest = levels.iter().rposition(|&placements| placements > 0).unwrap_or_default();
    Generated { bits: table, levels: levels[..=deepest].to_vec() }
}

/// One level of the search.
struct Level<'a, const N: usize> {
    level: usize,
    cancel: &'a Cancel,
    /// All cells of the blank.
    free: u16,
    /// The steps to each set, by slides along rows and along columns.
    steps: &'a [Vec<Vec<Step>>; 2],
    reorder: &'a Reorder<N>,
}

/// The blocks of one part.
struct PartBlocks<'a, const N: usize> {
    direction: usize,
    number: usize,
    visited: &'a mut [[u16; N]],
    recent: &'a mut [u16],
    missing: &'a mut [u16],
    /// Empty for slides along columns.
    records: &'a mut [[u16; N]],
    /// This direction one level later, if these blocks have to catch up.
    before: Option<&'a Side>,
}

/// The blocks of one part, reordered from the other direction.
struct Turned<const N: usize> {
    /// The cells visited. Where the last level reached none, they are stale.
    visited: Vec<[u16; N]>,
    recent: Vec<u16>,
}

impl<const N: usize> Level<'_, N> {
    /// Pulls the blocks of a direction from the other one. Returns the number of states that are
    /// new.
    ///
    /// If `before` is given, `side` is one level older and catches up. `records` is empty for slides along
    /// columns.
    fn pull(
        &self,
        direction: usize,
        other: &Side,
        before: Option<&Side>,
        side: &mut Side,
        records: &mut [u16],
    ) -> u64 {
        let sets = self.steps[direction].len();
        let parts = side.recent.len() / sets;
        let mut records = records.as_chunks_mut::<N>().0.chunks_exact_mut(sets);
        let records: Vec<_> = (0..parts).map(|_| records.next().unwrap_or_default()).collect();
        let visited: &mut [u16] = bytemuck::cast_slice_mut(side.visited.as_bytes_mut());
        let visited = visited.as_chunks_mut::<N>().0.chunks_exact_mut(sets);
        let recent = side.recent.chunks_exact_mut(sets);
        let blocks = visited.zip(recent).zip(side.missing.chunks_exact_mut(sets)).zip(records);
        let turned = || Turned { visited: vec![[0; N]; sets], recent: vec![0; sets] };
        sum(blocks, turned, |turned, number, (((visited, recent), missing), records)| {
            if self.cancel.is_cancelled() {
                return 0;
            }
            self.turn(direction, number, other, turned);
            let part = PartBlocks { direction, number, visited, recent, missing, records, before };
            self.pull_part(turned, part)
        })
    }

    /// Reorders the blocks of a part for slides along lines of a direction.
    fn turn(&self, direction: usize, part: usize, other: &Side, turned: &mut Turned<N>) {
        let sets = turned.recent.len();
        let blocks = other.visited::<N>();
        let source = |set| {
            let (part, ranks) = self.reorder.source(direction, set, part);
            (part * sets + set, ranks)
        };
        for (set, recent) in turned.recent.iter_mut().enumerate() {
            *recent = other.recent[source(set).0];
        }
        for (set, visited) in turned.visited.iter_mut().enumerate() {
            // The processor cannot foresee where the blocks are.
            let ahead = (set + AHEAD).min(sets - 1);
            if turned.recent[ahead] != 0 {
                prefetch_all(&blocks[source(ahead).0]);
            }
            if turned.recent[set] != 0 {
                let (block, ranks) = source(set);
                *visited = permuted(&blocks[block], ranks);
            }
        }
    }

    /// Pulls the blocks of a part.
    fn pull_part(&self, turned: &Turned<N>, part: PartBlocks<'_, N>) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.pull_part_wide(turned, part) };
        }
        self.pull_part_plain(turned, part)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn pull_part_wide(&self, turned: &Turned<N>, part: PartBlocks<'_, N>) -> u64 {
        self.pull_part_plain(turned, part)
    }

    #[inline(always)]
    fn pull_part_plain(&self, turned: &Turned<N>, part: PartBlocks<'_, N>) -> u64 {
        let mut count = 0;
        let blocks = part.visited.iter_mut().zip(part.recent).zip(part.missing);
        let blocks = blocks.zip(&self.steps[part.direction]);
        for (set, (((visited, recent), missing), steps)) in blocks.enumerate() {
            *recent = 0;
            if let Some(before) = part.before {
                let block = part.number * turned.recent.len() + set;
                if before.recent[block] != 0 {
                    *visited = before.visited()[block];
                    *missing = before.missing[block];
                }
            }
            let Some(pulled) = gather(steps, turned, *missing) else { continue };
            let seen = *visited;
            let new;
            (new, *recent, *missing) = mark(&pulled, visited, self.free);
            count += new;
            if new > 0
                && let Some(records) = part.records.get_mut(set)
            {
                self.record(records, &seen, visited);
            }
        }
        count
    }

    /// Updates the records of a block in which this level has reached new cells.
    #[inline(always)]
    fn record(&self, records: &mut [u16; N], seen: &[u16; N], visited: &[u16; N]) {
        let (level, last) = (self.level as u16, self.level as u16 - 1);
        // Values beyond the largest are bounded by it.
        let (least, bits) = if level <= MAX_LEAST { (level, u16::MAX) } else { (MAX_LEAST, 0) };
        for ((record, seen), visited) in records.iter_mut().zip(seen).zip(visited) {
            let larger = (self.free & !visited) << LEAST_BITS;
            let first = least | larger & bits;
            let second = if *record & MAX_LEAST == last { last | larger } else { *record };
            let later = if *seen != 0 { second } else { first };
            *record = if *visited != 0 { later } else { *record };
        }
    }
}

/// The cells that the steps to a block reach. `None` if none of them is new.
#[inline(always)]
fn gather<const N: usize>(steps: &[Step], turned: &Turned<N>, missing: u16) -> Option<[u16; N]> {
    let useful = |step: &&Step| {
        missing & step.to != 0 && turned.recent[usize::from(step.source)] & step.from != 0
    };
    let mut steps = steps.iter().filter(useful).peekable();
    steps.peek()?;
    let mut pulled = [0; N];
    for &Step { source, from, to } in steps {
        for (pulled, mask) in pulled.iter_mut().zip(&turned.visited[usize::from(source)]) {
            *pulled |= if mask & from != 0 { to } else { 0 };
        }
    }
    Some(pulled)
}

/// Marks the pulled states as visited. Returns the number of new states, their cells, and the cells
/// that are still to be reached in some order.
#[inline(always)]
fn mark<const N: usize>(pulled: &[u16; N], visited: &mut [u16; N], free: u16) -> (u64, u16, u16) {
    let (mut count, mut recent, mut missing) = (0u16, 0, 0);
    for (pulled, visited) in pulled.iter().zip(visited) {
        let new = pulled & !*visited;
        *visited |= new;
        recent |= new;
        missing |= free & !*visited;
        count += new.count_ones() as u16;
    }
    (count.into(), recent, missing)
}

/// Blocks to prefetch ahead.
const AHEAD: usize = 12;
