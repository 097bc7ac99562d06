//! Building a table: breadth-first search from the goal.
//!
//! A *state* is a placement of the pattern's tiles, a cell of the blank, and the direction of the
//! next slide. The states with one placement and one direction are the bits of a 16-bit mask, the
//! *cells* of the blank; the masks of one set and one direction are a *block*.
//!
//! 1. Slides can be taken back. So the states at level d whose next slide is along a row are those
//!    that such a slide reaches from states at level d − 1 whose next slide is along a column.
//! 2. A slide keeps the order of the tiles along its own direction. Each direction keeps its blocks
//!    in that order, so that a slide between two sets takes the mask of each order to the same
//!    place of another block: see [`Step`]. Between two levels the blocks that changed are
//!    [reordered](Reorder).
//! 3. Each block is *pulled* from those that lead to it. No two threads write the same one, and the
//!    result does not depend on the number of threads.
//! 4. The level at which a placement is first reached is its least value. The cells that are not
//!    reached one level later have values larger by two or more. Records are kept for slides along
//!    rows only.

use std::io;

use rayon::prelude::*;

use super::super::generate::Stop;
use super::super::{Buffer, Generated, Pattern, Progress};
use super::reorder::Reorder;
use super::steps::{Step, lines, steps_to};
use super::{LEAST_BITS, MAX_LEAST, MAX_SLIDE_CELLS, Placements, counts_slides};

/// Builds the table of a pattern that counts slides, on the current rayon thread pool. `progress`
/// is called after each level.
///
/// The bytes are the same on any machine and with any number of threads. The build needs 14 bytes
/// of memory for each placement: 0.8 GB for 7 tiles on 4×4.
///
/// The levels of the result are those of the placements, by their least values.
///
/// # Errors
/// When the system cannot provide enough memory.
///
/// # Panics
/// When there is no such table (see [`counts_slides`]), or `placements` is not the numbering of as
/// many cells and tiles.
pub fn generate_slides(
    placements: &Placements,
    pattern: &Pattern,
    progress: impl FnMut(Progress),
) -> io::Result<Generated> {
    generate_slides_unless(&|| false, placements, pattern, progress)
}

/// [`generate_slides`], until `stop` returns true. It is asked every few milliseconds, by all
/// threads.
///
/// # Errors
/// As [`generate_slides`]; [`io::ErrorKind::Interrupted`] if the build was stopped.
///
/// # Panics
/// As [`generate_slides`].
pub fn generate_slides_unless(
    stop: Stop<'_>,
    placements: &Placements,
    pattern: &Pattern,
    mut progress: impl FnMut(Progress),
) -> io::Result<Generated> {
    assert!(counts_slides(*pattern));
    assert!((placements.cells(), placements.tiles()) == (pattern.grid().cells(), pattern.len()));
    let grid = pattern.grid();
    let reorder = Reorder::new(grid, placements);
    let steps = lines(grid).map(|lines| steps_to(&lines, placements));

    let (set, blank) = (pattern.mask() as u16, 1u16 << pattern.blank());
    let (home, orders) = (placements.set(set), placements.orders());
    let mut rows = Side::new(placements)?;
    let mut columns = Side::new(placements)?;
    let mut records = Records::new(placements)?;
    for (direction, side) in [&mut rows, &mut columns].into_iter().enumerate() {
        let goal = home * orders + home_rank(&reorder, direction, home, orders);
        side.visited.as_shorts_mut()[goal] = blank;
        side.last.masks.as_shorts_mut()[goal] = blank;
        side.last.changed[home] = true;
    }
    records.least.as_shorts_mut()[home * orders] = 0;
    records.larger.as_shorts_mut()[home * orders] = all_cells(grid.cells()) & !set & !blank;

    let mut turned = Blocks::new(placements)?;
    let states = 2 * (grid.cells() - pattern.len()) as u64 * placements.len() as u64;
    let mut reached = 2;
    for level in 1.. {
        let work = Level { level, stop, placements, steps: &steps, reorder: &reorder };
        // Each direction goes on from the last level of the other one. The memory of the columns'
        // last level takes that of the rows', before the rows overwrite it.
        work.reorder(0, &columns.last, &mut turned);
        work.reorder(1, &rows.last, &mut columns.last);
        let mut new = work.pull(0, &turned, &mut rows, Some(&mut records));
        std::mem::swap(&mut columns.last, &mut turned);
        new += work.pull(1, &turned, &mut columns, None);
        // A stopped level is not whole.
        if stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if new == 0 {
            break;
        }
        reached += new;
        progress(Progress { level, reached, states });
    }
    Ok(records.finish(placements))
}

