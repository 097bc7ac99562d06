//! Tables of distances for the tiles of some classes.
//!
//! A state of a table is a placement of the tiles of its classes, which are not told apart within a class,
//! and the blank's cell. All other tiles look alike. A table holds the fewest moves from each state to one
//! that satisfies the goal: of all tiles, or of the tiles of its classes alone. Tables of the second kind
//! with different classes can be added.
//!
//! They are built backwards from the goal's states, level by level. Where the moves of other tiles cost
//! nothing, a level first spreads to all cells that the blank reaches by such moves.

use std::sync::atomic::{AtomicU8, Ordering};

use super::numbering::Numbering;
use crate::board::{Grid, OpenGoal, Wish};
use crate::parallel::map_chunks;
use crate::pdb::Flood;
use crate::search::states::Masks;
use crate::search::{Limits, Stop};

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
    cells: usize,
    /// By placement, then by the blank's cell.
    values: Vec<u8>,
}

/// The value of a state that was not reached, or of a number that is not a state.
const UNSEEN: u8 = u8::MAX;

/// The items that a thread takes at once.
const CHUNK: usize = 1 << 11;

impl ClassTable {
    /// The number of bytes of a table for some classes; at most the largest `u64`.
    pub fn entries(cells: usize, classes: &[(u8, u8)]) -> u64 {
        Numbering::new(cells, classes).len().saturating_mul(cells as u64)
    }

    /// Builds a table for some classes, each with its number of tiles, on the current rayon thread pool.
    /// Costs some 0.2 µs a state.
    ///
    /// # Errors
    /// The reason if `limits` stop it, or [`Stop::Memory`].
    ///
    /// # Panics
    /// If the table has more than 2³² entries.
    pub fn build(
        goal: &OpenGoal,
        classes: &[(u8, u8)],
        cost: Cost,
        limits: &Limits,
    ) -> Result<ClassTable, Stop> {
        let (grid, cells) = (goal.grid(), goal.grid().cells());
        let entries = ClassTable::entries(cells, classes);
        assert!(entries <= 1 << 32, "a table of {entries} entries is too large");
        let numbering = Numbering::new(cells, classes);
        let mut values: Vec<AtomicU8> = Vec::new();
        values.try_reserve_exact(entries as usize).map_err(|_| Stop::Memory)?;
        values.resize_with(entries as usize, || AtomicU8::new(UNSEEN));
        let builder = Builder { numbering: &numbering, grid, values: &values, cost };
        let mut frontier = builder.goals(goal);
        for level in 0..UNSEEN - 1 {
            if let Some(stop) = limits.check(0) {
                return Err(stop);
            }
            if cost == Cost::Own {
                let spread = |_, part: &[Front]| builder.spread(part, level);
                frontier = map_chunks(&frontier, CHUNK, spread).concat();
            }
            let step = |_, part: &[Front]| builder.step(part, level + 1);
            frontier = map_chunks(&frontier, CHUNK, step).concat();
            if frontier.is_empty() {
                break;
            }
        }
        let values = values.into_iter().map(AtomicU8::into_inner).collect();
        Ok(ClassTable { numbering, cells, values })
    }

    /// The value of a placement with the blank in a cell.
    pub fn value(&self, rank: usize, blank: usize) -> u32 {
        self.values[rank * self.cells + blank].into()
    }
}

/// A placement, and cells of the blank.
type Front = (u32, u32);

struct Builder<'a> {
    numbering: &'a Numbering,
    grid: Grid,
    values: &'a [AtomicU8],
    cost: Cost,
}

impl Builder<'_> {
    fn set(&self, rank: usize, blank: usize, value: u8) -> bool {
        let place = &self.values[rank * self.grid.cells() + blank];
        let order = Ordering::Relaxed;
        place.load(order) == UNSEEN && place.compare_exchange(UNSEEN, value, order, order).is_ok()
    }

    /// The states that satisfy the goal, with the value 0.
    fn goals(&self, goal: &OpenGoal) -> Vec<Front> {
        let (mut wanted, mut free, mut blank) = ([0; 32], 0, None);
        for (cell, &wish) in goal.cells().iter().enumerate() {
            match wish {
                Wish::Any => free |= 1 << cell,
                Wish::Blank => blank = Some(1 << cell),
                Wish::Label(class) => wanted[usize::from(class)] |= 1 << cell,
            }
        }
        let goals = |_, ranks: &[u32]| {
            let front = |&rank: &u32| {
                let masks = self.placement(rank);
                let fits = |class: usize| masks[class] & !free == wanted[class];
                let fits = self.numbering.classes.iter().all(|&(class, _)| fits(class.into()));
                let blanks = blank.unwrap_or(free & !self.occupied(&masks));
                let blanks = bits(blanks).filter(|&cell| fits && self.set(rank as usize, cell, 0));
                (rank, blanks.fold(0, |blanks, cell| blanks | 1 << cell))
            };
            ranks.iter().map(front).filter(|&(_, blanks)| blanks != 0).collect::<Vec<_>>()
        };
        let placements: Vec<u32> = (0..self.numbering.len() as u32).collect();
        map_chunks(&placements, CHUNK, goals).concat()
    }

    fn placement(&self, rank: u32) -> Masks {
        let mut masks = [0; 32];
        self.numbering.placement(rank as usize, &mut masks);
        masks
    }

    fn occupied(&self, masks: &Masks) -> u32 {
        self.numbering.classes.iter().fold(0, |all, &(class, _)| all | masks[usize::from(class)])
    }

    /// The states of a level that other tiles' moves reach.
    fn spread(&self, part: &[Front], level: u8) -> Vec<Front> {
        let flood = Flood::new(self.grid.width(), self.grid.height());
        let mut fronts = Vec::with_capacity(part.len());
        for &(rank, blanks) in part {
            let free = flood.all & !u64::from(self.occupied(&self.placement(rank)));
            let region = bits(blanks).fold(0, |region, blank| match region >> blank & 1 {
                0 => region | flood.region(blank as u32, free) as u32,
                _ => region,
            });
            let mut own = blanks;
            for blank in bits(region & !blanks) {
                if self.set(rank as usize, blank, level) {
                    own |= 1 << blank;
                }
            }
            fronts.push((rank, own));
        }
        fronts
    }

    /// The states of the next level.
    fn step(&self, part: &[Front], level: u8) -> Vec<Front> {
        let mut fronts = Vec::new();
        for &(rank, blanks) in part {
            let masks = self.placement(rank);
            let occupied = self.occupied(&masks);
            for blank in bits(blanks) {
                for cell in self.grid.neighbours(blank) {
                    let next = if occupied & 1 << cell != 0 {
                        let mut moved = masks;
                        let held =
                            |&&(class, _): &&(u8, u8)| masks[usize::from(class)] & 1 << cell != 0;
                        let class = self.numbering.classes.iter().find(held);
                        let Some(&(class, _)) = class else { continue };
                        moved[usize::from(class)] ^= 1 << cell | 1 << blank;
                        self.numbering.rank(&moved)
                    } else if self.cost == Cost::All {
                        rank as usize
                    } else {
                        continue;
                    };
                    if self.set(next, cell, level) {
                        fronts.push((next as u32, 1 << cell));
                    }
                }
            }
        }
        fronts
    }
}

/// The places of the bits that are set.
pub(super) fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}
