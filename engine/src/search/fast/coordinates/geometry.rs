//! The geometry table of two patterns A and B that together hold every tile.
//!
//! A geometry is a set of A's cells and the blank's cell; its number is the set × free cells + the
//! place of the blank among the free cells. B has the rest.
//!
//! The build script includes this file, so it uses nothing else of the crate.

use crate::pdb::{Index, MAX_PATTERN, MAX_PDB_CELLS, Orders};
use crate::search::moves::step;

/// The effect of a move on a geometry.
///
/// Bits 0 to 19: the next geometry. 20 to 25: where the half of the pattern moved begins, in a view. 26: the
/// pattern moved. 27: the colour of its set before the move. 28 to 30: the bit, in its byte, of its new cohort.
/// 32 to 47: that byte in a row of cohorts. From 48: the offset of the transition row, in units of [`ROW_UNIT`].
pub type Entry = u64;

pub const NEXT_BITS: u32 = 20;
pub const HALF_SHIFT: u32 = 20;
pub const SECOND_SHIFT: u32 = 26;
pub const COLOUR_SHIFT: u32 = 27;
pub const PLACE_SHIFT: u32 = 28;
pub const BYTE_SHIFT: u32 = 32;
pub const ROW_SHIFT: u32 = 48;
/// The transitions in a unit of a row's offset.
pub const ROW_UNIT: usize = 8;

/// The bits of a pattern's half of a view.
pub const HALF_BITS: u32 = 20;

/// The table of a board of at most 16 cells, by geometry and move, from the numberings of A and of B. The
/// numbers must fit the bits of an entry.
///
/// Costs 5 ms for 7-8 on 4×4: 103,000 geometries.
pub fn geometry(width: usize, height: usize, [a, b]: [&Index; 2]) -> Vec<[Entry; 4]> {
    let orders = [a.orders(), b.orders()];
    let cells = width * height;
    let all = (1 << cells) - 1;
    let free = cells - orders[0].tiles();
    let cells_without = |mask: u64| (0..cells).filter(move |&cell| mask & 1 << cell == 0);

    // All of an entry but its row depends on the geometry that it leads to, and on the pattern of
    // the tile that has just left the blank's cell.
    let arrival = |geometry: usize, pattern: u64, cohort: usize, colour: u32| {
        geometry as u64
            | (pattern * u64::from(HALF_BITS)) << HALF_SHIFT
            | pattern << SECOND_SHIFT
            | u64::from(1 - colour) << COLOUR_SHIFT
            | (cohort as u64 % 8) << PLACE_SHIFT
            | (cohort as u64 / 8) << BYTE_SHIFT
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
                *entry = arrivals[next][second] | u64::from(rows[second][place][to]) << ROW_SHIFT;
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