/// The rank of the goal's order of tiles, which is ascending by rows.
fn home_rank(reorder: &Reorder, direction: usize, goal: usize, orders: usize) -> usize {
    if direction == 0 {
        return 0;
    }
    let mut by_rows = vec![0; orders];
    by_rows[0] = 1;
    let mut by_columns = vec![0; orders];
    reorder.block(direction, goal, &by_rows, &mut by_columns);
    by_columns.iter().position(|&mask| mask == 1).expect("a permutation keeps the mark")
}

/// The states whose next slide is along lines of one direction.
struct Side {
    /// The cells of the blank reached so far, for each placement.
    visited: Buffer,
    /// The sets all of whose states are reached.
    full: Vec<bool>,
    /// The cells reached at the last level.
    last: Blocks,
}

impl Side {
    fn new(placements: &Placements) -> io::Result<Side> {
        let full = vec![false; placements.sets().len()];
        Ok(Side { visited: masks(placements)?, full, last: Blocks::new(placements)? })
    }
}

/// The states of one level and direction.
struct Blocks {
    /// A mask for each placement. Those of other sets than the changed ones are left over.
    masks: Buffer,
    /// The sets that have such states.
    changed: Vec<bool>,
}

impl Blocks {
    fn new(placements: &Placements) -> io::Result<Blocks> {
        let changed = vec![false; placements.sets().len()];
        Ok(Blocks { masks: masks(placements)?, changed })
    }

    /// The masks of a set, if it has states of the level.
    fn of(&self, set: usize, orders: usize) -> Option<&[u16]> {
        self.changed[set].then(|| &self.masks.as_shorts()[set * orders..][..orders])
    }
}

/// Memory for a mask of each placement.
fn masks(placements: &Placements) -> io::Result<Buffer> {
    Buffer::zeroed(placements.len().checked_mul(2).ok_or(io::ErrorKind::OutOfMemory)?)
}

/// The least value of placements that were not reached yet.
const UNKNOWN: u16 = u16::MAX;

/// The records under construction, for slides along rows.
struct Records {
    /// The least value of each placement.
    least: Buffer,
    /// The cells with values larger by two or more.
    larger: Buffer,
}

impl Records {
    fn new(placements: &Placements) -> io::Result<Records> {
        let mut least = masks(placements)?;
        least.as_shorts_mut().par_iter_mut().for_each(|least| *least = UNKNOWN);
        Ok(Records { least, larger: masks(placements)? })
    }

    /// The records as they are in a file, and the number of placements with each least value.
    fn finish(mut self, placements: &Placements) -> Generated {
        let orders = placements.orders();
        let larger = self.larger.as_shorts();
        let least = self.least.as_shorts_mut();
        let all = all_cells(placements.cells());
        let blocks = least.par_chunks_exact_mut(orders).zip(larger.par_chunks_exact(orders));
        let count = |(set, (least, larger)): (usize, (&mut [u16], &[u16]))| {
            let mut levels = [0u64; MAX_LEAST as usize + 1];
            let free = all & !placements.sets()[set];
            for (least, larger) in least.iter_mut().zip(larger) {
                // Values beyond the largest are bounded by it.
                let bits = if *least <= MAX_LEAST { compressed(*larger, free) } else { 0 };
                *least = (*least).min(MAX_LEAST);
                levels[usize::from(*least)] += 1;
                *least = (*least | bits << LEAST_BITS).to_le();
            }
            levels
        };
        let levels = blocks.enumerate().map(count).reduce(
            || [0; MAX_LEAST as usize + 1],
            |mut sum, levels| {
                sum.iter_mut().zip(levels).for_each(|(sum, level)| *sum += level);
                sum
            },
        );
        let deepest = levels.iter().rposition(|&placements| placements > 0).unwrap_or_default();
        Generated { bits: self.least, levels: levels[..=deepest].to_vec() }
    }
}

/// The bits of `mask` that are in `cells`, next to each other.
fn compressed(mask: u16, cells: u16) -> u16 {
    let (mut cells, mut bits, mut place) = (cells, 0, 0);
    while cells != 0 {
        bits |= (mask >> cells.trailing_zeros() & 1) << place;
        cells &= cells - 1;
        place += 1;
    }
    bits
}

/// The mask of all cells.
fn all_cells(cells: usize) -> u16 {
    u16::MAX >> (MAX_SLIDE_CELLS - cells)
}

