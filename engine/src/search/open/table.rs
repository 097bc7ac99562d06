//! Tables of distances for the tiles of some classes.
//!
//! A state of a table is a placement of the tiles of its classes, which are not told apart within a class,
//! and the blank's cell. All other tiles look alike. A table holds the fewest moves from each state to one
//! that satisfies the goal: of all tiles, or of only the tiles of its classes. Tables of the second kind
//! with different classes can be added.
//!
//! They are built backwards from the goal's states, level by level. Where the moves of other tiles cost
//! nothing, a level first spreads to all cells that the blank reaches by such moves.

use std::sync::atomic::{AtomicU8, Ordering};

use super::numbering::{Numbering, SizedClass, bits};
use crate::board::{Grid, OpenGoal, Wish};
use crate::parallel::map_chunks;
use crate::pdb::Flood;
use crate::search::run::{Limits, Stop};
use crate::search::solutions::Masks;

/// The moves that a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    /// The moves of all tiles.
    All,
    /// The moves of the tiles of its classes.
    Own,
}

/// A table for some classes.
pub(super) struct ClassTable {
    pub numbering: Numbering,
    grid: Grid,
    /// The values by placement, then by the blank's cell.
    values: Vec<AtomicU8>,
}

/// A state: the number of a placement, and the blank's cell.
type Placed = (u32, u32);

/// The value of a state that was not reached, or of a number that is not a state.
const UNSEEN: u8 = u8::MAX;

/// The items that a thread takes at once.
const CHUNK: usize = 1 << 11;

impl ClassTable {
    /// The number of bytes of a table for some classes; at most the largest `u64`.
    pub fn entries(cells: usize, classes: &[SizedClass]) -> u64 {
        Numbering::new(cells, classes).len().saturating_mul(cells as u64)
    }

    /// Builds a table for some classes, on the current rayon thread pool.
    /// Costs some 0.2 µs a state.
    ///
    /// # Errors
    /// The reason if `limits` stop it, or [`Stop::Memory`].
    ///
    /// # Panics
    /// If the table has more than 2³² entries.
    pub fn build(
        goal: &OpenGoal,
        classes: &[SizedClass],
        cost: Cost,
        limits: &Limits,
    ) -> Result<ClassTable, Stop> {
        let grid = goal.grid();
        let entries = ClassTable::entries(grid.cells(), classes);
        assert!(entries <= 1 << 32, "a table of {entries} entries is too large");
        let mut values = Vec::new();
        values.try_reserve_exact(entries as usize).map_err(|_| Stop::Memory)?;
        values.resize_with(entries as usize, || AtomicU8::new(UNSEEN));
        let table = ClassTable { numbering: Numbering::new(grid.cells(), classes), grid, values };
        let placements: Vec<u32> = (0..table.numbering.len() as u32).collect();
        let goals = |_, part: &[u32]| table.goals(part, goal);
        let mut level = map_chunks(&placements, CHUNK, goals).concat();
        for value in 0..UNSEEN - 1 {
            limits.check(0).map_or(Ok(()), Err)?;
            let next = |_, part: &[Placed]| table.next(part, cost, value);
            level = map_chunks(&level, CHUNK, next).concat();
            if level.is_empty() {
                break;
            }
        }
        Ok(table)
    }

    /// The value of a placement with the blank in a cell.
    pub fn value(&self, rank: usize, blank: usize) -> u32 {
        self.values[rank * self.grid.cells() + blank].load(Ordering::Relaxed).into()
    }

    /// Lowers the value of a state. Returns whether it was larger.
    fn lower(&self, (rank, blank): Placed, value: u8) -> bool {
        let place = &self.values[rank as usize * self.grid.cells() + blank as usize];
        let order = Ordering::Relaxed;
        place.load(order) > value && place.fetch_min(value, order) > value
    }

    /// The states of some placements that satisfy the goal, with the value 0.
    fn goals(&self, ranks: &[u32], goal: &OpenGoal) -> Vec<Placed> {
        let (mut wanted, mut free, mut blank) = ([0; 32], 0, None);
        for (cell, &wish) in goal.cells().iter().enumerate() {
            match wish {
                Wish::Any => free |= 1 << cell,
                Wish::Blank => blank = Some(1 << cell),
                Wish::Label(class) => wanted[usize::from(class)] |= 1 << cell,
            }
        }
        let mut goals = Vec::new();
        for &rank in ranks {
            let (masks, occupied) = self.placement(rank);
            let fits = |class: usize| masks[class] & !free == wanted[class];
            if self.numbering.classes.iter().all(|&(class, _)| fits(class.into())) {
                let blanks = bits(blank.unwrap_or(free & !occupied));
                goals.extend(blanks.map(|blank| (rank, blank as u32)));
            }
        }
        goals.retain(|&state| self.lower(state, 0));
        goals
    }

    /// The cells of a placement: by class, and all that have tiles.
    fn placement(&self, rank: u32) -> (Masks, u32) {
        let masks = self.numbering.placement(rank as usize);
        (masks, masks.iter().fold(0, |all, mask| all | mask))
    }

    /// The states of the next level that are reached from some states of the level with this value. It gives
    /// the value to the states that these reach at no cost.
    fn next(&self, part: &[Placed], cost: Cost, value: u8) -> Vec<Placed> {
        let flood = Flood::new(self.grid.width(), self.grid.height());
        let mut next = Vec::new();
        for &(rank, blank) in part {
            let (mut masks, occupied) = self.placement(rank);
            let mut blanks = 1 << blank;
            if cost == Cost::Own {
                let region = flood.region(blank, flood.all & !u64::from(occupied)) as u32;
                let reached = bits(region).filter(|&cell| self.lower((rank, cell as u32), value));
                blanks = reached.fold(blanks, |blanks, cell| blanks | 1 << cell);
            }
            for blank in bits(blanks) {
                for cell in self.grid.neighbours(blank) {
                    let mut rank = rank;
                    if occupied & 1 << cell != 0 {
                        let class = masks.iter().position(|mask| mask & 1 << cell != 0);
                        let class = class.expect("a tile is of a class");
                        let moved = 1 << cell | 1 << blank;
                        masks[class] ^= moved;
                        rank = self.numbering.rank(&masks) as u32;
                        masks[class] ^= moved;
                    } else if cost == Cost::Own {
                        continue;
                    }
                    if self.lower((rank, cell as u32), value + 1) {
                        next.push((rank, cell as u32));
                    }
                }
            }
        }
        next
    }
}
