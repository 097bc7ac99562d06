//! Proving that a table is right, without its generator.
//!
//! Breadth-first search from the goal finds the number of slides of every state: of every
//! placement, cell of the blank and direction of the next slide. It goes from state to state by
//! slides of single tiles on a board. The records follow from these numbers.
//!
//! The proof takes the numbers of the placements from [`Placements`], as the generator does; a test
//! compares these with their definition. It does not use the generator's masks of cells, its slides
//! between sets, or its permutations of orders.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::MAX_PATTERN;
use super::{LEAST_BITS, MAX_LEAST, MAX_SLIDE_CELLS, Placements, SlideTable};
use crate::board::Grid;
use crate::prefetch::prefetch;

/// The first fault that [`verify_slides`] finds in a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SlideVerifyError {
    /// A record is not the right one.
    #[error("the table is wrong: the record of placement {placement} is {found}, not {right}")]
    Record {
        /// The number of the first placement with a wrong record.
        placement: usize,
        /// Its record in the table.
        found: u16,
        /// The right one.
        right: u16,
    },
    /// The levels are not those that are claimed.
    #[error("the table has {found} placements at level {level}, not {claimed}")]
    Levels {
        /// The first level that differs.
        level: usize,
        /// The number of placements counted.
        found: u64,
        /// The number claimed.
        claimed: u64,
    },
}

/// Proves that every record of `table` follows from the exact numbers of slides, and that `levels`
/// counts the placements by their least values, on the current rayon thread pool. `progress` is
/// called with the number of states whose slides were made, out of two for each placement and cell
/// of the blank.
///
/// The proof needs a byte of memory for each state. For 7 tiles on 4×4 that is 18 bytes for each
/// placement, 1.04 GB in all, and the proof takes some 75 seconds of one thread.
///
/// # Errors
/// [`SlideVerifyError`], with the first fault found.
pub fn verify_slides(
    table: &SlideTable,
    levels: &[u64],
    progress: impl Fn(u64) + Sync,
) -> Result<(), SlideVerifyError> {
    let numbers = Numbers::find(table, progress);
    let placement_bytes = 2 * numbers.free;
    let of_placements = numbers.of_states.par_chunks(placement_bytes);
    let wrong = of_placements.enumerate().find_map_first(|(placement, numbers)| {
        let (found, right) = (table.record(placement), right_record(numbers));
        (found != right).then_some(SlideVerifyError::Record { placement, found, right })
    });
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let mut counted = [0; MAX_LEAST as usize + 1];
    for placement in 0..table.placements().len() {
        counted[usize::from(table.record(placement) & MAX_LEAST)] += 1;
    }
    for level in 0..counted.len().max(levels.len()) {
        let [found, claimed] =
            [&counted, levels].map(|levels: &[u64]| levels.get(level).copied().unwrap_or(0));
        if found != claimed {
            return Err(SlideVerifyError::Levels { level, found, claimed });
        }
    }
    Ok(())
}

/// The record of a placement, from the numbers of slides along rows, then columns.
fn right_record(numbers: &[AtomicU8]) -> u16 {
    let rows = || numbers[..numbers.len() / 2].iter().map(|number| u16::from(number.load(Relaxed)));
    let least = rows().min().unwrap_or(UNKNOWN.into());
    if least > MAX_LEAST {
        return MAX_LEAST;
    }
    let larger = rows().enumerate().map(|(cell, number)| u16::from(number >= least + 2) << cell);
    least | larger.sum::<u16>() << LEAST_BITS
}

/// The number of slides of states that are not reached, or not yet. The others are smaller.
const UNKNOWN: u8 = u8::MAX;

/// The cells without a tile of the pattern on a board.
const NO_TILE: u8 = u8::MAX;

/// The numbers of slides of all states.
struct Numbers<'a> {
    grid: Grid,
    placements: &'a Placements,
    /// The number of cells that the blank can be in.
    free: usize,
    /// For each placement, the numbers of the cells of the blank if the next slide is along a row,
    /// then those if it is along a column. Several threads may write one, but all of them the same
    /// number.
    of_states: Vec<AtomicU8>,
    /// For even and for odd numbers, the sets in which states have got the latest one.
    touched: [Vec<AtomicBool>; 2],
}