/// One level of the search.
struct Level<'a> {
    level: usize,
    stop: Stop<'a>,
    placements: &'a Placements,
    /// The steps to each set, by slides along rows and along columns.
    steps: &'a [Vec<Vec<Step>>; 2],
    reorder: &'a Reorder,
}

impl Level<'_> {
    /// Reorders the blocks of the last level for slides along lines of a direction.
    fn reorder(&self, direction: usize, from: &Blocks, to: &mut Blocks) {
        let orders = self.placements.orders();
        to.changed.copy_from_slice(&from.changed);
        let blocks = to.masks.as_shorts_mut().par_chunks_exact_mut(orders);
        blocks.enumerate().for_each(|(set, to)| {
            if let Some(from) = from.of(set, orders).filter(|_| !(self.stop)()) {
                self.reorder.block(direction, set, from, to);
            }
        });
    }

    /// Pulls the blocks of a direction from those of the last level. Returns the number of states
    /// that are new.
    fn pull(
        &self,
        direction: usize,
        last: &Blocks,
        side: &mut Side,
        records: Option<&mut Records>,
    ) -> u64 {
        let orders = self.placements.orders();
        let mut records = records.map(|Records { least, larger }| {
            let least = least.as_shorts_mut().chunks_exact_mut(orders);
            least.zip(larger.as_shorts_mut().chunks_exact_mut(orders))
        });
        let records: Vec<_> = (0..self.placements.sets().len())
            .map(|_| records.as_mut().and_then(Iterator::next))
            .collect();
        let Side { visited, full, last: new } = side;
        visited
            .as_shorts_mut()
            .par_chunks_exact_mut(orders)
            .zip(new.masks.as_shorts_mut().par_chunks_exact_mut(orders))
            .zip(new.changed.par_iter_mut().zip(full.par_iter_mut()))
            .zip(records)
            .enumerate()
            .map_init(
                || vec![0; orders],
                |pulled, (set, (((visited, new), (changed, full)), record))| {
                    *changed = false;
                    if *full || (self.stop)() || !self.gather(direction, set, last, pulled) {
                        return 0;
                    }
                    let free = all_cells(self.placements.cells()) & !self.placements.sets()[set];
                    let (count, missing) = mark(pulled, visited, new, free);
                    (*changed, *full) = (count > 0, missing == 0);
                    if let Some((least, larger)) = record {
                        self.record(least, larger, visited, new, free);
                    }
                    count
                },
            )
            .sum()
    }

    /// The cells that slides of the direction reach in the states of a set. Returns whether there
    /// may be any.
    fn gather(&self, direction: usize, set: usize, last: &Blocks, pulled: &mut [u16]) -> bool {
        let mut any = false;
        for &Step { source, from, to } in &self.steps[direction][set] {
            let Some(masks) = last.of(source.into(), pulled.len()) else { continue };
            if !std::mem::replace(&mut any, true) {
                pulled.fill(0);
            }
            for (pulled, mask) in pulled.iter_mut().zip(masks) {
                *pulled |= if mask & from != 0 { to } else { 0 };
            }
        }
        any
    }

    /// Updates the records of a set after this level has reached new cells.
    fn record(
        &self,
        least: &mut [u16],
        larger: &mut [u16],
        visited: &[u16],
        new: &[u16],
        free: u16,
    ) {
        let level = self.level as u16;
        let cells = visited.iter().zip(new);
        for ((least, larger), (visited, new)) in least.iter_mut().zip(larger).zip(cells) {
            *least = if (*least == UNKNOWN) & (*new != 0) { level } else { *least };
            let recent = *least == level || *least == level - 1;
            *larger = if recent { free & !visited } else { *larger };
        }
    }
}

/// Keeps what was pulled and is new, and marks it as visited. Returns the number of new states, and
/// the free cells that are still to be reached by some order.
fn mark(pulled: &[u16], visited: &mut [u16], new: &mut [u16], free: u16) -> (u64, u16) {
    let (mut count, mut missing) = (0, 0);
    let chunks = new.chunks_mut(CHUNK).zip(visited.chunks_mut(CHUNK)).zip(pulled.chunks(CHUNK));
    for ((new, visited), pulled) in chunks {
        let mut sum = 0u16;
        for ((new, visited), pulled) in new.iter_mut().zip(visited).zip(pulled) {
            *new = pulled & !*visited;
            *visited |= *new;
            missing |= free & !*visited;
            sum += new.count_ones() as u16;
        }
        count += u64::from(sum);
    }
    (count, missing)
}

/// So many masks have fewer bits than 16 bits can count: sums of 16 bits are made side by side.
const CHUNK: usize = 2_048;
