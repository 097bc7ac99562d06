//! The geometry table of two patterns A and B that together hold every tile.
//!
//! A geometry is a set of A's cells and the blank's cell; its number is the set × free cells + the
//! place of the blank among the free cells. B has the rest.
//!
//! The build script includes this file, so it uses nothing of the crate but what the script includes, too.

use crate::pdb::{Index, MAX_PATTERN, MAX_PDB_CELLS, Orders};
use crate::search::bits::Field;
use crate::search::moves::step;

/// The fields of an entry: the effect of a move on a geometry, in one word.
pub struct Entry;

impl Entry {
    /// The next geometry.
    pub const NEXT: Field = Field::new(0, 20);
    /// The bit of a view from which on the half of the pattern moved is.
    pub const HALF: Field = Self::NEXT.then(6);
    /// The pattern moved.
    pub const PATTERN: Field = Self::HALF.then(1);
    /// The colour of its set before the move.
    pub const COLOUR: Field = Self::PATTERN.then(1);
    /// The bit of its new cohort, in its byte.
    pub const PLACE: Field = Self::COLOUR.then(3);
    /// Free in the table. In a search, the new table bit for which h falls.
    pub const FALLS: Field = Self::PLACE.then(1);
    /// The byte of its new cohort among all cohorts.
    pub const BYTE: Field = Self::FALLS.then(16);
    /// The start of its row of transitions, in [`ROW_UNIT`]s.
    pub const ROW: Field = Self::BYTE.then(16);
}

/// The transitions in a unit of a row's offset.
pub const ROW_UNIT: usize = 8;

/// The bits of a pattern's half of a view.
pub const HALF_BITS: u32 = 20;

/// The table of a board of at most 16 cells, by geometry and move, from the numberings of A and of B. The
/// numbers must fit the bits of an entry.
///
/// Costs 5 ms for 7-8 on 4×4: 103,000 geometries.
pub fn geometry(width: usize, height: usize, [a, b]: [&Index; 2]) -> Vec<[u64; 4]> {
    let orders = [a.orders(), b.orders()];
    let cells = width * height;
    let all = (1 << cells) - 1;
    let free = cells - orders[0].tiles();
    let cells_without = |mask: u64| (0..cells).filter(move |&cell| mask & 1 << cell == 0);

    // All of an entry but its row depends on the geometry that it leads to, and on the pattern of
    // the tile that has just left the blank's cell.
    let arrival = |geometry: usize, pattern: u64, cohort: usize, colour: u32| {
        geometry as u64
            | Entry::HALF.word(pattern * u64::from(HALF_BITS))
            | Entry::PATTERN.word(pattern)
            | Entry::COLOUR.word(u64::from(1 - colour))
            | Entry::PLACE.word(cohort as u64 % 8)
            | Entry::BYTE.word(cohort as u64 / 8)
    };
    let mut arrivals = Vec::with_capacity(a.sets() * free);
    for set in 0..a.sets() {
        let mask = a.mask(set);
        for blank in cells_without(mask) {
            let geometry = arrivals.len();
            let rest = all & !mask & !(1 << blank);
            arrivals.push([
                arrival(geometry, 0, a.cohort(set, blank), a.colour(mask)),
                arrival(geometry, 1, b.cohort(b.set(rest), blank), b.colour(rest)),
            ]);
        }
    }

    let moves: Vec<[Option<usize>; 4]> =
        (0..cells).map(|blank| std::array::from_fn(|m| step(width, height, blank, m))).collect();
    let [transitions, _] = orders.map(|orders| orders.rows() * row_units(orders));
    let rows = [row_offsets(width, orders[0], 0), row_offsets(width, orders[1], transitions)];
    let mut geometry = vec![[0; 4]; arrivals.len()];
    for (set, blanks) in geometry.chunks_exact_mut(free).enumerate() {
        let mask = a.mask(set);
        // The tiles of A before each cell.
        let mut before = [0; MAX_PDB_CELLS];
        for cell in 1..cells {
            before[cell] = before[cell - 1] + (mask >> (cell - 1) & 1) as usize;
        }
        for (entries, blank) in blanks.iter_mut().zip(cells_without(mask)) {
            for (entry, from) in entries.iter_mut().zip(moves[blank]) {
                let Some(from) = from else { continue };
                // A tile that moves on is not among those before its new place.
                let passed = usize::from(from < blank);
                let second = usize::from(mask & 1 << from == 0);
                let [next, place, to] = if second == 1 {
                    // B's tiles before a cell are those cells that are neither A's nor the blank's.
                    let place = |cell: usize| cell - before[cell] - usize::from(blank < cell);
                    [set * free + from - before[from], place(from), place(blank) - passed]
                } else {
                    let after = a.set(mask & !(1 << from) | 1 << blank);
                    // The blank leaves A a tile at its old cell, and comes to where A had one.
                    let next = after * free + from - before[from] - usize::from(blank < from);
                    [next, before[from], before[blank] - passed]
                };
                *entry =
                    arrivals[next][second] | Entry::ROW.word(u64::from(rows[second][place][to]));
            }
        }
    }
    geometry
}

/// The units of a row of a pattern's transitions.
pub fn row_units(orders: &Orders) -> usize {
    (orders.len() >> orders.pairs()).div_ceil(ROW_UNIT)
}

/// The offset of the transition row from each place to each other, in units of [`ROW_UNIT`], if the
/// pattern's transitions begin at `base`.
fn row_offsets(width: usize, orders: &Orders, base: usize) -> [[u16; MAX_PATTERN]; MAX_PATTERN] {
    let mut offsets = [[0; MAX_PATTERN]; MAX_PATTERN];
    for (from, offsets) in offsets.iter_mut().enumerate().take(orders.tiles()) {
        for (to, offset) in offsets.iter_mut().enumerate().take(orders.tiles()) {
            if from.abs_diff(to) < width {
                *offset = (base + orders.row(from, to) * row_units(orders)) as u16;
            }
        }
    }
    offsets
}