impl<'a> Numbers<'a> {
    fn find(table: &'a SlideTable, progress: impl Fn(u64) + Sync) -> Numbers<'a> {
        let (placements, pattern) = (table.placements(), table.pattern());
        let free = placements.cells() - placements.tiles();
        // On machines of 32 bits, too many for the memory rather than too few for the states.
        let states = placements.len().saturating_mul(2 * free);
        let of_states = (0..states).into_par_iter().map(|_| AtomicU8::new(UNKNOWN)).collect();
        let touched =
            [(); 2].map(|()| placements.sets().iter().map(|_| AtomicBool::new(false)).collect());
        let numbers = Numbers { grid: pattern.grid(), placements, free, of_states, touched };

        let mut cells = [0; MAX_PATTERN];
        cells.iter_mut().zip(pattern.tiles()).for_each(|(cell, tile)| *cell = tile as u8);
        let goal = placements.locate(pattern.blank() as u8, |tile| cells[tile]);
        for rows in [true, false] {
            numbers.reach(numbers.state(goal.placement, goal.free as usize, rows), 0);
        }
        // The first set is that of the first cells, so its placements are the orders themselves.
        let orders: Vec<_> =
            (0..placements.orders()).map(|order| placements.cells_in(order)).collect();
        let done = AtomicU64::new(0);
        for level in 0..UNKNOWN - 1 {
            let sets = 0..placements.sets().len();
            let of_level: u64 = sets
                .into_par_iter()
                .map(|set| {
                    let made = numbers.slide_all(set, &orders, level);
                    if made > 0 {
                        progress(done.fetch_add(made, Relaxed) + made);
                    }
                    made
                })
                .sum();
            if of_level == 0 {
                break;
            }
        }
        numbers
    }

    /// The place of a state.
    fn state(&self, placement: usize, free: usize, rows: bool) -> usize {
        (2 * placement + usize::from(!rows)) * self.free + free
    }

    /// Notes the number of a state, unless it has a smaller one.
    #[inline(always)]
    fn reach(&self, state: usize, number: u8) {
        let Some(known) = self.of_states.get(state) else { return };
        if known.load(Relaxed) == UNKNOWN {
            known.store(number, Relaxed);
            let set = state / (2 * self.free * self.placements.orders());
            self.touched[usize::from(number % 2)][set].store(true, Relaxed);
        }
    }

    /// Makes all slides from the states of a set that have a number. Returns how many such states
    /// there are.
    fn slide_all(&self, set: usize, orders: &[[u8; MAX_PATTERN]], number: u8) -> u64 {
        if !self.touched[usize::from(number % 2)][set].swap(false, Relaxed) {
            return 0;
        }
        let mask = self.placements.sets()[set];
        let cells_of = |occupied: bool| {
            let cells = 0..self.placements.cells() as u8;
            cells.filter(move |cell| (mask >> cell & 1 == 1) == occupied).collect::<Vec<_>>()
        };
        let (occupied, free) = (cells_of(true), cells_of(false));
        let first = set * orders.len();
        let states = &self.of_states[self.state(first, 0, true)..];
        let mut made = 0;
        let mut pending = Pending { states: [usize::MAX; AHEAD], next: 0 };
        for (i, (order, states)) in
            orders.iter().zip(states.chunks_exact(2 * self.free)).enumerate()
        {
            if states.iter().all(|state| state.load(Relaxed) != number) {
                continue;
            }
            let mut board = Board {
                cells: [0; MAX_PATTERN],
                tiles: [NO_TILE; MAX_SLIDE_CELLS],
                mask,
                placement: first + i,
            };
            for (tile, &place) in order.iter().enumerate().take(occupied.len()) {
                board.cells[tile] = occupied[usize::from(place)];
                board.tiles[usize::from(board.cells[tile])] = tile as u8;
            }
            let (rows, columns) = states.split_at(self.free);
            for (rows, states) in [(true, rows), (false, columns)] {
                for (state, &blank) in states.iter().zip(&free) {
                    if state.load(Relaxed) == number {
                        made += 1;
                        self.slide(&board, blank, !rows, |state| {
                            self.reach(pending.exchange(state, &self.of_states), number + 1)
                        });
                    }
                }
            }
        }
        pending.states.iter().for_each(|&state| self.reach(state, number + 1));
        made
    }

    /// Makes all slides along a row or column, which lead to states from which they can be taken
    /// back.
    #[inline(always)]
    fn slide(&self, board: &Board, blank: u8, rows: bool, mut visit: impl FnMut(usize)) {
        let (at, length, step) = if rows {
            (self.grid.column(blank.into()), self.grid.width(), 1)
        } else {
            (self.grid.row(blank.into()), self.grid.height(), self.grid.width() as u8)
        };
        for (slides, step) in [(at, 0u8.wrapping_sub(step)), (length - 1 - at, step)] {
            let (mut board, mut blank) = (*board, blank);
            for _ in 0..slides {
                let cell = blank.wrapping_add(step);
                board.move_tile(cell, blank, self.placements);
                blank = cell;
                visit(self.state(board.placement, board.free(blank), rows));
            }
        }
    }
}

/// States that are reached as soon as they are in the cache.
struct Pending {
    states: [usize; AHEAD],
    next: usize,
}

/// The number of states that are loaded at the same time.
const AHEAD: usize = 32;

impl Pending {
    /// Prefetches a state; returns the one queued [`AHEAD`] calls earlier.
    #[inline(always)]
    fn exchange(&mut self, state: usize, of_states: &[AtomicU8]) -> usize {
        prefetch(of_states.as_ptr().wrapping_add(state).cast());
        self.next = (self.next + 1) % AHEAD;
        std::mem::replace(&mut self.states[self.next], state)
    }
}

/// A placement on a board.
#[derive(Clone, Copy)]
struct Board {
    /// The cell of each tile of the pattern.
    cells: [u8; MAX_PATTERN],
    /// The tile in each cell.
    tiles: [u8; MAX_SLIDE_CELLS],
    /// The cells of all tiles.
    mask: u16,
    /// The number of the placement.
    placement: usize,
}

impl Board {
    /// Moves a cell's tile to the blank's cell, if it is one of the pattern.
    #[inline(always)]
    fn move_tile(&mut self, cell: u8, blank: u8, placements: &Placements) {
        let tile = self.tiles[usize::from(cell)];
        if tile != NO_TILE {
            self.tiles.swap(cell.into(), blank.into());
            self.cells[usize::from(tile)] = blank;
            self.mask ^= 1 << cell | 1 << blank;
            self.placement = placements.locate(cell, |tile| self.cells[tile]).placement;
        }
    }

    /// The number of cells without a tile of the pattern before one of them.
    fn free(&self, cell: u8) -> usize {
        (!self.mask & ((1 << cell) - 1)).count_ones() as usize
    }
}
